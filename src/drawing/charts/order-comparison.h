/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"
#include "engine/network/hops.h"

G_BEGIN_DECLS

/* A plan in its own nesting order and in another one, and what each makes of every axis. */

/* Steps whose times differ by a smaller part take equally long. */
#define PLG_ORDER_COMPARISON_EPSILON 5e-5

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  char *title; /* "TP → PP → DP" */
  PlgHops hops[PLG_N_AXES];
  PlgTier tier[PLG_N_AXES]; /* the slowest that its collectives cross */
} PlgOrderSide;

typedef struct
{
  PlgOrderSide sides[2]; /* the plan's order, the other */
  PlgPlan *other;
  PlgReport *other_report;
} PlgOrderComparison;

/* The order that OPTIONS ask for, or the plan's own with PP and DP exchanged, evaluated with links.
 * What REPORT hides is hidden there, too: it would tell it. PLAN and REPORT are borrowed. NULL
 * and an error where the other order cannot be. */
PlgOrderComparison *plg_order_comparison_new (const PlgPlan *plan,
                                              const PlgReport *report,
                                              const PlgPictureOptions *options,
                                              GError **error);
void plg_order_comparison_free (PlgOrderComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgOrderComparison, plg_order_comparison_free)

/* Which one is faster, and by how much. g_free(). */
char *plg_order_comparison_summary (const PlgOrderComparison *comparison);
/* The same and the hops of each axis, for whoever does not see the table. g_free(). */
char *plg_order_comparison_describe (const PlgOrderComparison *comparison);
/* "32 of 48": how many of its hops leave their node. g_free(). */
char *plg_order_comparison_hops_text (const PlgOrderSide *side, PlgAxis axis);
/* The part of the step in which AXIS alone sends. */
PlgPart plg_order_comparison_part (PlgAxis axis);

G_END_DECLS
