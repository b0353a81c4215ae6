/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawing/charts/ascii.h"
#include "drawing/plans/changes-figure.h"
#include "drawing/plans/search-figure.h"

#include "../engine/plans.h"

#include <string.h>

/* The plans of a search as a scatter plot, and the changes that lead to one of them. */

typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgSearch *search;
  GArray *found, *front, *best;
  PlgSearchPictureSource source;
  PlgSearchPicture *picture;
  PlgTheme theme;
} Case;

static void
set_up (Case *c, gconstpointer data)
{
  PlgSearchOptions options = { .by = plg_metric_find ("step-time"),
                               .front = { plg_metric_find ("step-time"),
                                          plg_metric_find ("memory") },
                               .top = PLG_SEARCH_PICTURE_TOP,
                               .keeps_judged = TRUE };
  static const char *const held[] = { "parallelism.order", "parallelism.cp", "parallelism.chunks" };
  PlgSearchSpace *space;

  c->plan = teaching_plan ();
  c->report = report_of (c->plan);
  space = plg_search_space_new (c->plan);
  /* A small space is searched quickly. */
  for (gsize i = 0; i < G_N_ELEMENTS (held); i++)
    g_assert_true (plg_search_space_keep (space, held[i], NULL));
  c->search = plg_search_new (space, &options);
  c->found = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  c->front = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  c->best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  plg_search_run (c->search);
  c->source = (PlgSearchPictureSource) { .metrics = { options.front[0], options.front[1] },
                                         .by = options.by,
                                         .found = c->found,
                                         .front = c->front,
                                         .best = c->best,
                                         .space = plg_search_get_space (c->search),
                                         .class_key = PLG_SEARCH_TP,
                                         .start = c->report };
  plg_search_snapshot (c->search, &c->source.progress, c->best, c->front, c->found);
  c->picture = plg_search_picture_new (&c->source);
  plg_search_picture_name_plans (c->picture, &c->source, c->plan, NULL);
  plg_theme_init (&c->theme, PLG_PALETTE_LIGHT);
}

static void
tear_down (Case *c, gconstpointer data)
{
  plg_search_picture_unref (c->picture);
  plg_search_free (c->search);
  g_array_unref (c->found);
  g_array_unref (c->front);
  g_array_unref (c->best);
  plg_plan_free (c->plan);
  plg_report_unref (c->report);
}

/* No text is cut off at an edge of FIGURE, and no two texts overlap. */
static void
assert_legible (const PlgFigure *figure)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind != PLG_SHAPE_TEXT)
        continue;
      g_assert_cmpfloat (shape->rect.x, >=, -1);
      g_assert_cmpfloat (shape->rect.x + shape->rect.width, <=, plg_figure_width (figure) + 1);
      for (guint j = 0; j < texts->len; j++)
        {
          const PlgShape *other = g_ptr_array_index (texts, j);
          PlgRect a = shape->rect, b = other->rect;

          /* Lines of text may touch. */
          if (a.x + a.width > b.x + 1 && b.x + b.width > a.x + 1 && a.y + a.height * 0.7 > b.y &&
              b.y + b.height * 0.7 > a.y)
            g_error ("“%s” overlaps “%s”", shape->text, other->text);
        }
      g_ptr_array_add (texts, (gpointer) shape);
    }
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

/* The marked best plan is the fastest of all dots. */
static void
test_picture (Case *c, gconstpointer data)
{
  const PlgSearchDot *best;

  g_assert_cmpuint (c->picture->dots->len, ==, c->found->len + c->front->len + c->best->len);
  g_assert_cmpint (c->picture->best, >=, 0);
  best = &g_array_index (c->picture->dots, PlgSearchDot, c->picture->best);
  for (guint i = 0; i < c->picture->dots->len; i++)
    {
      const PlgSearchDot *dot = &g_array_index (c->picture->dots, PlgSearchDot, i);

      g_assert_cmpfloat (dot->value[0], >=, best->value[0]);
      g_assert_cmpint (dot->class_index, <, (int) c->picture->classes->len);
    }
  g_assert_cmpfloat (c->picture->best_by, ==, best->value[0]);
  g_assert_cmpfloat (c->picture->own[0], ==, c->report->step.time);
  g_assert_cmpuint (g_strv_length (c->picture->names), ==, 1 + c->front->len);
}

/* Every width, in a panel and in a file. */
static void
test_legible (Case *c, gconstpointer data)
{
  static const double widths[] = { 220, 330, 420, 720, 1200 };

  c->picture->selected = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++)
    for (int embedded = 0; embedded < 2; embedded++)
      {
        PlgPictureOptions options = { .width = widths[i],
                                      .height = embedded ? 200 : 0,
                                      .embedded = embedded,
                                      .legend = PLG_LEGEND_BELOW };
        PlgSearchScale scale;
        g_autoptr (PlgFigure) figure = plg_search_figure (c->picture, &c->theme, &options, &scale);
        PlgPoint own = plg_search_scale_point (&scale, c->picture->own);

        if (widths[i] >= 330)
          assert_legible (figure);
        g_assert_cmpint (count_texts (figure, "open plan"), >=, 1);
        g_assert_cmpint (count_texts (figure, "best plan"), >=, 1);
        g_assert_cmpfloat (own.x, >=, scale.area.x);
        g_assert_cmpfloat (own.x, <=, scale.area.x + scale.area.width);
        g_assert_cmpfloat (own.y, >=, scale.area.y);
        g_assert_cmpfloat (own.y, <=, scale.area.y + scale.area.height);
      }
}

/* The text names the open plan, the best plan and each plan of the front. */
static void
test_text (Case *c, gconstpointer data)
{
  PlgPictureOptions options = { .search = c->picture, .legend = PLG_LEGEND_BELOW };
  const PlgAsciiSubject subject = { PLG_PICTURE_SEARCH, c->plan, c->report, &options };
  g_autoptr (PlgFigure) figure = plg_picture_figure (PLG_PICTURE_SEARCH, c->plan, c->report,
                                                     &c->theme, &options);
  g_autofree char *text = plg_ascii_write (figure, &subject);
  g_autofree char *last = g_strdup_printf ("Front %u: ", c->front->len);

  g_assert_nonnull (strstr (text, "Open plan: "));
  g_assert_nonnull (strstr (text, "Best plan: "));
  g_assert_nonnull (strstr (text, last));
}

/* Without a search, the picture says so. */
static void
test_no_search (Case *c, gconstpointer data)
{
  PlgPictureOptions options = { 0 };
  g_autoptr (PlgFigure) figure = plg_picture_figure (PLG_PICTURE_SEARCH, c->plan, c->report,
                                                     &c->theme, &options);

  g_assert_nonnull (strstr (plg_figure_description (figure), "No plans have been searched"));
}

/* The plan of the best dot. */
static PlgPlan *
best_plan (Case *c)
{
  return plg_search_space_plan (c->source.space, &g_array_index (c->best, PlgFoundPlan, 0).point);
}

/* Each bar begins where the one before ends, from the step time of the first plan to that of the
 * last plan. */
static void
test_changes_add_up (Case *c, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = best_plan (c);
  g_autoptr (GArray) changes = plg_plan_changes (c->plan, plan, NULL);
  const PlgChangesPicture picture = { changes, "Open plan", "Found plan", 0, NULL };
  PlgPictureOptions options = { .width = 640, .embedded = TRUE };
  g_autoptr (PlgFigure) figure = plg_changes_figure (&picture, &c->theme, &options);
  double seconds = 0, points = 0, per_second = 0;
  guint n = 0;

  g_assert_cmpuint (changes->len, >, 1);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      const PlgPlanChange *change;
      double difference;

      if (shape->kind != PLG_SHAPE_OPEN || g_strcmp0 (shape->classes, "change") != 0)
        continue;
      change = &g_array_index (changes, PlgPlanChange, n++);
      difference = change->time - change->time_before;
      for (; plg_figure_shape (figure, i)->kind != PLG_SHAPE_RECT; i++)
        ;
      shape = plg_figure_shape (figure, i);
      seconds += difference;
      if (fabs (difference) < 1e-3)
        continue;
      points = shape->rect.width / fabs (difference);
      per_second = per_second > 0 ? per_second : points;
      g_assert_cmpfloat_with_epsilon (points, per_second, per_second * 1e-6);
    }
  g_assert_cmpuint (n, ==, changes->len);
  g_assert_cmpfloat_with_epsilon (seconds, c->picture->best_by - c->report->step.time, 1e-9);
}

static void
test_changes_legible (Case *c, gconstpointer data)
{
  static const double widths[] = { 260, 320, 420, 500, 640, 1400 };
  g_autoptr (PlgPlan) plan = best_plan (c);
  g_autoptr (GArray) changes = plg_plan_changes (c->plan, plan, NULL);
  const PlgChangesPicture picture = { changes, "Open plan", "Found plan", 0.12,
                                      "Tensor (TP) 8 → 16. TP leaves the node: +4.1 s" };

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++)
    for (int embedded = 0; embedded < 2; embedded++)
      {
        PlgPictureOptions options = { .width = widths[i], .embedded = embedded };
        g_autoptr (PlgFigure) figure = plg_changes_figure (&picture, &c->theme, &options);

        assert_legible (figure);
        g_assert_cmpint (count_texts (figure, "slower than"), ==, 1);
      }
}

/* The text has a heading, one line per change, their sum and the loss. */
static void
test_changes_text (Case *c, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = best_plan (c);
  g_autoptr (GArray) changes = plg_plan_changes (c->plan, plan, NULL);
  const PlgChangesPicture picture = { changes, "Open plan", "Found plan", 0, NULL };
  g_autofree char *text = plg_changes_text (&picture);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, changes->len + 3);
  g_assert_true (g_str_has_prefix (lines[0], "Open plan "));
  g_assert_true (g_str_has_suffix (lines[changes->len + 1], "together"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test) g_test_add ("/search-figure/" name, Case, NULL, set_up, test, tear_down)
  ADD ("picture", test_picture);
  ADD ("legible", test_legible);
  ADD ("text", test_text);
  ADD ("no-search", test_no_search);
  ADD ("changes-add-up", test_changes_add_up);
  ADD ("changes-legible", test_changes_legible);
  ADD ("changes-text", test_changes_text);
  return g_test_run ();
}
