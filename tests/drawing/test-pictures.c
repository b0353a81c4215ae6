/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-layout.h"
#include "drawing/pictures.h"

#include "drawing/outline.h"
#include "engine/veil.h"
#include "plan/fault.h"
#include "plan/quantity.h"
#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A plan, its report and how they are to be drawn. */
typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgTheme theme;
  PlgPictureOptions options;
  PlgThing lit[4];
} Case;

static void
case_init (Case *c, const Sample *sample)
{
  c->plan = sample_plan (sample);
  c->report = sample_report (sample, c->plan);
  plg_theme_init (&c->theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&c->options, c->plan);
}

static void
case_clear (Case *c)
{
  plg_plan_free (c->plan);
  plg_report_unref (c->report);
}

static PlgFigure *
draw (const Case *c, PlgPicture picture)
{
  return plg_picture_figure (picture, c->plan, c->report, &c->theme, &c->options);
}

/* Where things lie in files. */

static PlgRect
natural_gpu (const PlgPlan *plan, int gpu)
{
  PlgGridLayout layout = plg_grid_layout (plan);

  return plg_grid_layout_gpu (&layout, gpu);
}

static PlgRect
natural_node (const PlgPlan *plan, int node)
{
  PlgGridLayout layout = plg_grid_layout (plan);

  return plg_grid_layout_node (&layout, node);
}

static int
natural_near (const PlgPlan *plan, double x, double y)
{
  PlgGridLayout layout = plg_grid_layout (plan);

  return plg_grid_layout_gpu_near (&layout, x, y);
}

static const Sample *
sample_named (const char *name)
{
  for (int i = 0; i < n_samples; i++)
    if (g_str_equal (samples[i].name, name))
      return &samples[i];
  g_assert_not_reached ();
}

static PlgThing
thing (PlgThingKind kind, int index)
{
  return (PlgThing) { kind, PLG_AXIS_TP, index };
}

static PlgThing
axis_thing (PlgThingKind kind, PlgAxis axis, int index)
{
  return (PlgThing) { kind, axis, index };
}

static void
light (Case *c, PlgThing what)
{
  g_assert_cmpint (c->options.n_lit, <, (int) G_N_ELEMENTS (c->lit));
  c->lit[c->options.n_lit++] = what;
  c->options.lit = c->lit;
}

static const PlgShape *
shape_of (const PlgFigure *figure, PlgThing what)
{
  const PlgShape *shape = plg_figure_find_thing (figure, what);

  g_assert_nonnull (shape);
  return shape;
}

static gboolean
same_color (PlgColor a, PlgColor b)
{
  return plg_color_distance (a, b) < 1e-4;
}

/* Names -------------------------------------------------------------------------------------- */

static void
test_names (void)
{
  static const struct
  {
    const char *name;
    PlgPicture picture;
  } rows[] = { { "cluster", PLG_PICTURE_CLUSTER },
               { "grid", PLG_PICTURE_CLUSTER },
               { "links", PLG_PICTURE_CLUSTER },
               { "memory", PLG_PICTURE_MEMORY },
               { "timeline", PLG_PICTURE_TIMELINE },
               { "gantt", PLG_PICTURE_TIMELINE },
               { "mfu", PLG_PICTURE_MFU },
               { "ledger", PLG_PICTURE_LEDGER },
               { "collective", PLG_PICTURE_COLLECTIVE },
               { "ring", PLG_PICTURE_COLLECTIVE },
               { "split", PLG_PICTURE_SPLIT },
               { "sweep", PLG_PICTURE_SWEEP },
               { "scaling", PLG_PICTURE_SWEEP } };
  PlgPicture picture;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_true (plg_picture_from_name (rows[i].name, &picture));
      g_assert_cmpint (picture, ==, rows[i].picture);
    }
  for (int i = 0; i < PLG_N_PICTURES; i++)
    {
      g_assert_true (plg_picture_from_name (plg_picture_name (i), &picture));
      g_assert_cmpint (picture, ==, i);
      g_assert_cmpstr (plg_picture_title (i), !=, "");
    }
  g_assert_false (plg_picture_from_name ("", &picture));
  g_assert_false (plg_picture_from_name ("Cluster", &picture));
}

static void
test_options (void)
{
  Case c;

  case_init (&c, &sample_default);
  c.plan->view.show = PLG_SHOW_DP;
  c.plan->view.link_color = PLG_LINK_COLOR_TIME;
  c.plan->view.rings = TRUE;
  plg_picture_options_init (&c.options, c.plan);
  g_assert_cmpint (c.options.show, ==, PLG_SHOW_DP);
  g_assert_cmpint (c.options.link_color, ==, PLG_LINK_COLOR_TIME);
  g_assert_true (c.options.rings);
  g_assert_true (c.options.legend);
  g_assert_false (c.options.handles);
  g_assert_cmpint (c.options.n_lit, ==, 0);
  case_clear (&c);
}

/* Every picture is sound ----------------------------------------------------------------------- */

static void
assert_finite (const PlgFigure *figure, const PlgShape *shape)
{
  const PlgPoint *points = plg_figure_points (figure, shape);

  g_assert_true (isfinite (shape->rect.x) && isfinite (shape->rect.y));
  g_assert_true (isfinite (shape->rect.width) && isfinite (shape->rect.height));
  g_assert_true (shape->rect.width >= 0 && shape->rect.height >= 0);
  g_assert_true (isfinite (shape->stroke_width) && shape->stroke_width >= 0);
  g_assert_true (isfinite (shape->radius) && shape->radius >= 0);
  for (int i = 0; i < shape->n_points; i++)
    g_assert_true (isfinite (points[i].x) && isfinite (points[i].y));
}

static gboolean
can_be_seen (const PlgShape *shape)
{
  return shape->kind != PLG_SHAPE_OPEN && shape->kind != PLG_SHAPE_CLOSE &&
         plg_outline_is_visible (shape);
}

static void
assert_inside (const PlgFigure *figure, const PlgShape *shape)
{
  /* Letters may overhang a little, and strokes are half outside. */
  const double slack = 2.5;
  PlgRect r = shape->rect;

  if (r.x < -slack || r.y < -slack || r.x + r.width > plg_figure_width (figure) + slack ||
      r.y + r.height > plg_figure_height (figure) + slack)
    g_error ("outside of %g x %g: %g %g %g %g \"%s\"", plg_figure_width (figure),
             plg_figure_height (figure), r.x, r.y, r.width, r.height,
             shape->text != NULL ? shape->text : "");
}

static void
assert_sound (const PlgFigure *figure)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  int depth = 0;

  g_assert_true (isfinite (plg_figure_width (figure)) && plg_figure_width (figure) > 0);
  g_assert_true (isfinite (plg_figure_height (figure)) && plg_figure_height (figure) > 0);
  g_assert_cmpstr (plg_figure_title (figure), !=, "");
  g_assert_cmpstr (plg_figure_description (figure), !=, "");
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      depth += (shape->kind == PLG_SHAPE_OPEN) - (shape->kind == PLG_SHAPE_CLOSE);
      g_assert_cmpint (depth, >=, 0);
      if (shape->id != NULL && !g_hash_table_add (ids, (gpointer) shape->id))
        g_error ("twice the same id: %s", shape->id);
      assert_finite (figure, shape);
      if (can_be_seen (shape))
        assert_inside (figure, shape);
    }
  g_assert_cmpint (depth, ==, 0);
}

static void
assert_picture_sound (const Case *c, PlgPicture picture)
{
  g_autoptr (PlgFigure) figure = draw (c, picture);

  assert_sound (figure);
}

static void
test_palettes (void)
{
  for (int i = 0; i < n_samples; i++)
    for (int palette = 0; palette < PLG_N_PALETTES; palette++)
      for (int picture = 0; picture < PLG_N_PICTURES; picture++)
        {
          Case c;

          case_init (&c, &samples[i]);
          plg_theme_init (&c.theme, palette);
          assert_picture_sound (&c, picture);
          case_clear (&c);
        }
}

static void
test_shows (void)
{
  for (int i = 0; i < n_samples; i++)
    for (int show = PLG_SHOW_ALL; show <= PLG_SHOW_MEMORY; show++)
      for (int variant = 0; variant < 4; variant++)
        {
          Case c;

          case_init (&c, &samples[i]);
          c.options.show = show;
          c.options.rings = variant & 1;
          c.options.handles = TRUE;
          c.options.legend = !(variant & 2);
          c.options.link_color = variant;
          assert_picture_sound (&c, PLG_PICTURE_CLUSTER);
          case_clear (&c);
        }
}

static void
test_highlights (void)
{
  const PlgThing things[] = {
    thing (PLG_THING_GPU, 0),
    thing (PLG_THING_GPU, 5),
    thing (PLG_THING_NODE, 1),
    thing (PLG_THING_LINK, 3),
    thing (PLG_THING_LINK, 100000),
    thing (PLG_THING_STAGE, 0),
    thing (PLG_THING_BLOCK, 2),
    thing (PLG_THING_PART, PLG_PART_PP),
    thing (PLG_THING_PART, PLG_PART_COMPUTE),
    thing (PLG_THING_HANDLE, 0),
    thing (PLG_THING_LEGEND, 0),
    thing (PLG_THING_GPU, -1),
    thing (PLG_THING_GPU, G_MAXINT),
    thing (PLG_THING_NODE, -3),
    axis_thing (PLG_THING_GROUP, PLG_AXIS_TP, 0),
    axis_thing (PLG_THING_GROUP, PLG_AXIS_DP, 1),
    axis_thing (PLG_THING_GROUP, PLG_AXIS_PP, -1),
    axis_thing (PLG_THING_GROUP, PLG_AXIS_CP, G_MAXINT),
  };

  for (int i = 0; i < n_samples; i++)
    for (gsize k = 0; k < G_N_ELEMENTS (things); k++)
      for (int focused = 0; focused < 2; focused++)
        {
          Case c;

          case_init (&c, &samples[i]);
          c.options.handles = TRUE;
          if (focused)
            light (&c, things[k]);
          else
            c.options.selected = things[k];
          assert_picture_sound (&c, PLG_PICTURE_CLUSTER);
          case_clear (&c);
        }
}

static void
test_widths (void)
{
  static const double widths[] = { 1, 200, 240, 300, 480, 1000, 4000 };

  for (int i = 0; i < n_samples; i++)
    for (gsize k = 0; k < G_N_ELEMENTS (widths); k++)
      for (int picture = PLG_PICTURE_MEMORY; picture < PLG_N_PICTURES; picture++)
        {
          Case c;

          case_init (&c, &samples[i]);
          c.options.width = widths[k];
          c.options.embedded = k % 2;
          assert_picture_sound (&c, picture);
          case_clear (&c);
        }
}

/* A report may hold numbers that are none, and may not belong to the plan. */
static void
spoil (PlgReport *report, double value)
{
  for (guint i = 0; i < report->stages->len; i++)
    {
      g_array_index (report->stages, PlgStageMemory, i).activations = value;
      g_array_index (report->stages, PlgStageMemory, i).total = value;
    }
  for (guint i = 0; i < report->links->len; i++)
    {
      g_array_index (report->links, PlgLink, i).calls = value;
      g_array_index (report->links, PlgLink, i).bytes_out = value;
      g_array_index (report->links, PlgLink, i).time = value;
    }
  for (guint i = 0; i < report->blocks->len; i += 3)
    g_array_index (report->blocks, PlgBlock, i).end = value;
  report->memory_capacity = report->memory_peak = value;
  report->step.time = report->step.mfu = value;
  report->step.part[PLG_PART_BUBBLE] = value;
}

static void
test_numbers_that_are_none (void)
{
  static const double values[] = { NAN, INFINITY, -INFINITY, 0, -1, 1e21, 1e-9 };

  for (gsize k = 0; k < G_N_ELEMENTS (values); k++)
    for (int picture = 0; picture < PLG_N_PICTURES; picture++)
      for (int color = 0; color <= PLG_LINK_COLOR_OFF; color++)
        {
          Case c;

          case_init (&c, &sample_default);
          c.options.link_color = color;
          c.options.show = color == 1 ? PLG_SHOW_MEMORY : PLG_SHOW_ALL;
          spoil (c.report, values[k]);
          assert_picture_sound (&c, picture);
          case_clear (&c);
        }
}

static void
test_empty_report (void)
{
  for (int i = 0; i < n_samples; i++)
    for (int picture = 0; picture < PLG_N_PICTURES; picture++)
      {
        Case c;

        case_init (&c, &samples[i]);
        plg_report_unref (c.report);
        c.report = plg_report_new ();
        light (&c, thing (PLG_THING_GPU, 0));
        assert_picture_sound (&c, picture);
        case_clear (&c);
      }
}

/* The report of another plan, as there is for a moment while a document changes. */
static void
test_other_report (void)
{
  for (int i = 0; i < n_samples; i++)
    for (int picture = 0; picture < PLG_N_PICTURES; picture++)
      {
        Case c, other;

        case_init (&c, &samples[i]);
        case_init (&other, &samples[(i + 1) % n_samples]);
        plg_report_unref (c.report);
        c.report = plg_report_ref (other.report);
        assert_picture_sound (&c, picture);
        case_clear (&other);
        case_clear (&c);
      }
}

/* Degrees that do not multiply to the GPUs: nobody has a rank. */
static void
test_no_ranks (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  c.plan->parallelism.degree[PLG_AXIS_DP] = 3;
  c.options.handles = TRUE;
  c.options.selected = thing (PLG_THING_GPU, 7);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  assert_sound (figure);
  g_assert_nonnull (plg_figure_find (figure, "gpu-63"));
  case_clear (&c);
}

/* The cluster -------------------------------------------------------------------------------- */

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

/* The picture of the plan that the program opens with fits a canvas between two panels. */
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
  const PlgShape *shape = plg_figure_hit (figure, x, y, 4);

  g_assert_nonnull (shape);
  g_assert_cmpint (shape->thing.kind, ==, PLG_THING_GPU);
  g_assert_cmpint (shape->thing.index, ==, gpu);
  g_assert_cmpint (natural_near (plan, x, y), ==, gpu);
  /* Into the gap around it. */
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
      int gpus = plg_cluster_gpus (&plan->cluster);

      for (gsize x = 0; x < G_N_ELEMENTS (far); x++)
        for (gsize y = 0; y < G_N_ELEMENTS (far); y++)
          {
            int gpu = plg_grid_gpu_near (plan, far[x], far[y]);

            g_assert_cmpint (gpu, >=, 0);
            g_assert_cmpint (gpu, <, gpus);
          }
      for (int gpu = 0; gpu < gpus; gpu += 1 + gpus / 100)
        {
          PlgRect r = plg_grid_gpu_rect (plan, gpu);
          PlgRect card = plg_grid_node_rect (plan, gpu / samples[i].gpus);

          g_assert_cmpint (plg_grid_gpu_near (plan, r.x + r.width / 2, r.y + r.height / 2), ==,
                           gpu);
          g_assert_true (r.x >= card.x - 0.01 && r.x + r.width <= card.x + card.width + 0.01);
          g_assert_true (r.y >= card.y - 0.01 && r.y + r.height <= card.y + card.height + 0.01);
        }
    }
}

/* Less is said of each GPU as there are more of them, so that the largest cluster is light. */
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

/* Ink, without the room for accents above and tails below that lines of text leave. */
static PlgRect
ink (const PlgShape *text)
{
  return (PlgRect) { text->rect.x + 0.5, text->at.y - 0.7 * text->font_size, text->rect.width - 1,
                     0.75 * text->font_size };
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
            *b->text != '\0' && plg_rect_meets (ink (a), ink (b)))
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

static const PlgShape *
find_text (const PlgFigure *figure, const char *text)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && g_str_equal (shape->text, text))
        return shape;
    }
  return NULL;
}

/* Ranks and coordinates of many digits. */
static void
test_long_texts_apart (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  c.plan->cluster.nodes = 64;
  c.plan->parallelism.degree[PLG_AXIS_DP] = 16;
  g_array_set_size (c.report->links, 0);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (find_text (figure, "t7 p3 d15"));
  /* Those of one tile follow each other. */
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    for (int k = i + 1; k < MIN (i + 4, plg_figure_n_shapes (figure)); k++)
      {
        const PlgShape *a = plg_figure_shape (figure, i), *b = plg_figure_shape (figure, k);

        if (a->kind == PLG_SHAPE_TEXT && b->kind == PLG_SHAPE_TEXT && *a->text != '\0' &&
            *b->text != '\0' && plg_rect_meets (ink (a), ink (b)))
          g_error ("\"%s\" lies on \"%s\"", a->text, b->text);
      }
  case_clear (&c);
}

/* Text in a tile stays in it. */
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

          if (shape->thing.kind == PLG_THING_GPU)
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

/* Fill is the stage, lightness the replica. */
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

      g_assert_true (same_color (shape_of (figure, thing (PLG_THING_GPU, gpu))->fill, swatch.fill));
    }
  case_clear (&c);
}

/* One axis alone: members of a group have one fill, and no other group has it nearby. */
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
      PlgColor fill = shape_of (figure, thing (PLG_THING_GPU, gpu))->fill;
      PlgColor next = shape_of (figure, thing (PLG_THING_GPU, gpu + 1))->fill;

      g_assert_true (same_color (fill, shape_of (figure, thing (PLG_THING_GPU, gpu + 8))->fill));
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
  g_assert_true (same_color (shape_of (figure, thing (PLG_THING_GPU, 0))->fill,
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

/* Links -------------------------------------------------------------------------------------- */

static void
test_scale (void)
{
  Case c;
  PlgLinkScale scale;
  PlgLink link = { 0 };
  double last = -1;

  case_init (&c, &sample_default);
  for (int meaning = 0; meaning < PLG_LINK_COLOR_OFF; meaning++)
    {
      scale = plg_link_scale (c.report, meaning);
      g_assert_cmpfloat (scale.minimum, <, scale.maximum);
      last = -1;
      for (double value = 1; value < 1e13; value *= 10)
        {
          double share;

          link.calls = link.bytes_out = link.time = value;
          share = plg_link_scale_share (&scale, &link);
          g_assert_cmpfloat (share, >=, MAX (last, 0));
          g_assert_cmpfloat (share, <=, 1);
          last = share;
        }
      g_assert_cmpfloat (last, ==, 1);
    }
  /* Calls are on a logarithmic scale from 1 to 10 000. */
  scale = plg_link_scale (c.report, PLG_LINK_COLOR_FREQUENCY);
  link.calls = 100;
  g_assert_cmpfloat_with_epsilon (plg_link_scale_share (&scale, &link), 0.5, 1e-9);
  link.calls = 0;
  g_assert_cmpfloat (plg_link_scale_share (&scale, &link), ==, 0);
  case_clear (&c);
}

/* The shape of a link that is coloured by it: its first wire. */
static void
test_link_colors (void)
{
  for (int meaning = 0; meaning <= PLG_LINK_COLOR_OFF; meaning++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      PlgLinkScale scale;
      int n = 0;

      case_init (&c, &sample_default);
      c.options.link_color = meaning;
      scale = plg_link_scale (c.report, meaning);
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);
          const PlgLink *link;
          PlgColor wanted = c.theme.role[PLG_ROLE_LINK_IDLE];

          if (shape->thing.kind != PLG_THING_LINK)
            continue;
          link = &g_array_index (c.report->links, PlgLink, shape->thing.index);
          if (meaning != PLG_LINK_COLOR_OFF)
            wanted = plg_theme_link_color (&c.theme, plg_link_scale_share (&scale, link));
          g_assert_true (same_color (shape->stroke, wanted));
          n++;
        }
      g_assert_cmpint (n, >=, 3 * 64);
      case_clear (&c);
    }
}

/* All links of the report are in the picture, by their names. */
static void
test_link_ids (void)
{
  static const char *const names[] = { "default", "mesh", "pcie", "tree", "many-nics", "rack" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c, sample_named (names[i]));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (guint k = 0; k < c.report->links->len; k++)
        {
          const PlgLink *link = &g_array_index (c.report->links, PlgLink, k);
          g_autofree char *name = plg_link_id (link);
          g_autofree char *id = g_strconcat ("link-", name, NULL);

          /* PCIe to a NIC that several GPUs share is drawn once; an unused spine is left out. */
          if (link->tier == PLG_TIER_PCIE || (link->tier == PLG_TIER_SPINE && link->calls <= 0))
            continue;
          if (plg_figure_find (figure, id) == NULL)
            g_error ("%s: no %s", names[i], id);
        }
      case_clear (&c);
    }
}

/* The spine is in the picture where something crosses it or it is narrow. */
static void
test_spine (void)
{
  Case c;
  PlgFigure *figure;

  case_init (&c, &sample_default);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_null (plg_figure_find (figure, "spine"));
  plg_figure_unref (figure);
  c.plan->cluster.oversubscription = 2;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (plg_figure_find (figure, "spine"));
  g_assert_nonnull (plg_figure_find (figure, "link-leaf-3-spine-1"));
  plg_figure_unref (figure);
  c.plan->cluster.oversubscription = 1;
  for (guint i = 0; i < c.report->links->len; i++)
    g_array_index (c.report->links, PlgLink, i).bytes_out = 1e9;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (plg_figure_find (figure, "spine"));
  plg_figure_unref (figure);
  case_clear (&c);
}

/* Two units of rails: each column of nodes belongs to one, each leaf has its label and its uplinks
 * above the first column of its unit. */
static void
test_units (void)
{
  static const Sample two_units = { .name = "two-units",
                                    .nodes = 64,
                                    .gpus = 8,
                                    .tp = 8,
                                    .cp = 1,
                                    .ep = 1,
                                    .pp = 4,
                                    .dp = 16,
                                    .micro_batches = 8 };
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  double border;
  int found = 0;

  case_init (&c, &two_units);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  border = natural_node (c.plan, 32).x;
  for (int node = 0; node < 64; node++)
    g_assert_true ((natural_node (c.plan, node).x >= border) == (node >= 32));
  g_assert_nonnull (plg_figure_find (figure, "rail-7"));
  g_assert_nonnull (plg_figure_find (figure, "unit-1-rail-0"));
  g_assert_null (plg_figure_find (figure, "unit-2-rail-0"));
  for (guint k = 0; k < c.report->links->len; k++)
    {
      const PlgLink *link = &g_array_index (c.report->links, PlgLink, k);

      if (link->tier != PLG_TIER_SPINE)
        continue;
      g_assert_true ((shape_of (figure, thing (PLG_THING_LINK, k))->rect.x > border) ==
                     (link->local >= 8));
      found++;
    }
  g_assert_cmpint (found, ==, 16 * 8);
  case_clear (&c);
}

static int
n_of_class (const PlgFigure *figure, const char *classes)
{
  int n = 0;

  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    n += g_strcmp0 (plg_figure_shape (figure, k)->classes, classes) == 0;
  return n;
}

/* What is slow or has failed has a sign, and its own wires are dashed: not the rail beside a NIC,
 * on which the nodes below still hang. The rest is as before. */
static void
test_faults (void)
{
  Case c;
  g_autoptr (PlgFigure) sound = NULL;
  g_autoptr (PlgFigure) faulty = NULL;
  int dashed = 0;

  case_init (&c, &sample_default);
  c.options.legend = FALSE;
  sound = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_true (plg_faults_from_string (&c.plan->cluster, "gpu:17=0.8,port:5=0.5,nic:2.3=0",
                                         NULL));
  faulty = draw (&c, PLG_PICTURE_CLUSTER);
  for (int k = 0; k < plg_figure_n_shapes (faulty); k++)
    {
      const PlgShape *shape = plg_figure_shape (faulty, k);
      const PlgLink *link;

      if (shape->kind != PLG_SHAPE_PATH || shape->thing.kind != PLG_THING_LINK)
        continue;
      link = &g_array_index (c.report->links, PlgLink, shape->thing.index);
      g_assert_cmpint (shape->dashed, ==,
                       link->tier == PLG_TIER_NVLINK && link->node == 0 && link->local == 5);
      dashed += shape->dashed;
    }
  g_assert_cmpint (dashed, ==, 2);
  g_assert_cmpint (n_of_class (faulty, "fault"), ==, 3);
  /* Each in a group; a box and its words, three discs, two strokes and a cross. */
  g_assert_cmpint (plg_figure_n_shapes (faulty), ==, plg_figure_n_shapes (sound) + 6 + 2 + 3 + 4);
  case_clear (&c);
}

/* Past a NIC that has failed the cables of the nodes below run on, in their look; its own stub ends
 * before it. */
static void
test_failed_nic (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  double shortest = G_MAXDOUBLE, longest = 0;

  case_init (&c, &sample_default);
  g_assert_true (plg_faults_from_string (&c.plan->cluster, "nic:2.3=0", NULL));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);
      const PlgLink *link;

      if (shape->kind != PLG_SHAPE_PATH || shape->thing.kind != PLG_THING_LINK)
        continue;
      link = &g_array_index (c.report->links, PlgLink, shape->thing.index);
      if (link->tier == PLG_TIER_NIC)
        g_assert_true (link->node != 2 || link->local != 3);
      if (link->tier != PLG_TIER_PCIE)
        continue;
      shortest = MIN (shortest, shape->rect.width);
      longest = MAX (longest, shape->rect.width);
    }
  g_assert_cmpfloat (shortest, <, 0.5 * longest);
  case_clear (&c);
}

/* The first round sign in the colour of errors; the legend's comes after it. */
static const PlgShape *
fault_disc (const PlgFigure *figure, const PlgTheme *theme)
{
  PlgColor error = theme->role[PLG_ROLE_ERROR];

  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);

      if (shape->kind == PLG_SHAPE_RECT && shape->radius == shape->rect.width / 2 &&
          (memcmp (&shape->fill, &error, sizeof error) == 0 ||
           memcmp (&shape->stroke, &error, sizeof error) == 0))
        return shape;
    }
  return NULL;
}

/* From however far away, each fault is seen, at least so large, and the legend names it. */
static void
test_faults_from_afar (void)
{
  static const double zooms[] = { 1, 0.5, 0.25, 0.1, 0.045 };
  static const char *const faults[] = { "gpu:300=0.5", "port:300=0.5", "nic:30.2=0",
                                        "uplink:3.0=0.5" };
  Case c;

  case_init (&c, sample_named ("1024"));
  for (gsize i = 0; i < G_N_ELEMENTS (zooms) * G_N_ELEMENTS (faults); i++)
    {
      const char *fault = faults[i % G_N_ELEMENTS (faults)];
      double zoom = zooms[i / G_N_ELEMENTS (faults)];
      g_autoptr (PlgFigure) sound = NULL, figure = NULL;
      const PlgShape *disc;

      c.options.zoom = zoom;
      c.plan->cluster.n_faults = 0;
      c.options.legend = TRUE;
      sound = draw (&c, PLG_PICTURE_CLUSTER);
      g_assert_true (plg_faults_from_string (&c.plan->cluster, fault, NULL));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      g_assert_nonnull (find_text (figure, g_str_has_prefix (fault, "nic") ? "failed link"
                                           : g_str_has_prefix (fault, "gpu")
                                               ? "slow GPU, at 50 %"
                                               : "slow link, at 50 %"));
      disc = fault_disc (figure, &c.theme);
      g_assert_nonnull (disc);
      g_assert_cmpfloat (disc->rect.width * zoom, >=, 8);
      g_assert_cmpfloat (disc->rect.x, >=, 0);
      g_assert_cmpfloat (disc->rect.x + disc->rect.width, <=, plg_figure_width (figure));
      g_assert_null (fault_disc (sound, &c.theme));
    }
  case_clear (&c);
}

/* One ring of each axis is drawn: the legend says of how many, lest the others be missed. */
static void
test_rings_are_samples (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  c.options.rings = TRUE;
  c.options.legend = TRUE;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (find_text (figure, "TP ring, one of 8"));
  g_assert_nonnull (find_text (figure, "PP send, one of 16 chains"));
  g_assert_nonnull (find_text (figure, "DP ring, one of 32"));
  case_clear (&c);
}

/* The ring of GROUP that stands out lies over the GPUs, the others below. */
static gboolean
is_ring_below (const PlgFigure *figure, PlgAxis axis, int group)
{
  int ring = -1, gpu = -1;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->arrow && shape->thing.kind == PLG_THING_GROUP && shape->thing.axis == axis &&
          shape->thing.index == group)
        ring = i;
      if (gpu < 0 && shape->kind == PLG_SHAPE_RECT && shape->thing.kind == PLG_THING_GPU)
        gpu = i;
    }
  g_assert_cmpint (ring, >=, 0);
  return ring < gpu;
}

/* With one axis alone all its rings are drawn, the one that is pointed at strongest, and of the
 * other axes none. The legend says how many. */
static void
test_rings_of_one_axis (void)
{
  const PlgThing lit = axis_thing (PLG_THING_GROUP, PLG_AXIS_TP, 3);
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  c.options.rings = TRUE;
  c.options.legend = TRUE;
  c.options.show = PLG_SHOW_TP;
  c.options.lit = &lit;
  c.options.n_lit = 1;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (find_text (figure, "TP ring, one of 8"));
  g_assert_nonnull (find_text (figure, "the 7 others"));
  for (int group = 0; group < 8; group++)
    g_assert_true (is_ring_below (figure, PLG_AXIS_TP, group) == (group != 3));
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    if (plg_figure_shape (figure, i)->arrow)
      g_assert_cmpint (plg_figure_shape (figure, i)->thing.axis, ==, PLG_AXIS_TP);
  case_clear (&c);
}

static int
count_arrows (const PlgFigure *figure)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    n += plg_figure_shape (figure, i)->arrow;
  return n;
}

/* From afar the rings of 16,384 GPUs are not thousands of lines: arrows between racks stand for
 * what all rings do alike. */
static void
test_rings_from_afar (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, sample_named ("16384"));
  c.options.rings = TRUE;
  c.options.show = PLG_SHOW_DP;
  c.options.zoom = 0.05;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_cmpint (count_arrows (figure), >=, 63);
  g_assert_cmpint (count_arrows (figure), <=, 200);
  case_clear (&c);
}

/* Zoomed out, what is seen of a grip leaves the GPUs beside it free, and what can be hit is as
 * large as a pointer needs it. */
static void
test_grips_are_slim (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  int grips = 0;

  case_init (&c, &sample_default);
  c.options.handles = TRUE;
  c.options.zoom = 0.4;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (int k = 0; k + 1 < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *area = plg_figure_shape (figure, k), *pill = plg_figure_shape (figure, k + 1);

      if (area->thing.kind != PLG_THING_HANDLE)
        continue;
      grips++;
      g_assert_cmpfloat (MIN (area->rect.width, area->rect.height) * c.options.zoom, >=, 16);
      g_assert_cmpfloat (MIN (pill->rect.width, pill->rect.height), <=, 15);
      g_assert_cmpfloat (MAX (pill->rect.width, pill->rect.height), <=, 44);
    }
  g_assert_cmpint (grips, >=, 2);
  case_clear (&c);
}

static gboolean
overlap (PlgRect a, PlgRect b)
{
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/* However near or far, and for the back row, a sign is large enough to be seen, and hides neither
 * the number of a GPU nor the name of a rail. */
static void
test_fault_signs_are_clear (void)
{
  static const double zooms[] = { 1.5, 1, 0.76, 0.74, 0.73, 0.6, 0.58, 0.48, 0.37 };
  static const char *const faults[] = { "gpu:17=0.4", "gpu:63=0.4", "port:17=0.5", "nic:1.2=0",
                                        "uplink:0.0=0.5" };
  Case c;

  case_init (&c, &sample_default);
  c.options.legend = FALSE;
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (zooms) * G_N_ELEMENTS (faults); i++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *disc;

      c.options.zoom = zooms[i / 2 % G_N_ELEMENTS (zooms)];
      c.options.least_text = i % 2 ? 18 : 0;
      c.plan->cluster.n_faults = 0;
      g_assert_true (plg_faults_from_string (&c.plan->cluster, faults[i / 2 / G_N_ELEMENTS (zooms)],
                                             NULL));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      disc = fault_disc (figure, &c.theme);
      g_assert_nonnull (disc);
      g_assert_cmpfloat (disc->rect.width * c.options.zoom, >=,
                         c.options.zoom >= PLG_GRID_FULL_ZOOM ? MAX (14, c.options.least_text)
                                                              : 14);
      for (int k = 0; k < plg_figure_n_shapes (figure); k++)
        {
          const PlgShape *shape = plg_figure_shape (figure, k);
          PlgRect ink = shape->rect;

          if (shape->kind != PLG_SHAPE_TEXT)
            continue;
          /* Figures have no descenders, and end below the upper edge of their line. */
          ink.y += 0.15 * ink.height;
          ink.height *= 0.6;
          g_assert_false (overlap (ink, disc->rect));
        }
    }
  case_clear (&c);
}

/* What is slow has another sign than what has failed: no line crosses it out. */
static void
test_slow_is_not_crossed_out (void)
{
  static const char *const faults[] = { "gpu:17=0.4", "nic:1.2=0" };
  Case c;

  case_init (&c, &sample_default);
  c.options.legend = FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *disc, *sign;

      c.options.zoom = 1;
      c.plan->cluster.n_faults = 0;
      g_assert_true (plg_faults_from_string (&c.plan->cluster, faults[i], NULL));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      disc = fault_disc (figure, &c.theme);
      g_assert_nonnull (disc);
      sign = disc + 1;
      g_assert_cmpint (sign->kind, ==, PLG_SHAPE_PATH);
      g_assert_cmpint (sign->closed, ==, i == 0);
      g_assert_cmpint (sign->n_points, ==, i == 0 ? 3 : 2);
    }
  case_clear (&c);
}

/* How slow a GPU is stays to be seen when it is selected: nothing of its groups, and no ring
 * around it, lies where the mark is. */
static void
test_slow_mark_is_seen (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  PlgRect tile;
  int mark = -1;

  case_init (&c, &sample_default);
  c.plan->cluster.faults[0] = (PlgFault) { PLG_FAULT_GPU, 0, 0, 0.5 };
  c.plan->cluster.n_faults = 1;
  c.options.selected = thing (PLG_THING_GPU, 0);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  tile = plg_figure_find_thing (figure, thing (PLG_THING_GPU, 0))->rect;
  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);

      if (shape->kind == PLG_SHAPE_TEXT && g_str_equal (shape->text, "50\u00a0%"))
        mark = k;
    }
  g_assert_cmpint (mark, >=, 0);
  for (int k = mark + 1; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);
      PlgRect text = plg_figure_shape (figure, mark)->rect;

      if (shape->kind == PLG_SHAPE_RECT && shape->fill.alpha > 0)
        g_assert_false (shape->rect.x < text.x + text.width &&
                        text.x < shape->rect.x + shape->rect.width &&
                        shape->rect.y < text.y + text.height &&
                        text.y < shape->rect.y + shape->rect.height);
    }
  mark--;
  g_assert_cmpfloat (plg_figure_shape (figure, mark)->rect.y, >, tile.y + 1);
  g_assert_cmpfloat (plg_figure_shape (figure, mark)->rect.y +
                         plg_figure_shape (figure, mark)->rect.height,
                     <, tile.y + tile.height);
  case_clear (&c);
}

/* In a narrow panel the note below a ledger takes more lines; nothing of it is cut. */
static void
test_ledger_note_of_narrow (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  g_autoptr (GString) note = g_string_new (NULL);

  case_init (&c, &sample_default);
  c.options.embedded = TRUE;
  c.options.width = 240;
  figure = draw (&c, PLG_PICTURE_LEDGER);
  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);

      if (shape->kind == PLG_SHAPE_TEXT)
        g_string_append_printf (note, "%s ", shape->text);
    }
  g_assert_nonnull (strstr (note->str, "Busy: the bytes, at the rate that the link reaches. A "
                                       "collective takes longer: latency and waiting come on "
                                       "top. "));
  case_clear (&c);
}

/* Headings of columns stand apart and are alike, and no cell has a letter too small to be read. */
static void
test_matrix_of_many (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  double right = 0, top = 0;
  int headings = 0;

  case_init (&c, sample_named ("16384"));
  figure = draw (&c, PLG_PICTURE_MATRIX);
  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);

      if (shape->kind != PLG_SHAPE_TEXT)
        continue;
      g_assert_true (strlen (shape->text) > 1 || g_ascii_isdigit (*shape->text));
      if (g_str_equal (shape->text, "0") && shape->anchor == PLG_ANCHOR_MIDDLE)
        top = shape->at.y;
      if (top == 0 || fabs (shape->at.y - top) > 0.01 || shape->anchor != PLG_ANCHOR_MIDDLE)
        continue;
      g_assert_cmpfloat (shape->rect.x, >, right + 2);
      right = shape->rect.x + shape->rect.width;
      g_assert_cmpuint (strspn (shape->text, "0123456789"), ==, strlen (shape->text));
      headings++;
    }
  g_assert_cmpint (headings, >=, 8);
  case_clear (&c);
}

/* Whether SHAPE is a straight wire of TIER that runs up and down. */
static gboolean
is_upright (const Case *c, const PlgShape *shape, PlgTier tier)
{
  return shape->kind == PLG_SHAPE_PATH && shape->thing.kind == PLG_THING_LINK &&
         shape->n_points == 2 && shape->rect.width < 0.01 && shape->rect.height > 8 &&
         g_array_index (c->report->links, PlgLink, shape->thing.index).tier == tier;
}

/* The index of the shape of NODE's card. */
static int
card_index (const PlgFigure *figure, int node)
{
  return (int) (plg_figure_find_thing (figure, thing (PLG_THING_NODE, node)) -
                plg_figure_shape (figure, 0));
}

/* From its label to the last node a rail is one line, over the cards and under what is on them. */
static void
test_rails (void)
{
  static const char *const names[] = { "default", "small", "many-nics", "rack", "mesh" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      PlgRect last_card;
      double x = -1, end = 0;
      int nodes;

      case_init (&c, sample_named (names[i]));
      nodes = c.plan->cluster.nodes;
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      last_card = natural_node (c.plan, nodes - 1);
      for (int k = 0, node = 0; k < plg_figure_n_shapes (figure); k++)
        {
          const PlgShape *shape = plg_figure_shape (figure, k);

          if (!is_upright (&c, shape, PLG_TIER_NIC))
            continue;
          node = fabs (shape->rect.x - x) < 0.01 ? node + 1 : 0;
          if (node > 0)
            g_assert_cmpfloat_with_epsilon (shape->rect.y, end, 0.01);
          x = shape->rect.x;
          end = shape->rect.y + shape->rect.height;
          g_assert_cmpint (k, >, card_index (figure, nodes - 1));
          g_assert_cmpint (k, <,
                           shape_of (figure, thing (PLG_THING_GPU, 0)) -
                               plg_figure_shape (figure, 0));
          if (node == nodes - 1)
            g_assert_true (end > last_card.y && end < last_card.y + last_card.height);
        }
      g_assert_cmpfloat (x, >, 0);
      case_clear (&c);
    }
}

/* What lies at (X, Y) must be the NVLink of GPU 13 or, for a whole node, of one of node 1's. */
static void
assert_nvlink (const Case *c, const PlgFigure *figure, double x, double y, int local)
{
  const PlgShape *shape = plg_figure_hit (figure, x, y, 3);
  PlgLinkScale scale = plg_link_scale (c->report, PLG_LINK_COLOR_FREQUENCY);
  const PlgLink *link;
  g_autofree char *words = NULL;

  g_assert_nonnull (shape);
  g_assert_cmpint (shape->thing.kind, ==, PLG_THING_LINK);
  link = &g_array_index (c->report->links, PlgLink, shape->thing.index);
  g_assert_cmpint (link->tier, ==, PLG_TIER_NVLINK);
  g_assert_cmpint (link->node, ==, 1);
  if (local >= 0)
    g_assert_cmpint (link->local, ==, local);
  g_assert_true (same_color (shape->stroke,
                             plg_theme_link_color (&c->theme,
                                                   plg_link_scale_share (&scale, link))));
  words = plg_describe_thing (c->plan, c->report, shape->thing);
  g_assert_true (g_str_has_prefix (words, "NVLink from GPU"));
}

static void
reverse_links (GArray *links)
{
  for (guint i = 0, k = links->len - 1; i < k; i++, k--)
    {
      PlgLink link = g_array_index (links, PlgLink, i);

      g_array_index (links, PlgLink, i) = g_array_index (links, PlgLink, k);
      g_array_index (links, PlgLink, k) = link;
    }
}

/* A GPU of such a node has an NVLink and PCIe; the bar under it is the NVLink, in whichever order
 * they come and however busy PCIe is. */
static void
test_switch_bar (void)
{
  static const char *const names[] = { "default", "1024", "16384" };

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (names); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      PlgRect tile, card;

      case_init (&c, sample_named (names[i / 2]));
      for (guint k = 0; k < c.report->links->len; k++)
        if (g_array_index (c.report->links, PlgLink, k).tier == PLG_TIER_PCIE)
          g_array_index (c.report->links, PlgLink, k).calls = 1e6;
      if (i % 2 == 1)
        reverse_links (c.report->links);
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      tile = natural_gpu (c.plan, 13);
      card = natural_node (c.plan, 1);
      if (i / 2 == 2)
        assert_nvlink (&c, figure, card.x + card.width / 2, card.y + card.height - 2, -1);
      else
        assert_nvlink (&c, figure, tile.x + tile.width / 2,
                       tile.y + tile.height + (i / 2 == 0 ? 7.5 : 5), 5);
      case_clear (&c);
    }
}

/* Where a node is one box, numbers name rows and columns, and the legend says what is what. */
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
  g_assert_true (plg_rect_meets (find_text (figure, "8")->rect,
                                 (PlgRect) { 0, row.y, row.x, row.height }));
  case_clear (&c);
}

/* The widths in the legend are those of the wires, whose size depends on the picture's. */
static void
test_legend_widths (void)
{
  static const char *const names[] = { "default", "1024" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      double wire = 0, top = 0;

      case_init (&c, sample_named (names[i]));
      for (guint k = 0; k < c.report->links->len; k++)
        {
          PlgLink *link = &g_array_index (c.report->links, PlgLink, k);

          link->bytes_out = link->bytes_in = 1e9;
        }
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (int k = 0; k < plg_figure_n_shapes (figure); k++)
        {
          const PlgShape *shape = plg_figure_shape (figure, k);

          if (shape->kind == PLG_SHAPE_PATH && shape->thing.kind == PLG_THING_LINK)
            wire = MAX (wire, shape->stroke_width);
          if (shape->kind == PLG_SHAPE_PATH && shape->layer == PLG_LAYER_LEGEND)
            top = MAX (top, shape->stroke_width);
        }
      g_assert_cmpfloat (top, >, 0);
      g_assert_cmpfloat_with_epsilon (wire, top, 0.01);
      case_clear (&c);
    }
}

/* What is between the GPUs does not move them: the pictures of a drag lie on each other. */
static void
test_layout_is_of_the_cluster (void)
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

/* Groups, focus and grips ---------------------------------------------------------------------- */

static void
test_focus_gpu (void)
{
  Case c;
  g_autoptr (PlgFigure) plain = NULL, figure = NULL;

  case_init (&c, &sample_default);
  plain = draw (&c, PLG_PICTURE_CLUSTER);
  light (&c, thing (PLG_THING_GPU, 21));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (int gpu = 0; gpu < 64; gpu++)
    {
      gboolean tp = gpu / 8 == 2, pp = gpu % 8 == 5 && gpu < 32, dp = gpu == 53;
      PlgColor before = shape_of (plain, thing (PLG_THING_GPU, gpu))->fill;
      PlgColor after = shape_of (figure, thing (PLG_THING_GPU, gpu))->fill;

      g_assert_cmpint (same_color (before, after), ==, tp || pp || dp);
    }
  g_assert_nonnull (plg_figure_find (figure, "group-tp-2"));
  g_assert_nonnull (plg_figure_find (figure, "group-pp-5"));
  g_assert_nonnull (plg_figure_find (figure, "group-dp-21"));
  g_assert_nonnull (plg_figure_find (figure, "chain-pp-5"));
  case_clear (&c);
}

/* Whether the wire of a link is drawn in its own colour. */
static gboolean
is_lit (const Case *c, const PlgFigure *figure, const char *id)
{
  PlgLinkScale scale = plg_link_scale (c->report, c->options.link_color);

  for (guint i = 0; i < c->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (c->report->links, PlgLink, i);
      g_autofree char *name = plg_link_id (link);

      if (g_str_equal (name, id))
        return same_color (shape_of (figure, thing (PLG_THING_LINK, i))->stroke,
                           plg_theme_link_color (&c->theme, plg_link_scale_share (&scale, link)));
    }
  g_assert_not_reached ();
}

/* Of the focused GPU's groups the links light up that carry the traffic of the axis. */
static void
test_focus_links (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  light (&c, thing (PLG_THING_GPU, 21));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_true (is_lit (&c, figure, "nvlink-2-0"));
  g_assert_true (is_lit (&c, figure, "nvlink-2-5"));
  g_assert_true (is_lit (&c, figure, "nic-1-5"));
  g_assert_true (is_lit (&c, figure, "nic-6-5"));
  g_assert_false (is_lit (&c, figure, "nvlink-1-5"));
  g_assert_false (is_lit (&c, figure, "nic-2-4"));
  g_assert_false (is_lit (&c, figure, "nic-7-5"));
  case_clear (&c);
}

/* A row of the communication table: all links that the axis crosses. */
static void
test_focus_axis (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  light (&c, axis_thing (PLG_THING_GROUP, PLG_AXIS_TP, -1));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_true (is_lit (&c, figure, "nvlink-7-7"));
  g_assert_false (is_lit (&c, figure, "nic-0-0"));
  case_clear (&c);
}

static int
collective_of (const Case *c, PlgAxis axis)
{
  for (guint i = 0; i < c->report->collectives->len; i++)
    if (g_array_index (c->report->collectives, PlgCollective, i).axis == axis)
      return i;
  g_assert_not_reached ();
}

/* A collective: the links that it crosses and no others; several things: all that each lights. */
static void
test_focus_collectives (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL, both = NULL;

  case_init (&c, &sample_default);
  light (&c, thing (PLG_THING_COLLECTIVE, collective_of (&c, PLG_AXIS_DP)));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_true (is_lit (&c, figure, "nic-0-0"));
  g_assert_false (is_lit (&c, figure, "nvlink-0-0"));
  light (&c, axis_thing (PLG_THING_GROUP, PLG_AXIS_TP, 3));
  both = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_true (is_lit (&c, both, "nic-0-0"));
  g_assert_true (is_lit (&c, both, "nvlink-3-0"));
  g_assert_false (is_lit (&c, both, "nvlink-0-0"));
  case_clear (&c);
}

static void
test_selected (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  const PlgShape *open;

  case_init (&c, &sample_default);
  c.options.selected = axis_thing (PLG_THING_GROUP, PLG_AXIS_TP, 2);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  open = plg_figure_find (figure, "group-tp-2");
  g_assert_nonnull (open);
  g_assert_cmpstr (open->title, ==, "TP group 2 · 8 GPUs · NVLink");
  /* A selection fades nothing. */
  g_assert_true (same_color (shape_of (figure, thing (PLG_THING_GPU, 60))->fill,
                             plg_theme_swatch (&c.theme, 3, 4, TRUE).fill));
  case_clear (&c);
}

/* Outlines of groups that are no node; a node's own card is outline enough. */
static void
test_outlines (void)
{
  static const struct
  {
    const char *name;
    int groups;
  } rows[] = { { "default", 0 }, { "tp-16", 4 }, { "all-axes", 32 }, { "swapped", 5 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      int n = 0;

      case_init (&c, sample_named (rows[i].name));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (int group = 0; group < 64; group++)
        {
          g_autofree char *id = g_strdup_printf ("group-tp-%d", group);

          n += plg_figure_find (figure, id) != NULL;
        }
      g_assert_cmpint (n, ==, rows[i].groups);
      case_clear (&c);
    }
}

static void
assert_grip (const PlgFigure *figure, PlgAxis axis, int rank, double x, double y)
{
  const PlgShape *shape = shape_of (figure, axis_thing (PLG_THING_HANDLE, axis, rank));

  g_assert_cmpint (shape->layer, ==, PLG_LAYER_HANDLES);
  g_assert_cmpfloat (MIN (shape->rect.width, shape->rect.height), >=, 16);
  g_assert_cmpfloat (MAX (shape->rect.width, shape->rect.height), >=, 24);
  g_assert_cmpfloat (fabs (shape->rect.x + shape->rect.width / 2 - x), <, 8);
  g_assert_cmpfloat (fabs (shape->rect.y + shape->rect.height / 2 - y), <, 8);
  shape = plg_figure_hit (figure, x, y, 4);
  g_assert_nonnull (shape);
  g_assert_true (plg_thing_equal (shape->thing, axis_thing (PLG_THING_HANDLE, axis, rank)));
}

static int
count_grips (const PlgFigure *figure)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    n += plg_figure_shape (figure, i)->thing.kind == PLG_THING_HANDLE;
  return n;
}

/* In a row the grip is at the right edge, over several rows at the lower one. */
static void
test_grips (void)
{
  Case c;
  PlgFigure *figure;
  PlgRect r;

  case_init (&c, &sample_default);
  c.options.handles = TRUE;
  c.options.selected = thing (PLG_THING_GPU, 17);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  r = natural_gpu (c.plan, 23);
  assert_grip (figure, PLG_AXIS_TP, 16, r.x + r.width + 4, r.y + r.height / 2);
  r = natural_gpu (c.plan, 29);
  assert_grip (figure, PLG_AXIS_PP, 0, r.x + r.width, r.y + r.height + 4);
  g_assert_cmpint (count_grips (figure), ==, 2);
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
test_grips_of_axis (void)
{
  static const struct
  {
    const char *name;
    PlgShow show;
    int grips;
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
      g_assert_cmpint (count_grips (figure), ==, rows[i].grips);
      case_clear (&c);
    }
}

/* In every nesting order each grip lies on an edge of the last GPU of the block that it bounds, or
 * below the row of it. */
static void
test_grips_of_orders (void)
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
          const PlgShape *grip;
          double x, y;

          c.options.show = (PlgShow) (PLG_SHOW_TP + axes[i]);
          figure = draw (&c, PLG_PICTURE_CLUSTER);
          grip = plg_figure_find_thing (figure, axis_thing (PLG_THING_HANDLE, axes[i], 0));
          g_assert_nonnull (grip);
          x = grip->rect.x + grip->rect.width / 2;
          y = grip->rect.y + grip->rect.height / 2;
          if (grip->rect.height > grip->rect.width)
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

/* Blocks that a person has torn apart have no edge to drag; the others keep theirs. */
static void
test_grips_of_placement (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, sample_named ("swapped"));
  c.options.handles = TRUE;
  c.options.show = PLG_SHOW_TP;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_null (plg_figure_find_thing (figure, axis_thing (PLG_THING_HANDLE, PLG_AXIS_TP, 0)));
  g_assert_nonnull (plg_figure_find_thing (figure, axis_thing (PLG_THING_HANDLE, PLG_AXIS_TP, 8)));
  g_assert_cmpint (count_grips (figure), ==, 3);
  case_clear (&c);
}

static void
test_rings (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  c.options.rings = TRUE;
  c.options.selected = thing (PLG_THING_GPU, 9);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (plg_figure_find (figure, "ring-tp-1"));
  g_assert_nonnull (plg_figure_find (figure, "chain-pp-1"));
  g_assert_nonnull (plg_figure_find (figure, "ring-dp-9"));
  g_assert_null (plg_figure_find (figure, "link-nvlink-0-0"));
  case_clear (&c);
}

/* Memory ------------------------------------------------------------------------------------- */

static void
test_memory_words (void)
{
  for (int fits = 0; fits < 2; fits++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      const char *words;

      case_init (&c, sample_named (fits ? "default" : "too-large"));
      figure = draw (&c, PLG_PICTURE_MEMORY);
      words = plg_figure_description (figure);
      g_assert_true (g_str_has_prefix (words, fits ? "fits: 59" : "does not fit: 99"));
      g_assert_nonnull (strstr (words, "80"));
      case_clear (&c);
    }
}

/* Where the pieces of a stage's bar begin and end. */
static void
stage_extent (const PlgFigure *figure, int stage, double *left, double *right)
{
  *left = G_MAXDOUBLE;
  *right = 0;
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->thing.kind != PLG_THING_STAGE || shape->thing.index != stage)
        continue;
      *left = MIN (*left, shape->rect.x);
      *right = MAX (*right, shape->rect.x + shape->rect.width);
    }
}

/* Bars are as long as their bytes, and the line of the capacity is on the same scale. */
static void
test_memory_lengths (void)
{
  static const double widths[] = { 0, 300, 900 };

  for (gsize k = 0; k < G_N_ELEMENTS (widths); k++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      double left, right, scale = 0;

      case_init (&c, sample_named ("default"));
      c.options.width = widths[k];
      figure = draw (&c, PLG_PICTURE_MEMORY);
      for (int stage = 0; stage < 4; stage++)
        {
          const PlgStageMemory *memory = &g_array_index (c.report->stages, PlgStageMemory, stage);

          stage_extent (figure, stage, &left, &right);
          if (stage == 0)
            scale = (right - left) / memory->total;
          g_assert_cmpfloat (fabs ((right - left) - scale * memory->total), <, 1.5);
        }
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);

          if (shape->dashed)
            g_assert_cmpfloat (fabs (shape->rect.x - left - scale * c.report->memory_capacity), <,
                               2.5);
        }
      case_clear (&c);
    }
}

/* No number lies under the line of the capacity, wherever it is. */
static void
test_memory_numbers (void)
{
  for (int i = 0; i < 3 * 80; i++)
    {
      static const double widths[] = { 0, 300, 900 };
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      PlgRect line = { 0 };

      case_init (&c, sample_named ("too-large"));
      c.report->memory_capacity = (22 + i / 3) * PLG_GIB;
      c.options.width = widths[i % 3];
      figure = draw (&c, PLG_PICTURE_MEMORY);
      for (int k = 0; k < plg_figure_n_shapes (figure); k++)
        if (plg_figure_shape (figure, k)->dashed)
          line = plg_figure_shape (figure, k)->rect;
      line = (PlgRect) { line.x - 1, line.y, 2, line.height };
      for (int k = 0; k < plg_figure_n_shapes (figure); k++)
        {
          const PlgShape *shape = plg_figure_shape (figure, k);

          if (shape->kind == PLG_SHAPE_TEXT && plg_rect_meets (ink (shape), line))
            g_error ("%d GiB: the line crosses \"%s\"", 22 + i / 3, shape->text);
        }
      case_clear (&c);
    }
}

/* MFU ---------------------------------------------------------------------------------------- */

/* The numbers at the ends of the bars, in the order of the rows. */
static GArray *
shares_in (const PlgFigure *figure)
{
  GArray *shares = g_array_new (FALSE, FALSE, sizeof (double));

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      gboolean is_loss;
      double share;

      if (shape->kind != PLG_SHAPE_TEXT || !g_str_has_suffix (shape->text, "%"))
        continue;
      is_loss = g_str_has_prefix (shape->text, "−");
      share = g_ascii_strtod (is_loss ? shape->text + strlen ("−") : shape->text, NULL);
      if (is_loss)
        share = -share;
      g_array_append_val (shares, share);
    }
  return shares;
}

static void
test_mfu_adds_up (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  g_autoptr (GArray) shares = NULL;
  double sum = 0;

  case_init (&c, &sample_default);
  c.options.embedded = TRUE;
  figure = draw (&c, PLG_PICTURE_MFU);
  shares = shares_in (figure);
  /* Peak, kernels, recompute, bubble, TP, PP, DP, optimizer, MFU; CP and EP are nothing here. */
  g_assert_cmpint (shares->len, ==, 9);
  g_assert_cmpfloat (g_array_index (shares, double, 0), ==, 100);
  for (guint i = 0; i + 1 < shares->len; i++)
    sum += g_array_index (shares, double, i);
  g_assert_cmpfloat_with_epsilon (sum, g_array_index (shares, double, shares->len - 1), 0.5);
  g_assert_cmpfloat_with_epsilon (g_array_index (shares, double, 1), -25, 0.051);
  g_assert_cmpfloat_with_epsilon (sum, 45, 0.5);
  case_clear (&c);
}

/* Each bar begins where the one above ends. */
static void
test_mfu_bars (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  double level = -1;

  case_init (&c, &sample_default);
  figure = draw (&c, PLG_PICTURE_MFU);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      double right = shape->rect.x + shape->rect.width;

      if (shape->kind != PLG_SHAPE_RECT || shape->thing.kind != PLG_THING_PART)
        continue;
      if (level >= 0)
        g_assert_cmpfloat_with_epsilon (right, level, 1);
      level = shape->rect.x;
    }
  g_assert_cmpfloat (level, >, 0);
  case_clear (&c);
}

/* Sweep -------------------------------------------------------------------------------------- */

static int
count_texts (const PlgFigure *figure, const char *ending)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      n += shape->kind == PLG_SHAPE_TEXT && g_str_has_suffix (shape->text, ending);
    }
  return n;
}

/* Each number of GPUs has its row, the plan's own one in bold. */
static void
test_sweep_table (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  figure = draw (&c, PLG_PICTURE_SWEEP);
  g_assert_nonnull (plg_figure_find (figure, "sweep-field"));
  g_assert_nonnull (plg_figure_find (figure, "sweep-64"));
  g_assert_nonnull (plg_figure_find (figure, "sweep-1024"));
  g_assert_null (plg_figure_find (figure, "sweep-65"));
  g_assert_nonnull (plg_figure_find (figure, "sweep-floor"));
  g_assert_cmpint (count_texts (figure, "40 %"), ==, 2);
  g_assert_cmpint (count_texts (figure, "GPUs"), ==, 2);
  g_assert_nonnull (strstr (plg_figure_description (figure), "Same global batch:"));
  case_clear (&c);
}

/* Reported runs are of about 7 billion parameters with data parallelism alone; other plans are not
 * held against them. */
static void
test_sweep_reported (void)
{
  Case c;
  PlgFigure *figure;

  case_init (&c, &sample_default);
  figure = draw (&c, PLG_PICTURE_SWEEP);
  g_assert_cmpint (count_texts (figure, "Reported"), ==, 0);
  plg_figure_unref (figure);
  c.plan->parallelism.degree[PLG_AXIS_TP] = c.plan->parallelism.degree[PLG_AXIS_PP] = 1;
  c.plan->parallelism.degree[PLG_AXIS_DP] = 64;
  c.report->parameters_total = 7e9;
  figure = draw (&c, PLG_PICTURE_SWEEP);
  g_assert_cmpint (count_texts (figure, "Reported"), ==, 1);
  g_assert_cmpint (count_texts (figure, "38.0\u00a0%"), >=, 1);
  plg_figure_unref (figure);
  case_clear (&c);
}

/* The curves are worked out for it alone, and are as secret as the report's own MFU. */
static void
test_sweep_veil (void)
{
  Case c;
  g_autoptr (PlgReport) hidden = NULL;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  hidden = plg_report_veil (c.report, PLG_VEIL_TIME);
  figure = plg_sweep_figure (c.plan, hidden, &c.theme, &c.options);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      g_assert_false (shape->kind == PLG_SHAPE_TEXT && strchr (shape->text, '.') != NULL);
      g_assert_false (shape->kind == PLG_SHAPE_PATH && shape->n_points > 2);
    }
  g_assert_null (strstr (plg_figure_description (figure), "%"));
  case_clear (&c);
}

/* Timeline ----------------------------------------------------------------------------------- */

static const PlgBlock *
block_at (const Case *c, int i)
{
  return &g_array_index (c->report->blocks, PlgBlock, i);
}

/* Blocks lie where the span says that their time is. */
static void
test_timeline_span (void)
{
  static const double widths[] = { 0, 500, 900 };

  for (gsize k = 0; k < G_N_ELEMENTS (widths); k++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      PlgTimelineSpan span;
      int n = 0;

      case_init (&c, &sample_default);
      c.options.width = widths[k];
      figure = draw (&c, PLG_PICTURE_TIMELINE);
      span = plg_timeline_span (c.plan, c.report, &c.theme, &c.options);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);
          double seconds_per_point = (span.to - span.from) / (span.right - span.left);

          if (shape->thing.kind != PLG_THING_BLOCK)
            continue;
          g_assert_cmpfloat_with_epsilon (span.from +
                                              (shape->rect.x - span.left) * seconds_per_point,
                                          block_at (&c, shape->thing.index)->start, 1e-6);
          g_assert_cmpfloat (shape->rect.y, >=, span.top - 0.01);
          g_assert_cmpfloat (shape->rect.y + shape->rect.height, <=, span.bottom + 0.01);
          n++;
        }
      g_assert_cmpint (n, >, 20);
      case_clear (&c);
    }
}

/* A narrow picture shows as much of the start as can be read, and says so; the natural one all. */
static void
test_timeline_window (void)
{
  Case c;
  PlgTimelineSpan span;
  PlgFigure *figure;

  case_init (&c, &sample_default);
  span = plg_timeline_span (c.plan, c.report, &c.theme, &c.options);
  g_assert_cmpfloat (span.from, ==, 0);
  g_assert_cmpfloat (span.to, ==, c.report->step.time);

  c.options.width = 700;
  span = plg_timeline_span (c.plan, c.report, &c.theme, &c.options);
  g_assert_cmpfloat (span.to, <, c.report->step.time);
  figure = draw (&c, PLG_PICTURE_TIMELINE);
  g_assert_nonnull (strstr (plg_figure_description (figure), "of 32 micro-batches shown"));
  plg_figure_unref (figure);

  c.options.from = 1;
  c.options.to = 2;
  span = plg_timeline_span (c.plan, c.report, &c.theme, &c.options);
  g_assert_cmpfloat (span.from, ==, 1);
  g_assert_cmpfloat (span.to, ==, 2);
  case_clear (&c);
}

static void
test_timeline_colors (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  figure = draw (&c, PLG_PICTURE_TIMELINE);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      const PlgBlock *block;
      PlgSwatch swatch;

      if (shape->thing.kind != PLG_THING_BLOCK)
        continue;
      block = block_at (&c, shape->thing.index);
      swatch = plg_theme_swatch (&c.theme, block->stage, 4, FALSE);
      g_assert_true (same_color (shape->fill,
                                 block->kind == PLG_BLOCK_FORWARD ? swatch.fill : swatch.strong));
    }
  case_clear (&c);
}

/* Blocks narrower than a pixel run together. */
static void
test_timeline_many (void)
{
  const Sample many = { "many", 64, 8, 1, 1, 1, 64, 8, 1024 };
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &many);
  g_assert_cmpint (c.report->blocks->len, ==, 2 * 64 * 1024);
  figure = draw (&c, PLG_PICTURE_TIMELINE);
  g_assert_cmpint (plg_figure_n_shapes (figure), <, 5000);
  case_clear (&c);
}

/* A forward pass is told from idle time by its lightness, or has a border: also where it is pale
 * because its chunk is late, and without hues. */
static void
test_timeline_idle (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    for (int chunks = 1; chunks <= 4; chunks += 3)
      {
        Case c;
        g_autoptr (PlgFigure) figure = NULL;

        case_init (&c, &sample_default);
        plg_theme_init (&c.theme, palette);
        for (guint i = 0; i < c.report->blocks->len; i++)
          g_array_index (c.report->blocks, PlgBlock, i).chunk = (int) i % chunks;
        figure = draw (&c, PLG_PICTURE_TIMELINE);
        for (int i = 0; i < plg_figure_n_shapes (figure); i++)
          {
            const PlgShape *shape = plg_figure_shape (figure, i);
            PlgColor idle = c.theme.role[PLG_ROLE_GRID];

            if (shape->thing.kind == PLG_THING_BLOCK &&
                plg_color_distance (shape->fill, idle) < 0.06)
              {
                g_assert_cmpfloat (shape->stroke_width, >=, 1);
                g_assert_cmpfloat (plg_color_distance (shape->stroke, idle), >, 0.2);
              }
          }
        case_clear (&c);
      }
}

/* A failed link has a cross, which is one stroke more than a slow one's, and the legend names both
 * and the rate. */
static void
test_faults_are_told_apart (void)
{
  static const struct
  {
    const char *faults;
    const char *words;
  } rows[] = { { "nic:2.3=0", "failed link" }, { "nic:2.3=0.5", "slow link, at 50 %" } };
  int n[G_N_ELEMENTS (rows)];

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c, &sample_default);
      g_assert_true (plg_faults_from_string (&c.plan->cluster, rows[i].faults, NULL));
      c.options.legend = TRUE;
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      g_assert_nonnull (find_text (figure, rows[i].words));
      n[i] = plg_figure_n_shapes (figure);
      case_clear (&c);
    }
  /* On the link and in the legend. */
  g_assert_cmpint (n[0], ==, n[1] + 2);
}

/* The colour of the legend's box called NAME. */
static PlgColor
legend_color (const PlgFigure *figure, const char *name)
{
  for (int i = 1; i < plg_figure_n_shapes (figure); i++)
    if (plg_figure_shape (figure, i) == find_text (figure, name))
      return plg_figure_shape (figure, i - 1)->fill;
  g_error ("no \"%s\" in the legend", name);
}

/* Whichever of the two is the darker: the key beside a timeline shows what is drawn. */
static void
test_timeline_key (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c, &sample_default);
      plg_theme_init (&c.theme, palette);
      c.options.embedded = c.options.legend = TRUE;
      c.options.height = 132;
      figure = draw (&c, PLG_PICTURE_TIMELINE);
      g_assert_nonnull (find_text (figure, "DP, optimizer"));
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);
          const PlgBlock *block;
          PlgColor key;

          if (shape->thing.kind != PLG_THING_BLOCK)
            continue;
          block = &g_array_index (c.report->blocks, PlgBlock, shape->thing.index);
          if (block->stage != 0 || block->chunk > 0)
            continue;
          key = legend_color (figure, block->kind == PLG_BLOCK_FORWARD ? "forward" : "backward");
          g_assert_cmpfloat (plg_color_distance (shape->fill, key), <, 0.001);
        }
      case_clear (&c);
    }
}

static void
assert_summary (const Case *c, double busy)
{
  g_autoptr (PlgFigure) figure = draw (c, PLG_PICTURE_TIMELINE);
  PlgTimelineSpan span = plg_timeline_span (c->plan, c->report, &c->theme, &c->options);
  /* The sample's step takes 4 s, at whose end gradients and optimizer take 0.3. */
  double second = (span.right - span.left) / 4;
  int n = 0, tails = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      g_assert_cmpint (shape->thing.kind, !=, PLG_THING_BLOCK);
      if (shape->thing.kind == PLG_THING_PART)
        {
          tails++;
          g_assert_cmpfloat_with_epsilon (shape->rect.x, span.left + 3.7 * second, 0.01);
          g_assert_cmpfloat_with_epsilon (shape->rect.width, 0.3 * second, 0.01);
        }
      if (g_strcmp0 (shape->classes, "busy") != 0)
        continue;
      g_assert_cmpint (shape->thing.index, ==, n++);
      g_assert_cmpfloat_with_epsilon (shape->rect.x, span.left, 0.01);
      g_assert_cmpfloat_with_epsilon (shape->rect.width, busy * 3.7 * second, 0.01);
    }
  g_assert_cmpint (n, ==, busy > 0 ? 4 : 0);
  g_assert_cmpint (tails, ==, 1);
}

/* Without blocks the picture says how much of the time each stage works, and why it says no more.
 */
static void
test_timeline_summary (void)
{
  static const struct
  {
    int micro_batches;
    double idle, busy;
    gboolean too_many;
  } rows[] = { { 400000, 0.1, 0.9, TRUE }, { 1000000, 0.25, 0.75, TRUE }, { 1000000, 0, 1, TRUE },
               { 1000000, 1, 0, TRUE },    { 1000000, NAN, 0, TRUE },     { 32, 0.1, 0.9, FALSE } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (int width = 0; width <= 900; width += 450)
      {
        Case c;
        g_autoptr (PlgFigure) figure = NULL;

        case_init (&c, &sample_default);
        g_array_set_size (c.report->blocks, 0);
        c.report->micro_batches = rows[i].micro_batches;
        c.report->bubble.simulated = rows[i].idle;
        c.options.width = width;
        assert_summary (&c, rows[i].busy);
        figure = draw (&c, PLG_PICTURE_TIMELINE);
        g_assert_cmpint (strstr (plg_figure_description (figure), "Too many micro-batches") != NULL,
                         ==, rows[i].too_many);
        case_clear (&c);
      }
}

/* Words -------------------------------------------------------------------------------------- */

static int
find_link (const Case *c, const char *id)
{
  for (guint i = 0; i < c->report->links->len; i++)
    {
      g_autofree char *name = plg_link_id (&g_array_index (c->report->links, PlgLink, i));

      if (g_str_equal (name, id))
        return i;
    }
  g_assert_not_reached ();
}

static void
test_describe (void)
{
  Case c;

  case_init (&c, &sample_default);
  {
    const struct
    {
      PlgThing thing;
      const char *words[7];
    } rows[] = {
      { thing (PLG_THING_GPU, 21),
        { "Rank 21 on GPU 5 of node 2", "TP 5, PP 2, DP 0", "TP group 2: ranks 16–23",
          "PP group 5: ranks 5, 13, 21, 29", "DP group 21: ranks 21, 53", "Stage 2: 20 layers",
          "of 80" } },
      { thing (PLG_THING_NODE, 3), { "Node 3: 8 × H100 SXM", "Ranks 24–31" } },
      { thing (PLG_THING_LINK, find_link (&c, "nvlink-2-5")),
        { "NVLink from GPU 5 of node 2 to its switch", "450", "per direction",
          "TP all-gather: 5 120 calls" } },
      { thing (PLG_THING_LINK, find_link (&c, "nic-2-5")),
        { "NIC 5 of node 2 to rail 5", "50", "400", "DP reduce-scatter: 80 calls" } },
      { axis_thing (PLG_THING_GROUP, PLG_AXIS_TP, 2),
        { "TP group 2: 8 GPUs", "Ranks 16–23", "all-gather over NVLink: 5 120 calls" } },
      { axis_thing (PLG_THING_GROUP, PLG_AXIS_TP, -1), { "8 groups of 8" } },
      { axis_thing (PLG_THING_HANDLE, PLG_AXIS_PP, 0), { "PP from 4" } },
      { thing (PLG_THING_STAGE, 1), { "Stage 1: 20 layers", "Optimizer: 12" } },
      { thing (PLG_THING_BLOCK, 1), { "Micro-batch 1, forward", "Stage 0: 20 layers" } },
      { thing (PLG_THING_PART, PLG_PART_BUBBLE), { "Pipeline bubble: 400", "10.0 % of the step" } },
    };

    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
      {
        g_autofree char *text = plg_describe_thing (c.plan, c.report, rows[i].thing);
        /* Units and thousands are joined by spaces that do not break. */
        g_autoptr (GString) plain = g_string_new (text);

        g_string_replace (plain, "\u00a0", " ", 0);
        g_string_replace (plain, "\u202f", " ", 0);
        for (int k = 0; k < 7 && rows[i].words[k] != NULL; k++)
          if (strstr (plain->str, rows[i].words[k]) == NULL)
            g_error ("no \"%s\" in \"%s\"", rows[i].words[k], plain->str);
      }
  }
  case_clear (&c);
}

static void
test_describe_nothing (void)
{
  for (int kind = PLG_THING_NONE; kind <= PLG_THING_LEGEND; kind++)
    {
      static const int indexes[] = { -1, G_MININT, G_MAXINT };

      for (gsize i = 0; i < G_N_ELEMENTS (indexes); i++)
        {
          Case c;
          g_autofree char *text = NULL;

          case_init (&c, &sample_default);
          text = plg_describe_thing (c.plan, c.report, thing (kind, indexes[i]));
          g_assert_nonnull (text);
          if (kind != PLG_THING_GROUP && kind != PLG_THING_HANDLE)
            g_assert_cmpstr (text, ==, "");
          case_clear (&c);
        }
    }
}

/* Goldens ------------------------------------------------------------------------------------ */

/* Compares with the golden file NAME; PLG_UPDATE_GOLDEN=1 writes it anew. */
static void
assert_golden (const PlgFigure *figure, const char *name)
{
  g_autofree char *file = g_strconcat (name, ".txt", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "drawing", "golden", file, NULL);
  g_autofree char *dump = plg_figure_dump (figure);
  g_autofree char *golden = NULL;
  g_auto (GStrv) have = NULL, wanted = NULL;

  if (g_getenv ("PLG_UPDATE_GOLDEN") != NULL)
    {
      g_assert_true (g_file_set_contents (path, dump, -1, NULL));
      return;
    }
  g_assert_true (g_file_get_contents (path, &golden, NULL, NULL));
  have = g_strsplit (dump, "\n", -1);
  wanted = g_strsplit (golden, "\n", -1);
  for (int i = 0; have[i] != NULL && wanted[i] != NULL; i++)
    if (!g_str_equal (have[i], wanted[i]))
      g_error ("%s:%d: is\n  %s\nwas\n  %s\nPLG_UPDATE_GOLDEN=1 accepts it", file, i + 1, have[i],
               wanted[i]);
  g_assert_cmpuint (g_strv_length (have), ==, g_strv_length (wanted));
}

static void
test_goldens (void)
{
  static const PlgThing lit_gpu = { PLG_THING_GPU, 0, 1 };
  static const PlgThing lit_links[] = { { PLG_THING_LINK, 0, 1 },
                                        { PLG_THING_GPU, 0, 4 },
                                        { PLG_THING_LINK, 0, 9 } };
  static const struct
  {
    const char *golden;
    const char *sample;
    PlgPicture picture;
    PlgPictureOptions options;
  } rows[] = {
    { "cluster", "default", PLG_PICTURE_CLUSTER, { .legend = TRUE } },
    { "cluster-small",
      "small",
      PLG_PICTURE_CLUSTER,
      { .legend = TRUE, .handles = TRUE, .selected = { PLG_THING_GPU, 0, 5 } } },
    { "cluster-focus",
      "small",
      PLG_PICTURE_CLUSTER,
      { .link_color = PLG_LINK_COLOR_BYTES, .lit = &lit_gpu, .n_lit = 1 } },
    { "cluster-tp", "small", PLG_PICTURE_CLUSTER, { .show = PLG_SHOW_TP, .legend = TRUE } },
    { "cluster-rings", "small", PLG_PICTURE_CLUSTER, { .rings = TRUE, .legend = TRUE } },
    { "cluster-mesh", "mesh", PLG_PICTURE_CLUSTER, { .link_color = PLG_LINK_COLOR_TIME } },
    { "cluster-pcie", "pcie", PLG_PICTURE_CLUSTER, { .show = PLG_SHOW_MEMORY, .legend = TRUE } },
    { "memory", "default", PLG_PICTURE_MEMORY, { .legend = TRUE } },
    { "memory-panel",
      "too-large",
      PLG_PICTURE_MEMORY,
      { .legend = TRUE, .width = 300, .embedded = TRUE } },
    { "timeline", "small", PLG_PICTURE_TIMELINE, { .legend = TRUE } },
    { "cluster-moment",
      "small",
      PLG_PICTURE_CLUSTER,
      { .legend = TRUE, .has_moment = TRUE, .moment = 1.5 } },
    { "timeline-moment",
      "small",
      PLG_PICTURE_TIMELINE,
      { .legend = TRUE, .has_moment = TRUE, .moment = 1.5 } },
    { "collective",
      "small",
      PLG_PICTURE_COLLECTIVE,
      { .legend = TRUE, .collective = 1, .rank = 3, .frame = 1 } },
    { "split", "small", PLG_PICTURE_SPLIT, { .frame = 3 } },
    { "mfu", "default", PLG_PICTURE_MFU, { .legend = TRUE } },
    { "cluster-pins",
      "small",
      PLG_PICTURE_CLUSTER,
      { .lit = lit_links, .n_lit = G_N_ELEMENTS (lit_links), .n_pins = 2 } },
    { "ledger", "default", PLG_PICTURE_LEDGER, { .legend = TRUE } },
    { "ledger-pins",
      "small",
      PLG_PICTURE_LEDGER,
      { .lit = lit_links,
        .n_lit = G_N_ELEMENTS (lit_links),
        .n_pins = 2,
        .width = 640,
        .embedded = TRUE } },
    { "matrix", "small", PLG_PICTURE_MATRIX, { .legend = TRUE } },
    { "mfu-panel", "default", PLG_PICTURE_MFU, { .width = 270, .embedded = TRUE } },
    { "sweep", "small", PLG_PICTURE_SWEEP, { .legend = TRUE } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c, sample_named (rows[i].sample));
      c.options = rows[i].options;
      figure = draw (&c, rows[i].picture);
      assert_golden (figure, rows[i].golden);
      case_clear (&c);
    }
}

/* A ring hands on one chunk a member and step, which all cells say; beyond its ends it stands. */
static void
test_collective (void)
{
  for (int frame = -1; frame <= 8; frame++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      int cells = 0, received = 0;

      case_init (&c, &sample_default);
      c.options.frame = frame;
      figure = draw (&c, PLG_PICTURE_COLLECTIVE);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const char *classes = plg_figure_shape (figure, i)->classes;

          cells += classes != NULL && g_str_has_prefix (classes, "cell");
          received += classes != NULL && g_str_has_prefix (classes, "cell new");
        }
      g_assert_cmpint (cells, ==, 8 * 8);
      g_assert_cmpint (received, ==, frame > 0 ? 8 : 0);
      case_clear (&c);
    }
}

/* Each stage calls its collectives 100 times more often than the one before it, the first never. */
static void
add_stage_calls (const Case *c)
{
  for (guint i = 0; i < c->report->collectives->len; i++)
    for (int stage = 0; stage < 4; stage++)
      {
        PlgStageCalls calls = { 100 * stage, 1e6, 1e8 * stage, 0.1 * stage };

        g_array_index (c->report->collectives, PlgCollective, i).stage = 3;
        g_array_append_val (c->report->stage_calls, calls);
      }
}

/* A group says what it calls itself, not what the busiest stage does; what it never calls, it does
 * not claim, neither in its words nor as one collective, played. */
static void
test_own_calls (void)
{
  static const char *const calls[] = { NULL, "100 calls of", "200 calls of", "300 calls of" };
  static const char *const played[] = {
    "Rank 0, on stage 0, never runs it; rank 24, on stage 3, does",
    "100 calls a step on stage 1",
    "200 calls a step on stage 2",
    "300 calls a step on stage 3",
  };
  Case c;

  case_init (&c, &sample_default);
  add_stage_calls (&c);
  for (int stage = 0; stage < 4; stage++)
    {
      g_autofree char *words = plg_describe_thing (c.plan, c.report,
                                                   axis_thing (PLG_THING_GROUP, PLG_AXIS_TP,
                                                               stage));
      g_autofree char *dump = NULL;
      g_autoptr (PlgFigure) figure = NULL;

      c.options.rank = 8 * stage;
      figure = draw (&c, PLG_PICTURE_COLLECTIVE);
      dump = plg_figure_dump (figure);
      g_assert_nonnull (strstr (dump, played[stage]));
      g_assert_cmpint (strstr (words, "all-gather") != NULL, ==, stage > 0);
      g_assert_cmpint (strstr (words, "not hidden") != NULL, ==, stage == 3);
      if (stage > 0)
        g_assert_nonnull (strstr (words, calls[stage]));
    }
  case_clear (&c);
}

/* A link to a spine that nothing crosses is drawn as soon as somebody asks for it, beside rings
 * too.
 */
static void
test_idle_uplink_lights (void)
{
  Case c;
  PlgThing lit = { 0 };

  case_init (&c, &sample_default);
  c.options.zoom = 1;
  for (guint i = 0; i < c.report->links->len; i++)
    if (g_array_index (c.report->links, PlgLink, i).tier == PLG_TIER_SPINE)
      lit = thing (PLG_THING_LINK, i);
  g_assert_cmpint (lit.kind, ==, PLG_THING_LINK);
  g_assert_cmpfloat (plg_link_bytes (&g_array_index (c.report->links, PlgLink, lit.index)), ==, 0);
  c.options.lit = &lit;
  for (int k = 0; k < 4; k++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *line;

      c.options.n_lit = k % 2;
      c.options.rings = k / 2;
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      line = plg_figure_find_thing (figure, lit);
      g_assert_cmpint (line != NULL, ==, c.options.n_lit == 1);
      if (line != NULL)
        g_assert_cmpmem (&line->stroke, sizeof line->stroke, &c.theme.role[PLG_ROLE_TEXT],
                         sizeof line->stroke);
    }
  case_clear (&c);
}

/* Two GPUs' links next to each other, also where a pane is narrow: fewer numbers, not two rows. */
static void
test_narrow_ledger (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  const PlgThing pins[] = { thing (PLG_THING_LINK, 0), thing (PLG_THING_LINK, 1) };
  double top = -1;
  int columns = 0;

  case_init (&c, &sample_default);
  c.options.width = 400;
  c.options.lit = pins;
  c.options.n_lit = c.options.n_pins = 2;
  figure = draw (&c, PLG_PICTURE_LEDGER);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind != PLG_SHAPE_TEXT || g_strcmp0 (shape->text, "Busy") != 0)
        continue;
      if (columns++ > 0)
        g_assert_cmpfloat (shape->rect.y, ==, top);
      top = shape->rect.y;
    }
  g_assert_cmpint (columns, ==, 2);
  case_clear (&c);
}

/* Whether the title right of the badge of PIN is cut; it then ends with its number from 0. */
static gboolean
is_title_cut (const PlgFigure *figure, int pin)
{
  g_autofree char *badge = g_strdup_printf ("%d", pin + 1), *end = g_strdup_printf ("%d", pin);

  for (int k = 0; k + 1 < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *number = plg_figure_shape (figure, k), *title = number + 1;

      if (number->kind != PLG_SHAPE_TEXT || strcmp (number->text, badge) != 0)
        continue;
      g_assert_cmpint (title->kind, ==, PLG_SHAPE_TEXT);
      if (strstr (title->text, "…") == NULL)
        return FALSE;
      g_assert_true (g_str_has_suffix (title->text, end));
      return TRUE;
    }
  return FALSE;
}

/* However narrow, each column of links of one node says which link it is. */
static void
test_narrow_ledger_names (void)
{
  Case c;
  PlgThing pins[4];
  int n = 0, n_cut = 0;

  case_init (&c, &sample_default);
  for (guint i = 0; i < c.report->links->len && n < 4; i++)
    if (g_array_index (c.report->links, PlgLink, i).tier == PLG_TIER_PCIE &&
        g_array_index (c.report->links, PlgLink, i).node == 1)
      pins[n++] = thing (PLG_THING_LINK, i);
  g_assert_cmpint (n, ==, 4);
  c.options.lit = pins;
  c.options.n_lit = c.options.n_pins = n;
  c.options.embedded = TRUE;
  for (c.options.width = 180; c.options.width < 700; c.options.width += 10)
    {
      g_autoptr (PlgFigure) figure = draw (&c, PLG_PICTURE_LEDGER);

      for (int pin = 0; pin < n; pin++)
        n_cut += is_title_cut (figure, pin);
    }
  g_assert_cmpint (n_cut, >, 0);
  case_clear (&c);
}

/* Of a group of 128 the first are drawn, and the picture says so. */
static void
test_large_collective (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  g_autofree char *dump = NULL;

  case_init (&c, sample_named ("16384"));
  c.options.collective = 1;
  figure = draw (&c, PLG_PICTURE_COLLECTIVE);
  dump = plg_figure_dump (figure);
  g_assert_nonnull (strstr (dump, "The first 16 of 128 members"));
  g_assert_nonnull (plg_figure_find (figure, "member-15"));
  g_assert_null (plg_figure_find (figure, "member-16"));
  case_clear (&c);
}

/* At a moment each GPU says what its stage does. */
static void
test_moment (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  const PlgShape *busy, *quiet;

  case_init (&c, &sample_default);
  c.options.has_moment = TRUE;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  busy = plg_figure_find (figure, "gpu-0");
  quiet = plg_figure_find (figure, "gpu-8");
  g_assert_nonnull (strstr (busy->title, "forward 0"));
  g_assert_nonnull (strstr (quiet->title, "idle"));
  case_clear (&c);
}

/* The same input gives the same picture. */
static void
test_pure (void)
{
  for (int picture = 0; picture < PLG_N_PICTURES; picture++)
    {
      Case c;
      g_autoptr (PlgFigure) a = NULL, b = NULL;
      g_autofree char *dump_a = NULL, *dump_b = NULL;

      case_init (&c, &sample_default);
      a = draw (&c, picture);
      b = draw (&c, picture);
      dump_a = plg_figure_dump (a);
      dump_b = plg_figure_dump (b);
      g_assert_cmpstr (dump_a, ==, dump_b);
      case_clear (&c);
    }
}

/* One step has no first. */
static void
test_relay_of_one_step (void)
{
  const PlgRelay one = { PLG_RELAY_CHAIN, 2, 1e6 }, three = { PLG_RELAY_REDUCE, 4, 1e6 };
  g_autofree char *only = plg_relay_in_words (&one, 0), *first = plg_relay_in_words (&three, 0);

  g_assert_cmpstr (only, ==, "before the only step");
  g_assert_cmpstr (first, ==, "before the first of 3 steps");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pictures/names", test_names);
  g_test_add_func ("/pictures/options", test_options);
  g_test_add_func ("/pictures/sound/palettes", test_palettes);
  g_test_add_func ("/pictures/sound/shows", test_shows);
  g_test_add_func ("/pictures/sound/highlights", test_highlights);
  g_test_add_func ("/pictures/sound/widths", test_widths);
  g_test_add_func ("/pictures/sound/numbers-that-are-none", test_numbers_that_are_none);
  g_test_add_func ("/pictures/sound/empty-report", test_empty_report);
  g_test_add_func ("/pictures/sound/other-report", test_other_report);
  g_test_add_func ("/pictures/sound/no-ranks", test_no_ranks);
  g_test_add_func ("/pictures/pure", test_pure);
  g_test_add_func ("/pictures/collective", test_collective);
  g_test_add_func ("/pictures/own-calls", test_own_calls);
  g_test_add_func ("/pictures/slow-is-not-crossed-out", test_slow_is_not_crossed_out);
  g_test_add_func ("/pictures/idle-uplink", test_idle_uplink_lights);
  g_test_add_func ("/pictures/narrow-ledger", test_narrow_ledger);
  g_test_add_func ("/pictures/narrow-ledger-names", test_narrow_ledger_names);
  g_test_add_func ("/pictures/large-collective", test_large_collective);
  g_test_add_func ("/pictures/moment", test_moment);
  g_test_add_func ("/pictures/goldens", test_goldens);
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
  g_test_add_func ("/cluster/layout-is-of-the-cluster", test_layout_is_of_the_cluster);
  g_test_add_func ("/links/scale", test_scale);
  g_test_add_func ("/links/colors", test_link_colors);
  g_test_add_func ("/links/ids", test_link_ids);
  g_test_add_func ("/links/spine", test_spine);
  g_test_add_func ("/links/units", test_units);
  g_test_add_func ("/links/faults", test_faults);
  g_test_add_func ("/links/failed-nic", test_failed_nic);
  g_test_add_func ("/links/faults-from-afar", test_faults_from_afar);
  g_test_add_func ("/links/rings-are-samples", test_rings_are_samples);
  g_test_add_func ("/links/rings-of-one-axis", test_rings_of_one_axis);
  g_test_add_func ("/links/rings-from-afar", test_rings_from_afar);
  g_test_add_func ("/handles/slim", test_grips_are_slim);
  g_test_add_func ("/links/fault-signs-clear", test_fault_signs_are_clear);
  g_test_add_func ("/links/slow-mark-is-seen", test_slow_mark_is_seen);
  g_test_add_func ("/ledger/note-of-narrow", test_ledger_note_of_narrow);
  g_test_add_func ("/matrix/of-many", test_matrix_of_many);
  g_test_add_func ("/links/rails", test_rails);
  g_test_add_func ("/links/switch-bar", test_switch_bar);
  g_test_add_func ("/links/faults-apart", test_faults_are_told_apart);
  g_test_add_func ("/texts/long-apart", test_long_texts_apart);
  g_test_add_func ("/timeline/key", test_timeline_key);
  g_test_add_func ("/links/legend-widths", test_legend_widths);
  g_test_add_func ("/cluster/nodes-are-named", test_nodes_are_named);
  g_test_add_func ("/groups/focus-gpu", test_focus_gpu);
  g_test_add_func ("/groups/focus-links", test_focus_links);
  g_test_add_func ("/groups/focus-axis", test_focus_axis);
  g_test_add_func ("/groups/focus-collectives", test_focus_collectives);
  g_test_add_func ("/groups/selected", test_selected);
  g_test_add_func ("/groups/outlines", test_outlines);
  g_test_add_func ("/groups/rings", test_rings);
  g_test_add_func ("/grips/all", test_grips);
  g_test_add_func ("/grips/of-axis", test_grips_of_axis);
  g_test_add_func ("/grips/of-orders", test_grips_of_orders);
  g_test_add_func ("/grips/of-placement", test_grips_of_placement);
  g_test_add_func ("/memory/words", test_memory_words);
  g_test_add_func ("/memory/lengths", test_memory_lengths);
  g_test_add_func ("/memory/numbers", test_memory_numbers);
  g_test_add_func ("/mfu/adds-up", test_mfu_adds_up);
  g_test_add_func ("/mfu/bars", test_mfu_bars);
  g_test_add_func ("/sweep/table", test_sweep_table);
  g_test_add_func ("/sweep/reported", test_sweep_reported);
  g_test_add_func ("/sweep/veil", test_sweep_veil);
  g_test_add_func ("/timeline/span", test_timeline_span);
  g_test_add_func ("/timeline/window", test_timeline_window);
  g_test_add_func ("/timeline/colors", test_timeline_colors);
  g_test_add_func ("/timeline/many", test_timeline_many);
  g_test_add_func ("/timeline/idle", test_timeline_idle);
  g_test_add_func ("/timeline/summary", test_timeline_summary);
  g_test_add_func ("/describe/things", test_describe);
  g_test_add_func ("/describe/nothing", test_describe_nothing);
  g_test_add_func ("/pictures/relay-of-one-step", test_relay_of_one_step);
  return g_test_run ();
}
