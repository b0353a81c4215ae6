/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/megatron-private.h"

#include "io/frameworks/megatron-write.h"
#include "io/frameworks/model-name.h"
#include "io/import/header-comment.h"
#include "plan/settings/setting.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define SHOWN_CHARACTERS 40 /* longer wrong values are cut in messages */

/* Reads Megatron-LM's options. The names, defaults and meanings are from
 * megatron/training/arguments.py of Megatron-LM, 2025, and for older options from versions of
 * 2021 to 2024. */

static const PlgMegatronValue degrees[] = {
  { "tensor-model-parallel-size", "parallelism.tp", "1" },
  { "context-parallel-size", "parallelism.cp", "1" },
  { "pipeline-model-parallel-size", "parallelism.pp", "1" },
  { "expert-model-parallel-size", "parallelism.ep", "1" },
};

static const PlgMegatronValue other_values[] = {
  { "seq-length", "training.sequence", NULL },
  { "micro-batch-size", "training.micro-batch", NULL },
  { "decoder-first-pipeline-num-layers", "parallelism.first-layers", "0" },
  { "decoder-last-pipeline-num-layers", "parallelism.last-layers", "0" },
};

/* Reads the recipe of FP8 training (Megatron-LM, --fp8-recipe). */
static gboolean
read_fp8_recipe (PlgMegatron *self)
{
  static const char *const kinds[][2] = { { "delayed", "delayed" },
                                          { "tensorwise", "current" },
                                          { "blockwise", "blockwise" },
                                          { "mxfp8", "mxfp8" } };
  const PlgOption *option = plg_megatron_find (self, "fp8-recipe");

  if (option == NULL || !plg_megatron_has (self, "fp8-format"))
    return !self->is_complete || plg_megatron_set_default (self, "training.fp8-recipe", "auto");
  if (option->unknown != NULL)
    return plg_options_set (self->options, option, "training.fp8-recipe", self->error);
  if (g_strcmp0 (option->value, "custom") == 0)
    {
      plg_import_note (self->context, PLG_NOTE_IGNORED, option->line,
                       _ ("%s: a plan has no custom recipe."), option->shown);
      return TRUE;
    }
  if (g_strcmp0 (option->value, "mxfp8") == 0)
    return plg_import_set_mxfp8 (self->context, option->line, self->error);
  return plg_options_set_choice (self->options, option, "training.fp8-recipe", kinds,
                                 G_N_ELEMENTS (kinds), self->error);
}

/* Checks the format of numbers with 4 or 8 bits, which has no setting in a plan. Flags of older
 * versions and of NeMo have no value. */
static gboolean
check_number_format (PlgMegatron *self, const char *name)
{
  static const char *const four[] = { "e2m1", NULL };
  static const char *const eight[] = { "e4m3", "hybrid", NULL };
  const char *const *formats = g_str_equal (name, "fp4-format") ? four : eight;
  const PlgOption *option = plg_megatron_find (self, name);
  g_autofree char *shown = NULL;
  g_autofree char *words = NULL;

  if (option == NULL || option->off || option->value == NULL || option->unknown != NULL ||
      g_strv_contains (formats, option->value))
    return TRUE;
  shown = plg_text_excerpt (option->value, SHOWN_CHARACTERS);
  words = g_strjoinv (", ", (char **) formats);
  return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, self->error,
                          _ ("%s is “%s”; it must be one of: %s."), option->shown, shown, words);
}

static gboolean
read_precision (PlgMegatron *self)
{
  /* Only configurations in YAML have fp32. */
  static const char *const flags[][2] = { { "fp4-format", "fp4" },
                                          { "fp8-format", "fp8" },
                                          { "bf16", "bf16" },
                                          { "fp16", "fp16" },
                                          { "fp32", "fp32" } };
  gboolean narrow = plg_megatron_has (self, "fp16") &&
                    !plg_megatron_has (self, "accumulate-allreduce-grads-in-fp32");
  const PlgOption *narrow_option = plg_megatron_find (self, "grad-reduce-in-bf16");
  /* Megatron Core's name for accumulate-allreduce-grads-in-fp32 */
  const PlgOption *wide_option = plg_megatron_find (self, "grad-reduce-in-fp32");
  const PlgOption *main_gradients = plg_megatron_find (self, "main-grads-dtype");
  const char *precision = NULL;
  gboolean has_base = FALSE;

  /* One buffer serves the sum and the reduction. */
  if (self->is_complete && !plg_megatron_set_default (self, "training.reduce-precision", "auto"))
    return FALSE;
  if (!check_number_format (self, "fp4-format") || !check_number_format (self, "fp8-format"))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      const PlgOption *option = plg_megatron_find (self, flags[i][0]);
      gboolean is_base = i >= 2; /* BF16 or FP16 beside FP8 or FP4 is the format of the rest */

      if (option == NULL || option->off)
        continue;
      if (is_base ? has_base : precision != NULL)
        plg_import_note (self->context, PLG_NOTE_IGNORED, option->line,
                         _ ("%s: a plan has a single precision, here %s."), option->shown,
                         plg_setting_choice_title (precision));
      has_base |= is_base;
      if (precision != NULL)
        continue;
      precision = flags[i][1];
      if (!plg_import_set_precision (self->context, option->line, precision, self->error))
        return FALSE;
    }
  if (precision == NULL && self->is_complete &&
      !plg_megatron_set_default (self, "training.precision", "fp32"))
    return FALSE;
  plg_megatron_find (self, "accumulate-allreduce-grads-in-fp32");
  if (wide_option != NULL)
    return plg_megatron_set (self, wide_option, "training.gradient-precision",
                             wide_option->off ? "bf16" : "fp32");
  if (narrow_option != NULL && !narrow_option->off)
    return plg_megatron_set (self, narrow_option, "training.gradient-precision", "bf16");
  if (main_gradients != NULL && g_strcmp0 (main_gradients->value, "bf16") == 0)
    return plg_megatron_set (self, main_gradients, "training.gradient-precision", "bf16");
  if (narrow && self->is_complete)
    return plg_import_infer (self->context, plg_megatron_find (self, "fp16")->line,
                             "training.gradient-precision", "bf16",
                             _ ("Megatron-LM keeps the gradients in FP16, which takes the same "
                                "memory as BF16."),
                             self->error);
  return !self->is_complete ||
         plg_megatron_set_default (self, "training.gradient-precision", "fp32");
}

static gboolean
is_muon (const PlgOption *optimizer)
{
  return optimizer != NULL && (g_strcmp0 (optimizer->value, "muon") == 0 ||
                               g_strcmp0 (optimizer->value, "dist_muon") == 0);
}

/* Reads the options of Muon (megatron/core/optimizer/muon.py). */
static gboolean
read_muon (PlgMegatron *self, const PlgOption *optimizer)
{
  static const char *const modes[][2] = { { "blockwise", "sharded" },
                                          { "duplicated", "gathered" },
                                          { "distributed", "distributed" } };
  const PlgOption *steps = plg_megatron_find (self, "muon-num-ns-steps");
  const PlgOption *mode = plg_megatron_find (self, "muon-tp-mode");

  if (!plg_megatron_set (self, optimizer, "training.optimizer", "muon"))
    return FALSE;
  if (steps != NULL ? !plg_options_set (self->options, steps, "training.muon-steps", self->error)
                    : !plg_megatron_set_default (self, "training.muon-steps", "5"))
    return FALSE;
  if (mode != NULL && mode->unknown != NULL)
    return plg_options_set (self->options, mode, "training.muon-tp", self->error);
  return mode != NULL ? plg_options_set_choice (self->options, mode, "training.muon-tp", modes,
                                                G_N_ELEMENTS (modes), self->error)
                      : plg_megatron_set_default (self, "training.muon-tp", "sharded");
}

/* Reads the optimizer and the number formats of its state (megatron/core/optimizer/optimizer_config.py).
 * Moments in FP16 need the same memory as in BF16. */
static gboolean
read_optimizer (PlgMegatron *self)
{
  static const char *const kinds[][2] = { { "fp32", "adam" },
                                          { "bf16", "adam-bf16" },
                                          { "fp16", "adam-bf16" },
                                          { "fp8", "adam-8bit" } };
  static const char *const names[] = { "exp-avg-dtype", "exp-avg-sq-dtype" };
  const PlgOption *optimizer = plg_megatron_find (self, "optimizer");
  const PlgOption *aware, *master;
  const char *moments[G_N_ELEMENTS (names)];
  guint widest = G_N_ELEMENTS (kinds) - 1;
  gboolean is_open = FALSE;

  if (is_muon (optimizer))
    return read_muon (self, optimizer);
  if (optimizer != NULL && optimizer->unknown != NULL)
    return plg_options_set (self->options, optimizer, "training.optimizer", self->error);
  if (optimizer != NULL && g_strcmp0 (optimizer->value, "adam") != 0)
    plg_import_note (self->context, PLG_NOTE_IGNORED, optimizer->line,
                     _ ("%s: a plan's optimizer is a kind of Adam or Muon, so the plan has Adam."),
                     optimizer->shown);
  aware = plg_megatron_find (self, "use-precision-aware-optimizer");
  if (aware == NULL)
    return !self->is_complete || plg_megatron_set_default (self, "training.optimizer", "adam");
  if (aware->off)
    return plg_megatron_set (self, aware, "training.optimizer", "adam");
  master = plg_megatron_find (self, "main-params-dtype");
  if (master != NULL && g_strcmp0 (master->value, "fp32") != 0)
    plg_import_note (self->context, PLG_NOTE_IGNORED, master->line,
                     _ ("%s: a plan keeps the master weights in FP32."), master->shown);
  /* If one format is not known, the wider of both is not known either. */
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PlgOption *option = plg_megatron_find (self, names[i]);

      if (option == NULL || option->unknown == NULL)
        continue;
      is_open = TRUE;
      if (!plg_options_set (self->options, option, "training.optimizer", self->error))
        return FALSE;
    }
  if (is_open)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PlgOption *option = plg_megatron_find (self, names[i]);
      guint kind = 0;

      if (option != NULL && !plg_options_set_choice (self->options, option, "training.optimizer",
                                                     kinds, G_N_ELEMENTS (kinds), self->error))
        return FALSE;
      while (option != NULL && g_ascii_strcasecmp (option->value, kinds[kind][0]) != 0)
        kind++;
      moments[i] = kinds[kind][1];
      widest = MIN (widest, kind);
    }
  if (!g_str_equal (moments[0], moments[1]))
    return plg_import_infer (self->context, aware->line, "training.optimizer", kinds[widest][1],
                             _ ("Both moments have the same number format in a plan, so the "
                                "wider format counts."),
                             self->error);
  return plg_import_get (self->context, "training.optimizer") != NULL ||
         plg_megatron_set (self, aware, "training.optimizer", "adam");
}

/* Reads the number of layers whose activations move to the host. */
static gboolean
read_offloaded_layers (PlgMegatron *self)
{
  const char *key = "training.offload-layers";
  const PlgOption *layers = plg_megatron_find (self, "cpu-offloading-num-layers");
  const PlgOption *flag = plg_megatron_find (self, "cpu-offloading");
  const PlgOption *weights = plg_megatron_find (self, "cpu-offloading-weights");

  if (weights != NULL && !weights->off)
    plg_import_note (self->context, PLG_NOTE_IGNORED, weights->line,
                     _ ("%s: a plan keeps the weights on the GPUs."), weights->shown);
  if (self->is_complete && !plg_megatron_set_default (self, "training.offload-weights", "false"))
    return FALSE;
  if (flag != NULL && flag->off)
    return plg_megatron_set (self, flag, key, "0");
  if (layers != NULL)
    return plg_options_set (self->options, layers, key, self->error);
  return !self->is_complete || plg_megatron_set_default (self, key, "0");
}

/* Reads the share of the parameters that the CPU updates. */
static gboolean
read_offload (PlgMegatron *self)
{
  const char *key = "training.offload-optimizer";
  const PlgOption *flag = plg_megatron_find (self, "optimizer-cpu-offload");
  const PlgOption *fraction = plg_megatron_find (self, "optimizer-offload-fraction");
  const PlgOption *overlap = plg_megatron_find (self, "overlap-cpu-optimizer-d2h-h2d");

  if (flag == NULL)
    return !self->is_complete || plg_megatron_set_default (self, key, "0");
  if (flag->off)
    return plg_megatron_set (self, flag, key, "0");
  if (overlap == NULL || overlap->off)
    plg_import_note (self->context, PLG_NOTE_IGNORED, flag->line,
                     _ ("%s: a plan overlaps the CPU's work with the transfers, as with "
                        "--overlap-cpu-optimizer-d2h-h2d."),
                     flag->shown);
  return fraction != NULL ? plg_options_set_real (self->options, fraction, key, self->error)
                          : plg_megatron_set (self, flag, key, "1");
}

/* Reads the list of modules of selective recompute: several words of a command, or the text of a
 * list in YAML. Words that only a shell can resolve add no module. */
static gboolean
read_recomputed_modules (PlgMegatron *self, const PlgOption *option)
{
  g_autofree char *all = g_strjoin (" ", option->value, option->more, NULL);
  g_auto (GStrv) names = g_strsplit_set (all, " ,[]", -1);
  g_autofree char *text = NULL;
  gboolean core_attention = FALSE;
  guint modules = 0;

  for (int i = 0; names[i] != NULL; i++)
    {
      int module = 0;

      while (module < PLG_N_MODULES && !g_str_equal (names[i], plg_megatron_module_names[module]))
        module++;
      if (module < PLG_N_MODULES)
        modules |= 1U << module;
      else if (g_str_equal (names[i], "core_attn"))
        core_attention = TRUE;
      else if (strpbrk (names[i], "$`") != NULL)
        plg_import_note (self->context, PLG_NOTE_IGNORED, option->line,
                         _ ("%s has “%s”, which cannot be resolved from this file, so the plan "
                            "has only the other modules of the list."),
                         option->shown, names[i]);
      else if (*names[i] != '\0')
        plg_import_note (self->context, PLG_NOTE_IGNORED, option->line,
                         _ ("%s: a plan cannot recompute the module %s alone."), option->shown,
                         names[i]);
    }
  text = plg_modules_to_string (modules);
  return plg_megatron_set (self, option, "training.recompute",
                           core_attention ? "selective" : "none") &&
         plg_megatron_set (self, option, "training.recompute-modules", text);
}

/* Reads the layers that full recompute repeats: with the method block the first N layers of each
 * virtual stage, with uniform all layers in groups of N (megatron/core/transformer/
 * transformer_block.py). OPTION turns on recompute. */
static gboolean
read_recomputed_layers (PlgMegatron *self, const PlgOption *option)
{
  const PlgOption *method = plg_megatron_find (self, "recompute-method");
  const PlgOption *layers = plg_megatron_find (self, "recompute-num-layers");
  gboolean is_block = method != NULL && g_strcmp0 (method->value, "block") == 0;
  gboolean has_layers = layers != NULL && layers->value != NULL;
  gboolean has_groups = !is_block && has_layers && !g_str_equal (layers->value, "1");
  gboolean is_set;

  if (method != NULL && method->unknown != NULL)
    is_set = plg_options_set (self->options, method, "training.recompute-method", self->error);
  else if (has_groups && layers->unknown != NULL)
    is_set = TRUE; /* Without the number, groups and all layers are the same method. */
  else
    is_set = plg_megatron_set (self, method != NULL ? method : option, "training.recompute-method",
                               is_block     ? "first"
                               : has_groups ? "groups"
                                            : "all");
  return is_set && (!has_layers || plg_options_set (self->options, layers,
                                                    "training.recompute-layers", self->error));
}

static gboolean
read_recompute (PlgMegatron *self)
{
  const PlgOption *granularity = plg_megatron_find (self, "recompute-granularity");
  const PlgOption *flag = plg_megatron_find (self, "recompute-activations");
  const PlgOption *old = plg_megatron_find (self, "checkpoint-activations");
  const PlgOption *modules, *option = NULL;
  const char *recompute = NULL;

  if (old != NULL && !old->off)
    option = old, recompute = "full";
  if (flag != NULL && !flag->off)
    option = flag, recompute = "selective";
  if (granularity != NULL && granularity->off)
    option = granularity, recompute = "none";
  else if (granularity != NULL && granularity->value != NULL)
    option = granularity, recompute = granularity->value;
  if (option == NULL)
    return !self->is_complete ||
           (plg_megatron_set_default (self, "training.recompute", "none") &&
            plg_megatron_set_default (self, "training.recompute-modules", ""));
  modules = plg_megatron_find (self, "recompute-modules");
  if (g_str_equal (recompute, "selective") && modules != NULL && modules->value != NULL)
    return read_recomputed_modules (self, modules);
  if (!plg_megatron_set (self, option, "training.recompute", recompute) ||
      (self->is_complete && !plg_megatron_set_default (self, "training.recompute-modules", "")))
    return FALSE;

  return !g_str_equal (recompute, "full") || read_recomputed_layers (self, option);
}

static gboolean
read_attention (PlgMegatron *self)
{
  const PlgOption *backend = plg_megatron_find (self, "attention-backend");
  const PlgOption *flash = plg_megatron_find (self, "use-flash-attn");
  const PlgOption *program = plg_megatron_find (self, "transformer-impl");

  if (backend != NULL && backend->value != NULL)
    return plg_megatron_set (self, backend, "training.flash-attention",
                             g_str_equal (backend->value, "unfused") ||
                                     g_str_equal (backend->value, "local")
                                 ? "false"
                                 : "true");
  if (flash != NULL)
    return plg_megatron_set (self, flash, "training.flash-attention",
                             flash->off ? "false" : "true");
  if (program != NULL && g_strcmp0 (program->value, "local") == 0)
    return plg_import_infer (self->context, program->line, "training.flash-attention", "false",
                             _ ("Without Transformer Engine, Megatron-LM uses flash attention "
                                "only with --use-flash-attn."),
                             self->error);
  return !self->is_complete || plg_megatron_set_default (self, "training.flash-attention", "true");
}


/* Reads the layers that stay in BF16 in FP8 and FP4 training, 1 at each end by default
 * (core/transformer/transformer_config.py). */
static gboolean
read_bf16_layers (PlgMegatron *self)
{
  static const struct
  {
    const char *name, *key;
  } ends[] = { { "num-layers-at-start-in-bf16", "training.bf16-first-layers" },
               { "num-layers-at-end-in-bf16", "training.bf16-last-layers" } };
  const PlgOption *flag = plg_megatron_find (self, "first-last-layers-bf16");

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      const PlgOption *option = flag != NULL && !flag->off ? plg_megatron_find (self, ends[i].name)
                                                           : NULL;
      gboolean is_set;

      if (option != NULL)
        is_set = plg_options_set (self->options, option, ends[i].key, self->error);
      else if (flag != NULL)
        is_set = plg_megatron_set (self, flag, ends[i].key, flag->off ? "0" : "1");
      else
        is_set = !self->is_complete || plg_megatron_set_default (self, ends[i].key, "0");
      if (!is_set)
        return FALSE;
    }
  return TRUE;
}

/* Reads both rates of dropout, which Megatron-LM sets to 0.1 unless the options say otherwise. The
 * setting "auto" stands for what it means with the attention of the plan. */
static gboolean
read_dropout (PlgMegatron *self)
{
  static const char *const names[] = { "attention-dropout", "hidden-dropout" };
  const char *key = "training.dropout";
  const PlgOption *options[G_N_ELEMENTS (names)], *last = NULL;
  g_autoptr (PlgPlan) plan = plg_import_current_plan (self->context);
  gboolean drops[G_N_ELEMENTS (names)];
  const char *value;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      options[i] = plg_megatron_find (self, names[i]);
      drops[i] = options[i] == NULL;
      if (options[i] == NULL)
        continue;
      last = options[i];
      if (options[i]->unknown != NULL)
        return plg_options_set (self->options, options[i], key, self->error);
      if (!options[i]->off && options[i]->value != NULL)
        drops[i] = g_ascii_strtod (options[i]->value, NULL) > 0.0;
    }
  if (last == NULL && !self->is_complete)
    return TRUE;
  value = drops[0] || drops[1] ? "on" : "off";
  if (plan->training.flash_attention ? !drops[0] && !drops[1] : last == NULL)
    value = "auto";
  if (last == NULL)
    return plg_megatron_set_default (self, key, value);
  if (drops[0] != drops[1])
    return plg_import_infer (self->context, last->line, key, value,
                             _ ("A plan has one setting for dropout of attention and outputs, so "
                                "both are on."),
                             self->error);
  return plg_megatron_set (self, last, key, value);
}

/* Refuses the options that Megatron-LM does not allow together with a layout, because the layout
 * replaces them. */
static gboolean
check_replaced (PlgMegatron *self, const PlgOption *layout)
{
  static const char *const replaced[] = { "decoder-first-pipeline-num-layers",
                                          "decoder-last-pipeline-num-layers",
                                          "num-layers-per-virtual-pipeline-stage",
                                          "account-for-embedding-in-pipeline-split",
                                          "account-for-loss-in-pipeline-split" };

  for (gsize i = 0; i < G_N_ELEMENTS (replaced); i++)
    {
      const PlgOption *option = plg_megatron_find (self, replaced[i]);

      if (option != NULL && !option->off)
        return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, self->error,
                                _ ("%s and %s both decide which layers a stage has. Remove one "
                                   "of the two options."),
                                option->shown, layout->shown);
    }
  return TRUE;
}

/* Reads the layout of the layers, which also sets the number of chunks. Shell scripts and YAML files
 * may escape its characters. */
static gboolean
read_layout (PlgMegatron *self, const PlgOption *option)
{
  g_autofree char *text = g_strdup (option->value != NULL ? option->value : "");
  const PlgOption *chunks = plg_megatron_find (self, "num-virtual-stages-per-pipeline-rank");
  gint64 pp = plg_megatron_get_current (self, "parallelism.pp"), n_chunks = 0;
  PlgStageLayout layout;

  if (option->value == NULL)
    return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, self->error,
                            _ ("%s needs a value after it."), option->shown);
  if (option->unknown != NULL)
    return plg_options_set (self->options, option, "parallelism.layout", self->error);
  for (char *from = text, *to = text; TRUE; from++)
    if (*from != '\\' && (*to++ = *from) == '\0')
      break;
  if (*text != '\0' && !check_replaced (self, option))
    return FALSE;
  if (!plg_megatron_set (self, option, "parallelism.layout", text) ||
      !plg_stage_layout_from_string (&layout, text, self->error))
    return FALSE;
  if (layout.stages == 0)
    return plg_megatron_set (self, option, "parallelism.chunks", "1");
  if (layout.stages % pp != 0)
    return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, self->error,
                            _ ("%s: %d virtual stages do not divide into PP %lld stages."),
                            option->shown, layout.stages, (long long) pp);
  /* Megatron Core accepts the same number of chunks twice. */
  if (chunks != NULL && !chunks->off && chunks->value != NULL)
    {
      if (!plg_options_get_number (self->options, chunks, &n_chunks, self->error))
        return FALSE;
      if (chunks->unknown == NULL && n_chunks != layout.stages / pp)
        return plg_format_fail (chunks->line, PLG_FORMAT_ERROR_CONTENT, self->error,
                                _ ("%s is %lld, but %s has %d virtual stages for PP %lld stages. "
                                   "Remove one of the two options."),
                                chunks->shown, (long long) n_chunks, option->shown, layout.stages,
                                (long long) pp);
    }
  return plg_import_set_int (self->context, option->line, "parallelism.chunks", layout.stages / pp,
                             self->error);
}

static gboolean
read_chunks (PlgMegatron *self)
{
  const PlgOption *stages = plg_megatron_find (self, "num-virtual-stages-per-pipeline-rank");
  const PlgOption *layers = plg_megatron_find (self, "num-layers-per-virtual-pipeline-stage");
  const PlgOption *layout = plg_megatron_find (self, "pipeline-model-parallel-layout");

  if (layout != NULL && !layout->off)
    return read_layout (self, layout);
  if (self->is_complete && !plg_megatron_set_default (self, "parallelism.layout", ""))
    return FALSE;
  if (stages != NULL && !stages->off)
    return plg_options_set (self->options, stages, "parallelism.chunks", self->error);
  if (layers != NULL && !layers->off)
    {
      /* The layers per chunk must divide the layers per stage. The embedding and the loss each
       * count as a layer if the file sets the corresponding option. */
      gint64 slots = plg_megatron_get_current (self, "model.layers") +
                     plg_megatron_has (self, "account-for-embedding-in-pipeline-split") +
                     plg_megatron_has (self, "account-for-loss-in-pipeline-split");
      gint64 pp = plg_megatron_get_current (self, "parallelism.pp");
      gint64 chunk_layers = 0;

      if (!plg_options_get_number (self->options, layers, &chunk_layers, self->error))
        return FALSE;
      if (layers->unknown != NULL)
        return TRUE;
      if (chunk_layers < 1 || chunk_layers > slots || slots % (pp * chunk_layers) != 0)
        return plg_format_fail (
            layers->line, PLG_FORMAT_ERROR_CONTENT, self->error,
            _ ("%s %lld: %lld layers with PP %lld do not divide into chunks of this size."),
            layers->shown, (long long) chunk_layers, (long long) slots, (long long) pp);
      return plg_import_set_int (self->context, layers->line, "parallelism.chunks",
                                 slots / (pp * chunk_layers), self->error);
    }
  if (stages != NULL)
    return plg_megatron_set (self, stages, "parallelism.chunks", "1");
  return !self->is_complete || plg_megatron_set_default (self, "parallelism.chunks", "1");
}

/* The options for zero-bubble pipelines are from sail-sg/zero-bubble-pipeline-parallelism, a
 * fork of Megatron-LM. */
static gboolean
read_schedule (PlgMegatron *self)
{
  const PlgOption *bubble = plg_megatron_find (self, "enable-zero-bubble");
  const PlgOption *v_schedule = plg_megatron_find (self, "zero-bubble-v-schedule");
  const PlgOption *layout = plg_megatron_find (self, "pipeline-model-parallel-layout");
  const char *schedule;

  if (v_schedule != NULL && !v_schedule->off)
    return plg_megatron_set (self, v_schedule, "training.schedule", "zb-v");
  if (bubble != NULL && !bubble->off)
    return plg_megatron_set (self, bubble, "training.schedule", "zb-h1");
  if (!read_chunks (self))
    return FALSE;
  schedule = plg_megatron_get_current (self, "parallelism.chunks") > 1 ? "interleaved" : "1f1b";
  if (layout != NULL && !layout->off &&
      plg_import_get (self->context, "parallelism.chunks") != NULL)
    return plg_options_set_default (self->options, "training.schedule", schedule,
                                    _ ("This follows from the number of virtual stages of the "
                                       "layout."),
                                    self->error);
  return !self->is_complete || plg_megatron_set_default (self, "training.schedule", schedule);
}

static gboolean
read_zero (PlgMegatron *self)
{
  static const char *const strategies[] = { "no_shard", "optim", "optim_grads",
                                            "optim_grads_params" };
  const PlgOption *torch_fsdp = plg_megatron_find (self, "use-torch-fsdp2");
  const PlgOption *megatron_fsdp = plg_megatron_find (self, "use-megatron-fsdp");
  const PlgOption *optimizer = plg_megatron_find (self, "use-distributed-optimizer");
  const PlgOption *strategy = plg_megatron_find (self, "data-parallel-sharding-strategy");
  const PlgOption *kind = plg_megatron_find (self, "optimizer");
  const PlgOption *layer_wise = plg_megatron_find (self, "use-layer-wise-distributed-optimizer");

  if (torch_fsdp != NULL && !torch_fsdp->off)
    return plg_megatron_set (self, torch_fsdp, "parallelism.zero",
                             plg_megatron_has (self, "torch-fsdp2-no-reshard-after-forward") ? "2"
                                                                                             : "3");
  for (int i = 0; megatron_fsdp != NULL && !megatron_fsdp->off && i < 4; i++)
    if (strategy != NULL && g_strcmp0 (strategy->value, strategies[i]) == 0)
      return plg_import_set_int (self->context, strategy->line, "parallelism.zero", i, self->error);
  /* Muon has a distributed optimizer of its own. */
  if (layer_wise != NULL && !layer_wise->off)
    return plg_megatron_set (self, layer_wise, "parallelism.zero", "1");
  if (kind != NULL && g_strcmp0 (kind->value, "dist_muon") == 0)
    return plg_megatron_set (self, kind, "parallelism.zero", "1");
  if (optimizer != NULL)
    return plg_megatron_set (self, optimizer, "parallelism.zero", optimizer->off ? "0" : "1");
  return !self->is_complete || plg_megatron_set_default (self, "parallelism.zero", "0");
}

/* Reads the number of shard groups. Megatron-LM's FSDP can also shard the optimizer over all
 * groups, but a plan cannot. */
static gboolean
read_replicate (PlgMegatron *self)
{
  const PlgOption *instances = plg_megatron_find (self, "num-distributed-optimizer-instances");
  const PlgOption *outer = plg_megatron_find (self, "outer-dp-sharding-strategy");

  if (outer != NULL && g_strcmp0 (outer->value, "no_shard") != 0)
    plg_import_note (self->context, PLG_NOTE_IGNORED, outer->line,
                     _ ("%s: in a plan, each shard group keeps the whole state of the optimizer."),
                     outer->shown);
  if (instances != NULL)
    return plg_megatron_set (self, instances, "parallelism.replicate", instances->value);
  return !self->is_complete || plg_megatron_set_default (self, "parallelism.replicate", "1");
}

static gboolean
read_context (PlgMegatron *self)
{
  static const char *const types[][2] = { { "p2p", "ring" },
                                          { "a2a", "ulysses" },
                                          { "allgather", "all-gather" },
                                          { "all_gather", "all-gather" } };
  const PlgOption *type = plg_megatron_find (self, "cp-comm-type");

  if (type == NULL || type->value == NULL)
    return !self->is_complete || plg_megatron_set_default (self, "parallelism.cp-type", "ring");
  for (guint i = 0; i < G_N_ELEMENTS (types) && type->more == NULL; i++)
    if (g_str_equal (type->value, types[i][0]))
      return plg_megatron_set (self, type, "parallelism.cp-type", types[i][1]);
  plg_import_note (self->context, PLG_NOTE_IGNORED, type->line,
                   _ ("%s: a plan has a single type for all layers: p2p, a2a or allgather."),
                   type->shown);
  return TRUE;
}

/* Reads the overlap flags. Without sequence parallelism, the all-reduces of the backward pass
 * overlap the matrix products by default. */
static gboolean
read_overlaps (PlgMegatron *self)
{
  const PlgOption *overlap = plg_megatron_find (self, "tp-comm-overlap");
  gboolean sequence = plg_megatron_has (self, "sequence-parallel");
  gboolean pipeline = plg_megatron_get_current (self, "parallelism.chunks") > 1;
  const PlgOption *no_p2p_overlap = plg_megatron_find (self, "no-overlap-p2p-communication");
  const PlgOption *no_async = plg_megatron_find (self, "no-async-tensor-model-parallel-allreduce");

  if (!plg_megatron_set_flag (self, "sequence-parallel", "parallelism.sequence", FALSE,
                              self->is_complete) ||
      !plg_megatron_set_flag (self, "overlap-grad-reduce", "parallelism.overlap-dp", FALSE,
                              self->is_complete) ||
      !plg_megatron_set_flag (self, "overlap-moe-expert-parallel-comm", "parallelism.overlap-ep",
                              FALSE, self->is_complete))
    return FALSE;
  plg_megatron_find (self, "overlap-param-gather");
  if (overlap == NULL && !sequence && no_async != NULL)
    overlap = no_async;
  if (overlap != NULL
          ? !plg_megatron_set (self, overlap, "parallelism.overlap-tp",
                               overlap->off || overlap == no_async ? "false" : "true")
          : self->is_complete && !plg_megatron_set_default (self, "parallelism.overlap-tp",
                                                            sequence ? "false" : "true"))
    return FALSE;
  if (no_p2p_overlap != NULL)
    return plg_megatron_set (self, no_p2p_overlap, "parallelism.overlap-pp",
                             no_p2p_overlap->off && pipeline ? "true" : "false");
  return !self->is_complete ||
         plg_megatron_set_default (self, "parallelism.overlap-pp", pipeline ? "true" : "false");
}

static gboolean
read_order (PlgMegatron *self)
{
  const PlgOption *mapping = plg_megatron_find (self, "use-tp-pp-dp-mapping");

  if (mapping != NULL)
    return plg_megatron_set (self, mapping, "parallelism.order",
                             mapping->off ? "megatron" : "megatron-tp-pp-dp");
  return !self->is_complete ||
         plg_import_infer (self->context, 0, "parallelism.order", "megatron",
                           _ ("Megatron-LM numbers its ranks in this order."), self->error);
}

/* Megatron-DeepSpeed adds DeepSpeed's own options (deepspeed/__init__.py, add_config_arguments). */
static gboolean
read_program (PlgMegatron *self)
{
  const PlgOption *option = plg_megatron_find (self, "deepspeed");
  const char *program = option != NULL && !option->off ? "megatron-deepspeed" : "megatron";

  return plg_import_infer_program (self->context, program, PLG_MEGATRON_KERNELS, self->error);
}

/* Returns the degree that the file sets, or 1 if the file does not set it. */
static gint64
stated_degree (const PlgMegatron *self, const char *key)
{
  return plg_import_get (self->context, key) != NULL ? plg_megatron_get_current (self, key) : 1;
}

static gboolean
read_dp (PlgMegatron *self)
{
  gint64 tp = stated_degree (self, "parallelism.tp"), cp = stated_degree (self, "parallelism.cp");
  gint64 pp = stated_degree (self, "parallelism.pp"), product = tp * cp * pp;
  const PlgOption *option = plg_megatron_find (self, "pipeline-model-parallel-size");
  g_autofree char *dp = g_strdup_printf ("%lld", (long long) (self->world / product));

  /* Report the error on the line of one of the degrees that the file sets. */
  if (option == NULL)
    option = plg_megatron_find (self, "tensor-model-parallel-size");
  if (option == NULL)
    option = plg_megatron_find (self, "context-parallel-size");
  if (self->world % product != 0)
    return plg_format_fail (option != NULL ? option->line : 0, PLG_FORMAT_ERROR_CONTENT,
                            self->error,
                            _ ("TP %lld × CP %lld × PP %lld = %lld does not divide the %lld GPUs "
                               "that the file requests."),
                            (long long) tp, (long long) cp, (long long) pp, (long long) product,
                            (long long) self->world);
  if (self->world == 0 || plg_import_get (self->context, "parallelism.tp") == NULL ||
      plg_import_get (self->context, "parallelism.pp") == NULL)
    return TRUE;
  return plg_import_infer (self->context, 0, "parallelism.dp", dp,
                           _ ("This is the number of GPUs divided by TP, CP and PP."), self->error);
}

static gboolean
read_batch (PlgMegatron *self)
{
  const PlgOption *batch = plg_megatron_find (self, "global-batch-size");
  const char *dp = plg_import_get (self->context, "parallelism.dp");
  gint64 micro = plg_import_get (self->context, "training.micro-batch") != NULL
                     ? plg_megatron_get_current (self, "training.micro-batch")
                     : 1;
  gint64 unit = micro * (dp != NULL ? plg_megatron_get_current (self, "parallelism.dp") : 1);
  g_autofree char *unit_text = g_strdup_printf ("%lld", (long long) unit);
  gint64 size = unit;

  if (batch == NULL)
    return !self->is_complete || dp == NULL ||
           plg_import_infer (self->context, 0, "training.global-batch", unit_text,
                             _ ("Not in the file, so Megatron-LM's default is used: one "
                                "micro-batch per replica."),
                             self->error);
  if (!plg_options_get_number (self->options, batch, &size, self->error))
    return FALSE;
  if (size % MAX (unit, 1) != 0)
    return plg_format_fail (batch->line, PLG_FORMAT_ERROR_CONTENT, self->error,
                            _ ("%s %lld is not a multiple of micro-batch × DP = %lld."),
                            batch->shown, (long long) size, (long long) unit);
  return batch->unknown != NULL ||
         plg_options_set (self->options, batch, "training.global-batch", self->error);
}

static gboolean
read_tokens (PlgMegatron *self)
{
  const PlgOption *samples = plg_megatron_find (self, "train-samples");
  const PlgOption *steps = plg_megatron_find (self, "train-iters");
  gint64 n = 0;
  double tokens;

  if (samples == NULL && steps == NULL)
    return TRUE;
  if (!plg_options_get_number (self->options, samples != NULL ? samples : steps, &n, self->error))
    return FALSE;
  tokens = (double) n * (double) plg_megatron_get_current (self, "training.sequence");
  tokens *= samples == NULL ? (double) plg_megatron_get_current (self, "training.global-batch")
                            : 1.0;
  /* The file can only state a whole number of samples, so keep the plan's number of tokens if it
   * differs from the file's by less than one sequence. */
  if (fabs (tokens - self->context->plan->training.tokens) <
      (double) plg_megatron_get_current (self, "training.sequence"))
    return TRUE;
  return n <= 0 || plg_import_set_number (self->context, (samples != NULL ? samples : steps)->line,
                                          "training.tokens", tokens, self->error);
}

/* Megatron-LM has renamed the option twice (megatron/training/arguments.py). */
static gboolean
read_graphs (PlgMegatron *self)
{
  const PlgOption *kind = plg_megatron_find (self, "cuda-graph-impl");
  const PlgOption *local = plg_megatron_find (self, "enable-cuda-graph");
  const PlgOption *external = plg_megatron_find (self, "external-cuda-graph");
  const PlgOption *flag = local != NULL ? local : external;

  plg_megatron_find (self, "cuda-graph-scope");
  plg_megatron_find (self, "cuda-graph-warmup-steps");
  if (kind != NULL && kind->unknown != NULL)
    return plg_options_set (self->options, kind, "training.cuda-graphs", self->error);
  if (kind != NULL && kind->value != NULL)
    return plg_megatron_set (self, kind, "training.cuda-graphs",
                             g_str_equal (kind->value, "none") ? "false" : "true");
  if (flag != NULL)
    return plg_megatron_set (self, flag, "training.cuda-graphs", flag->off ? "false" : "true");
  return !self->is_complete || plg_megatron_set_default (self, "training.cuda-graphs", "false");
}

/* Reads the dispatcher of tokens. The flexible dispatcher has several backends, all of which send a
 * token to each node only once; --moe-enable-deepep is an older name of one of them
 * (megatron/core/transformer/transformer_config.py). */
static gboolean
read_dispatcher (PlgMegatron *self)
{
  static const char key[] = "parallelism.dispatcher";
  static const char *const kinds[][2] = { { "allgather", "all-gather" },
                                          { "alltoall", "all-to-all" },
                                          { "alltoall_seq", "all-to-all" },
                                          { "flex", "deepep" } };
  const PlgOption *type = plg_megatron_find (self, "moe-token-dispatcher-type");
  const PlgOption *backend = plg_megatron_find (self, "moe-flex-dispatcher-backend");
  gboolean is_moe = plg_megatron_get_current (self, "model.experts") > 0;

  plg_megatron_find (self, "moe-enable-deepep");
  plg_megatron_find (self, "moe-deepep-num-sms");
  plg_megatron_find (self, "moe-hybridep-num-sms");
  if (type == NULL)
    return !self->is_complete || !is_moe || plg_megatron_set_default (self, key, "all-gather");
  if (type->unknown != NULL || type->value == NULL)
    return plg_options_set (self->options, type, key, self->error);
  if (g_ascii_strcasecmp (type->value, "flex") != 0 || backend == NULL || backend->value == NULL)
    return plg_options_set_choice (self->options, type, key, kinds, G_N_ELEMENTS (kinds),
                                   self->error);
  if (g_str_has_prefix (backend->value, "deepep") || g_str_equal (backend->value, "hybridep"))
    return plg_megatron_set (self, backend, key,
                             g_str_equal (backend->value, "hybridep") ? "hybridep" : "deepep");
  return plg_import_infer (
      self->context, backend->line, key, "deepep",
      _ ("A plan does not have this dispatcher. DeepEP sends the same copies of "
         "tokens."),
      self->error);
}

static gboolean
read_loss (PlgMegatron *self)
{
  const PlgOption *fusion = plg_megatron_find (self, "cross-entropy-loss-fusion");
  const PlgOption *kernel = plg_megatron_find (self, "cross-entropy-fusion-impl");
  gboolean is_chunked = kernel != NULL && g_strcmp0 (kernel->value, "linear") == 0;

  if (fusion != NULL
          ? !plg_megatron_set (self, fusion, "training.loss",
                               fusion->off  ? "plain"
                               : is_chunked ? "chunked"
                                            : "fused")
          : self->is_complete && !plg_megatron_set_default (self, "training.loss", "plain"))
    return FALSE;
  return plg_megatron_set_flag (self, "account-for-embedding-in-pipeline-split",
                                "parallelism.embedding-slot", FALSE, self->is_complete) &&
         plg_megatron_set_flag (self, "account-for-loss-in-pipeline-split", "parallelism.loss-slot",
                                FALSE, self->is_complete);
}

gboolean
plg_megatron_apply_options (PlgOptions *options, gboolean is_complete, gint64 world, GError **error)
{
  static gboolean (*const readers[]) (PlgMegatron *) = {
    read_precision, read_fp8_recipe, read_optimizer,   read_offload, read_offloaded_layers,
    read_recompute, read_attention,  read_bf16_layers, read_dropout, read_loss,
    read_graphs,    read_dispatcher, read_schedule,    read_zero,    read_replicate,
    read_context,   read_overlaps,   read_program,     read_order,   read_dp,
    read_batch,     read_tokens,
  };
  static const char *const model_keys[] = { "model.layers",   "model.hidden", "model.heads",
                                            "model.kv-heads", "model.ffn",    "model.vocabulary" };
  PlgMegatron self = { options, options->context, is_complete, FALSE, world, error };
  gboolean layers = plg_megatron_find (&self, "num-layers") != NULL ||
                    plg_megatron_find (&self, "hybrid-layer-pattern") != NULL;
  gboolean hidden = plg_megatron_find (&self, "hidden-size") != NULL;
  gboolean heads = plg_megatron_find (&self, "num-attention-heads") != NULL;
  g_autoptr (GString) kept = g_string_new (NULL);

  /* Even an incomplete set of options describes a whole model if it has the layers, the hidden
   * size and the heads. */
  self.model = is_complete ? layers || hidden : layers && hidden && heads;

  /* Record Megatron-LM's defaults for missing degrees even if the plan already has these values,
   * so that the plan repair keeps them and adapts the other degrees (plan-repair.h). */
  for (guint i = 0; i < G_N_ELEMENTS (degrees); i++)
    {
      const PlgOption *option = plg_megatron_find (&self, degrees[i].name);

      if ((option != NULL || is_complete) &&
          !plg_options_set_or_infer (options, option, degrees[i].key, degrees[i].left_out,
                                     _ ("Not in the file, so Megatron-LM's default is used."),
                                     error))
        return FALSE;
    }
  if (!plg_megatron_read_model (&self) || !plg_megatron_read_mixer (&self) ||
      !plg_megatron_set_values (&self, other_values, G_N_ELEMENTS (other_values), is_complete))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    if (!readers[i](&self))
      return FALSE;

  if (!layers && !hidden && !heads)
    return TRUE;
  if (!plg_import_name_model (self.context, error))
    return FALSE;
  /* Add this note only for a custom model, because the name of a catalogue model also sets the
   * vocabulary. For a custom model, the vocabulary is unknown because the file lacks the
   * tokenizer. */
  if (self.model && plg_import_get (self.context, "model.vocabulary") == NULL &&
      g_strcmp0 (plg_import_get (self.context, "model.name"), "custom") == 0)
    plg_import_note (
        self.context, PLG_NOTE_INFERRED, 0,
        _ ("The plan's vocabulary is kept, because the tokenizer is not in the file."));
  /* If the file has only part of a model, list the dimensions that keep the open plan's values. */
  for (guint i = 0; !self.model && i < G_N_ELEMENTS (model_keys); i++)
    if (plg_import_get (self.context, model_keys[i]) == NULL)
      g_string_append_printf (kept, "%s%s %lld", kept->len > 0 ? ", " : "",
                              _ (plg_setting_find (model_keys[i])->title),
                              (long long) plg_megatron_get_current (&self, model_keys[i]));
  if (kept->len > 0)
    plg_import_note (self.context, PLG_NOTE_INFERRED, 0,
                     _ ("The file describes only part of the model. These values are kept from "
                        "the open plan: %s"),
                     kept->str);
  return TRUE;
}
