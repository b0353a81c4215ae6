/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plans.h"

/* Random plans for properties of all plans: clusters of 4 to 256 GPUs of all kinds, dense and
 * MoE models, all schedules and settings. The same seed gives the same plans. */

static inline int
pick (GRand *random, const int *values, int n)
{
  return values[g_rand_int_range (random, 0, n)];
}

/* Divides N into factors of 2 for four axes. */
static inline void
pick_degrees (GRand *random, PlgPlan *plan, int n)
{
  static const PlgAxis axes[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP };

  plan_set_degrees (plan, 1, 1, 1, 1, 1);
  for (; n > 1; n /= 2)
    plan->parallelism.degree[axes[g_rand_int_range (random, 0, 4)]] *= 2;
  for (int i = 3; i > 0; i--)
    {
      int j = g_rand_int_range (random, 0, i + 1);
      PlgAxis kept = plan->parallelism.order[i];

      plan->parallelism.order[i] = plan->parallelism.order[j];
      plan->parallelism.order[j] = kept;
    }
}

static inline void
pick_cluster (GRand *random, PlgCluster *cluster)
{
  static const int nodes[] = { 1, 2, 4, 8, 16 }, gpus[] = { 4, 8, 8, 16 },
                   nics[] = { 1, 2, 4, 8, 16 };

  set_h100 (cluster, pick (random, nodes, 5));
  cluster->gpus_per_node = pick (random, gpus, 4);
  cluster->nics_per_node = pick (random, nics, 5);
  cluster->intra = g_rand_int_range (random, 0, 3);
  cluster->network = g_rand_int_range (random, 0, 3);
  cluster->rdma = g_rand_int_range (random, 0, 4) > 0;
  cluster->oversubscription = g_rand_int_range (random, 1, 5);
}

/* Sets each of these in one plan of four. */
static inline void
pick_layers (GRand *random, PlgParallelism *parallelism)
{
  parallelism->embedding_slot = g_rand_int_range (random, 0, 4) == 0;
  parallelism->loss_slot = g_rand_int_range (random, 0, 4) == 0;
  if (!parallelism->embedding_slot && g_rand_int_range (random, 0, 3) == 0)
    parallelism->first_layers = g_rand_int_range (random, 1, 20);
  if (!parallelism->loss_slot && g_rand_int_range (random, 0, 3) == 0)
    parallelism->last_layers = g_rand_int_range (random, 1, 20);
}

static inline void
pick_parallelism (GRand *random, PlgPlan *plan)
{
  PlgParallelism *parallelism = &plan->parallelism;
  static const int eps[] = { 1, 2, 4, 8 };

  pick_degrees (random, plan, plan->cluster.nodes * plan->cluster.gpus_per_node);
  parallelism->sequence = g_rand_boolean (random);
  parallelism->zero = g_rand_int_range (random, 0, 4);
  parallelism->cp_type = g_rand_int_range (random, 0, 3);
  parallelism->overlap_dp = g_rand_boolean (random);
  parallelism->overlap_tp = g_rand_boolean (random);
  parallelism->overlap_pp = g_rand_boolean (random);
  if (plg_transformer_is_moe (&plan->model))
    {
      parallelism->degree[PLG_AXIS_EP] = pick (random, eps, 4);
      parallelism->etp = g_rand_int_range (random, 1, 3);
    }
  parallelism->replicate = 1 << g_rand_int_range (random, 0, 4);
  plg_parallelism_fit_replicate (parallelism);
  if (plan->training.schedule == PLG_SCHEDULE_INTERLEAVED)
    parallelism->chunks = g_rand_int_range (random, 2, 5);
  pick_layers (random, parallelism);
}

static inline void
pick_training (GRand *random, PlgPlan *plan)
{
  PlgTraining *training = &plan->training;
  /* GPUs of random plans have no FP4. */
  static const PlgPrecision precisions[] = { PLG_PRECISION_BF16, PLG_PRECISION_FP16,
                                             PLG_PRECISION_FP8, PLG_PRECISION_FP32 };
  static const int sequences[] = { 2048, 4096, 8192 };

  plan_set_training (plan, pick (random, sequences, 3), g_rand_int_range (random, 1, 3), 256);
  training->recompute = g_rand_int_range (random, 0, 3);
  training->schedule = g_rand_int_range (random, 0, 6);
  training->precision = precisions[g_rand_int_range (random, 0, 4)];
  training->flash_attention = g_rand_int_range (random, 0, 4) > 0;
  training->loss = g_rand_int_range (random, 0, PLG_N_LOSSES);
  training->causal = g_rand_int_range (random, 0, 4) > 0;
  if (g_rand_int_range (random, 0, 4) == 0)
    training->recompute_modules = g_rand_int_range (random, 0, 1 << PLG_N_MODULES);
  training->recompute_method = g_rand_int_range (random, 0, PLG_N_RECOMPUTE_METHODS);
  training->recompute_layers = g_rand_int_range (random, 1, 10);
}

static inline void
pick_window (GRand *random, PlgTransformer *model)
{
  static const int windows[] = { 128, 1024, 4096, 8192 };

  model->window = pick (random, windows, 4);
  model->window_chunked = g_rand_boolean (random);
  model->full_attention_every = g_rand_int_range (random, 0, 7);
}

static inline void
pick_indexer (GRand *random, PlgTransformer *model)
{
  model->index_heads = 1 << g_rand_int_range (random, 0, 7);
  model->index_dim = 64 << g_rand_int_range (random, 0, 2);
  model->index_top_k = 512 << g_rand_int_range (random, 0, 5);
}

/* Sets the layers of every virtual stage of PLAN, at random and with empty stages. */
static inline void
pick_layout (GRand *random, PlgPlan *plan)
{
  PlgParallelism *parallelism = &plan->parallelism;
  PlgStageLayout *layout = &parallelism->layout;
  int pp = parallelism->degree[PLG_AXIS_PP];
  gboolean may_move = plan->training.schedule != PLG_SCHEDULE_ZB_V &&
                      plan->training.schedule != PLG_SCHEDULE_DUALPIPE;

  plg_parallelism_clear_layers (parallelism);
  parallelism->embedding_slot = parallelism->loss_slot = FALSE;
  *layout = (PlgStageLayout) { .mtp_layers = plan->model.mtp_layers };
  layout->stages = pp;
  if (plan->training.schedule == PLG_SCHEDULE_INTERLEAVED)
    layout->stages = pp * parallelism->chunks;
  else if (plan->training.schedule == PLG_SCHEDULE_ZB_V)
    layout->stages = 2 * pp;
  layout->mtp = layout->stages - 1;
  if (layout->mtp_layers > 0 && may_move && pp > 2 && g_rand_boolean (random))
    layout->mtp = layout->stages - g_rand_int_range (random, 1, pp);
  for (int i = 0; i < plan->model.layers; i++)
    layout->layers[g_rand_int_range (random, 0, layout->mtp + 1)]++;
}

/* Returns a valid plan. */
static inline PlgPlan *
pick_plan (GRand *random)
{
  static const PlgTransformer *const models[] = { &llama3_8b,    &llama3_70b,  &gpt3_175b,
                                                  &mixtral_8x7b, &deepseek_v3, &qwen3_235b };

  while (TRUE)
    {
      PlgPlan *plan = plg_plan_new ();

      pick_cluster (random, &plan->cluster);
      plan->model = *models[g_rand_int_range (random, 0, G_N_ELEMENTS (models))];
      if (g_rand_int_range (random, 0, 4) == 0)
        pick_window (random, &plan->model);
      else if (g_rand_int_range (random, 0, 8) == 0)
        pick_indexer (random, &plan->model);
      if (plg_transformer_is_moe (&plan->model) && g_rand_int_range (random, 0, 4) == 0)
        plan->model.moe_every = g_rand_int_range (random, 0, 5);
      pick_training (random, plan);
      pick_parallelism (random, plan);
      if (plan->parallelism.degree[PLG_AXIS_PP] > 1 && g_rand_int_range (random, 0, 4) == 0)
        pick_layout (random, plan);
      if (plg_plan_check (plan, NULL))
        return plan;
      plg_plan_free (plan);
    }
}

/* Returns the share by which the step of PLAN may grow when a part of the cluster becomes faster. WAITED is
 * the time for which GPUs wait for the host in the compared steps. Faster kernels shorten the gradients
 * of inputs, and the wait after the gradients of weights grows by the same time. Schedules with separate
 * blocks for both keep the order of the blocks, so a step can grow. With the other schedules, a stage can
 * hide less of its reduction, while the waits of other stages set the pace (docs/model.md, Schedules). */
static inline double
time_tolerance (const PlgPlan *plan, double waited)
{
  gboolean splits = plan->training.schedule == PLG_SCHEDULE_ZB_H1 ||
                    plan->training.schedule == PLG_SCHEDULE_ZB_V ||
                    plan->training.schedule == PLG_SCHEDULE_DUALPIPE;

  if (waited <= 0.0)
    return 1e-9;
  return splits ? 3e-2 : 1e-4;
}
