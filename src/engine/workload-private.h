/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/workload.h"

G_BEGIN_DECLS

/* Adds the collectives of TP, CP, EP and DP (workload-collectives.c). The kernels and overlap
 * budgets of WORKLOAD must be set. Hidden collectives reduce the overlap budgets. */
void plg_workload_add_collectives (PlgWorkload *workload);

G_END_DECLS
