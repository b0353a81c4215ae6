/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-layout.h"
#include "drawing/figure/activity.h"
#include "drawing/figure/legend.h"

G_BEGIN_DECLS

/* The state of the cluster picture while it is drawn. */
typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  const PlgTheme *theme;
  const PlgPictureOptions *options;
  PlgFigure *figure; /* owned by the caller; plg_cluster_drawing_clear() does not free it */
  PlgClusterLayout layout;
  int gpus;
  int *rank_of_gpu;         /* rank of each GPU; -1 for a GPU without a rank */
  guint8 *highlighted_gpu;  /* for each GPU, the axes for which it is highlighted, as bits 1 <<
                               PlgAxis, or 0 if the GPU is dimmed; NULL if nothing is highlighted */
  guint8 *highlighted_link; /* for each link in the report, nonzero if the link is highlighted;
                               NULL if nothing is highlighted */
  PlgSnapshot *moment;      /* the moment of the step that the picture shows; NULL for the whole
                               step */
  guint8 *active_link;      /* for each link in the report, nonzero if the link is active at
                               MOMENT; NULL if MOMENT is NULL */
  PlgLinkScale scale;
  PlgLinkWidths widths;
  GArray *tabs; /* tabs (PlgClusterGroupTab) that show the names of groups and must not be
                   covered; NULL if there are none */
} PlgClusterDrawing;

void plg_cluster_drawing_init (PlgClusterDrawing *drawing,
                               const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options);
/* Frees everything except the figure. */
void plg_cluster_drawing_clear (PlgClusterDrawing *drawing);

/* Returns whether lines and boxes are drawn smaller because GPUs are small. */
gboolean plg_cluster_is_small (const PlgClusterDrawing *drawing);
/* Returns whether the view on the screen is zoomed out so far that details are left out. */
gboolean plg_cluster_has_low_detail (const PlgClusterDrawing *drawing);
/* Returns whether shapes are added without ids, classes and titles. This is the case on the
 * screen, because creating these strings takes longer than drawing the shapes. In figures for
 * export, shapes always have them. */
gboolean plg_cluster_is_without_ids (const PlgClusterDrawing *drawing);
/* plg_cluster_legible_length:
 * @points: a length at natural size [points]
 * @most: upper limit of the result [points]
 *
 * Returns: @points, enlarged so that the length looks the same when the view is zoomed out, but
 *   at most @most */
double plg_cluster_legible_length (const PlgClusterDrawing *drawing, double points, double most);
/* Returns the minimum size of text [points]; 0 if there is no minimum. */
double plg_cluster_min_text_size (const PlgClusterDrawing *drawing);
/* Returns whether NODE is in the visible part of the picture. */
gboolean plg_cluster_shows_node (const PlgClusterDrawing *drawing, int node);

/* Adds the legend below the cluster or to its right. */
void plg_cluster_add_legend (PlgClusterDrawing *drawing);

G_END_DECLS
