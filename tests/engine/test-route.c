/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/network/route.h"

#include "plan/fault.h"
#include "plans.h"

typedef struct
{
  const char *name;
  int nodes, gpus, nics;
  PlgIntra intra;
  PlgNetwork network;
  int a, b;
  PlgRouteKind kind;
  double gigabytes; /* bytes per second and direction */
} Way;

/* Stated bandwidths: 450 GB/s of NVLink and 50 GB/s of NICs per GPU. */
static const Way ways[] = {
  { "self", 8, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 3, 3, PLG_ROUTE_SELF, 0 },
  { "node", 8, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 0, 7, PLG_ROUTE_NVLINK, 450 },
  { "rail", 8, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 3, 11, PLG_ROUTE_LEAF, 50 },
  { "rails", 8, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 3, 12, PLG_ROUTE_SPINE, 50 },
  { "units", 64, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 3, 63 * 8 + 3, PLG_ROUTE_SPINE, 50 },
  { "shared-nics", 8, 8, 4, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 0, 8, PLG_ROUTE_LEAF, 50 },
  { "tree", 16, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_TREE, 0, 12, PLG_ROUTE_LEAF, 50 },
  { "trees", 16, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_TREE, 0, 127, PLG_ROUTE_SPINE, 50 },
  { "flat", 4, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_FLAT, 0, 31, PLG_ROUTE_LEAF, 50 },
  { "mesh", 4, 8, 8, PLG_INTRA_MESH, PLG_NETWORK_RAIL, 1, 6, PLG_ROUTE_NVLINK, 450.0 / 7 },
};

static void
test_way (gconstpointer data)
{
  const Way *way = data;
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  PlgFabric fabric;
  PlgRoute there, back;

  set_h100 (&plan->cluster, way->nodes);
  plan->cluster.gpus_per_node = way->gpus;
  plan->cluster.nics_per_node = way->nics;
  plan->cluster.intra = way->intra;
  plan->cluster.network = way->network;
  plg_fabric_init (&fabric, &plan->cluster);
  there = plg_fabric_route (&fabric, way->a, way->b);
  back = plg_fabric_route (&fabric, way->b, way->a);
  g_assert_cmpint (there.kind, ==, way->kind);
  g_assert_cmpfloat_with_epsilon (there.bandwidth, way->gigabytes * 1e9, 1e3);
  g_assert_cmpint (back.kind, ==, there.kind);
  g_assert_cmpfloat (back.bandwidth, ==, there.bandwidth);
}

/* A slow part narrows all routes through it and no others. */
static void
test_fault (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  PlgFabric fabric;

  set_h100 (&plan->cluster, 8);
  plan->cluster.faults[0] = (PlgFault) { .kind = PLG_FAULT_PORT, .first = 3, .rate = 0.5 };
  plan->cluster.n_faults = 1;
  plg_fabric_init (&fabric, &plan->cluster);
  g_assert_cmpfloat_with_epsilon (plg_fabric_route (&fabric, 3, 0).bandwidth, 225e9, 1);
  g_assert_cmpfloat_with_epsilon (plg_fabric_route (&fabric, 5, 3).bandwidth, 225e9, 1);
  g_assert_cmpfloat_with_epsilon (plg_fabric_route (&fabric, 5, 0).bandwidth, 450e9, 1);
  g_assert_cmpfloat_with_epsilon (plg_fabric_route (&fabric, 3, 11).bandwidth, 50e9, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *path = g_strconcat ("/route/", ways[i].name, NULL);

      g_test_add_data_func (path, &ways[i], test_way);
    }
  g_test_add_func ("/route/fault", test_fault);
  return g_test_run ();
}
