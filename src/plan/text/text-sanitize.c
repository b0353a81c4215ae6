/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/text/text-sanitize.h"

#include <string.h>

char *
plg_text_sanitize (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar letter = g_utf8_get_char (p);

      /* U+2028 and U+2029 separate lines. The other code points control the writing direction:
       * marks, embeddings, overrides and isolates (Unicode Bidi_Control). */
      gboolean is_control = (g_unichar_iscntrl (letter) && letter != '\n' && letter != '\t') ||
                            letter == 0x2028 || letter == 0x2029 || letter == 0x061C ||
                            letter == 0x200E || letter == 0x200F ||
                            (letter >= 0x202A && letter <= 0x202E) ||
                            (letter >= 0x2066 && letter <= 0x2069);

      if (!is_control)
        g_string_append_unichar (out, letter);
      else
        g_string_append_printf (out, "<U+%04X>", letter);
    }
  return g_string_free (out, FALSE);
}

char *
plg_text_sanitize_excerpt (const char *text, int characters)
{
  g_autofree char *valid = g_utf8_make_valid (text, MIN (strlen (text), 10 * (gsize) characters));
  gboolean fits = g_utf8_strlen (valid, -1) <= characters;
  g_autofree char *start = fits ? g_strdup (valid) : g_utf8_substring (valid, 0, characters - 1);
  g_autofree char *shown = plg_text_sanitize (g_strdelimit (start, "\n\t", ' '));

  return g_strconcat (shown, fits ? "" : "…", NULL);
}
