/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/markup.h"

#include <math.h>
#include <string.h>

gboolean
plg_markup_can_hold (gunichar character)
{
  if (character < 0x20)
    return character == '\t' || character == '\n' || character == '\r';
  if (character >= 0x7f && character < 0xa0)
    return FALSE;
  return (character & 0xfffe) != 0xfffe;
}

void
plg_markup_text (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar character = g_utf8_get_char (c);

      if (plg_markup_can_hold (character))
        switch (character)
          {
          case '&':
            g_string_append (out, "&amp;");
            break;
          case '<':
            g_string_append (out, "&lt;");
            break;
          case '>':
            g_string_append (out, "&gt;");
            break;
          case '"':
            g_string_append (out, "&quot;");
            break;
          case '\t':
          case '\n':
          case '\r':
            /* Escape tabs and line breaks, because XML readers would otherwise turn them into
             * spaces in attributes. */
            g_string_append_printf (out, "&#%d;", (int) character);
            break;
          default:
            g_string_append_unichar (out, character);
          }
    }
}

void
plg_markup_number (GString *out, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  double rounded = isfinite (value) ? round (value * 100) / 100 + 0.0 : 0.0;
  char *end;

  g_ascii_formatd (buffer, sizeof buffer, "%.2f", rounded);
  end = buffer + strlen (buffer) - 1;
  while (*end == '0')
    *end-- = '\0';
  if (*end == '.')
    *end = '\0';
  g_string_append (out, buffer);
}

void
plg_markup_text_attribute (GString *out, const char *name, const char *value)
{
  g_string_append_printf (out, " %s=\"", name);
  plg_markup_text (out, value);
  g_string_append_c (out, '"');
}

void
plg_markup_number_attribute (GString *out, const char *name, double value)
{
  g_string_append_printf (out, " %s=\"", name);
  plg_markup_number (out, value);
  g_string_append_c (out, '"');
}
