/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/part-recompute.h"

#include "engine/model/flops.h"
#include "engine/model/memory.h"

/* Returns the layers of the largest virtual stage. */
static int
most_layers (const PlgPlan *plan)
{
  int most = 0;

  if (plan->parallelism.degree[PLG_AXIS_PP] == 1)
    return plan->model.layers;
  for (int stage = 0; stage < plan->parallelism.degree[PLG_AXIS_PP]; stage++)
    for (int chunk = 0; chunk < plg_stage_chunks (plan); chunk++)
      most = MAX (most, plg_chunk_layers (plan, stage, chunk).layers);
  return most;
}

static gboolean
fits (PlgPlan *plan, int layers, double limit)
{
  plan->training.recompute_layers = layers;
  return plg_memory_peak (plan, limit) <= limit;
}

int
plg_fewest_recomputed_layers (const PlgPlan *plan, double limit)
{
  g_autoptr (PlgPlan) trial = plg_plan_copy (plan);
  int low = 0, high = most_layers (plan);

  trial->training.recompute = PLG_RECOMPUTE_FULL;
  trial->training.recompute_method = PLG_RECOMPUTE_METHOD_FIRST;
  if (high < 1 || !fits (trial, high, limit))
    return 0;
  /* Each further repeated layer saves memory, except that the last one can need as much. */
  while (high - low > 1)
    {
      int middle = (low + high) / 2;

      if (fits (trial, middle, limit))
        high = middle;
      else
        low = middle;
    }
  return high;
}

gboolean
plg_plan_recompute_fewest_layers (PlgPlan *plan)
{
  int layers;

  if (plan->training.recompute != PLG_RECOMPUTE_FULL)
    return FALSE;
  layers = plg_fewest_recomputed_layers (plan, plan->cluster.memory);
  if (layers == 0 || layers >= most_layers (plan))
    return FALSE;
  plan->training.recompute_method = PLG_RECOMPUTE_METHOD_FIRST;
  plan->training.recompute_layers = layers;
  return TRUE;
}
