/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/panels/panels-private.h"

#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

void
plg_panels_init_run (PlgPanels *self)
{
  const char *columns[] = { _ ("Time spent"), _ ("Share"), _ ("Days"), NULL };

  plg_table_set_columns (self->run_table, columns, 1);
}

/* Returns the lines below the cost. */
static char *
panel_run_describe (const PlgPlan *plan, const PlgTrainingRun *run)
{
  g_autofree char *days = plg_format_number (run->days, 3);
  g_autofree char *interruptions = plg_format_number (run->interruptions, 3);
  g_autofree char *power = plg_format_power (run->power);
  g_autofree char *energy = plg_format_energy (run->energy);
  g_autofree char *carbon = plg_format_carbon (run->carbon);
  g_autofree char *size = plg_format_volume (run->checkpoint_bytes);
  g_autofree char *interval = plg_format_time (run->interval);

  if (plan->training.tokens <= 0.0)
    return g_strdup_printf (_ ("%s · no token budget\ncheckpoints: %s every %s"), power, size,
                            interval);
  return g_strdup_printf (_ ("%s days · %s interruptions\n%s · %s\ncheckpoints: %s every %s"), days,
                          interruptions, energy, carbon, size, interval);
}

void
plg_panels_update_run (PlgPanels *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgReport *report = plg_document_report (self->document);
  const PlgTrainingRun *run = &report->run;
  gboolean is_hidden = plg_report_hides (report, PLG_REDACT_RUN);
  g_autofree char *problem = plg_training_run_problem (plan, run);
  g_autofree char *cost = plg_format_money (run->cost);
  g_autofree char *subtitle = NULL;

  if (problem != NULL)
    subtitle = g_strdup (problem);
  else if (isnan (plg_cost_gpu_hour (&plan->cost, &plan->cluster.gpu)))
    {
      g_autofree char *lines = panel_run_describe (plan, run);

      subtitle = g_strdup_printf (_ ("The catalogue has no price for this GPU.\n%s"), lines);
    }
  else
    subtitle = panel_run_describe (plan, run);

  if (is_hidden)
    plg_card_set_value (self->run, cost, plg_redaction_notice (report->redaction, PLG_REDACT_RUN),
                        "", NULL);
  else
    plg_card_set_value (self->run, cost, problem != NULL ? _ ("no progress") : NULL,
                        problem != NULL ? "error" : "", subtitle);
  for (int part = 0; part < PLG_N_RUN_PARTS; part++)
    {
      g_autofree char *share = plg_format_share (run->share[part]);
      g_autofree char *days = plg_format_number (run->share[part] * run->days, 3);

      plg_table_set_cell (self->run_table, part, 0, plg_run_part_title (part));
      plg_table_set_cell (self->run_table, part, 1, share);
      plg_table_set_cell (self->run_table, part, 2, days);
    }
}
