/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* Describes the effect of a fault in a sentence, for example "GPU 17 runs at 80 %: step +4.2 %,
 * it delays stage 2 of replica 0" or "NIC 3 of node 1 has failed: step +0.4 %, DP 3
 * reduce-scatter 12 ms → 24 ms". PLAN is the plan after the change: PLAN contains FAULT, unless
 * FAULT has a rate of 1 and has therefore been removed. BEFORE and AFTER are the reports before
 * and after this change. Hidden values are not described. Free with g_free(). */
char *plg_fault_impact_describe (const PlgPlan *plan,
                                 const PlgFault *fault,
                                 const PlgReport *before,
                                 const PlgReport *after);
/* Describes the effect of a change, for example "All GPUs of node 3 run at 80 %: step +4.2 %".
 * The text WHAT describes the change itself. Free with g_free(). */
char *plg_fault_impact_describe_change (const char *what,
                                        const PlgReport *before,
                                        const PlgReport *after);

/* Returns the index of the link in AFTER that carries the traffic that FAULT slows down: the NIC
 * that replaces a failed NIC, another uplink of the same leaf, or the faulty link itself.
 * Returns -1 if there is no such link. */
int plg_fault_impact_link (const PlgPlan *plan, const PlgFault *fault, const PlgReport *after);

G_END_DECLS
