/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* Megatron-LM's own estimate for a plan before a run: the formulas in
 * megatron/training/theoretical_memory_usage.py and in num_floating_point_operations() of
 * training.py (2025), exact to the digits that Megatron-LM prints. These formulas are separate
 * from memory.h and flops.h because they leave out many terms. The results are shown next to the
 * engine's numbers for users who know Megatron-LM's estimate.
 *
 * All values are for the first pipeline stage. The formulas assume: layers divided evenly over
 * the stages, if necessary into fractions; BF16 with FP32 gradients; a plain MLP with 34 s b h
 * bytes per layer (sequence length × micro-batch × hidden size); no stored scores; no logits
 * with pipeline parallelism; no context parallelism, buffers, allocator or runtime. */
typedef struct
{
  double parameters; /* number of parameters, with padded vocabulary and MTP blocks, without
                        biases or learned positions */
  double active;     /* parameters that one token uses: the top-k of the routed experts, but all
                        experts in MTP blocks */
  double dense;      /* parameters on the fullest GPU, without routed experts */
  double expert;     /* parameters of routed experts on the fullest GPU */
  double dense_bytes_each; /* bytes per parameter: 18, or 6 + 12 / DP with the distributed
                              optimizer (ZeRO 1 and above) */
  double expert_bytes_each;
  double state_bytes;      /* bytes of weights, gradients and optimizer state */
  double in_flight_factor; /* micro-batches in flight on the first stage, divided by the number
                              of stages */
  double selective_bytes;  /* activation bytes by the formula for sequence parallelism with
                              selective recompute */
  double other_bytes;      /* activation bytes by the formula for all other settings */
  double activation_bytes; /* selective_bytes or other_bytes, whichever applies to the plan */
  double total_bytes;      /* bytes of state and activations, as Megatron-LM reports them */
  double flops_per_token;  /* FLOPs of the forward and the backward pass; with a causal mask,
                              only half of the scores are included. Attention windows
                              are ignored */
} PlgMegatronTheory;

/* Computes Megatron-LM's estimate for PLAN, which must pass plg_plan_check(). */
PlgMegatronTheory plg_megatron_theory (const PlgPlan *plan);

G_END_DECLS
