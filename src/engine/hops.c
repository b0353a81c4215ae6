/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/hops.h"

static void
count_group (PlgHops *hops, const PlgPlan *plan, const int *ranks, int n)
{
  int per_node = plan->cluster.gpus_per_node;

  for (int i = 0; i + 1 < n; i++)
    {
      int from = plg_placement_gpu (&plan->placement, ranks[i]);
      int to = plg_placement_gpu (&plan->placement, ranks[i + 1]);

      hops->between_nodes += from / per_node != to / per_node;
      hops->total++;
    }
}

PlgHops
plg_hops_count (const PlgPlan *plan, PlgAxis axis)
{
  int degree = plan->parallelism.degree[axis], world = plg_plan_world (plan);
  g_autofree int *ranks = g_new (int, degree);
  PlgHops hops = { 0 };

  for (int rank = 0; degree > 1 && rank < world; rank++)
    {
      /* Each group once: for its first member. */
      if (plg_rank_coordinate (&plan->parallelism, rank).index[axis] != 0)
        continue;
      plg_axis_group_members (&plan->parallelism, axis, rank, ranks);
      count_group (&hops, plan, ranks, degree);
    }
  return hops;
}
