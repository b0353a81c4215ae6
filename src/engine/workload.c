/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/workload-private.h"

#include "engine/model/engine-constant.h"
#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "engine/model/offload.h"
#include "engine/model/program.h"

#include <string.h>

static const PlgPart part_of_axis[PLG_N_AXES] = {
  [PLG_AXIS_TP] = PLG_PART_TP, [PLG_AXIS_CP] = PLG_PART_CP, [PLG_AXIS_EP] = PLG_PART_EP,
  [PLG_AXIS_PP] = PLG_PART_PP, [PLG_AXIS_DP] = PLG_PART_DP,
};

static PlgPass
pass_of_phase (PlgPhase phase)
{
  return phase == PLG_PHASE_FORWARD ? PLG_PASS_FORWARD : PLG_PASS_BACKWARD;
}

static int
degree (const PlgPlan *plan, PlgAxis axis)
{
  return MAX (plan->parallelism.degree[axis], 1);
}

/* Returns TRUE if FAULT slows the collectives of STAGE. A fault of a GPU's port slows the stage of
 * the rank on this GPU, and a fault of a NIC slows all stages with ranks on its node. A fault
 * between switches slows all stages. */
static gboolean
fault_affects_stage (const PlgPlan *plan, const PlgFault *fault, int stage)
{
  int stages = degree (plan, PLG_AXIS_PP), first = fault->first, n = 1;

  if (fault->kind == PLG_FAULT_GPU)
    return FALSE;
  if (fault->kind == PLG_FAULT_UPLINK)
    return TRUE;
  if (fault->kind == PLG_FAULT_NIC)
    {
      n = plan->cluster.gpus_per_node;
      first *= n;
    }
  if (plan->placement.size == 0)
    {
      /* Blocks of STRIDE consecutive ranks are on the same stage, and the next block is on the next
       * stage. */
      int stride = plg_axis_stride (&plan->parallelism, PLG_AXIS_PP);
      int from = first / stride, blocks = (first + n - 1) / stride - from;

      return ((stage - from) % stages + stages) % stages <= blocks;
    }
  for (int rank = 0; rank < plan->placement.size; rank++)
    {
      int gpu = plan->placement.gpu_of_rank[rank];

      if (gpu >= first && gpu < first + n &&
          plg_rank_coordinate (&plan->parallelism, rank).index[PLG_AXIS_PP] == stage)
        return TRUE;
    }
  return FALSE;
}

guint32
plg_workload_faults (const PlgPlan *plan, int stage)
{
  guint32 faults = 0;

  for (int i = 0; i < plan->cluster.n_faults; i++)
    if (fault_affects_stage (plan, &plan->cluster.faults[i], stage))
      faults |= (guint32) 1 << i;
  return faults;
}

void
plg_workload_fabric (PlgFabric *fabric, const PlgPlan *plan, guint32 faults)
{
  int n = 0;

  plg_fabric_of_plan (fabric, plan);
  for (int i = 0; i < fabric->n_faults; i++)
    if ((faults & (guint32) 1 << i) != 0 && fabric->faults[i].kind != PLG_FAULT_GPU)
      fabric->faults[n++] = fabric->faults[i];
  fabric->n_faults = n;
}

/* Clears WORKLOAD and computes its kernels. */
static void
init_kernels (PlgWorkload *workload, const PlgPlan *plan)
{
  workload->plan = plan;
  workload->repeated_share = plg_repeated_share (plan);
  workload->n_collective_uses = 0;
  memset (workload->overlap_budget, 0, sizeof workload->overlap_budget);
  memset (workload->seconds, 0, sizeof workload->seconds);
  plg_kernel_times (plan, workload->kernels);
}

double
plg_workload_busy (const PlgWorkload *workload, PlgPiece piece, PlgPass pass)
{
  double busy = 0.0;

  for (PlgPhase phase = 0; phase < PLG_N_PHASES; phase++)
    for (int part = 0; part < PLG_N_PARTS; part++)
      if (pass_of_phase (phase) == pass && part != PLG_PART_HOST)
        busy += workload->seconds[piece][phase][part];
  return busy;
}

double
plg_workload_transfer (const PlgWorkload *workload, PlgPiece piece, PlgPass pass)
{
  const PlgPlan *plan = workload->plan;
  double activations, weights, bytes;

  if (piece != PLG_PIECE_DENSE && piece != PLG_PIECE_MOE)
    return 0.0;
  activations = plg_offloaded_layer_bytes (plan, piece == PLG_PIECE_MOE);
  weights = plg_offloaded_weight_bytes (plan, piece == PLG_PIECE_MOE);
  /* Weights come from the host in both passes. Activations go to the host in the forward pass, so that
   * both directions of the link work at the same time, and come back in the backward pass. */
  bytes = pass == PLG_PASS_FORWARD ? MAX (activations, weights) : activations + weights;
  return bytes / plg_offload_link_rate (&plan->cluster);
}

/* Adds the waits of PIECE for the host, which launches kernels and moves activations while the GPU
 * computes and communicates. The links of a GPU that waits are idle. */
static void
add_host_waits (PlgWorkload *workload, PlgPiece piece)
{
  const PlgKernelTime *kernels = &workload->kernels[piece];

  for (PlgPass pass = 0; pass < PLG_N_PASSES; pass++)
    {
      const PlgHostTime *host = pass == PLG_PASS_FORWARD ? &kernels->host_forward
                                                         : &kernels->host_backward;
      PlgPhase phase = pass == PLG_PASS_FORWARD ? PLG_PHASE_FORWARD : PLG_PHASE_WEIGHT;
      double busy = plg_workload_busy (workload, piece, pass);
      double transfer = plg_workload_transfer (workload, piece, pass);
      double wait = MAX (host->least_wait, MAX (host->launches, transfer) - busy);

      workload->seconds[piece][phase][PLG_PART_HOST] = wait;
      plg_overlap_budget_add (&workload->overlap_budget[piece], pass, wait);
    }
}

/* Adds the kernels, the collectives and the waits up by piece, phase and part. */
static void
sum_seconds (PlgWorkload *workload)
{
  const PlgPlan *plan = workload->plan;

  for (int i = 0; i < PLG_N_PIECES; i++)
    {
      const PlgKernelTime *kernels = &workload->kernels[i];

      workload->seconds[i][PLG_PHASE_FORWARD][PLG_PART_COMPUTE] = kernels->forward;
      workload->seconds[i][PLG_PHASE_INPUT][PLG_PART_COMPUTE] = kernels->input;
      workload->seconds[i][PLG_PHASE_INPUT][PLG_PART_RECOMPUTE] = kernels->recompute;
      workload->seconds[i][PLG_PHASE_WEIGHT][PLG_PART_COMPUTE] = kernels->weight;
      for (int j = 0; j < workload->n_collective_uses; j++)
        {
          const PlgCollectiveUse *use = &workload->collective_uses[j];
          PlgPart part = part_of_axis[use->axis];

          for (int phase = 0; phase < PLG_N_PHASES; phase++)
            workload->seconds[i][phase][part] += use->piece[i].exposed[phase];
        }
    }
  if ((plan->training.offload_layers > 0 || plg_offloads_weights (plan) ||
       plg_program_habits (plan)->waits_for_host) &&
      plg_plan_has_piece (plan, PLG_PIECE_DENSE))
    add_host_waits (workload, PLG_PIECE_DENSE);
  add_host_waits (workload, PLG_PIECE_MOE);
}

void
plg_workload_init (PlgWorkload *workload,
                   const PlgPlan *plan,
                   guint32 faults,
                   PlgExtentCache *extents)
{
  int chunks = degree (plan, PLG_AXIS_PP) * plg_stage_chunks (plan);
  double layers = MAX (plan->model.layers / chunks, 1), time;
  PlgGroups chains;
  PlgGroupExtent hop;
  PlgLinkScopes scopes;

  init_kernels (workload, plan);
  workload->extents = extents != NULL ? extents : &workload->own_extents;
  plg_extent_cache_clear (&workload->own_extents);
  workload->is_bound = FALSE;
  plg_workload_fabric (&workload->fabric, plan, faults);
  for (int i = 0; i < PLG_N_PIECES; i++)
    {
      const PlgKernelTime *kernels = &workload->kernels[i];

      plg_overlap_budget_add (&workload->overlap_budget[i], PLG_PASS_FORWARD, kernels->forward);
      plg_overlap_budget_add (&workload->overlap_budget[i], PLG_PASS_BACKWARD,
                              kernels->input + kernels->recompute + kernels->weight);
    }

  /* Reserve link time for overlapping messages to the next stage, one message per chunk per
   * pass. */
  if (degree (plan, PLG_AXIS_PP) >= 2 && plan->parallelism.overlap_pp)
    {
      plg_groups_init (&chains, &plan->parallelism, PLG_GROUP_PP);
      hop = plg_groups_hop (&chains, plan, &workload->fabric, 0, 1);
      scopes = plg_link_scopes_of (&workload->fabric, &hop);
      time = plg_collective_time (&workload->fabric, &hop, PLG_COLLECTIVE_SEND_RECV,
                                  plg_message_bytes (plan));
      for (int pass = 0; pass < PLG_N_PASSES; pass++)
        {
          plg_overlap_budget_reserve (&workload->overlap_budget[PLG_PIECE_DENSE], pass, scopes,
                                      time / layers);
          plg_overlap_budget_reserve (&workload->overlap_budget[PLG_PIECE_MOE], pass, scopes,
                                      time / layers);
        }
    }

  plg_workload_add_collectives (workload);
  sum_seconds (workload);
  if (plan->cluster.n_faults > 0)
    plg_workload_fabric (&workload->fabric, plan, PLG_ALL_FAULTS);
}

double
plg_workload_overlap_left (const PlgWorkload *workload,
                           const PlgPieceCounts *content,
                           PlgPass pass,
                           PlgLinkScopes scopes)
{
  double left = 0.0;

  for (int i = 0; i < PLG_N_PIECES; i++)
    if (content->count[i] > 0.0)
      left += content->count[i] *
              plg_overlap_budget_left (&workload->overlap_budget[i], pass, scopes);
  return left;
}

double
plg_workload_time (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPhase phase)
{
  double time = 0.0;

  for (int i = 0; i < PLG_N_PIECES; i++)
    for (int part = 0; part < PLG_N_PARTS && content->count[i] > 0.0; part++)
      time += content->count[i] * workload->seconds[i][phase][part];
  return time;
}

PlgPieceCounts
plg_model_piece_counts (const PlgPlan *plan)
{
  double mtp = MAX (plan->model.mtp_layers, 0);
  int moe_layers = plg_transformer_moe_layers (&plan->model);

  return (PlgPieceCounts) { {
      [PLG_PIECE_EMBEDDING] = 1.0,
      [PLG_PIECE_DENSE] = plan->model.layers - moe_layers + (moe_layers > 0 ? 0.0 : mtp),
      [PLG_PIECE_MOE] = moe_layers + (moe_layers > 0 ? mtp : 0.0),
      [PLG_PIECE_PROJECTION] = mtp,
      [PLG_PIECE_OUTPUT] = 1.0 + mtp,
  } };
}

double
plg_workload_average (const PlgWorkload *workload, int stages)
{
  PlgPieceCounts model = plg_model_piece_counts (workload->plan);
  double time = 0.0;

  for (PlgPhase phase = 0; phase < PLG_N_PHASES; phase++)
    time += plg_workload_time (workload, &model, phase);
  return time / stages;
}

/* The placement of groups, their faults and the time for which links are busy only lengthen the
 * exposed time. A call of TIME seconds is exposed for TIME - (1 - share) × MIN (TIME, window), which
 * grows with TIME, so the least TIME gives the least exposed time. ZeRO 2 and 3 add calls; without
 * them, unfused kernels add gradients in separate kernels.
 *
 * The calls of experts hide behind the kernels of a layer of experts and the exposed time of its
 * other calls, OTHER, during which the links of EP can be idle. They are therefore exposed for at
 * least TIME - (1 - share) × MIN (TIME, OTHER); OTHER plus this time grows with OTHER. The layer
 * takes at least this time and the least waits for the host, and at least the time of the launches. */
PlgLeastWork
plg_workload_least (PlgWorkload *workload, const PlgPlan *plan, gboolean hides_all)
{
  double share = MIN (PLG_COMM_SM_SHARE_INTRA, PLG_COMM_SM_SHARE_INTER);
  double layers = plg_model_piece_counts (plan).count[PLG_PIECE_MOE], ep = 0.0, other = 0.0, beside;
  double waits = 0.0, shorter;
  const PlgHostTime *forward, *backward;
  PlgPlan sharded = *plan;
  PlgLeastWork least;

  sharded.parallelism.zero = 3;
  sharded.parallelism.overlap_ep = FALSE;
  sharded.training.schedule = PLG_SCHEDULE_1F1B;
  /* Full recompute of a part of the layers can repeat less than the modules of the other kinds of
   * recompute, and the number of its layers depends on the stages and the schedule. */
  if (plan->training.recompute_method == PLG_RECOMPUTE_METHOD_FIRST ||
      plan->training.recompute_method == PLG_RECOMPUTE_METHOD_EVERY)
    {
      sharded.training.recompute = PLG_RECOMPUTE_NONE;
      sharded.training.recompute_modules = 0;
    }
  init_kernels (workload, &sharded);
  workload->extents = NULL;
  workload->is_bound = TRUE;
  workload->hides_all = hides_all;
  plg_workload_fabric (&workload->fabric, plan, 0);
  plg_workload_add_collectives (workload);
  sum_seconds (workload);
  workload->plan = plan;
  for (int phase = 0; phase < PLG_N_PHASES; phase++)
    {
      const double *seconds = workload->seconds[PLG_PIECE_MOE][phase];

      ep += seconds[PLG_PART_EP];
      waits += seconds[PLG_PART_HOST];
    }
  for (PlgPass pass = 0; pass < PLG_N_PASSES; pass++)
    other += plg_workload_busy (workload, PLG_PIECE_MOE, pass);
  other -= ep;
  beside = ep - (1.0 - share) * MIN (ep, other);
  forward = &workload->kernels[PLG_PIECE_MOE].host_forward;
  backward = &workload->kernels[PLG_PIECE_MOE].host_backward;
  shorter = MAX (forward->launches + backward->launches,
                 other + beside + forward->least_wait + backward->least_wait);
  least.usual = plg_workload_average (workload, 1);
  least.dualpipe = least.usual - layers * (other + ep + waits - shorter);
  if (plan->parallelism.overlap_ep)
    least.usual = least.dualpipe;
  return least;
}

double
plg_workload_computing (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPhase phase)
{
  double time = 0.0;

  for (int i = 0; i < PLG_N_PIECES; i++)
    time += content->count[i] * (workload->seconds[i][phase][PLG_PART_COMPUTE] +
                                 workload->seconds[i][phase][PLG_PART_RECOMPUTE]);
  return time;
}

double
plg_workload_part (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPart part)
{
  double time = 0.0;

  for (int i = 0; i < PLG_N_PIECES; i++)
    for (int phase = 0; phase < PLG_N_PHASES && content->count[i] > 0.0; phase++)
      time += content->count[i] * workload->seconds[i][phase][part];
  return time;
}

double
plg_slowest_gpu_factor (const PlgPlan *plan, int stage)
{
  double slowest = 1.0;

  for (int i = 0; i < plan->cluster.n_faults; i++)
    {
      const PlgFault *fault = &plan->cluster.faults[i];

      if (fault->kind == PLG_FAULT_GPU &&
          plg_rank_coordinate (&plan->parallelism,
                               plg_placement_rank (&plan->placement, fault->first))
                  .index[PLG_AXIS_PP] == stage)
        slowest = MAX (slowest, 1.0 / fault->rate);
    }
  return slowest;
}

double
plg_workload_slowed_time (const PlgWorkload *workload,
                          const PlgPieceCounts *content,
                          PlgPhase phase,
                          double slow)
{
  double time = plg_workload_time (workload, content, phase);

  if (slow > 1.0)
    time += (slow - 1.0) * plg_workload_computing (workload, content, phase);
  return time;
}

PlgCollectiveUseSum
plg_collective_use_sum (const PlgCollectiveUse *use, const PlgPieceCounts *content)
{
  PlgCollectiveUseSum sum = { 0 };

  for (int i = 0; i < PLG_N_PIECES; i++)
    for (int phase = 0; phase < PLG_N_PHASES && content->count[i] > 0.0; phase++)
      {
        double calls = content->count[i] * use->piece[i].calls[phase];

        sum.calls += calls;
        sum.bytes += calls * use->piece[i].bytes;
        sum.time += calls * use->piece[i].time;
        sum.exposed += content->count[i] * use->piece[i].exposed[phase];
      }
  return sum;
}

PlgPieceCounts
plg_position_piece_counts (const PlgPlan *plan,
                           const PlgLayerRun *runs,
                           const PlgPipeline *pipeline,
                           int position)
{
  int stages = pipeline->stages;
  gboolean dual = pipeline->schedule == PLG_SCHEDULE_DUALPIPE;
  gboolean first = position == 0 || (dual && position == stages);
  gboolean last = plg_pipeline_is_last (pipeline, position);
  double mtp = MAX (plan->model.mtp_layers, 0);
  PlgPiece layer = plg_transformer_moe_layers (&plan->model) > 0 ? PLG_PIECE_MOE : PLG_PIECE_DENSE;
  int first_run = dual ? position % stages : position;
  /* A single stage has all chunks of the model. */
  int n_runs = stages == 1 ? plg_stage_chunks (plan) : 1;
  gboolean is_away = plg_mtp_is_away (plan);
  PlgPieceCounts content = { 0 };

  for (int i = first_run; i < first_run + n_runs; i++)
    {
      content.count[PLG_PIECE_MOE] += runs[i].moe_layers;
      content.count[PLG_PIECE_DENSE] += runs[i].layers - runs[i].moe_layers;
    }

  /* Each layer of multi-token prediction adds a projection and a layer of the same kind as the
   * last layer at the position that has it, and an output at the last position, where all losses
   * are computed (Megatron-LM, core/models/gpt/gpt_model.py). */
  if (first)
    content.count[PLG_PIECE_EMBEDDING] += 1.0;
  if (last)
    content.count[PLG_PIECE_OUTPUT] += 1.0 + mtp;
  if (is_away ? position == plg_mtp_virtual_stage (plan) : last)
    {
      content.count[PLG_PIECE_PROJECTION] += mtp;
      content.count[layer] += mtp;
    }
  return content;
}
