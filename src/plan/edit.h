/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"
#include "plan/plan-check.h"

G_BEGIN_DECLS

/* All edits of a plan. After a successful edit, the plan passes plg_plan_check(). An edit that
 * fails returns FALSE, leaves PLAN unchanged, and sets ERROR with the value, the limit and the
 * remedy. */

/* plg_edit_set_degree:
 * @plan: the plan
 * @axis: the axis to change
 * @degree: the new degree of @axis
 * @compensating_axis: the axis that also changes, so that the world size stays the same; unused
 *   for EP and for an unchanged degree
 *
 * Changes a degree and keeps the nesting order. If the groups change, a placement by hand is
 * reset to the nesting order; if PP changes, layers set by hand are divided evenly again; if DP is
 * no longer a multiple of replicate, replicate is reduced. */
gboolean plg_edit_set_degree (PlgPlan *plan,
                              PlgAxis axis,
                              int degree,
                              PlgAxis compensating_axis,
                              GError **error);

/* Returns the default axis that compensates for a change of AXIS: DP, or PP if AXIS is DP. If
 * OTHER is set (Shift is held), returns PP, or TP if AXIS is PP or DP. */
PlgAxis plg_edit_compensating_axis (PlgAxis axis, gboolean other);

/* Lists the degrees that AXIS can take if COMPENSATING_AXIS changes with it: the divisors of
 * degree(AXIS) x degree(COMPENSATING_AXIS), regardless of model and batch. For EP, ignores
 * COMPENSATING_AXIS and lists the divisors of (GPUs per stage) / ETP. Returns the number of
 * degrees and stores up to SIZE of them in DEGREES, in ascending order. */
int plg_edit_degree_choices (const PlgPlan *plan,
                             PlgAxis axis,
                             PlgAxis compensating_axis,
                             int *degrees,
                             int size);

/* Sets the number of shard groups (HSDP). The placement stays, because no rank moves. */
gboolean plg_edit_set_replicate (PlgPlan *plan, int replicate, GError **error);
/* Lists the numbers of shard groups that divide DP and the copies of each expert, in ascending
 * order. Returns their number and stores up to SIZE of them in REPLICATE. If there is only one, the
 * plan cannot have shard groups. With ZeRO 0, which shards nothing, returns 1 for the current
 * number. */
int plg_edit_replicate_choices (const PlgPlan *plan, int *replicate, int size);

/* Swaps the GPUs of ranks A and B. */
gboolean plg_edit_swap_ranks (PlgPlan *plan, int rank_a, int rank_b, GError **error);
/* Swaps the AXIS groups of RANK_A and RANK_B, member by member. */
gboolean plg_edit_swap_groups (PlgPlan *plan, PlgAxis axis, int rank_a, int rank_b, GError **error);
/* Swaps all ranks of two nodes. */
gboolean plg_edit_swap_nodes (PlgPlan *plan, int node_a, int node_b, GError **error);
/* Swaps all ranks in the stage and replica of RANK_A with all ranks in the stage and replica of
 * RANK_B. */
gboolean plg_edit_swap_stages (PlgPlan *plan, int rank_a, int rank_b, GError **error);
/* Swaps all ranks of the replicas (DP indices) of RANK_A and RANK_B. */
gboolean plg_edit_swap_replicas (PlgPlan *plan, int rank_a, int rank_b, GError **error);
/* Resets the placement to the nesting order. */
gboolean plg_edit_reset_placement (PlgPlan *plan, GError **error);
/* Moves only the N RANKS back to their GPUs in the nesting order. Ranks that are displaced from
 * these GPUs move to the GPUs that become free. */
gboolean plg_edit_reset_ranks (PlgPlan *plan, const int *ranks, int n, GError **error);

/* Sets the name of NODE; an empty NAME removes the name. */
gboolean plg_edit_name_node (PlgPlan *plan, int node, const char *name, GError **error);
/* Swaps two nodes in the list of machines, including their names and the faults of their GPUs,
 * ports and NICs. The ranks keep their node numbers, so a scheduler that receives the list
 * starts the ranks on the other machine. plg_edit_swap_nodes(), in contrast, moves the ranks and
 * keeps the list. */
gboolean plg_edit_swap_machines (PlgPlan *plan, int node_a, int node_b, GError **error);

/* Sets FAULT in the cluster; a rate of 1 removes the fault. */
gboolean plg_edit_set_fault (PlgPlan *plan, const PlgFault *fault, GError **error);
/* Set the rate of all GPUs on NODE, or remove all faults of NODE. */
gboolean plg_edit_slow_node (PlgPlan *plan, int node, double rate, GError **error);
gboolean plg_edit_repair_node (PlgPlan *plan, int node, GError **error);

gboolean plg_edit_set_order (PlgPlan *plan, const PlgAxis order[PLG_N_NESTED_AXES], GError **error);
/* Moves AXIS to POSITION in the nesting order. The other axes keep their order. */
gboolean plg_edit_move_axis (PlgPlan *plan, PlgAxis axis, int position, GError **error);

/* Sets the setting KEY (setting.h) to VALUE. If KEY is not parallelism.dp, adjusts DP to fill
 * the world size. */
gboolean plg_edit_set (PlgPlan *plan,
                       const PlgCatalogue *catalogue,
                       const char *key,
                       const char *value,
                       GError **error);

G_END_DECLS
