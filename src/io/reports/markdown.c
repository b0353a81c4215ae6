/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/reports/markdown.h"

#include <string.h>

#define MARKUP "\\`*_{}[]<>#|~"

void
plg_markdown_append (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '&')
      g_string_append (out, "&amp;");
    else if (*p == '<')
      g_string_append (out, "&lt;");
    else if ((guchar) *p < 0x20)
      g_string_append_c (out, ' ');
    else
      {
        if (strchr (MARKUP, *p) != NULL)
          g_string_append_c (out, '\\');
        g_string_append_c (out, *p);
      }
}

void
plg_markdown_row (GString *out, const char *const *cells)
{
  g_string_append_c (out, '|');
  for (int i = 0; cells[i] != NULL; i++)
    {
      g_string_append_c (out, ' ');
      plg_markdown_append (out, cells[i]);
      g_string_append (out, " |");
    }
  g_string_append_c (out, '\n');
}

void
plg_markdown_heading (GString *out, const char *const *cells, int numbers)
{
  plg_markdown_row (out, cells);
  g_string_append_c (out, '|');
  for (int i = 0; cells[i] != NULL; i++)
    g_string_append (out, numbers > 0 && i >= numbers ? " ---: |" : " --- |");
  g_string_append_c (out, '\n');
}
