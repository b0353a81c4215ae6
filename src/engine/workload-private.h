/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/workload.h"

G_BEGIN_DECLS

/* Whether the model has such layers; ends it always has. */
gboolean plg_plan_has_piece (const PlgPlan *plan, PlgPiece piece);

/* workload-demands.c: the collectives of TP, CP, EP and DP. WORKLOAD has its kernels and the room
 * beside them, of which they take what hides them. */
void plg_workload_add_collectives (PlgWorkload *workload);

G_END_DECLS
