/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"
#include "engine/network/hops.h"

G_BEGIN_DECLS

/* A comparison of one plan in two nesting orders: the hops of each axis and the slowest tier
 * that its collectives cross. */

/* Step times with a smaller relative difference are treated as equal. */
#define PLG_ORDER_COMPARISON_EPSILON 5e-5

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  char *title; /* the nesting order, innermost axis first, for example "TP → PP → DP" */
  PlgHops hops[PLG_N_AXES];
  PlgTier tier[PLG_N_AXES]; /* slowest tier that the collectives of each axis cross */
} PlgOrderSide;

typedef struct
{
  PlgOrderSide sides[2];   /* the order of the plan in [0], the other order in [1] */
  PlgPlan *other;          /* the plan in the other order; owned */
  PlgReport *other_report; /* report of the plan in the other order; owned */
} PlgOrderComparison;

/* plg_order_comparison_new:
 * @plan: the plan; borrowed as long as the comparison exists
 * @report: the report of @plan; borrowed as long as the comparison exists
 * @options: contains the other order; if it contains none, the other order is that of @plan with
 *   PP and DP exchanged
 * @error: set if the other order is not possible
 *
 * Evaluates @plan in the other order, including the traffic on links. Everything that @report
 * hides is also hidden in the report of the other order, because that report would otherwise
 * reveal the hidden numbers.
 *
 * Returns: (transfer full) (nullable): the comparison */
PlgOrderComparison *plg_order_comparison_new (const PlgPlan *plan,
                                              const PlgReport *report,
                                              const PlgPictureOptions *options,
                                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
void plg_order_comparison_free (PlgOrderComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgOrderComparison, plg_order_comparison_free)

/* Returns: (transfer full): a sentence that names the faster order and says how much faster it
 *   is. */
char *plg_order_comparison_summary (const PlgOrderComparison *comparison);
/* Returns: (transfer full): the summary and the hops of each axis, for screen readers. */
char *plg_order_comparison_describe (const PlgOrderComparison *comparison);
/* Returns: (transfer full): how many hops of AXIS are between nodes, out of all hops of AXIS,
 *   for example "32 of 48". */
char *plg_order_comparison_hops_text (const PlgOrderSide *side, PlgAxis axis);
/* Returns the part of the step in which communication over AXIS is not overlapped by
 * computation. */
PlgPart plg_order_comparison_part (PlgAxis axis);

G_END_DECLS
