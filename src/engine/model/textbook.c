/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/textbook.h"

#include "plan/quantity.h"

#include <math.h>
#include <string.h>

/* The notebook's constants. The peak assumes 2:4 sparsity, the NVLink bandwidth is the sum of
 * both directions, and the InfiniBand bandwidth is the sum of eight ports. */
#define NOTEBOOK_PEAK 1979e12     /* FLOP/s */
#define NOTEBOOK_BEST_MFU 0.52    /* for a run without communication */
#define NOTEBOOK_NVLINK 900.0     /* GB/s */
#define NOTEBOOK_INFINIBAND 400.0 /* GB/s */
#define NOTEBOOK_NODE 8           /* GPUs */
#define NOTEBOOK_CAPACITY 80.0    /* GB */
#define NOTEBOOK_PARAMETERS 175.0 /* billions of parameters in GPT-3 */
#define NOTEBOOK_WEIGHT 2.0       /* bytes per weight; a gradient has the same size */
#define NOTEBOOK_OPTIMIZER 8.0    /* bytes per parameter */
#define NOTEBOOK_ACTIVATIONS 8.0  /* activations per stage [GB], to be multiplied by TP */
#define NOTEBOOK_TP_LOSS 0.05     /* loss of MFU per doubling of TP */
#define NOTEBOOK_DP_LOSS 0.02     /* loss of MFU per doubling of DP */
#define HANDBOOK_NVLINK 900e9     /* bytes/s */
#define HANDBOOK_INFINIBAND 50e9  /* bytes/s */
#define HANDBOOK_WEIGHT 2.0       /* bytes per parameter */
#define HANDBOOK_GRADIENT 2.0
#define HANDBOOK_OPTIMIZER 12.0

PlgNotebookDataParallel
plg_notebook_data_parallel (double parameters_billion, int gpus, int batch, gboolean nvlink)
{
  PlgNotebookDataParallel act;

  gpus = MAX (gpus, 1);
  act.gradient_gb = parameters_billion * NOTEBOOK_WEIGHT;
  act.ring_factor = 2.0 * (gpus - 1) / gpus;
  act.all_reduce_gb = act.gradient_gb * act.ring_factor;
  act.bandwidth_gb_s = nvlink && gpus <= NOTEBOOK_NODE ? NOTEBOOK_NVLINK : NOTEBOOK_INFINIBAND;
  act.all_reduce_ms = act.all_reduce_gb / act.bandwidth_gb_s * 1e3;
  act.flops = 6.0 * parameters_billion * 1e9 * batch;
  act.compute_ms = act.flops / (NOTEBOOK_PEAK * NOTEBOOK_BEST_MFU) * 1e3;
  act.ratio = act.all_reduce_ms / act.compute_ms;
  act.mfu = act.compute_ms / (act.compute_ms + act.all_reduce_ms) * NOTEBOOK_BEST_MFU;
  return act;
}

static double
tp_loss (int tp)
{
  double penalty = tp > NOTEBOOK_NODE ? NOTEBOOK_NVLINK / NOTEBOOK_INFINIBAND : 1.0;

  return NOTEBOOK_TP_LOSS * log2 (tp) * penalty;
}

static double
dp_loss (int dp)
{
  return NOTEBOOK_DP_LOSS * log2 (dp);
}

PlgNotebook3D
plg_notebook_3d (int tp, int pp, int gpus, int micro_batches)
{
  gint64 shards;
  PlgNotebook3D act;
  double mfu;

  tp = MAX (tp, 1);
  pp = MAX (pp, 1);
  micro_batches = MAX (micro_batches, 1);
  shards = (gint64) tp * pp;
  act.dp = (int) MAX (gpus / shards, 1);
  act.parameters_billion = NOTEBOOK_PARAMETERS / shards;
  act.model_gb = act.parameters_billion * NOTEBOOK_WEIGHT;
  act.optimizer_gb = act.parameters_billion * NOTEBOOK_OPTIMIZER;
  act.activation_gb = NOTEBOOK_ACTIVATIONS * tp;
  act.total_gb = act.model_gb + act.optimizer_gb + act.activation_gb;
  act.out_of_memory = act.total_gb > NOTEBOOK_CAPACITY;
  act.bubble = (pp - 1.0) / ((double) pp * micro_batches);
  act.tp_crosses_node = tp > NOTEBOOK_NODE;
  act.penalty = act.tp_crosses_node ? NOTEBOOK_NVLINK / NOTEBOOK_INFINIBAND : 1.0;
  mfu = NOTEBOOK_BEST_MFU * (1.0 - tp_loss (tp)) * (1.0 - act.bubble) * (1.0 - dp_loss (act.dp));
  act.mfu = CLAMP (mfu, 0.0, NOTEBOOK_BEST_MFU);
  return act;
}

double
plg_handbook_state_bytes (double parameters, int zero, int dp)
{
  double weights = HANDBOOK_WEIGHT * parameters;
  double gradients = HANDBOOK_GRADIENT * parameters;
  double optimizer = HANDBOOK_OPTIMIZER * parameters;

  if (zero >= 1)
    optimizer /= dp;
  if (zero >= 2)
    gradients /= dp;
  if (zero >= 3)
    weights /= dp;
  return weights + gradients + optimizer;
}

double
plg_handbook_ring_bytes (double bytes, int n)
{
  return n > 0 ? 2.0 * (n - 1) / n * bytes : 0.0;
}

/* Derives the step's total time, rates, days and GPU hours from the times of its parts, its
 * FLOPs and TOKENS. If the step takes no time, all rates are 0. */
static void
finish_step (const PlgPlan *plan, PlgStep *step, int gpus, double tokens)
{
  double peak = step->peak * gpus;

  step->time = 0.0;
  for (int part = 0; part < PLG_N_PARTS; part++)
    step->time += step->part[part];
  step->ideal_time = step->model_flops / peak;
  step->tokens_per_second = step->time > 0.0 ? tokens / step->time : 0.0;
  step->tokens_per_second_per_gpu = step->tokens_per_second / gpus;
  step->mfu = step->time > 0.0 ? step->model_flops / (step->time * peak) : 0.0;
  step->hfu = step->time > 0.0 ? step->hardware_flops / (step->time * peak) : 0.0;
  step->flops_per_second_per_gpu = step->mfu * step->peak;
  step->days = tokens > 0.0 ? plan->training.tokens / tokens * step->time / 86400.0 : 0.0;
  step->gpu_hours = step->days * 24.0 * gpus;
}

/* Sets the memory of each stage. The notebook models only weights, optimizer state and
 * activations. */
static void
apply_notebook_memory (const PlgNotebook3D *act, PlgReport *report)
{
  for (guint i = 0; i < report->stages->len; i++)
    {
      PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, i);

      stage->parameters = act->parameters_billion * 1e9;
      stage->weights = act->model_gb * PLG_GB;
      stage->gradients = 0.0;
      stage->optimizer = act->optimizer_gb * PLG_GB;
      stage->activations = act->activation_gb * PLG_GB;
      stage->buffers = 0.0;
      stage->runtime = 0.0;
      stage->total = stage->weights + stage->optimizer + stage->activations;
    }
  report->memory_capacity = NOTEBOOK_CAPACITY * PLG_GB;
  report->memory_peak = act->total_gb * PLG_GB;
  report->memory_peak_stage = 0;
  report->fits = !act->out_of_memory;
}

static void
apply_notebook (const PlgPlan *plan, PlgReport *report)
{
  int tp = plan->parallelism.degree[PLG_AXIS_TP];
  int pp = plan->parallelism.degree[PLG_AXIS_PP];
  int micro_batches = MAX (plg_plan_micro_batches (plan), 1);
  PlgNotebook3D act = plg_notebook_3d (tp, pp, plg_plan_world (plan), micro_batches);

  report->parameters_total = NOTEBOOK_PARAMETERS * 1e9;
  report->parameters_active = report->parameters_total;
  report->step.peak = NOTEBOOK_PEAK;
  memset (report->step.part, 0, sizeof report->step.part);
  if (tp == 1 && pp == 1)
    {
      /* Act I: each GPU runs one micro-batch, then all GPUs reduce their gradients. The notebook
       * ignores the sequence length in its FLOPs but includes it in the tokens. */
      int gpus = plg_plan_world (plan);
      int batch = plan->training.micro_batch;
      PlgNotebookDataParallel act_one = plg_notebook_data_parallel (NOTEBOOK_PARAMETERS, gpus,
                                                                    batch, TRUE);
      PlgStep *step = &report->step;

      step->part[PLG_PART_COMPUTE] = act_one.compute_ms * 1e-3;
      step->part[PLG_PART_DP] = act_one.all_reduce_ms * 1e-3;
      step->model_flops = act_one.flops * gpus;
      step->hardware_flops = step->model_flops;
      finish_step (plan, step, gpus, (double) batch * gpus * plan->training.sequence);
    }
  else
    {
      int gpus = plg_plan_world (plan);
      double tokens = (double) plan->training.global_batch * plan->training.sequence;
      PlgStep *step = &report->step;
      double time, rest;

      /* The notebook's Act II gives an MFU but no step time, so compute the time from the MFU at
       * 6 FLOPs per parameter per token. Undo the factors of the MFU formula from last to first:
       * DP's loss is a fraction of the step time, the bubble is a fraction of the time without
       * DP's loss, and TP's loss is a fraction of the remainder. */
      step->model_flops = 6.0 * NOTEBOOK_PARAMETERS * 1e9 * tokens;
      step->hardware_flops = step->model_flops;
      if (act.mfu > 0.0)
        {
          time = step->model_flops / (NOTEBOOK_PEAK * gpus * act.mfu);
          step->part[PLG_PART_DP] = time * dp_loss (act.dp);
          rest = time - step->part[PLG_PART_DP];
          step->part[PLG_PART_BUBBLE] = rest * act.bubble;
          rest -= step->part[PLG_PART_BUBBLE];
          step->part[PLG_PART_TP] = rest * tp_loss (plan->parallelism.degree[PLG_AXIS_TP]);
          step->part[PLG_PART_COMPUTE] = rest - step->part[PLG_PART_TP];
        }
      finish_step (plan, step, gpus, tokens);
    }
  apply_notebook_memory (&act, report);
}

static void
apply_handbook (const PlgPlan *plan, PlgReport *report)
{
  double tokens = (double) plan->training.global_batch * plan->training.sequence;
  double exposed = report->step.part[PLG_PART_DP];

  for (guint i = 0; i < report->collectives->len; i++)
    {
      PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);

      if (collective->axis != PLG_AXIS_DP)
        continue;
      exposed -= collective->exposed;

      /* Compute each collective's time from its ring traffic and the handbook's bandwidth,
       * without latency. The exposed share of the time does not change. A reduce-scatter or an
       * all-gather sends half as much as an all-reduce. */
      gboolean all_reduce = collective->kind == PLG_COLLECTIVE_ALL_REDUCE;
      double bandwidth = collective->nodes_spanned > 1 ? HANDBOOK_INFINIBAND : HANDBOOK_NVLINK;
      double bytes = plg_handbook_ring_bytes (collective->bytes_per_call, collective->group_size);
      double shown = collective->time > 0.0 ? collective->exposed / collective->time : 0.0;

      collective->bytes_sent = collective->calls * bytes * (all_reduce ? 1.0 : 0.5);
      collective->time = collective->bytes_sent / bandwidth;
      collective->exposed = collective->time * shown;

      exposed += collective->exposed;
    }
  report->step.part[PLG_PART_DP] = MAX (exposed, 0.0);
  finish_step (plan, &report->step, plg_plan_world (plan), tokens);
  report->memory_peak = 0.0;
  for (guint i = 0; i < report->stages->len; i++)
    {
      PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, i);

      /* The handbook shards weights, gradients and optimizer state only over DP, and assumes the
       * same number of bytes for every parameter on a GPU. */
      int zero = plan->parallelism.zero;
      double dp = MAX (plan->parallelism.degree[PLG_AXIS_DP] /
                           plg_parallelism_replicate (&plan->parallelism),
                       1);

      stage->weights = HANDBOOK_WEIGHT * stage->parameters / (zero >= 3 ? dp : 1.0);
      stage->gradients = HANDBOOK_GRADIENT * stage->parameters / (zero >= 2 ? dp : 1.0);
      stage->optimizer = HANDBOOK_OPTIMIZER * stage->parameters / (zero >= 1 ? dp : 1.0);
      stage->total = stage->weights + stage->gradients + stage->optimizer + stage->activations +
                     stage->buffers + stage->runtime;

      if (stage->total > report->memory_peak)
        {
          report->memory_peak = stage->total;
          report->memory_peak_stage = (int) i;
        }
    }
  report->fits = report->memory_peak <= report->memory_capacity;
}

void
plg_textbook_apply (const PlgPlan *plan, PlgReport *report)
{
  switch (plan->profile)
    {
    case PLG_PROFILE_NOTEBOOK:
      apply_notebook (plan, report);
      break;
    case PLG_PROFILE_HANDBOOK:
      apply_handbook (plan, report);
      break;
    case PLG_PROFILE_STANDARD:
    default:
      break;
    }
}

/* number of significant digits in the notebook and handbook profiles, chosen so that readers can
 * compare the results with those of the textbooks */
#define DIGITS 4

double
plg_profile_memory_unit (PlgProfile profile, const char **name)
{
  *name = profile == PLG_PROFILE_STANDARD ? "GiB" : "GB";
  return profile == PLG_PROFILE_STANDARD ? PLG_GIB : PLG_GB;
}

char *
plg_profile_memory (PlgProfile profile, double bytes)
{
  return plg_profile_memory_distinct (profile, bytes, bytes);
}

char *
plg_profile_memory_distinct (PlgProfile profile, double bytes, double other)
{
  g_autofree char *number = NULL;

  if (profile == PLG_PROFILE_STANDARD)
    return plg_format_memory_distinct (bytes, other);
  number = plg_format_number_distinct (bytes / PLG_GB, other / PLG_GB, DIGITS);
  return g_strconcat (number, "\u00a0GB", NULL);
}

char *
plg_profile_share (PlgProfile profile, double share)
{
  g_autofree char *number = plg_format_number (100.0 * share, DIGITS);

  return profile == PLG_PROFILE_STANDARD ? plg_format_share (share)
                                         : g_strconcat (number, "\u00a0%", NULL);
}
