/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/model/kernel.h"

#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "engine/workload.h"
#include "plans.h"

/* Milliseconds forward and backward for one layer of the 22 B model, TP 8, micro-batch 4, on
 * A100: Korthikanti 2022, arXiv 2205.05198, table 4. Gradient all-reduces ran during products
 * then, tiles did not. */
static void
test_published_layer (void)
{
  static const struct
  {
    gboolean sequence;
    PlgRecompute recompute;
    double forward, backward;
  } rows[] = {
    { FALSE, PLG_RECOMPUTE_NONE, 7.7, 11.9 },     { TRUE, PLG_RECOMPUTE_NONE, 7.2, 11.8 },
    { FALSE, PLG_RECOMPUTE_FULL, 7.7, 19.5 },     { FALSE, PLG_RECOMPUTE_SELECTIVE, 7.7, 13.2 },
    { TRUE, PLG_RECOMPUTE_SELECTIVE, 7.2, 13.1 },
  };
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  PlgPieceCounts layer = { .count = { [PLG_PIECE_DENSE] = 1.0 } };

  set_a100 (&plan->cluster, 1);
  plan->model = megatron_22b;
  plan_set_degrees (plan, 8, 1, 1, 1, 1);
  plan_set_training (plan, 2048, 4, 4);
  plan->training.precision = PLG_PRECISION_FP16;
  plan->training.flash_attention = plan->training.causal = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgWorkload workload;
      double backward;

      plan->parallelism.sequence = rows[i].sequence;
      plan->parallelism.overlap_tp = !rows[i].sequence;
      plan->training.recompute = rows[i].recompute;
      plg_workload_init (&workload, plan, 0, NULL);
      backward = plg_workload_time (&workload, &layer, PLG_PHASE_INPUT) +
                 plg_workload_time (&workload, &layer, PLG_PHASE_WEIGHT);
      assert_near (plg_workload_time (&workload, &layer, PLG_PHASE_FORWARD) * 1e3, rows[i].forward,
                   0.05);
      assert_near (backward * 1e3, rows[i].backward, 0.05);
    }
}

/* The forward pass of the gated delta net over 8,192 tokens on an H100
 * (github.com/Itssshikhar/FlashKDA, BENCHMARK_H100.md, fla_chunk_gdn). */
static void
test_published_recurrence (void)
{
  static const struct
  {
    int heads;
    double milliseconds;
  } rows[] = { { 96, 1.8929 }, { 64, 1.2454 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = plg_plan_new ();
      PlgTransformer *model = &plan->model;
      PlgOperations operations;
      double forward = 0.0, backward = 0.0;

      set_h100 (&plan->cluster, 1);
      *model = llama3_8b;
      model->mixer = PLG_MIXER_GATED_DELTA_NET;
      model->mixer_heads = model->mixer_groups = rows[i].heads;
      model->mixer_head_dim = model->mixer_state = 128;
      model->mixer_conv = 4;
      plan_set_degrees (plan, 1, 1, 1, 1, 1);
      plan_set_training (plan, 8192, 1, 4);
      plg_kernel_operations (plan, PLG_PIECE_DENSE, &operations);
      for (int j = 0; j < operations.n; j++)
        if (operations.operation[j].kind == PLG_OPERATION_SCAN)
          {
            forward += operations.operation[j].forward;
            backward += operations.operation[j].backward;
          }
      assert_near (forward * 1e3, rows[i].milliseconds, 0.07);
      g_assert_cmpfloat (backward, >, 1.5 * forward);
      g_assert_cmpfloat (backward, <, 3.5 * forward);
    }
}

/* The operations of a hybrid layer are means: with half of the layers, half of the time. */
static void
test_hybrid_layer (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  PlgOperations operations;
  PlgKernelTime time, all, none;
  double forward = 0.0, backward = 0.0;

  set_h100 (&plan->cluster, 1);
  plan->model = nemotron_nano_9b;
  plan_set_degrees (plan, 1, 1, 1, 1, 1);
  plan_set_training (plan, 8192, 1, 4);
  time = plg_kernel_time (plan, PLG_PIECE_DENSE);
  plg_kernel_operations (plan, PLG_PIECE_DENSE, &operations);
  for (int i = 0; i < operations.n; i++)
    {
      g_assert_cmpfloat (operations.operation[i].share, >, 0.0);
      g_assert_cmpfloat (operations.operation[i].share, <, 1.0);
      forward += operations.operation[i].forward;
      backward += operations.operation[i].backward;
    }
  assert_near (forward, time.forward, 1e-12);
  assert_near (backward, time.input + time.weight, 1e-12);
  plan->model.mlp_layers = 0;
  plan->model.attention_layers = plan->model.layers;
  all = plg_kernel_time (plan, PLG_PIECE_DENSE);
  plan->model.attention_layers = 0;
  none = plg_kernel_time (plan, PLG_PIECE_DENSE);
  plan->model.attention_layers = plan->model.layers / 2;
  time = plg_kernel_time (plan, PLG_PIECE_DENSE);
  assert_near (time.forward, (all.forward + none.forward) / 2.0, 1e-12);
  assert_near (time.input, (all.input + none.input) / 2.0, 1e-12);
  assert_near (time.weight, (all.weight + none.weight) / 2.0, 1e-12);
}

/* The time grows with each dimension, never more than in proportion to it, and the efficiency stays
 * below the GPU's best. A product of few tiles leaves multiprocessors idle. */
static void
test_shape (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  double before = 0.0;

  for (double d = 16.0; d <= 65536.0; d *= 1.1)
    {
      double time = plg_matrix_time (plan, d, d, d);
      double twice[] = { plg_matrix_time (plan, 2 * d, d, d), plg_matrix_time (plan, d, 2 * d, d),
                         plg_matrix_time (plan, d, d, 2 * d) };

      g_assert_cmpfloat (time, >=, before);
      g_assert_cmpfloat (2.0 * d * d * d / (time - plg_kernel_launch_gap ()), <,
                         0.9 * 0.69 * 989e12);
      for (guint i = 0; i < G_N_ELEMENTS (twice); i++)
        {
          g_assert_cmpfloat (twice[i], >=, time);
          g_assert_cmpfloat (twice[i], <=, 2 * time);
        }
      before = time;
    }
  /* 132 multiprocessors compute 33 × 4 tiles of 256 × 128 in one wave and 34 × 4 in two. */
  g_assert_cmpfloat (plg_matrix_time (plan, 256 * 34, 512, 8192), >,
                     1.5 * plg_matrix_time (plan, 256 * 33, 512, 8192));
}

/* No time is below the limit of peak or memory bandwidth. */
static void
test_roofline (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  double large = plg_matrix_time (plan, 8192, 8192, 8192);
  double thin = plg_matrix_time (plan, 8192, 1, 8192);

  g_assert_cmpfloat (large, >, 2.0 * 8192.0 * 8192.0 * 8192.0 / 989e12);
  g_assert_cmpfloat (thin, >, 2.0 * 8192.0 * 8192.0 / 3350e9);
  g_assert_cmpfloat (plg_matrix_time (plan, 0, 8192, 8192), ==, 0.0);
  /* The number of tiles does not fit into an integer of 64 bits. */
  g_assert_cmpfloat (plg_matrix_time (plan, 1e14, 1e14, 8192), >, 2.0 * 1e28 * 8192.0 / 989e12);
}

static PlgKernelTime
layer (const char *edits, PlgPiece piece)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();

  change (plan, edits);
  return plg_kernel_time (plan, piece);
}

static double
total_time (PlgKernelTime time)
{
  return time.forward + time.input + time.weight;
}

/* Doubling TP saves less than half of the time, since the matrices become narrow. */
static void
test_tensor_parallel (void)
{
  double wide = total_time (layer ("parallelism.tp=4 parallelism.dp=4", PLG_PIECE_DENSE));
  double narrow = total_time (layer ("parallelism.tp=8", PLG_PIECE_DENSE));

  g_assert_cmpfloat (narrow, <, wide);
  g_assert_cmpfloat (narrow, >, 0.5 * wide);
}

static void
test_precision (void)
{
  double bf16 = total_time (layer ("", PLG_PIECE_DENSE));
  double fp8 = total_time (layer ("training.precision=fp8", PLG_PIECE_DENSE));
  double fp32 = total_time (layer ("training.precision=fp32", PLG_PIECE_DENSE));

  g_assert_cmpfloat (fp8, <, bf16);
  g_assert_cmpfloat (fp8, >, 0.5 * bf16);
  g_assert_cmpfloat (fp32, >, 4.0 * bf16);
}

static void
test_attention (void)
{
  PlgKernelTime flash = layer ("", PLG_PIECE_DENSE);
  PlgKernelTime plain = layer ("training.flash-attention=false", PLG_PIECE_DENSE);
  PlgKernelTime longer = layer ("training.sequence=16384", PLG_PIECE_DENSE);
  PlgKernelTime whole_scores = layer ("training.causal=false", PLG_PIECE_DENSE);

  g_assert_cmpfloat (plain.attention_forward, >, 3.0 * flash.attention_forward);
  assert_near (longer.attention_forward, 4.0 * flash.attention_forward, 0.05);
  assert_near (whole_scores.attention_forward, 2.0 * flash.attention_forward, 0.02);
  g_assert_cmpfloat (flash.attention_backward, >, 2.0 * flash.attention_forward);
}

/* Returns the cost of RMSNorm over LayerNorm in PROGRAM, seconds forward. */
static double
norm_cost (PlgProgram program)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  double rms;

  plan->training.program = program;
  plan->model.rms_norm = TRUE;
  rms = plg_kernel_time (plan, PLG_PIECE_DENSE).forward;
  plan->model.rms_norm = FALSE;
  return rms - plg_kernel_time (plan, PLG_PIECE_DENSE).forward;
}

/* In a program without fused kernels, RMSNorm is several operations that move more data than one
 * kernel. */
static void
test_norm (void)
{
  g_assert_cmpfloat (norm_cost (PLG_PROGRAM_MEGATRON), ==, 0.0);
  g_assert_cmpfloat (norm_cost (PLG_PROGRAM_FSDP_COMPILED), ==, 0.0);
  g_assert_cmpfloat (norm_cost (PLG_PROGRAM_FSDP_EAGER), >, 1e-4);
  g_assert_cmpfloat (norm_cost (PLG_PROGRAM_DEEPSPEED), >, 1e-4);
  g_assert_cmpfloat (norm_cost (PLG_PROGRAM_MEGATRON_DEEPSPEED), >, 1e-4);
  g_assert_cmpfloat (norm_cost (PLG_PROGRAM_PLAIN), >, 1e-4);
}

/* The program decides which kernels run, unless training.kernels does. */
static void
test_kernels (void)
{
  for (PlgProgram program = 0; program < PLG_N_PROGRAMS; program++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      gboolean fuses = program <= PLG_PROGRAM_FSDP_COMPILED;
      double eager, fused;

      plan->training.program = program;
      g_assert_cmpint (plg_kernels_are_fused (plan), ==, fuses);
      plan->training.kernels = PLG_KERNELS_EAGER;
      eager = plg_kernel_time (plan, PLG_PIECE_DENSE).forward;
      plan->training.kernels = PLG_KERNELS_FUSED;
      fused = plg_kernel_time (plan, PLG_PIECE_DENSE).forward;
      g_assert_cmpfloat (fused, <, eager);
    }
}

/* Short layers with experts wait for the host, unless CUDA graphs launch their kernels. Long layers
 * wait only until the host knows the number of tokens per expert, and layers without experts do not
 * wait. */
static void
test_cuda_graphs (void)
{
  static const struct
  {
    const char *edits;
    gboolean has_experts;
    gboolean is_short;
  } rows[] = { { "training.sequence=512", TRUE, TRUE },
               { "training.sequence=512 training.recompute=full", TRUE, TRUE },
               { "training.sequence=65536", TRUE, FALSE },
               { "training.sequence=512", FALSE, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      g_autoptr (PlgReport) usual = NULL, graphs = NULL;

      if (rows[i].has_experts)
        plan->model = mixtral_8x7b;
      change (plan, rows[i].edits);
      usual = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
      plan->training.cuda_graphs = TRUE;
      graphs = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
      g_assert_cmpfloat (usual->step.part[PLG_PART_COMPUTE], ==,
                         graphs->step.part[PLG_PART_COMPUTE]);
      if (rows[i].is_short)
        g_assert_cmpfloat (usual->step.part[PLG_PART_HOST], >,
                           2.0 * graphs->step.part[PLG_PART_HOST]);
      else
        g_assert_cmpfloat (usual->step.part[PLG_PART_HOST], ==, graphs->step.part[PLG_PART_HOST]);
      if (rows[i].has_experts)
        g_assert_cmpfloat (graphs->step.part[PLG_PART_HOST], >, 0.0);
      else
        g_assert_cmpfloat (usual->step.part[PLG_PART_HOST], ==, 0.0);
    }
}

/* In Megatron-DeepSpeed, the GPU waits for the host in each layer and micro-batch, whatever the size of
 * the micro-batch, so large micro-batches are faster (BLOOM's chronicles: 13 % from 2 to 4 sequences). */
static void
test_waits (void)
{
  static const char *const recompute[] = { "none", "full" };
  static const double passes[] = { 3.0, 4.0 }; /* forward, twice as long backward, and repeated */

  for (guint i = 0; i < G_N_ELEMENTS (recompute); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      g_autoptr (PlgReport) small = NULL, large = NULL;
      g_autofree char *edits = g_strdup_printf ("training.program=megatron-deepspeed "
                                                "training.recompute=%s training.micro-batch=1",
                                                recompute[i]);
      double layers = plan->model.layers / plan->parallelism.degree[PLG_AXIS_PP];

      change (plan, edits);
      small = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
      assert_near (small->step.part[PLG_PART_HOST],
                   small->micro_batches * layers * passes[i] * PLG_LAYER_HOST_FORWARD, 1e-9);
      change (plan, "training.micro-batch=2");
      large = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
      assert_near (large->step.part[PLG_PART_HOST], small->step.part[PLG_PART_HOST] / 2.0, 1e-9);
    }
}

/* FlashAttention-3 needs Hopper, where it is faster than FlashAttention-2 (Shah 2024, arXiv
 * 2407.08608: 1.5 to 2 times). */
static void
test_flash_versions (void)
{
  for (int hopper = 0; hopper < 2; hopper++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      double newest, second;

      if (!hopper)
        set_a100 (&plan->cluster, 8);
      newest = plg_kernel_time (plan, PLG_PIECE_DENSE).attention_forward;
      plan->training.program = PLG_PROGRAM_FSDP_COMPILED;
      second = plg_kernel_time (plan, PLG_PIECE_DENSE).attention_forward;
      if (hopper)
        assert_near (second / newest, 1.7, 0.1);
      else
        g_assert_cmpfloat (second, ==, newest);
    }
}

/* Megatron-LM's chunked loss computes the logits again, and moves no logits. Other programs compute
 * them once, in 8 pieces. */
static void
test_chunked_loss (void)
{
  PlgKernelTime fused = layer ("training.loss=fused", PLG_PIECE_OUTPUT);
  PlgKernelTime megatron = layer ("training.loss=chunked", PLG_PIECE_OUTPUT);
  PlgKernelTime fsdp_fused = layer ("training.loss=fused training.program=fsdp-compiled",
                                    PLG_PIECE_OUTPUT);
  PlgKernelTime fsdp = layer ("training.loss=chunked training.program=fsdp-compiled",
                              PLG_PIECE_OUTPUT);

  g_assert_cmpfloat (fused.recompute, ==, 0.0);
  assert_near (megatron.recompute, megatron.column_forward, 1e-12);
  g_assert_cmpfloat (megatron.forward, <, fused.forward);
  g_assert_cmpfloat (fsdp.recompute, ==, 0.0);
  g_assert_cmpfloat (fsdp.weight, >, fsdp_fused.weight);
  assert_near (fsdp.forward, fsdp_fused.forward, 0.05);
}

/* In FP8 training, the logits are still computed in BF16. */
static void
test_output_in_bf16 (void)
{
  PlgKernelTime fp8 = layer ("training.precision=fp8", PLG_PIECE_OUTPUT);
  PlgKernelTime bf16 = layer ("training.precision=bf16", PLG_PIECE_OUTPUT);

  g_assert_cmpfloat (fp8.forward, ==, bf16.forward);
}

/* Without sequence parallelism, TP overlap hides only the all-reduces of the backward pass. */
static void
test_gradient_sum (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgPieceCounts layer_content = { .count = { [PLG_PIECE_DENSE] = 1.0 } };
  PlgWorkload shown, hidden;

  plan->parallelism.sequence = plan->parallelism.overlap_tp = FALSE;
  plg_workload_init (&shown, plan, 0, NULL);
  plan->parallelism.overlap_tp = TRUE;
  plg_workload_init (&hidden, plan, 0, NULL);
  g_assert_cmpfloat (plg_workload_time (&hidden, &layer_content, PLG_PHASE_FORWARD), ==,
                     plg_workload_time (&shown, &layer_content, PLG_PHASE_FORWARD));
  g_assert_cmpfloat (plg_workload_time (&hidden, &layer_content, PLG_PHASE_INPUT), <,
                     plg_workload_time (&shown, &layer_content, PLG_PHASE_INPUT));
}

static void
test_recompute (void)
{
  PlgKernelTime none = layer ("", PLG_PIECE_DENSE);
  PlgKernelTime full = layer ("training.recompute=full", PLG_PIECE_DENSE);
  PlgKernelTime kept = layer ("training.recompute=selective", PLG_PIECE_DENSE);
  PlgKernelTime plain = layer ("training.recompute=selective training.flash-attention=false",
                               PLG_PIECE_DENSE);

  g_assert_cmpfloat (none.recompute, ==, 0.0);
  g_assert_cmpfloat (full.recompute, ==, full.forward);
  g_assert_cmpfloat (kept.recompute, ==, 0.0);
  g_assert_cmpfloat (plain.recompute, ==, plain.attention_forward);
}

/* Recompute by module repeats the forward pass of the module's operations, each operation once. */
static void
test_recomputed_modules (void)
{
  static const struct
  {
    const char *edits;
    PlgPiece piece;
    const char *operations[8];
  } rows[] = {
    { "norm", PLG_PIECE_DENSE, { "Norm" } },
    { "mla-up", PLG_PIECE_DENSE, { "Queries", "Keys and values", "Rotary positions" } },
    { "activation+norm", PLG_PIECE_DENSE, { "Gate", "Norm" } },
    { "mlp", PLG_PIECE_DENSE, { "MLP in", "Gate", "MLP out" } },
    { "mlp+activation", PLG_PIECE_DENSE, { "MLP in", "Gate", "MLP out" } },
    { "experts", PLG_PIECE_DENSE, { NULL } },
    { "mlp", PLG_PIECE_MOE, { NULL } },
    { "activation", PLG_PIECE_MOE, { "Gate" } },
    { "shared-experts", PLG_PIECE_MOE, { "MLP in", "Gate", "MLP out" } },
    { "activation+experts",
      PLG_PIECE_MOE,
      { "MLP in", "Gate", "MLP out", "Router", "Experts in", "Experts out",
        "Tokens sorted by expert" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = plg_plan_new ();
      PlgOperations operations;
      double wanted = 0.0;

      plan->model = deepseek_v3;
      plan_set_degrees (plan, 1, 1, 1, 1, 1);
      plan_set_training (plan, 4096, 1, 1);
      g_assert_true (plg_modules_from_string (&plan->training.recompute_modules, rows[i].edits,
                                              NULL));
      plg_kernel_operations (plan, rows[i].piece, &operations);
      /* The gate of the shared experts comes before the router, and that of the experts after it. */
      for (int j = 0; j < operations.n; j++)
        if (g_str_equal (rows[i].edits, "shared-experts") &&
            g_str_equal (operations.operation[j].name, "Router"))
          break;
        else
          for (int k = 0; k < 8 && rows[i].operations[k] != NULL; k++)
            if (g_str_equal (operations.operation[j].name, rows[i].operations[k]))
              wanted += operations.operation[j].forward;
      assert_near (plg_kernel_time (plan, rows[i].piece).recompute, wanted, 1e-9);
      plan->training.recompute = PLG_RECOMPUTE_FULL;
      g_assert_cmpfloat (plg_kernel_time (plan, rows[i].piece).recompute, ==,
                         plg_kernel_time (plan, rows[i].piece).forward);
    }
}

/* The parts that hide collectives are parts of the whole. */
static void
test_parts (void)
{
  for (int piece = PLG_PIECE_EMBEDDING; piece < PLG_N_PIECES; piece++)
    {
      PlgKernelTime time;

      if (piece == PLG_PIECE_MOE || piece == PLG_PIECE_PROJECTION)
        continue;
      time = layer ("", piece);
      g_assert_cmpfloat (time.column_forward + time.row_forward + time.attention_forward, <=,
                         time.forward);
      g_assert_cmpfloat (time.column_input + time.row_input + time.attention_backward, <=,
                         time.input);
      g_assert_cmpfloat (time.column_weight, <=, time.weight);
      g_assert_cmpfloat (time.forward, >, 0.0);
    }
}

/* All models together run at between a quarter and nine tenths of the best product's speed. */
static void
test_models (void)
{
  static const PlgTransformer *const models[] = {
    &gpt3_175b,    &bloom_176b, &megatron_22b,  &mtnlg_530b,  &megatron_1t,
    &llama2_7b,    &llama2_13b, &llama2_70b,    &llama3_8b,   &llama3_405b,
    &mixtral_8x7b, &qwen3_235b, &mixtral_8x22b, &deepseek_v2, &deepseek_v3,
  };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      gboolean moe = plg_transformer_is_moe (models[i]);
      double flops, time;

      plan->model = *models[i];
      plan_set_degrees (plan, 1, 1, 1, 64, 1);
      plan_set_training (plan, 4096, 2, 128);
      flops = 3.0 * plg_layer_forward_flops (plan, moe);
      time = total_time (plg_kernel_time (plan, moe ? PLG_PIECE_MOE : PLG_PIECE_DENSE));
      /* Other operations take time too, and relatively less if products are slow. */
      g_assert_cmpfloat (flops / time, <, 0.95 * 0.69 * 989e12);
      g_assert_cmpfloat (flops / time, >, 0.2 * 0.69 * 989e12);
    }
}

/* A peak from the user scales the computation. */
static void
test_peak (void)
{
  double own = layer ("", PLG_PIECE_DENSE).weight;
  double half = layer ("cluster.peak=494.5", PLG_PIECE_DENSE).weight;

  g_assert_cmpfloat (half, >, 1.7 * own);
  g_assert_cmpfloat (half, <, 2.05 * own);
}

/* On a GPU without FP4, the plan's own peak for FP4 stands for the peak in FP8, so attention and the
 * logits, which stay in 16 bits, take as long as in FP8. FP8 on a GPU without FP8 is alike. */
static void
test_peak_of_missing_precision (void)
{
  static const PlgPrecision missing[] = { PLG_PRECISION_FP4, PLG_PRECISION_FP8 };
  static const PlgPrecision next[] = { PLG_PRECISION_FP8, PLG_PRECISION_BF16 };

  for (int i = 0; i < 2; i++)
    {
      double output[2], flash[2] = { 0.0 };

      for (int j = 0; j < 2; j++)
        {
          g_autoptr (PlgPlan) plan = teaching_plan ();
          PlgOperations operations;

          plan->cluster.peak = 2000e12;
          plan->cluster.gpu.peak[PLG_PRECISION_FP4] = 0.0;
          if (missing[i] == PLG_PRECISION_FP8)
            plan->cluster.gpu.peak[PLG_PRECISION_FP8] = 0.0;
          plan->training.precision = j == 0 ? missing[i] : next[i];
          plg_kernel_operations (plan, PLG_PIECE_DENSE, &operations);
          for (int k = 0; k < operations.n; k++)
            if (operations.operation[k].kind == PLG_OPERATION_FLASH)
              flash[j] = operations.operation[k].forward;
          output[j] = plg_kernel_time (plan, PLG_PIECE_OUTPUT).forward;
        }
      assert_near (output[0], output[1], 1e-12);
      assert_near (flash[0], flash[1], 1e-12);
    }
}

static void
test_optimizer (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  double time = plg_optimizer_time (plan, 1e9, 1e9);

  /* Between 24 and 60 bytes per parameter. */
  g_assert_cmpfloat (time, >, 24e9 / 3350e9);
  g_assert_cmpfloat (time, <, 60e9 / 3350e9);
  g_assert_cmpfloat (plg_optimizer_time (plan, 0.5e9, 1e9), <, time);

  /* Moments in BF16 move 2·4 bytes less per parameter, and 8-bit ones 2·5.96875 bytes less, of
   * 4 + 2·12 + 2 + 2·4. */
  plan->training.program = PLG_PROGRAM_PLAIN;
  plan->training.optimizer = PLG_OPTIMIZER_ADAM_BF16;
  assert_near (plg_optimizer_time (plan, 1e9, 1e9) / time, 30.0 / 38.0, 1e-3);
  plan->training.optimizer = PLG_OPTIMIZER_ADAM_8BIT;
  assert_near (plg_optimizer_time (plan, 1e9, 1e9) / time, 26.0625 / 38.0, 1e-3);

  /* Transformer Engine copies both moments to FP32 and back, 2·16 bytes, and reads the upper half of
   * the master weight, 2 bytes, instead of storing it, 4 bytes. */
  plan->training.program = PLG_PROGRAM_MEGATRON;
  plan->training.optimizer = PLG_OPTIMIZER_ADAM_BF16;
  assert_near (plg_optimizer_time (plan, 1e9, 1e9) / time, (30.0 + 32.0 + 2.0 - 4.0) / 38.0, 1e-3);
}

/* A quarter of the layers in BF16 takes a quarter of the way from FP8 to BF16, in time and memory. */
static void
test_bf16_layers (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgKernelTime narrow, mixed, wide;
  double bytes[3];
  PlgOperations operations;
  double forward = 0.0;

  plan->training.precision = PLG_PRECISION_FP8;
  narrow = plg_kernel_time (plan, PLG_PIECE_DENSE);
  bytes[0] = plg_layer_activation_bytes (plan, FALSE);
  plan->training.bf16_first_layers = 8;
  plan->training.bf16_last_layers = 12;
  mixed = plg_kernel_time (plan, PLG_PIECE_DENSE);
  bytes[1] = plg_layer_activation_bytes (plan, FALSE);
  assert_near (plg_gathered_weight_bytes (plan), 1.25, 1e-12);
  plg_kernel_operations (plan, PLG_PIECE_DENSE, &operations);
  for (int i = 0; i < operations.n; i++)
    forward += operations.operation[i].forward;
  assert_near (forward, mixed.forward, 1e-12);
  plan->training.precision = PLG_PRECISION_BF16;
  wide = plg_kernel_time (plan, PLG_PIECE_DENSE);
  bytes[2] = plg_layer_activation_bytes (plan, FALSE);
  g_assert_cmpfloat (narrow.forward, <, wide.forward);
  assert_near (mixed.forward, 0.75 * narrow.forward + 0.25 * wide.forward, 1e-12);
  assert_near (mixed.weight, 0.75 * narrow.weight + 0.25 * wide.weight, 1e-12);
  assert_near (mixed.column_input, 0.75 * narrow.column_input + 0.25 * wide.column_input, 1e-12);
  assert_near (bytes[1], 0.75 * bytes[0] + 0.25 * bytes[2], 1e-12);

  /* With all layers in BF16, only the output of Transformer Engine is left, which is BF16 too. */
  plan->training.precision = PLG_PRECISION_FP8;
  plan->training.bf16_last_layers = 1000;
  assert_near (plg_kernel_time (plan, PLG_PIECE_DENSE).forward, wide.forward, 1e-12);
}

/* Dropout reads and writes a value in 16 bits, and a mask of one byte: 5 bytes per score and direction
 * without flash attention. A fused kernel adds outputs and drops them: 1 byte more forward and 3
 * backward, twice per layer. Programs in eager PyTorch have a kernel for it. */
static void
test_dropout (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgKernelTime automatic, on, off;
  double rate = 3350e9 * 0.92, values = 8192.0 * 8192.0 / 8.0;

  plan->parallelism.sequence = TRUE;
  off = plg_kernel_time (plan, PLG_PIECE_DENSE);
  plan->training.dropout = PLG_DROPOUT_OFF;
  g_assert_cmpfloat (plg_kernel_time (plan, PLG_PIECE_DENSE).forward, ==, off.forward);
  plan->training.dropout = PLG_DROPOUT_ON;
  on = plg_kernel_time (plan, PLG_PIECE_DENSE);
  assert_near (on.forward - off.forward, 2.0 * values / rate, 1e-6);
  assert_near (on.input - off.input, 2.0 * 3.0 * values / rate, 1e-6);
  plan->training.kernels = PLG_KERNELS_EAGER;
  on = plg_kernel_time (plan, PLG_PIECE_DENSE);
  plan->training.dropout = PLG_DROPOUT_OFF;
  off = plg_kernel_time (plan, PLG_PIECE_DENSE);
  assert_near (on.forward - off.forward, 2.0 * (5.0 * values / rate + plg_kernel_launch_gap ()),
               1e-6);

  plan->training.flash_attention = FALSE;
  off = plg_kernel_time (plan, PLG_PIECE_DENSE);
  plan->training.dropout = PLG_DROPOUT_AUTO;
  automatic = plg_kernel_time (plan, PLG_PIECE_DENSE);
  assert_near (automatic.forward - off.forward, 5.0 * 64.0 / 8.0 * 8192.0 * 8192.0 / rate, 1e-6);
  assert_near (automatic.input - off.input, 5.0 * 64.0 / 8.0 * 8192.0 * 8192.0 / rate, 1e-6);
}

/* The layer of github.com/NVIDIA/TransformerEngine, docs/examples/gemm_profiling: 15,872 tokens, 4096
 * values, an MLP of 16,384, without gate. On H200 and B300, recipes have the measured order, and the
 * times with their casts, relative to one scale per tensor from earlier steps, are right to 20 %.
 * The benchmark also casts weights and, for weight gradients, both inputs again; the model
 * does so once for all micro-batches, so the measured ratios are further from 1. */
static void
test_recipes (void)
{
  static const struct
  {
    gboolean is_b300;
    const char *edits;
    double measured; /* ms per layer */
  } rows[] = {
    { FALSE, "training.precision=fp8 training.fp8-recipe=delayed", 18.978 },
    { FALSE, "training.precision=fp8 training.fp8-recipe=current", 20.285 },
    { FALSE, "training.precision=fp8 training.fp8-recipe=blockwise", 22.882 },
    { FALSE, "training.precision=bf16", 32.014 },
    { TRUE, "training.precision=fp4", 6.453 },
    { TRUE, "training.precision=fp8 training.fp8-recipe=delayed", 7.802 },
    { TRUE, "training.precision=fp8 training.fp8-recipe=mxfp8", 8.984 },
    { TRUE, "training.precision=fp8 training.fp8-recipe=blockwise", 9.598 },
    { TRUE, "training.precision=bf16", 12.758 },
  };
  double last = 0.0, delayed = 1.0;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      PlgOperations operations;
      double time = 0.0;

      if (rows[i].is_b300)
        set_b300 (&plan->cluster, 8);
      plan_set_degrees (plan, 1, 1, 1, 64, 1);
      plan->model.hidden = 4096;
      plan->model.ffn = 16384;
      plan->model.gated = FALSE;
      plan->model.heads = plan->model.kv_heads = 32;
      plan->model.head_dim = 128;
      plan_set_training (plan, 512, 31, 31 * 64);
      change (plan, rows[i].edits);
      plg_kernel_operations (plan, PLG_PIECE_DENSE, &operations);
      for (int j = 0; j < operations.n; j++)
        if (operations.operation[j].kind == PLG_OPERATION_PRODUCT)
          time += operations.operation[j].forward + operations.operation[j].backward;
      if (strstr (rows[i].edits, "delayed") != NULL)
        delayed = time / rows[i].measured;
      else if (strstr (rows[i].edits, "fp8") != NULL)
        assert_near (time / rows[i].measured, delayed, 0.2);
      g_test_message ("%s: %g ms, measured %g", rows[i].edits, 1e3 * time, rows[i].measured);
      g_assert_cmpfloat (time, >, i == 4 ? 0.0 : last);
      last = time;
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/kernel/published-layer", test_published_layer);
  g_test_add_func ("/engine/kernel/published-recurrence", test_published_recurrence);
  g_test_add_func ("/engine/kernel/hybrid-layer", test_hybrid_layer);
  g_test_add_func ("/engine/kernel/shape", test_shape);
  g_test_add_func ("/engine/kernel/roofline", test_roofline);
  g_test_add_func ("/engine/kernel/tensor-parallel", test_tensor_parallel);
  g_test_add_func ("/engine/kernel/precision", test_precision);
  g_test_add_func ("/engine/kernel/recipes", test_recipes);
  g_test_add_func ("/engine/kernel/attention", test_attention);
  g_test_add_func ("/engine/kernel/norm", test_norm);
  g_test_add_func ("/engine/kernel/kernels", test_kernels);
  g_test_add_func ("/engine/kernel/flash-versions", test_flash_versions);
  g_test_add_func ("/engine/kernel/output-in-bf16", test_output_in_bf16);
  g_test_add_func ("/engine/kernel/gradient-sum", test_gradient_sum);
  g_test_add_func ("/engine/kernel/recompute", test_recompute);
  g_test_add_func ("/engine/kernel/chunked-loss", test_chunked_loss);
  g_test_add_func ("/engine/kernel/recomputed-modules", test_recomputed_modules);
  g_test_add_func ("/engine/kernel/parts", test_parts);
  g_test_add_func ("/engine/kernel/models", test_models);
  g_test_add_func ("/engine/kernel/peak", test_peak);
  g_test_add_func ("/engine/kernel/peak-of-missing-precision", test_peak_of_missing_precision);
  g_test_add_func ("/engine/kernel/cuda-graphs", test_cuda_graphs);
  g_test_add_func ("/engine/kernel/waits", test_waits);
  g_test_add_func ("/engine/kernel/optimizer", test_optimizer);
  g_test_add_func ("/engine/kernel/dropout", test_dropout);
  g_test_add_func ("/engine/kernel/bf16-layers", test_bf16_layers);
  return g_test_run ();
}
