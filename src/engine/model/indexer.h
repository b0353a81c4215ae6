/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* Sparse attention with a lightning indexer (DeepSeek-V3.2, arXiv 2512.02556, section 2.1;
 * github.com/deepseek-ai/DeepSeek-V3.2-Exp, inference/model.py, Indexer). The indexer has small heads
 * whose scores of all keys choose the keys that a query attends to. All heads of MLA then share the
 * latent as key and value. Each GPU of a TP group has the whole indexer, and computes it for all tokens
 * (Megatron-LM, core/transformer/experimental_attention_variant/dsa.py). All functions but the first
 * need a model with an indexer. FLOPs are those of one layer and one micro-batch, over all GPUs that
 * share the micro-batch. */

gboolean plg_has_indexer (const PlgTransformer *model);
/* Returns the number of weights in the matrices of an indexer: those of its queries, of its key and of
 * the weights of its heads. */
double plg_indexer_matrices (const PlgTransformer *model);
/* Returns the number of parameters of an indexer: its matrices and the LayerNorm of its key. */
double plg_indexer_parameters (const PlgTransformer *model);
/* Returns the mean number of keys that the indexer chooses for a query. */
double plg_indexer_chosen_keys (const PlgPlan *plan);
/* Returns the number of keys that the indexer scores for a query. */
double plg_indexer_scored_keys (const PlgPlan *plan);
/* Returns the FLOPs of the scores of all keys. */
double plg_indexer_forward_flops (const PlgPlan *plan);
/* Returns the FLOPs of the backward pass of the scores. The indexer learns from the chosen keys alone
 * (DeepSeek-V3.2, section 2.1, sparse training). */
double plg_indexer_backward_flops (const PlgPlan *plan);
/* Returns the bytes per token that the backward pass needs: query, key, weights and chosen keys. VALUE
 * is the size of an activation [bytes]. */
double plg_indexer_kept_bytes (const PlgPlan *plan, double value);

/* Returns the widths of a key and of a value in attention, which differ from those of MLA without an
 * indexer. */
double plg_attention_key_width (const PlgTransformer *model);
double plg_attention_value_width (const PlgTransformer *model);

G_END_DECLS
