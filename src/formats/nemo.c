/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format-private.h"
#include "formats/interpolation.h"
#include "formats/launch.h"
#include "formats/megatron-write.h"
#include "formats/model-name.h"
#include "formats/options.h"
#include "formats/remark.h"
#include "formats/yaml-tree.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

/* Configurations in YAML of NeMo (trainer, trainer.strategy, model; NeMo 1 and 2) and of
 * Megatron-Bridge (model, train, dataset, ddp, dist, mixed_precision, comm_overlap; its guide
 * docs/megatron-lm-to-megatron-bridge.md): Megatron-LM's words with “_”. Such a file changes a
 * recipe, so what it leaves out stays as it is. */

typedef struct
{
  PlgReading *reading;
  const PlgYaml *tree;
  PlgOptions options;
  GError **error;
} Config;

/* Blocks whose members are Megatron-LM's words. */
static const char *const blocks[] = { "",
                                      "model",
                                      "model.config",
                                      "model.data",
                                      "trainer",
                                      "train",
                                      "dataset",
                                      "data",
                                      "ddp",
                                      "dist",
                                      "comm_overlap",
                                      "strategy",
                                      "trainer.strategy",
                                      "trainer.strategy.ddp",
                                      "trainer.strategy.ddp_config",
                                      "model.optim",
                                      "mixed_precision",
                                      NULL };

/* Other words for the same, or for what says the most of it. */
static const char *const names[][2] = {
  { "precision", "bf16" },
  { "mixed_precision", "bf16" },
  { "activation", "swiglu" },
  { "sequence_length", "seq-length" },
  { "activations_checkpoint_granularity", "recompute-granularity" },
  { "activations_checkpoint_method", "recompute-method" },
  { "activations_checkpoint_num_layers", "recompute-num-layers" },
  { "ub_tp_comm_overlap", "tp-comm-overlap" },
  { "overlap_grad_sync", "overlap-grad-reduce" },
  { "overlap_param_sync", "overlap-param-gather" },
  { "num_nodes", "nodes" },
  { "devices", "nproc-per-node" },
};

/* Flags of Megatron-LM that are the other way round here. */
static const char *const opposites[][2] = {
  { "share_embeddings_and_output_weights", "untie-embeddings-and-output-weights" },
  { "add_bias_linear", "disable-bias-linear" },
  { "bias", "disable-bias-linear" },
  { "overlap_p2p_comm", "no-overlap-p2p-communication" },
};

/* Keys of which null says something: that there is none of it. */
static const char *const without[] = { "recompute_granularity",
                                       "activations_checkpoint_granularity",
                                       "virtual_pipeline_model_parallel_size", NULL };

static const char *
translated (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i][0], name))
      return names[i][1];
  return name;
}

/* As what it is asked for, whatever its value is. */
static const char *
asked_as (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (opposites); i++)
    if (g_str_equal (opposites[i][0], name))
      return opposites[i][1];
  return translated (name);
}

/* Python's and YAML's truth values; -1: it is none. */
static int
truth_of (const PlgYaml *value)
{
  static const char *const truths[] = { "true", "yes", "on" };
  static const char *const lies[] = { "false", "no", "off" };

  for (guint i = 0; i < G_N_ELEMENTS (truths) && value->plain; i++)
    if (g_ascii_strcasecmp (value->text, truths[i]) == 0)
      return 1;
    else if (g_ascii_strcasecmp (value->text, lies[i]) == 0)
      return 0;
  return -1;
}

static PlgOption *
add (Config *config, const char *name, const char *shown, const PlgYaml *value)
{
  PlgOption *option = plg_options_add (&config->options, name,
                                       truth_of (value) >= 0 ? NULL : value->text, value->line);

  g_free (option->shown);
  option->shown = g_strdup (shown);
  option->off = truth_of (value) == 0;
  return option;
}

/* "bf16-mixed", 16, "bf16_with_fp8_current_scaling_mixed" */
static void
add_precision (Config *config, const PlgYaml *value, const char *shown)
{
  if (strstr (value->text, "fp8") != NULL || strstr (value->text, "mxfp8") != NULL)
    add (config, "fp8-format", shown, value);
  if (strstr (value->text, "bf16") != NULL)
    add (config, "bf16", shown, value);
  else if (strstr (value->text, "16") != NULL)
    add (config, "fp16", shown, value);
}

/* The activation says whether the MLP is gated. */
static void
add_activation (Config *config, const PlgYaml *value, const char *shown)
{
  PlgOption *option = add (config, "swiglu", shown, value);

  option->off = strstr (value->text, "glu") == NULL;
}

/* Keys that are not looked up by their own names. */
static gboolean
is_special (const char *key)
{
  gboolean opposite = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (opposites); i++)
    opposite |= g_str_equal (opposites[i][0], key);
  return opposite || g_str_equal (key, "precision") || g_str_equal (key, "mixed_precision") ||
         g_str_equal (key, "activation");
}

static void
add_value (Config *config, const PlgYaml *value, const char *shown)
{
  if (plg_yaml_is_null (value))
    {
      if (g_strv_contains (without, value->key))
        add (config, translated (value->key), shown, value)->off = TRUE;
      return;
    }
  if (g_str_equal (value->key, "precision") || g_str_equal (value->key, "mixed_precision"))
    {
      add_precision (config, value, shown);
      return;
    }
  if (g_str_equal (value->key, "activation"))
    {
      add_activation (config, value, shown);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (opposites); i++)
    if (g_str_equal (opposites[i][0], value->key) && truth_of (value) >= 0)
      {
        PlgOption *option = add (config, opposites[i][1], shown, value);

        option->off = !option->off;
        return;
      }
  add (config, translated (value->key), shown, value);
}

/* "[0,1,1]" of a list of single values. g_free(). */
static char *
list_text (const PlgYaml *list)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < list->below->len; i++)
    {
      const PlgYaml *value = list->below->pdata[i];

      g_string_append_printf (text, "%s%s", i > 0 ? "," : "",
                              value->text != NULL ? value->text : "…");
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* Devices are counted, layers with experts are a pattern as well, and of modules the first ones are
 * looked at. All else is one value. */
static void
add_list (Config *config, const PlgYaml *list, const char *shown)
{
  g_autofree char *text = list_text (list);
  g_autofree char *count = g_strdup_printf ("%u", list->below->len);
  gboolean devices = g_str_equal (list->key, "devices");
  PlgOption *option;

  if (g_str_equal (list->key, "moe_layer_freq") || g_str_equal (list->key, "recompute_modules") ||
      devices)
    {
      option = plg_options_add (&config->options, translated (list->key), devices ? count : text,
                                list->line);
      if (g_str_equal (text, "[core_attn]"))
        {
          g_free (option->value);
          option->value = g_strdup ("core_attn");
        }
    }
  else
    {
      option = plg_options_add (&config->options, translated (list->key), text, list->line);
      option->list = TRUE;
      option->used = is_special (list->key);
    }
  g_free (option->shown);
  option->shown = g_strdup (shown);
}

/* A value of the block at PATH, which may be said by others of the file. */
static void
add_single (Config *config, const PlgYaml *value, const char *path, const char *shown)
{
  g_autofree char *text = plg_interpolate (config->tree, path, value->text);
  PlgYaml said = *value;

  if (text == NULL)
    {
      add (config, asked_as (value->key), shown, value)->open = TRUE;
      return;
    }
  said.plain |= !g_str_equal (text, value->text);
  said.text = text;
  add_value (config, &said, shown);
}

/* What stands in other blocks is nobody's, and no list is: told by its path. */
static void
add_block (Config *config, const PlgYaml *block, const char *path)
{
  gboolean ours = g_strv_contains (blocks, path);

  for (guint i = 0; block->mapping && block->below != NULL && i < block->below->len; i++)
    {
      const PlgYaml *value = block->below->pdata[i];
      g_autofree char *below = *path != '\0' && value->key != NULL
                                   ? g_strconcat (path, ".", value->key, NULL)
                                   : g_strdup (value->key);

      if (value->key == NULL)
        continue;
      if (value->below != NULL && !value->mapping && ours)
        add_list (config, value, below);
      else if (value->below != NULL && !value->mapping)
        plg_options_add (&config->options, below, NULL, value->line);
      else if (value->mapping)
        add_block (config, value, below);
      else if (ours)
        add_single (config, value, path, below);
      else
        add (config, below, below, value);
    }
}

/* Megatron-Bridge is told by its launcher how many nodes there are, so our own file says it in a
 * comment. */
#define NODES "# Megatron-Bridge on "

static gboolean
read_remark (Config *config, gint64 *world)
{
  int line, nodes, gpus;
  const char *remark = plg_remark_find (config->reading, NODES, &line);

  if (remark == NULL || sscanf (remark, "%6d nodes of %6d GPUs", &nodes, &gpus) != 2)
    return TRUE;
  *world = (gint64) nodes * gpus;
  return plg_reading_set_int (config->reading, line, "cluster.nodes", nodes, config->error) &&
         plg_reading_set_int (config->reading, line, "cluster.gpus-per-node", gpus, config->error);
}

/* GPUs in all, or 0. */
static gboolean
read_world (Config *config, gint64 *world)
{
  const PlgOption *nodes = plg_options_find (&config->options, "nodes");
  const PlgOption *gpus = plg_options_find (&config->options, "nproc-per-node");
  gint64 n = 0, m = config->reading->plan->cluster.gpus_per_node;

  if (nodes == NULL && gpus == NULL)
    return read_remark (config, world);
  if (nodes != NULL && (!plg_options_number (&config->options, nodes, &n, config->error) ||
                        !plg_options_set (&config->options, nodes, "cluster.nodes", config->error)))
    return FALSE;
  if (gpus != NULL &&
      (!plg_options_number (&config->options, gpus, &m, config->error) ||
       !plg_options_set (&config->options, gpus, "cluster.gpus-per-node", config->error)))
    return FALSE;
  *world = n * m;
  return TRUE;
}

static gboolean
read_config (Config *config)
{
  gint64 world = 0;

  if (!read_world (config, &world))
    return FALSE;
  if (plg_options_find (&config->options, "use-tp-pp-dp-mapping") == NULL &&
      !plg_reading_infer (config->reading, 0, "parallelism.order", "megatron",
                          _ ("That is how Megatron-LM numbers its ranks."), config->error))
    return FALSE;
  if (!plg_megatron_understand (&config->options, FALSE, world, config->error) ||
      (plg_options_find (&config->options, "num-layers") != NULL &&
       !plg_reading_name_model (config->reading, config->error)) ||
      !plg_options_check_lists (&config->options, config->error))
    return FALSE;
  plg_options_note_rest (&config->options);
  return TRUE;
}

static gboolean
read_nemo (PlgReading *reading, GError **error)
{
  g_autoptr (PlgYaml) tree = plg_yaml_read (reading, error);
  Config config = { .reading = reading, .error = error };
  gboolean ok;

  if (tree == NULL)
    return FALSE;
  if (!tree->mapping)
    return plg_reading_fail (reading, tree->line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("A configuration of NeMo has the keys model or trainer."));
  config.tree = tree;
  plg_options_init (&config.options, reading);
  add_block (&config, tree, "");
  ok = read_config (&config);
  plg_options_clear (&config.options);
  return ok;
}

/* Writing, as Megatron-Bridge has it */

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

static GBytes *
write_nemo (const PlgWriting *writing, GError **error)
{
  GString *out;

  if (!plg_megatron_check (writing->plan, error))
    return NULL;
  if (writing->plan->training.precision == PLG_PRECISION_FP32)
    {
      g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                           _ ("Megatron-Bridge trains in mixed precision. Set training.precision "
                              "to bf16, fp16 or fp8, or write Megatron-LM's arguments."));
      return NULL;
    }
  out = g_string_new (NULL);
  g_string_append_printf (out, NODES "%d nodes of %d GPUs\n", writing->plan->cluster.nodes,
                          writing->plan->cluster.gpus_per_node);
  plg_launch_comment_placement (out, writing->plan);
  plg_megatron_comment_kernels (out, writing->plan);
  write_model (out, writing->plan);
  write_degrees (out, writing->plan);
  write_rest (out, writing->plan);
  return plg_take_text (g_string_free (out, FALSE));
}

/* A key of Megatron-LM at the start of a line, behind blanks. */
static gboolean
is_nemo (const char *data, gsize size)
{
  static const char *const keys[] = { "tensor_model_parallel_size:",
                                      "pipeline_model_parallel_size:", "context_parallel_size:" };

  for (guint i = 0; i < G_N_ELEMENTS (keys) && *data != '{' && *data != '<'; i++)
    for (const char *p = strstr (data, keys[i]); p != NULL; p = strstr (p + 1, keys[i]))
      {
        const char *start = p;

        while (start > data && (start[-1] == ' ' || start[-1] == '\t'))
          start--;
        if (start == data || start[-1] == '\n')
          return TRUE;
      }
  return FALSE;
}

const PlgFormat plg_nemo_format = {
  .name = "nemo",
  .suffix = ".nemo.yaml",
  .title = N_ ("NeMo's and Megatron-Bridge's configuration (YAML)"),
  .subject = PLG_SUBJECT_TRAINING,
  .syntax = PLG_SYNTAX_YAML,
  .sign = "tensor_model_parallel_size, pipeline_model_parallel_size, context_parallel_size",
  .is = is_nemo,
  .read = read_nemo,
  .write = write_nemo,
};
