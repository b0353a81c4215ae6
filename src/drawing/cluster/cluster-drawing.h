/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-layout.h"
#include "drawing/figure/activity.h"
#include "drawing/figure/legend.h"

G_BEGIN_DECLS

/* The picture of the cluster while it is drawn. */
typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  const PlgTheme *theme;
  const PlgPictureOptions *options;
  PlgFigure *figure; /* owned by the caller of plg_cluster_drawing_clear() */
  PlgClusterLayout layout;
  int gpus;
  int *rank_of_gpu;         /* -1 for a GPU without a rank */
  guint8 *highlighted_gpu;  /* bits 1 << PlgAxis of each GPU, 0 if the GPU is dimmed; NULL if
                               nothing is highlighted */
  guint8 *highlighted_link; /* one value per link of the report, or NULL */
  PlgSnapshot *moment;      /* NULL for the whole step */
  guint8 *active_link;      /* with a moment: one value per link of the report */
  PlgLinkScale scale;
  PlgLinkWidths widths;
  GArray *tabs; /* PlgClusterGroupTab, which nothing may cover; or NULL */
} PlgClusterDrawing;

void plg_cluster_drawing_init (PlgClusterDrawing *drawing,
                               const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options);
/* Frees everything but the figure. */
void plg_cluster_drawing_clear (PlgClusterDrawing *drawing);

/* Whether lines and boxes are drawn smaller because GPUs are small. */
gboolean plg_cluster_is_small (const PlgClusterDrawing *drawing);
/* Whether the screen is zoomed out so far that details are left out. */
gboolean plg_cluster_has_low_detail (const PlgClusterDrawing *drawing);
/* Whether shapes get no ids, classes and titles: on the screen, since making them takes longer than
 * drawing. Files have them at any zoom. */
gboolean plg_cluster_is_without_ids (const PlgClusterDrawing *drawing);
/* plg_cluster_legible_length:
 * @points: a length at natural size [points]
 * @most: upper limit of the result [points]
 *
 * Returns: the length that looks like @points at natural size however far the view is zoomed out
 */
double plg_cluster_legible_length (const PlgClusterDrawing *drawing, double points, double most);
/* The least size of every text [points]; 0 if there is no limit. */
double plg_cluster_min_text_size (const PlgClusterDrawing *drawing);
/* Whether NODE lies in the visible part. */
gboolean plg_cluster_shows_node (const PlgClusterDrawing *drawing, int node);

/* Adds the legend below or beside the cluster. */
void plg_cluster_add_legend (PlgClusterDrawing *drawing);

G_END_DECLS
