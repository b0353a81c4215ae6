/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/nemo-write.h"

#include "io/frameworks/hybrid-layers.h"
#include "io/import/format.h"
#include "io/placement/launch-placement.h"
#include "io/frameworks/megatron-write.h"
#include "plan/quantity.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

static void
add_number (GString *out, const char *key, gint64 value)
{
  g_string_append_printf (out, "  %s: %" G_GINT64_FORMAT "\n", key, value);
}

static void
add_word (GString *out, const char *key, const char *value)
{
  g_string_append_printf (out, "  %s: %s\n", key, value);
}

static void
add_boolean (GString *out, const char *key, gboolean value)
{
  add_word (out, key, value ? "true" : "false");
}

static void
write_mixer (GString *out, const PlgTransformer *model)
{
  if (model->attention_gate)
    add_boolean (out, "attention_output_gate", TRUE);
  if (model->mixer == PLG_MIXER_MAMBA2)
    {
      g_autofree char *pattern = plg_hybrid_layers_pattern (model);

      g_string_append_printf (out, "  hybrid_override_pattern: \"%s\"\n", pattern);
      add_number (out, "mamba_num_heads", model->mixer_heads);
      add_number (out, "mamba_head_dim", model->mixer_head_dim);
      add_number (out, "mamba_num_groups", model->mixer_groups);
      add_number (out, "mamba_state_dim", model->mixer_state);
    }
  else if (model->mixer == PLG_MIXER_GATED_DELTA_NET)
    {
      g_autofree char *layers = plg_megatron_linear_layers (model);

      add_word (out, "experimental_attention_variant", "gated_delta_net");
      if (g_ascii_isdigit (*layers))
        add_word (out, "linear_attention_freq", layers);
      else
        g_string_append_printf (out, "  linear_attention_freq: \"%s\"\n", layers);
      add_number (out, "linear_num_value_heads", model->mixer_heads);
      add_number (out, "linear_value_head_dim", model->mixer_head_dim);
      add_number (out, "linear_num_key_heads", model->mixer_groups);
      add_number (out, "linear_key_head_dim", model->mixer_state);
      add_number (out, "linear_conv_kernel_dim", model->mixer_conv);
    }
}

static void
write_model (GString *out, const PlgPlan *plan)
{
  const PlgTransformer *model = &plan->model;
  g_autofree char *pattern = NULL;

  g_string_append (out, "model:\n");
  add_number (out, "num_layers", model->layers);
  add_number (out, "hidden_size", model->hidden);
  add_number (out, "ffn_hidden_size", model->ffn > 0 ? model->ffn : model->expert_ffn);
  add_number (out, "num_attention_heads", model->heads);
  add_boolean (out, "multi_latent_attention", model->kv_rank > 0);
  if (model->kv_rank == 0)
    {
      add_number (out, "num_query_groups", model->kv_heads);
      add_number (out, "kv_channels", model->head_dim);
    }
  else
    {
      if (model->q_rank > 0)
        add_number (out, "q_lora_rank", model->q_rank);
      add_number (out, "kv_lora_rank", model->kv_rank);
      add_number (out, "qk_head_dim", model->head_dim);
      add_number (out, "qk_pos_emb_head_dim", model->rope_dim);
      add_number (out, "v_head_dim", model->value_dim);
    }
  if (model->index_heads > 0)
    {
      add_word (out, "experimental_attention_variant", "dsa");
      add_number (out, "dsa_indexer_n_heads", model->index_heads);
      add_number (out, "dsa_indexer_head_dim", model->index_dim);
      add_number (out, "dsa_indexer_topk", model->index_top_k);
    }
  if (model->window > 0 && !model->window_chunked)
    {
      g_string_append_printf (out, "  window_size: [%d, 0]\n", model->window - 1);
      if (model->full_attention_every > 0)
        add_number (out, "window_attn_skip_freq", model->full_attention_every);
    }
  write_mixer (out, model);
  add_number (out, "vocab_size", model->vocabulary);
  add_number (out, "seq_length", plan->training.sequence);
  add_number (out, "max_position_embeddings", MAX (model->positions, plan->training.sequence));
  add_word (out, "position_embedding_type", model->positions > 0 ? "learned_absolute" : "rope");
  add_word (out, "normalization", model->rms_norm ? "RMSNorm" : "LayerNorm");
  add_boolean (out, "gated_linear_unit", model->gated);
  add_boolean (out, "add_bias_linear", model->biases);
  add_boolean (out, "share_embeddings_and_output_weights", model->tied);
  if (plg_training_has_bf16_layers (&plan->training))
    {
      add_boolean (out, "first_last_layers_bf16", TRUE);
      add_number (out, "num_layers_at_start_in_bf16", plan->training.bf16_first_layers);
      add_number (out, "num_layers_at_end_in_bf16", plan->training.bf16_last_layers);
    }
  if (plan->training.dropout != PLG_DROPOUT_AUTO)
    {
      const char *rate = plan->training.dropout == PLG_DROPOUT_ON ? "0.1" : "0.0";

      add_word (out, "attention_dropout", rate);
      add_word (out, "hidden_dropout", rate);
    }
  if (model->mtp_layers > 0)
    add_number (out, "mtp_num_layers", model->mtp_layers);
  if (!plg_transformer_is_moe (model))
    return;
  add_number (out, "num_moe_experts", model->experts);
  add_number (out, "moe_router_topk", model->top_k);
  if (model->expert_groups > 1)
    {
      add_number (out, "moe_router_num_groups", model->expert_groups);
      add_number (out, "moe_router_group_topk", model->top_groups);
    }
  add_number (out, "moe_ffn_hidden_size", model->expert_ffn);
  if (model->shared_experts > 0)
    add_number (out, "moe_shared_expert_intermediate_size",
                (gint64) model->shared_experts * model->expert_ffn);
  pattern = plg_megatron_moe_layers (model);
  if (pattern != NULL)
    g_string_append_printf (out, "  moe_layer_freq: \"%s\"\n", pattern);
  add_word (out, "moe_token_dispatcher_type",
            plg_megatron_dispatcher_types[plan->parallelism.dispatcher]);
  if (plg_megatron_dispatcher_backends[plan->parallelism.dispatcher] != NULL)
    add_word (out, "moe_flex_dispatcher_backend",
              plg_megatron_dispatcher_backends[plan->parallelism.dispatcher]);
  add_number (out, "expert_model_parallel_size", plan->parallelism.degree[PLG_AXIS_EP]);
  add_number (out, "expert_tensor_parallel_size", plan->parallelism.etp);
}

/* Returns whether the plan uses sequence parallelism with TP above 1. Megatron Core rejects
 * sequence parallelism with TP 1 (__post_init__() in megatron/core/model_parallel_config.py). */
static gboolean
divides_sequence (const PlgPlan *plan)
{
  return plan->parallelism.sequence && plan->parallelism.degree[PLG_AXIS_TP] > 1;
}

static void
write_degrees (GString *out, const PlgPlan *plan)
{
  static const char *const cp_types
      [] = { [PLG_CP_RING] = "p2p", [PLG_CP_ULYSSES] = "a2a", [PLG_CP_ALL_GATHER] = "all_gather" };
  static const char *const granularities[] = { [PLG_RECOMPUTE_NONE] = "null",
                                               [PLG_RECOMPUTE_SELECTIVE] = "selective",
                                               [PLG_RECOMPUTE_FULL] = "full" };
  const PlgParallelism *parallelism = &plan->parallelism;
  int pp = parallelism->degree[PLG_AXIS_PP];
  gboolean has_modules = plan->training.recompute != PLG_RECOMPUTE_FULL &&
                         plan->training.recompute_modules != 0;

  add_number (out, "tensor_model_parallel_size", parallelism->degree[PLG_AXIS_TP]);
  add_boolean (out, "sequence_parallel", divides_sequence (plan));
  add_number (out, "context_parallel_size", parallelism->degree[PLG_AXIS_CP]);
  add_word (out, "cp_comm_type", cp_types[parallelism->cp_type]);
  add_number (out, "pipeline_model_parallel_size", pp);
  /* Write null unless the plan interleaves several chunks, because any number, even 1, makes
   * Megatron Core interleave and require a pipeline. */
  if (plan->training.schedule == PLG_SCHEDULE_INTERLEAVED && parallelism->chunks > 1 && pp > 1)
    add_number (out, "virtual_pipeline_model_parallel_size", parallelism->chunks);
  else
    add_word (out, "virtual_pipeline_model_parallel_size", "null");
  if (parallelism->layout.stages > 0)
    {
      g_autofree char *layout = plg_stage_layout_to_string (&parallelism->layout);
      g_autofree char *quoted = g_strdup_printf ("\"%s\"", layout);

      add_word (out, "pipeline_model_parallel_layout", quoted);
    }
  if (parallelism->first_layers > 0)
    add_number (out, "num_layers_in_first_pipeline_stage", parallelism->first_layers);
  if (parallelism->last_layers > 0)
    add_number (out, "num_layers_in_last_pipeline_stage", parallelism->last_layers);
  add_boolean (out, "account_for_embedding_in_pipeline_split", parallelism->embedding_slot);
  add_boolean (out, "account_for_loss_in_pipeline_split", parallelism->loss_slot);
  if (plan->training.offload_layers > 0)
    {
      add_boolean (out, "cpu_offloading", TRUE);
      add_number (out, "cpu_offloading_num_layers", plan->training.offload_layers);
      add_boolean (out, "cpu_offloading_weights", FALSE);
    }
  add_boolean (out, "cross_entropy_loss_fusion",
               plan->training.loss == PLG_LOSS_FUSED || plan->training.loss == PLG_LOSS_CHUNKED);
  if (plan->training.loss == PLG_LOSS_CHUNKED)
    add_word (out, "cross_entropy_fusion_impl", "linear");
  add_word (out, "attention_backend", plan->training.flash_attention ? "auto" : "unfused");
  if (has_modules)
    {
      g_autofree char *modules = plg_megatron_modules (plan, ", ");
      g_autofree char *list = g_strdup_printf ("[%s]", modules);

      add_word (out, "recompute_granularity", *modules != '\0' ? "selective" : "null");
      add_word (out, "recompute_modules", list);
      return;
    }
  add_word (out, "recompute_granularity", granularities[plan->training.recompute]);
  if (plan->training.recompute != PLG_RECOMPUTE_FULL)
    return;
  add_word (out, "recompute_method",
            plan->training.recompute_method == PLG_RECOMPUTE_METHOD_FIRST ? "block" : "uniform");
  add_number (out, "recompute_num_layers",
              plan->training.recompute_method == PLG_RECOMPUTE_METHOD_ALL
                  ? 1
                  : plan->training.recompute_layers);
}

static void
write_rest (GString *out, const PlgPlan *plan)
{
  static const char *const precisions[] = {
    [PLG_PRECISION_BF16] = "bf16_mixed",
    [PLG_PRECISION_FP16] = "fp16_mixed",
    [PLG_PRECISION_FP8] = "bf16_with_fp8_delayed_scaling_mixed",
    [PLG_PRECISION_FP4] = "bf16_with_nvfp4_mixed",
  };
  static const char *const recipes[PLG_N_FP8_RECIPES] = {
    [PLG_FP8_RECIPE_CURRENT] = "bf16_with_fp8_current_scaling_mixed",
    [PLG_FP8_RECIPE_BLOCKWISE] = "bf16_with_fp8_subchannel_scaling_mixed",
    [PLG_FP8_RECIPE_MXFP8] = "bf16_with_mxfp8_mixed",
  };
  static const char *const strategies[] = { "no_shard", "optim", "optim_grads",
                                            "optim_grads_params" };
  const PlgParallelism *parallelism = &plan->parallelism;
  const char *precision;

  g_assert (plan->training.precision < G_N_ELEMENTS (precisions));
  g_string_append (out, "train:\n");
  add_number (out, "micro_batch_size", plan->training.micro_batch);
  add_number (out, "global_batch_size", plan->training.global_batch);
  g_string_append (out, "dataset:\n");
  add_number (out, "sequence_length", plan->training.sequence);
  g_string_append (out, "ddp:\n");
  add_boolean (out, "use_distributed_optimizer", parallelism->zero > 0);
  add_boolean (out, "overlap_grad_reduce", parallelism->overlap_dp);
  add_boolean (out, "overlap_param_gather", parallelism->overlap_dp && parallelism->zero > 0);
  add_boolean (out, "grad_reduce_in_fp32", plan->training.gradient_precision == PLG_PRECISION_FP32);
  if (plg_parallelism_replicate (parallelism) > 1)
    add_number (out, "num_distributed_optimizer_instances", parallelism->replicate);
  if (parallelism->zero >= 2)
    {
      add_boolean (out, "use_megatron_fsdp", TRUE);
      add_word (out, "data_parallel_sharding_strategy", strategies[parallelism->zero]);
    }
  if (plan->training.optimizer == PLG_OPTIMIZER_MUON)
    {
      g_string_append (out, "optimizer:\n");
      add_word (out, "optimizer", "muon");
      add_boolean (out, "use_layer_wise_distributed_optimizer", parallelism->zero == 1);
      add_number (out, "muon_num_ns_steps", plan->training.muon_steps);
      add_word (out, "muon_tp_mode", plg_megatron_muon_modes[plan->training.muon_tp]);
    }
  else if (plan->training.offload_optimizer > 0.0)
    {
      g_autofree char *share = plg_format_exact (plan->training.offload_optimizer);

      g_string_append (out, "optimizer:\n");
      add_boolean (out, "use_precision_aware_optimizer", TRUE);
      add_boolean (out, "optimizer_cpu_offload", TRUE);
      add_word (out, "optimizer_offload_fraction", share);
      add_boolean (out, "overlap_cpu_optimizer_d2h_h2d", TRUE);
    }
  g_string_append (out, "dist:\n");
  add_boolean (out, "use_tp_pp_dp_mapping", plg_megatron_maps_stages_first (plan));
  g_string_append (out, "comm_overlap:\n");
  if (divides_sequence (plan))
    add_boolean (out, "tp_comm_overlap", parallelism->overlap_tp);
  add_boolean (out, "overlap_p2p_comm", parallelism->overlap_pp);
  if (parallelism->degree[PLG_AXIS_EP] > 1)
    add_boolean (out, "overlap_moe_expert_parallel_comm", parallelism->overlap_ep);
  precision = precisions[plan->training.precision];
  if (plan->training.precision == PLG_PRECISION_FP8 && recipes[plan->training.fp8_recipe] != NULL)
    precision = recipes[plan->training.fp8_recipe];
  /* A top-level key of Megatron-Bridge's ConfigContainer (training/config.py). */
  g_string_append_printf (out, "mixed_precision: %s\n", precision);
}

GBytes *
plg_nemo_write (const PlgExportContext *export, GError **error)
{
  static void (*const blocks[]) (GString *, const PlgPlan *) = { write_model, write_degrees,
                                                                 write_rest };
  const PlgPlan *plan = export->plan;
  GString *out;

  if (!plg_megatron_check (plan, error))
    return NULL;
  if (plan->training.precision == PLG_PRECISION_FP32)
    {
      g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                   _ ("Megatron-Bridge trains in mixed precision. Set %s to %s, %s or "
                      "%s, or write Megatron-LM's arguments."),
                   plg_setting_name ("training.precision"),
                   plg_setting_value_name ("training.precision", "bf16"),
                   plg_setting_value_name ("training.precision", "fp16"),
                   plg_setting_value_name ("training.precision", "fp8"));
      return NULL;
    }
  out = g_string_new (NULL);
  g_string_append_printf (out, PLG_NEMO_NODES "%d nodes of %d GPUs\n", plan->cluster.nodes,
                          plan->cluster.gpus_per_node);
  plg_launch_comment_placement (out, export);
  plg_megatron_comment_kernels (out, plan);
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    blocks[i](out, plan);
  return plg_take_text (g_string_free (out, FALSE));
}
