/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/fault.h"
#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* The menus and questions of the canvas. File of the state: canvas-popover.c. */

typedef struct
{
  GtkWidget *current;  /* the popover that was opened last, or NULL */
  GtkWidget *previous; /* the popover before; one of its actions may still be running */
  guint previous_idle_id;
  PlgPoint position; /* for the last menu in the widget [pixels] */
} PlgCanvasPopovers;

/* canvas-popover.c */

/* Opens @popover at a point of the widget and closes the last one. Takes ownership of @popover. */
void plg_canvas_set_popover (PlgCanvas *self, GtkWidget *popover, PlgPoint position);
/* Opens @popover where the last menu was. Takes ownership of @popover. */
void plg_canvas_set_popover_at_menu (PlgCanvas *self, GtkWidget *popover);
void plg_canvas_set_menu_position (PlgCanvas *self, PlgPoint position);
void plg_canvas_clear_popovers (PlgCanvas *self);
void plg_canvas_close_popover (PlgCanvas *self);
void plg_canvas_present_popover (PlgCanvas *self);
/* The popover that is open, or NULL. */
GtkWidget *plg_canvas_open_popover (PlgCanvas *self);
/* Returns: (transfer floating): a popover with a heading, a control and a button */
GtkWidget *plg_canvas_question_new (const char *heading,
                                    GtkWidget *control,
                                    GtkWidget *button) G_GNUC_WARN_UNUSED_RESULT;
void plg_canvas_add_item (GMenu *menu, const char *label, const char *action, GVariant *target);
/* Appends @section to @menu if it has items. */
void plg_canvas_add_section (GMenu *menu, const char *label, GMenu *section);

/* canvas-menu.c */
void plg_canvas_add_menu (PlgCanvas *self);
void plg_canvas_install_menu (GtkWidgetClass *widget_class);
void plg_canvas_open_menu (PlgCanvas *self, PlgEntity entity, PlgPoint position);

/* canvas-fault-menu.c */

/* Adds the faults that @gpu, titled @name, and its links can have. */
void plg_canvas_add_gpu_faults (PlgCanvas *self, GMenu *menu, const char *name, int gpu);
/* Adds the faults of the link with this index in the report. */
void plg_canvas_add_link_faults (PlgCanvas *self, GMenu *menu, int index);
/* Sets @fault, announces its effect and highlights the entities that it slows down. */
void plg_canvas_set_fault (PlgCanvas *self, const PlgFault *fault);
void plg_canvas_install_faults (GtkWidgetClass *widget_class);

/* canvas-node-menu.c */
void plg_canvas_add_node_items (PlgCanvas *self, GMenu *menu, int node);
void plg_canvas_install_node (GtkWidgetClass *widget_class);
/* Asks for the name of @node. */
void plg_canvas_open_name_popover (PlgCanvas *self, int node);

G_END_DECLS
