/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gtk/gtk.h>

/* drag-source TYPE FILE: a separate program that offers FILE as drag content of TYPE. Its window is
 * named “dragged”. */

static void
add_label (GtkWindow *window, GBytes *bytes, const char *type)
{
  g_autoptr (GdkContentProvider) content = gdk_content_provider_new_for_bytes (type, bytes);
  GtkWidget *label = gtk_label_new ("drag me");
  GtkDragSource *source = gtk_drag_source_new ();

  gtk_drag_source_set_content (source, content);
  gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (source));
  gtk_window_set_child (window, label);
}

int
main (int argc, char **argv)
{
  g_autoptr (GBytes) bytes = NULL;
  char *text = NULL;
  gsize size;
  GtkWidget *window;

  if (argc != 3 || !g_file_get_contents (argv[2], &text, &size, NULL) || !gtk_init_check ())
    return 1;
  bytes = g_bytes_new_take (text, size);
  window = gtk_window_new ();
  gtk_window_set_title (GTK_WINDOW (window), "dragged");
  gtk_window_set_default_size (GTK_WINDOW (window), 120, 80);
  add_label (GTK_WINDOW (window), bytes, argv[1]);
  gtk_window_present (GTK_WINDOW (window));
  while (TRUE)
    g_main_context_iteration (NULL, TRUE);
}
