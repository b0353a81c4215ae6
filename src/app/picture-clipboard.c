/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/picture-clipboard.h"

#include "app/screen-picture.h"
#include "widgets/clipboard.h"

/* The formats on the clipboard, in order of preference. */
static const PlgExportFormat formats[] = { PLG_EXPORT_PNG, PLG_EXPORT_SVG, PLG_EXPORT_TEXT };

static GdkContentProvider *
content_new (PlgExportFormat format, GBytes *bytes)
{
  g_autofree char *string = NULL;

  if (format != PLG_EXPORT_TEXT)
    return gdk_content_provider_new_for_bytes (plg_export_format_media_type (format), bytes);
  string = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return plg_clipboard_text_new (string);
}

gboolean
plg_picture_clipboard_copy (GdkClipboard *clipboard,
                            const PlgRequest *request,
                            const PlgPlan *plan,
                            const PlgReport *report,
                            GError **error)
{
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = plg_request_figure (request, plan, report, &theme);
  g_autoptr (GdkContentProvider) all = NULL;
  GdkContentProvider *parts[G_N_ELEMENTS (formats)];
  PlgRequest copied = *request;
  gsize n = 0;

  copied.file.scale = plg_export_default_scale (figure);
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GBytes) bytes = NULL;

      copied.file.format = formats[i];
      g_clear_error (error);
      bytes = plg_request_write (&copied, figure, &theme, plan, report, error);
      if (bytes != NULL)
        parts[n++] = content_new (formats[i], bytes);
    }
  if (n == 0)
    return FALSE;
  g_clear_error (error);
  all = gdk_content_provider_new_union (parts, n);
  return gdk_clipboard_set_content (clipboard, all);
}

gboolean
plg_picture_clipboard_copy_command (GdkClipboard *clipboard,
                                    PlgDocument *document,
                                    const PlgRequest *request,
                                    GError **error)
{
  PlgRequest copied = *request;
  g_autoptr (GBytes) attachment = plg_document_plan_bytes (document);
  g_autofree char *line = NULL;

  copied.file.attachment = attachment;
  line = plg_screen_picture_command (document, &copied, error);
  if (line != NULL)
    plg_clipboard_set_text (clipboard, line);
  return line != NULL;
}
