/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/network/fabric-topology.h"

#include "engine/network/collective.h"
#include "engine/network/collective-steps.h"
#include "engine/network/route.h"
#include "plans.h"

/* The effect of a node topology; a topology without new facts changes nothing. */

#define PIX PLG_PATH_PIX
#define SYS PLG_PATH_SYS

static void
set_nics (PlgNodeTopology *topology, PlgPath near, PlgPath far, int shift)
{
  for (int gpu = 0; gpu < topology->gpus; gpu++)
    for (int nic = 0; nic < topology->nics; nic++)
      *plg_node_topology_to_nic (topology, gpu, nic) = nic == (gpu + shift) % topology->nics ? near
                                                                                             : far;
}

static void
set_pairs (PlgNodeTopology *topology, PlgPath path)
{
  for (int a = 0; a < topology->gpus; a++)
    for (int b = a + 1; b < topology->gpus; b++)
      plg_node_topology_set_pair (topology, a, b, path);
}

/* Returns eight H100 with a switch, each next to the NIC with its own number plus SHIFT. */
static PlgPlan *
switched_plan (int shift)
{
  PlgPlan *plan = teaching_plan ();

  set_h100 (&plan->cluster, 8);
  plg_node_topology_init (&plan->node_topology, 8, 8);
  set_pairs (&plan->node_topology, (PlgPath) { PLG_PATH_NVLINK, 18, 450e9 });
  set_nics (&plan->node_topology, (PlgPath) { PIX, 0, 63e9 }, (PlgPath) { SYS, 0, 22e9 }, shift);
  return plan;
}

static double
step_time (const PlgPlan *plan)
{
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_LINKS, NULL);

  return report->step.time;
}

static void
test_nothing_new (void)
{
  g_autoptr (PlgPlan) with = switched_plan (0);
  g_autoptr (PlgPlan) without = plg_plan_copy (with);
  PlgFabric fabric;

  plg_node_topology_clear (&without->node_topology);
  plg_fabric_of_plan (&fabric, with);
  g_assert_false (fabric.has_nearest_nics);
  g_assert_false (fabric.has_paths);
  g_assert_false (fabric.has_ring);
  g_assert_cmpfloat (step_time (with), ==, step_time (without));
}

static void
assert_nic (const PlgFabric *fabric, int local, int nic)
{
  int first, last;

  plg_fabric_nics_of (fabric, local, &first, &last);
  g_assert_cmpint (first, ==, last);
  g_assert_cmpint (plg_fabric_nic_at (fabric, local, first), ==, nic);
  g_assert_cmpfloat (plg_fabric_nic_share (fabric, local, first), ==, 1.0);
}

/* Other NICs are other rails, equal on every node, so the time stays the same. */
static void
test_other_nics (void)
{
  g_autoptr (PlgPlan) with = switched_plan (3);
  g_autoptr (PlgPlan) without = plg_plan_copy (with);
  PlgFabric fabric;

  plg_node_topology_clear (&without->node_topology);
  plg_fabric_of_plan (&fabric, with);
  g_assert_true (fabric.has_nearest_nics);
  assert_nic (&fabric, 0, 3);
  assert_nic (&fabric, 6, 1);
  g_assert_cmpint (plg_fabric_first_leaf (&fabric, 8), ==, 3);
  g_assert_cmpfloat (plg_fabric_inter_rate (&fabric, 0), ==, 1.0);
  g_assert_cmpfloat_with_epsilon (step_time (with), step_time (without),
                                  1e-9 * step_time (without));
}

/* All NICs are at one CPU: the GPUs at the other CPU have 10 GB/s of their 25. */
static void
test_slow_path (void)
{
  g_autoptr (PlgPlan) plan = switched_plan (0);
  double before;
  PlgFabric fabric;
  int first, last;

  plan->cluster.nics_per_node = 4;
  plan->cluster.inter_bandwidth = 25e9;
  plg_node_topology_clear (&plan->node_topology);
  before = step_time (plan);
  plg_node_topology_init (&plan->node_topology, 8, 4);
  set_pairs (&plan->node_topology, (PlgPath) { PLG_PATH_NVLINK, 18, 450e9 });
  for (int gpu = 0; gpu < 8; gpu++)
    for (int nic = 0; nic < 4; nic++)
      *plg_node_topology_to_nic (&plan->node_topology, gpu,
                                 nic) = gpu >= 4 ? (PlgPath) { SYS, 0, 10e9 }
                                                 : (PlgPath) { nic == gpu ? PIX : PLG_PATH_PHB, 0,
                                                               63e9 };
  plg_fabric_of_plan (&fabric, plan);
  /* GPUs at the other CPU send over all four NICs, which each also serve one local GPU. */
  assert_nic (&fabric, 0, 0);
  plg_fabric_nics_of (&fabric, 5, &first, &last);
  g_assert_cmpint (last - first, ==, 3);
  g_assert_cmpfloat_with_epsilon (plg_fabric_inter_rate (&fabric, 0), 1.0, 1e-12);
  g_assert_cmpfloat_with_epsilon (plg_fabric_inter_rate (&fabric, 5), 0.4, 1e-12);
  g_assert_cmpfloat (step_time (plan), >, before * 1.01);
}

/* A GPU with two NICs of its own uses both. */
static void
test_two_nics (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgFabric fabric;
  int first, last;

  set_h100 (&plan->cluster, 8);
  plan->cluster.nics_per_node = 16;
  plg_node_topology_init (&plan->node_topology, 8, 16);
  for (int gpu = 0; gpu < 8; gpu++)
    for (int nic = 0; nic < 16; nic++)
      plg_node_topology_to_nic (&plan->node_topology, gpu, nic)->type = nic % 8 == gpu ? PIX : SYS;
  plg_fabric_of_plan (&fabric, plan);
  plg_fabric_nics_of (&fabric, 2, &first, &last);
  g_assert_cmpint (last - first, ==, 1);
  g_assert_cmpint (plg_fabric_nic_at (&fabric, 2, first) % 8, ==, 2);
  g_assert_cmpfloat (plg_fabric_nic_share (&fabric, 2, last), ==, 0.5);
  g_assert_cmpfloat_with_epsilon (plg_fabric_inter_rate (&fabric, 2), 1.0, 1e-12);
}

/* NVLinks of a DGX-1 with V100 from `nvidia-smi topo -m` (25 GB/s each). */
static const char *const cube[8] = {
  "01122000", "10210200", "12020010", "21200001", "20000112", "02001021", "00101202", "00012120",
};

static PlgPlan *
cube_plan (gboolean bandwidths)
{
  PlgPlan *plan = teaching_plan ();

  set_h100 (&plan->cluster, 8);
  plan->cluster.intra = PLG_INTRA_MESH;
  plan->cluster.intra_bandwidth = 150e9;
  plan->cluster.multicast = FALSE;
  plan->cluster.gpu.pcie_bandwidth = 15.75e9;
  plg_node_topology_init (&plan->node_topology, 8, 0);
  for (int a = 0; a < 8; a++)
    for (int b = a + 1; b < 8; b++)
      {
        int links = cube[a][b] - '0';

        plg_node_topology_set_pair (&plan->node_topology, a, b,
                                    links > 0 ? (PlgPath) { PLG_PATH_NVLINK, links,
                                                            bandwidths ? links * 25e9 : 0 }
                                              : (PlgPath) { SYS, 0, 10e9 });
      }
  return plan;
}

static const struct
{
  int gpus[8], n;
  double bandwidth; /* GB/s */
} members[] = {
  { { 0, 1, 2, 3, 4, 5, 6, 7 }, 8, 150 }, /* all six links of each GPU */
  { { 0, 1, 2, 3 }, 4, 100 },             /* 1 + 1 + 2 of GPU 0 */
  { { 0, 3 }, 2, 50 },
  { { 8, 9 }, 2, 25 }, /* on the next node */
  { { 0, 5 }, 2, 10 }, /* no link: over the CPUs */
};

static void
test_mesh (gconstpointer data)
{
  g_autoptr (PlgPlan) plan = cube_plan (GPOINTER_TO_INT (data));
  PlgFabric fabric;

  plg_fabric_of_plan (&fabric, plan);
  g_assert_true (fabric.has_paths);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    g_assert_cmpfloat_with_epsilon (plg_fabric_members_bandwidth (&fabric, members[i].gpus,
                                                                  members[i].n) /
                                        1e9,
                                    members[i].bandwidth, 1e-9);
  g_assert_cmpint (plg_fabric_route (&fabric, 0, 3).kind, ==, PLG_ROUTE_NVLINK);
  g_assert_cmpfloat_with_epsilon (plg_fabric_route (&fabric, 0, 3).bandwidth, 50e9, 1);
  g_assert_cmpint (plg_fabric_route (&fabric, 0, 5).kind, ==, PLG_ROUTE_PCIE);
  g_assert_cmpfloat_with_epsilon (plg_fabric_route (&fabric, 0, 5).bandwidth, 10e9, 1);
}

/* Groups of four stay in one quarter; groups of two have double links or none, and the extent
 * shows it. */
static void
test_mesh_extent (void)
{
  g_autoptr (PlgPlan) plan = cube_plan (TRUE);
  PlgFabric fabric;
  PlgGroups groups;
  PlgGroupExtent extent;

  plan->cluster.nodes = 1;
  plan->parallelism.degree[PLG_AXIS_PP] = 1;
  plan->parallelism.degree[PLG_AXIS_TP] = 4;
  plan->parallelism.degree[PLG_AXIS_DP] = 2;
  plg_fabric_of_plan (&fabric, plan);
  plg_groups_init (&groups, &plan->parallelism, PLG_GROUP_TP);
  extent = plg_groups_extent (&groups, plan, &fabric);
  g_assert_cmpfloat_with_epsilon (extent.inside, 100e9, 1);
  plg_groups_init (&groups, &plan->parallelism, PLG_GROUP_DATA);
  extent = plg_groups_extent (&groups, plan, &fabric);
  /* 0 and 4, 1 and 5 have two links; 2 and 6, 3 and 7 have one. */
  g_assert_cmpfloat_with_epsilon (extent.inside, 25e9, 1);
  g_assert_cmpfloat (plg_collective_time (&fabric, &extent, PLG_COLLECTIVE_ALL_GATHER, 1e9), >,
                     0.5e9 / 25e9);
}

/* Missing links carry no traffic, and each GPU sends the same bytes as without the topology. */
static void
test_mesh_traffic (void)
{
  g_autoptr (PlgPlan) plan = cube_plan (TRUE);
  g_autoptr (PlgReport) with = plg_evaluate (plan, PLG_EVALUATE_LINKS, NULL), without = NULL;
  double sum[2] = { 0 };

  for (guint i = 0; i < with->links->len; i++)
    {
      const PlgLink *link = &g_array_index (with->links, PlgLink, i);

      if (link->tier != PLG_TIER_NVLINK)
        continue;
      sum[0] += link->bytes_out + link->bytes_in;
      if (cube[link->local][link->other] == '0')
        g_assert_cmpfloat (link->bytes_out + link->bytes_in, ==, 0);
    }
  plg_node_topology_clear (&plan->node_topology);
  without = plg_evaluate (plan, PLG_EVALUATE_LINKS, NULL);
  for (guint i = 0; i < without->links->len; i++)
    if (g_array_index (without->links, PlgLink, i).tier == PLG_TIER_NVLINK)
      sum[1] += g_array_index (without->links, PlgLink, i).bytes_out +
                g_array_index (without->links, PlgLink, i).bytes_in;
  g_assert_cmpfloat (sum[0], >, 0);
  g_assert_cmpfloat_with_epsilon (sum[0], sum[1], 1e-6 * sum[1]);
}

/* Four cards on two CPUs, two of them with a bridge. */
static void
test_pcie (void)
{
  static const int all[] = { 0, 1, 2, 3 }, bridged[] = { 0, 1 }, apart[] = { 2, 3 };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgFabric fabric;

  set_h100 (&plan->cluster, 2);
  plan->cluster.gpus_per_node = plan->cluster.nics_per_node = 4;
  plan->cluster.intra = PLG_INTRA_PCIE;
  plan->cluster.intra_bandwidth = 63e9;
  plg_node_topology_init (&plan->node_topology, 4, 0);
  set_pairs (&plan->node_topology, (PlgPath) { SYS, 0, 22e9 });
  plg_node_topology_set_pair (&plan->node_topology, 0, 1, (PlgPath) { PLG_PATH_NVLINK, 12, 300e9 });
  plg_node_topology_set_pair (&plan->node_topology, 2, 3, (PlgPath) { PIX, 0, 63e9 });
  plg_fabric_of_plan (&fabric, plan);
  g_assert_cmpfloat (plg_fabric_members_bandwidth (&fabric, all, 4), ==, 22e9);
  g_assert_cmpfloat (plg_fabric_members_bandwidth (&fabric, bridged, 2), ==, 300e9);
  g_assert_cmpfloat (plg_fabric_members_bandwidth (&fabric, apart, 2), ==, 63e9);
  g_assert_cmpint (plg_fabric_route (&fabric, 0, 1).kind, ==, PLG_ROUTE_NVLINK);
  g_assert_cmpint (plg_fabric_route (&fabric, 1, 2).kind, ==, PLG_ROUTE_PCIE);
  g_assert_cmpfloat (plg_fabric_route (&fabric, 1, 2).bandwidth, ==, 22e9);
}

/* GPUs send in the order of NCCL's ring. */
static void
test_ring (void)
{
  static const int order[] = { 0, 3, 2, 1, 5, 6, 7, 4 };
  g_autoptr (PlgPlan) plan = switched_plan (0);
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GArray) gpus = NULL;

  plg_node_topology_add_ring (&plan->node_topology, order);
  report = plg_evaluate (plan, PLG_EVALUATE_LINKS, NULL);
  for (guint i = 0; i < report->collectives->len && gpus == NULL; i++)
    if (g_array_index (report->collectives, PlgCollective, i).group == PLG_GROUP_TP)
      gpus = plg_collective_steps_gpus (plan,
                                        &g_array_index (report->collectives, PlgCollective, i), 8);
  g_assert_nonnull (gpus);
  g_assert_cmpint (gpus->len, ==, 8);
  for (int i = 0; i < 8; i++)
    g_assert_cmpint (g_array_index (gpus, int, i), ==, 8 + order[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fabric-topology/nothing-new", test_nothing_new);
  g_test_add_func ("/fabric-topology/other-nics", test_other_nics);
  g_test_add_func ("/fabric-topology/slow-path", test_slow_path);
  g_test_add_func ("/fabric-topology/two-nics", test_two_nics);
  g_test_add_data_func ("/fabric-topology/mesh/bandwidths", GINT_TO_POINTER (TRUE), test_mesh);
  g_test_add_data_func ("/fabric-topology/mesh/links", GINT_TO_POINTER (FALSE), test_mesh);
  g_test_add_func ("/fabric-topology/mesh-extent", test_mesh_extent);
  g_test_add_func ("/fabric-topology/mesh-traffic", test_mesh_traffic);
  g_test_add_func ("/fabric-topology/pcie", test_pcie);
  g_test_add_func ("/fabric-topology/ring", test_ring);
  return g_test_run ();
}
