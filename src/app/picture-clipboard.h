/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/export/request.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Puts the picture of REQUEST on CLIPBOARD as PNG (of plg_export_default_scale()), SVG and, for
 * whoever takes only text, in letters of one width. What of these cannot be made is left out; FALSE
 * with ERROR where there is none. */
gboolean plg_picture_clipboard_copy (GdkClipboard *clipboard,
                                     const PlgRequest *request,
                                     const PlgPlan *plan,
                                     const PlgReport *report,
                                     GError **error);

/* Puts the command line that makes the picture of REQUEST there; its SVG carries the plan, as that
 * of the dialog does. Errors are those of plg_screen_picture_command(). */
gboolean plg_picture_clipboard_copy_command (GdkClipboard *clipboard,
                                             PlgDocument *document,
                                             const PlgRequest *request,
                                             GError **error);

G_END_DECLS
