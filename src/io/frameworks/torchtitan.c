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

/* Reads torchtitan's configuration in TOML (torchtitan/config/job_config.py, 2025; earlier, its
 * config_manager.py). Missing values have torchtitan's defaults. */

typedef struct
{
  PlgImportContext *context;
  PlgOptions options;
  gint64 pp;
  GError **error;
} Config;

static const PlgOption *
find (Config *config, const char *name)
{
  return plg_options_find (&config->options, name);
}

/* Finds an option in today's table or in its former one. */
static const PlgOption *
find_in (Config *config, const char *table, const char *other, const char *key)
{
  g_autofree char *name = g_strconcat (table, ".", key, NULL);
  g_autofree char *before = g_strconcat (other, ".", key, NULL);
  const PlgOption *option = find (config, name);

  return option != NULL ? option : find (config, before);
}

static gboolean
set_default (Config *config, const char *key, const char *value)
{
  return plg_options_set_default (&config->options, key, value,
                                  _ ("It is missing, and this is torchtitan's default."),
                                  config->error);
}

static gboolean
get_number (Config *config, const PlgOption *option, gint64 *value)
{
  return option == NULL || plg_options_get_number (&config->options, option, value, config->error);
}

static gint64
current (const Config *config, const char *key)
{
  return plg_options_get_current (&config->options, key);
}


static gboolean
read_degrees (Config *config)
{
  static const struct
  {
    const char *name, *other, *key, *left_out;
  } degrees[] = {
    { "tensor-parallel-degree", "training", "parallelism.tp", "1" },
    { "context-parallel-degree", "experimental", "parallelism.cp", "1" },
    { "pipeline-parallel-degree", "experimental", "parallelism.pp", "1" },
    { "expert-parallel-degree", "experimental", "parallelism.ep", "1" },
    { "expert-tensor-parallel-degree", "experimental", "parallelism.etp", "1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (degrees); i++)
    {
      const PlgOption *option = find_in (config, "parallelism", degrees[i].other, degrees[i].name);

      if (option != NULL
              ? !plg_options_set (&config->options, option, degrees[i].key, config->error)
              : !plg_import_infer (config->context, 0, degrees[i].key, degrees[i].left_out,
                                   _ ("It is missing, and this is torchtitan's default."),
                                   config->error))
        return FALSE;
    }
  config->pp = current (config, "parallelism.pp");
  return plg_import_infer (config->context, 0, "parallelism.order", "torchtitan",
                           _ ("torchtitan numbers its ranks in this order."), config->error);
}

/* Takes the replicas that the other degrees leave of the open plan's GPUs, if they divide;
 * otherwise the plan repair changes the number of GPUs (plan-repair.h). */
static gboolean
read_shard_degree (Config *config, const PlgOption *shard, gint64 replicas)
{
  gint64 world = plg_plan_world (config->context->plan);
  gint64 product = current (config, "parallelism.tp") * current (config, "parallelism.cp") *
                   current (config, "parallelism.pp");
  g_autofree char *dp = g_strdup_printf ("%lld", (long long) (world / product));

  if (world % (product * replicas) != 0)
    return TRUE;
  return plg_import_infer (config->context, shard != NULL ? shard->line : 0, "parallelism.dp", dp,
                           _ ("The plan's GPUs divided by the other degrees."), config->error);
}

/* Reads shards and copies; -1 shards take the rest of the GPUs. */
static gboolean
read_dp (Config *config)
{
  const PlgOption *shard = find_in (config, "parallelism", "training",
                                    "data-parallel-shard-degree");
  const PlgOption *copies = find_in (config, "parallelism", "training",
                                     "data-parallel-replicate-degree");
  gint64 shards = -1, replicas = 1;

  if (!get_number (config, shard, &shards) || !get_number (config, copies, &replicas))
    return FALSE;
  if (replicas < 1 || shards < -1 || shards == 0 || shards > PLG_MAX_GPUS ||
      replicas > PLG_MAX_GPUS)
    return plg_format_fail ((replicas < 1    ? copies
                             : shard != NULL ? shard
                                             : copies)
                                ->line,
                            PLG_FORMAT_ERROR_CONTENT, config->error,
                            _ ("%lld shards and %lld copies are invalid: shards are 1 or more, "
                               "or -1 for the rest of the GPUs, and copies 1 or more."),
                            (long long) shards, (long long) replicas);
  if (replicas > 1 && shards != 1)
    plg_import_note (config->context, PLG_NOTE_INFERRED, copies->line,
                     _ ("%s %lld: a plan has one kind of replica. All of them are DP, as if "
                        "weights were sharded over all."),
                     copies->shown, (long long) replicas);
  if (shards > 0 && !plg_import_set_int (config->context, (shard != NULL ? shard : copies)->line,
                                         "parallelism.dp", shards * replicas, config->error))
    return FALSE;
  if (shards == -1 && !read_shard_degree (config, shard, replicas))
    return FALSE;
  return shards != 1 || plg_import_infer (config->context, 0, "parallelism.zero", "0",
                                          _ ("Nothing is sharded."), config->error);
}

/* FSDP shards weights; stage 3 drops them after the forward pass, stage 2 keeps them. The default
 * keeps them with a pipeline (torchtitan's parallelize.py). */
static gboolean
read_zero (Config *config)
{
  static const char *const policies[][2] = { { "always", "3" }, { "never", "2" } };
  const PlgOption *policy = find (config, "parallelism.fsdp-reshard-after-forward");
  const char *usual = config->pp > 1 ? "2" : "3";

  if (g_strcmp0 (plg_import_get (config->context, "parallelism.zero"), "0") == 0)
    return TRUE;
  if (policy != NULL && g_strcmp0 (policy->value, "default") != 0)
    return plg_options_set_choice (&config->options, policy, "parallelism.zero", policies,
                                   G_N_ELEMENTS (policies), config->error);
  return plg_import_infer (config->context, policy != NULL ? policy->line : 0, "parallelism.zero",
                           usual,
                           _ ("FSDP drops weights after each pass, but keeps them with a "
                              "pipeline."),
                           config->error);
}


static gboolean
read_slot (Config *config, const char *name, const char *key)
{
  const PlgOption *option = find (config, name);
  gint64 n_less = 1;

  if (config->pp < 2)
    return TRUE;
  if (!get_number (config, option, &n_less))
    return FALSE;
  if (n_less != 0 && n_less != 1)
    plg_import_note (config->context, PLG_NOTE_IGNORED, option->line,
                     _ ("%s %lld: a plan has 0 or 1; 1 is used."), option->shown,
                     (long long) n_less);
  return option == NULL ? set_default (config, key, "true")
                        : plg_import_set (config->context, option->line, key,
                                          n_less != 0 ? "true" : "false", config->error);
}

static gboolean
read_chunks (Config *config)
{
  const PlgOption *option = find (config, "parallelism.pipeline-parallel-layers-per-stage");
  gboolean interleaved = g_strcmp0 (plg_import_get (config->context, "training.schedule"),
                                    "interleaved") == 0;
  const char *name = plg_import_get (config->context, "model.name");
  const PlgTransformer *model = name != NULL
                                    ? plg_catalogue_model (config->context->catalogue, name)
                                    : NULL;
  gint64 slots = model != NULL ? model->layers : config->context->plan->model.layers;
  gint64 layers = 0, chunks;

  if (g_strcmp0 (plg_import_get (config->context, "parallelism.embedding-slot"), "true") == 0)
    slots++;
  if (g_strcmp0 (plg_import_get (config->context, "parallelism.loss-slot"), "true") == 0)
    slots++;
  if (!interleaved)
    return plg_import_infer (config->context, 0, "parallelism.chunks", "1",
                             _ ("This schedule has one chunk per stage."), config->error);
  if (option == NULL)
    return set_default (config, "parallelism.chunks", "2");
  if (!get_number (config, option, &layers))
    return FALSE;
  chunks = layers > 0 ? (slots + layers - 1) / layers : 0;
  if (layers < 1 || chunks % config->pp != 0 || chunks == config->pp)
    return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, config->error,
                            _ ("%s %lld makes %lld chunks, which must be 2 or more for each of "
                               "%lld stages."),
                            option->shown, (long long) layers, (long long) chunks,
                            (long long) config->pp);
  return plg_import_set_int (config->context, option->line, "parallelism.chunks",
                             chunks / config->pp, config->error);
}

static gboolean
read_schedule (Config *config)
{
  static const char *const schedules[][2] = { { "GPipe", "gpipe" },
                                              { "1F1B", "1f1b" },
                                              { "Interleaved1F1B", "interleaved" },
                                              { "ZBVZeroBubble", "zb-v" } };
  const PlgOption *option = find_in (config, "parallelism", "experimental",
                                     "pipeline-parallel-schedule");

  if (config->pp < 2 || option == NULL)
    {
      if (!set_default (config, "training.schedule", "1f1b"))
        return FALSE;
    }
  else if (!plg_options_set_choice (&config->options, option, "training.schedule", schedules,
                                    G_N_ELEMENTS (schedules), config->error))
    return FALSE;
  return read_slot (config, "parallelism.pipeline-parallel-first-stage-less-layers",
                    "parallelism.embedding-slot") &&
         read_slot (config, "parallelism.pipeline-parallel-last-stage-less-layers",
                    "parallelism.loss-slot") &&
         read_chunks (config);
}


/* Keeps the open plan's model, which fails if the file has EP and that model has no experts. */
static gboolean
keep_open_model (Config *config, const char *name, const PlgOption *flavor)
{
  const PlgTransformer *model = &config->context->plan->model;
  int ep = (int) current (config, "parallelism.ep");

  if (ep > 1 && !plg_transformer_is_moe (model))
    return plg_format_fail (flavor->line, PLG_FORMAT_ERROR_CONTENT, config->error,
                            _ ("%s %s: the catalogue does not have it, and %s has no experts for "
                               "EP %d. Open the model's config.json first, then this file."),
                            name, flavor->value, model->title, ep);
  plg_import_note (config->context, PLG_NOTE_IGNORED, flavor->line,
                   _ ("%s %s: the catalogue does not have it; the model stays as it is."), name,
                   flavor->value);
  return TRUE;
}

static gboolean
read_model (Config *config)
{
  const PlgOption *name = find (config, "model.name");
  const PlgOption *flavor = find (config, "model.flavor");
  const char *known = NULL;

  if (name != NULL && flavor != NULL && name->value != NULL && flavor->value != NULL)
    known = plg_torchtitan_find (name->value, flavor->value);
  if (known != NULL)
    return plg_import_set (config->context, flavor->line, "model.name", known, config->error);
  return flavor == NULL ||
         keep_open_model (config, name != NULL && name->value != NULL ? name->value : "flavor",
                          flavor);
}

static gboolean
read_precision (Config *config)
{
  static const char *const types[][2] = { { "bfloat16", "bf16" }, { "float32", "fp32" } };
  const PlgOption *converters = find (config, "model.converters");
  const PlgOption *type = find (config, "training.mixed-precision-param");
  const PlgOption *sums = find (config, "training.mixed-precision-reduce");

  if (converters != NULL && converters->value != NULL &&
      (strstr (converters->value, "float8") != NULL || strstr (converters->value, "mx") != NULL))
    {
      if (!plg_import_set (config->context, converters->line, "training.precision", "fp8",
                           config->error))
        return FALSE;
    }
  else if (type != NULL ? !plg_options_set_choice (&config->options, type, "training.precision",
                                                   types, G_N_ELEMENTS (types), config->error)
                        : !set_default (config, "training.precision", "bf16"))
    return FALSE;
  return sums != NULL
             ? plg_options_set_choice (&config->options, sums, "training.gradient-precision", types,
                                       G_N_ELEMENTS (types), config->error)
             : set_default (config, "training.gradient-precision", "fp32");
}

/* With a pipeline, a rank's batch passes in micro-batches; without, the batch is one
 * micro-batch. */
static gboolean
read_batch (Config *config)
{
  const PlgOption *local = find_in (config, "training", "training", "local-batch-size");
  const PlgOption *global = find (config, "training.global-batch-size");
  const PlgOption *micro = find (config, "parallelism.pipeline-parallel-microbatch-size");
  gint64 batch = 8, micro_size = 1, global_size = -1;
  gint64 dp = plg_import_get (config->context, "parallelism.dp") != NULL
                  ? current (config, "parallelism.dp")
                  : 0;

  local = local != NULL ? local : find (config, "training.batch-size");
  if (!get_number (config, local, &batch) || !get_number (config, micro, &micro_size) ||
      !get_number (config, global, &global_size))
    return FALSE;
  if (batch < 1 || batch > 1 << 20 ||
      (config->pp > 1 && (micro_size < 1 || batch % micro_size != 0)))
    return plg_format_fail ((local != NULL ? local : micro)->line,
                            PLG_FORMAT_ERROR_CONTENT, config->error,
                            _ ("A batch of %lld in micro-batches of %lld is invalid; one must "
                               "divide the other."),
                            (long long) batch, (long long) micro_size);
  if (!plg_import_set_int (config->context,
                           config->pp > 1 && micro != NULL ? micro->line
                           : local != NULL                 ? local->line
                                                           : 0,
                           "training.micro-batch", config->pp > 1 ? micro_size : batch,
                           config->error))
    return FALSE;
  if (global_size > 0)
    return plg_options_set (&config->options, global, "training.global-batch", config->error);
  if (dp == 0)
    plg_import_note (config->context, PLG_NOTE_INFERRED, local != NULL ? local->line : 0,
                     _ ("Each replica has %lld sequences per step; the total depends on DP."),
                     (long long) batch);
  return dp == 0 || plg_import_set_int (config->context, local != NULL ? local->line : 0,
                                        "training.global-batch", batch * dp, config->error);
}

static gboolean
read_recompute (Config *config)
{
  static const char *const modes[][2] = { { "none", "none" },
                                          { "selective", "selective" },
                                          { "full", "full" } };
  const PlgOption *mode = find (config, "activation-checkpoint.mode");
  const PlgOption *option = find (config, "activation-checkpoint.selective-ac-option");

  if (mode == NULL ? !set_default (config, "training.recompute", "selective")
                   : !plg_options_set_choice (&config->options, mode, "training.recompute", modes,
                                              G_N_ELEMENTS (modes), config->error))
    return FALSE;
  if (g_strcmp0 (plg_import_get (config->context, "training.recompute"), "selective") == 0)
    plg_import_note (config->context, PLG_NOTE_INFERRED, option != NULL ? option->line : 0,
                     _ ("torchtitan recomputes some layers or operations; selective in a plan "
                        "means the core attention of all layers."));
  return TRUE;
}

/* Without loss parallelism, each GPU of a TP group has the logits of the whole vocabulary. */
static gboolean
read_loss (Config *config)
{
  const PlgOption *option = find_in (config, "parallelism", "training", "disable-loss-parallel");
  gboolean is_gathered = FALSE;

  if (option == NULL)
    return TRUE;
  if (!plg_options_get_boolean (&config->options, option, &is_gathered, config->error))
    return FALSE;
  return !is_gathered ||
         plg_import_set (config->context, option->line, "training.loss", "gathered", config->error);
}

static gboolean
read_flags (Config *config)
{
  const PlgOption *async = find_in (config, "parallelism", "experimental",
                                    "enable-async-tensor-parallel");
  const PlgOption *compile = find (config, "compile.enable");

  compile = compile != NULL ? compile : find (config, "training.compile");
  if (async != NULL ? !plg_options_set_boolean (&config->options, async, "parallelism.overlap-tp",
                                                config->error)
                    : !set_default (config, "parallelism.overlap-tp", "false"))
    return FALSE;

  /* Our own comment counts unless somebody changed the value below it. */
  gboolean fused;
  const char *remark;
  int line;

  if (compile == NULL)
    {
      if (!set_default (config, "training.kernels", "eager"))
        return FALSE;
    }
  else
    {
      if (!plg_options_get_boolean (&config->options, compile, &fused, config->error))
        return FALSE;
      remark = plg_header_comment_find (config->context, PLG_TORCHTITAN_KERNELS, &line);
      if (remark != NULL &&
          g_str_has_prefix (remark, fused ? "auto, here fused." : "auto, here eager."))
        {
          if (!plg_import_set (config->context, line, "training.kernels", "auto", config->error))
            return FALSE;
        }
      else if (!plg_import_set (config->context, compile->line, "training.kernels",
                                fused ? "fused" : "eager", config->error))
        return FALSE;
    }

  return plg_import_infer (config->context, 0, "parallelism.sequence", "true",
                           _ ("torchtitan's TP is always sequence parallel."), config->error);
}

static gboolean
read_rest (Config *config)
{
  static const char *const rotations[][2] = { { "allgather", "all-gather" },
                                              { "alltoall", "ring" } };
  const PlgOption *rotate = find_in (config, "parallelism", "experimental",
                                     "context-parallel-rotate-method");
  const PlgOption *sequence = find (config, "training.seq-len");
  const PlgOption *steps = find (config, "training.steps");
  gint64 n = 0;
  double step;

  if (rotate != NULL ? !plg_options_set_choice (&config->options, rotate, "parallelism.cp-type",
                                                rotations, G_N_ELEMENTS (rotations), config->error)
                     : !set_default (config, "parallelism.cp-type", "all-gather"))
    return FALSE;
  if (sequence != NULL
          ? !plg_options_set (&config->options, sequence, "training.sequence", config->error)
          : !set_default (config, "training.sequence", "2048"))
    return FALSE;
  if (!get_number (config, steps, &n))
    return FALSE;
  step = (double) current (config, "training.sequence") *
         (double) current (config, "training.global-batch");
  /* The file has whole steps, so a difference of less than one step keeps the plan's tokens. */
  if (n < 1 || plg_import_get (config->context, "training.global-batch") == NULL ||
      fabs ((double) n * step - config->context->plan->training.tokens) < step)
    return TRUE;
  return plg_import_set_number (config->context, steps->line, "training.tokens", (double) n * step,
                                config->error);
}

static gboolean
read_torchtitan (PlgImportContext *context, GError **error)
{
  static gboolean (*const readers[]) (Config *) = {
    read_degrees, read_dp,        read_zero, read_model, read_schedule, read_precision,
    read_batch,   read_recompute, read_loss, read_flags, read_rest,
  };
  g_autoptr (GPtrArray) values = plg_toml_read (context->data, context->size, error);
  Config config = { .context = context, .error = error };
  gboolean ok = TRUE;

  if (values == NULL)
    return FALSE;
  plg_options_init (&config.options, context);
  for (guint i = 0; i < values->len; i++)
    {
      const PlgTomlValue *value = values->pdata[i];

      plg_options_add (&config.options, value->path, value->text, value->line)
          ->quoted = value->kind == PLG_TOML_STRING;
    }
  for (guint i = 0; ok && i < G_N_ELEMENTS (readers); i++)
    ok = readers[i](&config);
  if (ok)
    plg_options_note_unused (&config.options);
  plg_options_clear (&config.options);
  return ok;
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
