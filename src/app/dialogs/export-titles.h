/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the rows of the export dialog offer, by number: of pictures, palettes and so on as their
 * enumerations have them. */
typedef const char *(*PlgExportTitle) (int i);
GListModel *plg_export_titles_new (int n, PlgExportTitle title); /* transfer full */

const char *plg_export_picture_title (int i);
const char *plg_export_palette_title (int i);
const char *plg_export_choice_title (int i); /* of a format */
const char *plg_export_format_use (int i);   /* what a format is good for */
const char *plg_export_background_title (int i);
const char *plg_export_legend_title (int i);
const char *plg_export_page_title (int i);
const char *plg_export_content_title (int i);

G_END_DECLS
