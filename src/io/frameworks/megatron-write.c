/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/megatron-write.h"

#include "engine/model/kernel.h"

#include "io/frameworks/hybrid-layers.h"
#include "io/import/format.h"
#include "io/launch/launch-script.h"
#include "io/placement/launch-placement.h"
#include "io/placement/multi-host-nodes.h"
#include "plan/quantity.h"

#include <math.h>

/* The names of the options are from megatron/training/arguments.py of Megatron-LM, 2025. */

typedef struct
{
  GString *out;
  const PlgPlan *plan;
  const PlgExportContext *export;
} Script;

static void
begin_array (Script *script, const char *name)
{
  g_string_append_printf (script->out, "\n%s=(\n", name);
}

static void
end_array (Script *script)
{
  g_string_append (script->out, ")\n");
}

static void
add_number (Script *script, const char *option, gint64 value)
{
  g_string_append_printf (script->out, "  %s %" G_GINT64_FORMAT "\n", option, value);
}

static void
add_word (Script *script, const char *option, const char *value)
{
  g_string_append_printf (script->out, "  %s %s\n", option, value);
}

static void
add_flag (Script *script, const char *option, gboolean set)
{
  if (set)
    g_string_append_printf (script->out, "  %s\n", option);
}

char *
plg_megatron_linear_layers (const PlgTransformer *model)
{
  int layers = model->layers, attention = plg_transformer_attention_layers (model);
  int every = attention > 0 ? layers / attention : layers + 1;
  int rest = layers - attention * every;

  /* Every n-th layer has attention, and the list ends with further layers with the mixer. */
  if (attention > 0 && layers / every == attention)
    return g_strdup_printf ("%d", every);
  if (attention == 0)
    return g_strdup_printf ("([1]*%d)", layers);
  if (every == 1)
    return g_strdup_printf ("([0]*%d+[1]*%d)", attention, rest);
  return g_strdup_printf ("(([1]*%d+[0]*1)*%d+[1]*%d)", every - 1, attention, rest);
}

static void
write_mixer (Script *script)
{
  const PlgTransformer *model = &script->plan->model;

  add_flag (script, "--attention-output-gate", model->attention_gate);
  if (model->mixer == PLG_MIXER_MAMBA2)
    {
      g_autofree char *pattern = plg_hybrid_layers_pattern (model);

      add_flag (script, "--is-hybrid-model", TRUE);
      g_string_append_printf (script->out, "  --hybrid-override-pattern '%s'\n", pattern);
      add_number (script, "--mamba-num-heads", model->mixer_heads);
      add_number (script, "--mamba-head-dim", model->mixer_head_dim);
      add_number (script, "--mamba-num-groups", model->mixer_groups);
      add_number (script, "--mamba-state-dim", model->mixer_state);
    }
  else if (model->mixer == PLG_MIXER_GATED_DELTA_NET)
    {
      g_autofree char *layers = plg_megatron_linear_layers (model);

      add_word (script, "--experimental-attention-variant", "gated_delta_net");
      g_string_append_printf (script->out, "  --linear-attention-freq '%s'\n", layers);
      add_number (script, "--linear-num-value-heads", model->mixer_heads);
      add_number (script, "--linear-value-head-dim", model->mixer_head_dim);
      add_number (script, "--linear-num-key-heads", model->mixer_groups);
      add_number (script, "--linear-key-head-dim", model->mixer_state);
      add_number (script, "--linear-conv-kernel-dim", model->mixer_conv);
    }
}

static void
write_model (Script *script)
{
  const PlgTransformer *model = &script->plan->model;

  begin_array (script, "MODEL_ARGS");
  add_number (script, "--num-layers", model->layers);
  add_number (script, "--hidden-size", model->hidden);
  if (model->ffn > 0)
    add_number (script, "--ffn-hidden-size", model->ffn);
  add_number (script, "--num-attention-heads", model->heads);
  if (model->kv_rank == 0)
    {
      add_number (script, "--kv-channels", model->head_dim);
      add_flag (script, "--group-query-attention", model->kv_heads != model->heads);
      if (model->kv_heads != model->heads)
        add_number (script, "--num-query-groups", model->kv_heads);
    }
  else
    {
      add_flag (script, "--multi-latent-attention", TRUE);
      if (model->q_rank > 0)
        add_number (script, "--q-lora-rank", model->q_rank);
      add_number (script, "--kv-lora-rank", model->kv_rank);
      add_number (script, "--qk-head-dim", model->head_dim);
      add_number (script, "--qk-pos-emb-head-dim", model->rope_dim);
      add_number (script, "--v-head-dim", model->value_dim);
    }

  if (model->index_heads > 0)
    {
      add_word (script, "--experimental-attention-variant", "dsa");
      add_number (script, "--dsa-indexer-n-heads", model->index_heads);
      add_number (script, "--dsa-indexer-head-dim", model->index_dim);
      add_number (script, "--dsa-indexer-topk", model->index_top_k);
    }
  if (model->window > 0 && !model->window_chunked)
    {
      g_string_append_printf (script->out, "  --window-size %d,0\n", model->window - 1);
      if (model->full_attention_every > 0)
        add_number (script, "--window-attn-skip-freq", model->full_attention_every);
    }
  write_mixer (script);

  add_number (script, "--seq-length", script->plan->training.sequence);
  add_number (script, "--max-position-embeddings",
              MAX (model->positions, script->plan->training.sequence));
  add_word (script, "--position-embedding-type",
            model->positions > 0 ? "learned_absolute" : "rope");
  add_number (script, "--vocab-size", model->vocabulary);
  add_word (script, "--normalization", model->rms_norm ? "RMSNorm" : "LayerNorm");
  add_flag (script, "--swiglu", model->gated);
  add_flag (script, "--disable-bias-linear", !model->biases);
  add_flag (script, "--untie-embeddings-and-output-weights", !model->tied);
  if (model->mtp_layers > 0)
    add_number (script, "--mtp-num-layers", model->mtp_layers);
  end_array (script);
}

char *
plg_megatron_moe_layers (const PlgTransformer *model)
{
  int rest = model->layers - model->dense_layers, every = MAX (model->moe_every, 1);
  GString *out;

  if (rest <= 0 || (model->dense_layers <= 0 && every == 1))
    return NULL;
  out = g_string_new ("(");
  if (model->dense_layers > 0)
    g_string_append_printf (out, "[0]*%d+", model->dense_layers);
  if (every == 1)
    g_string_append_printf (out, "[1]*%d", rest);
  else
    {
      if (rest / every > 0)
        g_string_append_printf (out, "([1]*1+[0]*%d)*%d", every - 1, rest / every);
      if (rest % every > 0)
        g_string_append_printf (out, "%s[1]*1", rest / every > 0 ? "+" : "");
      if (rest % every > 1)
        g_string_append_printf (out, "+[0]*%d", rest % every - 1);
    }
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}

const char *const plg_megatron_dispatcher_types[] = {
  [PLG_DISPATCHER_AUTO] = "alltoall",        [PLG_DISPATCHER_ALL_TO_ALL] = "alltoall",
  [PLG_DISPATCHER_ALL_GATHER] = "allgather", [PLG_DISPATCHER_DEEPEP] = "flex",
  [PLG_DISPATCHER_HYBRIDEP] = "flex",
};
G_STATIC_ASSERT (G_N_ELEMENTS (plg_megatron_dispatcher_types) == PLG_N_DISPATCHERS);

const char *const plg_megatron_dispatcher_backends[] = {
  [PLG_DISPATCHER_DEEPEP] = "deepep",
  [PLG_DISPATCHER_HYBRIDEP] = "hybridep",
};
G_STATIC_ASSERT (G_N_ELEMENTS (plg_megatron_dispatcher_backends) == PLG_N_DISPATCHERS);

static void
write_experts (Script *script)
{
  const PlgTransformer *model = &script->plan->model;
  const PlgParallelism *parallelism = &script->plan->parallelism;
  g_autofree char *pattern = NULL;

  if (!plg_transformer_is_moe (model))
    return;
  begin_array (script, "MOE_ARGS");
  add_number (script, "--num-experts", model->experts);
  add_number (script, "--moe-router-topk", model->top_k);
  if (model->expert_groups > 1)
    {
      add_number (script, "--moe-router-num-groups", model->expert_groups);
      add_number (script, "--moe-router-group-topk", model->top_groups);
    }
  add_number (script, "--moe-ffn-hidden-size", model->expert_ffn);
  if (model->shared_experts > 0)
    add_number (script, "--moe-shared-expert-intermediate-size",
                (gint64) model->shared_experts * model->expert_ffn);
  pattern = plg_megatron_moe_layers (model);
  if (pattern != NULL)
    g_string_append_printf (script->out, "  --moe-layer-freq '%s'\n", pattern);
  add_word (script, "--moe-token-dispatcher-type",
            plg_megatron_dispatcher_types[parallelism->dispatcher]);
  if (plg_megatron_dispatcher_backends[parallelism->dispatcher] != NULL)
    add_word (script, "--moe-flex-dispatcher-backend",
              plg_megatron_dispatcher_backends[parallelism->dispatcher]);
  if (script->plan->training.cuda_graphs)
    g_string_append (script->out, "  --cuda-graph-impl transformer_engine\n"
                                  "  --cuda-graph-scope attn moe_router moe_preprocess\n");
  add_flag (script, "--overlap-moe-expert-parallel-comm",
            parallelism->overlap_ep && parallelism->degree[PLG_AXIS_EP] > 1);
  end_array (script);
}

const char *const plg_megatron_module_names[] = { "layernorm", "mla_up_proj", "moe_act",
                                                  "mlp",       "moe",         "shared_experts" };
G_STATIC_ASSERT (G_N_ELEMENTS (plg_megatron_module_names) == PLG_N_MODULES);

const char *const plg_megatron_muon_modes[] = {
  [PLG_MUON_TP_SHARDED] = "blockwise",
  [PLG_MUON_TP_GATHERED] = "duplicated",
  [PLG_MUON_TP_DISTRIBUTED] = "distributed",
};
G_STATIC_ASSERT (G_N_ELEMENTS (plg_megatron_muon_modes) == PLG_N_MUON_TPS);

char *
plg_megatron_modules (const PlgPlan *plan, const char *separator)
{
  const PlgTraining *training = &plan->training;
  GString *names = g_string_new (training->recompute == PLG_RECOMPUTE_SELECTIVE ? "core_attn" : "");
  guint modules = training->recompute_modules;

  /* Megatron-LM refuses modules that the model does not have. */
  if (plan->model.kv_rank == 0)
    modules &= ~PLG_MODULE_MLA_UP;
  if (!plg_transformer_is_moe (&plan->model))
    modules &= ~PLG_MODULE_EXPERTS;
  if (plan->model.shared_experts == 0 || !plg_transformer_is_moe (&plan->model))
    modules &= ~PLG_MODULE_SHARED_EXPERTS;
  for (int i = 0; i < PLG_N_MODULES && training->recompute != PLG_RECOMPUTE_FULL; i++)
    if (modules & 1U << i)
      g_string_append_printf (names, "%s%s", names->len > 0 ? separator : "",
                              plg_megatron_module_names[i]);
  return g_string_free (names, FALSE);
}

static void
write_training (Script *script)
{
  static const char *const recipes[PLG_N_FP8_RECIPES] = {
    [PLG_FP8_RECIPE_DELAYED] = "delayed",
    [PLG_FP8_RECIPE_CURRENT] = "tensorwise",
    [PLG_FP8_RECIPE_BLOCKWISE] = "blockwise",
    [PLG_FP8_RECIPE_MXFP8] = "mxfp8",
  };
  const PlgTraining *training = &script->plan->training;
  gboolean narrow = training->gradient_precision == PLG_PRECISION_BF16;
  gboolean half = training->precision == PLG_PRECISION_FP16;
  gboolean has_muon = training->optimizer == PLG_OPTIMIZER_MUON;
  g_autofree char *modules = plg_megatron_modules (script->plan, " ");

  begin_array (script, "TRAINING_ARGS");
  add_number (script, "--micro-batch-size", training->micro_batch);
  add_number (script, "--global-batch-size", training->global_batch);
  if (training->tokens >= 1.0)
    add_number (script, "--train-samples", (gint64) ceil (training->tokens / training->sequence));
  add_flag (script, "--bf16", training->precision != PLG_PRECISION_FP32 && !half);
  if (training->precision == PLG_PRECISION_FP8)
    {
      const char *recipe = recipes[training->fp8_recipe];
      gboolean blocks = training->fp8_recipe == PLG_FP8_RECIPE_BLOCKWISE ||
                        training->fp8_recipe == PLG_FP8_RECIPE_MXFP8;

      /* With a scale per block, gradients need no wider exponent. */
      add_word (script, "--fp8-format", blocks ? "e4m3" : "hybrid");
      if (recipe != NULL)
        add_word (script, "--fp8-recipe", recipe);
    }
  if (plg_training_has_bf16_layers (training))
    {
      add_flag (script, "--first-last-layers-bf16", TRUE);
      add_number (script, "--num-layers-at-start-in-bf16", training->bf16_first_layers);
      add_number (script, "--num-layers-at-end-in-bf16", training->bf16_last_layers);
    }
  add_flag (script, "--fp4-format e2m1", training->precision == PLG_PRECISION_FP4);
  add_flag (script, "--fp16", half);
  add_flag (script, "--accumulate-allreduce-grads-in-fp32", !narrow);
  add_flag (script, "--grad-reduce-in-bf16", narrow && !half);
  /* The optimizer on the CPU is a part of the precision-aware optimizer. */
  add_flag (script, "--use-precision-aware-optimizer",
            !has_muon &&
                (training->optimizer != PLG_OPTIMIZER_ADAM || training->offload_optimizer > 0.0));
  if (has_muon)
    {
      add_word (script, "--optimizer", "muon");
      add_number (script, "--muon-num-ns-steps", training->muon_steps);
      add_word (script, "--muon-tp-mode", plg_megatron_muon_modes[training->muon_tp]);
    }
  else if (training->offload_optimizer > 0.0)
    {
      g_autofree char *share = plg_format_exact (training->offload_optimizer);

      add_flag (script, "--optimizer-cpu-offload", TRUE);
      add_word (script, "--optimizer-offload-fraction", share);
      add_flag (script, "--overlap-cpu-optimizer-d2h-h2d", TRUE);
    }
  if (training->offload_layers > 0)
    add_number (script, "--cpu-offloading-num-layers", training->offload_layers);
  if (training->optimizer != PLG_OPTIMIZER_ADAM && !has_muon)
    {
      const char *type = training->optimizer == PLG_OPTIMIZER_ADAM_BF16 ? "bf16" : "fp8";

      add_word (script, "--exp-avg-dtype", type);
      add_word (script, "--exp-avg-sq-dtype", type);
    }
  if (*modules != '\0')
    g_string_append_printf (script->out,
                            "  --recompute-granularity selective\n  --recompute-modules %s\n",
                            modules);
  if (training->recompute == PLG_RECOMPUTE_FULL)
    {
      gboolean is_block = training->recompute_method == PLG_RECOMPUTE_METHOD_FIRST;
      gboolean is_all = training->recompute_method == PLG_RECOMPUTE_METHOD_ALL;

      g_string_append (script->out, "  --recompute-granularity full\n");
      add_word (script, "--recompute-method", is_block ? "block" : "uniform");
      add_number (script, "--recompute-num-layers", is_all ? 1 : training->recompute_layers);
    }
  add_word (script, "--attention-backend", training->flash_attention ? "auto" : "unfused");
  /* The default of Megatron-LM is 0.1. */
  if (training->dropout != PLG_DROPOUT_AUTO || !plg_training_has_dropout (training))
    {
      const char *rate = plg_training_has_dropout (training) ? "0.1" : "0.0";

      add_word (script, "--attention-dropout", rate);
      add_word (script, "--hidden-dropout", rate);
    }
  add_flag (script, "--cross-entropy-loss-fusion",
            training->loss == PLG_LOSS_FUSED || training->loss == PLG_LOSS_CHUNKED);
  if (training->loss == PLG_LOSS_CHUNKED)
    add_word (script, "--cross-entropy-fusion-impl", "linear");
  end_array (script);
}

static void
write_parallelism (Script *script)
{
  static const char *const cp_types
      [] = { [PLG_CP_RING] = "p2p", [PLG_CP_ULYSSES] = "a2a", [PLG_CP_ALL_GATHER] = "allgather" };
  const PlgParallelism *parallelism = &script->plan->parallelism;
  const int *degree = parallelism->degree;
  gboolean interleaved = script->plan->training.schedule == PLG_SCHEDULE_INTERLEAVED;
  gboolean has_layout = parallelism->layout.stages > 0;

  begin_array (script, "PARALLEL_ARGS");
  add_number (script, "--tensor-model-parallel-size", degree[PLG_AXIS_TP]);
  add_flag (script, "--sequence-parallel", parallelism->sequence);
  add_flag (script, "--tp-comm-overlap", parallelism->sequence && parallelism->overlap_tp);
  add_flag (script, "--no-async-tensor-model-parallel-allreduce",
            !parallelism->sequence && !parallelism->overlap_tp);
  add_number (script, "--context-parallel-size", degree[PLG_AXIS_CP]);
  add_word (script, "--cp-comm-type", cp_types[parallelism->cp_type]);
  add_number (script, "--pipeline-model-parallel-size", degree[PLG_AXIS_PP]);
  /* A layout also sets the number of chunks, which must not be given then. */
  if (has_layout)
    {
      g_autofree char *layout = plg_stage_layout_to_string (&parallelism->layout);

      g_string_append_printf (script->out, "  --pipeline-model-parallel-layout '%s'\n", layout);
    }
  else if (interleaved && parallelism->chunks > 1)
    add_number (script, "--num-virtual-stages-per-pipeline-rank", parallelism->chunks);
  add_flag (script, "--no-overlap-p2p-communication", interleaved && !parallelism->overlap_pp);
  if (parallelism->first_layers > 0)
    add_number (script, "--decoder-first-pipeline-num-layers", parallelism->first_layers);
  if (parallelism->last_layers > 0)
    add_number (script, "--decoder-last-pipeline-num-layers", parallelism->last_layers);
  add_flag (script, "--account-for-embedding-in-pipeline-split", parallelism->embedding_slot);
  add_flag (script, "--account-for-loss-in-pipeline-split", parallelism->loss_slot);
  if (plg_transformer_is_moe (&script->plan->model))
    {
      add_number (script, "--expert-model-parallel-size", degree[PLG_AXIS_EP]);
      add_number (script, "--expert-tensor-parallel-size", parallelism->etp);
    }
  /* Megatron-LM's distributed optimizer shards the optimizer states, and its FSDP also shards
   * gradients and weights. */
  add_flag (script, "--use-distributed-optimizer", parallelism->zero > 0);
  if (parallelism->zero > 1)
    {
      add_flag (script, "--use-megatron-fsdp", TRUE);
      add_word (script, "--data-parallel-sharding-strategy",
                parallelism->zero == 2 ? "optim_grads" : "optim_grads_params");
      g_string_append (script->out, "  --no-gradient-accumulation-fusion\n"
                                    "  --ckpt-format fsdp_dtensor\n");
    }
  if (plg_parallelism_replicate (parallelism) > 1)
    add_number (script, "--num-distributed-optimizer-instances", parallelism->replicate);
  add_flag (script, "--overlap-grad-reduce", parallelism->overlap_dp);
  add_flag (script, "--overlap-param-gather", parallelism->overlap_dp && parallelism->zero > 0);
  add_flag (script, "--use-tp-pp-dp-mapping", plg_megatron_maps_stages_first (script->plan));
  end_array (script);
}

void
plg_megatron_comment_kernels (GString *out, const PlgPlan *plan)
{
  if (plan->training.kernels == PLG_KERNELS_FUSED)
    g_string_append (out, PLG_MEGATRON_KERNELS "fused.\n");
}

/* Writes the start of the script. The launcher assigns the ranks. The script checks the number
 * of ranks, because Megatron-LM would form different groups if it ran with a different number. */
static void
write_head (Script *script)
{
  gboolean torchrun = plg_launch_check_blocks (script->plan, "torchrun", NULL);
  int trays = plg_cluster_hosts_per_node (&script->plan->cluster);

  g_string_append (script->out, "#!/bin/bash\n");
  plg_launch_script_title (script->out, script->plan);
  g_string_append_printf (
      script->out,
      "#\n"
      "# Megatron-LM with the model, training and degrees of this plan. Each rank runs this:\n"
      "#   %ssrun ... THIS, mpirun ... THIS\n"
      "# Data, tokenizer and learning rate are the call's, as --data-path ... --lr 1e-4, or\n"
      "# --mock-data --tokenizer-type NullTokenizer --lr 1e-4.\n",
      torchrun ? "torchrun --no-python ... THIS, " : "");
  if (trays > 1)
    g_string_append_printf (script->out,
                            PLG_MULTI_HOST_COUNT_PREFIX "%d" PLG_MULTI_HOST_COUNT_SUFFIX, trays);
  plg_launch_comment_placement (script->out, script->export);
  plg_megatron_comment_kernels (script->out, script->plan);
  g_string_append_printf (
      script->out,
      "set -euo pipefail\n\n"
      "GPUS_PER_NODE=%d\n"
      "NNODES=%d\n"
      "if [ \"${WORLD_SIZE:-$((GPUS_PER_NODE * NNODES))}\" -ne $((GPUS_PER_NODE * NNODES)) ]; "
      "then\n"
      "  echo \"This plan is for $((GPUS_PER_NODE * NNODES)) ranks, not $WORLD_SIZE.\" >&2\n"
      "  exit 1\n"
      "fi\n",
      plg_cluster_host_gpus (&script->plan->cluster), plg_cluster_hosts (&script->plan->cluster));
  /* Megatron-LM needs CUDA_DEVICE_MAX_CONNECTIONS=1 on GPUs before Blackwell, but its FSDP needs
   * the variable to be unset. */
  g_string_append (script->out, script->plan->parallelism.zero > 1
                                    ? "unset CUDA_DEVICE_MAX_CONNECTIONS\n"
                                    : "export CUDA_DEVICE_MAX_CONNECTIONS=1\n");
}

GBytes *
plg_megatron_write (const PlgExportContext *export, GError **error)
{
  static void (*const parts[]) (Script *) = { write_head, write_model, write_experts,
                                              write_training, write_parallelism };
  Script script = { NULL, export->plan, export };

  if (!plg_megatron_check (export->plan, error))
    return NULL;
  script.out = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    parts[i](&script);
  g_string_append_printf (script.out,
                          "\nexec \"${PYTHON:-python3}\" -u \"${MEGATRON:-pretrain_gpt.py}\" \\\n"
                          "  \"${MODEL_ARGS[@]}\" %s\"${TRAINING_ARGS[@]}\" "
                          "\"${PARALLEL_ARGS[@]}\" \"$@\"\n",
                          plg_transformer_is_moe (&export->plan->model) ? "\"${MOE_ARGS[@]}\" "
                                                                        : "");
  return plg_take_text (g_string_free (script.out, FALSE));
}
