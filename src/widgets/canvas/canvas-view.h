/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-layout.h"
#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* The position of the figure in the widget: widget point = figure point × zoom + origin. Files:
 * canvas-view.c, canvas-view-solo.c. */

#define PLG_CANVAS_MIN_ZOOM 0.02
#define PLG_CANVAS_MAX_ZOOM 8.0

typedef struct
{
  double zoom;                    /* [pixels per point] */
  PlgPoint origin;                /* the top left corner of the figure in the widget [pixels] */
  gboolean is_fitted;             /* whether each allocation fits the cluster or the solo node
                                     into the canvas */
  int solo_node;                  /* the node that is shown alone, or -1 */
  int solo_row_gpus;              /* the number of GPUs per row of the solo node */
  PlgCanvasView view_before_solo; /* the view to restore when the node is no longer shown alone */
  PlgRect marked_rect;            /* the rectangle of the marked search result in the figure
                                     [points]; valid while mark_timeout_id is not 0 */
  guint mark_timeout_id;
  guint notify_idle_id;
} PlgCanvasViewport;

/* canvas-view.c */
void plg_canvas_init_view (PlgCanvas *self);
void plg_canvas_dispose_view (PlgCanvas *self);

PlgPoint plg_canvas_origin (PlgCanvas *self);
gboolean plg_canvas_is_fitted (PlgCanvas *self);
/* Moves the figure to @origin. Later allocations no longer fit the figure into the canvas. */
void plg_canvas_set_origin (PlgCanvas *self, PlgPoint origin);
void plg_canvas_leave_solo_node (PlgCanvas *self);
/* Changes the zoom around the point (@x, @y) of the widget: the part of the figure at this point
 * does not move. */
void plg_canvas_zoom_around (PlgCanvas *self, double zoom, double x, double y);
/* Queues an allocation and a redraw after a change of zoom or origin. */
void plg_canvas_invalidate_view (PlgCanvas *self);
/* Notifies the properties "zoom", "zoom-text" and "legend-height" in an idle callback, because a
 * widget that shows these properties must not request a new size during an allocation. */
void plg_canvas_queue_notify (PlgCanvas *self);

/* Returns the plan of the document, valid until the document changes. */
const PlgPlan *plg_canvas_plan (PlgCanvas *self);
/* Returns the number of GPUs per row of the node that is shown alone, or 0 (automatic) if no
 * node is shown alone. */
int plg_canvas_row_gpus (PlgCanvas *self);
/* Returns the layout of the cluster on the screen at @zoom. */
PlgClusterLayout plg_canvas_layout (PlgCanvas *self, double zoom);
PlgRect plg_canvas_gpu_rect (PlgCanvas *self, int gpu);
PlgRect plg_canvas_node_rect (PlgCanvas *self, int node);
int plg_canvas_rank_of_gpu (PlgCanvas *self, int gpu);
PlgPoint plg_canvas_to_figure (PlgCanvas *self, double widget_x, double widget_y);
/* Returns the middle of the lower edge of @gpu, in widget coordinates. */
PlgPoint plg_canvas_point_of_gpu (PlgCanvas *self, int gpu);
/* Returns the GPU nearest to a point of the widget. */
int plg_canvas_gpu_near (PlgCanvas *self, double x, double y);
void plg_canvas_allocate_on_figure (PlgCanvas *self, GtkWidget *child, PlgRect rect);

/* Centres @rect, a part of the figure, in an area of @width × @height pixels. */
void plg_canvas_center_rect (PlgCanvas *self, PlgRect rect, double zoom, int width, int height);
/* Sets the zoom that fits the cluster before the figure of the cluster exists. */
void plg_canvas_fit_layout (PlgCanvas *self, int width, int height);
/* Sets the zoom and origin so that @figure fits into @width × @height pixels. */
void plg_canvas_fit_figure (PlgCanvas *self, const PlgFigure *figure, int width, int height);
/* Moves the origin, if necessary, so that a part of @figure remains inside @width × @height
 * pixels. */
void plg_canvas_keep_in_sight (PlgCanvas *self, const PlgFigure *figure, int width, int height);

/* Marks @rect, a part of the figure, for a short time. */
void plg_canvas_mark_rect (PlgCanvas *self, PlgRect rect);
/* Finds the marked rectangle. Returns FALSE if no rectangle is marked. */
gboolean plg_canvas_get_marked_rect (PlgCanvas *self, PlgRect *rect);

/* canvas-view-solo.c */

/* Fits the solo node into @width × @height pixels. Returns FALSE if no node is shown alone. */
gboolean plg_canvas_fit_solo_node (PlgCanvas *self, int width, int height);
/* Returns the rectangle of the solo node's box and labels in the figure. */
PlgRect plg_canvas_solo_rect (PlgCanvas *self);
/* If a node is shown alone, shows the node of @gpu alone instead. */
void plg_canvas_follow_solo_node (PlgCanvas *self, int gpu);

/* canvas-navigation.c: zoom, page keys and search results */
void plg_canvas_center_on (PlgCanvas *self, double x, double y);
/* Centres @rect, a part of the figure, if it is not visible. */
void plg_canvas_reveal_rect (PlgCanvas *self, PlgRect rect);
/* Zooms to the tile that contains @gpu. At a low zoom, the tile is a whole node or rack. */
void plg_canvas_zoom_to_group (PlgCanvas *self, int gpu);
/* Finds the rectangle of @entity in the figure. Returns FALSE if the plan has no such entity. */
gboolean plg_canvas_entity_rect (PlgCanvas *self, PlgEntity entity, PlgRect *rect);
/* Returns the first GPU of @entity. */
int plg_canvas_first_gpu_of (PlgCanvas *self, PlgEntity entity);
void plg_canvas_install_page_keys (GtkWidgetClass *widget_class);

G_END_DECLS
