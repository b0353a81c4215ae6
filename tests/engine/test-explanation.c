/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/report/explanation.h"

#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "engine/model/textbook.h"
#include "models.h"
#include "plan/quantity.h"

#include <string.h>

static const PlgExplanation *
find (GArray *list, const char *id)
{
  for (guint i = 0; i < list->len; i++)
    if (g_str_equal (g_array_index (list, PlgExplanation, i).id, id))
      return &g_array_index (list, PlgExplanation, i);
  g_error ("no explanation \"%s\"", id);
}

/* Takes ownership of TEXT. */
static void
assert_result (GArray *list, const char *id, char *text)
{
  g_assert_cmpstr (find (list, id)->result, ==, text);
  g_free (text);
}

static PlgPlan *
teaching_plan (void)
{
  PlgPlan *plan = plg_plan_new ();

  plan->model = llama3_70b;
  plan->cluster.nodes = 8;
  plan->cluster.gpus_per_node = 8;
  plan_set_degrees (plan, 8, 1, 4, 2, 1);
  plan_set_training (plan, 8192, 1, 64);
  return plan;
}

static void
fill_memory (const PlgPlan *plan, PlgReport *report)
{
  int stages = plan->parallelism.degree[PLG_AXIS_PP];

  g_array_set_size (report->stages, stages);
  plg_memory_ledger (plan, (PlgStageMemory *) (void *) report->stages->data);
  report->memory_peak = g_array_index (report->stages, PlgStageMemory, 0).total;
  report->memory_capacity = 80.0 * PLG_GIB;
  report->fits = report->memory_peak <= report->memory_capacity;
}

static void
fill_bubble (const PlgPlan *plan, PlgReport *report)
{
  double p = plan->parallelism.degree[PLG_AXIS_PP], v = plg_stage_chunks (plan);
  double m = report->micro_batches;

  report->bubble.share_of_step = (p - 1) / (v * m + p - 1);
  report->bubble.over_ideal = (p - 1) / (v * m);
  report->bubble.notebook = (p - 1) / (p * m);
  report->bubble.simulated = 0.0857;
}

static void
fill_step (const PlgPlan *plan, PlgReport *report)
{
  PlgStep *step = &report->step;
  double tokens = (double) plan->training.global_batch * plan->training.sequence;

  step->part[PLG_PART_COMPUTE] = 6.5;
  step->part[PLG_PART_BUBBLE] = 0.5;
  step->time = 7.0;
  step->model_flops = plg_model_flops (plan);
  step->hardware_flops = plg_hardware_flops (plan);
  step->peak = 989.4e12;
  step->mfu = step->model_flops / (step->time * 64 * step->peak);
  step->hfu = step->mfu;
  step->tokens_per_second = tokens / step->time;
  step->tokens_per_second_per_gpu = step->tokens_per_second / 64;
  step->days = plan->training.tokens / step->tokens_per_second / 86400.0;
  step->gpu_hours = step->days * 24 * 64;
}

/* Returns a report as from the evaluation, with invented times. */
static PlgReport *
report_of (const PlgPlan *plan)
{
  PlgReport *report = plg_report_new ();
  PlgCollective tp = { .axis = PLG_AXIS_TP,
                       .kind = PLG_COLLECTIVE_ALL_GATHER,
                       .calls = 2560,
                       .bytes_per_call = 134217728.0,
                       .bytes_sent = 2560.0 * 134217728.0 * 7 / 8,
                       .group_size = 8,
                       .time = 0.4,
                       .exposed = 0.1 };

  report->profile = plan->profile;
  report->world_size = plg_plan_world (plan);
  report->micro_batches = plg_plan_micro_batches (plan);
  report->parameters_total = plg_parameters_total (&plan->model);
  report->parameters_active = plg_parameters_active (&plan->model);
  g_array_append_val (report->collectives, tp);
  fill_memory (plan, report);
  fill_bubble (plan, report);
  fill_step (plan, report);
  plg_textbook_apply (plan, report);
  plg_training_run_init (&report->run, plan, report->parameters_total, report->step.time,
                         report->step.tokens_per_second, 0.9);
  return report;
}

static void
test_agrees_with_report (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  g_autoptr (GArray) list = plg_explain (plan, report, NULL);
  const PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, 0);

  assert_result (list, "parameters.total", plg_format_count (report->parameters_total));
  assert_result (list, "flops.model", plg_format_count (report->step.model_flops));
  assert_result (list, "mfu", plg_format_share (report->step.mfu));
  assert_result (list, "hfu", plg_format_share (report->step.hfu));
  assert_result (list, "step.time", plg_format_time (report->step.time));
  assert_result (list, "bubble.share-of-step", plg_format_share (report->bubble.share_of_step));
  assert_result (list, "bubble.over-ideal", plg_format_share (report->bubble.over_ideal));
  assert_result (list, "bubble.simulated", plg_format_share (report->bubble.simulated));
  assert_result (list, "memory.weights", plg_format_memory (stage->weights));
  assert_result (list, "memory.gradients", plg_format_memory (stage->gradients));
  assert_result (list, "memory.optimizer", plg_format_memory (stage->optimizer));
  assert_result (list, "memory.activations", plg_format_memory (stage->activations));
  assert_result (list, "memory.runtime", plg_format_memory (stage->runtime));
  assert_result (list, "memory.layer",
                 plg_format_volume (plg_layer_activation_bytes (plan, FALSE)));
  assert_result (list, "memory.in-flight", g_strdup ("4"));
}

static void
test_numbers_are_put_in (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  g_autoptr (GArray) list = plg_explain (plan, report, NULL);

  g_assert_cmpstr (find (list, "bubble.share-of-step")->symbols, ==, "(p − 1) / (v·m + p − 1)");
  g_assert_cmpstr (find (list, "bubble.share-of-step")->numbers, ==,
                   "(4 − 1) / (1·32 + 4 − 1) = 3/35");
  g_assert_cmpstr (find (list, "parameters.layer")->numbers, ==,
                   "2·8\u202f192·128·(64 + 8) + 3·8\u202f192·28\u202f672 + 16\u202f384");
  g_assert_cmpstr (find (list, "memory.layer")->numbers, ==,
                   "(8·8\u202f192 + 4·(64 + 8)·128 + 6·28\u202f672 + 4·64) / 8");
  g_assert_cmpstr (find (list, "memory.in-flight")->symbols, ==, "min (m, p − r)");
  g_assert_cmpstr (find (list, "step.time")->numbers, ==, "6.5\u00a0s + 500\u00a0ms");
  g_assert_cmpstr (find (list, "communication.tp.all-gather")->numbers, ==,
                   "2\u202f560 · 7/8 · 134\u00a0MB");
  g_assert_nonnull (strstr (find (list, "communication.tp.all-gather")->result, "301\u00a0GB"));
}

/* A checkpoint has the weights and the optimizer's state, and a note shows the parts of the state. */
static void
test_optimizers (void)
{
  static const struct
  {
    PlgOptimizer kind;
    const char *state, *note, *checkpoint;
  } rows[] = {
    { PLG_OPTIMIZER_ADAM, " · 12", NULL, " · (2 + 12)" },
    { PLG_OPTIMIZER_ADAM_BF16, " · 6", "master weight 2 + two moments 2 · 2 = 6 per parameter.",
      " · (2 + 8)" },
    { PLG_OPTIMIZER_ADAM_8BIT, " · 4.03125", "2 · 1.015625 = 4.03125 per parameter.",
      " · (2 + 6.03125)" },
  };
  g_autoptr (PlgPlan) plan = teaching_plan ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgReport) report = NULL;
      g_autoptr (GArray) list = NULL;
      const PlgExplanation *state;

      plan->training.optimizer = rows[i].kind;
      report = report_of (plan);
      list = plg_explain (plan, report, NULL);
      state = find (list, "memory.optimizer");
      g_assert_true (g_str_has_suffix (state->numbers, rows[i].state));
      g_assert_true (rows[i].note == NULL ? state->note == NULL
                                          : g_str_has_suffix (state->note, rows[i].note));
      g_assert_true (g_str_has_suffix (find (list, "run.checkpoint-size")->numbers,
                                       rows[i].checkpoint));
    }
}

/* 8, 27 and 30 micro-batches for four stages; one without a pipeline. */
static void
test_micro_batches_for_ten_percent (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  g_autoptr (GArray) list = plg_explain (plan, report, "bubble");
  g_autoptr (GArray) single = NULL;

  assert_result (list, "bubble.micro-batches.notebook", g_strdup ("8"));
  assert_result (list, "bubble.micro-batches.share-of-step", g_strdup ("27"));
  assert_result (list, "bubble.micro-batches.over-ideal", g_strdup ("30"));
  plan_set_degrees (plan, 8, 1, 1, 8, 1);
  single = plg_explain (plan, report, "bubble");
  assert_result (single, "bubble.micro-batches.share-of-step", g_strdup ("1"));
}

static void
test_three_bubbles (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GArray) list = NULL;

  plan->training.global_batch = 16; /* 8 micro-batches */
  report = report_of (plan);
  list = plg_explain (plan, report, "bubble");
  assert_result (list, "bubble.notebook", g_strdup ("9.375\u00a0%"));
  assert_result (list, "bubble.share-of-step", g_strdup ("27.3\u00a0%"));
  assert_result (list, "bubble.over-ideal", g_strdup ("37.5\u00a0%"));
}

static void
test_panels (void)
{
  static const char *const panels[] = { "mfu", "memory", "bubble", "communication", "run" };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  g_autoptr (GArray) all = plg_explain (plan, report, NULL);
  g_autoptr (GArray) none = plg_explain (plan, report, "no such panel");
  guint sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (panels); i++)
    {
      g_autoptr (GArray) list = plg_explain (plan, report, panels[i]);

      g_assert_cmpuint (list->len, >, 0);
      for (guint j = 0; j < list->len; j++)
        g_assert_cmpstr (g_array_index (list, PlgExplanation, j).panel, ==, panels[i]);
      sum += list->len;
    }
  g_assert_cmpuint (all->len, ==, sum);
  g_assert_cmpuint (none->len, ==, 0);
}

static void
assert_complete (const PlgPlan *plan)
{
  g_autoptr (PlgReport) report = report_of (plan);
  g_autoptr (GArray) list = plg_explain (plan, report, NULL);

  for (guint i = 0; i < list->len; i++)
    {
      const PlgExplanation *e = &g_array_index (list, PlgExplanation, i);
      const char *texts[] = { e->title, e->symbols, e->numbers, e->result, e->source };

      for (guint j = 0; j < G_N_ELEMENTS (texts); j++)
        {
          g_assert_nonnull (texts[j]);
          g_assert_cmpstr (texts[j], !=, "");
          g_assert_null (strchr (texts[j], '{')); /* each placeholder has a number */
          g_assert_null (strstr (texts[j], "∞"));
          g_assert_true (g_utf8_validate (texts[j], -1, NULL));
        }
    }
}

/* Every model, schedule, ZeRO stage and profile has complete texts. */
static void
test_complete (void)
{
  static const PlgTransformer *const models[] = { &llama3_70b, &gpt3_175b, &mixtral_8x7b,
                                                  &deepseek_v3 };
  g_autoptr (PlgPlan) plan = teaching_plan ();

  for (guint model = 0; model < G_N_ELEMENTS (models); model++)
    for (int schedule = PLG_SCHEDULE_GPIPE; schedule <= PLG_SCHEDULE_DUALPIPE; schedule++)
      for (int zero = 0; zero <= 3; zero++)
        for (int profile = PLG_PROFILE_STANDARD; profile <= PLG_PROFILE_HANDBOOK; profile++)
          {
            plan->model = *models[model];
            plan->training.schedule = schedule;
            plan->parallelism.zero = zero;
            plan->profile = profile;
            assert_complete (plan);
          }
  plan_set_degrees (plan, 1, 1, 1, 64, 1);
  plan->profile = PLG_PROFILE_NOTEBOOK;
  assert_complete (plan);
}

static void
test_notebook_beside_standard (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) standard = NULL, notebook = NULL;
  g_autoptr (GArray) list = NULL, own = NULL;

  plan->training.global_batch = 16;
  standard = report_of (plan);
  list = plg_explain (plan, standard, NULL);
  g_assert_nonnull (strstr (find (list, "mfu.notebook")->result, "39.26\u00a0%"));
  g_assert_nonnull (strstr (find (list, "memory.notebook")->result, "118.7\u00a0GB"));
  plan->profile = PLG_PROFILE_NOTEBOOK;
  notebook = report_of (plan);
  own = plg_explain (plan, notebook, NULL);
  assert_result (own, "mfu.notebook", g_strdup ("39.26\u00a0%"));
  assert_result (own, "memory.notebook", g_strdup ("118.7\u00a0GB"));
  assert_result (own, "mfu", plg_format_share (notebook->step.mfu));
}

/* 175B as in Korthikanti 2022: Megatron-LM prints 46.89 and 39.92 GiB; the text also lists what
 * the report ignores. */
static void
test_megatron_beside_standard (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GArray) list = NULL;
  const char *result;

  plan->model = gpt3_175b;
  plan_set_degrees (plan, 8, 1, 8, 1, 1);
  plan_set_training (plan, 2048, 1, 64);
  plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
  plan->parallelism.chunks = 3;
  report = report_of (plan);
  list = plg_explain (plan, report, "memory");
  assert_result (list, "memory.megatron.activations", plg_format_memory (39.9248 * PLG_GIB));
  result = find (list, "memory.megatron")->result;
  g_assert_true (g_str_has_prefix (result, "86.8\u00a0GiB; here "));
  g_assert_nonnull (strstr (result, ": the report ignores logits, buffers, runtime"));
  plan->training.recompute = PLG_RECOMPUTE_FULL;
  g_array_unref (list);
  list = plg_explain (plan, report, "memory");
  g_assert_nonnull (strstr (find (list, "memory.megatron")->result, "full recompute"));

  /* Recomputed modules are ignored only where they have an effect. */
  for (int i = 0; i < 3; i++)
    {
      plan->training.recompute = i == 0 ? PLG_RECOMPUTE_FULL : PLG_RECOMPUTE_NONE;
      plan->training.recompute_modules = i == 1 ? PLG_MODULE_EXPERTS : PLG_MODULE_MLP;
      g_array_unref (list);
      list = plg_explain (plan, report, "memory");
      g_assert_cmpint (strstr (find (list, "memory.megatron")->result, "modules") != NULL, ==,
                       i == 2);
    }
}

/* 2 h for each norm, and 6 f for the MLP, each divided by TP. */
static void
test_recomputed_modules (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GArray) list = NULL;

  plan->training.recompute_modules = PLG_MODULE_NORM | PLG_MODULE_MLP;
  report = report_of (plan);
  list = plg_explain (plan, report, NULL);
  assert_result (list, "memory.recomputed",
                 plg_format_volume ((4.0 * 8192.0 + 6.0 * 28672.0) / 8.0));
  assert_result (list, "step.recompute", plg_format_time (report->step.part[PLG_PART_RECOMPUTE]));
  assert_result (list, "step.time", plg_format_time (report->step.time));
}

/* A note explains how each of the three bubbles, and each other formula, differs from ours. */
static void
test_notes (void)
{
  static const char *const ids[] = { "bubble.share-of-step", "bubble.over-ideal",
                                     "bubble.notebook",      "bubble.simulated",
                                     "memory.handbook",      "mfu.notebook",
                                     "step.compute",         "communication.dp.handbook" };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  g_autoptr (GArray) list = plg_explain (plan, report, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      const char *note = find (list, ids[i])->note;

      g_assert_nonnull (note);
      g_assert_true (g_str_has_suffix (note, "."));
    }
  /* The handbook counts only 2 + 2 + 12/2 bytes of the fullest GPU's parameters. */
  g_assert_true (g_str_has_prefix (find (list, "memory.handbook")->result, "22.72\u00a0GB; here "));
}

static gboolean
uses_constant (const PlgExplanation *explanation, PlgEngineConstant constant)
{
  for (int i = 0; i < explanation->constants.n; i++)
    if (explanation->constants.constant[i] == constant)
      return TRUE;
  return FALSE;
}

/* An explanation names the constants of the engine that its number depends on in this plan. */
static void
test_constants_of_the_engine (void)
{
  static const struct
  {
    PlgProgram program;
    const char *id;
    PlgEngineConstant used, unused;
  } cases[] = {
    { PLG_PROGRAM_MEGATRON, "compute.layer", PLG_CONSTANT_TRAINING_RATE,
      PLG_CONSTANT_DEEPSPEED_PRODUCT },
    { PLG_PROGRAM_DEEPSPEED, "compute.layer", PLG_CONSTANT_DEEPSPEED_PRODUCT,
      PLG_CONSTANT_PLAIN_PRODUCT },
    { PLG_PROGRAM_PLAIN, "compute.layer", PLG_CONSTANT_PLAIN_PRODUCT, PLG_CONSTANT_CURRENT_CAST },
    { PLG_PROGRAM_MEGATRON_DEEPSPEED, "step.host", PLG_CONSTANT_LAYER_HOST_FORWARD,
      PLG_CONSTANT_EXPERT_HOST_FORWARD },
    { PLG_PROGRAM_MEGATRON, "memory.runtime", PLG_CONSTANT_SLACK, PLG_CONSTANT_DEEPSPEED_SLACK },
    { PLG_PROGRAM_DEEPSPEED, "memory.runtime", PLG_CONSTANT_DEEPSPEED_SLACK, PLG_CONSTANT_SLACK },
    { PLG_PROGRAM_MEGATRON, "communication.tp.all-gather", PLG_CONSTANT_COMM_SM_SHARE_INTRA,
      PLG_CONSTANT_COMM_SM_SHARE_INTER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      g_autoptr (PlgReport) report = NULL;
      g_autoptr (GArray) list = NULL;

      plan->training.program = cases[i].program;
      plan->parallelism.sequence = TRUE;
      report = report_of (plan);
      report->step.part[PLG_PART_HOST] = 0.1;
      list = plg_explain (plan, report, NULL);
      g_assert_true (uses_constant (find (list, cases[i].id), cases[i].used));
      g_assert_false (uses_constant (find (list, cases[i].id), cases[i].unused));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/explanation/agrees", test_agrees_with_report);
  g_test_add_func ("/explanation/numbers", test_numbers_are_put_in);
  g_test_add_func ("/explanation/bubble/ten-percent", test_micro_batches_for_ten_percent);
  g_test_add_func ("/explanation/bubble/three", test_three_bubbles);
  g_test_add_func ("/explanation/optimizers", test_optimizers);
  g_test_add_func ("/explanation/notes", test_notes);
  g_test_add_func ("/explanation/panels", test_panels);
  g_test_add_func ("/explanation/complete", test_complete);
  g_test_add_func ("/explanation/megatron", test_megatron_beside_standard);
  g_test_add_func ("/explanation/recomputed-modules", test_recomputed_modules);
  g_test_add_func ("/explanation/constants-of-the-engine", test_constants_of_the_engine);
  g_test_add_func ("/explanation/notebook", test_notebook_beside_standard);
  return g_test_run ();
}
