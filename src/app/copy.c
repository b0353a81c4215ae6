/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/copy.h"

#include "drawing/export.h"
#include "drawing/pictures.h"
#include "formats/report-json.h"

static GdkContentProvider *
new_picture (const PlgFigure *figure, const PlgTheme *theme, PlgExportFormat format, GError **error)
{
  PlgExportOptions options = { .format = format, .background = PLG_BACKGROUND_WHITE, .scale = 2 };
  g_autoptr (GBytes) bytes = plg_export (figure, theme, &options, error);

  return bytes != NULL
             ? gdk_content_provider_new_for_bytes (plg_export_format_media_type (format), bytes)
             : NULL;
}

gboolean
plg_copy_picture (GdkClipboard *clipboard, PlgDocument *document, GError **error)
{
  const PlgPlan *plan = plg_document_plan (document);
  const PlgReport *report = plg_document_report (document);
  g_autoptr (PlgFigure) figure = NULL;
  g_autofree char *text = plg_report_text (plan, report);
  g_autoptr (GdkContentProvider) all = NULL;
  GdkContentProvider *parts[3];
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  options.legend = TRUE;
  figure = plg_picture_figure (PLG_PICTURE_CLUSTER, plan, report, &theme, &options);
  parts[0] = new_picture (figure, &theme, PLG_EXPORT_PNG, error);
  if (parts[0] == NULL)
    return FALSE;
  parts[1] = new_picture (figure, &theme, PLG_EXPORT_SVG, error);
  if (parts[1] == NULL)
    {
      g_object_unref (parts[0]);
      return FALSE;
    }
  parts[2] = gdk_content_provider_new_typed (G_TYPE_STRING, text);
  all = gdk_content_provider_new_union (parts, G_N_ELEMENTS (parts));
  return gdk_clipboard_set_content (clipboard, all);
}
