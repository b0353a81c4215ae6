/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/megatron-private.h"

#include <glib/gi18n-lib.h>

/* Reads the Megatron-LM options that describe the model, and provides the functions that read a
 * single option. Names, defaults and meanings are from megatron/training/arguments.py of
 * Megatron-LM, 2025. */

#define SHOWN_CHARACTERS 40 /* longer wrong values are cut in messages */

/* Alternative names of options, from older versions or from Megatron Core. The current name of
 * the option follows each alternative name. */
static const char *const aliases[][2] = {
  { "model-parallel-size", "tensor-model-parallel-size" },
  { "batch-size", "micro-batch-size" },
  { "encoder-num-layers", "num-layers" },
  { "encoder-seq-length", "seq-length" },
  { "num-moe-experts", "num-experts" },
  { "use-custom-fsdp", "use-megatron-fsdp" },
  { "hybrid-override-pattern", "hybrid-layer-pattern" },
  { "linear-attention-type", "experimental-attention-variant" },
  { "num-layers-in-first-pipeline-stage", "decoder-first-pipeline-num-layers" },
  { "num-layers-in-last-pipeline-stage", "decoder-last-pipeline-num-layers" },
  { "virtual-pipeline-model-parallel-size", "num-virtual-stages-per-pipeline-rank" },
};

const PlgOption *
plg_megatron_find (PlgMegatron *self, const char *name)
{
  const PlgOption *option = plg_options_find (self->options, name);

  for (guint i = 0; i < G_N_ELEMENTS (aliases) && option == NULL; i++)
    if (g_str_equal (aliases[i][1], name))
      option = plg_options_find (self->options, aliases[i][0]);
  return option;
}

gboolean
plg_megatron_has (PlgMegatron *self, const char *name)
{
  const PlgOption *option = plg_megatron_find (self, name);

  return option != NULL && !option->off;
}

gint64
plg_megatron_get_current (const PlgMegatron *self, const char *key)
{
  return plg_options_get_current (self->options, key);
}

gboolean
plg_megatron_set_default (PlgMegatron *self, const char *key, const char *value)
{
  return plg_options_set_default (self->options, key, value,
                                  _ ("Not in the file, so Megatron-LM's default is used."),
                                  self->error);
}

gboolean
plg_megatron_set (PlgMegatron *self, const PlgOption *option, const char *key, const char *value)
{
  return plg_import_set (self->context, option->line, key, value, self->error) ||
         plg_import_error_rename (option->line, key, option->shown, self->error);
}

gboolean
plg_megatron_set_values (PlgMegatron *self,
                         const PlgMegatronValue *all,
                         guint n,
                         gboolean is_complete)
{
  for (guint i = 0; i < n; i++)
    {
      const PlgOption *option = plg_megatron_find (self, all[i].name);

      if (option != NULL ? !plg_options_set (self->options, option, all[i].key, self->error)
                         : is_complete && all[i].left_out != NULL &&
                               !plg_megatron_set_default (self, all[i].key, all[i].left_out))
        return FALSE;
    }
  return TRUE;
}

gboolean
plg_megatron_set_flag (PlgMegatron *self,
                       const char *name,
                       const char *key,
                       gboolean is_inverted,
                       gboolean is_complete)
{
  const PlgOption *option = plg_megatron_find (self, name);

  if (option != NULL)
    return plg_megatron_set (self, option, key, !option->off == !is_inverted ? "true" : "false");
  return !is_complete || plg_megatron_set_default (self, key, is_inverted ? "true" : "false");
}

static const PlgMegatronValue dimensions[] = {
  { "num-layers", "model.layers", NULL },         { "hidden-size", "model.hidden", NULL },
  { "num-attention-heads", "model.heads", NULL }, { "num-experts", "model.experts", "0" },
  { "mtp-num-layers", "model.mtp-layers", "0" },
};

/* Sets KEY to the value of the option NAME, which must be an integer. If the option is missing,
 * sets KEY to DERIVED, the value that Megatron-LM derives. */
static gboolean
read_or_derive (PlgMegatron *self, const char *name, const char *key, gint64 derived)
{
  const PlgOption *option = plg_megatron_find (self, name);
  g_autofree char *text = g_strdup_printf ("%lld", (long long) derived);

  if (option != NULL)
    return plg_options_set (self->options, option, key, self->error);
  /* If the file has only part of a model, keep the open plan's value if it is positive. */
  return (!self->model && plg_megatron_get_current (self, key) > 0) ||
         plg_megatron_set_default (self, key, text);
}

/* Reads the MLP. Megatron-LM's own arguments reduce the default width of a gated MLP to 8/3 of
 * the hidden size. Other programs configure megatron/core/transformer/transformer_config.py
 * directly, which does not reduce the width. */
static gboolean
read_mlp (PlgMegatron *self)
{
  static const char *const names[] = { "quick-geglu", "gated-linear-unit", "swiglu" };
  gint64 hidden = plg_megatron_get_current (self, "model.hidden");
  const PlgOption *gate = NULL;
  gboolean gated;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PlgOption *option = plg_megatron_find (self, names[i]);

      if (option != NULL && (gate == NULL || gate->off))
        gate = option;
    }
  gated = gate != NULL && !gate->off;
  if (gate != NULL ? !plg_megatron_set (self, gate, "model.gated", gated ? "true" : "false")
                   : self->model && !plg_megatron_set_default (self, "model.gated", "false"))
    return FALSE;
  /* If all layers have experts with their own width, the model has no other MLP. */
  if (plg_megatron_find (self, "ffn-hidden-size") == NULL &&
      plg_megatron_find (self, "moe-ffn-hidden-size") != NULL &&
      plg_megatron_find (self, "moe-layer-freq") == NULL && self->model)
    return plg_megatron_set_default (self, "model.ffn", "0");
  return read_or_derive (self, "ffn-hidden-size", "model.ffn",
                         gated && self->is_complete ? hidden * 8 / 3 / 64 * 64 : hidden * 4);
}

static gboolean
read_heads (PlgMegatron *self)
{
  gint64 heads = MAX (plg_megatron_get_current (self, "model.heads"), 1);
  const PlgOption *groups = plg_megatron_find (self, "num-query-groups");
  gboolean grouped = plg_megatron_has (self, "group-query-attention");

  if (plg_megatron_has (self, "multi-latent-attention"))
    {
      plg_megatron_find (self, "kv-channels");
      return TRUE;
    }
  if (!read_or_derive (self, "kv-channels", "model.head-dim",
                       MAX (plg_megatron_get_current (self, "model.hidden") / heads, 1)))
    return FALSE;
  if (groups != NULL && !groups->off && (grouped || !self->is_complete))
    return plg_options_set (self->options, groups, "model.kv-heads", self->error);
  if (groups != NULL && !groups->off)
    plg_import_note (self->context, PLG_NOTE_IGNORED, groups->line,
                     _ ("%s has no effect without --group-query-attention."), groups->shown);
  return read_or_derive (self, "", "model.kv-heads", grouped ? 1 : heads);
}

static gboolean
read_latent_attention (PlgMegatron *self)
{
  static const PlgMegatronValue latent[] = {
    { "q-lora-rank", "model.q-rank", "0" },     { "kv-lora-rank", "model.kv-rank", "32" },
    { "qk-head-dim", "model.head-dim", "128" }, { "qk-pos-emb-head-dim", "model.rope-dim", "64" },
    { "v-head-dim", "model.value-dim", "128" },
  };
  static const char *const none[] = { "model.q-rank", "model.kv-rank", "model.rope-dim",
                                      "model.value-dim" };
  const PlgOption *asked = plg_megatron_find (self, "multi-latent-attention");

  if (asked != NULL && !asked->off)
    {
      g_autofree char *heads = g_strdup_printf ("%lld",
                                                (long long)
                                                    plg_megatron_get_current (self, "model.heads"));

      return plg_megatron_set_default (self, "model.kv-heads", heads) &&
             plg_megatron_set_values (self, latent, G_N_ELEMENTS (latent), TRUE);
    }
  for (guint i = 0; i < G_N_ELEMENTS (none) && (self->model || asked != NULL); i++)
    if (!plg_megatron_set_default (self, none[i], "0"))
      return FALSE;
  return TRUE;
}

static gboolean
is_known_variant (const char *name)
{
  static const char *const names[] = { "dsa", "gated_delta_net", "none", "null", NULL };
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return g_strv_contains (names, lower);
}

/* Reads the indexer of sparse attention (megatron/core/transformer/experimental_attention_variant). */
static gboolean
read_indexer (PlgMegatron *self)
{
  static const PlgMegatronValue indexer[] = {
    { "dsa-indexer-n-heads", "model.index-heads", "0" },
    { "dsa-indexer-head-dim", "model.index-dim", "0" },
    { "dsa-indexer-topk", "model.index-top-k", "0" },
  };
  const PlgOption *variant = plg_megatron_find (self, "experimental-attention-variant");

  if (variant != NULL && variant->unknown != NULL)
    return plg_options_set (self->options, variant, "model.index-heads", self->error);
  if (variant != NULL && variant->value != NULL && !is_known_variant (variant->value))
    {
      g_autofree char *shown = plg_text_excerpt (variant->value, SHOWN_CHARACTERS);

      plg_import_note (self->context, PLG_NOTE_IGNORED, variant->line,
                       _ ("%s is “%s”, an attention that a plan does not have, so the plan has the "
                          "usual attention instead."),
                       variant->shown, shown);
    }
  if (variant == NULL || g_strcmp0 (variant->value, "dsa") != 0)
    return !self->model || plg_megatron_get_current (self, "model.index-heads") == 0 ||
           plg_megatron_set_default (self, "model.index-heads", "0");
  for (guint i = 0; i < G_N_ELEMENTS (indexer); i++)
    if (plg_megatron_find (self, indexer[i].name) == NULL)
      {
        plg_import_note (self->context, PLG_NOTE_IGNORED, variant->line,
                         _ ("%s is “%s”, but the file has no --%s, so the plan has no indexer."),
                         variant->shown, variant->value, indexer[i].name);
        return plg_megatron_set_default (self, "model.index-heads", "0");
      }
  return plg_megatron_set_values (self, indexer, G_N_ELEMENTS (indexer), TRUE);
}

static gboolean
read_positions (PlgMegatron *self)
{
  const PlgOption *type = plg_megatron_find (self, "position-embedding-type");
  const PlgOption *longest = plg_megatron_find (self, "max-position-embeddings");
  gboolean rotary = plg_megatron_has (self, "use-rotary-position-embeddings") ||
                    plg_megatron_has (self, "no-position-embedding");

  if (type != NULL && type->unknown != NULL)
    return plg_options_set (self->options, type, "model.positions", self->error);
  if (type != NULL && type->value != NULL && !g_str_equal (type->value, "learned_absolute"))
    return plg_megatron_set (self, type, "model.positions", "0");
  if (rotary || (type == NULL && !self->model))
    return plg_megatron_set_default (self, "model.positions", "0");
  return longest == NULL ||
         plg_options_set (self->options, longest, "model.positions", self->error);
}

static gboolean
read_vocabulary (PlgMegatron *self)
{
  const PlgOption *size = plg_megatron_find (self, "vocab-size");
  const PlgOption *tokenizer = plg_megatron_find (self, "tokenizer-type");
  const char *vocabulary = NULL;

  if (size == NULL)
    size = plg_megatron_find (self, "padded-vocab-size");
  if (size != NULL)
    return plg_options_set (self->options, size, "model.vocabulary", self->error);
  if (tokenizer != NULL && g_strcmp0 (tokenizer->value, "GPT2BPETokenizer") == 0)
    vocabulary = "50257";
  else if (tokenizer != NULL && g_strcmp0 (tokenizer->value, "Llama2Tokenizer") == 0)
    vocabulary = "32000";
  if (vocabulary != NULL)
    return plg_import_infer (self->context, tokenizer->line, "model.vocabulary", vocabulary,
                             _ ("This is the size of this tokenizer's vocabulary."), self->error);
  return TRUE;
}

static gboolean
read_norm (PlgMegatron *self)
{
  const PlgOption *norm = plg_megatron_find (self, "normalization");

  if (norm == NULL || norm->value == NULL)
    return !self->model || plg_megatron_set_default (self, "model.rms-norm", "false");
  if (norm->unknown != NULL)
    return plg_options_set (self->options, norm, "model.rms-norm", self->error);
  return plg_megatron_set (self, norm, "model.rms-norm",
                           g_ascii_strcasecmp (norm->value, "rmsnorm") == 0 ? "true" : "false");
}

/* Parses a Python list of 0s and 1s, such as "([0]*3+[1]*58)", into LAYERS. Returns the number
 * of layers, or 0 if the text is not such a list. */
static int read_pattern (const char **at, char *layers, int n, int depth);

static int
read_repeated (const char **at, char *layers, int from, int depth)
{
  gboolean group = **at == '(';
  int to = from;
  gint64 times = 1;
  char *end;

  if (group || **at == '[')
    {
      (*at)++;
      for (; !group && (**at == '0' || **at == '1' || **at == ',') && to < PLG_MEGATRON_MAX_LAYERS;
           (*at)++)
        if (**at != ',')
          layers[to++] = **at == '1';
      to = group ? read_pattern (at, layers, from, depth + 1) : to;
    }
  if (to <= from || **at != (group ? ')' : ']'))
    return 0;
  if (*++(*at) == '*')
    {
      times = g_ascii_strtoll (*at + 1, &end, 10);
      if (end == *at + 1 || times < 1 || (to - from) * times > PLG_MEGATRON_MAX_LAYERS - from)
        return 0;
      *at = end;
    }
  for (int i = to, n = to - from; i < from + n * (int) times; i++)
    layers[i] = layers[i - n];
  return from + (to - from) * (int) times;
}

static int
read_pattern (const char **at, char *layers, int n, int depth)
{
  while (depth < 8)
    {
      n = read_repeated (at, layers, n, depth);
      if (n == 0 || **at != '+')
        return n;
      (*at)++;
    }
  return 0;
}

int
plg_megatron_read_list (const PlgOption *option, char *layers)
{
  g_autofree char *text = g_strdup (option->value != NULL ? option->value : "");
  const char *at = text;
  int n;

  for (char *from = text, *to = text; (*to = *from) != '\0'; from++)
    to += !g_ascii_isspace (*from);
  n = read_pattern (&at, layers, 0, 0);
  return *at == '\0' ? n : 0;
}

/* --window-attn-skip-freq is a number N that lets every Nth layer see the whole sequence, or a list
 * with a 0 for each such layer (core/transformer/utils.py, is_layer_window_attention). */
static gboolean
read_full_attention (PlgMegatron *self)
{
  const PlgOption *option = plg_megatron_find (self, "window-attn-skip-freq");
  const char *key = "model.full-attention-every";
  char layers[PLG_MEGATRON_MAX_LAYERS];
  int n;

  if (option == NULL || option->off)
    return plg_import_set_int (self->context, 0, key, 0, self->error);
  n = plg_megatron_read_list (option, layers);
  if (n == 0 && option->value != NULL && option->unknown == NULL && !option->quoted &&
      strspn (option->value, "-0123456789") != strlen (option->value))
    {
      g_autofree char *shown = plg_text_excerpt (option->value, SHOWN_CHARACTERS);

      return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, self->error,
                              _ ("%s is “%s”; it must be a whole number, or a list with a 1 for "
                                 "each layer with a window and a 0 for each other layer, such as "
                                 "([1]*3+[0])*8."),
                              option->shown, shown);
    }
  if (n == 0)
    return plg_options_set (self->options, option, key, self->error);
  for (int every = 0; every <= n; every++)
    {
      gboolean is_exact = TRUE;

      for (int i = 0; i < n && is_exact; i++)
        is_exact = layers[i] == (every == 0 || (i + 1) % every != 0);
      if (is_exact)
        return plg_import_set_int (self->context, option->line, key, every, self->error);
    }
  plg_import_note (self->context, PLG_NOTE_IGNORED, option->line,
                   _ ("%s is ignored: in “%s”, the layers that see the whole sequence are not "
                      "every n-th layer."),
                   option->shown, option->value);
  return plg_import_set_int (self->context, 0, key, 0, self->error);
}

/* --window-size has the tokens before and after a token, which Megatron-LM adds to the token itself;
 * -1 is the whole sequence. With a causal mask, as in all language models of Megatron-LM, Transformer
 * Engine ignores the tokens after (pytorch/attention/dot_product_attention/utils.py,
 * check_set_window_size()). Scripts give 127 or 128 for a window of 128 tokens, and windows are even. */
static gboolean
read_window (PlgMegatron *self)
{
  const PlgOption *option = plg_megatron_find (self, "window-size");
  const char *value;
  char *end;
  gint64 before, after = 0;

  if (option == NULL || option->off || option->value == NULL)
    return !self->model || plg_megatron_get_current (self, "model.window") == 0 ||
           (plg_megatron_set_default (self, "model.window", "0") &&
            plg_import_set (self->context, 0, "model.window-chunked", "false", self->error) &&
            plg_import_set_int (self->context, 0, "model.full-attention-every", 0, self->error));
  if (option->unknown != NULL)
    return plg_options_set (self->options, option, "model.window", self->error) &&
           plg_import_set (self->context, 0, "model.window-chunked", "false", self->error) &&
           read_full_attention (self);
  value = option->value + strspn (option->value, "([ ");
  before = g_ascii_strtoll (value, &end, 10);
  if (end > value && *(end += strspn (end, " ")) == ',')
    {
      value = end + 1;
      after = g_ascii_strtoll (value, &end, 10);
    }
  if (end == value || end[strspn (end, ")] ")] != '\0' || before < -1 || after < -1 ||
      before > G_MAXINT || after > G_MAXINT)
    return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, self->error,
                            _ ("%s is “%s”; it must be two numbers, such as 128,0."), option->shown,
                            option->value);
  if (before < 0)
    return plg_import_set_int (self->context, option->line, "model.window", 0, self->error);
  if (!plg_import_set_int (self->context, option->line, "model.window",
                           MAX (before + before % 2, 1), self->error))
    return plg_import_error_rename (option->line, "model.window", option->shown, self->error);
  return plg_import_set (self->context, 0, "model.window-chunked", "false", self->error) &&
         read_full_attention (self);
}

static gboolean
read_shared_experts (PlgMegatron *self)
{
  const PlgOption *option = plg_megatron_find (self, "moe-shared-expert-intermediate-size");
  gint64 expert = MAX (plg_megatron_get_current (self, "model.expert-ffn"), 1);
  gint64 width = 0;

  if (option == NULL || option->off)
    return !self->model || plg_megatron_set_default (self, "model.shared-experts", "0");
  if (!plg_options_get_number (self->options, option, &width, self->error))
    return FALSE;
  if (width % expert != 0)
    plg_import_note (self->context, PLG_NOTE_INFERRED, option->line,
                     _ ("%s %lld is not a multiple of an expert's width, %lld, so the number of "
                        "shared experts is rounded up."),
                     option->shown, (long long) width, (long long) expert);
  return plg_import_set_int (self->context, option->line, "model.shared-experts",
                             width / expert + (width % expert > 0), self->error);
}

/* --moe-layer-freq is a list of 0s and 1s, or a number N that puts experts in every Nth layer,
 * starting with the first. In a plan, layers without experts come first, and then experts are in
 * every nth layer; other patterns are ignored with a note. */
static gboolean
read_layers_with_experts (PlgMegatron *self)
{
  const PlgOption *frequency = plg_megatron_find (self, "moe-layer-freq");
  char layers[PLG_MEGATRON_MAX_LAYERS];
  int n, dense = 0, every = 1;

  if (plg_megatron_get_current (self, "model.experts") <= 0)
    return TRUE;
  if (frequency != NULL && frequency->unknown != NULL)
    return plg_options_set (self->options, frequency, "model.moe-every", self->error);
  if (plg_megatron_get_current (self, "model.moe-every") > 1 &&
      (frequency != NULL || self->model) &&
      !plg_import_set_int (self->context, 0, "model.moe-every", 0, self->error))
    return FALSE;
  if (frequency == NULL)
    return !self->model || plg_megatron_set_default (self, "model.dense-layers", "0");
  if (frequency->value != NULL && g_ascii_isdigit (*frequency->value))
    return plg_megatron_set (self, frequency, "model.dense-layers", "0") &&
           (g_str_equal (frequency->value, "1") ||
            plg_options_set (self->options, frequency, "model.moe-every", self->error));
  n = plg_megatron_read_list (frequency, layers);
  while (dense < n && !layers[dense])
    dense++;
  while (dense + every < n && !layers[dense + every])
    every++;
  for (int i = dense; i < n; i++)
    if (layers[i] != ((i - dense) % every == 0))
      n = 0;
  if (n > 0)
    return plg_import_set_int (self->context, frequency->line, "model.dense-layers", dense,
                               self->error) &&
           (every == 1 || plg_import_set_int (self->context, frequency->line, "model.moe-every",
                                              every, self->error));
  plg_import_note (self->context, PLG_NOTE_IGNORED, frequency->line,
                   _ ("%s is ignored: in “%s”, experts are not in every n-th layer after the "
                      "layers without experts."),
                   frequency->shown, frequency->value != NULL ? frequency->value : "");
  return TRUE;
}

static gboolean
read_experts (PlgMegatron *self)
{
  static const char *const none[] = { "model.top-k",          "model.expert-ffn",
                                      "model.shared-experts", "model.dense-layers",
                                      "model.expert-groups",  "model.top-groups" };
  const PlgOption *slices = plg_megatron_find (self, "expert-tensor-parallel-size");
  gint64 tp = plg_megatron_get_current (self, "parallelism.tp");
  g_autofree char *tp_text = g_strdup_printf ("%lld", (long long) tp);

  if (plg_megatron_get_current (self, "model.experts") <= 0)
    {
      for (guint i = 0; i < G_N_ELEMENTS (none) && self->model; i++)
        if (!plg_megatron_set_default (self, none[i], "0"))
          return FALSE;
      return !self->is_complete || plg_megatron_set_default (self, "parallelism.etp", "1");
    }
  return read_or_derive (self, "moe-router-topk", "model.top-k", 2) &&
         read_or_derive (self, "moe-ffn-hidden-size", "model.expert-ffn",
                         plg_megatron_get_current (self, "model.ffn")) &&
         read_or_derive (self, "moe-router-num-groups", "model.expert-groups", 0) &&
         read_or_derive (self, "moe-router-group-topk", "model.top-groups", 0) &&
         read_shared_experts (self) &&
         ((slices == NULL && !self->is_complete) ||
          plg_options_set_or_infer (self->options, slices, "parallelism.etp", tp_text,
                                    _ ("Not in the file, so Megatron-LM's default, the TP "
                                       "degree, is used."),
                                    self->error));
}

static gboolean
read_flags (PlgMegatron *self)
{
  return plg_megatron_set_flag (self, "disable-bias-linear", "model.biases", TRUE, self->model) &&
         plg_megatron_set_flag (self, "untie-embeddings-and-output-weights", "model.tied", TRUE,
                                self->model);
}

gboolean
plg_megatron_read_model (PlgMegatron *self)
{
  static gboolean (*const readers[]) (PlgMegatron *) = {
    read_mlp,    read_heads,     read_latent_attention,    read_indexer,
    read_window, read_positions, read_vocabulary,          read_norm,
    read_flags,  read_experts,   read_layers_with_experts,
  };

  if (!plg_megatron_set_values (self, dimensions, G_N_ELEMENTS (dimensions), self->model))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    if (!readers[i](self))
      return FALSE;
  return TRUE;
}
