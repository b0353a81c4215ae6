/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* plg_clipboard_text_new() returns TEXT as clipboard content that can be combined with other
 * types. plg_clipboard_set_text() makes TEXT the only content of CLIPBOARD. TEXT can have any
 * length. */
GdkContentProvider *plg_clipboard_text_new (const char *text) G_GNUC_WARN_UNUSED_RESULT;
void plg_clipboard_set_text (GdkClipboard *clipboard, const char *text);

G_END_DECLS
