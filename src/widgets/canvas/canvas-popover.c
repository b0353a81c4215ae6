/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The popover of the canvas, and the code shared by its menus and its prompts (for a node's name
 * or a fault's rate). */

#include "widgets/canvas/canvas-private.h"

static void
popovers_remove_previous (PlgCanvas *self)
{
  g_clear_handle_id (&self->popovers.previous_idle_id, g_source_remove);
  g_clear_pointer (&self->popovers.previous, gtk_widget_unparent);
}

static gboolean
remove_previous_cb (gpointer data)
{
  PlgCanvas *self = data;

  self->popovers.previous_idle_id = 0;
  popovers_remove_previous (self);
  return G_SOURCE_REMOVE;
}

void
plg_canvas_clear_popovers (PlgCanvas *self)
{
  popovers_remove_previous (self);
  g_clear_pointer (&self->popovers.current, gtk_widget_unparent);
}

void
plg_canvas_set_popover (PlgCanvas *self, GtkWidget *popover, PlgPoint position)
{
  GtkWidget *widget = GTK_WIDGET (self);
  /* Keep the position inside the canvas, because the focused GPU may be outside the visible part
   * and GTK cannot place a popover outside the screen. */
  GdkRectangle place = { CLAMP (position.x, 0, MAX (gtk_widget_get_width (widget) - 1, 0)),
                         CLAMP (position.y, 0, MAX (gtk_widget_get_height (widget) - 1, 0)), 1, 1 };

  /* An action of the current menu may have called this function, so the menu must outlive this
   * call. */
  popovers_remove_previous (self);
  self->popovers.previous = g_steal_pointer (&self->popovers.current);
  if (self->popovers.previous != NULL)
    {
      gtk_popover_popdown (GTK_POPOVER (self->popovers.previous));
      self->popovers.previous_idle_id = g_idle_add (remove_previous_cb, self);
    }
  self->popovers.current = popover;
  gtk_widget_set_parent (popover, widget);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &place);
  /* The canvas takes the focus when the popover closes, because GTK would otherwise leave the
   * focus in a closed submenu, where no key has any effect. */
  g_signal_connect_object (popover, "closed", G_CALLBACK (gtk_widget_grab_focus), self,
                           G_CONNECT_SWAPPED);
  gtk_popover_popup (GTK_POPOVER (popover));
}

void
plg_canvas_set_popover_at_menu (PlgCanvas *self, GtkWidget *popover)
{
  plg_canvas_set_popover (self, popover, self->popovers.position);
}

void
plg_canvas_set_menu_position (PlgCanvas *self, PlgPoint position)
{
  self->popovers.position = position;
}

void
plg_canvas_close_popover (PlgCanvas *self)
{
  g_assert (self->popovers.current != NULL);

  gtk_popover_popdown (GTK_POPOVER (self->popovers.current));
}

void
plg_canvas_present_popover (PlgCanvas *self)
{
  if (self->popovers.current != NULL)
    gtk_popover_present (GTK_POPOVER (self->popovers.current));
}

GtkWidget *
plg_canvas_open_popover (PlgCanvas *self)
{
  GtkWidget *popover = self->popovers.current;

  return popover != NULL && gtk_widget_get_mapped (popover) ? popover : NULL;
}

GtkWidget *
plg_canvas_question_new (const char *heading, GtkWidget *control, GtkWidget *button)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (heading);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 36);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_set_hexpand (control, TRUE);
  gtk_widget_add_css_class (button, "suggested-action");
  gtk_box_append (GTK_BOX (line), control);
  gtk_box_append (GTK_BOX (line), button);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), line);
  gtk_widget_add_css_class (box, "question");
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, heading,
                                  -1);
  return popover;
}

void
plg_canvas_add_item (GMenu *menu, const char *label, const char *action, GVariant *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, action, target);
  g_menu_append_item (menu, item);
}

void
plg_canvas_add_section (GMenu *menu, const char *label, GMenu *section)
{
  if (g_menu_model_get_n_items (G_MENU_MODEL (section)) > 0)
    g_menu_append_section (menu, label, G_MENU_MODEL (section));
}
