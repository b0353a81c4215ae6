/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/transformer.h"

gboolean
plg_transformer_is_moe (const PlgTransformer *model)
{
  return model->experts > 0;
}

int
plg_transformer_moe_layers_before (const PlgTransformer *model, int n)
{
  int every = MAX (model->moe_every, 1);

  if (!plg_transformer_is_moe (model) || n <= model->dense_layers)
    return 0;
  return (n - model->dense_layers - 1) / every + 1;
}

int
plg_transformer_moe_layers (const PlgTransformer *model)
{
  return plg_transformer_moe_layers_before (model, model->layers);
}

int
plg_transformer_dense_layers (const PlgTransformer *model)
{
  return model->layers - plg_transformer_moe_layers (model);
}

int
plg_transformer_attention_layers (const PlgTransformer *model)
{
  return model->mixer == PLG_MIXER_NONE ? model->layers
                                        : MIN (model->attention_layers, model->layers);
}

int
plg_transformer_mixer_layers (const PlgTransformer *model)
{
  gint64 layers = (gint64) model->layers - model->attention_layers - model->mlp_layers;

  return model->mixer == PLG_MIXER_NONE ? 0 : (int) MAX (layers, 0);
}

int
plg_transformer_mlp_layers (const PlgTransformer *model)
{
  if (model->mixer == PLG_MIXER_NONE)
    return model->layers;
  if (model->mlp_layers > 0)
    return MIN (model->mlp_layers, model->layers);
  return model->ffn > 0 || plg_transformer_is_moe (model) ? model->layers : 0;
}

int
plg_transformer_full_attention_layers (const PlgTransformer *model)
{
  int layers = plg_transformer_attention_layers (model);

  if (model->window <= 0)
    return layers;
  return model->full_attention_every > 0 ? layers / model->full_attention_every : 0;
}

gboolean
plg_transformer_equal (const PlgTransformer *a, const PlgTransformer *b)
{
  return g_str_equal (a->name, b->name) && g_str_equal (a->title, b->title) &&
         a->layers == b->layers && a->hidden == b->hidden && a->ffn == b->ffn &&
         !a->gated == !b->gated && a->vocabulary == b->vocabulary && !a->tied == !b->tied &&
         !a->rms_norm == !b->rms_norm && !a->biases == !b->biases &&
         a->mtp_layers == b->mtp_layers && a->heads == b->heads && a->kv_heads == b->kv_heads &&
         a->head_dim == b->head_dim && a->positions == b->positions && a->q_rank == b->q_rank &&
         a->kv_rank == b->kv_rank && a->rope_dim == b->rope_dim && a->value_dim == b->value_dim &&
         a->experts == b->experts && a->top_k == b->top_k && a->expert_ffn == b->expert_ffn &&
         a->shared_experts == b->shared_experts && a->dense_layers == b->dense_layers &&
         a->moe_every == b->moe_every && a->expert_groups == b->expert_groups &&
         a->top_groups == b->top_groups && a->window == b->window &&
         !a->window_chunked == !b->window_chunked &&
         a->full_attention_every == b->full_attention_every && a->index_heads == b->index_heads &&
         a->index_dim == b->index_dim && a->index_top_k == b->index_top_k &&
         !a->attention_gate == !b->attention_gate && a->mixer == b->mixer &&
         a->attention_layers == b->attention_layers && a->mlp_layers == b->mlp_layers &&
         a->mixer_heads == b->mixer_heads && a->mixer_head_dim == b->mixer_head_dim &&
         a->mixer_groups == b->mixer_groups && a->mixer_state == b->mixer_state &&
         a->mixer_conv == b->mixer_conv;
}
