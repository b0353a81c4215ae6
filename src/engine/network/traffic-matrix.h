/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The bytes from GPU to GPU in a step, on the paths that link-load.h models. A ring sends from node
 * to node in the order of ranks, with as many channels as the larger of two nodes has members, and
 * evenly to all other members inside a node; an all-to-all sends between all pairs, and messages go
 * from stage to stage.
 *
 * A row adds up to the bytes that the GPU sends: bytes_sent in the report's calls of its stage. */

/* The range of GPUs in the rows and columns of a matrix. */
typedef struct
{
  PlgRange senders;   /* GPUs in the rows */
  PlgRange receivers; /* GPUs in the columns */
  int gpus_each;      /* consecutive GPUs per row and column; 1 or more */
} PlgTrafficMatrixWindow;

int plg_traffic_matrix_rows (const PlgTrafficMatrixWindow *window);
int plg_traffic_matrix_columns (const PlgTrafficMatrixWindow *window);

/* plg_traffic_matrix_add:
 * @report: the report of @plan, with links
 * @collective: an index in the report's collectives
 * @matrix: rows × columns, in row-major order
 *
 * Adds the bytes of a collective between the GPUs of @window to @matrix.
 */
void plg_traffic_matrix_add (const PlgPlan *plan,
                             const PlgReport *report,
                             int collective,
                             const PlgTrafficMatrixWindow *window,
                             double *matrix);

G_END_DECLS
