/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/text-lines.h"

#include "syntax/format-error.h"

#include <string.h>

#define ESCAPE '\033'

static int
count_lines (const char *data, const char *end)
{
  int n = 1;

  for (const char *p = data; (p = memchr (p, '\n', end - p)) != NULL; p++)
    n++;
  return n;
}

/* Allocates all lines in one block of memory, because a file may have millions of lines. */
char **
plg_text_lines (const char *data, gsize size, GError **error)
{
  const char *end = data + size;
  const char *invalid;
  char **lines, *to;
  int n;

  if (!g_utf8_validate (data, size, &invalid))
    {
      g_autofree char *reason = plg_bad_byte_describe (*invalid);

      plg_format_fail (count_lines (data, invalid), PLG_FORMAT_ERROR_SYNTAX, error, "%s", reason);
      return NULL;
    }
  n = count_lines (data, end);
  lines = g_malloc ((n + 1) * sizeof (char *) + size + 1);
  to = (char *) (lines + n + 1);
  for (int i = 0; i < n; i++)
    {
      const char *stop = i + 1 < n ? memchr (data, '\n', end - data) : end;

      lines[i] = to;
      /* Copy the line, drop "ESC [ … letter" and carriage returns, and replace no-break spaces
       * with plain spaces. */
      for (const char *from = data; from < stop;)
        {
          if (*from == ESCAPE && from + 1 < stop && from[1] == '[')
            {
              from += 2;
              while (from < stop && !g_ascii_isalpha (*from))
                from++;
              from += from < stop;
            }
          else if (*from == '\r' || *from == ESCAPE)
            from++;
          else if (stop - from >= 2 && memcmp (from, PLG_NO_BREAK_SPACE, 2) == 0)
            {
              *to++ = ' ';
              from += 2;
            }
          else
            *to++ = *from++;
        }
      *to++ = '\0';
      data = stop + 1;
    }
  lines[n] = NULL;
  return lines;
}
