/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/memory.h"

#include "engine/model/flops.h"
#include "engine/model/indexer.h"
#include "engine/model/mixer.h"
#include "engine/model/muon.h"
#include "engine/model/offload.h"
#include "engine/model/program.h"
#include "engine/model/recipe.h"

#include <math.h>
#include <string.h>

/* Bytes per element of the tensors that are kept for the backward pass. */
typedef struct
{
  double value; /* bytes per element of an activation */
  double input; /* bytes per element of the input of a matrix product, which quantized
                   training stores with its scales */
} ElementSize;

static ElementSize
element_size (const PlgPlan *plan)
{
  switch (plan->training.precision)
    {
    case PLG_PRECISION_FP32:
      return (ElementSize) { 4.0, 4.0 };
    case PLG_PRECISION_FP8:
    case PLG_PRECISION_FP4:
      return (ElementSize) { 2.0, plg_recipe_of (plan, plg_program_habits (plan))->value_bytes };
    case PLG_PRECISION_BF16:
    case PLG_PRECISION_FP16:
    default:
      return (ElementSize) { 2.0, 2.0 };
    }
}

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

double
plg_weight_bytes (const PlgTraining *training)
{
  return training->precision == PLG_PRECISION_FP32 ? 4.0 : 2.0;
}

double
plg_gathered_weight_bytes (const PlgPlan *plan)
{
  double bytes = plg_weight_bytes (&plan->training);

  return plg_gathers_fp8_weights (plan) ? 1.0 + plg_bf16_layer_share (plan) * (bytes - 1.0) : bytes;
}

double
plg_gradient_bytes (const PlgTraining *training)
{
  if (training->precision == PLG_PRECISION_FP32)
    return 4.0;
  return training->gradient_precision == PLG_PRECISION_FP32 ? 4.0 : 2.0;
}

double
plg_reduced_gradient_bytes (const PlgTraining *training)
{
  switch (training->reduce_precision)
    {
    case PLG_REDUCE_FP32:
      return 4.0;
    case PLG_REDUCE_BF16:
      return 2.0;
    case PLG_REDUCE_AS_SUMMED:
    default:
      return plg_gradient_bytes (training);
    }
}

/* Returns the bytes per parameter of gradients that are kept between micro-batches. */
double
plg_accumulated_gradient_bytes (const PlgPlan *plan)
{
  const PlgTraining *training = &plan->training;
  double bytes = plg_gradient_bytes (training), weight = plg_weight_bytes (training);
  gboolean both = plg_program_habits (plan)->keeps_both_gradients &&
                  training->precision == PLG_PRECISION_BF16 && plan->parallelism.zero <= 1 &&
                  bytes > weight;

  return both ? bytes + weight : bytes;
}

/* 8-bit values have a scale in FP32 for each block of 256 (bitsandbytes, optim/optimizer.py;
 * torchao, optim/adam.py). */
static const double moment_bytes[] = {
  [PLG_OPTIMIZER_ADAM] = 4.0,
  [PLG_OPTIMIZER_ADAM_BF16] = 2.0,
  [PLG_OPTIMIZER_ADAM_8BIT] = 1.0 + 4.0 / 256.0,
  [PLG_OPTIMIZER_MUON] = 4.0,
};
G_STATIC_ASSERT (G_N_ELEMENTS (moment_bytes) == PLG_N_OPTIMIZERS);

double
plg_moment_bytes (const PlgTraining *training)
{
  return moment_bytes[training->optimizer];
}

double
plg_optimizer_bytes (const PlgTraining *training)
{
  double master = training->precision == PLG_PRECISION_FP32 ? 0.0 : 4.0;

  return master + 2.0 * plg_moment_bytes (training);
}

double
plg_muon_state_bytes (const PlgTraining *training)
{
  return plg_optimizer_bytes (training) - plg_moment_bytes (training);
}

gboolean
plg_copies_moments (const PlgPlan *plan)
{
  return plg_program_habits (plan)->is_precision_aware && plg_moment_bytes (&plan->training) < 4.0;
}

double
plg_held_optimizer_bytes (const PlgPlan *plan)
{
  double bytes = plg_optimizer_bytes (&plan->training);

  if (plg_copies_moments (plan) && plan->training.precision == PLG_PRECISION_BF16)
    return bytes - 2.0;
  return bytes;
}

double
plg_update_bytes (const PlgPlan *plan)
{
  double gradient = plg_gradient_bytes (&plan->training);
  double weight = plg_weight_bytes (&plan->training);
  double bytes = gradient + 2.0 * plg_held_optimizer_bytes (plan) + weight;

  if (!plg_copies_moments (plan))
    return bytes;
  /* The copies are written, read, written and read in FP32, once for each of two moments. */
  bytes += 2.0 * 4.0 * 4.0;
  /* A master weight in two parts needs the old weight. */
  return plan->training.precision == PLG_PRECISION_BF16 ? bytes + weight : bytes;
}

double
plg_gpu_tokens (const PlgPlan *plan)
{
  return (double) plan->training.micro_batch * plan->training.sequence / degree (plan, PLG_AXIS_CP);
}

double
plg_expert_load (const PlgPlan *plan)
{
  return degree (plan, PLG_AXIS_EP) > 1 ? MAX (plan->training.expert_load, 1.0) : 1.0;
}

static double
schedule_in_flight (const PlgPlan *plan, int stage)
{
  int stages = degree (plan, PLG_AXIS_PP);
  int micro_batches = MAX (plg_plan_micro_batches (plan), 1);
  int chunks = plg_stage_chunks (plan);

  /* Without a pipeline, each micro-batch runs forward and backward before the next one starts. */
  if (stages == 1)
    return 1.0;
  switch (plan->training.schedule)
    {
    case PLG_SCHEDULE_GPIPE:
      return micro_batches;
    case PLG_SCHEDULE_INTERLEAVED:
      if (chunks > 1)
        {
          /* Interleaving with p stages, v chunks and m micro-batches: the warm-up on stage r
           * holds 2 (p - r - 1) + (v - 1) p chunks, one more chunk is being processed, and the
           * limit is v m chunks (Megatron-LM, core/pipeline_parallel/schedules.py). */
          double group = MIN (stages, micro_batches);
          double live = 2.0 * (stages - stage - 1) + (chunks - 1) * group + 1.0;

          return MIN (live / chunks, micro_batches);
        }
      return MIN (micro_batches, stages - stage);
    case PLG_SCHEDULE_ZB_H1:
      /* Weight gradients are deferred, so each stage holds as many micro-batches as the first
       * stage of 1F1B (Qi 2023, sec. 2). */
    case PLG_SCHEDULE_ZB_V:
      /* All stages hold as many micro-batches as the first stage of 1F1B (Qi 2023, sec. 6). */
      return MIN (micro_batches, stages);
    case PLG_SCHEDULE_DUALPIPE:
      /* With p stages, at most p + 1 micro-batches are in flight (DeepSeek-V3 report, table 2). */
      return MIN (micro_batches, stages + 1);
    case PLG_SCHEDULE_1F1B:
    default:
      return MIN (micro_batches, stages - stage);
    }
}

/* Returns the number of micro-batches in flight. The overlap of EP communication needs one more
 * micro-batch, because the compute of one micro-batch hides the communication of another
 * (Megatron-LM, core/pipeline_parallel/schedules.py, overlap_moe_expert_parallel_comm). */
double
plg_stage_in_flight (const PlgPlan *plan, int stage)
{
  double live = schedule_in_flight (plan, stage);
  gboolean dual = plan->training.schedule == PLG_SCHEDULE_DUALPIPE;

  if (!plan->parallelism.overlap_ep || dual || !plg_transformer_is_moe (&plan->model))
    return live;
  return MIN (live + 1.0 / plg_stage_chunks (plan), MAX (plg_plan_micro_batches (plan), 1));
}

/* Returns the bytes per token that one GPU holds of a tensor with BYTES per token in total.
 * Within a TP group, only sequence parallelism shards the tensor. */
static double
undivided_tensor (const PlgPlan *plan, double bytes)
{
  return sequence_parallel (plan) ? bytes / degree (plan, PLG_AXIS_TP) : bytes;
}

/* Returns the bytes per token of a product's input with BYTES per token in total. Sequence parallelism
 * shards the input, unless the program keeps the gathered input for the backward pass. */
static double
product_input (const PlgPlan *plan, double bytes)
{
  return plg_program_habits (plan)->keeps_gathered ? bytes : undivided_tensor (plan, bytes);
}

/* Returns the bytes per token of softmax output, dropout mask and dropout output in one layer: 5
 * × heads × sequence length for 16-bit values. Without dropout, only the softmax output remains. */
static double
score_bytes (const PlgPlan *plan)
{
  double size = element_size (plan).value;

  return (plg_training_has_dropout (&plan->training) ? 2.0 * size + 1.0 : size) *
         plan->model.heads * plan->training.sequence;
}

/* Returns the number of values per token in the output of attention, before TP shards it. */
static double
attention_width (const PlgTransformer *model)
{
  return (double) model->heads *
         (model->kv_rank > 0 && model->value_dim > 0 ? model->value_dim : model->head_dim);
}

/* Returns the bytes per token of query, key and value, before TP shards these tensors. */
static double
query_key_value_bytes (const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;
  double size = element_size (plan).value;
  double heads = model->heads, dim = model->head_dim;

  /* With an indexer, the heads share the latent, and their queries and outputs have its width. */
  if (model->kv_rank > 0 && plg_has_indexer (model))
    return size * heads * (dim + plg_attention_key_width (model));
  if (model->kv_rank > 0) /* Each head has its own key and value. */
    return size * (2.0 * heads * (dim + model->rope_dim) + attention_width (model));
  return size * (heads * dim + 2.0 * model->kv_heads * dim);
}

/* Returns the bytes per token of query, key, value and output of attention, before TP shards
 * these tensors. */
static double
attention_tensor_bytes (const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;
  ElementSize size = element_size (plan);
  double heads = model->heads, output = attention_width (model);
  double bytes = query_key_value_bytes (plan);

  if (model->kv_rank > 0 && plg_has_indexer (model))
    bytes += size.value * heads * plg_attention_value_width (model);

  /* The gate needs its projection and the ungated output, and the output projection the product. */
  if (model->attention_gate)
    bytes += size.value * output *
             (plan->training.flash_attention && size.input < size.value ? 1.0 : 2.0);
  /* Rotary positions in single operations write new queries and keys. The old ones stay, because the
   * values lie in the same tensor, the result of the joint projection. */
  if (model->positions == 0 && model->kv_rank == 0 && !plg_kernel_habits (plan)->fuses)
    bytes += size.value * (heads + model->kv_heads) * model->head_dim;
  /* The backward pass of the attention kernel needs the kernel's output in full precision, and
   * the output projection needs the same values in the precision of matrix products. One tensor
   * serves both unless products are in FP8. */
  if (!plan->training.flash_attention)
    return bytes + size.input * output;
  bytes += size.value * output + (size.input < size.value ? size.input * output : 0.0);
  return bytes + 4.0 * heads; /* log-sum-exp in FP32 */
}

/* Returns the bytes per value of the results of an activation function. If the gate is one kernel
 * for the activation and another for the product, the first result is kept for the backward pass of
 * the second (SiLU in PyTorch). */
static double
activation_result_bytes (const PlgPlan *plan, gboolean is_fused)
{
  ElementSize size = element_size (plan);

  return size.input + (plan->model.gated && !is_fused ? size.value : 0.0);
}

/* Returns the bytes per token of the intermediate tensors of an MLP with INNER columns: the
 * outputs of gate and up, and the results of the activation function. */
static double
mlp_inner_bytes (const PlgPlan *plan, double inner, gboolean is_fused)
{
  ElementSize size = element_size (plan);

  return inner *
         (size.value * (plan->model.gated ? 2.0 : 1.0) + activation_result_bytes (plan, is_fused));
}

/* Returns the bytes per token of routed experts on the fullest rank. Under even load, each GPU of
 * a TP group processes top_k / TP rows per token, where a row is the copy of a token for one
 * expert. With ETP, each GPU processes ETP times as many rows, and each row has 1/ETP of the
 * width. The router keeps logits and probabilities in FP32. */
static double
routed_bytes (const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;
  double rows = plg_expert_load (plan) * model->top_k / (double) degree (plan, PLG_AXIS_TP);
  double copies = MAX (plan->parallelism.etp, 1);
  double dispatched = element_size (plan).input * model->hidden * copies;

  return rows * (dispatched + mlp_inner_bytes (plan, model->expert_ffn, TRUE)) +
         undivided_tensor (plan, 8.0 * model->experts);
}

/* Counts the outputs of the recomputed modules and the tensors inside them, in a layer with these
 * SHARES. The inputs of a module are kept (Megatron-LM, core/transformer/transformer_config.py,
 * recompute_modules). */
static PlgRecomputedBytes
recomputed_bytes (const PlgPlan *plan, gboolean moe, PlgLayerShares shares)
{
  const PlgTransformer *model = &plan->model;
  ElementSize size = element_size (plan);
  double tp = degree (plan, PLG_AXIS_TP);
  double inner = moe ? (double) model->shared_experts * model->expert_ffn : model->ffn;
  gboolean is_fused = plg_kernel_habits (plan)->fuses;
  PlgRecomputedBytes bytes = { 0 };

  if (plg_recomputes (plan, moe, PLG_MODULE_NORM))
    {
      double input = product_input (plan, size.input * model->hidden);

      bytes.mlp = moe ? undivided_tensor (plan, size.input * model->hidden) : input;
      bytes.mixer = shares.mixer * input;
      bytes.attention = input;
    }
  if (plg_recomputes (plan, moe, PLG_MODULE_MLA_UP))
    bytes.attention += undivided_tensor (plan,
                                         size.input * ((double) model->q_rank + model->kv_rank)) +
                       query_key_value_bytes (plan) / tp;
  if (plg_recomputes (plan, moe, moe ? PLG_MODULE_EXPERTS : PLG_MODULE_MLP))
    bytes.mlp += mlp_inner_bytes (plan, inner, is_fused) / tp + (moe ? routed_bytes (plan) : 0.0);
  else
    {
      gboolean activation = plg_recomputes (plan, moe, PLG_MODULE_ACTIVATION);

      if (plg_recomputes (plan, moe, PLG_MODULE_SHARED_EXPERTS))
        bytes.mlp += mlp_inner_bytes (plan, inner, is_fused) / tp;
      else if (activation)
        bytes.mlp += activation_result_bytes (plan, is_fused) * inner / tp;
      if (activation && moe)
        bytes.mlp += activation_result_bytes (plan, TRUE) * plg_expert_load (plan) * model->top_k *
                     model->expert_ffn / tp;
    }
  bytes.attention *= shares.attention;
  bytes.mlp *= shares.mlp;
  return bytes;
}

PlgRecomputedBytes
plg_recomputed_bytes (const PlgPlan *plan, gboolean moe)
{
  return recomputed_bytes (plan, moe, plg_layer_shares (&plan->model));
}

static double
parts_activation_bytes (const PlgPlan *plan, gboolean moe, PlgLayerShares shares)
{
  const PlgTransformer *model = &plan->model;
  ElementSize size = element_size (plan);
  double whole = size.value * model->hidden;                       /* input of the norm */
  double input = product_input (plan, size.input * model->hidden); /* output of the norm */
  double divided = attention_tensor_bytes (plan);
  double mlp_whole = size.value * model->hidden;
  double inner = moe ? (double) model->shared_experts * model->expert_ffn : model->ffn;
  PlgRecomputedBytes again = recomputed_bytes (plan, moe, shares);
  double mlp, mixer = 0.0, indexer = 0.0;

  if (shares.mixer > 0.0)
    mixer = shares.mixer *
            (undivided_tensor (plan, whole) + input +
             plg_mixer_kept_bytes (model, size.value, size.input) / degree (plan, PLG_AXIS_TP));
  if (model->kv_rank > 0)
    {
      whole += (size.value + size.input) * ((double) model->q_rank + model->kv_rank);
      whole += size.value * model->rope_dim;
    }
  if (plg_has_indexer (model))
    indexer = plg_indexer_kept_bytes (plan, size.value);
  if (plg_training_has_dropout (&plan->training))
    {
      whole += model->hidden;     /* dropout mask after the projection */
      mlp_whole += model->hidden; /* dropout mask */
    }
  if (!plan->training.flash_attention && plan->training.recompute != PLG_RECOMPUTE_SELECTIVE)
    divided += score_bytes (plan);
  /* Experts get their tokens through the dispatcher. */
  mlp = (moe ? undivided_tensor (plan, size.input * model->hidden) : input) +
        undivided_tensor (plan, mlp_whole) +
        mlp_inner_bytes (plan, inner, plg_kernel_habits (plan)->fuses) / degree (plan, PLG_AXIS_TP);
  mlp = shares.mlp * mlp - (again.attention + again.mlp);
  return shares.attention * (input + undivided_tensor (plan, whole) +
                             divided / degree (plan, PLG_AXIS_TP) + indexer) +
         (moe ? mlp + shares.mlp * routed_bytes (plan) : mlp) + (mixer - again.mixer);
}

double
plg_parts_activation_bytes (const PlgPlan *plan, gboolean moe, PlgLayerShares shares)
{
  double bytes = parts_activation_bytes (plan, moe, shares), share = plg_bf16_layer_share (plan);

  if (share > 0.0)
    {
      PlgPlan wide = *plan;

      wide.training.precision = PLG_PRECISION_BF16;
      bytes += share * (parts_activation_bytes (&wide, moe, shares) - bytes);
    }
  return bytes;
}

double
plg_layer_activation_bytes (const PlgPlan *plan, gboolean moe)
{
  return plg_parts_activation_bytes (plan, moe, plg_layer_shares (&plan->model));
}

/* Returns the copies of tokens that a GPU sends to experts, per own token and expert: 1 with a copy
 * for each expert. With an all-gather, these are all tokens of the EP group. DeepEP and HybridEP
 * keep one copy of a token on each GPU that has some of its experts. */
static double
dispatched_copies (const PlgPlan *plan)
{
  double ep = degree (plan, PLG_AXIS_EP), experts = MAX (plan->model.top_k, 1);

  if (ep < 2.0)
    return 1.0;
  switch (plan->parallelism.dispatcher)
    {
    case PLG_DISPATCHER_ALL_GATHER:
      return ep / experts;
    case PLG_DISPATCHER_DEEPEP:
    case PLG_DISPATCHER_HYBRIDEP:
      return plg_expert_places (&plan->model, ep) / experts;
    case PLG_DISPATCHER_ALL_TO_ALL:
    case PLG_DISPATCHER_AUTO:
    default:
      return 1.0;
    }
}

/* Returns the temporary bytes per token in the backward pass of a layer with the parts in REAL: the
 * gradients inside the MLP, the gradients of the scores, or those inside the mixer, each with the
 * recomputed tensors of its modules, whichever are largest. With experts, the MLP also
 * needs the routed tokens four times: sent and received, on the way to the experts and on the way
 * back. The fullest rank has more of them on the side of the experts. */
static double
real_working_bytes (const PlgPlan *plan, gboolean moe, PlgLayerShares real)
{
  const PlgTransformer *model = &plan->model;
  double size = element_size (plan).value;
  double inner = size * (model->gated ? 3.0 : 2.0);
  double tp = degree (plan, PLG_AXIS_TP);
  PlgRecomputedBytes again = recomputed_bytes (plan, moe, real);
  double attention = 0.0, mixer = 0.0, mlp = inner * model->ffn / tp;

  if (moe)
    {
      double copies = MAX (plan->parallelism.etp, 1), load = plg_expert_load (plan);
      double sent = dispatched_copies (plan);

      mlp = model->top_k *
            ((2.0 * sent + 2.0 * load) * size * model->hidden * copies +
             load * inner * model->expert_ffn) /
            tp;
    }
  if (!plan->training.flash_attention)
    {
      attention = 2.0 * size * model->heads * plan->training.sequence / tp;
      if (plan->training.recompute == PLG_RECOMPUTE_SELECTIVE)
        attention += score_bytes (plan) / tp;
    }
  if (real.mixer > 0.0)
    mixer = plg_mixer_working_bytes (model, size) / tp + again.mixer;
  attention *= real.attention;
  mlp *= real.mlp;
  return MAX (MAX (attention + again.attention, mlp + again.mlp), mixer);
}

/* Sets *WORKING to the temporary bytes per token in the backward pass of the layer that needs most, and
 * *KEPT to the bytes per token that the layer with most activations keeps. */
static void
find_largest_layers (const PlgPlan *plan, gboolean moe, double *working, double *kept)
{
  PlgLayerShares real[PLG_MAX_REAL_LAYERS];
  int n = plg_real_layers (&plan->model, real);

  *working = *kept = 0.0;
  for (int i = 0; i < n; i++)
    {
      *working = MAX (*working, real_working_bytes (plan, moe, real[i]));
      *kept = MAX (*kept, plg_parts_activation_bytes (plan, moe, real[i]));
    }
}

/* The parts of the model and their parameters on one GPU of a stage. With DualPipe a GPU has one
 * stage of each direction. */
typedef struct
{
  PlgStageParts parts;
  PlgParameters parameters;
  int vocabulary_matrices;
} StageContent;

/* Bytes per logit: those that are kept after the loss of a micro-batch, and those that are
 * needed only while the loss is computed. */
typedef struct
{
  double kept;
  double transient;
} LogitBytes;

static LogitBytes
logit_bytes (const PlgPlan *plan)
{
  double size = element_size (plan).value;

  /* A fused loss keeps the logits and their gradient in 16 bits, or the softmax in 32 bits. */
  if (plan->training.loss == PLG_LOSS_FUSED)
    return (LogitBytes) { plg_program_habits (plan)->keeps_softmax ? 4.0 : size, size };
  /* An unfused loss keeps the logits, an FP32 copy and the copy's log-softmax. The backward pass
   * adds FP32 gradients of the copy and the log-softmax (PyTorch's cross_entropy of
   * logits.float()). */
  return (LogitBytes) { size + 8.0, 8.0 };
}

/* Returns the number of logits of a micro-batch on a GPU. */
static double
logits (const PlgPlan *plan)
{
  double slices = plan->training.loss == PLG_LOSS_GATHERED ? 1.0 : degree (plan, PLG_AXIS_TP);

  return plg_gpu_tokens (plan) * plg_padded_vocabulary (plan) / slices *
         (1.0 + MAX (plan->model.mtp_layers, 0));
}

/* Returns the bytes of a chunked loss. Megatron-LM has the gradient of the logits of a piece of the
 * vocabulary, and sums the gradient of the input in FP32 over all pieces. Other programs compute the
 * loss of a piece of the tokens like an unfused loss. */
static double
chunked_loss_bytes (const PlgPlan *plan)
{
  double size = element_size (plan).value, tokens = plg_gpu_tokens (plan);
  double words = plg_padded_vocabulary (plan) / degree (plan, PLG_AXIS_TP);

  if (plg_repeats_logits (plan))
    return tokens * (size * MIN (words, PLG_LOSS_VOCABULARY_PIECE) + 4.0 * plan->model.hidden);
  return tokens / PLG_LOSS_PIECES * words * (size + 16.0) + 4.0 * tokens * plan->model.hidden;
}

/* Returns the bytes of the logits and the loss. GPipe keeps the logits of every micro-batch. */
static double
loss_bytes (const PlgPlan *plan)
{
  LogitBytes bytes = logit_bytes (plan);
  double batches = 1.0;

  if (plan->training.loss == PLG_LOSS_CHUNKED)
    return chunked_loss_bytes (plan);
  if (plan->training.schedule == PLG_SCHEDULE_GPIPE && degree (plan, PLG_AXIS_PP) > 1)
    batches = MAX (plg_plan_micro_batches (plan), 1);
  return logits (plan) * (bytes.transient + bytes.kept * batches);
}

/* Returns the bytes that the loss has freed when only the logits and their gradient are left. */
static double
released_loss_bytes (const PlgPlan *plan)
{
  LogitBytes bytes = logit_bytes (plan);

  return logits (plan) * MAX (bytes.kept + bytes.transient - 2.0 * element_size (plan).value, 0.0);
}

/* Returns the largest block of memory of a stage that is freed in each micro-batch: a loss that is not
 * fused has the logits in FP32. */
static double
largest_block (const PlgPlan *plan, const StageContent *content)
{
  PlgLoss loss = plan->training.loss;
  gboolean is_wide = loss == PLG_LOSS_PLAIN || loss == PLG_LOSS_GATHERED;

  return content->parts.output && is_wide ? 4.0 * logits (plan) : 0.0;
}

static void
add_parts (const PlgPlan *plan, const PlgStageParts *parts, StageContent *content)
{
  PlgParameters parameters = plg_stage_parameters (plan, parts);

  content->parts.moe_layers += parts->moe_layers;
  content->parts.dense_layers += parts->dense_layers;
  content->parts.mtp_layers += parts->mtp_layers;
  content->parts.embedding |= parts->embedding;
  content->parts.output |= parts->output;
  content->parts.repeated.dense_layers += parts->repeated.dense_layers;
  content->parts.repeated.moe_layers += parts->repeated.moe_layers;
  content->parts.repeated.mtp_layers += parts->repeated.mtp_layers;
  content->parts.repeated.kept_inputs += parts->repeated.kept_inputs;
  content->parts.repeated.live_layers = MAX (content->parts.repeated.live_layers,
                                             parts->repeated.live_layers);
  content->parameters.sharded += parameters.sharded;
  content->parameters.replicated += parameters.replicated;
  content->parameters.expert += parameters.expert;
  content->vocabulary_matrices += plg_stage_vocabulary_matrices (plan, parts);
}

/* Returns the content of a GPU with PARTS and, with DualPipe, those of the other direction, MIRROR. */
static StageContent
content_of_parts (const PlgPlan *plan, const PlgStageParts *parts, const PlgStageParts *mirror)
{
  StageContent content = { 0 };

  add_parts (plan, parts, &content);
  if (mirror != NULL)
    {
      int shared = plg_shared_vocabulary_matrices (plan, parts, mirror);

      add_parts (plan, mirror, &content);
      content.vocabulary_matrices -= shared;
      content.parameters.sharded -= shared * plg_padded_vocabulary (plan) * plan->model.hidden;
    }
  return content;
}

static StageContent
stage_content (const PlgPlan *plan, int stage)
{
  int stages = degree (plan, PLG_AXIS_PP);
  gboolean has_mirror = plan->training.schedule == PLG_SCHEDULE_DUALPIPE && stages > 1;
  PlgStageParts parts = plg_stage_parts (plan, stage), mirror = { 0 };

  if (has_mirror)
    mirror = plg_stage_parts (plan, stages - 1 - stage);
  return content_of_parts (plan, &parts, has_mirror ? &mirror : NULL);
}

/* Returns TRUE if the GPU has a layer with experts. MTP modules follow the last layer and are of
 * the same kind. */
static gboolean
has_moe (const PlgPlan *plan, const StageContent *content)
{
  return content->parts.moe_layers > 0 ||
         (content->parts.mtp_layers > 0 && plg_transformer_moe_layers (&plan->model) > 0);
}

/* Returns the bytes per token of the input of a layer. */
static double
layer_input_bytes (const PlgPlan *plan)
{
  return undivided_tensor (plan, element_size (plan).value * plan->model.hidden);
}

/* Returns the bytes per token that an MTP module keeps before its layer: the embedding and the hidden
 * state, and their norms, which are the input of the projection (Megatron-LM,
 * core/transformer/multi_token_prediction.py). */
static double
projection_bytes (const PlgPlan *plan)
{
  ElementSize size = element_size (plan);

  return undivided_tensor (plan, 2.0 * (size.value + size.input) * plan->model.hidden);
}

/* Returns the bytes per token that a layer keeps for the backward pass, as a mean of layers with and
 * without full recompute. */
static double
kept_layer_bytes (const PlgPlan *plan, gboolean moe)
{
  gboolean in_groups = plan->training.recompute_method == PLG_RECOMPUTE_METHOD_GROUPS;
  double repeated = plg_repeated_share (plan);
  double inputs = in_groups ? repeated / MAX (plan->training.recompute_layers, 1) : repeated;

  return inputs * layer_input_bytes (plan) +
         (1.0 - repeated) * plg_layer_activation_bytes (plan, moe);
}

double
plg_offloaded_layer_bytes (const PlgPlan *plan, gboolean moe)
{
  double layers = plan->model.layers + MAX (plan->model.mtp_layers, 0);
  double offloaded = (double) plan->training.offload_layers * degree (plan, PLG_AXIS_PP);

  if (offloaded <= 0.0)
    return 0.0;
  return MIN (offloaded / layers, 1.0) * kept_layer_bytes (plan, moe) * plg_gpu_tokens (plan);
}

/* Bytes per token: of the input of a layer, of the projection of an MTP module, and of a layer without
 * and with experts, first those that are kept for the backward pass without full recompute, then
 * those that only the backward pass of the layer needs. They are 0 for a kind of layer that the model
 * lacks. */
typedef struct
{
  double input;
  double projection;
  double kept[2];
  double largest[2]; /* the same as kept[], unless the layers of a hybrid model differ */
  double working[2];
} LayerBytes;

static LayerBytes
layer_bytes (const PlgPlan *plan)
{
  int layers[] = { plg_transformer_dense_layers (&plan->model),
                   plg_transformer_moe_layers (&plan->model) };
  LayerBytes bytes = { .input = layer_input_bytes (plan), .projection = projection_bytes (plan) };

  for (int moe = 0; moe < 2; moe++)
    if (layers[moe] > 0)
      {
        bytes.kept[moe] = plg_layer_activation_bytes (plan, moe);
        find_largest_layers (plan, moe, &bytes.working[moe], &bytes.largest[moe]);
      }
  return bytes;
}

/* Returns the activation bytes per token for all layers of the stage. With DualPipe the GPU has
 * the layers of two stages but micro-batches in flight are counted per stage, so the result is
 * halved. */
static double
stage_layer_bytes (const PlgPlan *plan, const LayerBytes *layers, const StageContent *content)
{
  const PlgRepeatedLayers *repeated = &content->parts.repeated;
  int dense = content->parts.dense_layers - repeated->dense_layers;
  int moe = content->parts.moe_layers - repeated->moe_layers;
  int mtp = content->parts.mtp_layers - repeated->mtp_layers;
  gboolean two = plan->training.schedule == PLG_SCHEDULE_DUALPIPE && degree (plan, PLG_AXIS_PP) > 1;
  double bytes;

  if (plg_transformer_moe_layers (&plan->model) > 0)
    moe += mtp;
  else
    dense += mtp;
  bytes = mtp * layers->projection + repeated->kept_inputs * layers->input +
          dense * layers->kept[FALSE] + moe * layers->kept[TRUE];
  /* dropout mask after the embedding */
  if (content->parts.embedding && plan->training.dropout == PLG_DROPOUT_ON)
    bytes += undivided_tensor (plan, plan->model.hidden);
  return two ? bytes / 2.0 : bytes;
}

/* The activations of layers whose activations travel to the host [bytes]. */
typedef struct
{
  double on_host;
  double off_gpu; /* less than on_host, because one layer is on its way */
} OffloadedActivations;

/* Returns the offloaded part of KEPT, the activations of all layers and micro-batches in flight. */
static OffloadedActivations
offloaded_activations (const PlgPlan *plan,
                       const StageContent *content,
                       double kept,
                       double in_flight)
{
  gboolean two = plan->training.schedule == PLG_SCHEDULE_DUALPIPE && degree (plan, PLG_AXIS_PP) > 1;
  double layers = (content->parts.dense_layers + content->parts.moe_layers +
                   content->parts.mtp_layers) /
                  (two ? 2.0 : 1.0);
  double share = layers > 0.0 ? MIN (plan->training.offload_layers / layers, 1.0) : 0.0;
  double layer = layers > 0.0 ? kept / (layers * in_flight) : 0.0;

  return (OffloadedActivations) { share * kept, MAX (share * kept - layer, 0.0) };
}

double
plg_stage_offloaded_bytes (const PlgPlan *plan, int stage, double *on_host)
{
  OffloadedActivations offloaded;
  StageContent content = stage_content (plan, stage);
  LayerBytes layers = layer_bytes (plan);
  double in_flight = plg_stage_in_flight (plan, stage);
  double kept = stage_layer_bytes (plan, &layers, &content) * plg_gpu_tokens (plan) * in_flight;

  offloaded = offloaded_activations (plan, &content, kept, in_flight);
  if (on_host != NULL)
    *on_host = offloaded.on_host;
  return offloaded.off_gpu;
}

double
plg_stage_activation_bytes (const PlgPlan *plan, int stage)
{
  StageContent content = stage_content (plan, stage);
  LayerBytes layers = layer_bytes (plan);

  return stage_layer_bytes (plan, &layers, &content);
}

/* Returns the number of parameters in the largest layer on a GPU. If EXPERTS is FALSE, only one
 * expert of the layer is counted, because experts of equal shape share a buffer. */
static double
largest_layer (const PlgPlan *plan, const StageContent *content, gboolean experts)
{
  PlgLayerShares real[PLG_MAX_REAL_LAYERS];
  int n = plg_real_layers (&plan->model, real);
  double largest = 0.0;

  for (int i = 0; i < n; i++)
    {
      if (content->parts.dense_layers > 0)
        largest = MAX (largest, plg_gpu_parameters (plan, plg_parts_parameters (&plan->model, FALSE,
                                                                                real[i])));
      if (has_moe (plan, content))
        {
          PlgParameters layer = plg_parts_parameters (&plan->model, TRUE, real[i]);

          if (!experts)
            layer.expert *= (double) degree (plan, PLG_AXIS_EP) / plan->model.experts;
          largest = MAX (largest, plg_gpu_parameters (plan, layer));
        }
    }
  return largest;
}

/* Returns the number of parameters in the largest matrix of a layer on a GPU. */
static double
largest_matrix (const PlgPlan *plan, const StageContent *content)
{
  const PlgTransformer *model = &plan->model;
  double columns = MAX (attention_width (model) + 2.0 * model->kv_heads * model->head_dim,
                        model->ffn);

  if (has_moe (plan, content))
    return largest_layer (plan, content, FALSE);
  return columns * model->hidden / degree (plan, PLG_AXIS_TP);
}

double
plg_vocabulary_matrix (const PlgPlan *plan)
{
  return plg_padded_vocabulary (plan) * plan->model.hidden / degree (plan, PLG_AXIS_TP);
}

int
plg_plan_communicators (const PlgPlan *plan)
{
  int axes = 0;

  for (int axis = 0; axis < PLG_N_AXES; axis++)
    axes += plan->parallelism.degree[axis] > 1;
  return axes;
}

/* Returns the memory of the CUDA context and the communicators. */
static double
fixed_runtime_bytes (const PlgPlan *plan)
{
  int communicators = plg_plan_communicators (plan);

  if (communicators == 0)
    return PLG_CONTEXT_BYTES;
  return PLG_CONTEXT_BYTES + PLG_NCCL_BYTES + communicators * PLG_COMMUNICATOR_BYTES;
}

double
plg_allocator_slack (const PlgPlan *plan, double allocated, double block)
{
  double slack = plg_engine_constant (plg_program_habits (plan)->slack);
  double room = plan->cluster.memory * (1.0 - 1e-9) - fixed_runtime_bytes (plan) - allocated;

  if (allocated <= 0.0)
    return slack;
  if (plan->cluster.memory > 0.0)
    slack = CLAMP (room / allocated, PLG_ALLOCATOR_MIN_SLACK_PART * slack, slack);
  return MAX (slack, block / allocated);
}

static PlgGpuParameters
gpu_parameters (const PlgPlan *plan, const PlgParameters *parameters)
{
  PlgGpuParameters gpu;

  gpu.expert = plg_gpu_parameters (plan, (PlgParameters) { .expert = parameters->expert });
  gpu.dense = plg_gpu_parameters (plan, *parameters) - gpu.expert;
  gpu.dense_shards = plg_parallelism_shards (&plan->parallelism);
  gpu.expert_shards = plg_expert_shards (plan);
  return gpu;
}

PlgGpuParameters
plg_stage_gpu_parameters (const PlgPlan *plan, int stage)
{
  StageContent content = stage_content (plan, stage);

  return gpu_parameters (plan, &content.parameters);
}

static double
state_bytes (const PlgGpuParameters *gpu, double bytes, gboolean sharded)
{
  if (!sharded)
    return bytes * (gpu->dense + gpu->expert);
  return bytes * (gpu->dense / gpu->dense_shards + gpu->expert / gpu->expert_shards);
}

/* Returns the bytes of the buffers that other GPUs write to.
 *
 * HybridEP has room for all tokens of the EP group, with the probabilities of all experts of the
 * node in FP32 (DeepEP, branch hybrid-ep, csrc/hybrid_ep/buffer/intranode.cu; the way to the experts
 * and the way back share a buffer). DeepEP has ten channels, each with room for 288 tokens of each GPU
 * of the node, and for 128 tokens of each node in both directions (deep_ep/buffer.py,
 * get_dispatch_config; csrc/config.hpp). */
static double
dispatch_buffer_bytes (const PlgPlan *plan, const StageContent *content)
{
  double ep = degree (plan, PLG_AXIS_EP), inside = MIN (ep, plan->cluster.gpus_per_node);
  double nodes = ceil (ep / inside), tokens = plg_gpu_tokens (plan) / degree (plan, PLG_AXIS_TP);
  double token = element_size (plan).value * plan->model.hidden;

  if (ep < 2.0 || !has_moe (plan, content))
    return 0.0;
  if (plan->parallelism.dispatcher == PLG_DISPATCHER_HYBRIDEP)
    return ep * tokens * (token + 4.0 * plan->model.experts / nodes);
  if (plan->parallelism.dispatcher == PLG_DISPATCHER_DEEPEP)
    return 10.0 * token * (288.0 * inside + (nodes > 1.0 ? 2.0 * 128.0 * nodes : 0.0));
  return 0.0;
}

/* Returns the numbers of parameters whose optimizer state is on the GPU that has most of it. */
static PlgOwnedParameters
owned_parameters (const PlgPlan *plan, const StageContent *content, const PlgGpuParameters *gpu)
{
  PlgGpuParameters adam = *gpu;
  PlgOwnedParameters owned = { 0 };

  if (plg_uses_muon (plan))
    {
      PlgMuonWork work = plg_muon_work (plan, &content->parts);

      adam.dense = MAX (adam.dense - work.dense.parameters, 0.0);
      adam.expert = MAX (adam.expert - work.expert.parameters, 0.0);
      owned.muon = work.dense.state + work.expert.state;
    }
  owned.adam = state_bytes (&adam, 1.0, plan->parallelism.zero >= 1);
  return owned;
}

PlgOwnedParameters
plg_stage_owned_parameters (const PlgPlan *plan, int stage)
{
  StageContent content = stage_content (plan, stage);
  PlgGpuParameters gpu = gpu_parameters (plan, &content.parameters);

  return owned_parameters (plan, &content, &gpu);
}

static PlgStageBuffers
stage_buffers (const PlgPlan *plan, const StageContent *content, const PlgGpuParameters *gpu)
{
  PlgStageBuffers buffers = { 0 };
  double copies = 0.0;

  /* The optimizer works in FP32, so it first copies its shard of the 16-bit gradients to FP32, or both
   * narrow moments. All activations are free by then, so only the part of the copy that exceeds the
   * activations adds to the peak. */
  if (plg_copies_moments (plan))
    copies = 2.0 * 4.0;
  else if (plg_gradient_bytes (&plan->training) < 4.0)
    copies = 4.0;
  buffers.step = (1.0 - plg_offload_share (plan)) *
                 state_bytes (gpu, copies, plan->parallelism.zero >= 1);
  if (plg_gradients_are_sharded (plan))
    {
      /* ZeRO 2 and 3 hold the gradients of a layer until they are scattered. ZeRO 3 also holds
       * the weights of the current layer and of the prefetched layer, which may be the embedding
       * or the output. */
      double layer = largest_layer (plan, content, TRUE);
      double ends = content->parts.embedding || content->parts.output ||
                            content->parts.mtp_layers > 0
                        ? plg_vocabulary_matrix (plan)
                        : 0.0;
      double largest = MAX (layer, ends);

      buffers.gradients = plg_gradient_bytes (&plan->training) * largest;
      if (plan->parallelism.zero >= 3)
        buffers.weights = plg_weight_bytes (&plan->training) * (layer + largest);
    }
  else
    {
      /* A matrix product writes a weight gradient in the precision of the weights, and the
       * result is then added to the main gradient. Transformer Engine keeps one buffer per shape
       * for these results. PyTorch adds and frees the result of one matrix before the next
       * (torch/csrc/autograd/functions/accumulate_grad.h). */
      double size = plg_weight_bytes (&plan->training);
      double output = content->parts.output ? size * plg_vocabulary_matrix (plan) : 0.0;

      if (plg_program_habits (plan)->adds_gradients)
        /* When the gradient of the output matrix is made, the loss has freed its copies. */
        buffers.gradients = MAX (size * largest_matrix (plan, content),
                                 output - released_loss_bytes (plan));
      else
        buffers.gradients = size * largest_layer (plan, content, FALSE) + output;
    }
  buffers.dispatch = dispatch_buffer_bytes (plan, content);
  if (plg_weight_copy_bytes (plan) > 0.0)
    {
      /* Embedding and output stay in 16 bits. */
      double vocabulary = plg_vocabulary_matrix (plan) * content->vocabulary_matrices;

      buffers.copies = plg_weight_copy_bytes (plan) *
                       MAX (gpu->dense + gpu->expert - vocabulary, 0.0);
    }
  if (sequence_parallel (plan)) /* Sequence parallelism needs a buffer for the gathered input of
                                   a matrix product. */
    buffers.input = element_size (plan).value * plg_gpu_tokens (plan) * plan->model.hidden;
  return buffers;
}

double
plg_stage_largest_block (const PlgPlan *plan, int stage)
{
  StageContent content = stage_content (plan, stage);

  return largest_block (plan, &content);
}

double
plg_host_state_bytes (const PlgPlan *plan)
{
  if (plg_offloads_weights (plan) && !plg_program_habits (plan)->casts_shards)
    return PLG_OFFLOADED_BYTES + plg_weight_bytes (&plan->training);
  return PLG_OFFLOADED_BYTES;
}

double
plg_offloaded_weight_bytes (const PlgPlan *plan, gboolean moe)
{
  PlgParameters parameters = plg_layer_parameters (&plan->model, moe);
  PlgGpuParameters gpu = gpu_parameters (plan, &parameters);
  double bytes = plg_program_habits (plan)->casts_shards ? 4.0 : plg_weight_bytes (&plan->training);

  return plg_offloads_weights (plan) ? state_bytes (&gpu, bytes, TRUE) : 0.0;
}

PlgStageBuffers
plg_stage_buffers (const PlgPlan *plan, int stage)
{
  StageContent content = stage_content (plan, stage);
  PlgGpuParameters gpu = gpu_parameters (plan, &content.parameters);

  return stage_buffers (plan, &content, &gpu);
}

/* The memory of a GPU that does not depend on the micro-batches in flight [bytes]. */
typedef struct
{
  StageContent content;
  PlgStageMemory memory; /* without activations, buffers, runtime and total */
  double batch;          /* activations of one micro-batch in flight */
  double working;        /* activations that exist for a short time only */
  double embedding;      /* output of the embedding */
  PlgStageBuffers buffers;
} StageFootprint;

/* Returns the bytes per token of the backward pass of a layer and of the activations of the REPEATED
 * layers, the largest of which is the layer itself. */
static double
peak_bytes (const LayerBytes *layers, gboolean moe, double repeated)
{
  double more = repeated > 0.0 ? layers->largest[moe] - layers->kept[moe] : 0.0;

  return layers->working[moe] + repeated * layers->kept[moe] + more;
}

static StageFootprint
stage_footprint (const PlgPlan *plan, const LayerBytes *layers, const StageContent *content)
{
  const PlgTraining *training = &plan->training;
  StageFootprint footprint = { .content = *content };
  PlgStageMemory *memory = &footprint.memory;
  PlgGpuParameters gpu = gpu_parameters (plan, &content->parameters);
  int zero = plan->parallelism.zero;
  double tokens = plg_gpu_tokens (plan);
  double size = element_size (plan).value;
  double on_gpu = 1.0 - plg_offload_share (plan);
  PlgOwnedParameters owned = owned_parameters (plan, content, &gpu);
  double working = 0.0, repeated = content->parts.repeated.live_layers;

  memory->layers = content->parts.dense_layers + content->parts.moe_layers;
  memory->parameters = gpu.dense + gpu.expert;
  if (!plg_offloads_weights (plan))
    memory->weights = state_bytes (&gpu, plg_weight_bytes (training), zero >= 3);
  memory->gradients = state_bytes (&gpu, plg_accumulated_gradient_bytes (plan),
                                   plg_gradients_are_sharded (plan));
  if (plg_offloads_gradients (plan))
    memory->gradients *= on_gpu;
  memory->optimizer = on_gpu * (owned.adam * plg_held_optimizer_bytes (plan) +
                                owned.muon * plg_muon_state_bytes (training));
  memory->host = plg_offload_share (plan) *
                 state_bytes (&gpu, plg_host_state_bytes (plan), zero >= 1);
  footprint.batch = stage_layer_bytes (plan, layers, content) * tokens;

  /* Add the larger of two short peaks, because they never coincide: the loss before the
   * backward pass of the layers, and the backward pass of the largest layer, with the activations
   * that full recompute repeats, after the logits are freed. */
  if (content->parts.dense_layers > 0)
    working = peak_bytes (layers, FALSE, repeated) * tokens;
  if (has_moe (plan, content))
    working = MAX (working, peak_bytes (layers, TRUE, repeated) * tokens);
  footprint.working = content->parts.output ? MAX (working, loss_bytes (plan)) : working;
  if (content->parts.embedding)
    footprint.embedding = undivided_tensor (plan, size * plan->model.hidden) * tokens;
  footprint.buffers = stage_buffers (plan, content, &gpu);
  return footprint;
}

static void
set_stage_memory (const PlgPlan *plan,
                  int stage,
                  const StageFootprint *footprint,
                  PlgStageMemory *memory)
{
  const PlgStageBuffers *buffers = &footprint->buffers;
  double in_flight = plg_stage_in_flight (plan, stage), allocated;

  *memory = footprint->memory;
  memory->in_flight = (int) ceil (in_flight);
  memory->activations = footprint->batch * in_flight;
  if (plan->training.offload_layers > 0)
    {
      OffloadedActivations offloaded = offloaded_activations (plan, &footprint->content,
                                                              memory->activations, in_flight);

      memory->activations -= offloaded.off_gpu;
      memory->host += offloaded.on_host;
    }
  memory->activations += footprint->working;
  memory->activations += footprint->embedding;
  memory->buffers = buffers->dispatch + buffers->copies +
                    MAX (buffers->gradients + buffers->weights + buffers->input,
                         buffers->step - memory->activations);
  allocated = memory->weights + memory->gradients + memory->optimizer + memory->activations +
              memory->buffers;
  memory->runtime = fixed_runtime_bytes (plan) +
                    plg_allocator_slack (plan, allocated,
                                         largest_block (plan, &footprint->content)) *
                        allocated;
  memory->total = allocated + memory->runtime;
}

void
plg_stage_memory (const PlgPlan *plan,
                  int stage,
                  const PlgStageParts *parts,
                  const PlgStageParts *mirror,
                  PlgStageMemory *memory)
{
  LayerBytes layers = layer_bytes (plan);
  StageContent content = content_of_parts (plan, parts, mirror);
  StageFootprint footprint = stage_footprint (plan, &layers, &content);

  set_stage_memory (plan, stage, &footprint, memory);
}

void
plg_memory_ledger_of_parts (const PlgPlan *plan, const PlgStageParts *parts, PlgStageMemory *stages)
{
  int n = degree (plan, PLG_AXIS_PP);
  gboolean has_mirror = plan->training.schedule == PLG_SCHEDULE_DUALPIPE && n > 1;
  LayerBytes layers = layer_bytes (plan);
  StageFootprint footprint;

  for (int i = 0; i < n; i++)
    {
      /* Stages with the same parts differ only in the micro-batches in flight. */
      if (i == 0 || has_mirror || memcmp (&parts[i], &parts[i - 1], sizeof *parts) != 0)
        {
          StageContent content = content_of_parts (plan, &parts[i],
                                                   has_mirror ? &parts[n - 1 - i] : NULL);

          footprint = stage_footprint (plan, &layers, &content);
        }
      set_stage_memory (plan, i, &footprint, &stages[i]);
    }
}

void
plg_memory_ledger (const PlgPlan *plan, PlgStageMemory *stages)
{
  int n = degree (plan, PLG_AXIS_PP);
  g_autofree PlgStageParts *parts = g_new (PlgStageParts, n);

  for (int i = 0; i < n; i++)
    parts[i] = plg_stage_parts (plan, i);
  plg_memory_ledger_of_parts (plan, parts, stages);
}

double
plg_memory_peak (const PlgPlan *plan, double limit)
{
  int stages = degree (plan, PLG_AXIS_PP);
  LayerBytes layers = layer_bytes (plan);
  PlgStageMemory memory;
  double peak = 0.0;

  /* The second stage is first, because it usually needs most memory: it has many micro-batches in
   * flight, and the first stage may have layers without experts. */
  for (int i = 0; i < stages && peak <= limit; i++)
    {
      int stage = (i + 1) % stages;
      StageContent content = stage_content (plan, stage);
      StageFootprint footprint = stage_footprint (plan, &layers, &content);

      set_stage_memory (plan, stage, &footprint, &memory);
      if (!plg_cluster_host_has (&plan->cluster, memory.host))
        return G_MAXDOUBLE;
      peak = MAX (peak, memory.total);
    }
  return peak;
}
