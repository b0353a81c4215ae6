/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The bytes sent per step from GPU to GPU, on the paths that link-load.h models. In a ring, each
 * node sends to the next node in rank order. Each member of a node sends to one member of the
 * next node or, if the nodes have different numbers of members, equal parts to all of them.
 * Inside a node, each member sends equal parts to all other members. In an all-to-all, every
 * pair exchanges messages. Pipeline messages go from stage to stage.
 *
 * Over all collectives, the bytes in the row of a GPU add up to the bytes that the GPU sends per
 * step: the sum of bytes_sent over all PlgStageCalls of its stage. */

/* The GPUs that the rows and columns of a matrix show. */
typedef struct
{
  PlgRange senders;   /* the GPUs in the rows */
  PlgRange receivers; /* the GPUs in the columns */
  int gpus_each;      /* number of consecutive GPUs per row and column, 1 or more */
} PlgTrafficMatrixWindow;

int plg_traffic_matrix_rows (const PlgTrafficMatrixWindow *window);
int plg_traffic_matrix_columns (const PlgTrafficMatrixWindow *window);

/* plg_traffic_matrix_add:
 * @report: the report of @plan, which must contain links
 * @collective: an index in the report's collectives
 * @matrix: rows × columns, in row-major order
 *
 * Adds the bytes of a collective between the GPUs of @window to @matrix. */
void plg_traffic_matrix_add (const PlgPlan *plan,
                             const PlgReport *report,
                             int collective,
                             const PlgTrafficMatrixWindow *window,
                             double *matrix);

G_END_DECLS
