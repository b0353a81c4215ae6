/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/monospace.h"

#include <string.h>

int
plg_monospace_width (const char *text)
{
  int width = 0;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar character = g_utf8_get_char (c);

      if (!g_unichar_iszerowidth (character))
        width += g_unichar_iswide (character) ? 2 : 1;
    }
  return width;
}

/* Returns a copy without control characters and without characters that set the writing
 * direction. */
char *
plg_monospace_sanitize (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *plain = g_string_new (NULL);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar character = g_utf8_get_char (c);
      GUnicodeType type = g_unichar_type (character);

      if (type == G_UNICODE_SPACE_SEPARATOR || character == '\n' || character == '\t')
        g_string_append_c (plain, ' ');
      else if (type != G_UNICODE_CONTROL && type != G_UNICODE_FORMAT &&
               type != G_UNICODE_LINE_SEPARATOR && type != G_UNICODE_PARAGRAPH_SEPARATOR)
        g_string_append_unichar (plain, character);
    }
  return g_string_free (plain, FALSE);
}

char *
plg_monospace_truncate (const char *text, int width)
{
  g_autoptr (GString) cut = g_string_new (NULL);
  g_autofree char *plain = plg_monospace_sanitize (text);

  if (plg_monospace_width (plain) <= width)
    return g_steal_pointer (&plain);
  /* Stop early, because the next character could be an ideograph, which takes two columns. */
  for (const char *c = plain; plg_monospace_width (cut->str) < width - 2; c = g_utf8_next_char (c))
    g_string_append_unichar (cut, g_utf8_get_char (c));
  g_string_append (cut, "…");
  return g_strdup (cut->str);
}

void
plg_monospace_add_spaces (GString *out, int n)
{
  for (int i = 0; i < n; i++)
    g_string_append_c (out, ' ');
}

void
plg_monospace_add_padded (GString *out, const char *text, int width, gboolean right)
{
  int padding = width - plg_monospace_width (text);

  plg_monospace_add_spaces (out, right ? padding : 0);
  g_string_append (out, text);
  plg_monospace_add_spaces (out, right ? 0 : padding);
}

void
plg_monospace_end_line (GString *out)
{
  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

void
plg_monospace_add_paragraph (GString *out, const char *text)
{
  g_autofree char *plain = plg_monospace_sanitize (text);
  g_auto (GStrv) words = g_strsplit (plain, " ", -1);
  int column = 0;

  for (int i = 0; words[i] != NULL; i++)
    {
      int width = plg_monospace_width (words[i]);

      if (width == 0)
        continue;
      if (width > PLG_MONOSPACE_WIDTH)
        {
          if (column > 0)
            plg_monospace_end_line (out);
          column = 0;

          /* Split a word that is longer than a line into several lines. */
          for (const char *c = words[i]; *c != '\0'; c = g_utf8_next_char (c))
            {
              int character_width = g_unichar_iswide (g_utf8_get_char (c)) ? 2 : 1;

              if (column + character_width > PLG_MONOSPACE_WIDTH)
                {
                  plg_monospace_end_line (out);
                  column = 0;
                }
              g_string_append_len (out, c, g_utf8_next_char (c) - c);
              column += character_width;
            }
          continue;
        }
      if (column > 0 && column + 1 + width > PLG_MONOSPACE_WIDTH)
        {
          plg_monospace_end_line (out);
          column = 0;
        }
      if (column > 0)
        g_string_append_c (out, ' ');
      g_string_append (out, words[i]);
      column += width + (column > 0);
    }
  plg_monospace_end_line (out);
}

void
plg_monospace_add_line (GString *out, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  plg_monospace_add_paragraph (out, text);
}
