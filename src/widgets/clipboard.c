/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/clipboard.h"

#include <string.h>

/* The usual MIME type of text, and an older one for programs that do not support the usual type. */
static const char *const types[] = { "text/plain;charset=utf-8", "text/plain" };

/* Returns clipboard content with the bytes of TEXT. GTK 4.8 would never finish sending a string
 * of more than about 256 KiB over X11, because its main thread would wait for a stream that the
 * main thread itself must write. Bytes do not have this problem, because GTK sends them
 * directly. */
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
