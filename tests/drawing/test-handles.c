/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

#include <math.h>

/* The handles that change the sizes of groups. */

/* Zoomed out, the visible handle leaves the neighbouring GPUs free, and the area that can be hit is
 * large enough for a pointer. */
static void
test_handles_are_slim (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  int n_handles = 0;

  case_init (&c, &sample_default);
  c.options.handles = TRUE;
  c.options.zoom = 0.4;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (int k = 0; k + 1 < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *area = plg_figure_shape (figure, k), *pill = plg_figure_shape (figure, k + 1);

      if (area->entity.kind != PLG_ENTITY_HANDLE)
        continue;
      n_handles++;
      g_assert_cmpfloat (MIN (area->rect.width, area->rect.height) * c.options.zoom, >=, 16);
      g_assert_cmpfloat (MIN (pill->rect.width, pill->rect.height), <=, 15);
      g_assert_cmpfloat (MAX (pill->rect.width, pill->rect.height), <=, 44);
    }
  g_assert_cmpint (n_handles, >=, 2);
  case_clear (&c);
}

static void
assert_grip (const PlgFigure *figure, PlgAxis axis, int rank, double x, double y)
{
  const PlgShape *shape = shape_of (figure, axis_entity (PLG_ENTITY_HANDLE, axis, rank));

  g_assert_cmpint (shape->layer, ==, PLG_LAYER_HANDLES);
  g_assert_cmpfloat (MIN (shape->rect.width, shape->rect.height), >=, 16);
  g_assert_cmpfloat (MAX (shape->rect.width, shape->rect.height), >=, 24);
  g_assert_cmpfloat (fabs (shape->rect.x + shape->rect.width / 2 - x), <, 8);
  g_assert_cmpfloat (fabs (shape->rect.y + shape->rect.height / 2 - y), <, 8);
  shape = plg_figure_hit_test (figure, x, y, 4);
  g_assert_nonnull (shape);
  g_assert_true (plg_entity_equal (shape->entity, axis_entity (PLG_ENTITY_HANDLE, axis, rank)));
}

static int
count_handles (const PlgFigure *figure)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    n += plg_figure_shape (figure, i)->entity.kind == PLG_ENTITY_HANDLE;
  return n;
}

/* A block within a row has its handle at the right edge, a block of several rows at the lower edge.
 */
static void
test_handles (void)
{
  Case c;
  PlgFigure *figure;
  PlgRect r;

  case_init (&c, &sample_default);
  c.options.handles = TRUE;
  c.options.selected = entity (PLG_ENTITY_GPU, 17);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  r = natural_gpu (c.plan, 23);
  assert_grip (figure, PLG_AXIS_TP, 16, r.x + r.width + 4, r.y + r.height / 2);
  r = natural_gpu (c.plan, 29);
  assert_grip (figure, PLG_AXIS_PP, 0, r.x + r.width, r.y + r.height + 4);
  g_assert_cmpint (count_handles (figure), ==, 2);
  plg_figure_unref (figure);
  case_clear (&c);

  case_init (&c, sample_named ("tp-16"));
  c.options.handles = TRUE;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  r = natural_gpu (c.plan, 11);
  assert_grip (figure, PLG_AXIS_TP, 0, r.x + r.width, r.y + r.height + 4);
  plg_figure_unref (figure);
  case_clear (&c);
}

static void
test_handles_of_axis (void)
{
  static const struct
  {
    const char *name;
    PlgShow show;
    int n_handles;
  } rows[] = { { "default", PLG_SHOW_TP, 8 },   { "default", PLG_SHOW_PP, 2 },
               { "default", PLG_SHOW_DP, 2 },   { "default", PLG_SHOW_EP, 0 },
               { "default", PLG_SHOW_CP, 8 },   { "default", PLG_SHOW_MEMORY, 0 },
               { "all-axes", PLG_SHOW_TP, 32 }, { "1024", PLG_SHOW_TP, 0 },
               { "1024", PLG_SHOW_PP, 16 },     { "16384", PLG_SHOW_DP, 0 },
               { "one-gpu", PLG_SHOW_TP, 0 },   { "one-gpu", PLG_SHOW_ALL, 0 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c, sample_named (rows[i].name));
      c.options.handles = TRUE;
      c.options.show = rows[i].show;
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      g_assert_cmpint (count_handles (figure), ==, rows[i].n_handles);
      case_clear (&c);
    }
}

static int
count_shard_handles (const PlgFigure *figure)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    n += plg_figure_shape (figure, i)->entity.kind == PLG_ENTITY_SHARD;
  return n;
}

/* A shard group has a handle below its last GPU if DP is shown alone, or if there are several. With
 * ZeRO 0 there is no shard group. */
static void
test_shard_handle (void)
{
  static const struct
  {
    PlgShow show;
    int zero, replicate, n, gpu;
  } rows[] = {
    { PLG_SHOW_DP, 1, 1, 1, 63 },  { PLG_SHOW_DP, 3, 4, 1, 15 }, { PLG_SHOW_ALL, 3, 4, 1, 15 },
    { PLG_SHOW_ALL, 3, 1, 0, 0 },  { PLG_SHOW_DP, 0, 4, 0, 0 },  { PLG_SHOW_TP, 3, 4, 0, 0 },
    { PLG_SHOW_ALL, 1, 16, 1, 3 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c;
      PlgParallelism *parallelism;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c, &sample_default);
      parallelism = &c.plan->parallelism;
      parallelism->degree[PLG_AXIS_TP] = 2;
      parallelism->degree[PLG_AXIS_PP] = 1;
      parallelism->degree[PLG_AXIS_DP] = 32;
      parallelism->zero = rows[i].zero;
      parallelism->replicate = rows[i].replicate;
      c.options.handles = TRUE;
      c.options.show = rows[i].show;
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      g_assert_cmpint (count_shard_handles (figure), ==, rows[i].n);
      if (rows[i].n > 0)
        {
          PlgRect r = natural_gpu (c.plan, rows[i].gpu);
          const PlgShape *shape = shape_of (figure, axis_entity (PLG_ENTITY_SHARD, PLG_AXIS_DP, 0));

          g_assert_cmpfloat (fabs (shape->rect.y + shape->rect.height / 2 - r.y - r.height - 4), <,
                             8);
        }
      case_clear (&c);
    }
}

/* In every nesting order each handle lies on an edge of the last GPU of its block, or below its
 * row. */
static void
test_handles_of_orders (void)
{
  static const PlgAxis axes[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP };

  for (int number = 0; number < 4 * 4 * 4 * 4; number++)
    {
      int place[] = { number % 4, number / 4 % 4, number / 16 % 4, number / 64 };
      Case c;

      if (((1 << place[0]) | (1 << place[1]) | (1 << place[2]) | (1 << place[3])) != 15)
        continue;
      case_init (&c, sample_named ("all-axes"));
      c.options.handles = TRUE;
      for (int i = 0; i < PLG_N_NESTED_AXES; i++)
        c.plan->parallelism.order[i] = axes[place[i]];
      for (gsize i = 0; i < G_N_ELEMENTS (axes); i++)
        {
          int block = plg_axis_bounded_block (&c.plan->parallelism, axes[i]);
          PlgRect first = natural_gpu (c.plan, 0);
          PlgRect last = natural_gpu (c.plan, block - 1);
          g_autoptr (PlgFigure) figure = NULL;
          const PlgShape *handle;
          double x, y;

          c.options.show = (PlgShow) (PLG_SHOW_TP + axes[i]);
          figure = draw (&c, PLG_PICTURE_CLUSTER);
          handle = plg_figure_find_entity (figure, axis_entity (PLG_ENTITY_HANDLE, axes[i], 0));
          g_assert_nonnull (handle);
          x = handle->rect.x + handle->rect.width / 2;
          y = handle->rect.y + handle->rect.height / 2;
          if (handle->rect.height > handle->rect.width)
            {
              g_assert_cmpfloat_with_epsilon (x, last.x + last.width + 4, 1e-6);
              g_assert_cmpfloat_with_epsilon (y, last.y + last.height / 2, 1e-6);
              continue;
            }
          g_assert_cmpfloat_with_epsilon (y, last.y + last.height + 4, 1e-6);
          g_assert_true (first.x <= x && x <= last.x + last.width);
        }
      case_clear (&c);
    }
}

/* Blocks in several pieces have no edge to drag; the others keep their handles. */
static void
test_handles_of_placement (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, sample_named ("swapped"));
  c.options.handles = TRUE;
  c.options.show = PLG_SHOW_TP;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_null (plg_figure_find_entity (figure, axis_entity (PLG_ENTITY_HANDLE, PLG_AXIS_TP, 0)));
  g_assert_nonnull (plg_figure_find_entity (figure,
                                            axis_entity (PLG_ENTITY_HANDLE, PLG_AXIS_TP, 8)));
  g_assert_cmpint (count_handles (figure), ==, 3);
  case_clear (&c);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/handles/slim", test_handles_are_slim);
  g_test_add_func ("/handles/all", test_handles);
  g_test_add_func ("/handles/of-axis", test_handles_of_axis);
  g_test_add_func ("/handles/shard-handle", test_shard_handle);
  g_test_add_func ("/handles/of-orders", test_handles_of_orders);
  g_test_add_func ("/handles/of-placement", test_handles_of_placement);
  return g_test_run ();
}
