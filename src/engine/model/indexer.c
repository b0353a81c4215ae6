/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/indexer.h"

gboolean
plg_has_indexer (const PlgTransformer *model)
{
  return model->index_heads > 0;
}

double
plg_indexer_matrices (const PlgTransformer *model)
{
  double query_input = model->kv_rank > 0 && model->q_rank > 0 ? model->q_rank : model->hidden;

  return query_input * model->index_heads * model->index_dim +
         (double) model->hidden * ((double) model->index_dim + model->index_heads);
}

double
plg_indexer_parameters (const PlgTransformer *model)
{
  return plg_indexer_matrices (model) + 2.0 * model->index_dim;
}

double
plg_indexer_chosen_keys (const PlgPlan *plan)
{
  double sequence = plan->training.sequence, chosen = MIN (plan->model.index_top_k, sequence);

  /* The first queries of a causal sequence have fewer keys. */
  return plan->training.causal ? chosen - chosen * chosen / (2.0 * sequence) : chosen;
}

double
plg_indexer_scored_keys (const PlgPlan *plan)
{
  return plan->training.sequence * (plan->training.causal ? 0.5 : 1.0);
}

/* Returns the FLOPs of one product of the queries of the indexer with KEYS keys per query. */
static double
score_flops (const PlgPlan *plan, double keys)
{
  double tokens = (double) plan->training.micro_batch * plan->training.sequence;

  return 2.0 * tokens * keys * plan->model.index_heads * plan->model.index_dim;
}

double
plg_indexer_forward_flops (const PlgPlan *plan)
{
  return score_flops (plan, plg_indexer_scored_keys (plan));
}

double
plg_indexer_backward_flops (const PlgPlan *plan)
{
  return 2.0 * score_flops (plan, plg_indexer_chosen_keys (plan));
}

double
plg_indexer_kept_bytes (const PlgPlan *plan, double value)
{
  const PlgTransformer *model = &plan->model;
  double heads = model->index_heads, dim = model->index_dim;

  /* The weights are in FP32 and the chosen keys are numbers of 32 bits. */
  return value * (heads + 1.0) * dim +
         4.0 * (heads + MIN (model->index_top_k, plan->training.sequence));
}

double
plg_attention_key_width (const PlgTransformer *model)
{
  if (model->kv_rank <= 0)
    return model->head_dim;
  return (plg_has_indexer (model) ? (double) model->kv_rank : model->head_dim) + model->rope_dim;
}

double
plg_attention_value_width (const PlgTransformer *model)
{
  if (model->kv_rank > 0 && plg_has_indexer (model))
    return model->kv_rank;
  return model->kv_rank > 0 && model->value_dim > 0 ? model->value_dim : model->head_dim;
}
