/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/network/fabric.h"

#include "plans.h"

typedef struct
{
  const char *name;
  int nodes, gpus, nics;
  PlgIntra intra;
  PlgNetwork network;
  int inside, pcie, nic, uplinks; /* links of each kind */
} Shape;

static const Shape shapes[] = {
  { "dgx-h100", 8, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 64, 64, 64, 8 * 4 },
  { "four-nics", 8, 8, 4, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 64, 64, 32, 4 * 2 },
  { "aws-p5", 2, 8, 32, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 16, 16, 64, 32 * 16 },
  { "three-nics", 2, 8, 3, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 16, 16, 6, 3 },
  { "mi300x", 4, 8, 8, PLG_INTRA_MESH, PLG_NETWORK_RAIL, 4 * 28, 32, 32, 32 },
  { "tree", 16, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_TREE, 128, 128, 128, 4 * 2 },
  { "small-tree", 2, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_TREE, 16, 16, 16, 0 },
  { "flat-pcie", 4, 4, 1, PLG_INTRA_PCIE, PLG_NETWORK_FLAT, 0, 16, 4, 0 },
  { "two-units", 64, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 512, 512, 512, 16 * 8 },
  { "part-of-a-unit", 33, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 264, 264, 264, 16 * 8 },
  { "four-units", 128, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 1024, 1024, 1024, 32 * 16 },
  { "one-rail", 40, 8, 1, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 320, 320, 40, 2 },
  { "one-node", 1, 8, 8, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 8, 0, 0, 0 },
  { "one-pcie-node", 1, 4, 1, PLG_INTRA_PCIE, PLG_NETWORK_FLAT, 0, 4, 0, 0 },
  { "one-gpu", 1, 1, 1, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 0, 0, 0, 0 },
  { "lone-gpus", 4, 1, 1, PLG_INTRA_NVSWITCH, PLG_NETWORK_FLAT, 0, 4, 4, 0 },
  { "nvl72", 2, 72, 72, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 144, 144, 144, 72 * 16 },
};

static void
make (const Shape *shape, PlgCluster *cluster, PlgFabric *fabric)
{
  set_h100 (cluster, shape->nodes);
  cluster->gpus_per_node = shape->gpus;
  cluster->nics_per_node = shape->nics;
  cluster->intra = shape->intra;
  cluster->network = shape->network;
  plg_fabric_init (fabric, cluster);
}

/* The links match the shape, in four kinds, each with a unique name and two ends. */
static void
test_links (gconstpointer data)
{
  const Shape *shape = data;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  int counts[5] = { 0 };
  PlgFabric fabric;

  make (shape, &plan->cluster, &fabric);
  for (int i = 0; i < fabric.n_links; i++)
    {
      PlgLink link;
      g_autofree char *from = NULL;
      g_autofree char *to = NULL;

      plg_fabric_describe (&fabric, i, &link);
      from = plg_link_from (&link, plan);
      to = plg_link_to (&link, plan);
      g_assert_cmpstr (from, !=, to);
      g_assert_cmpfloat (link.bandwidth, >, 0.0);
      g_assert_true (g_hash_table_add (seen, plg_link_id (&link)));
      counts[link.tier]++;
    }
  g_assert_cmpint (counts[PLG_TIER_NVLINK], ==, shape->inside);
  g_assert_cmpint (counts[PLG_TIER_PCIE], ==, shape->pcie);
  g_assert_cmpint (counts[PLG_TIER_NIC], ==, shape->nic);
  g_assert_cmpint (counts[PLG_TIER_SPINE], ==, shape->uplinks);
}

/* Every GPU has the same share of the network, and every NIC the same load. */
static void
test_nic_shares (gconstpointer data)
{
  const Shape *shape = data;
  g_autofree double *load = NULL;
  PlgCluster cluster = { 0 };
  PlgFabric fabric;

  make (shape, &cluster, &fabric);
  load = g_new0 (double, fabric.nics);
  for (int local = 0; local < fabric.gpus; local++)
    {
      double sum = 0.0;
      int first, last;

      plg_fabric_nics_of (&fabric, local, &first, &last);
      g_assert_cmpint (first, >=, 0);
      g_assert_cmpint (last, <, fabric.nics);
      for (int nic = first; nic <= last; nic++)
        {
          sum += plg_fabric_nic_share (&fabric, local, nic);
          load[nic] += plg_fabric_nic_share (&fabric, local, nic);
        }
      assert_near (sum, 1.0, 1e-12);
    }
  for (int nic = 0; nic < fabric.nics; nic++)
    assert_near (load[nic], (double) fabric.gpus / fabric.nics, 1e-12);
  assert_near (fabric.nic_bandwidth * fabric.nics, fabric.inter_bandwidth * fabric.gpus, 1e-12);
}

static void
test_pairs_are_distinct (void)
{
  PlgCluster cluster = { 0 };
  PlgFabric fabric;
  int next = 0;

  make (&shapes[4], &cluster, &fabric);
  g_assert_true (plg_fabric_has_pairs (&fabric));
  for (int node = 0; node < 4; node++)
    for (int low = 0; low < 8; low++)
      for (int high = low + 1; high < 8; high++)
        {
          PlgLink link;

          g_assert_cmpint (plg_fabric_pair (&fabric, node, low, high), ==, next);
          plg_fabric_describe (&fabric, next++, &link);
          g_assert_cmpint (link.node, ==, node);
          g_assert_cmpint (link.local, ==, low);
          g_assert_cmpint (link.other, ==, high);
        }
}

/* Rails join equal NIC numbers of 32 nodes, a tree joins neighbours, a flat network joins all
 * nodes. */
static void
test_leaves (void)
{
  static const struct
  {
    PlgNetwork network;
    int a, b;
    gboolean same;
  } cases[] = {
    { PLG_NETWORK_RAIL, 0, 8, TRUE },   { PLG_NETWORK_RAIL, 0, 9, FALSE },
    { PLG_NETWORK_RAIL, 5, 253, TRUE }, { PLG_NETWORK_RAIL, 5, 261, FALSE },
    { PLG_NETWORK_TREE, 0, 9, TRUE },   { PLG_NETWORK_TREE, 0, 31, TRUE },
    { PLG_NETWORK_TREE, 0, 32, FALSE }, { PLG_NETWORK_FLAT, 0, 319, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Shape shape = { "", 40, 8, 8, PLG_INTRA_NVSWITCH, cases[i].network, 0, 0, 0, 0 };
      PlgCluster cluster = { 0 };
      PlgFabric fabric;

      make (&shape, &cluster, &fabric);
      g_assert_cmpint (plg_fabric_same_leaf (&fabric, cases[i].a, cases[i].b), ==, cases[i].same);
    }
}

/* Two GPUs on one NIC share its rail. */
static void
test_shared_nic (void)
{
  PlgCluster cluster = { 0 };
  PlgFabric fabric;

  make (&shapes[1], &cluster, &fabric);
  g_assert_true (plg_fabric_same_leaf (&fabric, 0, 9));
  g_assert_false (plg_fabric_same_leaf (&fabric, 1, 10));
  assert_near (fabric.nic_bandwidth, 2.0 * cluster.inter_bandwidth, 1e-12);
}

/* All uplinks of a leaf together have the bandwidth of its NICs over the oversubscription. */
static void
test_oversubscription (void)
{
  PlgCluster cluster = { 0 };
  PlgFabric fabric;

  set_h100 (&cluster, 8);
  cluster.oversubscription = 4.0;
  plg_fabric_init (&fabric, &cluster);
  assert_near (fabric.uplink_bandwidth * fabric.spines, 8 * 50e9 / 4.0, 1e-12);
  /* The leaf of the second unit has as many uplinks, although it serves fewer nodes. */
  cluster.nodes = 40;
  plg_fabric_init (&fabric, &cluster);
  assert_near (fabric.uplink_bandwidth * fabric.spines, 32 * 50e9 / 4.0, 1e-12);
}

/* The leaves and spines of NVIDIA's DGX SuperPOD reference architecture, units of 32 nodes: 16 and
 * 8 for two units, 32 and 16 for four. */
static void
test_units (void)
{
  static const struct
  {
    int nodes, units, leaves, spines;
  } rows[] = { { 32, 1, 8, 4 }, { 64, 2, 16, 8 }, { 128, 4, 32, 16 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgCluster cluster = { 0 };
      PlgFabric fabric;
      int unit;

      set_h100 (&cluster, rows[i].nodes);
      plg_fabric_init (&fabric, &cluster);
      g_assert_cmpint (fabric.units, ==, rows[i].units);
      g_assert_cmpint (fabric.leaves, ==, rows[i].leaves);
      g_assert_cmpint (fabric.spines, ==, rows[i].spines);
      g_assert_cmpint (plg_fabric_leaf (&fabric, rows[i].nodes - 1, 7), ==, rows[i].leaves - 1);
      g_assert_cmpint (plg_fabric_rail (&fabric, rows[i].leaves - 1, &unit), ==, 7);
      g_assert_cmpint (unit, ==, rows[i].units - 1);
    }
}

/* Ends are named after their rail in one unit, after their leaf in several. */
static void
test_names_in_units (void)
{
  for (int nodes = 32; nodes <= 64; nodes += 32)
    {
      g_autoptr (PlgPlan) plan = plg_plan_new ();
      g_autofree char *nic_end = NULL, *uplink_start = NULL;
      PlgFabric fabric;
      PlgLink link;

      set_h100 (&plan->cluster, nodes);
      plg_fabric_init (&fabric, &plan->cluster);
      plg_fabric_describe (&fabric, plg_fabric_nic (&fabric, nodes - 1, 5), &link);
      nic_end = plg_link_to (&link, plan);
      plg_fabric_describe (&fabric, plg_fabric_uplink (&fabric, fabric.leaves - 3, 1), &link);
      uplink_start = plg_link_from (&link, plan);
      g_assert_cmpstr (nic_end, ==, nodes == 32 ? "rail-5" : "leaf-13");
      g_assert_cmpstr (uplink_start, ==, nic_end);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *links = g_strdup_printf ("/engine/fabric/links/%s", shapes[i].name);
      g_autofree char *shares = g_strdup_printf ("/engine/fabric/nic-shares/%s", shapes[i].name);

      g_test_add_data_func (links, &shapes[i], test_links);
      g_test_add_data_func (shares, &shapes[i], test_nic_shares);
    }
  g_test_add_func ("/engine/fabric/pairs", test_pairs_are_distinct);
  g_test_add_func ("/engine/fabric/leaves", test_leaves);
  g_test_add_func ("/engine/fabric/shared-nic", test_shared_nic);
  g_test_add_func ("/engine/fabric/oversubscription", test_oversubscription);
  g_test_add_func ("/engine/fabric/units", test_units);
  g_test_add_func ("/engine/fabric/names-in-units", test_names_in_units);
  return g_test_run ();
}
