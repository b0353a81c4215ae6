/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/settings/setting.h"

#include "plan/fault.h"
#include "plan/order-preset.h"
#include "plan/quantity.h"
#include "plan/text/similar-names.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Reading values */

static int
power_of_ten (double scale)
{
  if (scale == PLG_GB)
    return 9;
  if (scale == PLG_TERA)
    return 12;
  return scale == 1e-6 ? -6 : 0;
}

/* Returns TRUE if the setting's scale is not a power of ten, as for GiB and hours. */
static gboolean
has_other_scale (const PlgSetting *setting)
{
  return setting->scale == PLG_GIB || setting->scale == PLG_SECONDS_PER_HOUR;
}

static int
choice_place (const PlgSetting *setting, int value)
{
  for (int i = 0; setting->choices[i] != NULL; i++)
    if ((setting->values != NULL ? setting->values[i] : i) == value)
      return i;
  return -1;
}

double
plg_setting_get_number (const PlgSetting *setting, const PlgPlan *plan)
{
  gconstpointer member = G_STRUCT_MEMBER_P (plan, setting->offset);

  switch (setting->kind)
    {
    case PLG_SETTING_INTEGER:
      return *(const int *) member;
    case PLG_SETTING_NUMBER:
      return *(const double *) member / setting->scale;
    case PLG_SETTING_BOOLEAN:
      return *(const gboolean *) member ? 1 : 0;
    case PLG_SETTING_CHOICE:
      return choice_place (setting, *(const int *) member);
    case PLG_SETTING_NAME:
    case PLG_SETTING_ORDER:
    case PLG_SETTING_FAULTS:
    case PLG_SETTING_NODE_NAMES:
    case PLG_SETTING_LAYOUT:
    case PLG_SETTING_MODULES:
    default:
      return 0;
    }
}

char *
plg_setting_get (const PlgSetting *setting, const PlgPlan *plan)
{
  gconstpointer member = G_STRUCT_MEMBER_P (plan, setting->offset);
  int place;

  switch (setting->kind)
    {
    case PLG_SETTING_INTEGER:
      return g_strdup_printf ("%d", *(const int *) member);
    case PLG_SETTING_NUMBER:
      {
        double value = *(const double *) member;

        if (has_other_scale (setting))
          return plg_format_exact (value / setting->scale);
        return plg_format_exact_shifted (value, power_of_ten (setting->scale));
      }
    case PLG_SETTING_BOOLEAN:
      return g_strdup (*(const gboolean *) member ? "true" : "false");
    case PLG_SETTING_CHOICE:
      place = choice_place (setting, *(const int *) member);
      return g_strdup (setting->choices[MAX (0, place)]);
    case PLG_SETTING_ORDER:
      return plg_order_to_string (&plan->parallelism);
    case PLG_SETTING_FAULTS:
      return plg_faults_to_string (&plan->cluster);
    case PLG_SETTING_NODE_NAMES:
      return plg_node_names_to_string (&plan->node_names);
    case PLG_SETTING_LAYOUT:
      return plg_stage_layout_to_string (&plan->parallelism.layout);
    case PLG_SETTING_MODULES:
      return plg_modules_to_string (*(const guint *) member);
    case PLG_SETTING_NAME:
    default:
      return g_strdup (member);
    }
}

/* Writing values */

/* Returns at most the first 40 characters of user input, in quotation marks and on one line, for
 * a message. */
static char *
quoted (const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, MIN (strlen (value), 400));
  g_autofree char *start = g_utf8_substring (valid, 0, MIN (40, g_utf8_strlen (valid, -1)));

  g_strdelimit (start, "\n\r\t", ' ');
  return g_strdup_printf ("“%s%s”", start, strlen (valid) > strlen (start) ? "…" : "");
}

static gboolean
refuse_range (const PlgSetting *setting, const char *value, GError **error)
{
  g_autofree char *shown = quoted (value);
  g_autofree char *from = plg_format_exact (MAX (setting->minimum, setting->least));
  g_autofree char *to = plg_format_exact (setting->maximum);
  const char *unit = setting->unit != NULL ? _ (setting->unit) : "";

  return plg_plan_problem_set_for_key (
      error, PLG_PLAN_ERROR_RANGE, setting->key,
      setting->kind == PLG_SETTING_INTEGER
          /* Translators: the value, the minimum, the maximum, a space or nothing, the unit or
           * nothing. */
          ? _ ("%s is not allowed; use a whole number from %s to %s%s%s")
          : setting->least > 0.0 ? _ ("%s is not allowed; use a number from %s to %s%s%s, or 0")
                                 : _ ("%s is not allowed; use a number from %s to %s%s%s"),
      shown, from, to, *unit != '\0' ? " " : "", unit);
}

static const char *
skip_digits (const char *text)
{
  while (g_ascii_isdigit (*text))
    text++;
  return text;
}

/* Returns the number to store in the plan. If the setting's scale is a power of ten, adds its
 * exponent to the exponent in the text, so that the value is rounded only once. */
static double
scaled_decimal (const PlgSetting *setting, const char *value, gsize mantissa, gint64 exponent)
{
  g_autofree char *digits = g_strndup (value, mantissa);
  g_autofree char *text = g_strdup_printf ("%se%" G_GINT64_FORMAT, digits,
                                           exponent + power_of_ten (setting->scale));
  double number = g_ascii_strtod (text, NULL);

  return has_other_scale (setting) ? number * setting->scale : number;
}

static gboolean
set_number (const PlgSetting *setting, double *member, const char *value, GError **error)
{
  gsize mantissa;
  gint64 exponent;
  double number;
  const char *digits = *value == '-' ? value + 1 : value;
  const char *end = skip_digits (digits);
  gsize n = end - digits;

  if (*end == '.')
    {
      const char *fraction = end + 1;

      end = skip_digits (fraction);
      n += end - fraction;
    }
  mantissa = end - value;
  exponent = 0;
  if (n == 0 || mantissa > 400)
    return refuse_range (setting, value, error);
  if (*end == 'e' || *end == 'E')
    {
      const char *power = end[1] == '+' && g_ascii_isdigit (end[2]) ? end + 2 : end + 1;

      if (!g_ascii_string_to_signed (power, 10, -1000, 1000, &exponent, NULL))
        return refuse_range (setting, value, error);
    }
  else if (*end != '\0')
    return refuse_range (setting, value, error);

  number = scaled_decimal (setting, value, mantissa, exponent);
  if (!isfinite (number) || number < setting->minimum * setting->scale ||
      number > setting->maximum * setting->scale ||
      (number != 0.0 && number < setting->least * setting->scale))
    return refuse_range (setting, value, error);
  *member = number + 0.0; /* avoids negative zero */
  return TRUE;
}

static gboolean
set_choice (const PlgSetting *setting, int *member, const char *value, GError **error)
{
  g_autofree char *names = NULL;
  g_autofree char *shown = NULL;

  for (int i = 0; setting->choices[i] != NULL; i++)
    if (g_str_equal (value, setting->choices[i]))
      {
        *member = setting->values != NULL ? setting->values[i] : i;
        return TRUE;
      }
  names = g_strjoinv (", ", (char **) setting->choices);
  shown = quoted (value);
  return plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, setting->key,
                                       _ ("there is no %s; use one of: %s"), shown, names);
}

static gboolean
set_order (const PlgSetting *setting, PlgPlan *plan, const char *value, GError **error)
{
  g_autofree char *shown = NULL;
  g_autofree char *presets = NULL;

  if (plg_order_from_string (value, plan->parallelism.order))
    return TRUE;
  shown = quoted (value);
  presets = plg_order_preset_names ();
  return plg_plan_problem_set_for_key (
      error, PLG_PLAN_ERROR_RANGE, setting->key,
      _ ("%s is not a valid order; name tp, cp, pp and dp once each, the innermost "
         "first, as in tp-cp-pp-dp, or name a program: %s"),
      shown, presets);
}

/* Finds the node in which GPU is sold: the plan's own node if possible, otherwise the first in
 * the catalogue. */
static const PlgNode *
home_of_gpu (const PlgCatalogue *catalogue, const char *node_name, const char *gpu)
{
  const PlgNode *node = plg_catalogue_node (catalogue, node_name);

  if (node != NULL && g_str_equal (node->gpu, gpu))
    return node;
  for (int i = 0; i < plg_catalogue_n_nodes (catalogue); i++)
    {
      node = plg_catalogue_nth_node (catalogue, i);
      if (g_str_equal (node->gpu, gpu))
        return node;
    }
  return NULL;
}

static gboolean
set_catalogue_name (PlgPlan *plan,
                    const PlgCatalogue *catalogue,
                    const char *kind,
                    const char *name)
{
  const PlgNode *node = NULL;
  const PlgGpu *gpu = NULL;
  const PlgTransformer *model = NULL;

  if (g_str_equal (kind, "node"))
    {
      node = plg_catalogue_node (catalogue, name);
      gpu = node != NULL ? plg_catalogue_gpu (catalogue, node->gpu) : NULL;
      if (gpu != NULL)
        plg_cluster_set_node (&plan->cluster, node, gpu);
      return gpu != NULL;
    }
  if (g_str_equal (kind, "gpu"))
    {
      gpu = plg_catalogue_gpu (catalogue, name);
      if (gpu != NULL)
        {
          /* Also change the links inside the node, because they depend on the GPU. Keep the
           * network. */
          PlgCluster *cluster = &plan->cluster;
          const PlgNode *home = home_of_gpu (catalogue, cluster->node, gpu->name);

          plg_cluster_set_gpu (cluster, gpu);
          if (home == NULL || !g_str_equal (home->name, cluster->node))
            g_strlcpy (cluster->node, "custom", PLG_NAME_SIZE);
          if (home != NULL)
            {
              cluster->intra = home->intra;
              cluster->multicast = home->multicast;
              if (home->intra_efficiency > 0)
                cluster->intra_efficiency = home->intra_efficiency;
              if (home->intra_latency > 0)
                cluster->intra_latency = home->intra_latency;
            }
        }
      return gpu != NULL;
    }
  model = plg_catalogue_model (catalogue, name);
  if (model != NULL)
    plan->model = *model;
  return model != NULL;
}

static gboolean
set_name (const PlgSetting *setting,
          PlgPlan *plan,
          const PlgCatalogue *catalogue,
          const char *value,
          GError **error)
{
  const char *kind = g_str_equal (setting->key, "cluster.node")  ? "node"
                     : g_str_equal (setting->key, "cluster.gpu") ? "gpu"
                                                                 : "model";
  /* A GPU has constants that no key can set, so a custom GPU must be in the user's catalogue. */
  gboolean may_be_custom = !g_str_equal (kind, "gpu");
  char *member = G_STRUCT_MEMBER_P (plan, setting->offset);
  g_autofree char *names = NULL;
  g_autofree char *shown = NULL;

  if (may_be_custom && g_str_equal (value, "custom"))
    {
      g_strlcpy (member, value, PLG_NAME_SIZE);
      if (g_str_equal (kind, "model"))
        g_strlcpy (plan->model.title, _ ("Custom"), PLG_NAME_SIZE);
      return TRUE;
    }
  if (catalogue != NULL && set_catalogue_name (plan, catalogue, kind, value))
    return TRUE;
  names = catalogue != NULL ? plg_catalogue_names (catalogue, kind) : g_strdup ("");
  shown = quoted (value);
  return plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_KEY, setting->key,
                                       _ ("the catalogue has no %s; use one of: %s%s"), shown,
                                       names, may_be_custom ? ", custom" : "");
}

/* Returns all keys; free the array with g_free(). */
static const char **
all_keys (void)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);
  const char **keys = g_new0 (const char *, n + 1);

  for (int i = 0; i < n; i++)
    keys[i] = settings[i].key;
  return keys;
}

char *
plg_setting_suggest (const char *typed)
{
  g_autofree const char **keys = all_keys ();

  for (int i = 0; keys[i] != NULL; i++)
    {
      const char *dot = strchr (keys[i], '.');

      if (dot != NULL && g_str_equal (dot + 1, typed))
        return g_strdup (keys[i]);
    }
  return plg_similar_names (keys, typed);
}

gboolean
plg_setting_refuse_key (const char *typed, const char *const *allowed, GError **error)
{
  g_autofree char *shown = quoted (typed);
  g_autofree char *similar = plg_setting_suggest (typed);
  g_autofree char *all = g_strjoinv (", ", (char **) allowed);

  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
               similar != NULL ? _ ("There is no key %s; similar keys: %s")
                               : _ ("There is no key %s; use one of: %s"),
               shown, similar != NULL ? similar : all);
  return FALSE;
}

gboolean
plg_setting_set (PlgPlan *plan,
                 const PlgCatalogue *catalogue,
                 const char *key,
                 const char *value,
                 GError **error)
{
  const PlgSetting *setting = plg_setting_find (key);
  gpointer member;

  if (setting == NULL)
    {
      g_autofree const char **keys = all_keys ();

      return plg_setting_refuse_key (key, keys, error);
    }
  member = G_STRUCT_MEMBER_P (plan, setting->offset);
  switch (setting->kind)
    {
    case PLG_SETTING_INTEGER:
      {
        gint64 number;

        if (!g_ascii_string_to_signed (value, 10, (gint64) setting->minimum,
                                       (gint64) setting->maximum, &number, NULL))
          return refuse_range (setting, value, error);
        *(int *) member = (int) number;
        return TRUE;
      }
    case PLG_SETTING_NUMBER:
      return set_number (setting, member, value, error);
    case PLG_SETTING_BOOLEAN:
      if (!g_str_equal (value, "true") && !g_str_equal (value, "false"))
        {
          g_autofree char *shown = quoted (value);

          return plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, setting->key,
                                               _ ("%s is not allowed; use true or false"), shown);
        }
      *(gboolean *) member = g_str_equal (value, "true");
      return TRUE;
    case PLG_SETTING_CHOICE:
      return set_choice (setting, member, value, error);
    case PLG_SETTING_ORDER:
      return set_order (setting, plan, value, error);
    case PLG_SETTING_FAULTS:
      return plg_faults_from_string (&plan->cluster, value, error);
    case PLG_SETTING_NODE_NAMES:
      return plg_node_names_from_string (&plan->node_names, value, error);
    case PLG_SETTING_LAYOUT:
      return plg_stage_layout_from_string (&plan->parallelism.layout, value, error);
    case PLG_SETTING_MODULES:
      return plg_modules_from_string (member, value, error);
    case PLG_SETTING_NAME:
    default:
      return set_name (setting, plan, catalogue, value, error);
    }
}

gboolean
plg_setting_assign (PlgPlan *plan,
                    const PlgCatalogue *catalogue,
                    const char *assignment,
                    GError **error)
{
  const char *equals = strchr (assignment, '=');
  g_autofree char *key = NULL;

  if (equals == NULL || equals == assignment)
    {
      g_autofree char *shown = quoted (assignment);

      g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                   _ ("%s is not KEY=VALUE; write, for example, parallelism.tp=8"), shown);
      return FALSE;
    }
  key = g_strndup (assignment, equals - assignment);
  return plg_setting_set (plan, catalogue, key, equals + 1, error);
}
