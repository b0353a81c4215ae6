/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/orders.h"
#include "widgets/picture-view.h"
#include "widgets/slate.h"

G_BEGIN_DECLS

struct _PlgPictureView
{
  GtkWidget parent_instance;

  PlgDocument *document;
  char *palette;
  PlgPicture picture;

  PlgTheme theme;
  PlgFigure *figure;
  PlgSlateRack *rack;
  GskRenderNode *node;
  int painted_scale; /* pixels a point of the node */
  PlgOrders *orders; /* of a comparison, once something of the other side was pointed at */
  int laid_out_width;
  int height; /* that the figure needs at this width */
  char *description;
  guint notify_id;
  double moment; /* -1: none */
  PlgTimelineSpan span;
  int collective;
  int rank;
  int frame;
  PlgThing marked;
  char *title; /* what it is called, and what is said of it; or NULL */
  char *said;
  gboolean has_other_order;
  PlgAxis other_order[PLG_N_NESTED_AXES];
  PlgRange nodes;
  PlgRange columns;
};

/* What of the plan the picture is of. */
void plg_picture_view_set_choice (PlgPictureView *self, PlgPictureOptions *options);

/* picture-view-tell.c: what the picture is called and described as from now on. */
void plg_picture_view_take_description (PlgPictureView *self,
                                        const char *title,
                                        const char *description);
gboolean plg_picture_view_query_tooltip (PlgPictureView *self,
                                         int x,
                                         int y,
                                         gboolean keyboard,
                                         GtkTooltip *tooltip);

G_END_DECLS
