/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

#include "drawing/figure/stroke-geometry.h"
#include "plan/quantity.h"

#include <math.h>
#include <string.h>

/* The memory of each stage. */

static void
test_memory_description (void)
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

/* Finds the start and the end of the parts of a stage's bar. */
static void
stage_extent (const PlgFigure *figure, int stage, double *left, double *right)
{
  *left = G_MAXDOUBLE;
  *right = 0;
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->entity.kind != PLG_ENTITY_STAGE || shape->entity.index != stage)
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

/* No number lies under the line of the capacity, wherever the line is. */
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

          if (shape->kind == PLG_SHAPE_TEXT && plg_rect_intersects (ink (shape), line))
            g_error ("%d GiB: the line crosses \"%s\"", 22 + i / 3, shape->text);
        }
      case_clear (&c);
    }
}

static gboolean
has_text (const PlgFigure *figure, const char *words)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && strstr (shape->text, words) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* If a stage needs almost exactly the capacity, the cells of the cluster, its legend and the
 * bars write both numbers with the same digits. */
static void
test_nearly_full_memory (void)
{
  Case c;
  g_autoptr (PlgFigure) bars = NULL, cluster = NULL;
  g_autofree char *total = NULL, *capacity = NULL, *short_capacity = NULL;

  case_init (&c, sample_named ("default"));
  c.report->memory_capacity = c.report->memory_peak + 0.02 * PLG_GIB;
  total = plg_format_number_distinct (c.report->memory_peak / PLG_GIB,
                                      c.report->memory_capacity / PLG_GIB, 3);
  capacity = plg_format_memory_distinct (c.report->memory_capacity, c.report->memory_peak);
  c.options.show = PLG_SHOW_MEMORY;
  c.options.legend = PLG_LEGEND_BELOW;
  bars = draw (&c, PLG_PICTURE_MEMORY);
  cluster = draw (&c, PLG_PICTURE_CLUSTER);
  short_capacity = plg_format_memory (c.report->memory_capacity);
  g_assert_cmpstr (capacity, !=, short_capacity);
  g_assert_false (has_text (cluster, short_capacity));
  g_assert_true (has_text (bars, total) && has_text (cluster, total));
  g_assert_true (has_text (bars, capacity) && has_text (cluster, capacity));
  case_clear (&c);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory-figure/description", test_memory_description);
  g_test_add_func ("/memory-figure/lengths", test_memory_lengths);
  g_test_add_func ("/memory-figure/numbers", test_memory_numbers);
  g_test_add_func ("/memory-figure/nearly-full", test_nearly_full_memory);
  return g_test_run ();
}
