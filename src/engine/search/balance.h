/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The time that the longest stage of a plan spends on one micro-batch, with all its virtual
 * stages, forward and backward [s]. */
typedef struct
{
  double before; /* with the plan's own division of layers */
  double after;  /* with the layout that was found */
} PlgBalance;

/* plg_balance_layers:
 * @plan: a plan that passes plg_plan_check(); it need not fit in memory
 * @layout: (out): the layout that was found
 * @balance: (out): the longest stages
 *
 * Finds the layout (plan/stage-layout.h) whose longest stage takes the least time, among all
 * layouts in which every stage fits in the memory of a GPU. The result is exact: the search
 * decides for a time whether any layout meets it, by dynamic programming over the stages, and
 * halves the interval of times until it is as small as rounding errors. Several layouts can have
 * the same longest stage. Of these, the other stages are as even as possible too.
 *
 * The step time usually falls with the longest stage, but not always, because the schedule also
 * depends on the order of the virtual stages. A caller that shows a saving must evaluate the plan.
 *
 * Returns: %FALSE with @error (%PLG_PLAN_ERROR_LAYERS) if PP is 1, if the schedule would have more
 *   than %PLG_MAX_LAYOUT_STAGES virtual stages, or if no layout fits in memory */
gboolean plg_balance_layers (const PlgPlan *plan,
                             PlgStageLayout *layout,
                             PlgBalance *balance,
                             GError **error);

/* The effect of the layout that was found. */
typedef enum
{
  PLG_BALANCE_EVEN,        /* no layout has a shorter longest stage */
  PLG_BALANCE_NOT_SHORTER, /* the layout would not shorten the step */
  PLG_BALANCE_SHORTER,     /* the step is shorter */
  PLG_BALANCE_FITS,        /* the plan fits in memory only with the layout */
} PlgBalanceOutcome;

typedef struct
{
  PlgStageLayout layout;
  PlgBalance longest;
  PlgPlan *plan;     /* the plan with the layout; owned */
  PlgReport *before; /* the totals of the plan; owned */
  PlgReport *after;  /* the totals of the plan with the layout; owned */
  PlgBalanceOutcome outcome;
} PlgBalanceResult;

/* Finds the layout for PLAN (plg_balance_layers()) and evaluates the plan with and without it. Sets
 * RESULT, to clear with plg_balance_result_clear(). Returns FALSE with an error and an empty RESULT
 * if there is no layout or if PLAN is not legal. */
gboolean plg_balance_plan (const PlgPlan *plan, PlgBalanceResult *result, GError **error);
void plg_balance_result_clear (PlgBalanceResult *result);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgBalanceResult, plg_balance_result_clear)

G_END_DECLS
