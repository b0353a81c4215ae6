/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* plg_quick_search:
 * @plan: a plan that passes plg_plan_check()
 * @keep: (nullable): the settings to hold, such as "parallelism.tp"; %NULL-terminated. Settings
 *   that a search does not vary are always held.
 * @time: (out): the step time of the found plan [s]
 *
 * Finds one of the fastest plans for the model and the cluster of @plan, in a small part of the
 * time of a whole search. The function tries all degrees with a few values of the other settings,
 * then all other settings with the best degrees, then all degrees again, until nothing improves.
 * Each of these searches is exact. If a plan that fits exists, the function finds one that fits: the
 * last resort tries all degrees and ZeRO stages with the settings that need least memory.
 *
 * With faults in the cluster, which make a search slow, searches the cluster without faults and
 * compares the found plan with @plan on the cluster with faults.
 *
 * Takes about 10 ms for 64 GPUs and 1 s for the largest clusters. The result does not depend on
 * the number of threads.
 *
 * Returns: (transfer full) (nullable): the found plan, which fits in memory; %NULL if no plan
 *   fits, or if @plan fits and no faster plan was found */
PlgPlan *plg_quick_search (const PlgPlan *plan,
                           const char *const *keep,
                           double *time) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
