/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/hf-attention.h"

#include <glib/gi18n-lib.h>

static PlgHfNames names_window = { "sliding_window" };
static PlgHfNames names_chunk = { "attention_chunk_size" };

/* The attention of the layers of a file. */
typedef struct
{
  gint64 window; /* tokens; 0 if all layers see the whole sequence */
  gboolean is_chunked;
  PlgHfSource source; /* member with the window */
  gboolean *is_full;  /* for each layer, whether the layer sees the whole sequence */
  const char *why;    /* why some layers do, if the file does not say it; NULL if it does */
} Attention;

static const PlgJsonValue *
find_list (PlgHfConfig *config, const char *name)
{
  const PlgJsonValue *value = plg_json_find (config->block, name);

  if (value == NULL || value->kind != PLG_JSON_ARRAY || value->n == 0)
    return NULL;
  g_hash_table_add (config->used, (gpointer) value);
  return value;
}

/* Every N-th layer sees the whole sequence; no layer does if N is 0. */
static void
set_every (PlgHfConfig *config, Attention *attention, gint64 n)
{
  for (gint64 i = 0; i < config->layers; i++)
    attention->is_full[i] = n > 0 && (i + 1) % n == 0;
}

/* Reads layer_types, the list of the kinds of attention of all layers. */
static gboolean
read_layer_types (PlgHfConfig *config, const PlgJsonValue *types, Attention *attention)
{
  gboolean slides = FALSE;
  gint64 layer = 0;

  /* transformers refuses such files (layer_type_validation()). */
  if (types->n != config->layers)
    plg_import_note (config->context, PLG_NOTE_IGNORED, types->line,
                     _ ("%s has %lld entries for %lld layers, so the plan may have windows in the "
                        "wrong layers."),
                     types->name, (long long) types->n, (long long) config->layers);
  for (const PlgJsonValue *value = plg_json_first (types); value != NULL && layer < config->layers;
       value = plg_json_next (value), layer++)
    {
      const char *name = "";

      if (!plg_json_as_string (value, &name, config->error))
        return FALSE;
      slides = slides || g_str_equal (name, "sliding_attention");
      attention->is_chunked = attention->is_chunked || g_str_equal (name, "chunked_attention");
      attention->is_full[layer] = !g_str_equal (name, "sliding_attention") &&
                                  !g_str_equal (name, "chunked_attention");
    }
  if (!slides && !attention->is_chunked)
    return TRUE;
  attention->is_chunked = !slides;
  return plg_hf_require_int (config, slides ? names_window : names_chunk, &attention->window,
                             &attention->source);
}

/* Reads the pieces in which layers with rotary positions attend (Llama 4, configuration_llama4.py).
 * The other layers see the whole sequence; no_rope_layers has a 0 for them. */
static gboolean
read_chunks (PlgHfConfig *config, Attention *attention)
{
  static PlgHfNames intervals = { "no_rope_layer_interval" };
  const PlgJsonValue *list = find_list (config, "no_rope_layers");
  gint64 layer = 0, every = config->kind.full_every;
  PlgHfSource interval;

  attention->is_chunked = TRUE;
  if (!plg_hf_get_int (config, intervals, &every, &interval))
    return FALSE;
  set_every (config, attention, every);
  if (list == NULL)
    {
      attention->why = interval.line == 0 ? _ ("Models of this type have this value.") : NULL;
      return TRUE;
    }
  for (const PlgJsonValue *value = plg_json_first (list); value != NULL && layer < config->layers;
       value = plg_json_next (value), layer++)
    {
      gint64 has_rope;

      if (!plg_json_as_int (value, &has_rope, config->error))
        return FALSE;
      attention->is_full[layer] = has_rope == 0;
    }
  return TRUE;
}

/* Reads a sliding window without a list of layers. In Qwen's models, use_sliding_window is off unless
 * the file turns it on, and the first max_window_layers layers have no window. */
static gboolean
read_sliding_window (PlgHfConfig *config, Attention *attention)
{
  static PlgHfNames firsts = { "max_window_layers" }, patterns = { "sliding_window_pattern" };
  gboolean is_on = !config->kind.window_is_off;
  gint64 every = config->kind.full_every, n_full = 0;
  const PlgJsonValue *pattern = plg_json_find (config->block, *patterns);
  PlgHfSource source, first, period = { *patterns, 0 };

  /* EXAONE 4 has a word such as "LLLG" instead of a number. */
  if (!plg_hf_get_boolean (config, "use_sliding_window", &is_on, &source) ||
      (pattern != NULL && pattern->kind == PLG_JSON_NUMBER &&
       !plg_hf_get_int (config, patterns, &every, &period)) ||
      !plg_hf_get_int (config, firsts, &n_full, &first))
    return FALSE;
  if (!is_on)
    {
      attention->window = 0;
      return TRUE;
    }
  set_every (config, attention, every);
  for (gint64 i = 0; i < MIN (n_full, config->layers); i++)
    attention->is_full[i] = TRUE;
  if (period.line == 0 && first.line == 0)
    attention->why = config->known ? _ ("Models of this type have this value.")
                                   : _ ("The file does not say which layers have the window, so "
                                        "all layers have it.");
  return TRUE;
}

/* Sets how many layers see the whole sequence. In a plan, they are regular. */
static gboolean
set_full_layers (PlgHfConfig *config, const Attention *attention)
{
  gint64 n_full = 0, best = 0, best_distance = G_MAXINT64;
  const char *key = "model.full-attention-every";
  g_autofree char *why = NULL;

  for (gint64 i = 0; i < config->layers; i++)
    n_full += attention->is_full[i];
  for (gint64 n = 0; n <= config->layers; n++)
    {
      gint64 distance = ABS ((n > 0 ? config->layers / n : 0) - n_full);
      gboolean is_exact = TRUE;

      for (gint64 i = 0; i < config->layers && is_exact; i++)
        is_exact = attention->is_full[i] == (n > 0 && (i + 1) % n == 0);
      if (is_exact)
        return attention->why != NULL
                   ? plg_hf_infer_int (config, attention->source, key, n, attention->why)
                   : plg_hf_set_int (config, attention->source, key, n);
      if (distance < best_distance)
        {
          best = n;
          best_distance = distance;
        }
    }
  why = g_strdup_printf (
      _ ("%d of %d layers see the whole sequence, at irregular places. A plan has "
         "only every n-th layer, here %d layers."),
      (int) n_full, (int) config->layers, (int) (best > 0 ? config->layers / best : 0));
  return plg_hf_infer_int (config, attention->source, key, best, why);
}

/* Notes which layers share the indexer of an earlier layer (GLM-5.2), which the plan cannot say. */
static gboolean
note_shared_indexers (PlgHfConfig *config)
{
  static PlgHfNames names = { "index_topk_freq" };
  const PlgJsonValue *types = find_list (config, "indexer_types");
  gint64 every = 1, shared = 0;
  PlgHfSource source;

  if (!plg_hf_get_int (config, names, &every, &source))
    return FALSE;
  for (const PlgJsonValue *value = types != NULL ? plg_json_first (types) : NULL; value != NULL;
       value = plg_json_next (value))
    {
      const char *name = "";

      if (!plg_json_as_string (value, &name, config->error))
        return FALSE;
      shared += g_str_equal (name, "shared");
    }
  if (shared > 0)
    plg_import_note (config->context, PLG_NOTE_IGNORED, types->line,
                     _ ("%s: %lld of %lld layers have no indexer, but a plan has one in each "
                        "layer."),
                     types->name, (long long) shared, (long long) types->n);
  else if (every > 1 && types == NULL)
    plg_import_note (config->context, PLG_NOTE_IGNORED, source.line,
                     _ ("%s: only one in %lld layers has an indexer, but a plan has one in each "
                        "layer."),
                     source.name, (long long) every);
  return TRUE;
}

/* Reads the indexer of sparse attention, which chooses some keys of each query (DeepSeek V3.2). */
static gboolean
read_indexer (PlgHfConfig *config, gboolean *has_indexer)
{
  static PlgHfNames keys_names = { "index_topk" };
  static PlgHfNames heads = { "index_n_heads" }, dims = { "index_head_dim" };
  gint64 keys = 0, number;
  PlgHfSource source;

  if (!plg_hf_get_int (config, keys_names, &keys, &source))
    return FALSE;
  *has_indexer = keys > 0;
  return !*has_indexer || (note_shared_indexers (config) &&
                           plg_hf_set_int (config, source, "model.index-top-k", keys) &&
                           plg_hf_read_int (config, heads, "model.index-heads", &number) &&
                           plg_hf_read_int (config, dims, "model.index-dim", &number));
}

gboolean
plg_hf_read_attention (PlgHfConfig *config)
{
  const PlgJsonValue *types = find_list (config, "layer_types");
  g_autofree gboolean *is_full = g_new0 (gboolean, config->layers);
  Attention attention = { .is_full = is_full };
  gint64 window = 0;
  gboolean has_indexer = FALSE;
  PlgHfSource source;

  if (!read_indexer (config, &has_indexer) ||
      !plg_hf_get_int (config, names_window, &window, &source) ||
      !plg_hf_get_int (config, names_chunk, &attention.window, &attention.source))
    return FALSE;
  if (types != NULL)
    {
      attention.window = 0;
      if (!read_layer_types (config, types, &attention))
        return FALSE;
    }
  else if (attention.window > 0)
    {
      if (!read_chunks (config, &attention))
        return FALSE;
    }
  else
    {
      attention.window = window;
      attention.source = source;
      if (window > 0 && !read_sliding_window (config, &attention))
        return FALSE;
    }
  if (attention.window < 0)
    plg_import_note (config->context, PLG_NOTE_IGNORED, attention.source.line,
                     _ ("%s is %lld. A window has at least 1 token, so the plan has none."),
                     attention.source.name, (long long) attention.window);
  if (attention.window <= 0)
    return TRUE;
  return plg_hf_set_int (config, attention.source, "model.window", attention.window) &&
         (!attention.is_chunked ||
          plg_import_set (config->context, attention.source.line, "model.window-chunked", "true",
                          config->error)) &&
         set_full_layers (config, &attention);
}
