/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report.h"

G_BEGIN_DECLS

/* Who sends how much to whom in a step: the collectives' bytes from GPU to GPU, on the ways that
 * traffic.h walks. A ring sends from node to node in the order of ranks, in as many channels as the
 * larger of two nodes has members, and within a node to all other members alike; an all-to-all
 * from each to each; messages from stage to stage. So a row adds up to what the GPU sends, its
 * bytes_sent in the report's calls of its stage.
 *
 * Adds the bytes of COLLECTIVE to MATRIX, ITEMS x ITEMS, row by row: sender times ITEMS plus
 * receiver, where an item is GPUS_EACH GPUs that follow each other. REPORT must be one of PLAN with
 * links. */
void plg_exchange_add (const PlgPlan *plan,
                       const PlgReport *report,
                       int collective,
                       int gpus_each,
                       int items,
                       double *matrix);

G_END_DECLS
