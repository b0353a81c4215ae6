/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sets up the traffic matrix in the bottom pane: the actions that choose the visible nodes, and
 * the export of the picture. */

#include "app/window/window-private.h"

#include "app/picture-actions.h"
#include "widgets/pictures/matrix-navigation.h"

gboolean
plg_window_activate_matrix_action (PlgWindow *self, const char *action)
{
  GtkWidget *pairs = GTK_WIDGET (self->pairs);

  return gtk_window_get_focus (GTK_WINDOW (self)) == pairs &&
         gtk_widget_activate_action (pairs, action, NULL);
}

static void
node_pairs_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);

  gtk_widget_activate_action (widget, "win.page", "s", "pairs");
  gtk_widget_activate_action (widget, "pair.show", "(ii)", g_variant_get_int32 (parameter), 1);
  gtk_widget_grab_focus (GTK_WIDGET (self->pairs));
}

void
plg_window_install_matrix (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.node-pairs", "i", node_pairs_action);
}

void
plg_window_set_up_matrix (PlgWindow *self)
{
  const PlgPictureActions actions = { self->document, self->pairs, self->toasts, self->canvas,
                                      self->settings };

  g_object_set (self->pairs, "document", self->document, NULL);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "pair",
                                  plg_matrix_navigation_install (self->pairs, self->document));
  plg_picture_actions_add (GTK_WIDGET (self), &actions);
}
