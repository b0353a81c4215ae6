/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/json-reader.h"
#include "syntax/json-writer.h"
#include "io/simulators/simulator-checks.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads and writes Calculon's execution file (github.com/calculon-ai/calculon,
 * calculon/llm/llm.py, Llm.Execution). Exported files contain all members and meet all
 * conditions that Calculon's loader checks. Calculon nests TP, PP and DP in this order and has
 * two networks: 0 inside a node and 1 between nodes. */

#define PROGRAM "Calculon"

/* Returns whether N layers per stage differ from an even split of the model's layers. Returns
 * FALSE if N is 0, because 0 means that the plan does not set the number. */
static gboolean
is_uneven (const PlgPlan *plan, int n)
{
  return n > 0 && n * plan->parallelism.degree[PLG_AXIS_PP] != plan->model.layers;
}

/* Rejects plans with features that Calculon does not have, such as uneven stages. */
static gboolean
check_expressible (const PlgPlan *plan, GError **error)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  const PlgTraining *training = &plan->training;
  int stages = parallelism->degree[PLG_AXIS_PP];

  if (stages > 1 &&
      (is_uneven (plan, parallelism->first_layers) || is_uneven (plan, parallelism->last_layers)))
    return plg_simulator_set_error (PROGRAM, error,
                                    _ ("the program divides layers evenly; set %s and %s to 0."),
                                    plg_setting_name ("parallelism.first-layers"),
                                    plg_setting_name ("parallelism.last-layers"));
  if (parallelism->layout.stages > 0)
    return plg_simulator_set_error (PROGRAM, error,
                                    _ ("the program divides layers evenly; clear %s."),
                                    plg_setting_name ("parallelism.layout"));
  if (stages > 1 && (parallelism->embedding_slot || parallelism->loss_slot))
    return plg_simulator_set_error (
        PROGRAM, error,
        _ ("the program counts neither the embedding nor the loss as a layer; set %s and %s to "
           "%s."),
        plg_setting_name ("parallelism.embedding-slot"), plg_setting_name ("parallelism.loss-slot"),
        plg_setting_value_name ("parallelism.loss-slot", "false"));
  if (parallelism->degree[PLG_AXIS_CP] > 1)
    return plg_simulator_set_error (PROGRAM, error,
                                    _ ("the program has no context parallelism; set CP to 1."));
  if (plg_transformer_is_moe (&plan->model))
    return plg_simulator_set_error (PROGRAM, error,
                                    _ ("the program does not support experts; "
                                       "choose a dense model."));
  if (parallelism->zero > 1)
    return plg_simulator_set_error (PROGRAM, error,
                                    _ ("the program shards only the optimizer; set ZeRO to 1 or "
                                       "0."));
  if (training->recompute == PLG_RECOMPUTE_FULL &&
      training->recompute_method != PLG_RECOMPUTE_METHOD_ALL)
    return plg_simulator_set_error (PROGRAM, error,
                                    _ ("the program recomputes all layers or none; set %s to %s."),
                                    plg_setting_name ("training.recompute-method"),
                                    plg_setting_value_name ("training.recompute-method", "all"));
  if (plan->model.layers % (stages * parallelism->chunks) != 0)
    return plg_simulator_set_error (
        PROGRAM, error,
        _ ("the program needs the same number of layers in every chunk, but %d chunks do not "
           "divide %d layers evenly. Change PP or %s."),
        stages * parallelism->chunks, plan->model.layers, plg_setting_name ("parallelism.chunks"));
  if (!plg_simulator_check_rank_order (plan, PROGRAM, error))
    return FALSE;
  if (training->schedule != PLG_SCHEDULE_1F1B && training->schedule != PLG_SCHEDULE_INTERLEAVED)
    return plg_simulator_set_error (PROGRAM, error,
                                    _ ("the program supports only the 1F1B and interleaved "
                                       "schedules; set %s to one of them."),
                                    plg_setting_name ("training.schedule"));
  if (training->precision == PLG_PRECISION_FP8 || training->precision == PLG_PRECISION_FP4)
    return plg_simulator_set_error (
        PROGRAM, error,
        _ ("the program's systems have no rate for FP8 or FP4; set %s to a "
           "different format."),
        plg_setting_name ("training.precision"));
  return TRUE;
}

static GBytes *
write_calculon (const PlgExportContext *export, GError **error)
{
  static const char *const recompute[] = { [PLG_RECOMPUTE_NONE] = "none",
                                           [PLG_RECOMPUTE_SELECTIVE] = "attn_only",
                                           [PLG_RECOMPUTE_FULL] = "full" };
  static const struct
  {
    PlgAxis axis;
    const char *name;
    const char *net;
  } axes[] = {
    { PLG_AXIS_TP, "tensor_par", "tensor_par_net" },
    { PLG_AXIS_PP, "pipeline_par", "pipeline_par_net" },
    { PLG_AXIS_DP, "data_par", "data_par_net" },
  };
  const PlgPlan *plan = export->plan;
  const PlgTraining *training = &plan->training;
  const PlgParallelism *parallelism = &plan->parallelism;
  gboolean tp = parallelism->degree[PLG_AXIS_TP] > 1, dp = parallelism->degree[PLG_AXIS_DP] > 1;
  gboolean sequence = tp && parallelism->sequence;
  PlgJsonWriter json = { 0 };

  if (!check_expressible (plan, error))
    return NULL;
  json.out = g_string_new (NULL);
  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_number (&json, "num_procs", plg_plan_world (plan));
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    plg_json_add_number (&json, axes[i].name, parallelism->degree[axes[i].axis]);
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    plg_json_add_number (&json, axes[i].net, plg_simulator_axis_crosses_nodes (plan, axes[i].axis));
  plg_json_add_number (&json, "batch_size", training->global_batch);
  plg_json_add_number (&json, "microbatch_size", training->micro_batch);
  /* Add the members that describe the training. BF16 becomes float16, because Calculon's systems
   * have no rates for BF16 and both formats have two bytes. */
  plg_json_add_string (&json, "datatype",
                       training->precision == PLG_PRECISION_FP32 ? "float32" : "float16");
  plg_json_add_boolean (&json, "fused_activation", training->kernels != PLG_KERNELS_EAGER);
  plg_json_add_string (&json, "attention_type",
                       plan->model.kv_heads == 1 && plan->model.heads > 1 ? "multiquery"
                                                                          : "multihead");
  plg_json_add_string (&json, "activation_recompute", recompute[training->recompute]);
  plg_json_add_number (&json, "pipeline_interleaving",
                       parallelism->degree[PLG_AXIS_PP] > 1 ? parallelism->chunks : 1);
  /* Set seq_par_ag_redo if the plan has sequence parallelism but not full recompute, because
   * Megatron-LM then gathers the inputs again in the backward pass instead of keeping them. */
  plg_json_add_boolean (&json, "optimizer_sharding", dp && parallelism->zero > 0);
  plg_json_add_string (&json, "tensor_par_comm_type", sequence ? "rs_ag" : "ar");
  plg_json_add_string (&json, "tensor_par_overlap",
                       tp && parallelism->overlap_tp ? "ring" : "none");
  plg_json_add_boolean (&json, "seq_par_ag_redo",
                        sequence && training->recompute != PLG_RECOMPUTE_FULL);
  plg_json_add_boolean (&json, "data_par_overlap", dp && parallelism->overlap_dp);
  plg_json_add_boolean (&json, "weight_offload", FALSE);
  plg_json_add_boolean (&json, "activations_offload", FALSE);
  plg_json_add_boolean (&json, "optimizer_offload", FALSE);
  plg_json_add_boolean (&json, "training", TRUE);
  plg_json_end (&json, '}');
  return plg_take_text (plg_json_take (&json));
}

typedef struct
{
  PlgImportContext *context;
  const PlgJsonValue *root;
  GError **error;
} File;

static const struct
{
  const char *name;
  const char *key;
} numbers[] = {
  { "tensor_par", "parallelism.tp" },
  { "pipeline_par", "parallelism.pp" },
  { "data_par", "parallelism.dp" },
  { "batch_size", "training.global-batch" },
  { "microbatch_size", "training.micro-batch" },
};

/* Each row maps a value of one of Calculon's members to the setting and value with the same
 * meaning. */
static const struct
{
  const char *name;
  const char *word;
  const char *key;
  const char *value;
} words[] = {
  { "activation_recompute", "none", "training.recompute", "none" },
  { "activation_recompute", "attn_only", "training.recompute", "selective" },
  { "activation_recompute", "full", "training.recompute", "full" },
  { "tensor_par_comm_type", "ar", "parallelism.sequence", "false" },
  { "tensor_par_comm_type", "p2p_rs_ag", "parallelism.sequence", "false" },
  { "tensor_par_comm_type", "rs_ag", "parallelism.sequence", "true" },
  { "tensor_par_overlap", "none", "parallelism.overlap-tp", "false" },
  { "tensor_par_overlap", "pipe", "parallelism.overlap-tp", "true" },
  { "tensor_par_overlap", "ring", "parallelism.overlap-tp", "true" },
  { "datatype", "float16", "training.precision", "fp16" },
  { "datatype", "bfloat16", "training.precision", "bf16" },
  { "datatype", "float32", "training.precision", "fp32" },
  { "datatype", "float8", "training.precision", "fp8" },
};

static gboolean
read_numbers (const File *file)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const PlgJsonValue *value = plg_json_find (file->root, numbers[i].name);
      gint64 number;

      if (value == NULL)
        continue;
      if (!plg_json_as_int (value, &number, file->error))
        return FALSE;
      if (!plg_import_set_int (file->context, value->line, numbers[i].key, number, file->error))
        return plg_import_error_rename (value->line, numbers[i].key, value->name, file->error);
    }
  return TRUE;
}

static gboolean
read_word (const File *file, const PlgJsonValue *value)
{
  g_autoptr (GString) known = g_string_new (NULL);
  g_autofree char *shown = NULL;
  const char *text;

  if (!plg_json_as_string (value, &text, file->error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (!g_str_equal (words[i].name, value->name))
        continue;
      if (g_str_equal (words[i].word, text))
        {
          /* Keep the plan's BF16 if the file has float16, because the writer uses float16 for
           * plans in BF16 (Calculon's systems lack BF16). */
          const char *key = words[i].key;
          const char *setting = words[i].value;
          gboolean two_bytes = g_str_equal (setting, "fp16") &&
                               file->context->plan->training.precision == PLG_PRECISION_BF16;

          if (two_bytes)
            return plg_import_infer (file->context, value->line, key, "bf16",
                                     _ ("Calculon uses float16 for both FP16 and BF16, so the "
                                        "plan's BF16 is kept."),
                                     file->error);
          return plg_import_set (file->context, value->line, key, setting, file->error);
        }
      g_string_append_printf (known, "%s%s", known->len > 0 ? ", " : "", words[i].word);
    }
  shown = plg_json_describe (value);
  return plg_format_fail (value->line, PLG_FORMAT_ERROR_CONTENT, file->error,
                          _ ("%s is %s; it must be one of: %s."), value->name, shown, known->str);
}

static gboolean
read_words (const File *file)
{
  const char *last = "";

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const PlgJsonValue *value = plg_json_find (file->root, words[i].name);

      if (value != NULL && !g_str_equal (words[i].name, last) && !read_word (file, value))
        return FALSE;
      last = words[i].name;
    }
  return TRUE;
}

static gboolean
read_sharding (const File *file)
{
  const PlgJsonValue *value = plg_json_find (file->root, "optimizer_sharding");
  const PlgJsonValue *overlap = plg_json_find (file->root, "data_par_overlap");
  gboolean on;

  if (value != NULL &&
      (!plg_json_as_boolean (value, &on, file->error) ||
       !plg_import_set_int (file->context, value->line, "parallelism.zero", on, file->error)))
    return FALSE;
  return overlap == NULL || (plg_json_as_boolean (overlap, &on, file->error) &&
                             plg_import_set (file->context, overlap->line, "parallelism.overlap-dp",
                                             on ? "true" : "false", file->error));
}

static gboolean
read_interleaving (const File *file)
{
  const PlgJsonValue *value = plg_json_find (file->root, "pipeline_interleaving");
  gint64 chunks;

  if (value == NULL)
    return TRUE;
  if (!plg_json_as_int (value, &chunks, file->error))
    return FALSE;
  if (!plg_import_set_int (file->context, value->line, "parallelism.chunks", chunks, file->error))
    return plg_import_error_rename (value->line, "parallelism.chunks", value->name, file->error);
  return plg_import_set (file->context, value->line, "training.schedule",
                         chunks > 1 ? "interleaved" : "1f1b", file->error);
}

/* Checks that the number of processes is the product of the degrees. */
static gboolean
check_processes (const File *file)
{
  const PlgJsonValue *value = plg_json_find (file->root, "num_procs");
  gint64 processes, product = 1;

  if (value == NULL)
    return TRUE;
  if (!plg_json_as_int (value, &processes, file->error))
    return FALSE;
  for (int i = 0; i < 3; i++)
    {
      const char *degree = plg_import_get (file->context, numbers[i].key);

      if (degree == NULL)
        return TRUE;
      product *= g_ascii_strtoll (degree, NULL, 10);
    }
  return processes == product ||
         plg_format_fail (value->line, PLG_FORMAT_ERROR_CONTENT, file->error,
                          _ ("num_procs is %lld, but the product of the degrees is %lld; change "
                             "one."),
                          (long long) processes, (long long) product);
}

static gboolean
read_calculon (PlgImportContext *context, GError **error)
{
  static gboolean (*const readers[]) (const File *file) = {
    read_numbers, check_processes, read_words, read_sharding, read_interleaving,
  };
  static const char *const rest[] = { "tensor_par_net",   "pipeline_par_net", "data_par_net",
                                      "fused_activation", "attention_type",   "seq_par_ag_redo" };
  static const char *const offloads[] = { "weight_offload", "activations_offload",
                                          "optimizer_offload" };
  g_autoptr (PlgJson) json = plg_json_read (context->data, context->size, error);
  g_autoptr (GString) names = g_string_new (NULL);
  File file = { .context = context, .error = error };

  if (json == NULL)
    return FALSE;
  file.root = plg_json_root (json);
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    if (!readers[i](&file))
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    if (plg_json_find (file.root, rest[i]) != NULL)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", rest[i]);
  if (names->len > 0)
    plg_import_note (context, PLG_NOTE_IGNORED, 0,
                     _ ("These follow from the plan's cluster, model and settings: %s."),
                     names->str);
  for (guint i = 0; i < G_N_ELEMENTS (offloads); i++)
    {
      const PlgJsonValue *value = plg_json_find (file.root, offloads[i]);

      if (value != NULL && value->number != 0.0)
        plg_import_note (context, PLG_NOTE_IGNORED, value->line,
                         _ ("%s: the plan keeps this data on the GPUs."), offloads[i]);
    }
  return TRUE;
}

static gboolean
is_calculon (const char *data, gsize size)
{
  return plg_json_has_member (data, size, "tensor_par") ||
         plg_json_has_member (data, size, "pipeline_par");
}

const PlgFormat plg_calculon_format = {
  .name = "calculon",
  .suffix = ".json",
  .title = N_ ("Calculon execution (JSON)"),
  .subject = PLG_SUBJECT_SIMULATOR,
  .syntax = PLG_SYNTAX_JSON,
  .sign = "tensor_par, pipeline_par",
  .is = is_calculon,
  .read = read_calculon,
  .write = write_calculon,
};
