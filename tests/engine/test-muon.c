/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The optimizer Muon: its state, its matrix products and its collectives. */
#include "engine/model/mixer.h"
#include "engine/model/muon.h"

#include "engine/model/kernel.h"
#include "engine/model/memory.h"
#include "engine/report/explanation.h"
#include "random-plan.h"

#define PLANS 300

/* Llama 3 70B has 80 layers with matrices of 8192² (queries, output), 2 · 1024 · 8192 (keys, values),
 * 57344 · 8192 (gate and up) and 8192 · 28672 (down). */
#define QUERY (8192.0 * 8192.0)
#define KEY (1024.0 * 8192.0)
#define UP (57344.0 * 8192.0)
#define DOWN (28672.0 * 8192.0)
#define LAYER (2.0 * QUERY + 2.0 * KEY + UP + DOWN)
/* Embedding, output and 161 norms. */
#define OTHERS (2.0 * 128256.0 * 8192.0 + 161.0 * 8192.0)

static PlgPlan *
muon_plan (int dp, int zero)
{
  PlgPlan *plan = plg_plan_new ();

  set_h100 (&plan->cluster, MAX (dp / 8, 1));
  plan->cluster.gpus_per_node = MIN (dp, 8);
  plan->model = llama3_70b;
  plan_set_degrees (plan, 1, 1, 1, dp, 1);
  plan_set_training (plan, 4096, 1, dp);
  plan->parallelism.zero = zero;
  plan->training.optimizer = PLG_OPTIMIZER_MUON;
  return plan;
}

static PlgMuonWork
work_of (const PlgPlan *plan)
{
  PlgStageParts parts = plg_stage_parts (plan, 0);

  return plg_muon_work (plan, &parts);
}

static double
time_of (const PlgPlan *plan)
{
  PlgMuonWork work = work_of (plan);

  return plg_muon_product_time (plan, &work.dense);
}

static const PlgCollective *
find_of_subject (const PlgReport *report, PlgAxis axis, PlgCollectiveSubject subject)
{
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      if (row->axis == axis && row->collective_subject == subject)
        return row;
    }
  return NULL;
}

static const PlgExplanation *
explanation_of (GArray *list, const char *id)
{
  for (guint i = 0; i < list->len; i++)
    if (g_str_equal (g_array_index (list, PlgExplanation, i).id, id))
      return &g_array_index (list, PlgExplanation, i);
  g_error ("no explanation \"%s\"", id);
}

/* The matrices and the parameters that Adam updates are all parameters of the model. */
static void
test_parameters (void)
{
  PlgTransformer deepseek_v3_2 = deepseek_v3;
  const PlgTransformer *models[] = { &llama3_70b, &deepseek_v3, &deepseek_v3_2, &mixtral_8x7b };

  deepseek_v3_2.index_heads = 64;
  deepseek_v3_2.index_dim = 128;
  deepseek_v3_2.index_top_k = 2048;
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      const PlgTransformer *model = models[i];
      double norms = 2.0 * model->hidden;
      g_autoptr (PlgPlan) plan = muon_plan (8, 0);
      PlgMuonWork work;

      plan->model = *model;
      plan->model.mtp_layers = 0;
      if (model->kv_rank > 0)
        norms += model->q_rank + model->kv_rank;
      norms += 2.0 * model->index_dim;
      work = work_of (plan);
      assert_near (work.dense.parameters + work.expert.parameters +
                       2.0 * model->vocabulary * model->hidden + model->layers * norms +
                       model->hidden,
                   plg_parameters_total (model), 1e-12);
      assert_near (plg_muon_share_of_model (plan) * plg_parameters_total (model),
                   work.dense.parameters + work.expert.parameters, 1e-12);
    }
}

/* The matrices of a hybrid model: 6 layers with attention, 23 mixers and 23 layers with experts. */
static void
test_hybrid (void)
{
  g_autoptr (PlgPlan) plan = muon_plan (8, 0);
  const PlgTransformer *model = &nemotron_3_nano;
  double hidden = model->hidden, expert = 2.0 * hidden * model->expert_ffn;
  double attention = 2.0 * hidden * model->head_dim * ((double) model->heads + model->kv_heads);
  PlgMuonWork work;

  plan->model = *model;
  work = work_of (plan);
  assert_near (work.expert.parameters, 23.0 * 128.0 * expert, 1e-12);
  assert_near (work.dense.parameters,
               6.0 * attention +
                   23.0 * (plg_mixer_matrices (model) + 2.0 * expert + 128.0 * hidden),
               1e-12);
}

/* 12 bytes for parameters of Adam and 8 for those of Muon. With ZeRO 1, Megatron-LM's GPUs have whole
 * matrices, of which gate and up are one: 80 of them on 256 GPUs leave one on the fullest GPU. */
static void
test_state (void)
{
  static const struct
  {
    int dp, zero;
    PlgProgram program;
    double matrices;
  } rows[] = {
    { 8, 0, PLG_PROGRAM_MEGATRON, 80.0 * LAYER },
    { 64, 1, PLG_PROGRAM_MEGATRON, 80.0 * LAYER / 64.0 },
    { 256, 1, PLG_PROGRAM_MEGATRON, UP },
    { 512, 1, PLG_PROGRAM_MEGATRON, UP },
    { 256, 1, PLG_PROGRAM_FSDP_COMPILED, 80.0 * LAYER / 256.0 },
    { 256, 3, PLG_PROGRAM_MEGATRON, 80.0 * LAYER / 256.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = muon_plan (rows[i].dp, rows[i].zero);
      double shards = rows[i].zero > 0 ? rows[i].dp : 1.0;
      PlgStageMemory stage;

      plan->training.program = rows[i].program;
      plg_memory_ledger (plan, &stage);
      assert_near (stage.optimizer, 8.0 * rows[i].matrices + 12.0 * OTHERS / shards, 1e-9);
      plan->training.precision = PLG_PRECISION_FP32;
      plg_memory_ledger (plan, &stage);
      assert_near (stage.optimizer, 4.0 * rows[i].matrices + 8.0 * OTHERS / shards, 1e-9);
    }
}

/* 4·k²·l + 2·k³ FLOPs for each iteration and matrix with the sides k and l. */
static void
test_flops (void)
{
  double key = 4.0 * 1024.0 * 1024.0 * 8192.0 + 2.0 * 1024.0 * 1024.0 * 1024.0;
  double cube = 8192.0 * 8192.0 * 8192.0;
  /* queries and output 6 k³ each, gate and up 4·7 + 2, down 4·3.5 + 2 */
  double layer = 2.0 * 6.0 * cube + 2.0 * key + 30.0 * cube + 16.0 * cube;
  g_autoptr (PlgPlan) plan = muon_plan (8, 0);
  double time;

  plan->training.muon_steps = 7;
  assert_near (work_of (plan).dense.flops, 7.0 * 80.0 * layer, 1e-12);
  time = time_of (plan);
  /* The rate is below the peak, and not far below that of large products. */
  g_assert_cmpfloat (7.0 * 80.0 * layer / time, <, 0.69 * 0.9 * 989e12);
  g_assert_cmpfloat (7.0 * 80.0 * layer / time, >, 0.85 * 0.69 * 0.9 * 989e12);
  plan->training.precision = PLG_PRECISION_FP32;
  assert_near (time_of (plan), time, 1e-12);
  plan->training.precision = PLG_PRECISION_FP8;
  assert_near (time_of (plan), time, 1e-12);
}

/* Without whole matrices, a shard of 2 bytes per parameter travels to another GPU, and back. On 8 GPUs,
 * each of the 80 · 2 matrices of gate and up, such as 80 · 4 others, takes one of 8 places at a time. */
static void
test_exchange (void)
{
  g_autoptr (PlgPlan) plan = muon_plan (8, 3);
  g_autoptr (PlgReport) report = NULL;
  const PlgCollective *row;

  plan->training.program = PLG_PROGRAM_FSDP_COMPILED;
  report = report_of (plan);
  row = find_of_subject (report, PLG_AXIS_DP, PLG_COLLECTIVE_SUBJECT_MOMENTUM);
  g_assert_nonnull (row);
  g_assert_cmpint (row->kind, ==, PLG_COLLECTIVE_ALL_TO_ALL);
  assert_near (row->calls, 2.0 * 10.0 * 7.0, 1e-12);
  assert_near (row->calls * row->bytes_per_call, 2.0 * 2.0 * 80.0 * LAYER / 8.0, 1e-12);
  assert_near (row->exposed, row->time, 1e-12);

  plan->training.optimizer = PLG_OPTIMIZER_ADAM;
  g_clear_pointer (&report, plg_report_unref);
  report = report_of (plan);
  g_assert_null (find_of_subject (report, PLG_AXIS_DP, PLG_COLLECTIVE_SUBJECT_MOMENTUM));
}

/* The shards of whole matrices differ in size, so all GPUs get all gradients. */
static void
test_whole_matrices (void)
{
  g_autoptr (PlgPlan) plan = muon_plan (64, 1);
  g_autoptr (PlgReport) muon = report_of (plan);
  g_autoptr (PlgReport) adam = NULL;

  g_assert_nonnull (find_collective (muon, PLG_AXIS_DP, PLG_COLLECTIVE_ALL_REDUCE));
  g_assert_null (find_collective (muon, PLG_AXIS_DP, PLG_COLLECTIVE_REDUCE_SCATTER));
  g_assert_null (find_of_subject (muon, PLG_AXIS_DP, PLG_COLLECTIVE_SUBJECT_MOMENTUM));
  plan->training.optimizer = PLG_OPTIMIZER_ADAM;
  adam = report_of (plan);
  g_assert_nonnull (find_collective (adam, PLG_AXIS_DP, PLG_COLLECTIVE_REDUCE_SCATTER));
  g_assert_cmpfloat (find_collective (adam, PLG_AXIS_DP, PLG_COLLECTIVE_ALL_GATHER)->bytes_per_call,
                     ==,
                     find_collective (muon, PLG_AXIS_DP, PLG_COLLECTIVE_ALL_GATHER)
                         ->bytes_per_call);
}

/* A matrix that TP divides is orthogonalized in parts, gathered in FP32, or multiplied in parts. */
static void
test_tp (void)
{
  g_autoptr (PlgPlan) plan = muon_plan (8, 0);
  PlgMuonWork work[PLG_N_MUON_TPS];
  double time[PLG_N_MUON_TPS];

  plan_set_degrees (plan, 8, 1, 1, 1, 1);
  for (int mode = 0; mode < PLG_N_MUON_TPS; mode++)
    {
      plan->training.muon_tp = mode;
      work[mode] = work_of (plan);
      time[mode] = time_of (plan);
      g_assert_cmpfloat (work[mode].dense.parameters, ==, 80.0 * LAYER / 8.0);
    }
  g_assert_cmpfloat (work[PLG_MUON_TP_SHARDED].dense.tp_calls, ==, 0.0);
  /* Six matrices per layer. */
  g_assert_cmpfloat (work[PLG_MUON_TP_GATHERED].dense.tp_calls, ==, 6.0 * 80.0);
  assert_near (work[PLG_MUON_TP_GATHERED].dense.tp_bytes, 80.0 * 4.0 * LAYER, 1e-12);
  /* Every matrix has an undivided side of 8192, so each product A has 8192² values. */
  g_assert_cmpfloat (work[PLG_MUON_TP_DISTRIBUTED].dense.tp_calls, ==, 5.0 * 6.0 * 80.0);
  assert_near (work[PLG_MUON_TP_DISTRIBUTED].dense.tp_bytes, 5.0 * 6.0 * 80.0 * 2.0 * QUERY, 1e-12);
  g_assert_cmpfloat (time[PLG_MUON_TP_SHARDED], <, time[PLG_MUON_TP_DISTRIBUTED]);
  g_assert_cmpfloat (time[PLG_MUON_TP_DISTRIBUTED], <, time[PLG_MUON_TP_GATHERED]);
}

/* The parts of the step contain the time of Muon's collectives, on all plans. */
static void
test_sums (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20261129);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) adam = NULL, muon = NULL;
      double sum[PLG_N_AXES] = { 0.0 };

      plan->training.offload_optimizer = 0.0;
      plan->training.optimizer = PLG_OPTIMIZER_ADAM;
      adam = plg_evaluate (plan, PLG_EVALUATE_ALL, NULL);
      plan->training.optimizer = PLG_OPTIMIZER_MUON;
      plan->training.muon_tp = g_rand_int_range (random, 0, PLG_N_MUON_TPS);
      muon = plg_evaluate (plan, PLG_EVALUATE_ALL, NULL);
      g_assert_nonnull (muon);
      for (guint j = 0; j < muon->collectives->len; j++)
        {
          const PlgCollective *row = &g_array_index (muon->collectives, PlgCollective, j);

          sum[row->axis] += row->exposed;
          g_assert_true (isfinite (row->time));
        }
      assert_near (muon->step.part[PLG_PART_TP], sum[PLG_AXIS_TP], 1e-6);
      assert_near (muon->step.part[PLG_PART_DP], sum[PLG_AXIS_DP], 1e-6);
      assert_near (muon->step.part[PLG_PART_COMPUTE], adam->step.part[PLG_PART_COMPUTE], 1e-12);
      g_assert_cmpfloat (muon->step.update.gpu, >, 0.0);
      g_assert_cmpfloat (muon->run.checkpoint_bytes, <, adam->run.checkpoint_bytes);
    }
}

static void
test_explanations (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GArray) list = NULL;

  plan->parallelism.zero = 1;
  plan->training.optimizer = PLG_OPTIMIZER_MUON;
  plan->training.muon_tp = PLG_MUON_TP_GATHERED;
  report = report_of (plan);
  list = plg_explain (plan, report, NULL);
  g_assert_true (g_str_has_suffix (explanation_of (list, "memory.optimizer")->numbers, " · 8"));
  g_assert_nonnull (strstr (explanation_of (list, "memory.optimizer")->note, "whole matrices"));
  g_assert_nonnull (strstr (explanation_of (list, "step.orthogonal")->note,
                            "Each of 5 iterations"));
  g_assert_nonnull (strstr (explanation_of (list, "step.optimizer")->symbols, "P_Adam"));
  g_assert_nonnull (strstr (explanation_of (list, "communication.tp.all-gather.2")->note,
                            "in FP32"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/muon/parameters", test_parameters);
  g_test_add_func ("/muon/hybrid", test_hybrid);
  g_test_add_func ("/muon/state", test_state);
  g_test_add_func ("/muon/flops", test_flops);
  g_test_add_func ("/muon/exchange", test_exchange);
  g_test_add_func ("/muon/whole-matrices", test_whole_matrices);
  g_test_add_func ("/muon/tp", test_tp);
  g_test_add_func ("/muon/sums", test_sums);
  g_test_add_func ("/muon/explanations", test_explanations);
  return g_test_run ();
}
