/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/sweep.h"

#include "engine/evaluate.h"
#include "plan/settings/setting.h"

#include <math.h>

/* The plan of a sweep, the size of its replicas, and each replica's part of the plan's global
 * batch. */
typedef struct
{
  const PlgPlan *plan;
  int replica; /* number of GPUs per replica */
  int share;   /* number of sequences per replica in the plan's global batch */
} Sweep;

/* Returns the MFU of the plan with REPLICAS replicas on NODES nodes and a global batch of BATCH
 * sequences. */
static double
mfu_of (const Sweep *sweep, int nodes, int replicas, gint64 batch)
{
  g_autofree char *set_nodes = g_strdup_printf ("cluster.nodes=%d", nodes);
  g_autofree char *set_dp = g_strdup_printf ("parallelism.dp=%d", replicas);
  g_autofree char *set_batch = g_strdup_printf ("training.global-batch=%" G_GINT64_FORMAT, batch);
  const char *const assignments[] = { set_nodes, set_dp, set_batch, NULL };
  g_autoptr (PlgPlan) plan = plg_plan_copy (sweep->plan);
  g_autoptr (PlgReport) report = NULL;

  if (!plg_settings_apply (plan, NULL, assignments, NULL))
    return NAN;
  report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
  return report != NULL && report->fits ? report->step.mfu : NAN;
}

/* Adds a point for NODES if the GPUs of all nodes divide evenly into replicas. */
static void
add_point (const Sweep *sweep, int nodes, PlgSweepPoint *points, int *n)
{
  int gpus = nodes * sweep->plan->cluster.gpus_per_node, replicas = gpus / sweep->replica;

  if (gpus % sweep->replica != 0 || replicas == 0 || *n == PLG_SWEEP_MAX)
    return;
  points[(*n)++] = (PlgSweepPoint) {
    .gpus = gpus,
    .weak = mfu_of (sweep, nodes, replicas, (gint64) replicas * sweep->share),
    .strong = mfu_of (sweep, nodes, replicas, sweep->plan->training.global_batch),
  };
}

int
plg_sweep (const PlgPlan *plan, PlgSweepPoint points[PLG_SWEEP_MAX])
{
  const int *degree = plan->parallelism.degree;
  int own = plan->cluster.nodes, last, n = 0;
  Sweep sweep = {
    .plan = plan,
    .replica = plg_plan_world (plan) / degree[PLG_AXIS_DP],
    .share = plan->training.global_batch / degree[PLG_AXIS_DP],
  };

  last = MAX (own, PLG_SWEEP_GPUS / plan->cluster.gpus_per_node);
  for (int nodes = 1; nodes <= last; nodes *= 2)
    {
      add_point (&sweep, nodes, points, &n);
      if (nodes < own && own < nodes * 2)
        add_point (&sweep, own, points, &n);
    }
  return n;
}
