/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/paint.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A figure, painted in square tiles that are kept. To move it costs nothing but the tiles that come
 * into sight, and another figure only those where it differs. */
typedef struct _PlgTiles PlgTiles;

/* At most so many threads paint. */
PlgTiles *plg_tiles_new (int painters);
void plg_tiles_free (PlgTiles *tiles);

/* What is to be seen from now on. */
void plg_tiles_set_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme);
/* The same seen from nearer or further away: what is painted stays until the other is. */
void plg_tiles_set_zoomed_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme);

typedef struct
{
  double zoom; /* pixels a point */
  int scale;   /* pixels of the screen a pixel */
  PlgPoint origin;
  int width, height; /* pixels */
  /* A zoom goes on: what was painted for another is shown enlarged or reduced, for a moment. */
  gboolean may_blur;
} PlgTilesView;

/* Shows it. Returns how many tiles were painted. */
int plg_tiles_snapshot (PlgTiles *tiles, GtkSnapshot *snapshot, const PlgTilesView *view);

/* Whether what was shown last is all painted for its zoom. */
gboolean plg_tiles_are_sharp (const PlgTiles *tiles);
/* Whether the next snapshot would make it sharper. */
gboolean plg_tiles_can_sharpen (const PlgTiles *tiles);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgTiles, plg_tiles_free)

G_END_DECLS
