/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The titles of the options in the export dialog. Each function takes the enumeration value of
 * an option, such as a PlgExportFormat. */
typedef const char *(*PlgExportTitle) (int i);
GListModel *
plg_export_titles_new (int n, PlgExportTitle title) G_GNUC_WARN_UNUSED_RESULT; /* (transfer full) */

const char *plg_export_picture_title (int i);
const char *plg_export_palette_title (int i);
const char *plg_export_choice_title (int i); /* Returns the title of format I. */
const char *plg_export_format_use (int i);   /* Returns the purpose of format I. */
const char *plg_export_background_title (int i);
const char *plg_export_legend_title (int i);
const char *plg_export_page_title (int i);
const char *plg_export_content_title (int i);

G_END_DECLS
