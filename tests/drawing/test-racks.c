/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/pictures.h"
#include "sample.h"

#include <string.h>

/* Racks show their groups by letters even at a zoom at which nodes are as thin as hairs. */

static const Sample most = { "16384", 2048, 8, 8, 1, 1, 4, 512, 8 };

typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgPictureOptions options;
} Case;

static void
case_init (Case *c)
{
  c->plan = sample_plan (&most);
  c->report = sample_report (&most, c->plan);
  plg_picture_options_init (&c->options, c->plan);
}

static void
case_clear (Case *c)
{
  plg_report_unref (c->report);
  plg_plan_free (c->plan);
}

static PlgFigure *
draw (Case *c, double zoom)
{
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  c->options.zoom = zoom;
  return plg_cluster_figure (c->plan, c->report, &theme, &c->options);
}

/* Counts the racks with a legible TEXT. */
static int
count_racks (const PlgFigure *figure, double zoom, const char *text)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      n += shape->kind == PLG_SHAPE_TEXT && shape->entity.kind == PLG_ENTITY_RACK &&
           strcmp (shape->text, text) == 0 && shape->font_size * zoom >= 5.5;
    }
  return n;
}

/* With each axis alone, a rack has the letters of its first and its last group: the same 4
 * stages in all 64 racks, other TP groups in each rack, and so on. */
static void
test_groups (void)
{
  static const struct
  {
    PlgShow show;
    const char *text;
    int racks;
  } rows[] = {
    { PLG_SHOW_ALL, "p0–p3", 64 },
    { PLG_SHOW_TP, "A–AF", 1 },
    { PLG_SHOW_PP, "A–BL", 1 },
    { PLG_SHOW_DP, "A–AF", 64 },
  };
  const double zoom = 0.08;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      Case c;

      case_init (&c);
      c.options.show = rows[i].show;
      figure = draw (&c, zoom);
      g_assert_cmpint (count_racks (figure, zoom, rows[i].text), ==, rows[i].racks);
      case_clear (&c);
    }
}

/* A range that is too long for a rack has two lines, in all racks; no text looks truncated. */
static void
test_long_ranges (void)
{
  g_autoptr (PlgFigure) figure = NULL;
  Case c;

  case_init (&c);
  c.options.show = PLG_SHOW_TP;
  figure = draw (&c, 0.04);
  g_assert_cmpint (count_racks (figure, 0.04, "A–"), ==, 1);
  g_assert_cmpint (count_racks (figure, 0.04, "AF"), ==, 1);
  g_assert_cmpint (count_racks (figure, 0.04, "AG–"), ==, 1);
  g_assert_cmpint (count_racks (figure, 0.04, "A–AF"), ==, 0);
  case_clear (&c);
}

/* Neighbouring racks have the same kinds of texts although some letters are wider. */
static void
test_same_kinds_of_texts (void)
{
  for (double zoom = 0.036; zoom < 0.08; zoom += 0.006)
    {
      g_autoptr (PlgFigure) figure = NULL;
      Case c;
      int texts[64] = { 0 };

      case_init (&c);
      c.options.show = PLG_SHOW_TP;
      figure = draw (&c, zoom);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);

          if (shape->kind == PLG_SHAPE_TEXT && shape->entity.kind == PLG_ENTITY_RACK)
            texts[shape->entity.index]++;
        }
      g_assert_cmpint (texts[0], >=, 2);
      for (int rack = 1; rack < 64; rack++)
        g_assert_cmpint (texts[rack], ==, texts[0]);
      case_clear (&c);
    }
}

/* During playback a rack shows the letters of its activities. */
static void
test_playback (void)
{
  g_autoptr (PlgFigure) figure = NULL;
  Case c;

  case_init (&c);
  c.options.has_moment = TRUE;
  c.options.moment = 0;
  figure = draw (&c, 0.05);
  g_assert_cmpint (count_racks (figure, 0.05, "F –"), ==, 64);
  case_clear (&c);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/racks/groups", test_groups);
  g_test_add_func ("/racks/long-ranges", test_long_ranges);
  g_test_add_func ("/racks/same-kinds-of-texts", test_same_kinds_of_texts);
  g_test_add_func ("/racks/playback", test_playback);
  return g_test_run ();
}
