/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"

G_BEGIN_DECLS

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
} PlgTransformer;

gboolean plg_transformer_is_moe (const PlgTransformer *model);
/* Return the number of layers with experts (moe) and without experts (dense). */
int plg_transformer_moe_layers (const PlgTransformer *model);
int plg_transformer_dense_layers (const PlgTransformer *model);
/* Returns the number of layers with experts among the first N layers. */
int plg_transformer_moe_layers_before (const PlgTransformer *model, int n);
/* Returns the number of layers that see the whole sequence. */
int plg_transformer_full_attention_layers (const PlgTransformer *model);
gboolean plg_transformer_equal (const PlgTransformer *a, const PlgTransformer *b);

G_END_DECLS
