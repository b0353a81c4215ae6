/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/round-trip-diff.h"

#include "io/import/idle-settings.h"
#include "io/registry/node-map-diff.h"
#include "plan/order-preset.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>

#define SHOWN_CHARACTERS 40 /* of a value, in messages */

/* Whether READ lacks the value that SETTING has in PLAN. Differences without effect do not count.
 * */
static gboolean
is_lost (const PlgPlan *plan, const PlgPlan *read, const PlgSetting *setting)
{
  g_autofree char *before = plg_setting_get (setting, plan);
  g_autofree char *after = plg_setting_get (setting, read);

  if (g_str_equal (before, after) || plg_setting_is_idle (setting, &plan->parallelism))
    return FALSE;
  return setting->kind != PLG_SETTING_ORDER ||
         !plg_order_is_used (read->parallelism.order, &plan->parallelism);
}

/* Whether SETTING differs only because PLAN and READ have different catalogue names. */
static gboolean
follows_name (const PlgPlan *plan, const PlgPlan *read, const PlgSetting *setting)
{
  if (setting->kind == PLG_SETTING_NAME)
    return FALSE;
  return (g_str_has_prefix (setting->key, "model.") &&
          !g_str_equal (plan->model.name, read->model.name)) ||
         (g_str_has_prefix (setting->key, "cluster.") &&
          !g_str_equal (plan->cluster.gpu.name, read->cluster.gpu.name));
}

/* The keys of PLAN that READ, a whole plan, lacks. g_free(). */
static char *
lost_keys (const PlgPlan *plan, const PlgPlan *read)
{
  GString *lost = g_string_new (NULL);
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    if (is_lost (plan, read, &settings[i]) && !follows_name (plan, read, &settings[i]))
      g_string_append_printf (lost, "%s%s", lost->len > 0 ? ", " : "", settings[i].key);
  if (plan->placement.size > 0 && read->placement.size == 0)
    g_string_append_printf (lost, "%s%s", lost->len > 0 ? ", " : "", _ ("the manual placement"));
  if (!plg_node_topology_equal (&plan->node_topology, &read->node_topology))
    g_string_append_printf (lost, "%s%s", lost->len > 0 ? ", " : "", _ ("the map of the node"));
  return g_string_free (lost, FALSE);
}

/* Describes the values that differ between PLAN and READ, the plan with the file. g_free(). */
static char *
describe_changed (const PlgPlan *plan, const PlgPlan *read)
{
  GString *changed = g_string_new (NULL);
  g_autofree char *values = NULL;
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    if (is_lost (plan, read, &settings[i]))
      {
        g_autofree char *before = plg_setting_get (&settings[i], plan);
        g_autofree char *after = plg_setting_get (&settings[i], read);
        g_autofree char *was = plg_text_excerpt (before, SHOWN_CHARACTERS);
        g_autofree char *is = plg_text_excerpt (after, SHOWN_CHARACTERS);

        g_string_append (changed, changed->len > 0 ? ", " : "");
        /* TRANSLATORS: A setting, its value in a file, and the plan's. */
        g_string_append_printf (changed, _ ("%s %s instead of %s"), settings[i].key, is, was);
      }
  if (changed->len == 0)
    return g_string_free (changed, FALSE);
  values = g_string_free (changed, FALSE);
  return g_strdup_printf (_ ("This file cannot store all of the plan; readers of the file get %s."),
                          values);
}

/* A copy of PLAN with other values for the settings that files of SUBJECT contain: the training, or
 * the speed of links. */
static PlgPlan *
plan_with_other_defaults (const PlgPlan *plan, PlgSubject subject, const PlgCatalogue *catalogue)
{
  g_autoptr (PlgPlan) usual = plg_catalogue_default_plan (catalogue);
  PlgPlan *other_plan = plg_plan_copy (plan);

  if (subject == PLG_SUBJECT_CLUSTER)
    {
      other_plan->cluster.intra_bandwidth *= 2.0;
      other_plan->cluster.inter_bandwidth *= 2.0;
      return other_plan;
    }
  other_plan->training = usual->training;
  other_plan->parallelism = usual->parallelism;
  plg_placement_clear (&other_plan->placement);
  return other_plan;
}

/* Describes the settings of the format's subject that the file lacks. g_free(). */
static char *
describe_missing (const PlgFormat *format,
                  GBytes *bytes,
                  const PlgPlan *plan,
                  const PlgCatalogue *catalogue)
{
  g_autoptr (PlgPlan) other_plan = plan_with_other_defaults (plan, format->subject, catalogue);
  g_autoptr (PlgImportResult) read = NULL;
  g_autofree char *keys = NULL;
  GString *missing;
  int n;
  const PlgSetting *settings = plg_settings (&n);

  if (format->subject == PLG_SUBJECT_TRAINING || format->subject == PLG_SUBJECT_SIMULATOR ||
      format->subject == PLG_SUBJECT_CLUSTER)
    read = plg_format_read_as (format, bytes, format->name, other_plan, catalogue, NULL);
  if (read == NULL)
    return g_strdup ("");
  missing = g_string_new (NULL);
  for (int i = 0; i < n; i++)
    if (is_lost (plan, read->plan, &settings[i]) && !is_lost (other_plan, read->plan, &settings[i]))
      g_string_append_printf (missing, "%s%s", missing->len > 0 ? ", " : "", settings[i].key);
  keys = g_string_free (missing, FALSE);
  if (*keys == '\0')
    return g_strdup ("");
  return g_strdup_printf (_ ("This file does not store %s."), keys);
}

/* Appends SENTENCE (transfer full, nullable). */
static void
append_sentence (GString *text, char *sentence)
{
  if (sentence != NULL && *sentence != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", sentence);
  g_free (sentence);
}

char *
plg_round_trip_diff_text (const PlgFormat *format,
                          GBytes *bytes,
                          const PlgPlan *plan,
                          const PlgCatalogue *catalogue)
{
  gboolean is_whole = format->subject == PLG_SUBJECT_PLAN;
  g_autoptr (PlgImportResult) read = NULL;
  g_autoptr (GError) error = NULL;

  /* Placement files store every placement or are not written, and can be large. */
  if (format->read == NULL || format->subject == PLG_SUBJECT_PLACEMENT)
    return NULL;
  read = plg_format_read_as (format, bytes, format->name, is_whole ? NULL : plan, catalogue,
                             &error);
  if (read != NULL && is_whole)
    {
      g_autofree char *lost = lost_keys (plan, read->plan);

      if (*lost == '\0')
        return NULL;
      return g_strdup_printf (
          _ ("This file does not store these values; readers take the default plan's: %s"), lost);
    }
  if (read != NULL)
    {
      GString *text = g_string_new (NULL);

      append_sentence (text, describe_changed (plan, read->plan));
      append_sentence (text, describe_missing (format, bytes, plan, catalogue));
      append_sentence (text,
                       plg_node_map_diff_text (&plan->node_topology, &read->plan->node_topology));
      return g_string_free (text, text->len == 0);
    }
  if (is_whole)
    return g_strdup_printf (_ ("This file does not store the model, and the default plan's "
                               "model does not fit: %s"),
                            error->message);
  return g_strdup_printf (_ ("Readers of this file get an error: %s"), error->message);
}
