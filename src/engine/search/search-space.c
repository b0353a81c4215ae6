/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/search-space.h"

#include "engine/model/kernel.h"
#include "plan/plan-check.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char *const key_settings[PLG_N_SEARCH_KEYS + 1] = {
  [PLG_SEARCH_TP] = "parallelism.tp",
  [PLG_SEARCH_CP] = "parallelism.cp",
  [PLG_SEARCH_EP] = "parallelism.ep",
  [PLG_SEARCH_ETP] = "parallelism.etp",
  [PLG_SEARCH_PP] = "parallelism.pp",
  [PLG_SEARCH_DP] = "parallelism.dp",
  [PLG_SEARCH_ORDER] = "parallelism.order",
  [PLG_SEARCH_MICRO_BATCH] = "training.micro-batch",
  [PLG_SEARCH_SCHEDULE] = "training.schedule",
  [PLG_SEARCH_CHUNKS] = "parallelism.chunks",
  [PLG_SEARCH_RECOMPUTE] = "training.recompute",
  [PLG_SEARCH_ZERO] = "parallelism.zero",
  [PLG_SEARCH_SEQUENCE] = "parallelism.sequence",
  [PLG_SEARCH_REPLICATE] = "parallelism.replicate",
};

const char *
plg_search_key_setting (PlgSearchKey key)
{
  return key_settings[key];
}

/* All permutations of the four axes, in lexicographic order of TP, CP, PP, DP. */
#define T PLG_AXIS_TP
#define C PLG_AXIS_CP
#define P PLG_AXIS_PP
#define D PLG_AXIS_DP
static const PlgAxis orders[PLG_N_ORDERS][PLG_N_NESTED_AXES] = {
  { T, C, P, D }, { T, C, D, P }, { T, P, C, D }, { T, P, D, C }, { T, D, C, P }, { T, D, P, C },
  { C, T, P, D }, { C, T, D, P }, { C, P, T, D }, { C, P, D, T }, { C, D, T, P }, { C, D, P, T },
  { P, T, C, D }, { P, T, D, C }, { P, C, T, D }, { P, C, D, T }, { P, D, T, C }, { P, D, C, T },
  { D, T, C, P }, { D, T, P, C }, { D, C, T, P }, { D, C, P, T }, { D, P, T, C }, { D, P, C, T },
};
#undef T
#undef C
#undef P
#undef D

const PlgAxis *
plg_search_order (int index)
{
  g_assert (index >= 0 && index < PLG_N_ORDERS);
  return orders[index];
}

int
plg_search_order_index (const PlgAxis *order)
{
  for (int i = 0; i < PLG_N_ORDERS; i++)
    if (memcmp (orders[i], order, sizeof orders[i]) == 0)
      return i;
  g_return_val_if_reached (0);
}

/* Returns the value of KEY in PLAN, in the form of PlgSearchSpace.allowed. */
static int
value_in_plan (PlgSearchKey key, const PlgPlan *plan)
{
  if (key == PLG_SEARCH_ORDER)
    return plg_search_order_index (plan->parallelism.order);
  return (int) plg_setting_get_number (plg_setting_find (key_settings[key]), plan);
}

static gboolean
find_key (const char *setting, PlgSearchKey *key)
{
  for (int i = 0; i < PLG_N_SEARCH_KEYS; i++)
    if (g_str_equal (key_settings[i], setting))
      {
        *key = i;
        return TRUE;
      }
  return FALSE;
}

PlgSearchSpace *
plg_search_space_new (const PlgPlan *plan)
{
  PlgSearchSpace *space = g_new0 (PlgSearchSpace, 1);
  PlgPlan *base = plg_plan_copy (plan);

  plg_placement_clear (&base->placement);
  space->bases = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_plan_free);
  space->other_keys = g_ptr_array_new ();
  g_ptr_array_add (space->bases, base);
  return space;
}

void
plg_search_space_free (PlgSearchSpace *space)
{
  if (space == NULL)
    return;
  for (int i = 0; i < PLG_N_SEARCH_KEYS; i++)
    g_clear_pointer (&space->allowed[i], g_array_unref);
  g_ptr_array_unref (space->bases);
  g_ptr_array_unref (space->other_keys);
  g_free (space);
}

gboolean
plg_search_space_allows (const PlgSearchSpace *space, PlgSearchKey key, int value)
{
  const GArray *allowed = space->allowed[key];

  if (allowed == NULL)
    return TRUE;
  for (guint i = 0; i < allowed->len; i++)
    if (g_array_index (allowed, int, i) == value)
      return TRUE;
  return FALSE;
}

/* Splits the values of a key at commas and writes out its ranges, such as "2..5". Returns NULL
 * with ERROR if a range is empty or the values are too many. */
static GPtrArray *
split_values (const char *key, const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; parts[i] != NULL; i++)
    {
      const char *dots = strstr (parts[i], "..");
      char *end;
      gint64 from, to;

      if (dots == NULL)
        {
          g_ptr_array_add (values, g_strdup (g_strstrip (parts[i])));
          continue;
        }
      from = g_ascii_strtoll (parts[i], &end, 10);
      if (end != dots || end == parts[i])
        from = -1;
      to = g_ascii_strtoll (dots + 2, &end, 10);
      if (*end != '\0' || end == dots + 2 || from < 0 || to < from ||
          to - from >= PLG_MAX_SEARCH_BASES)
        {
          plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, key,
                                        _ ("“%s” is not a range; use two whole numbers, such "
                                           "as 2..8, with at most %d values"),
                                        parts[i], PLG_MAX_SEARCH_BASES);
          return NULL;
        }
      for (gint64 value = from; value <= to; value++)
        g_ptr_array_add (values, g_strdup_printf ("%" G_GINT64_FORMAT, value));
    }
  return g_steal_pointer (&values);
}

/* Sets the values of KEY, one of PlgSearchKey. */
static gboolean
restrict_key (PlgSearchSpace *space,
              const PlgCatalogue *catalogue,
              PlgSearchKey key,
              const GPtrArray *values,
              GError **error)
{
  g_autoptr (GArray) allowed = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (PlgPlan) trial = plg_plan_copy (g_ptr_array_index (space->bases, 0));

  for (guint i = 0; i < values->len; i++)
    {
      int value;

      if (!plg_setting_set (trial, catalogue, key_settings[key], g_ptr_array_index (values, i),
                            error))
        return FALSE;
      value = value_in_plan (key, trial);
      g_array_append_val (allowed, value);
    }
  g_clear_pointer (&space->allowed[key], g_array_unref);
  space->allowed[key] = g_steal_pointer (&allowed);
  return TRUE;
}

/* Sets SETTING of BASE to VALUE. Returns FALSE with ERROR if the plan would not be valid. */
static gboolean
change_base (PlgPlan *base,
             const PlgCatalogue *catalogue,
             const PlgSetting *setting,
             const char *value,
             GError **error)
{
  g_autofree char *assignment = g_strdup_printf ("%s=%s", setting->key, value);
  const char *const assignments[] = { assignment, NULL };

  return plg_settings_assign (base, catalogue, assignments, error) &&
         plg_plan_check_values (base, error);
}

/* Replaces each base plan by copies with the VALUES of SETTING, as far as they are valid. Each
 * value must be valid for a base plan. */
static gboolean
multiply_bases (PlgSearchSpace *space,
                const PlgCatalogue *catalogue,
                const PlgSetting *setting,
                const GPtrArray *values,
                GError **error)
{
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_plan_free);
  g_autofree gboolean *is_valid = NULL;

  if ((guint64) space->bases->len * values->len > PLG_MAX_SEARCH_BASES)
    {
      plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, setting->key,
                                    _ ("%u × %u combinations of values are too many for a "
                                       "search; use at most %d"),
                                    space->bases->len, values->len, PLG_MAX_SEARCH_BASES);
      return FALSE;
    }
  is_valid = g_new0 (gboolean, values->len);
  for (guint i = 0; i < space->bases->len; i++)
    for (guint j = 0; j < values->len; j++)
      {
        g_autoptr (PlgPlan) base = plg_plan_copy (g_ptr_array_index (space->bases, i));

        if (!change_base (base, catalogue, setting, g_ptr_array_index (values, j), NULL))
          continue;
        is_valid[j] = TRUE;
        g_ptr_array_add (bases, g_steal_pointer (&base));
      }
  for (guint j = 0; j < values->len; j++)
    if (!is_valid[j])
      {
        g_autoptr (PlgPlan) base = plg_plan_copy (g_ptr_array_index (space->bases, 0));

        return change_base (base, catalogue, setting, g_ptr_array_index (values, j), error);
      }
  g_ptr_array_unref (space->bases);
  space->bases = g_steal_pointer (&bases);
  g_ptr_array_add (space->other_keys, (gpointer) setting);
  return TRUE;
}

/* Returns all values of a boolean or a choice, or NULL with ERROR for other kinds of settings. */
static GPtrArray *
all_values (const PlgSetting *setting, GError **error)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);

  if (setting->kind == PLG_SETTING_BOOLEAN)
    {
      g_ptr_array_add (values, g_strdup ("false"));
      g_ptr_array_add (values, g_strdup ("true"));
    }
  else if (setting->kind == PLG_SETTING_CHOICE)
    for (int i = 0; setting->choices[i] != NULL; i++)
      g_ptr_array_add (values, g_strdup (setting->choices[i]));
  else
    {
      plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, setting->key,
                                    _ ("list the values that the search may use, as in %s=V1,V2"),
                                    setting->key);
      return NULL;
    }
  return g_steal_pointer (&values);
}

gboolean
plg_search_space_vary (PlgSearchSpace *space,
                       const PlgCatalogue *catalogue,
                       const char *text,
                       GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *name = equals != NULL ? g_strndup (text, equals - text) : g_strdup (text);
  const PlgSetting *setting = plg_setting_find (g_strstrip (name));
  g_autoptr (GPtrArray) values = NULL;
  PlgSearchKey key;

  if (setting == NULL)
    {
      /* Setting an unknown key fails with a message that names similar keys. */
      g_autoptr (PlgPlan) trial = plg_plan_copy (g_ptr_array_index (space->bases, 0));

      return plg_setting_set (trial, catalogue, name, "", error);
    }
  if (equals == NULL && find_key (setting->key, &key))
    {
      g_clear_pointer (&space->allowed[key], g_array_unref);
      return TRUE;
    }
  values = equals != NULL ? split_values (setting->key, equals + 1, error)
                          : all_values (setting, error);
  if (values == NULL)
    return FALSE;
  return find_key (setting->key, &key) ? restrict_key (space, catalogue, key, values, error)
                                       : multiply_bases (space, catalogue, setting, values, error);
}

gboolean
plg_search_space_keep (PlgSearchSpace *space, const char *text, GError **error)
{
  PlgSearchKey key;
  int value;

  if (plg_setting_find (text) == NULL)
    return plg_setting_refuse_key (text, key_settings, error);
  if (!find_key (text, &key))
    {
      g_autofree char *keys = g_strjoinv (", ", (char **) key_settings);

      return plg_plan_problem_set (error, PLG_PLAN_ERROR_KEY, NULL,
                                   _ ("A search does not vary “%s”, so it cannot be kept; it "
                                      "varies %s"),
                                   text, keys);
    }
  value = value_in_plan (key, g_ptr_array_index (space->bases, 0));
  g_clear_pointer (&space->allowed[key], g_array_unref);
  space->allowed[key] = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_append_val (space->allowed[key], value);
  return TRUE;
}

/* Stores the divisors of N in DIVISORS, in ascending order. */
static void
set_divisors (GArray *divisors, int n)
{
  guint middle = 0;

  g_array_set_size (divisors, 0);
  for (int i = 1; (gint64) i * i <= n; i++)
    if (n % i == 0)
      {
        int other = n / i;

        g_array_insert_val (divisors, middle, i);
        middle++;
        if (other != i)
          g_array_insert_val (divisors, middle, other);
      }
}

void
plg_search_space_list (const PlgSearchSpace *space, PlgSearchKey key, int n, GArray *values)
{
  const GArray *allowed = space->allowed[key];

  if (allowed == NULL)
    set_divisors (values, n);
  else
    {
      g_array_set_size (values, 0);
      g_array_append_vals (values, allowed->data, allowed->len);
    }
}

void
plg_search_space_set (const PlgSearchSpace *space, const PlgSearchPoint *point, PlgPlan *plan)
{
  const PlgPlan *base = g_ptr_array_index (space->bases, point->base);
  PlgParallelism *parallelism = &plan->parallelism;
  gboolean keeps_layers = point->pp == base->parallelism.degree[PLG_AXIS_PP];

  parallelism->degree[PLG_AXIS_TP] = point->tp;
  parallelism->degree[PLG_AXIS_CP] = point->cp;
  parallelism->degree[PLG_AXIS_EP] = point->ep;
  parallelism->degree[PLG_AXIS_PP] = point->pp;
  parallelism->degree[PLG_AXIS_DP] = plg_plan_world (plan) / point->tp / point->cp / point->pp;
  parallelism->etp = point->etp;
  parallelism->replicate = point->replicate;
  memcpy (parallelism->order, orders[point->order], sizeof parallelism->order);
  parallelism->chunks = point->chunks;
  parallelism->zero = point->zero;
  parallelism->sequence = point->sequence;
  parallelism->first_layers = keeps_layers ? base->parallelism.first_layers : 0;
  parallelism->last_layers = keeps_layers ? base->parallelism.last_layers : 0;
  plan->training.micro_batch = point->micro_batch;
  plan->training.schedule = point->schedule;
  /* The plan is a copy of the base, so it has the layers of the layout too. */
  parallelism->layout.stages = base->parallelism.layout.stages;
  if (!keeps_layers || !plg_plan_check_layout (plan, NULL))
    parallelism->layout.stages = 0;
  plan->training.recompute = point->recompute;
}

PlgPlan *
plg_search_space_plan (const PlgSearchSpace *space, const PlgSearchPoint *point)
{
  PlgPlan *plan = plg_plan_copy (g_ptr_array_index (space->bases, point->base));

  plg_search_space_set (space, point, plan);
  return plan;
}

/* Sets KEY of PLAN to VALUE, in the form of PlgSearchSpace.allowed. */
static void
set_key (PlgPlan *plan, PlgSearchKey key, int value)
{
  g_autofree char *text = g_strdup_printf ("%d", value);

  if (key == PLG_SEARCH_ORDER)
    memcpy (plan->parallelism.order, orders[value], sizeof plan->parallelism.order);
  else if (key == PLG_SEARCH_SCHEDULE)
    plan->training.schedule = value;
  else if (key == PLG_SEARCH_RECOMPUTE)
    plan->training.recompute = value;
  else if (key == PLG_SEARCH_SEQUENCE)
    plan->parallelism.sequence = value;
  else
    plg_setting_set (plan, NULL, key_settings[key], text, NULL);
}

/* Makes PLAN as easy to fit to any value of KEY as possible: all degrees and the micro-batch are 1.
 * DualPipe needs an even number of stages, chunks need a schedule that has them, and shard groups
 * need replicas. */
static void
simplify (PlgPlan *plan, PlgSearchKey key, int value)
{
  PlgParallelism *parallelism = &plan->parallelism;
  gboolean is_dual = key == PLG_SEARCH_SCHEDULE && value == PLG_SCHEDULE_DUALPIPE;

  for (int axis = 0; axis < PLG_N_AXES; axis++)
    parallelism->degree[axis] = 1;
  parallelism->degree[PLG_AXIS_PP] = is_dual ? 2 : 1;
  parallelism->degree[PLG_AXIS_DP] = key == PLG_SEARCH_REPLICATE ? plg_plan_world (plan) : 1;
  parallelism->etp = parallelism->replicate = 1;
  parallelism->sequence = FALSE;
  parallelism->chunks = key == PLG_SEARCH_SCHEDULE && value == PLG_SCHEDULE_INTERLEAVED ? 2 : 1;
  plg_parallelism_clear_layers (parallelism);
  plan->training.micro_batch = 1;
  plan->training.schedule = key == PLG_SEARCH_CHUNKS && value > 1 ? PLG_SCHEDULE_INTERLEAVED
                                                                  : PLG_SCHEDULE_1F1B;
}

/* Checks PLAN, whose DP need not fill the cluster. The degree of KEY must divide the number of
 * GPUs. */
static gboolean
check_value (const PlgPlan *plan, PlgSearchKey key, int value, GError **error)
{
  int world = plg_plan_world (plan);
  gboolean is_degree = key == PLG_SEARCH_TP || key == PLG_SEARCH_CP || key == PLG_SEARCH_PP ||
                       key == PLG_SEARCH_DP;

  if (!plg_plan_check_split (plan, error))
    return FALSE;
  if (is_degree && world % value != 0)
    return plg_plan_problem_set (error, PLG_PLAN_ERROR_WORLD, NULL,
                                 _ ("%d does not divide the %d GPUs of the cluster; use a "
                                    "divisor of %d"),
                                 value, world, world);
  return key == PLG_SEARCH_REPLICATE || plg_plan_check_schedule (plan, error);
}

/* Returns the reason if all listed values of KEY fail, otherwise NULL. */
static GError *
explain_key (const PlgSearchSpace *space, PlgSearchKey key)
{
  const GArray *allowed = space->allowed[key];
  GError *reason = NULL;

  for (guint i = 0; allowed != NULL && i < allowed->len; i++)
    for (guint j = 0; j < space->bases->len; j++)
      {
        int value = g_array_index (allowed, int, i);
        g_autoptr (PlgPlan) plan = plg_plan_copy (g_ptr_array_index (space->bases, j));
        GError *problem = NULL;

        simplify (plan, key, value);
        set_key (plan, key, value);
        if (check_value (plan, key, value, &problem))
          {
            g_clear_error (&reason);
            return NULL;
          }
        if (reason == NULL)
          reason = problem;
        else
          g_error_free (problem);
      }
  return reason;
}

GError *
plg_search_space_explain (const PlgSearchSpace *space)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (g_ptr_array_index (space->bases, 0));
  g_autoptr (GError) reason = NULL;
  GError *error = NULL;

  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    {
      reason = explain_key (space, key);
      if (reason == NULL)
        continue;
      plg_plan_problem_set (&error, PLG_PLAN_ERROR_RANGE, NULL,
                            _ ("No value that the search may use for %s gives a legal plan. %s"),
                            key_settings[key], reason->message);
      return error;
    }

  /* Each value is legal on its own, so try the first values together. */
  simplify (plan, PLG_SEARCH_ORDER, 0);
  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    if (space->allowed[key] != NULL && space->allowed[key]->len > 0)
      set_key (plan, key, g_array_index (space->allowed[key], int, 0));
  if (plg_plan_check_split (plan, &reason) && plg_plan_check_schedule (plan, &reason))
    plg_plan_problem_set (&error, PLG_PLAN_ERROR_RANGE, NULL,
                          _ ("No combination of the values that the search may use gives a legal "
                             "plan; list more values, or hold fewer settings"));
  else
    plg_plan_problem_set (&error, PLG_PLAN_ERROR_RANGE, NULL,
                          _ ("No combination of the values that the search may use gives a legal "
                             "plan; list more values, or hold fewer settings. For example: %s"),
                          reason->message);
  return error;
}
