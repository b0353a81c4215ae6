/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

#include "../engine/plans.h"
#include "drawing/charts/ascii.h"
#include "engine/report/redaction.h"

#include <math.h>

/* Plans on several numbers of GPUs next to each other. */

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

/* Each number of GPUs has a row, and the plan's own row is bold. */
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

/* Reported runs have about 7 billion parameters and only data parallelism; other plans are not
 * compared with them. */
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

static void
assert_no_curve (guint redaction)
{
  Case c;
  g_autoptr (PlgReport) hidden = NULL;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  hidden = plg_report_redact (c.report, redaction);
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

/* The curves are computed for the plan alone, so they are hidden like the report's own MFU. With
 * hidden faults, they would be the curves of another cluster. */
static void
test_sweep_hides_curves (void)
{
  assert_no_curve (PLG_REDACT_TIME);
  assert_no_curve (PLG_REDACT_FAULTS);
}

/* Sweeps over keys ----------------------------------------------------------------------------- */

/* Replaces the plan by one that can be evaluated: 70 billion parameters on 64 GPUs, of which TP 1,
 * 2 and 4 do not fit. */
static void
use_whole_plan (Case *c)
{
  plg_plan_free (c->plan);
  c->plan = teaching_plan ();
}

/* Draws a sweep of CASE and keeps the sweep in *SWEEP. */
static PlgFigure *
draw_sweep (Case *c, const char *x, const char *y, const char *metric, PlgSweep **sweep)
{
  g_autoptr (GError) error = NULL;

  *sweep = plg_sweep_new (c->plan, NULL, plg_metric_find (metric), x, y, &error);
  g_assert_no_error (error);
  c->options.sweep = *sweep;
  return draw (c, PLG_PICTURE_SWEEP);
}

static int
count_hatched (const PlgFigure *figure)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    n += plg_figure_shape (figure, i)->hatch != 0;
  return n;
}

/* A point shows its value, what does not fit is hatched, what is not possible has a cross, and
 * the legend explains both in words. */
static void
test_sweep_line (void)
{
  Case c;
  g_autoptr (PlgSweep) sweep = NULL;
  g_autoptr (PlgFigure) figure = NULL;
  const PlgShape *point;

  case_init (&c, &sample_default);
  use_whole_plan (&c);
  figure = draw_sweep (&c, "parallelism.tp=1..64", NULL, "step-time", &sweep);
  g_assert_cmpstr (plg_figure_title (figure), ==, "Step time against Tensor (TP)");
  g_assert_nonnull (strstr (plg_figure_description (figure), "This plan: Tensor (TP) 8: "));
  g_assert_nonnull (find_text (figure, "Hatched: does not fit in memory"));
  g_assert_nonnull (find_text (figure, "Cross: not possible"));
  /* TP 1, 2 and 4 do not fit: a mark in the plot and in the table for each, and one in the
   * legend. */
  g_assert_cmpint (count_hatched (figure), ==, 7);
  for (int i = 0; i < sweep->columns; i++)
    {
      PlgEntity what = entity (PLG_ENTITY_POINT, i);
      const PlgShape *shape = plg_figure_find_entity (figure, what);

      g_assert_true ((shape != NULL) == (sweep->points[i].state != PLG_SWEEP_IMPOSSIBLE));
    }
  point = plg_figure_find (figure, "point-3-0");
  g_assert_nonnull (strstr (point->title, "Tensor (TP) 8: "));
  case_clear (&c);
}

/* Five values of the second key are five lines with different dashes; six are cells. */
static void
test_sweep_lines_and_cells (void)
{
  Case c;
  PlgSweep *sweep;
  PlgFigure *figure;
  guint dashes = 0;
  const PlgShape *cell, *hit;

  case_init (&c, &sample_default);
  use_whole_plan (&c);
  figure = draw_sweep (&c, "training.sequence=1024..16384", "training.micro-batch=1..16", "memory",
                       &sweep);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_PATH && shape->n_points == sweep->columns)
        {
          g_assert_cmpuint (dashes & 1u << shape->dashed, ==, 0);
          dashes |= 1u << shape->dashed;
        }
    }
  g_assert_cmpuint (dashes, ==, (1u << 5) - 1);
  g_assert_nonnull (find_text (figure, "Micro-batch: 16"));
  plg_figure_unref (figure);
  plg_sweep_unref (sweep);

  figure = draw_sweep (&c, "parallelism.tp=1..64", "cluster.nodes=1..32", "step-time", &sweep);
  for (int i = 0; i < sweep->columns * sweep->rows; i++)
    {
      const PlgSweepPoint *point = &sweep->points[i];

      cell = shape_of (figure, entity (PLG_ENTITY_POINT, i));
      g_assert_true ((cell->hatch != 0) == (point->state == PLG_SWEEP_TOO_LARGE));
      hit = plg_figure_hit_test (figure, cell->rect.x + 3, cell->rect.y + 3, 1);
      g_assert_true (plg_entity_equal (hit->entity, cell->entity));
    }
  g_assert_nonnull (find_text (figure, "Cross: not possible"));
  plg_figure_unref (figure);
  plg_sweep_unref (sweep);
  case_clear (&c);
}

/* A hidden part of the report hides all values of a sweep, in every form. */
static void
test_sweep_of_keys_hides (void)
{
  static const char *const rows[] = { NULL, "cluster.nodes=1..32" };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c;
      g_autoptr (PlgReport) hidden = NULL;
      g_autoptr (PlgSweep) sweep = NULL;
      g_autoptr (PlgFigure) figure = NULL;
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *own = NULL;

      case_init (&c, &sample_default);
      use_whole_plan (&c);
      figure = draw_sweep (&c, "parallelism.tp=1..64", rows[i], "step-time", &sweep);
      own = plg_measure_text (PLG_MEASURE_SECONDS,
                              plg_sweep_point (sweep, sweep->own_column, sweep->own_row)->value);
      g_assert_nonnull (strstr (plg_figure_description (figure), own));
      plg_figure_unref (figure);
      hidden = plg_report_redact (c.report, PLG_REDACT_MEMORY);
      figure = plg_sweep_figure (c.plan, hidden, &c.theme, &c.options);
      g_assert_cmpint (count_hatched (figure), ==, 0);
      g_assert_null (strstr (plg_figure_description (figure), own));
      for (int j = 0; j < plg_figure_n_shapes (figure); j++)
        {
          const PlgShape *shape = plg_figure_shape (figure, j);

          g_assert_false (shape->kind == PLG_SHAPE_TEXT && g_str_has_suffix (shape->text, " s"));
          g_assert_true (shape->title == NULL || strstr (shape->title, "\u00a0s") == NULL);
        }
      plg_ascii_add_sweep (text, c.plan, hidden, &c.options);
      g_assert_null (strstr (text->str, own));
      case_clear (&c);
    }
}

/* Sweeps of any key and metric can be drawn, in a narrow window too. */
static void
test_sweep_of_each_key (void)
{
  static const char *const metrics[] = { "mfu", "memory", "fits", "days", "tp-bytes", "ep-calls" };
  int n;
  const PlgSetting *settings = plg_settings (&n);
  Case c;

  case_init (&c, &sample_default);
  use_whole_plan (&c);
  for (int i = 0; i < n; i++)
    {
      const PlgMetric *metric = plg_metric_find (metrics[i % G_N_ELEMENTS (metrics)]);
      g_autoptr (PlgSweep) sweep = NULL;
      g_autoptr (PlgFigure) figure = NULL;

      if (plg_sweep_accepts (&settings[i]))
        sweep = plg_sweep_new (c.plan, NULL, metric, settings[i].key,
                               i % 3 == 0 ? "parallelism.pp=1..8:+1" : NULL, NULL);
      if (sweep == NULL)
        continue;
      c.options.sweep = sweep;
      c.options.width = i % 2 == 0 ? 0 : 220;
      figure = draw (&c, PLG_PICTURE_SWEEP);
      for (int j = 0; j < plg_figure_n_shapes (figure); j++)
        {
          PlgRect rect = plg_figure_shape (figure, j)->rect;

          g_assert_true (isfinite (rect.x + rect.y + rect.width + rect.height));
        }
    }
  case_clear (&c);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep-figure/table", test_sweep_table);
  g_test_add_func ("/sweep-figure/reported", test_sweep_reported);
  g_test_add_func ("/sweep-figure/hidden-curves", test_sweep_hides_curves);
  g_test_add_func ("/sweep-figure/line", test_sweep_line);
  g_test_add_func ("/sweep-figure/lines-and-cells", test_sweep_lines_and_cells);
  g_test_add_func ("/sweep-figure/keys-are-hidden", test_sweep_of_keys_hides);
  g_test_add_func ("/sweep-figure/each-key", test_sweep_of_each_key);
  return g_test_run ();
}
