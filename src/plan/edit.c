/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/edit.h"
#include "plan/fault.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>

/* Replaces PLAN with EDITED, a changed copy of PLAN, if the copy passes the check. */
static gboolean
finish (PlgPlan *plan, const PlgPlan *edited, GError **error)
{
  if (!plg_plan_check (edited, error))
    return FALSE;
  plg_plan_assign (plan, edited);
  return TRUE;
}

/* Edits of degrees */

PlgAxis
plg_edit_compensating_axis (PlgAxis axis, gboolean other)
{
  if (axis == PLG_AXIS_DP)
    return other ? PLG_AXIS_TP : PLG_AXIS_PP;
  if (axis == PLG_AXIS_PP)
    return other ? PLG_AXIS_TP : PLG_AXIS_DP;
  return other ? PLG_AXIS_PP : PLG_AXIS_DP;
}

gboolean
plg_edit_set_degree (PlgPlan *plan,
                     PlgAxis axis,
                     int degree,
                     PlgAxis compensating_axis,
                     GError **error)
{
  g_autoptr (PlgPlan) edited = NULL;
  const int *now = plan->parallelism.degree;
  int product;

  if (now[axis] == degree)
    return TRUE;
  edited = plg_plan_copy (plan);
  edited->parallelism.degree[axis] = degree;
  if (axis == PLG_AXIS_EP)
    {
      plg_parallelism_fit_replicate (&edited->parallelism);
      return finish (plan, edited, error);
    }

  product = now[axis] * now[compensating_axis];
  if (compensating_axis == axis || compensating_axis == PLG_AXIS_EP || degree < 1 ||
      product % degree != 0)
    {
      const int *degree_now = plan->parallelism.degree;
      /* List at most ten degrees, for example "1, 2, 4, 8", so that the message fits on one
       * line. */
      int degrees[10];
      int n = plg_edit_degree_choices (plan, axis, compensating_axis, degrees,
                                       G_N_ELEMENTS (degrees));
      GString *text = g_string_new (NULL);

      for (int i = 0; i < MIN (n, (int) G_N_ELEMENTS (degrees)); i++)
        g_string_append_printf (text, "%s%d", i > 0 ? ", " : "", degrees[i]);
      if (n > (int) G_N_ELEMENTS (degrees))
        g_string_append (text, " …");
      g_autofree char *choices = g_string_free (text, FALSE);

      if (compensating_axis == axis || compensating_axis == PLG_AXIS_EP)
        g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_WORLD,
                     _ ("%s %d is possible only if another of the degrees TP, CP, PP and DP "
                        "changes with it"),
                     plg_axis_label (axis), degree);
      else
        g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_WORLD,
                     _ ("%s %d does not divide %s × %s = %d; use %s %s"), plg_axis_label (axis),
                     degree, plg_axis_label (axis), plg_axis_label (compensating_axis),
                     degree_now[axis] * degree_now[compensating_axis], plg_axis_label (axis),
                     choices);
      return FALSE;
    }
  edited->parallelism.degree[compensating_axis] = product / degree;
  if (axis == PLG_AXIS_PP || compensating_axis == PLG_AXIS_PP)
    plg_parallelism_clear_layers (&edited->parallelism);
  plg_parallelism_fit_replicate (&edited->parallelism);
  plg_placement_clear (&edited->placement);
  return finish (plan, edited, error);
}

int
plg_edit_degree_choices (const PlgPlan *plan,
                         PlgAxis axis,
                         PlgAxis compensating_axis,
                         int *degrees,
                         int size)
{
  const int *now = plan->parallelism.degree;
  int product = now[axis];
  int n = 0;

  if (axis == PLG_AXIS_EP)
    product = plg_plan_world (plan) / now[PLG_AXIS_PP] / plan->parallelism.etp;
  else if (compensating_axis != axis && compensating_axis != PLG_AXIS_EP)
    product *= now[compensating_axis];
  else
    {
      if (size > 0)
        degrees[0] = product;
      return 1;
    }
  for (int degree = 1; degree <= product; degree++)
    if (product % degree == 0 && n++ < size)
      degrees[n - 1] = degree;
  return n;
}

gboolean
plg_edit_set_replicate (PlgPlan *plan, int replicate, GError **error)
{
  g_autoptr (PlgPlan) edited = plg_plan_copy (plan);

  edited->parallelism.replicate = replicate;
  return finish (plan, edited, error);
}

int
plg_edit_replicate_choices (const PlgPlan *plan, int *replicate, int size)
{
  int limit = plg_parallelism_replicate_limit (&plan->parallelism), n = 0;

  if (plan->parallelism.zero == 0)
    {
      if (size > 0)
        replicate[0] = plan->parallelism.replicate;
      return 1;
    }
  for (int groups = 1; groups <= limit; groups++)
    if (limit % groups == 0 && n++ < size)
      replicate[n - 1] = groups;
  return n;
}

/* Edits of the placement */

static gboolean
check_rank (const PlgPlan *plan, int rank, GError **error)
{
  if (rank >= 0 && rank < plg_plan_world (plan))
    return TRUE;
  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_PLACEMENT,
               _ ("Rank %d does not exist; ranks are numbered from 0 to %d"), rank,
               plg_plan_world (plan) - 1);
  return FALSE;
}

static gboolean
check_node (const PlgPlan *plan, int node, GError **error)
{
  if (node >= 0 && node < plan->cluster.nodes)
    return TRUE;
  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_PLACEMENT,
               _ ("Node %d does not exist; nodes are numbered from 0 to %d"), node,
               plan->cluster.nodes - 1);
  return FALSE;
}

static void
swap (int *gpu_of_rank, int a, int b)
{
  int gpu = gpu_of_rank[a];

  gpu_of_rank[a] = gpu_of_rank[b];
  gpu_of_rank[b] = gpu;
}

/* Returns a copy of PLAN whose placement lists the GPU of every rank, so that an edit can change
 * it. */
static PlgPlan *
begin_placement (const PlgPlan *plan)
{
  PlgPlan *edited = plg_plan_copy (plan);

  plg_placement_expand (&edited->placement, plg_plan_world (plan));
  return edited;
}

static gboolean
finish_placement (PlgPlan *plan, PlgPlan *edited, GError **error)
{
  plg_placement_simplify (&edited->placement);
  return finish (plan, edited, error);
}

gboolean
plg_edit_swap_ranks (PlgPlan *plan, int rank_a, int rank_b, GError **error)
{
  g_autoptr (PlgPlan) edited = NULL;

  if (!check_rank (plan, rank_a, error) || !check_rank (plan, rank_b, error))
    return FALSE;
  edited = begin_placement (plan);
  swap (edited->placement.gpu_of_rank, rank_a, rank_b);
  return finish_placement (plan, edited, error);
}

/* Swaps the ranks that have RANK_A's indices on the axes in FIXED (a bit set) with the ranks
 * that have RANK_B's indices on these axes. The two ranks of each swap have equal indices on all
 * other axes. */
static gboolean
swap_blocks (PlgPlan *plan, guint fixed, int rank_a, int rank_b, GError **error)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  g_autoptr (PlgPlan) edited = NULL;
  int distance = 0;

  if (!check_rank (plan, rank_a, error) || !check_rank (plan, rank_b, error))
    return FALSE;
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      PlgAxis axis = parallelism->order[i];
      int stride = plg_axis_stride (parallelism, axis);
      int degree = parallelism->degree[axis];

      if ((fixed & (1u << axis)) != 0)
        distance += (rank_b / stride % degree - rank_a / stride % degree) * stride;
    }
  if (distance == 0)
    return TRUE;

  edited = begin_placement (plan);
  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    {
      gboolean in_a = TRUE;

      for (int i = 0; i < PLG_N_NESTED_AXES && in_a; i++)
        {
          PlgAxis axis = parallelism->order[i];
          int stride = plg_axis_stride (parallelism, axis);
          int degree = parallelism->degree[axis];

          in_a = (fixed & (1u << axis)) == 0 || rank / stride % degree == rank_a / stride % degree;
        }
      if (in_a)
        swap (edited->placement.gpu_of_rank, rank, rank + distance);
    }
  return finish_placement (plan, edited, error);
}

#define BIT(axis) (1u << (axis))
#define ALL_NESTED (BIT (PLG_AXIS_TP) | BIT (PLG_AXIS_CP) | BIT (PLG_AXIS_PP) | BIT (PLG_AXIS_DP))

gboolean
plg_edit_swap_groups (PlgPlan *plan, PlgAxis axis, int rank_a, int rank_b, GError **error)
{
  if (axis == PLG_AXIS_EP)
    {
      const PlgParallelism *parallelism = &plan->parallelism;
      int n = parallelism->degree[PLG_AXIS_EP];
      g_autofree int *members_a = g_new (int, n);
      g_autofree int *members_b = g_new (int, n);
      g_autoptr (PlgPlan) edited = NULL;

      if (!check_rank (plan, rank_a, error) || !check_rank (plan, rank_b, error))
        return FALSE;
      plg_axis_group_members (parallelism, PLG_AXIS_EP, rank_a, members_a);
      plg_axis_group_members (parallelism, PLG_AXIS_EP, rank_b, members_b);
      if (members_a[0] == members_b[0])
        return TRUE;
      edited = begin_placement (plan);
      for (int i = 0; i < n; i++)
        swap (edited->placement.gpu_of_rank, members_a[i], members_b[i]);
      return finish_placement (plan, edited, error);
    }
  return swap_blocks (plan, ALL_NESTED & ~BIT (axis), rank_a, rank_b, error);
}

gboolean
plg_edit_swap_stages (PlgPlan *plan, int rank_a, int rank_b, GError **error)
{
  return swap_blocks (plan, BIT (PLG_AXIS_PP) | BIT (PLG_AXIS_DP), rank_a, rank_b, error);
}

gboolean
plg_edit_swap_replicas (PlgPlan *plan, int rank_a, int rank_b, GError **error)
{
  return swap_blocks (plan, BIT (PLG_AXIS_DP), rank_a, rank_b, error);
}

gboolean
plg_edit_swap_nodes (PlgPlan *plan, int node_a, int node_b, GError **error)
{
  g_autoptr (PlgPlan) edited = NULL;
  int gpus = plan->cluster.gpus_per_node;

  if (!check_node (plan, node_a, error) || !check_node (plan, node_b, error))
    return FALSE;
  edited = begin_placement (plan);
  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    {
      int *gpu = &edited->placement.gpu_of_rank[rank];

      if (*gpu / gpus == node_a)
        *gpu += (node_b - node_a) * gpus;
      else if (*gpu / gpus == node_b)
        *gpu += (node_a - node_b) * gpus;
    }
  return finish_placement (plan, edited, error);
}

gboolean
plg_edit_reset_placement (PlgPlan *plan, GError **error)
{
  g_autoptr (PlgPlan) edited = plg_plan_copy (plan);

  plg_placement_clear (&edited->placement);
  return finish (plan, edited, error);
}

gboolean
plg_edit_reset_ranks (PlgPlan *plan, const int *ranks, int n, GError **error)
{
  g_autoptr (PlgPlan) edited = begin_placement (plan);

  for (int i = 0; i < n; i++)
    {
      if (!check_rank (plan, ranks[i], error))
        return FALSE;
      swap (edited->placement.gpu_of_rank, ranks[i],
            plg_placement_rank (&edited->placement, ranks[i]));
    }
  return finish_placement (plan, edited, error);
}

/* Edits of nodes */

gboolean
plg_edit_name_node (PlgPlan *plan, int node, const char *name, GError **error)
{
  g_autoptr (PlgPlan) edited = plg_plan_copy (plan);

  return check_node (plan, node, error) &&
         plg_node_names_set (&edited->node_names, node, name, error) &&
         finish (plan, edited, error);
}

gboolean
plg_edit_swap_machines (PlgPlan *plan, int node_a, int node_b, GError **error)
{
  g_autoptr (PlgPlan) edited = NULL;

  if (!check_node (plan, node_a, error) || !check_node (plan, node_b, error))
    return FALSE;
  edited = plg_plan_copy (plan);
  plg_node_names_swap (&edited->node_names, node_a, node_b);
  for (int i = 0; i < edited->cluster.n_faults; i++)
    {
      /* The machines of NODE_A and NODE_B have been swapped, so move FAULT with its machine. */
      PlgFault *fault = &edited->cluster.faults[i];
      int gpus = plan->cluster.gpus_per_node;
      int *first = &fault->first, of_node = fault->kind == PLG_FAULT_NIC ? 1 : gpus;

      if (fault->kind == PLG_FAULT_UPLINK)
        continue;
      if (*first / of_node == node_a)
        *first += (node_b - node_a) * of_node;
      else if (*first / of_node == node_b)
        *first += (node_a - node_b) * of_node;
    }
  return finish (plan, edited, error);
}

/* Edits of faults */

gboolean
plg_edit_set_fault (PlgPlan *plan, const PlgFault *fault, GError **error)
{
  g_autoptr (PlgPlan) edited = plg_plan_copy (plan);

  return plg_faults_set (&edited->cluster, fault, error) && finish (plan, edited, error);
}

gboolean
plg_edit_slow_node (PlgPlan *plan, int node, double rate, GError **error)
{
  g_autoptr (PlgPlan) edited = plg_plan_copy (plan);
  int gpus = plan->cluster.gpus_per_node;

  for (int i = 0; i < gpus; i++)
    if (!plg_faults_set (&edited->cluster, &(PlgFault) { PLG_FAULT_GPU, node * gpus + i, 0, rate },
                         error))
      return FALSE;
  return finish (plan, edited, error);
}

gboolean
plg_edit_repair_node (PlgPlan *plan, int node, GError **error)
{
  g_autoptr (PlgPlan) edited = plg_plan_copy (plan);

  for (int i = plan->cluster.n_faults - 1; i >= 0; i--)
    {
      PlgFault fault = plan->cluster.faults[i];

      if (plg_fault_node (&plan->cluster, &fault) != node)
        continue;
      fault.rate = 1.0;
      if (!plg_faults_set (&edited->cluster, &fault, error))
        return FALSE;
    }
  return finish (plan, edited, error);
}

/* Edits of the nesting order */

gboolean
plg_edit_set_order (PlgPlan *plan, const PlgAxis order[PLG_N_NESTED_AXES], GError **error)
{
  g_autoptr (PlgPlan) edited = plg_plan_copy (plan);
  gboolean same = TRUE;

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      same = same && order[i] == plan->parallelism.order[i];
      edited->parallelism.order[i] = order[i];
    }
  if (!same)
    plg_placement_clear (&edited->placement);
  return finish (plan, edited, error);
}

gboolean
plg_edit_move_axis (PlgPlan *plan, PlgAxis axis, int position, GError **error)
{
  PlgAxis order[PLG_N_NESTED_AXES];
  int n = 0;

  if (axis == PLG_AXIS_EP || position < 0 || position >= PLG_N_NESTED_AXES)
    {
      g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                   _ ("%s cannot take position %d in the nesting order; move TP, CP, PP or DP to "
                      "a position from 0 to %d"),
                   plg_axis_label (axis), position, PLG_N_NESTED_AXES - 1);
      return FALSE;
    }
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    if (plan->parallelism.order[i] != axis)
      {
        if (n == position)
          order[n++] = axis;
        order[n++] = plan->parallelism.order[i];
      }
  if (n == position)
    order[n] = axis;
  return plg_edit_set_order (plan, order, error);
}

/* Edits of cluster and model */

gboolean
plg_edit_set (PlgPlan *plan,
              const PlgCatalogue *catalogue,
              const char *key,
              const char *value,
              GError **error)
{
  g_autofree char *assignment = g_strconcat (key, "=", value, NULL);
  const char *const assignments[] = { assignment, NULL };

  return plg_settings_apply (plan, catalogue, assignments, error);
}
