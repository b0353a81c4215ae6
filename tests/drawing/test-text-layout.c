/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sample.h"

#include "drawing/figure/activity.h"
#include "drawing/cluster/cluster-layout.h"
#include "drawing/figure/legend.h"
#include "drawing/figure/stroke-geometry.h"
#include "engine/schedule/snapshot.h"
#include "plan/quantity.h"

#include <string.h>

/* Overlapping and truncated texts, and equal colours in two views. */

typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgTheme theme;
  PlgPictureOptions options;
} Case;

static void
case_init (Case *c)
{
  c->plan = sample_plan (&sample_default);
  c->report = sample_report (&sample_default, c->plan);
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

static const PlgShape *
text_with (const PlgFigure *figure, const char *part)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && strstr (shape->text, part) != NULL)
        return shape;
    }
  return NULL;
}

/* Returns the first arrow of a ring of AXIS. */
static const PlgShape *
arrow_of (const PlgFigure *figure, PlgAxis axis)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->arrow && shape->entity.kind == PLG_ENTITY_GROUP && shape->entity.axis == axis)
        return shape;
    }
  g_assert_not_reached ();
}

static void
set_collectives (PlgReport *report)
{
  const PlgCollective tp = { .axis = PLG_AXIS_TP, .calls = 9000, .bytes_sent = 9e11, .time = 2 };
  const PlgCollective dp = { .axis = PLG_AXIS_DP, .calls = 2, .bytes_sent = 6e9, .time = 1.5 };

  g_array_set_size (report->collectives, 0);
  g_array_append_val (report->collectives, tp);
  g_array_append_val (report->collectives, dp);
}

/* A ring has the colour and width of a link with the same load in each mode, and the scale is
 * below it. */
static void
test_ring_modes (void)
{
  PlgColor before = PLG_COLOR_NONE;
  Case c;

  case_init (&c);
  set_collectives (c.report);
  c.options.rings = TRUE;
  c.options.legend = TRUE;
  for (int mode = PLG_LINK_COLOR_FREQUENCY; mode <= PLG_LINK_COLOR_TIME; mode++)
    {
      PlgLink load = { .calls = 2, .bytes_out = 6e9, .time = 1.5 };
      PlgLinkScale scale = plg_link_scale (c.report, (PlgLinkColor) mode);
      PlgColor color = plg_theme_link_color (&c.theme, plg_link_scale_share (&scale, &load));
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *arrow;

      c.options.link_color = (PlgLinkColor) mode;
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      arrow = arrow_of (figure, PLG_AXIS_DP);
      g_assert_cmpfloat (plg_color_distance (arrow->stroke, color), <, 1e-4);
      g_assert_cmpfloat (plg_color_distance (arrow->stroke, before), >, 1e-3);
      g_assert_cmpfloat (arrow_of (figure, PLG_AXIS_TP)->stroke_width, >, arrow->stroke_width);
      g_assert_nonnull (text_with (figure, "Link colour"));
      before = arrow->stroke;
    }
  case_clear (&c);
}

/* If links have no colours, rings have the colours of their axes and there is no scale. */
static void
test_rings_by_axis (void)
{
  g_autoptr (PlgFigure) figure = NULL;
  Case c;

  case_init (&c);
  c.options.rings = c.options.legend = TRUE;
  c.options.link_color = PLG_LINK_COLOR_OFF;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_cmpfloat (plg_color_distance (arrow_of (figure, PLG_AXIS_DP)->stroke,
                                         c.theme.role[PLG_ROLE_AXIS_TP + PLG_AXIS_DP]),
                     <, 1e-4);
  g_assert_null (text_with (figure, "Link colour"));
  case_clear (&c);
}

/* Numbers are complete although a shorter number belongs to the longest bar, and an almost full
 * memory does not read as full. */
static void
test_memory_numbers_are_whole (void)
{
  static const double widths[] = { 240, 300, 410, 640 };

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      static const double total[] = { 44.99, 41.2, 39.1, 36.3 };
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c);
      c.report->memory_capacity = 45 * PLG_GIB;
      c.report->memory_peak = 44.99 * PLG_GIB;
      c.report->fits = TRUE;
      for (int stage = 0; stage < 4; stage++)
        g_array_index (c.report->stages, PlgStageMemory, stage).total = total[stage] * PLG_GIB;
      c.options.width = widths[i];
      c.options.embedded = TRUE;
      figure = draw (&c, PLG_PICTURE_MEMORY);
      for (int stage = 0; stage < 4; stage++)
        {
          g_autofree char *number = plg_format_number (total[stage], 4);
          const PlgShape *text = text_with (figure, number);

          g_assert_nonnull (text);
          g_assert_cmpfloat (text->rect.x + plg_text_width (text->text, text->font_size, FALSE), <=,
                             widths[i]);
        }
      g_assert_nonnull (strstr (plg_figure_description (figure), "44.99"));
      case_clear (&c);
    }
}

/* Names of groups lie over all outlines and side by side; numbers of pins lie next to them. */
static void
test_names_of_groups_are_visible (void)
{
  const PlgEntity highlighted[] = { { PLG_ENTITY_GROUP, PLG_AXIS_PP, 0 },
                                    { PLG_ENTITY_GROUP, PLG_AXIS_TP, 0 },
                                    { PLG_ENTITY_GROUP, PLG_AXIS_PP, 1 } };
  PlgRect tab[3];
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  int last_outline = 0, n_tabs = 0, first_tab = G_MAXINT;

  case_init (&c);
  c.options.highlighted = highlighted;
  c.options.n_highlighted = c.options.n_pins = G_N_ELEMENTS (highlighted);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->entity.kind != PLG_ENTITY_GROUP || shape->kind != PLG_SHAPE_RECT)
        continue;
      if (shape->fill.alpha <= 0)
        last_outline = i;
      else if (shape->id == NULL)
        {
          first_tab = MIN (first_tab, i);
          tab[n_tabs++] = shape->rect;
        }
    }
  g_assert_cmpint (n_tabs, ==, 3);
  g_assert_cmpint (first_tab, >, last_outline);
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *id = g_strdup_printf ("pin-%d", i + 1);
      const PlgShape *pin = plg_figure_find (figure, id);

      for (int k = 0; k < 3; k++)
        {
          g_assert_true (k == i || !plg_rect_intersects (tab[i], tab[k]));
          g_assert_false (plg_rect_intersects (pin->rect, tab[k]));
        }
    }
  case_clear (&c);
}

/* Returns the middle of the line of the text with PART. */
static double
line_of (const PlgFigure *figure, const char *part)
{
  const PlgShape *text = text_with (figure, part);

  g_assert_nonnull (text);
  return text->rect.y;
}

static PlgFigure *
legend_of (const Case *c, double width)
{
  PlgPictureOptions options = c->options;

  options.zoom = 1;
  options.legend = TRUE;
  options.link_color = PLG_LINK_COLOR_TIME;
  return plg_cluster_legend_figure (c->plan, c->report, &c->theme, &options, width);
}

/* At any width the entries of a group stay together, and the first moved rank changes neither the
 * height nor the place of any entry. */
static void
test_legend_is_steady (void)
{
  Case c, moved;

  case_init (&c);
  case_init (&moved);
  for (guint k = 0; k < c.report->links->len; k++)
    g_array_index (c.report->links, PlgLink, k).bytes_out = 9e11;
  for (guint k = 0; k < moved.report->links->len; k++)
    g_array_index (moved.report->links, PlgLink, k).bytes_out = 9e11;
  plg_placement_expand (&moved.plan->placement, plg_plan_world (moved.plan));
  moved.plan->placement.gpu_of_rank[3] = 11;
  moved.plan->placement.gpu_of_rank[11] = 3;
  for (double width = 480; width < 1500; width += 23)
    {
      g_autoptr (PlgFigure) before = legend_of (&c, width);
      g_autoptr (PlgFigure) after = legend_of (&moved, width);

      g_assert_cmpfloat (plg_figure_height (before), ==, plg_figure_height (after));
      g_assert_cmpfloat (line_of (before, "p0"), ==, line_of (after, "p0"));
      g_assert_cmpfloat_with_epsilon (line_of (before, "Width"), line_of (before, "10\u00a0GB"), 1);
      g_assert_cmpfloat_with_epsilon (line_of (before, "Width"), line_of (before, "1\u00a0TB"), 1);
    }
  case_clear (&moved);
  case_clear (&c);
}

/* One entry of each kind, over several lines. */
static void
fill_legend (PlgLegend *legend, const Case *c, PlgFigure *figure, gboolean is_measured)
{
  PlgLinkScale scale = { PLG_LINK_COLOR_TIME, 0, 5 };
  PlgLinkWidths widths = { 1e9, 1 };

  plg_legend_begin (legend, figure, &c->theme, 8, 300, 8, 10);
  legend->is_measured = is_measured;
  plg_legend_title (legend, "Title");
  plg_legend_swatch (legend, plg_theme_swatch (&c->theme, 0, 4, FALSE), 1, (PlgEntity) { 0 }, "p0");
  plg_legend_link_color (legend, &scale);
  plg_legend_link_width (legend, &widths);
  plg_legend_space (legend);
  plg_legend_line (legend, c->theme.role[PLG_ROLE_TEXT], 2, PLG_DASH_NONE, TRUE, "ring");
  plg_legend_note (legend, "a note");
}

/* A measured legend takes as much room as a drawn one and draws nothing. */
static void
test_legend_is_measured (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (300, 100);
  g_autoptr (PlgFigure) empty = plg_figure_new (300, 100);
  PlgLegend drawn, measured;
  Case c;

  case_init (&c);
  fill_legend (&drawn, &c, figure, FALSE);
  fill_legend (&measured, &c, empty, TRUE);
  g_assert_cmpfloat (measured.x, ==, drawn.x);
  g_assert_cmpfloat (measured.y, ==, drawn.y);
  g_assert_cmpfloat (plg_legend_end (&measured), ==, plg_legend_end (&drawn));
  g_assert_cmpint (plg_figure_n_shapes (figure), >, 50);
  g_assert_cmpint (plg_figure_n_shapes (empty), ==, 0);
  case_clear (&c);
}

/* From the size of small windows on, the legend on the screen has at most two lines; the
 * smallest has space for a third line, for outlines when a rank is moved. The height is the same
 * in all views, with or without playback. */
static void
test_legend_folds (void)
{
  static const PlgShow shows[] = { PLG_SHOW_ALL, PLG_SHOW_TP, PLG_SHOW_MEMORY };
  Case c;

  case_init (&c);
  for (guint k = 0; k < c.report->links->len; k++)
    g_array_index (c.report->links, PlgLink, k).bytes_out = 9e11;
  c.options.zoom = 1;
  c.options.shorten_legend = TRUE;
  c.options.link_color = PLG_LINK_COLOR_FREQUENCY;
  for (double width = 560; width < 1800; width += 31)
    {
      double height = 0;

      for (int k = 0; k < 2 * (int) G_N_ELEMENTS (shows); k++)
        {
          g_autoptr (PlgFigure) figure = NULL;

          c.options.show = shows[k / 2];
          c.options.has_moment = k % 2 != 0;
          c.options.moment = 0.5;
          figure = plg_cluster_legend_figure (c.plan, c.report, &c.theme, &c.options, width);
          if (k == 0)
            height = plg_figure_height (figure);
          g_assert_cmpfloat (plg_figure_height (figure), ==, height);
        }
      g_assert_cmpfloat (height, <, width < 680 ? 100 : width < 1400 ? 85 : 50.5);
    }
  case_clear (&c);
}

static PlgFigure *
folded_legend (const Case *c, double width)
{
  return plg_cluster_legend_figure (c->plan, c->report, &c->theme, &c->options, width);
}

/* A legend is not shortened if the full legend fits the height that other views need anyway. */
static void
test_legend_fills_its_height (void)
{
  int n_full = 0;
  Case c;

  case_init (&c);
  c.options.zoom = 1;
  c.options.link_color = PLG_LINK_COLOR_FREQUENCY;
  for (double width = 560; width < 1800; width += 31)
    {
      g_autoptr (PlgFigure) full = NULL, shortened = NULL;

      c.options.shorten_legend = FALSE;
      full = folded_legend (&c, width);
      c.options.shorten_legend = TRUE;
      shortened = folded_legend (&c, width);
      /* The full legend has more empty space above it, but less than half a line. */
      if (plg_figure_height (full) > plg_figure_height (shortened) + 5)
        continue;
      g_assert_cmpint (plg_figure_n_shapes (shortened), ==, plg_figure_n_shapes (full));
      n_full++;
    }
  g_assert_cmpint (n_full, >, 0);
  case_clear (&c);
}

static void
case_init_folded (Case *c, const Sample *sample)
{
  c->plan = sample_plan (sample);
  c->report = sample_report (sample, c->plan);
  plg_theme_init (&c->theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&c->options, c->plan);
  for (guint k = 0; k < c->report->links->len; k++)
    g_array_index (c->report->links, PlgLink, k).bytes_out = 9e11;
  c->options.zoom = 1;
  c->options.shorten_legend = TRUE;
  c->options.link_color = PLG_LINK_COLOR_FREQUENCY;
}

static void
swap_two (PlgPlan *plan)
{
  int *gpu_of_rank = plan->placement.gpu_of_rank;
  int third = gpu_of_rank[3];

  gpu_of_rank[3] = gpu_of_rank[11];
  gpu_of_rank[11] = third;
}

static void
assert_steady (Case *c, double width)
{
  g_autoptr (PlgFigure) before = folded_legend (c, width), after = NULL;

  swap_two (c->plan);
  after = folded_legend (c, width);
  swap_two (c->plan);
  g_assert_cmpfloat (plg_figure_height (before), ==, plg_figure_height (after));
}

/* In narrow windows with a short legend, moving a rank by hand does not move the canvas either. */
static void
test_folded_legend_is_steady (void)
{
  Case c;

  case_init_folded (&c, &sample_default);
  plg_placement_expand (&c.plan->placement, plg_plan_world (c.plan));
  for (double width = 400; width < 1500; width += 7)
    assert_steady (&c, width);
  case_clear (&c);
}

/* However little space there is, a scale and a sample of a line have a title, perhaps a short
 * one, and pale GPUs are explained. */
static void
test_folded_legend_has_titles (void)
{
  static const PlgLinkColor colors[] = { PLG_LINK_COLOR_FREQUENCY, PLG_LINK_COLOR_TIME };
  static const char *const titles[] = { "Calls", "Busy" };
  Case c;

  case_init_folded (&c, &sample_default);
  for (double width = 560; width < 1800; width += 31)
    for (int k = 0; k < 2 * (int) G_N_ELEMENTS (colors); k++)
      {
        g_autoptr (PlgFigure) figure = NULL;

        c.options.link_color = colors[k / 2];
        c.options.rings = k % 2 != 0;
        figure = folded_legend (&c, width);
        g_assert_true (text_with (figure, titles[k / 2]) != NULL ||
                       text_with (figure, k / 2 == 0 ? "calls" : "busy") != NULL);
        if (text_with (figure, "1\u00a0TB") != NULL)
          g_assert_nonnull (text_with (figure, "ytes per step"));
        g_assert_nonnull (text_with (figure, "pale: d1"));
      }
  case_clear (&c);
}

/* During playback links keep their scale in a window of 1,024 pixels, in which the cluster has
 * 690 pixels. */
static void
test_played_legend_has_scale (void)
{
  Case c;

  case_init_folded (&c, &sample_default);
  c.options.has_moment = TRUE;
  c.options.moment = 0.5;
  for (double width = 680; width < 1800; width += 31)
    {
      g_autoptr (PlgFigure) figure = folded_legend (&c, width);

      g_assert_nonnull (text_with (figure, "alls"));
      g_assert_nonnull (text_with (figure, "forward"));
    }
  case_clear (&c);
}

/* The legend of all axes explains the letters in cells, and the thin outlines if there are any. */
static void
test_legend_explains_letters_and_outlines (void)
{
  static const Sample halves = { "halves", 8, 8, 4, 1, 1, 4, 4, 16 };
  static const Sample *const all[] = { &sample_default, &halves };

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan (all[i]);
      g_autoptr (PlgReport) report = sample_report (all[i], plan);
      g_autoptr (PlgFigure) figure = NULL;
      PlgPictureOptions options;
      PlgTheme theme;

      plg_theme_init (&theme, PLG_PALETTE_LIGHT);
      plg_picture_options_init (&options, plan);
      options.legend = PLG_LEGEND_BELOW;
      figure = plg_picture_figure (PLG_PICTURE_CLUSTER, plan, report, &theme, &options);
      g_assert_nonnull (text_with (figure, "t p d: index in TP, PP, DP"));
      g_assert_true ((text_with (figure, "TP group") != NULL) == (all[i]->tp < all[i]->gpus));
    }
}

/* Asserts that several stages wait, or that one stage waits. */
static void
assert_waits (const PlgReport *report, const PlgSnapshot *moment)
{
  g_autofree char *words = plg_snapshot_describe (report, moment), *waits = NULL;
  int n = 0;

  for (int stage = 0; stage < moment->n_stages; stage++)
    n += moment->stages[stage].activity == PLG_ACTIVITY_SYNC;
  waits = g_strdup_printf (n == 1 ? "%d waits for replicas" : "%d wait for replicas", n);
  g_assert_true ((strstr (words, waits) != NULL) == (n > 0));
}

/* The legend names the current activity of every GPU, however little space there is. */
static void
test_played_legend_names_activities (void)
{
  Case c;
  gboolean was_on[PLG_N_ACTIVITIES] = { 0 };

  case_init_folded (&c, &sample_default);
  c.options.has_moment = TRUE;
  for (int k = 0; k < 300; k++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      PlgSnapshot *moment;

      c.options.moment = c.report->step.time * (k + 0.5) / 300;
      moment = plg_snapshot_new (c.plan, c.report, c.options.moment);
      figure = folded_legend (&c, 620);
      g_assert_nonnull (moment);
      assert_waits (c.report, moment);
      for (int stage = 0; stage < moment->n_stages; stage++)
        {
          PlgActivity activity = moment->stages[stage].activity;

          was_on[activity] = TRUE;
          g_assert_nonnull (text_with (figure, plg_activity_title (activity)));
        }
      plg_snapshot_free (moment);
    }
  g_assert_true (was_on[PLG_ACTIVITY_SYNC] || was_on[PLG_ACTIVITY_OPTIMIZER]);
  case_clear (&c);
}

/* Returns whether a GPU or row of FIGURE shows "F 3". */
static gboolean
has_micro_batches (const PlgFigure *figure)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT &&
          g_regex_match_simple ("^[A-Z]\u00a0[0-9]+$", shape->text, 0, 0))
        return TRUE;
    }
  return FALSE;
}

/* The legend explains the numbers if GPUs or their rows have numbers; its height is the same in
 * both cases. */
static void
test_played_legend_key_of_numbers (void)
{
  static const double zooms[] = { 0.05, 0.1, 0.25, 0.5 };
  static const Sample thousand = { "thousand", 128, 8, 8, 1, 1, 4, 32, 32 };
  const Sample *const sizes[] = { &sample_default, &thousand };

  for (gsize k = 0; k < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (zooms); k++)
    {
      g_autoptr (PlgFigure) figure = NULL, cluster = NULL;
      Case c;

      case_init_folded (&c, sizes[k / G_N_ELEMENTS (zooms)]);
      c.options.has_moment = TRUE;
      c.options.moment = c.report->step.time / 4;
      c.options.zoom = zooms[k % G_N_ELEMENTS (zooms)];
      figure = folded_legend (&c, 2400);
      cluster = plg_cluster_figure (c.plan, c.report, &c.theme, &c.options);
      g_assert_cmpint (text_with (figure, "number: micro-batch") != NULL, ==,
                       has_micro_batches (cluster));
      g_assert_true (k % G_N_ELEMENTS (zooms) == 0 || has_micro_batches (cluster));
      case_clear (&c);
    }
}

/* A GPU shows its rank and activity at any zoom with space for texts. */
static void
test_played_gpus_have_ranks (void)
{
  static const double zooms[] = { 0.37, 0.49, 0.6, 0.74, 1 };
  Case c;

  case_init (&c);
  c.options.has_moment = TRUE;
  c.options.moment = 0.01;
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      PlgRect cell = plg_cluster_gpu_rect (c.plan, 9);
      const PlgShape *rank, *forward;

      c.options.zoom = zooms[i];
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      rank = text_with (figure, "63");
      forward = text_with (figure, "F\u00a0");
      g_assert_nonnull (rank);
      g_assert_nonnull (forward);
      g_assert_cmpfloat (rank->font_size * zooms[i], >=, 6.5);
      g_assert_cmpfloat (forward->rect.height, <, cell.height);
    }
  case_clear (&c);
}

/* In a large cluster the legend uses the space of absent notes: on a wide canvas the widths have
 * their title, and pale GPUs are explained. */
static void
test_folded_legend_uses_room (void)
{
  static const Sample large = {
    "large", 128, 8, 8, 1, 1, 4, 32, 32, 0, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 0, FALSE, FALSE
  };
  static const double zooms[] = { 0.05, 0.3, 1 };
  Case c;

  case_init_folded (&c, &large);
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      g_autoptr (PlgFigure) figure = NULL;

      c.options.zoom = zooms[i];
      figure = folded_legend (&c, 1290);
      g_assert_nonnull (text_with (figure, "ytes per step"));
      g_assert_nonnull (text_with (figure, "pale: odd d"));
    }
  case_clear (&c);
}

/* Exchanges the ranks 3 and 11. */
/* Chooses view K: all axes, each axis alone, on a projector, and each of these with playback. */
static const char *
look_at (Case *c, int k)
{
  static const struct
  {
    PlgShow show;
    double min_text_size;
    gboolean has_moment;
    const char *words;
  } ways[] = {
    { PLG_SHOW_ALL, 0, FALSE, "t p d: index in TP, PP, DP" },
    { PLG_SHOW_TP, 0, FALSE, "t: index in TP" },
    { PLG_SHOW_DP, 0, FALSE, "d: index in DP" },
    { PLG_SHOW_ALL, 16, FALSE, "p d: index in PP, DP" },
    { PLG_SHOW_TP, 16, FALSE, "p d: index in PP, DP" },
    { PLG_SHOW_ALL, 16, TRUE, "p d: index in PP, DP" },
  };

  if (k >= (int) G_N_ELEMENTS (ways))
    return NULL;
  c->options.show = ways[k].show;
  c->options.min_text_size = ways[k].min_text_size;
  c->options.has_moment = ways[k].has_moment;
  return ways[k].words;
}

/* At any width of the window the legend explains all letters in GPUs and next to nodes, pale
 * GPUs and thin outlines, also after a rank is moved; if necessary the legend has one more line. */
static void
test_folded_legend_has_letters (void)
{
  static const Sample halves = { "halves", 8, 8, 4, 1, 1, 8, 2, 16 };
  static const Sample *const all[] = { &sample_default, &halves };
  const char *words;

  for (int i = 0; i < 4; i++)
    {
      Case c;

      case_init_folded (&c, all[i % 2]);
      plg_placement_expand (&c.plan->placement, plg_plan_world (c.plan));
      if (i / 2 > 0)
        swap_two (c.plan);
      for (int k = 0; (words = look_at (&c, k)) != NULL; k++)
        for (double width = k < 3 ? 480 : 690; width < 1800; width += 31)
          {
            g_autoptr (PlgFigure) figure = folded_legend (&c, width);
            gboolean has_stages = c.options.show == PLG_SHOW_ALL && !c.options.has_moment;

            g_assert_nonnull (text_with (figure, words));
            g_assert_true (!has_stages || text_with (figure, "pale: d1"));
            g_assert_true (!has_stages || all[i % 2] != &halves || text_with (figure, "TP group"));
          }
      case_clear (&c);
    }
}

/* A moved rank takes no line of its own, nor does a fault if there is space; and no entry
 * disappears. */
static void
test_folded_legend_keeps_height (void)
{
  Case c;

  case_init_folded (&c, &sample_default);
  plg_placement_expand (&c.plan->placement, plg_plan_world (c.plan));
  c.plan->placement.gpu_of_rank[3] = 11;
  c.plan->placement.gpu_of_rank[11] = 3;
  for (int faulty = 0; faulty < 2; faulty++)
    {
      c.plan->cluster.n_faults = 2 * faulty;
      c.plan->cluster.faults[0] = (PlgFault) { .kind = PLG_FAULT_GPU, .rate = 0.5 };
      c.plan->cluster.faults[1] = (PlgFault) { .kind = PLG_FAULT_NIC, .rate = 0.0 };
      for (double width = 560; width < 1800; width += 31)
        {
          g_autoptr (PlgFigure) figure = folded_legend (&c, width), unmoved = NULL;

          swap_two (c.plan);
          unmoved = folded_legend (&c, width);
          swap_two (c.plan);
          g_assert_cmpfloat (plg_figure_height (figure), ==, plg_figure_height (unmoved));
          g_assert_cmpfloat (plg_figure_height (figure), <, width < 680 ? 100 : 85);
          g_assert_nonnull (text_with (figure, "ytes per step"));
          g_assert_true (faulty == 0 || text_with (figure, "50 %"));
        }
    }
  case_clear (&c);
}

/* A linear scale ends at most a quarter above the greatest value. */
static void
test_time_scale_is_used (void)
{
  static const double most[] = { 2.08, 0.9, 5.01, 0.0011, 120, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (most); i++)
    {
      Case c;
      PlgLinkScale scale;

      case_init (&c);
      for (guint k = 0; k < c.report->links->len; k++)
        g_array_index (c.report->links, PlgLink, k).time = most[i];
      scale = plg_link_scale (c.report, PLG_LINK_COLOR_TIME);
      g_assert_cmpfloat (scale.maximum, >=, most[i]);
      g_assert_cmpfloat (scale.maximum, <=, most[i] * 1.34);
      case_clear (&c);
    }
}

/* At any zoom a text in a GPU has at least 7 pixels on the screen; otherwise the text is
 * omitted. */
static void
test_texts_of_gpus_are_large (void)
{
  PlgRect cell;
  Case c;

  case_init (&c);
  cell = plg_cluster_gpu_rect (c.plan, 9);
  for (double zoom = 1; zoom > 0.4; zoom -= 0.02)
    {
      g_autoptr (PlgFigure) figure = NULL;
      int n = 0;

      c.options.zoom = zoom;
      figure = plg_picture_figure (PLG_PICTURE_CLUSTER, c.plan, c.report, &c.theme, &c.options);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);

          if (shape->kind != PLG_SHAPE_TEXT || !plg_rect_intersects (shape->rect, cell))
            continue;
          g_assert_cmpfloat (shape->font_size * zoom, >=, 6.99);
          n++;
        }
      g_assert_cmpint (n, >=, 1);
    }
  case_clear (&c);
}

/* Network */

static const Sample racks = { .name = "racks",
                              .nodes = 4,
                              .gpus = 72,
                              .tp = 8,
                              .cp = 1,
                              .ep = 1,
                              .pp = 4,
                              .dp = 9,
                              .micro_batches = 8,
                              .oversubscription = 2 };
static const Sample units = { .name = "units",
                              .nodes = 128,
                              .gpus = 8,
                              .tp = 8,
                              .cp = 1,
                              .ep = 1,
                              .pp = 16,
                              .dp = 8,
                              .micro_batches = 32 };

static PlgFigure *
draw_at (const Sample *sample, double zoom)
{
  g_autoptr (PlgPlan) plan = sample_plan (sample);
  g_autoptr (PlgReport) report = sample_report (sample, plan);
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  options.zoom = zoom;
  return plg_picture_figure (PLG_PICTURE_CLUSTER, plan, report, &theme, &options);
}

static int
count_texts (const PlgFigure *figure, const char *part)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      n += shape->kind == PLG_SHAPE_TEXT && strstr (shape->text, part) != NULL;
    }
  return n;
}

static int
count_of_class (const PlgFigure *figure, const char *name)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      n += shape->kind == PLG_SHAPE_OPEN && g_strcmp0 (shape->classes, name) == 0;
    }
  return n;
}

/* Four racks have one network: at every zoom, one spine and one row of leaves are above all
 * racks. */
static void
test_racks_share_a_spine (void)
{
  static const double zooms[] = { 0.25, 0.8 };

  for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      g_autoptr (PlgFigure) figure = draw_at (&racks, zooms[i]);

      g_assert_cmpint (count_of_class (figure, "spine"), ==, 1);
      g_assert_cmpint (count_texts (figure, "spine"), >=, 1);
      g_assert_cmpint (count_texts (figure, "72 leaves"), ==,
                       zooms[i] < PLG_CLUSTER_FULL_DETAIL_ZOOM);
      g_assert_cmpint (count_texts (figure, "unit"), ==, 0);
      g_assert_cmpint (count_texts (figure, "…"), ==, 0);
    }
}

/* Checks the box whose group begins with shape OPEN: its names lie inside, are legible, and one of
 * them is visible from everywhere. */
static void
check_box (const PlgFigure *figure, int open, double zoom)
{
  const PlgRect box = plg_figure_shape (figure, open + 1)->rect;
  double seen_to = box.x;

  for (int i = open + 2; plg_figure_shape (figure, i)->kind != PLG_SHAPE_CLOSE; i++)
    {
      const PlgShape *name = plg_figure_shape (figure, i);

      g_assert_cmpint (name->kind, ==, PLG_SHAPE_TEXT);
      g_assert_cmpfloat (name->font_size * zoom, >=, 5.5);
      g_assert_cmpfloat (name->font_size, <=, box.height);
      g_assert_cmpfloat ((name->rect.x + name->rect.width / 2 - seen_to) * zoom, <=, 940);
      seen_to = name->rect.x + name->rect.width / 2;
    }
  g_assert_cmpfloat (seen_to, >, box.x);
  g_assert_cmpfloat ((box.x + box.width - seen_to) * zoom, <=, 940);
}

/* A switch without a name would be an empty bar. */
static void
test_boxes_are_named (void)
{
  static const Sample all[] = {
    { "16384", 2048, 8, 8, 1, 1, 4, 512, 8 },
    { "1024", 128, 8, 8, 1, 1, 8, 16, 64, .oversubscription = 2 },
    { "racks", 16, 72, 8, 1, 1, 4, 36, 36 },
  };
  int boxes = 0;

  for (gsize k = 0; k < G_N_ELEMENTS (all); k++)
    for (double zoom = 0.02; zoom < 0.7; zoom *= 1.3)
      {
        g_autoptr (PlgFigure) figure = draw_at (&all[k], zoom);

        for (int i = 0; i < plg_figure_n_shapes (figure); i++)
          {
            const PlgShape *shape = plg_figure_shape (figure, i);

            if (shape->kind != PLG_SHAPE_OPEN || (g_strcmp0 (shape->classes, "spine") != 0 &&
                                                  g_strcmp0 (shape->classes, "leaf") != 0))
              continue;
            check_box (figure, i, zoom);
            boxes++;
          }
      }
  g_assert_cmpint (boxes, >, 100);
}

static const PlgShape *
text_that_says (const PlgFigure *figure, const char *text)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && strcmp (shape->text, text) == 0)
        return shape;
    }
  return NULL;
}

/* The descender of a p does not touch the frame, however low the box and however thick the
 * frame. */
static void
test_names_keep_off_frames (void)
{
  static const Sample many = { "16384", 2048, 8, 8, 1, 1, 4, 512, 8 };
  g_autoptr (PlgPlan) plan = sample_plan (&many);
  g_autoptr (PlgReport) report = sample_report (&many, plan);
  PlgPictureOptions options;
  PlgTheme theme;

  plg_picture_options_init (&options, plan);
  plg_theme_init (&theme, PLG_PALETTE_HIGH_CONTRAST);
  for (options.zoom = 0.04; options.zoom < 0.2; options.zoom *= 1.2)
    {
      g_autoptr (PlgFigure) figure = plg_cluster_figure (plan, report, &theme, &options);
      const PlgShape *name = text_that_says (figure, "spine"), *box = name - 1;
      double foot = name->at.y + 0.21 * name->font_size;

      g_assert_cmpint (box->kind, ==, PLG_SHAPE_RECT);
      g_assert_cmpfloat (foot, <=, box->rect.y + box->rect.height - box->stroke_width / 2);
    }
}

/* In a tree the lines of NICs end at the boxes of leaves, which are drawn with legible names
 * inside. */
static void
test_leaves_are_there (void)
{
  static const Sample all[] = {
    { "8 nodes", 8, 8, 8, 1, 1, 4, 2, 8, .network = PLG_NETWORK_TREE },
    { "64 nodes", 64, 8, 8, 1, 1, 4, 16, 8, .network = PLG_NETWORK_TREE },
    { "512 nodes", 512, 8, 8, 1, 1, 4, 128, 8, .network = PLG_NETWORK_TREE },
  };

  for (gsize k = 0; k < G_N_ELEMENTS (all); k++)
    for (double zoom = 0.36; zoom < 1.5; zoom += 0.05)
      {
        g_autoptr (PlgPlan) plan = sample_plan (&all[k]);
        g_autoptr (PlgFigure) figure = draw_at (&all[k], zoom);
        int leaves = 0;

        for (int i = 0; i < plg_figure_n_shapes (figure); i++)
          {
            const PlgShape *shape = plg_figure_shape (figure, i), *box = shape + 1, *name = box + 1;

            if (shape->kind != PLG_SHAPE_OPEN || g_strcmp0 (shape->classes, "leaf") != 0)
              continue;
            g_assert_cmpint (name->kind, ==, PLG_SHAPE_TEXT);
            g_assert_cmpfloat (name->font_size * zoom, >=, 5.5);
            g_assert_cmpfloat (plg_text_width (name->text, name->font_size, FALSE), <=,
                               box->rect.width * 0.9);
            leaves += shape->id != NULL;
          }
        g_assert_cmpint (leaves, ==, plg_cluster_switches (&plan->cluster).leaves);
      }
}

/* The rails of each rack have uplinks to the spine, one per column of GPUs, since all racks share
 * the leaves. */
static void
test_racks_have_uplinks (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&racks);
  g_autoptr (PlgReport) report = sample_report (&racks, plan);
  g_autoptr (PlgFigure) figure = draw_at (&racks, 0.8);
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, 0.8);
  int n[4] = { 0 };

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      double x = shape->rect.x;

      if (shape->kind != PLG_SHAPE_PATH || shape->entity.kind != PLG_ENTITY_LINK ||
          g_array_index (report->links, PlgLink, shape->entity.index).tier != PLG_TIER_SPINE)
        continue;
      for (int node = 0; node < 4; node++)
        {
          PlgRect card = plg_cluster_layout_node (&layout, node);

          n[node] += x >= card.x && x <= card.x + layout.node_step_x;
        }
    }
  for (int node = 0; node < 4; node++)
    g_assert_cmpint (n[node], ==, layout.gpu_columns);
}

/* Units have names as long as the names are legible. */
static void
test_units_are_named_legibly (void)
{
  static const Sample many = {
    "many", 2048, 8, 8, 1, 1, 4, 512, 32, 0, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 0, FALSE, FALSE
  };
  static const double zooms[] = { 0.02, 0.032, 0.06 };
  /* The heights are in pixels: a small window shows the whole cluster at the second zoom. */
  static const double least[] = { 0, 5.8, 6 };

  for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      g_autoptr (PlgFigure) figure = draw_at (&many, zooms[i]);
      const PlgShape *unit = text_that_says (figure, "unit 0");

      g_assert_true ((unit != NULL) == (zooms[i] > 0.03));
      if (unit != NULL)
        g_assert_cmpfloat (unit->font_size * zooms[i], >=, least[i]);
    }
}

/* In a small window rails have names of more than 9 pixels. */
static void
test_rails_are_named_legibly (void)
{
  g_autoptr (PlgFigure) figure = draw_at (&sample_default, 0.6);

  g_assert_cmpfloat (text_that_says (figure, "rail 3")->font_size * 0.6, >, 9);
}

/* With memory alone each GPU shows its GiB as long as there is space for texts. */
static void
test_memory_has_numbers (void)
{
  static const double zooms[] = { 0.37, 0.5, 0.7, 0.8 };
  Case c;

  case_init (&c);
  c.options.show = PLG_SHOW_MEMORY;
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      const PlgStageMemory *memory = &g_array_index (c.report->stages, PlgStageMemory, 0);
      g_autofree char *number = plg_format_number (memory->total / PLG_GIB, 3);
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *text;

      c.options.zoom = zooms[i];
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      text = text_that_says (figure, number);
      g_assert_nonnull (text);
      g_assert_cmpfloat (text->font_size * zooms[i], >=, 6.5);
      g_assert_nonnull (text_that_says (figure, "63"));
    }
  case_clear (&c);
}

/* The ticks at the ends of a short scale do not touch. */
static void
test_ends_of_scales_are_apart (void)
{
  Case c;

  case_init_folded (&c, &sample_default);
  c.options.show = PLG_SHOW_MEMORY;
  for (double width = 400; width < 900; width += 31)
    {
      g_autoptr (PlgFigure) figure = folded_legend (&c, width);
      const PlgShape *last = text_with (figure, "\u00a0GiB"), *first = text_that_says (figure, "0");

      g_assert_nonnull (first);
      g_assert_nonnull (last);
      g_assert_cmpfloat (first->rect.x + first->rect.width + first->font_size * 0.8, <,
                         last->rect.x);
    }
  case_clear (&c);
}

/* A scale that begins with the background colour has an edge there. */
static void
test_scales_have_edges (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  int edges = 0;

  case_init (&c);
  plg_theme_init (&c.theme, PLG_PALETTE_HIGH_CONTRAST_DARK);
  c.options.show = PLG_SHOW_MEMORY;
  figure = plg_cluster_legend_figure (c.plan, c.report, &c.theme, &c.options, 900);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      edges += shape->kind == PLG_SHAPE_RECT && shape->fill.alpha <= 0 && shape->stroke.alpha > 0 &&
               shape->rect.width > 50;
    }
  g_assert_cmpint (edges, ==, 2);
  case_clear (&c);
}

/* The number of a pin does not cover the name of a group. */
static void
test_pins_beside_tabs (void)
{
  Case c;

  case_init (&c);
  c.options.zoom = 1;
  c.options.n_highlighted = c.options.n_pins = 1;
  for (int gpu = 0; gpu < 64; gpu += 9)
    {
      const PlgEntity pin = { PLG_ENTITY_GPU, 0, gpu };
      g_autoptr (PlgFigure) figure = NULL;
      PlgRect mark = { 0 };

      c.options.highlighted = &pin;
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        if (g_strcmp0 (plg_figure_shape (figure, i)->id, "pin-1") == 0)
          mark = plg_figure_shape (figure, i)->rect;
      g_assert_cmpfloat (mark.width, >, 0);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);

          if (shape->kind == PLG_SHAPE_TEXT && strstr (shape->text, "group") != NULL)
            g_assert_false (plg_rect_intersects (mark, shape->rect));
        }
    }
  case_clear (&c);
}

/* The number of a pin on an uplink, which is hardly longer than the height of the number, is
 * next to the uplink. */
static void
test_pins_beside_uplinks (void)
{
  static const Sample many = { "uplinks", 64, 8, 8, 1, 1, 4, 16, 16, .oversubscription = 2 };
  g_autoptr (PlgPlan) plan = sample_plan (&many);
  g_autoptr (PlgReport) report = sample_report (&many, plan);
  PlgPictureOptions options;
  PlgTheme theme;
  int seen = 0;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  options.zoom = 1;
  options.n_highlighted = options.n_pins = 1;
  for (guint k = 0; k < report->links->len; k++)
    {
      const PlgEntity pin = { PLG_ENTITY_LINK, 0, k };
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *line;
      PlgRect mark = { 0 };

      if (g_array_index (report->links, PlgLink, k).tier != PLG_TIER_SPINE)
        continue;
      options.highlighted = &pin;
      figure = plg_cluster_figure (plan, report, &theme, &options);
      line = plg_figure_find_entity (figure, pin);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        if (g_strcmp0 (plg_figure_shape (figure, i)->id, "pin-1") == 0)
          mark = plg_figure_shape (figure, i)->rect;
      if (line == NULL || line->kind != PLG_SHAPE_PATH || line->rect.height > 40)
        continue;
      g_assert_cmpfloat (mark.width, >, 0);
      g_assert_cmpfloat (mark.x, >=, line->rect.x + line->rect.width / 2);
      seen++;
      if (seen == 20)
        break;
    }
  g_assert_cmpint (seen, >, 3);
}

/* 1,024 GPUs fit the window with the timeline at a quarter of their size. The GPUs are too small
 * for ranks, but each node shows its ranks in 9 pixels. */
static void
test_ranges_of_ranks (void)
{
  static const double zooms[] = { 0.25, 0.29, 0.35 };

  for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      g_autoptr (PlgFigure) figure = draw_at (&units, zooms[i]);
      const PlgShape *text = text_that_says (figure, "1016–1023");

      g_assert_nonnull (text);
      g_assert_cmpfloat (text->font_size * zooms[i], >=, 9);
      g_assert_cmpint (text->entity.kind, ==, PLG_ENTITY_NONE);
      g_assert_cmpint (count_texts (figure, "–"), ==, 128);
    }
}

/* No text crosses the sides of RECT. */
static void
assert_sides_free (const PlgFigure *figure, PlgRect rect)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *text = plg_figure_shape (figure, i);
      double left = text->rect.x, right = rect.x + rect.width;

      if (text->kind != PLG_SHAPE_TEXT || text->rect.y < rect.y ||
          text->rect.y > rect.y + rect.height)
        continue;
      g_assert_false (left < rect.x && rect.x < left + text->rect.width);
      g_assert_false (left < right && right < left + text->rect.width);
    }
}

/* Outlines of the groups of a selected GPU do not cross the texts on rows. */
static void
test_outlines_cross_no_range (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&units);
  g_autoptr (PlgReport) report = sample_report (&units, plan);
  PlgPictureOptions options;
  PlgTheme theme;
  int outlines = 0;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  options.zoom = 0.29;
  for (int gpu = 8; gpu < 12; gpu++)
    {
      g_autoptr (PlgFigure) figure = NULL;

      options.selected = (PlgEntity) { PLG_ENTITY_GPU, 0, gpu };
      figure = plg_picture_figure (PLG_PICTURE_CLUSTER, plan, report, &theme, &options);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);

          if (shape->kind != PLG_SHAPE_RECT || shape->entity.kind != PLG_ENTITY_GROUP)
            continue;
          assert_sides_free (figure, shape->rect);
          outlines++;
        }
    }
  g_assert_cmpint (outlines, >, 4 * 16);
}

/* A text over tiles of one colour has one background without gaps. If the colours differ, each tile
 * has its own text. */
static void
test_ranges_cross_no_gap (void)
{
  static const Sample mixed = {
    "mixed", 128, 8, 1, 1, 1, 4, 256, 32, 0, PLG_INTRA_NVSWITCH, PLG_NETWORK_RAIL, 0, FALSE, FALSE
  };
  static const Sample *const all[] = { &units, &mixed };

  for (int k = 0; k < 2; k++)
    {
      g_autoptr (PlgFigure) figure = draw_at (all[k], 0.29);
      const PlgShape *text = text_that_says (figure, k == 0 ? "8–15" : "p0");
      g_autoptr (PlgPlan) plan = sample_plan (all[k]);
      PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, 0.29);
      double gap = layout.tile_step_x - layout.tile_width;
      PlgRect tile = plg_cluster_layout_gpu (&layout, k == 0 ? 8 : 0);
      int closed = 0;

      g_assert_nonnull (text);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);

          closed += shape->kind == PLG_SHAPE_RECT && shape->rect.x == tile.x + tile.width &&
                    shape->rect.y == tile.y && shape->rect.width == gap;
        }
      if (k == 0)
        g_assert_cmpint (closed, ==, 1);
      else
        g_assert_cmpfloat (text->rect.x + text->rect.width, <=, tile.x + tile.width);
    }
}

/* A node whose ranks are not consecutive shows no range, and a node with ranks of two stages has
 * the names of both. */
static void
test_ranges_of_moved_ranks (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&units);
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (PlgFigure) figure = NULL, usual = draw_at (&units, 0.29);
  PlgPictureOptions options;
  PlgTheme theme;

  plg_placement_expand (&plan->placement, 1024);
  plan->placement.gpu_of_rank[9] = 15;
  plan->placement.gpu_of_rank[15] = 9;
  plan->placement.gpu_of_rank[17] = 25;
  plan->placement.gpu_of_rank[25] = 17;
  report = sample_report (&units, plan);
  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  options.zoom = 0.29;
  figure = plg_picture_figure (PLG_PICTURE_CLUSTER, plan, report, &theme, &options);
  g_assert_nonnull (text_that_says (figure, "8…"));
  g_assert_null (text_that_says (figure, "8–15"));
  g_assert_cmpint (count_texts (figure, "–"), ==, 125);
  /* Two rows have a moved rank between the ranks before and after it. */
  for (int stage = 2; stage <= 3; stage++)
    {
      g_autofree char *name = g_strdup_printf ("p%d", stage);

      g_assert_cmpint (count_texts (figure, name), ==, count_texts (usual, name) + 2);
    }
}

static void
check_counts_of_rails (double zoom)
{
  g_autoptr (PlgFigure) figure = draw_at (&racks, zoom);
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (PlgRect));

  for (int i = 0; i + 1 < plg_figure_n_shapes (figure); i++)
    {
      PlgRect rect = plg_figure_shape (figure, i + 1)->rect;

      if (plg_figure_shape (figure, i)->kind != PLG_SHAPE_OPEN ||
          g_strcmp0 (plg_figure_shape (figure, i)->classes, "rail") != 0)
        continue;
      for (guint k = 0; k < boxes->len; k++)
        g_assert_false (plg_rect_intersects (rect, g_array_index (boxes, PlgRect, k)));
      g_array_append_val (boxes, rect);
    }
  g_assert_cmpuint (boxes->len, ==, 4 * 4);
}

/* Each rack has "18 rails" above it four times; this text has no shorter form. */
static void
test_counts_of_rails_are_apart (void)
{
  for (double zoom = 0.55; zoom < 1.2; zoom += 0.05)
    check_counts_of_rails (zoom);
}

/* Names of rails do not overlap at any zoom, nor does the name of the unit that begins next to
 * the last rail. */
static void
test_rails_are_apart (void)
{
  for (double zoom = 0.3; zoom < 1.2; zoom += 0.05)
    {
      g_autoptr (PlgFigure) figure = draw_at (&units, zoom);
      g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (PlgRect));

      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);
          PlgRect rect;

          if (shape->kind != PLG_SHAPE_TEXT ||
              (!g_str_has_prefix (shape->text, "rail") && !g_str_has_prefix (shape->text, "unit")))
            continue;
          rect = shape->rect;
          for (guint k = 0; k < names->len; k++)
            g_assert_false (plg_rect_intersects (rect, g_array_index (names, PlgRect, k)));
          g_array_append_val (names, rect);
        }
      if (zoom > 0.36)
        g_assert_cmpuint (names->len, ==, 4 * 9);
    }
}

/* Playback */

/* During playback no other colour covers the fill of a GPU. */
static void
test_no_memory_bar_in_playback (void)
{
  Case c;
  g_autoptr (PlgFigure) before = NULL, at = NULL;
  PlgRect tile;
  int shapes[2] = { 0 };

  case_init (&c);
  before = draw (&c, PLG_PICTURE_CLUSTER);
  c.options.has_moment = TRUE;
  at = draw (&c, PLG_PICTURE_CLUSTER);
  tile = plg_figure_find_entity (at, (PlgEntity) { PLG_ENTITY_GPU, 0, 0 })->rect;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < plg_figure_n_shapes (k ? at : before); i++)
      {
        const PlgShape *shape = plg_figure_shape (k ? at : before, i);

        shapes[k] += shape->kind == PLG_SHAPE_RECT && shape->rect.y > tile.y &&
                     shape->rect.x > tile.x && shape->rect.height < 8 &&
                     shape->rect.x < tile.x + tile.width && shape->rect.width > 20 &&
                     shape->rect.y < tile.y + tile.height;
      }
  g_assert_cmpint (shapes[0], ==, 2);
  g_assert_cmpint (shapes[1], ==, 0);
  case_clear (&c);
}

/* Timeline */

/* Numbers of the timeline refer to the drawn part, and the idle share is the simulated bubble. */
static void
test_timeline_names_bubble (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL, notebook = NULL;

  case_init (&c);
  c.report->bubble = (PlgBubble) { .share_of_step = 3.0 / 11, .simulated = 0.287 };
  c.options.width = 3000;
  figure = draw (&c, PLG_PICTURE_TIMELINE);
  g_assert_nonnull (strstr (plg_figure_description (figure), "idle 28.7\u00a0%"));
  c.report->profile = PLG_PROFILE_NOTEBOOK;
  c.report->step.time = 0.001;
  notebook = draw (&c, PLG_PICTURE_TIMELINE);
  g_assert_nonnull (strstr (plg_figure_description (notebook),
                            "simulated (1\u00a0ms by the profile's formula)"));
  case_clear (&c);
}

/* The legend explains the numbers if a block has one. */
static void
test_timeline_key_of_numbers (void)
{
  static const double widths[] = { 400, 3000 };

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c);
      c.options.legend = TRUE;
      c.options.width = widths[i];
      c.options.to = 1e9 * (i == 0);
      figure = draw (&c, PLG_PICTURE_TIMELINE);
      g_assert_true ((text_with (figure, "number: micro-batch") != NULL) == (i == 1));
      case_clear (&c);
    }
}

/* A timeline of many stages leaves most of the window to the cluster. */
static void
test_timeline_is_low (void)
{
  static const Sample deep = { .name = "deep",
                               .nodes = 64,
                               .gpus = 8,
                               .tp = 8,
                               .cp = 1,
                               .ep = 1,
                               .pp = 64,
                               .dp = 1,
                               .micro_batches = 32 };
  g_autoptr (PlgPlan) plan = sample_plan (&deep);
  g_autoptr (PlgReport) report = sample_report (&deep, plan);
  g_autoptr (PlgFigure) figure = NULL;
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  options.embedded = options.legend = TRUE;
  options.width = 1200;
  options.height = 180;
  figure = plg_picture_figure (PLG_PICTURE_TIMELINE, plan, report, &theme, &options);
  g_assert_cmpfloat (plg_figure_height (figure), <, 240);
}

static void
test_calls (void)
{
  g_autofree char *one = plg_describe_calls (1), *many = plg_describe_calls (13184);

  g_assert_cmpstr (one, ==, "1 call");
  g_assert_cmpstr (many, ==, "13\u202f184 calls");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-layout/rings/modes", test_ring_modes);
  g_test_add_func ("/text-layout/rings/by-axis", test_rings_by_axis);
  g_test_add_func ("/text-layout/memory/numbers", test_memory_numbers_are_whole);
  g_test_add_func ("/text-layout/groups/tabs", test_names_of_groups_are_visible);
  g_test_add_func ("/text-layout/legend/steady", test_legend_is_steady);
  g_test_add_func ("/text-layout/legend/folded-is-steady", test_folded_legend_is_steady);
  g_test_add_func ("/text-layout/legend/fills-its-height", test_legend_fills_its_height);
  g_test_add_func ("/text-layout/legend/folds", test_legend_folds);
  g_test_add_func ("/text-layout/legend/titles", test_folded_legend_has_titles);
  g_test_add_func ("/text-layout/legend/room", test_folded_legend_uses_room);
  g_test_add_func ("/text-layout/legend/letters", test_folded_legend_has_letters);
  g_test_add_func ("/text-layout/legend/height", test_folded_legend_keeps_height);
  g_test_add_func ("/text-layout/legend/measured", test_legend_is_measured);
  g_test_add_func ("/text-layout/legend/time", test_time_scale_is_used);
  g_test_add_func ("/text-layout/gpus", test_texts_of_gpus_are_large);
  g_test_add_func ("/text-layout/network/racks", test_racks_share_a_spine);
  g_test_add_func ("/text-layout/network/boxes", test_boxes_are_named);
  g_test_add_func ("/text-layout/network/frames", test_names_keep_off_frames);
  g_test_add_func ("/text-layout/network/leaves", test_leaves_are_there);
  g_test_add_func ("/text-layout/network/uplinks", test_racks_have_uplinks);
  g_test_add_func ("/text-layout/legend/explains", test_legend_explains_letters_and_outlines);
  g_test_add_func ("/text-layout/ranges", test_ranges_of_ranks);
  g_test_add_func ("/text-layout/network/units", test_units_are_named_legibly);
  g_test_add_func ("/text-layout/network/rail-names", test_rails_are_named_legibly);
  g_test_add_func ("/text-layout/memory/far", test_memory_has_numbers);
  g_test_add_func ("/text-layout/legend/ends", test_ends_of_scales_are_apart);
  g_test_add_func ("/text-layout/legend/edges", test_scales_have_edges);
  g_test_add_func ("/text-layout/pins/uplinks", test_pins_beside_uplinks);
  g_test_add_func ("/text-layout/pins/tabs", test_pins_beside_tabs);
  g_test_add_func ("/text-layout/ranges/outlines", test_outlines_cross_no_range);
  g_test_add_func ("/text-layout/ranges/gaps", test_ranges_cross_no_gap);
  g_test_add_func ("/text-layout/playing/scale", test_played_legend_has_scale);
  g_test_add_func ("/text-layout/played-legend-activities", test_played_legend_names_activities);
  g_test_add_func ("/text-layout/played-legend-key", test_played_legend_key_of_numbers);
  g_test_add_func ("/text-layout/playing/ranks", test_played_gpus_have_ranks);
  g_test_add_func ("/text-layout/ranges/moved", test_ranges_of_moved_ranks);
  g_test_add_func ("/text-layout/network/counts", test_counts_of_rails_are_apart);
  g_test_add_func ("/text-layout/network/rails", test_rails_are_apart);
  g_test_add_func ("/text-layout/playing/memory", test_no_memory_bar_in_playback);
  g_test_add_func ("/text-layout/timeline/bubble-definition", test_timeline_names_bubble);
  g_test_add_func ("/text-layout/timeline/numbers", test_timeline_key_of_numbers);
  g_test_add_func ("/text-layout/timeline/low", test_timeline_is_low);
  g_test_add_func ("/text-layout/calls", test_calls);
  return g_test_run ();
}
