/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/figure/pictures.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The cluster, drawn and shaped by hand. Pointer and keys become edits of the document; all that
 * is drawn comes from the figure of drawing/pictures.h.
 *
 * Properties: "document", "time" (seconds, -1: the whole step), "palette" (a name, or
 * "automatic"), "zoom" (points to pixels, read only) and "zoom-text". Signal "refused" (message):
 * an edit that could not be; "announced" (message): what an edit that was made means. */
#define PLG_TYPE_CANVAS (plg_canvas_get_type ())
G_DECLARE_FINAL_TYPE (PlgCanvas, plg_canvas, PLG, CANVAS, GtkWidget)

GtkWidget *plg_canvas_new (void);

void plg_canvas_fit (PlgCanvas *self);
/* What is in sight, to come back to it. */
typedef struct
{
  gboolean fit;
  double zoom;
  PlgPoint origin;
} PlgCanvasView;
PlgCanvasView plg_canvas_save_view (PlgCanvas *self);
void plg_canvas_restore_view (PlgCanvas *self, PlgCanvasView view);
/* One node as large as the canvas, all else faded out of view, until the whole is fitted again; -1:
 * back to what was in sight before. Arrows that leave the node take it along. */
void plg_canvas_show_solo_node (PlgCanvas *self, int node);
int plg_canvas_get_solo_node (PlgCanvas *self); /* -1: none */
/* The node at or nearest to a point of the widget, -1 outside of it; and of the focused GPU. */
int plg_canvas_node_at (PlgCanvas *self, double x, double y);
int plg_canvas_focused_node (PlgCanvas *self);
/* Whether a click on the frame of a node shows it alone, or all again. */
void plg_canvas_set_frame_click_zooms (PlgCanvas *self, gboolean frame_click_zooms);
gboolean plg_canvas_is_dragging (PlgCanvas *self);
/* The pointer is on nothing until it moves. */
void plg_canvas_clear_pointer (PlgCanvas *self);
/* What Escape does; FALSE: there was nothing to give up. */
gboolean plg_canvas_escape (PlgCanvas *self);
void plg_canvas_zoom_by (PlgCanvas *self, double factor);
/* Points to pixels: 1 is the natural size. */
void plg_canvas_set_zoom (PlgCanvas *self, double zoom);
double plg_canvas_get_zoom (PlgCanvas *self);

/* Selects a GPU, node or link, brings it into the middle, large enough to be read, and marks it for
 * a moment. */
void plg_canvas_show_entity (PlgCanvas *self, PlgEntity entity);
/* What is lit is so no longer; pins stay. */
void plg_canvas_clear_highlight (PlgCanvas *self);
/* SENTENCE says what has just been done, as news of the window where the focus is on the canvas;
 * NULL: nothing. */
void plg_canvas_announce (PlgCanvas *self, const char *sentence);
/* For widgets/news.h: assistive technology hears NEWS with the GPU that has the focus, until that
 * stands for something else, another moment is shown or the plan becomes another; NULL: none. */
void plg_canvas_set_announcement (PlgCanvas *self, const char *announcement_text);
/* What it is called, in words; g_free(). */
char *plg_canvas_entity_name (PlgCanvas *self, PlgEntity entity);

/* What is drawn now, for exports that equal the screen. */
void plg_canvas_get_options (PlgCanvas *self, PlgPictureOptions *options);

/* The second of the step that is shown, or -1: the whole step. */
void plg_canvas_set_time (PlgCanvas *self, double time);

/* Pixels: texts are at least as large, for who sits far away, and those without room for that are
 * not shown; no tooltip but by the keyboard. 0: the usual sizes. */
void plg_canvas_set_min_text_size (PlgCanvas *self, double pixels);

/* The palette that it is drawn in. */
PlgPalette plg_canvas_get_palette (PlgCanvas *self);
/* The part of the figure that is in sight; a width of 0 where all of it is. */
void plg_canvas_get_view (PlgCanvas *self, PlgRect *view);
/* The GPU whose groups are outlined, or -1. */
int plg_canvas_get_selected (PlgCanvas *self);
void plg_canvas_select (PlgCanvas *self, int gpu);

/* How often the figure was laid out and painted, for tests and benchmarks. */
guint plg_canvas_n_layouts (PlgCanvas *self);
guint plg_canvas_n_paints (PlgCanvas *self);
/* FALSE while a zoom goes on, and until all is painted for what it came to. */
gboolean plg_canvas_is_sharp (PlgCanvas *self);

/* The figure on screen and where a point of it is in the widget, for tests. */
const PlgFigure *plg_canvas_figure (PlgCanvas *self);
/* The legend below it, in pixels; NULL before the first allocation. */
const PlgFigure *plg_canvas_legend_figure (PlgCanvas *self);
void plg_canvas_to_widget (PlgCanvas *self, double x, double y, double *widget_x, double *widget_y);

G_END_DECLS
