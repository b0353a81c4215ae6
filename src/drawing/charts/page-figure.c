/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/page-figure.h"

#include "drawing/figure/text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* ISO 216, at 96 to the inch. */
#define WIDTH (210 / 25.4 * 96)
#define HEIGHT (297 / 25.4 * 96)
#define MARGIN (20 / 25.4 * 96)
#define LINE_HEIGHT 1.4 /* in font sizes */

/* 11 points on paper, and what is just readable there: 7. */
#define MAX_SIZE (11.0 * 96 / 72)
#define MIN_SIZE (7.0 * 96 / 72)
#define SIZE_STEP 0.96

typedef struct
{
  PlgFigure *figure; /* NULL: measured only */
  const PlgTheme *theme;
  double size;
  double y;
  double names; /* width of the first column of the table */
  gboolean is_full;
} Page;

/* What plg_markdown_append() made of TEXT. */
static char *
plain (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    if (*p == '\\' && p[1] != '\0')
      g_string_append_c (out, *++p);
    else
      g_string_append_c (out, *p);
  g_string_replace (out, "&lt;", "<", 0);
  g_string_replace (out, "&amp;", "&", 0);
  return g_string_free (out, FALSE);
}

static void
add_line (Page *page, double x, double size, gboolean bold, PlgRole role, const char *text)
{
  page->y += size * LINE_HEIGHT;
  page->is_full |= page->y > HEIGHT - MARGIN;
  if (page->figure != NULL && !page->is_full)
    plg_figure_text (page->figure, x, page->y - size * 0.35, PLG_ANCHOR_START, size, bold,
                     page->theme->role[role], text);
}

static void
add_text (Page *page, double x, double size, gboolean bold, PlgRole role, const char *text)
{
  g_auto (GStrv) lines = plg_text_wrap (text, WIDTH - MARGIN - x, size, bold);

  for (guint i = 0; lines[i] != NULL; i++)
    add_line (page, x, size, bold, role, lines[i]);
}

/* Its cells; NULL for the rule below a heading and for a heading without words. g_strfreev(). */
static char **
read_row (const char *line)
{
  char **cells;
  GString *marked = g_string_new (NULL);

  /* An escaped pipe is text. */
  for (const char *p = line + 1; *p != '\0'; p++)
    {
      if (*p == '\\' && p[1] != '\0')
        {
          g_string_append_c (marked, *p++);
          g_string_append_c (marked, *p);
        }
      else
        g_string_append_c (marked, *p == '|' ? '\n' : *p);
    }
  cells = g_strsplit (marked->str, "\n", -1);
  g_string_free (marked, TRUE);
  for (guint i = 0; cells[i] != NULL; i++)
    g_strstrip (cells[i]);
  if (*cells[0] != '\0' && strspn (cells[0], "-: ") < strlen (cells[0]))
    return cells;
  g_strfreev (cells);
  return NULL;
}

static void
add_row (Page *page, const char *line)
{
  g_auto (GStrv) cells = read_row (line);
  g_autofree char *name = NULL, *value = NULL;
  double top = page->y;

  if (cells == NULL)
    return;
  name = plain (cells[0]);
  value = plain (cells[1] != NULL ? cells[1] : "");
  add_text (page, MARGIN, page->size, FALSE, PLG_ROLE_TEXT_DIM, name);
  page->y = top;
  add_text (page, MARGIN + page->names, page->size, FALSE, PLG_ROLE_TEXT, value);
  page->y = MAX (page->y, top + page->size * LINE_HEIGHT);
  if (page->figure != NULL && !page->is_full)
    plg_figure_line (page->figure, MARGIN, page->y + 1, WIDTH - MARGIN, page->y + 1,
                     page->theme->role[PLG_ROLE_GRID], 0.75);
  page->y += 2;
}

static void
add_heading (Page *page, const char *text, double factor)
{
  page->y += page->size * (factor > 1.3 ? 0 : 0.5);
  add_text (page, MARGIN, page->size * factor, TRUE, PLG_ROLE_TEXT, text);
  page->y += page->size * 0.2;
}

static void
add_item (Page *page, const char *text)
{
  double top = page->y;

  add_line (page, MARGIN, page->size, FALSE, PLG_ROLE_TEXT, "•");
  page->y = top;
  add_text (page, MARGIN + page->size, page->size, FALSE, PLG_ROLE_TEXT, text);
  page->y += page->size * 0.25;
}

static void
add_block (Page *page, const char *line)
{
  gboolean is_title = g_str_has_prefix (line, "# ");
  gboolean is_heading = g_str_has_prefix (line, "## ");
  gboolean is_item = g_str_has_prefix (line, "- ");
  g_autofree char *text = plain (line + (is_heading ? 3 : is_title || is_item ? 2 : 0));

  if (*line == '|')
    add_row (page, line);
  else if (is_title || is_heading)
    add_heading (page, text, is_title ? 1.7 : 1.2);
  else if (is_item)
    add_item (page, text);
  else
    add_text (page, MARGIN, page->size, FALSE, PLG_ROLE_TEXT, text);
}

/* As wide as the longest name of a row, but not half of the page. */
static double
width_of_names (char **lines, double size)
{
  double width = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = *lines[i] == '|' ? read_row (lines[i]) : NULL;
      g_autofree char *name = cells != NULL ? plain (cells[0]) : NULL;

      if (name != NULL)
        width = MAX (width, plg_text_width (name, size, FALSE));
    }
  return MIN (width + size * 2, (WIDTH - 2 * MARGIN) / 2);
}

/* FALSE: it does not fit. */
static gboolean
lay_out (Page *page, char **lines, double size)
{
  page->size = size;
  page->y = MARGIN;
  page->is_full = FALSE;
  page->names = width_of_names (lines, size);
  for (guint i = 0; lines[i] != NULL && !page->is_full; i++)
    if (*lines[i] != '\0')
      add_block (page, lines[i]);
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
  g_autofree char *title = g_str_has_prefix (lines[0], "# ") ? plain (lines[0] + 2) : g_strdup ("");

  while (size > MIN_SIZE && !lay_out (&page, lines, size))
    size = MAX (size * SIZE_STEP, MIN_SIZE);
  page.figure = plg_figure_new (WIDTH, HEIGHT);
  plg_figure_set_background (page.figure, theme->role[PLG_ROLE_BACKGROUND]);
  plg_figure_describe (page.figure, title, "");
  if (!lay_out (&page, lines, size))
    plg_figure_text (page.figure, WIDTH - MARGIN, HEIGHT - MARGIN * 0.6, PLG_ANCHOR_END, size,
                     FALSE, theme->role[PLG_ROLE_TEXT], "…");
  return page.figure;
}
