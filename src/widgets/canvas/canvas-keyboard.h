/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* Focus, selection and the widgets that assistive technology finds on the canvas.
 * Files: canvas-cells.c, canvas-accessibility.c, canvas-focus.c. */

/* The largest cluster in which each GPU has its own cell; each cell costs a widget. */
#define PLG_CANVAS_MAX_CELLS 1024

/* The entities that the arrow keys visit. */
typedef enum
{
  PLG_FOCUS_GPUS,
  PLG_FOCUS_NODES,
  PLG_FOCUS_RACKS,
} PlgFocusLevel;

typedef struct
{
  GPtrArray *cells;              /* PlgGpuCell by GPU number, or one cell for all GPUs */
  GtkWidget *edges[PLG_N_AXES];  /* PlgEdgeHandle */
  int focused;                   /* the GPU that Tab enters */
  int selected;                  /* the GPU whose groups are outlined, or -1 */
  PlgEntity found_entity;        /* the last search result until the selection changes */
  gboolean is_active;            /* keys moved the focus and the pointer has not moved since */
  PlgFocusLevel described_level; /* the level in the last description of the single cell */

  char *announcement;
  PlgEntity announcement_subject; /* the entity of the focused cell at the announcement */
  guint activity_timeout_id;
  gboolean is_activity_stale; /* the activity changed while the timeout was pending */
} PlgCanvasKeyboard;

/* canvas-cells.c: the cells, their positions and the selection */
void plg_canvas_init_keyboard (PlgCanvas *self);
void plg_canvas_dispose_keyboard (PlgCanvas *self);
void plg_canvas_finalize_keyboard (PlgCanvas *self);
int plg_canvas_focused (PlgCanvas *self);
void plg_canvas_set_focused (PlgCanvas *self, int gpu);
/* The entity of the last search, or PLG_ENTITY_NONE. */
PlgEntity plg_canvas_found_entity (PlgCanvas *self);
void plg_canvas_set_found_entity (PlgCanvas *self, PlgEntity entity);
/* Drops GPUs and links of the last plan from focus and selection. */
void plg_canvas_refresh_selection (PlgCanvas *self);
/* The GPU whose groups the figure outlines: the hovered or the selected GPU, or -1. */
int plg_canvas_outlined (PlgCanvas *self);
PlgFocusLevel plg_canvas_focus_level (PlgCanvas *self);
gboolean plg_canvas_has_single_cell (PlgCanvas *self);
/* The cell that stands for @gpu now, or NULL. */
GtkWidget *plg_canvas_cell (PlgCanvas *self, int gpu);
/* The rectangle of @gpu, or of the node or rack that stands for it, in the figure. */
PlgRect plg_canvas_cell_rect (PlgCanvas *self, int gpu);
/* @gpu, or the node or rack that stands for it. */
PlgEntity plg_canvas_focus_entity (PlgCanvas *self, int gpu);
/* The GPU, or the first GPU of the node or rack, next to @gpu on screen; -1 at the border. */
int plg_canvas_neighbour (PlgCanvas *self, int gpu, GtkDirectionType direction);

/* canvas-accessibility.c: the sentences of a screen reader */

/* Updates name and description of the cell of @gpu if it has one. */
void plg_canvas_describe_cell (PlgCanvas *self, int gpu);
/* The same for a GPU that has a cell and holds @rank. */
void plg_canvas_describe_rank (PlgCanvas *self, int gpu, int rank);
void plg_canvas_clear_announcement (PlgCanvas *self);
/* Describes a new activity of the focused GPU, at most once per second. */
void plg_canvas_update_activity (PlgCanvas *self);

/* canvas-focus.c */
void plg_canvas_update_cells (PlgCanvas *self);
void plg_canvas_update_edges (PlgCanvas *self);
void plg_canvas_allocate_cells (PlgCanvas *self);
/* Places each edge handle on the first handle of its axis in @figure. */
void plg_canvas_allocate_edges (PlgCanvas *self, const PlgFigure *figure);
void plg_canvas_focus_gpu (PlgCanvas *self, int gpu);
/* Selects @entity, unless it is PLG_ENTITY_NONE, and takes the keyboard focus. */
void plg_canvas_grab_focus_at (PlgCanvas *self, PlgEntity entity);
/* @is_active: keys moved the focus last, and the pointer has not moved since. */
void plg_canvas_set_keyboard_active (PlgCanvas *self, gboolean is_active);
gboolean plg_canvas_is_keyboard_active (PlgCanvas *self);

/* canvas-keyboard.c: the keys; no state */
void plg_canvas_install_keys (GtkWidgetClass *widget_class);
gboolean plg_canvas_move_focus (PlgCanvas *self, GtkDirectionType direction);

/* canvas-link-keys.c: the keys of links and pins; no state */
void plg_canvas_install_link_keys (GtkWidgetClass *widget_class);
/* The link of the focused GPU that keys highlight, or -1. A link under the pointer does not
 * count. */
int plg_canvas_focused_link (PlgCanvas *self);
/* The first GPU at an end of @link, or the first GPU below the leaf of @link. */
int plg_canvas_gpu_of_link (PlgCanvas *self, const PlgLink *link);

G_END_DECLS
