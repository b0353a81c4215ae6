/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be done with a GPU or a link, and the menu at the pointer or at the focus. All of it
 * becomes an edit of the document, as a drag does. */

#include "widgets/canvas/canvas-private.h"

#include <glib/gi18n-lib.h>

/* The menu --------------------------------------------------------------------------------------
 */

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

/* What of THING is not where the order puts it goes back; no item where nothing is. */
static void
add_tidy_item (PlgCanvas *self, GMenu *menu, const char *label, PlgEntity entity)
{
  g_autoptr (GArray) ranks = plg_canvas_ranks_of (self, entity);
  const PlgPlacement *placement = &plg_document_plan (self->document)->placement;

  for (guint i = 0; i < ranks->len; i++)
    {
      int rank = g_array_index (ranks, int, i);

      if (plg_placement_gpu (placement, rank) == rank)
        continue;
      plg_canvas_add_item (menu, label, "canvas.tidy",
                           g_variant_new ("(iii)", entity.kind, entity.axis, entity.index));
      return;
    }
}

static void
add_gpu_items (PlgCanvas *self, GMenu *menu, int gpu)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  int rank = plg_canvas_rank_of_gpu (self, gpu), node = gpu / plan->cluster.gpus_per_node;
  g_autofree char *title = plg_plan_node_title (plan, node);
  g_autofree char *name = g_strdup_printf (_ ("GPU %d of %s, rank %d"),
                                           gpu % plan->cluster.gpus_per_node, title, rank);
  g_autoptr (GMenu) places = g_menu_new ();
  PlgAxis axis = plg_canvas_drag_axis (self);

  plg_canvas_add_gpu_faults (self, menu, name, gpu);
  plg_canvas_add_item (places, _ ("Swap with…"), "canvas.swap", g_variant_new_int32 (gpu));
  add_tidy_item (self, places, _ ("Tidy This Rank"), (PlgEntity) { PLG_ENTITY_GPU, 0, gpu });
  add_tidy_item (self, places, _ ("Tidy This Node"), (PlgEntity) { PLG_ENTITY_NODE, 0, node });
  if (plan->parallelism.degree[axis] > 1)
    {
      g_autofree char *label = g_strdup_printf (_ ("Tidy This %s Group"), plg_axis_label (axis));

      add_tidy_item (self, places, label, (PlgEntity) { PLG_ENTITY_GROUP, axis, rank });
    }
  plg_canvas_add_section (menu, NULL, places);
  plg_canvas_add_node_items (self, menu, node);
}

static GMenu *
menu_for (PlgCanvas *self, PlgEntity entity)
{
  g_autoptr (GMenu) section = g_menu_new ();
  GMenu *menu = g_menu_new ();

  if (entity.kind == PLG_ENTITY_GPU)
    add_gpu_items (self, menu, entity.index);
  else if (entity.kind == PLG_ENTITY_LINK)
    plg_canvas_add_link_faults (self, menu, entity.index);
  else if (entity.kind == PLG_ENTITY_NODE)
    {
      plg_canvas_add_node_items (self, menu, entity.index);
      add_tidy_item (self, section, _ ("Tidy This Node"), entity);
      plg_canvas_add_section (menu, NULL, section);
    }
  return menu;
}

/* Opening ---------------------------------------------------------------------------------------
 */

static void
drop_old_popover (PlgCanvas *self)
{
  g_clear_handle_id (&self->old_popover_idle_id, g_source_remove);
  g_clear_pointer (&self->old_popover, gtk_widget_unparent);
}

static gboolean
drop_old_popover_cb (gpointer self)
{
  ((PlgCanvas *) self)->old_popover_idle_id = 0;
  drop_old_popover (self);
  return G_SOURCE_REMOVE;
}

/* An item of the menu that is open may be what asks for the next popover. */
static void
close_old_popover (PlgCanvas *self)
{
  drop_old_popover (self);
  self->old_popover = g_steal_pointer (&self->popover);
  if (self->old_popover == NULL)
    return;
  gtk_popover_popdown (GTK_POPOVER (self->old_popover));
  self->old_popover_idle_id = g_idle_add (drop_old_popover_cb, self);
}

void
plg_canvas_clear_popovers (PlgCanvas *self)
{
  drop_old_popover (self);
  g_clear_pointer (&self->popover, gtk_widget_unparent);
}

/* What has the focus may be scrolled away; GTK has no place for a popover off the screen. */
static GdkRectangle
clamp_to_widget (PlgCanvas *self, PlgPoint at)
{
  GtkWidget *widget = GTK_WIDGET (self);

  return (GdkRectangle) { CLAMP (at.x, 0, MAX (gtk_widget_get_width (widget) - 1, 0)),
                          CLAMP (at.y, 0, MAX (gtk_widget_get_height (widget) - 1, 0)), 1, 1 };
}

/* GTK leaves the focus in a submenu that is gone, where no key has an effect. */
static void
closed_cb (PlgCanvas *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

void
plg_canvas_set_popover (PlgCanvas *self, GtkWidget *popover, PlgPoint at)
{
  GdkRectangle place = clamp_to_widget (self, at);

  close_old_popover (self);
  self->popover = popover;
  gtk_widget_set_parent (popover, GTK_WIDGET (self));
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &place);
  g_signal_connect_object (popover, "closed", G_CALLBACK (closed_cb), self, G_CONNECT_SWAPPED);
  gtk_popover_popup (GTK_POPOVER (popover));
}

void
plg_canvas_open_menu (PlgCanvas *self, PlgEntity entity, PlgPoint at)
{
  g_autoptr (GMenu) menu = NULL;
  GtkWidget *popover;

  if (self->document == NULL || self->drag != NULL)
    return;
  menu = menu_for (self, entity);
  if (g_menu_model_get_n_items (G_MENU_MODEL (menu)) == 0)
    return;
  self->menu_position = at;
  popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  plg_canvas_set_popover (self, popover, at);
}

/* The link of the focused GPU that keys have lit up, where anything can be done with it; else the
 * GPU. */
static PlgEntity
focused_entity (PlgCanvas *self)
{
  int link = plg_canvas_focused_link (self);
  PlgEntity entity = { .kind = PLG_ENTITY_LINK, .index = link };
  g_autoptr (GMenu) menu = link >= 0 ? menu_for (self, entity) : NULL;

  if (menu != NULL && g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 0)
    return entity;
  return (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = self->focused };
}

/* At the GPU that has the focus. */
static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  PlgPoint at;

  if (self->document == NULL)
    return;
  at = plg_canvas_point_of_gpu (self, self->focused);
  plg_canvas_open_menu (self, focused_entity (self), at);
}

/* A long press is for fingers; the mouse has its second button. */
static void
secondary_click_cb (PlgCanvas *self, double x, double y, GtkGesture *gesture)
{
  PlgEntity entity = plg_canvas_entity_at (self, x, y);

  if (entity.kind == PLG_ENTITY_GPU)
    {
      self->focused = entity.index;
      plg_canvas_select (self, entity.index);
    }
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  plg_canvas_open_menu (self, entity, (PlgPoint) { x, y });
}

static void
pressed_cb (PlgCanvas *self, int n_press, double x, double y, GtkGesture *gesture)
{
  if (self->document != NULL)
    secondary_click_cb (self, x, y, gesture);
}

void
plg_canvas_add_menu (PlgCanvas *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (secondary_click_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (press));
}

/* Places ----------------------------------------------------------------------------------------
 */

static void
swap_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_canvas_begin_keyboard_drag (PLG_CANVAS (widget), PLG_DRAG_RANK,
                                  g_variant_get_int32 (parameter));
}

/* The ranks of a GPU, of a node, or of the group of a rank (whose number is THING's index): those
 * that are there and those that the order puts there. Array of int. */
GArray *
plg_canvas_ranks_of (PlgCanvas *self, PlgEntity entity)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  int per_node = plan->cluster.gpus_per_node;
  GArray *ranks = g_array_new (FALSE, TRUE, sizeof (int));

  if (entity.kind == PLG_ENTITY_GROUP)
    {
      g_array_set_size (ranks, plan->parallelism.degree[entity.axis]);
      plg_axis_group_members (&plan->parallelism, entity.axis, entity.index, (int *) ranks->data);
      return ranks;
    }
  for (int i = 0; i < (entity.kind == PLG_ENTITY_NODE ? per_node : 1); i++)
    {
      int gpu = entity.kind == PLG_ENTITY_NODE ? entity.index * per_node + i : entity.index;
      int rank = plg_canvas_rank_of_gpu (self, gpu);

      g_array_append_val (ranks, gpu);
      if (rank != gpu && entity.kind == PLG_ENTITY_GPU)
        g_array_append_val (ranks, rank);
    }
  return ranks;
}

static void
tidy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (GArray) ranks = NULL;
  g_autoptr (GError) error = NULL;
  int kind, axis, index;

  if (self->document == NULL || self->drag != NULL)
    return;
  g_variant_get (parameter, "(iii)", &kind, &axis, &index);
  ranks = plg_canvas_ranks_of (self, (PlgEntity) { kind, axis, index });
  plan = plg_plan_copy (plg_document_committed_plan (self->document));
  if (!plg_edit_reset_ranks (plan, (const int *) ranks->data, ranks->len, &error))
    plg_canvas_emit_refused (self, error);
  else
    plg_canvas_apply (self, plan, _ ("Placement by the order"));
}

void
plg_canvas_install_menu (GtkWidgetClass *widget_class)
{
  static const struct
  {
    const char *name;
    const char *parameter;
    GtkWidgetActionActivateFunc activate;
  } actions[] = {
    { "canvas.menu", NULL, menu_action },
    { "canvas.swap", "i", swap_action },
    { "canvas.tidy", "(iii)", tidy_action },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, actions[i].parameter,
                                     actions[i].activate);
  plg_canvas_install_faults (widget_class);
  plg_canvas_install_node (widget_class);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "canvas.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "canvas.menu",
                                       NULL);
}
