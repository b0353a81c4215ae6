/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/paint.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A figure as painted square tiles. A pan paints only the tiles that come into sight, and a new
 * figure only the tiles that differ. */
typedef struct _PlgTiles PlgTiles;

/* @painters: the largest number of threads that paint */
PlgTiles *plg_tiles_new (int painters) G_GNUC_WARN_UNUSED_RESULT;
void plg_tiles_free (PlgTiles *tiles);

/* Shows @figure from now on. */
void plg_tiles_set_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme);
/* Shows the same content at another zoom. The old tiles stay until the new ones are painted. */
void plg_tiles_set_zoomed_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme);

typedef struct
{
  double zoom;       /* [pixels per point] */
  int scale;         /* [device pixels per pixel] */
  PlgPoint origin;   /* for the figure [pixels] */
  int width, height; /* [pixels] */
  gboolean may_blur; /* during a zoom, tiles of another zoom may be shown enlarged or reduced */
} PlgTilesView;

/* Shows the figure. Returns the number of tiles that were painted. */
int plg_tiles_snapshot (PlgTiles *tiles, GtkSnapshot *snapshot, const PlgTilesView *view);

/* Whether all tiles of the last snapshot were painted for its zoom. */
gboolean plg_tiles_are_sharp (const PlgTiles *tiles);
/* Whether the next snapshot would be sharper. */
gboolean plg_tiles_can_sharpen (const PlgTiles *tiles);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgTiles, plg_tiles_free)

G_END_DECLS
