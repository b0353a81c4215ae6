/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* Returns the number of parameters as published, without vocabulary padding. Modules for
 * multi-token prediction are not counted, because published numbers leave them out: DeepSeek-V3
 * is "671B" without its MTP module. */
double plg_parameters_total (const PlgTransformer *model);
/* Returns the number of parameters that one token uses. Only top_k of the routed experts are
 * counted. */
double plg_parameters_active (const PlgTransformer *model);

/* Returns the FLOPs per step on all GPUs, without recompute; the backward pass costs twice the
 * forward pass. Counts the matrices of attention, MLP, chosen experts and output layer (unpadded
 * vocabulary), and the attention scores. Norms, softmax, rotary positions and router are not
 * counted (Megatron-LM, megatron/training/training.py, num_floating_point_operations). */
double plg_model_flops (const PlgPlan *plan);
/* Returns the FLOPs per step on all GPUs, with recompute. */
double plg_hardware_flops (const PlgPlan *plan);

/* Each of these functions returns the FLOPs in one forward pass of one micro-batch, over all
 * GPUs that share the micro-batch. */
double plg_layer_forward_flops (const PlgPlan *plan, gboolean moe); /* including core attention */
/* matrix products QK^T and AV of one layer with attention, the mean of layers with and without a
 * window */
double plg_core_attention_forward_flops (const PlgPlan *plan);
/* the convolution and the recurrence of one layer with the mixer, as Megatron-LM counts them */
double plg_mixer_scan_forward_flops (const PlgPlan *plan);
/* Returns the number of keys that a query is multiplied with, the mean over all queries and all layers
 * with attention. Half of the sequence if attention is causal and sees the whole sequence. */
double plg_attention_keys (const PlgPlan *plan);
/* one computation of the logits */
double plg_output_forward_flops (const PlgPlan *plan);
/* all MTP modules, each with its logits */
double plg_mtp_forward_flops (const PlgPlan *plan);
/* Returns how many fewer FLOPs than twice those of the forward pass the backward pass of all indexers
 * has, because it only has the chosen keys; 0 in models without an indexer. */
double plg_indexer_saved_flops (const PlgPlan *plan);
/* Returns TRUE if the backward pass of a layer, with experts if MOE is set, computes the outputs of
 * MODULE again because of training.recompute-modules. Full recompute already repeats all modules. */
gboolean plg_recomputes (const PlgPlan *plan, gboolean moe, PlgModule module);
/* Returns TRUE if training.recompute-modules has an effect in any layer of the model. */
gboolean plg_recomputes_modules (const PlgPlan *plan);
/* Returns the share of the layers, those of MTP included, whose whole forward pass the backward pass
 * repeats, 0..1. Times and FLOPs use this mean for all stages. */
double plg_repeated_share (const PlgPlan *plan);
/* Returns the FLOPs that the backward pass of one layer recomputes, the mean of layers with and
 * without full recompute; 0 without recompute. */
double plg_layer_recompute_flops (const PlgPlan *plan, gboolean moe);

/* Numbers of parameters, grouped by the way in which GPUs split them. */
typedef struct
{
  double sharded;    /* sharded by TP: attention, dense MLP, shared experts, embedding, output */
  double replicated; /* copied to each GPU of a TP group: norms, router, latent down-projections */
  double expert;     /* all routed experts, sharded by EP × ETP */
} PlgParameters;

/* Returns the parameters of a layer. In a hybrid model, this is the mean of all layers. */
PlgParameters plg_layer_parameters (const PlgTransformer *model, gboolean moe);

/* The parts of a layer: 0 or 1 in a real layer, between 0 and 1 in the mean layer of a hybrid model,
 * where the share of a part is the share of the layers that have it. */
typedef struct
{
  double attention;
  double mixer;
  double mlp; /* MLP or experts */
} PlgLayerShares;

/* Returns the shares of the mean layer. A model without mixer has { 1, 0, 1 }. */
PlgLayerShares plg_layer_shares (const PlgTransformer *model);
#define PLG_MAX_REAL_LAYERS 3
/* Sets REAL to the different combinations of parts that layers of MODEL have, and returns their
 * number, at least 1. */
int plg_real_layers (const PlgTransformer *model, PlgLayerShares real[PLG_MAX_REAL_LAYERS]);
/* Returns the parameters of a layer with these SHARES. */
PlgParameters
plg_parts_parameters (const PlgTransformer *model, gboolean moe, PlgLayerShares shares);
/* Returns the number of parameters on one GPU. */
double plg_gpu_parameters (const PlgPlan *plan, PlgParameters parameters);
/* Returns the vocabulary size, padded so that each TP rank has a multiple of 128 entries. */
double plg_padded_vocabulary (const PlgPlan *plan);
/* Returns the number of GPUs with the same shard of an expert: TP × CP × DP / (ETP × EP). */
int plg_expert_data_parallel (const PlgPlan *plan);
/* Returns the number of GPUs in a shard group of expert parameters: the copies of each expert,
 * divided by the shard groups of a plan with hybrid sharding (plg_parallelism_replicate()). */
int plg_expert_shards (const PlgPlan *plan);

/* The consecutive layers of one virtual stage, or all layers of a stage. */
typedef struct
{
  int first; /* first layer of the virtual stage; for a whole stage, the first layer of its first
                virtual stage */
  int layers;
  int moe_layers; /* number of layers with experts */
} PlgLayerRun;

/* Returns the number of virtual stages per stage: the number of chunks with interleaving, 2 with
 * ZB-V, otherwise 1. */
int plg_stage_chunks (const PlgPlan *plan);
/* plg_chunk_layers:
 *
 * Finds the layers of @chunk on @stage. Layers are spread evenly over virtual stages; virtual
 * stages in the middle take the remainder, since the first and the last carry embedding and
 * logits (Llama 3 405B on 16 stages: 7, 8 … 8, 7, as in its paper). Leading dense layers of an
 * MoE model are on the first virtual stages. Interleaving gives stage r the virtual stages r, p
 * + r, 2p + r …; ZB-V gives it r and 2p - 1 - r.
 *
 * Settings for the first and the last stage work as in Megatron-LM
 * (megatron/core/transformer/transformer_block.py, get_num_layers_to_build). An explicit number
 * of layers is for all chunks of the stage, and the other stages share the rest. The embedding
 * can take the place of a layer on the first virtual stage, and the loss on the last.
 * Megatron-LM rejects layers that do not divide evenly; this function accepts them. A layout by
 * hand (plan/stage-layout.h) gives the layers of every virtual stage. */
PlgLayerRun plg_chunk_layers (const PlgPlan *plan, int stage, int chunk);
/* Returns the number of virtual stages, and sets RUNS to the layers of each of them in layer order. RUNS
 * may be NULL. */
int plg_layer_runs (const PlgPlan *plan, PlgLayerRun *runs);
/* Returns all layers of STAGE. The layer counts of all stages add up to the model's number of
 * layers. With DualPipe, a GPU also holds the layers of stage p - 1 - STAGE, which are not
 * included. */
PlgLayerRun plg_stage_layers (const PlgPlan *plan, int stage);
/* Return TRUE if STAGE has the embedding or the logits. With ZB-V stage 0 has both. */
gboolean plg_stage_has_embedding (const PlgPlan *plan, int stage);
gboolean plg_stage_has_output (const PlgPlan *plan, int stage);
/* Returns the virtual stage that has the MTP layers, numbered in layer order. */
int plg_mtp_virtual_stage (const PlgPlan *plan);
/* Returns TRUE if the MTP layers are in another virtual stage than the loss. Only schedules in
 * which virtual stage i is on stage i mod p allow this. */
gboolean plg_mtp_is_away (const PlgPlan *plan);
/* Returns how many sets of activations virtual stage I sends to the next one for a micro-batch. This
 * is 1, or after MTP layers that are away from the loss 1 more for each of them, because the loss
 * also needs their activations (Megatron-LM, core/models/gpt/gpt_model.py). */
int plg_message_sets (const PlgPlan *plan, int i);

/* The layers of a stage whose whole forward pass the backward pass repeats. */
typedef struct
{
  int dense_layers;
  int moe_layers;
  int mtp_layers;
  int kept_inputs; /* inputs of layers, or of groups of layers, that are kept per micro-batch */
  int live_layers; /* layers whose repeated activations exist besides all kept activations */
} PlgRepeatedLayers;

/* The parts of the model on one stage. */
typedef struct
{
  int dense_layers;
  int moe_layers;
  int mtp_layers;
  gboolean embedding;
  gboolean output;
  PlgRepeatedLayers repeated;
} PlgStageParts;

/* With DualPipe, a GPU also holds the parts of stage p - 1 - STAGE, which are not included. */
PlgStageParts plg_stage_parts (const PlgPlan *plan, int stage);
/* Returns the same from RUNS, which plg_layer_runs() has set. */
PlgStageParts plg_stage_parts_of_runs (const PlgPlan *plan, const PlgLayerRun *runs, int stage);
/* Sets the repeated layers of PARTS as if the layers of the stage were spread evenly over its virtual
 * stages, without regard to the plan's own division. */
void plg_stage_parts_spread_repeated (const PlgPlan *plan, PlgStageParts *parts);
/* Returns the number of V × h matrices that a stage with PARTS holds: embedding, output and the copies
 * of a shared matrix. */
int plg_stage_vocabulary_matrices (const PlgPlan *plan, const PlgStageParts *parts);
/* Returns how many V × h matrices are shared by PARTS and MIRROR, the parts of both directions of
 * DualPipe on a GPU. The GPU of the embedding also has the output, so MTP modules and a tied output
 * need no copy (DeepSeek-V3, arXiv 2412.19437, section 3.2.3). */
int plg_shared_vocabulary_matrices (const PlgPlan *plan,
                                    const PlgStageParts *parts,
                                    const PlgStageParts *mirror);
/* Counts all parameters of PARTS over the TP and EP groups of a stage, with padded vocabulary. */
PlgParameters plg_stage_parameters (const PlgPlan *plan, const PlgStageParts *parts);

/* plg_expected_places:
 * @places: GPUs or nodes that share the experts evenly, at least 1
 * @experts: experts of a layer
 * @top_k: experts per token, at most @experts
 *
 * Returns: the mean number of places that have at least one expert of a token, if each set of
 *   @top_k experts is equally likely: P (1 - C(E - E/P, k) / C(E, k)) */
double plg_expected_places (double places, int experts, int top_k);

/* plg_expert_places:
 * @model: a model with experts
 * @places: GPUs or nodes that share the experts evenly, at least 1
 *
 * Returns: the mean number of places that have at least one expert of a token. If the experts are in
 *   groups, each set of top_groups groups is equally likely, and the experts lie in these groups
 *   (DeepSeek-V3, arXiv 2412.19437, section 2.1.2, node-limited routing) */
double plg_expert_places (const PlgTransformer *model, double places);
/* Returns the copies of a token, relative to one copy per expert, if one copy goes to each of
 * PLACES that has some of its experts; at most 1. Without groups, each expert is equally likely to
 * be in any place, so the experts lie in P (1 - (1 - 1/P)^K) places on average. */
double plg_place_copies (const PlgTransformer *model, double places);

G_END_DECLS
