/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"
#include "drawing/figure/search-picture.h"

G_BEGIN_DECLS

/* A scatter plot of plans: one dot per plan, at its values of two metrics. */

/* The largest number of colours and shapes of dots. */
#define PLG_MAX_DOT_CLASSES 8

/* The plot area and its scales, for hit tests. */
typedef struct
{
  PlgRect area;
  double first[2]; /* values at the left and at the lower edge */
  double last[2];  /* values at the right and at the upper edge */
} PlgSearchScale;

/* plg_search_figure:
 * @scale: (out) (optional): the plot area
 *
 * Draws PICTURE with the width and height of @options. A dot that covers another dot of the same
 * kind is drawn once. A figure that is not embedded has a title, the settings of the best plan and
 * the numbers of plans too.
 *
 * Returns: (transfer full): the figure */
PlgFigure *plg_search_figure (const PlgSearchPicture *picture,
                              const PlgTheme *theme,
                              const PlgPictureOptions *options,
                              PlgSearchScale *scale) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the position of a plan with these values in the figure [points]. */
PlgPoint plg_search_scale_point (const PlgSearchScale *scale, const double value[2]);
/* Returns the index of the dot nearest to (X, Y), or -1 if none is within REACH [points]. */
int plg_search_picture_find (const PlgSearchPicture *picture,
                             const PlgSearchScale *scale,
                             double x,
                             double y,
                             double reach);

G_END_DECLS
