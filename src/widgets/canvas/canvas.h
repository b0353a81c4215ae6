/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/figure/pictures.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The widget that draws the cluster and edits the plan. Pointer and key events become edits of
 * the document. The canvas draws the figure from drawing/figure/pictures.h.
 *
 * Properties: "document"; "time" [s], -1 for the whole step; "palette", a name or "automatic";
 * "zoom" [pixels per point], "zoom-text" and "legend-height" [pixels], read only. Signals:
 * "refused" (message): an edit is not possible; "announced" (message): the effect of an edit;
 * "drag-started": a drag with the pointer or the keyboard starts. */
#define PLG_TYPE_CANVAS (plg_canvas_get_type ())
G_DECLARE_FINAL_TYPE (PlgCanvas, plg_canvas, PLG, CANVAS, GtkWidget)

GtkWidget *plg_canvas_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* View ----------------------------------------------------------------------------------------- */

/* Shows the whole cluster. Each later allocation fits the cluster into the canvas again. */
void plg_canvas_fit (PlgCanvas *self);

/* A view that plg_canvas_save_view() has saved for plg_canvas_restore_view(). */
typedef struct
{
  gboolean fit;    /* whether the whole cluster is fitted into the canvas */
  double zoom;     /* [pixels per point] */
  PlgPoint origin; /* the top left corner of the figure in the widget [pixels] */
} PlgCanvasView;
PlgCanvasView plg_canvas_save_view (PlgCanvas *self);
void plg_canvas_restore_view (PlgCanvas *self, PlgCanvasView view);

/* plg_canvas_show_solo_node:
 * @node: a node, or -1 to return to the previous view
 *
 * Enlarges one node to the size of the canvas and dims the other nodes until plg_canvas_fit() is
 * called. If an arrow key moves the focus to another node, that node is shown instead. */
void plg_canvas_show_solo_node (PlgCanvas *self, int node);
/* Returns the node that is shown alone, or -1. */
int plg_canvas_get_solo_node (PlgCanvas *self);
/* Returns the node nearest to a point of the widget, or -1 if the point is outside the widget. */
int plg_canvas_node_at (PlgCanvas *self, double x, double y);
/* Returns the node of the focused GPU, or -1 if there is no document. */
int plg_canvas_focused_node (PlgCanvas *self);
/* Sets whether a click on the frame of a node shows this node alone. If a node is already shown
 * alone, a click on a frame returns to the previous view instead. */
void plg_canvas_set_frame_click_zooms (PlgCanvas *self, gboolean frame_click_zooms);
void plg_canvas_zoom_by (PlgCanvas *self, double factor);
/* Sets the zoom [pixels per point]; 1 is the natural size. */
void plg_canvas_set_zoom (PlgCanvas *self, double zoom);
double plg_canvas_get_zoom (PlgCanvas *self);
/* Returns the visible part of the figure [points] in @view; its width is 0 if the whole figure
 * is visible. */
void plg_canvas_get_view (PlgCanvas *self, PlgRect *view);

/* Selection and highlight ---------------------------------------------------------------------- */

gboolean plg_canvas_is_dragging (PlgCanvas *self);
/* Ignores the entity under the pointer until the pointer moves. */
void plg_canvas_clear_pointer (PlgCanvas *self);
/* Handles the Escape key. Returns FALSE if there is nothing to cancel. */
gboolean plg_canvas_escape (PlgCanvas *self);
/* Selects a GPU, node or link, centres it at a readable zoom, and marks it for a short time. */
void plg_canvas_show_entity (PlgCanvas *self, PlgEntity entity);
/* Ends the highlight but keeps the pins. */
void plg_canvas_clear_highlight (PlgCanvas *self);
/* Returns the GPU whose groups are outlined, or -1. */
int plg_canvas_get_selected (PlgCanvas *self);
void plg_canvas_select (PlgCanvas *self, int gpu);

/* Accessibility -------------------------------------------------------------------------------- */

/* Announces @sentence in the window if the canvas has the focus. %NULL clears the announcement. */
void plg_canvas_announce (PlgCanvas *self, const char *sentence);
/* plg_canvas_set_announcement:
 * @announcement_text: (nullable): the text that assistive technology reads with the focused GPU
 *
 * Called by the announcer (widgets/announcer.h). The text is kept until the focused cell
 * represents another entity, another time is shown or the plan changes. */
void plg_canvas_set_announcement (PlgCanvas *self, const char *announcement_text);
/* Returns the name of @entity (transfer full). */
char *plg_canvas_entity_name (PlgCanvas *self, PlgEntity entity);

/* Rendering ------------------------------------------------------------------------------------ */

/* Fills @options with the options of the figure on screen, so that an export can show the same
 * figure. */
void plg_canvas_get_options (PlgCanvas *self, PlgPictureOptions *options);
/* Shows the step at @time [s], or the whole step if @time is -1. */
void plg_canvas_set_time (PlgCanvas *self, double time);
/* plg_canvas_set_min_text_size:
 * @pixels: the minimum text size; 0 for the usual sizes
 *
 * Enlarges the text in the figure for an audience far from the screen. Text that does not fit at
 * this size is omitted. Tooltips are shown only if they are opened with the keyboard. */
void plg_canvas_set_min_text_size (PlgCanvas *self, double pixels);
PlgPalette plg_canvas_get_palette (PlgCanvas *self);

/* Tests and benchmarks ------------------------------------------------------------------------- */

/* plg_canvas_n_layouts() returns the number of layouts so far. plg_canvas_n_paints() returns the
 * number of frames so far in which tiles were painted. */
guint plg_canvas_n_layouts (PlgCanvas *self);
guint plg_canvas_n_paints (PlgCanvas *self);
/* Returns whether all visible tiles were painted for the current zoom. Tiles that were painted
 * for another zoom are enlarged or reduced. */
gboolean plg_canvas_is_sharp (PlgCanvas *self);
/* Returns the figure on screen, or %NULL if there is no document. */
const PlgFigure *plg_canvas_figure (PlgCanvas *self);
/* Returns the figure of the legend, whose coordinates are in pixels, or %NULL before the first
 * allocation. */
const PlgFigure *plg_canvas_legend_figure (PlgCanvas *self);
/* Converts a point of the figure to a point of the widget. */
void plg_canvas_to_widget (PlgCanvas *self, double x, double y, double *widget_x, double *widget_y);

G_END_DECLS
