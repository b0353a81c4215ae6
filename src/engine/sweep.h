/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* The MFU of a plan with its replicas on more or fewer nodes of the same cluster. In weak
 * scaling every replica keeps its share of the batch, so the batch grows with the cluster. In
 * strong scaling the global batch is constant, and each replica has less to do. Gustafson,
 * "Reevaluating Amdahl's law", CACM 31 (1988). */
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
 * @points: (out): the points sorted by number of GPUs: one node, then twice as many with each
 *   point; includes the plan's own number of GPUs
 *
 * Evaluates about twenty plans.
 *
 * Returns: the number of points, at most %PLG_SWEEP_MAX */
int plg_sweep (const PlgPlan *plan, PlgSweepPoint points[PLG_SWEEP_MAX]);

G_END_DECLS
