/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/window-private.h"

#include "app/import-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

static void show_next (PlgWindow *self);

static void
show_unread (PlgWindow *self, const char *heading, const GError *error)
{
  g_autofree char *text = plg_window_unread_text (error);

  plg_window_show_error (self, heading, text);
}

/* The import is one step of the plan by now, or was given up. */
static void
dialog_gone_cb (PlgWindow *self)
{
  self->import_dialog = NULL;
  show_next (self);
}

static void
show (PlgWindow *self, PlgImport *import)
{
  self->import_dialog = GTK_WIDGET (plg_import_dialog_present (GTK_WINDOW (self), self->document,
                                                               import));
  g_signal_connect_object (self->import_dialog, "destroy", G_CALLBACK (dialog_gone_cb), self,
                           G_CONNECT_SWAPPED);
}

/* Read only now, since the file before may have changed the plan that it is put into. */
static void
show_next (PlgWindow *self)
{
  g_autoptr (GFile) file = self->waiting != NULL ? g_queue_pop_head (self->waiting) : NULL;
  g_autoptr (GError) error = NULL;
  PlgImport *import;

  if (file == NULL || self->document == NULL)
    return;
  import = plg_document_read (self->document, file, &error);
  if (import != NULL)
    show (self, import);
  else
    show_unread (self, _ ("The File Could Not Be Read"), error);
}

void
plg_window_take_in (PlgWindow *self, PlgImport *import, GFile *file)
{
  g_return_if_fail (PLG_IS_WINDOW (self));

  if (self->import_dialog == NULL)
    {
      show (self, import);
      return;
    }
  plg_import_free (import);
  if (file == NULL)
    return;
  if (self->waiting == NULL)
    self->waiting = g_queue_new ();
  g_queue_push_tail (self->waiting, g_object_ref (file));
}

void
plg_window_forget_imports (PlgWindow *self)
{
  if (self->waiting != NULL)
    g_queue_free_full (g_steal_pointer (&self->waiting), g_object_unref);
}

/* Text
 * ----------------------------------------------------------------------------------------- */

/* A whole plan replaces this one, as a step that can be undone. */
static void
take_plan (PlgWindow *self, PlgImport *import)
{
  g_autoptr (GError) error = NULL;

  if (plg_document_apply (self->document, import->plan, _ ("Pasted plan"), NULL, &error))
    plg_window_toast (self, _ ("Plan pasted; Undo brings the old one back"));
  else
    plg_window_show_error (self, _ ("The Text Could Not Be Read"), error->message);
  plg_import_free (import);
}

void
plg_window_take_text (PlgWindow *self, const char *text, const char *source)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  PlgImport *import = plg_document_read_bytes (self->document, bytes, source, &error);

  if (import == NULL)
    show_unread (self, _ ("The Text Could Not Be Read"), error);
  else if (import->format->subject == PLG_SUBJECT_PLAN)
    take_plan (self, import);
  else
    plg_window_take_in (self, import, NULL);
}

static void
text_read_cb (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (PlgWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result,
                                                          &error);

  if (self->document == NULL)
    return;
  if (text != NULL)
    plg_window_take_text (self, text, _ ("clipboard"));
  else
    plg_window_toast (self, _ ("There is no text in the clipboard."));
}

static void
files_read_cb (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (PlgWindow) self = data;
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  const GValue *value = gdk_clipboard_read_value_finish (GDK_CLIPBOARD (clipboard), result, NULL);

  if (value == NULL || application == NULL)
    return;
  for (GSList *l = g_value_get_boxed (value); l != NULL; l = l->next)
    plg_application_open_file (PLG_APPLICATION (application), l->data);
}

static void
paste_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (widget);

  if (gdk_content_formats_contain_gtype (gdk_clipboard_get_formats (clipboard), GDK_TYPE_FILE_LIST))
    gdk_clipboard_read_value_async (clipboard, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT, NULL,
                                    files_read_cb, g_object_ref (widget));
  else
    gdk_clipboard_read_text_async (clipboard, NULL, text_read_cb, g_object_ref (widget));
}

/* A binding of the window and no accelerator, so that pasting into an entry stays as it is. */
void
plg_window_install_importing (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.paste", NULL, paste_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_v, GDK_CONTROL_MASK, "win.paste",
                                       NULL);
}
