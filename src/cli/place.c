/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/changed-plan.h"
#include "cli/long-task.h"
#include "io/reports/place-report.h"

#include <glib/gi18n-lib.h>

/* A placement that is being looked for. */
typedef struct
{
  const PlgPlan *plan;
  PlgPlaceControl control;
  PlgPlaceResult *result;
  GError *error;
} Placing;

static void
run_cb (gpointer data)
{
  Placing *placing = data;

  plg_place_search (placing->plan, &placing->control, placing->result, &placing->error);
}

static void
cancel_cb (gpointer data)
{
  g_atomic_int_set (&((Placing *) data)->control.is_cancelled, TRUE);
}

static char *
describe_cb (gpointer data)
{
  Placing *placing = data;

  return g_strdup_printf (_ ("%d %% of the placements tried"),
                          g_atomic_int_get (&placing->control.percent_done));
}

/* Finds the fastest placement of PLAN, or the best so far after Ctrl+C. */
static gboolean
search (const PlgPlan *plan, PlgPlaceResult *result, GError **error)
{
  Placing placing = { .plan = plan, .result = result };
  const PlgLongTask task = { &placing, run_cb, cancel_cb, describe_cb };

  plg_cli_run_long_task (&task);
  if (placing.error != NULL)
    g_propagate_error (error, placing.error);
  return placing.error == NULL;
}

PlgExit
plg_command_place (int argc, char **argv)
{
  g_auto (PlgInput) input = { 0 };
  g_auto (PlgChangedPlan) changed = { 0 };
  g_auto (PlgPlaceResult) result = { 0 };
  g_autoptr (GError) error = NULL;
  PlgExit status;
  char *text;

  status = plg_changed_plan_read (
      &changed, &input,
      _ ("Finds the nodes and GPUs on which the step of PLAN, or of the default plan, is\n"
         "fastest: given slow or failed parts, oversubscribed uplinks, and the degrees and\n"
         "nesting order of PLAN. Prints the step time before and after, a lower bound, and the\n"
         "nodes and GPUs whose ranks change places. The same plan gives the same result."),
      N_ ("Write the plan with the placement that was found to this file; - for standard output, "
          "without the text"),
      argc, argv);
  if (status != PLG_EXIT_DONE)
    return status;
  if (!search (input.plan, &result, &error))
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  if (changed.is_json)
    plg_cli_begin_file (&input);
  text = changed.is_json ? plg_place_json (input.plan, &result)
                         : plg_place_text (input.plan, &result);
  if (changed.is_json)
    plg_cli_end_file (&input);
  plg_placement_copy (&input.plan->placement, &result.placement);
  status = plg_changed_plan_write (&changed, &input, text);
  return status == PLG_EXIT_DONE && !result.is_complete ? PLG_EXIT_INTERRUPTED : status;
}
