/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* The hops of an axis: from each member of a group to the next, over all groups of the axis, on
 * the actual placement. A group of n members has n - 1 hops. There is no hop from the last
 * member back to the first, because a chain of stages does not use it. */
typedef struct
{
  int total;
  int between_nodes; /* number of hops that leave their node, or PLG_HOPS_HIDDEN (see
                        redaction.h) */
} PlgHops;
#define PLG_HOPS_HIDDEN (-1)

/* Counts the hops of AXIS; an axis of degree 1 has no hops. PLAN must pass plg_plan_check().
 * Memory is allocated only for EP. */
PlgHops plg_hops_count (const PlgPlan *plan, PlgAxis axis);

G_END_DECLS
