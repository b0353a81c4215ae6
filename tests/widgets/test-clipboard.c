/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "widgets/clipboard.h"

#include <string.h>

/* Copied text as another program receives the text. */

typedef struct
{
  GBytes *bytes;
  gboolean done;
} Paste;

static void
pasted_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Paste *paste = data;

  g_assert_true (g_subprocess_communicate_finish (G_SUBPROCESS (object), result, &paste->bytes,
                                                  NULL, NULL));
  paste->done = TRUE;
}

static void
assert_pasted (const char *target, const char *text)
{
  g_autoptr (GSubprocess) xclip = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL, "xclip",
                                                    "-selection", "clipboard", "-target", target,
                                                    "-out", NULL);
  Paste paste = { 0 };

  g_assert_nonnull (xclip);
  g_subprocess_communicate_async (xclip, NULL, NULL, pasted_cb, &paste);
  rig_until (paste.done);
  g_assert_cmpmem (g_bytes_get_data (paste.bytes, NULL), g_bytes_get_size (paste.bytes), text,
                   strlen (text));
  g_bytes_unref (paste.bytes);
}

/* The table of 1,024 GPUs is longer than one X11 transfer. */
static void
test_lengths (void)
{
  static const gsize lengths[] = { 0, 40, 300000, 4000000 };

  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *body = g_strnfill (lengths[i], 'x');
      g_autofree char *text = g_strconcat ("GPU\302\2400 → ", body, NULL);

      plg_clipboard_set_text (gdk_display_get_clipboard (gdk_display_get_default ()), text);
      assert_pasted ("UTF8_STRING", text);
      assert_pasted ("text/plain;charset=utf-8", text);
    }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clipboard/lengths", test_lengths);
  return g_test_run ();
}
