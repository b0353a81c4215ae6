/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/model/flops.h"
#include "engine/report/report.h"
#include "plan/quantity.h"

G_BEGIN_DECLS

/* plg_memory_ledger:
 * @stages: (out): pp elements
 *
 * Computes the peak memory of one GPU in each stage [bytes].
 *
 * Weights, gradients and optimizer: mixed-precision Adam needs 2 + 4 (or 2) + 12 bytes per
 * parameter, and FP32 needs 4 + 4 + 8. BF16 moments save 4 bytes and 8-bit
 * moments save almost 6 bytes. ZeRO stages 1, 2 and 3 shard optimizer, gradients and weights over DP × CP GPUs, and those of experts over TP × CP × DP / (ETP × EP) GPUs
 * (Rajbhandari 2020, sec. 5; Megatron-LM's distributed optimizer). FP8 training also keeps 2
 * bytes of weights: BF16, or FP8 and its transpose.
 *
 * Activations: the tensors that the backward pass of each layer needs, times the micro-batches
 * in flight (Korthikanti 2022, sec. 4, without flash attention; with flash attention, the same
 * tensors without scores and dropout masks). The larger of two short peaks is added: the logits,
 * or the temporary tensors in the backward pass of one layer. Buffers: the weight gradients of
 * one layer and of the output layer before accumulation, the gathered input of a
 * sequence-parallel matrix product, and with ZeRO-3 the gathered layers. The optimizer step
 * makes an FP32 copy of 16-bit gradients. By then the activations and these buffers are free, so
 * only the excess of the copy over them is added.
 *
 * Accuracy against 23 stages measured by the authors of SimuMax (B200, Megatron-LM 0.14, dense,
 * MoE and long-context runs): mean error 0.3 %, worst 1.1 %. */
void plg_memory_ledger (const PlgPlan *plan, PlgStageMemory *stages);
/* Does the same with PARTS, the parts of each stage. */
void plg_memory_ledger_of_parts (const PlgPlan *plan,
                                 const PlgStageParts *parts,
                                 PlgStageMemory *stages);
/* Returns the memory of the fullest GPU [bytes], or, if this is more than LIMIT, the memory of any
 * stage that needs more than LIMIT, or G_MAXDOUBLE if the hosts have too little memory for what is
 * offloaded. */
double plg_memory_peak (const PlgPlan *plan, double limit);
/* plg_stage_memory:
 * @parts: the parts of the model on @stage, whatever the plan's division of layers
 * @mirror: (nullable): with DualPipe, the parts of stage p - 1 - @stage, otherwise %NULL
 * @memory: (out): the peak memory of one GPU of @stage [bytes]
 *
 * Computes one row of the ledger for parts that the plan may not have. */
void plg_stage_memory (const PlgPlan *plan,
                       int stage,
                       const PlgStageParts *parts,
                       const PlgStageParts *mirror,
                       PlgStageMemory *memory);

/* Runtime memory is the part that the framework's counter of allocated memory does not include:
 * the context, NCCL, and the slack of the allocator, which is a habit of the program.
 * PyTorch's allocator frees its cached blocks before it reports that memory is exhausted. When
 * memory is short, the slack therefore shrinks to the gaps between live tensors
 * (PLG_ALLOCATOR_MIN_SLACK_PART). */

/* Returns the ratio of reserved to ALLOCATED bytes on a GPU of PLAN, minus 1. BLOCK is the result of
 * plg_stage_largest_block(). */
double plg_allocator_slack (const PlgPlan *plan, double allocated, double block);

/* Returns the largest block that STAGE frees in each micro-batch [bytes], or 0: the FP32 logits of a loss
 * that is not fused. Smaller tensors that live longer settle in the freed block, and PyTorch returns a
 * block to the GPU only if all of it is free (c10/cuda/CUDACachingAllocator.cpp,
 * release_cached_blocks). The next micro-batch therefore gets another block, and this one stays. */
double plg_stage_largest_block (const PlgPlan *plan, int stage);

/* Returns the number of axes with a degree above 1. Each of these axes has its own
 * communicators. */
int plg_plan_communicators (const PlgPlan *plan);

/* Returns the number of micro-batches with live activations on STAGE at the peak. If only some
 * layers of the stage have live activations of a micro-batch, the micro-batch is counted as a
 * fraction. */
double plg_stage_in_flight (const PlgPlan *plan, int stage);

/* Returns the bytes per token that the backward pass needs from the forward pass of one layer,
 * on one GPU of the TP group, without recompute or with selective recompute. */
double plg_layer_activation_bytes (const PlgPlan *plan, gboolean moe);
/* Returns the same for a layer with these SHARES. */
double plg_parts_activation_bytes (const PlgPlan *plan, gboolean moe, PlgLayerShares shares);

/* The bytes per token of a layer's tensors that the backward pass computes again because of
 * training.recompute-modules, on one GPU of the TP group. */
typedef struct
{
  double attention;
  double mixer;
  double mlp; /* MLP or experts */
} PlgRecomputedBytes;

PlgRecomputedBytes plg_recomputed_bytes (const PlgPlan *plan, gboolean moe);
/* Returns the bytes that a layer sends to the host in the forward pass of a micro-batch, as a mean of
 * all layers of its kind, of which only some are offloaded. */
double plg_offloaded_layer_bytes (const PlgPlan *plan, gboolean moe);
/* Returns the bytes on the host per parameter that the CPU updates. FSDP's shards on the host are the
 * master weights; other programs have 16-bit weights beside them. */
double plg_host_state_bytes (const PlgPlan *plan);
/* Returns the bytes of the weights of a layer that travel from the host to a GPU for each gather: the
 * shard of the GPU, or 0 if the shards are on the GPUs. */
double plg_offloaded_weight_bytes (const PlgPlan *plan, gboolean moe);
/* Returns the bytes of activations that are not on the GPU of STAGE because they are offloaded. Sets
 * ON_HOST, which may be NULL, to those on the host, where one layer more is: it is on its way. */
double plg_stage_offloaded_bytes (const PlgPlan *plan, int stage, double *on_host);
/* Returns the activation bytes per micro-batch in flight for all layers of STAGE. Covers all
 * recompute settings. */
double plg_stage_activation_bytes (const PlgPlan *plan, int stage);
/* Returns the tokens per micro-batch on one GPU: micro-batch × sequence / CP. */
double plg_gpu_tokens (const PlgPlan *plan);
/* Returns the tokens that the experts of the fullest EP rank receive, divided by the mean of all
 * ranks: at least 1, and 1 if one rank has all experts. */
double plg_expert_load (const PlgPlan *plan);

/* The parameter counts on one GPU of a stage, and the numbers of GPUs over which ZeRO shards the
 * state of these parameters. */
typedef struct
{
  double dense;
  double expert;
  int dense_shards;
  int expert_shards;
} PlgGpuParameters;

PlgGpuParameters plg_stage_gpu_parameters (const PlgPlan *plan, int stage);

/* The parameters whose optimizer state a GPU of a stage holds, by the optimizer that updates them. */
typedef struct
{
  double adam;
  double muon; /* parameters on the GPU with most of them */
} PlgOwnedParameters;

PlgOwnedParameters plg_stage_owned_parameters (const PlgPlan *plan, int stage);

/* The buffers of a stage [bytes]. The buffers `gradients`, `weights` and `input` exist at the same
 * time, the buffer `step` exists only during the optimizer step, and the buffer `dispatch` always. */
typedef struct
{
  double gradients; /* gradients of a layer before they are accumulated or scattered */
  double weights;   /* weights gathered by ZeRO-3 */
  double input;     /* input of a matrix product, gathered by sequence parallelism */
  double copies;    /* quantized copies of weights */
  double step;      /* FP32 copy of the gradients or of narrow moments; only its excess over the
                       other buffers and the activations is added to the peak */
  double dispatch;  /* buffers of DeepEP or HybridEP, to which other GPUs write */
} PlgStageBuffers;

PlgStageBuffers plg_stage_buffers (const PlgPlan *plan, int stage);

/* Returns the bytes per weight of a layer that ZeRO gathers, the mean of all layers. */
double plg_gathered_weight_bytes (const PlgPlan *plan);
/* Returns the parameters of the embedding or of the output matrix on a GPU. */
double plg_vocabulary_matrix (const PlgPlan *plan);
/* Each of these functions returns bytes per parameter before sharding. */
double plg_weight_bytes (const PlgTraining *training);
double plg_gradient_bytes (const PlgTraining *training);
/* Returns the size of a gradient in the collectives that sum the gradients of replicas. */
double plg_reduced_gradient_bytes (const PlgTraining *training);
/* Returns the size of the gradients that are kept between micro-batches [bytes per parameter]. */
double plg_accumulated_gradient_bytes (const PlgPlan *plan);
/* Returns the size of one of Adam's two moments, or of Muon's momentum. */
double plg_moment_bytes (const PlgTraining *training);
/* Returns the size of both moments of Adam and of the master weight, which FP32 training does not
 * have. */
double plg_optimizer_bytes (const PlgTraining *training);
/* Returns the size of Muon's momentum and of the master weight. */
double plg_muon_state_bytes (const PlgTraining *training);
/* Returns TRUE if the program copies narrow moments to FP32 for the update. */
gboolean plg_copies_moments (const PlgPlan *plan);
/* Returns the size of the optimizer's state on a GPU. Megatron-LM with narrow moments and BF16 weights
 * keeps only the lower half of the master weight, because the weight is the upper half. */
double plg_held_optimizer_bytes (const PlgPlan *plan);
/* Returns the bytes that the update reads and writes per parameter: gradient, state and weight. */
double plg_update_bytes (const PlgPlan *plan);

G_END_DECLS
