/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/plan-changes.h"

#include "engine/evaluate.h"
#include "plan/quantity.h"
#include "plan/settings/setting-describe.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The largest number of evaluations and of legality checks for one list of changes. If a list needs
 * more, its last change makes all remaining changes together. */
#define MAX_EVALUATIONS 600
#define MAX_CHECKS 20000
/* Joint changes of up to this number of settings compete with single changes. Larger ones are
 * tried only if no other change is legal. */
#define USUAL_SIZE 3
/* The masks of differences are 64 bits wide. A larger number of differences is one joint change. */
#define MAX_DIFFERENCES 60

/* The time that other changes save is named if it is at least this share of the largest loss. */
#define NAMED_SAVING 0.05

/* The parts of the last plan that differ from the current plan. A change copies one or several. */
typedef enum
{
  DIFFERENCE_SETTING,
  DIFFERENCE_CLUSTER, /* everything about the cluster, with another GPU or node */
  DIFFERENCE_MODEL,   /* everything about the model */
  DIFFERENCE_PLACEMENT,
} DifferenceKind;

typedef struct
{
  DifferenceKind kind;
  const PlgSetting *setting; /* for DIFFERENCE_SETTING */
  char *value;               /* for DIFFERENCE_SETTING: the value in the last plan; owned */
} Difference;

typedef struct
{
  const PlgPlan *to;
  const PlgCatalogue *catalogue;
  GArray *differences; /* Difference */
  PlgPlan *current;    /* the plan after the last change */
  PlgReport *report;   /* the report on CURRENT */
  PlgPlan *trial;
  PlgReport *outcome; /* the report on TRIAL */
  int n_evaluations;
  int n_checks;
} Builder;

/* A candidate for the next change. */
typedef struct
{
  guint64 mask; /* the differences; 0 for no candidate */
  double time;
  double memory;
} Candidate;

/* Reasons */

static const PlgAxis axis_of_part[PLG_N_PARTS] = {
  [PLG_PART_TP] = PLG_AXIS_TP, [PLG_PART_CP] = PLG_AXIS_CP, [PLG_PART_EP] = PLG_AXIS_EP,
  [PLG_PART_PP] = PLG_AXIS_PP, [PLG_PART_DP] = PLG_AXIS_DP,
};

static char *
signed_text (double value, char *(*format) (double) )
{
  g_autofree char *text = format (fabs (value));

  return value == 0.0 ? g_strdup (text) : g_strconcat (value < 0.0 ? "−" : "+", text, NULL);
}

char *
plg_signed_time (double seconds)
{
  return signed_text (seconds, plg_format_time);
}

char *
plg_signed_memory (double bytes)
{
  return signed_text (bytes, plg_format_memory);
}

/* The communication of an axis, over all its collectives. */
typedef struct
{
  int nodes;    /* largest number of nodes that a group spans; 0 without communication */
  double bytes; /* sent per GPU and step */
  double time;  /* per step, hidden or not [s] */
} AxisCalls;

static AxisCalls
axis_calls (const PlgReport *report, PlgAxis axis)
{
  AxisCalls calls = { 0 };

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      if (row->axis != axis)
        continue;
      calls.nodes = MAX (calls.nodes, row->nodes_spanned);
      calls.bytes += row->bytes_sent;
      calls.time += row->time;
    }
  return calls;
}

static char *
communication_reason (const PlgReport *before, const PlgReport *after, PlgPart part, double change)
{
  PlgAxis axis = axis_of_part[part];
  const char *label = plg_axis_label (axis);
  AxisCalls was = axis_calls (before, axis), is = axis_calls (after, axis);
  g_autofree char *time = plg_signed_time (change);

  if (is.nodes > 1 && was.nodes == 1 && change > 0.0)
    return g_strdup_printf (_ ("%s leaves the node: %s"), label, time);
  if (is.nodes == 1 && was.nodes > 1 && change < 0.0)
    return g_strdup_printf (_ ("%s no longer leaves the node: %s"), label, time);
  if (was.nodes == 0 && change > 0.0)
    return g_strdup_printf (_ ("%s starts to communicate: %s"), label, time);
  if (is.nodes == 0 && change < 0.0)
    return g_strdup_printf (_ ("%s no longer communicates: %s"), label, time);
  if (fabs (is.bytes - was.bytes) > 0.01 * was.bytes && (is.bytes > was.bytes) == (change > 0.0))
    {
      g_autofree char *bytes = plg_format_volume (fabs (is.bytes - was.bytes));

      return g_strdup_printf (is.bytes > was.bytes ? _ ("%s sends %s more per GPU: %s")
                                                   : _ ("%s sends %s less per GPU: %s"),
                              label, bytes, time);
    }
  if (fabs (is.time - was.time) < 0.5 * fabs (change))
    return g_strdup_printf (change > 0.0
                                ? _ ("Computation hides less of the communication of %s: %s")
                                : _ ("Computation hides more of the communication of %s: %s"),
                            label, time);
  return g_strdup_printf (change > 0.0 ? _ ("The communication of %s takes longer: %s")
                                       : _ ("The communication of %s takes less time: %s"),
                          label, time);
}

char *
plg_plan_change_reason (const PlgReport *before,
                        const PlgReport *after,
                        PlgPart *part,
                        double *seconds)
{
  double direction = after->step.time < before->step.time ? -1.0 : 1.0;
  double change = 0.0;
  PlgPart largest = PLG_PART_COMPUTE;
  g_autofree char *time = NULL;

  for (int i = 0; i < PLG_N_PARTS; i++)
    {
      double other = after->step.part[i] - before->step.part[i];

      if (direction * other > direction * change)
        {
          change = other;
          largest = i;
        }
    }
  if (part != NULL)
    *part = largest;
  if (seconds != NULL)
    *seconds = change;
  if (change == 0.0)
    return g_strdup (_ ("The step takes the same time"));
  time = plg_signed_time (change);
  switch (largest)
    {
    case PLG_PART_COMPUTE:
      return g_strdup_printf (change > 0.0 ? _ ("Computation takes longer: %s")
                                           : _ ("Computation takes less time: %s"),
                              time);
    case PLG_PART_RECOMPUTE:
      return g_strdup_printf (change > 0.0 ? _ ("More activations are computed again: %s")
                                           : _ ("Fewer activations are computed again: %s"),
                              time);
    case PLG_PART_HOST:
      return g_strdup_printf (change > 0.0 ? _ ("The GPUs wait longer for the host: %s")
                                           : _ ("The GPUs wait less for the host: %s"),
                              time);
    case PLG_PART_BUBBLE:
      return g_strdup_printf (change > 0.0 ? _ ("The pipeline bubble grows: %s")
                                           : _ ("The pipeline bubble shrinks: %s"),
                              time);
    case PLG_PART_OPTIMIZER:
      return g_strdup_printf (change > 0.0 ? _ ("The update of the weights takes longer: %s")
                                           : _ ("The update of the weights takes less time: %s"),
                              time);
    case PLG_PART_TP:
    case PLG_PART_CP:
    case PLG_PART_EP:
    case PLG_PART_PP:
    case PLG_PART_DP:
    default:
      return communication_reason (before, after, largest, change);
    }
}

/* Differences */

static void
difference_clear (gpointer data)
{
  g_free (((Difference *) data)->value);
}

static gboolean
is_key_of (const PlgSetting *setting, const char *room)
{
  return g_str_has_prefix (setting->key, room);
}

/* Returns TRUE if the settings of ROOM that are not names make the cluster or the model of FROM
 * equal to those of TO. */
static gboolean
settings_suffice (const PlgPlan *from, const PlgPlan *to, const char *room)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (from);
  const PlgSetting *settings;
  int n;

  settings = plg_settings (&n);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *value = plg_setting_get (&settings[i], to);
      g_autofree char *own = plg_setting_get (&settings[i], plan);

      if (is_key_of (&settings[i], room) && !g_str_equal (own, value) &&
          (settings[i].kind == PLG_SETTING_NAME ||
           !plg_setting_set (plan, NULL, settings[i].key, value, NULL)))
        return FALSE;
    }
  return g_str_equal (room, "model.")
             ? plg_transformer_equal (&plan->model, &to->model)
             : plg_cluster_equal (&plan->cluster, &to->cluster) &&
                   plg_node_topology_equal (&plan->node_topology, &to->node_topology);
}

/* Lists what differs between the current plan and the last one, in the order of the table of
 * settings. DP is left out, because it follows the other degrees. */
static void
list_differences (Builder *builder)
{
  const PlgPlan *from = builder->current, *to = builder->to;
  gboolean whole_cluster = !settings_suffice (from, to, "cluster.");
  gboolean whole_model = !settings_suffice (from, to, "model.");
  const PlgSetting *settings;
  int n;

  if (whole_cluster)
    g_array_append_val (builder->differences, ((Difference) { .kind = DIFFERENCE_CLUSTER }));
  if (whole_model)
    g_array_append_val (builder->differences, ((Difference) { .kind = DIFFERENCE_MODEL }));
  settings = plg_settings (&n);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *own = plg_setting_get (&settings[i], from);
      Difference difference = { DIFFERENCE_SETTING, &settings[i],
                                plg_setting_get (&settings[i], to) };

      if (is_key_of (&settings[i], "view.") ||
          g_str_equal (settings[i].key, "cluster.node-names") ||
          g_str_equal (settings[i].key, "parallelism.dp") ||
          (whole_cluster && is_key_of (&settings[i], "cluster.")) ||
          (whole_model && is_key_of (&settings[i], "model.")) ||
          g_str_equal (own, difference.value))
        g_free (difference.value);
      else
        g_array_append_val (builder->differences, difference);
    }
  if (!plg_placement_equal (&from->placement, &to->placement))
    g_array_append_val (builder->differences, ((Difference) { .kind = DIFFERENCE_PLACEMENT }));
}

/* Sets the trial plan to the current plan without the differences of MASK. Returns FALSE if the trial
 * plan is not legal. */
static gboolean
try_differences (Builder *builder, guint64 mask)
{
  PlgPlan *trial = builder->trial;
  int *degree = trial->parallelism.degree;
  gint64 others, world;

  plg_plan_assign (trial, builder->current);
  for (guint i = 0; i < builder->differences->len; i++)
    {
      const Difference *difference = &g_array_index (builder->differences, Difference, i);

      if ((mask & (G_GUINT64_CONSTANT (1) << i)) == 0)
        continue;
      if (difference->kind == DIFFERENCE_CLUSTER)
        {
          trial->cluster = builder->to->cluster;
          plg_node_topology_copy (&trial->node_topology, &builder->to->node_topology);
          plg_node_names_copy (&trial->node_names, &builder->to->node_names);
        }
      else if (difference->kind == DIFFERENCE_MODEL)
        trial->model = builder->to->model;
      else if (difference->kind == DIFFERENCE_PLACEMENT)
        plg_placement_copy (&trial->placement, &builder->to->placement);
      else if (!plg_setting_set (trial, NULL, difference->setting->key, difference->value, NULL))
        return FALSE;
    }
  plg_node_names_prune (&trial->node_names, trial->cluster.nodes,
                        plg_cluster_hosts_per_node (&trial->cluster));
  world = plg_plan_world (trial);
  others = (gint64) degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP] * degree[PLG_AXIS_PP];
  if (others > world || world % others != 0)
    return FALSE;
  degree[PLG_AXIS_DP] = (int) (world / others);
  builder->n_checks++;
  return plg_plan_check (trial, NULL);
}

/* Makes MASK the candidate if its plan is better than that of BEST. The trial plan
 * lacks the differences of MASK. */
static void
compare_candidate (Builder *builder, guint64 mask, Candidate *best)
{
  const PlgReport *outcome = builder->outcome;

  builder->n_evaluations++;
  if (!plg_evaluate_into (builder->outcome, builder->trial, PLG_EVALUATE_TOTALS, NULL))
    return;
  if (best->mask == 0 || outcome->step.time < best->time ||
      (outcome->step.time == best->time && outcome->memory_peak < best->memory))
    *best = (Candidate) { mask, outcome->step.time, outcome->memory_peak };
}

/* Returns the next mask with as many bits as MASK, in ascending order (Gosper's method; Beeler,
 * Gosper, Schroeppel, HAKMEM, item 175). */
static guint64
next_mask (guint64 mask)
{
  guint64 lowest = mask & -mask, ripple = mask + lowest;

  return ripple | (((mask ^ ripple) >> 2) / lowest);
}

/* Returns the differences of REMAINING whose bits in MASK, counted among the bits of REMAINING, are
 * set. */
static guint64
spread_mask (guint64 mask, guint64 remaining)
{
  guint64 spread = 0;

  for (; remaining != 0; remaining &= remaining - 1, mask >>= 1)
    if ((mask & 1) != 0)
      spread |= remaining & -remaining;
  return spread;
}

static int
count_bits (guint64 mask)
{
  int n = 0;

  for (; mask != 0; mask &= mask - 1)
    n++;
  return n;
}

/* Returns the differences of the next change: a legal change of few settings, none of which could
 * change without the others. */
static guint64
best_change (Builder *builder, guint64 remaining)
{
  g_autoptr (GArray) legal = g_array_new (FALSE, FALSE, sizeof (guint64));
  Candidate best = { 0 };
  guint64 stuck = 0; /* the differences that cannot change alone */
  int n;

  for (guint64 rest = remaining; rest != 0; rest &= rest - 1)
    {
      guint64 single = rest & -rest;

      if (builder->n_evaluations >= MAX_EVALUATIONS)
        return remaining;
      if (try_differences (builder, single))
        compare_candidate (builder, single, &best);
      else
        stuck |= single;
    }
  n = count_bits (stuck);
  for (int size = 2; size <= n && (size <= USUAL_SIZE || best.mask == 0); size++)
    for (guint64 mask = (G_GUINT64_CONSTANT (1) << size) - 1; mask < G_GUINT64_CONSTANT (1) << n;
         mask = next_mask (mask))
      {
        guint64 joint = spread_mask (mask, stuck);
        gboolean is_smallest = TRUE;

        if (builder->n_checks >= MAX_CHECKS || builder->n_evaluations >= MAX_EVALUATIONS)
          return best.mask != 0 ? best.mask : remaining;
        for (guint i = 0; i < legal->len && is_smallest; i++)
          is_smallest = (joint & g_array_index (legal, guint64, i)) !=
                        g_array_index (legal, guint64, i);
        if (!is_smallest || !try_differences (builder, joint))
          continue;
        g_array_append_val (legal, joint);
        compare_candidate (builder, joint, &best);
      }
  return best.mask != 0 ? best.mask : remaining;
}

/* Changes */

static void
plan_change_clear (gpointer data)
{
  PlgPlanChange *change = data;

  g_free (change->text);
  g_strfreev (change->edits);
  g_free (change->reason);
  plg_plan_free (change->plan);
}

/* Returns the text of the value of SETTING before and after a change, such as "TP 8 → 4". */
static char *
describe_setting (const Builder *builder,
                  const PlgSetting *setting,
                  const PlgPlan *before,
                  const PlgPlan *after)
{
  g_autofree char *was = NULL, *is = NULL;

  if (setting->kind == PLG_SETTING_ORDER)
    {
      was = plg_order_title (before->parallelism.order, before->parallelism.degree);
      is = plg_order_title (after->parallelism.order, after->parallelism.degree);
    }
  /* The titles leave out axes of degree 1. */
  if (g_strcmp0 (was, is) == 0)
    {
      g_free (was);
      g_free (is);
      was = plg_setting_describe (setting, before, after, builder->catalogue);
      is = plg_setting_describe (setting, after, before, builder->catalogue);
    }
  if (setting->kind == PLG_SETTING_BOOLEAN)
    return g_strdup_printf ("%s %s", _ (setting->title),
                            plg_setting_get_number (setting, after) != 0 ? _ ("on") : _ ("off"));
  return g_strdup_printf ("%s %s → %s", _ (setting->title), *was != '\0' ? was : "–",
                          *is != '\0' ? is : "–");
}

/* Fills the text and the edits of CHANGE, which leads from BEFORE to its plan. */
static void
describe_change (const Builder *builder, guint64 mask, const PlgPlan *before, PlgPlanChange *change)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) edits = g_ptr_array_new ();
  gboolean whole_cluster = FALSE, whole_model = FALSE, is_placed = FALSE;
  const PlgSetting *settings;
  int n;

  for (guint i = 0; i < builder->differences->len; i++)
    if ((mask & (G_GUINT64_CONSTANT (1) << i)) != 0)
      {
        DifferenceKind kind = g_array_index (builder->differences, Difference, i).kind;

        whole_cluster |= kind == DIFFERENCE_CLUSTER;
        whole_model |= kind == DIFFERENCE_MODEL;
        is_placed |= kind == DIFFERENCE_PLACEMENT;
      }
  if (whole_cluster)
    g_ptr_array_add (texts, g_strdup_printf (_ ("Cluster %d × %s → %d × %s"),
                                             plg_cluster_gpus (&before->cluster),
                                             before->cluster.gpu.title,
                                             plg_cluster_gpus (&change->plan->cluster),
                                             change->plan->cluster.gpu.title));
  if (whole_model)
    g_ptr_array_add (texts, g_strdup_printf (_ ("Model %s → %s"), before->model.title,
                                             change->plan->model.title));
  settings = plg_settings (&n);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *was = plg_setting_get (&settings[i], before);
      g_autofree char *is = plg_setting_get (&settings[i], change->plan);

      if (g_str_equal (was, is))
        continue;
      g_ptr_array_add (edits, g_strconcat (settings[i].key, "=", is, NULL));
      if (!(whole_cluster && is_key_of (&settings[i], "cluster.")) &&
          !(whole_model && is_key_of (&settings[i], "model.")))
        g_ptr_array_add (texts, describe_setting (builder, &settings[i], before, change->plan));
    }
  if (is_placed)
    g_ptr_array_add (texts, g_strdup (_ ("Placement by hand")));
  g_ptr_array_add (texts, NULL);
  g_ptr_array_add (edits, NULL);
  change->text = g_strjoinv (", ", (char **) texts->pdata);
  change->edits = (char **) g_ptr_array_steal (edits, NULL);
}

/* Removes the differences of MASK from the current plan, and appends this change to CHANGES. */
static void
append_change (Builder *builder, guint64 mask, GArray *changes)
{
  PlgPlanChange change = { .time_before = builder->report->step.time,
                           .memory_before = builder->report->memory_peak };
  PlgReport *report = builder->report;
  PlgPlan *before = builder->current;

  if (!try_differences (builder, mask) ||
      !plg_evaluate_into (builder->outcome, builder->trial, PLG_EVALUATE_TOTALS, NULL))
    {
      /* The last plan itself is legal, even if its DP does not follow from its degrees. */
      plg_plan_assign (builder->trial, builder->to);
      if (!plg_evaluate_into (builder->outcome, builder->trial, PLG_EVALUATE_TOTALS, NULL))
        g_return_if_reached ();
    }
  change.plan = plg_plan_copy (builder->trial);
  change.time = builder->outcome->step.time;
  change.memory = builder->outcome->memory_peak;
  change.fits = builder->outcome->fits;
  change.reason = plg_plan_change_reason (report, builder->outcome, &change.part,
                                          &change.part_seconds);
  describe_change (builder, mask, before, &change);
  g_array_append_val (changes, change);
  builder->current = builder->trial;
  builder->trial = before;
  builder->report = builder->outcome;
  builder->outcome = report;
}

GArray *
plg_plan_changes (const PlgPlan *from, const PlgPlan *to, const PlgCatalogue *catalogue)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (PlgPlanChange));
  Builder builder = { .to = to, .catalogue = catalogue };
  guint64 remaining;

  g_array_set_clear_func (changes, plan_change_clear);
  builder.report = plg_report_new ();
  if (!plg_evaluate_into (builder.report, from, PLG_EVALUATE_TOTALS, NULL))
    {
      plg_report_unref (builder.report);
      g_return_val_if_reached (changes);
    }
  builder.differences = g_array_new (FALSE, FALSE, sizeof (Difference));
  g_array_set_clear_func (builder.differences, difference_clear);
  builder.current = plg_plan_copy (from);
  builder.trial = plg_plan_copy (from);
  builder.outcome = plg_report_new ();
  list_differences (&builder);
  if (builder.differences->len > MAX_DIFFERENCES)
    append_change (&builder, G_MAXUINT64, changes);
  else
    for (remaining = (G_GUINT64_CONSTANT (1) << builder.differences->len) - 1; remaining != 0;)
      {
        guint64 mask = best_change (&builder, remaining);

        append_change (&builder, mask, changes);
        remaining &= ~mask;
      }
  g_array_unref (builder.differences);
  plg_plan_free (builder.current);
  plg_plan_free (builder.trial);
  plg_report_unref (builder.report);
  plg_report_unref (builder.outcome);
  return changes;
}

const PlgPlanChange *
plg_plan_changes_worst (const GArray *changes)
{
  const PlgPlanChange *worst = NULL;

  for (guint i = 0; i < changes->len; i++)
    {
      const PlgPlanChange *change = &g_array_index (changes, PlgPlanChange, i);

      if (change->time > change->time_before &&
          (worst == NULL || change->time - change->time_before > worst->time - worst->time_before))
        worst = change;
    }
  return worst;
}

char *
plg_plan_changes_lost (const PlgPlan *best, const PlgPlan *plan, const PlgCatalogue *catalogue)
{
  g_autoptr (GArray) changes = plg_plan_changes (best, plan, catalogue);
  const PlgPlanChange *worst = plg_plan_changes_worst (changes);
  double saved = 0.0;
  g_autofree char *time = NULL;

  if (worst == NULL)
    return NULL;
  for (guint i = 0; i < changes->len; i++)
    {
      const PlgPlanChange *change = &g_array_index (changes, PlgPlanChange, i);

      saved += MAX (change->time_before - change->time, 0.0);
    }
  if (saved < NAMED_SAVING * (worst->time - worst->time_before))
    return g_strdup_printf ("%s. %s", worst->text, worst->reason);
  time = plg_format_time (saved);
  return g_strdup_printf (_ ("%s. %s; other changes save %s"), worst->text, worst->reason, time);
}

char *
plg_plan_change_describe (const PlgPlanChange *change, gboolean is_last)
{
  return g_strconcat (change->reason,
                      change->fits || is_last ? "" : _ (" (does not fit in memory yet)"), NULL);
}

char *
plg_plan_changes_text (const GArray *changes)
{
  g_autoptr (GPtrArray) seconds = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) bytes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);
  double time = 0.0, memory = 0.0;
  glong widths[2] = { 0, 0 };

  for (guint i = 0; i < changes->len; i++)
    {
      const PlgPlanChange *change = &g_array_index (changes, PlgPlanChange, i);
      g_autofree char *reason = plg_plan_change_describe (change, i + 1 == changes->len);

      g_ptr_array_add (seconds, plg_signed_time (change->time - change->time_before));
      g_ptr_array_add (bytes, plg_signed_memory (change->memory - change->memory_before));
      g_ptr_array_add (texts, g_strdup_printf ("%s. %s", change->text, reason));
      time = change->time - g_array_index (changes, PlgPlanChange, 0).time_before;
      memory = change->memory - g_array_index (changes, PlgPlanChange, 0).memory_before;
    }
  g_ptr_array_add (seconds, plg_signed_time (time));
  g_ptr_array_add (bytes, plg_signed_memory (memory));
  g_ptr_array_add (texts, g_strdup (_ ("together")));
  for (guint i = 0; i < texts->len; i++)
    {
      widths[0] = MAX (widths[0], g_utf8_strlen (seconds->pdata[i], -1));
      widths[1] = MAX (widths[1], g_utf8_strlen (bytes->pdata[i], -1));
    }
  for (guint i = 0; i < texts->len; i++)
    g_string_append_printf (text, "%s%*s%s%*s%s\n", (char *) seconds->pdata[i],
                            (int) (widths[0] - g_utf8_strlen (seconds->pdata[i], -1)) + 2, "",
                            (char *) bytes->pdata[i],
                            (int) (widths[1] - g_utf8_strlen (bytes->pdata[i], -1)) + 2, "",
                            (char *) texts->pdata[i]);
  return g_string_free (text, FALSE);
}
