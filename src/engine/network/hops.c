/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/hops.h"

static int
node_of (const PlgPlan *plan, int rank)
{
  return plg_placement_gpu (&plan->placement, rank) / plan->cluster.gpus_per_node;
}

/* Each rank except the last of its group has one hop, to the rank one stride further. */
static PlgHops
count_nested (const PlgPlan *plan, PlgAxis axis)
{
  int degree = plan->parallelism.degree[axis], world = plg_plan_world (plan);
  int stride = plg_axis_stride (&plan->parallelism, axis);
  PlgHops hops = { 0 };

  for (int rank = 0; degree > 1 && rank < world; rank++)
    if (rank / stride % degree + 1 < degree)
      {
        hops.total++;
        hops.between_nodes += node_of (plan, rank) != node_of (plan, rank + stride);
      }
  return hops;
}

/* The members of an expert group have no constant stride. */
static PlgHops
count_experts (const PlgPlan *plan)
{
  int degree = plan->parallelism.degree[PLG_AXIS_EP], world = plg_plan_world (plan);
  g_autofree int *ranks = g_new (int, degree);
  PlgHops hops = { 0 };

  for (int rank = 0; degree > 1 && rank < world; rank++)
    {
      /* Each group counts once, for its first member. */
      if (plg_rank_coordinate (&plan->parallelism, rank).index[PLG_AXIS_EP] != 0)
        continue;
      plg_axis_group_members (&plan->parallelism, PLG_AXIS_EP, rank, ranks);
      for (int i = 0; i + 1 < degree; i++)
        hops.between_nodes += node_of (plan, ranks[i]) != node_of (plan, ranks[i + 1]);
      hops.total += degree - 1;
    }
  return hops;
}

PlgHops
plg_hops_count (const PlgPlan *plan, PlgAxis axis)
{
  return axis == PLG_AXIS_EP ? count_experts (plan) : count_nested (plan, axis);
}
