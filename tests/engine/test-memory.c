/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/model/memory.h"

#include "engine/model/flops.h"
#include "engine/model/program.h"
#include "engine/model/recipe.h"
#include "models.h"
#include "plan/quantity.h"

#include <math.h>

#define MAX_STAGES 64

static void
assert_near (double value, double wanted, double relative)
{
  if (fabs (value - wanted) > relative * fabs (wanted))
    g_error ("%.9g instead of %.9g (within %g)", value, wanted, relative);
}

static double
allocated (const PlgStageMemory *stage)
{
  return stage->total - stage->runtime;
}

/* Peak of torch.cuda.max_memory_allocated() in GiB. Source: SimuMax docs, B200 release v1.2
 * (B200, Megatron-LM 0.14, distributed optimizer, FP32 gradients, sequence parallelism, no
 * recompute, fused cross-entropy, 4 micro-batches of one sequence), by stage for runs with two.
 * The models are cut to the given layers. Its "405B" has 16 KV heads. */
typedef struct
{
  const PlgTransformer *model;
  int layers, kv_heads;
  int tp, cp, pp, dp, ep;
  int sequence;
  double gib[2];
} MeasuredRow;

static const MeasuredRow measured[] = {
  { &llama3_70b, 12, 8, 1, 1, 2, 4, 1, 4096, { 66.55, 62.97 } },
  { &llama3_70b, 12, 8, 2, 1, 1, 4, 1, 4096, { 60.68 } },
  { &llama3_70b, 12, 8, 4, 1, 1, 2, 1, 4096, { 39.07 } },
  { &llama3_70b, 12, 8, 8, 1, 1, 1, 1, 4096, { 28.29 } },
  { &llama3_405b, 4, 16, 1, 1, 2, 4, 1, 4096, { 86.61, 87.08 } },
  { &llama3_405b, 4, 16, 2, 1, 1, 4, 1, 4096, { 81.59 } },
  { &llama3_405b, 4, 16, 4, 1, 1, 2, 1, 4096, { 52.89 } },
  { &llama3_405b, 4, 16, 8, 1, 1, 1, 1, 4096, { 38.57 } },
  { &llama3_70b, 12, 8, 2, 4, 1, 1, 1, 32768, { 68.43 } },
  { &llama3_70b, 12, 8, 1, 8, 1, 1, 1, 32768, { 104.51 } },
  { &llama3_405b, 4, 16, 2, 4, 1, 1, 1, 32768, { 87.03 } },
  { &llama3_405b, 4, 16, 1, 8, 1, 1, 1, 32768, { 139.22 } },
  { &llama3_70b, 12, 8, 2, 4, 1, 1, 1, 131072, { 112.67 } },
  { &llama3_70b, 12, 8, 1, 8, 1, 1, 1, 131072, { 147.99 } },
  { &llama3_405b, 4, 16, 2, 4, 1, 1, 1, 131072, { 118.13 } },
  { &deepseek_v2, 4, 128, 1, 1, 1, 8, 8, 4096, { 45.63 } },
  { &deepseek_v2, 4, 128, 1, 1, 2, 4, 4, 4096, { 31.59, 44.70 } },
  { &deepseek_v3, 4, 128, 1, 1, 1, 8, 8, 4096, { 104.30 } },
  { &deepseek_v3, 4, 128, 1, 1, 2, 4, 4, 4096, { 71.24, 114.00 } },
};

static void
measured_plan (const MeasuredRow *row, PlgPlan *plan)
{
  plan->model = *row->model;
  plan->model.layers = row->layers;
  plan->model.kv_heads = row->kv_heads;
  plan->model.dense_layers = MIN (row->model->dense_layers, 1);
  plan->model.mtp_layers = 0;
  plan_set_degrees (plan, row->tp, row->cp, row->pp, row->dp, row->ep);
  plan_set_training (plan, row->sequence, 1, 4 * row->dp);
}

static void
test_measured (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  PlgStageMemory stages[2];
  double sum = 0.0;
  int n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (measured); i++)
    {
      measured_plan (&measured[i], plan);
      plg_memory_ledger (plan, stages);
      for (int stage = 0; stage < measured[i].pp; stage++, n++)
        {
          double gib = allocated (&stages[stage]) / PLG_GIB;
          double error = gib / measured[i].gib[stage] - 1.0;

          g_test_message ("%s row %u stage %d: %.2f GiB, measured %.2f (%+.2f %%)",
                          measured[i].model->name, i, stage, gib, measured[i].gib[stage],
                          100.0 * error);
          g_assert_cmpfloat (fabs (error), <, 0.015);
          sum += fabs (error);
        }
    }
  g_assert_cmpint (n, ==, 23);
  g_assert_cmpfloat (sum / n, <, 0.004);
}

static PlgPlan *
small_plan (void)
{
  PlgPlan *plan = plg_plan_new ();

  plan->model = llama3_8b;
  plan_set_degrees (plan, 1, 1, 1, 8, 1);
  plan_set_training (plan, 8192, 1, 8);
  return plan;
}

/* 18 bytes per parameter, 6 + 12/N, 2 + 16/N, 18/N with FP32 gradients; Rajbhandari's 16, 4 +
 * 12/N, 2 + 14/N, 16/N with 16-bit gradients; 16, 8 + 8/N, 4 + 12/N, 16/N in FP32. */
static void
test_zero_stages (void)
{
  static const struct
  {
    PlgPrecision precision, gradients;
    double weight, gradient, optimizer;
  } rows[] = {
    { PLG_PRECISION_BF16, PLG_PRECISION_FP32, 2, 4, 12 },
    { PLG_PRECISION_FP16, PLG_PRECISION_BF16, 2, 2, 12 },
    { PLG_PRECISION_FP8, PLG_PRECISION_FP32, 2, 4, 12 },
    { PLG_PRECISION_FP32, PLG_PRECISION_FP32, 4, 4, 8 },
  };
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory stage;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (int zero = 0; zero <= 3; zero++)
      {
        double n = plg_parameters_total (&plan->model);

        plan->training.precision = rows[i].precision;
        plan->training.gradient_precision = rows[i].gradients;
        plan->parallelism.zero = zero;
        plg_memory_ledger (plan, &stage);
        g_assert_cmpfloat (stage.parameters, ==, n);
        g_assert_cmpfloat (stage.weights, ==, n * rows[i].weight / (zero >= 3 ? 8 : 1));
        g_assert_cmpfloat (stage.gradients, ==, n * rows[i].gradient / (zero >= 2 ? 8 : 1));
        g_assert_cmpfloat (stage.optimizer, ==, n * rows[i].optimizer / (zero >= 1 ? 8 : 1));
      }
}

/* Llama 3 70B has 70,553,706,496 parameters. With ZeRO 1, 64 replicas share 4 + 2·4, 4 + 2·2 and
 * 4 + 2·(1 + 4/256) bytes of each, and without a master weight 4 bytes less. */
static void
test_optimizers (void)
{
  static const double bytes[] = { 12.0, 8.0, 6.03125 };
  static const double shares[] = { 13228819968.0, 8819213312.0, 6648860036.0 };
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  PlgStageMemory stage;

  plan->model = llama3_70b;
  plan_set_degrees (plan, 1, 1, 1, 64, 1);
  plan_set_training (plan, 4096, 1, 64);
  plan->parallelism.zero = 1;
  for (guint kind = 0; kind < G_N_ELEMENTS (bytes); kind++)
    {
      plan->training.optimizer = kind;
      plan->training.program = PLG_PROGRAM_PLAIN;
      plan->training.precision = PLG_PRECISION_BF16;
      plg_memory_ledger (plan, &stage);
      g_assert_cmpfloat (plg_optimizer_bytes (&plan->training), ==, bytes[kind]);
      assert_near (stage.optimizer, shares[kind], 1e-9);
      plan->training.precision = PLG_PRECISION_FP32;
      g_assert_cmpfloat (plg_optimizer_bytes (&plan->training), ==, bytes[kind] - 4.0);
    }
}

/* With narrow moments and BF16 weights, Megatron-LM keeps 2 instead of 4 bytes of the master weight.
 * The update needs FP32 copies of both moments, which only exceed small activations. */
static void
test_precision_aware_optimizer (void)
{
  static const struct
  {
    PlgOptimizer kind;
    PlgPrecision precision;
    double held, copies, update;
  } rows[] = {
    { PLG_OPTIMIZER_ADAM, PLG_PRECISION_BF16, 12.0, 4.0, 2.0 + 24.0 + 2.0 },
    { PLG_OPTIMIZER_ADAM_BF16, PLG_PRECISION_BF16, 6.0, 8.0, 2.0 + 12.0 + 2.0 + 32.0 + 2.0 },
    { PLG_OPTIMIZER_ADAM_BF16, PLG_PRECISION_FP8, 8.0, 8.0, 2.0 + 16.0 + 2.0 + 32.0 },
    { PLG_OPTIMIZER_ADAM_8BIT, PLG_PRECISION_BF16, 4.03125, 8.0, 2.0 + 8.0625 + 2.0 + 32.0 + 2.0 },
  };
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory stage;

  plan_set_training (plan, 128, 1, 8);
  plan->training.gradient_precision = PLG_PRECISION_BF16;
  plan->parallelism.zero = 1;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      plan->training.optimizer = rows[i].kind;
      plan->training.precision = rows[i].precision;
      plg_memory_ledger (plan, &stage);
      g_assert_cmpfloat (plg_held_optimizer_bytes (plan), ==, rows[i].held);
      g_assert_cmpfloat (plg_update_bytes (plan), ==, rows[i].update);
      assert_near (plg_stage_buffers (plan, 0).step / (stage.optimizer / rows[i].held),
                   rows[i].copies, 1e-12);
    }
}

/* CP ranks share the optimizer with DP ranks; experts have smaller groups of their own. */
static void
test_shard_groups (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory stage;
  PlgStageParts parts;
  PlgParameters all;
  double even;

  plan_set_degrees (plan, 1, 2, 1, 4, 1);
  plg_memory_ledger (plan, &stage);
  g_assert_cmpfloat (stage.optimizer, ==, 12.0 * stage.parameters / 8.0);

  plan->model = mixtral_8x7b;
  plan_set_degrees (plan, 1, 1, 1, 16, 8);
  parts = plg_stage_parts (plan, 0);
  all = plg_stage_parameters (plan, &parts);
  plg_memory_ledger (plan, &stage);
  g_assert_cmpint (plg_expert_data_parallel (plan), ==, 2);
  g_assert_cmpfloat (stage.parameters, ==, all.sharded + all.replicated + all.expert / 8.0);
  assert_near (stage.optimizer,
               12.0 * ((all.sharded + all.replicated) / 16.0 + all.expert / 8.0 / 2.0), 1e-12);

  /* The fullest rank keeps more rows, each with the input of the experts, gate, up and product. */
  even = plg_layer_activation_bytes (plan, TRUE);
  plan->training.expert_load = 1.5;
  assert_near (plg_layer_activation_bytes (plan, TRUE) - even,
               0.5 * 2.0 * (2.0 * 4096.0 + 6.0 * 14336.0), 1e-9);
  plan->parallelism.degree[PLG_AXIS_EP] = 1;
  g_assert_cmpfloat (plg_layer_activation_bytes (plan, TRUE), ==, even);
}

/* Korthikanti 2022, table 2: bytes of a layer's activations over s b h, GPT with 5 a s / h. */
static void
test_korthikanti_layer (void)
{
  static const struct
  {
    int tp;
    gboolean sequence;
    PlgRecompute recompute;
    double constant, divided, scores;
  } rows[] = {
    { 1, FALSE, PLG_RECOMPUTE_NONE, 34, 0, 1 },
    { 8, FALSE, PLG_RECOMPUTE_NONE, 10, 24, 1 },
    { 8, TRUE, PLG_RECOMPUTE_NONE, 0, 34, 1 },
    { 8, FALSE, PLG_RECOMPUTE_SELECTIVE, 10, 24, 0 },
    { 8, TRUE, PLG_RECOMPUTE_SELECTIVE, 0, 34, 0 },
  };
  g_autoptr (PlgPlan) plan = small_plan ();
  double h = gpt3_175b.hidden;

  plan->model = gpt3_175b;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      double t = rows[i].tp;
      double wanted = h * (rows[i].constant + rows[i].divided / t) +
                      rows[i].scores * 5.0 * 96.0 * 2048.0 / t;

      plan_set_degrees (plan, rows[i].tp, 1, 1, 1, 1);
      plan_set_training (plan, 2048, 1, 1);
      plan->training.flash_attention = FALSE;
      plan->training.recompute = rows[i].recompute;
      plan->parallelism.sequence = rows[i].sequence;
      assert_near (plg_layer_activation_bytes (plan, FALSE), wanted, 1e-12);
    }
}

/* A mask has one byte per value: two of h values, one of a s scores, whose output also exists twice. */
static void
test_dropout_masks (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  double h = gpt3_175b.hidden, scores = 96.0 * 2048.0, on, off;

  plan->model = gpt3_175b;
  plan_set_degrees (plan, 1, 1, 1, 1, 1);
  plan_set_training (plan, 2048, 1, 1);
  for (int flash = 0; flash < 2; flash++)
    {
      double automatic;

      plan->training.flash_attention = flash;
      plan->training.dropout = PLG_DROPOUT_AUTO;
      automatic = plg_layer_activation_bytes (plan, FALSE);
      plan->training.dropout = PLG_DROPOUT_ON;
      on = plg_layer_activation_bytes (plan, FALSE);
      plan->training.dropout = PLG_DROPOUT_OFF;
      off = plg_layer_activation_bytes (plan, FALSE);
      assert_near (on - off, 2.0 * h + (flash ? 0.0 : 3.0 * scores), 1e-12);
      g_assert_cmpfloat (automatic, ==, flash ? off : on);
      plan->training.recompute = PLG_RECOMPUTE_SELECTIVE;
      assert_near (plg_layer_activation_bytes (plan, FALSE), off - (flash ? 0.0 : 2.0 * scores),
                   1e-12);
      plan->training.recompute = PLG_RECOMPUTE_NONE;
    }
  /* The first stage also keeps the mask of the embedding. */
  off = plg_stage_activation_bytes (plan, 0);
  plan->training.dropout = PLG_DROPOUT_ON;
  assert_near (plg_stage_activation_bytes (plan, 0) - off, 96.0 * 2.0 * h + h, 1e-9);
}

/* With flash attention: (12 + 4 g/a) h + 6 f for a gated MLP, and 4 a for the log-sum-exp. */
static void
test_flash_layer (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  double h = 8192.0, f = 28672.0;

  plan->model = llama3_70b;
  plan_set_degrees (plan, 8, 1, 1, 1, 1);
  assert_near (plg_layer_activation_bytes (plan, FALSE),
               ((12.0 + 4.0 / 8.0) * h + 6.0 * f + 4.0 * 64.0) / 8.0, 1e-12);
  /* The output of SiLU stays, and queries and keys from before the rotation. */
  plan->training.kernels = PLG_KERNELS_EAGER;
  assert_near (plg_layer_activation_bytes (plan, FALSE),
               ((14.0 + 6.0 / 8.0) * h + 8.0 * f + 4.0 * 64.0) / 8.0, 1e-12);
  plan->training.recompute_modules = PLG_MODULE_ACTIVATION;
  assert_near (plg_layer_activation_bytes (plan, FALSE),
               ((14.0 + 6.0 / 8.0) * h + 4.0 * f + 4.0 * 64.0) / 8.0, 1e-12);
  plan->training.recompute_modules = 0;
  plan->training.kernels = PLG_KERNELS_AUTO;
  plan->training.recompute = PLG_RECOMPUTE_SELECTIVE;
  assert_near (plg_layer_activation_bytes (plan, FALSE),
               ((12.0 + 4.0 / 8.0) * h + 6.0 * f + 4.0 * 64.0) / 8.0, 1e-12);
  plan->parallelism.sequence = FALSE;
  assert_near (plg_layer_activation_bytes (plan, FALSE),
               8.0 * h + ((4.0 + 4.0 / 8.0) * h + 6.0 * f + 4.0 * 64.0) / 8.0, 1e-12);
  plan->parallelism.sequence = TRUE;
  plan->training.precision = PLG_PRECISION_FP8; /* norm outputs, SwiGLU's output in one byte */
  assert_near (plg_layer_activation_bytes (plan, FALSE),
               ((11.0 + 4.0 / 8.0) * h + 5.0 * f + 4.0 * 64.0) / 8.0, 1e-12);
}

/* A layer keeps the inputs of recomputed modules, but not their outputs. Full recompute ignores the
 * modules. */
static void
test_recomputed_modules (void)
{
  static const struct
  {
    guint modules;
    double h, f; /* bytes that the layer no longer keeps, as multiples of h and f */
  } dense[] = {
    { PLG_MODULE_NORM, 4.0, 0.0 },
    { PLG_MODULE_ACTIVATION, 0.0, 2.0 },
    { PLG_MODULE_MLP, 0.0, 6.0 },
    { PLG_MODULE_MLP | PLG_MODULE_ACTIVATION | PLG_MODULE_NORM, 4.0, 6.0 },
    { PLG_MODULE_MLA_UP | PLG_MODULE_EXPERTS, 0.0, 0.0 },
  };
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory before, after;
  double h = 8192.0, f = 28672.0;
  double all = ((12.0 + 4.0 / 8.0) * h + 6.0 * f + 4.0 * 64.0) / 8.0;

  plan->model = llama3_70b;
  plan_set_degrees (plan, 8, 1, 1, 1, 1);
  for (guint i = 0; i < G_N_ELEMENTS (dense); i++)
    {
      plan->training.recompute_modules = dense[i].modules;
      assert_near (plg_layer_activation_bytes (plan, FALSE),
                   all - (dense[i].h * h + dense[i].f * f) / 8.0, 1e-12);
    }
  plan->parallelism.sequence = FALSE; /* The norms' outputs are then whole on each GPU. */
  plan->training.recompute_modules = PLG_MODULE_NORM | PLG_MODULE_MLP;
  assert_near (plg_layer_activation_bytes (plan, FALSE),
               4.0 * h + ((4.0 + 4.0 / 8.0) * h + 4.0 * 64.0) / 8.0, 1e-12);

  plan->training.recompute = PLG_RECOMPUTE_FULL;
  plg_memory_ledger (plan, &after);
  plan->training.recompute_modules = 0;
  plg_memory_ledger (plan, &before);
  g_assert_cmpfloat (after.total, ==, before.total);
}

/* DeepSeek-V3 with MLA and experts, TP 1: 128 heads of 128 + 64 for queries and keys and 128 for
 * values, latents of 1536 and 512, 8 routed experts of 2048 and 1 shared expert. */
static void
test_recomputed_modules_of_mla (void)
{
  double h = 7168.0, heads = 128.0, ffn = 2048.0;
  double up = 2.0 * heads * (192.0 + 192.0 + 128.0) + 2.0 * (1536.0 + 512.0);
  double routed = 8.0 * (2.0 * h + 6.0 * ffn) + 8.0 * 256.0;
  const struct
  {
    guint modules;
    double dropped;
  } rows[] = {
    { PLG_MODULE_NORM, 4.0 * h },
    { PLG_MODULE_MLA_UP, up },
    { PLG_MODULE_ACTIVATION, 2.0 * ffn * 9.0 },
    { PLG_MODULE_MLP, 0.0 },
    { PLG_MODULE_EXPERTS, routed + 6.0 * ffn },
    { PLG_MODULE_SHARED_EXPERTS, 6.0 * ffn },
    { PLG_MODULE_SHARED_EXPERTS | PLG_MODULE_EXPERTS, routed + 6.0 * ffn },
    { PLG_MODULE_EXPERTS | PLG_MODULE_ACTIVATION | PLG_MODULE_MLA_UP, routed + 6.0 * ffn + up },
  };
  g_autoptr (PlgPlan) plan = small_plan ();
  double all, peak_before;

  plan->model = deepseek_v3;
  plan_set_degrees (plan, 1, 1, 8, 64, 64);
  plan_set_training (plan, 4096, 1, 1024);
  all = plg_layer_activation_bytes (plan, TRUE);
  peak_before = plg_memory_peak (plan, G_MAXDOUBLE);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      plan->training.recompute_modules = rows[i].modules;
      assert_near (all - plg_layer_activation_bytes (plan, TRUE), rows[i].dropped, 1e-9);
      g_assert_cmpfloat (plg_memory_peak (plan, G_MAXDOUBLE), <=, peak_before);
    }
}

/* The backward pass of a layer needs its recomputed tensors for a short time: those of the MLP
 * together with the gradients inside the MLP. */
static void
test_recomputed_modules_need_memory (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory none, mlp;
  double tokens = 8192.0, f = 14336.0;

  plan->model.vocabulary = 128; /* The layer is the short peak, not the logits. */
  plg_memory_ledger (plan, &none);
  plan->training.recompute_modules = PLG_MODULE_MLP;
  plg_memory_ledger (plan, &mlp);
  assert_near (none.activations - mlp.activations, 31.0 * 6.0 * f * tokens, 1e-9);
}

static void
assert_in_flight (PlgPlan *plan, const double *wanted)
{
  for (int stage = 0; stage < plan->parallelism.degree[PLG_AXIS_PP]; stage++)
    assert_near (plg_stage_in_flight (plan, stage), wanted[stage], 1e-12);
}

static void
test_in_flight (void)
{
  static const struct
  {
    PlgSchedule schedule;
    int chunks, micro_batches;
    double wanted[4];
  } rows[] = {
    { PLG_SCHEDULE_GPIPE, 1, 8, { 8, 8, 8, 8 } },
    { PLG_SCHEDULE_1F1B, 1, 8, { 4, 3, 2, 1 } },
    { PLG_SCHEDULE_1F1B, 1, 2, { 2, 2, 2, 1 } },
    /* p (1 + (p-1)/(p v)) on the first stage, ((v-1) p + 1)/v on the last */
    { PLG_SCHEDULE_INTERLEAVED, 2, 8, { 5.5, 4.5, 3.5, 2.5 } },
    { PLG_SCHEDULE_INTERLEAVED, 4, 8, { 4.75, 4.25, 3.75, 3.25 } },
    { PLG_SCHEDULE_INTERLEAVED, 2, 4, { 4, 4, 3.5, 2.5 } },
    { PLG_SCHEDULE_INTERLEAVED, 1, 8, { 4, 3, 2, 1 } },
    { PLG_SCHEDULE_ZB_H1, 1, 8, { 4, 4, 4, 4 } },
    { PLG_SCHEDULE_ZB_V, 1, 8, { 4, 4, 4, 4 } },
    { PLG_SCHEDULE_ZB_V, 1, 2, { 2, 2, 2, 2 } },
    { PLG_SCHEDULE_DUALPIPE, 1, 8, { 5, 5, 5, 5 } },
  };
  g_autoptr (PlgPlan) plan = small_plan ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      plan_set_degrees (plan, 1, 1, 4, 1, 1);
      plan->training.global_batch = rows[i].micro_batches;
      plan->training.schedule = rows[i].schedule;
      plan->parallelism.chunks = rows[i].chunks;
      assert_in_flight (plan, rows[i].wanted);
    }
  /* Without a pipeline, one micro-batch is in flight under any schedule. */
  plan_set_degrees (plan, 1, 1, 1, 1, 1);
  plan->training.schedule = PLG_SCHEDULE_GPIPE;
  g_assert_cmpfloat (plg_stage_in_flight (plan, 0), ==, 1.0);
}

static void
test_dualpipe_holds_two_stages (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory once[4], twice[4];

  plan_set_degrees (plan, 1, 1, 4, 1, 1);
  plg_memory_ledger (plan, once);
  plan->training.schedule = PLG_SCHEDULE_DUALPIPE;
  plg_memory_ledger (plan, twice);
  for (int stage = 0; stage < 4; stage++)
    g_assert_cmpfloat (twice[stage].parameters, ==,
                       once[stage].parameters + once[3 - stage].parameters);
}

static double
peak (const PlgPlan *plan)
{
  PlgStageMemory stages[MAX_STAGES];
  double highest = 0.0;

  plg_memory_ledger (plan, stages);
  for (int stage = 0; stage < plan->parallelism.degree[PLG_AXIS_PP]; stage++)
    highest = MAX (highest, stages[stage].total);
  return highest;
}

/* No remedy of the program ever increases memory. */
static void
test_remedies_lower_the_peak (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  double before;

  plan->model = llama3_70b;
  plan_set_degrees (plan, 4, 1, 4, 4, 1);
  plan_set_training (plan, 8192, 2, 128);
  plan->training.flash_attention = FALSE;
  before = peak (plan);
  plan->training.recompute = PLG_RECOMPUTE_SELECTIVE;
  g_assert_cmpfloat (peak (plan), <, before);
  before = peak (plan);
  plan->training.recompute = PLG_RECOMPUTE_FULL;
  g_assert_cmpfloat (peak (plan), <, before);
  before = peak (plan);
  plan->training.micro_batch = 1;
  g_assert_cmpfloat (peak (plan), <, before);
  before = peak (plan);
  plan->training.flash_attention = TRUE;
  g_assert_cmpfloat (peak (plan), <, before);
  for (int zero = 1; zero <= 3; zero++)
    {
      before = peak (plan);
      plan->parallelism.zero = zero;
      g_assert_cmpfloat (peak (plan), <=, before);
    }
}

/* Full recompute keeps the input of each layer, 2 h per token, and one whole layer. */
static void
test_full_recompute (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory stage;
  double tokens = 8192.0, h = 4096.0;
  double kept, working;

  plan->training.recompute = PLG_RECOMPUTE_FULL;
  plg_memory_ledger (plan, &stage);
  kept = (32.0 + 1.0) * 2.0 * h * tokens;
  working = tokens * (plg_layer_activation_bytes (plan, FALSE) + 6.0 * 14336.0);
  /* The logits, 2 and 2 bytes, are larger than the layer here. */
  assert_near (stage.activations, kept + MAX (working, 4.0 * tokens * 128256.0), 1e-12);
}

/* Full recompute of a part of the layers keeps the inputs of these layers and the activations of all
 * others. The activations of one layer or group exist again in the backward pass, unless other layers
 * of the virtual stage have freed theirs. */
static void
test_part_recompute (void)
{
  static const struct
  {
    PlgRecomputeMethod method;
    int n, whole, inputs, again; /* again: layers whose activations exist twice */
  } rows[] = {
    { PLG_RECOMPUTE_METHOD_ALL, 5, 0, 32, 1 },    { PLG_RECOMPUTE_METHOD_FIRST, 5, 27, 5, 0 },
    { PLG_RECOMPUTE_METHOD_FIRST, 31, 1, 31, 0 }, { PLG_RECOMPUTE_METHOD_FIRST, 32, 0, 32, 1 },
    { PLG_RECOMPUTE_METHOD_FIRST, 99, 0, 32, 1 }, { PLG_RECOMPUTE_METHOD_EVERY, 1, 0, 32, 1 },
    { PLG_RECOMPUTE_METHOD_EVERY, 3, 22, 10, 1 }, { PLG_RECOMPUTE_METHOD_EVERY, 33, 32, 0, 0 },
    { PLG_RECOMPUTE_METHOD_GROUPS, 1, 0, 32, 1 }, { PLG_RECOMPUTE_METHOD_GROUPS, 5, 0, 7, 5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = small_plan ();
      double tokens = 8192.0, h = 4096.0, layer, kept, working;
      PlgStageMemory stage;

      plan->model.vocabulary = 128; /* the loss is not the peak */
      plan->training.recompute = PLG_RECOMPUTE_FULL;
      plan->training.recompute_method = rows[i].method;
      plan->training.recompute_layers = rows[i].n;
      plg_memory_ledger (plan, &stage);
      layer = plg_layer_activation_bytes (plan, FALSE);
      kept = (rows[i].inputs + 1.0) * 2.0 * h + rows[i].whole * layer;
      working = rows[i].again * layer + 6.0 * 14336.0;
      assert_near (stage.activations, (kept + working) * tokens, 1e-12);
    }
}

/* Each virtual stage repeats its first layers. Layers without experts are first in the model, and
 * every N-th layer is counted on each stage. */
static void
test_part_recompute_of_stages (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageParts parts;

  plan->model = deepseek_v3; /* 61 layers, 3 of them without experts, and one for MTP */
  plan_set_degrees (plan, 1, 1, 4, 1, 1);
  plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
  plan->parallelism.chunks = 4;
  plan->training.recompute = PLG_RECOMPUTE_FULL;
  plan->training.recompute_method = PLG_RECOMPUTE_METHOD_FIRST;
  plan->training.recompute_layers = 2;
  parts = plg_stage_parts (plan, 0);
  g_assert_cmpint (parts.repeated.dense_layers, ==, 2);
  g_assert_cmpint (parts.repeated.moe_layers, ==, 6);
  g_assert_cmpint (parts.repeated.kept_inputs, ==, 8);
  g_assert_cmpfloat (plg_repeated_share (plan), ==, 32.0 / 62.0);
  plan->training.recompute_method = PLG_RECOMPUTE_METHOD_EVERY;
  plan->training.recompute_layers = 4;
  parts = plg_stage_parts (plan, 3);
  g_assert_cmpint (parts.mtp_layers, ==, 1);
  g_assert_cmpint (parts.repeated.mtp_layers, ==, 0);
  g_assert_cmpint (parts.repeated.dense_layers + parts.repeated.moe_layers, ==,
                   parts.moe_layers / 4);
  plan->training.recompute_method = PLG_RECOMPUTE_METHOD_ALL;
  parts = plg_stage_parts (plan, 3);
  g_assert_cmpint (parts.repeated.kept_inputs, ==, parts.moe_layers + 1);
  g_assert_cmpfloat (plg_repeated_share (plan), ==, 1.0);
}

/* On one GPU the loss is the peak. PyTorch's cross_entropy of logits.float(): 2 + 4 + 4 bytes
 * for logits, copy and log-softmax, 4 + 4 for gradients; gathered logits take the same on each
 * GPU of a TP group. */
static void
test_loss (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  double logits = 8192.0 * 128256.0;
  PlgStageMemory fused, plain, gathered, whole;

  plan->training.recompute = PLG_RECOMPUTE_FULL;
  plg_memory_ledger (plan, &fused);
  /* The kernel of DeepSpeed's programs keeps the softmax in 4 bytes, with and without flash attention. */
  plan->training.program = PLG_PROGRAM_DEEPSPEED;
  plg_memory_ledger (plan, &plain);
  assert_near (plain.activations - fused.activations, 2.0 * logits, 1e-12);
  plan->training.program = PLG_PROGRAM_MEGATRON;
  plan->training.loss = PLG_LOSS_PLAIN;
  plg_memory_ledger (plan, &plain);
  assert_near (plain.activations - fused.activations, (18.0 - 4.0) * logits, 1e-12);
  plan->training.loss = PLG_LOSS_GATHERED;
  plg_memory_ledger (plan, &whole);
  g_assert_cmpfloat (whole.activations, ==, plain.activations);

  plan_set_degrees (plan, 4, 1, 1, 2, 1);
  plan->model.vocabulary = 128512; /* a multiple of 4 x 128 */
  plg_memory_ledger (plan, &gathered);
  plan->training.loss = PLG_LOSS_PLAIN;
  plg_memory_ledger (plan, &plain);
  assert_near (gathered.activations - plain.activations, 18.0 * 0.75 * 8192.0 * 128512.0, 1e-12);
}

/* The MTP module of DeepSeek-V3 has 11.5 billion parameters of its own (README_WEIGHTS.md of its
 * repository). The last stage holds a copy of the embedding; with DualPipe it shares that of the first
 * stage, which is on the same GPU (arXiv 2412.19437, section 3.2.3). */
static void
test_mtp (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  double matrix, h = 7168.0, with, without, copies;
  PlgStageParts first, last;
  PlgParameters own, other;

  plan->model = deepseek_v3;
  plan_set_degrees (plan, 1, 1, 16, 1, 1);
  matrix = plg_padded_vocabulary (plan) * h;
  last = plg_stage_parts (plan, 15);
  g_assert_cmpint (last.mtp_layers, ==, 1);
  own = plg_stage_parameters (plan, &last);
  plan->model.mtp_layers = 0;
  other = plg_stage_parameters (plan,
                                &(PlgStageParts) { .moe_layers = last.moe_layers, .output = TRUE });
  plan->model.mtp_layers = 1;
  with = own.sharded + own.replicated + own.expert;
  without = other.sharded + other.replicated + other.expert;
  assert_near (with - without - matrix, 11.5e9, 0.01);

  /* Besides its layer, the module keeps two inputs of norms and their outputs, 2 bytes each. */
  assert_near (plg_stage_activation_bytes (plan, 15) -
                   (last.moe_layers + 1.0) * plg_layer_activation_bytes (plan, TRUE),
               8.0 * h, 1e-9);

  plan->training.schedule = PLG_SCHEDULE_DUALPIPE;
  first = plg_stage_parts (plan, 0);
  last = plg_stage_parts (plan, 15);
  copies = plg_shared_vocabulary_matrices (plan, &first, &last);
  g_assert_cmpfloat (copies, ==, 1.0);
  assert_near (plg_stage_gpu_parameters (plan, 0).dense, plg_stage_gpu_parameters (plan, 15).dense,
               1e-12);
  plan->model.tied = TRUE;
  g_assert_cmpint (plg_shared_vocabulary_matrices (plan, &first, &last), ==, 1);
  g_assert_cmpint (plg_shared_vocabulary_matrices (plan, &first, &(PlgStageParts) { 0 }), ==, 0);
}

/* A chunked loss has a piece of the logits: 3,072 words in Megatron-LM, an eighth of the tokens in
 * other programs. */
static void
test_chunked_loss (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  double tokens = 8192.0, h = 4096.0, words = 128256.0;
  PlgStageMemory fused, chunked;

  plan->model.ffn = 1; /* a layer needs less than the loss */
  plan->training.recompute = PLG_RECOMPUTE_FULL;
  plan->training.flash_attention = TRUE;
  plg_memory_ledger (plan, &fused);
  plan->training.loss = PLG_LOSS_CHUNKED;
  plan->training.program = PLG_PROGRAM_FSDP_COMPILED;
  plg_memory_ledger (plan, &chunked);
  assert_near (fused.activations - chunked.activations,
               tokens * (4.0 * words - 18.0 / 8.0 * words - 4.0 * h), 1e-9);
  plan->training.program = PLG_PROGRAM_MEGATRON;
  plg_memory_ledger (plan, &chunked);
  g_assert_cmpfloat (chunked.activations, <, fused.activations - 3.0 * tokens * words);
}

/* GPipe keeps the logits of all micro-batches, but the gradients of only one. */
static void
test_loss_of_gpipe (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory stages[4];
  double one;

  plan_set_degrees (plan, 1, 1, 4, 1, 1);
  plan->training.recompute = PLG_RECOMPUTE_FULL;
  plan->training.schedule = PLG_SCHEDULE_GPIPE;
  plan->training.loss = PLG_LOSS_PLAIN;
  plan->training.global_batch = 4;
  plg_memory_ledger (plan, stages);
  one = stages[3].activations;
  plan->training.global_batch = 5;
  plg_memory_ledger (plan, stages);
  assert_near (stages[3].activations - one, 8192.0 * (10.0 * 128256.0 + 8.0 * 2.0 * 4096.0), 1e-12);
}

/* DeepSpeed's BF16_Optimizer holds BF16 gradients in addition to FP32 gradients. Megatron-LM
 * accumulates directly in FP32, with and without flash attention. */
static void
test_two_gradients (void)
{
  static const struct
  {
    PlgProgram program;
    PlgPrecision precision, gradients;
    int zero;
    double bytes; /* per parameter of the GPU */
  } rows[] = {
    { PLG_PROGRAM_MEGATRON, PLG_PRECISION_BF16, PLG_PRECISION_FP32, 1, 4.0 },
    { PLG_PROGRAM_PLAIN, PLG_PRECISION_BF16, PLG_PRECISION_FP32, 1, 4.0 },
    { PLG_PROGRAM_DEEPSPEED, PLG_PRECISION_BF16, PLG_PRECISION_FP32, 1, 6.0 },
    { PLG_PROGRAM_DEEPSPEED, PLG_PRECISION_BF16, PLG_PRECISION_FP32, 0, 6.0 },
    { PLG_PROGRAM_DEEPSPEED, PLG_PRECISION_BF16, PLG_PRECISION_BF16, 1, 2.0 },
    { PLG_PROGRAM_DEEPSPEED, PLG_PRECISION_FP16, PLG_PRECISION_FP32, 1, 4.0 },
    { PLG_PROGRAM_MEGATRON_DEEPSPEED, PLG_PRECISION_BF16, PLG_PRECISION_FP32, 1, 6.0 },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = small_plan ();
      PlgStageMemory stage;

      plan->training.flash_attention = i % 2 == 0;
      plan->training.program = rows[i / 2].program;
      plan->training.precision = rows[i / 2].precision;
      plan->training.gradient_precision = rows[i / 2].gradients;
      plan->parallelism.zero = rows[i / 2].zero;
      plg_memory_ledger (plan, &stage);
      g_assert_cmpfloat (stage.gradients, ==, rows[i / 2].bytes * stage.parameters);
    }
}

/* Quantized copies of Transformer Engine, and the bytes that ZeRO and sequence parallelism gather, by
 * hand: docs/features/low_precision_training of Transformer Engine. */
static void
test_recipes (void)
{
  static const struct
  {
    PlgProgram program;
    PlgPrecision precision;
    PlgFp8Recipe recipe;
    double copies, weights, inputs;
  } rows[] = {
    { PLG_PROGRAM_MEGATRON, PLG_PRECISION_BF16, PLG_FP8_RECIPE_MXFP8, 0.0, 2.0, 2.0 },
    { PLG_PROGRAM_MEGATRON, PLG_PRECISION_FP8, PLG_FP8_RECIPE_AUTO, 0.0, 1.0, 1.0 },
    { PLG_PROGRAM_MEGATRON, PLG_PRECISION_FP8, PLG_FP8_RECIPE_CURRENT, 0.0, 1.0, 1.0 },
    { PLG_PROGRAM_MEGATRON, PLG_PRECISION_FP8, PLG_FP8_RECIPE_BLOCKWISE, 2.0, 2.0, 1.03125 },
    { PLG_PROGRAM_MEGATRON, PLG_PRECISION_FP8, PLG_FP8_RECIPE_MXFP8, 0.0625, 2.0, 1.03125 },
    { PLG_PROGRAM_MEGATRON, PLG_PRECISION_FP4, PLG_FP8_RECIPE_AUTO, 1.125, 2.0, 0.5625 },
    { PLG_PROGRAM_FSDP_COMPILED, PLG_PRECISION_FP8, PLG_FP8_RECIPE_AUTO, 0.0, 1.0, 1.0 },
    { PLG_PROGRAM_FSDP_COMPILED, PLG_PRECISION_FP8, PLG_FP8_RECIPE_MXFP8, 0.0, 2.0, 2.0 },
    { PLG_PROGRAM_PLAIN, PLG_PRECISION_FP8, PLG_FP8_RECIPE_AUTO, 0.0, 2.0, 2.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = small_plan ();
      PlgStageBuffers buffers;
      double vocabulary, parameters;

      plan->training.program = rows[i].program;
      plan->training.precision = rows[i].precision;
      plan->training.fp8_recipe = rows[i].recipe;
      buffers = plg_stage_buffers (plan, 0);
      vocabulary = 2.0 * plg_vocabulary_matrix (plan);
      parameters = plg_stage_gpu_parameters (plan, 0).dense;
      g_assert_cmpfloat (buffers.copies, ==, rows[i].copies * (parameters - vocabulary));
      /* A tied model has one matrix less, and copies of the same matrices. */
      plan->model.tied = TRUE;
      g_assert_cmpfloat (plg_stage_gpu_parameters (plan, 0).dense, ==,
                         parameters - 0.5 * vocabulary);
      g_assert_cmpfloat (plg_stage_buffers (plan, 0).copies, ==, buffers.copies);
      g_assert_cmpfloat (plg_gathered_weight_bytes (plan), ==, rows[i].weights);
      g_assert_cmpfloat (plg_gathered_input_bytes (plan), ==, rows[i].inputs);
      plan->parallelism.zero = 3;
      g_assert_cmpfloat (plg_stage_buffers (plan, 0).copies, ==, 0.0);
    }
}

/* The slack of the allocator depends on the program, and not on flash attention. */
static void
test_allocator_of_program (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();

  plan->cluster.memory = 0.0; /* no limit */
  for (int flash = 0; flash <= 1; flash++)
    {
      plan->training.flash_attention = flash;
      plan->training.program = PLG_PROGRAM_MEGATRON;
      g_assert_cmpfloat (plg_allocator_slack (plan, PLG_GIB, 0.0), ==, 0.08);
      plan->training.program = PLG_PROGRAM_DEEPSPEED;
      g_assert_cmpfloat (plg_allocator_slack (plan, PLG_GIB, 0.0), ==, 0.28);
    }
}

/* A program that gathers inputs in an operation of its own keeps them: two per layer, of which sequence
 * parallelism would divide all but one share by TP. */
static void
test_gathered_inputs (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  double divided, kept, tp = 4.0;

  plan_set_degrees (plan, 4, 1, 1, 2, 1);
  plan->parallelism.sequence = TRUE;
  plan->training.kernels = PLG_KERNELS_FUSED;
  plan->training.program = PLG_PROGRAM_MEGATRON;
  divided = plg_layer_activation_bytes (plan, FALSE);
  plan->training.program = PLG_PROGRAM_FSDP_COMPILED;
  kept = plg_layer_activation_bytes (plan, FALSE);
  assert_near (kept - divided, 2.0 * 2.0 * plan->model.hidden * (1.0 - 1.0 / tp), 1e-12);
  plan->training.recompute_modules = PLG_MODULE_NORM;
  assert_near (plg_layer_activation_bytes (plan, FALSE), kept - 2.0 * 2.0 * plan->model.hidden,
               1e-12);
  plan->training.recompute_modules = 0;
  plan->parallelism.sequence = FALSE;
  kept = plg_layer_activation_bytes (plan, FALSE);
  plan->training.program = PLG_PROGRAM_MEGATRON;
  g_assert_cmpfloat (kept, ==, plg_layer_activation_bytes (plan, FALSE));
}

/* Rotary positions in single operations keep queries and keys from before the rotation. Models with
 * learned positions have no rotation. */
static void
test_rotated_queries (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  double fused[2], eager[2];

  for (int learned = 0; learned <= 1; learned++)
    {
      plan->model.gated = FALSE;
      plan->model.positions = learned ? plan->training.sequence : 0;
      plan->training.kernels = PLG_KERNELS_FUSED;
      fused[learned] = plg_layer_activation_bytes (plan, FALSE);
      plan->training.kernels = PLG_KERNELS_EAGER;
      eager[learned] = plg_layer_activation_bytes (plan, FALSE);
    }
  assert_near (eager[0] - fused[0],
               2.0 * (plan->model.heads + plan->model.kv_heads) * plan->model.head_dim, 1e-9);
  g_assert_cmpfloat (eager[1], ==, fused[1]);
}

/* The allocator loses at least one block of the logits in FP32, unless the loss is fused. */
static void
test_lost_block (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  double block;

  plan->training.loss = PLG_LOSS_FUSED;
  g_assert_cmpfloat (plg_stage_largest_block (plan, 0), ==, 0.0);
  plan->training.loss = PLG_LOSS_PLAIN;
  block = plg_stage_largest_block (plan, 0);
  assert_near (block, 4.0 * plg_gpu_tokens (plan) * plg_padded_vocabulary (plan), 1e-12);
  assert_near (plg_allocator_slack (plan, block, block), 1.0, 1e-12);
  plan->cluster.memory = 0.0; /* no limit */
  assert_near (plg_allocator_slack (plan, 1e6 * block, block), 0.08, 1e-12);
  plan_set_degrees (plan, 1, 1, 2, 4, 1);
  g_assert_cmpfloat (plg_stage_largest_block (plan, 0), ==, 0.0);
  assert_near (plg_stage_largest_block (plan, 1), block, 1e-12);
}

/* PyTorch adds the gradient of one matrix before the next is made, so its buffer is smaller than
 * Transformer Engine's, which has room for a layer. */
static void
test_gradient_of_matrix (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  double layer, matrix;

  plan_set_degrees (plan, 1, 1, 2, 4, 1);
  plan->training.program = PLG_PROGRAM_MEGATRON;
  layer = plg_stage_buffers (plan, 0).gradients;
  plan->training.program = PLG_PROGRAM_PLAIN;
  matrix = plg_stage_buffers (plan, 0).gradients;
  g_assert_cmpfloat (matrix, <, layer);
  g_assert_cmpfloat (matrix, >=, 2.0 * plan->model.hidden * plan->model.ffn);
}

/* With hardly any activations the optimizer step is the peak: an FP32 copy of the 16-bit
 * gradients in a GPU's shard. */
static void
test_step_peak (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory stage;

  plan_set_training (plan, 128, 1, 8);
  plan->training.gradient_precision = PLG_PRECISION_BF16;
  plan->parallelism.zero = 0;
  plg_memory_ledger (plan, &stage);
  assert_near (stage.activations + stage.buffers, 4.0 * stage.parameters, 1e-12);
  plan->parallelism.zero = 3;
  plg_memory_ledger (plan, &stage);
  assert_near (stage.activations + stage.buffers, 4.0 * stage.parameters / 8.0, 1e-12);
}

/* On a full GPU, the allocator frees its cached memory down to a quarter; the driver then shows
 * a full GPU, and more memory never makes a plan use less. */
static void
test_allocator_under_pressure (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory stage;
  double slack = plg_engine_constant (plg_program_habits (plan)->slack), free_total, last = 0.0,
         bytes;

  plan->cluster.memory = 192.0 * PLG_GIB;
  plg_memory_ledger (plan, &stage);
  free_total = stage.total;
  bytes = allocated (&stage);
  assert_near (plg_allocator_slack (plan, bytes, 0.0), slack, 1e-12);
  for (double part = 0.9; part < 1.05; part += 0.005)
    {
      plan->cluster.memory = part * free_total;
      plg_memory_ledger (plan, &stage);
      g_assert_cmpfloat (stage.total, >=, last);
      g_assert_cmpfloat (stage.total, <=, free_total);
      last = stage.total;
    }
  g_assert_cmpfloat (last, ==, free_total);
  plan->cluster.memory = free_total - 0.25 * slack * bytes;
  plg_memory_ledger (plan, &stage);
  g_assert_cmpfloat (stage.total, <=, plan->cluster.memory); /* full, and fits */
  assert_near (stage.total, plan->cluster.memory, 1e-6);
  plan->cluster.memory = free_total - 0.9 * slack * bytes;
  plg_memory_ledger (plan, &stage);
  g_assert_cmpfloat (stage.total, >, plan->cluster.memory);
}

static void
test_total_adds_up (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory stages[4];

  plan->model = deepseek_v3;
  plan_set_degrees (plan, 2, 1, 4, 8, 16);
  plg_memory_ledger (plan, stages);
  for (int i = 0; i < 4; i++)
    {
      const PlgStageMemory *s = &stages[i];

      g_assert_cmpfloat (s->total, ==,
                         s->weights + s->gradients + s->optimizer + s->activations + s->buffers +
                             s->runtime);
      g_assert_cmpfloat (s->runtime, >, 0.0);
      g_assert_true (isfinite (s->total));
    }
  g_assert_cmpint (stages[0].layers + stages[1].layers + stages[2].layers + stages[3].layers, ==,
                   61);
}

/* The default plan of the window: Llama 3 70B on 64 H100, TP 8, PP 4, DP 2. */
static void
test_teaching_case (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgStageMemory stages[4];

  plan->model = llama3_70b;
  plan_set_degrees (plan, 8, 1, 4, 2, 1);
  plan_set_training (plan, 8192, 1, 64);
  plg_memory_ledger (plan, stages);
  for (int i = 0; i < 4; i++)
    {
      g_test_message ("stage %d: %.2f GiB", i, stages[i].total / PLG_GIB);
      g_assert_cmpint (stages[i].in_flight, ==, 4 - i);
    }
  g_assert_cmpfloat (stages[0].total, >, stages[1].total);
  g_assert_cmpfloat (stages[0].total / PLG_GIB, >, 40.0);
  g_assert_cmpfloat (stages[0].total / PLG_GIB, <, 75.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory/measured", test_measured);
  g_test_add_func ("/memory/state/zero", test_zero_stages);
  g_test_add_func ("/memory/state/optimizers", test_optimizers);
  g_test_add_func ("/memory/state/precision-aware", test_precision_aware_optimizer);
  g_test_add_func ("/memory/state/shard-groups", test_shard_groups);
  g_test_add_func ("/memory/layer/korthikanti", test_korthikanti_layer);
  g_test_add_func ("/memory/layer/dropout-masks", test_dropout_masks);
  g_test_add_func ("/memory/layer/flash", test_flash_layer);
  g_test_add_func ("/memory/layer/recomputed-modules", test_recomputed_modules);
  g_test_add_func ("/memory/layer/recomputed-modules-of-mla", test_recomputed_modules_of_mla);
  g_test_add_func ("/memory/layer/recomputed-modules-need-memory",
                   test_recomputed_modules_need_memory);
  g_test_add_func ("/memory/in-flight", test_in_flight);
  g_test_add_func ("/memory/dualpipe", test_dualpipe_holds_two_stages);
  g_test_add_func ("/memory/remedies", test_remedies_lower_the_peak);
  g_test_add_func ("/memory/full-recompute", test_full_recompute);
  g_test_add_func ("/memory/part-recompute/layers", test_part_recompute);
  g_test_add_func ("/memory/part-recompute/stages", test_part_recompute_of_stages);
  g_test_add_func ("/memory/loss/kinds", test_loss);
  g_test_add_func ("/memory/mtp", test_mtp);
  g_test_add_func ("/memory/loss/chunked", test_chunked_loss);
  g_test_add_func ("/memory/loss/gpipe", test_loss_of_gpipe);
  g_test_add_func ("/memory/state/two-gradients", test_two_gradients);
  g_test_add_func ("/memory/state/allocator-of-program", test_allocator_of_program);
  g_test_add_func ("/memory/state/recipes", test_recipes);
  g_test_add_func ("/memory/state/gradient-of-matrix", test_gradient_of_matrix);
  g_test_add_func ("/memory/state/lost-block", test_lost_block);
  g_test_add_func ("/memory/layer/gathered-inputs", test_gathered_inputs);
  g_test_add_func ("/memory/layer/rotated-queries", test_rotated_queries);
  g_test_add_func ("/memory/step-peak", test_step_peak);
  g_test_add_func ("/memory/allocator-under-pressure", test_allocator_under_pressure);
  g_test_add_func ("/memory/adds-up", test_total_adds_up);
  g_test_add_func ("/memory/teaching-case", test_teaching_case);
  return g_test_run ();
}
