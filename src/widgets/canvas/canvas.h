/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/figure/pictures.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The widget that draws the cluster and edits the plan. Pointer and keys become edits of the
 * document, and the figure of drawing/figure/pictures.h is drawn.
 *
 * Properties: "document"; "time" [s], -1: the whole step; "palette", a name or "automatic"; "zoom"
 * [pixels per point], "zoom-text" and "legend-height" [pixels], read only.
 * Signals: "refused" (message), an edit is not possible; "announced" (message), the effect of an
 * edit. */
#define PLG_TYPE_CANVAS (plg_canvas_get_type ())
G_DECLARE_FINAL_TYPE (PlgCanvas, plg_canvas, PLG, CANVAS, GtkWidget)

GtkWidget *plg_canvas_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* View ----------------------------------------------------------------------------------------- */

/* Shows the whole cluster and keeps it fitted. */
void plg_canvas_fit (PlgCanvas *self);

/* A saved view. */
typedef struct
{
  gboolean fit;    /* the whole cluster is fitted */
  double zoom;     /* [pixels per point] */
  PlgPoint origin; /* the top left corner of the figure in the widget [pixels] */
} PlgCanvasView;
PlgCanvasView plg_canvas_save_view (PlgCanvas *self);
void plg_canvas_restore_view (PlgCanvas *self, PlgCanvasView view);

/* plg_canvas_show_solo_node:
 * @node: a node, or -1 to return to the view before
 *
 * Shows one node as large as the canvas and dims the others, until plg_canvas_fit(). Arrow keys that
 * leave the node show the next node. */
void plg_canvas_show_solo_node (PlgCanvas *self, int node);
/* The node that is shown alone, or -1. */
int plg_canvas_get_solo_node (PlgCanvas *self);
/* The node nearest to a point of the widget; -1 outside of the widget. */
int plg_canvas_node_at (PlgCanvas *self, double x, double y);
/* The node of the focused GPU; -1 without a document. */
int plg_canvas_focused_node (PlgCanvas *self);
/* Whether a click on the frame of a node shows the node alone, or all nodes again. */
void plg_canvas_set_frame_click_zooms (PlgCanvas *self, gboolean frame_click_zooms);
void plg_canvas_zoom_by (PlgCanvas *self, double factor);
/* The zoom [pixels per point]; 1 is the natural size. */
void plg_canvas_set_zoom (PlgCanvas *self, double zoom);
double plg_canvas_get_zoom (PlgCanvas *self);
/* The visible part of the figure [points]; width 0 if the whole figure is visible. */
void plg_canvas_get_view (PlgCanvas *self, PlgRect *view);

/* Selection and highlight ---------------------------------------------------------------------- */

gboolean plg_canvas_is_dragging (PlgCanvas *self);
/* Forgets the entity under the pointer until the pointer moves. */
void plg_canvas_clear_pointer (PlgCanvas *self);
/* Does what Escape does. Returns FALSE if there was nothing to end. */
gboolean plg_canvas_escape (PlgCanvas *self);
/* Selects a GPU, node or link, centers it at a readable zoom, and marks it for a short time. */
void plg_canvas_show_entity (PlgCanvas *self, PlgEntity entity);
/* Ends the highlight; pins stay. */
void plg_canvas_clear_highlight (PlgCanvas *self);
/* The GPU whose groups are outlined, or -1. */
int plg_canvas_get_selected (PlgCanvas *self);
void plg_canvas_select (PlgCanvas *self, int gpu);

/* Accessibility -------------------------------------------------------------------------------- */

/* Announces @sentence in the window if the canvas has the focus; %NULL clears the announcement. */
void plg_canvas_announce (PlgCanvas *self, const char *sentence);
/* plg_canvas_set_announcement:
 * @announcement_text: (nullable): the text that assistive technology reads with the focused GPU
 *
 * Serves widgets/announcer.h. The text stays until the focused cell stands for another entity,
 * another time is shown or the plan changes. */
void plg_canvas_set_announcement (PlgCanvas *self, const char *announcement_text);
/* Returns: (transfer full): the name of @entity */
char *plg_canvas_entity_name (PlgCanvas *self, PlgEntity entity);

/* Rendering ------------------------------------------------------------------------------------ */

/* The options of the figure on screen, for exports that equal the screen. */
void plg_canvas_get_options (PlgCanvas *self, PlgPictureOptions *options);
/* Shows the step at @time [s]; -1: the whole step. */
void plg_canvas_set_time (PlgCanvas *self, double time);
/* plg_canvas_set_min_text_size:
 * @pixels: the smallest text size; 0: the usual sizes
 *
 * Enlarges the texts for an audience far away. Texts without space at this size are omitted, and
 * only the keyboard shows tooltips. */
void plg_canvas_set_min_text_size (PlgCanvas *self, double pixels);
PlgPalette plg_canvas_get_palette (PlgCanvas *self);

/* Tests and benchmarks ------------------------------------------------------------------------- */

/* The number of layouts and of frames with painted tiles so far. */
guint plg_canvas_n_layouts (PlgCanvas *self);
guint plg_canvas_n_paints (PlgCanvas *self);
/* FALSE while tiles of another zoom are shown enlarged or reduced. */
gboolean plg_canvas_is_sharp (PlgCanvas *self);
/* The figure on screen, or %NULL without a document. */
const PlgFigure *plg_canvas_figure (PlgCanvas *self);
/* The legend [pixels]; %NULL before the first allocation. */
const PlgFigure *plg_canvas_legend_figure (PlgCanvas *self);
/* Converts a point of the figure to a point of the widget. */
void plg_canvas_to_widget (PlgCanvas *self, double x, double y, double *widget_x, double *widget_y);

G_END_DECLS
