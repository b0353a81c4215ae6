/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/unsupported-features.h"

#include <stdarg.h>

void
plg_unsupported_add (GString *why, const char *format, ...)
{
  va_list args;

  g_string_append (why, why->len > 0 ? " " : "");
  va_start (args, format);
  g_string_append_vprintf (why, format, args);
  va_end (args);
}

gboolean
plg_unsupported_finish (GString *why, GError **error)
{
  gboolean accepted = why->len == 0;

  if (!accepted)
    g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT, why->str);
  g_string_free (why, TRUE);
  return accepted;
}
