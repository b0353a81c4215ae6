/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/charts/chart.h"
#include "drawing/charts/collective-window.h"

G_BEGIN_DECLS

/* The content of a picture of one collective, either as a figure or as monospace text. A member
 * is an index among all members of the group; a column is an index among the members in the
 * window. */
typedef struct
{
  PlgChart chart;
  const PlgPlan *plan;
  const PlgCollective *row;
  PlgCollectiveSteps collective_steps;
  const PlgReport *report;
  int index;    /* index of the collective in the report */
  int rank;     /* rank whose group is shown */
  GArray *gpus; /* GPU (int) of each member; owned */
  int step;     /* number of completed steps */
  int own;      /* index of the member that is RANK; 0 if RANK is not a member */
  PlgCollectiveWindow window;
  double pitch; /* distance between columns */
  double top;   /* top of the table */
} PlgCollectivePicture;

/* Sets all fields except CHART, PITCH and TOP. Returns FALSE if no group has two members. The
 * caller unrefs GPUS in both cases. */
gboolean plg_collective_picture_find (PlgCollectivePicture *picture,
                                      const PlgReport *report,
                                      const PlgPictureOptions *options);
int plg_collective_picture_gpu (const PlgCollectivePicture *picture, int member);
int plg_collective_picture_node_of (const PlgCollectivePicture *picture, int member);
int plg_collective_picture_node (const PlgCollectivePicture *picture, int column);
/* Returns whether the window contains all members. */
gboolean plg_collective_picture_has_all (const PlgCollectivePicture *picture);
/* Returns whether MEMBER receives CHUNK in the step shown. */
gboolean
plg_collective_picture_is_received (const PlgCollectivePicture *picture, int member, int chunk);
char *plg_collective_picture_title (const PlgCollectivePicture *picture);
char *plg_collective_picture_row_name (const PlgCollectivePicture *picture, int chunk);
/* Returns a text such as "96 calls per step, predicted 1.2 ms each", or a message that the stage
 * of the rank never runs the collective. Sets IS_RUN to whether the stage runs the collective. */
char *plg_collective_picture_calls (const PlgCollectivePicture *picture, gboolean *is_run);
/* Returns: (transfer container) (element-type utf8): notes on how the collective is drawn, and the
 * sources. */
GPtrArray *plg_collective_picture_notes (const PlgCollectivePicture *picture);

G_END_DECLS
