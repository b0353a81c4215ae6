/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/idle-settings.h"

#include "io/import/plan-repair.h"
#include "plan/order-preset.h"
#include "plan/settings/setting-describe.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Settings that do nothing while an axis has no groups. */
static const struct
{
  PlgAxis axis;
  const char *key;
} axis_settings[] = {
  { PLG_AXIS_TP, "parallelism.sequence" },     { PLG_AXIS_TP, "parallelism.overlap-tp" },
  { PLG_AXIS_CP, "parallelism.cp-type" },      { PLG_AXIS_EP, "parallelism.overlap-ep" },
  { PLG_AXIS_PP, "parallelism.overlap-pp" },   { PLG_AXIS_PP, "parallelism.chunks" },
  { PLG_AXIS_PP, "parallelism.first-layers" }, { PLG_AXIS_PP, "parallelism.last-layers" },
  { PLG_AXIS_PP, "training.schedule" },        { PLG_AXIS_PP, "parallelism.embedding-slot" },
  { PLG_AXIS_PP, "parallelism.loss-slot" },
};

gboolean
plg_setting_is_idle (const PlgSetting *setting, const PlgParallelism *parallelism)
{
  for (guint i = 0; i < G_N_ELEMENTS (axis_settings); i++)
    if (g_str_equal (axis_settings[i].key, setting->key))
      return parallelism->degree[axis_settings[i].axis] == 1;
  return FALSE;
}

/* The setting of ASSIGNMENT, "KEY=VALUE". */
static const PlgSetting *
setting_of (const char *assignment)
{
  g_autofree char *key = g_strndup (assignment, strcspn (assignment, "="));

  return plg_setting_find (key);
}

/* What programs must write in their way where it makes no difference: Megatron-LM knows no sequence
 * parallelism at TP 1, and none says a schedule where nothing flows. The other idle settings are
 * what files say, for the day that they do something. */
static const struct
{
  const char *key;
  const char *value;
} mandatory_values[] = {
  { "parallelism.sequence", NULL }, /* any */
  { "parallelism.chunks", "1" },
  { "training.schedule", "1f1b" },
};

static gboolean
is_mandatory (const PlgSetting *setting, const PlgPlan *read)
{
  g_autofree char *value = plg_setting_get (setting, read);

  for (guint i = 0; i < G_N_ELEMENTS (mandatory_values); i++)
    if (g_str_equal (mandatory_values[i].key, setting->key))
      return mandatory_values[i].value == NULL || g_str_equal (mandatory_values[i].value, value);
  return FALSE;
}

/* Whether SETTING makes no difference between PLAN and READ, what the file makes of it. */
static gboolean
has_no_effect (const PlgSetting *setting, const PlgPlan *plan, const PlgPlan *read)
{
  if (setting->kind == PLG_SETTING_ORDER)
    return memcmp (plan->parallelism.degree, read->parallelism.degree,
                   sizeof plan->parallelism.degree) == 0 &&
           plg_order_is_used (read->parallelism.order, &plan->parallelism);
  return is_mandatory (setting, read) && plg_setting_is_idle (setting, &plan->parallelism) &&
         plg_setting_is_idle (setting, &read->parallelism);
}

/* "Sequence parallel: on" of an assignment. g_free(). */
static char *
describe (const PlgImportContext *context, const char *assignment)
{
  const PlgSetting *setting = setting_of (assignment);
  const char *value = assignment + strlen (setting->key) + 1;
  g_autofree char *words = plg_setting_describe_value (setting, value, NULL, context->catalogue);

  return g_strdup_printf ("%s: %s", _ (setting->title), words);
}

/* The note that told the assignment SAID. */
static PlgNote *
find_note (const PlgImportContext *context, const char *said)
{
  g_autofree char *words = describe (context, said);

  for (guint i = context->notes->len; i > 0; i--)
    {
      PlgNote *note = context->notes->pdata[i - 1];

      if (note->kind != PLG_NOTE_IGNORED && g_str_has_prefix (note->text, words))
        return note;
    }
  return NULL;
}

static gboolean
makes_plan (const PlgImportContext *context, const GPtrArray *settings, PlgPlan *plan)
{
  g_autoptr (GPtrArray) ended = g_ptr_array_new ();

  g_ptr_array_extend (ended, (GPtrArray *) settings, NULL, NULL);
  g_ptr_array_add (ended, NULL);
  return plg_plan_repair (plan, context->catalogue, (const char *const *) ended->pdata, NULL);
}

/* Before it costs anything. */
static gboolean
may_have_no_effect (const PlgImportContext *context)
{
  for (guint i = 0; i < G_N_ELEMENTS (mandatory_values); i++)
    if (plg_import_get (context, mandatory_values[i].key) != NULL)
      return TRUE;
  return plg_import_get (context, "parallelism.order") != NULL;
}

void
plg_import_keep_idle_settings (PlgImportContext *context)
{
  g_autoptr (PlgPlan) read = plg_plan_copy (context->plan);
  g_autoptr (PlgPlan) again = plg_plan_copy (context->plan);
  g_autoptr (GPtrArray) all = NULL;

  if (!may_have_no_effect (context) || !makes_plan (context, context->settings, read))
    return;

  /* The settings with those of the open plan in the place of what is the same as they are. */
  all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < context->settings->len; i++)
    {
      const char *said = context->settings->pdata[i];
      /* The assignment that leaves SETTING as PLAN has it, where that and READ are alike in it though SAID says another value; else NULL. g_free(). */
      const PlgPlan *plan = context->plan;
      char *own;
      const PlgSetting *setting = setting_of (said);
      g_autofree char *before = plg_setting_get (setting, plan);
      g_autofree char *after = plg_setting_get (setting, read);

      if (g_str_equal (before, after) || !has_no_effect (setting, plan, read))
        own = NULL;
      else
        own = g_strconcat (setting->key, "=", before, NULL);

      g_ptr_array_add (all, own != NULL ? own : g_strdup (said));
    }

  if (!makes_plan (context, all, again))
    return;
  for (guint i = 0; i < all->len; i++)
    if (!g_str_equal (all->pdata[i], context->settings->pdata[i]))
      {
        const char *said = context->settings->pdata[i];
        const char *own = all->pdata[i];
        g_autofree char *words = describe (context, own);
        g_autofree char *other = describe (context, said);
        PlgNote *note = find_note (context, said);

        if (note == NULL)
          continue;
        g_free (note->text);
        note->kind = PLG_NOTE_INFERRED;
        note->text =
            g_strdup_printf (_ ("%s stays. The file has “%s”, which means the same with these "
                                "degrees."),
                             words, other);
      }
  g_ptr_array_unref (context->settings);
  context->settings = g_steal_pointer (&all);
}
