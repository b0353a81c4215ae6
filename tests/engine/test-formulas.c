/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/report/explanation.h"

#include "explanation-value.h"
#include "plan/plan-check.h"
#include "plans.h"

/* Each side of "=", computed from the printed numbers, gives the printed result. "B" may mean
 * bytes or 10^9 parameters; a minimum number of micro-batches is rounded up. */
static gboolean
agrees (const PlgExplanation *e, gboolean bytes)
{
  g_auto (GStrv) sides = g_strsplit (e->numbers, " = ", -1);
  Range result = leading_range (e->result, bytes);

  for (int i = 0; sides[i] != NULL; i++)
    {
      Range side = formula_range (sides[i], bytes);

      if (g_str_has_prefix (e->symbols, "m ≥ "))
        side = (Range) { MAX (ceil (side.low - 1e-9), 1.0), MAX (ceil (side.high - 1e-9), 1.0) };
      if (!ranges_meet (side, result))
        return FALSE;
    }
  return TRUE;
}

static void
assert_recomputes (const PlgPlan *plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (plan, &error);
  g_autoptr (GArray) list = NULL;

  g_assert_no_error (error);
  list = plg_explain (plan, report, NULL);
  for (guint i = 0; i < list->len; i++)
    {
      const PlgExplanation *e = &g_array_index (list, PlgExplanation, i);

      if (!agrees (e, FALSE) && !agrees (e, TRUE))
        g_error ("%s of %s, schedule %d: %s = %s is not %s", e->id, plan->model.name,
                 plan->training.schedule, e->symbols, e->numbers, e->result);
    }
}

static int
pick (GRand *random, const int *values, int n)
{
  return values[g_rand_int_range (random, 0, n)];
}

/* Makes a plan with 64 GPUs; FALSE for an invalid plan. */
static gboolean
random_plan (GRand *random, PlgPlan *plan)
{
  static const PlgTransformer *const models[] = { &llama3_70b, &gpt3_175b, &mixtral_8x7b,
                                                  &deepseek_v3, &llama3_8b };
  static const int powers[] = { 1, 2, 4, 8 };
  int tp = pick (random, powers, 4), pp = pick (random, powers, 4), cp = pick (random, powers, 2);

  plan->model = *models[g_rand_int_range (random, 0, G_N_ELEMENTS (models))];
  if (g_rand_int_range (random, 0, 4) == 0)
    {
      plan->model.window = 128 * pick (random, powers, 4);
      plan->model.window_chunked = g_rand_boolean (random);
      plan->model.full_attention_every = g_rand_int_range (random, 0, 7);
    }
  else if (g_rand_int_range (random, 0, 4) == 0)
    {
      plan->model.index_heads = pick (random, powers, 4);
      plan->model.index_dim = 128;
      plan->model.index_top_k = 512 * pick (random, powers, 4);
    }
  if (g_rand_int_range (random, 0, 4) == 0)
    {
      PlgTransformer *model = &plan->model;

      model->mixer = g_rand_int_range (random, 1, PLG_N_MIXERS);
      model->attention_layers = g_rand_int_range (random, 0, 9);
      model->mlp_layers = MAX (g_rand_int_range (random, -8, 9), 0);
      model->attention_gate = g_rand_boolean (random);
      model->mixer_groups = 8;
      model->mixer_heads = 8 * pick (random, powers, 4);
      model->mixer_head_dim = 64;
      model->mixer_state = 128;
      model->mixer_conv = 4;
    }
  if (tp * pp * cp > 64)
    return FALSE;
  plan_set_degrees (plan, tp, cp, pp, 64 / (tp * pp * cp), 1);
  plan_set_training (plan, 2048 * pick (random, powers, 4), 1, 512);
  if (plan->model.experts > 0)
    {
      plan->parallelism.degree[PLG_AXIS_EP] = pick (random, powers, 4);
      plan->training.expert_load = 1.0 + 0.25 * g_rand_int_range (random, 0, 4);
      plan->parallelism.dispatcher = g_rand_int_range (random, 0, PLG_N_DISPATCHERS);
    }
  plan->training.schedule = g_rand_int_range (random, 0, PLG_SCHEDULE_DUALPIPE + 1);
  plan->parallelism.chunks = plan->training.schedule == PLG_SCHEDULE_INTERLEAVED ? 2 : 1;
  plan->training.recompute = g_rand_int_range (random, 0, 3);
  plan->training.flash_attention = g_rand_boolean (random);
  plan->training.precision = g_rand_int_range (random, 0, PLG_PRECISION_FP32 + 1);
  plan->training.causal = g_rand_boolean (random);
  plan->training.loss = g_rand_int_range (random, 0, PLG_N_LOSSES);
  plan->training.gradient_precision = g_rand_boolean (random) ? PLG_PRECISION_FP32
                                                              : PLG_PRECISION_BF16;
  plan->training.optimizer = g_rand_int_range (random, 0, PLG_N_OPTIMIZERS);
  plan->training.reduce_precision = g_rand_int_range (random, 0, PLG_N_REDUCE_PRECISIONS);
  plan->training.offload_layers = MAX (g_rand_int_range (random, -20, 40), 0);
  plan->training.offload_optimizer = 0.25 * g_rand_int_range (random, 0, 5);
  plan->parallelism.zero = g_rand_int_range (random, 0, 4);
  plan->parallelism.overlap_dp = g_rand_boolean (random);
  plan->parallelism.sequence = g_rand_boolean (random);
  plan->profile = g_rand_int_range (random, 0, PLG_PROFILE_HANDBOOK + 1);
  plan->cost.gpu_hour = g_rand_int_range (random, 1, 20);
  plan->cost.power_busy = g_rand_int_range (random, 300, 1500);
  plan->cost.power_idle = g_rand_int_range (random, 50, 200);
  plan->cost.power_server = g_rand_int_range (random, 0, 600);
  plan->reliability.mtbf = 3600.0 * g_rand_int_range (random, 200, 100000);
  plan->reliability.repair = 3600.0 * g_rand_int_range (random, 0, 3);
  plan->reliability.spares = g_rand_int_range (random, 0, 4);
  plan->training.recompute_modules = g_rand_int_range (random, 0, 1 << PLG_N_MODULES);
  return plg_plan_check (plan, NULL);
}

/* A pocket calculator can check the page for every plan. */
static void
test_recomputes (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  int n = 0;

  assert_recomputes (plan);
  for (int i = 0; i < 4000 && n < 600; i++)
    if (random_plan (random, plan))
      {
        assert_recomputes (plan);
        n++;
      }
  g_assert_cmpint (n, ==, 600);
}

/* The parser of formulas itself. */
static void
test_reader (void)
{
  static const struct
  {
    const char *text;
    double value;
  } rows[] = {
    { "2·(3 + 4) / 7 − 1", 1.0 },
    { "min (4, 9 − 6)·8\u202f192", 24576.0 },
    { "175·10⁹ / (8·4) · 10", 175e9 / 32.0 * 10.0 },
    { "1 − 0.05·log₂ 8", 0.85 },
    { "3/35", 3.0 / 35.0 },
    { "2 · 1\u00a0GiB", 0x1p31 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Range range = formula_range (rows[i].text, FALSE);

      g_assert_true (ranges_meet (range, (Range) { rows[i].value, rows[i].value }));
      g_assert_cmpfloat (range.high - range.low, <=, 0.011 * rows[i].value);
    }
  g_assert_false (ranges_meet (formula_range ("3 · 2.27\u00a0B", FALSE),
                               leading_range ("6.9\u00a0B", FALSE)));
  g_assert_true (ranges_meet (leading_range ("2.36\u00a0×\u00a010¹⁷ more", FALSE),
                              (Range) { 2.362e17, 2.362e17 }));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/formulas/reader", test_reader);
  g_test_add_func ("/formulas/recompute", test_recomputes);
  return g_test_run ();
}
