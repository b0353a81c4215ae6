/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* The pointer and the highlight that follows it. Files: canvas-pointer.c, canvas-highlight.c. */

typedef struct
{
  PlgPoint position;      /* the last position of the pointer in the widget [pixels] */
  PlgPoint rest_position; /* the last position of the pointer in the window [pixels] */

  PlgEntity hovered; /* the entity under the pointer */
  int hovered_gpu;   /* the GPU that was last under the pointer, or -1 after the pointer has left */
  guint highlight_timeout_id;
  gboolean is_highlight_locked; /* whether the highlight is kept until the pointer has moved away */
  /* the position of the pointer in the widget when the highlight was locked [pixels]; x is
   * negative until the next pointer event sets the position */
  PlgPoint highlight_lock_position;
  const PlgReport *highlight_lock_report; /* the report when the highlight was locked; only its
                                             address is compared */

  PlgEntity pressed_entity;
  PlgPoint press_position; /* the position of the press in the widget [pixels] */
  gboolean is_click;       /* whether the press can still become a click, which pins an entity */
  gboolean is_panning;
  PlgPoint pan_start;            /* the origin of the view before the pan */
  double pinch_zoom;             /* the zoom before the pinch */
  gboolean can_click_node_frame; /* whether a click on the frame of a node shows the node alone */
} PlgCanvasPointer;

/* canvas-pointer.c */
void plg_canvas_add_controllers (PlgCanvas *self);

/* canvas-highlight.c */
void plg_canvas_init_pointer (PlgCanvas *self);
void plg_canvas_dispose_pointer (PlgCanvas *self);
PlgPoint plg_canvas_pointer_position (PlgCanvas *self);
void plg_canvas_set_pointer_position (PlgCanvas *self, PlgPoint position);
/* Forgets the last position of the pointer, so that the next pointer event is treated as motion
 * even if the pointer has not moved. */
void plg_canvas_reset_rest_position (PlgCanvas *self);

PlgEntity plg_canvas_hovered (PlgCanvas *self);
int plg_canvas_hovered_gpu (PlgCanvas *self);
void plg_canvas_clear_hovered (PlgCanvas *self);
void plg_canvas_clear_hovered_gpu (PlgCanvas *self);
/* Returns the entity that is highlighted while the pointer rests on @entity. */
PlgEntity plg_canvas_highlight_of_entity (PlgCanvas *self, PlgEntity entity);
/* Hides the highlight of the entity under the pointer until the pointer moves. */
void plg_canvas_clear_hover (PlgCanvas *self);
/* Highlights @entity and its groups. The highlight ends when the pointer or the focus moves, the
 * plan changes or Escape is pressed. */
void plg_canvas_lock_highlight (PlgCanvas *self, PlgEntity entity);
/* Returns whether the highlight is locked or does not follow the pointer, for example after a
 * search. */
gboolean plg_canvas_has_locked_highlight (PlgCanvas *self);
/* Updates the hovered entity after a change of the plan, because GPUs may have been removed and
 * links may have different indices. */
void plg_canvas_refresh_highlight (PlgCanvas *self);

G_END_DECLS
