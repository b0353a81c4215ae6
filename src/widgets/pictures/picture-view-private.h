/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/charts/order-comparison.h"
#include "widgets/pictures/picture-view.h"
#include "widgets/rendering/surface.h"

G_BEGIN_DECLS

struct _PlgPictureView
{
  GtkWidget parent_instance;

  PlgDocument *document;
  char *palette;
  PlgPicture picture;

  PlgTheme theme;
  PlgFigure *figure;
  PlgSurfacePool *surface_pool;
  GskRenderNode *node;
  int painted_scale;          /* pixels a point of the node */
  PlgOrderComparison *orders; /* of a comparison, once something of the other side was pointed at */
  int laid_out_width;
  int height; /* that the figure needs at this width */
  char *description;
  guint notify_id;
  double moment; /* -1: none */
  PlgTimelineSpan span;
  int collective;
  int rank;
  int frame;
  PlgEntity marked_entity;
  char *title; /* what it is called, and what is said of it; or NULL */
  char *announcement;
  gboolean has_other_order;
  PlgAxis other_order[PLG_N_NESTED_AXES];
  PlgRange nodes;
  PlgRange columns;
};

/* What of the plan the picture is of. */
void plg_picture_view_fill_options (PlgPictureView *self, PlgPictureOptions *options);

/* picture-view-tell.c: what the picture is called and described as from now on. */
void
plg_picture_view_set_description (PlgPictureView *self, const char *title, const char *description);
gboolean plg_picture_view_query_tooltip (PlgPictureView *self,
                                         int x,
                                         int y,
                                         gboolean keyboard,
                                         GtkTooltip *tooltip);

G_END_DECLS
