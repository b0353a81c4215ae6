/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* The focus, the selection and the widgets that represent the canvas to assistive technology.
 * Files: canvas-cells.c, canvas-accessibility.c, canvas-focus.c. */

/* The maximum number of GPUs for which each GPU has its own cell. The number is limited because
 * each cell is a widget. */
#define PLG_CANVAS_MAX_CELLS 1024

/* The kinds of entities between which the arrow keys move the focus. */
typedef enum
{
  PLG_FOCUS_GPUS,
  PLG_FOCUS_NODES,
  PLG_FOCUS_RACKS,
} PlgFocusLevel;

typedef struct
{
  GPtrArray *cells;              /* PlgGpuCell widgets indexed by GPU, or a single cell for all
                                    GPUs */
  GtkWidget *edges[PLG_N_AXES];  /* PlgEdgeHandle widgets */
  int focused;                   /* the GPU that gets the focus from Tab */
  int selected;                  /* the GPU whose groups are outlined, or -1 */
  PlgEntity found_entity;        /* the last search result; cleared when the selection changes */
  gboolean is_active;            /* whether the focus was moved with the keyboard and the pointer
                                    has not moved since */
  PlgFocusLevel described_level; /* the level that the single cell last described */

  char *announcement;
  PlgEntity announcement_subject; /* the entity of the focused cell at the time of the
                                     announcement */
  guint activity_timeout_id;
  gboolean is_activity_stale; /* whether the activity has changed while the timeout was pending */
} PlgCanvasKeyboard;

/* canvas-cells.c: the cells, their positions and the selection */
void plg_canvas_init_keyboard (PlgCanvas *self);
void plg_canvas_dispose_keyboard (PlgCanvas *self);
void plg_canvas_finalize_keyboard (PlgCanvas *self);
int plg_canvas_focused (PlgCanvas *self);
void plg_canvas_set_focused (PlgCanvas *self, int gpu);
/* Returns the entity that the last search found, or PLG_ENTITY_NONE. */
PlgEntity plg_canvas_found_entity (PlgCanvas *self);
void plg_canvas_set_found_entity (PlgCanvas *self, PlgEntity entity);
/* Adapts the focus, the selection and the search result to a new plan, which may have fewer GPUs
 * and numbers the links differently. */
void plg_canvas_refresh_selection (PlgCanvas *self);
/* Returns the GPU whose groups the figure outlines (the hovered or the selected GPU), or -1. */
int plg_canvas_outlined (PlgCanvas *self);
PlgFocusLevel plg_canvas_focus_level (PlgCanvas *self);
gboolean plg_canvas_has_single_cell (PlgCanvas *self);
/* Returns the cell that currently stands for @gpu, or NULL. */
GtkWidget *plg_canvas_cell (PlgCanvas *self, int gpu);
/* Returns the rectangle that @gpu, or the node or rack that stands for it, occupies in the
 * figure. */
PlgRect plg_canvas_cell_rect (PlgCanvas *self, int gpu);
/* Returns @gpu as an entity, or the node or rack that stands for it. */
PlgEntity plg_canvas_focus_entity (PlgCanvas *self, int gpu);
/* Returns the GPU next to @gpu on screen or, at a low zoom, the first GPU of the next node or
 * rack. Returns -1 at the border. */
int plg_canvas_neighbour (PlgCanvas *self, int gpu, GtkDirectionType direction);

/* canvas-accessibility.c: the sentences that a screen reader reads */

/* Updates the name and description of the cell of @gpu if such a cell exists. */
void plg_canvas_describe_cell (PlgCanvas *self, int gpu);
/* Updates the name and description of the cell of @gpu, which must exist. @rank is the rank on
 * @gpu. */
void plg_canvas_describe_rank (PlgCanvas *self, int gpu, int rank);
void plg_canvas_clear_announcement (PlgCanvas *self);
/* Updates the activity in the accessible name of the focused GPU, at most once per second. */
void plg_canvas_update_activity (PlgCanvas *self);

/* canvas-focus.c */
void plg_canvas_update_cells (PlgCanvas *self);
void plg_canvas_update_edges (PlgCanvas *self);
void plg_canvas_allocate_cells (PlgCanvas *self);
/* Places each edge handle on the first handle for its axis in @figure. */
void plg_canvas_allocate_edges (PlgCanvas *self, const PlgFigure *figure);
void plg_canvas_focus_gpu (PlgCanvas *self, int gpu);
/* Selects @entity, unless it is PLG_ENTITY_NONE, and takes the keyboard focus. */
void plg_canvas_grab_focus_at (PlgCanvas *self, PlgEntity entity);
/* Sets whether the focus was last moved with the keyboard and the pointer has not moved since. */
void plg_canvas_set_keyboard_active (PlgCanvas *self, gboolean is_active);
gboolean plg_canvas_is_keyboard_active (PlgCanvas *self);

/* canvas-keyboard.c: the keys; this file has no state */
void plg_canvas_install_keys (GtkWidgetClass *widget_class);
gboolean plg_canvas_move_focus (PlgCanvas *self, GtkDirectionType direction);

/* canvas-link-keys.c: the keys for links and pins; this file has no state */
void plg_canvas_install_link_keys (GtkWidgetClass *widget_class);
/* Returns the link of the focused GPU that was highlighted with the keyboard, or -1. A link
 * under the pointer does not count. */
int plg_canvas_focused_link (PlgCanvas *self);
/* Returns the first GPU at an end of @link, or the first GPU below the leaf of @link. */
int plg_canvas_gpu_of_link (PlgCanvas *self, const PlgLink *link);

G_END_DECLS
