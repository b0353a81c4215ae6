/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Text that comes from another program through the clipboard or by drag and drop. The text is
 * read in small blocks, so that an oversized text is refused before all of it has arrived. */

/* plg_received_text_read_async:
 * @stream: read to the end and closed
 * @source: the translated origin of the text, for example "clipboard"; every error message
 *   begins with it
 *
 * Reads text from another program. */
void plg_received_text_read_async (GInputStream *stream,
                                   const char *source,
                                   GAsyncReadyCallback callback,
                                   gpointer data);

/* Returns the whole text (transfer full), or NULL with ERROR set. */
GBytes *plg_received_text_read_finish (GAsyncResult *result,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
