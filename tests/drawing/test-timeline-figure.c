/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

#include "../engine/plans.h"
#include "engine/evaluate.h"
#include "engine/schedule/snapshot.h"

#include <math.h>

/* The timeline, its key and its summary. */

static const PlgBlock *
block_at (const Case *c, int i)
{
  return &g_array_index (c->report->blocks, PlgBlock, i);
}

/* Each block lies at the position of its time. */
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

          if (shape->entity.kind != PLG_ENTITY_BLOCK)
            continue;
          g_assert_cmpfloat_with_epsilon (span.from +
                                              (shape->rect.x - span.left) * seconds_per_point,
                                          block_at (&c, shape->entity.index)->start, 1e-6);
          g_assert_cmpfloat (shape->rect.y, >=, span.top - 0.01);
          g_assert_cmpfloat (shape->rect.y + shape->rect.height, <=, span.bottom + 0.01);
          n++;
        }
      g_assert_cmpint (n, >, 20);
      case_clear (&c);
    }
}

/* A narrow picture shows the part of the start that is legible, with a note; a picture of
 * natural width shows the whole step. */
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

      if (shape->entity.kind != PLG_ENTITY_BLOCK)
        continue;
      block = block_at (&c, shape->entity.index);
      swatch = plg_theme_swatch (&c.theme, block->stage, 4, FALSE);
      g_assert_true (same_color (shape->fill,
                                 block->kind == PLG_BLOCK_FORWARD ? swatch.fill : swatch.strong));
    }
  case_clear (&c);
}

/* Blocks narrower than a pixel are merged. */
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

/* A forward pass differs from idle time in lightness or has a border, also in the pale colours of
 * late chunks and in themes without hues. */
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

            if (shape->entity.kind == PLG_ENTITY_BLOCK &&
                plg_color_distance (shape->fill, idle) < 0.06)
              {
                g_assert_cmpfloat (shape->stroke_width, >=, 1);
                g_assert_cmpfloat (plg_color_distance (shape->stroke, idle), >, 0.2);
              }
          }
        case_clear (&c);
      }
}

/* Returns the colour of the box NAME in the legend. */
static PlgColor
legend_color (const PlgFigure *figure, const char *name)
{
  for (int i = 1; i < plg_figure_n_shapes (figure); i++)
    if (plg_figure_shape (figure, i) == find_text (figure, name))
      return plg_figure_shape (figure, i - 1)->fill;
  g_error ("no \"%s\" in the legend", name);
}

/* The key next to a timeline shows the drawn colours, whether forward or backward is darker. */
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
      g_assert_nonnull (find_text (figure, "optimizer"));
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);
          const PlgBlock *block;
          PlgColor key;

          if (shape->entity.kind != PLG_ENTITY_BLOCK)
            continue;
          block = &g_array_index (c.report->blocks, PlgBlock, shape->entity.index);
          if (block->stage != 0 || block->chunk > 0)
            continue;
          key = legend_color (figure, block->kind == PLG_BLOCK_FORWARD ? "forward" : "backward");
          g_assert_cmpfloat (plg_color_distance (shape->fill, key), <, 0.001);
        }
      case_clear (&c);
    }
}

/* Returns the shape at SECONDS in the row of STAGE, above the idle background. */
static const char *
classes_at (const PlgFigure *figure, const PlgTimelineSpan *span, int stage, double seconds)
{
  double x = span->left +
             (span->right - span->left) * (seconds - span->from) / (span->to - span->from);
  double y = span->top + (stage + 0.4) * (span->bottom - span->top) / 4;
  const char *classes = "idle";

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_RECT && shape->layer == PLG_LAYER_CLUSTER &&
          shape->classes != NULL && shape->rect.x <= x && x < shape->rect.x + shape->rect.width &&
          shape->rect.y <= y && y < shape->rect.y + shape->rect.height)
        classes = shape->classes;
    }
  return classes;
}

/* The row of a stage shows at any time the activity of the GPUs of this stage. */
static void
test_timeline_shows_activity (void)
{
  Case c;
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (PlgFigure) figure = NULL;
  PlgTimelineSpan span;
  guint seen = 0;

  case_init (&c, &sample_default);
  report = plg_evaluate (plan, PLG_EVALUATE_TIMELINE, NULL);
  figure = plg_timeline_figure (plan, report, &c.theme, &c.options);
  span = plg_timeline_span (plan, report, &c.theme, &c.options);
  for (int i = 0; i < 300; i++)
    {
      double time = span.to * (i + 0.5) / 300;
      g_autoptr (PlgSnapshot) moment = plg_snapshot_new (plan, report, time);

      for (int stage = 0; stage < 4; stage++)
        {
          const PlgStageSnapshot *at = &moment->stages[stage];

          if (at->block >= 0)
            continue;
          seen |= 1u << at->activity;
          g_assert_cmpstr (classes_at (figure, &span, stage, time), ==,
                           plg_activity_name (at->activity));
        }
    }
  g_assert_cmphex (seen & 1u << PLG_ACTIVITY_SYNC, !=, 0);
  case_clear (&c);
}

static void
assert_summary (const Case *c, double busy)
{
  g_autoptr (PlgFigure) figure = draw (c, PLG_PICTURE_TIMELINE);
  PlgTimelineSpan span = plg_timeline_span (c->plan, c->report, &c->theme, &c->options);
  /* The sample's step takes 4 s and ends with 0.3 s of gradients and optimizer. */
  double second = (span.right - span.left) / 4;
  int n = 0, tails = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      g_assert_cmpint (shape->entity.kind, !=, PLG_ENTITY_BLOCK);
      if (shape->entity.kind == PLG_ENTITY_PART)
        {
          tails++;
          g_assert_cmpfloat_with_epsilon (shape->rect.x, span.left + 3.7 * second, 0.01);
          g_assert_cmpfloat_with_epsilon (shape->rect.width, 0.3 * second, 0.01);
        }
      if (g_strcmp0 (shape->classes, "busy") != 0)
        continue;
      g_assert_cmpint (shape->entity.index, ==, n++);
      g_assert_cmpfloat_with_epsilon (shape->rect.x, span.left, 0.01);
      g_assert_cmpfloat_with_epsilon (shape->rect.width, busy * 3.7 * second, 0.01);
    }
  g_assert_cmpint (n, ==, busy > 0 ? 4 : 0);
  g_assert_cmpint (tails, ==, 1);
}

/* Without blocks the picture shows the share of the time in which each stage works, and explains
 * the missing blocks. */
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

/* If many stages have little space, all their names are still complete in the picture. */
static void
test_timeline_names (void)
{
  static const Sample deep = { .name = "deep",
                               .nodes = 8,
                               .gpus = 8,
                               .tp = 1,
                               .cp = 1,
                               .ep = 1,
                               .pp = 64,
                               .dp = 1,
                               .micro_batches = 64 };
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  PlgRect first;

  case_init (&c, &deep);
  c.options.embedded = TRUE;
  c.options.width = 300;
  c.options.height = 132;
  figure = draw (&c, PLG_PICTURE_TIMELINE);
  g_assert_nonnull (find_text (figure, "stage 0"));
  first = ink (find_text (figure, "stage 0"));
  g_assert_cmpfloat (first.y, >=, 0);
  case_clear (&c);
}

/* Returns the text in the block of PART that is only a letter, or NULL. */
static const char *
letter_in (const PlgFigure *figure, PlgPart part)
{
  for (int i = 0; i + 1 < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      const PlgShape *next = plg_figure_shape (figure, i + 1);

      if (shape->entity.kind == PLG_ENTITY_PART && shape->entity.index == (int) part &&
          next->kind == PLG_SHAPE_TEXT && g_utf8_strlen (next->text, -1) == 1)
        return next->text;
    }
  return NULL;
}

/* If an idle block has space for only a letter, the legend explains the letter. */
static void
test_key_of_letters (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TIMELINE, NULL);
  int with_letter = 0, without = 0;
  Case c;

  case_init (&c, &sample_default);
  c.options.legend = TRUE;
  c.options.from = report->step.time * 0.5;
  c.options.to = report->step.time;
  for (double width = 400; width < 60000; width *= 1.5)
    {
      g_autoptr (PlgFigure) figure = NULL;
      gboolean has_letter;

      c.options.width = width;
      figure = plg_timeline_figure (plan, report, &c.theme, &c.options);
      has_letter = g_strcmp0 (letter_in (figure, PLG_PART_DP), "S") == 0;
      g_assert_cmpint (find_text (figure, "S waits for replicas") != NULL, ==, has_letter);
      with_letter += has_letter;
      without += find_text (figure, "waits for replicas") != NULL;
    }
  g_assert_cmpint (with_letter, >, 0);
  g_assert_cmpint (without, >, 0);
  case_clear (&c);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline-figure/key", test_timeline_key);
  g_test_add_func ("/timeline-figure/span", test_timeline_span);
  g_test_add_func ("/timeline-figure/window", test_timeline_window);
  g_test_add_func ("/timeline-figure/colors", test_timeline_colors);
  g_test_add_func ("/timeline-figure/many", test_timeline_many);
  g_test_add_func ("/timeline-figure/activity", test_timeline_shows_activity);
  g_test_add_func ("/timeline-figure/idle", test_timeline_idle);
  g_test_add_func ("/timeline-figure/summary", test_timeline_summary);
  g_test_add_func ("/timeline-figure/names", test_timeline_names);
  g_test_add_func ("/timeline-figure/key-of-letters", test_key_of_letters);
  return g_test_run ();
}
