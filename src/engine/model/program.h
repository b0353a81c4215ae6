/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The habits of training programs that change times and memory. The program is a setting of the
 * plan (training.program) and is never guessed from other settings. */
#pragma once

#include "engine/model/engine-constant.h"
#include "plan/plan.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_FLASH_EARLY, /* FlashAttention 1 and 2, half of the work each */
  PLG_FLASH_2,
  PLG_FLASH_3, /* FlashAttention-3 or cuDNN on GPUs with FP8, FlashAttention-2 on older ones */
} PlgFlash;
#define PLG_N_FLASHES 3

/* PlgProgramHabits:
 * @fuses: norms, rotary positions and gates are one kernel each
 * @flash: the flash attention of the program
 * @adds_gradients: a kernel adds each new gradient to the sum, or copies it to a buffer
 * @gathers_fp8: with FP8, ZeRO gathers weights, and sequence parallelism inputs, of one byte
 *   instead of two
 * @reduces_each: with ZeRO 2, each micro-batch scatters its gradients, so that a GPU keeps only its
 *   shard of the sum
 * @broadcasts: with ZeRO 1 and 2, each GPU broadcasts its shard of the new weights, one after the
 *   other, instead of one gather
 * @keeps_both_gradients: in BF16 with ZeRO 0 or 1, FP32 sums of gradients stand beside the BF16
 *   gradients
 * @cuts_messages: a message between stages without sequence parallelism is cut by TP, and gathered
 *   inside the node of the receiver
 * @grows_buckets: a bucket has at least PLG_BUCKET_PER_REPLICA parameters per replica
 * @product: the constant for the rate of matrix products, divided by the best rate
 * @fp8_recipe: the recipe of FP8 training if the plan leaves it open
 * @has_transformer_engine: the linear layers are those of Transformer Engine, which caches quantized
 *   weights and gathers quantized inputs with every recipe
 * @keeps_softmax: a fused loss keeps the softmax in FP32 for the backward pass
 * @repeats_logits: a chunked loss computes the logits again in the backward pass; without this habit,
 *   it computes all gradients of a piece at once
 * @keeps_gathered: with sequence parallelism, a layer keeps the gathered inputs of its products for the
 *   backward pass, instead of gathering them again
 * @is_precision_aware: narrow moments are copied to FP32 for the update; beside BF16 weights, the
 *   state has only the lower 16 bits of the master weight
 * @casts_shards: the shards of weights are in FP32 and serve as master weights; each gather casts them
 * @streams_gradients: gradients that the CPU needs travel to the host during the backward passes
 * @overlaps_offload: if the CPU updates weights, it works on one tensor while the gradients of the
 *   next tensor and the weights of the last one travel
 * @keeps_matrices_whole: with ZeRO 1, each GPU updates whole matrices if the optimizer is Muon, so
 *   gradients are all-reduced
 * @waits_for_host: the GPU waits in each layer until the host has launched its kernels
 * @slack: the constant for the reserved bytes of the allocator, divided by the allocated bytes, minus 1
 * @bucket: the constant for the parameters per bucket of gradients */
typedef struct
{
  gboolean fuses;
  PlgFlash flash;
  gboolean adds_gradients;
  gboolean gathers_fp8;
  gboolean reduces_each;
  gboolean broadcasts;
  gboolean keeps_both_gradients;
  gboolean cuts_messages;
  gboolean grows_buckets;
  gboolean keeps_softmax;
  gboolean repeats_logits;
  gboolean keeps_gathered;
  gboolean is_precision_aware;
  gboolean casts_shards;
  gboolean streams_gradients;
  gboolean overlaps_offload;
  gboolean keeps_matrices_whole;
  gboolean waits_for_host;
  PlgEngineConstant product;
  PlgFp8Recipe fp8_recipe;
  gboolean has_transformer_engine;
  PlgEngineConstant slack;
  PlgEngineConstant bucket;
} PlgProgramHabits;

/* Returns TRUE if the backward pass of the loss computes the logits again. */
gboolean plg_repeats_logits (const PlgPlan *plan);
/* Returns the habits of the plan's program. Static. */
const PlgProgramHabits *plg_program_habits (const PlgPlan *plan);

/* Returns the habits that concern kernels: those of the program, of Megatron-LM if
 * training.kernels is fused, or of FSDP without a compiler if it is eager. */
const PlgProgramHabits *plg_kernel_habits (const PlgPlan *plan);

/* Returns the habits that concern kernels if training.kernels is fused. */
const PlgProgramHabits *plg_fused_habits (void);

/* Returns TRUE if each micro-batch scatters its gradients, with ZeRO 2 or 3. Otherwise, gradients
 * are reduced once per step. */
gboolean plg_scatters_each_micro_batch (const PlgPlan *plan);

/* Returns TRUE if a GPU keeps only its shard of the gradients. With ZeRO 2 and one reduction per
 * step, this holds only for a single micro-batch, because the sum over several micro-batches needs
 * all gradients. */
gboolean plg_gradients_are_sharded (const PlgPlan *plan);

/* Returns the share of the parameters that the CPU updates, 0..1; 0 with Muon, which Megatron-LM does
 * not run on the CPU. */
double plg_offload_share (const PlgPlan *plan);

/* Returns TRUE if gradients that the CPU needs leave the GPU at once, so that the GPU does not keep
 * them. */
gboolean plg_offloads_gradients (const PlgPlan *plan);

/* Returns TRUE if the shards of ZeRO 3 are on the host. */
gboolean plg_offloads_weights (const PlgPlan *plan);

/* Returns the number of times per step that gradients travel to the host. */
double plg_offload_passes (const PlgPlan *plan);

G_END_DECLS
