/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/idle-settings.h"

#include "io/import/plan-repair.h"
#include "plan/order-preset.h"
#include "plan/settings/setting-applicability.h"

#include <glib/gi18n-lib.h>
#include <string.h>

gboolean
plg_setting_is_idle (const PlgSetting *setting, const PlgPlan *plan)
{
  return plg_setting_why_not_applicable (setting, plan, NULL) != NULL;
}

/* Returns the setting that ASSIGNMENT, "KEY=VALUE", assigns. */
static const PlgSetting *
assignment_setting (const char *assignment)
{
  g_autofree char *key = g_strndup (assignment, strcspn (assignment, "="));

  return plg_setting_find (key);
}

/* Values that a program requires in its files even if the setting has no effect. For example,
 * Megatron-LM needs sequence parallelism off at TP 1. Such a value in a file is therefore not a
 * request to change the plan. Any other value of a setting without effect is assumed to be
 * deliberate. */
static const struct
{
  const char *key;
  const char *value; /* the value that programs need; NULL for any value */
} mandatory_values[] = {
  { "parallelism.sequence", NULL },
  { "parallelism.chunks", "1" },
  { "training.schedule", "1f1b" },
};

/* Returns whether SETTING has the same effect in PLAN as in READ, the plan with the settings of
 * the file. */
static gboolean
setting_has_same_effect (const PlgSetting *setting, const PlgPlan *plan, const PlgPlan *read)
{
  g_autofree char *value = plg_setting_get (setting, read);

  if (setting->kind == PLG_SETTING_ORDER)
    return memcmp (plan->parallelism.degree, read->parallelism.degree,
                   sizeof plan->parallelism.degree) == 0 &&
           plg_order_is_used (read->parallelism.order, &plan->parallelism);
  for (guint i = 0; i < G_N_ELEMENTS (mandatory_values); i++)
    if (g_str_equal (mandatory_values[i].key, setting->key))
      return (mandatory_values[i].value == NULL ||
              g_str_equal (mandatory_values[i].value, value)) &&
             plg_setting_is_idle (setting, plan) && plg_setting_is_idle (setting, read);
  return FALSE;
}

/* Changes the note on IN_FILE, an assignment in the file, to report that the plan keeps the
 * assignment KEPT instead. */
static void
assignment_note_kept (PlgImportContext *context, const char *in_file, const char *kept)
{
  const char *key = assignment_setting (in_file)->key;
  gsize n = strlen (key) + 1;
  g_autofree char *in_file_text = plg_import_describe_setting (context, key, in_file + n);
  g_autofree char *kept_text = plg_import_describe_setting (context, key, kept + n);

  for (guint i = context->notes->len; i > 0; i--)
    {
      PlgNote *note = context->notes->pdata[i - 1];

      if (note->kind == PLG_NOTE_IGNORED || !g_str_has_prefix (note->text, in_file_text))
        continue;
      g_free (note->text);
      note->kind = PLG_NOTE_INFERRED;
      note->text = g_strdup_printf (_ ("%s is kept. The file has “%s”, which is equivalent for "
                                       "these degrees."),
                                    kept_text, in_file_text);
      return;
    }
}

/* Applies SETTINGS to PLAN and repairs the plan (plg_plan_repair()). */
static gboolean
apply_settings (const PlgImportContext *context, const GPtrArray *settings, PlgPlan *plan)
{
  g_autoptr (GPtrArray) terminated = g_ptr_array_new ();

  g_ptr_array_extend (terminated, (GPtrArray *) settings, NULL, NULL);
  g_ptr_array_add (terminated, NULL);
  return plg_plan_repair (plan, context->catalogue, (const char *const *) terminated->pdata, NULL);
}

void
plg_import_keep_idle_settings (PlgImportContext *context)
{
  gboolean is_possible = plg_import_get (context, "parallelism.order") != NULL;
  g_autoptr (PlgPlan) read = NULL;
  g_autoptr (PlgPlan) again = NULL;
  g_autoptr (GPtrArray) settings = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (mandatory_values); i++)
    is_possible |= plg_import_get (context, mandatory_values[i].key) != NULL;
  if (!is_possible)
    return;
  read = plg_plan_copy (context->plan);
  if (!apply_settings (context, context->settings, read))
    return;

  settings = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < context->settings->len; i++)
    {
      const char *in_file = context->settings->pdata[i];
      const PlgSetting *setting = assignment_setting (in_file);
      g_autofree char *before = plg_setting_get (setting, context->plan);
      g_autofree char *after = plg_setting_get (setting, read);
      gboolean is_kept = !g_str_equal (before, after) &&
                         setting_has_same_effect (setting, context->plan, read);

      g_ptr_array_add (settings, is_kept ? g_strconcat (setting->key, "=", before, NULL)
                                         : g_strdup (in_file));
    }

  again = plg_plan_copy (context->plan);
  if (!apply_settings (context, settings, again))
    return;
  for (guint i = 0; i < settings->len; i++)
    if (!g_str_equal (settings->pdata[i], context->settings->pdata[i]))
      assignment_note_kept (context, context->settings->pdata[i], settings->pdata[i]);
  g_ptr_array_unref (context->settings);
  context->settings = g_steal_pointer (&settings);
}
