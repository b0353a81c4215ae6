/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/clipboard.h"

#include <string.h>

/* What programs ask for: those of today, and those that know X11's names only. */
static const char *const types[] = { "text/plain;charset=utf-8", "text/plain" };

/* GTK 4.8 writes a string that is longer than X11 sends in one piece (about 256 KiB) into a stream
 * whose end it waits for in the main thread, which would have to send the pieces: it never ends.
 * Bytes are sent as they are. */
GdkContentProvider *
plg_clipboard_text_new (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  GdkContentProvider *parts[G_N_ELEMENTS (types)];

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    parts[i] = gdk_content_provider_new_for_bytes (types[i], bytes);
  return gdk_content_provider_new_union (parts, G_N_ELEMENTS (types));
}

void
plg_clipboard_set_text (GdkClipboard *clipboard, const char *text)
{
  g_autoptr (GdkContentProvider) content = plg_clipboard_text_new (text);

  gdk_clipboard_set_content (clipboard, content);
}
