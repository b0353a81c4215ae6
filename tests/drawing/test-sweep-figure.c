/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

#include "engine/report/redaction.h"

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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep-figure/table", test_sweep_table);
  g_test_add_func ("/sweep-figure/reported", test_sweep_reported);
  g_test_add_func ("/sweep-figure/hidden-curves", test_sweep_hides_curves);
  return g_test_run ();
}
