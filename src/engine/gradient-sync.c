/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/evaluation-private.h"

#include "engine/model/flops.h"
#include "engine/model/memory.h"

#include <math.h>
#include <string.h>

/* Overlapped gradients go in buckets of this many parameters, or of one million a replica when that
 * is more (Megatron-LM, core/distributed/distributed_data_parallel_config.py). */
#define BUCKET_PARAMETERS 40e6
#define BUCKET_PER_REPLICA 1e6

/* What copies beside kernels take of the GPU; see workload.c. */
#define COMM_SM_SHARE_INTER 0.08

/* Reducing gradients between nodes takes longer than in a benchmark: it waits for the slowest
 * replica and copies gradients to and from its buckets. Korthikanti 2022 (arXiv 2205.05198, sec.
 * 6.3) has 1.3 s more for 8 replicas where the links alone would take 0.3 to 0.5; Narayanan 2021
 * (arXiv 2104.04473, sec. 5.9) reaches 13 TB/s of 77. The fit over tests/bench/data/published.csv.
 */
#define INTER_NODE_CONTENTION 2.2

double
plg_gradient_sync_contention (const PlgGroupExtent *span)
{
  return span->nodes > 1 ? INTER_NODE_CONTENTION : 1.0;
}

static const PlgGroupKind group_of_parameters[PLG_N_PARAMETER_KINDS] = { PLG_GROUP_DATA,
                                                                         PLG_GROUP_EXPERT_DATA };

/* DualPipe's GPUs hold two stages, and both copies of each are reduced. */
static void
count_parameters (const PlgEvaluation *evaluation,
                  int stage,
                  double parameters[PLG_N_PARAMETER_KINDS])
{
  const PlgPlan *plan = evaluation->plan;
  gboolean dual = evaluation->pipeline.schedule == PLG_SCHEDULE_DUALPIPE;

  parameters[PLG_PARAMETERS_DENSE] = parameters[PLG_PARAMETERS_EXPERT] = 0.0;
  for (int copy = 0; copy < (dual ? 2 : 1); copy++)
    {
      int held = copy == 0 ? stage : evaluation->pipeline.stages - 1 - stage;
      PlgParameters all = plg_stage_parameters (plan, held);
      PlgParameters expert = { .expert = all.expert };

      all.expert = 0.0;
      parameters[PLG_PARAMETERS_DENSE] += plg_gpu_parameters (plan, all);
      parameters[PLG_PARAMETERS_EXPERT] += plg_gpu_parameters (plan, expert);
    }
}

static double
bucket_count (const PlgEvaluation *evaluation, const PlgGroupExtent *span, double parameters)
{
  double size = MAX (BUCKET_PARAMETERS, BUCKET_PER_REPLICA * span->size);

  return evaluation->plan->parallelism.overlap_dp ? MAX (ceil (parameters / size), 1.0) : 1.0;
}

static PlgGradientSyncCall
sync_call (const PlgEvaluation *evaluation,
           const PlgGroupExtent *span,
           PlgCollectiveKind kind,
           double parameters,
           double bytes_each)
{
  PlgGradientSyncCall call = { 0 };

  if (parameters <= 0.0 || span->size < 2)
    return call;
  call.calls = bucket_count (evaluation, span, parameters);
  call.bytes = parameters * bytes_each;
  call.time = call.calls * plg_gradient_sync_contention (span) *
              plg_collective_time (&evaluation->workload.fabric, span, kind,
                                   call.bytes / call.calls);
  return call;
}

/* Seconds of a pass of one micro-batch over STAGE in which the links of the groups that share
 * parameters are idle. */
static double
pass_window (const PlgEvaluation *evaluation, int stage, PlgPass pass)
{
  const PlgPipeline *pipeline = &evaluation->pipeline;
  const PlgWorkload *workload = &evaluation->workload;
  const PlgGroupExtent *spans = evaluation->syncs[stage].spans;
  PlgLinkScopes scopes = plg_link_scopes_of (&workload->fabric, &spans[PLG_PARAMETERS_DENSE]);
  PlgLinkScopes more = plg_link_scopes_of (&workload->fabric, &spans[PLG_PARAMETERS_EXPERT]);
  double window = 0.0;

  for (int scope = 0; scope < PLG_N_LINK_SCOPES; scope++)
    scopes.takes[scope] = scopes.takes[scope] || more.takes[scope];
  for (int i = 0; i < plg_pipeline_positions (pipeline); i++)
    if (plg_pipeline_stage (pipeline, i) == stage)
      window += plg_workload_overlap_left (workload, &evaluation->piece_counts[i], pass, scopes);
  return window;
}

/* The last micro-batch's backward pass hides the reduction. Chunks that end earlier leave the rest
 * of the last round to it. */
static double
backward_window (const PlgEvaluation *evaluation, int stage)
{
  const PlgPipeline *pipeline = &evaluation->pipeline;
  double window = pass_window (evaluation, stage, PLG_PASS_BACKWARD);

  if (pipeline->schedule == PLG_SCHEDULE_INTERLEAVED)
    window *= 1.0 + pipeline->stages * (pipeline->chunks - 1.0) / pipeline->chunks;
  return window;
}

/* All of it, or, in buckets beside WINDOW seconds of computing, one bucket and what sticks out. */
static double
exposed_time (const PlgEvaluation *evaluation, const PlgGradientSyncCall *calls, double window)
{
  double time = calls[PLG_PARAMETERS_DENSE].time + calls[PLG_PARAMETERS_EXPERT].time;
  double n = calls[PLG_PARAMETERS_DENSE].calls + calls[PLG_PARAMETERS_EXPERT].calls;

  if (n == 0.0 || !evaluation->plan->parallelism.overlap_dp)
    return time;
  return time / n + plg_collective_exposed_time (time - time / n, window, COMM_SM_SHARE_INTER);
}

static double
update_time (const PlgEvaluation *evaluation, const PlgGradientSync *sync)
{
  const PlgPlan *plan = evaluation->plan;
  double owned = 0.0, held = 0.0;

  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    {
      double all = sync->parameters[i], replicas = MAX (sync->spans[i].size, 1);

      owned += plan->parallelism.zero >= 1 ? all / replicas : all;
      held += plan->parallelism.zero >= 2 ? all / replicas : all;
    }
  return plg_optimizer_time (plan, owned, held);
}

/* The replicas of a stage wait for each other only, so that a fault elsewhere does not slow them.
 * Without faults all stages are alike. */
static void
set_extents (PlgEvaluation *evaluation, int stage)
{
  const PlgPlan *plan = evaluation->plan;
  PlgGradientSync *sync = &evaluation->syncs[stage];
  PlgFabric fabric;

  if (stage > 0 && plan->cluster.n_faults == 0)
    {
      memcpy (sync->spans, evaluation->syncs[0].spans, sizeof sync->spans);
      return;
    }
  plg_workload_fabric (&fabric, plan, stage);
  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    {
      PlgGroups groups;

      plg_groups_init (&groups, &plan->parallelism, group_of_parameters[i]);
      sync->spans[i] = plg_groups_extent (&groups, plan, &fabric);
    }
}

/* ZeRO 0 adds up gradients everywhere; 1 scatters them and gathers the new weights; 2 and 3 have
 * scattered them with each micro-batch, and 3 gathers weights with each as well (workload.c). */
static void
init_sync (PlgEvaluation *evaluation, int stage)
{
  const PlgPlan *plan = evaluation->plan;
  PlgGradientSync *sync = &evaluation->syncs[stage];
  int zero = plan->parallelism.zero;
  PlgCollectiveKind kind = zero == 0 ? PLG_COLLECTIVE_ALL_REDUCE : PLG_COLLECTIVE_REDUCE_SCATTER;

  *sync = (PlgGradientSync) { 0 };
  set_extents (evaluation, stage);
  count_parameters (evaluation, stage, sync->parameters);
  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    {
      if (zero <= 1)
        sync->reduce[i] = sync_call (evaluation, &sync->spans[i], kind, sync->parameters[i],
                                     plg_gradient_bytes (&plan->training));
      if (zero == 1 || zero == 2)
        sync->gather[i] = sync_call (evaluation, &sync->spans[i], PLG_COLLECTIVE_ALL_GATHER,
                                     sync->parameters[i], plg_weight_bytes (&plan->training));
    }
  sync->reduce_exposed = exposed_time (evaluation, sync->reduce,
                                       backward_window (evaluation, stage));
  sync->gather_exposed = exposed_time (evaluation, sync->gather,
                                       pass_window (evaluation, stage, PLG_PASS_FORWARD));
  sync->update = update_time (evaluation, sync);
}

gboolean
plg_gradient_sync_is_tied (const PlgPlan *plan)
{
  return (plan->model.tied || plan->model.mtp_layers > 0) && !plg_stage_has_output (plan, 0);
}

double
plg_gradient_sync_tied_bytes (const PlgPlan *plan)
{
  return plg_padded_vocabulary (plan) * plan->model.hidden /
         MAX (plan->parallelism.degree[PLG_AXIS_TP], 1) * plg_gradient_bytes (&plan->training);
}

static double
tied_time (const PlgEvaluation *evaluation)
{
  const PlgPlan *plan = evaluation->plan;
  PlgGroups groups;
  PlgGroupExtent span;

  if (!plg_gradient_sync_is_tied (plan))
    return 0.0;
  plg_groups_init (&groups, &plan->parallelism, PLG_GROUP_EMBEDDING);
  span = plg_groups_extent (&groups, plan, &evaluation->workload.fabric);
  return plg_collective_time (&evaluation->workload.fabric, &span, PLG_COLLECTIVE_ALL_REDUCE,
                              plg_gradient_sync_tied_bytes (plan));
}

/* The step goes on when every stage has its gradients: stages that end early reduce while others
 * still work. In the same way those that start late gather while others already do. The stages of
 * zb-v do not wait for each other at the end: each starts as long after the first as it ends. */
void
plg_gradient_sync_init (PlgEvaluation *evaluation)
{
  const PlgPipeline *pipeline = &evaluation->pipeline;
  gboolean slanted = pipeline->schedule == PLG_SCHEDULE_ZB_V;
  double end = evaluation->result.length;

  evaluation->gather_exposed = 0.0;
  for (int i = 0; i < pipeline->stages; i++)
    {
      const PlgStageSpan *span = &evaluation->spans[i];
      double finish = span->finish - (slanted ? span->start : 0.0);

      init_sync (evaluation, i);
      end = MAX (end, finish + evaluation->syncs[i].reduce_exposed);
      evaluation->gather_exposed = MAX (evaluation->gather_exposed,
                                        evaluation->syncs[i].gather_exposed -
                                            (slanted ? 0.0 : span->start));
    }
  evaluation->reduce_exposed = end - evaluation->result.length;
  evaluation->tied_time = tied_time (evaluation);
}
