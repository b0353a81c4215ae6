/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The division of layers over stages and chunks. */
#include "engine/model/flops.h"
#include "engine/model/memory.h"

#include "plans.h"

#define SPLITS 20000

/* Returns a plan of STAGES stages with all other degrees 1, and enough micro-batches for every
 * schedule. */
static PlgPlan *
staged_plan (const PlgTransformer *model, int stages)
{
  PlgPlan *plan = plg_plan_new ();

  set_h100 (&plan->cluster, 1);
  plan->cluster.nodes = stages;
  plan->cluster.gpus_per_node = 1;
  plan->model = *model;
  plan_set_degrees (plan, 1, 1, stages, 1, 1);
  plan_set_training (plan, 4096, 1, 4 * stages);
  return plan;
}

static void
assert_stages (const PlgPlan *plan, const int *wanted)
{
  g_autoptr (GError) error = NULL;

  plg_plan_check (plan, &error);
  g_assert_no_error (error);
  for (int stage = 0; stage < plan->parallelism.degree[PLG_AXIS_PP]; stage++)
    g_assert_cmpint (plg_stage_layers (plan, stage).layers, ==, wanted[stage]);
}

/* 126 layers, embedding and loss: 128 places (Llama 3, arXiv 2407.21783, sec. 3.3.2). */
static void
test_slots (void)
{
  g_autoptr (PlgPlan) plan = staged_plan (&llama3_405b, 16);
  int wanted[16];

  plan->parallelism.embedding_slot = plan->parallelism.loss_slot = TRUE;
  for (int i = 0; i < 16; i++)
    wanted[i] = i == 0 || i == 15 ? 7 : 8;
  assert_stages (plan, wanted);
  plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
  plan->parallelism.chunks = 8;
  assert_stages (plan, wanted);
  g_assert_cmpint (plg_chunk_layers (plan, 0, 0).layers, ==, 0);
  g_assert_cmpint (plg_chunk_layers (plan, 15, 7).layers, ==, 0);
  g_assert_cmpint (plg_chunk_layers (plan, 3, 2).first, ==, 2 * 16 + 3 - 1);

  /* With only one slot there are 127 places, which need a PP that divides them; here 15 stages
   * have 8 and one has 7. */
  plan->training.schedule = PLG_SCHEDULE_1F1B;
  plan->parallelism.chunks = 1;
  plan->parallelism.embedding_slot = FALSE;
  for (int i = 0; i < 16; i++)
    wanted[i] = i == 0 || i == 15 ? 7 : 8;
  assert_stages (plan, wanted);
  plan->model.layers = 127;
  wanted[0] = 8;
  assert_stages (plan, wanted);
}

/* 94 layers over 8 stages, set in both ways; and explicit numbers where slots are not enough. */
static void
test_by_hand (void)
{
  g_autoptr (PlgPlan) plan = staged_plan (&qwen3_235b, 8);

  plan->parallelism.embedding_slot = plan->parallelism.loss_slot = TRUE;
  assert_stages (plan, (int[]) { 11, 12, 12, 12, 12, 12, 12, 11 });
  plan->parallelism.embedding_slot = plan->parallelism.loss_slot = FALSE;
  plan->parallelism.first_layers = plan->parallelism.last_layers = 11;
  assert_stages (plan, (int[]) { 11, 12, 12, 12, 12, 12, 12, 11 });
  plan->parallelism.first_layers = 10;
  plan->parallelism.last_layers = 0;
  assert_stages (plan, (int[]) { 10, 12, 12, 12, 12, 12, 12, 12 });
  plan->parallelism.first_layers = 0;
  plan->parallelism.last_layers = 10;
  assert_stages (plan, (int[]) { 12, 12, 12, 12, 12, 12, 12, 10 });
  /* The remainder goes to the middle, as without explicit numbers. */
  plan->parallelism.last_layers = 9;
  assert_stages (plan, (int[]) { 12, 12, 12, 13, 12, 12, 12, 9 });
  /* A single stage has all layers. */
  plan->parallelism.degree[PLG_AXIS_PP] = plan->cluster.nodes = 1;
  assert_stages (plan, (int[]) { 94 });
}

/* 61 layers, the first three of them dense, followed by a module for multi-token prediction. */
static void
test_leading_dense_layers (void)
{
  g_autoptr (PlgPlan) plan = staged_plan (&deepseek_v3, 16);
  int wanted[16];

  plan->parallelism.first_layers = 3;
  plan->parallelism.last_layers = 2;
  for (int i = 0; i < 16; i++)
    wanted[i] = i == 0 ? 3 : i == 15 ? 2 : 4;
  assert_stages (plan, wanted);
  g_assert_cmpint (plg_stage_layers (plan, 0).moe_layers, ==, 0);
  g_assert_cmpint (plg_stage_layers (plan, 1).moe_layers, ==, 4);
  plan->parallelism.first_layers = 2;
  plan->parallelism.last_layers = 3;
  g_assert_cmpint (plg_stage_layers (plan, 0).moe_layers, ==, 0);
  g_assert_cmpint (plg_stage_layers (plan, 1).moe_layers, ==, 3);
}

/* Every second layer has experts, but not the first one, as in Llama 4 Maverick. */
static void
test_experts_in_turn (void)
{
  g_autoptr (PlgPlan) plan = staged_plan (&mixtral_8x7b, 16);
  const PlgTransformer *model = &plan->model;
  int sum = 0;

  plan->model.layers = 48;
  plan->model.dense_layers = 1;
  plan->model.moe_every = 2;
  g_assert_cmpint (plg_transformer_moe_layers (model), ==, 24);
  g_assert_cmpint (plg_transformer_dense_layers (model), ==, 24);
  for (int stage = 0; stage < 16; stage++)
    {
      g_assert_cmpint (plg_stage_layers (plan, stage).moe_layers, ==, stage % 2 == 0 ? 1 : 2);
      sum += plg_stage_layers (plan, stage).moe_layers;
    }
  g_assert_cmpint (sum, ==, 24);
  plan->model.layers = 49;
  g_assert_cmpint (plg_transformer_moe_layers (model), ==, 24);
  plan->model.layers = 50;
  g_assert_cmpint (plg_transformer_moe_layers (model), ==, 25);
  plan->model.moe_every = 1;
  g_assert_cmpint (plg_transformer_moe_layers (model), ==, 49);
  plan->model.dense_layers = 50;
  g_assert_cmpint (plg_transformer_moe_layers (model), ==, 0);
}

/* In chunks: the first stage has 6 layers in 2 chunks, the last 2, the two stages between them 4
 * each. Layer numbers run through the chunks: 3 2 2 1, 3 2 2 1. */
static void
test_chunks_by_hand (void)
{
  static const int firsts[2][4] = { { 0, 3, 5, 7 }, { 8, 11, 13, 15 } };
  g_autoptr (PlgPlan) plan = staged_plan (&llama3_70b, 4);

  plan->model.layers = 16;
  plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
  plan->parallelism.chunks = 2;
  plan->parallelism.first_layers = 6;
  plan->parallelism.last_layers = 2;
  assert_stages (plan, (int[]) { 6, 4, 4, 2 });
  for (int chunk = 0; chunk < 2; chunk++)
    for (int stage = 0; stage < 4; stage++)
      g_assert_cmpint (plg_chunk_layers (plan, stage, chunk).first, ==, firsts[chunk][stage]);
}

/* In a V, the first stage has the first and the last layers. */
static void
test_v_by_hand (void)
{
  g_autoptr (PlgPlan) plan = staged_plan (&llama3_70b, 4);

  plan->training.schedule = PLG_SCHEDULE_ZB_V;
  plan->parallelism.first_layers = 14;
  assert_stages (plan, (int[]) { 14, 22, 22, 22 });
  g_assert_cmpint (plg_chunk_layers (plan, 0, 0).first, ==, 0);
  g_assert_cmpint (plg_chunk_layers (plan, 0, 1).first, ==, 73);
  g_assert_cmpint (plg_chunk_layers (plan, 3, 0).first, ==, 7 + 22);
  g_assert_cmpint (plg_chunk_layers (plan, 3, 1).first, ==, 7 + 33);
  plan->parallelism.first_layers = 0;
  plan->parallelism.embedding_slot = plan->parallelism.loss_slot = TRUE;
  plan->model.layers = 78;
  assert_stages (plan, (int[]) { 18, 20, 20, 20 });
}

/* Returns the chunk at PLACE in the order of the layers. */
static PlgLayerRun
run_at (const PlgPlan *plan, int place)
{
  int stages = plan->parallelism.degree[PLG_AXIS_PP];

  if (plan->training.schedule == PLG_SCHEDULE_ZB_V && place >= stages)
    return plg_chunk_layers (plan, 2 * stages - 1 - place, 1);
  return plg_chunk_layers (plan, place % stages, place / stages);
}

static void
pick_split (GRand *random, PlgPlan *plan)
{
  PlgParallelism *parallelism = &plan->parallelism;
  int stages = g_rand_int_range (random, 1, 17);

  plan->model.layers = g_rand_int_range (random, 1, 64);
  plan->model.dense_layers = g_rand_int_range (random, 0, MIN (plan->model.layers, 4));
  plan->cluster.nodes = parallelism->degree[PLG_AXIS_PP] = stages;
  plan->training.global_batch = 4 * stages;
  plan->training.schedule = g_rand_int_range (random, 0, 6);
  parallelism->chunks = 1;
  if (plan->training.schedule == PLG_SCHEDULE_INTERLEAVED)
    parallelism->chunks = g_rand_int_range (random, 2, 5);
  parallelism->first_layers = MAX (0, g_rand_int_range (random, -8, 12));
  parallelism->last_layers = MAX (0, g_rand_int_range (random, -8, 12));
  parallelism->embedding_slot = g_rand_boolean (random);
  parallelism->loss_slot = g_rand_boolean (random);
}

/* Each layer appears once with its kind, each stage has its explicit number of layers, and all
 * other numbers differ by at most one layer, plus one for embedding and loss. */
static void
check_split (const PlgPlan *plan)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  int stages = parallelism->degree[PLG_AXIS_PP], chunks = plg_stage_chunks (plan);
  int n = stages * chunks, next = 0, moe = 0;
  int slots = !!parallelism->embedding_slot + !!parallelism->loss_slot;

  for (int i = 0; i < n; i++)
    {
      PlgLayerRun run = run_at (plan, i);

      g_assert_cmpint (run.first, ==, next);
      g_assert_cmpint (run.layers, >=, i == 0 || i == n - 1 ? 0 : 1);
      next += run.layers;
      moe += run.moe_layers;
    }
  g_assert_cmpint (next, ==, plan->model.layers);
  g_assert_cmpint (moe, ==, plg_transformer_moe_layers (&plan->model));
  if (stages == 1)
    return;
  /* A V begins and ends on the first stage, so both its chunks may have no layers. */
  for (int stage = 0; stage < stages; stage++)
    {
      gboolean end = stage == 0 || stage == stages - 1;
      gboolean slot = end && slots > 0;
      gboolean turn = stage == 0 && plan->training.schedule == PLG_SCHEDULE_ZB_V;

      g_assert_cmpint (plg_stage_layers (plan, stage).layers, >=, slot || turn ? 0 : 1);
    }
  if (parallelism->first_layers > 0)
    g_assert_cmpint (plg_stage_layers (plan, 0).layers, ==, parallelism->first_layers);
  if (parallelism->last_layers > 0)
    g_assert_cmpint (plg_stage_layers (plan, stages - 1).layers, ==, parallelism->last_layers);
}

static void
check_evenness (const PlgPlan *plan)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  int stages = parallelism->degree[PLG_AXIS_PP], chunks = plg_stage_chunks (plan);
  int fewest = G_MAXINT, most = 0;

  for (int stage = 0; stage < stages; stage++)
    for (int chunk = 0; chunk < chunks; chunk++)
      {
        int layers = plg_chunk_layers (plan, stage, chunk).layers;
        gboolean first = stage == 0, last = stage == stages - 1;

        if (stages > 1 &&
            ((first && parallelism->first_layers > 0) || (last && parallelism->last_layers > 0)))
          continue;
        if (stages > 1 && first && chunk == 0)
          layers += !!parallelism->embedding_slot;
        if (stages > 1 && plg_stage_has_output (plan, stage) && chunk == chunks - 1)
          layers += !!parallelism->loss_slot;
        fewest = MIN (fewest, layers);
        most = MAX (most, layers);
      }
  g_assert_cmpint (most - fewest, <=, most == 0 ? -G_MAXINT : 1);
}

static void
test_random_splits (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (21);
  g_autoptr (PlgPlan) plan = staged_plan (&mixtral_8x7b, 1);
  int good = 0, by_hand = 0;

  for (int i = 0; i < SPLITS; i++)
    {
      pick_split (random, plan);
      if (!plg_plan_check (plan, NULL))
        continue;
      check_split (plan);
      if (plan->parallelism.first_layers == 0 || plan->parallelism.last_layers == 0 ||
          plan->parallelism.degree[PLG_AXIS_PP] > 2)
        check_evenness (plan);
      good++;
      by_hand += plan->parallelism.first_layers > 0 || plan->parallelism.last_layers > 0;
    }
  g_assert_cmpint (good, >, SPLITS / 10);
  g_assert_cmpint (by_hand, >, SPLITS / 40);
}

/* With any division, all stages together hold the model once. */
static void
test_parameters_stay (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (22);
  g_autoptr (PlgPlan) plan = staged_plan (&mixtral_8x7b, 1);

  for (int i = 0; i < SPLITS / 10; i++)
    {
      double sum = 0.0;

      pick_split (random, plan);
      if (!plg_plan_check (plan, NULL))
        continue;
      for (int stage = 0; stage < plan->parallelism.degree[PLG_AXIS_PP]; stage++)
        {
          PlgStageParts parts = plg_stage_parts (plan, stage);
          PlgParameters parameters = plg_stage_parameters (plan, &parts);

          sum += parameters.sharded + parameters.replicated + parameters.expert;
        }
      assert_near (sum, plg_parameters_total (&plan->model), 1e-12);
    }
}

/* Stages with only an embedding or a loss also give a report. */
static void
test_reports (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (23);
  g_autoptr (PlgPlan) plan = staged_plan (&mixtral_8x7b, 1);

  for (int i = 0; i < SPLITS / 10; i++)
    {
      g_autoptr (PlgReport) report = NULL;
      int layers = 0;

      pick_split (random, plan);
      if (!plg_plan_check (plan, NULL))
        continue;
      report = report_of (plan);
      g_assert_true (isfinite (report->step.time));
      g_assert_cmpfloat (report->step.time, >, 0.0);
      for (guint stage = 0; stage < report->stages->len; stage++)
        layers += g_array_index (report->stages, PlgStageMemory, stage).layers;
      if (plan->training.schedule == PLG_SCHEDULE_DUALPIPE && report->stages->len > 1)
        layers /= 2; /* each layer is held for both directions */
      g_assert_cmpint (layers, ==, plan->model.layers);
    }
}

/* A large vocabulary makes the last stage the slowest; fewer layers there reduce time and
 * memory. */
static void
test_fewer_layers_beside_the_loss (void)
{
  g_autoptr (PlgReport) even = report_with ("model.vocabulary=1024000");
  g_autoptr (PlgReport) slot = report_with ("model.vocabulary=1024000 parallelism.last-layers=17");
  const PlgStageMemory *before = &g_array_index (even->stages, PlgStageMemory, 3);
  const PlgStageMemory *after = &g_array_index (slot->stages, PlgStageMemory, 3);

  g_assert_cmpfloat (slot->step.time, <, even->step.time);
  g_assert_cmpfloat (slot->step.model_flops, ==, even->step.model_flops);
  assert_near (before->parameters - after->parameters, 3.0 * 855654400.0 / 8.0, 1e-3);
  g_assert_cmpfloat (after->total, <, before->total);
}

static void
set_layout (PlgPlan *plan, const char *text)
{
  g_autoptr (GError) error = NULL;

  plg_stage_layout_from_string (&plan->parallelism.layout, text, &error);
  g_assert_no_error (error);
  plg_plan_check (plan, &error);
  g_assert_no_error (error);
}

/* The example of Megatron-LM's documentation: stage 0 has three dense layers and two layers with
 * experts, stage 14 two layers and the MTP layer, stage 15 two layers and the loss. */
static void
test_layout_of_deepseek (void)
{
  g_autoptr (PlgPlan) plan = staged_plan (&deepseek_v3, 16);
  PlgStageParts parts;

  plan->model.mtp_layers = 1;
  plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
  plan->parallelism.chunks = 2;
  set_layout (plan, "Et*3|(tt|)*29,m|L");
  parts = plg_stage_parts (plan, 0);
  g_assert_cmpint (parts.dense_layers, ==, 3);
  g_assert_cmpint (parts.moe_layers, ==, 2);
  g_assert_true (parts.embedding);
  parts = plg_stage_parts (plan, 13);
  g_assert_cmpint (parts.moe_layers, ==, 4);
  g_assert_cmpint (parts.mtp_layers, ==, 0);
  parts = plg_stage_parts (plan, 14);
  g_assert_cmpint (parts.moe_layers, ==, 2);
  g_assert_cmpint (parts.mtp_layers, ==, 1);
  g_assert_false (parts.output);
  parts = plg_stage_parts (plan, 15);
  g_assert_cmpint (parts.moe_layers, ==, 2);
  g_assert_cmpint (parts.mtp_layers, ==, 0);
  g_assert_true (parts.output);
}

/* A layout that repeats the even division changes no figure. */
static void
test_layout_of_the_even_division (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (24);
  g_autoptr (PlgPlan) plan = staged_plan (&mixtral_8x7b, 1);
  int good = 0;

  for (int i = 0; i < SPLITS / 20; i++)
    {
      g_autoptr (PlgReport) even = NULL;
      g_autoptr (PlgReport) by_hand = NULL;
      PlgStageLayout layout = { 0 };
      int pp, chunks;

      pick_split (random, plan);
      plan->parallelism.layout.stages = 0;
      if (!plg_plan_check (plan, NULL) || plan->parallelism.degree[PLG_AXIS_PP] < 2)
        continue;
      even = report_of (plan);
      pp = plan->parallelism.degree[PLG_AXIS_PP];
      chunks = plg_stage_chunks (plan);
      layout.stages = pp * chunks;
      layout.mtp = layout.stages - 1;
      for (int j = 0; j < layout.stages; j++)
        {
          gboolean turns = plan->training.schedule == PLG_SCHEDULE_ZB_V && j >= pp;

          layout.layers[j] = plg_chunk_layers (plan, turns ? 2 * pp - 1 - j : j % pp, j / pp)
                                 .layers;
        }
      plg_parallelism_clear_layers (&plan->parallelism);
      plan->parallelism.embedding_slot = plan->parallelism.loss_slot = FALSE;
      plan->parallelism.layout = layout;
      g_assert_true (plg_plan_check (plan, NULL));
      by_hand = report_of (plan);
      g_assert_cmpfloat (by_hand->step.time, ==, even->step.time);
      for (int j = 0; j < pp; j++)
        g_assert_cmpfloat (g_array_index (by_hand->stages, PlgStageMemory, j).total, ==,
                           g_array_index (even->stages, PlgStageMemory, j).total);
      plan->parallelism.layout.stages = 0;
      good++;
    }
  g_assert_cmpint (good, >, SPLITS / 200);
}

/* MTP layers that are not beside the loss take their time and memory with them, and the message
 * to the loss has two sets of activations. */
static void
test_mtp_away_from_the_loss (void)
{
  g_autoptr (PlgPlan) plan = staged_plan (&deepseek_v3, 8);
  g_autoptr (PlgReport) beside = NULL;
  g_autoptr (PlgReport) away = NULL;
  PlgStageParts parts;
  PlgParameters with, without;

  plan->model.mtp_layers = 1;
  set_layout (plan, "Et*8|(t*8|)*5t*13|mL");
  beside = report_of (plan);
  parts = plg_stage_parts (plan, 7);
  with = plg_stage_parameters (plan, &parts);
  g_assert_cmpint (plg_message_sets (plan, 6), ==, 1);

  set_layout (plan, "Et*8|(t*8|)*5t*13m|L");
  away = report_of (plan);
  parts = plg_stage_parts (plan, 7);
  without = plg_stage_parameters (plan, &parts);
  g_assert_cmpfloat (with.expert, >, 0.0);
  g_assert_cmpfloat (without.expert, ==, 0.0);
  g_assert_cmpint (plg_message_sets (plan, 5), ==, 1);
  g_assert_cmpint (plg_message_sets (plan, 6), ==, 2);

  /* The model is the same, so the FLOPs are; the longest stage has become longer. */
  g_assert_cmpfloat (away->step.model_flops, ==, beside->step.model_flops);
  g_assert_cmpfloat (away->step.time, >, beside->step.time);
  g_assert_cmpfloat (g_array_index (away->stages, PlgStageMemory, 7).total, <,
                     g_array_index (beside->stages, PlgStageMemory, 7).total);
  g_assert_cmpfloat (g_array_index (away->stages, PlgStageMemory, 6).total, >,
                     g_array_index (beside->stages, PlgStageMemory, 6).total);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layers/slots", test_slots);
  g_test_add_func ("/layers/by-hand", test_by_hand);
  g_test_add_func ("/layers/leading-dense", test_leading_dense_layers);
  g_test_add_func ("/layers/experts-in-turn", test_experts_in_turn);
  g_test_add_func ("/layers/chunks-by-hand", test_chunks_by_hand);
  g_test_add_func ("/layers/v-by-hand", test_v_by_hand);
  g_test_add_func ("/layers/layout-of-deepseek", test_layout_of_deepseek);
  g_test_add_func ("/layers/layout-of-the-even-division", test_layout_of_the_even_division);
  g_test_add_func ("/layers/mtp-away-from-the-loss", test_mtp_away_from_the_loss);
  g_test_add_func ("/layers/random", test_random_splits);
  g_test_add_func ("/layers/parameters", test_parameters_stay);
  g_test_add_func ("/layers/reports", test_reports);
  g_test_add_func ("/layers/beside-the-loss", test_fewer_layers_beside_the_loss);
  return g_test_run ();
}
