/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* A search for the placement with the shortest step on the cluster that is there, with its slow
 * parts and oversubscribed uplinks. The degrees and the nesting order stay the same.
 *
 * The space of the search consists of the nesting order and of the plan's own placement, with the
 * nodes in any order, and with each GPU that has a slow compute rate or port exchanged with
 * another GPU of its node. With a node topology the GPUs of a node keep their order, because the
 * topology already describes the best one. */

/* The state of a running search that another thread may read and write atomically. */
typedef struct
{
  gint is_cancelled; /* set this to TRUE to make the search return soon */
  gint percent_done; /* 0..100 */
} PlgPlaceControl;

typedef struct
{
  PlgPlacement placement; /* owned; the fastest placement; empty for the nesting order */
  double time_before;     /* step time of the plan [s] */
  double time;            /* step time with the placement [s] */
  double bound;           /* lower bound of the step time of all placements of the space [s] */
  double ideal_time;      /* step time without faults and without limits of the uplinks [s] */
  gboolean is_optimal;    /* TRUE if no placement of the space is faster; BOUND is then TIME */
  gboolean is_complete;   /* FALSE if the search was cancelled */
  gint64 evaluations;     /* number of evaluated placements */
} PlgPlaceResult;

/* plg_place_search:
 * @plan: the plan
 * @control: (nullable): the state that is shared with other threads
 * @result: (out): the result; free with plg_place_result_clear()
 *
 * Finds the fastest placement. Compares all placements of the space if they are few, after
 * joining placements that are alike. Otherwise improves the nesting order step by step and then
 * by simulated annealing (Kirkpatrick et al. 1983), with a fixed seed and a fixed number of
 * evaluations. The same plan therefore always gives the same result. Among equally fast
 * placements, prefers the nesting order, then the plan's own placement, then the placement that
 * moves the fewest nodes. May run in any thread.
 *
 * Returns: %FALSE with an error of %PLG_PLAN_ERROR if plg_plan_check() rejects @plan; @result is then
 *   not set */
gboolean plg_place_search (const PlgPlan *plan,
                           PlgPlaceControl *control,
                           PlgPlaceResult *result,
                           GError **error);
/* Frees what RESULT owns, but not RESULT itself. */
void plg_place_result_clear (PlgPlaceResult *result);
/* Returns the share of the step time that a better placement could still save, 0..1:
 * 1 - bound / time. */
double plg_place_result_gap (const PlgPlaceResult *result);

/* An exchange of all ranks of two nodes, or of the ranks of two GPUs. */
typedef struct
{
  gboolean is_node;
  int a; /* number of a node or of a GPU of the cluster, from 0 */
  int b;
} PlgPlaceMove;

/* Returns the exchanges, in order, that change the placement of FROM to PLACEMENT, as an array of
 * PlgPlaceMove: exchanges of whole nodes first, then of single GPUs. Free with g_array_unref(). */
GArray *plg_place_moves (const PlgPlan *from,
                         const PlgPlacement *placement) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgPlaceResult, plg_place_result_clear)

G_END_DECLS
