/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/flops.h"

#include "engine/model/indexer.h"
#include "engine/model/mixer.h"
#include "engine/model/program.h"

#include <math.h>

/* The number of products per matrix: one in the forward pass, and two in the backward pass for
 * the gradients of inputs and of weights. */
#define PASSES 3.0

static double
norm_size (const PlgTransformer *model)
{
  return (model->rms_norm ? 1.0 : 2.0) * model->hidden;
}

/* Returns the number of matrices in an MLP: up, down and, if the MLP is gated, the gate. */
static double
mlp_matrices (const PlgTransformer *model)
{
  return model->gated ? 3.0 : 2.0;
}

static gboolean
is_mla (const PlgTransformer *model)
{
  return model->kv_rank > 0;
}

static double
query_dim (const PlgTransformer *model)
{
  return is_mla (model) ? (double) model->head_dim + model->rope_dim : model->head_dim;
}

static double
value_dim (const PlgTransformer *model)
{
  return is_mla (model) && model->value_dim > 0 ? model->value_dim : model->head_dim;
}

/* Counts the parameters of the attention matrices. In MLA each GPU of a TP group holds complete
 * copies of the down-projections to the latents, as in Megatron-LM; the up-projections and the
 * output projection are split by head. */
static PlgParameters
attention_parameters (const PlgTransformer *model)
{
  double hidden = model->hidden, dim = model->head_dim;
  double heads = model->heads, query = heads * query_dim (model);
  PlgParameters parameters = { 0 };

  if (plg_has_indexer (model))
    parameters.replicated = plg_indexer_matrices (model);

  if (!is_mla (model))
    {
      parameters.sharded = 2.0 * hidden * dim * ((double) model->heads + model->kv_heads);
      if (model->attention_gate)
        parameters.sharded += hidden * heads * dim;
      return parameters;
    }
  parameters.sharded = (model->q_rank > 0 ? (double) model->q_rank : hidden) * query;
  parameters.sharded += model->kv_rank * heads * (model->head_dim + value_dim (model));
  parameters.sharded += heads * value_dim (model) * hidden;
  if (model->attention_gate)
    parameters.sharded += hidden * heads * value_dim (model);
  parameters.replicated += hidden * ((double) model->q_rank + model->kv_rank + model->rope_dim);
  return parameters;
}

static PlgParameters
mlp_parameters (const PlgTransformer *model, double inner)
{
  PlgParameters parameters = { .sharded = mlp_matrices (model) * model->hidden * inner };

  if (model->biases)
    {
      parameters.sharded += (mlp_matrices (model) - 1.0) * inner;
      parameters.replicated += model->hidden;
    }
  return parameters;
}

/* Returns the number of parameters in one routed expert, before sharding. */
static double
expert_parameters (const PlgTransformer *model)
{
  PlgParameters mlp = mlp_parameters (model, model->expert_ffn);

  return mlp.sharded + mlp.replicated;
}

PlgLayerShares
plg_layer_shares (const PlgTransformer *model)
{
  double layers = MAX (model->layers, 1);

  if (model->mixer == PLG_MIXER_NONE)
    return (PlgLayerShares) { .attention = 1.0, .mlp = 1.0 };
  return (PlgLayerShares) {
    .attention = plg_transformer_attention_layers (model) / layers,
    .mixer = plg_transformer_mixer_layers (model) / layers,
    .mlp = plg_transformer_mlp_layers (model) / layers,
  };
}

int
plg_real_layers (const PlgTransformer *model, PlgLayerShares real[PLG_MAX_REAL_LAYERS])
{
  gboolean is_apart = model->mixer != PLG_MIXER_NONE && model->mlp_layers > 0;
  double mlp = !is_apart && plg_transformer_mlp_layers (model) > 0 ? 1.0 : 0.0;
  int n = 0;

  if (plg_transformer_attention_layers (model) > 0)
    real[n++] = (PlgLayerShares) { .attention = 1.0, .mlp = mlp };
  if (plg_transformer_mixer_layers (model) > 0)
    real[n++] = (PlgLayerShares) { .mixer = 1.0, .mlp = mlp };
  if (is_apart || n == 0)
    real[n++] = (PlgLayerShares) { .mlp = 1.0 };
  return n;
}

PlgParameters
plg_layer_parameters (const PlgTransformer *model, gboolean moe)
{
  return plg_parts_parameters (model, moe, plg_layer_shares (model));
}

PlgParameters
plg_parts_parameters (const PlgTransformer *model, gboolean moe, PlgLayerShares shares)
{
  PlgParameters parameters = attention_parameters (model);
  double inner = moe ? (double) model->shared_experts * model->expert_ffn : model->ffn;

  /* Biases and the norms inside attention have few parameters, but published numbers include
   * them. */
  double heads = (double) model->heads + 2.0 * model->kv_heads;

  if (is_mla (model))
    parameters.replicated += (model->rms_norm ? 1.0 : 2.0) * (model->q_rank + model->kv_rank);
  else if (model->biases)
    {
      parameters.sharded += heads * model->head_dim;
      parameters.replicated += model->hidden;
    }
  if (plg_has_indexer (model))
    parameters.replicated += plg_indexer_parameters (model) - plg_indexer_matrices (model);
  parameters.sharded *= shares.attention;
  parameters.replicated *= shares.attention;
  if (shares.mixer > 0.0)
    {
      PlgParameters mixer = plg_mixer_parameters (model);

      parameters.sharded += shares.mixer * mixer.sharded;
      parameters.replicated += shares.mixer * mixer.replicated;
    }

  /* Each part has a norm of its own. */
  parameters.replicated += (shares.attention + shares.mixer + shares.mlp) * norm_size (model);
  if (inner > 0.0)
    {
      PlgParameters mlp = mlp_parameters (model, inner);

      parameters.sharded += shares.mlp * mlp.sharded;
      parameters.replicated += shares.mlp * mlp.replicated;
    }
  if (moe)
    {
      /* the router and the experts */
      parameters.replicated += shares.mlp * model->experts * model->hidden;
      parameters.expert = shares.mlp * model->experts * expert_parameters (model);
    }
  return parameters;
}

static double
layer_total (const PlgTransformer *model, gboolean moe)
{
  PlgParameters parameters = plg_layer_parameters (model, moe);

  return parameters.sharded + parameters.replicated + parameters.expert;
}

double
plg_parameters_total (const PlgTransformer *model)
{
  double embedding = (double) model->vocabulary * model->hidden;
  double total = plg_transformer_dense_layers (model) * layer_total (model, FALSE);

  total += plg_transformer_moe_layers (model) * layer_total (model, TRUE);
  total += model->tied ? embedding : 2.0 * embedding;
  total += (double) model->positions * model->hidden;
  total += norm_size (model);
  /* The mean layer of a hybrid model is a fraction. */
  return model->mixer == PLG_MIXER_NONE ? total : round (total);
}

double
plg_parameters_active (const PlgTransformer *model)
{
  double idle = (double) model->experts - MIN (model->top_k, model->experts);
  double layers = plg_transformer_moe_layers (model) * plg_layer_shares (model).mlp;
  double active;

  if (!plg_transformer_is_moe (model))
    return plg_parameters_total (model);
  active = plg_parameters_total (model) - layers * idle * expert_parameters (model);
  return model->mixer == PLG_MIXER_NONE ? active : round (active);
}

static double
micro_batch_tokens (const PlgPlan *plan)
{
  return (double) plan->training.micro_batch * plan->training.sequence;
}

/* Returns the mean number of keys of a query in a layer with local attention. A query of a causal
 * model sees the tokens before it in its window, so the scores of a sequence are a band below the
 * diagonal, or one triangle per piece of the sequence. */
static double
window_keys (const PlgPlan *plan)
{
  double sequence = plan->training.sequence, window = MIN (plan->model.window, sequence);
  double rest = fmod (sequence, window), scores;

  if (plan->model.window_chunked)
    scores = (sequence - rest) * window + rest * rest;
  else if (plan->training.causal)
    return window - window * window / (2.0 * sequence);
  else
    return window;
  return scores / sequence * (plan->training.causal ? 0.5 : 1.0);
}

double
plg_attention_keys (const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;
  double layers = MAX (plg_transformer_attention_layers (model), 1);
  double full = plg_transformer_full_attention_layers (model);
  double keys = plan->training.sequence * (plan->training.causal ? 0.5 : 1.0);

  if (plg_has_indexer (model))
    return plg_indexer_chosen_keys (plan);
  if (model->window <= 0 || full >= layers)
    return keys;
  return (full * keys + (layers - full) * window_keys (plan)) / layers;
}

double
plg_core_attention_forward_flops (const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;
  double dims = plg_attention_key_width (model) + plg_attention_value_width (model);

  return 2.0 * micro_batch_tokens (plan) * plg_attention_keys (plan) * model->heads * dims;
}

double
plg_mixer_scan_forward_flops (const PlgPlan *plan)
{
  return micro_batch_tokens (plan) * plg_mixer_scan_flops (&plan->model);
}

double
plg_layer_forward_flops (const PlgPlan *plan, gboolean moe)
{
  const PlgTransformer *model = &plan->model;
  PlgLayerShares shares = plg_layer_shares (model);
  PlgParameters attention = attention_parameters (model);
  double experts = (double) model->top_k + model->shared_experts;
  double inner = moe ? experts * model->expert_ffn : model->ffn;
  double matrices = shares.attention * (attention.sharded + attention.replicated);
  double flops = shares.attention * plg_core_attention_forward_flops (plan);

  if (plg_has_indexer (model))
    flops += shares.attention * plg_indexer_forward_flops (plan);
  matrices += shares.mlp * mlp_matrices (model) * model->hidden * inner;
  if (shares.mixer > 0.0)
    {
      matrices += shares.mixer * plg_mixer_matrices (model);
      flops += shares.mixer * plg_mixer_scan_forward_flops (plan);
    }
  return 2.0 * micro_batch_tokens (plan) * matrices + flops;
}

double
plg_output_forward_flops (const PlgPlan *plan)
{
  return 2.0 * micro_batch_tokens (plan) * plan->model.vocabulary * plan->model.hidden;
}

/* Returns TRUE if the last layer of the model has experts. An MTP module has the same kind of
 * layer. */
static gboolean
last_layer_is_moe (const PlgTransformer *model)
{
  return plg_transformer_moe_layers (model) > 0;
}

double
plg_mtp_forward_flops (const PlgPlan *plan)
{
  double hidden = plan->model.hidden;
  double projection = 2.0 * micro_batch_tokens (plan) * 2.0 * hidden * hidden;

  if (plan->model.mtp_layers <= 0)
    return 0.0;
  return plan->model.mtp_layers *
         (projection + plg_layer_forward_flops (plan, last_layer_is_moe (&plan->model)) +
          plg_output_forward_flops (plan));
}

/* Returns the number of micro-batches per step over all replicas. */
static double
step_micro_batches (const PlgPlan *plan)
{
  return (double) plan->training.global_batch / MAX (plan->training.micro_batch, 1);
}

double
plg_indexer_saved_flops (const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;
  double layers = model->layers + MAX (model->mtp_layers, 0);

  if (!plg_has_indexer (model))
    return 0.0;
  return plg_layer_shares (model).attention * layers *
         ((PASSES - 1.0) * plg_indexer_forward_flops (plan) - plg_indexer_backward_flops (plan));
}

double
plg_model_flops (const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;
  double forward = plg_transformer_dense_layers (model) * plg_layer_forward_flops (plan, FALSE);

  if (plg_transformer_moe_layers (model) > 0)
    forward += plg_transformer_moe_layers (model) * plg_layer_forward_flops (plan, TRUE);
  forward += plg_output_forward_flops (plan) + plg_mtp_forward_flops (plan);
  return (PASSES * forward - plg_indexer_saved_flops (plan)) * step_micro_batches (plan);
}

gboolean
plg_recomputes (const PlgPlan *plan, gboolean moe, PlgModule module)
{
  if (plan->training.recompute == PLG_RECOMPUTE_FULL ||
      !(plan->training.recompute_modules & module))
    return FALSE;
  switch (module)
    {
    case PLG_MODULE_MLA_UP:
      return is_mla (&plan->model);
    case PLG_MODULE_MLP:
      return !moe;
    case PLG_MODULE_EXPERTS:
      return moe;
    case PLG_MODULE_SHARED_EXPERTS:
      return moe && plan->model.shared_experts > 0 &&
             !(plan->training.recompute_modules & PLG_MODULE_EXPERTS);
    case PLG_MODULE_NORM:
    case PLG_MODULE_ACTIVATION:
    default:
      return TRUE;
    }
}

gboolean
plg_recomputes_modules (const PlgPlan *plan)
{
  gboolean dense = plg_transformer_dense_layers (&plan->model) > 0;
  gboolean moe = plg_transformer_moe_layers (&plan->model) > 0;

  for (int i = 0; i < PLG_N_MODULES; i++)
    if ((dense && plg_recomputes (plan, FALSE, 1U << i)) ||
        (moe && plg_recomputes (plan, TRUE, 1U << i)))
      return TRUE;
  return FALSE;
}

/* Returns the weights that one token passes through in the recomputed modules of a layer. Norms and
 * activation functions are not counted. */
static double
recomputed_weights (const PlgPlan *plan, gboolean moe)
{
  const PlgTransformer *model = &plan->model;
  double experts = (double) model->top_k + model->shared_experts;
  double gate = model->attention_gate ? 2.0 : 1.0; /* the gate and the output projection */
  PlgLayerShares shares = plg_layer_shares (model);
  double sum = 0.0;

  if (plg_recomputes (plan, moe, PLG_MODULE_MLA_UP))
    sum += shares.attention * (attention_parameters (model).sharded -
                               gate * model->heads * value_dim (model) * model->hidden);
  if (plg_recomputes (plan, moe, moe ? PLG_MODULE_EXPERTS : PLG_MODULE_MLP))
    sum += shares.mlp * mlp_matrices (model) * model->hidden *
           (moe ? experts * model->expert_ffn : model->ffn);
  if (plg_recomputes (plan, moe, PLG_MODULE_SHARED_EXPERTS))
    sum += shares.mlp * mlp_matrices (model) * model->hidden * model->shared_experts *
           model->expert_ffn;
  return sum;
}

/* Selective recompute runs core attention again instead of keeping its scores. With a flash
 * kernel, it adds no hardware FLOPs, because the kernel never keeps scores and recomputes them
 * in its backward pass anyway. */
double
plg_layer_recompute_flops (const PlgPlan *plan, gboolean moe)
{
  double modules = 2.0 * micro_batch_tokens (plan) * recomputed_weights (plan, moe);

  switch (plan->training.recompute)
    {
    case PLG_RECOMPUTE_FULL:
      return plg_repeated_share (plan) * plg_layer_forward_flops (plan, moe);
    case PLG_RECOMPUTE_SELECTIVE:
      return modules + (plan->training.flash_attention
                            ? 0.0
                            : plg_layer_shares (&plan->model).attention *
                                  plg_core_attention_forward_flops (plan));
    case PLG_RECOMPUTE_NONE:
    default:
      return modules;
    }
}

double
plg_hardware_flops (const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;
  int mtp = MAX (model->mtp_layers, 0);
  int moe = plg_transformer_moe_layers (model);
  int dense = plg_transformer_dense_layers (model);
  double again;

  if (moe > 0)
    moe += mtp;
  else
    dense += mtp;
  again = dense * plg_layer_recompute_flops (plan, FALSE);
  if (plg_repeats_logits (plan))
    again += (1.0 + mtp) * plg_output_forward_flops (plan);
  if (moe > 0)
    again += moe * plg_layer_recompute_flops (plan, TRUE);
  return plg_model_flops (plan) + again * step_micro_batches (plan);
}

static int
degree (const PlgPlan *plan, PlgAxis axis)
{
  return MAX (plan->parallelism.degree[axis], 1);
}

double
plg_gpu_parameters (const PlgPlan *plan, PlgParameters parameters)
{
  double experts = (double) degree (plan, PLG_AXIS_EP) * MAX (plan->parallelism.etp, 1);

  return parameters.sharded / degree (plan, PLG_AXIS_TP) + parameters.replicated +
         parameters.expert / experts;
}

double
plg_padded_vocabulary (const PlgPlan *plan)
{
  gint64 unit = 128 * (gint64) degree (plan, PLG_AXIS_TP);
  gint64 units = (plan->model.vocabulary + unit - 1) / unit;

  return (double) (units * unit);
}

int
plg_expert_data_parallel (const PlgPlan *plan)
{
  gint64 stage = (gint64) degree (plan, PLG_AXIS_TP) * degree (plan, PLG_AXIS_CP) *
                 degree (plan, PLG_AXIS_DP);
  gint64 expert = (gint64) degree (plan, PLG_AXIS_EP) * MAX (plan->parallelism.etp, 1);

  return (int) MAX (stage / expert, 1);
}

int
plg_expert_shards (const PlgPlan *plan)
{
  return MAX (plg_expert_data_parallel (plan) / plg_parallelism_replicate (&plan->parallelism), 1);
}

int
plg_stage_chunks (const PlgPlan *plan)
{
  if (plan->training.schedule == PLG_SCHEDULE_INTERLEAVED)
    return MAX (plan->parallelism.chunks, 1);
  return plan->training.schedule == PLG_SCHEDULE_ZB_V ? 2 : 1;
}

/* The division of layers over stages. FIRST and LAST are explicit numbers of layers for the
 * first and the last stage, or 0. All other virtual stages have BASE layers; REST consecutive
 * virtual stages among these, starting at MIDDLE, have one more layer. */
typedef struct
{
  int stages;
  int chunks;
  gboolean turns_back;
  int first;
  int last;
  gboolean embedding; /* whether the embedding takes the place of a layer on the first virtual
                         stage */
  gboolean loss;      /* whether the loss takes the place of a layer on the last virtual stage */
  int base;
  int rest;
  int middle;
} Division;

static Division
division_of (const PlgPlan *plan)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  Division division = { .stages = degree (plan, PLG_AXIS_PP), .chunks = plg_stage_chunks (plan) };
  int places = plan->model.layers, n;

  division.turns_back = plan->training.schedule == PLG_SCHEDULE_ZB_V;
  n = division.stages * division.chunks;
  if (division.stages > 1)
    {
      division.first = parallelism->first_layers;
      division.last = parallelism->last_layers;
      division.embedding = parallelism->embedding_slot && division.first == 0;
      division.loss = parallelism->loss_slot &&
                      (division.turns_back ? division.first : division.last) == 0;
      n -= division.chunks * ((division.first > 0) + (division.last > 0));
      places += division.embedding + division.loss - division.first - division.last;
    }
  if (n == 0)
    return division;
  division.base = places / n;
  division.rest = places % n;
  /* If the layers of the remainder cannot be centred exactly, place them nearer to the first
   * stage, or nearer to the last stage if only the loss takes the place of a layer. */
  division.middle = (n - division.rest + (division.loss && !division.embedding)) / 2;
  return division;
}

/* Returns how many of the LAYERS layers of a stage are in its first N chunks. Applies only to a
 * first or last stage whose number of layers is set in the plan. */
static int
counted_layers (const Division *division, int layers, int n)
{
  return n * (layers / division->chunks) + MIN (n, layers % division->chunks);
}

/* Returns the number of layers in all virtual stages before virtual stage I. */
static int
layers_before (const Division *division, int i)
{
  int sum = 0, shared = i, of_first = 0, of_last = 0;

  if (division->first > 0 || division->last > 0)
    {
      int stages = division->stages;

      if (division->turns_back)
        {
          of_first = (i > 0) + (i == 2 * stages);
          of_last = (i >= stages) + (i > stages);
        }
      else
        {
          of_first = i / stages + (i % stages > 0);
          of_last = i / stages;
        }
    }
  if (division->first > 0)
    {
      sum += counted_layers (division, division->first, of_first);
      shared -= of_first;
    }
  if (division->last > 0)
    {
      sum += counted_layers (division, division->last, of_last);
      shared -= of_last;
    }
  sum += shared * division->base + CLAMP (shared - division->middle, 0, division->rest);
  if (division->embedding && i > 0)
    sum--;
  if (division->loss && i == division->stages * division->chunks)
    sum--;
  return sum;
}

/* Returns the number of a virtual stage in layer order. */
static int
virtual_stage (const PlgPlan *plan, int stages, int stage, int chunk)
{
  if (plan->training.schedule == PLG_SCHEDULE_ZB_V && chunk == 1)
    return 2 * stages - 1 - stage;
  return chunk * stages + stage;
}

static PlgLayerRun
run_of (const PlgPlan *plan, const Division *division, int stage, int chunk)
{
  int i = virtual_stage (plan, degree (plan, PLG_AXIS_PP), stage, chunk);
  PlgLayerRun run;

  if (plan->parallelism.layout.stages > i)
    {
      run.first = plg_stage_layout_before (&plan->parallelism.layout, i);
      run.layers = plan->parallelism.layout.layers[i];
    }
  else
    {
      run.first = layers_before (division, i);
      run.layers = layers_before (division, i + 1) - run.first;
    }
  run.moe_layers = plg_transformer_moe_layers_before (&plan->model, run.first + run.layers) -
                   plg_transformer_moe_layers_before (&plan->model, run.first);
  return run;
}

int
plg_layer_runs (const PlgPlan *plan, PlgLayerRun *runs)
{
  Division division = division_of (plan);
  int n = division.stages * division.chunks, first = 0, moe_before = 0;

  for (int i = 0; i < n && runs != NULL; i++)
    {
      gboolean by_hand = plan->parallelism.layout.stages > i;
      int end = by_hand ? first + plan->parallelism.layout.layers[i]
                        : layers_before (&division, i + 1);
      int moe = plg_transformer_moe_layers_before (&plan->model, end);

      runs[i] = (PlgLayerRun) { first, end - first, moe - moe_before };
      first = end;
      moe_before = moe;
    }
  return n;
}

PlgLayerRun
plg_chunk_layers (const PlgPlan *plan, int stage, int chunk)
{
  Division division = division_of (plan);

  return run_of (plan, &division, stage, chunk);
}

PlgLayerRun
plg_stage_layers (const PlgPlan *plan, int stage)
{
  Division division = division_of (plan);
  PlgLayerRun sum = run_of (plan, &division, stage, 0);

  for (int chunk = 1; chunk < division.chunks; chunk++)
    {
      PlgLayerRun run = run_of (plan, &division, stage, chunk);

      sum.layers += run.layers;
      sum.moe_layers += run.moe_layers;
    }
  return sum;
}

gboolean
plg_stage_has_embedding (const PlgPlan *plan, int stage)
{
  return stage == 0;
}

gboolean
plg_stage_has_output (const PlgPlan *plan, int stage)
{
  if (plan->training.schedule == PLG_SCHEDULE_ZB_V)
    return stage == 0;
  return stage == degree (plan, PLG_AXIS_PP) - 1;
}

int
plg_mtp_virtual_stage (const PlgPlan *plan)
{
  const PlgStageLayout *layout = &plan->parallelism.layout;

  if (layout->stages > 0)
    return layout->mtp;
  return degree (plan, PLG_AXIS_PP) * plg_stage_chunks (plan) - 1;
}

gboolean
plg_mtp_is_away (const PlgPlan *plan)
{
  const PlgStageLayout *layout = &plan->parallelism.layout;

  return layout->stages > 0 && layout->mtp != layout->stages - 1;
}

int
plg_message_sets (const PlgPlan *plan, int i)
{
  if (!plg_mtp_is_away (plan) || i < plg_mtp_virtual_stage (plan))
    return 1;
  return 1 + MAX (plan->model.mtp_layers, 0);
}

static void
add_layers (const PlgPlan *plan, int n, gboolean moe, PlgParameters *sum)
{
  const PlgTransformer *model = &plan->model;
  int copies = is_mla (model) ? 0 : MAX (degree (plan, PLG_AXIS_TP) - model->kv_heads, 0);
  double attention = plg_layer_shares (model).attention;
  PlgParameters layer;

  if (n <= 0)
    return;
  layer = plg_layer_parameters (model, moe);
  /* If there are fewer KV heads than TP ranks, each rank holds a copy of one KV head. */
  sum->sharded += n * (layer.sharded + attention * 2.0 * copies * model->head_dim * model->hidden);
  sum->replicated += n * layer.replicated;
  sum->expert += n * layer.expert;
}

/* Adds the MTP modules without embedding. */
static void
add_mtp (const PlgPlan *plan, const PlgStageParts *parts, PlgParameters *sum)
{
  const PlgTransformer *model = &plan->model;
  double hidden = model->hidden;
  int n = parts->mtp_layers;

  if (n == 0)
    return;
  add_layers (plan, n, last_layer_is_moe (model), sum);
  sum->sharded += n * 2.0 * hidden * hidden;
  sum->replicated += n * 3.0 * norm_size (model);
}

/* Adds the repeated layers of RUN, one virtual stage. BEFORE layers of earlier virtual stages are on
 * the same stage.
 *
 * If only the first layers of a virtual stage are repeated, the activations of its other layers are
 * freed before, so the repeated activations do not add to the peak. */
static void
add_repeated (const PlgPlan *plan, const PlgLayerRun *run, int before, PlgRepeatedLayers *sum)
{
  int n = MAX (plan->training.recompute_layers, 1);
  int repeated = run->layers, moe_layers = run->moe_layers;
  int groups = 0, live = MIN (run->layers, 1);

  switch (plan->training.recompute_method)
    {
    case PLG_RECOMPUTE_METHOD_FIRST:
      repeated = MIN (n, run->layers);
      moe_layers = plg_transformer_moe_layers_before (&plan->model, run->first + repeated) -
                   plg_transformer_moe_layers_before (&plan->model, run->first);
      live = repeated == run->layers ? live : 0;
      break;
    case PLG_RECOMPUTE_METHOD_EVERY:
      repeated = moe_layers = 0;
      for (int i = n - 1 - before % n; i < run->layers; i += n)
        {
          repeated++;
          moe_layers += plg_transformer_moe_layers_before (&plan->model, run->first + i + 1) -
                        plg_transformer_moe_layers_before (&plan->model, run->first + i);
        }
      live = MIN (repeated, 1);
      break;
    case PLG_RECOMPUTE_METHOD_GROUPS:
      groups = run->layers / n + (run->layers % n > 0);
      live = MIN (n, run->layers);
      break;
    case PLG_RECOMPUTE_METHOD_ALL:
    default:
      break;
    }
  sum->dense_layers += repeated - moe_layers;
  sum->moe_layers += moe_layers;
  sum->kept_inputs += groups > 0 ? groups : repeated;
  sum->live_layers = MAX (sum->live_layers, live);
}

/* Adds the MTP layers, which are repeated only with all other layers (Megatron-LM,
 * core/transformer/multi_token_prediction.py). */
static void
add_repeated_mtp (const PlgPlan *plan, int n, PlgRepeatedLayers *sum)
{
  if (n == 0 || plan->training.recompute_method == PLG_RECOMPUTE_METHOD_FIRST ||
      plan->training.recompute_method == PLG_RECOMPUTE_METHOD_EVERY)
    return;
  sum->mtp_layers += n;
  sum->kept_inputs += n;
  sum->live_layers = MAX (sum->live_layers, 1);
}

/* Returns the repeated layers of STAGE without those of MTP. */
static PlgRepeatedLayers
repeated_layers (const PlgPlan *plan, int stage)
{
  Division division = division_of (plan);
  PlgRepeatedLayers sum = { 0 };
  int before = 0;

  /* Without a pipeline, the number of chunks has no effect. */
  if (division.stages == 1)
    {
      PlgLayerRun run = plg_stage_layers (plan, stage);

      add_repeated (plan, &run, 0, &sum);
      return sum;
    }
  for (int chunk = 0; chunk < division.chunks; chunk++)
    {
      PlgLayerRun run = run_of (plan, &division, stage, chunk);

      add_repeated (plan, &run, before, &sum);
      before += run.layers;
    }
  return sum;
}

double
plg_repeated_share (const PlgPlan *plan)
{
  double layers = plan->model.layers + MAX (plan->model.mtp_layers, 0), repeated = 0.0;

  if (plan->training.recompute != PLG_RECOMPUTE_FULL)
    return 0.0;
  if (plan->training.recompute_method != PLG_RECOMPUTE_METHOD_FIRST &&
      plan->training.recompute_method != PLG_RECOMPUTE_METHOD_EVERY)
    return 1.0;
  for (int stage = 0; stage < degree (plan, PLG_AXIS_PP); stage++)
    {
      PlgRepeatedLayers sum = repeated_layers (plan, stage);

      repeated += sum.dense_layers + sum.moe_layers;
    }
  return repeated / MAX (layers, 1.0);
}

void
plg_stage_parts_spread_repeated (const PlgPlan *plan, PlgStageParts *parts)
{
  int layers = parts->dense_layers + parts->moe_layers, chunks = plg_stage_chunks (plan);
  int before = 0;

  if (plan->training.recompute != PLG_RECOMPUTE_FULL)
    return;
  for (int chunk = 0; chunk < chunks; chunk++)
    {
      PlgLayerRun run = { .layers = layers / chunks + (chunk < layers % chunks) };

      add_repeated (plan, &run, before, &parts->repeated);
      before += run.layers;
    }
  layers = parts->repeated.dense_layers + parts->repeated.moe_layers;
  parts->repeated.dense_layers = MIN (layers, parts->dense_layers);
  parts->repeated.moe_layers = layers - parts->repeated.dense_layers;
  add_repeated_mtp (plan, parts->mtp_layers, &parts->repeated);
}

static PlgStageParts
stage_parts (const PlgPlan *plan, int stage, int layers, int moe_layers)
{
  gboolean has_output = plg_stage_has_output (plan, stage);
  gboolean has_mtp = plg_mtp_is_away (plan)
                         ? plg_mtp_virtual_stage (plan) % degree (plan, PLG_AXIS_PP) == stage
                         : has_output;
  PlgStageParts parts = {
    .dense_layers = layers - moe_layers,
    .moe_layers = moe_layers,
    .mtp_layers = has_mtp ? MAX (plan->model.mtp_layers, 0) : 0,
    .embedding = plg_stage_has_embedding (plan, stage),
    .output = has_output,
  };

  if (plan->training.recompute != PLG_RECOMPUTE_FULL)
    return parts;
  if (plan->training.recompute_method == PLG_RECOMPUTE_METHOD_ALL)
    parts.repeated = (PlgRepeatedLayers) { layers - moe_layers, moe_layers, 0, layers,
                                           MIN (layers, 1) };
  else
    parts.repeated = repeated_layers (plan, stage);
  add_repeated_mtp (plan, parts.mtp_layers, &parts.repeated);
  return parts;
}

PlgStageParts
plg_stage_parts (const PlgPlan *plan, int stage)
{
  PlgLayerRun run = plg_stage_layers (plan, stage);

  return stage_parts (plan, stage, run.layers, run.moe_layers);
}

PlgStageParts
plg_stage_parts_of_runs (const PlgPlan *plan, const PlgLayerRun *runs, int stage)
{
  int stages = degree (plan, PLG_AXIS_PP), layers = 0, moe_layers = 0;

  for (int chunk = 0; chunk < plg_stage_chunks (plan); chunk++)
    {
      const PlgLayerRun *run = &runs[virtual_stage (plan, stages, stage, chunk)];

      layers += run->layers;
      moe_layers += run->moe_layers;
    }
  return stage_parts (plan, stage, layers, moe_layers);
}

int
plg_stage_vocabulary_matrices (const PlgPlan *plan, const PlgStageParts *parts)
{
  gboolean shares_output = parts->output && plan->model.tied;
  int matrices = (parts->embedding ? 1 : 0) + (parts->output ? 1 : 0);

  /* A tied output is the embedding of its stage, or a copy of another stage's embedding. MTP modules
   * need one of them, or a copy. */
  if (parts->embedding && shares_output)
    matrices--;
  if (parts->mtp_layers > 0 && !parts->embedding && !shares_output)
    matrices++;
  return matrices;
}

int
plg_shared_vocabulary_matrices (const PlgPlan *plan,
                                const PlgStageParts *parts,
                                const PlgStageParts *mirror)
{
  PlgStageParts both = { .mtp_layers = parts->mtp_layers + mirror->mtp_layers,
                         .embedding = parts->embedding || mirror->embedding,
                         .output = parts->output || mirror->output };

  return plg_stage_vocabulary_matrices (plan, parts) +
         plg_stage_vocabulary_matrices (plan, mirror) - plg_stage_vocabulary_matrices (plan, &both);
}

PlgParameters
plg_stage_parameters (const PlgPlan *plan, const PlgStageParts *parts)
{
  const PlgTransformer *model = &plan->model;
  double matrix = plg_padded_vocabulary (plan) * model->hidden;
  PlgParameters sum = { 0 };

  add_layers (plan, parts->dense_layers, FALSE, &sum);
  add_layers (plan, parts->moe_layers, TRUE, &sum);
  sum.sharded += plg_stage_vocabulary_matrices (plan, parts) * matrix;
  if (parts->embedding)
    sum.replicated += (double) model->positions * model->hidden;
  if (parts->output)
    sum.replicated += norm_size (model);
  add_mtp (plan, parts, &sum);
  return sum;
}

double
plg_expected_places (double places, int experts, int top_k)
{
  double others = experts - experts / MAX (places, 1.0), none = 1.0;

  for (int i = 0; i < top_k && none > 0.0; i++)
    none *= MAX (others - i, 0.0) / MAX (experts - i, 1);
  return places * (1.0 - none);
}

static gboolean
has_expert_groups (const PlgTransformer *model)
{
  return model->expert_groups > 1 && model->top_groups < model->expert_groups;
}

double
plg_expert_places (const PlgTransformer *model, double places)
{
  double groups = model->expert_groups, reached = places;
  int experts = model->experts;

  if (has_expert_groups (model))
    {
      experts = model->top_groups * (model->experts / model->expert_groups);
      reached = places > groups
                    ? places / groups * model->top_groups
                    : plg_expected_places (places, model->expert_groups, model->top_groups);
    }
  return plg_expected_places (reached, experts, model->top_k);
}

double
plg_place_copies (const PlgTransformer *model, double places)
{
  double copies = MAX (model->top_k, 1);

  if (has_expert_groups (model))
    return MIN (plg_expert_places (model, places) / copies, 1.0);
  return MIN (places * (1.0 - pow (1.0 - 1.0 / places, copies)) / copies, 1.0);
}
