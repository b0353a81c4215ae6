/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/activity.h"
#include "drawing/figure/pictures.h"
#include "color-perception.h"
#include "sample.h"

#include <string.h>

/* Recomputation differs from forward and backward in every picture during playback, by its fill
 * alone if there is no space for lines or letters. */

static const Sample most = { "16384", 2048, 8, 8, 1, 1, 4, 512, 8 };

typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgPictureOptions options;
  PlgTheme theme;
} Case;

/* A third of the backward time is recomputation. */
static void
case_init (Case *c, const Sample *sample, PlgPalette palette)
{
  c->plan = sample_plan (sample);
  c->report = sample_report (sample, c->plan);
  c->report->step.backward = 2.4;
  c->report->step.part[PLG_PART_RECOMPUTE] = 0.8;
  plg_picture_options_init (&c->options, c->plan);
  plg_theme_init (&c->theme, palette);
}

static void
case_clear (Case *c)
{
  plg_report_unref (c->report);
  plg_plan_free (c->plan);
}

/* Returns a time at which stage 0 has ACTIVITY [s]. */
static double
when (const Case *c, PlgActivity activity)
{
  double end = plg_snapshot_end (c->report);

  for (int k = 0; k < 2000; k++)
    {
      g_autoptr (PlgSnapshot)
                     moment = plg_snapshot_new (c->plan, c->report, end * (k + 0.5) / 2000);

      if (moment->stages[0].activity == activity)
        return moment->time;
    }
  g_error ("stage 0 is never at %s", plg_activity_name (activity));
}

/* Returns the shape in the middle of GPU 0: its tile, a part of its node's tile, or a band of
 * its rack. */
static const PlgShape *
first_gpu (const PlgFigure *figure, PlgRect tile)
{
  double x = tile.x + tile.width / 2, y = tile.y + tile.height / 2;
  const PlgShape *found = NULL;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_RECT && shape->layer == PLG_LAYER_CLUSTER &&
          shape->fill.alpha > 0 && x >= shape->rect.x && x <= shape->rect.x + shape->rect.width &&
          y >= shape->rect.y && y <= shape->rect.y + shape->rect.height)
        found = shape;
    }
  g_assert_nonnull (found);
  return found;
}

static PlgColor
fill_at (Case *c, double zoom, double moment)
{
  g_autoptr (PlgFigure) figure = NULL;

  c->options.zoom = zoom;
  c->options.visible = (PlgRect) { 0, 0, 1000, 1000 };
  c->options.has_moment = TRUE;
  c->options.moment = moment;
  figure = plg_cluster_figure (c->plan, c->report, &c->theme, &c->options);
  return first_gpu (figure, plg_cluster_gpu_rect (c->plan, 0))->fill;
}

static void
assert_apart (const Case *c, PlgColor a, PlgColor b)
{
  for (ColorView view = 0; view < N_VIEWS; view++)
    if (view != VIEW_PROJECTOR || c->theme.palette == PLG_PALETTE_PROJECTOR)
      g_assert_cmpfloat (color_view_distance (view, a, b), >=, MIN_DISTANCE);
}

static void
test_cluster (void)
{
  static const double zooms[] = { 0.03, 0.1, 0.25, 0.5 };

  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      double moment[3];
      Case c;

      case_init (&c, &most, palette);
      for (int k = 0; k < 3; k++)
        moment[k] = when (&c, PLG_ACTIVITY_FORWARD + k);
      for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
        {
          PlgColor fill[3];

          for (int k = 0; k < 3; k++)
            fill[k] = fill_at (&c, zooms[i], moment[k]);
          for (int k = 0; k < 3; k++)
            assert_apart (&c, fill[k], fill[(k + 1) % 3]);
        }
      case_clear (&c);
    }
}

/* The recomputed part of a backward block is as long as its time, and has the colour of the legend
 * and the GPUs. */
static void
test_timeline (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *again = NULL, *backward = NULL;
      Case c;

      case_init (&c, &sample_default, palette);
      c.options.legend = TRUE;
      c.options.from = 0;
      c.options.to = c.report->step.time / 4;
      figure = plg_timeline_figure (c.plan, c.report, &c.theme, &c.options);
      for (int i = 0; i + 1 < plg_figure_n_shapes (figure) && again == NULL; i++)
        if (g_strcmp0 (plg_figure_shape (figure, i)->classes, "recompute") == 0)
          {
            again = plg_figure_shape (figure, i);
            backward = plg_figure_shape (figure, i + 1);
          }
      g_assert_nonnull (again);
      g_assert_cmpint (again->entity.index, ==, backward->entity.index);
      g_assert_cmpfloat_with_epsilon (again->rect.width * 2, backward->rect.width, 2);
      assert_apart (&c, again->fill, backward->fill);
      g_assert_cmpint (again->hatch, !=, 0);
      case_clear (&c);
    }
}

static gboolean
has_text (const PlgFigure *figure, const char *text)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    if (plg_figure_shape (figure, i)->kind == PLG_SHAPE_TEXT &&
        strcmp (plg_figure_shape (figure, i)->text, text) == 0)
      return TRUE;
  return FALSE;
}

/* The legend of the timeline has an entry for recomputation if there is any. */
static void
test_legend (void)
{
  for (int k = 0; k < 2; k++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      Case c;

      case_init (&c, &sample_default, PLG_PALETTE_LIGHT);
      c.options.legend = TRUE;
      if (k == 0)
        c.report->step.part[PLG_PART_RECOMPUTE] = 0;
      figure = plg_timeline_figure (c.plan, c.report, &c.theme, &c.options);
      g_assert_cmpint (has_text (figure, plg_activity_title (PLG_ACTIVITY_RECOMPUTE)), ==, k == 1);
      case_clear (&c);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recompute/cluster", test_cluster);
  g_test_add_func ("/recompute/timeline", test_timeline);
  g_test_add_func ("/recompute/legend", test_legend);
  return g_test_run ();
}
