/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/format-suggest.h"

#include <string.h>

#define MAX_SCANNED_BYTES 65536
/* bonus for a format with the guessed syntax; must exceed the number of characteristic words of
 * any format */
#define SAME_SYNTAX_BONUS 100

/* Returns TEXT in lower case without “_” and “-”; free with g_free(). */
static char *
normalized_words (const char *text, gsize size)
{
  GString *words = g_string_sized_new (size);

  for (gsize i = 0; i < size; i++)
    if (text[i] != '_' && text[i] != '-' && text[i] != '\0')
      g_string_append_c (words, g_ascii_tolower (text[i]));
  return g_strstrip (g_string_free (words, FALSE));
}

/* Returns whether the neighbouring characters A and B belong to the same word. */
static gboolean
is_within_word (char a, char b)
{
  return g_ascii_isalnum (a) && g_ascii_isalnum (b);
}

/* Returns whether TEXT contains SIGN as a whole word. */
static gboolean
has_sign (const char *text, const char *sign)
{
  gsize n = strlen (sign);

  for (const char *p = strstr (text, sign); p != NULL; p = strstr (p + 1, sign))
    if ((p == text || !is_within_word (p[-1], p[0])) && !is_within_word (p[n - 1], p[n]))
      return TRUE;
  return FALSE;
}

/* Returns how many of FORMAT's characteristic words (signs) occur in TEXT. */
static int
count_signs (const char *text, const PlgFormat *format)
{
  g_auto (GStrv) signs = g_strsplit (format->sign, ", ", -1);
  int n = 0;

  for (int i = 0; signs[i] != NULL; i++)
    {
      /* Leave out the “>”, because attributes may precede it in the file. */
      gsize size = strlen (signs[i]) - g_str_has_suffix (signs[i], ">");
      g_autofree char *sign = normalized_words (signs[i], size);

      n += has_sign (text, sign);
    }
  return n;
}

const PlgFormat *
plg_format_suggest (const char *data, gsize size, PlgSyntax syntax)
{
  g_autofree char *text = normalized_words (data, MIN (size, MAX_SCANNED_BYTES));
  const PlgFormat *best = NULL;
  int n, most = 0;
  const PlgFormat *const *formats = plg_formats (&n);

  for (int i = 0; i < n; i++)
    {
      int signs = formats[i]->sign != NULL ? count_signs (text, formats[i]) : 0;

      if (signs > 0 && formats[i]->syntax == syntax)
        signs += SAME_SYNTAX_BONUS;
      if (signs > most)
        best = formats[i];
      most = MAX (most, signs);
    }
  return best;
}
