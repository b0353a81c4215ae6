/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* Describes the effect of a fault in a sentence: "GPU 17 runs at 80 %: step +4.2 %, it delays
 * stage 2 of replica 0", "NIC 3 of node 1 has failed: step +0.4 %, DP 3 reduce-scatter 12 ms →
 * 24 ms". PLAN already has FAULT (or, at a rate of 1, no longer has it); BEFORE and AFTER are
 * the reports without and with the change. Hidden values are not described. Free with g_free(). */
char *plg_fault_impact_describe (const PlgPlan *plan,
                                 const PlgFault *fault,
                                 const PlgReport *before,
                                 const PlgReport *after);
/* Describes the effect of the change WHAT: "All GPUs of node 3 run at 80 %: step +4.2 %". Free
 * with g_free(). */
char *plg_fault_impact_describe_change (const char *what,
                                        const PlgReport *before,
                                        const PlgReport *after);

/* Returns the index in AFTER's links of the link that carries the traffic that FAULT slows down:
 * the NIC that replaces a failed one, another uplink of the same leaf, or the broken link
 * itself. Returns -1 without such a link. */
int plg_fault_impact_link (const PlgPlan *plan, const PlgFault *fault, const PlgReport *after);

G_END_DECLS
