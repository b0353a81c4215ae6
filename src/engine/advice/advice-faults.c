/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/advice/advisor.h"

#include "engine/evaluate.h"
#include "plan/fault.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* The smallest change in step time that advice mentions [%]. */
#define MIN_VISIBLE_PERCENT 0.05

/* Suggests taking a slow NIC out of service if the other NICs of its node can carry the traffic
 * faster. */
static gboolean
advise_nic_removal (PlgAdvisor *self, int i, const char *name)
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

      plg_advisor_add (self, "fault", PLG_SEVERITY_WARNING,
                       g_strdup_printf (_ ("%s: the NIC is so slow that the step takes %.1f %% "
                                           "longer than without this NIC."),
                                        name, slower),
                       slower, 0.0, "%",
                       g_strdup_printf (_ ("Take the NIC out of service until it is repaired; "
                                           "each step then takes %s."),
                                        then),
                       &change);
    }
  g_free (change.edits);
  return helps;
}

/* The maximum number of faults that get advice. The number is limited because each fault takes
 * two evaluations. */
#define MAX_ADVISED_FAULTS 8

void
plg_advise_faults (PlgAdvisor *self)
{
  double healthy_time;

  if (self->plan->cluster.n_faults == 0 || !plg_advisor_try (self, "cluster.faults="))
    return;
  healthy_time = self->outcome->step.time;
  for (int i = 0; i < MIN (self->plan->cluster.n_faults, MAX_ADVISED_FAULTS); i++)
    {
      /* Measure the effect of the fault twice: alongside the other faults, and without any other
       * fault. */
      const PlgCluster *cluster = &self->plan->cluster;
      g_autofree char *others = plg_faults_to_string_without (cluster, i);
      g_autofree char *only = plg_fault_to_string (&cluster->faults[i]);
      g_autofree char *name = plg_fault_describe (cluster, &self->plan->node_names,
                                                  &cluster->faults[i]);
      g_autofree char *only_this = g_strconcat ("cluster.faults=", only, NULL);
      double alone = 0.0, adds; /* increases in step time [%]: by this fault alone, and when this
                                   fault is added to the other faults */
      PlgTrialChange change = { 0 };

      if (plg_advisor_try (self, only_this))
        alone = 100.0 * (self->outcome->step.time / healthy_time - 1.0);
      plg_advisor_consider (self, &change, G_MAXDOUBLE, "cluster.faults=%s", others);
      if (change.edits == NULL)
        continue;
      if (advise_nic_removal (self, i, name))
        {
          g_free (change.edits);
          continue;
        }
      adds = 100.0 * (self->report->step.time / change.time - 1.0);
      if (alone >= MIN_VISIBLE_PERCENT && alone > 2.0 * adds)
        {
          /* The other faults hide the effect of this fault, so try repairing all faults
           * together. */
          PlgTrialChange repair_all = { 0 };

          plg_advisor_consider (self, &repair_all, G_MAXDOUBLE, "cluster.faults=");
          plg_advisor_add (
              self, "fault", PLG_SEVERITY_WARNING,
              g_strdup_printf (_ ("%s: alone, this fault would make the step %.1f %% longer; "
                                  "together with the other faults, it adds %.1f %%."),
                               name, alone, MAX (adds, 0.0)),
              alone, 0.0, "%",
              g_strdup (_ ("Repair all faults together, or replace the faulty parts with spares.")),
              &repair_all);
          g_free (repair_all.edits);
        }
      else if (adds < MIN_VISIBLE_PERCENT)
        plg_advisor_add (self, "fault", PLG_SEVERITY_HINT,
                         g_strdup_printf (_ ("%s, but the step does not wait for it."), name), 0.0,
                         0.0, "%",
                         g_strdup (_ ("The repair can wait until the next maintenance window.")),
                         NULL);
      else
        plg_advisor_add (self, "fault", adds < 1.0 ? PLG_SEVERITY_HINT : PLG_SEVERITY_WARNING,
                         g_strdup_printf (_ ("%s: the step takes %.1f %% longer."), name, adds),
                         adds, 0.0, "%",
                         g_strdup (_ ("Repair the faulty part, or replace it "
                                      "with a spare.")),
                         &change);
      g_free (change.edits);
    }
}
