/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawing/charts/page-figure.h"

#include <math.h>
#include <string.h>

#define PAGE_WIDTH (210 / 25.4 * 96)
#define PAGE_HEIGHT (297 / 25.4 * 96)

static PlgFigure *
draw (const char *markdown)
{
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_PRINT);
  return plg_page_figure (markdown, &theme);
}

/* Returns all texts in a row, and asserts that each is on the page and legible on paper. */
static char *
texts_of (const PlgFigure *figure)
{
  GString *texts = g_string_new (NULL);

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind != PLG_SHAPE_TEXT)
        continue;
      g_assert_cmpfloat (shape->rect.x, >=, 0);
      g_assert_cmpfloat (shape->rect.x + shape->rect.width, <=, PAGE_WIDTH);
      g_assert_cmpfloat (shape->rect.y + shape->rect.height, <=, PAGE_HEIGHT);
      g_assert_cmpfloat (shape->font_size * 72 / 96, >=, 6.99);
      g_string_append_printf (texts, "%s ", shape->text);
    }
  return g_string_free (texts, FALSE);
}

static void
test_blocks (void)
{
  g_autoptr (PlgFigure)
                 figure = draw ("# A \\*title\\*\n\nAda &amp; B\n\n## Head\n\n| | |\n|---|---|\n"
                                "| Name \\| more | 5 &lt; 6 |\n\n- One\n- Two\n");
  g_autofree char *texts = texts_of (figure);

  g_assert_cmpstr (texts, ==, "A *title* Ada & B Head Name | more 5 < 6 • One • Two ");
  g_assert_cmpstr (plg_figure_title (figure), ==, "A *title*");
  g_assert_cmpfloat (fabs (plg_figure_width (figure) - PAGE_WIDTH), <, 0.1);
  g_assert_cmpfloat (fabs (plg_figure_height (figure) - PAGE_HEIGHT), <, 0.1);
}

/* A text that exceeds the page becomes smaller and finally ends with an ellipsis. */
static void
test_full (void)
{
  g_autoptr (GString) some = g_string_new ("# Title\n\n");
  g_autoptr (GString) much = g_string_new ("# Title\n\n");
  g_autoptr (PlgFigure) first = NULL, second = NULL;
  g_autofree char *few = NULL, *many = NULL;

  for (int i = 0; i < 60; i++)
    g_string_append_printf (some, "- Line %d\n", i);
  for (int i = 0; i < 400; i++)
    g_string_append_printf (much, "- Line %d\n", i);
  first = draw (some->str);
  few = texts_of (first);
  g_assert_nonnull (strstr (few, "Line 59"));
  g_assert_null (strstr (few, "…"));
  second = draw (much->str);
  many = texts_of (second);
  g_assert_null (strstr (many, "Line 399"));
  g_assert_true (g_str_has_suffix (many, "… "));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/page-figure/blocks", test_blocks);
  g_test_add_func ("/page-figure/full", test_full);
  return g_test_run ();
}
