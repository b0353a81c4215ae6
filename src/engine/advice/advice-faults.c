/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/advice/advisor.h"

#include "engine/evaluate.h"
#include "plan/fault.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* By how many % the step is longer than BASE seconds with the faults FAULTS; 0 where that cannot
 * be.
 */
static double
longer_by (PlgAdvisor *self, const char *faults, double base)
{
  g_autofree char *edits = g_strconcat ("cluster.faults=", faults, NULL);

  return plg_advisor_try (self, edits) ? 100.0 * (self->outcome->step.time / base - 1.0) : 0.0;
}

/* Less than this share of the step, in %, nobody will see. */
#define MIN_VISIBLE_PERCENT 0.05

/* Each of two that are as bad can be repaired alone, and nothing is gained. */
static void
add_hidden_fault (PlgAdvisor *self, const char *name, double adds, double alone)
{
  PlgTrialChange change = { 0 };

  plg_advisor_consider (self, &change, G_MAXDOUBLE, "cluster.faults=");
  plg_advisor_add (self, "fault", PLG_SEVERITY_WARNING,
                   g_strdup_printf (_ ("%s: alone it would make the step %.1f %% longer; behind "
                                       "the others it "
                                       "adds %.1f %%."),
                                    name, alone, MAX (adds, 0.0)),
                   alone, 0.0, "%",
                   g_strdup (_ ("Repair them together, or put spares in their place.")), &change);
  g_free (change.edits);
}

/* A NIC that hardly sends holds up all, and its GPUs do better over their neighbours'. */
static gboolean
advise_cutting (PlgAdvisor *self, int i, const char *name)
{
  const PlgFault *fault = &self->plan->cluster.faults[i];
  g_autofree char *others = plg_faults_to_string_without (&self->plan->cluster, i);
  PlgTrialChange change = { 0 };
  gboolean helps;

  if (fault->kind != PLG_FAULT_NIC || fault->rate <= 0.0)
    return FALSE;
  plg_advisor_consider (self, &change, G_MAXDOUBLE, "cluster.faults=%s%snic:%d.%d=0", others,
                        *others != '\0' ? "," : "", fault->first, fault->second);
  helps = change.edits != NULL && plg_advisor_is_worthwhile (self, &change);
  if (helps)
    {
      double slower = 100.0 * plg_advisor_saved (self, &change) / change.time;
      g_autofree char *then = plg_format_time (change.time);

      plg_advisor_add (
          self, "fault", PLG_SEVERITY_WARNING,
          g_strdup_printf (_ ("%s: so slow that the step takes %.1f %% longer than with none in "
                              "its "
                              "place."),
                           name, slower),
          slower, 0.0, "%",
          g_strdup_printf (_ ("Take it out of service until it is repaired: then %s a step."),
                           then),
          &change);
    }
  g_free (change.edits);
  return helps;
}

/* What a fault costs: what the step would take without it, and without all the others. */
static void
advise_fault (PlgAdvisor *self, int i, double sound)
{
  const PlgCluster *cluster = &self->plan->cluster;
  g_autofree char *others = plg_faults_to_string_without (cluster, i);
  g_autofree char *only = plg_fault_to_string (&cluster->faults[i]);
  g_autofree char *name = plg_fault_describe (cluster, &self->plan->node_names,
                                              &cluster->faults[i]);
  double alone = longer_by (self, only, sound), adds;
  PlgTrialChange change = { 0 };

  plg_advisor_consider (self, &change, G_MAXDOUBLE, "cluster.faults=%s", others);
  if (change.edits == NULL)
    return;
  if (advise_cutting (self, i, name))
    {
      g_free (change.edits);
      return;
    }
  adds = 100.0 * (self->report->step.time / change.time - 1.0);
  if (alone >= MIN_VISIBLE_PERCENT && alone > 2.0 * adds)
    add_hidden_fault (self, name, adds, alone);
  else if (adds < MIN_VISIBLE_PERCENT)
    plg_advisor_add (self, "fault", PLG_SEVERITY_HINT,
                     g_strdup_printf (_ ("%s, but the step does not wait for it."), name), 0.0, 0.0,
                     "%", g_strdup (_ ("It can wait for the next service.")), NULL);
  else
    plg_advisor_add (self, "fault", adds < 1.0 ? PLG_SEVERITY_HINT : PLG_SEVERITY_WARNING,
                     g_strdup_printf (_ ("%s: the step takes %.1f %% longer."), name, adds), adds,
                     0.0, "%", g_strdup (_ ("Repair it, or put a spare in its place.")), &change);
  g_free (change.edits);
}

/* Of many faults, the first; each takes two evaluations. */
#define MAX_ADVISED_FAULTS 8

void
plg_advise_faults (PlgAdvisor *self)
{
  double sound;

  if (self->plan->cluster.n_faults == 0 || !plg_advisor_try (self, "cluster.faults="))
    return;
  sound = self->outcome->step.time;
  for (int i = 0; i < MIN (self->plan->cluster.n_faults, MAX_ADVISED_FAULTS); i++)
    advise_fault (self, i, sound);
}
