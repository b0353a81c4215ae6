/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/plans/plans-figure.h"
#include "drawing/export/request.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include "../engine/plans.h"

#include <locale.h>
#include <math.h>
#include <string.h>

/* Two plans side by side. Each pair of pictures has one scale. */
typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgComparedPlan *compared;
  PlgTheme theme;
  PlgPictureOptions options;
} Case;

static void
compare_with (Case *c, const char *edits, guint redaction)
{
  g_autoptr (PlgPlan) other = plg_plan_copy (c->plan);
  g_autoptr (GError) error = NULL;

  change (other, edits);
  plg_compared_plan_unref (c->compared);
  c->compared = plg_compared_plan_new (other, redaction, NULL, "mine", "theirs", &error);
  g_assert_no_error (error);
  c->options.compared = c->compared;
}

static void
set_up (Case *c, gconstpointer edits)
{
  c->plan = teaching_plan ();
  c->report = report_of (c->plan);
  plg_theme_init (&c->theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&c->options, c->plan);
  compare_with (c, edits, 0);
}

static void
tear_down (Case *c, gconstpointer edits)
{
  plg_plan_free (c->plan);
  plg_report_unref (c->report);
  plg_compared_plan_unref (c->compared);
}

static PlgFigure *
draw (const Case *c)
{
  return plg_picture_figure (PLG_PICTURE_COMPARE, c->plan, c->report, &c->theme, &c->options);
}

/* Returns the Nth text equal to TEXT on the left (side 0) or the right (side 1), or NULL. */
static const PlgShape *
find_text (const PlgFigure *figure, const char *text, int side)
{
  double middle = plg_figure_width (figure) / 2;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && strcmp (shape->text, text) == 0 &&
          (shape->rect.x > middle) == (side == 1))
        return shape;
    }
  return NULL;
}

/* Returns the length of the bar of stage 0 in the memory chart of SIDE. */
static double
memory_length (const PlgFigure *figure, const char *id)
{
  double from = G_MAXDOUBLE, to = 0;
  gboolean is_inside = FALSE;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_OPEN && g_strcmp0 (shape->id, id) == 0)
        is_inside = TRUE;
      else if (shape->kind == PLG_SHAPE_CLOSE)
        is_inside = FALSE;
      else if (is_inside && shape->kind == PLG_SHAPE_RECT)
        {
          from = MIN (from, shape->rect.x);
          to = MAX (to, shape->rect.x + shape->rect.width);
        }
    }
  return to - from;
}

/* Returns the distance between the first two labels of the time axis that both sides have. */
static double
tick_distance (const PlgFigure *figure, int side)
{
  double size = find_text (figure, "MFU", 1)->font_size, first = NAN;

  for (int second = 1; second < 100; second++)
    {
      g_autofree char *text = g_strdup_printf ("%d\u00a0s", second);
      const PlgShape *shapes[] = { find_text (figure, text, 0), find_text (figure, text, 1) };

      if (shapes[0] == NULL || shapes[1] == NULL || shapes[0]->font_size > size * 0.9 ||
          shapes[1]->font_size > size * 0.9)
        continue;
      if (!isnan (first))
        return shapes[side]->at.x - first;
      first = shapes[side]->at.x;
    }
  return NAN;
}

static const PlgShape *
find_bar (const PlgFigure *figure, const char *title, int side)
{
  double middle = plg_figure_width (figure) / 2;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_RECT && shape->title != NULL &&
          g_str_has_prefix (shape->title, title) && (shape->rect.x > middle) == (side == 1))
        return shape;
    }
  g_test_message ("no bar %s", title);
  g_assert_not_reached ();
}

static double
memory_of (const PlgReport *report)
{
  return g_array_index (report->stages, PlgStageMemory, 0).total;
}

static void
test_one_scale (Case *c, gconstpointer edits)
{
  const double widths[] = { 0, 1000 };

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *bars[2];
      double lengths[2];

      c->options.width = widths[i];
      figure = draw (c);
      /* The gap of one point at the end of a bar is part of the tolerance. */
      lengths[0] = memory_length (figure, "a-memory-stage-0");
      lengths[1] = memory_length (figure, "b-memory-stage-0");
      g_assert_cmpfloat_with_epsilon (lengths[0] / lengths[1],
                                      memory_of (c->report) / memory_of (c->compared->report),
                                      0.01);
      for (int side = 0; side < 2; side++)
        bars[side] = find_bar (figure, "Step: ", side);
      g_assert_cmpfloat_with_epsilon (bars[0]->rect.width / bars[1]->rect.width,
                                      c->report->step.time / c->compared->report->step.time, 1e-3);
      g_assert_cmpfloat_with_epsilon (tick_distance (figure, 0), tick_distance (figure, 1), 1e-6);
    }
}

/* The bars of the parts end where the bar of the step ends. */
static void
test_parts_add_up (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = draw (c);

  for (int side = 0; side < 2; side++)
    {
      const PlgShape *step = find_bar (figure, "Step: ", side);
      const PlgShape *last = find_bar (figure, "Optimizer: ", side);

      g_assert_cmpfloat_with_epsilon (last->rect.x + last->rect.width,
                                      step->rect.x + step->rect.width, 1.1);
    }
}

static void
test_tables (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = draw (c);

  g_assert_nonnull (find_text (figure, "Tensor (TP)", 0));
  g_assert_nonnull (find_text (figure, "Pipeline (PP)", 0));
  g_assert_null (find_text (figure, "Nodes", 0));
  g_assert_nonnull (find_text (figure, "MFU", 1));
  g_assert_nonnull (find_text (figure, "A: mine", 0));
  g_assert_nonnull (find_text (figure, "B: theirs", 1));
  g_assert_nonnull (strstr (plg_figure_description (figure), "settings differ"));
}

/* A change of the view is no difference of the design. */
static void
test_same_design (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = NULL;

  compare_with (c, "view.show=memory", 0);
  figure = draw (c);
  g_assert_nonnull (strstr (plg_figure_description (figure), "only in the view"));
  g_assert_nonnull (find_text (figure, "none differs", 0));
  g_assert_nonnull (find_text (figure, "none differs", 1));
}

/* Numbers that a lesson hides do not appear for the other plan. */
static void
test_hidden_numbers (Case *c, gconstpointer edits)
{
  g_autoptr (PlgReport) open = plg_report_ref (c->report);
  g_autofree char *time = NULL;
  g_autofree char *memory = NULL;
  g_autoptr (PlgFigure) figure = NULL;

  time = plg_format_time (c->compared->report->step.time);
  memory = plg_format_memory (c->compared->report->memory_peak);
  plg_report_unref (c->report);
  c->report = plg_report_redact (open, PLG_REDACT_ALL);
  compare_with (c, edits, PLG_REDACT_ALL);
  figure = draw (c);
  g_assert_null (strstr (plg_figure_description (figure), "per step"));
  for (int side = 0; side < 2; side++)
    {
      g_assert_null (find_text (figure, time, side));
      g_assert_null (find_text (figure, memory, side));
      g_assert_null (find_text (figure, "MFU", side));
    }
}

/* A point in a picture belongs to the plan on its side. Even pictures show A, odd pictures B. */
static void
test_points_belong_to_sides (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = NULL;
  double width;

  c->options.width = 1000;
  c->options.embedded = TRUE;
  figure = draw (c);
  width = plg_figure_width (figure);
  /* Each picture is embedded once, and the legend is the last. */
  g_assert_nonnull (plg_figure_get_embedded (figure, 2 * PLG_PLANS_FIGURE_PAIRS,
                                             &(PlgPoint) { 0, 0 }));
  g_assert_null (plg_figure_get_embedded (figure, 2 * PLG_PLANS_FIGURE_PAIRS + 1,
                                          &(PlgPoint) { 0, 0 }));
  for (double y = 0; y < plg_figure_height (figure); y += 7)
    for (double x = 0; x < width; x += 7)
      for (int nth = 0; nth < 2 * PLG_PLANS_FIGURE_PAIRS; nth++)
        {
          PlgPoint at = { x, y };
          const PlgFigure *part = plg_figure_get_embedded (figure, nth, &at);

          g_assert_nonnull (part);
          if (plg_figure_hit_test (part, at.x, at.y, 2) != NULL)
            g_assert_cmpint (nth % 2, ==, x > width / 2);
        }
}

/* The same request draws the same picture, and the command line names the other plan. */
static void
test_command_line (Case *c, gconstpointer edits)
{
  g_auto (PlgRequest) request = { 0 };
  g_autoptr (GPtrArray) words = NULL;
  g_autofree char *line = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  plg_request_init (&request, c->plan, PLG_PALETTE_LIGHT);
  request.picture = PLG_PICTURE_COMPARE;
  request.compared = plg_compared_plan_ref (c->compared);
  request.compared->path = g_strdup ("other plan.xml");
  words = plg_request_cli_arguments (&request, c->report);
  line = plg_shell_quote_arguments (words);
  g_assert_nonnull (strstr (line, "--with 'other plan.xml'"));
  g_assert_null (strstr (line, "--with-order"));
  request.file.format = PLG_EXPORT_TEXT;
  bytes = plg_request_export (&request, c->plan, c->report, &error);
  g_assert_no_error (error);
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                  "parallelism.tp"));
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
#define CHANGE "parallelism.tp=4 parallelism.pp=16 parallelism.dp=1"
#define ADD(path, function) g_test_add (path, Case, CHANGE, set_up, function, tear_down)
  ADD ("/plans-figure/one-scale", test_one_scale);
  ADD ("/plans-figure/parts-add-up", test_parts_add_up);
  ADD ("/plans-figure/tables", test_tables);
  ADD ("/plans-figure/same-design", test_same_design);
  ADD ("/plans-figure/hidden-numbers", test_hidden_numbers);
  ADD ("/plans-figure/points-belong-to-sides", test_points_belong_to_sides);
  ADD ("/plans-figure/command-line", test_command_line);
  return g_test_run ();
}
