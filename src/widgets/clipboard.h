/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Offer TEXT, of any length, to the clipboard: plg_clipboard_text_new() as one of several types,
 * plg_clipboard_set_text() as the only content. */
GdkContentProvider *plg_clipboard_text_new (const char *text) G_GNUC_WARN_UNUSED_RESULT;
void plg_clipboard_set_text (GdkClipboard *clipboard, const char *text);

G_END_DECLS
