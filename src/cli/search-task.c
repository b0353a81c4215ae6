/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/search-task.h"

#include "cli/command.h"
#include "cli/long-task.h"
#include "plan/quantity.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>

static void
run_cb (gpointer data)
{
  plg_search_run (data);
}

static void
cancel_cb (gpointer data)
{
  plg_search_cancel (data);
}

static char *
describe_cb (gpointer data)
{
  PlgSearchProgress progress;
  g_autofree char *tried = NULL, *judged = NULL;

  plg_search_snapshot (data, &progress, NULL, NULL, NULL);
  tried = plg_format_count (progress.plans);
  judged = plg_format_count (progress.judged);
  return g_strdup_printf (_ ("%.0f %%: %s plans tried, %s evaluated"), 100.0 * progress.share_done,
                          tried, judged);
}

gboolean
plg_cli_run_search (PlgSearch *search)
{
  const PlgLongTask task = { search, run_cb, cancel_cb, describe_cb };

  return plg_cli_run_long_task (&task);
}

void
plg_cli_report_kept_layout (const PlgSearchSpace *space, const PlgPlan *plan)
{
  const PlgParallelism *parallelism = &plan->parallelism;

  if (parallelism->layout.stages == 0 ||
      g_ptr_array_find (space->other_keys, plg_setting_find ("parallelism.layout"), NULL))
    return;
  plg_cli_fail (PLG_EXIT_DONE,
                _ ("plans with PP %d and %d virtual stages keep the layers that parallelism.layout "
                   "gives to each stage; other plans divide their layers evenly. With --set "
                   "parallelism.layout= all plans do."),
                parallelism->degree[PLG_AXIS_PP], parallelism->layout.stages);
}
