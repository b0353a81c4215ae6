/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/drag.h"
#include "widgets/canvas/canvas.h"
#include "widgets/pictures/drag-label.h"

G_BEGIN_DECLS

/* The single drag that can be in progress, by pointer or keyboard. Files: canvas-drag.c,
 * canvas-drag-actions.c. */

typedef struct
{
  PlgDrag *current;        /* the current drag, or NULL */
  const PlgReport *report; /* the report at the start of the drag; CURRENT keeps a reference to
                              it */
  PlgAxis axis;
  int rank;
  int gpu; /* the target GPU of a keyboard drag */
  gboolean is_by_keyboard;
  gboolean is_choosing_target; /* whether the drag began in the menu; the target is then chosen
                                  with the keyboard or with a click */
  gboolean is_cancelled;       /* whether the button is still pressed although its drag has been
                                  cancelled */
  PlgPoint edge_offset;        /* the offset from the button press to the centre of the last GPU
                                  of the block [points of the figure] */
  PlgDragLabel *label;
  char *announced_limit; /* the reason that a pointer drag announced last, or NULL */
} PlgCanvasDrag;

/* canvas-drag.c: the state of the drag */
void plg_canvas_init_drag (PlgCanvas *self);
void plg_canvas_dispose_drag (PlgCanvas *self);
gboolean plg_canvas_is_keyboard_drag (PlgCanvas *self);
gboolean plg_canvas_is_choosing_target (PlgCanvas *self);
gboolean plg_canvas_is_drag_cancelled (PlgCanvas *self);
/* Returns the target GPU of a keyboard drag. */
int plg_canvas_drag_gpu (PlgCanvas *self);
/* Returns whether a change outside the drag has replaced the plan since the drag began. */
gboolean plg_canvas_is_drag_outdated (PlgCanvas *self);
/* Returns the dragged block as the entity that the figure outlines. */
PlgEntity plg_canvas_drag_entity (PlgCanvas *self);
/* Returns a sentence about the drag and its effect; free it with g_free(). */
char *plg_canvas_describe_drag (PlgCanvas *self);
/* Returns the axis on which a drag acts: a dragged GPU moves with its group on this axis, and
 * the keyboard moves the edge of a block of this axis. */
PlgAxis plg_canvas_drag_axis (PlgCanvas *self);
/* Returns PLG_DRAG_RANK if a dragged tile moves only its rank, or PLG_DRAG_GROUP if the tile
 * moves the whole group of its rank on the axis shown. */
PlgDragKind plg_canvas_tile_drag_kind (PlgCanvas *self);
/* Places the label next to the pointer, so that neither a finger nor the pointer hides it. */
void plg_canvas_allocate_drag_label (PlgCanvas *self, int width, int height);

void plg_canvas_snapshot_drag_label (PlgCanvas *self, GtkSnapshot *snapshot);

/* canvas-drag-actions.c */
void plg_canvas_drag_start (PlgCanvas *self, PlgDragKind kind, PlgAxis axis, int rank);
/* Prepares for the drag that a button press may start. Returns FALSE if another drag is in
 * progress. */
gboolean plg_canvas_prepare_pointer_drag (PlgCanvas *self);
/* Starts to drag the edge of the group of @rank on @axis. @press is the position of the button
 * press in the widget. */
void plg_canvas_start_edge_drag (PlgCanvas *self, PlgEntity handle, PlgPoint press);
/* Starts a keyboard drag of @gpu or its group. If @is_choosing_target is set, the user can also
 * choose the target with a click. */
void plg_canvas_begin_keyboard_drag (PlgCanvas *self,
                                     PlgDragKind kind,
                                     int gpu,
                                     gboolean is_choosing_target);
/* Returns the GPU under the pointer at (@x, @y). Returns PLG_DRAG_NO_GPU outside the nodes,
 * unless the edge of a block is dragged. */
int plg_canvas_drag_target (PlgCanvas *self, double x, double y);
void plg_canvas_drag_to (PlgCanvas *self, int gpu, gboolean shift);
/* Moves a keyboard drag to the GPU @gpu. */
void plg_canvas_drag_choose (PlgCanvas *self, int gpu);
void plg_canvas_drag_drop (PlgCanvas *self);
void plg_canvas_drag_cancel (PlgCanvas *self);
void plg_canvas_add_drop_target (PlgCanvas *self);

G_END_DECLS
