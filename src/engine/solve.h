/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/assertion.h"
#include "plan/settings/setting.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_SOLVE_SMALLEST,
  PLG_SOLVE_LARGEST,
} PlgSolveGoal;

/* A question such as “How many nodes are needed at least for 30 days of training?” */
typedef struct
{
  const PlgSetting *setting; /* the setting to vary, which plg_solve_accepts() */
  PlgSolveGoal goal;
  const PlgAssertion *conditions; /* conditions that must hold, in addition to the memory; not
                                     owned */
  int n_conditions;
  /* Whether only few values are tried: a quick answer is exact only if the conditions change once
   * between two values that double. */
  gboolean is_quick;
  const gint *is_cancelled; /* nullable; another thread may set the number to 1 (atomic) */
} PlgSolveQuestion;

typedef struct
{
  gboolean is_found;
  /* The value for --set at which all conditions hold. If there is no such value, the possible value
   * that comes closest, or NULL if no value is possible. */
  char *value;
  /* Reason why VALUE fails, translated; NULL if it is found. */
  char *reason;
  /* The nearest value beyond VALUE that fails, and the reason; NULL if VALUE is the end of the
   * range. A possible plan is preferred to a nearer value at which the plan is not possible. */
  char *neighbour;
  char *neighbour_reason;
  /* TRUE if every value from VALUE to the end of the range was tried. Otherwise, values that
   * double were tried, and a bisection between two of them found VALUE. */
  gboolean is_exhaustive;
  double step;          /* difference between the values that were tried; 0 for values with three
                  significant digits */
  int tried;            /* number of values that were tried */
  gboolean lost_layout; /* whether the plan's layout does not fit some of these values, whose plans
                           have none */
} PlgSolution;

/* Returns TRUE if SETTING is a number on which the evaluation depends. */
gboolean plg_solve_accepts (const PlgSetting *setting);
/* Returns the goal that people usually have: the smallest cluster and degrees, but the largest
 * model, sequence or batch. */
PlgSolveGoal plg_solve_default_goal (const PlgSetting *setting);

/* plg_solve:
 * @plan: a plan that passes plg_plan_check_values(); it need not be legal before the setting gets
 *   its value
 * @catalogue: (nullable): the catalogue
 * @question: the question, which plg_solve() does not keep
 *
 * Finds the smallest or largest value of a setting for which the plan is possible, fits in memory
 * and meets all conditions. DP follows the number of GPUs as in plg_settings_apply().
 *
 * No condition is assumed to change only once, as long as there are at most 20,000 values: every
 * whole number, or every number with three significant digits, is tried from the end of the range.
 * With more values, or for a quick answer, values that double are tried from the end of the range, a
 * bisection continues between the last value that fails and the first that holds, and every
 * possible value next to the result is tried.
 *
 * Returns: (transfer full): the solution, to free with plg_solution_free(), or %NULL with an error
 *   of %PLG_PLAN_ERROR if the setting cannot be solved for, or %NULL without an error if the
 *   question was cancelled */
PlgSolution *plg_solve (const PlgPlan *plan,
                        const PlgCatalogue *catalogue,
                        const PlgSolveQuestion *question,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Frees SOLUTION with its texts. */
void plg_solution_free (PlgSolution *solution);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgSolution, plg_solution_free)

G_END_DECLS
