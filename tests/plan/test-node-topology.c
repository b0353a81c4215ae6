/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "plan/edit.h"
#include "plan/node-topology.h"

#include <math.h>
#include <string.h>

static void
test_paths_as_text (void)
{
  static const struct
  {
    const char *text;
    PlgPathType type; /* PLG_N_PATH_TYPES: refused */
    int links;
    double bandwidth;
  } rows[] = {
    { "X", PLG_PATH_SELF, 0, 0 },
    { "NV18", PLG_PATH_NVLINK, 18, 0 },
    { "NV18:450", PLG_PATH_NVLINK, 18, 450e9 },
    { "NV", PLG_PATH_NVLINK, 0, 0 },
    { "NVB", PLG_PATH_NVB, 0, 0 },
    { "NVB2:50", PLG_PATH_NVB, 2, 50e9 },
    { "C2C:223.56", PLG_PATH_C2C, 0, 223.56e9 },
    { "P2C", PLG_PATH_P2C, 0, 0 },
    { "PIX:31.5", PLG_PATH_PIX, 0, 31.5e9 },
    { "NODE", PLG_PATH_NODE, 0, 0 },
    { "SYS:0.1", PLG_PATH_SYS, 0, 1e8 },
    { "?", PLG_PATH_UNKNOWN, 0, 0 },
    { "PIX:63/PIX:48", PLG_PATH_PIX, 0, 63e9 },
    { "?/SYS:10", PLG_PATH_UNKNOWN, 0, 0 },
    { "NV12/NV:240", PLG_PATH_NVLINK, 12, 0 },
    { "PIX/PIX", PLG_N_PATH_TYPES, 0, 0 },
    { "PIX/", PLG_N_PATH_TYPES, 0, 0 },
    { "PIX/NV18:450", PLG_N_PATH_TYPES, 0, 0 },
    { "PIX/PIX:1/PIX:1", PLG_N_PATH_TYPES, 0, 0 },
    { "/PIX:48", PLG_N_PATH_TYPES, 0, 0 },
    { "", PLG_N_PATH_TYPES, 0, 0 },
    { "NVX", PLG_N_PATH_TYPES, 0, 0 },
    { "pix", PLG_N_PATH_TYPES, 0, 0 },
    { "PIX:", PLG_N_PATH_TYPES, 0, 0 },
    { "PIX:-1", PLG_N_PATH_TYPES, 0, 0 },
    { "PIX:1e3", PLG_N_PATH_TYPES, 0, 0 },
    { "PIX:0x10", PLG_N_PATH_TYPES, 0, 0 },
    { "PIX:inf", PLG_N_PATH_TYPES, 0, 0 },
    { "PIX:99999999999999999999", PLG_N_PATH_TYPES, 0, 0 },
    { "NV99999999999999999999", PLG_N_PATH_TYPES, 0, 0 },
    { "NV18:450 ", PLG_N_PATH_TYPES, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgPath path = { 0 };
      g_autofree char *again = NULL;

      g_assert_cmpint (plg_path_from_string (&path, rows[i].text), ==,
                       rows[i].type != PLG_N_PATH_TYPES);
      if (rows[i].type == PLG_N_PATH_TYPES)
        continue;
      g_assert_cmpint (path.type, ==, rows[i].type);
      g_assert_cmpint (path.links, ==, rows[i].links);
      g_assert_cmpfloat (path.bandwidth, ==, rows[i].bandwidth);
      again = plg_path_to_string (&path);
      g_assert_cmpstr (again, ==, rows[i].text);
    }
}

static void
test_words (void)
{
  PlgPath switched = { PLG_PATH_NVLINK, 18, 450e9 }, bridge = { PLG_PATH_PIX, 0, 63e9 };
  PlgPath bare = { PLG_PATH_SYS, 0, 0 };
  g_autofree char *a = plg_path_describe (&switched, "NVLink");
  g_autofree char *b = plg_path_describe (&switched, "Infinity Fabric");
  g_autofree char *c = plg_path_describe (&bridge, "NVLink");
  g_autofree char *d = plg_path_describe (&bare, "NVLink");

  g_assert_cmpstr (a, ==, "NV18, 450\u00a0GB/s");
  g_assert_cmpstr (b, ==, "Infinity Fabric × 18, 450\u00a0GB/s");
  g_assert_cmpstr (c, ==, "PIX, 63\u00a0GB/s");
  g_assert_cmpstr (d, ==, "SYS");
}

/* TYPE of the path from each of four GPUs to each NIC, row by row. */
static void
fill (PlgNodeTopology *topology, int nics, const PlgPathType *types)
{
  plg_node_topology_init (topology, 4, nics);
  for (int a = 0; a < 4; a++)
    for (int b = a + 1; b < 4; b++)
      plg_node_topology_set_pair (topology, a, b, (PlgPath) { .type = PLG_PATH_SYS });
  for (int i = 0; i < 4 * nics; i++)
    topology->nic[i].type = types[i];
}

static void
assert_nics (const PlgNodeTopology *topology, int gpu, int n, int first, int second)
{
  int nics[4] = { -1, -1, -1, -1 };

  g_assert_cmpint (plg_node_topology_nics_of (topology, gpu, nics, 4), ==, n);
  g_assert_cmpint (nics[0], ==, first);
  if (n > 1)
    g_assert_cmpint (nics[1], ==, second);
}

#define PIX PLG_PATH_PIX
#define SYS PLG_PATH_SYS
#define WHAT PLG_PATH_UNKNOWN

/* Computed by hand from ncclTopoGetLocalNet: net = mirrorBits (dev, n) + channel % ceil (n /
 * GPUs). */
static void
test_nearest_nics (void)
{
  static const PlgPathType crossed[] = { SYS, PIX, PIX, SYS, SYS, PIX, PIX, SYS };
  static const PlgPathType shared[] = { PIX, PIX, SYS, SYS, PIX, PIX, SYS, SYS,
                                        SYS, SYS, PIX, PIX, SYS, SYS, PIX, PIX };
  static const PlgPathType own[] = { PIX, PIX, SYS, SYS, SYS, SYS, PIX, PIX,
                                     SYS, SYS, SYS, SYS, SYS, SYS, SYS, SYS };
  static const PlgPathType none[] = { WHAT, WHAT, WHAT, WHAT };
  PlgNodeTopology topology;

  fill (&topology, 2, crossed);
  assert_nics (&topology, 0, 1, 1, 0);
  assert_nics (&topology, 1, 1, 0, 0);
  assert_nics (&topology, 2, 1, 1, 0);
  plg_node_topology_clear (&topology);

  /* Two GPUs near two NICs take one each, by the parity of their numbers. */
  fill (&topology, 4, shared);
  assert_nics (&topology, 0, 1, 0, 0);
  assert_nics (&topology, 1, 1, 1, 0);
  assert_nics (&topology, 2, 1, 2, 0);
  assert_nics (&topology, 3, 1, 3, 0);
  plg_node_topology_clear (&topology);

  /* A GPU alone near two NICs takes both. A GPU equally far from four NICs, of which the first
   * has one GPU near it, takes all four, beginning with the mirrored bits of its number. */
  fill (&topology, 4, own);
  assert_nics (&topology, 0, 2, 0, 1);
  assert_nics (&topology, 1, 2, 3, 2);
  assert_nics (&topology, 2, 4, 1, 2);
  assert_nics (&topology, 3, 4, 3, 0);
  plg_node_topology_clear (&topology);

  fill (&topology, 1, none);
  assert_nics (&topology, 0, 0, -1, 0);
  plg_node_topology_clear (&topology);
}

/* The faster of two paths of equal type is nearer. */
static void
test_bandwidth_decides (void)
{
  static const PlgPathType types[] = { PIX, PIX, PIX, PIX, PIX, PIX, PIX, PIX };
  PlgNodeTopology topology;

  fill (&topology, 2, types);
  plg_node_topology_to_nic (&topology, 0, 0)->bandwidth = 12e9;
  plg_node_topology_to_nic (&topology, 0, 1)->bandwidth = 24e9;
  assert_nics (&topology, 0, 1, 1, 0);
  /* Planned paths are compared if both are known. */
  plg_node_topology_to_nic (&topology, 0, 0)->planned = (PlgPlannedPath) { PIX, 10e9 };
  plg_node_topology_to_nic (&topology, 0, 1)->planned = (PlgPlannedPath) { PIX, 5e9 };
  assert_nics (&topology, 0, 1, 0, 0);
  plg_node_topology_clear (&topology);
}

static void
test_far_nics_are_dropped (void)
{
  static const PlgPathType types[] = { PIX, SYS, SYS, PIX, SYS, SYS, SYS, SYS, PIX, SYS, SYS, PIX };
  PlgNodeTopology topology;

  fill (&topology, 3, types);
  g_strlcpy (topology.card[2].name, "fast", PLG_NAME_SIZE);
  g_assert_cmpint (plg_node_topology_drop_far_nics (&topology), ==, 1);
  g_assert_cmpint (topology.nics, ==, 2);
  g_assert_cmpstr (topology.card[1].name, ==, "fast");
  assert_nics (&topology, 0, 1, 0, 0);
  assert_nics (&topology, 2, 1, 1, 0);
  g_assert_cmpint (plg_node_topology_to_nic (&topology, 2, 0)->type, ==, SYS);
  g_assert_cmpint (plg_node_topology_drop_far_nics (&topology), ==, 0);
  plg_node_topology_clear (&topology);
}

static void
test_copy_and_equal (void)
{
  static const int ring[] = { 3, 1, 0, 2 };
  static const PlgPathType types[] = { PIX, SYS, SYS, PIX };
  PlgNodeTopology topology, copy = { 0 };

  fill (&topology, 1, types);
  plg_node_topology_add_ring (&topology, ring);
  g_assert_false (plg_node_topology_equal (&topology, &copy));
  plg_node_topology_copy (&copy, &topology);
  g_assert_true (plg_node_topology_equal (&topology, &copy));
  copy.numa[2] = 1;
  g_assert_false (plg_node_topology_equal (&topology, &copy));
  plg_node_topology_copy (&copy, &topology);
  plg_node_topology_to_nic (&copy, 1, 0)->bandwidth = 1e9;
  g_assert_false (plg_node_topology_equal (&topology, &copy));
  plg_node_topology_copy (&copy, &topology);
  plg_node_topology_to_nic (&copy, 1, 0)->planned = (PlgPlannedPath) { PIX, 1e9 };
  g_assert_false (plg_node_topology_equal (&topology, &copy));
  plg_node_topology_copy (&copy, &topology);
  copy.ring[0] = 2;
  g_assert_false (plg_node_topology_equal (&topology, &copy));
  plg_node_topology_clear (&topology);
  plg_node_topology_copy (&copy, &topology);
  g_assert_true (plg_node_topology_is_empty (&copy));
}

static void
spoil (PlgNodeTopology *topology, int how)
{
  static const int twice[] = { 0, 1, 1, 2 };
  static const int beyond[] = { 0, 1, 2, 4 };

  switch (how)
    {
    case 0:
      plg_node_topology_to_gpu (topology, 1, 2)->type = PLG_PATH_PIX;
      break;
    case 1:
      plg_node_topology_to_gpu (topology, 1, 1)->type = PLG_PATH_PIX;
      break;
    case 2:
      plg_node_topology_set_pair (topology, 0, 1, (PlgPath) { .type = PLG_PATH_SELF });
      break;
    case 3:
      plg_node_topology_to_gpu (topology, 0, 1)->bandwidth = NAN;
      break;
    case 4:
      plg_node_topology_to_nic (topology, 0, 0)->bandwidth = -1;
      break;
    case 5:
      plg_node_topology_to_nic (topology, 0, 0)->type = PLG_PATH_SELF;
      break;
    case 6:
      g_strlcpy (topology->card[0].name, "$(reboot)", PLG_NAME_SIZE);
      break;
    case 7:
      topology->card[0].bandwidth = INFINITY;
      break;
    case 8:
      plg_node_topology_add_ring (topology, twice);
      break;
    case 9:
      plg_node_topology_add_ring (topology, beyond);
      break;
    case 10:
      plg_node_topology_to_gpu (topology, 3, 0)->links = -1;
      break;
    default:
      plg_node_topology_to_gpu (topology, 3, 0)->type = PLG_N_PATH_TYPES;
      break;
    }
}

static void
test_check (void)
{
  static const PlgPathType types[] = { PIX, SYS, SYS, PIX };

  for (int how = -1; how < 12; how++)
    {
      g_autoptr (GError) error = NULL;
      PlgNodeTopology topology;

      fill (&topology, 1, types);
      if (how >= 0)
        spoil (&topology, how);
      g_assert_cmpint (plg_node_topology_check (&topology, &error), ==, how < 0);
      g_assert_cmpint (error == NULL, ==, how < 0);
      plg_node_topology_clear (&topology);
    }
}

/* A plan with a topology of its eight GPUs and NICs. */
static PlgPlan *
mapped_plan (void)
{
  PlgPlan *plan = sample_plan ();

  plg_node_topology_init (&plan->node_topology, 8, 8);
  return plan;
}

static void
test_plan_has_a_map (void)
{
  g_autoptr (PlgPlan) plan = mapped_plan ();
  g_autoptr (PlgPlan) copy = plg_plan_copy (plan);
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_plan_equal (plan, copy));
  plg_node_topology_to_nic (&copy->node_topology, 0, 0)->type = PIX;
  g_assert_false (plg_plan_same_design (plan, copy));
  g_assert_true (plg_plan_check (plan, &error));
  g_assert_no_error (error);
  plan->cluster.nics_per_node = 4;
  g_assert_false (plg_plan_check (plan, &error));
  g_clear_error (&error);
  plan->cluster.nics_per_node = 8;
  plan->cluster.gpus_per_node = 4;
  plan->cluster.nodes *= 2;
  g_assert_false (plg_plan_check (plan, &error));
}

static void
test_map_goes_with_its_node (void)
{
  g_autoptr (GError) error = NULL;
  static const struct
  {
    const char *key, *value;
    gboolean kept;
  } rows[] = {
    { "cluster.nodes", "16", TRUE },           { "parallelism.tp", "4", TRUE },
    { "cluster.inter-bandwidth", "25", TRUE }, { "cluster.nics-per-node", "4", FALSE },
    { "cluster.gpus-per-node", "4", FALSE },   { "cluster.intra", "pcie", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = mapped_plan ();

      plg_edit_set (plan, NULL, rows[i].key, rows[i].value, &error);
      g_assert_no_error (error);
      g_assert_cmpint (plg_node_topology_is_empty (&plan->node_topology), ==, !rows[i].kept);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/node-topology/paths-as-text", test_paths_as_text);
  g_test_add_func ("/node-topology/words", test_words);
  g_test_add_func ("/node-topology/nearest-nics", test_nearest_nics);
  g_test_add_func ("/node-topology/bandwidth-decides", test_bandwidth_decides);
  g_test_add_func ("/node-topology/far-nics-are-dropped", test_far_nics_are_dropped);
  g_test_add_func ("/node-topology/copy-and-equal", test_copy_and_equal);
  g_test_add_func ("/node-topology/check", test_check);
  g_test_add_func ("/node-topology/plan-has-a-map", test_plan_has_a_map);
  g_test_add_func ("/node-topology/goes-with-its-node", test_map_goes_with_its_node);
  return g_test_run ();
}
