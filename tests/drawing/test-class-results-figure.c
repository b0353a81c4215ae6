/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawing/figure/pictures.h"
#include "drawing/charts/class-results-figure.h"
#include "picture-case.h"

#include <string.h>

/* Returns the results of four learners who gave three answers, one of them right. */
static PlgClassResults *
sample (void)
{
  PlgClassResults *results = plg_class_results_new ();
  PlgClassResultsQuestion *question = plg_class_results_question (results, "l", "Lesson", "q");
  const int counts[] = { 2, 1, 0 };

  results->learners = 4;
  question->text = g_strdup ("Which one?");
  question->answered = 3;
  question->right = 1;
  for (int i = 0; i < 3; i++)
    {
      const char id[] = { (char) ('a' + i), '\0' };
      PlgClassResultsChoice *choice = plg_class_results_choice (question, id);

      choice->text = g_strdup_printf ("choice %s with so many words that they need a second line",
                                      id);
      choice->n = counts[i];
      choice->is_right = i == 1;
    }
  return results;
}

static int
count_outlines (const PlgFigure *figure)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      n += shape->kind == PLG_SHAPE_RECT && shape->stroke.alpha > 0 && shape->stroke_width >= 2;
    }
  return n;
}

/* Numbers are exact, and the right answer is marked by a word and an outline in every palette. */
static void
test_marks (void)
{
  g_autoptr (PlgClassResults) results = sample ();

  for (PlgPalette palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      PlgTheme theme;
      g_autoptr (PlgFigure) figure = NULL;

      plg_theme_init (&theme, palette);
      figure = plg_class_results_figure (results, &theme, 0, FALSE, NULL);
      g_assert_nonnull (find_text (figure, "2 of 4"));
      g_assert_nonnull (find_text (figure, "1 of 4 (right)"));
      g_assert_nonnull (find_text (figure, "0 of 4"));
      g_assert_cmpint (count_outlines (figure), ==, 1);
      g_assert_nonnull (strstr (plg_figure_description (figure), "1 of 3"));
    }
}

/* Nothing lies outside of the picture, however narrow it is. */
static void
test_widths (void)
{
  static const double widths[] = { 200, 300, 419, 421, 760, 1600 };
  g_autoptr (PlgClassResults) results = sample ();
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (PlgFigure)
                     figure = plg_class_results_figure (results, &theme, widths[i], TRUE, "l");

      for (int j = 0; j < plg_figure_n_shapes (figure); j++)
        {
          const PlgShape *shape = plg_figure_shape (figure, j);

          if (shape->kind == PLG_SHAPE_OPEN || shape->kind == PLG_SHAPE_CLOSE)
            continue;
          g_assert_cmpfloat (shape->rect.x, >=, -0.01);
          g_assert_cmpfloat (shape->rect.x + shape->rect.width, <=, widths[i] + 0.01);
          g_assert_cmpfloat (shape->rect.y + shape->rect.height, <=, plg_figure_height (figure));
        }
    }
}

static void
test_no_learners (void)
{
  g_autoptr (PlgClassResults) results = plg_class_results_new ();
  g_autoptr (PlgFigure) figure = NULL;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  figure = plg_class_results_figure (results, &theme, 0, FALSE, NULL);
  g_assert_cmpfloat (plg_figure_height (figure), >, 0);
}

/* On paper all sheets have one size and a heading, and no question is split between sheets. */
static void
test_pages (void)
{
  g_autoptr (PlgClassResults) results = sample ();
  g_autoptr (GPtrArray) pages = NULL;
  const PlgClassResultsQuestion *first = results->questions->pdata[0];
  PlgTheme theme;
  int found = 0;

  for (int i = 0; i < 11; i++)
    {
      g_autofree char *id = g_strdup_printf ("q%d", i);
      PlgClassResultsQuestion *question = plg_class_results_question (results, "l", "Lesson", id);

      question->text = g_strdup (first->text);
      plg_class_results_choice (question, "a")->text = g_strdup ("a choice");
      plg_class_results_choice (question, "b")->text = g_strdup ("another choice");
    }
  plg_theme_init (&theme, PLG_PALETTE_PRINT);
  pages = plg_class_results_pages (results, &theme, NULL);
  g_assert_cmpint (pages->len, >, 1);
  for (guint i = 0; i < pages->len; i++)
    {
      const PlgFigure *page = pages->pdata[i];
      g_autofree char *foot = g_strdup_printf ("%u of %u", i + 1, pages->len);

      g_assert_nonnull (find_text (page, foot));
      g_assert_cmpfloat (plg_figure_height (page), ==, plg_figure_height (pages->pdata[0]));
      g_assert_nonnull (find_text (page, "How a class of 4 answered"));
      g_assert_nonnull (find_text (page, "Lesson"));
      for (int number = 1; number <= 12; number++)
        {
          g_autofree char *text = g_strdup_printf ("%d. Which one?", number);
          found += find_text (page, text) != NULL;
        }
    }
  g_assert_cmpint (found, ==, 12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/class-results-figure/marks", test_marks);
  g_test_add_func ("/class-results-figure/widths", test_widths);
  g_test_add_func ("/class-results-figure/no-learners", test_no_learners);
  g_test_add_func ("/class-results-figure/pages", test_pages);
  return g_test_run ();
}
