/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* Who suffers from a fault, in a sentence: "GPU 17 runs at 80 %: step +4.2 %, it delays stage 2 of
 * replica 0", "NIC 3 of node 1 has failed: step +0.4 %, DP 3 reduce-scatter 12 ms → 24 ms". PLAN
 * has FAULT already (or, at a rate of 1, no longer); BEFORE and AFTER are the reports without and
 * with the change; of what they hide nothing is said. g_free(). */
char *plg_fault_impact_describe (const PlgPlan *plan,
                                 const PlgFault *fault,
                                 const PlgReport *before,
                                 const PlgReport *after);
/* "All GPUs of node 3 run at 80 %: step +4.2 %", where WHAT was done. g_free(). */
char *plg_fault_impact_describe_change (const char *what,
                                        const PlgReport *before,
                                        const PlgReport *after);

/* The number in AFTER's links of the one that carries what FAULT slows down, whose groups are those
 * that suffer: the NIC that stands in for one that has failed, another uplink of the same leaf, or,
 * where these have nothing to take over, what is broken itself. -1 for none. */
int plg_fault_impact_link (const PlgPlan *plan, const PlgFault *fault, const PlgReport *after);

G_END_DECLS
