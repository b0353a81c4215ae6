/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/model/flops.h"
#include "engine/network/collective.h"

#include "plans.h"

static PlgFabric
h100 (int nodes)
{
  PlgCluster cluster = { 0 };
  PlgFabric fabric;

  set_h100 (&cluster, nodes);
  plg_fabric_init (&fabric, &cluster);
  return fabric;
}

static PlgGroupExtent
span_of (int nodes, int per_node)
{
  return (PlgGroupExtent) { .size = nodes * per_node, .nodes = nodes, .per_node = per_node };
}

static double
bus (const PlgFabric *fabric, const PlgGroupExtent *extent, PlgCollectiveKind kind, double bytes)
{
  double time = plg_collective_time (fabric, extent, kind, bytes);

  return plg_collective_bus_bandwidth (kind, extent->size, bytes, time) / 1e9;
}

static double
dispatch_time (const PlgFabric *fabric,
               const PlgGroupExtent *extent,
               double bytes,
               int top_k,
               double *once)
{
  PlgTransformer model = { .experts = 256, .top_k = top_k };
  PlgCollectiveCost cost = plg_collective_dispatch_cost (fabric, extent, bytes, &model, once);

  return plg_collective_cost_time (&cost);
}

/* Bus bandwidth of nccl-tests in GB/s from public issues: H100 and H200 in one node with NVLink
 * SHARP (all-reduce) and without (the others), and over four nodes. An all-to-all over two nodes with
 * 400 Gb/s per GPU reaches 85 GB/s on H200 with EFA and 90 GB/s on B200 with InfiniBand. */
static void
test_measured (void)
{
  static const struct
  {
    int nodes;
    PlgCollectiveKind kind;
    double bytes, measured, within;
  } rows[] = {
    { 1, PLG_COLLECTIVE_ALL_REDUCE, 4e9, 476.0, 0.06 },
    { 1, PLG_COLLECTIVE_ALL_REDUCE, 256e6, 436.0, 0.08 },
    { 1, PLG_COLLECTIVE_ALL_REDUCE, 64e6, 346.0, 0.2 },
    { 1, PLG_COLLECTIVE_ALL_GATHER, 8e9, 361.0, 0.03 },
    { 1, PLG_COLLECTIVE_REDUCE_SCATTER, 8e9, 363.0, 0.03 },
    { 4, PLG_COLLECTIVE_ALL_REDUCE, 16e9, 365.8, 0.03 },
    { 2, PLG_COLLECTIVE_ALL_TO_ALL, 1e9, 87.5, 0.03 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgFabric fabric = h100 (rows[i].nodes);
      PlgGroupExtent extent = span_of (rows[i].nodes, 8);

      assert_near (bus (&fabric, &extent, rows[i].kind, rows[i].bytes), rows[i].measured,
                   rows[i].within);
    }
}

/* All bytes of a broadcast pass each link, and nccl-tests prints its bytes over its time. */
static void
test_broadcast (void)
{
  for (int nodes = 1; nodes <= 4; nodes *= 2)
    {
      PlgFabric fabric = h100 (nodes);
      PlgGroupExtent extent = span_of (nodes, 8);
      double bytes = 8e9, n = extent.size;
      double broadcast = plg_collective_time (&fabric, &extent, PLG_COLLECTIVE_BROADCAST, bytes);
      double gather = plg_collective_time (&fabric, &extent, PLG_COLLECTIVE_ALL_GATHER, bytes);

      assert_near (broadcast / gather, n / (n - 1.0), 0.01);
      assert_near (bus (&fabric, &extent, PLG_COLLECTIVE_BROADCAST, bytes) * 1e9 * broadcast, bytes,
                   1e-9);
      g_assert_cmpfloat (plg_collective_least_time (&fabric, PLG_COLLECTIVE_BROADCAST, extent.size,
                                                    bytes),
                         <=, broadcast);
    }
}

/* Without NVLink SHARP an all-reduce in a node is a ring: 367 GB/s (nccl-tests on H200 with
 * NCCL_NVLS_ENABLE=0). All other collectives stay the same. */
static void
test_multicast (void)
{
  PlgGroupExtent node = span_of (1, 8);
  PlgFabric with = h100 (1), without;
  PlgCluster cluster = { 0 };

  set_h100 (&cluster, 1);
  cluster.multicast = FALSE;
  plg_fabric_init (&without, &cluster);
  assert_near (bus (&without, &node, PLG_COLLECTIVE_ALL_REDUCE, 8e9), 367.0, 0.02);
  g_assert_cmpfloat (bus (&with, &node, PLG_COLLECTIVE_ALL_REDUCE, 8e9), >, 450.0);
  g_assert_cmpfloat (bus (&with, &node, PLG_COLLECTIVE_ALL_GATHER, 8e9), ==,
                     bus (&without, &node, PLG_COLLECTIVE_ALL_GATHER, 8e9));
  /* Only a switch can multicast. */
  cluster.multicast = TRUE;
  cluster.intra = PLG_INTRA_MESH;
  plg_fabric_init (&without, &cluster);
  g_assert_false (without.multicast);
}

/* DeepSeek-V3's eight experts on two and four nodes of H100: DeepEP prints 43 and 44 GB/s
 * between nodes, counting each token once per node (README of github.com/deepseek-ai/DeepEP,
 * normal kernels). Here the NICs achieve the same share of 50 GB/s. */
static void
test_dispatch (void)
{
  for (int nodes = 2; nodes <= 4; nodes *= 2)
    {
      PlgFabric fabric = h100 (nodes);
      PlgGroupExtent extent = span_of (nodes, 8);
      double bytes = 4096.0 * 8 * 7168 * 2, once, wire;
      double time = dispatch_time (&fabric, &extent, bytes, 8, &once);
      double plain = plg_collective_time (&fabric, &extent, PLG_COLLECTIVE_ALL_TO_ALL, bytes);
      double sent = plg_collective_dispatch_sent (&extent, bytes, once);

      assert_near (once, nodes * (1.0 - pow (1.0 - 1.0 / nodes, 8)) / 8.0, 1e-12);
      wire = once * bytes * (nodes - 1) / nodes;
      assert_near (sent, wire + bytes * 7.0 / 8.0, 1e-12);
      assert_near (wire / time / 1e9, 43.5, 0.1);
      g_assert_cmpfloat (time, <, plain);
    }
}

/* With one expert per token, or inside a node, dispatch cannot save any copies. */
static void
test_dispatch_of_one (void)
{
  PlgFabric fabric = h100 (2);
  PlgGroupExtent extent = span_of (2, 8), node = span_of (1, 8);
  double once, time = dispatch_time (&fabric, &extent, 1e9, 1, &once);

  g_assert_cmpfloat (once, ==, 1.0);
  g_assert_cmpfloat (time, ==,
                     plg_collective_time (&fabric, &extent, PLG_COLLECTIVE_ALL_TO_ALL, 1e9));
  assert_near (plg_collective_dispatch_sent (&extent, 1e9, once), 15.0 / 16.0 * 1e9, 1e-12);
  dispatch_time (&fabric, &node, 1e9, 8, &once);
  g_assert_cmpfloat (once, ==, 1.0);
}

/* All sets of experts are equally likely. */
static void
test_expected_places (void)
{
  assert_near (plg_expected_places (1, 8, 2), 1.0, 1e-12);
  assert_near (plg_expected_places (8, 8, 8), 8.0, 1e-12);
  assert_near (plg_expected_places (8, 8, 2), 2.0, 1e-12);
  assert_near (plg_expected_places (4, 8, 1), 1.0, 1e-12);
  /* Two of four experts lie on the same of two nodes in 2 of 6 cases. */
  assert_near (plg_expected_places (2, 4, 2), 5.0 / 3.0, 1e-12);
  /* With many experts, each choice is independent. */
  assert_near (plg_expected_places (8, 65536, 8), 8.0 * (1.0 - pow (7.0 / 8.0, 8)), 1e-3);
}

/* A router with groups sends a token to few places. DeepSeek-V3 uses 4 of 8 groups of 32 experts:
 * with one group per node, a token reaches at most 4 nodes. */
static void
test_expert_groups (void)
{
  PlgTransformer any = { .experts = 256, .top_k = 8 }, limited = any, one = any;

  limited.expert_groups = 8;
  limited.top_groups = 4;
  assert_near (plg_expert_places (&limited, 8), plg_expected_places (4, 128, 8), 1e-12);
  /* Each group lies on two of 16 nodes. */
  assert_near (plg_expert_places (&limited, 16), plg_expected_places (8, 128, 8), 1e-12);
  assert_near (plg_expert_places (&limited, 1), 1.0, 1e-12);
  for (int places = 2; places <= 256; places *= 2)
    {
      g_assert_cmpfloat (plg_expert_places (&limited, places), <=,
                         plg_expert_places (&any, places) * (1.0 + 1e-12));
      g_assert_cmpfloat (plg_place_copies (&limited, places), <=,
                         plg_place_copies (&any, places) + 0.02);
      assert_near (plg_expert_places (&any, places), plg_expected_places (places, 256, 8), 1e-12);
    }
  /* One group of as many experts as a token uses: all of them, on the two GPUs that have the group. */
  one.expert_groups = 32;
  one.top_groups = 1;
  assert_near (plg_expert_places (&one, 64), 2.0, 1e-12);
  assert_near (plg_expert_places (&one, 8), 1.0, 1e-12);
}

/* The bandwidths that the authors of DeepEP (docs/legacy.md) and HybridEP
 * (Hybrid-EP_Implementation.md) print for 4,096 tokens of 7,168 values and eight experts per token.
 * They count the copies that stay on a GPU or a node, too. */
static void
test_forward (void)
{
  static const struct
  {
    PlgDispatcher dispatcher;
    double port; /* GB/s */
    int nodes, per_node;
    double printed; /* GB/s */
    double within;
  } rows[] = {
    { PLG_DISPATCHER_DEEPEP, 200.0, 1, 8, 155.5, 0.05 },
    { PLG_DISPATCHER_DEEPEP, 200.0, 4, 8, 57.5, 0.05 },
    { PLG_DISPATCHER_DEEPEP, 200.0, 8, 8, 50.5, 0.05 },
    { PLG_DISPATCHER_HYBRIDEP, 450.0, 8, 8, 49.9, 0.1 },
    { PLG_DISPATCHER_HYBRIDEP, 900.0, 1, 32, 623.7, 0.2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgCluster cluster = { 0 };
      PlgFabric fabric;
      PlgGroupExtent extent = span_of (rows[i].nodes, rows[i].per_node);
      double token = 4096.0 * 7168 * 2, ranks = plg_expected_places (extent.size, 256, 8);
      double nodes = plg_expected_places (extent.nodes, 256, 8);
      PlgCollectiveCost cost;

      set_h100 (&cluster, rows[i].nodes);
      cluster.gpus_per_node = rows[i].per_node;
      cluster.intra_bandwidth = 1e9 * rows[i].port;
      plg_fabric_init (&fabric, &cluster);
      cost = plg_collective_forward_cost (&fabric, &extent, rows[i].dispatcher, ranks * token,
                                          nodes / ranks);
      assert_near ((rows[i].nodes > 1 ? nodes : ranks) * token / plg_collective_cost_time (&cost) /
                       1e9,
                   rows[i].printed, rows[i].within);
      g_assert_cmpfloat (plg_collective_least_forward_time (&fabric, rows[i].dispatcher,
                                                            extent.size, ranks * token, token,
                                                            &(PlgTransformer) { .experts = 256,
                                                                                .top_k = 8 }),
                         <=, plg_collective_cost_time (&cost));
    }
}

/* A GPU of a mesh has one link to each other GPU, so pairs are slow: MI300X, 47.7 GB/s for two
 * GPUs and 312.9 for eight. */
static void
test_mesh (void)
{
  PlgCluster cluster = { 0 };
  PlgFabric fabric;
  PlgGroupExtent two = span_of (1, 2), eight = span_of (1, 8);

  set_h100 (&cluster, 1);
  cluster.intra = PLG_INTRA_MESH;
  cluster.intra_bandwidth = 448e9;
  cluster.intra_efficiency = 0.7;
  plg_fabric_init (&fabric, &cluster);
  assert_near (bus (&fabric, &two, PLG_COLLECTIVE_ALL_REDUCE, 4e9), 47.7, 0.08);
  assert_near (bus (&fabric, &eight, PLG_COLLECTIVE_ALL_REDUCE, 4e9), 312.9, 0.03);
}

/* Rings between nodes reach half of the bandwidth at about 1.9 MB times the GPUs. */
static void
test_half_message (void)
{
  for (int nodes = 2; nodes <= 8; nodes *= 2)
    {
      PlgFabric fabric = h100 (nodes);
      PlgGroupExtent extent = span_of (nodes, 8);
      double most = bus (&fabric, &extent, PLG_COLLECTIVE_ALL_GATHER, 1e12);
      double half = bus (&fabric, &extent, PLG_COLLECTIVE_ALL_GATHER, 1.9e6 * extent.size);

      g_assert_cmpfloat (half, >, 0.35 * most);
      g_assert_cmpfloat (half, <, 0.65 * most);
    }
}

static void
test_nothing_to_do (void)
{
  PlgFabric fabric = h100 (2);
  PlgGroupExtent alone = { .size = 1, .nodes = 1, .per_node = 1 }, many = span_of (2, 8);

  for (int kind = 0; kind <= PLG_COLLECTIVE_SEND_RECV; kind++)
    {
      g_assert_cmpfloat (plg_collective_time (&fabric, &alone, kind, 1e9), ==, 0.0);
      g_assert_cmpfloat (plg_collective_time (&fabric, &many, kind, 0.0), ==, 0.0);
      g_assert_cmpfloat (plg_collective_sent (kind, 1, 1e9), ==, 0.0);
    }
}

static void
test_sent_bytes (void)
{
  g_assert_cmpfloat (plg_collective_sent (PLG_COLLECTIVE_ALL_REDUCE, 8, 8.0), ==, 14.0);
  g_assert_cmpfloat (plg_collective_sent (PLG_COLLECTIVE_ALL_GATHER, 8, 8.0), ==, 7.0);
  g_assert_cmpfloat (plg_collective_sent (PLG_COLLECTIVE_REDUCE_SCATTER, 8, 8.0), ==, 7.0);
  g_assert_cmpfloat (plg_collective_sent (PLG_COLLECTIVE_ALL_TO_ALL, 8, 8.0), ==, 7.0);
  g_assert_cmpfloat (plg_collective_sent (PLG_COLLECTIVE_SEND_RECV, 2, 8.0), ==, 8.0);
}

/* More bytes never take less time; more members per node, which add NICs, never take more. */
static void
test_monotone (void)
{
  PlgFabric fabric = h100 (8);

  for (int kind = 0; kind <= PLG_COLLECTIVE_SEND_RECV; kind++)
    for (int nodes = 1; nodes <= 8; nodes *= 2)
      {
        PlgGroupExtent extent = span_of (nodes, nodes == 1 ? 8 : 4);
        double before = 0.0;

        for (double bytes = 1.0; bytes < 1e12; bytes *= 1.7)
          {
            double time = plg_collective_time (&fabric, &extent, kind, bytes);

            g_assert_cmpfloat (time, >=, before);
            before = time;
          }
      }
}

/* A TP group of eight in a node, over two nodes with four NICs each, and over eight nodes with
 * one each. */
static void
test_crossing_costs (void)
{
  PlgFabric fabric = h100 (8);
  double before = 0.0;

  for (int nodes = 1; nodes <= 8; nodes *= 2)
    {
      PlgGroupExtent extent = span_of (nodes, 8 / nodes);
      double time = plg_collective_time (&fabric, &extent, PLG_COLLECTIVE_ALL_GATHER, 134e6);

      g_assert_cmpfloat (time, >, before);
      before = time;
    }
}

static double
time_of (gboolean rdma, double oversubscription, double spine)
{
  PlgCluster cluster = { 0 };
  PlgFabric fabric;
  PlgGroupExtent extent = span_of (4, 2);

  set_h100 (&cluster, 4);
  cluster.rdma = rdma;
  cluster.oversubscription = oversubscription;
  plg_fabric_init (&fabric, &cluster);
  extent.ring_uplink_use = extent.pair_uplink_use = spine;
  return plg_collective_time (&fabric, &extent, PLG_COLLECTIVE_ALL_GATHER, 1e9);
}

static void
test_network (void)
{
  double plain = time_of (TRUE, 1.0, 1.0);

  g_assert_cmpfloat (time_of (TRUE, 1.0, 0.0), ==, plain);
  g_assert_cmpfloat (time_of (TRUE, 4.0, 0.0), ==, plain);
  assert_near (time_of (TRUE, 4.0, 1.0), 4.0 * plain, 0.05);
  g_assert_cmpfloat (time_of (TRUE, 4.0, 0.5), <, time_of (TRUE, 4.0, 1.0));
  g_assert_cmpfloat (time_of (FALSE, 1.0, 0.0), >, 1.4 * plain);
}

/* A message of one byte takes a few microseconds, and longer in a longer ring. */
static void
test_latency (void)
{
  PlgFabric fabric = h100 (8);
  PlgGroupExtent pair = span_of (1, 2), node = span_of (1, 8), all = span_of (8, 8);
  double two = plg_collective_time (&fabric, &pair, PLG_COLLECTIVE_ALL_REDUCE, 8.0);
  double eight = plg_collective_time (&fabric, &node, PLG_COLLECTIVE_ALL_REDUCE, 8.0);
  double many = plg_collective_time (&fabric, &all, PLG_COLLECTIVE_ALL_REDUCE, 8.0);

  g_assert_cmpfloat (two, <, eight);
  g_assert_cmpfloat (eight, <, 30e-6);
  g_assert_cmpfloat (eight, <, many);
  g_assert_cmpfloat (many, <, 100e-6); /* the tree instead of the ring */
}

static void
test_exposed_time (void)
{
  g_assert_cmpfloat (plg_collective_exposed_time (2.0, 0.0, 0.1), ==, 2.0);
  assert_near (plg_collective_exposed_time (2.0, 5.0, 0.1), 0.2, 1e-12);
  assert_near (plg_collective_exposed_time (2.0, 1.0, 0.1), 1.1, 1e-12);
  g_assert_cmpfloat (plg_collective_exposed_time (2.0, -1.0, 0.1), ==, 2.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/collective/measured", test_measured);
  g_test_add_func ("/engine/collective/broadcast", test_broadcast);
  g_test_add_func ("/engine/collective/multicast", test_multicast);
  g_test_add_func ("/engine/collective/dispatch", test_dispatch);
  g_test_add_func ("/engine/collective/expected-places", test_expected_places);
  g_test_add_func ("/engine/collective/expert-groups", test_expert_groups);
  g_test_add_func ("/engine/collective/forward", test_forward);
  g_test_add_func ("/engine/collective/dispatch-of-one", test_dispatch_of_one);
  g_test_add_func ("/engine/collective/mesh", test_mesh);
  g_test_add_func ("/engine/collective/half-message", test_half_message);
  g_test_add_func ("/engine/collective/nothing", test_nothing_to_do);
  g_test_add_func ("/engine/collective/sent-bytes", test_sent_bytes);
  g_test_add_func ("/engine/collective/monotone", test_monotone);
  g_test_add_func ("/engine/collective/crossing", test_crossing_costs);
  g_test_add_func ("/engine/collective/network", test_network);
  g_test_add_func ("/engine/collective/latency", test_latency);
  g_test_add_func ("/engine/collective/exposed-time", test_exposed_time);
  return g_test_run ();
}
