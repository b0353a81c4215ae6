/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* The MFU of a plan on more or fewer nodes of the same kind, with the number of replicas that
 * fills them. In weak scaling every replica keeps its share of the batch, so the batch grows
 * with the cluster. In strong scaling the global batch is constant, so each replica works on
 * fewer sequences as the cluster grows. Gustafson, "Reevaluating Amdahl's law", CACM 31 (1988). */
typedef struct
{
  int gpus;
  double weak;   /* MFU; NaN if the plan is invalid or does not fit */
  double strong; /* MFU; NaN if the plan is invalid or does not fit */
} PlgSweepPoint;

#define PLG_SWEEP_MAX 24
/* The number of GPUs at which the sweep ends. If the plan has more GPUs, the sweep ends at the
 * plan's number of GPUs. */
#define PLG_SWEEP_GPUS 1024

/* plg_sweep:
 * @plan: a plan that passes plg_plan_check()
 * @points: (out): the points, sorted by number of GPUs. The sweep starts with one node and
 *   doubles the number of nodes for each point. It also includes the plan's own number of nodes.
 *
 * Evaluates about twenty plans.
 *
 * Returns: the number of points, at most %PLG_SWEEP_MAX */
int plg_sweep (const PlgPlan *plan, PlgSweepPoint points[PLG_SWEEP_MAX]);

G_END_DECLS
