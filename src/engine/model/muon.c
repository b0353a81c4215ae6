/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/muon.h"

#include "engine/model/indexer.h"
#include "engine/model/mixer.h"
#include "engine/model/program.h"

#include <math.h>

/* How the GPUs of a TP group divide a matrix. */
typedef enum
{
  SPLIT_NOT,
  SPLIT_ROWS,
  SPLIT_COLUMNS,
} Split;

/* COUNT equal matrices of ROWS × COLUMNS on a GPU, of which each is a part of a larger matrix unless
 * SPLIT is SPLIT_NOT. */
typedef struct
{
  double count;
  double rows;
  double columns;
  Split split;
} Matrices;

typedef struct
{
  int n;
  int degree; /* GPUs that divide a matrix */
  int shards; /* GPUs that share the matrices */
  Matrices matrices[PLG_MAX_MUON_MATRICES];
} MatrixList;

gboolean
plg_uses_muon (const PlgPlan *plan)
{
  return plan->training.optimizer == PLG_OPTIMIZER_MUON;
}

gboolean
plg_muon_owns_matrices (const PlgPlan *plan)
{
  return plg_uses_muon (plan) && plan->parallelism.zero == 1 &&
         plg_program_habits (plan)->keeps_matrices_whole;
}

gboolean
plg_muon_exchanges_shards (const PlgPlan *plan)
{
  return plg_uses_muon (plan) && plan->parallelism.zero >= 1 && !plg_muon_owns_matrices (plan);
}

static void
list_add (MatrixList *list, double count, double rows, double columns, Split split)
{
  Matrices matrices = { count, rows, columns, list->degree > 1 ? split : SPLIT_NOT };

  if (count <= 0.0 || rows <= 0.0 || columns <= 0.0)
    return;
  if (split == SPLIT_ROWS)
    matrices.rows /= list->degree;
  else if (split == SPLIT_COLUMNS)
    matrices.columns /= list->degree;
  g_assert (list->n < PLG_MAX_MUON_MATRICES);
  list->matrices[list->n++] = matrices;
}

/* Adds the matrices of COUNT MLPs with INNER columns. Transformer Engine has one matrix for gate and up
 * (layernorm_mlp.py), other programs have two. */
static void
list_add_mlp (MatrixList *list, const PlgPlan *plan, double count, double inner)
{
  const PlgTransformer *model = &plan->model;
  double in = model->gated ? 2.0 : 1.0;

  if (plg_program_habits (plan)->has_transformer_engine)
    list_add (list, count, in * inner, model->hidden, SPLIT_ROWS);
  else
    list_add (list, in * count, inner, model->hidden, SPLIT_ROWS);
  list_add (list, count, model->hidden, inner, SPLIT_COLUMNS);
}

/* Adds the matrices of attention in COUNT layers. Queries, keys and values are matrices of their own,
 * which Megatron-LM splits from its fused matrix (muon_split_qkv, on by default). */
static void
list_add_attention (MatrixList *list, const PlgTransformer *model, double count)
{
  double hidden = model->hidden, heads = model->heads, dim = model->head_dim;

  if (plg_has_indexer (model))
    {
      double query_input = model->kv_rank > 0 && model->q_rank > 0 ? model->q_rank : hidden;

      list_add (list, count, (double) model->index_heads * model->index_dim, query_input,
                SPLIT_NOT);
      list_add (list, count, model->index_dim, hidden, SPLIT_NOT);
      list_add (list, count, model->index_heads, hidden, SPLIT_NOT);
    }
  if (model->kv_rank > 0)
    {
      double query = heads * (dim + model->rope_dim);
      double value = heads * (model->value_dim > 0 ? model->value_dim : dim);

      if (model->q_rank > 0)
        list_add (list, count, model->q_rank, hidden, SPLIT_NOT);
      list_add (list, count, query, model->q_rank > 0 ? model->q_rank : hidden, SPLIT_ROWS);
      list_add (list, count, (double) model->kv_rank + model->rope_dim, hidden, SPLIT_NOT);
      list_add (list, count, heads * dim + value, model->kv_rank, SPLIT_ROWS);
      list_add (list, count, hidden, value, SPLIT_COLUMNS);
      if (model->attention_gate)
        list_add (list, count, value, hidden, SPLIT_ROWS);
      return;
    }
  list_add (list, model->attention_gate ? 2.0 * count : count, heads * dim, hidden, SPLIT_ROWS);
  list_add (list, 2.0 * count, model->kv_heads * dim, hidden, SPLIT_ROWS);
  list_add (list, count, hidden, heads * dim, SPLIT_COLUMNS);
}

static void
list_dense (MatrixList *list, const PlgPlan *plan, double dense, double moe, double mtp)
{
  const PlgTransformer *model = &plan->model;
  PlgLayerShares shares = plg_layer_shares (model);
  double mixers = (dense + moe) * shares.mixer;

  list_add_attention (list, model, (dense + moe) * shares.attention);
  if (mixers > 0.0)
    {
      list_add (list, mixers, plg_mixer_projected (model), model->hidden, SPLIT_ROWS);
      list_add (list, mixers, model->hidden, plg_mixer_inner (model), SPLIT_COLUMNS);
    }
  list_add_mlp (list, plan, dense * shares.mlp, model->ffn);
  list_add_mlp (list, plan, moe * shares.mlp, (double) model->shared_experts * model->expert_ffn);
  list_add (list, moe * shares.mlp, model->experts, model->hidden, SPLIT_NOT); /* router */
  list_add (list, mtp, model->hidden, 2.0 * model->hidden, SPLIT_ROWS);
}

/* Returns how many parameters the GPU with most of them gets if the GPUs that share LIST divide its
 * TOTAL parameters into whole matrices: at least the mean, and at least ceil (n / shards) matrices of
 * the size of the smallest of the n largest matrices. */
static double
fullest_share (const MatrixList *list, double total)
{
  double fullest = total / list->shards;

  for (int i = 0; i < list->n; i++)
    {
      double size = list->matrices[i].rows * list->matrices[i].columns, n = 0.0;

      for (int j = 0; j < list->n; j++)
        if (list->matrices[j].rows * list->matrices[j].columns >= size)
          n += list->matrices[j].count;
      fullest = MAX (fullest, ceil (n / list->shards) * size);
    }
  return MIN (fullest, total);
}

/* Returns the FLOPs of one iteration X ← a·X + (b·A + c·A·A)·X with A = X·Xᵀ for a matrix of SIDE ×
 * LENGTH (Jordan 2024, kellerjordan.github.io/posts/muon). */
static double
iteration_flops (double side, double length)
{
  return 4.0 * side * side * length + 2.0 * side * side * side;
}

/* Sets SHARE to the work on the matrices in LIST.
 *
 * If TP divides a matrix, training.muon-tp decides (Megatron-LM, core/optimizer/muon.py;
 * NVIDIA-NeMo/Emerging-Optimizers, muon_utils.py, newton_schulz_tp): each GPU orthogonalizes its own
 * part; or all gather the matrix in FP32 and do the same work; or each multiplies its part, and the
 * group adds the products A in BF16 in each iteration. A then has the size of the undivided side. */
static void
share_init (PlgMuonShare *share, const PlgPlan *plan, const MatrixList *list)
{
  PlgMuonTp mode = plan->training.muon_tp;
  double steps = plan->training.muon_steps;
  gboolean exchanges = plg_muon_exchanges_shards (plan);

  *share = (PlgMuonShare) { 0 };
  for (int i = 0; i < list->n; i++)
    {
      const Matrices *matrices = &list->matrices[i];
      double rows = matrices->rows, columns = matrices->columns;
      double side = MIN (rows, columns), length = MAX (rows, columns);
      /* GPUs that exchange shards orthogonalize matrices of one shape at the same time. */
      double n = exchanges ? ceil (matrices->count / list->shards) : matrices->count;

      share->parameters += matrices->count * rows * columns;
      share->owned += n * rows * columns;
      share->batches += n;
      if (matrices->split != SPLIT_NOT && mode == PLG_MUON_TP_GATHERED)
        {
          double whole = (matrices->split == SPLIT_ROWS ? rows : columns) * list->degree;
          double other = matrices->split == SPLIT_ROWS ? columns : rows;

          side = MIN (whole, other);
          length = MAX (whole, other);
          share->tp_calls += n;
          share->tp_bytes += n * 4.0 * whole * other;
        }
      else if (matrices->split != SPLIT_NOT && mode == PLG_MUON_TP_DISTRIBUTED)
        {
          side = matrices->split == SPLIT_ROWS ? columns : rows;
          length = matrices->split == SPLIT_ROWS ? rows : columns;
          share->tp_calls += steps * n;
          share->tp_bytes += steps * n * 2.0 * side * side;
        }
      share->flops += steps * n * iteration_flops (side, length);
      share->kinds[share->n_kinds++] = (PlgMuonMatrices) { n, side, length };
    }
  share->state = plan->parallelism.zero >= 1 ? share->parameters / list->shards : share->parameters;
  if (plg_muon_owns_matrices (plan) && share->parameters > 0.0)
    {
      double part = fullest_share (list, share->parameters) / share->parameters;

      share->owned = share->state = part * share->parameters;
      share->batches = ceil (part * share->batches);
      share->flops *= part;
      for (int i = 0; i < share->n_kinds; i++)
        share->kinds[i].count *= part;
      share->tp_calls = ceil (part * share->tp_calls);
      share->tp_bytes *= part;
    }
}

PlgMuonWork
plg_muon_work (const PlgPlan *plan, const PlgStageParts *parts)
{
  const PlgTransformer *model = &plan->model;
  gboolean mtp_is_moe = plg_transformer_moe_layers (model) > 0;
  double dense = parts->dense_layers + (mtp_is_moe ? 0.0 : parts->mtp_layers);
  double moe = parts->moe_layers + (mtp_is_moe ? parts->mtp_layers : 0.0);
  double experts = model->experts / (double) MAX (plan->parallelism.degree[PLG_AXIS_EP], 1);
  MatrixList list = { .degree = MAX (plan->parallelism.degree[PLG_AXIS_TP], 1),
                      .shards = plg_parallelism_shards (&plan->parallelism) };
  MatrixList expert_list = { .degree = MAX (plan->parallelism.etp, 1),
                             .shards = plg_expert_shards (plan) };
  PlgMuonWork work;

  list_dense (&list, plan, dense, moe, parts->mtp_layers);
  list_add_mlp (&expert_list, plan, moe * experts * plg_layer_shares (model).mlp,
                model->expert_ffn);
  share_init (&work.dense, plan, &list);
  share_init (&work.expert, plan, &expert_list);
  return work;
}

double
plg_muon_share_of_model (const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;
  MatrixList list = { .degree = 1, .shards = 1 };
  double sum = 0.0;

  list_dense (&list, plan, plg_transformer_dense_layers (model), plg_transformer_moe_layers (model),
              0.0);
  list_add_mlp (&list, plan,
                plg_layer_shares (model).mlp * plg_transformer_moe_layers (model) * model->experts,
                model->expert_ffn);
  for (int i = 0; i < list.n; i++)
    sum += list.matrices[i].count * list.matrices[i].rows * list.matrices[i].columns;
  return sum / plg_parameters_total (model);
}
