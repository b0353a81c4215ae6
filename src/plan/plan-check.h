/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan-problem.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* Whether the plan is complete and valid; a valid plan need not fit in memory. Layers need not
 * divide evenly over stages and chunks, and two chunks may have none (embedding and loss). The
 * profile "notebook" has its own model, so TP need not divide the heads and widths of the plan's
 * model. */
gboolean plg_plan_check (const PlgPlan *plan, GError **error);

G_END_DECLS
