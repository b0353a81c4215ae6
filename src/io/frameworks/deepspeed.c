/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/program.h"
#include "io/import/format.h"
#include "syntax/json-writer.h"
#include "io/frameworks/options.h"
#include "io/import/unsupported-features.h"
#include "plan/order-preset.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads and writes DeepSpeed's ds_config.json (deepspeed/runtime/config.py,
 * runtime/zero/config.py and runtime/tensor_parallel/config.py, 2025). The file has TP only for
 * AutoTP, and PP only if a user has added the number of stages. */

/* Finds an option. Returns NULL if the option is missing. Also returns NULL, and adds a note, if
 * the option is “auto”, because DeepSpeed's launcher replaces this value. */
static const PlgOption *
find (PlgOptions *options, const char *name)
{
  const PlgOption *option = plg_options_find (options, name);

  if (option == NULL || g_strcmp0 (option->value, "auto") != 0)
    return option;
  plg_import_note (options->context, PLG_NOTE_IGNORED, option->line,
                   _ ("%s is “auto”, so the plan keeps its value."), option->shown);
  return NULL;
}

static gboolean
set_default (PlgOptions *options, const char *key, const char *value, GError **error)
{
  return plg_options_set_default (options, key, value,
                                  _ ("Not in the file, so DeepSpeed's default is used."), error);
}

static gboolean
read_zero (PlgOptions *options, GError **error)
{
  const PlgOption *stage = find (options, "zero-optimization.stage");
  const PlgOption *overlap = find (options, "zero-optimization.overlap-comm");
  gboolean weights;

  if (stage != NULL ? !plg_options_set (options, stage, "parallelism.zero", error)
                    : !set_default (options, "parallelism.zero", "0", error))
    return FALSE;
  weights = plg_options_get_current (options, "parallelism.zero") == 3;
  return overlap != NULL
             ? plg_options_set_boolean (options, overlap, "parallelism.overlap-dp", error)
             : set_default (options, "parallelism.overlap-dp", weights ? "true" : "false", error);
}

static gboolean
read_precision (PlgOptions *options, GError **error)
{
  static const char *const formats[][2] = { { "bf16.enabled", "bf16" },
                                            { "bfloat16.enabled", "bf16" },
                                            { "fp16.enabled", "fp16" } };
  static const char *const types[][2] = { { "fp32", "fp32" },
                                          { "bf16", "bf16" },
                                          { "fp16", "bf16" } };
  const PlgOption *gradients = find (options, "data-types.grad-accum-dtype");
  gboolean is_set = FALSE, is_auto = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      const PlgOption *option = find (options, formats[i][0]);
      gboolean enabled = FALSE;

      is_auto |= option == NULL && plg_options_find (options, formats[i][0]) != NULL;
      if (option != NULL && !plg_options_get_boolean (options, option, &enabled, error))
        return FALSE;
      if (enabled && is_set)
        return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("BF16 and FP16 are both enabled; keep one of them."));
      if (enabled && !plg_import_set (options->context, option->line, "training.precision",
                                      formats[i][1], error))
        return FALSE;
      is_set |= enabled;
    }
  if (!is_set && !is_auto && !set_default (options, "training.precision", "fp32", error))
    return FALSE;
  return gradients == NULL ||
         plg_options_set_choice (options, gradients, "training.gradient-precision", types,
                                 G_N_ELEMENTS (types), error);
}

/* Returns the name of the format in which DeepSpeed reduces gradients by default
 * (deepspeed/runtime/engine.py, communication_data_type), as a value of training.reduce-precision. */
static const char *
default_reduction (const PlgTraining *training)
{
  return training->precision == PLG_PRECISION_FP32 ? "fp32" : "bf16";
}

static const char *
sum_format (const PlgTraining *training)
{
  return training->gradient_precision == PLG_PRECISION_BF16 ? "bf16" : "fp32";
}

/* Reads the format in which gradients travel, which may differ from the format of their sums. */
static gboolean
read_reduction (PlgOptions *options, GError **error)
{
  static const char *const types[][2] = { { "fp32", "fp32" },
                                          { "bf16", "bf16" },
                                          { "bfp16", "bf16" },
                                          { "fp16", "bf16" } };
  const char *key = "training.reduce-precision";
  const PlgOption *option = find (options, "communication-data-type");
  g_autoptr (PlgPlan) plan = plg_import_current_plan (options->context);
  const char *sums = sum_format (&plan->training);

  for (guint i = 0; option != NULL && i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (types[i][1], sums) && option->value != NULL &&
        g_ascii_strcasecmp (option->value, types[i][0]) == 0)
      return plg_import_infer (
          options->context, option->line, key, "auto",
          _ ("The file reduces gradients in the format in which the plan sums them."), error);
  if (option != NULL)
    return plg_options_set_choice (options, option, key, types, G_N_ELEMENTS (types), error);
  if (g_str_equal (default_reduction (&plan->training), sum_format (&plan->training)))
    return set_default (options, key, "auto", error);
  return set_default (options, key, default_reduction (&plan->training), error);
}

/* DeepSpeed's own Adam has moments in FP32. A program can pass another optimizer, so a file
 * without an optimizer leaves the setting as it is. */
static gboolean
read_optimizer (PlgOptions *options, GError **error)
{
  const PlgOption *type = find (options, "optimizer.type");

  if (type == NULL || type->value == NULL)
    return TRUE;
  if (g_ascii_strcasecmp (type->value, "adam") == 0 ||
      g_ascii_strcasecmp (type->value, "adamw") == 0)
    return plg_import_set (options->context, type->line, "training.optimizer", "adam", error);
  if (g_ascii_strcasecmp (type->value, "muon") == 0)
    return plg_import_set (options->context, type->line, "training.optimizer", "muon", error);
  plg_import_note (options->context, PLG_NOTE_IGNORED, type->line,
                   _ ("%s: a plan's optimizer is a kind of Adam or Muon, so the plan keeps its "
                      "value."),
                   type->shown);
  return TRUE;
}

/* Reads the share of the parameters that the CPU updates: offload_optimizer, or cpu_offload in older
 * files. Only ZeRO 3 can split the parameters (runtime/zero/offload_config.py, ratio). */
static gboolean
read_offload (PlgOptions *options, GError **error)
{
  const char *key = "training.offload-optimizer";
  const PlgOption *device = find (options, "zero-optimization.offload-optimizer.device");
  const PlgOption *ratio = find (options, "zero-optimization.offload-optimizer.ratio");
  const PlgOption *old = find (options, "zero-optimization.cpu-offload");
  gboolean enabled = FALSE;

  if (old != NULL && !plg_options_get_boolean (options, old, &enabled, error))
    return FALSE;
  if (device == NULL || device->value == NULL)
    return enabled ? plg_import_set (options->context, old->line, key, "1", error)
                   : set_default (options, key, "0", error);
  if (g_ascii_strcasecmp (device->value, "none") == 0)
    return plg_import_set (options->context, device->line, key, "0", error);
  if (g_ascii_strcasecmp (device->value, "cpu") != 0)
    plg_import_note (options->context, PLG_NOTE_IGNORED, device->line,
                     _ ("%s is “%s”; the plan offloads to the memory of the host instead."),
                     device->shown, device->value);
  if (ratio == NULL || ratio->value == NULL)
    return plg_import_set (options->context, device->line, key, "1", error);
  if (plg_options_get_current (options, "parallelism.zero") == 3)
    return plg_options_set_real (options, ratio, key, error);
  plg_import_note (options->context, PLG_NOTE_IGNORED, ratio->line,
                   _ ("%s works only with ZeRO 3."), ratio->shown);
  return plg_import_set (options->context, device->line, key, "1", error);
}

/* Reads whether the weights are on the host (runtime/zero/offload_config.py, offload_param). */
static gboolean
read_offloaded_weights (PlgOptions *options, GError **error)
{
  const char *key = "training.offload-weights";
  const PlgOption *device = find (options, "zero-optimization.offload-param.device");

  if (device == NULL || device->value == NULL)
    return set_default (options, key, "false", error);
  if (g_ascii_strcasecmp (device->value, "none") == 0)
    return plg_import_set (options->context, device->line, key, "false", error);
  if (g_ascii_strcasecmp (device->value, "cpu") != 0)
    plg_import_note (options->context, PLG_NOTE_IGNORED, device->line,
                     _ ("%s is “%s”; the plan offloads to the memory of the host instead."),
                     device->shown, device->value);
  return plg_import_set (options->context, device->line, key, "true", error);
}

static gboolean
get_number (PlgOptions *options, const PlgOption *option, gint64 *value, GError **error)
{
  if (option == NULL)
    return TRUE;
  if (!plg_options_get_number (options, option, value, error))
    return FALSE;
  return (*value >= 1 && *value <= 100000000) ||
         plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("%s is “%s”; it must be from 1 to 100000000."), option->shown,
                          option->value);
}

/* Reads the batch sizes. train_batch_size is micro-batch × accumulation × DP, so DP is known
 * only if the file has the other three numbers. */
static gboolean
read_batch (PlgOptions *options, GError **error)
{
  const PlgOption *batch = find (options, "train-batch-size");
  const PlgOption *micro = find (options, "train-micro-batch-size-per-gpu");
  const PlgOption *steps = find (options, "gradient-accumulation-steps");
  gint64 global = 0, per_gpu = 0, accumulation = 0, replica;

  if (!get_number (options, batch, &global, error) ||
      !get_number (options, micro, &per_gpu, error) ||
      !get_number (options, steps, &accumulation, error))
    return FALSE;
  if (micro != NULL && !plg_options_set (options, micro, "training.micro-batch", error))
    return FALSE;
  if (batch != NULL && global % (MAX (per_gpu, 1) * MAX (accumulation, 1)) != 0)
    return plg_format_fail (batch->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s %lld is not a multiple of micro-batch %lld × accumulation "
                               "%lld."),
                            batch->shown, (long long) global, (long long) MAX (per_gpu, 1),
                            (long long) MAX (accumulation, 1));
  replica = per_gpu * accumulation;
  if (batch != NULL && micro != NULL && steps != NULL &&
      !plg_import_set_int (options->context, batch->line, "parallelism.dp", global / replica,
                           error))
    return FALSE;
  if (batch != NULL)
    return plg_options_set (options, batch, "training.global-batch", error);
  if (micro != NULL && steps != NULL)
    plg_import_note (options->context, PLG_NOTE_IGNORED, steps->line,
                     _ ("%s %lld: the sequences per step depend on DP, which the file does not "
                        "give. Set the global batch to %lld × DP."),
                     steps->shown, (long long) accumulation, (long long) replica);
  return TRUE;
}

static gboolean
read_degrees (PlgOptions *options, GError **error)
{
  const PlgOption *tp = find (options, "tensor-parallel.autotp-size");
  const PlgOption *stages = find (options, "pipeline.stages");

  if (tp != NULL && g_strcmp0 (tp->value, "0") != 0 &&
      !plg_options_set (options, tp, "parallelism.tp", error))
    return FALSE;
  if (stages != NULL && !plg_options_set (options, stages, "parallelism.pp", error))
    return FALSE;
  /* If the file does not set PP and the plan's ZeRO stage is 2 or 3, set PP to 1, because
   * DeepSpeed's pipelines need ZeRO 0 or 1. */
  if (stages == NULL && plg_options_get_current (options, "parallelism.zero") >= 2 &&
      plg_options_get_current (options, "parallelism.pp") != 1 &&
      !plg_import_infer (options->context, 0, "parallelism.pp", "1",
                         _ ("DeepSpeed's pipelines work only with ZeRO 0 and 1."), error))
    return FALSE;
  return plg_import_infer (options->context, 0, "parallelism.order", "deepspeed",
                           _ ("DeepSpeed numbers its ranks in this order."), error);
}

/* Sets TP and PP to 1 where the file omits them, if the file has more replicas than the open
 * cluster has GPUs and the replicas fill whole nodes. The TP and PP of the open plan would
 * require several times as many GPUs as the file describes. */
static gboolean
set_default_degrees (PlgOptions *options, GError **error)
{
  static const char *const keys[] = { "parallelism.tp", "parallelism.pp" };
  const PlgCluster *cluster = &options->context->plan->cluster;
  gint64 replicas = plg_options_get_current (options, "parallelism.dp");

  if (plg_import_get (options->context, "parallelism.dp") == NULL ||
      replicas <= (gint64) cluster->nodes * cluster->gpus_per_node ||
      replicas % cluster->gpus_per_node != 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (plg_import_get (options->context, keys[i]) == NULL &&
        !set_default (options, keys[i], "1", error))
      return FALSE;
  return TRUE;
}

/* Reads the size of a shard group: mics_shard_size. MiCS extends ZeRO 3 (deepspeed/runtime/zero/
 * mics.py), sums gradients inside a shard group with each micro-batch and between the groups at the
 * end of the step. ZeRO++'s zero_hpz_partition_size only gathers weights for the backward pass from
 * a second copy inside each group, and everything else stays sharded over all replicas. */
static gboolean
read_shard_size (PlgOptions *options, GError **error)
{
  PlgImportContext *context = options->context;
  const PlgOption *mics = find (options, "zero-optimization.mics-shard-size");
  const PlgOption *hpz = find (options, "zero-optimization.zero-hpz-partition-size");
  gint64 size = -1, secondary = 1, dp;
  g_autoptr (PlgPlan) plan = NULL;

  if ((mics != NULL && !plg_options_get_number (options, mics, &size, error)) ||
      (hpz != NULL && !plg_options_get_number (options, hpz, &secondary, error)))
    return FALSE;
  if (secondary > 1)
    plg_import_note (context, PLG_NOTE_IGNORED, hpz->line,
                     _ ("%s %lld: a plan has no second copy of the weights in each group. To shard "
                        "everything inside groups, set %s."),
                     hpz->shown, (long long) secondary, plg_setting_name ("parallelism.replicate"));
  if (size <= 0)
    return set_default (options, "parallelism.replicate", "1", error);

  plan = plg_import_current_plan (context);
  dp = plg_import_get (context, "parallelism.dp") != NULL
           ? plan->parallelism.degree[PLG_AXIS_DP]
           : plg_plan_world (plan) /
                 ((gint64) plan->parallelism.degree[PLG_AXIS_TP] *
                  plan->parallelism.degree[PLG_AXIS_CP] * plan->parallelism.degree[PLG_AXIS_PP]);
  if (plan->parallelism.zero != 3)
    {
      plg_import_note (context, PLG_NOTE_IGNORED, mics->line, _ ("%s %lld works only with ZeRO 3."),
                       mics->shown, (long long) size);
      return TRUE;
    }
  if (dp < 1 || dp % size != 0)
    return plg_format_fail (mics->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s %lld does not divide the %lld replicas; use a divisor."),
                            mics->shown, (long long) size, (long long) dp);
  return plg_import_set_int (context, mics->line, "parallelism.replicate", dp / size, error);
}

static gboolean
read_program (PlgOptions *options, GError **error)
{
  return plg_import_infer_program (options->context, "deepspeed", NULL, error);
}

static gboolean
read_deepspeed (PlgImportContext *context, GError **error)
{
  static const PlgOptionsReader readers[] = {
    read_zero,           read_precision,         read_reduction, read_optimizer,
    read_offload,        read_offloaded_weights, read_degrees,   read_batch,
    set_default_degrees, read_shard_size,        read_program,
  };
  static const char *const blocks[] = { "zero-optimization", "bf16",     "bfloat16",        "fp16",
                                        "data-types",        "pipeline", "tensor-parallel", NULL };
  g_autoptr (PlgJson) json = plg_json_read (context->data, context->size, error);
  g_auto (PlgOptions) options = { 0 };

  if (json == NULL)
    return FALSE;
  plg_options_init (&options, context);
  plg_options_add_json (&options, json);
  return plg_options_check_blocks (&options, blocks, error) &&
         plg_options_run (&options, readers, G_N_ELEMENTS (readers), error);
}


static void
check_expressible (const PlgPlan *plan, GString *why)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  gboolean pipeline = parallelism->degree[PLG_AXIS_PP] > 1;

  if (!plg_order_preset_is_used (plg_order_preset_find ("deepspeed"), parallelism))
    plg_unsupported_add (why,
                         _ ("DeepSpeed numbers its ranks TP first, then DP, then PP. Set %s to "
                            "%s, or write a table of ranks."),
                         plg_setting_name ("parallelism.order"),
                         plg_setting_value_name ("parallelism.order", "deepspeed"));
  if (parallelism->degree[PLG_AXIS_CP] > 1)
    plg_unsupported_add (why,
                         _ ("DeepSpeed's configuration has no CP. Set %s to 1, or write "
                            "Megatron-LM's arguments or torchtitan's configuration."),
                         plg_setting_name ("parallelism.cp"));
  if (parallelism->degree[PLG_AXIS_EP] > 1)
    plg_unsupported_add (why,
                         _ ("DeepSpeed's configuration has no EP, which programs set in Python "
                            "(ep_size). Set %s to 1, or write Megatron-LM's arguments, or "
                            "NeMo's or torchtitan's configuration."),
                         plg_setting_name ("parallelism.ep"));
  if (pipeline && parallelism->zero > 1)
    plg_unsupported_add (why, _ ("DeepSpeed's pipelines work only with ZeRO 0 and 1. Set %s to 1."),
                         plg_setting_name ("parallelism.zero"));
  if (pipeline && plan->training.schedule != PLG_SCHEDULE_1F1B)
    plg_unsupported_add (why, _ ("DeepSpeed has only one schedule. Set %s to %s."),
                         plg_setting_name ("training.schedule"),
                         plg_setting_value_name ("training.schedule", "1f1b"));
  if (plg_parallelism_replicate (parallelism) > 1 && parallelism->zero < 3)
    plg_unsupported_add (why,
                         _ ("DeepSpeed has shard groups (MiCS) only with ZeRO 3. Set %s to 1, or "
                            "%s to 3."),
                         plg_setting_name ("parallelism.replicate"),
                         plg_setting_name ("parallelism.zero"));
  if (plan->training.optimizer == PLG_OPTIMIZER_MUON && parallelism->zero == 0)
    plg_unsupported_add (why, _ ("DeepSpeed runs Muon only with ZeRO 1, 2 or 3. Set %s to 1."),
                         plg_setting_name ("parallelism.zero"));
  else if (plan->training.offload_optimizer > 0.0 && parallelism->zero == 0)
    plg_unsupported_add (why,
                         _ ("DeepSpeed offloads the optimizer only with ZeRO 1, 2 or 3. Set %s to "
                            "0, or %s to 1."),
                         plg_setting_name ("training.offload-optimizer"),
                         plg_setting_name ("parallelism.zero"));
  else if (plan->training.offload_optimizer > 0.0 && plan->training.offload_optimizer < 1.0 &&
           parallelism->zero < 3)
    plg_unsupported_add (why,
                         _ ("DeepSpeed offloads a part of the optimizer only with ZeRO 3. Set %s "
                            "to 0 or 1, or %s to 3."),
                         plg_setting_name ("training.offload-optimizer"),
                         plg_setting_name ("parallelism.zero"));
  if (plan->training.precision == PLG_PRECISION_FP8 ||
      plan->training.precision == PLG_PRECISION_FP4)
    plg_unsupported_add (why,
                         _ ("DeepSpeed's configuration has no FP8 or FP4. Set %s to %s, %s or %s."),
                         plg_setting_name ("training.precision"),
                         plg_setting_value_name ("training.precision", "bf16"),
                         plg_setting_value_name ("training.precision", "fp16"),
                         plg_setting_value_name ("training.precision", "fp32"));
}

static void
add_block (PlgJsonWriter *json, const char *name, const char *member, double value)
{
  plg_json_begin (json, name, '{', FALSE);
  plg_json_add_number (json, member, value);
  plg_json_end (json, '}');
}

static GBytes *
write_deepspeed (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  const PlgParallelism *parallelism = &plan->parallelism;
  const PlgTraining *training = &plan->training;
  gboolean half = training->precision == PLG_PRECISION_FP16;
  const char *reduction = sum_format (training);
  GString *why = g_string_new (NULL);
  PlgJsonWriter json = { 0 };

  check_expressible (plan, why);
  if (!plg_unsupported_finish (why, error))
    return NULL;
  json.out = g_string_new (NULL);
  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_number (&json, "train_batch_size", training->global_batch);
  plg_json_add_number (&json, "train_micro_batch_size_per_gpu", training->micro_batch);
  plg_json_add_number (&json, "gradient_accumulation_steps", plg_plan_micro_batches (plan));
  if (training->precision != PLG_PRECISION_FP32)
    {
      plg_json_begin (&json, half ? "fp16" : "bf16", '{', FALSE);
      plg_json_add_boolean (&json, "enabled", TRUE);
      plg_json_end (&json, '}');
    }
  plg_json_begin (&json, "data_types", '{', FALSE);
  plg_json_add_string (&json, "grad_accum_dtype",
                       training->gradient_precision == PLG_PRECISION_FP32 ? "fp32"
                       : half                                             ? "fp16"
                                                                          : "bf16");
  plg_json_end (&json, '}');
  if (training->reduce_precision != PLG_REDUCE_AS_SUMMED)
    reduction = training->reduce_precision == PLG_REDUCE_FP32 ? "fp32" : "bf16";
  if (!g_str_equal (reduction, default_reduction (training)))
    plg_json_add_string (&json, "communication_data_type", reduction);
  if (training->optimizer == PLG_OPTIMIZER_MUON)
    {
      plg_json_begin (&json, "optimizer", '{', FALSE);
      plg_json_add_string (&json, "type", "Muon");
      plg_json_end (&json, '}');
    }
  plg_json_begin (&json, "zero_optimization", '{', TRUE);
  plg_json_add_number (&json, "stage", parallelism->zero);
  plg_json_add_boolean (&json, "overlap_comm", parallelism->overlap_dp);
  if (plg_parallelism_replicate (parallelism) > 1)
    plg_json_add_number (&json, "mics_shard_size", plg_parallelism_shards (parallelism));
  if (training->offload_optimizer > 0.0 && training->optimizer != PLG_OPTIMIZER_MUON)
    {
      plg_json_begin (&json, "offload_optimizer", '{', FALSE);
      plg_json_add_string (&json, "device", "cpu");
      plg_json_add_boolean (&json, "pin_memory", TRUE);
      if (training->offload_optimizer < 1.0)
        plg_json_add_number (&json, "ratio", training->offload_optimizer);
      plg_json_end (&json, '}');
    }
  if (plg_offloads_weights (plan))
    {
      plg_json_begin (&json, "offload_param", '{', FALSE);
      plg_json_add_string (&json, "device", "cpu");
      plg_json_add_boolean (&json, "pin_memory", TRUE);
      plg_json_end (&json, '}');
    }
  plg_json_end (&json, '}');
  /* Write each size even if it is 1, so that an import restores the plan's degrees. A size of 1
   * has no effect in DeepSpeed, which treats it as off. */
  add_block (&json, "tensor_parallel", "autotp_size", parallelism->degree[PLG_AXIS_TP]);
  add_block (&json, "pipeline", "stages", parallelism->degree[PLG_AXIS_PP]);
  plg_json_end (&json, '}');
  return plg_take_text (plg_json_take (&json));
}

static gboolean
is_deepspeed (const char *data, gsize size)
{
  return plg_json_has_member (data, size, "zero_optimization") ||
         plg_json_has_member (data, size, "train_micro_batch_size_per_gpu") ||
         plg_json_has_member (data, size, "train_batch_size");
}

const PlgFormat plg_deepspeed_format = {
  .name = "deepspeed",
  .suffix = ".ds.json",
  .title = N_ ("DeepSpeed's configuration (ds_config.json)"),
  .subject = PLG_SUBJECT_TRAINING,
  .syntax = PLG_SYNTAX_JSON,
  .sign = "zero_optimization, train_batch_size, train_micro_batch_size_per_gpu",
  .is = is_deepspeed,
  .read = read_deepspeed,
  .write = write_deepspeed,
};
