/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/paint.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A figure painted as square tiles. During a pan, only the tiles that become visible are
 * painted. After a change of the figure, only the changed tiles are painted. */
typedef struct _PlgTiles PlgTiles;

/* Creates tiles without a figure. @painters: the maximum number of threads that paint */
PlgTiles *plg_tiles_new (int painters) G_GNUC_WARN_UNUSED_RESULT;
void plg_tiles_free (PlgTiles *tiles);

/* Replaces the figure with @figure. */
void plg_tiles_set_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme);
/* Replaces the figure with @figure, which has the same content but is laid out for a different
 * zoom. The old tiles are kept until the new tiles have been painted. */
void plg_tiles_set_zoomed_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme);

typedef struct
{
  double zoom;       /* [pixels per point] */
  int scale;         /* the scale of the screen [device pixels per pixel] */
  PlgPoint origin;   /* the origin of the figure [pixels] */
  int width, height; /* the size of the view [pixels] */
  gboolean may_blur; /* whether tiles of another zoom may be shown enlarged or reduced while the
                        zoom changes */
} PlgTilesView;

/* Adds the visible part of the figure to @snapshot. Returns the number of tiles that were
 * painted. */
int plg_tiles_snapshot (PlgTiles *tiles, GtkSnapshot *snapshot, const PlgTilesView *view);

/* Returns whether all tiles in the last snapshot had been painted for the zoom of that snapshot. */
gboolean plg_tiles_are_sharp (const PlgTiles *tiles);
/* Returns whether the next snapshot would be sharper than the last one. */
gboolean plg_tiles_can_sharpen (const PlgTiles *tiles);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgTiles, plg_tiles_free)

G_END_DECLS
