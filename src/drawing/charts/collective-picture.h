/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/charts/chart.h"
#include "drawing/charts/collective-window.h"

G_BEGIN_DECLS

/* The content of a picture of one collective, which is drawn as a figure or as monospace text. A
 * member is an index in the whole group, and a column is an index in the window of visible
 * members. */
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
  int own;      /* index of the member with rank RANK; 0 if no member has this rank */
  PlgCollectiveWindow window;
  double pitch; /* distance between columns */
  double top;   /* y of the first row of cells */
} PlgCollectivePicture;

/* Sets all fields except CHART, PLAN, PITCH and TOP. PLAN must already be set. Returns FALSE if
 * the report contains no collective, if GPUs have no ranks, or if the group has only one member.
 * The caller must unref GPUS even then, unless it is still NULL. */
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
/* Returns a sentence such as "96 calls per step, predicted 1.2 ms each", or a sentence that says
 * that the rank's stage never runs the collective. Sets IS_RUN to whether the stage runs it. */
char *plg_collective_picture_calls (const PlgCollectivePicture *picture, gboolean *is_run);
/* Returns: (transfer container) (element-type utf8): footnotes that explain the drawing, say
 *   which members are left out, and name the sources. */
GPtrArray *plg_collective_picture_notes (const PlgCollectivePicture *picture);

G_END_DECLS
