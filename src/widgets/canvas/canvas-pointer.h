/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* The pointer and the highlight that follows the pointer.
 * Files: canvas-pointer.c, canvas-highlight.c. */

typedef struct
{
  PlgPoint position;      /* the last position in the widget [pixels] */
  PlgPoint rest_position; /* the last position in the window [pixels] */

  PlgEntity hovered; /* the entity under the pointer */
  int hovered_gpu;   /* the last GPU under the pointer until the pointer leaves, or -1 */
  guint highlight_timeout_id;
  gboolean is_highlight_locked;           /* the highlight stays until the pointer moves away */
  PlgPoint highlight_lock_position;       /* in the widget [pixels]; x < 0: the next position */
  const PlgReport *highlight_lock_report; /* the report of the lock; compared, never read */

  PlgEntity pressed_entity;
  PlgPoint press_position; /* in the widget [pixels] */
  gboolean is_click;       /* the press may still become a click that pins */
  gboolean is_panning;
  PlgPoint pan_start;            /* the origin of the view before the pan */
  double pinch_zoom;             /* the zoom before the pinch */
  gboolean can_click_node_frame; /* a click on the frame of a node shows the node alone */
} PlgCanvasPointer;

/* canvas-pointer.c */
void plg_canvas_add_controllers (PlgCanvas *self);

/* canvas-highlight.c */
void plg_canvas_init_pointer (PlgCanvas *self);
void plg_canvas_dispose_pointer (PlgCanvas *self);
PlgPoint plg_canvas_pointer_position (PlgCanvas *self);
void plg_canvas_set_pointer_position (PlgCanvas *self, PlgPoint position);
/* The next event of the pointer counts as a motion. */
void plg_canvas_reset_rest_position (PlgCanvas *self);

PlgEntity plg_canvas_hovered (PlgCanvas *self);
int plg_canvas_hovered_gpu (PlgCanvas *self);
void plg_canvas_clear_hovered (PlgCanvas *self);
void plg_canvas_clear_hovered_gpu (PlgCanvas *self);
/* The entity that is highlighted while the pointer rests on @entity. */
PlgEntity plg_canvas_highlight_of_entity (PlgCanvas *self, PlgEntity entity);
/* Ends the highlight of the entity under the pointer until the pointer moves. */
void plg_canvas_clear_hover (PlgCanvas *self);
/* Highlights @entity and its groups until the pointer or the focus moves, the plan changes or
 * Escape is pressed. */
void plg_canvas_lock_highlight (PlgCanvas *self, PlgEntity entity);
/* Whether an entity is highlighted that the pointer does not rest on. */
gboolean plg_canvas_has_locked_highlight (PlgCanvas *self);
/* Drops entities of the last plan and report from the hover state. */
void plg_canvas_refresh_highlight (PlgCanvas *self);

G_END_DECLS
