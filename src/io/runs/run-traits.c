/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/runs/run-traits.h"

#include "engine/model/flops.h"

#include <math.h>

/* Differences that count as one or more. */
#define OTHER_KIND 2.0   /* experts against dense layers */
#define OTHER_VENDOR 1.0 /* links with a name of their own: another vendor's GPUs and libraries */
#define FP8 0.75         /* FP8 against 16 bits */
#define FP4 0.75         /* FP4 against FP8 */
#define FP32 2.0         /* FP32 against fewer bits */
#define SHARDED_WEIGHTS 0.5
#define OTHER_RECOMPUTE 0.15
#define OTHER_PROGRAM 0.2

/* The distance of two runs whose values differ by the factor e. */
#define SIZE_WEIGHT 0.6
#define MEMORY_WEIGHT 0.5
#define LINK_WEIGHT 0.5
#define SCALE_WEIGHT 0.25
#define SEQUENCE_WEIGHT 0.25
#define LAYOUT_WEIGHT 0.1

PlgRunTraits
plg_run_traits (const PlgPlan *plan)
{
  const PlgGpu *gpu = &plan->cluster.gpu;
  static const int classes[PLG_N_PRECISIONS] = {
    [PLG_PRECISION_FP4] = 3,  [PLG_PRECISION_FP8] = 0,  [PLG_PRECISION_BF16] = 1,
    [PLG_PRECISION_FP16] = 1, [PLG_PRECISION_FP32] = 2,
  };

  return (PlgRunTraits) {
    .has_experts = plg_transformer_is_moe (&plan->model),
    .active_parameters = plg_parameters_active (&plan->model),
    .peak = MAX (gpu->peak[PLG_PRECISION_BF16], gpu->peak[PLG_PRECISION_FP16]),
    .memory_bandwidth = plan->cluster.memory_bandwidth,
    .link_bandwidth = plan->cluster.intra_bandwidth,
    .has_nvlink = *gpu->link_title == '\0',
    .precision_class = classes[plan->training.precision],
    .gpus = plg_plan_world (plan),
    .sequence = plan->training.sequence,
    .shards_weights = plan->parallelism.zero == 3,
    .tp = plan->parallelism.degree[PLG_AXIS_TP],
    .pp = plan->parallelism.degree[PLG_AXIS_PP],
    .micro_batch = plan->training.micro_batch,
    .recompute = plan->training.recompute,
    .program = plan->training.program,
  };
}

gboolean
plg_run_traits_equal (const PlgRunTraits *a, const PlgRunTraits *b)
{
  return a->has_experts == b->has_experts && a->active_parameters == b->active_parameters &&
         a->peak == b->peak && a->memory_bandwidth == b->memory_bandwidth &&
         a->link_bandwidth == b->link_bandwidth && a->has_nvlink == b->has_nvlink &&
         a->precision_class == b->precision_class && a->gpus == b->gpus &&
         a->sequence == b->sequence && a->shards_weights == b->shards_weights && a->tp == b->tp &&
         a->pp == b->pp && a->micro_batch == b->micro_batch && a->recompute == b->recompute &&
         a->program == b->program;
}

/* Returns the absolute logarithm of the ratio of two positive values. */
static double
ratio (double a, double b)
{
  return fabs (log (a / b));
}

double
plg_run_distance (const PlgRunTraits *a, const PlgRunTraits *b)
{
  static const double precisions[4][4] = { { 0.0, FP8, FP32, FP4 },
                                           { FP8, 0.0, FP32, FP8 + FP4 },
                                           { FP32, FP32, 0.0, FP32 },
                                           { FP4, FP8 + FP4, FP32, 0.0 } };
  double model = SIZE_WEIGHT * ratio (a->active_parameters, b->active_parameters);
  double gpu = ratio (a->peak, b->peak) +
               MEMORY_WEIGHT * ratio (a->memory_bandwidth, b->memory_bandwidth) +
               LINK_WEIGHT * ratio (a->link_bandwidth, b->link_bandwidth);
  double precision = precisions[a->precision_class][b->precision_class];
  double scale = SCALE_WEIGHT * ratio (a->gpus, b->gpus);
  double sequence = SEQUENCE_WEIGHT * ratio (a->sequence, b->sequence);
  double tp = LAYOUT_WEIGHT * ratio (a->tp, b->tp), pp = LAYOUT_WEIGHT * ratio (a->pp, b->pp);
  double micro_batch = LAYOUT_WEIGHT * ratio (a->micro_batch, b->micro_batch);
  double recompute = a->recompute != b->recompute ? OTHER_RECOMPUTE : 0.0;
  double program = a->program != b->program ? OTHER_PROGRAM : 0.0;
  double sharding = a->shards_weights != b->shards_weights ? SHARDED_WEIGHTS : 0.0;

  if (a->has_experts != b->has_experts)
    model += OTHER_KIND;
  if (a->has_nvlink != b->has_nvlink)
    gpu += OTHER_VENDOR;
  return sqrt (model * model + gpu * gpu + precision * precision + scale * scale +
               sequence * sequence + sharding * sharding + tp * tp + pp * pp +
               micro_batch * micro_batch + recompute * recompute + program * program);
}
