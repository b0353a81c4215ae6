/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* The hops of an axis: from each member of a group to the next, over all groups of the axis, on the
 * real placement. A group of n members has n - 1 hops; the way back from the last member to the
 * first does not count, since a chain of stages lacks it. */
typedef struct
{
  int total;
  int between_nodes; /* hops that leave their node, or PLG_HOPS_HIDDEN (see redaction.h) */
} PlgHops;
#define PLG_HOPS_HIDDEN (-1)

/* Counts the hops of AXIS; an axis of degree 1 has no hops. PLAN must pass plg_plan_check(). Only
 * EP allocates memory. */
PlgHops plg_hops_count (const PlgPlan *plan, PlgAxis axis);

G_END_DECLS
