/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/frameworks/options.h"
#include "io/import/header-comment.h"
#include "syntax/toml.h"
#include "io/frameworks/torchtitan.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Reads torchtitan's configuration in TOML (torchtitan/config/job_config.py, 2025, and
 * previously its config_manager.py). Missing values have torchtitan's defaults. */

/* Finds the option KEY in TABLE. If the option is missing there, looks in OTHER, the table that
 * had the option in older versions. */
static const PlgOption *
find_in (PlgOptions *options, const char *table, const char *other, const char *key)
{
  g_autofree char *name = g_strconcat (table, ".", key, NULL);
  g_autofree char *before = g_strconcat (other, ".", key, NULL);
  const PlgOption *option = plg_options_find (options, name);

  return option != NULL ? option : plg_options_find (options, before);
}

static gboolean
set_default (PlgOptions *options, const char *key, const char *value, GError **error)
{
  return plg_options_set_default (options, key, value,
                                  _ ("Not in the file, so torchtitan's default is used."), error);
}

static gboolean
get_number (PlgOptions *options, const PlgOption *option, gint64 *value, GError **error)
{
  return option == NULL || plg_options_get_number (options, option, value, error);
}

static gint64
count_stages (const PlgOptions *options)
{
  return plg_options_get_current (options, "parallelism.pp");
}

static gboolean
read_degrees (PlgOptions *options, GError **error)
{
  static const struct
  {
    const char *name, *other, *key;
  } degrees[] = {
    { "tensor-parallel-degree", "training", "parallelism.tp" },
    { "context-parallel-degree", "experimental", "parallelism.cp" },
    { "pipeline-parallel-degree", "experimental", "parallelism.pp" },
    { "expert-parallel-degree", "experimental", "parallelism.ep" },
    { "expert-tensor-parallel-degree", "experimental", "parallelism.etp" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (degrees); i++)
    if (!plg_options_set_or_infer (options,
                                   find_in (options, "parallelism", degrees[i].other,
                                            degrees[i].name),
                                   degrees[i].key, "1",
                                   _ ("Not in the file, so torchtitan's default is used."), error))
      return FALSE;
  return plg_import_infer (options->context, 0, "parallelism.order", "torchtitan",
                           _ ("torchtitan numbers its ranks in this order."), error);
}

/* Reads the degrees of sharding and replication, whose product is DP. A sharding degree of -1
 * takes all remaining GPUs. With both degrees above 1, shard groups are replicated (HSDP). */
static gboolean
read_dp (PlgOptions *options, GError **error)
{
  PlgImportContext *context = options->context;
  const PlgOption *shard = find_in (options, "parallelism", "training",
                                    "data-parallel-shard-degree");
  const PlgOption *copies = find_in (options, "parallelism", "training",
                                     "data-parallel-replicate-degree");
  gint64 shards = -1, replicas = 1, world = plg_plan_world (context->plan);
  gint64 product = plg_options_get_current (options, "parallelism.tp") *
                   plg_options_get_current (options, "parallelism.cp") * count_stages (options);
  g_autofree char *rest = g_strdup_printf ("%lld", (long long) (world / MAX (product, 1)));

  if (!get_number (options, shard, &shards, error) ||
      !get_number (options, copies, &replicas, error))
    return FALSE;
  if (replicas < 1 || shards < -1 || shards == 0 || shards > PLG_MAX_GPUS ||
      replicas > PLG_MAX_GPUS)
    return plg_format_fail ((replicas < 1    ? copies
                             : shard != NULL ? shard
                                             : copies)
                                ->line,
                            PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%lld shards and %lld copies are invalid. Shards must be 1 or "
                               "more, or -1 for the rest of the GPUs; copies must be 1 or more."),
                            (long long) shards, (long long) replicas);
  if (replicas > 1 && shards != 1
          ? !plg_import_set_int (context, copies->line, "parallelism.replicate", replicas, error)
          : !plg_options_set_default (options, "parallelism.replicate", "1",
                                      _ ("The file has one shard group or no shards."), error))
    return FALSE;
  if (shards > 0 && !plg_import_set_int (context, (shard != NULL ? shard : copies)->line,
                                         "parallelism.dp", shards * replicas, error))
    return FALSE;
  if (shards == -1 && world % (product * replicas) == 0 &&
      !plg_import_infer (context, shard != NULL ? shard->line : 0, "parallelism.dp", rest,
                         _ ("This is the number of the plan's GPUs divided by the other degrees."),
                         error))
    return FALSE;
  return shards != 1 ||
         plg_import_infer (context, 0, "parallelism.zero", "0", _ ("Nothing is sharded."), error);
}

/* Reads the ZeRO stage. Stage 3 means that FSDP drops the gathered weights after the forward
 * pass, and stage 2 that it keeps them. By default, FSDP keeps the weights only if the plan has
 * a pipeline (torchtitan's parallelize.py). */
static gboolean
read_zero (PlgOptions *options, GError **error)
{
  static const char *const policies[][2] = { { "always", "3" }, { "never", "2" } };
  const PlgOption *policy = plg_options_find (options, "parallelism.fsdp-reshard-after-forward");
  const char *usual = count_stages (options) > 1 ? "2" : "3";

  if (g_strcmp0 (plg_import_get (options->context, "parallelism.zero"), "0") == 0)
    return TRUE;
  if (policy != NULL && g_strcmp0 (policy->value, "default") != 0)
    return plg_options_set_choice (options, policy, "parallelism.zero", policies,
                                   G_N_ELEMENTS (policies), error);
  return plg_import_infer (options->context, policy != NULL ? policy->line : 0, "parallelism.zero",
                           usual,
                           _ ("By default, FSDP drops the gathered weights after each pass, but "
                              "keeps them if the model is split into pipeline stages."),
                           error);
}

static gboolean
read_slot (PlgOptions *options, const char *name, const char *key, GError **error)
{
  const PlgOption *option = plg_options_find (options, name);
  gint64 n_less = 1;

  if (count_stages (options) < 2)
    return TRUE;
  if (!get_number (options, option, &n_less, error))
    return FALSE;
  if (n_less != 0 && n_less != 1)
    plg_import_note (options->context, PLG_NOTE_IGNORED, option->line,
                     _ ("%s is %lld, but must be 0 or 1 in a plan, so 1 is used."), option->shown,
                     (long long) n_less);
  return option == NULL ? set_default (options, key, "true", error)
                        : plg_import_set (options->context, option->line, key,
                                          n_less != 0 ? "true" : "false", error);
}

static gboolean
read_schedule (PlgOptions *options, GError **error)
{
  static const char *const schedules[][2] = { { "GPipe", "gpipe" },
                                              { "1F1B", "1f1b" },
                                              { "Interleaved1F1B", "interleaved" },
                                              { "ZBVZeroBubble", "zb-v" } };
  const PlgOption *option = find_in (options, "parallelism", "experimental",
                                     "pipeline-parallel-schedule");

  if (count_stages (options) < 2 || option == NULL
          ? !set_default (options, "training.schedule", "1f1b", error)
          : !plg_options_set_choice (options, option, "training.schedule", schedules,
                                     G_N_ELEMENTS (schedules), error))
    return FALSE;
  return read_slot (options, "parallelism.pipeline-parallel-first-stage-less-layers",
                    "parallelism.embedding-slot", error) &&
         read_slot (options, "parallelism.pipeline-parallel-last-stage-less-layers",
                    "parallelism.loss-slot", error);
}

/* Reads the number of layers per chunk, which determines the number of chunks of the interleaved
 * schedule. */
static gboolean
read_chunks (PlgOptions *options, GError **error)
{
  PlgImportContext *context = options->context;
  const PlgOption *option = plg_options_find (options,
                                              "parallelism.pipeline-parallel-layers-per-stage");
  const char *name = plg_import_get (context, "model.name");
  const PlgTransformer *model = name != NULL ? plg_catalogue_model (context->catalogue, name)
                                             : NULL;
  gint64 slots = model != NULL ? model->layers : context->plan->model.layers;
  gint64 stages = count_stages (options), layers = 0, chunks;

  if (g_strcmp0 (plg_import_get (context, "training.schedule"), "interleaved") != 0)
    return plg_import_infer (context, 0, "parallelism.chunks", "1",
                             _ ("This schedule has one chunk per stage."), error);
  if (option == NULL)
    return set_default (options, "parallelism.chunks", "2", error);
  if (!get_number (options, option, &layers, error))
    return FALSE;
  slots += g_strcmp0 (plg_import_get (context, "parallelism.embedding-slot"), "true") == 0;
  slots += g_strcmp0 (plg_import_get (context, "parallelism.loss-slot"), "true") == 0;
  chunks = layers > 0 ? (slots + layers - 1) / layers : 0;
  if (layers < 1 || chunks % stages != 0 || chunks == stages)
    return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s %lld makes %lld chunks, but each of the %lld stages must have "
                               "the same number of chunks, which must be at least 2."),
                            option->shown, (long long) layers, (long long) chunks,
                            (long long) stages);
  return plg_import_set_int (context, option->line, "parallelism.chunks", chunks / stages, error);
}

static gboolean
read_model (PlgOptions *options, GError **error)
{
  const PlgOption *name = plg_options_find (options, "model.name");
  const PlgOption *flavor = plg_options_find (options, "model.flavor");
  const PlgTransformer *model = &options->context->plan->model;
  const char *shown = name != NULL && name->value != NULL ? name->value : "flavor", *known = NULL;
  int ep = (int) plg_options_get_current (options, "parallelism.ep");

  if (name != NULL && flavor != NULL && name->value != NULL && flavor->value != NULL)
    known = plg_torchtitan_find (name->value, flavor->value);
  if (known != NULL)
    return plg_import_set (options->context, flavor->line, "model.name", known, error);
  if (flavor == NULL)
    return TRUE;
  /* The catalogue lacks the file's model, so keep the open plan's model. Fail if the file has EP
   * but the open plan's model has no experts. */
  if (ep > 1 && !plg_transformer_is_moe (model))
    return plg_format_fail (flavor->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s %s is not in the catalogue, and %s has no experts for EP %d. "
                               "Open the model's config.json first, then this file."),
                            shown, flavor->value, model->title, ep);
  plg_import_note (options->context, PLG_NOTE_IGNORED, flavor->line,
                   _ ("%s %s is not in the catalogue, so the plan's model is kept."), shown,
                   flavor->value);
  return TRUE;
}

static gboolean
read_precision (PlgOptions *options, GError **error)
{
  static const char *const types[][2] = { { "bfloat16", "bf16" }, { "float32", "fp32" } };
  const PlgOption *converters = plg_options_find (options, "model.converters");
  const PlgOption *type = plg_options_find (options, "training.mixed-precision-param");
  const PlgOption *sums = plg_options_find (options, "training.mixed-precision-reduce");

  if (converters != NULL && converters->value != NULL &&
      (strstr (converters->value, "float8") != NULL || strstr (converters->value, "mx") != NULL))
    {
      if (!plg_import_set_precision (options->context, converters->line, "fp8", error))
        return FALSE;
    }
  else if (type != NULL ? !plg_options_set_choice (options, type, "training.precision", types,
                                                   G_N_ELEMENTS (types), error)
                        : !set_default (options, "training.precision", "bf16", error))
    return FALSE;
  if (!set_default (options, "training.reduce-precision", "auto", error))
    return FALSE;
  return sums != NULL ? plg_options_set_choice (options, sums, "training.gradient-precision", types,
                                                G_N_ELEMENTS (types), error)
                      : set_default (options, "training.gradient-precision", "fp32", error);
}

/* Reads the recipe of FP8 training (torchtitan, docs/float8.md and docs/mxfp8.md). Older versions
 * have the blocks [float8] and [mx]. */
static gboolean
read_fp8_recipe (PlgOptions *options, GError **error)
{
  static const char *const kinds[][2] = { { "tensorwise", "current" },
                                          { "rowwise", "current" },
                                          { "rowwise_with_gw_hp", "current" } };
  const PlgOption *converters = plg_options_find (options, "model.converters");
  const PlgOption *recipe = plg_options_find (options, "quantize.linear.float8.recipe-name");
  gboolean is_fp8 = converters != NULL && converters->value != NULL;

  if (recipe == NULL)
    recipe = plg_options_find (options, "float8.recipe-name");
  if (is_fp8 && strstr (converters->value, "mx") != NULL)
    return plg_import_set_mxfp8 (options->context, converters->line, error);
  if (!is_fp8 || strstr (converters->value, "float8") == NULL || recipe == NULL)
    return set_default (options, "training.fp8-recipe", "auto", error);
  if (g_strcmp0 (recipe->value, "tensorwise") != 0)
    plg_import_note (
        options->context, PLG_NOTE_INFERRED, recipe->line,
        _ ("%s: a plan has no scales per row, so it has one scale per tensor, which is "
           "faster."),
        recipe->shown);
  return plg_options_set_choice (options, recipe, "training.fp8-recipe", kinds,
                                 G_N_ELEMENTS (kinds), error);
}

/* Reads the optimizer, which can be Muon (torchtitan, experiments/dion_optimizer), and the precision of
 * Adam's moments (docs/bf16_optimizer_states.md). */
static gboolean
read_optimizer (PlgOptions *options, GError **error)
{
  static const char *const kinds[][2] = { { "for-loop", "adam" },
                                          { "foreach", "adam" },
                                          { "fused", "adam" },
                                          { "fused_opt_states_bf16", "adam-bf16" } };
  const PlgOption *name = plg_options_find (options, "optimizer.name");
  const PlgOption *option = plg_options_find (options, "optimizer.implementation");

  if (name != NULL && name->value != NULL && g_ascii_strcasecmp (name->value, "muon") == 0)
    return plg_import_set (options->context, name->line, "training.optimizer", "muon", error);
  return option != NULL ? plg_options_set_choice (options, option, "training.optimizer", kinds,
                                                  G_N_ELEMENTS (kinds), error)
                        : set_default (options, "training.optimizer", "adam", error);
}

/* Reads whether weights and optimizer are on the host (torchtitan, training.enable_cpu_offload). */
static gboolean
read_offload (PlgOptions *options, GError **error)
{
  const char *key = "training.offload-optimizer", *weights = "training.offload-weights";
  const PlgOption *option = plg_options_find (options, "training.enable-cpu-offload");
  gboolean enabled;

  if (option == NULL)
    return set_default (options, key, "0", error) && set_default (options, weights, "false", error);
  if (!plg_options_get_boolean (options, option, &enabled, error) ||
      !plg_import_set (options->context, option->line, key, enabled ? "1" : "0", error))
    return FALSE;
  return plg_import_set (options->context, option->line, weights,
                         enabled && plg_options_get_current (options, "parallelism.zero") == 3
                             ? "true"
                             : "false",
                         error);
}

/* Reads the batch. With a pipeline, a rank's batch is split into micro-batches; without a
 * pipeline, the batch is one micro-batch. */
static gboolean
read_batch (PlgOptions *options, GError **error)
{
  const PlgOption *local = find_in (options, "training", "training", "local-batch-size");
  const PlgOption *global = plg_options_find (options, "training.global-batch-size");
  const PlgOption *micro = plg_options_find (options,
                                             "parallelism.pipeline-parallel-microbatch-size");
  gint64 batch = 8, micro_size = 1, global_size = -1;
  gint64 dp = plg_import_get (options->context, "parallelism.dp") != NULL
                  ? plg_options_get_current (options, "parallelism.dp")
                  : 0;

  local = local != NULL ? local : plg_options_find (options, "training.batch-size");
  if (!get_number (options, local, &batch, error) ||
      !get_number (options, micro, &micro_size, error) ||
      !get_number (options, global, &global_size, error))
    return FALSE;
  if (batch < 1 || batch > 1 << 20 ||
      (count_stages (options) > 1 && (micro_size < 1 || batch % micro_size != 0)))
    return plg_format_fail ((local != NULL ? local : micro)->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("A batch of %lld in micro-batches of %lld is invalid; the batch "
                               "must be a multiple of the micro-batch."),
                            (long long) batch, (long long) micro_size);
  if (!plg_import_set_int (options->context,
                           count_stages (options) > 1 && micro != NULL ? micro->line
                           : local != NULL                             ? local->line
                                                                       : 0,
                           "training.micro-batch", count_stages (options) > 1 ? micro_size : batch,
                           error))
    return FALSE;
  if (global_size > 0)
    return plg_options_set (options, global, "training.global-batch", error);
  if (dp == 0)
    plg_import_note (options->context, PLG_NOTE_INFERRED, local != NULL ? local->line : 0,
                     _ ("Each replica has %lld sequences per step; the total depends on DP."),
                     (long long) batch);
  return dp == 0 || plg_import_set_int (options->context, local != NULL ? local->line : 0,
                                        "training.global-batch", batch * dp, error);
}

/* Reads recompute. With selective recompute, a number N repeats every N-th layer of a stage, or all
 * layers if N is 0 (torchtitan/distributed/activation_checkpoint.py, _apply_layer_sac()). */
static gboolean
read_recompute (PlgOptions *options, GError **error)
{
  static const char *const modes[][2] = { { "none", "none" },
                                          { "selective", "selective" },
                                          { "full", "full" } };
  const PlgOption *mode = plg_options_find (options, "activation-checkpoint.mode");
  const PlgOption *option = plg_options_find (options, "activation-checkpoint.selective-ac-option");
  gboolean is_selective = mode == NULL || g_strcmp0 (mode->value, "selective") == 0;

  if (!set_default (options, "training.recompute-modules", "", error))
    return FALSE;
  if (is_selective && option != NULL && option->value != NULL && g_ascii_isdigit (option->value[0]))
    {
      gboolean is_all = g_str_equal (option->value, "0") || g_str_equal (option->value, "1");
      const char *every = is_all ? "1" : option->value;

      return plg_import_set (options->context, option->line, "training.recompute", "full", error) &&
             plg_import_set (options->context, option->line, "training.recompute-method",
                             is_all ? "all" : "every", error) &&
             (plg_import_set (options->context, option->line, "training.recompute-layers", every,
                              error) ||
              plg_import_error_rename (option->line, "training.recompute-layers", option->shown,
                                       error));
    }
  if (mode == NULL ? !set_default (options, "training.recompute", "selective", error)
                   : !plg_options_set_choice (options, mode, "training.recompute", modes,
                                              G_N_ELEMENTS (modes), error))
    return FALSE;
  if (!is_selective)
    return set_default (options, "training.recompute-method", "all", error);
  plg_import_note (options->context, PLG_NOTE_INFERRED, option != NULL ? option->line : 0,
                   _ ("With selective recompute, torchtitan recomputes some operations; a plan "
                      "recomputes the core attention of all layers."));
  return TRUE;
}

/* Reads whether loss parallelism is off. If it is off, each GPU of a TP group has the logits of
 * the whole vocabulary. */
static gboolean
read_loss (PlgOptions *options, GError **error)
{
  const PlgOption *option = find_in (options, "parallelism", "training", "disable-loss-parallel");
  gboolean is_gathered = FALSE;

  if (option == NULL)
    return TRUE;
  if (!plg_options_get_boolean (options, option, &is_gathered, error))
    return FALSE;
  return !is_gathered ||
         plg_import_set (options->context, option->line, "training.loss", "gathered", error);
}

static gboolean
read_flags (PlgOptions *options, GError **error)
{
  const PlgOption *async = find_in (options, "parallelism", "experimental",
                                    "enable-async-tensor-parallel");

  return async != NULL ? plg_options_set_boolean (options, async, "parallelism.overlap-tp", error)
                       : set_default (options, "parallelism.overlap-tp", "false", error);
}

/* Reads whether kernels are compiled. */
static gboolean
read_program (PlgOptions *options, GError **error)
{
  const PlgOption *compile = plg_options_find (options, "compile.enable");
  gboolean compiled = FALSE;

  if (compile == NULL)
    compile = plg_options_find (options, "training.compile");
  if (compile != NULL && !plg_options_get_boolean (options, compile, &compiled, error))
    return FALSE;
  return plg_import_infer_program (options->context, compiled ? "fsdp-compiled" : "fsdp-eager",
                                   PLG_TORCHTITAN_KERNELS, error) &&
         plg_import_infer (options->context, 0, "parallelism.sequence", "true",
                           _ ("torchtitan's TP always uses sequence parallelism."), error);
}

static gboolean
read_rest (PlgOptions *options, GError **error)
{
  static const char *const rotations[][2] = { { "allgather", "all-gather" },
                                              { "alltoall", "ring" } };
  const PlgOption *rotate = find_in (options, "parallelism", "experimental",
                                     "context-parallel-rotate-method");
  static const char *const dispatchers[][2] = { { "standard", "all-to-all" },
                                                { "deepep", "deepep" },
                                                { "hybridep", "hybridep" } };
  const PlgOption *backend = find_in (options, "parallelism", "experimental",
                                      "expert-parallel-comm-backend");
  const PlgOption *sequence = plg_options_find (options, "training.seq-len");
  const PlgOption *steps = plg_options_find (options, "training.steps");
  gint64 n = 0;
  double step;

  if (rotate != NULL ? !plg_options_set_choice (options, rotate, "parallelism.cp-type", rotations,
                                                G_N_ELEMENTS (rotations), error)
                     : !set_default (options, "parallelism.cp-type", "all-gather", error))
    return FALSE;
  if (backend != NULL ? !plg_options_set_choice (options, backend, "parallelism.dispatcher",
                                                 dispatchers, G_N_ELEMENTS (dispatchers), error)
                      : plg_options_get_current (options, "model.experts") > 0 &&
                            !set_default (options, "parallelism.dispatcher", "all-to-all", error))
    return FALSE;
  if (sequence != NULL ? !plg_options_set (options, sequence, "training.sequence", error)
                       : !set_default (options, "training.sequence", "2048", error))
    return FALSE;
  if (!get_number (options, steps, &n, error))
    return FALSE;
  step = (double) plg_options_get_current (options, "training.sequence") *
         (double) plg_options_get_current (options, "training.global-batch");
  /* The file can only state a whole number of steps, so keep the plan's number of tokens if it
   * differs from the file's by less than one step. */
  if (n < 1 || plg_import_get (options->context, "training.global-batch") == NULL ||
      fabs ((double) n * step - options->context->plan->training.tokens) < step)
    return TRUE;
  return plg_import_set_number (options->context, steps->line, "training.tokens", (double) n * step,
                                error);
}

static gboolean
read_torchtitan (PlgImportContext *context, GError **error)
{
  static const PlgOptionsReader readers[] = {
    read_degrees,   read_dp,         read_zero,      read_model,   read_schedule, read_chunks,
    read_precision, read_fp8_recipe, read_optimizer, read_offload, read_batch,    read_recompute,
    read_loss,      read_flags,      read_program,   read_rest,
  };
  g_autoptr (GPtrArray) values = plg_toml_read (context->data, context->size, error);
  g_auto (PlgOptions) options = { 0 };

  if (values == NULL)
    return FALSE;
  plg_options_init (&options, context);
  for (guint i = 0; i < values->len; i++)
    {
      const PlgTomlValue *value = values->pdata[i];

      plg_options_add (&options, value->path, value->text, value->line)->quoted = value->kind ==
                                                                                  PLG_TOML_STRING;
    }
  return plg_options_run (&options, readers, G_N_ELEMENTS (readers), error);
}

static gboolean
has_line (const char *data, const char *start)
{
  for (const char *p = strstr (data, start); p != NULL; p = strstr (p + 1, start))
    if (p == data || p[-1] == '\n')
      return TRUE;
  return FALSE;
}

static gboolean
is_torchtitan (const char *data, gsize size)
{
  return has_line (data, "[parallelism]") ||
         (has_line (data, "[training]") &&
          (has_line (data, "tensor_parallel_degree") || has_line (data, "[model]") ||
           has_line (data, "data_parallel_")));
}

const PlgFormat plg_torchtitan_format = {
  .name = "torchtitan",
  .suffix = ".toml",
  .title = N_ ("torchtitan's configuration (TOML)"),
  .subject = PLG_SUBJECT_TRAINING,
  .syntax = PLG_SYNTAX_TOML,
  .sign = "[parallelism], [training]",
  .is = is_torchtitan,
  .read = read_torchtitan,
  .write = plg_torchtitan_write,
};
