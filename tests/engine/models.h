/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

/* Published models from their authors' configuration files, so that the engine's tests need no
 * catalogue. */
static const PlgTransformer gpt3_175b = { .name = "gpt3-175b",
                                          .layers = 96,
                                          .hidden = 12288,
                                          .ffn = 49152,
                                          .heads = 96,
                                          .kv_heads = 96,
                                          .head_dim = 128,
                                          .vocabulary = 50257,
                                          .tied = TRUE,
                                          .biases = TRUE,
                                          .positions = 2048 };
static const PlgTransformer bloom_176b = { .name = "bloom-176b",
                                           .layers = 70,
                                           .hidden = 14336,
                                           .ffn = 57344,
                                           .heads = 112,
                                           .kv_heads = 112,
                                           .head_dim = 128,
                                           .vocabulary = 250880,
                                           .tied = TRUE,
                                           .biases = TRUE };
static const PlgTransformer megatron_22b = { .name = "megatron-22b",
                                             .layers = 48,
                                             .hidden = 6144,
                                             .ffn = 24576,
                                             .heads = 64,
                                             .kv_heads = 64,
                                             .head_dim = 96,
                                             .vocabulary = 51200,
                                             .tied = TRUE,
                                             .biases = TRUE,
                                             .positions = 2048 };
static const PlgTransformer mtnlg_530b = { .name = "mtnlg-530b",
                                           .layers = 105,
                                           .hidden = 20480,
                                           .ffn = 81920,
                                           .heads = 128,
                                           .kv_heads = 128,
                                           .head_dim = 160,
                                           .vocabulary = 51200,
                                           .tied = TRUE,
                                           .biases = TRUE,
                                           .positions = 2048 };
static const PlgTransformer megatron_1t = { .name = "megatron-1t",
                                            .layers = 128,
                                            .hidden = 25600,
                                            .ffn = 102400,
                                            .heads = 160,
                                            .kv_heads = 160,
                                            .head_dim = 160,
                                            .vocabulary = 51200,
                                            .tied = TRUE,
                                            .biases = TRUE,
                                            .positions = 2048 };
static const PlgTransformer llama2_7b = { .name = "llama2-7b",
                                          .layers = 32,
                                          .hidden = 4096,
                                          .ffn = 11008,
                                          .gated = TRUE,
                                          .heads = 32,
                                          .kv_heads = 32,
                                          .head_dim = 128,
                                          .vocabulary = 32000,
                                          .rms_norm = TRUE };
static const PlgTransformer llama2_13b = { .name = "llama2-13b",
                                           .layers = 40,
                                           .hidden = 5120,
                                           .ffn = 13824,
                                           .gated = TRUE,
                                           .heads = 40,
                                           .kv_heads = 40,
                                           .head_dim = 128,
                                           .vocabulary = 32000,
                                           .rms_norm = TRUE };
static const PlgTransformer llama2_70b = { .name = "llama2-70b",
                                           .layers = 80,
                                           .hidden = 8192,
                                           .ffn = 28672,
                                           .gated = TRUE,
                                           .heads = 64,
                                           .kv_heads = 8,
                                           .head_dim = 128,
                                           .vocabulary = 32000,
                                           .rms_norm = TRUE };
static const PlgTransformer llama3_8b = { .name = "llama3-8b",
                                          .layers = 32,
                                          .hidden = 4096,
                                          .ffn = 14336,
                                          .gated = TRUE,
                                          .heads = 32,
                                          .kv_heads = 8,
                                          .head_dim = 128,
                                          .vocabulary = 128256,
                                          .rms_norm = TRUE };
static const PlgTransformer llama3_70b = { .name = "llama3-70b",
                                           .layers = 80,
                                           .hidden = 8192,
                                           .ffn = 28672,
                                           .gated = TRUE,
                                           .heads = 64,
                                           .kv_heads = 8,
                                           .head_dim = 128,
                                           .vocabulary = 128256,
                                           .rms_norm = TRUE };
static const PlgTransformer llama3_405b = { .name = "llama3-405b",
                                            .layers = 126,
                                            .hidden = 16384,
                                            .ffn = 53248,
                                            .gated = TRUE,
                                            .heads = 128,
                                            .kv_heads = 8,
                                            .head_dim = 128,
                                            .vocabulary = 128256,
                                            .rms_norm = TRUE };
static const PlgTransformer mixtral_8x7b = { .name = "mixtral-8x7b",
                                             .layers = 32,
                                             .hidden = 4096,
                                             .ffn = 14336,
                                             .gated = TRUE,
                                             .heads = 32,
                                             .kv_heads = 8,
                                             .head_dim = 128,
                                             .vocabulary = 32000,
                                             .rms_norm = TRUE,
                                             .experts = 8,
                                             .top_k = 2,
                                             .expert_ffn = 14336 };
static const PlgTransformer mixtral_8x22b = { .name = "mixtral-8x22b",
                                              .layers = 56,
                                              .hidden = 6144,
                                              .ffn = 16384,
                                              .gated = TRUE,
                                              .heads = 48,
                                              .kv_heads = 8,
                                              .head_dim = 128,
                                              .vocabulary = 32768,
                                              .rms_norm = TRUE,
                                              .experts = 8,
                                              .top_k = 2,
                                              .expert_ffn = 16384 };
static const PlgTransformer qwen3_235b = { .name = "qwen3-235b-a22b",
                                           .layers = 94,
                                           .hidden = 4096,
                                           .ffn = 12288,
                                           .gated = TRUE,
                                           .heads = 64,
                                           .kv_heads = 4,
                                           .head_dim = 128,
                                           .vocabulary = 151936,
                                           .rms_norm = TRUE,
                                           .experts = 128,
                                           .top_k = 8,
                                           .expert_ffn = 1536 };
static const PlgTransformer deepseek_v2 = { .name = "deepseek-v2",
                                            .layers = 60,
                                            .hidden = 5120,
                                            .ffn = 12288,
                                            .gated = TRUE,
                                            .heads = 128,
                                            .kv_heads = 128,
                                            .head_dim = 128,
                                            .vocabulary = 102400,
                                            .rms_norm = TRUE,
                                            .experts = 160,
                                            .top_k = 6,
                                            .expert_ffn = 1536,
                                            .shared_experts = 2,
                                            .dense_layers = 1,
                                            .q_rank = 1536,
                                            .kv_rank = 512,
                                            .rope_dim = 64,
                                            .value_dim = 128 };
static const PlgTransformer deepseek_v3 = { .name = "deepseek-v3",
                                            .layers = 61,
                                            .hidden = 7168,
                                            .ffn = 18432,
                                            .gated = TRUE,
                                            .heads = 128,
                                            .kv_heads = 128,
                                            .head_dim = 128,
                                            .vocabulary = 129280,
                                            .rms_norm = TRUE,
                                            .experts = 256,
                                            .top_k = 8,
                                            .expert_ffn = 2048,
                                            .shared_experts = 1,
                                            .dense_layers = 3,
                                            .q_rank = 1536,
                                            .kv_rank = 512,
                                            .rope_dim = 64,
                                            .value_dim = 128,
                                            .mtp_layers = 1 };

/* Sets the order of all plans in these tests. */
static inline void
plan_set_degrees (PlgPlan *plan, int tp, int cp, int pp, int dp, int ep)
{
  static const PlgAxis order[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP };

  plan->parallelism.degree[PLG_AXIS_TP] = tp;
  plan->parallelism.degree[PLG_AXIS_CP] = cp;
  plan->parallelism.degree[PLG_AXIS_PP] = pp;
  plan->parallelism.degree[PLG_AXIS_DP] = dp;
  plan->parallelism.degree[PLG_AXIS_EP] = ep;
  plan->parallelism.etp = 1;
  plan->parallelism.chunks = 1;
  plan->parallelism.zero = 1;
  plan->parallelism.sequence = TRUE;
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    plan->parallelism.order[i] = order[i];
}

/* Sets a modern configuration: BF16, flash attention, 1F1B, no recompute. */
static inline void
plan_set_training (PlgPlan *plan, int sequence, int micro_batch, int global_batch)
{
  plan->training = (PlgTraining) { .sequence = sequence,
                                   .micro_batch = micro_batch,
                                   .global_batch = global_batch,
                                   .precision = PLG_PRECISION_BF16,
                                   .gradient_precision = PLG_PRECISION_FP32,
                                   .recompute = PLG_RECOMPUTE_NONE,
                                   .schedule = PLG_SCHEDULE_1F1B,
                                   .flash_attention = TRUE,
                                   .causal = TRUE,
                                   .muon_steps = 5,
                                   .expert_load = 1.0,
                                   .recompute_layers = 1,
                                   .tokens = 1e12 };
}
