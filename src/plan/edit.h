/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"
#include "plan/plan-check.h"

G_BEGIN_DECLS

/* All edits of a plan. An edit either succeeds and leaves a plan that passes plg_plan_check(),
 * or returns FALSE, sets ERROR with value, limit and remedy, and leaves PLAN unchanged. */

/* plg_edit_set_degree:
 * @plan: the plan
 * @axis: the axis to change
 * @degree: the new degree of @axis
 * @compensating_axis: the axis whose degree changes too, so that the world size stays; unused for
 * EP
 *   and for an unchanged degree
 *
 * Changes a degree. The nesting order stays. If the groups change, a placement by hand is reset to
 * the order; if PP changes, layers set by hand are divided evenly again.
 */
gboolean plg_edit_set_degree (PlgPlan *plan,
                              PlgAxis axis,
                              int degree,
                              PlgAxis compensating_axis,
                              GError **error);

/* The default axis that compensates a change of AXIS: DP, or PP if AXIS is DP. With OTHER (Shift
 * is held) PP, or TP if AXIS is PP or DP. */
PlgAxis plg_edit_compensating_axis (PlgAxis axis, gboolean other);

/* The degrees that AXIS can take with COMPENSATING_AXIS: the divisors of degree(AXIS) x
 * degree(COMPENSATING_AXIS), without regard to model and batch. Returns their number and fills
 * DEGREES (ascending, up to SIZE). */
int plg_edit_degree_choices (const PlgPlan *plan,
                             PlgAxis axis,
                             PlgAxis compensating_axis,
                             int *degrees,
                             int size);

/* Ranks A and B exchange GPUs. */
gboolean plg_edit_swap_ranks (PlgPlan *plan, int rank_a, int rank_b, GError **error);
/* The AXIS groups of RANK_A and RANK_B exchange places, member by member. */
gboolean plg_edit_swap_groups (PlgPlan *plan, PlgAxis axis, int rank_a, int rank_b, GError **error);
/* All ranks of two nodes exchange places. */
gboolean plg_edit_swap_nodes (PlgPlan *plan, int node_a, int node_b, GError **error);
/* All ranks of two stages, each of one replica, exchange places. */
gboolean plg_edit_swap_stages (PlgPlan *plan, int rank_a, int rank_b, GError **error);
/* All ranks of two replicas (DP indices) exchange places. */
gboolean plg_edit_swap_replicas (PlgPlan *plan, int rank_a, int rank_b, GError **error);
/* Resets the placement to the nesting order. */
gboolean plg_edit_reset_placement (PlgPlan *plan, GError **error);
/* Moves only the N RANKS back to the GPUs of the nesting order; displaced ranks take the free
 * GPUs. */
gboolean plg_edit_reset_ranks (PlgPlan *plan, const int *ranks, int n, GError **error);

/* Sets the name of NODE; an empty NAME removes the name. */
gboolean plg_edit_name_node (PlgPlan *plan, int node, const char *name, GError **error);
/* The machines of two nodes exchange places in the list of nodes, with their names and the
 * faults of their GPUs, ports and NICs; ranks keep their node numbers. A scheduler that receives
 * this list then starts the ranks on the other machine, whereas plg_edit_swap_nodes() moves the
 * ranks and keeps the machines. */
gboolean plg_edit_swap_machines (PlgPlan *plan, int node_a, int node_b, GError **error);

/* Sets FAULT in the cluster; a rate of 1 removes the fault. */
gboolean plg_edit_set_fault (PlgPlan *plan, const PlgFault *fault, GError **error);
/* Sets the rate of all GPUs of NODE, or removes all faults of NODE. */
gboolean plg_edit_slow_node (PlgPlan *plan, int node, double rate, GError **error);
gboolean plg_edit_repair_node (PlgPlan *plan, int node, GError **error);

gboolean plg_edit_set_order (PlgPlan *plan, const PlgAxis order[PLG_N_NESTED_AXES], GError **error);
/* Moves AXIS to POSITION in the nesting order; the other axes keep their order. */
gboolean plg_edit_move_axis (PlgPlan *plan, PlgAxis axis, int position, GError **error);

/* Sets any key of setting.h from text. Unless DP is given, DP fills the world size. */
gboolean plg_edit_set (PlgPlan *plan,
                       const PlgCatalogue *catalogue,
                       const char *key,
                       const char *value,
                       GError **error);

G_END_DECLS
