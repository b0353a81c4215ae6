/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/export/request.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * plg_picture_clipboard_copy:
 * @request: the picture
 *
 * Puts a picture on the clipboard as PNG (at plg_export_default_scale()), as SVG and as monospace
 * text. A format that cannot be drawn is left out.
 *
 * Returns: %FALSE with @error set if no format can be drawn
 */
gboolean plg_picture_clipboard_copy (GdkClipboard *clipboard,
                                     const PlgRequest *request,
                                     const PlgPlan *plan,
                                     const PlgReport *report,
                                     GError **error);

/* Copies the command line that draws the picture of REQUEST to CLIPBOARD. If this command writes
 * an SVG file, the file contains the plan. Fails with the same errors as
 * plg_screen_picture_command(). */
gboolean plg_picture_clipboard_copy_command (GdkClipboard *clipboard,
                                             PlgDocument *document,
                                             const PlgRequest *request,
                                             GError **error);

G_END_DECLS
