/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/model/indexer.h"
#include "engine/model/flops.h"

#include "models.h"
#include "plan/settings/setting.h"

#include <math.h>

static void
assert_near (double value, double wanted, double relative)
{
  if (fabs (value - wanted) > relative * fabs (wanted))
    g_error ("%.9g instead of %.9g (within %g)", value, wanted, relative);
}

static void
test_published_parameters (void)
{
  /* Billions, from the authors or from the sum of the tensors in the checkpoint. */
  static const struct
  {
    const PlgTransformer *model;
    double total;
    double active;
  } rows[] = {
    { &gpt3_175b, 174.604, 174.604 },  { &bloom_176b, 176.247, 176.247 },
    { &megatron_22b, 22.07, 22.07 },   { &mtnlg_530b, 529.6, 529.6 },
    { &megatron_1t, 1008.0, 1008.0 },  { &llama2_7b, 6.7384, 6.7384 },
    { &llama2_13b, 13.0159, 13.0159 }, { &llama2_70b, 68.9766, 68.9766 },
    { &llama3_8b, 8.0303, 8.0303 },    { &llama3_70b, 70.5537, 70.5537 },
    { &llama3_405b, 405.85, 405.85 },  { &mixtral_8x7b, 46.703, 12.879 },
    { &mixtral_8x22b, 140.63, 39.16 }, { &qwen3_235b, 235.09, 22.19 },
    { &deepseek_v2, 235.74, 21.4 },    { &deepseek_v3, 671.03, 37.55 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_test_message ("%s", rows[i].model->name);
      assert_near (plg_parameters_total (rows[i].model), rows[i].total * 1e9, 5e-4);
      assert_near (plg_parameters_active (rows[i].model), rows[i].active * 1e9, 2e-3);
    }
}

/* Exact numbers of parameters, from the index of tensors in the checkpoint. */
static void
test_exact_parameters (void)
{
  g_assert_cmpfloat (plg_parameters_total (&llama2_7b), ==, 6738415616.0);
  g_assert_cmpfloat (plg_parameters_total (&llama3_8b), ==, 8030261248.0);
  g_assert_cmpfloat (plg_parameters_total (&llama3_70b), ==, 70553706496.0);
  g_assert_cmpfloat (plg_parameters_total (&llama3_405b), ==, 405853388800.0);
  g_assert_cmpfloat (plg_parameters_total (&mixtral_8x7b), ==, 46702792704.0);
}

/* The numbers of parameters in the weights on Hugging Face. Those of Qwen3-Next include the norms of
 * queries and keys in 12 layers and the gate of the shared expert in 48, which a plan leaves out. */
static void
test_hybrid_parameters (void)
{
  g_assert_cmpfloat (plg_parameters_total (&nemotron_3_nano), ==, 31577937344.0);
  g_assert_cmpfloat (plg_parameters_total (&nemotron_nano_9b), ==, 8888227328.0);
  g_assert_cmpfloat (plg_parameters_total (&granite_4_h_small), ==, 32207337984.0);
  g_assert_cmpfloat (plg_parameters_total (&qwen3_next) + 12.0 * 2.0 * 256.0 + 48.0 * 2048.0, ==,
                     79674391296.0);
  /* 3.2 billion without the embeddings (Nemotron 3 Nano report), 3 billion (Qwen3-Next). */
  assert_near (plg_parameters_active (&nemotron_3_nano) - 131072.0 * 2688.0, 3.2e9, 0.02);
  assert_near (plg_parameters_active (&qwen3_next) - 2.0 * 151936.0 * 2048.0, 3.2e9, 0.03);
}

static double
flops_per_token (const PlgTransformer *model, int sequence, int vocabulary)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();

  plan->model = *model;
  plan->model.vocabulary = vocabulary;
  plan_set_degrees (plan, 1, 1, 1, 1, 1);
  plan_set_training (plan, sequence, 1, 4);
  return plg_model_flops (plan) / (4.0 * sequence);
}

static void
test_flops_per_token (void)
{
  /* Megatron-LM's own number for these models, with the vocabulary of the run. */
  static const struct
  {
    const PlgTransformer *model;
    int sequence;
    int vocabulary;
    double flops;
  } rows[] = {
    { &gpt3_175b, 2048, 51200, 1.061947441152e12 },
    { &megatron_22b, 2048, 51200, 1.35970947072e11 },
    { &mtnlg_530b, 2048, 51200, 3.2036093952e12 },
    { &megatron_1t, 2048, 51200, 6.0879273984e12 },
    { &llama3_8b, 8192, 128256, 5.1470401536e10 },
    { &llama3_70b, 8192, 128256, 4.49222541312e11 },
    { &mixtral_8x7b, 4096, 32000, 7.9706456064e10 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_test_message ("%s", rows[i].model->name);
      assert_near (flops_per_token (rows[i].model, rows[i].sequence, rows[i].vocabulary),
                   rows[i].flops, 1e-12);
    }
  /* Megatron-LM also counts the latent norms of MLA and MTP: less than one in 10^4. */
  assert_near (flops_per_token (&deepseek_v3, 4096, 129280), 2.5999e11, 1e-4);
}

static void
test_causal_counts_half_of_attention (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  double causal;

  plan->model = llama3_8b;
  plan_set_degrees (plan, 1, 1, 1, 1, 1);
  plan_set_training (plan, 8192, 1, 4);
  causal = plg_model_flops (plan);
  plan->training.causal = FALSE;
  /* 51.47 and 57.91 GFLOP per token. */
  assert_near (plg_model_flops (plan) / causal, 57.91 / 51.47, 1e-4);
  assert_near (plg_model_flops (plan) - causal, 3.0 * 4 * 8192.0 * 32 * (2.0 * 8192 * 32 * 128),
               1e-12);
}

/* The FLOPs of Megatron-LM's training.py, hybrid_flops(), for one forward pass per token. */
static void
test_hybrid_flops (void)
{
  double attention = 2.0 * 2688.0 * (2.0 * 32.0 + 2.0 * 2.0) * 128.0 + 2.0 * 4096.0 * 8192.0;
  double mamba = 2.0 * 2688.0 * (2.0 * 4096.0 + 2.0 * 8.0 * 128.0 + 64.0) + 7.0 * 4096.0 * 128.0 +
                 2.0 * 4096.0 * 2688.0;
  double experts = 4.0 * 2688.0 * (6.0 + 2.0) * 1856.0;
  double logits = 2.0 * 2688.0 * 131072.0;
  double delta = 2.0 * (2048.0 * (4096.0 + 8192.0 + 64.0) + 4.0 * 8192.0 +
                        32.0 * 128.0 * 128.0 * 4.0 + 2048.0 * 4096.0);
  double gated = 2.0 * 2048.0 * (3.0 * 16.0 + 2.0 * 2.0) * 256.0 + 2.0 * 16.0 * 256.0 * 8192.0;
  double swiglu = 6.0 * 2048.0 * 11.0 * 512.0;

  assert_near (flops_per_token (&nemotron_3_nano, 8192, 131072),
               3.0 * (6.0 * attention + 23.0 * mamba + 23.0 * experts + logits), 1e-9);
  assert_near (flops_per_token (&qwen3_next, 8192, 151936),
               3.0 * (12.0 * gated + 36.0 * delta + 48.0 * swiglu + 2.0 * 2048.0 * 151936.0), 1e-9);
}

/* The layers of all parts add up to those of the model, whatever the numbers in the plan. */
static void
test_hybrid_layers (void)
{
  PlgTransformer model = qwen3_next;
  PlgLayerShares real[PLG_MAX_REAL_LAYERS];

  g_assert_cmpint (plg_transformer_attention_layers (&model), ==, 12);
  g_assert_cmpint (plg_transformer_mixer_layers (&model), ==, 36);
  g_assert_cmpint (plg_transformer_mlp_layers (&model), ==, 48);
  g_assert_cmpint (plg_real_layers (&model, real), ==, 2);
  g_assert_cmpfloat (real[0].attention, ==, 1.0);
  g_assert_cmpfloat (real[1].mixer, ==, 1.0);
  g_assert_cmpfloat (real[1].mlp, ==, 1.0);
  model = nemotron_3_nano;
  g_assert_cmpint (plg_transformer_mixer_layers (&model), ==, 23);
  g_assert_cmpint (plg_real_layers (&model, real), ==, 3);
  g_assert_cmpfloat (real[0].mlp, ==, 0.0);
  model.attention_layers = G_MAXINT;
  model.mlp_layers = G_MAXINT;
  g_assert_cmpint (plg_transformer_attention_layers (&model), ==, 52);
  g_assert_cmpint (plg_transformer_mixer_layers (&model), ==, 0);
  model.mixer = PLG_MIXER_NONE;
  g_assert_cmpint (plg_transformer_mlp_layers (&model), ==, 52);
  g_assert_cmpint (plg_real_layers (&model, real), ==, 1);
  /* Mamba-2 without MLPs */
  model = nemotron_nano_9b;
  model.ffn = model.mlp_layers = model.attention_layers = 0;
  g_assert_cmpint (plg_transformer_mlp_layers (&model), ==, 0);
  g_assert_cmpint (plg_real_layers (&model, real), ==, 1);
  g_assert_cmpfloat (real[0].mixer, ==, 1.0);
  g_assert_cmpfloat (real[0].mlp, ==, 0.0);
}

static double
keys_of (const char *settings)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  g_auto (GStrv) assignments = g_strsplit (settings, " ", -1);

  plan->model = llama3_8b;
  plan_set_degrees (plan, 1, 1, 1, 1, 1);
  plan_set_training (plan, 8192, 1, 4);
  for (int i = 0; assignments[i] != NULL && *settings != '\0'; i++)
    g_assert_true (plg_setting_assign (plan, NULL, assignments[i], NULL));
  return plg_attention_keys (plan);
}

/* Counts the scores of a small causal sequence one by one. */
static double
counted_keys (int sequence, int window, gboolean chunked)
{
  double sum = 0.0;

  for (int query = 0; query < sequence; query++)
    for (int key = 0; key <= query; key++)
      sum += chunked ? query / window == key / window : key > query - window;
  return sum / sequence;
}

/* The keys inside a window are counted, but the query's own key only by half until the window is full, as
 * without a window. A count of all pairs has w/(2s) keys more per query, or 1/2 with chunks. */
static void
test_windows (void)
{
  assert_near (keys_of (""), 4096.0, 1e-12);
  assert_near (keys_of ("training.causal=false"), 8192.0, 1e-12);
  assert_near (keys_of ("model.window=8192"), 4096.0, 1e-12);
  assert_near (keys_of ("model.window=100000"), 4096.0, 1e-12);
  assert_near (keys_of ("model.window=128"), 128.0 - 128.0 * 128.0 / 16384.0, 1e-12);
  assert_near (keys_of ("model.window=128 training.causal=false"), 128.0, 1e-12);
  assert_near (keys_of ("model.window=2048 model.window-chunked=true"), 1024.0, 1e-12);
  assert_near (keys_of ("model.window=2048 model.window-chunked=true training.causal=false"),
               2048.0, 1e-12);
  /* A piece of 5,000 tokens and one of 3,192. */
  assert_near (keys_of ("model.window=5000 model.window-chunked=true"),
               (5000.0 * 5000.0 + 3192.0 * 3192.0) / (2.0 * 8192.0), 1e-12);
  /* The whole sequence is seen by 5 of 32 layers. */
  assert_near (keys_of ("model.window=1024 model.full-attention-every=6"),
               (5.0 * 4096.0 + 27.0 * (1024.0 - 64.0)) / 32.0, 1e-12);
  assert_near (keys_of ("model.window=1024 model.full-attention-every=1"), 4096.0, 1e-12);
  assert_near (keys_of ("model.window=1024 model.full-attention-every=33"), 1024.0 - 64.0, 1e-12);
  for (int window = 3; window < 64; window += 7)
    {
      g_autofree char *text = g_strdup_printf ("training.sequence=64 model.window=%d", window);
      g_autofree char *chunked = g_strconcat (text, " model.window-chunked=true", NULL);

      g_assert_cmpfloat_with_epsilon (counted_keys (64, window, FALSE) - keys_of (text),
                                      window / (2.0 * 64.0), 1e-12);
      g_assert_cmpfloat_with_epsilon (counted_keys (64, window, TRUE) - keys_of (chunked), 0.5,
                                      1e-12);
    }
}

static double
hardware_over_model (PlgRecompute recompute, gboolean flash)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();

  plan->model = megatron_22b;
  plan_set_degrees (plan, 8, 1, 1, 1, 1);
  plan_set_training (plan, 2048, 4, 4);
  plan->training.recompute = recompute;
  plan->training.flash_attention = flash;
  plan->training.causal = FALSE;
  return plg_hardware_flops (plan) / plg_model_flops (plan);
}

static void
test_recompute (void)
{
  double layers, h = 6144.0, s = 2048.0;

  g_assert_cmpfloat (hardware_over_model (PLG_RECOMPUTE_NONE, TRUE), ==, 1.0);
  g_assert_cmpfloat (hardware_over_model (PLG_RECOMPUTE_NONE, FALSE), ==, 1.0);
  g_assert_cmpfloat (hardware_over_model (PLG_RECOMPUTE_SELECTIVE, TRUE), ==, 1.0);
  /* One more forward pass of QK^T and AV: 4 s h of 72 h^2 + 12 s h + logits. */
  layers = 24.0 * h * h + 4.0 * s * h;
  assert_near (hardware_over_model (PLG_RECOMPUTE_SELECTIVE, FALSE),
               1.0 + 4.0 * s * h / (3.0 * (layers + 2.0 * 51200.0 * h / 48.0)), 1e-9);
  /* The logits are not recomputed, so the ratio stays below 4/3. */
  assert_near (hardware_over_model (PLG_RECOMPUTE_FULL, TRUE),
               1.0 + layers / (3.0 * (layers + 2.0 * 51200.0 * h / 48.0)), 1e-9);
}

/* The products of the up-projections, of the MLP and of the experts run once more. */
static void
test_recomputed_modules (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  double tokens = 4096.0, h = 7168.0, expert = 3.0 * h * 2048.0;
  double up = 1536.0 * 128.0 * 192.0 + 512.0 * 128.0 * 256.0;

  plan->model = deepseek_v3;
  plan_set_degrees (plan, 1, 1, 1, 1, 1);
  plan_set_training (plan, 4096, 1, 1);
  plan->training.recompute_modules = PLG_MODULE_NORM | PLG_MODULE_ACTIVATION;
  g_assert_cmpfloat (plg_layer_recompute_flops (plan, TRUE), ==, 0.0);
  plan->training.recompute_modules = PLG_MODULE_MLA_UP | PLG_MODULE_MLP | PLG_MODULE_EXPERTS;
  assert_near (plg_layer_recompute_flops (plan, TRUE), 2.0 * tokens * (up + 9.0 * expert), 1e-12);
  assert_near (plg_layer_recompute_flops (plan, FALSE), 2.0 * tokens * (up + 3.0 * h * 18432.0),
               1e-12);
}

static void
assert_layers (PlgPlan *plan, int stages, const int *wanted)
{
  plan->parallelism.degree[PLG_AXIS_PP] = stages;
  for (int stage = 0; stage < stages; stage++)
    g_assert_cmpint (plg_stage_layers (plan, stage).layers, ==, wanted[stage]);
}

static void
test_layers_over_stages (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();

  plan_set_degrees (plan, 1, 1, 1, 1, 1);
  plan_set_training (plan, 8192, 1, 64);
  plan->model = llama3_405b;
  assert_layers (plan, 16, (int[]) { 7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7 });
  assert_layers (plan, 4, (int[]) { 31, 32, 32, 31 });
  plan->model = llama3_70b;
  assert_layers (plan, 4, (int[]) { 20, 20, 20, 20 });
  plan->model = deepseek_v3;
  assert_layers (plan, 4, (int[]) { 15, 16, 15, 15 });
  assert_layers (plan, 1, (int[]) { 61 });
}

/* With any schedule, each layer is on exactly one stage. */
static void
test_layers_add_up (void)
{
  static const PlgSchedule schedules[] = { PLG_SCHEDULE_1F1B, PLG_SCHEDULE_INTERLEAVED,
                                           PLG_SCHEDULE_ZB_V, PLG_SCHEDULE_DUALPIPE };
  g_autoptr (PlgPlan) plan = plg_plan_new ();

  plan->model = deepseek_v3;
  plan_set_training (plan, 4096, 1, 64);
  for (guint i = 0; i < G_N_ELEMENTS (schedules); i++)
    for (int stages = 1; stages <= 16; stages++)
      {
        int layers = 0, moe = 0;

        plan_set_degrees (plan, 1, 1, stages, 1, 1);
        plan->training.schedule = schedules[i];
        plan->parallelism.chunks = 3;
        for (int stage = 0; stage < stages; stage++)
          {
            layers += plg_stage_layers (plan, stage).layers;
            moe += plg_stage_layers (plan, stage).moe_layers;
          }
        g_assert_cmpint (layers, ==, 61);
        g_assert_cmpint (moe, ==, 58);
      }
}

static void
test_virtual_stages (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  PlgLayerRun run;

  plan->model = llama3_70b;
  plan_set_degrees (plan, 1, 1, 4, 1, 1);
  plan_set_training (plan, 8192, 1, 64);
  plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
  plan->parallelism.chunks = 5;
  run = plg_chunk_layers (plan, 1, 2); /* the tenth of 20 runs of 4 */
  g_assert_cmpint (run.first, ==, 36);
  g_assert_cmpint (run.layers, ==, 4);

  plan->training.schedule = PLG_SCHEDULE_ZB_V;
  run = plg_chunk_layers (plan, 0, 1);
  g_assert_cmpint (run.first, ==, 70);
  g_assert_true (plg_stage_has_output (plan, 0));
  g_assert_false (plg_stage_has_output (plan, 3));
}

/* 1/8 of the matrices, and all of the norms; equal to Megatron-LM's number for its fullest
 * shard. */
static void
test_parameters_on_a_gpu (void)
{
  static const struct
  {
    const PlgTransformer *model;
    int tp, pp, dp, ep;
    double billions;
  } rows[] = {
    { &llama3_70b, 8, 1, 8, 1, 8.8219 },   { &llama3_70b, 4, 4, 4, 1, 4.5417 },
    { &llama3_70b, 8, 8, 1, 1, 1.2018 },   { &llama3_8b, 1, 1, 64, 1, 8.0303 },
    { &llama3_8b, 8, 1, 8, 1, 1.0048 },    { &mixtral_8x7b, 1, 4, 16, 8, 1.8762 },
    { &mixtral_8x7b, 2, 4, 8, 8, 1.6429 }, { &mixtral_8x7b, 8, 1, 8, 8, 5.8398 },
  };
  g_autoptr (PlgPlan) plan = plg_plan_new ();

  plan_set_training (plan, 4096, 1, 256);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgStageParts parts;

      plan->model = *rows[i].model;
      plan_set_degrees (plan, rows[i].tp, 1, rows[i].pp, rows[i].dp, rows[i].ep);
      parts = plg_stage_parts (plan, 0);
      assert_near (plg_gpu_parameters (plan, plg_stage_parameters (plan, &parts)),
                   rows[i].billions * 1e9, 1e-4);
    }
}

static void
test_padded_vocabulary (void)
{
  static const int rows[][3] = { { 50257, 8, 51200 },   { 128256, 1, 128256 },
                                 { 128256, 2, 128256 }, { 128256, 4, 128512 },
                                 { 128256, 8, 129024 }, { 32000, 8, 32768 } };
  g_autoptr (PlgPlan) plan = plg_plan_new ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      plan->model.vocabulary = rows[i][0];
      plan_set_degrees (plan, rows[i][1], 1, 1, 1, 1);
      g_assert_cmpfloat (plg_padded_vocabulary (plan), ==, rows[i][2]);
    }
}

/* TP 16 with 8 KV heads: each rank has a copy of a whole key and value head. */
static void
test_copied_kv_heads (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  PlgStageParts parts;
  double shared;

  plan->model = llama3_70b;
  plan_set_training (plan, 8192, 1, 64);
  plan_set_degrees (plan, 16, 1, 4, 1, 1);
  parts = plg_stage_parts (plan, 1);
  shared = plg_gpu_parameters (plan, plg_stage_parameters (plan, &parts));
  plan->model.kv_heads = 16;
  assert_near (plg_gpu_parameters (plan, plg_stage_parameters (plan, &parts)), shared, 1e-12);
}

/* DeepSeek-V3.2 (arXiv 2512.02556, section 2.1; inference/model.py of DeepSeek-V3.2-Exp): the indexer
 * scores all earlier tokens with 64 heads of 128, and 128 heads attend to 2,048 of the latents, with a
 * width of 576 for keys and 512 for values. Its backward pass has the chosen keys alone. */
static void
test_indexer (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  double s = 32768.0, chosen = 2048.0 - 2048.0 * 2048.0 / (2.0 * s), matrices, dense, sparse, flops;

  plan->model = deepseek_v3;
  plan_set_training (plan, (int) s, 1, 1);
  dense = plg_layer_forward_flops (plan, TRUE);
  flops = plg_model_flops (plan);
  g_assert_cmpfloat (plg_indexer_saved_flops (plan), ==, 0.0);
  plan->model.index_heads = 64;
  plan->model.index_dim = 128;
  plan->model.index_top_k = 2048;
  matrices = 1536.0 * 64.0 * 128.0 + 7168.0 * (128.0 + 64.0);
  assert_near (plg_indexer_parameters (&plan->model), matrices + 2.0 * 128.0, 1e-12);
  assert_near (plg_attention_keys (plan), chosen, 1e-12);
  assert_near (plg_core_attention_forward_flops (plan), 2.0 * s * chosen * 128.0 * (576.0 + 512.0),
               1e-12);
  sparse = plg_layer_forward_flops (plan, TRUE);
  assert_near (sparse - dense,
               2.0 * s * (matrices + s / 2.0 * 64.0 * 128.0) +
                   2.0 * s * 128.0 * (chosen * (576.0 + 512.0) - s / 2.0 * (192.0 + 128.0)),
               1e-9);
  assert_near (flops - plg_model_flops (plan),
               62.0 * (3.0 * (dense - sparse) + 4.0 * s * (s / 2.0 - chosen) * 64.0 * 128.0), 1e-9);
  /* A short sequence has no more keys than the indexer chooses. */
  plan_set_training (plan, 1024, 1, 1);
  assert_near (plg_attention_keys (plan), 512.0, 1e-12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flops/parameters/published", test_published_parameters);
  g_test_add_func ("/flops/parameters/exact", test_exact_parameters);
  g_test_add_func ("/flops/parameters/hybrid", test_hybrid_parameters);
  g_test_add_func ("/flops/hybrid", test_hybrid_flops);
  g_test_add_func ("/flops/hybrid-layers", test_hybrid_layers);
  g_test_add_func ("/flops/parameters/gpu", test_parameters_on_a_gpu);
  g_test_add_func ("/flops/parameters/padded-vocabulary", test_padded_vocabulary);
  g_test_add_func ("/flops/parameters/copied-kv", test_copied_kv_heads);
  g_test_add_func ("/flops/per-token", test_flops_per_token);
  g_test_add_func ("/flops/windows", test_windows);
  g_test_add_func ("/flops/causal", test_causal_counts_half_of_attention);
  g_test_add_func ("/flops/recompute", test_recompute);
  g_test_add_func ("/flops/recomputed-modules", test_recomputed_modules);
  g_test_add_func ("/flops/stages/even", test_layers_over_stages);
  g_test_add_func ("/flops/stages/add-up", test_layers_add_up);
  g_test_add_func ("/flops/stages/virtual", test_virtual_stages);
  g_test_add_func ("/flops/indexer", test_indexer);
  return g_test_run ();
}
