/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/round-trip-diff.h"

#include "io/import/idle-settings.h"
#include "plan/order-preset.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

#define SHOWN_CHARACTERS 40 /* longer values are cut */

/* Returns whether SETTING has the same value in PLAN and OTHER, or an equivalent order. */
static gboolean
has_same_value (const PlgPlan *plan, const PlgPlan *other, const PlgSetting *setting)
{
  g_autofree char *before = plg_setting_get (setting, plan);
  g_autofree char *after = plg_setting_get (setting, other);

  return g_str_equal (before, after) ||
         (setting->kind == PLG_SETTING_ORDER &&
          plg_order_is_used (other->parallelism.order, &plan->parallelism));
}

/* Returns whether the value of SETTING in READ differs from that in PLAN. Ignores differences
 * that have no effect in PLAN. */
static gboolean
is_lost (const PlgPlan *plan, const PlgPlan *read, const PlgSetting *setting)
{
  return !has_same_value (plan, read, setting) && !plg_setting_is_idle (setting, plan);
}

/* Returns whether SETTING belongs to the model or the cluster, and the catalogue name of the model
 * or of the GPU differs in PLAN and READ. Its value may then differ for this reason alone. */
static gboolean
depends_on_changed_name (const PlgPlan *plan, const PlgPlan *read, const PlgSetting *setting)
{
  if (setting->kind == PLG_SETTING_NAME)
    return FALSE;
  return (g_str_has_prefix (setting->key, "model.") &&
          !g_str_equal (plan->model.name, read->model.name)) ||
         (g_str_has_prefix (setting->key, "cluster.") &&
          !g_str_equal (plan->cluster.gpu.name, read->cluster.gpu.name));
}

/* Returns the names of the settings that have different values in PLAN and READ, or NULL; free
 * with g_free(). READ is a whole plan that was read back from a file. Also lists a lost
 * placement, node map or list of variants. */
static char *
lost_keys (const PlgPlan *plan, const PlgPlan *read)
{
  GString *lost = g_string_new (NULL);
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    if (is_lost (plan, read, &settings[i]) && !depends_on_changed_name (plan, read, &settings[i]))
      g_string_append_printf (lost, "%s%s", lost->len > 0 ? ", " : "",
                              plg_setting_name (settings[i].key));
  if (plan->placement.size > 0 && read->placement.size == 0)
    g_string_append_printf (lost, "%s%s", lost->len > 0 ? ", " : "", _ ("the manual placement"));
  if (!plg_node_topology_equal (&plan->node_topology, &read->node_topology))
    g_string_append_printf (lost, "%s%s", lost->len > 0 ? ", " : "", _ ("the node map"));
  if (!plg_variants_equal (plan->variants, read->variants))
    g_string_append_printf (lost, "%s%s", lost->len > 0 ? ", " : "", _ ("the variants"));
  return g_string_free (lost, lost->len == 0);
}

/* Returns the settings that have different values in PLAN and READ, with both values, or NULL.
 * READ is the plan that was read back from the file. Free with g_free(). */
static char *
changed_values (const PlgPlan *plan, const PlgPlan *read)
{
  GString *changed = g_string_new (NULL);
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    if (is_lost (plan, read, &settings[i]))
      {
        g_autofree char *before = plg_setting_get (&settings[i], plan);
        g_autofree char *after = plg_setting_get (&settings[i], read);
        const char *key = settings[i].key;
        g_autofree char *was = plg_text_excerpt (plg_setting_value_name (key, before),
                                                 SHOWN_CHARACTERS);
        g_autofree char *is = plg_text_excerpt (plg_setting_value_name (key, after),
                                                SHOWN_CHARACTERS);

        g_string_append (changed, changed->len > 0 ? ", " : "");
        /* TRANSLATORS: A setting, its value in a file, and its value in the plan. */
        g_string_append_printf (changed, _ ("%s %s instead of %s"), plg_setting_name (key), is,
                                was);
      }
  if (!plg_node_topology_is_empty (&plan->node_topology) &&
      !plg_node_topology_equal (&plan->node_topology, &read->node_topology))
    g_string_append_printf (changed, "%s%s", changed->len > 0 ? ", " : "", _ ("no node map"));
  return g_string_free (changed, changed->len == 0);
}

/* Returns the names of the settings that the file does not store, or NULL. Reads BYTES into a
 * copy of PLAN with default training and parallelism. A setting is missing if it still has its
 * default although PLAN has a different value. Free with g_free(). */
static char *
missing_keys (const PlgFormat *format,
              GBytes *bytes,
              const PlgPlan *plan,
              const PlgCatalogue *catalogue)
{
  g_autoptr (PlgPlan) defaults = plg_catalogue_default_plan (catalogue);
  g_autoptr (PlgPlan) base = plg_plan_copy (plan);
  g_autoptr (PlgImportResult) read = NULL;
  GString *missing;
  int n;
  const PlgSetting *settings = plg_settings (&n);

  if (format->subject != PLG_SUBJECT_TRAINING && format->subject != PLG_SUBJECT_SIMULATOR)
    return NULL;
  base->training = defaults->training;
  base->parallelism = defaults->parallelism;
  plg_placement_clear (&base->placement);
  read = plg_format_read_as (format, bytes, format->name, base, catalogue, NULL);
  if (read == NULL)
    return NULL;
  missing = g_string_new (NULL);
  for (int i = 0; i < n; i++)
    if (is_lost (plan, read->plan, &settings[i]) && has_same_value (base, read->plan, &settings[i]))
      g_string_append_printf (missing, "%s%s", missing->len > 0 ? ", " : "",
                              plg_setting_name (settings[i].key));
  return g_string_free (missing, missing->len == 0);
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
  g_autofree char *lost = NULL;
  g_autofree char *changed = NULL;
  g_autofree char *missing = NULL;
  GString *text;

  /* Skip placement files: a placement is either stored completely or not written at all, and the
   * files can be large. */
  if (format->read == NULL || format->subject == PLG_SUBJECT_PLACEMENT)
    return NULL;
  read = plg_format_read_as (format, bytes, format->name, is_whole ? NULL : plan, catalogue,
                             &error);
  if (read == NULL)
    return g_strdup_printf (is_whole ? _ ("This file does not store the model, and the default "
                                          "plan's model does not fit: %s")
                                     : _ ("Readers of this file get an error: %s"),
                            error->message);
  if (is_whole)
    {
      lost = lost_keys (plan, read->plan);
      return lost == NULL ? NULL
                          : g_strdup_printf (_ ("This file does not store these values, so "
                                                "readers use those of the default plan: %s"),
                                             lost);
    }

  text = g_string_new (NULL);
  changed = changed_values (plan, read->plan);
  if (changed != NULL)
    g_string_append_printf (
        text, _ ("This file cannot store all of the plan; readers of the file get %s."), changed);
  missing = missing_keys (format, bytes, plan, catalogue);
  g_string_append (text, changed != NULL && missing != NULL ? " " : "");
  if (missing != NULL)
    g_string_append_printf (text, _ ("This file does not store %s."), missing);
  return g_string_free (text, text->len == 0);
}
