/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/copy.h"

#include "app/shown.h"

/* The picture as a file of FORMAT; NULL with ERROR. */
static GBytes *
picture_as (const PlgRequest *request,
            const PlgPlan *plan,
            const PlgReport *report,
            PlgExportFormat format,
            GError **error)
{
  PlgRequest copied = *request;

  copied.file.format = format;
  copied.file.scale = 2;
  return plg_request_export (&copied, plan, report, error);
}

gboolean
plg_copy_picture (GdkClipboard *clipboard,
                  const PlgRequest *request,
                  const PlgPlan *plan,
                  const PlgReport *report,
                  GError **error)
{
  g_autoptr (GBytes) png = picture_as (request, plan, report, PLG_EXPORT_PNG, error);
  g_autoptr (GBytes) svg = NULL, text = NULL;
  g_autoptr (GdkContentProvider) all = NULL;
  g_autofree char *string = NULL;
  GdkContentProvider *parts[3];

  if (png == NULL)
    return FALSE;
  svg = picture_as (request, plan, report, PLG_EXPORT_SVG, error);
  text = svg != NULL ? picture_as (request, plan, report, PLG_EXPORT_TEXT, error) : NULL;
  if (text == NULL)
    return FALSE;
  string = g_strndup (g_bytes_get_data (text, NULL), g_bytes_get_size (text));
  parts[0] = gdk_content_provider_new_for_bytes (plg_export_format_media_type (PLG_EXPORT_PNG),
                                                 png);
  parts[1] = gdk_content_provider_new_for_bytes (plg_export_format_media_type (PLG_EXPORT_SVG),
                                                 svg);
  parts[2] = gdk_content_provider_new_typed (G_TYPE_STRING, string);
  all = gdk_content_provider_new_union (parts, G_N_ELEMENTS (parts));
  return gdk_clipboard_set_content (clipboard, all);
}

gboolean
plg_copy_command (GdkClipboard *clipboard,
                  PlgDocument *document,
                  const PlgRequest *request,
                  GError **error)
{
  PlgRequest copied = *request;
  g_autofree char *line = NULL;

  copied.file.attachment = plg_document_plan_bytes (document);
  line = plg_shown_command (document, &copied, error);
  if (line != NULL)
    gdk_clipboard_set_text (clipboard, line);
  return line != NULL;
}
