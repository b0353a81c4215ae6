/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/hops.h"

static int
node_of (const PlgPlan *plan, int rank)
{
  return plg_placement_gpu (&plan->placement, rank) / plan->cluster.gpus_per_node;
}

PlgHops
plg_hops_count (const PlgPlan *plan, PlgAxis axis)
{
  int degree = plan->parallelism.degree[axis], world = plg_plan_world (plan);
  int stride = axis != PLG_AXIS_EP ? plg_axis_stride (&plan->parallelism, axis) : 0;
  g_autofree int *ranks = axis == PLG_AXIS_EP ? g_new (int, degree) : NULL;
  PlgHops hops = { 0 };

  for (int rank = 0; degree > 1 && rank < world; rank++)
    if (axis != PLG_AXIS_EP)
      {
        /* Every rank except the last of its group has one hop, to the rank that is one stride
         * higher. */
        if (rank / stride % degree + 1 == degree)
          continue;
        hops.total++;
        hops.between_nodes += node_of (plan, rank) != node_of (plan, rank + stride);
      }
    else if (plg_rank_coordinate (&plan->parallelism, rank).index[PLG_AXIS_EP] == 0)
      {
        /* The members of an expert group have no constant stride, so count the hops of each
         * group once, from its list of members. */
        plg_axis_group_members (&plan->parallelism, PLG_AXIS_EP, rank, ranks);
        for (int i = 0; i + 1 < degree; i++)
          hops.between_nodes += node_of (plan, ranks[i]) != node_of (plan, ranks[i + 1]);
        hops.total += degree - 1;
      }
  return hops;
}
