/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/fault.h"
#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* The menus and question popovers of the canvas. Only canvas-popover.c accesses the struct. */

typedef struct
{
  GtkWidget *current;  /* the popover that was last opened, or NULL */
  GtkWidget *previous; /* the popover that was open before CURRENT; it is kept because one of its
                          actions may still be running */
  guint previous_idle_id;
  PlgPoint position; /* the position of the last menu in widget coordinates [pixels] */
} PlgCanvasPopovers;

/* canvas-popover.c */

/* Takes ownership of @popover, opens it at @position in the widget, and closes the previous
 * popover. */
void plg_canvas_set_popover (PlgCanvas *self, GtkWidget *popover, PlgPoint position);
/* Takes ownership of @popover and opens it at the position of the last menu. */
void plg_canvas_set_popover_at_menu (PlgCanvas *self, GtkWidget *popover);
void plg_canvas_set_menu_position (PlgCanvas *self, PlgPoint position);
void plg_canvas_clear_popovers (PlgCanvas *self);
void plg_canvas_close_popover (PlgCanvas *self);
void plg_canvas_present_popover (PlgCanvas *self);
/* Returns the open popover, or NULL. */
GtkWidget *plg_canvas_open_popover (PlgCanvas *self);
/* Returns a popover with a heading, a control and a button (transfer floating). */
GtkWidget *plg_canvas_question_new (const char *heading,
                                    GtkWidget *control,
                                    GtkWidget *button) G_GNUC_WARN_UNUSED_RESULT;
void plg_canvas_add_item (GMenu *menu, const char *label, const char *action, GVariant *target);
/* Appends @section to @menu unless @section is empty. */
void plg_canvas_add_section (GMenu *menu, const char *label, GMenu *section);

/* canvas-menu.c */
void plg_canvas_add_menu (PlgCanvas *self);
void plg_canvas_install_menu (GtkWidgetClass *widget_class);
void plg_canvas_open_menu (PlgCanvas *self, PlgEntity entity, PlgPoint position);

/* canvas-fault-menu.c */

/* Adds the possible faults of @gpu under the title @name, followed by the faults of its links. */
void plg_canvas_add_gpu_faults (PlgCanvas *self, GMenu *menu, const char *name, int gpu);
/* Adds the possible faults of the link with index @index in the report. */
void plg_canvas_add_link_faults (PlgCanvas *self, GMenu *menu, int index);
/* Sets @fault, announces its effect and highlights the entities that the fault slows down. */
void plg_canvas_set_fault (PlgCanvas *self, const PlgFault *fault);
void plg_canvas_install_faults (GtkWidgetClass *widget_class);

/* canvas-node-menu.c */
void plg_canvas_add_node_items (PlgCanvas *self, GMenu *menu, int node);
void plg_canvas_install_node (GtkWidgetClass *widget_class);
/* Opens a popover that asks for the name of @node. */
void plg_canvas_open_name_popover (PlgCanvas *self, int node);

G_END_DECLS
