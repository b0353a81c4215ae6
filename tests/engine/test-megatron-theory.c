/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/model/megatron-theory.h"

#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "megatron-rows.h"

#include <math.h>

static void
test_rows (void)
{
  g_assert_cmpuint (G_N_ELEMENTS (megatron_rows), ==, 43);
  for (guint i = 0; i < G_N_ELEMENTS (megatron_rows); i++)
    {
      g_test_message ("row %u: %s", i, megatron_rows[i].model->name);
      g_assert_true (megatron_row_is_exact (&megatron_rows[i]));
    }
}

/* Sets the model as Megatron-LM counts it: padded vocabulary, no biases, no learned positions. */
static void
counted_alike (PlgPlan *plan)
{
  plan->model.vocabulary = (int) plg_padded_vocabulary (plan);
  plan->model.biases = FALSE;
  plan->model.positions = 0;
}

/* For the same definition, the engine's numbers equal Megatron-LM's exactly. The theory counts
 * MTP differently: all experts of its blocks as active, without projections. */
static void
test_own_parameters_agree (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();

  for (guint i = 0; i < G_N_ELEMENTS (megatron_rows); i++)
    {
      PlgMegatronTheory theory;

      megatron_plan (&megatron_rows[i], plan);
      counted_alike (plan);
      plan->model.mtp_layers = 0;
      theory = plg_megatron_theory (plan);
      g_assert_cmpfloat (plg_parameters_total (&plan->model), ==, theory.parameters);
      g_assert_cmpfloat (plg_parameters_active (&plan->model), ==, theory.active);
    }
}

/* A single stage has the whole model. The theory ignores that latent projections are whole on
 * each GPU of a TP group, so the comparison runs without TP. */
static void
test_own_shards_agree (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  int n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (megatron_rows); i++)
    {
      PlgMegatronTheory theory;
      PlgGpuParameters gpu;

      megatron_plan (&megatron_rows[i], plan);
      counted_alike (plan);
      if (megatron_rows[i].pp > 1 || plan->model.kv_rank > 0)
        continue;
      theory = plg_megatron_theory (plan);
      gpu = plg_stage_gpu_parameters (plan, 0);
      g_assert_cmpfloat (gpu.dense, ==, theory.dense);
      g_assert_cmpfloat (gpu.expert, ==, theory.expert);
      n++;
    }
  g_assert_cmpint (n, >, 10);
}

/* FLOPs are equal except for latent norms and MTP norms, which the theory counts as products. */
static void
test_own_flops_agree (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();

  for (guint i = 0; i < G_N_ELEMENTS (megatron_rows); i++)
    {
      const MegatronRow *row = &megatron_rows[i];
      double norms, tokens = (double) row->sequence * row->global_batch;

      megatron_plan (row, plan);
      counted_alike (plan);
      norms = (double) (plan->model.layers + plan->model.mtp_layers) *
              ((double) plan->model.q_rank + plan->model.kv_rank);
      norms += 3.0 * plan->model.mtp_layers * plan->model.hidden;
      g_assert_cmpfloat_with_epsilon (plg_model_flops (plan) / tokens,
                                      row->flops_per_token - 6.0 * norms,
                                      1e-15 * row->flops_per_token);
    }
}

/* The report uses the rule of table 2 only for SP with selective recompute. */
static void
test_rule (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  PlgMegatronTheory theory;

  megatron_plan (&megatron_rows[0], plan);
  theory = plg_megatron_theory (plan);
  g_assert_cmpfloat (theory.activation_bytes, ==, theory.other_bytes);
  plan->training.recompute = PLG_RECOMPUTE_SELECTIVE;
  theory = plg_megatron_theory (plan);
  g_assert_cmpfloat (theory.activation_bytes, ==, theory.selective_bytes);
  plan->parallelism.sequence = FALSE;
  theory = plg_megatron_theory (plan);
  g_assert_cmpfloat (theory.activation_bytes, ==, theory.other_bytes);
  g_assert_cmpfloat (theory.total_bytes, ==, theory.state_bytes + theory.other_bytes);
}

/* With fewer micro-batches than stages, the number in flight is at most the number of
 * micro-batches. */
static void
test_few_micro_batches (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  double full;

  plan->model = gpt3_175b;
  plan_set_degrees (plan, 8, 1, 8, 1, 1);
  plan_set_training (plan, 2048, 1, 64);
  full = plg_megatron_theory (plan).selective_bytes;
  plan->training.global_batch = 4;
  g_assert_cmpfloat (plg_megatron_theory (plan).selective_bytes, ==, full / 2.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/megatron/rows", test_rows);
  g_test_add_func ("/megatron/own/parameters", test_own_parameters_agree);
  g_test_add_func ("/megatron/own/shards", test_own_shards_agree);
  g_test_add_func ("/megatron/own/flops", test_own_flops_agree);
  g_test_add_func ("/megatron/rule", test_rule);
  g_test_add_func ("/megatron/few-micro-batches", test_few_micro_batches);
  return g_test_run ();
}
