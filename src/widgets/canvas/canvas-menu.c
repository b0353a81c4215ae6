/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The menu of a GPU, node or link. It opens at the pointer or at the focus, and most of its
 * items edit the document. */

#include "widgets/canvas/canvas-private.h"

#include <glib/gi18n-lib.h>

/* The items ------------------------------------------------------------------------------------ */

/* Returns the ranks (int, transfer container) of a GPU, of a node, or of the group of rank
 * @entity.index. For a GPU, these are the rank on the GPU and the rank that the nesting order
 * would place there. */
static GArray *
menu_ranks_of (PlgCanvas *self, PlgEntity entity)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  int per_node = plan->cluster.gpus_per_node, rank;
  GArray *ranks = g_array_new (FALSE, TRUE, sizeof (int));

  if (entity.kind == PLG_ENTITY_GROUP)
    {
      g_array_set_size (ranks, plan->parallelism.degree[entity.axis]);
      plg_axis_group_members (&plan->parallelism, entity.axis, entity.index, (int *) ranks->data);
    }
  else if (entity.kind == PLG_ENTITY_NODE)
    for (int gpu = entity.index * per_node; gpu < (entity.index + 1) * per_node; gpu++)
      g_array_append_val (ranks, gpu);
  else
    {
      g_array_append_val (ranks, entity.index);
      rank = plg_canvas_rank_of_gpu (self, entity.index);
      if (rank != entity.index)
        g_array_append_val (ranks, rank);
    }
  return ranks;
}

/* Adds an item that moves all ranks of @entity to the GPUs on which the nesting order would
 * place them. Adds no item if all these ranks are already on those GPUs. */
static void
menu_add_tidy_item (PlgCanvas *self, GMenu *menu, const char *label, PlgEntity entity)
{
  g_autoptr (GArray) ranks = menu_ranks_of (self, entity);
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
menu_add_gpu_items (PlgCanvas *self, GMenu *menu, int gpu)
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
  menu_add_tidy_item (self, places, _ ("Tidy This Rank"), (PlgEntity) { PLG_ENTITY_GPU, 0, gpu });
  menu_add_tidy_item (self, places, _ ("Tidy This Node"), (PlgEntity) { PLG_ENTITY_NODE, 0, node });
  if (plan->parallelism.degree[axis] > 1)
    {
      g_autofree char *label = g_strdup_printf (_ ("Tidy This %s Group"), plg_axis_label (axis));

      menu_add_tidy_item (self, places, label, (PlgEntity) { PLG_ENTITY_GROUP, axis, rank });
    }
  plg_canvas_add_section (menu, NULL, places);
  plg_canvas_add_node_items (self, menu, node);
}

/* Returns the menu of @entity (transfer full). The menu is empty if @entity offers no actions. */
static GMenu *
menu_of_entity (PlgCanvas *self, PlgEntity entity)
{
  g_autoptr (GMenu) section = g_menu_new ();
  GMenu *menu = g_menu_new ();

  if (entity.kind == PLG_ENTITY_GPU)
    menu_add_gpu_items (self, menu, entity.index);
  else if (entity.kind == PLG_ENTITY_LINK)
    plg_canvas_add_link_faults (self, menu, entity.index);
  else if (entity.kind == PLG_ENTITY_NODE)
    {
      plg_canvas_add_node_items (self, menu, entity.index);
      menu_add_tidy_item (self, section, _ ("Tidy This Node"), entity);
      plg_canvas_add_section (menu, NULL, section);
    }
  return menu;
}

/* Opening -------------------------------------------------------------------------------------- */

void
plg_canvas_open_menu (PlgCanvas *self, PlgEntity entity, PlgPoint position)
{
  g_autoptr (GMenu) menu = NULL;
  GtkWidget *popover;

  if (self->document == NULL || plg_canvas_is_dragging (self))
    return;
  menu = menu_of_entity (self, entity);
  if (g_menu_model_get_n_items (G_MENU_MODEL (menu)) == 0)
    return;
  plg_canvas_set_menu_position (self, position);
  popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  plg_canvas_set_popover (self, popover, position);
}

/* Opens the menu of the highlighted link if it ends at the focused GPU. If there is no such link
 * or its menu is empty, opens the menu of the focused GPU. */
static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  PlgEntity entity = { .kind = PLG_ENTITY_GPU, .index = plg_canvas_focused (self) };
  PlgEntity link = { .kind = PLG_ENTITY_LINK };
  g_autoptr (GMenu) menu = NULL;

  if (self->document == NULL)
    return;
  link.index = plg_canvas_focused_link (self);
  if (link.index >= 0)
    menu = menu_of_entity (self, link);
  if (menu != NULL && g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 0)
    entity = link;
  plg_canvas_open_menu (self, entity, plg_canvas_point_of_gpu (self, plg_canvas_focused (self)));
}

static void
open_menu_at (PlgCanvas *self, double x, double y, GtkGesture *gesture)
{
  PlgEntity entity = plg_canvas_entity_at (self, x, y);

  if (entity.kind == PLG_ENTITY_GPU)
    {
      plg_canvas_set_focused (self, entity.index);
      plg_canvas_select (self, entity.index);
    }
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  plg_canvas_open_menu (self, entity, (PlgPoint) { x, y });
}

static void
secondary_pressed_cb (PlgCanvas *self, int n_press, double x, double y, GtkGesture *gesture)
{
  if (self->document != NULL)
    open_menu_at (self, x, y, gesture);
}

void
plg_canvas_add_menu (PlgCanvas *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *long_press = gtk_gesture_long_press_new ();

  /* Open the menu on a long press on a touchscreen or on a click with the secondary mouse
   * button. */
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (long_press), TRUE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (secondary_pressed_cb), self);
  g_signal_connect_swapped (long_press, "pressed", G_CALLBACK (open_menu_at), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (long_press));
}

/* Actions -------------------------------------------------------------------------------------- */

static void
swap_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_canvas_begin_keyboard_drag (PLG_CANVAS (widget), PLG_DRAG_RANK,
                                  g_variant_get_int32 (parameter), TRUE);
}

static void
tidy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (GArray) ranks = NULL;
  g_autoptr (GError) error = NULL;
  int kind, axis, index;

  if (self->document == NULL || plg_canvas_is_dragging (self))
    return;
  g_variant_get (parameter, "(iii)", &kind, &axis, &index);
  ranks = menu_ranks_of (self, (PlgEntity) { kind, axis, index });
  plan = plg_document_plan_to_edit (self->document);
  if (!plg_edit_reset_ranks (plan, (const int *) ranks->data, ranks->len, &error))
    plg_canvas_emit_refused (self, error);
  else
    plg_canvas_apply (self, plan, _ ("Placement in nesting order"));
}

void
plg_canvas_install_menu (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "canvas.menu", NULL, menu_action);
  gtk_widget_class_install_action (widget_class, "canvas.swap", "i", swap_action);
  gtk_widget_class_install_action (widget_class, "canvas.tidy", "(iii)", tidy_action);
  plg_canvas_install_faults (widget_class);
  plg_canvas_install_node (widget_class);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "canvas.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "canvas.menu",
                                       NULL);
}
