/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/megatron-write.h"

#include "engine/model/kernel.h"

#include "io/registry/format-private.h"
#include "io/launch/launch-script.h"
#include "io/placement/launch-placement.h"
#include "io/placement/multi-host-nodes.h"

#include <math.h>

/* Spelled as in megatron/training/arguments.py of Megatron-LM, 2025. */

typedef struct
{
  GString *out;
  const PlgPlan *plan;
} Script;

static void
begin (Script *script, const char *name)
{
  g_string_append_printf (script->out, "\n%s=(\n", name);
}

static void
end (Script *script)
{
  g_string_append (script->out, ")\n");
}

static void
number (Script *script, const char *option, gint64 value)
{
  g_string_append_printf (script->out, "  %s %" G_GINT64_FORMAT "\n", option, value);
}

static void
word (Script *script, const char *option, const char *value)
{
  g_string_append_printf (script->out, "  %s %s\n", option, value);
}

static void
flag (Script *script, const char *option, gboolean set)
{
  if (set)
    g_string_append_printf (script->out, "  %s\n", option);
}

static void
write_attention (Script *script)
{
  const PlgTransformer *model = &script->plan->model;

  number (script, "--num-attention-heads", model->heads);
  if (model->kv_rank == 0)
    {
      number (script, "--kv-channels", model->head_dim);
      flag (script, "--group-query-attention", model->kv_heads != model->heads);
      if (model->kv_heads != model->heads)
        number (script, "--num-query-groups", model->kv_heads);
      return;
    }
  flag (script, "--multi-latent-attention", TRUE);
  if (model->q_rank > 0)
    number (script, "--q-lora-rank", model->q_rank);
  number (script, "--kv-lora-rank", model->kv_rank);
  number (script, "--qk-head-dim", model->head_dim);
  number (script, "--qk-pos-emb-head-dim", model->rope_dim);
  number (script, "--v-head-dim", model->value_dim);
}

static void
write_experts (Script *script)
{
  const PlgTransformer *model = &script->plan->model;

  if (!plg_transformer_is_moe (model))
    return;
  begin (script, "MOE_ARGS");
  number (script, "--num-experts", model->experts);
  number (script, "--moe-router-topk", model->top_k);
  number (script, "--moe-ffn-hidden-size", model->expert_ffn);
  if (model->shared_experts > 0)
    number (script, "--moe-shared-expert-intermediate-size",
            (gint64) model->shared_experts * model->expert_ffn);
  if (model->dense_layers > 0 && model->dense_layers < model->layers)
    g_string_append_printf (script->out, "  --moe-layer-freq '([0]*%d+[1]*%d)'\n",
                            model->dense_layers, model->layers - model->dense_layers);
  word (script, "--moe-token-dispatcher-type", "alltoall");
  flag (script, "--overlap-moe-expert-parallel-comm",
        script->plan->parallelism.overlap_ep && script->plan->parallelism.degree[PLG_AXIS_EP] > 1);
  end (script);
}

static void
write_model (Script *script)
{
  const PlgTransformer *model = &script->plan->model;

  begin (script, "MODEL_ARGS");
  number (script, "--num-layers", model->layers);
  number (script, "--hidden-size", model->hidden);
  if (model->ffn > 0)
    number (script, "--ffn-hidden-size", model->ffn);
  write_attention (script);
  number (script, "--seq-length", script->plan->training.sequence);
  number (script, "--max-position-embeddings",
          MAX (model->positions, script->plan->training.sequence));
  word (script, "--position-embedding-type", model->positions > 0 ? "learned_absolute" : "rope");
  number (script, "--vocab-size", model->vocabulary);
  word (script, "--normalization", model->rms_norm ? "RMSNorm" : "LayerNorm");
  flag (script, "--swiglu", model->gated);
  flag (script, "--disable-bias-linear", !model->biases);
  flag (script, "--untie-embeddings-and-output-weights", !model->tied);
  if (model->mtp_layers > 0)
    number (script, "--mtp-num-layers", model->mtp_layers);
  end (script);
}

static void
write_precision (Script *script)
{
  const PlgTraining *training = &script->plan->training;
  gboolean narrow = training->gradient_precision == PLG_PRECISION_BF16;
  gboolean half = training->precision == PLG_PRECISION_FP16;

  flag (script, "--bf16",
        training->precision == PLG_PRECISION_BF16 || training->precision == PLG_PRECISION_FP8);
  flag (script, "--fp8-format hybrid", training->precision == PLG_PRECISION_FP8);
  flag (script, "--fp16", half);
  flag (script, "--accumulate-allreduce-grads-in-fp32", !narrow);
  flag (script, "--grad-reduce-in-bf16", narrow && !half);
}

static void
write_training (Script *script)
{
  const PlgTraining *training = &script->plan->training;

  begin (script, "TRAINING_ARGS");
  number (script, "--micro-batch-size", training->micro_batch);
  number (script, "--global-batch-size", training->global_batch);
  if (training->tokens >= 1.0)
    number (script, "--train-samples", (gint64) ceil (training->tokens / training->sequence));
  write_precision (script);
  if (training->recompute == PLG_RECOMPUTE_SELECTIVE)
    g_string_append (script->out,
                     "  --recompute-granularity selective\n  --recompute-modules core_attn\n");
  if (training->recompute == PLG_RECOMPUTE_FULL)
    g_string_append (script->out, "  --recompute-granularity full\n  --recompute-method uniform\n"
                                  "  --recompute-num-layers 1\n");
  word (script, "--attention-backend", training->flash_attention ? "auto" : "unfused");
  flag (script, "--cross-entropy-loss-fusion", training->loss == PLG_LOSS_FUSED);
  end (script);
}

static void
write_pipeline (Script *script)
{
  const PlgParallelism *parallelism = &script->plan->parallelism;
  gboolean interleaved = script->plan->training.schedule == PLG_SCHEDULE_INTERLEAVED;

  if (interleaved && parallelism->chunks > 1)
    number (script, "--num-virtual-stages-per-pipeline-rank", parallelism->chunks);
  flag (script, "--no-overlap-p2p-communication", interleaved && !parallelism->overlap_pp);
  if (parallelism->first_layers > 0)
    number (script, "--decoder-first-pipeline-num-layers", parallelism->first_layers);
  if (parallelism->last_layers > 0)
    number (script, "--decoder-last-pipeline-num-layers", parallelism->last_layers);
  flag (script, "--account-for-embedding-in-pipeline-split", parallelism->embedding_slot);
  flag (script, "--account-for-loss-in-pipeline-split", parallelism->loss_slot);
}

/* Megatron-LM itself shards the optimizer, its FSDP the rest. */
static void
write_sharding (Script *script)
{
  const PlgParallelism *parallelism = &script->plan->parallelism;

  flag (script, "--use-distributed-optimizer", parallelism->zero > 0);
  if (parallelism->zero > 1)
    {
      flag (script, "--use-megatron-fsdp", TRUE);
      word (script, "--data-parallel-sharding-strategy",
            parallelism->zero == 2 ? "optim_grads" : "optim_grads_params");
      g_string_append (script->out, "  --no-gradient-accumulation-fusion\n"
                                    "  --ckpt-format fsdp_dtensor\n");
    }
  flag (script, "--overlap-grad-reduce", parallelism->overlap_dp);
  flag (script, "--overlap-param-gather", parallelism->overlap_dp && parallelism->zero > 0);
}

static void
write_parallelism (Script *script)
{
  static const char *const cp_types[] = { "p2p", "a2a", "allgather" };
  const PlgParallelism *parallelism = &script->plan->parallelism;
  const int *degree = parallelism->degree;

  begin (script, "PARALLEL_ARGS");
  number (script, "--tensor-model-parallel-size", degree[PLG_AXIS_TP]);
  flag (script, "--sequence-parallel", parallelism->sequence);
  flag (script, "--tp-comm-overlap", parallelism->sequence && parallelism->overlap_tp);
  flag (script, "--no-async-tensor-model-parallel-allreduce",
        !parallelism->sequence && !parallelism->overlap_tp);
  number (script, "--context-parallel-size", degree[PLG_AXIS_CP]);
  word (script, "--cp-comm-type", cp_types[parallelism->cp_type]);
  number (script, "--pipeline-model-parallel-size", degree[PLG_AXIS_PP]);
  write_pipeline (script);
  if (plg_transformer_is_moe (&script->plan->model))
    {
      number (script, "--expert-model-parallel-size", degree[PLG_AXIS_EP]);
      number (script, "--expert-tensor-parallel-size", parallelism->etp);
    }
  write_sharding (script);
  flag (script, "--use-tp-pp-dp-mapping", plg_megatron_maps_stages_first (script->plan));
  end (script);
}

void
plg_megatron_comment_kernels (GString *out, const PlgPlan *plan)
{
  if (plan->training.kernels == PLG_KERNELS_AUTO && !plg_kernels_are_fused (plan))
    g_string_append (out, PLG_MEGATRON_KERNELS "auto, which counts as eager;\n"
                                               "# Megatron-LM's are fused, and so faster.\n");
}

/* The launcher says who is which rank; a launcher of another size would make other groups. */
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
  plg_launch_comment_placement (script->out, script->plan);
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
  /* Both are what Megatron-LM asks for before Blackwell, each where it does. */
  g_string_append (script->out, script->plan->parallelism.zero > 1
                                    ? "unset CUDA_DEVICE_MAX_CONNECTIONS\n"
                                    : "export CUDA_DEVICE_MAX_CONNECTIONS=1\n");
}

GBytes *
plg_megatron_write (const PlgExportContext *export, GError **error)
{
  Script script = { NULL, export->plan };
  gboolean experts = plg_transformer_is_moe (&export->plan->model);

  if (!plg_megatron_check (export->plan, error))
    return NULL;
  script.out = g_string_new (NULL);
  write_head (&script);
  write_model (&script);
  write_experts (&script);
  write_training (&script);
  write_parallelism (&script);
  g_string_append_printf (script.out,
                          "\nexec \"${PYTHON:-python3}\" -u \"${MEGATRON:-pretrain_gpt.py}\" \\\n"
                          "  \"${MODEL_ARGS[@]}\" %s\"${TRAINING_ARGS[@]}\" "
                          "\"${PARALLEL_ARGS[@]}\" \"$@\"\n",
                          experts ? "\"${MOE_ARGS[@]}\" " : "");
  return plg_take_text (g_string_free (script.out, FALSE));
}
