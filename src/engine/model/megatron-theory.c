/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/megatron-theory.h"

#include "engine/model/flops.h"

/* Bytes per parameter: BF16 weight, FP32 gradient, FP32 master copy and Adam's two moments. With
 * the distributed optimizer, each GPU keeps the whole weight and gradient (KEPT_BYTES) and
 * shards the rest. */
#define WHOLE_BYTES 18.0
#define KEPT_BYTES 6.0
#define DIVIDED_BYTES 12.0
#define OVERHEAD 1.05 /* factor for temporary tensors without sequence parallelism */

/* Numbers of parameters, grouped by the way in which GPUs split them: sharded by TP, whole on
 * each GPU, or sharded by EP and ETP. */
typedef struct
{
  double divided;
  double whole;
  double expert;
} Shares;

static int
degree (const PlgPlan *plan, PlgAxis axis)
{
  return MAX (plan->parallelism.degree[axis], 1);
}

static double
norm_vectors (const PlgTransformer *model)
{
  return model->rms_norm ? 1.0 : 2.0;
}

/* Counts the parameters of an MLP: an input matrix and an output matrix. A gate adds a third
 * matrix of the same size. */
static double
mlp_parameters (const PlgTransformer *model, double inner)
{
  return 2.0 * model->hidden * inner * (model->gated ? 1.5 : 1.0);
}

/* Counts the parameters of attention, all of which TP shards. With latent attention, the norms
 * of the latents are included. */
static double
attention_parameters (const PlgTransformer *model)
{
  double hidden = model->hidden, heads = model->heads, dim = model->head_dim;
  double query = heads * (dim + model->rope_dim);
  double value = model->value_dim > 0 ? model->value_dim : dim;
  double norm = norm_vectors (model);
  double latent;

  if (model->kv_rank == 0)
    return 2.0 * hidden * dim * (heads + model->kv_heads);
  latent = model->kv_rank * (hidden + heads * (dim + value) + norm);
  latent += model->q_rank > 0 ? model->q_rank * (hidden + query + norm) : hidden * query;
  return latent + hidden * model->rope_dim + heads * value * hidden;
}

/* Counts the parameters of one layer. EXPERTS is the number of routed experts to count: all
 * experts, or only the top-k. */
static Shares
layer_shares (const PlgTransformer *model, gboolean moe, double experts)
{
  Shares shares = { .divided = attention_parameters (model),
                    .whole = 2.0 * norm_vectors (model) * model->hidden };

  if (!moe)
    {
      shares.divided += mlp_parameters (model, model->ffn);
      return shares;
    }
  shares.divided += mlp_parameters (model, (double) model->shared_experts * model->expert_ffn);
  shares.whole += (double) model->experts * model->hidden;
  if (model->biases)
    shares.whole += model->experts;
  shares.expert = experts * mlp_parameters (model, model->expert_ffn);
  return shares;
}

static void
add_layers (Shares *sum, double n, const Shares *layer)
{
  sum->divided += n * layer->divided;
  sum->whole += n * layer->whole;
  sum->expert += n * layer->expert;
}

/* Counts the parameters of all layers and of the final norm. */
static Shares
block_shares (const PlgTransformer *model, double experts)
{
  Shares dense = layer_shares (model, FALSE, 0.0);
  Shares sum = { .whole = norm_vectors (model) * model->hidden };

  add_layers (&sum, plg_transformer_dense_layers (model), &dense);
  if (plg_transformer_is_moe (model))
    {
      Shares moe = layer_shares (model, TRUE, experts);

      add_layers (&sum, plg_transformer_moe_layers (model), &moe);
    }
  return sum;
}

static double
sum_shares (const Shares *shares)
{
  return shares->divided + shares->whole + shares->expert;
}

static double
embedding_parameters (const PlgPlan *plan)
{
  return plg_padded_vocabulary (plan) * plan->model.hidden;
}

static double
bytes_each (const PlgPlan *plan, int replicas)
{
  return plan->parallelism.zero >= 1 ? KEPT_BYTES + DIVIDED_BYTES / replicas : WHOLE_BYTES;
}

/* Returns the number of micro-batches in flight on the first stage, divided by the number of
 * stages p. The first stage has L / p of all L layers, so L times this factor equals its layers
 * times its micro-batches in flight. */
static double
pipeline_factor (const PlgPlan *plan)
{
  double stages = degree (plan, PLG_AXIS_PP);
  int chunks = plg_stage_chunks (plan);

  if (plan->training.schedule == PLG_SCHEDULE_INTERLEAVED && chunks > 1)
    return 1.0 + (stages - 1.0) / (stages * chunks);
  return MIN (1.0, plg_plan_micro_batches (plan) / stages);
}

/* Returns the tokens per micro-batch. Megatron-LM's formulas do not divide them by CP. */
static double
micro_batch_tokens (const PlgPlan *plan)
{
  return (double) plan->training.micro_batch * plan->training.sequence;
}

/* Returns the activation bytes in flight: BYTES per token for each layer, and the embedding's
 * input and dropout mask for each micro-batch. */
static double
layer_bytes (const PlgPlan *plan, double bytes)
{
  double stages = degree (plan, PLG_AXIS_PP);
  double token = bytes * plan->model.layers + 8.0 * stages + plan->model.hidden * stages;

  return token * micro_batch_tokens (plan) * pipeline_factor (plan);
}

/* Returns the activation bytes without sequence parallelism (Korthikanti 2022, table 2).
 * Megatron-LM's formula assumes that the inner size of the MLP is four times the hidden size,
 * even if the plan has a different inner size. */
static double
other_bytes (const PlgPlan *plan)
{
  double hidden = plan->model.hidden, tp = degree (plan, PLG_AXIS_TP);
  double bytes = layer_bytes (plan, hidden * (10.0 + 24.0 / tp));

  if (degree (plan, PLG_AXIS_PP) == 1)
    bytes += micro_batch_tokens (plan) * 2.0 * (plg_padded_vocabulary (plan) / tp + hidden);
  return OVERHEAD * bytes;
}

/* Returns the FLOPs per token. Each multiplication is followed by an addition, and the backward
 * pass costs twice as much as the forward pass, so the factor is 6. */
static double
flops_per_token (const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;
  double hidden = model->hidden, mtp = MAX (model->mtp_layers, 0);
  double moe = plg_transformer_moe_layers (model), dense = plg_transformer_dense_layers (model);
  /* Include the attention scores and their products with the values, per token per layer. A
   * causal mask halves the number of scores. */
  double key = model->head_dim, value = model->head_dim;
  double experts = (double) model->top_k + model->shared_experts, products;

  if (model->kv_rank > 0)
    {
      key += model->rope_dim;
      value = model->value_dim > 0 ? model->value_dim : model->head_dim;
    }
  products = (dense + moe + mtp) *
             (attention_parameters (model) +
              plan->training.sequence * (double) model->heads * (key + value) / 2.0);

  if (moe > 0.0)
    moe += mtp;
  else
    dense += mtp;
  products += dense * mlp_parameters (model, model->ffn) +
              moe * mlp_parameters (model, experts * model->expert_ffn);
  products += (1.0 + mtp) * embedding_parameters (plan);
  products += mtp * (3.0 * hidden + 2.0 * hidden * hidden);
  return 6.0 * products;
}

PlgMegatronTheory
plg_megatron_theory (const PlgPlan *plan)
{
  PlgMegatronTheory theory = { .flops_per_token = flops_per_token (plan) };
  const PlgTransformer *model = &plan->model;
  double stages = degree (plan, PLG_AXIS_PP), tp = degree (plan, PLG_AXIS_TP);
  double experts = (double) degree (plan, PLG_AXIS_EP) * MAX (plan->parallelism.etp, 1);
  gboolean selective = plan->parallelism.sequence && tp > 1.0 &&
                       plan->training.recompute == PLG_RECOMPUTE_SELECTIVE;
  Shares block = block_shares (model, model->experts);
  Shares active = block_shares (model, MIN (model->top_k, model->experts));
  /* Count the parameters of the MTP blocks. Each block is one additional layer of the same kind
   * as the last layer, with all its experts. */
  gboolean moe = plg_transformer_moe_layers (model) > 0;
  Shares layer = layer_shares (model, moe, model->experts);
  Shares mtp = { 0 };

  add_layers (&mtp, MAX (model->mtp_layers, 0), &layer);

  double rest = sum_shares (&mtp) + embedding_parameters (plan) * (model->tied ? 1.0 : 2.0);
  double bytes;

  theory.parameters = sum_shares (&block) + rest;
  theory.active = sum_shares (&active) + rest;

  /* The fullest GPU has an even share of the layers, and also the MTP blocks and the embedding.
   * With a single stage and untied weights, it also has the output layer. */
  theory.dense = (block.divided / stages + mtp.divided) / tp;
  theory.dense += (stages == 1.0 && !model->tied ? 2.0 : 1.0) * embedding_parameters (plan) / tp;
  theory.dense += block.whole / stages + mtp.whole;
  theory.expert = (block.expert / stages + mtp.expert) / experts;
  theory.dense_bytes_each = bytes_each (plan, degree (plan, PLG_AXIS_DP));
  theory.expert_bytes_each = bytes_each (plan, plg_expert_data_parallel (plan));
  theory.state_bytes = theory.dense * theory.dense_bytes_each;
  theory.state_bytes += theory.expert * theory.expert_bytes_each;
  theory.in_flight_factor = pipeline_factor (plan);

  /* Korthikanti 2022, table 2: 18 + 4 f / h bytes per token per hidden unit, where f is the
   * inner size of the MLP and h the hidden size. This is 34 for f = 4 h. TP shards all of these
   * activations. */
  bytes = layer_bytes (plan, 18.0 * model->hidden + 4.0 * model->ffn);
  if (stages == 1.0)
    bytes += micro_batch_tokens (plan) * 4.0 * (model->hidden + plg_padded_vocabulary (plan));
  theory.selective_bytes = bytes / tp;
  theory.other_bytes = other_bytes (plan);
  theory.activation_bytes = selective ? theory.selective_bytes : theory.other_bytes;
  theory.total_bytes = theory.state_bytes + theory.activation_bytes;
  return theory;
}
