/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/page-figure.h"

#include "drawing/figure/text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A4 (ISO 216) at 96 units per inch. */
#define WIDTH (210 / 25.4 * 96)
#define HEIGHT (297 / 25.4 * 96)
#define MARGIN (20 / 25.4 * 96)
#define LINE_HEIGHT 1.4 /* height of a line [font sizes] */

#define MAX_SIZE (11.0 * 96 / 72) /* maximum text size: 11 points on paper */
/* minimum text size: 7 points on paper, the smallest size that is readable */
#define MIN_SIZE (7.0 * 96 / 72)
#define SIZE_STEP 0.96 /* factor by which the text shrinks from one trial to the next */

typedef struct
{
  PlgFigure *figure; /* figure to draw on; NULL while the page is only measured */
  const PlgTheme *theme;
  double size;
  double y;
  double names; /* width of the first column of tables, which contains names */
  gboolean is_full;
} Page;

/* Reverses the escaping of plg_markdown_append(). */
static char *
unescape_markdown (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '\\' && p[1] != '\0')
        p++;
      g_string_append_c (out, *p);
    }
  g_string_replace (out, "&lt;", "<", 0);
  g_string_replace (out, "&amp;", "&", 0);
  return g_string_free (out, FALSE);
}

static void
page_add_line (Page *page, double x, double size, gboolean bold, PlgRole role, const char *text)
{
  page->y += size * LINE_HEIGHT;
  page->is_full |= page->y > HEIGHT - MARGIN;
  if (page->figure != NULL && !page->is_full)
    plg_figure_text (page->figure, x, page->y - size * 0.35, PLG_ANCHOR_START, size, bold,
                     page->theme->role[role], text);
}

static void
page_add_text (Page *page, double x, double size, gboolean bold, PlgRole role, const char *text)
{
  g_auto (GStrv) lines = plg_text_wrap (text, WIDTH - MARGIN - x, size, bold);

  for (guint i = 0; lines[i] != NULL; i++)
    page_add_line (page, x, size, bold, role, lines[i]);
}

/* Returns: (transfer full) (nullable): the cells of a table row, or NULL if the first cell is
 *   empty or LINE is the separator below the heading row. */
static char **
read_row (const char *line)
{
  g_autoptr (GString) marked = g_string_new (NULL);
  char **cells;

  /* Turn each pipe that separates cells into a line feed; the row is split at the line feeds
   * below. An escaped pipe is part of the text. */
  for (const char *p = line + 1; *p != '\0'; p++)
    {
      g_string_append_c (marked, *p == '|' ? '\n' : *p);
      if (*p == '\\' && p[1] != '\0')
        g_string_append_c (marked, *++p);
    }
  cells = g_strsplit (marked->str, "\n", -1);
  for (guint i = 0; cells[i] != NULL; i++)
    g_strstrip (cells[i]);
  if (*cells[0] != '\0' && strspn (cells[0], "-: ") < strlen (cells[0]))
    return cells;
  g_strfreev (cells);
  return NULL;
}

/* Lays out LINES in text size SIZE. Returns FALSE if they do not fit on the page. */
static gboolean
page_lay_out (Page *page, char **lines, double size)
{
  double width = 0;

  page->size = size;
  page->y = MARGIN;
  page->is_full = FALSE;
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = *lines[i] == '|' ? read_row (lines[i]) : NULL;
      g_autofree char *name = cells != NULL ? unescape_markdown (cells[0]) : NULL;

      if (name != NULL)
        width = MAX (width, plg_text_width (name, size, FALSE));
    }
  page->names = MIN (width + size * 2, (WIDTH - 2 * MARGIN) / 2);
  for (guint i = 0; lines[i] != NULL && !page->is_full; i++)
    if (*lines[i] != '\0')
      {
        const char *line = lines[i];
        gboolean is_title = g_str_has_prefix (line, "# ");
        gboolean is_heading = g_str_has_prefix (line, "## ");
        gboolean is_item = g_str_has_prefix (line, "- ");
        g_autofree char *text = unescape_markdown (line + (is_heading            ? 3
                                                           : is_title || is_item ? 2
                                                                                 : 0));

        if (*line == '|')
          {
            g_auto (GStrv) cells = read_row (line);
            g_autofree char *name = NULL, *value = NULL;
            double top = page->y;

            if (cells == NULL)
              continue;
            name = unescape_markdown (cells[0]);
            value = unescape_markdown (cells[1] != NULL ? cells[1] : "");
            page_add_text (page, MARGIN, page->size, FALSE, PLG_ROLE_TEXT_DIM, name);
            page->y = top;
            page_add_text (page, MARGIN + page->names, page->size, FALSE, PLG_ROLE_TEXT, value);
            page->y = MAX (page->y, top + page->size * LINE_HEIGHT);
            if (page->figure != NULL && !page->is_full)
              plg_figure_line (page->figure, MARGIN, page->y + 1, WIDTH - MARGIN, page->y + 1,
                               page->theme->role[PLG_ROLE_GRID], 0.75);
            page->y += 2;
          }
        else if (is_title || is_heading)
          {
            page->y += page->size * (is_title ? 0 : 0.5);
            page_add_text (page, MARGIN, page->size * (is_title ? 1.7 : 1.2), TRUE, PLG_ROLE_TEXT,
                           text);
            page->y += page->size * 0.2;
          }
        else if (is_item)
          {
            double top = page->y;

            page_add_line (page, MARGIN, page->size, FALSE, PLG_ROLE_TEXT, "•");
            page->y = top;
            page_add_text (page, MARGIN + page->size, page->size, FALSE, PLG_ROLE_TEXT, text);
            page->y += page->size * 0.25;
          }
        else
          page_add_text (page, MARGIN, page->size, FALSE, PLG_ROLE_TEXT, text);
      }
    else
      page->y += size * 0.4;
  return !page->is_full;
}

PlgFigure *
plg_page_figure (const char *markdown, const PlgTheme *theme)
{
  g_auto (GStrv) lines = g_strsplit (markdown, "\n", -1);
  Page page = { .theme = theme };
  double size = MAX_SIZE;
  g_autofree char *title = g_str_has_prefix (lines[0], "# ") ? unescape_markdown (lines[0] + 2)
                                                             : g_strdup ("");

  while (size > MIN_SIZE && !page_lay_out (&page, lines, size))
    size = MAX (size * SIZE_STEP, MIN_SIZE);
  page.figure = plg_figure_new (WIDTH, HEIGHT);
  plg_figure_set_background (page.figure, theme->role[PLG_ROLE_BACKGROUND]);
  plg_figure_describe (page.figure, title, "");
  if (!page_lay_out (&page, lines, size))
    plg_figure_text (page.figure, WIDTH - MARGIN, HEIGHT - MARGIN * 0.6, PLG_ANCHOR_END, size,
                     FALSE, theme->role[PLG_ROLE_TEXT], "…");
  return page.figure;
}
