/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/kernel.h"

#include "engine/model/flops.h"
#include "engine/model/memory.h"

#include <glib/gi18n-lib.h>

/* A matrix product takes the time of its FLOPs at the GPU's best rate, less what each dimension d
 * loses for tiles at the edges and units without work in the last wave, d / (d + TILE_LOSS), and
 * the time of moving its operands, which is not hidden while the pipeline fills and drains. An A100
 * then reaches 62 % of its peak on matrices cut to 1024 and 71 % on those of 4096; SimuMax's
 * measurements on it have 45 to 68 % and 71 to 78 %. */
#define TILE_LOSS 150.0
/* Adding to FP32 gradients, the usual end of a product for weights, costs a few points more: 0.45
 * where products forward reach 0.49 of the peak (github.com/MooreThreads/SimuMax, configs/system,
 * B200). */
#define WEIGHT_EFFICIENCY 0.94
/* Best GEMM known of where the catalogue says nothing: the median of its entries. */
#define USUAL_MATRIX_EFFICIENCY 0.78
#define USUAL_MEMORY_EFFICIENCY 0.85

/* Flash attention relative to the best product. Fused programs on GPUs with FP8 run
 * FlashAttention-3 or cuDNN: 560 of 680 TFLOP/s forward and 460 backward on H100 (FlashAttention-3,
 * arXiv 2407.08608, figs. 5 and 6). Others run both of its first versions, half of the time each:
 * 90 and 190 of 271 forward, 75 and 165 backward on A100 (FlashAttention-2, arXiv 2307.08691, figs.
 * 4 to 6). Later GPUs gain less from these: 335 of 680 at best on H100 (the same, fig. 7), the
 * first version half of that. Short sequences fill the GPU badly: half of it is lost at FLASH_LOSS
 * tokens. */
#define FLASH_FORWARD 0.82
#define FLASH_BACKWARD 0.68
#define EARLY_FLASH_FORWARD 0.45
#define EARLY_FLASH_BACKWARD 0.38
#define EARLY_FLASH_ON_NEW_FORWARD 0.30
#define EARLY_FLASH_ON_NEW_BACKWARD 0.25
#define FLASH_LOSS 430.0
/* Its backward pass runs five products where the forward pass runs two. */
#define FLASH_BACKWARD_PRODUCTS 2.5

/* Bytes a score moves when attention is not fused: fused softmax with mask, then dropout with its
 * one-byte mask, forward and backward. The products' own reads and writes are counted there. */
#define SCORE_FORWARD 9.0
#define SCORE_BACKWARD 13.0

/* What RMSNorm, rotary positions and gates move as single operations of PyTorch, over what fused
 * kernels do. RMSNorm casts to FP32, squares, averages, scales, casts back and multiplies by its
 * weight: 36 bytes a value in place of 4. Rotary positions cast, multiply and cast back: 20 in
 * place of 4. A gate is two operations: 10 in place of 6, and 20 of 10 backward. LayerNorm and GELU
 * are one kernel everywhere. Transformer Engine and compilers fuse all of them
 * (github.com/NVIDIA/TransformerEngine). */
#define EAGER_NORM 9.0
#define EAGER_ROTARY 5.0
#define EAGER_GATE 1.9
/* What products of such programs reach of the best: the library chooses by rule and not by trial,
 * and the host starts them one by one. The fit over ibm, ievo, bloom, colm and pythia of
 * tests/bench/data/published.csv. */
#define EAGER_PRODUCT 0.95

/* Time between the starts of two kernels that keep the GPU from working. */
#define LAUNCH_GAP 5e-6

/* How long a layer with experts waits, each way, for the host: it reads how many tokens each expert
 * has before it can start their products. The fit over zoo in tests/bench/data/published.csv. */
#define EXPERT_WAIT 0.4e-3

/* What all operations of a plan need to know. */
typedef struct
{
  const PlgPlan *plan;
  double tp;
  double tokens;           /* of a micro-batch on this GPU */
  double undivided_tokens; /* tokens of what TP does not divide: all, or its part with SP */
  double element;
  double rate; /* FLOP/s of the best product in the training precision */
  double bf16_rate;
  double bandwidth;
  gboolean fused;
  PlgOperations *list; /* where operations are noted; NULL: nowhere */
} KernelModel;

static void
record_operation (const KernelModel *kernel_model, PlgOperation operation)
{
  if (kernel_model->list != NULL && kernel_model->list->n < PLG_MAX_OPERATIONS)
    kernel_model->list->operation[kernel_model->list->n++] = operation;
}

/* What ZeRO shards over more than one GPU. */
static int
sharding (const PlgPlan *plan)
{
  const int *degree = plan->parallelism.degree;

  return degree[PLG_AXIS_DP] > 1 || degree[PLG_AXIS_CP] > 1 ? plan->parallelism.zero : 0;
}

gboolean
plg_kernels_are_fused (const PlgPlan *plan)
{
  switch (plan->training.kernels)
    {
    case PLG_KERNELS_FUSED:
      return TRUE;
    case PLG_KERNELS_EAGER:
      return FALSE;
    case PLG_KERNELS_AUTO:
    default:
      return sharding (plan) < (plan->cluster.gpu.peak[PLG_PRECISION_FP8] > 0.0 ? 3 : 1);
    }
}

/* What can be reached of the peak in PRECISION, FLOP/s. A peak that people set is that of the
 * training precision; others keep their proportion to it. */
static double
best_rate (const PlgPlan *plan, PlgPrecision precision)
{
  const PlgCluster *cluster = &plan->cluster;
  PlgPrecision training = plan->training.precision;
  double peak = plg_cluster_peak (cluster, training);
  double efficiency = cluster->gpu.matrix_efficiency[precision];
  double own = cluster->gpu.peak[training], other = cluster->gpu.peak[precision];

  if (precision != training && own > 0.0 && other > 0.0)
    peak *= other / own;
  if (efficiency <= 0.0)
    efficiency = USUAL_MATRIX_EFFICIENCY;
  if (!plg_kernels_are_fused (plan))
    efficiency *= EAGER_PRODUCT;
  return MAX (peak * efficiency, 1.0);
}

static KernelModel
kernel_model_new (const PlgPlan *plan)
{
  const PlgCluster *cluster = &plan->cluster;
  double efficiency = cluster->gpu.memory_efficiency;
  PlgPrecision precision = plan->training.precision;
  KernelModel kernel_model = { .plan = plan };

  kernel_model.tp = MAX (plan->parallelism.degree[PLG_AXIS_TP], 1);
  kernel_model.tokens = plg_gpu_tokens (plan);
  kernel_model.undivided_tokens = plan->parallelism.sequence ? kernel_model.tokens / kernel_model.tp
                                                             : kernel_model.tokens;
  kernel_model.element = precision == PLG_PRECISION_FP32 ? 4.0 : 2.0;
  kernel_model.rate = best_rate (plan, precision);
  kernel_model.bf16_rate = precision == PLG_PRECISION_FP8 ? best_rate (plan, PLG_PRECISION_BF16)
                                                          : kernel_model.rate;
  kernel_model.bandwidth = MAX (cluster->memory_bandwidth, 1.0) *
                           (efficiency > 0.0 ? efficiency : USUAL_MEMORY_EFFICIENCY);
  kernel_model.fused = plg_kernels_are_fused (plan);
  return kernel_model;
}

static double
tile_factor (double dimension)
{
  return dimension / (dimension + TILE_LOSS);
}

static double
move_time (const KernelModel *kernel_model, double bytes)
{
  return bytes / kernel_model->bandwidth + LAUNCH_GAP;
}

/* Operands in FP8 count as two bytes as well: with one, published runs in FP8 come out 4 % too
 * fast, since scales and transposes, which are not counted, are read besides. */
static double
product_bytes (const KernelModel *kernel_model, double m, double n, double k)
{
  return kernel_model->element * (m * k + k * n + m * n);
}

/* Without its launch. */
static double
bare_product_time (const KernelModel *kernel_model, double m, double n, double k)
{
  double bytes = product_bytes (kernel_model, m, n, k);

  return 2.0 * m * n * k /
             (kernel_model->rate * tile_factor (m) * tile_factor (n) * tile_factor (k)) +
         bytes / kernel_model->bandwidth;
}

static double
product_time (const KernelModel *kernel_model, double m, double n, double k)
{
  if (m <= 0.0 || n <= 0.0 || k <= 0.0)
    return 0.0;
  return bare_product_time (kernel_model, m, n, k) + LAUNCH_GAP;
}

double
plg_matrix_time (const PlgPlan *plan, double m, double n, double k)
{
  KernelModel kernel_model = kernel_model_new (plan);

  return product_time (&kernel_model, m, n, k);
}

double
plg_matrix_efficiency (const PlgPlan *plan, double m, double n, double k)
{
  KernelModel kernel_model = kernel_model_new (plan);
  double peak = plg_cluster_peak (&plan->cluster, plan->training.precision);

  return 2.0 * m * n * k / bare_product_time (&kernel_model, m, n, k) / MAX (peak, 1.0);
}

/* Bytes a value to cast to FP8: read, written as a matrix and as its transpose (delayed scaling,
 * github.com/NVIDIA/TransformerEngine); read for the largest before, and the transpose apart, where
 * each is a kernel (torchao, float8). */
#define CAST_BYTES 4.0
#define EAGER_CAST_BYTES 7.0

/* The three products of a linear layer, TIMES of them. FP8 first casts what goes in; the casts of
 * weights are kept over the micro-batches. */
typedef struct
{
  double forward;
  double input;
  double weight;
} Linear;

/* Bytes a weight to add its gradient to that of the micro-batches before, where the product does
 * not do so itself: the new one is read, the sum read and written. */
static double
accumulation_bytes (const PlgPlan *plan)
{
  return 2.0 + 2.0 * plg_gradient_bytes (&plan->training);
}

static Linear
linear (const KernelModel *kernel_model,
        const char *name,
        double times,
        double tokens,
        double in,
        double out)
{
  Linear time = { 0 };
  gboolean cast = kernel_model->plan->training.precision == PLG_PRECISION_FP8;

  if (tokens <= 0.0 || in <= 0.0 || out <= 0.0)
    return time;
  time.forward = times * product_time (kernel_model, tokens, out, in);
  time.input = times * product_time (kernel_model, tokens, in, out);
  time.weight = times * product_time (kernel_model, in, out, tokens) / WEIGHT_EFFICIENCY;
  if (!kernel_model->fused && kernel_model->plan->parallelism.zero < 2)
    time.weight += times *
                   move_time (kernel_model, accumulation_bytes (kernel_model->plan) * in * out);
  /* The gradient of a bias is a sum over all tokens. */
  if (kernel_model->plan->model.biases)
    time.weight += times * move_time (kernel_model, kernel_model->element * tokens * out);
  if (cast)
    {
      double bytes = kernel_model->fused ? CAST_BYTES : EAGER_CAST_BYTES;

      time.forward += times * move_time (kernel_model, bytes * tokens * in);
      time.input += times * move_time (kernel_model, bytes * tokens * out);
    }
  record_operation (kernel_model,
                    (PlgOperation) {
                        .kind = PLG_OPERATION_PRODUCT,
                        .name = name,
                        .times = times,
                        .m = tokens,
                        .n = out,
                        .k = in,
                        .rate = kernel_model->rate,
                        .bytes = product_bytes (kernel_model, tokens, out, in),
                        .cast = cast ? (kernel_model->fused ? CAST_BYTES : EAGER_CAST_BYTES) *
                                           tokens * in
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

/* Something that only moves data: elements times bytes read and written each way. */
static void
add_move (PlgKernelTime *time,
          const KernelModel *kernel_model,
          const char *name,
          double elements,
          double forward,
          double backward)
{
  double scale = elements * kernel_model->element / 2.0;

  time->forward += move_time (kernel_model, forward * scale);
  time->input += move_time (kernel_model, backward * scale);
  record_operation (kernel_model,
                    (PlgOperation) { .kind = PLG_OPERATION_MOVE,
                                     .name = name,
                                     .times = 1.0,
                                     .bytes = forward * scale,
                                     .bandwidth = kernel_model->bandwidth,
                                     .forward = move_time (kernel_model, forward * scale),
                                     .backward = move_time (kernel_model, backward * scale) });
}

/* Width of a head in the scores and in what comes out. */
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
add_flash (PlgKernelTime *time, const KernelModel *kernel_model)
{
  const PlgPlan *plan = kernel_model->plan;
  double flops = plg_core_attention_forward_flops (plan) /
                 (kernel_model->tp * MAX (plan->parallelism.degree[PLG_AXIS_CP], 1));
  double sequence = plan->training.sequence;
  double rate = kernel_model->bf16_rate * sequence / (sequence + FLASH_LOSS);
  gboolean later = plan->cluster.gpu.peak[PLG_PRECISION_FP8] > 0.0;
  double forward = kernel_model->fused ? FLASH_FORWARD
                   : later             ? EARLY_FLASH_ON_NEW_FORWARD
                                       : EARLY_FLASH_FORWARD;
  double backward = kernel_model->fused ? FLASH_BACKWARD
                    : later             ? EARLY_FLASH_ON_NEW_BACKWARD
                                        : EARLY_FLASH_BACKWARD;

  /* Heads narrower than 128 leave part of each tile empty. */
  rate *= MIN (1.0, 0.5 + query_dim (&plan->model) / 256.0);
  time->attention_forward = flops / (rate * forward) + LAUNCH_GAP;
  time->attention_backward = FLASH_BACKWARD_PRODUCTS * flops / (rate * backward) + 2.0 * LAUNCH_GAP;
  record_operation (kernel_model, (PlgOperation) { .kind = PLG_OPERATION_FLASH,
                                                   .name = N_ ("Flash attention"),
                                                   .times = 1.0,
                                                   .flops = flops,
                                                   .rate = rate * forward,
                                                   .forward = time->attention_forward,
                                                   .backward = time->attention_backward });
}

/* One batched product over all heads: M x N scores, DEPTH deep. Heads are many and fill the units.
 */
static double
batched_time (const KernelModel *kernel_model, double batch, double m, double n, double depth)
{
  double flops = 2.0 * batch * m * n * depth;
  double bytes = kernel_model->element * batch * (m * n + (m + n) * depth);

  return flops / (kernel_model->bf16_rate * tile_factor (m) * tile_factor (n)) +
         bytes / kernel_model->bandwidth + LAUNCH_GAP;
}

/* Scores in memory, masked and not skipped, as before flash attention. */
static void
add_plain_attention (PlgKernelTime *time, const KernelModel *kernel_model)
{
  const PlgPlan *plan = kernel_model->plan;
  double sequence = plan->training.sequence;
  double rows = sequence / MAX (plan->parallelism.degree[PLG_AXIS_CP], 1);
  double heads = plan->training.micro_batch * plan->model.heads / kernel_model->tp;
  double scores = heads * rows * sequence * kernel_model->element / 2.0;
  double output = kernel_model->tokens * plan->model.heads / kernel_model->tp *
                  value_dim (&plan->model);
  double products = batched_time (kernel_model, heads, rows, sequence, query_dim (&plan->model)) +
                    batched_time (kernel_model, heads, rows, sequence, value_dim (&plan->model));

  time->attention_forward = products + move_time (kernel_model, SCORE_FORWARD * scores) +
                            LAUNCH_GAP;
  time->attention_backward = 2.0 * products + move_time (kernel_model, SCORE_BACKWARD * scores) +
                             LAUNCH_GAP;
  record_operation (kernel_model, (PlgOperation) { .kind = PLG_OPERATION_SCORES,
                                                   .name = N_ ("Attention scores in memory"),
                                                   .times = 1.0,
                                                   .products = products,
                                                   .bytes = SCORE_FORWARD * scores,
                                                   .bandwidth = kernel_model->bandwidth,
                                                   .forward = time->attention_forward,
                                                   .backward = time->attention_backward });
  /* Heads are put side by side again. */
  add_move (time, kernel_model, N_ ("Heads side by side"), output, 4.0, 4.0);
}

static void
add_attention_scores (PlgKernelTime *time, const KernelModel *kernel_model)
{
  if (kernel_model->plan->training.flash_attention)
    add_flash (time, kernel_model);
  else
    add_plain_attention (time, kernel_model);
  time->forward += time->attention_forward;
  time->input += time->attention_backward;
}

/* Down to the latents and up again; the down-projections are whole on each GPU. */
static void
add_latent_projections (PlgKernelTime *time, const KernelModel *kernel_model)
{
  const PlgTransformer *model = &kernel_model->plan->model;
  double heads = model->heads / kernel_model->tp, hidden = model->hidden;
  double queries = heads * query_dim (model);
  Linear down;

  if (model->q_rank > 0)
    {
      down = linear (kernel_model, N_ ("Queries down"), 1.0, kernel_model->undivided_tokens, hidden,
                     model->q_rank);
      add_linear (time, &down);
    }
  add_column (time, linear (kernel_model, N_ ("Queries"), 1.0, kernel_model->tokens,
                            model->q_rank > 0 ? model->q_rank : hidden, queries));
  down = linear (kernel_model, N_ ("Keys and values down"), 1.0, kernel_model->undivided_tokens,
                 hidden, (double) model->kv_rank + model->rope_dim);
  add_linear (time, &down);
  add_column (time,
              linear (kernel_model, N_ ("Keys and values"), 1.0, kernel_model->tokens,
                      model->kv_rank, heads * ((double) model->head_dim + value_dim (model))));
}

static void
add_attention (PlgKernelTime *time, const KernelModel *kernel_model)
{
  const PlgTransformer *model = &kernel_model->plan->model;
  double heads = model->heads / kernel_model->tp;
  double kv_heads = MAX (model->kv_heads / kernel_model->tp, 1.0);

  if (model->kv_rank > 0)
    add_latent_projections (time, kernel_model);
  else
    add_column (time, linear (kernel_model, N_ ("QKV"), 1.0, kernel_model->tokens, model->hidden,
                              (heads + 2.0 * kv_heads) * model->head_dim));
  if (model->positions == 0) /* rotary positions on queries and keys */
    add_move (time, kernel_model, N_ ("Rotary positions"),
              (kernel_model->fused ? 1.0 : EAGER_ROTARY) * kernel_model->tokens *
                  (heads + kv_heads) * query_dim (model),
              4.0, 4.0);
  add_attention_scores (time, kernel_model);
  add_row (time, linear (kernel_model, N_ ("Attention out"), 1.0, kernel_model->tokens,
                         heads * value_dim (model), model->hidden));
}

/* The function between the two halves of an MLP: reads and writes of INNER values a token. */
static void
add_activation (PlgKernelTime *time, const KernelModel *kernel_model, double tokens, double inner)
{
  if (kernel_model->plan->model.gated)
    add_move (time, kernel_model, N_ ("Gate"),
              (kernel_model->fused ? 1.0 : EAGER_GATE) * tokens * inner, 6.0, 10.0);
  else
    add_move (time, kernel_model, N_ ("Activation function"), tokens * inner, 4.0, 6.0);
}

static void
add_mlp (PlgKernelTime *time, const KernelModel *kernel_model, double inner)
{
  const PlgTransformer *model = &kernel_model->plan->model;
  double width = inner / kernel_model->tp;

  if (inner <= 0.0)
    return;
  add_column (time, linear (kernel_model, N_ ("MLP in"), 1.0, kernel_model->tokens, model->hidden,
                            (model->gated ? 2.0 : 1.0) * width));
  add_activation (time, kernel_model, kernel_model->tokens, width);
  add_row (time,
           linear (kernel_model, N_ ("MLP out"), 1.0, kernel_model->tokens, width, model->hidden));
}

/* Tokens go to the experts of this GPU in equal numbers; each expert is a product of its own. */
static void
add_experts (PlgKernelTime *time, const KernelModel *all)
{
  /* Grouped products, gates and sorting came with fused kernels. */
  KernelModel fused = *all;
  const KernelModel *kernel_model = &fused;
  const PlgTransformer *model = &kernel_model->plan->model;
  const PlgParallelism *parallelism = &kernel_model->plan->parallelism;
  double ep = MAX (parallelism->degree[PLG_AXIS_EP], 1), etp = MAX (parallelism->etp, 1);
  double own = kernel_model->tokens / kernel_model->tp;
  double experts = model->experts / ep;
  double each = own * model->top_k * etp / MAX (experts, 1.0);
  double width = model->expert_ffn / etp;
  Linear part = linear (kernel_model, N_ ("Router"), 1.0, own, model->hidden, model->experts);

  fused.fused = TRUE;
  time->forward += EXPERT_WAIT;
  time->input += EXPERT_WAIT;
  record_operation (kernel_model, (PlgOperation) { .kind = PLG_OPERATION_WAIT,
                                                   .name = N_ ("Wait for the host"),
                                                   .times = 1.0,
                                                   .forward = EXPERT_WAIT,
                                                   .backward = EXPERT_WAIT });
  add_linear (time, &part); /* the router */
  part = linear (kernel_model, N_ ("Experts in"), experts, each, model->hidden,
                 (model->gated ? 2.0 : 1.0) * width);
  add_linear (time, &part);
  add_activation (time, kernel_model, each * experts, width);
  part = linear (kernel_model, N_ ("Experts out"), experts, each, width, model->hidden);
  add_linear (time, &part);
  /* Sorting tokens by expert before and after the way, each read and written. */
  add_move (time, kernel_model, N_ ("Tokens sorted by expert"), own * model->top_k * model->hidden,
            8.0, 8.0);
}

/* Two norms, and two additions to the residual stream. */
static void
add_residual (PlgKernelTime *time, const KernelModel *kernel_model)
{
  double elements = kernel_model->undivided_tokens * kernel_model->plan->model.hidden;
  double norm = kernel_model->plan->model.rms_norm && !kernel_model->fused ? EAGER_NORM : 1.0;

  for (int i = 0; i < 2; i++)
    {
      add_move (time, kernel_model, N_ ("Norm"), norm * elements, 4.0, 6.0);
      add_move (time, kernel_model, N_ ("Residual addition"), elements, 6.0, 6.0);
    }
}

static void
add_recompute (PlgKernelTime *time, const PlgTraining *training)
{
  if (training->recompute == PLG_RECOMPUTE_FULL)
    time->recompute = time->forward;
  else if (training->recompute == PLG_RECOMPUTE_SELECTIVE && !training->flash_attention)
    time->recompute = time->attention_forward;
}

static PlgKernelTime
layer_time (const KernelModel *kernel_model, gboolean moe)
{
  const PlgTransformer *model = &kernel_model->plan->model;
  PlgKernelTime time = { 0 };

  add_attention (&time, kernel_model);
  add_mlp (&time, kernel_model,
           moe ? (double) model->shared_experts * model->expert_ffn : model->ffn);
  if (moe)
    add_experts (&time, kernel_model);
  add_residual (&time, kernel_model);
  add_recompute (&time, &kernel_model->plan->training);
  return time;
}

static PlgKernelTime
output_time (const KernelModel *kernel_model)
{
  double vocabulary = plg_padded_vocabulary (kernel_model->plan) / kernel_model->tp;
  PlgKernelTime time = { 0 };

  add_move (&time, kernel_model, N_ ("Norm"),
            kernel_model->undivided_tokens * kernel_model->plan->model.hidden, 4.0, 6.0);
  add_column (&time, linear (kernel_model, N_ ("Logits"), 1.0, kernel_model->tokens,
                             kernel_model->plan->model.hidden, vocabulary));
  /* The loss in FP32: a cast, the largest, the sum of exponentials; then its gradient. Where logits
   * are gathered, each GPU does that for the whole vocabulary. */
  if (kernel_model->plan->training.loss == PLG_LOSS_GATHERED)
    vocabulary *= kernel_model->tp;
  add_move (&time, kernel_model, N_ ("Loss"), kernel_model->tokens * vocabulary, 14.0, 6.0);
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
plg_kernel_operations (const PlgPlan *plan, PlgPiece piece, PlgOperations *operations)
{
  KernelModel kernel_model = kernel_model_new (plan);

  operations->n = 0;
  kernel_model.list = operations;
  piece_time (&kernel_model, piece);
}

double
plg_kernel_launch_gap (void)
{
  return LAUNCH_GAP;
}

double
plg_kernel_tile_loss (void)
{
  return TILE_LOSS;
}

/* Bytes a parameter: the gradient is read twice, once for the norm of all; master weight and both
 * moments are read and written; the weight for the next step is written (Kingma 2014; Megatron-LM
 * and Apex keep all but the last in FP32). */
double
plg_optimizer_time (const PlgPlan *plan, double parameters, double gradients)
{
  KernelModel kernel_model = kernel_model_new (plan);
  double gradient = plg_gradient_bytes (&plan->training);
  double state = 2.0 * plg_optimizer_bytes (&plan->training);
  double weight = plg_weight_bytes (&plan->training);

  /* Gradients are also set to zero for the next step. */
  return move_time (&kernel_model,
                    parameters * (gradient + state + weight) + gradients * 2.0 * gradient);
}
