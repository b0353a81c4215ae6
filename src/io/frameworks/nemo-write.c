/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/nemo-write.h"

#include "io/registry/format-private.h"
#include "io/placement/launch-placement.h"
#include "io/frameworks/megatron-write.h"

#include <glib/gi18n-lib.h>

static void
number (GString *out, const char *key, gint64 value)
{
  g_string_append_printf (out, "  %s: %" G_GINT64_FORMAT "\n", key, value);
}

static void
word (GString *out, const char *key, const char *value)
{
  g_string_append_printf (out, "  %s: %s\n", key, value);
}

static void
truth (GString *out, const char *key, gboolean value)
{
  word (out, key, value ? "true" : "false");
}

static void
write_attention (GString *out, const PlgTransformer *model)
{
  number (out, "num_attention_heads", model->heads);
  truth (out, "multi_latent_attention", model->kv_rank > 0);
  if (model->kv_rank == 0)
    {
      number (out, "num_query_groups", model->kv_heads);
      number (out, "kv_channels", model->head_dim);
      return;
    }
  if (model->q_rank > 0)
    number (out, "q_lora_rank", model->q_rank);
  number (out, "kv_lora_rank", model->kv_rank);
  number (out, "qk_head_dim", model->head_dim);
  number (out, "qk_pos_emb_head_dim", model->rope_dim);
  number (out, "v_head_dim", model->value_dim);
}

static void
write_experts (GString *out, const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;

  if (!plg_transformer_is_moe (model))
    return;
  number (out, "num_moe_experts", model->experts);
  number (out, "moe_router_topk", model->top_k);
  number (out, "moe_ffn_hidden_size", model->expert_ffn);
  if (model->shared_experts > 0)
    number (out, "moe_shared_expert_intermediate_size",
            (gint64) model->shared_experts * model->expert_ffn);
  if (model->dense_layers > 0 && model->dense_layers < model->layers)
    g_string_append_printf (out, "  moe_layer_freq: \"([0]*%d+[1]*%d)\"\n", model->dense_layers,
                            model->layers - model->dense_layers);
  number (out, "expert_model_parallel_size", plan->parallelism.degree[PLG_AXIS_EP]);
  number (out, "expert_tensor_parallel_size", plan->parallelism.etp);
}

static void
write_model (GString *out, const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;

  g_string_append (out, "model:\n");
  number (out, "num_layers", model->layers);
  number (out, "hidden_size", model->hidden);
  number (out, "ffn_hidden_size", model->ffn > 0 ? model->ffn : model->expert_ffn);
  write_attention (out, model);
  number (out, "vocab_size", model->vocabulary);
  number (out, "seq_length", plan->training.sequence);
  number (out, "max_position_embeddings", MAX (model->positions, plan->training.sequence));
  word (out, "position_embedding_type", model->positions > 0 ? "learned_absolute" : "rope");
  word (out, "normalization", model->rms_norm ? "RMSNorm" : "LayerNorm");
  truth (out, "gated_linear_unit", model->gated);
  truth (out, "add_bias_linear", model->biases);
  truth (out, "share_embeddings_and_output_weights", model->tied);
  if (model->mtp_layers > 0)
    number (out, "mtp_num_layers", model->mtp_layers);
  write_experts (out, plan);
}

static void
write_recompute (GString *out, PlgRecompute recompute)
{
  if (recompute == PLG_RECOMPUTE_NONE)
    word (out, "recompute_granularity", "null");
  if (recompute == PLG_RECOMPUTE_SELECTIVE)
    word (out, "recompute_granularity", "selective");
  if (recompute != PLG_RECOMPUTE_FULL)
    return;
  word (out, "recompute_granularity", "full");
  word (out, "recompute_method", "uniform");
  number (out, "recompute_num_layers", 1);
}

/* One chunk is null: Megatron Core takes any number, 1 as well, for a schedule that interleaves,
 * and wants a pipeline for it. */
static void
write_chunks (GString *out, const PlgPlan *plan)
{
  int chunks = plan->training.schedule == PLG_SCHEDULE_INTERLEAVED ? plan->parallelism.chunks : 1;

  if (chunks > 1 && plan->parallelism.degree[PLG_AXIS_PP] > 1)
    number (out, "virtual_pipeline_model_parallel_size", chunks);
  else
    word (out, "virtual_pipeline_model_parallel_size", "null");
}

/* Megatron Core refuses it with TP 1 (__post_init__() in megatron/core/model_parallel_config.py).
 */
static gboolean
divides_sequence (const PlgPlan *plan)
{
  return plan->parallelism.sequence && plan->parallelism.degree[PLG_AXIS_TP] > 1;
}

static void
write_degrees (GString *out, const PlgPlan *plan)
{
  static const char *const cp_types[] = { "p2p", "a2a", "all_gather" };
  const PlgParallelism *parallelism = &plan->parallelism;

  number (out, "tensor_model_parallel_size", parallelism->degree[PLG_AXIS_TP]);
  truth (out, "sequence_parallel", divides_sequence (plan));
  number (out, "context_parallel_size", parallelism->degree[PLG_AXIS_CP]);
  word (out, "cp_comm_type", cp_types[parallelism->cp_type]);
  number (out, "pipeline_model_parallel_size", parallelism->degree[PLG_AXIS_PP]);
  write_chunks (out, plan);
  if (parallelism->first_layers > 0)
    number (out, "num_layers_in_first_pipeline_stage", parallelism->first_layers);
  if (parallelism->last_layers > 0)
    number (out, "num_layers_in_last_pipeline_stage", parallelism->last_layers);
  truth (out, "account_for_embedding_in_pipeline_split", parallelism->embedding_slot);
  truth (out, "account_for_loss_in_pipeline_split", parallelism->loss_slot);
  truth (out, "cross_entropy_loss_fusion", plan->training.loss == PLG_LOSS_FUSED);
  word (out, "attention_backend", plan->training.flash_attention ? "auto" : "unfused");
  write_recompute (out, plan->training.recompute);
}

static void
write_ddp (GString *out, const PlgPlan *plan)
{
  static const char *const strategies[] = { "no_shard", "optim", "optim_grads",
                                            "optim_grads_params" };
  const PlgParallelism *parallelism = &plan->parallelism;

  g_string_append (out, "ddp:\n");
  truth (out, "use_distributed_optimizer", parallelism->zero > 0);
  truth (out, "overlap_grad_reduce", parallelism->overlap_dp);
  truth (out, "overlap_param_gather", parallelism->overlap_dp && parallelism->zero > 0);
  truth (out, "grad_reduce_in_fp32", plan->training.gradient_precision == PLG_PRECISION_FP32);
  if (parallelism->zero < 2)
    return;
  truth (out, "use_megatron_fsdp", TRUE);
  word (out, "data_parallel_sharding_strategy", strategies[parallelism->zero]);
}

static void
write_rest (GString *out, const PlgPlan *plan)
{
  static const char *const precisions[] = { "bf16_mixed", "fp16_mixed",
                                            "bf16_with_fp8_current_scaling_mixed" };

  g_string_append (out, "train:\n");
  number (out, "micro_batch_size", plan->training.micro_batch);
  number (out, "global_batch_size", plan->training.global_batch);
  g_string_append (out, "dataset:\n");
  number (out, "sequence_length", plan->training.sequence);
  write_ddp (out, plan);
  g_string_append (out, "dist:\n");
  truth (out, "use_tp_pp_dp_mapping", plg_megatron_maps_stages_first (plan));
  g_string_append (out, "comm_overlap:\n");
  if (divides_sequence (plan))
    truth (out, "tp_comm_overlap", plan->parallelism.overlap_tp);
  truth (out, "overlap_p2p_comm", plan->parallelism.overlap_pp);
  if (plan->parallelism.degree[PLG_AXIS_EP] > 1)
    truth (out, "overlap_moe_expert_parallel_comm", plan->parallelism.overlap_ep);
  g_string_append_printf (out, "mixed_precision: %s\n", precisions[plan->training.precision]);
}

GBytes *
plg_nemo_write (const PlgExportContext *export, GError **error)
{
  GString *out;

  if (!plg_megatron_check (export->plan, error))
    return NULL;
  if (export->plan->training.precision == PLG_PRECISION_FP32)
    {
      g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                           _ ("Megatron-Bridge trains in mixed precision. Set training.precision "
                              "to bf16, fp16 or fp8, or write Megatron-LM's arguments."));
      return NULL;
    }
  out = g_string_new (NULL);
  g_string_append_printf (out, PLG_NEMO_NODES "%d nodes of %d GPUs\n", export->plan->cluster.nodes,
                          export->plan->cluster.gpus_per_node);
  plg_launch_comment_placement (out, export->plan);
  plg_megatron_comment_kernels (out, export->plan);
  write_model (out, export->plan);
  write_degrees (out, export->plan);
  write_rest (out, export->plan);
  return plg_take_text (g_string_free (out, FALSE));
}
