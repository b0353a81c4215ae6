/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* Parameters of the model as published (no padding of the vocabulary), without the modules for
 * multi-token prediction, which authors do not count: DeepSeek-V3 is "671B" without its own. */
double plg_parameters_total (const PlgTransformer *model);
/* Those that one token uses: top_k of the experts. */
double plg_parameters_active (const PlgTransformer *model);

/* FLOPs a step over all GPUs: forward and backward of each matrix product once. The backward pass
 * costs twice the forward pass. Matrices of attention, MLP, the experts chosen, the output layer
 * (real vocabulary) and the attention scores count; norms, softmax, rotary position and router do
 * not (Megatron-LM, megatron/training/training.py, num_floating_point_operations). */
double plg_model_flops (const PlgPlan *plan);
/* With what recompute does again. */
double plg_hardware_flops (const PlgPlan *plan);

/* Building blocks: FLOPs of one forward pass of one micro-batch, over all GPUs that share it. */
double plg_layer_forward_flops (const PlgPlan *plan, gboolean moe); /* core attention included */
double plg_core_attention_forward_flops (const PlgPlan *plan);      /* QK^T and AV of one layer */
double plg_output_forward_flops (const PlgPlan *plan);              /* logits, once */
double plg_mtp_forward_flops (const PlgPlan *plan);                 /* all MTP modules and logits */
/* What a micro-batch does again in its backward pass, of one layer. 0 without recompute. */
double plg_layer_recompute_flops (const PlgPlan *plan, gboolean moe);

/* Parameters by how they are divided. */
typedef struct
{
  double sharded;    /* TP divides them: attention, dense MLP, shared experts, embedding, output */
  double replicated; /* whole on each GPU of a TP group: norms, router, latent down-projections */
  double expert;     /* routed experts, all of them: EP x ETP divides them */
} PlgParameters;

PlgParameters plg_layer_parameters (const PlgTransformer *model, gboolean moe);
/* What rests on one GPU of the plan. */
double plg_gpu_parameters (const PlgPlan *plan, PlgParameters parameters);
/* The vocabulary filled up so that TP divides it into multiples of 128. */
double plg_padded_vocabulary (const PlgPlan *plan);
/* GPUs that hold the same shard of an expert: TP x CP x DP / (ETP x EP). */
int plg_expert_data_parallel (const PlgPlan *plan);

/* The layers of one virtual stage, which follow one another, or of all that a stage holds. */
typedef struct
{
  int first; /* of the first virtual stage */
  int layers;
  int moe_layers; /* of those, with experts */
} PlgLayerRun;

/* Virtual stages that a stage holds: the chunks with interleaving, 2 with ZB-V, else 1. */
int plg_stage_chunks (const PlgPlan *plan);
/* The layers of chunk CHUNK of STAGE. Layers are spread evenly; what is left over goes to the
 * virtual stages in the middle, so that the first and the last, which carry embedding and logits,
 * get fewer (Llama 3 405B on 16 stages: 7, 8 … 8, 7, as in its paper). Leading dense layers of an
 * MoE model so come to lie on the first ones. Interleaving gives stage r the virtual stages r,
 * p + r, 2p + r …; ZB-V gives it r and 2p - 1 - r.
 *
 * What a plan says of the first and the last stage is as in Megatron-LM (megatron/core/transformer/
 * transformer_block.py, get_num_layers_to_build): layers counted by hand are those of all chunks of
 * the stage, the other stages share the rest; embedding and loss, where they count as a layer, take
 * its place on the first and the last virtual stage. Megatron-LM wants all of that to divide. */
PlgLayerRun plg_chunk_layers (const PlgPlan *plan, int stage, int chunk);
/* All layers of STAGE; over the stages they add up to the model's. DualPipe: of one direction;
 * the GPU holds the layers of stage p - 1 - STAGE as well, for the other direction. */
PlgLayerRun plg_stage_layers (const PlgPlan *plan, int stage);
/* Where the embedding is, and where the logits (with ZB-V both are on stage 0). */
gboolean plg_stage_has_embedding (const PlgPlan *plan, int stage);
gboolean plg_stage_has_output (const PlgPlan *plan, int stage);
/* All of STAGE with padded vocabulary, over its TP and EP groups; DualPipe: of one direction. */
PlgParameters plg_stage_parameters (const PlgPlan *plan, int stage);

G_END_DECLS
