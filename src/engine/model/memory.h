/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/quantity.h"

G_BEGIN_DECLS

/* plg_memory_ledger:
 * @stages: (out): pp elements
 *
 * Computes the peak memory of one GPU of each stage [bytes].
 *
 * Weights, gradients and optimizer: mixed-precision Adam, 2 + 4 (or 2) + 12 bytes per parameter, 4
 * + 4 + 8 in FP32. ZeRO stages 1, 2, 3 divide optimizer, gradients and weights by DP × CP, those of
 * experts by TP × CP × DP / (ETP × EP) (Rajbhandari 2020, sec. 5; Megatron-LM's distributed
 * optimizer). FP8 training also keeps 2 bytes of weights: BF16, or FP8 and its transpose.
 *
 * Activations: the tensors that the backward pass of each layer needs (Korthikanti 2022, sec. 4,
 * without flash attention; the same tensors less scores and dropout masks with flash attention),
 * times the micro-batches in flight, plus the larger of two short peaks: the logits, or the
 * temporary tensors in the backward pass of one layer. Buffers: the weight gradients of one layer
 * and of the output layer before accumulation, the gathered input of a sequence-parallel matrix
 * product, and with ZeRO-3 the gathered layers; or, if larger than all these, the FP32 copy of
 * 16-bit gradients in the optimizer step.
 *
 * Accuracy against 23 stages measured by the authors of SimuMax (B200, Megatron-LM 0.14, dense, MoE
 * and long-context runs): mean error 0.3 %, worst 1.1 %.
 */
void plg_memory_ledger (const PlgPlan *plan, PlgStageMemory *stages);

/* Runtime memory is the part that the framework's counter of allocated memory does not show.
 * Sources: the notes on memory in github.com/stas00/ml-engineering (training/performance), 0.5 to 2
 * GiB for the CUDA context and its kernels, 1 to 2 GiB for NCCL's buffers, growing with the number
 * of communicators; reserved over allocated memory in SimuMax's B200 runs, 1.01 to 1.09, elsewhere
 * up to 1.15. Programs that keep attention scores in memory are older than flash attention and than
 * an allocator with expandable segments, and lose more: the 58 readings of nvidia-smi published by
 * the BLOOM project are a quarter above the allocated memory. */
#define PLG_CONTEXT_BYTES (1.0 * PLG_GIB)
#define PLG_NCCL_BYTES (0.75 * PLG_GIB)
#define PLG_COMMUNICATOR_BYTES (0.25 * PLG_GIB)
#define PLG_ALLOCATOR_SLACK 0.08
#define PLG_ALLOCATOR_SLACK_OLD 0.26
/* PyTorch's allocator frees its cached blocks before it fails. If memory is short, only the gaps
 * between live tensors remain, a quarter of the slack: 1.02 today, against a minimum of 1.007 in
 * SimuMax's runs. */
#define PLG_ALLOCATOR_MIN_SLACK_PART 0.25

/* Reserved over ALLOCATED bytes, less one, on a GPU of PLAN. */
double plg_allocator_slack (const PlgPlan *plan, double allocated);

/* The number of axes with a degree above 1; each has communicators of its own. */
int plg_plan_communicators (const PlgPlan *plan);

/* Micro-batches with live activations on STAGE at the peak, in units of all its layers. */
double plg_stage_in_flight (const PlgPlan *plan, int stage);

/* The bytes that the backward pass needs from one token's forward pass of one layer, on one GPU of
 * the TP group, without recompute or with selective recompute. */
double plg_layer_activation_bytes (const PlgPlan *plan, gboolean moe);
/* The activation bytes per micro-batch in flight for all layers of STAGE, with any recompute. */
double plg_stage_activation_bytes (const PlgPlan *plan, int stage);
/* Tokens per micro-batch on one GPU: micro-batch × sequence / CP. */
double plg_gpu_tokens (const PlgPlan *plan);

/* The numbers of parameters on one GPU of a stage, and of GPUs among which ZeRO divides their
 * state. */
typedef struct
{
  double dense;
  double expert;
  int dense_shards;
  int expert_shards;
} PlgGpuParameters;

PlgGpuParameters plg_stage_gpu_parameters (const PlgPlan *plan, int stage);

/* The buffers of a stage [bytes]. All exist at once, except step. */
typedef struct
{
  double gradients; /* gradients of a layer before they are accumulated or scattered */
  double weights;   /* weights gathered by ZeRO-3 */
  double input;     /* input of a matrix product, gathered by sequence parallelism */
  double step;      /* FP32 gradient copy; counts as far as it exceeds the others and activations */
} PlgStageBuffers;

PlgStageBuffers plg_stage_buffers (const PlgPlan *plan, int stage);

/* Bytes per parameter, unsharded. */
double plg_weight_bytes (const PlgTraining *training);
double plg_gradient_bytes (const PlgTraining *training);
/* Bytes per parameter of the gradients that are kept between micro-batches. */
double plg_accumulated_gradient_bytes (const PlgPlan *plan);
double plg_optimizer_bytes (const PlgTraining *training);

G_END_DECLS
