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

  /* The options of the picture, as in PlgPictureOptions. */
  double moment; /* [s]; -1: none */
  int collective;
  int rank;
  int frame;
  gboolean has_other_order;
  PlgAxis other_order[PLG_N_NESTED_AXES];
  PlgRange nodes;
  PlgRange columns;

  PlgTheme theme;
  PlgFigure *figure;
  PlgTimelineSpan span; /* the part of the step in a timeline */
  int laid_out_width;   /* for the figure [pixels] */
  int height;           /* for the figure [points] */
  PlgSurfacePool *surface_pool;
  GskRenderNode *node;
  int painted_scale;          /* for the node [device pixels per pixel] */
  PlgOrderComparison *orders; /* a cache for the entities of a comparison, or NULL */

  char *title;
  char *description;
  char *announcement;
  guint notify_idle_id;
  PlgEntity marked_entity;
};

/* Sets the options that the view holds. */
void plg_picture_view_fill_options (PlgPictureView *self, PlgPictureOptions *options);

/* picture-view-accessibility.c */

/* Sets the title and the description of the picture from now on. */
void
plg_picture_view_set_description (PlgPictureView *self, const char *title, const char *description);
gboolean plg_picture_view_query_tooltip (PlgPictureView *self,
                                         int x,
                                         int y,
                                         gboolean is_keyboard,
                                         GtkTooltip *tooltip);

G_END_DECLS
