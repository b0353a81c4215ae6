/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* Megatron-LM's own estimate of a plan before a run: the formulas of
 * megatron/training/theoretical_memory_usage.py and of num_floating_point_operations() in
 * training.py (2025), exact to the digits that Megatron-LM prints. The formulas are separate from
 * memory.h and flops.h because they leave much out; the results are shown beside the engine's
 * numbers for users who know them.
 *
 * All values are for the first pipeline stage. The formulas assume: layers spread evenly, even in
 * fractions; BF16 with FP32 gradients; a plain MLP of 34 s b h bytes per layer; no stored scores;
 * no logits with pipeline parallelism; no context parallelism, buffers, allocator or runtime. */
typedef struct
{
  double parameters; /* with padded vocabulary and MTP blocks; no biases or learned positions */
  double active;     /* top-k of the routed experts, but all experts in MTP blocks */
  double dense;      /* parameters on the fullest GPU without routed experts */
  double expert;     /* routed expert parameters on the fullest GPU */
  double dense_bytes_each; /* 18, or 6 + 12 / DP with the distributed optimizer (ZeRO 1 and up) */
  double expert_bytes_each;
  double state_bytes;      /* weights, gradients and optimizer */
  double in_flight_factor; /* micro-batches in flight on the first stage over the stages */
  double selective_bytes;  /* activations by the rule for SP with selective recompute */
  double other_bytes;      /* activations by the rule for all other settings */
  double activation_bytes; /* the one of the two activation sizes that applies to the plan */
  double total_bytes;      /* state and activations, as Megatron-LM reports */
  double flops_per_token;  /* forward and backward; causal: half of the scores */
} PlgMegatronTheory;

/* PLAN must pass plg_plan_check(). */
PlgMegatronTheory plg_megatron_theory (const PlgPlan *plan);

G_END_DECLS
