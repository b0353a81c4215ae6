/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"

G_BEGIN_DECLS

/* The kinds of layers that mix the tokens of a sequence without attention. */
typedef enum
{
  PLG_MIXER_NONE,
  PLG_MIXER_MAMBA2,          /* Mamba-2 (Dao & Gu 2024, arXiv 2405.21060) */
  PLG_MIXER_GATED_DELTA_NET, /* gated delta net (Yang et al. 2024, arXiv 2412.06464) */
} PlgMixer;
#define PLG_N_MIXERS 3

/* The dimensions of a transformer decoder. */
typedef struct
{
  char name[PLG_NAME_SIZE];  /* catalogue name, or "custom" */
  char title[PLG_NAME_SIZE]; /* display name, such as "Llama 3 70B" */
  int layers;
  int hidden;
  int ffn;        /* inner size of the dense MLP */
  gboolean gated; /* TRUE for a gated MLP (SwiGLU, three matrices), FALSE for a plain one (two
                     matrices) */
  int heads;
  int kv_heads;
  int head_dim;
  int vocabulary;
  gboolean tied;     /* TRUE if the output layer shares the weights of the embedding */
  gboolean rms_norm; /* TRUE for RMSNorm (one vector), FALSE for LayerNorm (two vectors) */
  gboolean biases;   /* TRUE if linear layers have bias vectors */
  int positions;     /* number of learned position embeddings; 0 for rotary or similar embeddings */

  /* Mixture of experts. A dense model has experts = 0. */
  int experts;
  int top_k;
  int expert_ffn;     /* inner size of one expert */
  int shared_experts; /* experts that process every token */
  int dense_layers;   /* leading layers without experts */
  int moe_every;      /* after these, the first and then every n-th layer have experts; 0 or 1
                         if all have */
  int expert_groups;  /* groups of consecutive experts, of which a token uses top_groups; 0 or 1 if
                         a token can use any experts */
  int top_groups;

  /* Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434 sec. 2.1); kv_rank is 0 in models
   * without it. In models with it, head_dim is the size of a query head without its rotary part. */
  int q_rank;
  int kv_rank;
  int rope_dim;
  int value_dim;
  int mtp_layers; /* multi-token prediction modules after the last layer */

  /* Local attention: a token sees WINDOW tokens, itself included. 0 if all layers see the whole
   * sequence. */
  int window;
  gboolean window_chunked; /* TRUE if the sequence is cut into pieces of WINDOW tokens, inside which
                               tokens see each other (Llama 4); FALSE for a sliding window */
  int full_attention_every; /* every n-th layer sees the whole sequence; 0 if no layer does */

  /* Sparse attention with an indexer (DeepSeek-V3.2), which has small heads of its own and chooses the
   * keys of each query. INDEX_HEADS is 0 in models without it. */
  int index_heads;
  int index_dim;
  int index_top_k; /* keys that a query attends to */

  gboolean attention_gate; /* TRUE if a projection of the input gates the output of attention
                               (Qwen3-Next) */

  /* Hybrid models. Only ATTENTION_LAYERS layers have attention; the others have the mixer, except
   * MLP_LAYERS layers that have only an MLP. If there are such layers, the layers with attention or
   * the mixer have no MLP (Nemotron-H); if MLP_LAYERS is 0, each of them has one (Qwen3-Next). */
  PlgMixer mixer;
  int attention_layers;
  int mlp_layers;
  int mixer_heads;    /* heads with a state each; in a gated delta net, the heads of the values */
  int mixer_head_dim; /* width of a head's values */
  int mixer_groups;   /* groups of heads that share keys and queries, in Mamba-2 B and C */
  int mixer_state;    /* width of keys and queries: the state of a head has this number of rows */
  int mixer_conv;     /* width of the convolution [tokens] */
} PlgTransformer;

gboolean plg_transformer_is_moe (const PlgTransformer *model);
/* Return the number of layers with experts (moe) and without experts (dense). */
int plg_transformer_moe_layers (const PlgTransformer *model);
int plg_transformer_dense_layers (const PlgTransformer *model);
/* Returns the number of layers with experts among the first N layers. */
int plg_transformer_moe_layers_before (const PlgTransformer *model, int n);
/* Return the number of layers with attention, with the mixer and with an MLP or experts. Each layer
 * of a model without mixer has attention and an MLP. A hybrid model with neither MLP size nor experts
 * has no MLP. */
int plg_transformer_attention_layers (const PlgTransformer *model);
int plg_transformer_mixer_layers (const PlgTransformer *model);
int plg_transformer_mlp_layers (const PlgTransformer *model);
/* Returns the number of layers with attention to the whole sequence. */
int plg_transformer_full_attention_layers (const PlgTransformer *model);
gboolean plg_transformer_equal (const PlgTransformer *a, const PlgTransformer *b);

G_END_DECLS
