/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/charts/chart.h"
#include "drawing/charts/collective-window.h"

G_BEGIN_DECLS

/* What a picture of one collective is about and says, whether drawn or in letters. Columns are
 * those drawn, members all. */
typedef struct
{
  PlgChart chart;
  const PlgPlan *plan;
  const PlgCollective *row;
  PlgCollectiveSteps collective_steps;
  const PlgReport *report;
  int index;    /* of the collective */
  int rank;     /* whose group it is */
  GArray *gpus; /* int: the members */
  int step;     /* steps that are done */
  int own;      /* which member that rank is; 0 where it is none */
  PlgCollectiveWindow window;
  double pitch; /* from column to column */
  double top;   /* of the table */
} PlgCollectivePicture;

/* FALSE where no group has two members. Sets all but the chart and what depends on it; the caller
 * unrefs GPUS. */
gboolean plg_collective_picture_find (PlgCollectivePicture *picture,
                                      const PlgReport *report,
                                      const PlgPictureOptions *options);
int plg_collective_picture_gpu (const PlgCollectivePicture *picture, int member);
int plg_collective_picture_node_of (const PlgCollectivePicture *picture, int member);
int plg_collective_picture_node (const PlgCollectivePicture *picture, int column);
gboolean plg_collective_picture_has_all (const PlgCollectivePicture *picture);
/* Whether MEMBER has got CHUNK in the step that is shown. */
gboolean
plg_collective_picture_is_received (const PlgCollectivePicture *picture, int member, int chunk);
char *plg_collective_picture_title (const PlgCollectivePicture *picture);
char *plg_collective_picture_row_name (const PlgCollectivePicture *picture, int chunk);
/* "96 calls a step, predicted 1.2 ms each", or that the rank's stage never runs it. */
char *plg_collective_picture_calls (const PlgCollectivePicture *picture, gboolean *is_run);
/* How it is drawn and where that is from. Array of char *. */
GPtrArray *plg_collective_picture_notes (const PlgCollectivePicture *picture);

G_END_DECLS
