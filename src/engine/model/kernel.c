/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/kernel.h"

#include "engine/model/engine-constant.h"
#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "engine/model/indexer.h"
#include "engine/model/mixer.h"
#include "engine/model/program.h"
#include "engine/model/recipe.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* A matrix product is computed in tiles of PLG_LONG_TILE by PLG_SHORT_TILE results. Each multiprocessor
 * computes one tile at a time, so the product runs in waves of as many tiles as the GPU has
 * multiprocessors. A multiprocessor that finds no tile in the last wave waits, except for the share
 * of the wait that split tiles save: a last wave that is partly filled costs PLG_LAST_WAVE of the
 * missing part. A tile takes the time of its FLOPs at the best rate of one multiprocessor plus the
 * time to write its results. A product takes at least the time to read both matrices and write the
 * results. */

/* The rates of flash attention, divided by the rate of the best matrix product. FlashAttention-3
 * needs Hopper. Short sequences do not fill the GPU: at PLG_FLASH_LOSS tokens the rate is halved. A
 * causal query of such a sequence has half as many keys, so its overhead is the time of as many
 * further keys. The same overhead with a window agrees with the double speed at 16,384 tokens and a
 * window of 4,096 that Mistral 7B reports (arXiv 2310.06825, section 2). */
typedef struct
{
  PlgEngineConstant forward;
  PlgEngineConstant backward;
} FlashRate;
static const FlashRate flash_with_fp8[PLG_N_FLASHES] = {
  [PLG_FLASH_EARLY] = { PLG_CONSTANT_FLASH_EARLY_FORWARD, PLG_CONSTANT_FLASH_EARLY_BACKWARD },
  [PLG_FLASH_2] = { PLG_CONSTANT_FLASH_2_FORWARD, PLG_CONSTANT_FLASH_2_BACKWARD },
  [PLG_FLASH_3] = { PLG_CONSTANT_FLASH_3_FORWARD, PLG_CONSTANT_FLASH_3_BACKWARD },
};
static const FlashRate flash_before_fp8[PLG_N_FLASHES] = {
  [PLG_FLASH_EARLY] = { PLG_CONSTANT_FLASH_EARLY_FORWARD_BEFORE_FP8,
                        PLG_CONSTANT_FLASH_EARLY_BACKWARD_BEFORE_FP8 },
  [PLG_FLASH_2] = { PLG_CONSTANT_FLASH_2_FORWARD_BEFORE_FP8,
                    PLG_CONSTANT_FLASH_2_BACKWARD_BEFORE_FP8 },
  [PLG_FLASH_3] = { PLG_CONSTANT_FLASH_2_FORWARD_BEFORE_FP8,
                    PLG_CONSTANT_FLASH_2_BACKWARD_BEFORE_FP8 },
};

gboolean
plg_plan_has_piece (const PlgPlan *plan, PlgPiece piece)
{
  switch (piece)
    {
    case PLG_PIECE_DENSE:
      return plg_transformer_dense_layers (&plan->model) > 0 ||
             !plg_transformer_is_moe (&plan->model);
    case PLG_PIECE_MOE:
      return plg_transformer_moe_layers (&plan->model) > 0;
    case PLG_PIECE_PROJECTION:
      return plan->model.mtp_layers > 0;
    case PLG_PIECE_EMBEDDING:
    case PLG_PIECE_OUTPUT:
    default:
      return TRUE;
    }
}

/* Values that all operations of a plan have in common. */
typedef struct
{
  const PlgPlan *plan;
  double tp;
  double tokens;           /* tokens per micro-batch on this GPU */
  double undivided_tokens; /* tokens in tensors that TP does not shard; with sequence
                              parallelism, only this GPU's part */
  double element;
  gboolean quantizes; /* TRUE if products run in FP8 or FP4 */
  double rate;        /* rate of the best matrix product in the training precision [FLOP/s] */
  double bf16_rate;
  double flash_rate; /* rate of the best matrix product in 16 bits, whatever the program */
  double bandwidth;
  double multiprocessors;
  double cast_bytes; /* bytes moved per value in a cast to FP8 or FP4 */
  double share;      /* share of the layers that have the current operations */
  const PlgProgramHabits *habits;
  PlgOperations *list; /* receives the operations; may be NULL */
} KernelModel;

static void
record_operation (const KernelModel *kernel_model, PlgOperation operation)
{
  PlgOperations *list = kernel_model->list;

  if (list == NULL)
    return;
  g_assert (list->n < PLG_MAX_OPERATIONS);
  operation.share = kernel_model->share;
  list->constants[list->n].n = 0;
  list->operation[list->n++] = operation;
}

/* States that the operation that was recorded last depends on CONSTANT. */
static void
record_constant (const KernelModel *kernel_model, PlgEngineConstant constant)
{
  PlgOperations *list = kernel_model->list;

  if (list == NULL)
    return;
  g_assert (list->n > 0);
  plg_used_constants_add (&list->constants[list->n - 1], constant);
}

gboolean
plg_kernels_are_fused (const PlgPlan *plan)
{
  return plg_kernel_habits (plan)->fuses;
}

/* Returns SHARE of the best rate in PRECISION [FLOP/s]. A peak rate that the user sets is for the
 * training precision; the peak rates of other precisions scale with it. */
static double
best_rate (const PlgPlan *plan, PlgPrecision precision, double share)
{
  const PlgCluster *cluster = &plan->cluster;
  PlgPrecision training = plan->training.precision;
  double peak = plg_cluster_peak (cluster, training);
  double efficiency = cluster->gpu.matrix_efficiency[precision];
  double own = plg_gpu_peak (&cluster->gpu, training);
  double other = plg_gpu_peak (&cluster->gpu, precision);

  if (precision != training && own > 0.0 && other > 0.0)
    peak *= other / own;
  if (efficiency <= 0.0)
    efficiency = PLG_USUAL_MATRIX_EFFICIENCY;
  efficiency *= PLG_TRAINING_RATE * share;
  return MAX (peak * efficiency, 1.0);
}

/* Returns the achieved memory rate of a GPU [bytes/s]. */
static double
memory_rate (const PlgCluster *cluster)
{
  double efficiency = cluster->gpu.memory_efficiency;

  return MAX (cluster->memory_bandwidth, 1.0) *
         (efficiency > 0.0 ? efficiency : PLG_USUAL_MEMORY_EFFICIENCY);
}

static KernelModel
kernel_model_new (const PlgPlan *plan)
{
  const PlgCluster *cluster = &plan->cluster;
  PlgPrecision precision = plan->training.precision;
  KernelModel kernel_model = { .plan = plan, .share = 1.0 };
  const PlgRecipe *recipe;
  double product;

  kernel_model.tp = MAX (plan->parallelism.degree[PLG_AXIS_TP], 1);
  kernel_model.tokens = plg_gpu_tokens (plan);
  kernel_model.undivided_tokens = plan->parallelism.sequence ? kernel_model.tokens / kernel_model.tp
                                                             : kernel_model.tokens;
  kernel_model.element = precision == PLG_PRECISION_FP32 ? 4.0 : 2.0;
  kernel_model.quantizes = plg_quantizes (plan);
  kernel_model.habits = plg_kernel_habits (plan);
  product = plg_engine_constant (kernel_model.habits->product);
  recipe = plg_recipe_of (plan, kernel_model.habits);
  if (recipe != NULL)
    kernel_model.cast_bytes = plg_engine_constant (recipe->cast_bytes);
  kernel_model.rate = best_rate (plan, precision,
                                 recipe != NULL ? product * plg_engine_constant (recipe->product)
                                                : product);
  kernel_model.flash_rate = best_rate (plan, recipe != NULL ? PLG_PRECISION_BF16 : precision, 1.0);
  kernel_model.bf16_rate = kernel_model.flash_rate * product;
  kernel_model.bandwidth = memory_rate (cluster);
  kernel_model.multiprocessors = cluster->gpu.multiprocessors > 0 ? cluster->gpu.multiprocessors
                                                                  : PLG_USUAL_MULTIPROCESSORS;
  return kernel_model;
}

static double
move_time (const KernelModel *kernel_model, double bytes)
{
  return bytes / kernel_model->bandwidth + PLG_LAUNCH_GAP;
}

/* BATCH products of an M × K matrix with a K × N matrix, in one kernel. */
typedef struct
{
  double batch, m, n, k;
  double rate;    /* FLOP/s of the best product */
  double written; /* bytes per result */
} Product;

/* Returns ceil (X), for X from 0. A conversion is faster than a call of the C library. Numbers above
 * 2^53 are whole, and may not fit into an integer. */
static double
round_up (double x)
{
  double whole = x < 0x1p53 ? (double) (gint64) x : x;

  return whole < x ? whole + 1.0 : whole;
}

/* Returns the number of waves of PRODUCT: tiles per multiprocessor, plus PLG_LAST_WAVE of what is
 * missing in the last wave. The long side of a tile lies along the dimension that needs fewer tiles. */
static double
product_waves (const KernelModel *kernel_model, const Product *product)
{
  double m = product->m, n = product->n;
  double upright = round_up (m / PLG_LONG_TILE) * round_up (n / PLG_SHORT_TILE);
  double across = round_up (m / PLG_SHORT_TILE) * round_up (n / PLG_LONG_TILE);
  double waves = product->batch * MIN (upright, across) / kernel_model->multiprocessors;

  return waves + PLG_LAST_WAVE * (round_up (waves) - waves);
}

/* Returns the bytes that PRODUCT reads and writes at least. FP8 operands are counted with two
 * bytes each, like 16-bit operands, and FP4 operands too. With one byte each, the computed times of published FP8 runs
 * would be 4 % too short, because the reads of scales and transposes are not counted. */
static double
product_bytes (const KernelModel *kernel_model, const Product *product)
{
  return product->batch * (kernel_model->element * (product->m + product->n) * product->k +
                           product->written * product->m * product->n);
}

/* Returns the time of PRODUCT without the launch of its kernel. */
static double
bare_product_time (const KernelModel *kernel_model, const Product *product)
{
  double tiles = product_waves (kernel_model, product) * kernel_model->multiprocessors;
  double tile = PLG_LONG_TILE * PLG_SHORT_TILE *
                (2.0 * product->k / product->rate + product->written / kernel_model->bandwidth);

  return MAX (tiles * tile, product_bytes (kernel_model, product) / kernel_model->bandwidth);
}

static double
product_time (const KernelModel *kernel_model, const Product *product)
{
  if (product->m <= 0.0 || product->n <= 0.0 || product->k <= 0.0)
    return 0.0;
  return bare_product_time (kernel_model, product) + PLG_LAUNCH_GAP;
}

double
plg_matrix_time (const PlgPlan *plan, double m, double n, double k)
{
  KernelModel kernel_model = kernel_model_new (plan);

  return product_time (&kernel_model,
                       &(Product) { 1.0, m, n, k, kernel_model.rate, kernel_model.element });
}

/* The times of the three products of a linear layer. FP8 and FP4 training first casts their inputs;
 * the casts of weights are reused for all micro-batches. */
typedef struct
{
  double forward;
  double input;
  double weight;
} Linear;

static Linear
linear (const KernelModel *kernel_model,
        const char *name,
        double times,
        double tokens,
        double in,
        double out)
{
  Linear time = { 0 };
  gboolean cast = kernel_model->quantizes;
  double element = kernel_model->element, rate = kernel_model->rate;
  double gradient = plg_gradient_bytes (&kernel_model->plan->training);
  Product forward = { times, tokens, out, in, rate, element };
  Product input = { times, tokens, in, out, rate, element };
  /* A product that adds gradients itself writes sums in the precision of the gradients. */
  Product weight = { times,  in,   out,
                     tokens, rate, kernel_model->habits->adds_gradients ? element : gradient };

  if (tokens <= 0.0 || in <= 0.0 || out <= 0.0)
    return time;
  time.forward = product_time (kernel_model, &forward);
  time.input = product_time (kernel_model, &input);
  time.weight = product_time (kernel_model, &weight);
  /* If matrix products do not add gradients to the sum, a separate kernel reads the new gradient
   * and the sum, and writes the sum. */
  if (kernel_model->habits->adds_gradients)
    time.weight += move_time (kernel_model, (2.0 + 2.0 * gradient) * times * in * out);
  /* The gradient of a bias is the sum of the output gradients of all tokens, so a kernel reads
   * all output gradients. */
  if (kernel_model->plan->model.biases)
    time.weight += move_time (kernel_model, element * times * tokens * out);
  if (cast)
    {
      double bytes = kernel_model->cast_bytes * times * tokens;

      time.forward += move_time (kernel_model, bytes * in);
      time.input += move_time (kernel_model, bytes * out);
    }
  time.forward *= kernel_model->share;
  time.input *= kernel_model->share;
  time.weight *= kernel_model->share;
  if (kernel_model->list == NULL)
    return time;
  record_operation (kernel_model,
                    (PlgOperation) { .kind = PLG_OPERATION_PRODUCT,
                                     .name = name,
                                     .times = times,
                                     .m = tokens,
                                     .n = out,
                                     .k = in,
                                     .rate = rate,
                                     .waves = product_waves (kernel_model, &forward),
                                     .multiprocessors = kernel_model->multiprocessors,
                                     .written = element,
                                     .bytes = product_bytes (kernel_model, &forward),
                                     .cast = cast ? kernel_model->cast_bytes * times * tokens * in
                                                  : 0.0,
                                     .bandwidth = kernel_model->bandwidth,
                                     .forward = time.forward,
                                     .backward = time.input + time.weight });
  return time;
}

static void
add_linear (PlgKernelTime *time, const Linear *part)
{
  time->forward += part->forward;
  time->input += part->input;
  time->weight += part->weight;
}

static void
add_column (PlgKernelTime *time, Linear part)
{
  add_linear (time, &part);
  time->column_forward += part.forward;
  time->column_input += part.input;
  time->column_weight += part.weight;
}

static void
add_row (PlgKernelTime *time, Linear part)
{
  add_linear (time, &part);
  time->row_forward += part.forward;
  time->row_input += part.input;
}

/* Adds an operation that only moves data. FORWARD and BACKWARD are the bytes read and written
 * per 16-bit element in the forward and the backward pass. For other element sizes, both are
 * scaled. */
static void
add_move (PlgKernelTime *time,
          const KernelModel *kernel_model,
          const char *name,
          double elements,
          double forward,
          double backward)
{
  double scale = elements * kernel_model->element / 2.0, share = kernel_model->share;

  time->forward += share * move_time (kernel_model, forward * scale);
  time->input += share * move_time (kernel_model, backward * scale);
  if (kernel_model->list == NULL)
    return;
  record_operation (kernel_model,
                    (PlgOperation) { .kind = PLG_OPERATION_MOVE,
                                     .name = name,
                                     .times = 1.0,
                                     .bytes = forward * scale,
                                     .bandwidth = kernel_model->bandwidth,
                                     .forward = share * move_time (kernel_model, forward * scale),
                                     .backward = share *
                                                 move_time (kernel_model, backward * scale) });
}

/* Adds the forward time since BEFORE to the recompute if the backward pass of a layer, with experts
 * if MOE is set, computes the outputs of MODULE again. */
static void
repeat_since (PlgKernelTime *time,
              const KernelModel *kernel_model,
              gboolean moe,
              PlgModule module,
              double before)
{
  if (plg_recomputes (kernel_model->plan, moe, module))
    time->recompute += time->forward - before;
}

/* Returns the head dimension of queries and keys. */
static double
query_dim (const PlgTransformer *model)
{
  return model->kv_rank > 0 ? (double) model->head_dim + model->rope_dim : model->head_dim;
}

static double
value_dim (const PlgTransformer *model)
{
  return model->kv_rank > 0 && model->value_dim > 0 ? model->value_dim : model->head_dim;
}

static void
add_attention_scores (PlgKernelTime *time, const KernelModel *kernel_model)
{
  double share = kernel_model->share;

  if (kernel_model->plan->training.flash_attention)
    {
      const PlgPlan *plan = kernel_model->plan;
      double flops = plg_core_attention_forward_flops (plan) /
                     (kernel_model->tp * MAX (plan->parallelism.degree[PLG_AXIS_CP], 1));
      /* the sequence without windows in which a query has as many keys */
      double sequence = plg_attention_keys (plan) * (plan->training.causal ? 2.0 : 1.0);
      double rate = kernel_model->flash_rate * sequence / (sequence + PLG_FLASH_LOSS);
      PlgFlash version = kernel_model->habits->flash;
      FlashRate flash = plan->cluster.gpu.peak[PLG_PRECISION_FP8] > 0.0 ? flash_with_fp8[version]
                                                                        : flash_before_fp8[version];
      double forward = plg_engine_constant (flash.forward);
      double backward = plg_engine_constant (flash.backward);

      /* Heads narrower than 128 leave part of each tile empty. */
      rate *= MIN (1.0, 0.5 + query_dim (&plan->model) / 256.0);
      time->attention_forward = share * (flops / (rate * forward) + PLG_LAUNCH_GAP);
      time->attention_backward = share * (PLG_FLASH_BACKWARD_PRODUCTS * flops / (rate * backward) +
                                          2.0 * PLG_LAUNCH_GAP);
      record_operation (kernel_model, (PlgOperation) { .kind = PLG_OPERATION_FLASH,
                                                       .name = N_ ("Flash attention"),
                                                       .times = 1.0,
                                                       .flops = flops,
                                                       .rate = rate * forward,
                                                       .forward = time->attention_forward,
                                                       .backward = time->attention_backward });
      record_constant (kernel_model, flash.forward);
      record_constant (kernel_model, flash.backward);
      record_constant (kernel_model, PLG_CONSTANT_FLASH_LOSS);
      record_constant (kernel_model, PLG_CONSTANT_FLASH_BACKWARD_PRODUCTS);
    }
  else
    {
      /* Without flash attention, all scores are computed and stored in memory, including those that
       * the mask or a window excludes. */
      const PlgPlan *plan = kernel_model->plan;
      double sequence = plan->training.sequence;
      double rows = sequence / MAX (plan->parallelism.degree[PLG_AXIS_CP], 1);
      double heads = plan->training.micro_batch * plan->model.heads / kernel_model->tp;
      double scores = heads * rows * sequence * kernel_model->element / 2.0;
      double output = kernel_model->tokens * plan->model.heads / kernel_model->tp *
                      plg_attention_value_width (&plan->model);
      double saved = plg_training_has_dropout (&plan->training) ? 0.0 : PLG_DROPOUT;
      double forward = (PLG_SCORE_FORWARD - saved) * scores;
      double backward = (PLG_SCORE_BACKWARD - saved) * scores;
      Product keys = { heads,
                       rows,
                       sequence,
                       plg_attention_key_width (&plan->model),
                       kernel_model->bf16_rate,
                       kernel_model->element };
      Product values = { heads,
                         rows,
                         plg_attention_value_width (&plan->model),
                         sequence,
                         kernel_model->bf16_rate,
                         kernel_model->element };
      double products = product_time (kernel_model, &keys) + product_time (kernel_model, &values);

      time->attention_forward = share *
                                (products + move_time (kernel_model, forward) + PLG_LAUNCH_GAP);
      time->attention_backward = share * (2.0 * products + move_time (kernel_model, backward) +
                                          PLG_LAUNCH_GAP);
      record_operation (kernel_model, (PlgOperation) { .kind = PLG_OPERATION_SCORES,
                                                       .name = N_ ("Attention scores in memory"),
                                                       .times = 1.0,
                                                       .products = products,
                                                       .bytes = forward,
                                                       .bandwidth = kernel_model->bandwidth,
                                                       .forward = time->attention_forward,
                                                       .backward = time->attention_backward });
      record_constant (kernel_model, PLG_CONSTANT_SCORE_FORWARD);
      record_constant (kernel_model, PLG_CONSTANT_SCORE_BACKWARD);
      if (saved > 0.0)
        record_constant (kernel_model, PLG_CONSTANT_DROPOUT);
      /* A copy concatenates the outputs of the heads. */
      add_move (time, kernel_model, N_ ("Concatenated heads"), output, 4.0, 4.0);
    }
  time->forward += time->attention_forward;
  time->input += time->attention_backward;
}

/* Adds an indexer. Each GPU of a TP group computes it for all tokens. Its scores are written in FP32 and
 * read once by the choice of the keys. The rate is that of flash attention, because no source gives the
 * rate of the scores in training. */
static void
add_indexer (PlgKernelTime *time, const KernelModel *kernel_model)
{
  const PlgPlan *plan = kernel_model->plan;
  const PlgTransformer *model = &plan->model;
  PlgFlash version = kernel_model->habits->flash;
  FlashRate flash = plan->cluster.gpu.peak[PLG_PRECISION_FP8] > 0.0 ? flash_with_fp8[version]
                                                                    : flash_before_fp8[version];
  double cp = MAX (plan->parallelism.degree[PLG_AXIS_CP], 1), tokens = kernel_model->tokens;
  double rate = kernel_model->flash_rate * plg_engine_constant (flash.forward);
  double back_rate = kernel_model->flash_rate * plg_engine_constant (flash.backward);
  double flops = plg_indexer_forward_flops (plan) / cp, share = kernel_model->share;
  double bytes = tokens * plg_indexer_scored_keys (plan) * 8.0;
  double forward = flops / rate + bytes / kernel_model->bandwidth + 2.0 * PLG_LAUNCH_GAP;
  double backward = plg_indexer_backward_flops (plan) / cp / back_rate + PLG_LAUNCH_GAP;
  Linear part = linear (kernel_model, N_ ("Queries of the indexer"), 1.0, tokens,
                        model->kv_rank > 0 && model->q_rank > 0 ? model->q_rank : model->hidden,
                        (double) model->index_heads * model->index_dim);

  add_linear (time, &part);
  part = linear (kernel_model, N_ ("Key and weights of the indexer"), 1.0, tokens, model->hidden,
                 (double) model->index_dim + model->index_heads);
  add_linear (time, &part);
  time->forward += share * forward;
  time->input += share * backward;
  record_operation (kernel_model, (PlgOperation) { .kind = PLG_OPERATION_INDEX,
                                                   .name = N_ ("Scores of the indexer"),
                                                   .times = 2.0,
                                                   .flops = flops,
                                                   .rate = rate,
                                                   .bytes = bytes,
                                                   .bandwidth = kernel_model->bandwidth,
                                                   .forward = share * forward,
                                                   .backward = share * backward });
  record_constant (kernel_model, flash.forward);
  record_constant (kernel_model, flash.backward);
}

static void
add_attention (PlgKernelTime *time, const KernelModel *kernel_model, gboolean moe)
{
  const PlgTransformer *model = &kernel_model->plan->model;
  double heads = model->heads / kernel_model->tp;
  double kv_heads = MAX (model->kv_heads / kernel_model->tp, 1.0), before;

  if (model->kv_rank > 0)
    {
      /* MLA projects down to the latents and back up. The down-projections are replicated on
       * every GPU of the TP group. */
      double hidden = model->hidden, queries = heads * query_dim (model);
      Linear down;

      if (model->q_rank > 0)
        {
          down = linear (kernel_model, N_ ("Queries, down-projection"), 1.0,
                         kernel_model->undivided_tokens, hidden, model->q_rank);
          add_linear (time, &down);
        }
      before = time->forward;
      add_column (time, linear (kernel_model, N_ ("Queries"), 1.0, kernel_model->tokens,
                                model->q_rank > 0 ? model->q_rank : hidden, queries));
      repeat_since (time, kernel_model, moe, PLG_MODULE_MLA_UP, before);
      down = linear (kernel_model, N_ ("Keys and values, down-projection"), 1.0,
                     kernel_model->undivided_tokens, hidden,
                     (double) model->kv_rank + model->rope_dim);
      add_linear (time, &down);
      before = time->forward;
      add_column (time,
                  linear (kernel_model, N_ ("Keys and values"), 1.0, kernel_model->tokens,
                          model->kv_rank, heads * ((double) model->head_dim + value_dim (model))));
      if (model->attention_gate)
        add_column (time, linear (kernel_model, N_ ("Attention gate"), 1.0, kernel_model->tokens,
                                  hidden, heads * value_dim (model)));
    }
  else
    {
      add_column (time, linear (kernel_model, N_ ("QKV"), 1.0, kernel_model->tokens, model->hidden,
                                ((model->attention_gate ? 2.0 : 1.0) * heads + 2.0 * kv_heads) *
                                    model->head_dim));
      before = time->forward;
    }
  if (model->positions == 0) /* Rotary positions apply to queries and keys. */
    {
      add_move (time, kernel_model, N_ ("Rotary positions"),
                (kernel_model->habits->fuses ? 1.0 : PLG_EAGER_ROTARY) * kernel_model->tokens *
                    (heads + kv_heads) * query_dim (model),
                4.0, 4.0);
      if (!kernel_model->habits->fuses)
        record_constant (kernel_model, PLG_CONSTANT_EAGER_ROTARY);
    }
  repeat_since (time, kernel_model, moe, PLG_MODULE_MLA_UP, before);
  if (plg_has_indexer (model))
    add_indexer (time, kernel_model);
  add_attention_scores (time, kernel_model);
  if (model->attention_gate)
    add_move (time, kernel_model, N_ ("Attention gate"),
              kernel_model->tokens * heads * value_dim (model), 6.0, 10.0);
  add_row (time, linear (kernel_model, N_ ("Attention out"), 1.0, kernel_model->tokens,
                         heads * value_dim (model), model->hidden));
}

/* Adds the recurrence of a mixer: the time to move its data plus the time of its FLOPs at the rate of
 * flash attention, because no source gives a rate of its own. On H100 the result is 2 to 6 % more than
 * the measured forward pass of the gated delta net (docs/model.md, “Hybrid models”). */
static void
add_scan (PlgKernelTime *time, const KernelModel *kernel_model)
{
  const PlgPlan *plan = kernel_model->plan;
  PlgFlash version = kernel_model->habits->flash;
  FlashRate flash = plan->cluster.gpu.peak[PLG_PRECISION_FP8] > 0.0 ? flash_with_fp8[version]
                                                                    : flash_before_fp8[version];
  double tokens = kernel_model->tokens / kernel_model->tp, share = kernel_model->share;
  PlgMixerScan forward = plg_mixer_scan (&plan->model, kernel_model->element, FALSE);
  PlgMixerScan backward = plg_mixer_scan (&plan->model, kernel_model->element, TRUE);
  double rate = kernel_model->flash_rate * plg_engine_constant (flash.forward);
  double back_rate = kernel_model->flash_rate * plg_engine_constant (flash.backward);
  double forward_time = tokens * (forward.flops / rate + forward.bytes / kernel_model->bandwidth) +
                        forward.kernels * PLG_LAUNCH_GAP;
  double backward_time = tokens * (backward.flops / back_rate +
                                   backward.bytes / kernel_model->bandwidth) +
                         backward.kernels * PLG_LAUNCH_GAP;

  time->forward += share * forward_time;
  time->input += share * backward_time;
  record_operation (kernel_model, (PlgOperation) { .kind = PLG_OPERATION_SCAN,
                                                   .name = N_ ("Recurrence in chunks"),
                                                   .times = forward.kernels,
                                                   .flops = tokens * forward.flops,
                                                   .rate = rate,
                                                   .bytes = tokens * forward.bytes,
                                                   .bandwidth = kernel_model->bandwidth,
                                                   .forward = share * forward_time,
                                                   .backward = share * backward_time });
  record_constant (kernel_model, flash.forward);
  record_constant (kernel_model, flash.backward);
}

static void
add_mixer (PlgKernelTime *time, const KernelModel *kernel_model)
{
  const PlgTransformer *model = &kernel_model->plan->model;
  double tokens = kernel_model->tokens, tp = kernel_model->tp;
  double inner = plg_mixer_inner (model) / tp;

  add_column (time, linear (kernel_model, N_ ("Mixer in"), 1.0, tokens, model->hidden,
                            plg_mixer_projected (model) / tp));
  add_move (time, kernel_model, N_ ("Convolution"), tokens * plg_mixer_convolved (model) / tp, 4.0,
            6.0);
  add_scan (time, kernel_model);
  add_move (time, kernel_model, N_ ("Gated norm"), tokens * inner, 6.0, 10.0);
  add_row (time, linear (kernel_model, N_ ("Mixer out"), 1.0, tokens, inner, model->hidden));
}

/* Adds the activation function of an MLP, which reads INNER values per token and writes the
 * result. */
static void
add_activation (PlgKernelTime *time, const KernelModel *kernel_model, double tokens, double inner)
{
  double before = time->forward;

  if (kernel_model->plan->model.gated)
    {
      add_move (time, kernel_model, N_ ("Gate"),
                (kernel_model->habits->fuses ? 1.0 : PLG_EAGER_GATE) * tokens * inner, 6.0, 10.0);
      if (!kernel_model->habits->fuses)
        record_constant (kernel_model, PLG_CONSTANT_EAGER_GATE);
    }
  else
    add_move (time, kernel_model, N_ ("Activation function"), tokens * inner, 4.0, 6.0);
  repeat_since (time, kernel_model, FALSE, PLG_MODULE_ACTIVATION, before);
}

/* Adds the experts of the rank with the most tokens, because all ranks of the EP group wait for it.
 * The products of all experts run in one kernel, and each expert has the same number of tokens. */
static void
add_experts (PlgKernelTime *time, const KernelModel *all)
{
  /* Programs that run the experts as grouped GEMMs also fuse gating and sorting, so experts
   * always use the fused kernel model. */
  KernelModel fused = *all, router = *all;
  const PlgTransformer *model = &fused.plan->model;
  const PlgParallelism *parallelism = &fused.plan->parallelism;
  double ep = MAX (parallelism->degree[PLG_AXIS_EP], 1), etp = MAX (parallelism->etp, 1);
  double own = fused.tokens / fused.tp;
  double experts = model->experts / ep;
  double load = plg_expert_load (fused.plan);
  double each = load * own * model->top_k * etp / MAX (experts, 1.0);
  double width = model->expert_ffn / etp;
  Linear part;

  /* The router is no layer of Transformer Engine (Megatron-LM, core/transformer/moe/router.py). */
  router.quantizes = FALSE;
  router.rate = router.bf16_rate;
  router.habits = fused.habits = plg_fused_habits ();
  if (fused.quantizes)
    fused.cast_bytes = plg_engine_constant (plg_recipe_of (fused.plan, fused.habits)->cast_bytes);
  part = linear (&router, N_ ("Router"), 1.0, own, model->hidden, model->experts);
  add_linear (time, &part);
  part = linear (&fused, N_ ("Experts in"), experts, each, model->hidden,
                 (model->gated ? 2.0 : 1.0) * width);
  add_linear (time, &part);
  add_activation (time, &fused, each * experts, width);
  part = linear (&fused, N_ ("Experts out"), experts, each, width, model->hidden);
  add_linear (time, &part);
  /* Tokens are sorted by expert before and after dispatch, and each sort reads and writes the
   * tokens. Only the second sort is of received tokens. */
  add_move (time, &fused, N_ ("Tokens sorted by expert"),
            (1.0 + load) / 2.0 * own * model->top_k * model->hidden, 8.0, 8.0);
}

/* Sets the times of the host in a layer. The host launches the kernels of a repeated forward pass
 * again. Layers without experts have so few kernels that the GPU waits only in programs in which it
 * waits for all launches. */
static void
set_host_times (PlgKernelTime *time, const PlgPlan *plan, gboolean moe)
{
  double repeats = plg_recomputes (plan, moe, PLG_MODULE_EXPERTS) ? 1.0 : plg_repeated_share (plan);
  double launches = plan->training.cuda_graphs ? 0.0 : 1.0;
  double share = plg_layer_shares (&plan->model).mlp;

  if (moe)
    {
      time->host_forward = (PlgHostTime) { share * launches * PLG_EXPERT_HOST_FORWARD,
                                           share * PLG_EXPERT_WAIT };
      time->host_backward = (PlgHostTime) { share * launches * PLG_EXPERT_HOST_BACKWARD, 0.0 };
    }
  if (plg_program_habits (plan)->waits_for_host)
    {
      time->host_forward.least_wait += PLG_LAYER_HOST_FORWARD;
      time->host_backward.least_wait += PLG_LAYER_HOST_BACKWARD;
    }
  time->host_backward.launches += repeats * time->host_forward.launches;
  time->host_backward.least_wait += repeats * time->host_forward.least_wait;
}

/* Returns the time of a layer without the work of the host, times the share of KERNEL_MODEL. */
static PlgKernelTime
layer_kernel_time (const KernelModel *kernel_model, gboolean moe)
{
  const PlgTransformer *model = &kernel_model->plan->model;
  const PlgTraining *training = &kernel_model->plan->training;
  double inner = moe ? (double) model->shared_experts * model->expert_ffn : model->ffn;
  double width = inner / kernel_model->tp;
  double elements = kernel_model->undivided_tokens * model->hidden;
  double norm = model->rms_norm && !kernel_model->habits->fuses ? PLG_EAGER_NORM : 1.0;
  gboolean drops = training->dropout == PLG_DROPOUT_ON;
  gboolean masks = drops && kernel_model->habits->fuses;
  PlgModule whole_mlp = moe ? PLG_MODULE_EXPERTS : PLG_MODULE_MLP;
  PlgLayerShares shares = plg_layer_shares (model);
  KernelModel attention = *kernel_model, mixer = *kernel_model, mlp = *kernel_model;
  KernelModel norms = *kernel_model;
  PlgKernelTime time = { 0 }, before;

  attention.share *= shares.attention;
  mixer.share *= shares.mixer;
  mlp.share *= shares.mlp;
  norms.share *= (shares.attention + shares.mixer + shares.mlp) / 2.0;
  if (shares.attention > 0.0)
    add_attention (&time, &attention, moe);
  if (shares.mixer > 0.0)
    add_mixer (&time, &mixer);
  before = time;
  if (inner > 0.0 && shares.mlp > 0.0)
    {
      add_column (&time, linear (&mlp, N_ ("MLP in"), 1.0, kernel_model->tokens, model->hidden,
                                 (model->gated ? 2.0 : 1.0) * width));
      add_activation (&time, &mlp, kernel_model->tokens, width);
      add_row (&time,
               linear (&mlp, N_ ("MLP out"), 1.0, kernel_model->tokens, width, model->hidden));
      if (plg_recomputes (kernel_model->plan, moe, PLG_MODULE_SHARED_EXPERTS))
        time.recompute = before.recompute + time.forward - before.forward;
    }
  if (moe && shares.mlp > 0.0)
    add_experts (&time, &mlp);
  /* A whole MLP includes its activation function. */
  if (plg_recomputes (kernel_model->plan, moe, whole_mlp))
    time.recompute = before.recompute + time.forward - before.forward;
  for (int i = 0; i < 2; i++)
    {
      double start = time.forward;

      add_move (&time, &norms, N_ ("Norm"), norm * elements, 4.0, 6.0);
      if (norm != 1.0)
        record_constant (&norms, PLG_CONSTANT_EAGER_NORM);
      repeat_since (&time, &norms, moe, PLG_MODULE_NORM, start);
      /* A fused kernel writes the mask, and reads the mask and writes a second gradient. */
      add_move (&time, &norms, N_ ("Residual addition"), elements, masks ? 7.0 : 6.0,
                masks ? 9.0 : 6.0);
      if (drops && !masks)
        {
          add_move (&time, &norms, N_ ("Dropout"), elements, PLG_DROPOUT, PLG_DROPOUT);
          record_constant (&norms, PLG_CONSTANT_DROPOUT);
        }
    }
  if (training->recompute == PLG_RECOMPUTE_SELECTIVE && !training->flash_attention)
    time.recompute += time.attention_forward;
  if (training->recompute == PLG_RECOMPUTE_FULL)
    time.recompute = plg_repeated_share (kernel_model->plan) * time.forward;
  return time;
}

/* Returns the mean time of the layers, of which some can have products in BF16. */
static PlgKernelTime
layer_time (const KernelModel *kernel_model, gboolean moe)
{
  double wide_share = plg_bf16_layer_share (kernel_model->plan);
  KernelModel narrow = *kernel_model, wide = *kernel_model;
  PlgKernelTime time, more;

  narrow.share = 1.0 - wide_share;
  time = layer_kernel_time (&narrow, moe);
  if (wide_share > 0.0)
    {
      wide.share = wide_share;
      wide.quantizes = FALSE;
      wide.rate = kernel_model->bf16_rate;
      more = layer_kernel_time (&wide, moe);
      time.forward += more.forward;
      time.input += more.input;
      time.weight += more.weight;
      time.recompute += more.recompute;
      time.attention_forward += more.attention_forward;
      time.attention_backward += more.attention_backward;
      time.column_forward += more.column_forward;
      time.column_input += more.column_input;
      time.column_weight += more.column_weight;
      time.row_forward += more.row_forward;
      time.row_input += more.row_input;
    }
  set_host_times (&time, kernel_model->plan, moe);
  return time;
}

/* Adds the logits and the loss if Megatron-LM computes both in one kernel, which keeps no logits. Its
 * backward pass computes the logits of a piece of the vocabulary again, writes their gradient, and
 * adds the gradient of the input to a sum in FP32: it writes an addend, and reads both and writes the
 * sum (core/fusions/linear_cross_entropy). */
static void
add_repeated_logits (PlgKernelTime *time, const KernelModel *output, double vocabulary)
{
  double hidden = output->plan->model.hidden;
  double pieces = round_up (vocabulary / PLG_LOSS_VOCABULARY_PIECE);
  double bytes = pieces * 16.0 * output->tokens * hidden;
  Linear logits = linear (output, N_ ("Logits"), 1.0, output->tokens, hidden, vocabulary);

  add_column (time, logits);
  time->recompute += logits.forward;
  time->input += move_time (output, bytes);
  if (output->list != NULL)
    output->list->operation[output->list->n - 1].backward += move_time (output, bytes);
  record_constant (output, PLG_CONSTANT_LOSS_VOCABULARY_PIECE);
}

/* Returns the time of the last norm, the logits and the loss. The logits are computed in BF16 also
 * in FP8 training: the output layer of Megatron-LM is no layer of Transformer Engine
 * (core/tensor_parallel/layers.py), and torchtitan leaves it out of torchao's FP8
 * (components/quantization/float8.py, filter_fqns). With gathered logits, each GPU computes the
 * loss for the whole vocabulary. A chunked loss of other programs than Megatron-LM computes the
 * products, the loss and all gradients of a piece of the tokens at once (torchtitan,
 * components/loss.py, ChunkedCELoss; Liger, ops/fused_linear_cross_entropy.py). */
static PlgKernelTime
output_time (const KernelModel *kernel_model)
{
  const PlgPlan *plan = kernel_model->plan;
  double hidden = plan->model.hidden, vocabulary = plg_padded_vocabulary (plan) / kernel_model->tp;
  gboolean is_chunked = plan->training.loss == PLG_LOSS_CHUNKED;
  gboolean fused = plan->training.loss == PLG_LOSS_FUSED || is_chunked;
  double pieces = is_chunked ? PLG_LOSS_PIECES : 1.0;
  KernelModel output = *kernel_model;
  PlgKernelTime time = { 0 };

  output.quantizes = FALSE;
  output.rate = kernel_model->bf16_rate;
  add_move (&time, kernel_model, N_ ("Norm"), kernel_model->undivided_tokens * hidden, 4.0, 6.0);
  if (plg_repeats_logits (plan))
    {
      add_repeated_logits (&time, &output, vocabulary);
      return time;
    }
  add_column (&time,
              linear (&output, N_ ("Logits"), pieces, output.tokens / pieces, hidden, vocabulary));
  if (is_chunked)
    record_constant (kernel_model, PLG_CONSTANT_LOSS_PIECES);
  if (plan->training.loss == PLG_LOSS_GATHERED)
    vocabulary *= kernel_model->tp;
  add_move (&time, kernel_model, N_ ("Loss"), kernel_model->tokens * vocabulary,
            fused ? PLG_FUSED_LOSS_FORWARD : PLG_PLAIN_LOSS_FORWARD,
            fused ? PLG_FUSED_LOSS_BACKWARD : PLG_PLAIN_LOSS_BACKWARD);
  record_constant (kernel_model,
                   fused ? PLG_CONSTANT_FUSED_LOSS_FORWARD : PLG_CONSTANT_PLAIN_LOSS_FORWARD);
  record_constant (kernel_model,
                   fused ? PLG_CONSTANT_FUSED_LOSS_BACKWARD : PLG_CONSTANT_PLAIN_LOSS_BACKWARD);
  return time;
}

static PlgKernelTime
piece_time (const KernelModel *kernel_model, PlgPiece piece)
{
  const PlgPlan *plan = kernel_model->plan;
  PlgKernelTime time = { 0 };
  Linear projection;

  switch (piece)
    {
    case PLG_PIECE_EMBEDDING:
      add_move (&time, kernel_model, N_ ("Embedding"), kernel_model->tokens * plan->model.hidden,
                4.0, 8.0);
      return time;
    case PLG_PIECE_DENSE:
    case PLG_PIECE_MOE:
      return layer_time (kernel_model, piece == PLG_PIECE_MOE);
    case PLG_PIECE_PROJECTION:
      projection = linear (kernel_model, N_ ("Projection"), 1.0, kernel_model->tokens,
                           2.0 * plan->model.hidden, plan->model.hidden / kernel_model->tp);
      add_linear (&time, &projection);
      return time;
    case PLG_PIECE_OUTPUT:
      return output_time (kernel_model);
    default:
      g_return_val_if_reached (time);
    }
}

PlgKernelTime
plg_kernel_time (const PlgPlan *plan, PlgPiece piece)
{
  KernelModel kernel_model = kernel_model_new (plan);

  return piece_time (&kernel_model, piece);
}

void
plg_kernel_times (const PlgPlan *plan, PlgKernelTime times[PLG_N_PIECES])
{
  KernelModel kernel_model = kernel_model_new (plan);

  for (int i = 0; i < PLG_N_PIECES; i++)
    times[i] = plg_plan_has_piece (plan, i) ? piece_time (&kernel_model, i) : (PlgKernelTime) { 0 };
}

void
plg_kernel_operations (const PlgPlan *plan, PlgPiece piece, PlgOperations *operations)
{
  KernelModel kernel_model = kernel_model_new (plan);

  operations->n = 0;
  kernel_model.list = operations;
  piece_time (&kernel_model, piece);
}

PlgUsedConstants
plg_kernel_constants (const PlgPlan *plan)
{
  const PlgProgramHabits *habits = plg_kernel_habits (plan);
  const PlgRecipe *recipe = plg_recipe_of (plan, habits);
  const PlgGpu *gpu = &plan->cluster.gpu;
  PlgUsedConstants used = { 0 };

  plg_used_constants_add (&used, PLG_CONSTANT_TRAINING_RATE);
  if (habits->product != PLG_CONSTANT_REFERENCE_PRODUCT)
    plg_used_constants_add (&used, habits->product);
  plg_used_constants_add (&used, PLG_CONSTANT_LONG_TILE);
  plg_used_constants_add (&used, PLG_CONSTANT_SHORT_TILE);
  plg_used_constants_add (&used, PLG_CONSTANT_LAST_WAVE);
  plg_used_constants_add (&used, PLG_CONSTANT_LAUNCH_GAP);
  if (recipe != NULL)
    plg_used_constants_add (&used, recipe->cast_bytes);
  if (recipe != NULL && recipe->product != PLG_CONSTANT_REFERENCE_PRODUCT)
    plg_used_constants_add (&used, recipe->product);
  if (gpu->matrix_efficiency[plan->training.precision] <= 0.0)
    plg_used_constants_add (&used, PLG_CONSTANT_USUAL_MATRIX_EFFICIENCY);
  if (gpu->memory_efficiency <= 0.0)
    plg_used_constants_add (&used, PLG_CONSTANT_USUAL_MEMORY_EFFICIENCY);
  if (gpu->multiprocessors <= 0)
    plg_used_constants_add (&used, PLG_CONSTANT_USUAL_MULTIPROCESSORS);
  return used;
}

double
plg_kernel_launch_gap (void)
{
  return PLG_LAUNCH_GAP;
}

double
plg_kernel_tile (void)
{
  return PLG_LONG_TILE * PLG_SHORT_TILE;
}

/* Returns the time of the optimizer step. The step reads each gradient once for the norm of all
 * gradients, and the gradients of PARAMETERS parameters once more for the update. For each
 * parameter it reads and writes the master weight and both moments, and writes the weight for
 * the next step (Kingma 2014). Narrow moments are read and written as they are stored, as in
 * PyTorch's fused Adam (native/cuda/fused_adam_utils.cuh) and bitsandbytes (csrc/kernels.cu), or
 * copied to FP32 and back, as in Transformer Engine. */
double
plg_optimizer_time (const PlgPlan *plan, double parameters, double gradients)
{
  double gradient = plg_gradient_bytes (&plan->training);
  /* Gradients are also set to zero for the next step, which adds a write. */
  double bytes = parameters * plg_update_bytes (plan) + gradients * 2.0 * gradient;

  return bytes / memory_rate (&plan->cluster) + PLG_LAUNCH_GAP;
}

double
plg_muon_product_time (const PlgPlan *plan, const PlgMuonShare *share)
{
  KernelModel kernel_model = kernel_model_new (plan);
  double rate = plan->training.precision == PLG_PRECISION_FP32
                    ? best_rate (plan, PLG_PRECISION_BF16,
                                 plg_engine_constant (kernel_model.habits->product))
                    : kernel_model.bf16_rate;
  double time = 0.0;

  kernel_model.element = 2.0;
  for (int i = 0; i < share->n_kinds; i++)
    {
      double side = share->kinds[i].side, length = share->kinds[i].length;

      time += share->kinds[i].count *
              (product_time (&kernel_model, &(Product) { 1.0, side, side, length, rate, 2.0 }) +
               product_time (&kernel_model, &(Product) { 1.0, side, side, side, rate, 2.0 }) +
               product_time (&kernel_model, &(Product) { 1.0, side, length, side, rate, 2.0 }));
    }
  return plan->training.muon_steps * time;
}

double
plg_muon_move_time (const PlgPlan *plan, double parameters)
{
  KernelModel kernel_model = kernel_model_new (plan);

  return parameters * PLG_MUON_UPDATE / kernel_model.bandwidth;
}
