/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Text that another program hands over, by the clipboard or a drop. It is read piece by piece, so
 * that what is larger than any file of ours is refused once it is known to be, and not after all of
 * it has come. */

/* Reads STREAM to its end and closes it; its errors are told after SOURCE ("clipboard"). */
void plg_received_text_read_async (GInputStream *stream,
                                   const char *source,
                                   GAsyncReadyCallback callback,
                                   gpointer data);

/* All of it (g_bytes_unref()), or NULL with ERROR. */
GBytes *plg_received_text_read_finish (GAsyncResult *result, GError **error);

G_END_DECLS
