/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

#include "drawing/cluster/cluster-layout.h"
#include "drawing/figure/stroke-geometry.h"

#include <math.h>

/* The tiles of the cluster and its GPUs. */

static void
test_gpus (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (int gpu = 0; gpu < 64; gpu++)
    {
      g_autofree char *id = g_strdup_printf ("gpu-%d", gpu);
      g_autofree char *group = g_strdup_printf (" tp-%d ", gpu / 8);
      g_autofree char *node = g_strdup_printf (" node-%d", gpu / 8);
      const PlgShape *shape = plg_figure_find (figure, id);

      g_assert_nonnull (shape);
      g_assert_true (g_str_has_prefix (shape->classes, "gpu "));
      g_assert_nonnull (strstr (shape->classes, group));
      g_assert_true (g_str_has_suffix (shape->classes, node));
      g_assert_cmpstr (shape->title, !=, NULL);
    }
  g_assert_null (plg_figure_find (figure, "gpu-64"));
  g_assert_nonnull (plg_figure_find (figure, "node-7"));
  g_assert_nonnull (plg_figure_find (figure, "link-nvlink-2-5"));
  g_assert_nonnull (plg_figure_find (figure, "link-nic-7-0"));
  g_assert_nonnull (plg_figure_find (figure, "rail-3"));
  g_assert_nonnull (plg_figure_find (figure, "legend"));
  case_clear (&c);
}

/* The picture of the default plan fits a canvas between two panels. */
static void
test_size (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_cmpfloat (plg_figure_width (figure), <=, 840);
  g_assert_cmpfloat (plg_figure_height (figure), <=, 660);
  case_clear (&c);
}

static void
assert_hits_itself (const PlgFigure *figure, const PlgPlan *plan, int gpu)
{
  PlgRect r = natural_gpu (plan, gpu);
  double x = r.x + r.width / 2, y = r.y + r.height / 2;
  const PlgShape *shape = plg_figure_hit_test (figure, x, y, 4);

  g_assert_nonnull (shape);
  g_assert_cmpint (shape->entity.kind, ==, PLG_ENTITY_GPU);
  g_assert_cmpint (shape->entity.index, ==, gpu);
  g_assert_cmpint (natural_near (plan, x, y), ==, gpu);
  /* A point in the gap around a GPU. */
  g_assert_cmpint (natural_near (plan, r.x + r.width + 1, y), ==, gpu);
  g_assert_cmpint (natural_near (plan, r.x - 1, y), ==, gpu);
  g_assert_cmpint (natural_near (plan, x, r.y + r.height + 1), ==, gpu);
}

static void
test_hit (void)
{
  static const char *const names[] = { "one-gpu", "one-node", "default", "tp-16", "mesh", "pcie",
                                       "tree",    "rack",     "swapped", "1024",  "deep" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c, sample_named (names[i]));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (int gpu = 0; gpu<plg_cluster_gpus (&c.plan->cluster); gpu += i> 8 ? 7 : 1)
        assert_hits_itself (figure, c.plan, gpu);
      case_clear (&c);
    }
}

static void
test_near (void)
{
  static const double far[] = { -1e9, -1, 1e9, INFINITY, -INFINITY, NAN };

  for (int i = 0; i < n_samples; i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan (&samples[i]);
      PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, 1);
      int gpus = plg_cluster_gpus (&plan->cluster);

      for (gsize x = 0; x < G_N_ELEMENTS (far); x++)
        for (gsize y = 0; y < G_N_ELEMENTS (far); y++)
          {
            int gpu = plg_cluster_layout_gpu_near (&layout, far[x], far[y]);

            g_assert_cmpint (gpu, >=, 0);
            g_assert_cmpint (gpu, <, gpus);
          }
      for (int gpu = 0; gpu < gpus; gpu += 1 + gpus / 100)
        {
          PlgRect r = plg_cluster_gpu_rect (plan, gpu);
          PlgRect card = plg_cluster_node_rect (plan, gpu / samples[i].gpus);

          g_assert_cmpint (plg_cluster_layout_gpu_near (&layout, r.x + r.width / 2,
                                                        r.y + r.height / 2),
                           ==, gpu);
          g_assert_true (r.x >= card.x - 0.01 && r.x + r.width <= card.x + card.width + 0.01);
          g_assert_true (r.y >= card.y - 0.01 && r.y + r.height <= card.y + card.height + 0.01);
        }
    }
}

/* The more GPUs a cluster has, the fewer shapes each GPU has, so that the largest cluster is
 * drawn quickly. */
static void
test_detail (void)
{
  static const struct
  {
    const char *name;
    int most_shapes;
  } rows[] = { { "default", 2000 }, { "1024", 25000 }, { "8192", 40000 }, { "16384", 20000 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c, sample_named (rows[i].name));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      g_assert_cmpint (plg_figure_n_shapes (figure), <=, rows[i].most_shapes);
      case_clear (&c);
    }
}

static void
assert_texts_apart (const PlgFigure *figure)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    for (int k = i + 1;
         plg_figure_shape (figure, i)->kind == PLG_SHAPE_TEXT && k < plg_figure_n_shapes (figure);
         k++)
      {
        const PlgShape *a = plg_figure_shape (figure, i), *b = plg_figure_shape (figure, k);

        if (a->kind == PLG_SHAPE_TEXT && b->kind == PLG_SHAPE_TEXT && *a->text != '\0' &&
            *b->text != '\0' && plg_rect_intersects (ink (a), ink (b)))
          g_error ("\"%s\" lies on \"%s\"", a->text, b->text);
      }
}

static void
test_texts_apart (void)
{
  static const char *const names[] = { "one-node", "default", "tp-16",     "all-axes",
                                       "mesh",     "tree",    "too-large", "swapped" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    for (int picture = 0; picture < PLG_N_PICTURES; picture++)
      for (int show = PLG_SHOW_ALL; show <= PLG_SHOW_MEMORY; show++)
        {
          Case c;
          g_autoptr (PlgFigure) figure = NULL;

          case_init (&c, sample_named (names[i]));
          c.options.show = show;
          c.options.width = picture != PLG_PICTURE_CLUSTER && show % 2 ? 300 : 0;
          figure = draw (&c, picture);
          assert_texts_apart (figure);
          case_clear (&c);
        }
}

/* Text in a tile stays in the tile. */
static void
test_texts_in_tiles (void)
{
  static const char *const names[] = { "default", "all-axes", "tree", "rack", "deep", "1024" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *tile = NULL;

      case_init (&c, sample_named (names[i]));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (int k = 0; k < plg_figure_n_shapes (figure); k++)
        {
          const PlgShape *shape = plg_figure_shape (figure, k);

          if (shape->entity.kind == PLG_ENTITY_GPU)
            tile = shape;
          else if (shape->kind == PLG_SHAPE_CLOSE)
            tile = NULL;
          else if (shape->kind == PLG_SHAPE_TEXT && tile != NULL)
            {
              g_assert_cmpfloat (shape->rect.x, >=, tile->rect.x);
              g_assert_cmpfloat (shape->rect.x + shape->rect.width, <=,
                                 tile->rect.x + tile->rect.width);
            }
        }
      case_clear (&c);
    }
}

/* The fill shows the stage, the lightness the replica. */
static void
test_fill (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (int gpu = 0; gpu < 64; gpu++)
    {
      PlgSwatch swatch = plg_theme_swatch (&c.theme, gpu / 8 % 4, 4, gpu >= 32);

      g_assert_true (same_color (shape_of (figure, entity (PLG_ENTITY_GPU, gpu))->fill,
                                 swatch.fill));
    }
  case_clear (&c);
}

/* With one axis alone, members of a group have the same fill, and no nearby group has this fill. */
static void
test_fill_of_axis (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  c.options.show = PLG_SHOW_PP;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (int gpu = 0; gpu < 24; gpu++)
    {
      PlgColor fill = shape_of (figure, entity (PLG_ENTITY_GPU, gpu))->fill;
      PlgColor next = shape_of (figure, entity (PLG_ENTITY_GPU, gpu + 1))->fill;

      g_assert_true (same_color (fill, shape_of (figure, entity (PLG_ENTITY_GPU, gpu + 8))->fill));
      g_assert_false (same_color (fill, next));
    }
  case_clear (&c);
}

static void
test_placement (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  const PlgShape *shape;

  case_init (&c, sample_named ("swapped"));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  /* Rank 20, of stage 2, sits on GPU 0. */
  shape = plg_figure_find (figure, "gpu-0");
  g_assert_nonnull (strstr (shape->classes, " tp-2 "));
  g_assert_nonnull (strstr (shape->title, "20"));
  g_assert_true (same_color (shape_of (figure, entity (PLG_ENTITY_GPU, 0))->fill,
                             plg_theme_swatch (&c.theme, 2, 4, FALSE).fill));
  case_clear (&c);
}

static void
test_memory_bar (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  gboolean found = FALSE;

  case_init (&c, sample_named ("too-large"));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      found |= shape->hatch != 0 && same_color (shape->fill, c.theme.role[PLG_ROLE_ERROR]);
    }
  g_assert_true (found);
  case_clear (&c);
}

/* If a node is one tile, numbers name rows and columns, and the legend explains the tiles. */
static void
test_nodes_are_named (void)
{
  static const char *const legend[] = { "one box: a node of 8 GPUs", "node 0",
                                        "lower edge of a node: links inside it",
                                        "right edge: its NICs", "Width: bytes per step" };
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  PlgRect first, head, row;

  case_init (&c, sample_named ("16384"));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (gsize i = 0; i < G_N_ELEMENTS (legend); i++)
    if (find_text (figure, legend[i]) == NULL)
      g_error ("no \"%s\"", legend[i]);
  assert_texts_apart (figure);
  first = natural_node (c.plan, 0);
  for (int node = 1; node < 2048; node++)
    {
      g_autofree char *number = g_strdup_printf ("%d", node);
      const PlgShape *text = find_text (figure, number);

      head = natural_node (c.plan, node);
      if (head.y > first.y && head.x > first.x)
        g_assert_true (text == NULL || text->layer == PLG_LAYER_LEGEND);
      else if (head.y <= first.y)
        g_assert_cmpfloat_with_epsilon (text->at.x, head.x + head.width / 2, 0.01);
    }
  row = natural_node (c.plan, 8);
  g_assert_true (plg_rect_intersects (find_text (figure, "8")->rect,
                                      (PlgRect) { 0, row.y, row.x, row.height }));
  case_clear (&c);
}

/* Shapes between the GPUs do not move the GPUs, so the pictures of a drag align. */
static void
test_shapes_do_not_move_gpus (void)
{
  g_autoptr (PlgPlan) a = sample_plan (sample_named ("default"));
  g_autoptr (PlgPlan) b = sample_plan (sample_named ("tp-16"));

  b->cluster.oversubscription = 4;
  for (int gpu = 0; gpu < 64; gpu++)
    {
      PlgRect ra = natural_gpu (a, gpu), rb = natural_gpu (b, gpu);

      g_assert_cmpfloat (ra.x, ==, rb.x);
      g_assert_cmpfloat (ra.y, ==, rb.y);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cluster/gpus", test_gpus);
  g_test_add_func ("/cluster/size", test_size);
  g_test_add_func ("/cluster/hit", test_hit);
  g_test_add_func ("/cluster/near", test_near);
  g_test_add_func ("/cluster/detail", test_detail);
  g_test_add_func ("/cluster/texts-apart", test_texts_apart);
  g_test_add_func ("/cluster/texts-in-tiles", test_texts_in_tiles);
  g_test_add_func ("/cluster/fill", test_fill);
  g_test_add_func ("/cluster/fill-of-axis", test_fill_of_axis);
  g_test_add_func ("/cluster/placement", test_placement);
  g_test_add_func ("/cluster/memory-bar", test_memory_bar);
  g_test_add_func ("/cluster/shapes-do-not-move-gpus", test_shapes_do_not_move_gpus);
  g_test_add_func ("/cluster/nodes-are-named", test_nodes_are_named);
  return g_test_run ();
}
