/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "syntax/json-writer.h"
#include "io/frameworks/options.h"
#include "io/import/unsupported-features.h"
#include "plan/order-preset.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Reads and writes Picotron's configuration, in the form that its create_config.py writes and
 * its train.py reads (github.com/huggingface/picotron, 2025). Picotron has all axes except EP,
 * shards nothing over DP, keeps gradients in FP32 and reduces them during computation. */

/* A model in the catalogue that Picotron can build, and its name at Hugging Face. All such
 * models are similar to Llama. */
typedef struct
{
  const char *name;
  const char *catalogue;
  int layers, hidden, heads, kv_heads, ffn;
} KnownModel;

static const KnownModel models[] = {
  { "meta-llama/Llama-2-7b-hf", "llama2-7b", 32, 4096, 32, 32, 11008 },
  { "meta-llama/Llama-2-13b-hf", "llama2-13b", 40, 5120, 40, 40, 13824 },
  { "meta-llama/Llama-2-70b-hf", "llama2-70b", 80, 8192, 64, 8, 28672 },
  { "meta-llama/Meta-Llama-3-8B", "llama3-8b", 32, 4096, 32, 8, 14336 },
  { "meta-llama/Meta-Llama-3-70B", "llama3-70b", 80, 8192, 64, 8, 28672 },
  { "meta-llama/Llama-3.1-405B", "llama3-405b", 126, 16384, 128, 8, 53248 },
};

static gboolean
read_degrees (PlgOptions *options, GError **error)
{
  static const char *const names[][2] = { { "distributed.tp-size", "parallelism.tp" },
                                          { "distributed.cp-size", "parallelism.cp" },
                                          { "distributed.pp-size", "parallelism.pp" },
                                          { "distributed.dp-size", "parallelism.dp" } };
  static const char *const engines[][2] = { { "1f1b", "1f1b" }, { "afab", "gpipe" } };
  const PlgOption *engine = plg_options_find (options, "distributed.pp-engine");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!plg_options_set_or_infer (options, plg_options_find (options, names[i][0]), names[i][1],
                                   "1", _ ("Not in the file, so Picotron's default is used."),
                                   error))
      return FALSE;
  return (engine == NULL || plg_options_set_choice (options, engine, "training.schedule", engines,
                                                    G_N_ELEMENTS (engines), error)) &&
         plg_import_infer (options->context, 0, "parallelism.order", "picotron",
                           _ ("Picotron numbers its ranks in this order."), error);
}

static gboolean
read_model (PlgOptions *options, GError **error)
{
  static const char *const names[][2] = { { "model.num-hidden-layers", "model.layers" },
                                          { "model.num-attention-heads", "model.heads" },
                                          { "model.num-key-value-heads", "model.kv-heads" } };
  const PlgOption *name = plg_options_find (options, "model.name");
  const char *known = NULL;

  for (guint i = 0; name != NULL && name->value != NULL && i < G_N_ELEMENTS (models); i++)
    if (g_ascii_strcasecmp (models[i].name, name->value) == 0)
      known = models[i].catalogue;
  if (known != NULL && !plg_import_set (options->context, name->line, "model.name", known, error))
    return FALSE;
  if (known == NULL && name != NULL)
    plg_import_note (options->context, PLG_NOTE_IGNORED, name->line,
                     _ ("The catalogue does not have this model, so dimensions that are not in "
                        "the file keep their values in the plan."));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PlgOption *option = plg_options_find (options, names[i][0]);

      if (option != NULL && !plg_options_set (options, option, names[i][1], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_type (PlgOptions *options, GError **error)
{
  static const char *const types[][2] = { { "bfloat16", "bf16" },
                                          { "float16", "fp16" },
                                          { "float32", "fp32" } };
  const PlgOption *type = plg_options_find (options, "model.dtype");
  const PlgOption *flash = plg_options_find (options, "model.use-flash-attention");

  if (type != NULL && !plg_options_set_choice (options, type, "training.precision", types,
                                               G_N_ELEMENTS (types), error))
    return FALSE;
  return flash == NULL ||
         plg_options_set_boolean (options, flash, "training.flash-attention", error);
}

static gboolean
read_batch (PlgOptions *options, GError **error)
{
  const PlgOption *sequence = plg_options_find (options, "training.seq-length");
  const PlgOption *micro = plg_options_find (options, "training.micro-batch-size");
  const PlgOption *steps = plg_options_find (options, "training.gradient-accumulation-steps");
  const PlgOption *tokens = plg_options_find (options, "training.max-tokens");
  gint64 n = 1, all = 0;

  if ((sequence != NULL && !plg_options_set (options, sequence, "training.sequence", error)) ||
      (micro != NULL && !plg_options_set (options, micro, "training.micro-batch", error)) ||
      (steps != NULL && !plg_options_get_number (options, steps, &n, error)) ||
      (tokens != NULL && !plg_options_get_number (options, tokens, &all, error)))
    return FALSE;
  if (n < 1 || n > 100000000)
    return plg_format_fail (steps->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s is “%s”; it must be from 1 to 100000000."), steps->shown,
                            steps->value);
  if (all > 0 && !plg_import_set_number (options->context, tokens->line, "training.tokens",
                                         (double) all, error))
    return FALSE;
  return (micro == NULL && steps == NULL) ||
         plg_import_set_int (options->context, (steps != NULL ? steps : micro)->line,
                             "training.global-batch",
                             n * plg_options_get_current (options, "training.micro-batch") *
                                 plg_options_get_current (options, "parallelism.dp"),
                             error);
}

/* Sets the settings that cannot be changed in Picotron. */
static gboolean
read_fixed (PlgOptions *options, GError **error)
{
  static const char *const fixed[][2] = {
    { "parallelism.zero", "0" },
    { "parallelism.sequence", "false" },
    { "parallelism.overlap-dp", "true" },
    { "parallelism.overlap-tp", "false" },
    { "parallelism.overlap-pp", "false" },
    { "parallelism.cp-type", "ring" },
    { "parallelism.chunks", "1" },
    { "training.recompute", "none" },
    { "training.gradient-precision", "fp32" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (fixed); i++)
    if (!plg_options_set_default (options, fixed[i][0], fixed[i][1],
                                  _ ("Picotron supports no other value."), error))
      return FALSE;
  return TRUE;
}

static gboolean
read_program (PlgOptions *options, GError **error)
{
  return plg_import_infer_program (options->context, "plain", NULL, error);
}

static gboolean
read_picotron (PlgImportContext *context, GError **error)
{
  static const PlgOptionsReader readers[] = { read_degrees, read_model, read_type,
                                              read_batch,   read_fixed, read_program };
  g_autoptr (PlgJson) json = plg_json_read (context->data, context->size, error);
  g_auto (PlgOptions) options = { 0 };

  if (json == NULL)
    return FALSE;
  plg_options_init (&options, context);
  plg_options_add_json (&options, json);
  return plg_options_run (&options, readers, G_N_ELEMENTS (readers), error);
}

/* Returns the known model with the catalogue name, hidden size and MLP width of MODEL, or NULL.
 * The numbers of layers and heads can differ. */
static const KnownModel *
known_model (const PlgTransformer *model)
{
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    if (g_str_equal (models[i].catalogue, model->name) && models[i].hidden == model->hidden &&
        models[i].ffn == model->ffn && model->experts == 0)
      return &models[i];
  return NULL;
}

static void
check_expressible (const PlgPlan *plan, GString *why)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  const int *degree = parallelism->degree;
  PlgSchedule schedule = plan->training.schedule;

  if (known_model (&plan->model) == NULL)
    plg_unsupported_add (why, _ ("Picotron builds only Llama-like models that it knows by their "
                                 "Hugging Face names; choose a Llama 2 or Llama 3 model."));
  if (!plg_order_preset_is_used (plg_order_preset_find ("picotron"), parallelism))
    plg_unsupported_add (why,
                         _ ("Picotron numbers its ranks tp-cp-pp-dp. Set %s to %s, or write a "
                            "table of ranks."),
                         plg_setting_name ("parallelism.order"),
                         plg_setting_value_name ("parallelism.order", "picotron"));
  if (parallelism->zero > 0)
    plg_unsupported_add (why, _ ("Picotron does not support ZeRO. Set %s to 0."),
                         plg_setting_name ("parallelism.zero"));
  if (degree[PLG_AXIS_TP] > 1 && (parallelism->sequence || parallelism->overlap_tp))
    plg_unsupported_add (why,
                         _ ("Picotron's TP has neither sequence parallelism nor overlap. Set %s "
                            "and %s to %s."),
                         plg_setting_name ("parallelism.sequence"),
                         plg_setting_name ("parallelism.overlap-tp"),
                         plg_setting_value_name ("parallelism.overlap-tp", "false"));
  if (degree[PLG_AXIS_CP] > 1 && parallelism->cp_type != PLG_CP_RING)
    plg_unsupported_add (why, _ ("Picotron's CP always uses a ring. Set %s to %s."),
                         plg_setting_name ("parallelism.cp-type"),
                         plg_setting_value_name ("parallelism.cp-type", "ring"));
  if (degree[PLG_AXIS_PP] > 1 && schedule != PLG_SCHEDULE_1F1B && schedule != PLG_SCHEDULE_GPIPE)
    plg_unsupported_add (why, _ ("Picotron does not have this schedule. Set %s to %s or %s."),
                         plg_setting_name ("training.schedule"),
                         plg_setting_value_name ("training.schedule", "1f1b"),
                         plg_setting_value_name ("training.schedule", "gpipe"));
  if (plan->training.recompute != PLG_RECOMPUTE_NONE)
    plg_unsupported_add (why, _ ("Picotron does not support recompute. Set %s to %s."),
                         plg_setting_name ("training.recompute"),
                         plg_setting_value_name ("training.recompute", "none"));
  if (plan->training.precision == PLG_PRECISION_FP8 ||
      plan->training.precision == PLG_PRECISION_FP4 ||
      plan->training.gradient_precision != PLG_PRECISION_FP32)
    plg_unsupported_add (
        why,
        _ ("Picotron has no FP8 or FP4 and sums gradients in FP32. Set %s to %s, %s "
           "or %s and %s to %s."),
        plg_setting_name ("training.precision"),
        plg_setting_value_name ("training.precision", "bf16"),
        plg_setting_value_name ("training.precision", "fp16"),
        plg_setting_value_name ("training.precision", "fp32"),
        plg_setting_name ("training.gradient-precision"),
        plg_setting_value_name ("training.gradient-precision", "fp32"));
}

static GBytes *
write_picotron (const PlgExportContext *export, GError **error)
{
  static const char *const types[] = { [PLG_PRECISION_BF16] = "bfloat16",
                                       [PLG_PRECISION_FP16] = "float16",
                                       [PLG_PRECISION_FP8] = "bfloat16",
                                       [PLG_PRECISION_FP4] = "bfloat16",
                                       [PLG_PRECISION_FP32] = "float32" };
  const PlgPlan *plan = export->plan;
  const PlgTraining *training = &plan->training;
  const PlgTransformer *model = &plan->model;
  const int *degree = plan->parallelism.degree;
  GString *why = g_string_new (NULL);
  PlgJsonWriter json = { 0 };

  G_STATIC_ASSERT (G_N_ELEMENTS (types) == PLG_N_PRECISIONS);
  check_expressible (plan, why);
  if (!plg_unsupported_finish (why, error))
    return NULL;
  json.out = g_string_new (NULL);
  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_begin (&json, "distributed", '{', TRUE);
  plg_json_add_number (&json, "tp_size", degree[PLG_AXIS_TP]);
  plg_json_add_number (&json, "cp_size", degree[PLG_AXIS_CP]);
  plg_json_add_number (&json, "pp_size", degree[PLG_AXIS_PP]);
  plg_json_add_number (&json, "dp_size", degree[PLG_AXIS_DP]);
  plg_json_add_string (&json, "pp_engine",
                       training->schedule == PLG_SCHEDULE_GPIPE ? "afab" : "1f1b");
  plg_json_add_string (&json, "backend", "nccl");
  plg_json_add_boolean (&json, "use_cpu", FALSE);
  plg_json_end (&json, '}');

  plg_json_begin (&json, "model", '{', TRUE);
  plg_json_add_string (&json, "name", known_model (model)->name);
  plg_json_add_number (&json, "num_hidden_layers", model->layers);
  plg_json_add_number (&json, "num_attention_heads", model->heads);
  plg_json_add_number (&json, "num_key_value_heads", model->kv_heads);
  plg_json_add_string (&json, "dtype", types[training->precision]);
  plg_json_add_boolean (&json, "use_flash_attention", training->flash_attention);
  plg_json_end (&json, '}');

  plg_json_begin (&json, "training", '{', TRUE);
  plg_json_add_number (&json, "seq_length", training->sequence);
  plg_json_add_number (&json, "micro_batch_size", training->micro_batch);
  plg_json_add_number (&json, "gradient_accumulation_steps", plg_plan_micro_batches (plan));
  if (training->tokens >= 1.0)
    plg_json_add_number (&json, "max_tokens", ceil (training->tokens));
  plg_json_end (&json, '}');
  plg_json_end (&json, '}');
  return plg_take_text (plg_json_take (&json));
}

static gboolean
is_picotron (const char *data, gsize size)
{
  return plg_json_has_member (data, size, "distributed") &&
         g_strstr_len (data, size, "\"tp_size\"") != NULL;
}

const PlgFormat plg_picotron_format = {
  .name = "picotron",
  .suffix = ".json",
  .title = N_ ("Picotron's configuration (JSON)"),
  .subject = PLG_SUBJECT_TRAINING,
  .syntax = PLG_SYNTAX_JSON,
  .sign = "distributed, tp_size",
  .is = is_picotron,
  .read = read_picotron,
  .write = write_picotron,
};
