/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/quantity.h"

G_BEGIN_DECLS

/* Fills STAGES[0 .. pp-1] with what one GPU of each stage holds at its peak, in bytes.
 *
 * Weights, gradients and optimizer: mixed-precision Adam, 2 + 4 (or 2) + 12 bytes a parameter, 4 +
 * 4 + 8 in FP32; ZeRO stages 1, 2, 3 divide optimizer, gradients and weights by DP x CP, those of
 * experts by TP x CP x DP / (ETP x EP) (Rajbhandari 2020, sec. 5; Megatron-LM's distributed
 * optimizer). FP8 training keeps 2 bytes of weights as well: BF16, or FP8 and its transpose.
 *
 * Activations: what the backward pass needs of each layer (Korthikanti 2022, sec. 4, without
 * flash attention; its tensors without scores and dropout masks, with flash attention), times the
 * micro-batches in flight, and the larger of two passing peaks: the logits, or what the backward
 * pass of one layer holds besides. Buffers: the weight gradient of one layer and of the output
 * layer before it is added to the main gradient, the gathered input of a sequence-parallel matrix
 * product, and with ZeRO-3 the layers that are gathered; or, where that is more than all this, the
 * FP32 copy that the optimizer's step makes of 16-bit gradients.
 *
 * Compared with 23 stages measured by the authors of SimuMax (B200, Megatron-LM 0.14, dense, MoE
 * and long-context runs): mean error 0.3 %, worst 1.1 %. */
void plg_memory_ledger (const PlgPlan *plan, PlgStageMemory *stages);

/* Runtime is what the framework's counter of allocated memory does not show. Sources: the notes on
 * memory in github.com/stas00/ml-engineering (training/performance): 0.5 to 2 GiB for the CUDA
 * context and its kernels, 1 to 2 GiB for NCCL's buffers, growing with the number of
 * communicators; and reserved over allocated memory in SimuMax's B200 runs, 1.01 to 1.09, elsewhere
 * up to 1.15. Programs that keep attention scores in memory, which are older than flash attention
 * and than an allocator that grows its segments, lose more: the 58 readings of nvidia-smi that the
 * BLOOM project published are a quarter above what is allocated. */
#define PLG_CONTEXT_BYTES (1.0 * PLG_GIB)
#define PLG_NCCL_BYTES (0.75 * PLG_GIB)
#define PLG_COMMUNICATOR_BYTES (0.25 * PLG_GIB)
#define PLG_ALLOCATOR_SLACK 0.08
#define PLG_ALLOCATOR_SLACK_OLD 0.26
/* Before it fails, PyTorch's allocator gives back the blocks that it keeps for later: where room is
 * short, a quarter of the slack, what lies between live tensors, is all that stays. That is 1.02
 * today, and 1.007 the least that SimuMax's runs show. */
#define PLG_ALLOCATOR_MIN_SLACK_PART 0.25

/* Reserved over ALLOCATED bytes, less one, on a GPU of PLAN. */
double plg_allocator_slack (const PlgPlan *plan, double allocated);

/* Axes that are divided: each has its communicators. */
int plg_plan_communicators (const PlgPlan *plan);

/* Micro-batches whose activations STAGE holds at the peak, in units of all its layers. */
double plg_stage_in_flight (const PlgPlan *plan, int stage);

/* Bytes of one token's activations in one layer on one GPU of the TP group that the backward pass
 * needs, without recompute or with selective recompute. */
double plg_layer_activation_bytes (const PlgPlan *plan, gboolean moe);
/* The same of all layers of STAGE, with any recompute: what each micro-batch in flight keeps. */
double plg_stage_activation_bytes (const PlgPlan *plan, int stage);
/* Tokens of a micro-batch that one GPU works on: micro-batch x sequence / CP. */
double plg_gpu_tokens (const PlgPlan *plan);

/* The parameters of one GPU of a stage, and over how many GPUs ZeRO divides the state of each. */
typedef struct
{
  double dense;
  double expert;
  int dense_shards;
  int expert_shards;
} PlgGpuParameters;

PlgGpuParameters plg_stage_gpu_parameters (const PlgPlan *plan, int stage);

/* What buffers consist of, in bytes: there at once, but for the last, which counts only as far as
 * it is more than all of them and the activations. */
typedef struct
{
  double gradients; /* of a layer before they are added up or scattered */
  double weights;   /* gathered by ZeRO-3 */
  double input;     /* of a matrix product, gathered by sequence parallelism */
  double step;      /* FP32 copy of the gradients for the optimizer */
} PlgStageBuffers;

PlgStageBuffers plg_stage_buffers (const PlgPlan *plan, int stage);

/* Bytes a parameter takes, unsharded. */
double plg_weight_bytes (const PlgTraining *training);
double plg_gradient_bytes (const PlgTraining *training);
/* All gradients that are kept from one micro-batch to the next. */
double plg_accumulated_gradient_bytes (const PlgPlan *plan);
double plg_optimizer_bytes (const PlgTraining *training);

G_END_DECLS
