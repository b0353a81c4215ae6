/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/format-error.h"

#include <glib/gi18n-lib.h>

G_DEFINE_QUARK (plg_format_error_quark, plg_format_error)

gboolean
plg_format_fail_valist (int line,
                        PlgFormatError code,
                        GError **error,
                        const char *format,
                        va_list args)
{
  g_autofree char *message = g_strdup_vprintf (format, args);

  if (line > 0)
    g_set_error (error, PLG_FORMAT_ERROR, code, "%d: %s", line, message);
  else
    g_set_error_literal (error, PLG_FORMAT_ERROR, code, message);
  return FALSE;
}

gboolean
plg_format_fail (int line, PlgFormatError code, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  plg_format_fail_valist (line, code, error, format, args);
  va_end (args);
  return FALSE;
}

char *
plg_text_excerpt (const char *text, int maximum)
{
  g_autofree char *start = NULL;

  if (g_utf8_strlen (text, -1) <= maximum)
    return g_strdup (text);
  start = g_utf8_substring (text, 0, maximum - 1);
  return g_strconcat (start, "…", NULL);
}

char *
plg_bad_byte_describe (char byte)
{
  if (byte == '\0')
    return g_strdup (_ ("The file has a zero byte here, so it is not text."));
  return g_strdup_printf (_ ("Byte 0x%02X is not UTF-8 text; the file is damaged or must be "
                             "saved as UTF-8."),
                          (guchar) byte);
}
