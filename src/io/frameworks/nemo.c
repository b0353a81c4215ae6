/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "syntax/yaml-interpolation.h"
#include "io/frameworks/nemo-write.h"
#include "io/frameworks/options.h"
#include "io/import/header-comment.h"
#include "io/placement/multi-host-nodes.h"
#include "syntax/yaml-tree.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_CHARACTERS 40 /* longer wrong values are cut in messages */

/* Reads YAML configurations of NeMo 1 and 2 (trainer, trainer.strategy, model) and
 * Megatron-Bridge (model, train, dataset, ddp, dist, mixed_precision, comm_overlap;
 * docs/megatron-lm-to-megatron-bridge.md). Their options have Megatron-LM's names, with “_”
 * between words. A file changes parts of a recipe, so values that it omits are left unchanged. A
 * file with layers, width and heads describes a new model. */

typedef struct
{
  const PlgYaml *tree;
  PlgOptions *options;
} Config;

/* The YAML blocks whose keys are Megatron-LM's option names; "" is the top level of the file. */
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
                                      "optimizer",
                                      "mixed_precision",
                                      NULL };

/* Keys of NeMo and Megatron-Bridge that have a different name in Megatron-LM. */
static const char *const option_names[][2] = {
  { "precision", "bf16" },
  { "mixed_precision", "bf16" },
  { "fp8", "fp8-format" },
  { "fp4", "fp4-format" },
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

/* Flags whose counterparts in Megatron-LM have the opposite meaning. */
static const char *const inverted_flags[][2] = {
  { "share_embeddings_and_output_weights", "untie-embeddings-and-output-weights" },
  { "add_bias_linear", "disable-bias-linear" },
  { "bias", "disable-bias-linear" },
  { "overlap_p2p_comm", "no-overlap-p2p-communication" },
};

/* Keys that turn a feature off if their value is null. */
static const char *const null_means_absent[] = { "recompute_granularity",
                                                 "activations_checkpoint_granularity",
                                                 "virtual_pipeline_model_parallel_size", NULL };

static const char *
translate_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (option_names); i++)
    if (g_str_equal (option_names[i][0], name))
      return option_names[i][1];
  return name;
}

static const char *
option_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (inverted_flags); i++)
    if (g_str_equal (inverted_flags[i][0], name))
      return inverted_flags[i][1];
  return translate_name (name);
}

/* Parses a boolean as Python or YAML writes it. Returns 1 for true, 0 for false and -1 for any
 * other text. */
static int
parse_truth (const PlgYaml *value)
{
  static const char *const truths[] = { "true", "yes", "on" };
  static const char *const falsehoods[] = { "false", "no", "off" };

  for (guint i = 0; i < G_N_ELEMENTS (truths) && value->plain; i++)
    if (g_ascii_strcasecmp (value->text, truths[i]) == 0)
      return 1;
    else if (g_ascii_strcasecmp (value->text, falsehoods[i]) == 0)
      return 0;
  return -1;
}

static PlgOption *
add (Config *config, const char *name, const char *shown, const PlgYaml *value)
{
  PlgOption *option = plg_options_add_as (config->options, name, shown,
                                          parse_truth (value) >= 0 ? NULL : value->text,
                                          value->line);

  option->off = parse_truth (value) == 0;
  return option;
}

/* Adds the options that the name of a precision stands for, such as "bf16-mixed", 16 and
 * "bf16_with_fp8_current_scaling_mixed". */
static void
add_precision (Config *config, const PlgYaml *value, const char *shown)
{
  /* Parts of the names of recipes (Megatron-Bridge, training/mixed_precision.py). A name without one
   * of these parts has delayed scaling, which is Megatron-LM's default. */
  static const char *const recipes[][2] = { { "fp8_current_scaling", "tensorwise" },
                                            { "fp8_subchannel_scaling", "blockwise" },
                                            { "mxfp8", "mxfp8" } };
  static const char *const formats[][2] = { { "fp8", "fp8-format" },
                                            { "fp4", "fp4-format" },
                                            { "bf16", "bf16" },
                                            { "fp16", "fp16" },
                                            { "32", "fp32" } };
  g_autofree char *name = g_strdelimit (g_strdup (value->text), "-", '_');
  gboolean is_known = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strstr (name, formats[i][0]) != NULL)
      {
        plg_options_add_as (config->options, formats[i][1], shown, NULL, value->line);
        is_known = TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (recipes); i++)
    if (strstr (name, recipes[i][0]) != NULL)
      plg_options_add_as (config->options, "fp8-recipe", shown, recipes[i][1], value->line);
  if (!is_known && strstr (name, "16") != NULL)
    plg_options_add_as (config->options, "fp16", shown, NULL, value->line);
  else if (!is_known)
    {
      g_autofree char *excerpt = plg_text_excerpt (value->text, SHOWN_CHARACTERS);

      plg_import_note (config->options->context, PLG_NOTE_IGNORED, value->line,
                       _ ("%s is “%s”, which is not a known precision, so the plan keeps its "
                          "value."),
                       shown, excerpt);
    }
}

static void
add_value (Config *config, const PlgYaml *value, const char *shown)
{
  if (plg_yaml_is_null (value))
    {
      if (g_strv_contains (null_means_absent, value->key))
        add (config, translate_name (value->key), shown, value)->off = TRUE;
      return;
    }
  if (g_str_equal (value->key, "precision") || g_str_equal (value->key, "mixed_precision"))
    {
      add_precision (config, value, shown);
      return;
    }
  if (g_str_equal (value->key, "activation"))
    {
      /* The activation determines whether the MLP is gated. */
      PlgOption *option = add (config, "swiglu", shown, value);

      option->off = strstr (value->text, "glu") == NULL;
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (inverted_flags); i++)
    if (g_str_equal (inverted_flags[i][0], value->key) && parse_truth (value) >= 0)
      {
        PlgOption *option = add (config, inverted_flags[i][1], shown, value);

        option->off = !option->off;
        return;
      }
  add (config, translate_name (value->key), shown, value);
}

/* Adds an option whose value is a list. A list of devices becomes the number of devices. Lists
 * of layers with experts and of recomputed modules become text. If the importer reads any other
 * option with a list, plg_options_check_lists() fails. */
static void
add_list (Config *config, const PlgYaml *list, const char *shown)
{
  g_autoptr (GString) text = g_string_new ("[");
  g_autofree char *count = g_strdup_printf ("%u", list->below->len);
  gboolean is_count = g_str_equal (list->key, "devices");
  gboolean is_known = is_count || g_str_equal (list->key, "moe_layer_freq") ||
                      g_str_equal (list->key, "window_size") ||
                      g_str_equal (list->key, "window_attn_skip_freq") ||
                      g_str_equal (list->key, "linear_attention_freq") ||
                      g_str_equal (list->key, "recompute_modules");
  PlgOption *option;

  for (guint i = 0; i < list->below->len; i++)
    {
      const PlgYaml *value = list->below->pdata[i];

      g_string_append_printf (text, "%s%s", i > 0 ? "," : "",
                              value->text != NULL ? value->text : "…");
    }
  g_string_append_c (text, ']');
  option = plg_options_add_as (config->options, translate_name (list->key), shown,
                               is_count ? count : text->str, list->line);
  if (is_known)
    return;
  option->list = TRUE;
  /* The importer reads these keys under other names. Mark them as read here, so that
   * plg_options_check_lists() rejects their lists. */
  option->used = g_str_equal (list->key, "precision") ||
                 g_str_equal (list->key, "mixed_precision") ||
                 g_str_equal (list->key, "activation");
  for (guint i = 0; i < G_N_ELEMENTS (inverted_flags); i++)
    option->used |= g_str_equal (inverted_flags[i][0], list->key);
}

/* Adds the keys of a block. A key in an unknown block is added under its full path. Unknown
 * blocks with a YAML anchor are skipped, because they appear again where an alias uses them. */
static void
add_block (Config *config, const PlgYaml *block, const char *path)
{
  gboolean is_known = g_strv_contains (blocks, path);

  for (guint i = 0; block->mapping && block->below != NULL && i < block->below->len; i++)
    {
      const PlgYaml *value = block->below->pdata[i];
      g_autofree char *below = *path != '\0' && value->key != NULL
                                   ? g_strconcat (path, ".", value->key, NULL)
                                   : g_strdup (value->key);

      if (value->key == NULL)
        continue;
      if (value->below != NULL && !value->mapping && is_known)
        add_list (config, value, below);
      else if (value->below != NULL && !value->mapping)
        plg_options_add (config->options, below, NULL, value->line);
      else if (value->mapping && (!value->anchored || g_strv_contains (blocks, below)))
        add_block (config, value, below);
      else if (value->mapping)
        continue;
      else if (is_known)
        {
          /* Resolve references such as "${model.seq_length}" to other values in the file. */
          g_autofree char *text = plg_yaml_interpolate (config->tree, path, value->text);
          PlgYaml resolved = *value;

          if (text == NULL)
            {
              add (config, option_name (value->key), below, value)->open = TRUE;
              continue;
            }
          resolved.plain |= !g_str_equal (text, value->text);
          resolved.text = text;
          add_value (config, &resolved, below);
        }
      else
        add (config, below, below, value);
    }
}

static gboolean
read_nemo (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgYaml) tree = plg_yaml_read (context->data, context->size, error);
  g_auto (PlgOptions) options = { 0 };
  Config config = { tree, &options };
  const PlgOption *nodes, *gpus;
  const char *remark;
  gint64 n = 0, per_node = context->plan->cluster.gpus_per_node, world = 0;
  int line, comment_nodes, comment_gpus;

  if (tree == NULL)
    return FALSE;
  if (!tree->mapping)
    return plg_format_fail (tree->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("A NeMo configuration must have the key model or trainer."));
  plg_options_init (&options, context);
  add_block (&config, tree, "");

  nodes = plg_options_find (&options, "nodes");
  gpus = plg_options_find (&options, "nproc-per-node");
  remark = nodes == NULL && gpus == NULL ? plg_header_comment_find (context, PLG_NEMO_NODES, &line)
                                         : NULL;
  if (nodes != NULL || gpus != NULL)
    {
      if ((nodes != NULL && !plg_options_get_number (&options, nodes, &n, error)) ||
          (gpus != NULL && !plg_options_get_number (&options, gpus, &per_node, error)) ||
          !plg_multi_host_set_counts (context, nodes != NULL ? nodes->line : 0, n,
                                      gpus != NULL ? gpus->line : 0, gpus != NULL ? per_node : 0,
                                      error))
        return FALSE;
      world = n * per_node;
    }
  else if (remark != NULL &&
           sscanf (remark, "%6d nodes of %6d GPUs", &comment_nodes, &comment_gpus) == 2)
    {
      world = (gint64) comment_nodes * comment_gpus;
      if (!plg_import_set_int (context, line, "cluster.nodes", comment_nodes, error) ||
          !plg_import_set_int (context, line, "cluster.gpus-per-node", comment_gpus, error))
        return FALSE;
    }
  if (plg_options_find (&options, "use-tp-pp-dp-mapping") == NULL &&
      !plg_import_infer (context, 0, "parallelism.order", "megatron",
                         _ ("Megatron-LM numbers its ranks in this order."), error))
    return FALSE;
  if (!plg_megatron_apply_options (&options, FALSE, world, error) ||
      !plg_options_check_lists (&options, error))
    return FALSE;
  plg_options_note_unused (&options);
  return TRUE;
}

/* Returns whether a line of DATA begins with one of Megatron-LM's parallelism keys. Rejects JSON
 * and XML. */
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
  .title = N_ ("NeMo or Megatron-Bridge configuration (YAML)"),
  .subject = PLG_SUBJECT_TRAINING,
  .syntax = PLG_SYNTAX_YAML,
  .sign = "tensor_model_parallel_size, pipeline_model_parallel_size, context_parallel_size",
  .is = is_nemo,
  .read = read_nemo,
  .write = plg_nemo_write,
};
