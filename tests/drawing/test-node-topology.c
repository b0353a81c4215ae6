/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawing/figure/pictures.h"
#include "drawing/export/svg.h"
#include "engine/advice/advice.h"
#include "sample.h"

#include <string.h>

/* The topology of a node in pictures and descriptions. Four cards on two CPUs, each pair with a
 * NIC. */
static PlgPlan *
cards_plan (void)
{
  static const Sample cards = { .name = "cards",
                                .nodes = 2,
                                .gpus = 4,
                                .tp = 4,
                                .cp = 1,
                                .ep = 1,
                                .pp = 1,
                                .dp = 2,
                                .micro_batches = 4,
                                .nics = 2,
                                .intra = PLG_INTRA_PCIE };
  PlgPlan *plan = sample_plan (&cards);
  PlgNodeTopology *map = &plan->node_topology;

  plan->cluster.intra_bandwidth = 31.5e9;
  plan->model.heads = plan->model.kv_heads = 8;
  plan->model.head_dim = 64;
  plan->model.hidden = 512;
  plan->model.ffn = 2048;
  plan->model.layers = 8;
  plg_node_topology_init (map, 4, 2);
  for (int a = 0; a < 4; a++)
    for (int b = a + 1; b < 4; b++)
      plg_node_topology_set_pair (map, a, b,
                                  a / 2 == b / 2 ? (PlgPath) { PLG_PATH_PIX, 0, 31.5e9 }
                                                 : (PlgPath) { PLG_PATH_SYS, 0, 16e9 });
  for (int gpu = 0; gpu < 4; gpu++)
    for (int nic = 0; nic < 2; nic++)
      *plg_node_topology_to_nic (map, gpu, nic) = gpu / 2 != nic
                                                      ? (PlgPath) { PLG_PATH_PIX, 0, 31.5e9 }
                                                      : (PlgPath) { PLG_PATH_SYS, 0, 16e9 };
  g_strlcpy (map->card[1].name, "mlx5_1", PLG_NAME_SIZE);
  return plan;
}

static PlgReport *
evaluate (const PlgPlan *plan)
{
  g_autoptr (GError) error = NULL;
  PlgReport *report = plg_evaluate_with_advice (plan, &error);

  g_assert_no_error (error);
  return report;
}

static void
assert_says (const char *text, const char *words)
{
  g_autoptr (GString) plain = g_string_new (text);

  g_string_replace (plain, "\u00a0", " ", 0);
  g_string_replace (plain, "\u202f", " ", 0);
  if (strstr (plain->str, words) == NULL)
    g_error ("“%s” does not contain “%s”", plain->str, words);
}

static void
test_words (void)
{
  g_autoptr (PlgPlan) plan = cards_plan ();
  g_autoptr (PlgReport) report = evaluate (plan);
  g_autofree char *named = plg_describe_entity (plan, report, (PlgEntity) { PLG_ENTITY_GPU, 0, 1 });
  g_autofree char *other = plg_describe_entity (plan, report, (PlgEntity) { PLG_ENTITY_GPU, 0, 6 });
  g_autofree char *near = plg_describe_pair (plan, report, NULL, 0 * 8 + 1);
  g_autofree char *far = plg_describe_pair (plan, report, NULL, 0 * 8 + 2);
  g_autofree char *out = plg_describe_pair (plan, report, NULL, 0 * 8 + 4);

  assert_says (named, "NIC 1 (mlx5_1), PIX, 31.5 GB/s");
  assert_says (other, "NIC 0, PIX, 31.5 GB/s");
  assert_says (near, "PCIe (PIX): 31.5 GB/s per direction");
  assert_says (far, "PCIe (SYS): 16 GB/s per direction");
  g_assert_null (strstr (out, "PCIe"));
}

/* NCCL's planned bandwidth appears next to the stated bandwidth. */
static void
test_planned (void)
{
  g_autoptr (PlgPlan) plan = cards_plan ();
  g_autoptr (PlgReport) report = NULL;
  g_autofree char *same = NULL, *partial = NULL, *gpu = NULL;
  const PlgPath partial_path = { .type = PLG_PATH_UNKNOWN, .planned = { PLG_PATH_SYS, 16e9 } };

  plg_node_topology_to_gpu (&plan->node_topology, 0, 1)->planned = (PlgPlannedPath) { PLG_PATH_PIX,
                                                                                      24e9 };
  plg_node_topology_set_pair (&plan->node_topology, 0, 2, partial_path);
  plg_node_topology_to_nic (&plan->node_topology, 1, 1)->planned = (PlgPlannedPath) { PLG_PATH_PIX,
                                                                                      12.5e9 };
  report = evaluate (plan);
  same = plg_describe_pair (plan, report, NULL, 0 * 8 + 1);
  partial = plg_describe_pair (plan, report, NULL, 0 * 8 + 2);
  gpu = plg_describe_entity (plan, report, (PlgEntity) { PLG_ENTITY_GPU, 0, 1 });
  assert_says (same, "PCIe (PIX; NCCL assumes PIX 24 GB/s): 31.5 GB/s per direction");
  assert_says (partial, "PCIe (the file gives SYS 16 GB/s)");
  assert_says (gpu, "NIC 1 (mlx5_1), PIX, 31.5 GB/s\nNCCL assumes PIX 12.5 GB/s");
}

/* A node without NVLinks has no NVLinks in its description. */
static void
test_no_links (void)
{
  g_autoptr (PlgPlan) plan = cards_plan ();
  g_autoptr (PlgReport) report = evaluate (plan);
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  for (int picture = 0; picture < PLG_N_PICTURES; picture++)
    {
      g_autoptr (PlgFigure) figure = plg_picture_figure (picture, plan, report, &theme, &options);
      g_autofree char *dump = plg_figure_dump (figure);

      g_assert_null (strstr (dump, "NVLink"));
      g_assert_null (strstr (plg_figure_description (figure), "NVLink"));
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          g_autofree char *words = plg_describe_entity (plan, report,
                                                        plg_figure_shape (figure, i)->entity);

          g_assert_null (strstr (words, "NVLink"));
        }
    }
  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);

      g_assert_null (strstr (finding->text, "NVLink"));
    }
}

/* A link that is narrower in the topology is not faulty. */
static void
test_no_faults (void)
{
  g_autoptr (PlgPlan) plan = cards_plan ();
  g_autoptr (PlgReport) report = evaluate (plan);
  g_autoptr (PlgFigure) figure = NULL;
  g_autofree char *dump = NULL;
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  figure = plg_picture_figure (PLG_PICTURE_MATRIX, plan, report, &theme, &options);
  dump = plg_figure_dump (figure);
  g_assert_null (strstr (dump, "by a fault"));
  assert_says (dump, "16 GB/s – 31.5 GB/s");
}

static char *
dump_rings (const PlgPlan *plan)
{
  g_autoptr (PlgReport) report = evaluate (plan);
  g_autoptr (PlgFigure) figure = NULL;
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  options.rings = TRUE;
  figure = plg_picture_figure (PLG_PICTURE_CLUSTER, plan, report, &theme, &options);
  return plg_figure_dump (figure);
}

/* The place of the NUMBERth number of a ring from the left; 0 without numbers. */
static double
place_of_number (const char *dump, int number)
{
  g_autofree char *text = g_strdup_printf ("text links says \"%d\" at ", number);
  const char *at = strstr (dump, text);

  return at != NULL ? g_ascii_strtod (at + strlen (text), NULL) : 0;
}

/* The number of arrows of the shape with this ID. */
static int
count_arrows (const char *dump, const char *id)
{
  const char *at = strstr (dump, id), *end;
  int n = 0;

  g_assert_nonnull (at);
  end = strstr (at, "close");
  g_assert_nonnull (end);
  for (at = strstr (at, " arrow"); at != NULL && at < end; at = strstr (at + 1, " arrow"))
    n++;
  return n;
}

/* The view of rings follows the ring of NCCL. If the ring jumps, arrows would overlap, so numbers
 * on a line show the order. */
static void
test_rings (void)
{
  static const int as_numbered[] = { 0, 1, 2, 3 }, crossed[] = { 0, 2, 1, 3 };
  g_autoptr (PlgPlan) plan = cards_plan ();
  g_autofree char *without = dump_rings (plan);
  g_autofree char *same = NULL, *other = NULL;

  plg_node_topology_add_ring (&plan->node_topology, as_numbered);
  same = dump_rings (plan);
  plan->node_topology.rings = 0;
  plg_node_topology_add_ring (&plan->node_topology, crossed);
  other = dump_rings (plan);
  g_assert_cmpstr (same, ==, without);
  g_assert_cmpstr (other, !=, without);
  g_assert_cmpfloat (place_of_number (same, 1), ==, 0);
  for (int i = 0; i < 3; i++)
    g_assert_cmpfloat (place_of_number (other, crossed[i] + 1), <,
                       place_of_number (other, crossed[i + 1] + 1));
  g_assert_cmpfloat (place_of_number (other, 1), >, 0);
  g_assert_cmpint (count_arrows (same, "ring-tp-0"), ==, 4);
  g_assert_cmpint (count_arrows (other, "ring-tp-0"), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/node-topology-pictures/words", test_words);
  g_test_add_func ("/node-topology-pictures/planned", test_planned);
  g_test_add_func ("/node-topology-pictures/no-links", test_no_links);
  g_test_add_func ("/node-topology-pictures/no-faults", test_no_faults);
  g_test_add_func ("/node-topology-pictures/rings", test_rings);
  return g_test_run ();
}
