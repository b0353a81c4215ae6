/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/schedule/snapshot.h"
#include "widgets/canvas/canvas.h"
#include "widgets/pictures/minimap.h"
#include "widgets/rendering/tiles.h"

G_BEGIN_DECLS

/* The figures of the canvas (cluster, legend and minimap) and the time that these figures show.
 * Files: canvas-rendering.c, canvas-figure.c, canvas-snapshot.c, canvas-minimap.c,
 * canvas-playback.c. */

typedef struct
{
  char *palette; /* the name of the palette, or NULL */
  PlgTheme theme;
  double min_text_size; /* the minimum text size [pixels]; 0 for the usual text sizes */

  PlgFigure *figure;
  double figure_zoom;  /* the zoom for which the figure is laid out; usually from
                          plg_cluster_layout_zoom_step() */
  PlgRect figure_part; /* the part of the cluster in the figure; width 0 for the whole cluster */
  gboolean figure_has_highlight; /* whether the figure dims entities because a highlighted entity is
                                 visible */
  gboolean is_figure_changed;    /* whether the content of the figure differs from the content of
                                 the tiles */
  PlgTiles *tiles;
  double tiles_zoom; /* the value of figure_zoom for the figure that the tiles show */
  guint sharpen_tick_id;
  guint n_layouts;
  guint n_paints;

  PlgFigure *legend;
  double legend_zoom; /* the canvas zoom for which the legend was laid out; 0 if the legend is
                         outdated */
  PlgTiles *legend_tiles;

  PlgMinimap *minimap;
  gboolean has_minimap_figure; /* whether the figure of the minimap shows the current plan */
  /* whether to show the minimap; FALSE during a drag, while a node is shown alone, and if almost
   * all of the cluster is visible */
  gboolean is_minimap_needed;
  gboolean is_minimap_stale; /* whether the minimap must be updated when the timeout expires */
  guint minimap_timeout_id;
  int minimap_corner; /* the corner of the minimap: left if bit 0 is set, top if bit 1 is set */

  double time;                /* time in the step [s]; -1 for the whole step */
  PlgSnapshot *step_snapshot; /* the state of the step at TIME, or NULL */
} PlgCanvasRendering;

/* canvas-rendering.c */
void plg_canvas_init_rendering (PlgCanvas *self);
void plg_canvas_dispose_rendering (PlgCanvas *self);
void plg_canvas_finalize_rendering (PlgCanvas *self);

/* Discards the figure and queues an allocation. Each frame lays out a figure only once, even if
 * the figure is discarded several times. */
void plg_canvas_invalidate (PlgCanvas *self);
/* Discards the figure after a change that moves nothing in the figure, so that no allocation is
 * needed. */
void plg_canvas_invalidate_figure (PlgCanvas *self);
/* Discards the figure but does not queue an allocation or a redraw. Used during an allocation. */
void plg_canvas_drop_figure (PlgCanvas *self);
/* Discards all figures after a change of the palette or the theme. */
void plg_canvas_update_theme (PlgCanvas *self);
void plg_canvas_set_palette (PlgCanvas *self, const char *palette);
const char *plg_canvas_palette (PlgCanvas *self);
double plg_canvas_min_text_size (PlgCanvas *self);

gboolean plg_canvas_has_figure (PlgCanvas *self);
/* Returns the height of the canvas above the legend [pixels]. */
int plg_canvas_free_height (PlgCanvas *self);
/* Returns the height above the legend in a canvas with a height of @height pixels. */
int plg_canvas_free_height_of (PlgCanvas *self, int height);
int plg_canvas_legend_height (PlgCanvas *self);

/* canvas-figure.c */
void plg_canvas_ensure_figure (PlgCanvas *self);
void plg_canvas_ensure_legend (PlgCanvas *self, int width);
/* Returns the entity in the cluster or the legend at a point of the widget. */
PlgEntity plg_canvas_entity_at (PlgCanvas *self, double x, double y);

/* canvas-snapshot.c */
void plg_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);

/* canvas-minimap.c */
void plg_canvas_add_minimap (PlgCanvas *self);
void plg_canvas_allocate_minimap (PlgCanvas *self, int width, int height);
/* Discards the figure of the minimap after a change in the plan. */
void plg_canvas_drop_minimap_figure (PlgCanvas *self);
/* Updates the minimap to the time that the canvas shows, at most ten times per second. */
void plg_canvas_update_minimap_time (PlgCanvas *self);

/* canvas-playback.c */
gboolean plg_canvas_is_playing_step (PlgCanvas *self);
double plg_canvas_time (PlgCanvas *self);
/* Returns whether the figures already show @time [s]. */
gboolean plg_canvas_shows_time (PlgCanvas *self, double time);
/* Shows @time [s], or the whole step if @time is -1. Returns FALSE if the figures do not change
 * because no event occurs between the old time and @time. */
gboolean plg_canvas_set_step_time (PlgCanvas *self, double time);
/* Discards the snapshot, which is valid for only one report. */
void plg_canvas_clear_step_snapshot (PlgCanvas *self);
/* Returns the activity of @gpu at the current time (transfer full), or %NULL. */
char *plg_canvas_gpu_activity (PlgCanvas *self, int gpu);

G_END_DECLS
