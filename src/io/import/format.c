/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"

#include <glib/gi18n-lib.h>
#include <string.h>

GBytes *
plg_take_text (char *text)
{
  return g_bytes_new_take (text, strlen (text));
}

gboolean
plg_need_report (const PlgExportContext *export, GError **error)
{
  if (export->report == NULL)
    g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                         _ ("This format contains results; evaluate the plan first."));
  return export->report != NULL;
}
