/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawing/cluster/cluster-layout.h"
#include "drawing/figure/stroke-geometry.h"
#include "drawing/figure/pictures.h"
#include "sample.h"

/* Rings of collectives instead of links. */

static const Sample thousand = { "thousand", 128, 8, 8, 1, 1, 8, 16, 8 };
static const Sample most = { "most", 2048, 8, 8, 1, 1, 8, 256, 16 };

static PlgFigure *
draw (const PlgPlan *plan, const PlgReport *report, PlgShow show, double zoom)
{
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  options.rings = TRUE;
  options.legend = PLG_LEGEND_OFF;
  options.show = show;
  options.zoom = zoom;
  return plg_cluster_figure (plan, report, &theme, &options);
}

/* Returns whether a straight part of SHAPE passes through TILE. */
static gboolean
crosses (const PlgFigure *figure, const PlgShape *shape, PlgRect tile)
{
  const PlgPoint *at = plg_figure_points (figure, shape);
  PlgRect inside = { tile.x + 1, tile.y + 1, tile.width - 2, tile.height - 2 };

  for (int i = 0; i + 1 < shape->n_points; i++)
    {
      PlgRect part = { MIN (at[i].x, at[i + 1].x), MIN (at[i].y, at[i + 1].y),
                       ABS (at[i].x - at[i + 1].x), ABS (at[i].y - at[i + 1].y) };

      if (plg_rect_intersects (part, inside))
        return TRUE;
    }
  return FALSE;
}

/* Counts the arrows of FIGURE, and asserts that none crosses a GPU, as diagonals would. */
static int
count_arrows (const PlgFigure *figure, const PlgPlan *plan)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind != PLG_SHAPE_PATH || !shape->arrow || shape->smooth)
        continue;
      n++;
      for (int gpu = 0; gpu < plg_cluster_gpus (&plan->cluster); gpu++)
        g_assert_false (crosses (figure, shape, plg_cluster_gpu_rect (plan, gpu)));
    }
  return n;
}

/* A ring from column to column of nodes and back to the first column runs between the GPUs. */
static void
test_between_columns (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&thousand);
  g_autoptr (PlgReport) report = sample_report (&thousand, plan);
  g_autoptr (PlgFigure) figure = draw (plan, report, PLG_SHOW_DP, 0.26);

  g_assert_cmpint (count_arrows (figure, plan), >=, 64);
}

/* A ring to a rank that was moved away from its group runs between the GPUs, too. */
static void
test_moved (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (PlgFigure) figure = NULL;

  plg_placement_expand (&plan->placement, plg_plan_world (plan));
  plan->placement.gpu_of_rank[3] = 28;
  plan->placement.gpu_of_rank[28] = 3;
  report = sample_report (&sample_default, plan);
  figure = draw (plan, report, PLG_SHOW_TP, 1);
  /* All arrows except the two in the column that the two groups share. */
  g_assert_cmpint (count_arrows (figure, plan), ==, 62);
}

/* At a low zoom, rings run between racks. */
static void
test_racks (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&most);
  g_autoptr (PlgReport) report = sample_report (&most, plan);
  g_autoptr (PlgFigure) figure = draw (plan, report, PLG_SHOW_DP, 0.05);
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, 0.05);
  g_autoptr (GHashTable) racks = g_hash_table_new (NULL, NULL);

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->entity.kind == PLG_ENTITY_RACK)
        g_hash_table_add (racks, GINT_TO_POINTER (shape->entity.index));
    }
  g_assert_true (layout.is_rack_tile);
  g_assert_cmpuint (g_hash_table_size (racks), ==, plg_cluster_layout_n_racks (&layout));
  g_assert_cmpint (count_arrows (figure, plan), >=, plg_cluster_layout_n_racks (&layout));
}

/* The legend has an entry for rings only if some are drawn: at a low zoom a rack is one box that
 * contains whole chains of stages. */
static void
test_legend (void)
{
  static const struct
  {
    PlgShow show;
    double zoom;
    gboolean has_rings;
  } rows[] = {
    { PLG_SHOW_PP, 0.05, FALSE }, { PLG_SHOW_TP, 0.05, FALSE }, { PLG_SHOW_ALL, 0.05, FALSE },
    { PLG_SHOW_DP, 0.05, TRUE },  { PLG_SHOW_PP, 0.2, TRUE },
  };
  g_autoptr (PlgPlan) plan = sample_plan (&most);
  g_autoptr (PlgReport) report = sample_report (&most, plan);
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  options.rings = TRUE;
  options.shorten_legend = TRUE;
  for (gsize k = 0; k < G_N_ELEMENTS (rows); k++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      int arrows = 0;

      options.show = rows[k].show;
      options.zoom = rows[k].zoom;
      figure = plg_cluster_legend_figure (plan, report, &theme, &options, 1600);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);

          arrows += shape->kind == PLG_SHAPE_PATH && shape->arrow;
        }
      g_assert_cmpint (arrows > 0, ==, rows[k].has_rings);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rings/between-columns", test_between_columns);
  g_test_add_func ("/rings/moved", test_moved);
  g_test_add_func ("/rings/racks", test_racks);
  g_test_add_func ("/rings/legend", test_legend);
  return g_test_run ();
}
