/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/hops.h"

#include <string.h>

static void
count_group (PlgHops *hops, const PlgFabric *fabric, const PlgPlan *plan, const int *ranks, int n)
{
  for (int i = 0; i + 1 < n; i++)
    {
      int from = plg_placement_gpu (&plan->placement, ranks[i]);
      int to = plg_placement_gpu (&plan->placement, ranks[i + 1]);

      hops->kind[plg_fabric_route (fabric, from, to).kind]++;
      hops->total++;
    }
}

PlgHops
plg_hops_count (const PlgPlan *plan, PlgAxis axis)
{
  int degree = plan->parallelism.degree[axis], world = (int) plg_plan_world (plan);
  g_autofree int *ranks = g_new (int, degree);
  PlgHops hops = { 0 };
  PlgFabric fabric;

  plg_fabric_init (&fabric, &plan->cluster);
  for (int rank = 0; degree > 1 && rank < world; rank++)
    {
      /* Each group once: for its first member. */
      if (plg_rank_coordinate (&plan->parallelism, rank).index[axis] != 0)
        continue;
      plg_axis_group_members (&plan->parallelism, axis, rank, ranks);
      count_group (&hops, &fabric, plan, ranks, degree);
    }
  return hops;
}

int
plg_hops_between_nodes (const PlgHops *hops)
{
  return hops->kind[PLG_ROUTE_LEAF] + hops->kind[PLG_ROUTE_SPINE];
}

gboolean
plg_hops_equal (const PlgHops *a, const PlgHops *b)
{
  return a->total == b->total && memcmp (a->kind, b->kind, sizeof a->kind) == 0;
}
