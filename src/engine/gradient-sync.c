/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/evaluation.h"

#include "engine/model/engine-constant.h"
#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "engine/model/muon.h"
#include "engine/model/program.h"

#include <math.h>
#include <string.h>

/* Between nodes, a reduction waits for the slowest replica, whether it starts with a bucket or after
 * the last backward pass, because the replicas finish their last micro-batch at different times. Runs
 * without overlap that summed gradients in 16 bits ask for a factor of 3 to 5. The members of a shard
 * group have just waited for each other, so their sums with the other groups wait less. */
double
plg_gradient_sync_contention (const PlgPlan *plan, const PlgGroupExtent *span, gboolean replicate)
{
  gboolean has_waited = replicate && plg_parallelism_shards (&plan->parallelism) > 1;

  if (span->nodes < 2)
    return 1.0;
  return has_waited && plan->parallelism.overlap_dp ? PLG_NETWORK_CONTENTION : PLG_LATE_CONTENTION;
}

PlgCollectiveKind
plg_gradient_sync_gather_kind (const PlgPlan *plan)
{
  return plg_program_habits (plan)->broadcasts ? PLG_COLLECTIVE_BROADCAST
                                               : PLG_COLLECTIVE_ALL_GATHER;
}

/* If GPUs own whole matrices, their shards differ in size, so Megatron-LM reduces gradients as without
 * a distributed optimizer (core/optimizer/layer_wise_optimizer.py). */
PlgCollectiveKind
plg_gradient_sync_reduce_kind (const PlgPlan *plan)
{
  return plan->parallelism.zero == 0 || plg_muon_owns_matrices (plan)
             ? PLG_COLLECTIVE_ALL_REDUCE
             : PLG_COLLECTIVE_REDUCE_SCATTER;
}

PlgCollectiveKind
plg_gradient_sync_muon_kind (const PlgPlan *plan)
{
  return plan->training.muon_tp == PLG_MUON_TP_GATHERED ? PLG_COLLECTIVE_ALL_GATHER
                                                        : PLG_COLLECTIVE_ALL_REDUCE;
}

PlgGroupKind
plg_gradient_sync_group (const PlgPlan *plan, PlgParameterKind parameters, gboolean replicate)
{
  gboolean expert = parameters == PLG_PARAMETERS_EXPERT;

  if (replicate)
    return expert ? PLG_GROUP_EXPERT_REPLICATE : PLG_GROUP_REPLICATE;
  if (plg_parallelism_replicate (&plan->parallelism) > 1)
    return expert ? PLG_GROUP_EXPERT_SHARD : PLG_GROUP_SHARD;
  return expert ? PLG_GROUP_EXPERT_DATA : PLG_GROUP_DATA;
}

/* Returns the calls of a collective over BYTES that belong to all PARAMETERS of a GPU. REPLICAS is
 * the number of GPUs with copies of these parameters, sharded or not. Each GPU broadcasts its own
 * shard. REPLICATE is TRUE for sums between shard groups. */
static PlgGradientSyncCall
sync_call (const PlgEvaluation *evaluation,
           const PlgGroupExtent *span,
           PlgCollectiveKind kind,
           gboolean replicate,
           double parameters,
           double replicas,
           double bytes)
{
  const PlgProgramHabits *habits = plg_program_habits (evaluation->plan);
  double least = habits->grows_buckets ? PLG_BUCKET_PER_REPLICA * replicas : 0.0;
  double size = MAX (plg_engine_constant (habits->bucket), least);
  PlgGradientSyncCall call = { 0 };

  if (span->size < 2)
    return call;
  if (kind == PLG_COLLECTIVE_BROADCAST)
    call.calls = span->size;
  else if (evaluation->plan->parallelism.overlap_dp)
    call.calls = MAX (ceil (parameters / size), 1.0);
  else
    call.calls = 1.0;
  call.bytes = bytes;
  call.time = call.calls * plg_gradient_sync_contention (evaluation->plan, span, replicate) *
              plg_collective_time (&evaluation->workload->fabric, span, kind,
                                   call.bytes / call.calls);
  return call;
}

/* Sets the collectives that Muon calls after the gradients are reduced. No computation hides them, and
 * the members of a group have just waited for each other. */
static void
set_muon_calls (PlgEvaluation *evaluation, int stage, const PlgMuonWork *work)
{
  const PlgPlan *plan = evaluation->plan;
  const PlgFabric *fabric = &evaluation->workload->fabric;
  PlgGradientSync *sync = &evaluation->syncs[stage];
  guint32 faults = plg_workload_faults (plan, stage);
  const PlgMuonShare *shares[] = { &work->dense, &work->expert };
  static const PlgGroupKind groups[] = { PLG_GROUP_TP, PLG_GROUP_ETP };

  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    {
      PlgGradientSyncCall *exchange = &sync->exchange[i], *inside = &sync->orthogonalize[i];

      if (plg_muon_exchanges_shards (plan) && sync->spans[i].size > 1 && shares[i]->batches > 0.0)
        {
          exchange->calls = 2.0 * shares[i]->batches;
          exchange->bytes = 2.0 * PLG_MUON_EXCHANGED_BYTES * shares[i]->owned;
          exchange->time = exchange->calls *
                           plg_collective_time (fabric, &sync->spans[i], PLG_COLLECTIVE_ALL_TO_ALL,
                                                exchange->bytes / exchange->calls);
        }
      if (shares[i]->tp_calls <= 0.0)
        continue;
      sync->tp_spans[i] = plg_evaluation_extent (evaluation, faults, groups[i]);
      inside->calls = shares[i]->tp_calls;
      inside->bytes = shares[i]->tp_bytes;
      inside->time = inside->calls * plg_collective_time (fabric, &sync->tp_spans[i],
                                                          plg_gradient_sync_muon_kind (plan),
                                                          inside->bytes / inside->calls);
    }
}

double
plg_gradient_sync_muon_time (const PlgEvaluation *evaluation, int stage, PlgAxis axis)
{
  const PlgGradientSync *sync = &evaluation->syncs[stage];
  const PlgGradientSyncCall *calls = axis == PLG_AXIS_TP ? sync->orthogonalize : sync->exchange;
  double time = 0.0;

  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    time += calls[i].time;
  return time;
}

/* Returns the bytes of weights that ZeRO 1 and 2 gather. The VOCABULARY parameters of embedding and
 * output stay in 16 bits in FP8 training. */
static double
gathered_bytes (const PlgPlan *plan, double parameters, double vocabulary)
{
  return (parameters - vocabulary) * plg_gathered_weight_bytes (plan) +
         vocabulary * plg_weight_bytes (&plan->training);
}

/* Adds the links of the groups in SPANS that exchange data: those with several members, and with
 * PARAMETERS. */
static void
add_scopes (PlgLinkScopes *scopes,
            const PlgFabric *fabric,
            const PlgGroupExtent *spans,
            const double *parameters)
{
  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    {
      PlgLinkScopes more;

      if (spans[i].size < 2 || parameters[i] <= 0.0)
        continue;
      more = plg_link_scopes_of (fabric, &spans[i]);
      for (int scope = 0; scope < PLG_N_LINK_SCOPES; scope++)
        scopes->takes[scope] = scopes->takes[scope] || more.takes[scope];
    }
}

/* Returns how long the links that the calls at the end of the step occupy are idle while STAGE
 * runs PASS for one micro-batch [s]. With HSDP, the backward pass also hides the all-reduce between
 * shard groups, which is the only call if each micro-batch scatters. */
static double
pass_window (const PlgEvaluation *evaluation, int stage, PlgPass pass)
{
  const PlgPipeline *pipeline = &evaluation->pipeline;
  const PlgWorkload *workload = evaluation->workload;
  const PlgGradientSync *sync = &evaluation->syncs[stage];
  PlgLinkScopes scopes = { 0 };
  double window = 0.0;
  const PlgParallelism *parallelism = &evaluation->plan->parallelism;
  gboolean replicates = pass == PLG_PASS_BACKWARD && plg_parallelism_replicate (parallelism) > 1;

  if (!replicates || !plg_scatters_each_micro_batch (evaluation->plan))
    add_scopes (&scopes, &workload->fabric, sync->spans, sync->parameters);
  if (replicates)
    add_scopes (&scopes, &workload->fabric, sync->replica_spans, sync->parameters);
  for (int chunk = 0; chunk < pipeline->chunks; chunk++)
    {
      int position = plg_pipeline_position (pipeline, stage, chunk);

      window += plg_workload_overlap_left (workload, &evaluation->piece_counts[position], pass,
                                           scopes);
    }
  return window;
}

/* Returns the exposed part of the time of CALLS and of the calls in NEXT, which follow them for
 * each bucket and may be NULL. Without overlap, all of the time is exposed. With overlap, the time
 * of one bucket is exposed, plus the part of the remaining time that exceeds WINDOW, the compute
 * time that can hide communication [s]. */
static double
exposed_time (const PlgEvaluation *evaluation,
              const PlgGradientSyncCall *calls,
              const PlgGradientSyncCall *next,
              double window)
{
  double time = 0.0, n = 0.0;

  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    {
      time += calls[i].time + (next != NULL ? next[i].time : 0.0);
      n += MAX (calls[i].calls, next != NULL ? next[i].calls : 0.0);
    }

  if (n == 0.0 || !evaluation->plan->parallelism.overlap_dp)
    return time;
  return time / n + plg_collective_exposed_time (time - time / n, window, PLG_COMM_SM_SHARE_INTER);
}

/* Sets the extents of the groups that reduce the gradients of STAGE, for the kinds of parameters that
 * the stage has. The replicas of a stage wait only for each other, so a fault on another stage does
 * not slow them. */
static void
set_extents (PlgEvaluation *evaluation, int stage)
{
  const PlgPlan *plan = evaluation->plan;
  PlgGradientSync *sync = &evaluation->syncs[stage];
  guint32 faults = plg_workload_faults (plan, stage);

  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    {
      if (sync->parameters[i] <= 0.0)
        continue;
      sync->spans[i] = plg_evaluation_extent (evaluation, faults,
                                              plg_gradient_sync_group (plan, i, FALSE));
      if (plg_parallelism_replicate (&plan->parallelism) > 1)
        sync->replica_spans[i] = plg_evaluation_extent (evaluation, faults,
                                                        plg_gradient_sync_group (plan, i, TRUE));
    }
}

/* Sets the collectives that STAGE calls at the end of the step, and the update of the weights, if the
 * micro-batches take SCHEDULE seconds. ZeRO 0 all-reduces the gradients over all replicas; ZeRO 1 and
 * 2 scatter them and gather the new weights. With ZeRO 3, and with ZeRO 2 in DeepSpeed, each
 * micro-batch has already scattered the gradients, and with ZeRO 3 each micro-batch also gathers the
 * weights (workload-collectives.c).
 *
 * With hybrid sharding (HSDP), these collectives stay inside a shard group, and each member of a
 * shard group then all-reduces its shard of the gradients with the members of the other groups
 * that have the same shard. This happens once per step, in buckets that follow the last backward
 * pass (Zhang et al. 2022, MiCS, arXiv 2205.00119, 2-hop gradient synchronization; Megatron-LM,
 * core/distributed/param_and_grad_buffer.py). */
static void
init_sync (PlgEvaluation *evaluation, int stage, double schedule)
{
  const PlgPlan *plan = evaluation->plan;
  PlgGradientSync *sync = &evaluation->syncs[stage];
  int zero = plan->parallelism.zero;
  PlgCollectiveKind kind = plg_gradient_sync_reduce_kind (plan);
  const PlgPipeline *pipeline = &evaluation->pipeline;
  double window, interleaved = 1.0, owned = 0.0, held = 0.0, vocabulary = 0.0;
  PlgStageParts sum = { 0 };
  PlgMuonWork muon = { 0 };

  *sync = (PlgGradientSync) { 0 };

  /* With DualPipe a GPU holds two stages and reduces the gradients of both. */
  for (int copy = 0; copy < (pipeline->schedule == PLG_SCHEDULE_DUALPIPE ? 2 : 1); copy++)
    {
      const PlgStageParts *parts = &evaluation
                                        ->parts[copy == 0 ? stage : pipeline->stages - 1 - stage];
      PlgParameters all = plg_stage_parameters (plan, parts);
      PlgParameters expert = { .expert = all.expert };

      all.expert = 0.0;
      if (copy == 1)
        all.sharded -= plg_shared_vocabulary_matrices (plan, &evaluation->parts[stage], parts) *
                       plg_padded_vocabulary (plan) * plan->model.hidden;
      sum.dense_layers += parts->dense_layers;
      sum.moe_layers += parts->moe_layers;
      sum.mtp_layers += parts->mtp_layers;
      vocabulary += (parts->embedding + parts->output) * plg_vocabulary_matrix (plan);
      sync->parameters[PLG_PARAMETERS_DENSE] += plg_gpu_parameters (plan, all);
      sync->parameters[PLG_PARAMETERS_EXPERT] += plg_gpu_parameters (plan, expert);
    }
  set_extents (evaluation, stage);
  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    {
      int groups = plg_parallelism_replicate (&plan->parallelism);
      double all = sync->parameters[i], shards = MAX (sync->spans[i].size, 1);
      double gradients = all * plg_reduced_gradient_bytes (&plan->training);

      if (all <= 0.0)
        continue;
      if (!plg_scatters_each_micro_batch (plan))
        sync->reduce[i] = sync_call (evaluation, &sync->spans[i], kind, FALSE, all, shards * groups,
                                     gradients);
      if (groups > 1)
        sync->replicate[i] = sync_call (evaluation, &sync->replica_spans[i],
                                        PLG_COLLECTIVE_ALL_REDUCE, TRUE, all, shards * groups,
                                        gradients / shards);
      if (zero == 1 || zero == 2)
        sync->gather[i] = sync_call (evaluation, &sync->spans[i],
                                     plg_gradient_sync_gather_kind (plan), FALSE, all,
                                     shards * groups,
                                     gathered_bytes (plan, all,
                                                     i == PLG_PARAMETERS_DENSE
                                                         ? MIN (vocabulary, all)
                                                         : 0.0));
    }

  /* The backward pass of the last micro-batch hides the reduction. With interleaving, the
   * gradients of chunks that finish earlier can also be reduced while the remaining chunks run, and
   * the weights of later chunks can be gathered while the first chunks run (Megatron-LM,
   * --overlap-param-gather gathers by chunk). */
  if (pipeline->schedule == PLG_SCHEDULE_INTERLEAVED)
    interleaved = 1.0 + pipeline->stages * (pipeline->chunks - 1.0) / pipeline->chunks;
  window = interleaved * pass_window (evaluation, stage, PLG_PASS_BACKWARD);
  sync->reduce_exposed = exposed_time (evaluation, sync->reduce, sync->replicate, window);

  window = interleaved * pass_window (evaluation, stage, PLG_PASS_FORWARD);
  sync->gather_exposed = exposed_time (evaluation, sync->gather, NULL, window);
  if (plg_uses_muon (plan))
    muon = plg_muon_work (plan, &sum);
  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    {
      double all = sync->parameters[i], adam = all, shards = MAX (sync->spans[i].size, 1);

      if (plg_uses_muon (plan))
        adam = MAX (all - (i == PLG_PARAMETERS_DENSE ? muon.dense : muon.expert).parameters, 0.0);
      owned += zero >= 1 ? adam / shards : adam;
      held += plg_gradients_are_sharded (plan) ? all / shards : all;
    }
  sync->update = plg_optimizer_update (plan, owned, held, schedule);
  if (plg_uses_muon (plan))
    {
      plg_optimizer_update_add_muon (plan, &muon, &sync->update);
      set_muon_calls (evaluation, stage, &muon);
    }
}

/* Returns TRUE if STAGE has the same parts of the model as the stage before it, in the same virtual
 * stages, and the same links. */
static gboolean
is_like_last_stage (const PlgEvaluation *evaluation, int stage)
{
  const PlgPipeline *pipeline = &evaluation->pipeline;
  const PlgStageParts *parts = &evaluation->parts[stage];

  if (stage == 0 || pipeline->schedule == PLG_SCHEDULE_DUALPIPE ||
      evaluation->plan->cluster.n_faults > 0)
    return FALSE;
  for (int chunk = 0; chunk < pipeline->chunks; chunk++)
    if (memcmp (&evaluation->piece_counts[plg_pipeline_position (pipeline, stage, chunk)],
                &evaluation->piece_counts[plg_pipeline_position (pipeline, stage - 1, chunk)],
                sizeof (PlgPieceCounts)) != 0)
      return FALSE;
  return memcmp (parts, parts - 1, sizeof *parts) == 0;
}

gboolean
plg_gradient_sync_is_tied (const PlgPlan *plan)
{
  return (plan->model.tied || plan->model.mtp_layers > 0) && !plg_stage_has_output (plan, 0) &&
         plan->training.schedule != PLG_SCHEDULE_DUALPIPE;
}

/* The copies sum their main gradients after replicas have reduced them, in the precision of the sums:
 * Megatron-LM, core/distributed/finalize_model_grads.py. */
double
plg_gradient_sync_tied_bytes (const PlgPlan *plan)
{
  return plg_padded_vocabulary (plan) * plan->model.hidden /
         MAX (plan->parallelism.degree[PLG_AXIS_TP], 1) * plg_gradient_bytes (&plan->training);
}

static double
tied_time (PlgEvaluation *evaluation)
{
  const PlgPlan *plan = evaluation->plan;

  if (!plg_gradient_sync_is_tied (plan))
    return 0.0;
  evaluation->tied = plg_evaluation_extent (evaluation, PLG_ALL_FAULTS, PLG_GROUP_EMBEDDING);
  return plg_collective_time (&evaluation->workload->fabric, &evaluation->tied,
                              PLG_COLLECTIVE_ALL_REDUCE, plg_gradient_sync_tied_bytes (plan));
}

/* The step ends when every stage has reduced its gradients. A stage that finishes early reduces
 * its gradients while other stages still compute, and a stage that starts late gathers its
 * weights while other stages already compute. With zb-v, stages do not wait at the end, because
 * a stage that starts later also finishes later by the same time. */
void
plg_gradient_sync_init (PlgEvaluation *evaluation)
{
  const PlgPipeline *pipeline = &evaluation->pipeline;
  gboolean slanted = pipeline->schedule == PLG_SCHEDULE_ZB_V;
  double end = evaluation->result.length;

  evaluation->gather_exposed = 0.0;
  evaluation->muon_stage = 0;
  for (int i = 0; i < pipeline->stages; i++)
    {
      const PlgStageSpan *span = &evaluation->spans[i];
      double finish = span->finish - (slanted ? span->start : 0.0);

      if (is_like_last_stage (evaluation, i))
        evaluation->syncs[i] = evaluation->syncs[i - 1];
      else
        init_sync (evaluation, i, evaluation->result.length);
      end = MAX (end, finish + evaluation->syncs[i].reduce_exposed);
      evaluation->gather_exposed = MAX (evaluation->gather_exposed,
                                        evaluation->syncs[i].gather_exposed -
                                            (slanted ? 0.0 : span->start));
      if (plg_gradient_sync_muon_time (evaluation, i, PLG_AXIS_DP) +
              plg_gradient_sync_muon_time (evaluation, i, PLG_AXIS_TP) >
          plg_gradient_sync_muon_time (evaluation, evaluation->muon_stage, PLG_AXIS_DP) +
              plg_gradient_sync_muon_time (evaluation, evaluation->muon_stage, PLG_AXIS_TP))
        evaluation->muon_stage = i;
    }
  evaluation->reduce_exposed = end - evaluation->result.length;
  evaluation->tied_time = tied_time (evaluation);
}

/* The first stage starts at once, so all of its exposed gather delays the step. With whole backward
 * passes, the last block of the schedule is a backward block of the first stage, so its exposed
 * reduction delays the step too. The step also waits for the weight update of the first stage. With
 * faults, the exposed times depend on the busiest stage, which is not known yet. */
double
plg_gradient_sync_shortest (PlgEvaluation *evaluation)
{
  const PlgGradientSync *first = &evaluation->syncs[0];
  gboolean is_last = !plg_pipeline_splits_backward (&evaluation->pipeline) &&
                     evaluation->pipeline.schedule != PLG_SCHEDULE_DUALPIPE;

  init_sync (evaluation, 0, G_MAXDOUBLE);
  if (evaluation->plan->cluster.n_faults > 0)
    return first->update.time * (1.0 - 1e-9);
  return (first->gather_exposed + first->update.time + (is_last ? first->reduce_exposed : 0.0) +
          tied_time (evaluation)) *
         (1.0 - 1e-9);
}
