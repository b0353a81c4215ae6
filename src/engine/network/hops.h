/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* From each member of a group to the next one on its axis, over all groups of the axis: how many
 * of these hops leave their node, on the real placement. A group of n has n - 1; the way back from
 * the last member to the first, which a ring has and a chain of stages has not, is none. */
typedef struct
{
  int total;
  int between_nodes; /* or PLG_HOPS_HIDDEN (veil.h) */
} PlgHops;
#define PLG_HOPS_HIDDEN (-1)

/* Allocates for EP alone. PLAN must be one that plg_plan_check() passes. Axes of degree 1 have no
 * hops. */
PlgHops plg_hops_count (const PlgPlan *plan, PlgAxis axis);

G_END_DECLS
