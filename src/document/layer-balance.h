/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* plg_layer_balance:
 * @plan: a plan that passes plg_plan_check()
 * @hides_time: whether @text must not say anything about times
 * @text: (out): a sentence about the result; free with g_free()
 *
 * Finds the layout with the least longest stage (engine/search/balance.h) and evaluates the plan
 * with it. @text has the longest stage and the step before and after. Runs on any thread.
 *
 * Returns: (transfer full) (nullable): the plan with the layout. %NULL if the plan's own division
 *   should stay, because no layout has a shorter longest stage or because the layout would not
 *   shorten the step. %NULL with @error, without @text, if there is no layout at all */
PlgPlan *plg_layer_balance (const PlgPlan *plan, gboolean hides_time, char **text, GError **error);

G_END_DECLS
