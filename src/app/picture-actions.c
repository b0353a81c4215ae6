/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/picture-actions.h"

#include "app/picture-clipboard.h"
#include "app/dialogs/export-dialog.h"
#include "app/toasts.h"

#include <glib/gi18n.h>

static void
show_result (PlgPictureActions *self, const char *done, const GError *error)
{
  plg_toasts_show (self->toasts, error != NULL ? error->message : done);
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PlgPictureActions *self = data;
  g_auto (PlgRequest) request = { 0 };
  g_autoptr (GError) error = NULL;

  plg_picture_view_request (self->view, &request);
  plg_picture_clipboard_copy (gtk_widget_get_clipboard (GTK_WIDGET (self->view)), &request,
                              plg_document_plan (self->document),
                              plg_document_report (self->document), &error);
  show_result (self, _ ("Picture copied"), error);
}

static void
copy_command_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PlgPictureActions *self = data;
  g_auto (PlgRequest) request = { 0 };
  g_autoptr (GError) error = NULL;

  plg_picture_view_request (self->view, &request);
  plg_picture_clipboard_copy_command (gtk_widget_get_clipboard (GTK_WIDGET (self->view)),
                                      self->document, &request, &error);
  show_result (self, _ ("Command line copied"), error);
}

static void
export_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PlgPictureActions *self = data;
  g_auto (PlgRequest) request = { 0 };

  plg_picture_view_request (self->view, &request);
  plg_export_dialog_present (self->toasts, self->document, self->canvas, self->settings, &request,
                             NULL);
}

static const GActionEntry entries[] = {
  { .name = "copy", .activate = copy_cb },
  { .name = "copy-command", .activate = copy_command_cb },
  { .name = "export", .activate = export_cb },
};

static void
actions_free (gpointer data)
{
  PlgPictureActions *self = data;

  g_clear_object (&self->document);
  g_clear_object (&self->canvas);
  g_clear_object (&self->settings);
  g_free (self);
}

void
plg_picture_actions_install_keys (GtkWidgetClass *widget_class)
{
  GdkModifierType both = GDK_CONTROL_MASK | GDK_SHIFT_MASK;

  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, both, "picture.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_e, both, "picture.copy-command", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_e, GDK_CONTROL_MASK, "picture.export",
                                       NULL);
}

/* Removes the actions immediately, because GTK may keep a reference to a destroyed window. */
static void
destroyed_cb (GtkWidget *window)
{
  gtk_widget_insert_action_group (window, "picture", NULL);
}

void
plg_picture_actions_add (GtkWidget *window, const PlgPictureActions *of)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  PlgPictureActions *self = g_new (PlgPictureActions, 1);

  *self = *of;
  g_object_ref (self->document);
  g_object_ref (self->canvas);
  g_object_ref (self->settings);
  g_object_set_data_full (G_OBJECT (group), "plg-picture-actions", self, actions_free);
  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (window, "picture", G_ACTION_GROUP (group));
  g_signal_connect (window, "destroy", G_CALLBACK (destroyed_cb), NULL);
}
