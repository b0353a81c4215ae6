/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "drawing/charts/ascii.h"
#include "drawing/cluster/cluster-marks.h"
#include "engine/model/flops.h"
#include "plan/settings/setting.h"

#include <string.h>

/* Ranks placed by hand in pictures and descriptions. */

static void
swap (PlgPlan *plan, int a, int b)
{
  plg_placement_expand (&plan->placement, plg_plan_world (plan));
  plan->placement.gpu_of_rank[a] = b;
  plan->placement.gpu_of_rank[b] = a;
}

static PlgFigure *
draw (const PlgPlan *plan, const PlgReport *report)
{
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  options.legend = TRUE;
  return plg_picture_figure (PLG_PICTURE_CLUSTER, plan, report, &theme, &options);
}

static gboolean
has_text (const PlgFigure *figure, const char *text)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && strcmp (shape->text, text) == 0)
        return TRUE;
    }
  return FALSE;
}

static int
count_paths (const PlgFigure *figure)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    n += plg_figure_shape (figure, i)->kind == PLG_SHAPE_PATH;
  return n;
}

/* Two exchanged ranks have a mark in the corner each, and the legend counts them, however small
 * the GPUs are drawn. */
static void
test_moved (void)
{
  static const char *const names[] = { "default", "1024", "16384" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const Sample *sample = &sample_default;
      g_autoptr (PlgPlan) plan = NULL;
      g_autoptr (PlgReport) report = NULL;
      g_autoptr (PlgFigure) tidy = NULL;
      g_autoptr (PlgFigure) moved = NULL;

      for (int k = 0; k < n_samples; k++)
        if (strcmp (samples[k].name, names[i]) == 0)
          sample = &samples[k];
      plan = sample_plan (sample);
      report = sample_report (sample, plan);
      tidy = draw (plan, report);
      swap (plan, 0, sample->gpus + 1);
      moved = draw (plan, report);
      g_assert_false (has_text (tidy, "moved out of order: 2 ranks"));
      g_assert_true (has_text (moved, "moved out of order: 2 ranks"));
      /* The marks of the two GPUs or nodes, and the mark of the legend. */
      g_assert_cmpint (count_paths (moved), ==,
                       count_paths (tidy) + 3 + has_text (moved, "TP group") -
                           has_text (tidy, "TP group"));
    }
}

/* A TP group that fills its node has no outline; a scattered group has one, and the legend explains
 * it for any group. */
static void
test_torn_group (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = sample_report (&sample_default, plan);
  g_autoptr (PlgFigure) tidy = draw (plan, report);
  g_autoptr (PlgFigure) moved = NULL;

  swap (plan, 8, 16);
  moved = draw (plan, report);
  g_assert_false (has_text (tidy, "TP group"));
  g_assert_true (has_text (moved, "TP group"));
}

static void
test_class (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = sample_report (&sample_default, plan);
  g_autoptr (PlgFigure) figure = NULL;

  swap (plan, 3, 12);
  figure = draw (plan, report);
  g_assert_nonnull (strstr (plg_figure_find (figure, "gpu-3")->classes, " moved"));
  g_assert_null (strstr (plg_figure_find (figure, "gpu-4")->classes, " moved"));
}

static void
test_description (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = sample_report (&sample_default, plan);
  g_autofree char *moved = NULL;
  g_autofree char *home = NULL;

  swap (plan, 3, 12);
  moved = plg_describe_entity (plan, report, (PlgEntity) { PLG_ENTITY_GPU, 0, 12 });
  home = plg_describe_entity (plan, report, (PlgEntity) { PLG_ENTITY_GPU, 0, 4 });
  g_assert_nonnull (strstr (moved, "Rank 3 on GPU 4 of node 1\nMoved from GPU 3 of node 0\n"));
  g_assert_null (strstr (home, "Moved"));
}

/* The visible part of a name replaces the number; descriptions have both. */
static void
test_names (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = sample_report (&sample_default, plan);
  g_autoptr (PlgFigure) figure = NULL;
  g_autofree char *node = NULL, *gpu = NULL;

  g_assert_true (plg_node_names_set (&plan->node_names, 1, "dgx-b", NULL));
  g_assert_true (plg_node_names_set (&plan->node_names, 2,
                                     "a-node-with-a-very-long-name.example.org", NULL));
  figure = draw (plan, report);
  g_assert_true (has_text (figure, "dgx-b"));
  g_assert_false (has_text (figure, "node 1"));
  g_assert_true (has_text (figure, "node 0"));
  g_assert_false (has_text (figure, "a-node-with-a-very-long-name.example.org"));
  node = plg_describe_entity (plan, report, (PlgEntity) { PLG_ENTITY_NODE, 0, 1 });
  gpu = plg_describe_entity (plan, report, (PlgEntity) { PLG_ENTITY_GPU, 0, 12 });
  g_assert_nonnull (strstr (node, "\nNode 1 is called dgx-b\n"));
  g_assert_nonnull (strstr (gpu, "\nNode 1 is called dgx-b\n"));
}

static int
count_bars (const PlgFigure *figure, const PlgColor *color)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      n += shape->kind == PLG_SHAPE_RECT && memcmp (&shape->fill, color, sizeof *color) == 0;
    }
  return n;
}

/* With uneven experts, one rank of each EP group has a bar. The legend, the description and the plain
 * text say the same. */
static void
test_fullest (void)
{
  static const char *const edits[][2] = {
    { "model.experts", "8" },  { "model.top-k", "2" },     { "model.expert-ffn", "1024" },
    { "parallelism.ep", "2" }, { "parallelism.etp", "1" }, { "training.expert-load", "1.5" },
  };
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (PlgFigure) even = NULL, uneven = NULL;
  g_autofree char *fullest = NULL, *other = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  PlgPictureOptions options;
  PlgTheme theme;
  gboolean shown[8];
  int other_rank = 1;

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      if (i + 1 == G_N_ELEMENTS (edits))
        {
          report = sample_report (&sample_default, plan);
          even = draw (plan, report);
          g_clear_pointer (&report, plg_report_unref);
        }
      g_assert_true (plg_setting_set (plan, NULL, edits[i][0], edits[i][1], NULL));
    }
  g_assert_cmpint (plan->cluster.nodes, ==, G_N_ELEMENTS (shown));
  report = sample_report (&sample_default, plan);
  uneven = draw (plan, report);
  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  /* Half of the ranks, and the bar in the legend. */
  g_assert_cmpint (count_bars (uneven, &theme.role[PLG_ROLE_WARNING]), ==,
                   plg_plan_world (plan) / 2 + 1);
  g_assert_cmpint (count_bars (even, &theme.role[PLG_ROLE_WARNING]), ==, 0);
  g_assert_true (has_text (uneven, "fullest EP rank: 1.5 times the average number of tokens"));
  while (plg_rank_coordinate (&plan->parallelism, other_rank).index[PLG_AXIS_EP] == 0)
    other_rank++;
  fullest = plg_describe_entity (plan, report, (PlgEntity) { PLG_ENTITY_GPU, 0, 0 });
  other = plg_describe_entity (plan, report, (PlgEntity) { PLG_ENTITY_GPU, 0, other_rank });
  g_assert_nonnull (strstr (fullest, "receives 1.5 times the average number of tokens"));
  g_assert_null (strstr (other, "receives"));
  plg_picture_options_init (&options, plan);
  options.legend = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    shown[i] = TRUE;
  plg_ascii_add_cluster (text, plan, report, &options, shown);
  g_assert_nonnull (strstr (text->str, "^ fullest EP rank"));

  /* A stage without experts has no fullest rank. */
  plan->model.dense_layers = plg_stage_layers (plan, 0).layers;
  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    {
      PlgCoordinate at = plg_rank_coordinate (&plan->parallelism, rank);

      g_assert_cmpint (plg_cluster_is_rank_fullest (plan, rank), ==,
                       at.index[PLG_AXIS_EP] == 0 && at.index[PLG_AXIS_PP] > 0);
    }
  /* A load that is shown as 1 has no marks. */
  plan->model.dense_layers = 0;
  g_assert_true (plg_cluster_has_fullest_ranks (plan));
  plan->training.expert_load = 1.0001;
  g_assert_false (plg_cluster_has_fullest_ranks (plan));
  plan->training.expert_load = 1.5;
  /* A model whose layers are all dense has no marks. */
  plan->model.dense_layers = plan->model.layers;
  g_assert_false (plg_cluster_has_fullest_ranks (plan));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placement-pictures/moved", test_moved);
  g_test_add_func ("/placement-pictures/torn-group", test_torn_group);
  g_test_add_func ("/placement-pictures/class", test_class);
  g_test_add_func ("/placement-pictures/description", test_description);
  g_test_add_func ("/placement-pictures/names", test_names);
  g_test_add_func ("/placement-pictures/fullest", test_fullest);
  return g_test_run ();
}
