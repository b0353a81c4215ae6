/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/advice/advisor.h"

#include "engine/search/quick-search.h"
#include "plan/quantity.h"
#include "plan/settings/setting-difference.h"

#include <glib/gi18n-lib.h>

/* Removes from EDITS those that save no time, so that as few settings as possible change. CHANGE
 * receives the remaining edits. */
static void
keep_useful_edits (PlgAdvisor *self, char **edits, PlgTrialChange *change)
{
  g_autofree char *all = g_strjoinv (" ", edits);

  plg_advisor_consider (self, change, self->report->memory_capacity, "%s", all);
  for (guint i = 0; change->edits != NULL && edits[i] != NULL && edits[1] != NULL;)
    {
      g_autoptr (GPtrArray) fewer = g_ptr_array_new ();
      g_autofree char *text = NULL;
      PlgTrialChange without = { 0 };

      for (guint j = 0; edits[j] != NULL; j++)
        if (j != i)
          g_ptr_array_add (fewer, edits[j]);
      g_ptr_array_add (fewer, NULL);
      text = g_strjoinv (" ", (char **) fewer->pdata);
      plg_advisor_consider (self, &without, self->report->memory_capacity, "%s", text);
      if (without.edits == NULL || without.time > change->time)
        {
          g_free (without.edits);
          i++;
          continue;
        }
      g_free (change->edits);
      *change = without;
      g_free (edits[i]);
      for (guint j = i; edits[j] != NULL; j++)
        edits[j] = edits[j + 1];
    }
}

static PlgFinding *
find_finding (PlgReport *report, const char *id)
{
  for (guint i = 0; i < report->findings->len; i++)
    if (g_str_equal (g_array_index (report->findings, PlgFinding, i).id, id))
      return &g_array_index (report->findings, PlgFinding, i);
  return NULL;
}

/* Replaces the remedy of the finding on memory by CHANGE, the fastest plan that fits. */
static void
set_memory_remedy (PlgAdvisor *self, PlgTrialChange *change)
{
  PlgFinding *finding = find_finding (self->report, "out-of-memory");

  if (finding == NULL)
    return;
  g_free (finding->remedy);
  g_free (finding->edits);
  finding->remedy = plg_advisor_describe (self, change);
  finding->gain = MAX (plg_advisor_saved (self, change), 0.0);
  finding->edits = g_steal_pointer (&change->edits);
}

void
plg_advise_better_plan (PlgAdvisor *self, const char *const *keep)
{
  g_autoptr (PlgPlan) better = NULL;
  g_auto (GStrv) edits = NULL;
  PlgTrialChange change = { 0 };
  double time;

  if (self->plan->profile != PLG_PROFILE_STANDARD)
    return;
  better = plg_quick_search (self->plan, keep, &time);
  if (better != NULL)
    edits = plg_settings_difference (self->plan, better, NULL);
  if (edits == NULL || edits[0] == NULL)
    return;
  keep_useful_edits (self, edits, &change);
  if (!self->report->fits && change.edits != NULL)
    set_memory_remedy (self, &change);
  else if (plg_advisor_is_worthwhile (self, &change))
    {
      double saved = plg_advisor_saved (self, &change);
      g_autofree char *share = plg_format_share (saved / self->report->step.time);

      plg_advisor_add (self, "better-plan", PLG_SEVERITY_HINT,
                       g_strdup_printf (_ ("A search found a plan for this model and cluster "
                                           "whose step takes %s less time."),
                                        share),
                       self->report->step.time, change.time, "s",
                       plg_advisor_describe (self, &change), &change);
    }
  g_free (change.edits);
}
