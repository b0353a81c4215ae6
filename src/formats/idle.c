/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/idle.h"

#include "formats/fit.h"
#include "plan/order-preset.h"
#include "plan/setting-words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Settings that do nothing while an axis has no groups. */
static const struct
{
  PlgAxis axis;
  const char *key;
} of_axes[] = {
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
  for (guint i = 0; i < G_N_ELEMENTS (of_axes); i++)
    if (g_str_equal (of_axes[i].key, setting->key))
      return parallelism->degree[of_axes[i].axis] == 1;
  return FALSE;
}

/* The setting of ASSIGNMENT, "KEY=VALUE". */
static const PlgSetting *
setting_of (const char *assignment)
{
  g_autofree char *key = g_strndup (assignment, strcspn (assignment, "="));

  return plg_setting_find (key);
}

static gboolean
same_degrees (const PlgParallelism *a, const PlgParallelism *b)
{
  return memcmp (a->degree, b->degree, sizeof a->degree) == 0;
}

/* What programs must write in their way where it makes no difference: Megatron-LM knows no sequence
 * parallelism at TP 1, and none says a schedule where nothing flows. The other idle settings are
 * what files say, for the day that they do something. */
static const struct
{
  const char *key;
  const char *value;
} forced[] = {
  { "parallelism.sequence", NULL }, /* any */
  { "parallelism.chunks", "1" },
  { "training.schedule", "1f1b" },
};

static gboolean
is_forced (const PlgSetting *setting, const PlgPlan *read)
{
  g_autofree char *value = plg_setting_get (setting, read);

  for (guint i = 0; i < G_N_ELEMENTS (forced); i++)
    if (g_str_equal (forced[i].key, setting->key))
      return forced[i].value == NULL || g_str_equal (forced[i].value, value);
  return FALSE;
}

/* Whether SETTING makes no difference between PLAN and READ, what the file makes of it. */
static gboolean
is_alike (const PlgSetting *setting, const PlgPlan *plan, const PlgPlan *read)
{
  if (setting->kind == PLG_SETTING_ORDER)
    return same_degrees (&plan->parallelism, &read->parallelism) &&
           plg_order_is_used (read->parallelism.order, &plan->parallelism);
  return is_forced (setting, read) && plg_setting_is_idle (setting, &plan->parallelism) &&
         plg_setting_is_idle (setting, &read->parallelism);
}

/* The assignment that leaves SETTING as PLAN has it, where that and READ are alike in it though
 * ASSIGNMENT says another value; else NULL. g_free(). */
static char *
kept (const char *assignment, const PlgPlan *plan, const PlgPlan *read)
{
  const PlgSetting *setting = setting_of (assignment);
  g_autofree char *before = plg_setting_get (setting, plan);
  g_autofree char *after = plg_setting_get (setting, read);

  if (g_str_equal (before, after) || !is_alike (setting, plan, read))
    return NULL;
  return g_strconcat (setting->key, "=", before, NULL);
}

/* "Sequence parallel: on" of an assignment. g_free(). */
static char *
describe (const PlgReading *reading, const char *assignment)
{
  const PlgSetting *setting = setting_of (assignment);
  const char *value = assignment + strlen (setting->key) + 1;
  g_autofree char *words = plg_setting_value_words (setting, value, NULL, reading->catalogue);

  return g_strdup_printf ("%s: %s", _ (setting->title), words);
}

/* The note that told the assignment SAID. */
static PlgNote *
find_note (const PlgReading *reading, const char *said)
{
  g_autofree char *words = describe (reading, said);

  for (guint i = reading->notes->len; i > 0; i--)
    {
      PlgNote *note = reading->notes->pdata[i - 1];

      if (note->kind != PLG_NOTE_IGNORED && g_str_has_prefix (note->text, words))
        return note;
    }
  return NULL;
}

static void
tell_kept (PlgReading *reading, const char *said, const char *own)
{
  g_autofree char *words = describe (reading, own);
  g_autofree char *other = describe (reading, said);
  PlgNote *note = find_note (reading, said);

  if (note == NULL)
    return;
  g_free (note->text);
  note->kind = PLG_NOTE_INFERRED;
  note->text = g_strdup_printf (_ ("%s stays. The file has “%s”, which is the same with these "
                                   "degrees."),
                                words, other);
}

/* The settings with those of the open plan in the place of what is the same as they are. */
static GPtrArray *
keep (const PlgReading *reading, const PlgPlan *read)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < reading->settings->len; i++)
    {
      const char *said = reading->settings->pdata[i];
      char *own = kept (said, reading->plan, read);

      g_ptr_array_add (all, own != NULL ? own : g_strdup (said));
    }
  return all;
}

static gboolean
makes_plan (const PlgReading *reading, const GPtrArray *settings, PlgPlan *plan)
{
  g_autoptr (GPtrArray) ended = g_ptr_array_new ();

  g_ptr_array_extend (ended, (GPtrArray *) settings, NULL, NULL);
  g_ptr_array_add (ended, NULL);
  return plg_fit (plan, reading->catalogue, (const char *const *) ended->pdata, NULL);
}

/* Before it costs anything. */
static gboolean
may_be_alike (const PlgReading *reading)
{
  for (guint i = 0; i < G_N_ELEMENTS (forced); i++)
    if (plg_reading_get (reading, forced[i].key) != NULL)
      return TRUE;
  return plg_reading_get (reading, "parallelism.order") != NULL;
}

void
plg_reading_keep_idle (PlgReading *reading)
{
  g_autoptr (PlgPlan) read = plg_plan_copy (reading->plan);
  g_autoptr (PlgPlan) again = plg_plan_copy (reading->plan);
  g_autoptr (GPtrArray) all = NULL;

  if (!may_be_alike (reading) || !makes_plan (reading, reading->settings, read))
    return;
  all = keep (reading, read);
  if (!makes_plan (reading, all, again))
    return;
  for (guint i = 0; i < all->len; i++)
    if (!g_str_equal (all->pdata[i], reading->settings->pdata[i]))
      tell_kept (reading, reading->settings->pdata[i], all->pdata[i]);
  g_ptr_array_unref (reading->settings);
  reading->settings = g_steal_pointer (&all);
}
