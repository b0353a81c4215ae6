/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/format-error.h"

#include <glib/gi18n-lib.h>

typedef PlgFilePosition PlgFormatErrorPrivate;

static void
plg_format_error_private_init (PlgFormatErrorPrivate *position)
{
}

static void
plg_format_error_private_copy (const PlgFormatErrorPrivate *from, PlgFormatErrorPrivate *to)
{
  *to = *from;
}

static void
plg_format_error_private_clear (PlgFormatErrorPrivate *position)
{
}

G_DEFINE_EXTENDED_ERROR (PlgFormatError, plg_format_error)

PlgFilePosition
plg_format_error_position (const GError *error)
{
  return error->domain == PLG_FORMAT_ERROR ? *plg_format_error_get_private (error)
                                           : (PlgFilePosition) { 0 };
}

void
plg_format_error_add_position (GError **error, PlgFilePosition position)
{
  if (error == NULL)
    return;
  *plg_format_error_get_private (*error) = position;
  plg_file_position_prefix (position, error);
}

gboolean
plg_format_fail_valist (PlgFilePosition position,
                        PlgFormatError code,
                        GError **error,
                        const char *format,
                        va_list args)
{
  if (error != NULL)
    *error = g_error_new_valist (PLG_FORMAT_ERROR, code, format, args);
  plg_format_error_add_position (error, position);
  return FALSE;
}

gboolean
plg_format_fail (int line, PlgFormatError code, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  plg_format_fail_valist ((PlgFilePosition) { line, 0 }, code, error, format, args);
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
  return g_strdup_printf (_ ("Byte 0x%02X is not valid UTF-8; save the file as UTF-8, or "
                             "replace it if it is damaged."),
                          (guchar) byte);
}
