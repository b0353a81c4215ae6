/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/route.h"

G_BEGIN_DECLS

/* From each member of a group to the next one on its axis: which way the hop goes on the real
 * placement, over all groups of the axis. A group of n has n - 1 hops; the way back from the last
 * member to the first, which a ring has and a chain of stages has not, is none. */
typedef struct
{
  int total;
  int kind[PLG_N_ROUTE_KINDS]; /* how many of them go this way */
} PlgHops;

/* PLAN must be one that plg_plan_check() passes. Axes of degree 1 have no hops. */
PlgHops plg_hops_count (const PlgPlan *plan, PlgAxis axis);
int plg_hops_between_nodes (const PlgHops *hops);
/* Whether as many go each way. */
gboolean plg_hops_equal (const PlgHops *a, const PlgHops *b);

G_END_DECLS
