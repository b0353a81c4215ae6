/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"
#include "plan/plan-check.h"

G_BEGIN_DECLS

/* Every change a person can make. Each either succeeds and leaves a plan that passes
 * plg_plan_check(), or returns FALSE, sets ERROR with value, limit and remedy, and leaves PLAN as
 * it was. */

/* Gives AXIS the DEGREE; ABSORBER takes up the factor that is freed or needed, so that the world
 * size stays. EP and an equal degree need no absorber. The nesting order stays; a placement made
 * by hand goes back to the order when the groups change, and layers counted by hand are shared out
 * evenly when PP does. */
gboolean plg_edit_set_degree (PlgPlan *plan,
                              PlgAxis axis,
                              int degree,
                              PlgAxis compensating_axis,
                              GError **error);

/* Which axis takes up the factor when AXIS changes and people name none: DP, or PP where AXIS is DP
 * itself. OTHER (Shift is held): the one to take instead, PP, or TP where AXIS is PP or DP. */
PlgAxis plg_edit_compensating_axis (PlgAxis axis, gboolean other);

/* The degrees AXIS can take with ABSORBER, whether or not model and batch allow them: divisors of
 * degree(AXIS) x degree(ABSORBER). Returns their number, fills DEGREES (ascending, up to SIZE). */
int plg_edit_degree_choices (const PlgPlan *plan,
                             PlgAxis axis,
                             PlgAxis compensating_axis,
                             int *degrees,
                             int size);

/* Ranks A and B exchange GPUs. */
gboolean plg_edit_swap_ranks (PlgPlan *plan, int rank_a, int rank_b, GError **error);
/* The group of AXIS around RANK_A and the one around RANK_B exchange places, member by member. */
gboolean plg_edit_swap_groups (PlgPlan *plan, PlgAxis axis, int rank_a, int rank_b, GError **error);
/* All ranks of two nodes exchange places. */
gboolean plg_edit_swap_nodes (PlgPlan *plan, int node_a, int node_b, GError **error);
/* All ranks of a stage of one replica, and another. */
gboolean plg_edit_swap_stages (PlgPlan *plan, int rank_a, int rank_b, GError **error);
/* All ranks of a replica (one DP index), and another. */
gboolean plg_edit_swap_replicas (PlgPlan *plan, int rank_a, int rank_b, GError **error);
/* The placement by the order again. */
gboolean plg_edit_reset_placement (PlgPlan *plan, GError **error);
/* Only the N RANKS go back to where the order puts them; who sits there takes the place that is
 * left. */
gboolean plg_edit_reset_ranks (PlgPlan *plan, const int *ranks, int n, GError **error);

/* What people call NODE; empty: nothing any more. */
gboolean plg_edit_name_node (PlgPlan *plan, int node, const char *name, GError **error);
/* The machines of two nodes exchange places in the list of nodes, and so their names, and the
 * faults of their GPUs, ports and NICs; ranks stay on the numbers that they have. So a scheduler
 * that is given the list starts them on the other machine. (plg_edit_swap_nodes() is the other way
 * round: there the ranks go and the machines stay.) */
gboolean plg_edit_swap_machines (PlgPlan *plan, int node_a, int node_b, GError **error);

/* FAULT becomes one of the cluster's; a rate of 1 repairs what it names. */
gboolean plg_edit_set_fault (PlgPlan *plan, const PlgFault *fault, GError **error);
/* The same for all GPUs of NODE at once, and a repair of all that NODE has. */
gboolean plg_edit_slow_node (PlgPlan *plan, int node, double rate, GError **error);
gboolean plg_edit_repair_node (PlgPlan *plan, int node, GError **error);

gboolean plg_edit_set_order (PlgPlan *plan, const PlgAxis order[PLG_N_NESTED_AXES], GError **error);
/* AXIS becomes the innermost (or the outermost), the others keep their order. */
gboolean plg_edit_move_axis (PlgPlan *plan, PlgAxis axis, int position, GError **error);

/* Any single key of setting.h, from text. DP fills the world size for degrees unless given. */
gboolean plg_edit_set (PlgPlan *plan,
                       const PlgCatalogue *catalogue,
                       const char *key,
                       const char *value,
                       GError **error);

G_END_DECLS
