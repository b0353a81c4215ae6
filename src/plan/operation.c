/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/operation.h"

#include "plan/quantity.h"

#include <math.h>

void
plg_cost_init (PlgCost *cost)
{
  *cost = (PlgCost) { .pue = PLG_DEFAULT_PUE, .carbon = PLG_DEFAULT_CARBON };
}

gboolean
plg_cost_equal (const PlgCost *a, const PlgCost *b)
{
  return a->gpu_hour == b->gpu_hour && a->power_busy == b->power_busy &&
         a->power_idle == b->power_idle && a->power_server == b->power_server && a->pue == b->pue &&
         a->carbon == b->carbon;
}

static double
cost_first_known (double own, double usual, double unknown)
{
  if (own > 0)
    return own;
  return usual > 0 ? usual : unknown;
}

double
plg_cost_gpu_hour (const PlgCost *cost, const PlgGpu *gpu)
{
  return cost_first_known (cost->gpu_hour, gpu->gpu_hour, NAN);
}

double
plg_cost_power_busy (const PlgCost *cost, const PlgGpu *gpu)
{
  return cost_first_known (cost->power_busy, gpu->power_busy, NAN);
}

double
plg_cost_power_idle (const PlgCost *cost, const PlgGpu *gpu)
{
  return cost_first_known (cost->power_idle, gpu->power_idle, NAN);
}

double
plg_cost_power_server (const PlgCost *cost, const PlgGpu *gpu)
{
  return cost_first_known (cost->power_server, gpu->power_server, 0);
}

void
plg_reliability_init (PlgReliability *reliability)
{
  *reliability = (PlgReliability) { .mtbf = PLG_DEFAULT_MTBF_HOURS * PLG_SECONDS_PER_HOUR,
                                    .checkpoint_rate = PLG_DEFAULT_CHECKPOINT_RATE * PLG_GB,
                                    .restart = PLG_DEFAULT_RESTART };
}

gboolean
plg_reliability_equal (const PlgReliability *a, const PlgReliability *b)
{
  return a->mtbf == b->mtbf && a->checkpoint_rate == b->checkpoint_rate &&
         a->restart == b->restart && a->repair == b->repair && a->spares == b->spares;
}
