/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* What Megatron-LM itself says of a plan before it runs: the formulas of
 * megatron/training/theoretical_memory_usage.py and of num_floating_point_operations() in
 * training.py (2025). They are kept apart from the engine's own (memory.h, flops.h), because
 * people know their results and they leave much out: it is here to be shown beside the engine's
 * numbers. Exact against Megatron-LM to the digits that it prints.
 *
 * All of it is for the first pipeline stage, of which it takes for granted: layers spread evenly,
 * even in parts; BF16 with FP32 gradients; a plain MLP of 34 s b h bytes a layer; no scores kept;
 * no logits behind a pipeline; no context parallelism, no buffers, no allocator, no runtime. */
typedef struct
{
  double parameters;       /* padded vocabulary, MTP blocks; no biases, no learned positions */
  double active;           /* of the routed experts top-k only, but all of those in MTP blocks */
  double dense;            /* parameters on the fullest GPU but for routed experts */
  double expert;           /* routed experts there */
  double dense_bytes_each; /* 18, or 6 + 12 / DP with the distributed optimizer (ZeRO 1 and up) */
  double expert_bytes_each;
  double state_bytes;      /* weights, gradients and optimizer of these */
  double in_flight_factor; /* micro-batches alive on the first stage, over the stages */
  double selective_bytes;  /* activations, by the rule for SP with selective recompute */
  double other_bytes;      /* activations, by the rule that it has for all else */
  double activation_bytes; /* that of the two which its report takes for the plan */
  double total_bytes;      /* state and activations: what its report shows */
  double flops_per_token;  /* forward and backward, half of the scores: causal */
} PlgMegatronTheory;

/* PLAN must be one that plg_plan_check() passes. */
PlgMegatronTheory plg_megatron_theory (const PlgPlan *plan);

G_END_DECLS
