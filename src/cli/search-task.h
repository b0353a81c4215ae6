/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/search/search.h"

G_BEGIN_DECLS

/* Runs SEARCH to its end or until Ctrl+C, and shows its progress on a terminal
 * (cli/long-task.h). Returns FALSE after Ctrl+C. */
gboolean plg_cli_run_search (PlgSearch *search);
/* Prints to standard error which plans of SPACE keep the layout of PLAN, if PLAN has a layout that
 * the search does not vary. */
void plg_cli_report_kept_layout (const PlgSearchSpace *space, const PlgPlan *plan);

G_END_DECLS
