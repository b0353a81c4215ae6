/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The picture of the cluster on the screen: its detail at each zoom, without gaps for omitted
 * details. */

#include "drawing/figure/figure-damage.h"
#include "drawing/cluster/cluster-layout.h"
#include "drawing/figure/stroke-geometry.h"
#include "drawing/figure/pictures.h"

#include "picture-case.h"

#include <math.h>

static PlgFigure *
draw_at (Case *c, double zoom, PlgRect visible)
{
  c->options.legend = TRUE;
  c->options.zoom = zoom;
  c->options.visible = visible;
  return plg_cluster_figure (c->plan, c->report, &c->theme, &c->options);
}

static const PlgRect all = { 0 };

/* Up to 512 GPUs the screen shows at natural size the same as a file. */
static void
test_natural_size (void)
{
  static const char *const names[] = { "one-gpu", "default", "mesh", "pcie", "tree", "rack" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Case c;
      g_autoptr (PlgFigure) file = NULL, screen = NULL;
      g_autofree char *a = NULL, *b = NULL;

      case_init (&c, sample_named (names[i]));
      file = draw_at (&c, 0, all);
      screen = draw_at (&c, 1, all);
      a = plg_figure_dump (file);
      b = plg_figure_dump (screen);
      g_assert_cmpstr (a, ==, b);
      case_clear (&c);
    }
}

static const double zooms[] = { 8,    1,   0.74, 0.73, 0.6, 0.59, 0.45, 0.36,
                                0.35, 0.2, 0.18, 0.17, 0.1, 0.05, 0.02 };

/* Neither positions nor the size of the whole picture depend on the zoom. */
static void
test_positions_are_fixed (void)
{
  for (int i = 0; i < n_samples; i++)
    {
      Case c;
      double width = 0, height = 0;

      case_init (&c, &samples[i]);
      for (gsize k = 0; k < G_N_ELEMENTS (zooms); k++)
        {
          g_autoptr (PlgFigure) figure = draw_at (&c, zooms[k], (PlgRect) { 0, 0, 10, 10 });
          PlgClusterLayout layout = plg_cluster_layout_on_screen (c.plan, zooms[k]);
          int last = plg_cluster_gpus (&c.plan->cluster) - 1;
          PlgRect here = plg_cluster_layout_gpu (&layout, last);
          PlgRect expected = plg_cluster_gpu_rect (c.plan, last);

          g_assert_cmpfloat_with_epsilon (here.x, expected.x, 1e-9);
          g_assert_cmpfloat_with_epsilon (here.y, expected.y, 1e-9);
          g_assert_cmpfloat_with_epsilon (here.width, expected.width, 1e-9);
          if (k > 0)
            {
              g_assert_cmpfloat_with_epsilon (plg_figure_width (figure), width, 1e-6);
              g_assert_cmpfloat_with_epsilon (plg_figure_height (figure), height, 1e-6);
            }
          width = plg_figure_width (figure);
          height = plg_figure_height (figure);
        }
      case_clear (&c);
    }
}

static gboolean
is_seen (const PlgShape *shape, PlgRect part)
{
  return plg_shape_is_visible (shape) && plg_rect_intersects (plg_shape_extents (shape), part);
}

/* Returns the next shape of FIGURE from I on that is visible in PART; -1 without such a shape. */
static int
next_seen (const PlgFigure *figure, int i, PlgRect part)
{
  for (; i < plg_figure_n_shapes (figure); i++)
    if (is_seen (plg_figure_shape (figure, i), part))
      return i;
  return -1;
}

static void
assert_same_within (const PlgFigure *a, const PlgFigure *b, PlgRect part)
{
  int i = next_seen (a, 0, part), k = next_seen (b, 0, part);

  for (; i >= 0 && k >= 0; i = next_seen (a, i + 1, part), k = next_seen (b, k + 1, part))
    {
      const PlgShape *one = plg_figure_shape (a, i), *other = plg_figure_shape (b, k);

      g_assert_cmpint (one->kind, ==, other->kind);
      g_assert_true (plg_entity_equal (one->entity, other->entity));
      g_assert_cmpfloat_with_epsilon (one->rect.x, other->rect.x, 1e-9);
      g_assert_cmpfloat_with_epsilon (one->rect.y, other->rect.y, 1e-9);
      g_assert_cmpstr (one->text, ==, other->text);
    }
  g_assert_cmpint (i, ==, k);
}

/* The visible part has all its shapes although invisible nodes are omitted. */
static void
test_parts (void)
{
  static const char *const names[] = { "default", "rack", "tree", "1024", "8192", "16384" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    for (gsize k = 1; k < G_N_ELEMENTS (zooms); k += 3)
      {
        Case c;
        g_autoptr (PlgFigure) whole = NULL;

        case_init (&c, sample_named (names[i]));
        whole = draw_at (&c, zooms[k], all);
        for (int part = 0; part < 9; part++)
          {
            double width = plg_figure_width (whole) / 3, height = plg_figure_height (whole) / 3;
            PlgRect seen = { part % 3 * width, part / 3 * height, width * 0.7, height * 0.6 };
            g_autoptr (PlgFigure) figure = draw_at (&c, zooms[k], seen);

            assert_same_within (whole, figure, seen);
          }
        case_clear (&c);
      }
}

/* A screen full of the largest cluster has few shapes at any zoom. */
static void
test_number_of_shapes (void)
{
  Case c;

  case_init (&c, sample_named ("16384"));
  c.options.without_ids = TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      PlgRect seen = { 4000, 3000, 1920 / zooms[i], 1080 / zooms[i] };
      g_autoptr (PlgFigure) figure = draw_at (&c, zooms[i], seen);

      g_assert_cmpint (plg_figure_n_shapes (figure), <, 60000);
    }
  case_clear (&c);
}

/* Texts are legible: below natural size no text is smaller than the smallest text at natural
 * size. */
static void
test_texts_are_legible (void)
{
  static const char *const names[] = { "default", "tree", "1024", "16384" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    for (gsize k = 2; k < G_N_ELEMENTS (zooms); k++)
      {
        Case c;
        g_autoptr (PlgFigure) figure = NULL;

        case_init (&c, sample_named (names[i]));
        figure = draw_at (&c, zooms[k], all);
        for (int s = 0; s < plg_figure_n_shapes (figure); s++)
          {
            const PlgShape *shape = plg_figure_shape (figure, s);
            gboolean is_cluster = shape->layer == PLG_LAYER_CLUSTER;

            if (shape->kind == PLG_SHAPE_TEXT && *shape->text != '\0' && is_cluster)
              g_assert_cmpfloat (shape->font_size * zooms[k], >=, 5.5);
          }
        case_clear (&c);
      }
}

static int
count_things (const PlgFigure *figure, PlgEntityKind kind)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    n += plg_figure_shape (figure, i)->entity.kind == kind;
  return n;
}

static int
count_texts (const PlgFigure *figure)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    n += plg_figure_shape (figure, i)->kind == PLG_SHAPE_TEXT;
  return n;
}

/* Texts return at a closer zoom, for any size of the plan. */
static void
test_detail_follows_zoom (void)
{
  static const char *const names[] = { "default", "1024", "16384" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Case c;
      const PlgRect corner = { 0, 0, 1800, 1000 };
      g_autoptr (PlgFigure) full = NULL, brief = NULL, tiles = NULL, nodes = NULL;

      case_init (&c, sample_named (names[i]));
      full = draw_at (&c, 1, corner);
      brief = draw_at (&c, 0.45, corner);
      tiles = draw_at (&c, 0.25, corner);
      nodes = draw_at (&c, 0.1, corner);
      g_assert_cmpint (count_texts (full), >, count_texts (brief));
      g_assert_cmpint (count_texts (brief), >, count_texts (tiles));
      g_assert_cmpint (count_things (tiles, PLG_ENTITY_GPU), >=, 64);
      g_assert_cmpint (count_things (nodes, PLG_ENTITY_GPU), ==, 0);
      g_assert_cmpint (count_things (nodes, PLG_ENTITY_NODE), >=, 8);
      case_clear (&c);
    }
}

/* A rack at the zoom at which it fits: rack and trays have names, groups have letters, and there
 * is one handle, not one per group. The legend explains letters only if there are some. */
static void
test_rack (void)
{
  Case c;
  g_autoptr (PlgFigure) brief = NULL, tiles = NULL, nodes = NULL;

  case_init (&c, sample_named ("rack"));
  c.options.show = PLG_SHOW_TP;
  c.options.handles = TRUE;
  brief = draw_at (&c, 0.45, all);
  tiles = draw_at (&c, 0.3, all);
  nodes = draw_at (&c, 0.1, all);
  g_assert_nonnull (find_text (brief, "node 1"));
  g_assert_nonnull (find_text (brief, "tray 17"));
  g_assert_nonnull (find_text (brief, "63"));
  g_assert_nonnull (find_text (brief, "H"));
  g_assert_nonnull (find_text (brief, "Fill and letter: 18 TP groups of 8 GPUs"));
  g_assert_cmpint (count_things (brief, PLG_ENTITY_HANDLE), ==, 1);
  g_assert_nonnull (find_text (tiles, "H"));
  g_assert_nonnull (find_text (tiles, "Fill and letter: 18 TP groups of 8 GPUs"));
  g_assert_nonnull (find_text (nodes, "Fill: TP groups of 8 GPUs"));
  case_clear (&c);
}

/* The column of labels is as wide as the longest name, up to a limit. */
static void
test_names_have_room (void)
{
  Case c;
  double width, wider;

  case_init (&c, sample_named ("default"));
  width = plg_cluster_layout (c.plan).label_width;
  g_assert_true (plg_node_names_set (&c.plan->node_names, 2, "dgx-alpha-rack17", NULL));
  wider = plg_cluster_layout (c.plan).label_width;
  g_assert_cmpfloat (wider, >, width + 20);
  for (int zoom = 1; zoom <= 2; zoom++)
    {
      g_autoptr (PlgFigure) figure = draw_at (&c, zoom, all);
      const PlgShape *name = find_text (figure, "dgx-alpha-rack17");

      g_assert_nonnull (name);
      g_assert_cmpfloat (name->rect.x + name->rect.width, <, plg_cluster_node_rect (c.plan, 2).x);
    }
  g_assert_true (plg_node_names_set (&c.plan->node_names, 2,
                                     "dgx-alpha-rack17-of-the-second-hall-on-the-left", NULL));
  g_assert_cmpfloat (plg_cluster_layout (c.plan).label_width, <, 2.5 * width);
  case_clear (&c);
}

static gboolean
overlap (PlgRect a, PlgRect b)
{
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/* Asserts that all texts of GPU lie inside its tile and do not overlap. */
static void
check_tile_texts (const PlgFigure *figure, PlgRect tile, int at_least)
{
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (PlgRect));

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && shape->layer == PLG_LAYER_CLUSTER &&
          overlap (shape->rect, tile))
        g_array_append_val (texts, shape->rect);
    }
  g_assert_cmpint (texts->len, >=, at_least);
  for (guint i = 0; i < texts->len; i++)
    for (guint j = 0; j < texts->len; j++)
      {
        PlgRect one = g_array_index (texts, PlgRect, i), other = g_array_index (texts, PlgRect, j);

        g_assert_cmpfloat (one.x + one.width, <=, tile.x + tile.width);
        /* No text here has descenders that reach into the next line. */
        one.height *= 0.75;
        other.height *= 0.75;
        g_assert_true (i == j || !overlap (one, other));
      }
}

/* Five digits leave no space next to them, so the texts of a GPU are below its rank at any zoom,
 * since the figure is the same. */
static void
test_long_ranks (void)
{
  static const PlgShow shows[] = { PLG_SHOW_ALL, PLG_SHOW_TP, PLG_SHOW_DP, PLG_SHOW_MEMORY };
  static const double near[] = { 0.75, 0.85, 1, 2 };
  Case c;

  case_init (&c, sample_named ("16384"));
  for (gsize i = 0; i < G_N_ELEMENTS (shows) * G_N_ELEMENTS (near); i++)
    {
      PlgRect tile = plg_cluster_gpu_rect (c.plan, 16383);
      g_autoptr (PlgFigure) figure = NULL;

      c.options.show = shows[i / G_N_ELEMENTS (near)];
      figure = draw_at (&c, near[i % G_N_ELEMENTS (near)], tile);
      check_tile_texts (figure, tile, c.options.show == PLG_SHOW_TP ? 3 : 2);
    }
  case_clear (&c);
}

/* A tile is found at its position, on the screen as in files. */
static void
test_near (void)
{
  PlgClusterLayout layout;
  Case c;

  case_init (&c, sample_named ("16384"));
  layout = plg_cluster_layout_on_screen (c.plan, 1);
  for (int gpu = 0; gpu < 16384; gpu += 37)
    {
      PlgRect r = plg_cluster_gpu_rect (c.plan, gpu);

      g_assert_cmpint (plg_cluster_layout_gpu_near (&layout, r.x + r.width / 2, r.y + r.height / 2),
                       ==, gpu);
      g_assert_cmpint (plg_cluster_layout_gpu_near (&layout, r.x - 1, r.y - 1), ==, gpu);
    }
  case_clear (&c);
}

static gboolean
hits (const PlgFigure *figure, double x, double y, PlgEntity entity)
{
  const PlgShape *shape = plg_figure_hit_test (figure, x, y, 5);

  return shape != NULL && plg_entity_equal (shape->entity, entity);
}

/* Counts the points of a line, of eight, that hit its entity. */
static int
points_that_hit (const PlgFigure *figure, const PlgShape *line)
{
  const PlgPoint *p = plg_figure_points (figure, line);
  int n = 0;

  for (int i = 1; i < line->n_points; i++)
    for (int k = 0; k < 8; k++)
      n += hits (figure, p[i - 1].x + (p[i].x - p[i - 1].x) * (k + 0.5) / 8,
                 p[i - 1].y + (p[i].y - p[i - 1].y) * (k + 0.5) / 8, line->entity);
  return n;
}

/* Each drawn link can be hit, also next to a GPU with outlined groups. */
static void
test_links_can_be_hit (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  g_autofree int *n_hits = NULL;

  case_init (&c, sample_named ("default"));
  c.options.selected = (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = 18 };
  figure = draw_at (&c, 1, all);
  n_hits = g_new0 (int, c.report->links->len);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->entity.kind == PLG_ENTITY_LINK && shape->kind == PLG_SHAPE_PATH)
        n_hits[shape->entity.index] += points_that_hit (figure, shape);
    }
  for (guint i = 0; i < c.report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (c.report->links, PlgLink, i);

      if (link->tier == PLG_TIER_NVLINK || link->tier == PLG_TIER_NIC)
        g_assert_cmpint (n_hits[i], >=, 6);
    }
  case_clear (&c);
}

/* At a low zoom a pointer hits nodes, never their links of a pixel or two. */
static void
test_low_zoom_hits_nodes (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  PlgRect card;
  int n_hits = 0;

  case_init (&c, sample_named ("16384"));
  figure = draw_at (&c, 0.1, all);
  card = plg_cluster_node_rect (c.plan, 5);
  for (double x = 0; x <= 1; x += 1.0 / 64)
    for (double y = 0; y <= 1; y += 1.0 / 32)
      {
        const PlgShape *shape = plg_figure_hit_test (figure, card.x + x * card.width,
                                                     card.y + y * card.height, 50);

        /* The corners are empty. */
        g_assert_true (shape == NULL || shape->entity.kind == PLG_ENTITY_NODE);
        n_hits += shape != NULL && shape->entity.index == 5;
      }
  g_assert_cmpint (n_hits, >, 33 * 65 / 2);
  case_clear (&c);
}

/* A node can be hit at its number, and has its menu there. */
static void
test_numbers_are_nodes (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  int numbers = 0;

  case_init (&c, &sample_default);
  figure = draw_at (&c, 0.45, all);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      const PlgShape *hit;

      if (shape->kind != PLG_SHAPE_TEXT || !g_str_equal (shape->text, "3"))
        continue;
      hit = plg_figure_hit_test (figure, shape->rect.x + shape->rect.width / 2,
                                 shape->rect.y + shape->rect.height / 2, 2);
      numbers += hit != NULL &&
                 plg_entity_equal (hit->entity, (PlgEntity) { PLG_ENTITY_NODE, 0, 3 });
    }
  g_assert_cmpint (numbers, ==, 1);
  case_clear (&c);
}

/* While the zoom decreases, its step never increases, and each step is its own step. */
static void
test_steps (void)
{
  double last = 1;

  for (double zoom = 8; zoom > 0.02; zoom *= 0.97)
    {
      double step = plg_cluster_layout_zoom_step (zoom);

      g_assert_cmpfloat (step, <=, last);
      g_assert_true (step <= zoom || zoom >= PLG_CLUSTER_FULL_DETAIL_ZOOM);
      g_assert_cmpfloat (plg_cluster_layout_zoom_step (step), ==, step);
      last = step;
    }
}

/* Damage */

static gboolean
is_damaged (const GArray *damage, PlgRect rect)
{
  for (guint i = 0; i < damage->len; i++)
    if (plg_rect_intersects (g_array_index (damage, PlgRect, i), rect))
      return TRUE;
  return FALSE;
}

/* Selecting a GPU repaints its groups and not the rest. */
static void
test_damage (void)
{
  Case c;
  g_autoptr (PlgFigure) before = NULL, same = NULL, after = NULL;
  g_autoptr (GArray) none = NULL, damage = NULL;

  case_init (&c, sample_named ("default"));
  before = draw_at (&c, 1, all);
  same = draw_at (&c, 1, all);
  none = plg_figure_damage (before, same);
  g_assert_cmpuint (none->len, ==, 0);
  c.options.selected = (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = 9 };
  after = draw_at (&c, 1, all);
  damage = plg_figure_damage (before, after);
  g_assert_true (is_damaged (damage, plg_cluster_gpu_rect (c.plan, 9)));
  g_assert_false (is_damaged (damage, plg_cluster_gpu_rect (c.plan, 47)));
  case_clear (&c);
}

static PlgFigure *
three_rects (int first, int second, int third)
{
  static const PlgColor colors[] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 } };
  PlgFigure *figure = plg_figure_new (100, 100);
  const int order[] = { first, second, third };

  for (int i = 0; i < 3; i++)
    if (order[i] >= 0)
      plg_figure_rect (figure, order[i] * 10, 0, 15, 10, 0, colors[order[i]]);
  return figure;
}

/* Changes under visible shapes count, too; a removed shape leaves a hole. */
static void
test_damage_of_order (void)
{
  static const struct
  {
    int before[3], after[3];
    guint least, most;
  } rows[] = {
    { { 0, 1, 2 }, { 0, 1, 2 }, 0, 0 },    { { 0, 1, 2 }, { 1, 0, 2 }, 1, 2 },
    { { 0, 1, 2 }, { 0, -1, 2 }, 1, 1 },   { { 0, -1, 2 }, { 0, 1, 2 }, 1, 1 },
    { { 0, 1, 2 }, { 2, 1, 0 }, 1, 4 },    { { 0, 0, 1 }, { 0, 1, -1 }, 1, 1 },
    { { -1, -1, -1 }, { 0, 1, 2 }, 3, 3 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const int *b = rows[i].before, *a = rows[i].after;
      g_autoptr (PlgFigure) before = three_rects (b[0], b[1], b[2]);
      g_autoptr (PlgFigure) after = three_rects (a[0], a[1], a[2]);
      g_autoptr (GArray) damage = plg_figure_damage (before, after);

      g_assert_cmpuint (damage->len, >=, rows[i].least);
      g_assert_cmpuint (damage->len, <=, rows[i].most);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/zoom/natural-size", test_natural_size);
  g_test_add_func ("/zoom/positions-are-fixed", test_positions_are_fixed);
  g_test_add_func ("/zoom/parts", test_parts);
  g_test_add_func ("/zoom/number-of-shapes", test_number_of_shapes);
  g_test_add_func ("/zoom/texts-are-legible", test_texts_are_legible);
  g_test_add_func ("/zoom/detail-follows-zoom", test_detail_follows_zoom);
  g_test_add_func ("/zoom/rack", test_rack);
  g_test_add_func ("/zoom/names-have-room", test_names_have_room);
  g_test_add_func ("/zoom/long-ranks", test_long_ranks);
  g_test_add_func ("/zoom/near", test_near);
  g_test_add_func ("/zoom/numbers-are-nodes", test_numbers_are_nodes);
  g_test_add_func ("/zoom/links-can-be-hit", test_links_can_be_hit);
  g_test_add_func ("/zoom/low-zoom-hits-nodes", test_low_zoom_hits_nodes);
  g_test_add_func ("/zoom/steps", test_steps);
  g_test_add_func ("/zoom/damage", test_damage);
  g_test_add_func ("/zoom/damage-of-order", test_damage_of_order);
  return g_test_run ();
}
