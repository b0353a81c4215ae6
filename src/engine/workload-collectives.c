/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/workload-private.h"

#include "engine/model/engine-constant.h"
#include "engine/model/flops.h"
#include "engine/model/indexer.h"
#include "engine/model/memory.h"
#include "engine/model/mixer.h"
#include "engine/model/program.h"
#include "engine/model/recipe.h"

#include <math.h>

static int
degree (const PlgPlan *plan, PlgAxis axis)
{
  return MAX (plan->parallelism.degree[axis], 1);
}

static gboolean
sequence_parallel (const PlgPlan *plan)
{
  return plan->parallelism.sequence && degree (plan, PLG_AXIS_TP) > 1;
}

static double
element_size (const PlgPlan *plan)
{
  return plan->training.precision == PLG_PRECISION_FP32 ? 4.0 : 2.0;
}

/* Returns the size of a micro-batch's activations between two layers, before TP shards them
 * [bytes]. */
static double
activation_bytes (const PlgPlan *plan)
{
  return plg_gpu_tokens (plan) * plan->model.hidden * element_size (plan);
}

double
plg_message_bytes (const PlgPlan *plan)
{
  double bytes = activation_bytes (plan);

  if (sequence_parallel (plan) || plg_program_habits (plan)->cuts_messages)
    bytes /= degree (plan, PLG_AXIS_TP);
  return bytes;
}

double
plg_message_gather_time (const PlgPlan *plan, const PlgFabric *fabric, const PlgGroupExtent *tp)
{
  if (sequence_parallel (plan) || !plg_program_habits (plan)->cuts_messages || tp->size < 2)
    return 0.0;
  return PLG_NVLINK_CONTENTION *
         plg_collective_time (fabric, tp, PLG_COLLECTIVE_ALL_GATHER, activation_bytes (plan));
}

/* A PlgCollectiveUse under construction, which counts the calls of one kind of collective by
 * model piece and phase. */
typedef struct
{
  PlgWorkload *workload;
  PlgCollectiveUse *use;
  PlgGroupExtent extent;
  PlgLinkScopes scopes;
  double share; /* share of the GPU's SMs that a call occupies while it is hidden */
  double load;  /* bytes of the fullest rank, for which all ranks wait, divided by the mean bytes of
                   all ranks, which the use counts */
  double sized_bytes; /* bytes of the piece whose size was set last; -1 before */
  PlgPiece sized_piece;
} Call;

static Call
call_new (PlgWorkload *workload, PlgGroupKind group, PlgAxis axis, PlgCollectiveKind kind)
{
  Call call = { .workload = workload,
                .use = &workload->collective_uses[workload->n_collective_uses++],
                .load = 1.0,
                .sized_bytes = -1.0 };

  g_assert (workload->n_collective_uses <= PLG_MAX_COLLECTIVE_USES);
  *call.use = (PlgCollectiveUse) { .group = group,
                                   .axis = axis,
                                   .kind = kind,
                                   .node_copy_share = 1.0 };
  if (workload->is_bound)
    {
      PlgGroups groups;

      plg_groups_init (&groups, &workload->plan->parallelism, group);
      call.extent.size = groups.size;
      call.use->contention_factor = axis == PLG_AXIS_TP ? PLG_NVLINK_CONTENTION : 1.0;
      call.share = MIN (PLG_COMM_SM_SHARE_INTRA, PLG_COMM_SM_SHARE_INTER);
      return call;
    }
  call.use->extent = plg_extent_cache_get (workload->extents, group, workload->plan,
                                           &workload->fabric);
  call.extent = call.use->extent;
  call.use->contention_factor = 1.0;
  if (axis == PLG_AXIS_TP)
    call.use->contention_factor = PLG_NVLINK_CONTENTION;
  else if (axis == PLG_AXIS_DP && call.extent.nodes > 1)
    call.use->contention_factor = workload->plan->parallelism.overlap_dp ? PLG_NETWORK_CONTENTION
                                                                         : PLG_LATE_CONTENTION;
  call.scopes = plg_link_scopes_of (&workload->fabric, &call.use->extent);
  call.share = call.extent.nodes > 1 ? PLG_COMM_SM_SHARE_INTER : PLG_COMM_SM_SHARE_INTRA;
  return call;
}

static Call
call_new_of_subject (PlgWorkload *workload,
                     PlgCollectiveSubject collective_subject,
                     PlgGroupKind group,
                     PlgAxis axis,
                     PlgCollectiveKind kind)
{
  Call call = call_new (workload, group, axis, kind);

  call.use->collective_subject = collective_subject;
  return call;
}

static void
call_cost (Call *call, PlgPiece piece, double bytes, PlgCollectiveCost cost)
{
  PlgCollectiveUse *use = call->use;

  use->piece[piece].bytes = bytes;
  use->piece[piece].time = use->contention_factor * plg_collective_cost_time (&cost);
  use->piece[piece].cost = cost;
}

static void
call_size (Call *call, PlgPiece piece, double bytes)
{
  PlgCollectiveUse *use = call->use;
  double fullest = call->load * bytes;

  /* Most pieces have calls of the same size. */
  if (bytes == call->sized_bytes)
    {
      use->piece[piece].bytes = use->piece[call->sized_piece].bytes;
      use->piece[piece].time = use->piece[call->sized_piece].time;
      use->piece[piece].cost = use->piece[call->sized_piece].cost;
      return;
    }
  call->sized_bytes = bytes;
  call->sized_piece = piece;
  if (call->workload->is_bound)
    use->piece[piece].time = use->contention_factor *
                             plg_collective_least_time (&call->workload->fabric, use->kind,
                                                        call->extent.size, fullest);
  else
    call_cost (call, piece, bytes,
               plg_collective_cost (&call->workload->fabric, &call->extent, use->kind, fullest));
}

static PlgPass
pass_of_phase (PlgPhase phase)
{
  return phase == PLG_PHASE_FORWARD ? PLG_PASS_FORWARD : PLG_PASS_BACKWARD;
}

/* Adds CALLS calls to PHASE. The idle link time of PASS hides at most WINDOW seconds of each
 * call. */
static void
call_beside (Call *call, PlgPiece piece, PlgPhase phase, double calls, PlgPass pass, double window)
{
  PlgOverlapBudget *budget = &call->workload->overlap_budget[piece];
  double time = calls * call->use->piece[piece].time;
  double hidden;

  /* A bound hides as much as the window allows, whatever time the links are idle. */
  if (call->workload->is_bound)
    hidden = call->workload->hides_all && window > 0.0 ? time : MIN (time, calls * window);
  else
    {
      hidden = plg_overlap_budget_hide (budget, pass, call->scopes, time, calls * window);
      if (pass != pass_of_phase (phase))
        {
          /* Another pass hides the call, but the GPU waits for the rest in its own pass. */
          plg_overlap_budget_wait (budget, pass, call->scopes, hidden - time);
          plg_overlap_budget_wait (budget, pass_of_phase (phase), call->scopes, time - hidden);
        }
    }

  call->use->piece[piece].calls[phase] += calls;
  call->use->piece[piece].exposed[phase] += time - hidden + call->share * hidden;
}

static void
call_add (Call *call, PlgPiece piece, PlgPhase phase, double calls, double window)
{
  call_beside (call, piece, phase, calls, pass_of_phase (phase), window);
}

/* Adds CALLS calls to the forward pass and, for layers with full recompute, also to the backward
 * pass: the mean of layers with and without it. */
static void
call_forward (Call *call, PlgPiece piece, double calls, double window)
{
  gboolean layer = piece == PLG_PIECE_DENSE || piece == PLG_PIECE_MOE;

  call_add (call, piece, PLG_PHASE_FORWARD, calls, window);
  if (layer && call->workload->repeated_share > 0.0)
    call_add (call, piece, PLG_PHASE_INPUT, calls * call->workload->repeated_share, window);
}

/* Returns TRUE if the backward pass of a layer repeats the whole MLP or all experts, and therefore
 * their collectives, without full recompute. */
static gboolean
repeats_mlp (const PlgPlan *plan, PlgPiece piece)
{
  gboolean moe = piece == PLG_PIECE_MOE;

  return (moe || piece == PLG_PIECE_DENSE) &&
         plg_recomputes (plan, moe, moe ? PLG_MODULE_EXPERTS : PLG_MODULE_MLP);
}

/* Returns TRUE if the backward pass of a layer repeats the MLP that TP shards, which is that of the
 * shared experts in a layer with experts, without full recompute. */
static gboolean
repeats_sharded_mlp (const PlgPlan *plan, PlgPiece piece)
{
  return repeats_mlp (plan, piece) ||
         (piece == PLG_PIECE_MOE && plg_recomputes (plan, TRUE, PLG_MODULE_SHARED_EXPERTS));
}

/* The number of blocks in a layer that TP shards, the mean of all layers. */
typedef struct
{
  double mlp; /* MLPs or shared experts */
  double all; /* also attention and mixers */
} TensorBlocks;

/* Counts the blocks of a layer. In a layer with experts, TP shards the MLP only if the layer has
 * shared experts, because tokens go directly from the sequence shards to all other experts. */
static TensorBlocks
tensor_blocks (const PlgPlan *plan, PlgPiece piece)
{
  PlgLayerShares shares = plg_layer_shares (&plan->model);
  TensorBlocks blocks = { 0 };

  if (piece != PLG_PIECE_DENSE && piece != PLG_PIECE_MOE)
    return blocks;
  if (piece == PLG_PIECE_DENSE || plan->model.shared_experts > 0)
    blocks.mlp = shares.mlp;
  blocks.all = shares.attention + shares.mixer + blocks.mlp;
  return blocks;
}

/* Returns the part of a call of TIME seconds that can run during a matrix product of PRODUCT
 * seconds [s]. With TP overlap, the call is split into as many tiles as the TP group has
 * members, and all tiles except one run during the matrix product (Megatron-LM,
 * --tp-comm-overlap). */
static double
tile_window (const PlgWorkload *workload, double product, double time)
{
  double tp = degree (workload->plan, PLG_AXIS_TP);

  return workload->plan->parallelism.overlap_tp ? MIN (product, time * (tp - 1.0) / tp) : 0.0;
}

/* Adds the calls of sequence parallelism. In the forward pass, each block gathers the input of
 * its first matrix and scatters the output of its second matrix. In the backward pass, it
 * gathers the output gradient. Megatron-LM also gathers the input again during the matrix
 * product for the input gradient, and scatters this gradient during the matrix product for the
 * weight gradient (core/tensor_parallel/layers.py). A layer makes 10 calls, of which 6 are
 * exposed unless they are split into tiles. In FP8 training, the gathered values are cast first
 * (Transformer Engine, pytorch/module/layernorm_linear.py; torchao, float8_tensor_parallel.py). */
static void
add_layer_gather (Call *gather, Call *scatter, PlgPiece piece, double bytes)
{
  const PlgWorkload *workload = gather->workload;
  const PlgKernelTime *kernels = &workload->kernels[piece];
  double blocks = tensor_blocks (workload->plan, piece).all;
  double mlp_blocks = tensor_blocks (workload->plan, piece).mlp;
  double time, column, row;

  if (blocks == 0.0)
    return;
  call_size (gather, piece,
             bytes * plg_gathered_input_bytes (workload->plan) / element_size (workload->plan));
  call_size (scatter, piece, bytes);
  time = gather->use->piece[piece].time;
  column = tile_window (workload, kernels->column_forward / blocks, time);
  row = tile_window (workload, kernels->row_forward / blocks, scatter->use->piece[piece].time);
  call_forward (gather, piece, blocks, column);
  call_forward (scatter, piece, blocks, row);
  if (mlp_blocks > 0.0 && repeats_sharded_mlp (workload->plan, piece))
    {
      call_add (gather, piece, PLG_PHASE_INPUT, mlp_blocks, column);
      call_add (scatter, piece, PLG_PHASE_INPUT, mlp_blocks, row);
    }
  row = tile_window (workload, kernels->row_input / blocks, time);
  call_add (gather, piece, PLG_PHASE_INPUT, blocks, row);
  call_add (gather, piece, PLG_PHASE_INPUT, blocks, kernels->column_input / blocks);
  call_add (scatter, piece, PLG_PHASE_INPUT, blocks, kernels->column_weight / blocks);
}

/* Returns how long the matrix product for a weight gradient can hide the all-reduce of an input
 * gradient [s]. Overlap in tiles requires sequence parallelism. Without sequence parallelism, TP
 * overlap hides only this all-reduce, as in Megatron-LM since 2022
 * (--no-async-tensor-model-parallel-allreduce turns it off). */
static double
gradient_window (const PlgWorkload *workload, double product)
{
  return workload->plan->parallelism.overlap_tp ? product : 0.0;
}

/* Adds the all-reduces of TP without sequence parallelism. Each block reduces its output in the
 * forward pass and its input gradient in the backward pass (Shoeybi 2019, arXiv 1909.08053, sec.
 * 3). */
static void
add_layer_reduce (Call *reduce, PlgPiece piece, double bytes)
{
  const PlgWorkload *workload = reduce->workload;
  const PlgKernelTime *kernels = &workload->kernels[piece];
  double blocks = tensor_blocks (workload->plan, piece).all;
  double mlp_blocks = tensor_blocks (workload->plan, piece).mlp;

  if (blocks == 0.0)
    return;
  call_size (reduce, piece, bytes);
  call_forward (reduce, piece, blocks, 0.0);
  if (mlp_blocks > 0.0 && repeats_sharded_mlp (workload->plan, piece))
    call_add (reduce, piece, PLG_PHASE_INPUT, mlp_blocks, 0.0);
  call_add (reduce, piece, PLG_PHASE_INPUT, blocks,
            gradient_window (workload, kernels->column_weight / blocks));
}

static void
add_tensor (PlgWorkload *workload)
{
  double bytes = activation_bytes (workload->plan);
  double window = gradient_window (workload, workload->kernels[PLG_PIECE_OUTPUT].column_weight);

  if (degree (workload->plan, PLG_AXIS_TP) < 2)
    return;
  if (sequence_parallel (workload->plan))
    {
      Call gather = call_new (workload, PLG_GROUP_TP, PLG_AXIS_TP, PLG_COLLECTIVE_ALL_GATHER);
      Call scatter = call_new (workload, PLG_GROUP_TP, PLG_AXIS_TP, PLG_COLLECTIVE_REDUCE_SCATTER);

      add_layer_gather (&gather, &scatter, PLG_PIECE_DENSE, bytes);
      add_layer_gather (&gather, &scatter, PLG_PIECE_MOE, bytes);

      /* The embedding scatters its output. The output layer gathers its input, like a block
       * without a second matrix. */
      const PlgKernelTime *output = &workload->kernels[PLG_PIECE_OUTPUT];

      call_size (&scatter, PLG_PIECE_EMBEDDING, bytes);
      call_size (&gather, PLG_PIECE_EMBEDDING, bytes);
      call_forward (&scatter, PLG_PIECE_EMBEDDING, 1.0, 0.0);
      call_add (&gather, PLG_PIECE_EMBEDDING, PLG_PHASE_INPUT, 1.0, 0.0);
      call_size (&gather, PLG_PIECE_OUTPUT, bytes);
      call_size (&scatter, PLG_PIECE_OUTPUT, bytes);
      call_forward (&gather, PLG_PIECE_OUTPUT, 1.0, 0.0);
      call_add (&gather, PLG_PIECE_OUTPUT, PLG_PHASE_INPUT, 1.0, output->column_input);
      call_add (&scatter, PLG_PIECE_OUTPUT, PLG_PHASE_INPUT, 1.0, output->column_weight);
    }
  else
    {
      Call reduce = call_new (workload, PLG_GROUP_TP, PLG_AXIS_TP, PLG_COLLECTIVE_ALL_REDUCE);

      add_layer_reduce (&reduce, PLG_PIECE_DENSE, bytes);
      add_layer_reduce (&reduce, PLG_PIECE_MOE, bytes);
      call_size (&reduce, PLG_PIECE_EMBEDDING, bytes);
      call_forward (&reduce, PLG_PIECE_EMBEDDING, 1.0, 0.0);
      call_size (&reduce, PLG_PIECE_OUTPUT, bytes);
      call_add (&reduce, PLG_PIECE_OUTPUT, PLG_PHASE_INPUT, 1.0, window);
    }
  if (workload->plan->training.loss == PLG_LOSS_GATHERED)
    {
      /* A gathered loss collects the logits of the whole vocabulary on each GPU. In the backward
       * pass, each GPU takes its own part of the gradient, without a collective. */
      const PlgPlan *plan = workload->plan;
      Call gather = call_new_of_subject (workload, PLG_COLLECTIVE_SUBJECT_LOSS, PLG_GROUP_TP,
                                         PLG_AXIS_TP, PLG_COLLECTIVE_ALL_GATHER);

      call_size (&gather, PLG_PIECE_OUTPUT,
                 plg_gpu_tokens (plan) * plg_padded_vocabulary (plan) * element_size (plan));
      call_forward (&gather, PLG_PIECE_OUTPUT, 1.0, 0.0);
    }
  else
    {
      /* The loss over a sharded vocabulary reduces the largest logit, the target's logit and the
       * sum of exponentials. Each is one FP32 value per token. */
      Call loss = call_new_of_subject (workload, PLG_COLLECTIVE_SUBJECT_LOSS, PLG_GROUP_TP,
                                       PLG_AXIS_TP, PLG_COLLECTIVE_ALL_REDUCE);

      call_size (&loss, PLG_PIECE_OUTPUT, 4.0 * plg_gpu_tokens (workload->plan));
      call_forward (&loss, PLG_PIECE_OUTPUT, 3.0, 0.0);
    }
}

/* Adds N exposed calls to the forward pass, including its recompute, and N to the backward pass. */
static void
add_both_ways (Call *call, PlgPiece piece, double n, double bytes)
{
  call_size (call, piece, bytes);
  call_forward (call, piece, n, 0.0);
  call_add (call, piece, PLG_PHASE_INPUT, n, 0.0);
}

/* Adds the calls of CP in layers with a mixer, whatever the kind of CP in attention: before the
 * convolution, each GPU gets the whole sequence of some heads, and after the norm its part of the
 * sequence again (Megatron-LM, core/ssm/mamba_context_parallel.py). The bytes are the mean of both
 * calls. */
static void
add_mixer_context (PlgWorkload *workload)
{
  static const PlgPiece pieces[] = { PLG_PIECE_DENSE, PLG_PIECE_MOE };
  const PlgPlan *plan = workload->plan;
  double share = plg_layer_shares (&plan->model).mixer, width;
  Call call;

  if (share <= 0.0)
    return;
  width = (plg_mixer_projected (&plan->model) + plg_mixer_inner (&plan->model)) /
          degree (plan, PLG_AXIS_TP);
  call = call_new_of_subject (workload, PLG_COLLECTIVE_SUBJECT_MIXER, PLG_GROUP_CP, PLG_AXIS_CP,
                              PLG_COLLECTIVE_ALL_TO_ALL);
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    if (plg_plan_has_piece (plan, pieces[i]))
      add_both_ways (&call, pieces[i], 2.0 * share,
                     plg_gpu_tokens (plan) * width / 2.0 * element_size (plan));
}

static void
add_context (PlgWorkload *workload, PlgCpType type)
{
  static const PlgPiece pieces[] = { PLG_PIECE_DENSE, PLG_PIECE_MOE };
  const PlgPlan *plan = workload->plan;
  const PlgTransformer *model = &plan->model;
  double tp = degree (plan, PLG_AXIS_TP);
  double width = 2.0 * MAX (model->kv_heads / tp, 1.0) * model->head_dim, keys;
  double share = plg_layer_shares (model).attention;
  PlgCollectiveKind first_kind = type == PLG_CP_RING      ? PLG_COLLECTIVE_SEND_RECV
                                 : type == PLG_CP_ULYSSES ? PLG_COLLECTIVE_ALL_TO_ALL
                                                          : PLG_COLLECTIVE_ALL_GATHER;
  Call first = call_new (workload, PLG_GROUP_CP, PLG_AXIS_CP, first_kind);
  Call second = { 0 };

  if (model->kv_rank > 0)
    width = model->heads / tp *
            (model->head_dim + (double) model->rope_dim +
             (model->value_dim > 0 ? model->value_dim : model->head_dim));
  /* With an indexer, all heads share the latent, and the indexer has a key of its own. */
  if (plg_has_indexer (model))
    width = (model->kv_rank > 0 ? plg_attention_key_width (model) : width) + model->index_dim;
  keys = plg_gpu_tokens (plan) * width * element_size (plan);
  if (type == PLG_CP_RING)
    {
      /* Use the slowest hop between neighbours, because it limits the speed of the ring. */
      if (!workload->is_bound)
        first.extent = plg_extent_cache_neighbours (workload->extents, plan, &workload->fabric);
    }
  else if (type == PLG_CP_ULYSSES)
    second = call_new_of_subject (workload, PLG_COLLECTIVE_SUBJECT_KV, PLG_GROUP_CP, PLG_AXIS_CP,
                                  PLG_COLLECTIVE_ALL_TO_ALL);
  else if (type == PLG_CP_ALL_GATHER)
    second = call_new (workload, PLG_GROUP_CP, PLG_AXIS_CP, PLG_COLLECTIVE_REDUCE_SCATTER);
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      PlgPiece piece = pieces[i];

      if (!plg_plan_has_piece (plan, piece))
        continue;
      if (type == PLG_CP_RING)
        {
          /* Keys and values travel around the ring while attention processes the previous keys
           * and values (Liu 2023, arXiv 2310.01889). In the backward pass, the gradients of keys
           * and values travel with them. */
          const PlgKernelTime *kernels = &workload->kernels[piece];
          double cp = degree (plan, PLG_AXIS_CP);

          call_size (&first, piece, keys);
          /* The times of the kernels are means of all layers, the windows those of one layer. */
          call_forward (&first, piece, share * (cp - 1.0), kernels->attention_forward / share / cp);
          call_add (&first, piece, PLG_PHASE_INPUT, share * (2.0 * cp - 1.0),
                    kernels->attention_backward / share / (2.0 * cp - 1.0));
        }
      else if (type == PLG_CP_ULYSSES)
        {
          /* Each pass exchanges queries, keys, values and output (Jacobs 2023, arXiv
           * 2309.14509). The output is assumed to be as large as the queries. */
          double query = plg_attention_key_width (model);

          add_both_ways (&first, piece, 2.0 * share,
                         plg_gpu_tokens (plan) * model->heads / tp * query * element_size (plan));
          add_both_ways (&second, piece, 2.0 * share, keys / 2.0);
        }
      else
        {
          double all = keys * degree (plan, PLG_AXIS_CP);

          call_size (&first, piece, all);
          call_forward (&first, piece, share, 0.0);
          call_size (&second, piece, all);
          call_add (&second, piece, PLG_PHASE_INPUT, share, 0.0);
        }
    }
}

/* Sets the bytes and the time of CALL, which sends tokens to their experts or back. TOKEN_BYTES are
 * the bytes of one copy of each of a GPU's tokens. All ranks send the same number of tokens, but a
 * call ends when the fullest rank has received its tokens. */
static void
call_dispatch (Call *call, double token_bytes)
{
  const PlgPlan *plan = call->workload->plan;
  const PlgFabric *fabric = &call->workload->fabric;
  PlgDispatcher dispatcher = plan->parallelism.dispatcher;
  double bytes = token_bytes * plan->model.top_k, load = plg_expert_load (plan),
         gpus = call->extent.size;

  if (dispatcher == PLG_DISPATCHER_ALL_TO_ALL)
    {
      call->load = load;
      call_size (call, PLG_PIECE_MOE, bytes);
    }
  else if (dispatcher == PLG_DISPATCHER_DEEPEP || dispatcher == PLG_DISPATCHER_HYBRIDEP)
    {
      double kept = plg_expert_places (&plan->model, gpus);

      if (call->workload->is_bound)
        call->use->piece[PLG_PIECE_MOE]
            .time = plg_collective_least_forward_time (fabric, dispatcher, call->extent.size,
                                                       load * kept * token_bytes,
                                                       load * token_bytes, &plan->model);
      else
        {
          call->use->node_copy_share = plg_expert_places (&plan->model, call->extent.nodes) / kept;
          call_cost (call, PLG_PIECE_MOE, kept * token_bytes,
                     plg_collective_forward_cost (fabric, &call->extent, dispatcher,
                                                  load * kept * token_bytes,
                                                  call->use->node_copy_share));
        }
    }
  else
    {
      /* If the group fits in one node, a GPU gets only one copy of a token for all of its
       * experts (DeepEP, github.com/deepseek-ai/DeepEP). */
      double sent = bytes, in_node = bytes * plg_place_copies (&plan->model, gpus);

      if (call->extent.nodes < 2)
        sent = in_node;
      if (call->workload->is_bound)
        call->use->piece[PLG_PIECE_MOE]
            .time = plg_collective_least_dispatch_time (fabric, call->extent.size, load * in_node,
                                                        load * bytes, &plan->model);
      else
        call_cost (call, PLG_PIECE_MOE, sent,
                   plg_collective_dispatch_cost (fabric, &call->extent, load * sent, &plan->model,
                                                 &call->use->node_copy_share));
    }
}

/* Returns how much of a call of TIME seconds another micro-batch can hide [s]. DualPipe has kernels
 * of its own, which hide the calls (DeepSeek-V3, arXiv 2412.19437, section 3.2). With DualPipe or
 * overlapping EP (Megatron-LM, --overlap-moe-expert-parallel-comm), the forward pass of one
 * micro-batch and the backward pass of another run at the same time, and each hides the calls of
 * the other. */
static double
dispatch_window (const PlgWorkload *workload, double time)
{
  if (workload->plan->training.schedule == PLG_SCHEDULE_DUALPIPE)
    return G_MAXDOUBLE;
  return workload->plan->parallelism.overlap_ep ? PLG_EP_OVERLAP * time : 0.0;
}

/* Adds the calls that gather all tokens on all GPUs of the group, and that sum and scatter the
 * outputs of the experts on the way back. The backward pass does the reverse (Megatron-LM,
 * core/transformer/moe/token_dispatcher.py, MoEAllGatherTokenDispatcher). All GPUs have all tokens,
 * so the load of the ranks does not matter. */
static void
add_gathered_experts (PlgWorkload *workload, double token_bytes, double again, double share)
{
  double all = token_bytes * degree (workload->plan, PLG_AXIS_EP);

  for (int back = 0; back < 2; back++)
    {
      Call call = call_new (workload, PLG_GROUP_EP, PLG_AXIS_EP,
                            back ? PLG_COLLECTIVE_REDUCE_SCATTER : PLG_COLLECTIVE_ALL_GATHER);
      double window;

      call_size (&call, PLG_PIECE_MOE, all);
      window = dispatch_window (workload, call.use->piece[PLG_PIECE_MOE].time);
      call_beside (&call, PLG_PIECE_MOE, PLG_PHASE_FORWARD, share, PLG_PASS_BACKWARD, window);
      call_beside (&call, PLG_PIECE_MOE, PLG_PHASE_INPUT, share * (1.0 + again), PLG_PASS_FORWARD,
                   window);
    }
}

/* Adds the calls that send tokens to their experts and back, in the forward and the backward pass
 * (Lepikhin 2020, arXiv 2006.16668), and those of TP inside the experts. */
static void
add_experts (PlgWorkload *workload)
{
  const PlgPlan *plan = workload->plan;
  double own = plg_gpu_tokens (plan) / degree (plan, PLG_AXIS_TP);
  double token_bytes = own * plan->model.hidden * element_size (plan);
  double bytes = own * plan->model.top_k * plan->model.hidden * element_size (plan);
  double again = repeats_mlp (plan, PLG_PIECE_MOE) ? 1.0 : workload->repeated_share;
  double share = plg_layer_shares (&plan->model).mlp;
  Call call;

  if (!plg_plan_has_piece (plan, PLG_PIECE_MOE))
    return;
  if (degree (plan, PLG_AXIS_EP) > 1)
    {
      if (plan->parallelism.dispatcher == PLG_DISPATCHER_ALL_GATHER)
        add_gathered_experts (workload, token_bytes, again, share);
      else
        {
          double window;

          call = call_new (workload, PLG_GROUP_EP, PLG_AXIS_EP, PLG_COLLECTIVE_ALL_TO_ALL);
          call_dispatch (&call, token_bytes);
          window = dispatch_window (workload, call.use->piece[PLG_PIECE_MOE].time);
          call_beside (&call, PLG_PIECE_MOE, PLG_PHASE_FORWARD, 2.0 * share, PLG_PASS_BACKWARD,
                       window);
          call_beside (&call, PLG_PIECE_MOE, PLG_PHASE_INPUT, share * (2.0 + 2.0 * again),
                       PLG_PASS_FORWARD, window);
        }
    }
  if (plan->parallelism.etp < 2)
    return;
  call = call_new_of_subject (workload, PLG_COLLECTIVE_SUBJECT_EXPERTS, PLG_GROUP_ETP, PLG_AXIS_TP,
                              PLG_COLLECTIVE_ALL_GATHER);
  call.load = plg_expert_load (plan);
  add_both_ways (&call, PLG_PIECE_MOE, share, bytes * plan->parallelism.etp);
  if (repeats_mlp (plan, PLG_PIECE_MOE))
    call_add (&call, PLG_PIECE_MOE, PLG_PHASE_INPUT, share, 0.0);
  call = call_new_of_subject (workload, PLG_COLLECTIVE_SUBJECT_EXPERTS, PLG_GROUP_ETP, PLG_AXIS_TP,
                              PLG_COLLECTIVE_REDUCE_SCATTER);
  call.load = plg_expert_load (plan);
  add_both_ways (&call, PLG_PIECE_MOE, share, bytes * plan->parallelism.etp);
  if (repeats_mlp (plan, PLG_PIECE_MOE))
    call_add (&call, PLG_PIECE_MOE, PLG_PHASE_INPUT, share, 0.0);
}

/* Returns the number of parameters of PIECE on a GPU: those of its experts if EXPERT is set,
 * otherwise all other parameters. */
static double
piece_parameters (const PlgPlan *plan, PlgPiece piece, gboolean expert)
{
  const PlgTransformer *model = &plan->model;
  PlgParameters parameters = { 0 };

  if (piece == PLG_PIECE_DENSE || piece == PLG_PIECE_MOE)
    parameters = plg_layer_parameters (model, piece == PLG_PIECE_MOE);
  else if (piece == PLG_PIECE_PROJECTION)
    parameters.sharded = 2.0 * model->hidden * model->hidden;
  else
    parameters.sharded = plg_padded_vocabulary (plan) * model->hidden;
  if (expert)
    parameters.sharded = parameters.replicated = 0.0;
  else
    parameters.expert = 0.0;
  return plg_gpu_parameters (plan, parameters);
}

/* Adds the traffic of ZeRO 3 per micro-batch, and of ZeRO 2 in DeepSpeed. A GPU does not keep all
 * gradients of its stage, so gradients are scattered after each layer. Other programs with ZeRO 2
 * keep them until the last micro-batch: MegaScale (arXiv 2402.15627, section 3.2), Llama 3 (arXiv
 * 2407.21783, section 3.3.2), FSDP with set_requires_gradient_sync (gradient-sync.c). With ZeRO 3,
 * a GPU does not keep all weights either, so weights are gathered before each layer in both the
 * forward and the backward pass (Rajbhandari 2020, arXiv 1910.02054, sec. 7). With hybrid sharding
 * (HSDP), both stay inside a shard group; the shard groups sum their gradients once per step
 * (gradient-sync.c). */
static void
add_sharded (PlgWorkload *workload, PlgGroupKind group, gboolean expert)
{
  const PlgPlan *plan = workload->plan;
  gboolean gathers = plan->parallelism.zero >= 3;
  PlgCollectiveSubject collective_subject = expert ? PLG_COLLECTIVE_SUBJECT_EXPERTS
                                                   : PLG_COLLECTIVE_SUBJECT_LAYERS;
  Call scatter = call_new_of_subject (workload, collective_subject, group, PLG_AXIS_DP,
                                      PLG_COLLECTIVE_REDUCE_SCATTER);
  Call gather = { 0 };

  if (gathers)
    gather = call_new_of_subject (workload, collective_subject, group, PLG_AXIS_DP,
                                  PLG_COLLECTIVE_ALL_GATHER);
  for (int i = 0; i < PLG_N_PIECES; i++)
    {
      double parameters = piece_parameters (plan, i, expert);

      if (!plg_plan_has_piece (plan, i) || parameters <= 0.0)
        continue;
      if (gathers)
        {
          gboolean layer = i == PLG_PIECE_DENSE || i == PLG_PIECE_MOE;

          call_size (&gather, i,
                     parameters * (layer ? plg_gathered_weight_bytes (plan)
                                         : plg_weight_bytes (&plan->training)));
          call_add (&gather, i, PLG_PHASE_FORWARD, 1.0, G_MAXDOUBLE);
          call_add (&gather, i, PLG_PHASE_INPUT, 1.0, G_MAXDOUBLE);
        }
      call_size (&scatter, i, parameters * plg_reduced_gradient_bytes (&plan->training));
      call_add (&scatter, i, PLG_PHASE_WEIGHT, 1.0, G_MAXDOUBLE);
    }
}

static void
add_data (PlgWorkload *workload)
{
  const PlgPlan *plan = workload->plan;
  gboolean has_levels = plg_parallelism_replicate (&plan->parallelism) > 1;

  if (!plg_scatters_each_micro_batch (plan))
    return;

  /* With DP overlap, the DP calls of a micro-batch can use the overlap budget that the other
   * collectives leave. Without DP overlap, they use none of it. */
  if (!plan->parallelism.overlap_dp)
    memset (workload->overlap_budget, 0, sizeof workload->overlap_budget);
  if (plg_parallelism_shards (&plan->parallelism) > 1)
    add_sharded (workload, has_levels ? PLG_GROUP_SHARD : PLG_GROUP_DATA, FALSE);
  if (plg_plan_has_piece (plan, PLG_PIECE_MOE) && plg_expert_shards (plan) > 1)
    add_sharded (workload, has_levels ? PLG_GROUP_EXPERT_SHARD : PLG_GROUP_EXPERT_DATA, TRUE);
}

/* Adds the calls of TP, CP and EP first, because they run at fixed points of the computation and
 * can use the whole overlap budget. DP uses the rest. */
void
plg_workload_add_collectives (PlgWorkload *workload)
{
  add_tensor (workload);
  if (degree (workload->plan, PLG_AXIS_CP) > 1)
    {
      if (plg_transformer_attention_layers (&workload->plan->model) > 0)
        add_context (workload, workload->plan->parallelism.cp_type);
      add_mixer_context (workload);
    }
  add_experts (workload);
  if (!workload->is_bound)
    add_data (workload);
}
