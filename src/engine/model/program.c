/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/program.h"

/* Megatron-LM with Transformer Engine: buckets of 40 million parameters, or 1 million per replica
 * (core/distributed/distributed_data_parallel_config.py); products add gradients themselves
 * (--gradient-accumulation-fusion, on by default); scatter and gather of messages (Narayanan 2021,
 * arXiv 2104.04473, section 4.1); FP8 weights (--fp8-param-gather, on in the recipes of Megatron
 * Bridge). Each parameter that the CPU updates has an optimizer of its own, so that transfers and
 * updates overlap (core/optimizer/cpu_offloading/hybrid_optimizer.py,
 * --overlap-cpu-optimizer-d2h-h2d). With narrow moments, FusedAdam copies the moments of all
 * parameters to FP32 and back, and stores the lower 16 bits of master weights beside BF16 weights
 * (Transformer Engine, transformer_engine/pytorch/optimizers/fused_adam.py, store_param_remainders).
 * Muon's distributed optimizer gives each GPU whole matrices (core/optimizer/layer_wise_optimizer.py).
 *
 * The fused kernel of output layer and loss computes the logits again
 * (core/fusions/linear_cross_entropy, --cross-entropy-fusion-impl linear).
 *
 * FSDP reduces one layer at a time (fully_shard on each layer). Its reduce-scatter copies the
 * gradients into a buffer first (torch/distributed/fsdp, _fsdp_collectives.py). torchao gathers FP8
 * weights (enable_fsdp_float8_all_gather). PyTorch's attention is FlashAttention-2
 * (scaled_dot_product_attention); the runs of 2023, without a compiler, and those of GPT-NeoX also
 * had FlashAttention 1 (LLM Foundry, attn_impl: triton). Pipelines send whole tensors
 * (torch/distributed/pipelining). The gather of sequence parallelism is an operation of its own
 * (torch/distributed/tensor/parallel/style.py, PrepareModuleInput), so products keep its result for the
 * backward pass. With CPUOffloadPolicy, reduced gradients travel to the host at
 * once (torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py, foreach_reduce), and the shards of
 * weights travel in FP32 and are cast on the GPU (_fsdp_param.py, all_gather_inputs).
 *
 * DeepSpeed reduces buckets of 500 million parameters (reduce_bucket_size) and copies each gradient
 * into a bucket. ZeRO 2 reduces with every micro-batch (runtime/zero/stage_1_and_2.py). In BF16
 * with FP32 sums and ZeRO 0 or 1 (runtime/engine.py, _do_optimizer_sanity_check), its BF16_Optimizer
 * adds the BF16 gradients of each micro-batch to FP32 gradients and keeps both
 * (runtime/bf16_optimizer.py). Its pipelines cut messages by TP (runtime/pipe/engine.py,
 * is_pipe_partitioned). Gradients travel to the host when a bucket is full; the update on the CPU and
 * the transfer of new weights follow the last backward pass (runtime/zero/stage_1_and_2.py,
 * cpu_offload). The loss of Megatron-DeepSpeed keeps the softmax in FP32
 * (megatron/core/tensor_parallel/cross_entropy.py).
 *
 * Megatron-DeepSpeed runs the layers of Megatron-LM in DeepSpeed's pipeline, and the GPU waits for the
 * host in each layer. BLOOM's runs had CUDA_LAUNCH_BLOCKING=1, with which the host waits for the end
 * of each kernel (github.com/bigscience-workshop/bigscience, train/tr11-176B-ml). MT-NLG's wait as
 * long.
 *
 * Plain programs have no common habit, so they get Megatron-LM's buckets. Those that write sequence
 * parallelism in PyTorch keep gathered inputs (Aleph-Alpha/scaling, core/nn/norm/rms_norm.py and
 * core/nn/linear/utils.py). InternEvo has buckets of
 * 512 MiB (reduce_bucket_size), DistributedDataParallel of 25 MiB (bucket_cap_mb). With ZeRO 1, each
 * GPU broadcasts its shard of the new weights (torch/distributed/optim/zero_redundancy_optimizer.py,
 * _broadcast_params_from_rank; InternEvo, solver/optimizer/hybrid_zero_optim.py). */
static const PlgProgramHabits habits[] = {
  [PLG_PROGRAM_MEGATRON] = { .fuses = TRUE,
                             .flash = PLG_FLASH_3,
                             .gathers_fp8 = TRUE,
                             .cuts_messages = TRUE,
                             .repeats_logits = TRUE,
                             .is_precision_aware = TRUE,
                             .overlaps_offload = TRUE,
                             .keeps_matrices_whole = TRUE,
                             .product = PLG_CONSTANT_REFERENCE_PRODUCT,
                             .fp8_recipe = PLG_FP8_RECIPE_DELAYED,
                             .has_transformer_engine = TRUE,
                             .slack = PLG_CONSTANT_SLACK,
                             .bucket = PLG_CONSTANT_BUCKET,
                             .grows_buckets = TRUE },
  [PLG_PROGRAM_FSDP_COMPILED] = { .fuses = TRUE,
                                  .flash = PLG_FLASH_2,
                                  .adds_gradients = TRUE,
                                  .gathers_fp8 = TRUE,
                                  .casts_shards = TRUE,
                                  .streams_gradients = TRUE,
                                  .keeps_gathered = TRUE,
                                  .product = PLG_CONSTANT_REFERENCE_PRODUCT,
                                  .fp8_recipe = PLG_FP8_RECIPE_CURRENT,
                                  .slack = PLG_CONSTANT_SLACK,
                                  .bucket = PLG_CONSTANT_BUCKET },
  [PLG_PROGRAM_FSDP_EAGER] = { .flash = PLG_FLASH_EARLY,
                               .adds_gradients = TRUE,
                               .gathers_fp8 = TRUE,
                               .casts_shards = TRUE,
                               .streams_gradients = TRUE,
                               .keeps_gathered = TRUE,
                               .product = PLG_CONSTANT_REFERENCE_PRODUCT,
                               .fp8_recipe = PLG_FP8_RECIPE_CURRENT,
                               .slack = PLG_CONSTANT_SLACK,
                               .bucket = PLG_CONSTANT_BUCKET },
  [PLG_PROGRAM_DEEPSPEED] = { .flash = PLG_FLASH_EARLY,
                              .adds_gradients = TRUE,
                              .reduces_each = TRUE,
                              .keeps_both_gradients = TRUE,
                              .cuts_messages = TRUE,
                              .keeps_softmax = TRUE,
                              .streams_gradients = TRUE,
                              .product = PLG_CONSTANT_DEEPSPEED_PRODUCT,
                              .fp8_recipe = PLG_FP8_RECIPE_CURRENT,
                              .slack = PLG_CONSTANT_DEEPSPEED_SLACK,
                              .bucket = PLG_CONSTANT_DEEPSPEED_BUCKET },
  [PLG_PROGRAM_MEGATRON_DEEPSPEED] = { .flash = PLG_FLASH_EARLY,
                                       .adds_gradients = TRUE,
                                       .reduces_each = TRUE,
                                       .keeps_both_gradients = TRUE,
                                       .cuts_messages = TRUE,
                                       .keeps_softmax = TRUE,
                                       .streams_gradients = TRUE,
                                       .waits_for_host = TRUE,
                                       .product = PLG_CONSTANT_PLAIN_PRODUCT,
                                       .fp8_recipe = PLG_FP8_RECIPE_CURRENT,
                                       .slack = PLG_CONSTANT_DEEPSPEED_SLACK,
                                       .bucket = PLG_CONSTANT_DEEPSPEED_BUCKET },
  [PLG_PROGRAM_PLAIN] = { .flash = PLG_FLASH_2,
                          .adds_gradients = TRUE,
                          .broadcasts = TRUE,
                          .keeps_gathered = TRUE,
                          .product = PLG_CONSTANT_PLAIN_PRODUCT,
                          .fp8_recipe = PLG_FP8_RECIPE_CURRENT,
                          .slack = PLG_CONSTANT_PLAIN_SLACK,
                          .bucket = PLG_CONSTANT_BUCKET,
                          .grows_buckets = TRUE },
};

G_STATIC_ASSERT (G_N_ELEMENTS (habits) == PLG_N_PROGRAMS);

const PlgProgramHabits *
plg_program_habits (const PlgPlan *plan)
{
  return &habits[plan->training.program];
}

gboolean
plg_repeats_logits (const PlgPlan *plan)
{
  return plan->training.loss == PLG_LOSS_CHUNKED && plg_program_habits (plan)->repeats_logits;
}

const PlgProgramHabits *
plg_kernel_habits (const PlgPlan *plan)
{
  switch (plan->training.kernels)
    {
    case PLG_KERNELS_FUSED:
      return &habits[PLG_PROGRAM_MEGATRON];
    case PLG_KERNELS_EAGER:
      return &habits[PLG_PROGRAM_FSDP_EAGER];
    case PLG_KERNELS_AUTO:
    default:
      return plg_program_habits (plan);
    }
}

const PlgProgramHabits *
plg_fused_habits (void)
{
  return &habits[PLG_PROGRAM_MEGATRON];
}

gboolean
plg_scatters_each_micro_batch (const PlgPlan *plan)
{
  return plan->parallelism.zero >= 3 ||
         (plan->parallelism.zero == 2 && plg_program_habits (plan)->reduces_each);
}

gboolean
plg_gradients_are_sharded (const PlgPlan *plan)
{
  return plg_scatters_each_micro_batch (plan) ||
         (plan->parallelism.zero == 2 && plg_plan_micro_batches (plan) <= 1);
}

double
plg_offload_share (const PlgPlan *plan)
{
  if (plan->training.optimizer == PLG_OPTIMIZER_MUON)
    return 0.0;
  return CLAMP (plan->training.offload_optimizer, 0.0, 1.0);
}

gboolean
plg_offloads_gradients (const PlgPlan *plan)
{
  return plg_offload_share (plan) > 0.0 && plg_program_habits (plan)->streams_gradients &&
         plg_gradients_are_sharded (plan);
}

gboolean
plg_offloads_weights (const PlgPlan *plan)
{
  return plan->training.offload_weights && plan->parallelism.zero >= 3 &&
         plg_offload_share (plan) >= 1.0;
}

double
plg_offload_passes (const PlgPlan *plan)
{
  if (!plg_program_habits (plan)->streams_gradients || !plg_scatters_each_micro_batch (plan))
    return 1.0;
  return MAX (plg_plan_micro_batches (plan), 1);
}
