/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* The plan with its replicas on more or fewer nodes of the same cluster: what becomes of MFU. Two
 * experiments go by the name of scaling. In weak scaling every replica keeps its share of the
 * batch, which grows with the cluster; in strong scaling the global batch stays, and each replica
 * has less to do. Gustafson, "Reevaluating Amdahl's law", CACM 31 (1988). */
typedef struct
{
  int gpus;
  double weak;   /* MFU; NaN: there is no such plan, or it does not fit */
  double strong; /* likewise */
} PlgSweepPoint;

#define PLG_SWEEP_MAX 24
/* As far as this, or as the plan itself. */
#define PLG_SWEEP_GPUS 1024

/* Fills POINTS by the number of GPUs, which doubles from that of a node on; the plan's own is among
 * them. Returns how many there are, at most PLG_SWEEP_MAX. PLAN must be one that plg_plan_check()
 * passes. Evaluates about twenty plans. */
int plg_sweep (const PlgPlan *plan, PlgSweepPoint points[PLG_SWEEP_MAX]);

G_END_DECLS
