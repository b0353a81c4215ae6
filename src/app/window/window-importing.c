/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/window/window-private.h"

#include "app/dialogs/import-dialog.h"
#include "app/received-text.h"

#include <glib/gi18n.h>
#include <string.h>

#define SLOW_SECONDS 2

/* The text types that the window accepts. GDK converts the text types of other programs to these
 * types. */
static const char *text_types[] = { "text/plain;charset=utf-8", "text/plain", NULL };

static void show_next (PlgWindow *self);

static void
show_read_error (PlgWindow *self, const char *heading, const GError *error)
{
  g_autofree char *text = plg_window_read_error_text (error);

  plg_window_show_error (self, heading, text);
}

/* Shows the next import after the preview of the previous import has closed. */
static void
dialog_closed_cb (PlgWindow *self)
{
  self->import_dialog = NULL;
  show_next (self);
}

static void
show (PlgWindow *self, PlgImportResult *import)
{
  self->import_dialog = GTK_WIDGET (plg_import_dialog_present (GTK_WINDOW (self), self->document,
                                                               import));
  g_signal_connect_object (self->import_dialog, "destroy", G_CALLBACK (dialog_closed_cb), self,
                           G_CONNECT_SWAPPED);
}

/* Reads and shows the next file. The file is not read earlier, because values that are missing
 * in the file come from the open plan, and the previous import may have changed that plan. */
static void
show_next (PlgWindow *self)
{
  g_autoptr (GFile) file = self->pending_imports != NULL ? g_queue_pop_head (self->pending_imports)
                                                         : NULL;
  g_autoptr (GError) error = NULL;
  PlgImportResult *import;

  if (file == NULL || self->document == NULL)
    return;
  import = plg_document_read (self->document, file, &error);
  if (import != NULL)
    show (self, import);
  else
    show_read_error (self, _ ("The File Could Not Be Read"), error);
}

void
plg_window_show_import (PlgWindow *self, PlgImportResult *import, GFile *file)
{
  g_return_if_fail (PLG_IS_WINDOW (self));

  if (self->import_dialog == NULL)
    {
      show (self, import);
      return;
    }
  plg_import_result_free (import);
  if (file == NULL)
    return;
  if (self->pending_imports == NULL)
    self->pending_imports = g_queue_new ();
  g_queue_push_tail (self->pending_imports, g_object_ref (file));
}

void
plg_window_clear_imports (PlgWindow *self)
{
  if (self->pending_imports != NULL)
    g_queue_free_full (g_steal_pointer (&self->pending_imports), g_object_unref);
}

/* Text ----------------------------------------------------------------------------------------- */

typedef struct
{
  PlgWindow *window;
  GdkDrop *drop;      /* the drop to finish after the transfer; NULL for pasted text */
  const char *source; /* where the text comes from, as a translated noun for messages, such as
                         "clipboard" */
  guint patience;     /* source id of the timeout that announces a slow transfer */
} TextTransfer;

/* Announces a slow transfer. Some programs offer text, but then neither send it nor report an
 * error. */
static gboolean
slow_cb (gpointer data)
{
  TextTransfer *transfer = data;

  transfer->patience = 0;
  if (transfer->window->document != NULL)
    plg_window_toast (transfer->window, _ ("The other program has not sent the whole text"));
  return G_SOURCE_REMOVE;
}

static TextTransfer *
transfer_new (PlgWindow *window, const char *source)
{
  TextTransfer *transfer = g_new0 (TextTransfer, 1);

  transfer->window = g_object_ref (window);
  transfer->source = source;
  transfer->patience = g_timeout_add_seconds (SLOW_SECONDS, slow_cb, transfer);
  return transfer;
}

/* Frees TRANSFER. If the text was dropped, reports the drop to the other program as a successful
 * copy, even if the text is unusable. */
static void
transfer_free (TextTransfer *transfer)
{
  if (transfer->drop != NULL)
    gdk_drop_finish (transfer->drop, GDK_ACTION_COPY);
  g_clear_object (&transfer->drop);
  g_clear_handle_id (&transfer->patience, g_source_remove);
  g_object_unref (transfer->window);
  g_free (transfer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TextTransfer, transfer_free)

static void
text_received_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TextTransfer) transfer = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = plg_received_text_read_finish (result, &error);
  PlgWindow *self = transfer->window;
  PlgImportResult *import = NULL;

  if (self->document == NULL)
    return;
  if (bytes != NULL)
    import = plg_document_read_bytes (self->document, bytes, transfer->source, &error);
  if (import == NULL)
    show_read_error (self, _ ("The Text Could Not Be Read"), error);
  else if (import->format->subject == PLG_SUBJECT_PLAN)
    {
      /* Replace the open plan with the pasted plan in one undo step. */
      if (plg_document_apply (self->document, import->plan, _ ("Pasted plan"), NULL, &error))
        plg_window_toast (self, _ ("Plan pasted; Undo restores the previous plan"));
      else
        plg_window_show_error (self, _ ("The Text Could Not Be Read"), error->message);
      plg_import_result_free (import);
    }
  else
    plg_window_show_import (self, import, NULL);
}

static void
read_on (GInputStream *stream, TextTransfer *transfer)
{
  plg_received_text_read_async (stream, transfer->source, text_received_cb, transfer);
}

/* Pasting -------------------------------------------------------------------------------------- */

static void
pasted_cb (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (TextTransfer) transfer = data;
  g_autoptr (GInputStream)
                 stream = gdk_clipboard_read_finish (GDK_CLIPBOARD (clipboard), result, NULL, NULL);

  if (stream != NULL)
    read_on (stream, g_steal_pointer (&transfer));
  else if (transfer->window->document != NULL)
    plg_window_toast (transfer->window, _ ("The clipboard contains no text."));
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
    gdk_clipboard_read_async (clipboard, text_types, G_PRIORITY_DEFAULT, NULL, pasted_cb,
                              transfer_new (PLG_WINDOW (widget), _ ("clipboard")));
}

/* Adds the Paste shortcut as a key binding of the window, because an accelerator would handle
 * the key before a focused entry could. */
void
plg_window_install_importing (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.paste", NULL, paste_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_v, GDK_CONTROL_MASK, "win.paste",
                                       NULL);
}

/* Dropping ------------------------------------------------------------------------------------- */

static gboolean
files_drop_cb (PlgWindow *self, const GValue *value)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  g_autoptr (GPtrArray) files = g_ptr_array_new ();

  for (GSList *l = g_value_get_boxed (value); l != NULL; l = l->next)
    g_ptr_array_add (files, l->data);
  plg_application_open_files (PLG_APPLICATION (application), (GFile *const *) files->pdata,
                              files->len);
  return TRUE;
}

/* Accepts text from another program. Rejects drags that started in this program, because they
 * never contain the text of a file. Dropped files also offer text, but the drop target for files
 * handles them. */
static gboolean
text_accept_cb (PlgWindow *self, GdkDrop *drop)
{
  GdkContentFormats *formats = gdk_drop_get_formats (drop);

  return gdk_drop_get_drag (drop) == NULL &&
         gdk_content_formats_contain_mime_type (formats, text_types[0]);
}

static void
dropped_cb (GObject *drop, GAsyncResult *result, gpointer data)
{
  g_autoptr (TextTransfer) transfer = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream = gdk_drop_read_finish (GDK_DROP (drop), result, NULL, &error);

  if (stream != NULL)
    read_on (stream, g_steal_pointer (&transfer));
  else if (transfer->window->document != NULL)
    show_read_error (transfer->window, _ ("The Text Could Not Be Read"), error);
}

static gboolean
text_drop_cb (PlgWindow *self, GdkDrop *drop)
{
  TextTransfer *transfer = transfer_new (self, _ ("dropped text"));

  transfer->drop = g_object_ref (drop);
  gdk_drop_read_async (drop, text_types, G_PRIORITY_DEFAULT, NULL, dropped_cb, transfer);
  return TRUE;
}

void
plg_window_accept_drops (PlgWindow *self)
{
  GtkDropTarget *files = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect_object (files, "drop", G_CALLBACK (files_drop_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (files));

  GtkDropTargetAsync
      *target = gtk_drop_target_async_new (gdk_content_formats_new (text_types,
                                                                    g_strv_length ((GStrv)
                                                                                       text_types)),
                                           GDK_ACTION_COPY);

  g_signal_connect_object (target, "accept", G_CALLBACK (text_accept_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "drop", G_CALLBACK (text_drop_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
