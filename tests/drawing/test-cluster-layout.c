/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-layout.h"
#include "engine/network/fabric.h"
#include "sample.h"

/* Positions of nodes when only some nodes are drawn. */

/* Four units of 32 nodes, whose rails are drawn. */
static const Sample units = { "units", 128, 8, 8, 1, 1, 4, 32, 8 };

/* The part with nodes FIRST to FIRST + N - 1 begins at the top of each of its columns and has no
 * empty rows; a column belongs to one unit. */
static void
check_part (const PlgPlan *plan, int first, int n)
{
  PlgClusterLayout layout = plg_cluster_layout_of_nodes (plan, 0, first, n);
  PlgRect before = plg_cluster_layout_node (&layout, first);
  PlgFabric fabric;

  plg_fabric_init (&fabric, &plan->cluster);
  g_assert_cmpfloat_with_epsilon (before.y, layout.header, 1e-6);
  for (int node = first + 1; node < first + n; node++)
    {
      PlgRect card = plg_cluster_layout_node (&layout, node);
      gboolean is_below = card.x == before.x;

      g_assert_cmpfloat_with_epsilon (card.y,
                                      is_below ? before.y + layout.node_step_y : layout.header,
                                      1e-6);
      g_assert_true (is_below || card.x > before.x);
      if (layout.detail <= PLG_CLUSTER_DETAIL_SHORT && is_below)
        g_assert_cmpint (node / fabric.nodes_per_leaf, ==, (node - 1) / fabric.nodes_per_leaf);
      before = card;
    }
}

static void
test_parts (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&units);

  for (int first = 0; first < 128; first += 3)
    for (int n = 1; first + n <= 128; n += 1 + n / 2)
      check_part (plan, first, n);
}

/* The GPU nearest to the middle of a GPU is the same GPU. */
static void
test_near (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&units);
  PlgClusterLayout layout = plg_cluster_layout_of_nodes (plan, 0, 30, 6);

  for (int gpu = 30 * 8; gpu < 36 * 8; gpu++)
    {
      PlgRect tile = plg_cluster_layout_gpu (&layout, gpu);

      g_assert_cmpint (plg_cluster_layout_gpu_near (&layout, tile.x + tile.width / 2,
                                                    tile.y + tile.height / 2),
                       ==, gpu);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cluster-layout/parts", test_parts);
  g_test_add_func ("/cluster-layout/near", test_near);
  return g_test_run ();
}
