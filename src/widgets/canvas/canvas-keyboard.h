/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/edge-handle.h"
#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* The focus, the selection and the widgets that represent the canvas to assistive technology.
 * Files: canvas-cells.c, canvas-accessibility.c, canvas-focus.c. */

/* The maximum number of GPUs for which each GPU has its own cell. The number is limited because
 * each cell is a widget. */
#define PLG_CANVAS_MAX_CELLS 1024

/* Whether the arrow keys move the focus between GPUs, nodes or racks. */
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
  GtkWidget *edges[PLG_N_EDGES]; /* PlgEdgeHandle widgets */
  int focused;                   /* the GPU that has the focus, or gets it when Tab enters the
                                    canvas */
  int selected;                  /* the GPU whose groups are outlined, or -1 */
  PlgEntity found_entity;        /* the last search result; cleared when the selection changes */
  gboolean is_active;            /* whether the focus was moved with the keyboard and the pointer
                                    has not moved since */
  PlgFocusLevel described_level; /* the focus level at the last update of the single cell's name */

  char *announcement;
  PlgEntity announcement_subject; /* the entity of the focused cell at the time of the
                                     announcement */
  guint activity_timeout_id;
  gboolean is_activity_stale; /* whether the activity must be updated when the timeout expires */
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
/* Updates the focus, the selection and the search result after a change of the plan. The new
 * plan may have fewer GPUs, and its links may have different indices. */
void plg_canvas_refresh_selection (PlgCanvas *self);
/* Returns the GPU whose groups the figure outlines (the hovered or the selected GPU), or -1. */
int plg_canvas_outlined (PlgCanvas *self);
PlgFocusLevel plg_canvas_focus_level (PlgCanvas *self);
gboolean plg_canvas_has_single_cell (PlgCanvas *self);
/* Returns the cell that represents @gpu, or NULL. If there is a single cell, it represents only
 * the focused GPU. */
GtkWidget *plg_canvas_cell (PlgCanvas *self, int gpu);
/* Returns the rectangle of @gpu in the figure. At a low zoom, returns the rectangle of the node
 * or rack that contains @gpu. */
PlgRect plg_canvas_cell_rect (PlgCanvas *self, int gpu);
/* Returns @gpu as an entity or, at a low zoom, the node or rack that contains @gpu. */
PlgEntity plg_canvas_focus_entity (PlgCanvas *self, int gpu);
/* Returns the GPU next to @gpu on screen or, at a low zoom, the first GPU of the next node or
 * rack. Returns -1 if the cluster ends in that direction. */
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
/* Places each edge handle widget over the first handle that @figure contains for the widget's
 * axis. */
void plg_canvas_allocate_edges (PlgCanvas *self, const PlgFigure *figure);
void plg_canvas_focus_gpu (PlgCanvas *self, int gpu);
/* Selects the first GPU of @entity if @entity is a GPU, a link, or a node that does not contain
 * the focused GPU. Then takes the keyboard focus. */
void plg_canvas_grab_focus_at (PlgCanvas *self, PlgEntity entity);
/* Sets whether the focus was last moved with the keyboard and the pointer has not moved since. */
void plg_canvas_set_keyboard_active (PlgCanvas *self, gboolean is_active);
gboolean plg_canvas_is_keyboard_active (PlgCanvas *self);

/* canvas-keyboard.c: the key bindings of the canvas, except those for links and pins */
void plg_canvas_install_keys (GtkWidgetClass *widget_class);
gboolean plg_canvas_move_focus (PlgCanvas *self, GtkDirectionType direction);

/* canvas-link-keys.c: the key bindings for links and pins */
void plg_canvas_install_link_keys (GtkWidgetClass *widget_class);
/* Returns the index of the highlighted link if the link ends at the focused GPU, otherwise -1. A
 * link that is highlighted only because the pointer is on it is ignored. */
int plg_canvas_focused_link (PlgCanvas *self);
/* Returns the first GPU at an end of @link. If @link connects switches, returns the first GPU
 * below the leaf switch of @link. */
int plg_canvas_gpu_of_link (PlgCanvas *self, const PlgLink *link);

G_END_DECLS
