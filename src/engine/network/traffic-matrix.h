/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* Who sends how much to whom in a step: the collectives' bytes from GPU to GPU, on the ways that
 * traffic.h walks. A ring sends from node to node in the order of ranks, in as many channels as the
 * larger of two nodes has members, and within a node to all other members alike; an all-to-all
 * from each to each; messages from stage to stage. So a row adds up to what the GPU sends, its
 * bytes_sent in the report's calls of its stage.
 *
 * A window says which of the cluster's GPUs are the rows and columns of a matrix. */
typedef struct
{
  PlgRange senders;   /* GPUs: the rows */
  PlgRange receivers; /* the columns */
  int gpus_each;      /* that follow each other and are one row, or one column; 1 or more */
} PlgTrafficMatrixWindow;

int plg_traffic_matrix_rows (const PlgTrafficMatrixWindow *window);
int plg_traffic_matrix_columns (const PlgTrafficMatrixWindow *window);

/* Adds the bytes of COLLECTIVE between the GPUs in WINDOW to MATRIX, rows times columns, row by
 * row. REPORT must be one of PLAN with links. */
void plg_traffic_matrix_add (const PlgPlan *plan,
                             const PlgReport *report,
                             int collective,
                             const PlgTrafficMatrixWindow *window,
                             double *matrix);

G_END_DECLS
