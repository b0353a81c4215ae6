/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/flops.h"
#include "io/import/format.h"
#include "io/frameworks/hf-attention.h"
#include "io/frameworks/hf-experts.h"
#include "io/frameworks/hf-mixer.h"
#include "plan/quantity.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads the dimensions of a model from a config.json of Hugging Face's transformers. Other
 * properties of the model, such as its norms, are only in transformers' code for the model type
 * (model-type.h). */

/* maximum number of ignored members that a note lists; for the remaining members, the note gives
 * only their number */
#define SHOWN_UNUSED 12
#define SHOWN_CHARACTERS 40
/* MLP width divided by the hidden size, if the file omits the ratio */
#define DEFAULT_MLP_RATIO 4

/* The names that each member has in different model types. */
static PlgHfNames names_layers = { "num_hidden_layers", "n_layer", "n_layers", "num_layers" };
static PlgHfNames names_hidden = { "hidden_size", "n_embd", "n_embed", "d_model" };
static PlgHfNames names_heads = { "num_attention_heads", "n_head", "n_heads", "num_heads" };
static PlgHfNames names_kv_heads = { "num_key_value_heads", "num_kv_heads", "n_head_kv" };
/* the MLP's width in a file whose intermediate_size is the width of an expert */
static PlgHfNames names_dense_ffn = { "intermediate_size_mlp" };
static PlgHfNames names_head_dim = { "head_dim", "attention_head_dim" };
static PlgHfNames names_vocabulary = { "vocab_size" };
static PlgHfNames names_longest = { "max_position_embeddings", "n_positions", "max_seq_len",
                                    "seq_length" };
static PlgHfNames names_mtp = { "num_nextn_predict_layers", "mtp_num_hidden_layers" };
static PlgHfNames names_expansion = { "expansion_ratio" };

static gboolean
infer (PlgHfConfig *config, const char *key, const char *value, const char *why)
{
  return plg_import_infer (config->context, 0, key, value, why, config->error);
}

/* Returns the first member of the model's JSON object that has one of NAMES, or NULL. */
static const PlgJsonValue *
find_any (const PlgHfConfig *config, const char *const *names)
{
  const PlgJsonValue *value = NULL;

  for (int i = 0; names[i] != NULL && value == NULL; i++)
    value = plg_json_find (config->block, names[i]);
  return value;
}

static gboolean
refuse_stacks (PlgHfConfig *config,
               PlgModelStacks stacks,
               const char *name,
               const PlgJsonValue *value)
{
  g_autofree char *shown = plg_json_describe (value);

  if (stacks == PLG_MODEL_ENCODER)
    return plg_format_fail (value->line, PLG_FORMAT_ERROR_CONTENT, config->error,
                            _ ("%s is %s, so this model is an encoder. A plan describes a single "
                               "stack of decoder layers; choose a decoder-only model, such as GPT "
                               "or Llama."),
                            name, shown);
  return plg_format_fail (value->line, PLG_FORMAT_ERROR_CONTENT, config->error,
                          _ ("%s is %s, so this model has an encoder and a decoder. A plan "
                             "describes a single stack of decoder layers; choose a decoder-only "
                             "model, such as GPT or Llama."),
                          name, shown);
}

/* Refuses models with an encoder, because their members would be misread as those of a decoder.
 * The decoder in a model of images or sound is in a block of its own (config->block), and the
 * encoder of the images or the sound is not part of a plan. */
static gboolean
check_stacks (PlgHfConfig *config)
{
  /* d_kv is the head size in T5 and its descendants. */
  static const char *const members[] = { "num_decoder_layers", "encoder_layers", "d_kv", NULL };
  const PlgJsonValue *const blocks[] = { config->block, config->root };
  const PlgJsonValue *value;
  gboolean is_decoder = FALSE;
  PlgHfSource word;

  if (!plg_hf_get_boolean (config, "is_decoder", &is_decoder, &word))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      const PlgJsonValue *type = plg_json_find (blocks[i], "model_type");
      const PlgJsonValue *classes = plg_json_find (blocks[i], "architectures");
      gboolean has_encoder = FALSE;
      PlgModelStacks stacks = PLG_MODEL_DECODER;

      value = plg_json_find (blocks[i], "is_encoder_decoder");
      if (value != NULL && !plg_json_as_boolean (value, &has_encoder, config->error))
        return FALSE;
      if (has_encoder)
        return refuse_stacks (config, PLG_MODEL_ENCODER_DECODER, value->name, value);
      if (type != NULL && type->kind == PLG_JSON_STRING)
        stacks = plg_model_type_stacks (type->text);
      if (stacks == PLG_MODEL_ENCODER_DECODER || (stacks == PLG_MODEL_ENCODER && !is_decoder))
        return refuse_stacks (config, stacks, type->name, type);
      if (classes == NULL || classes->kind != PLG_JSON_ARRAY)
        continue;
      for (value = plg_json_first (classes); value != NULL; value = plg_json_next (value))
        {
          if (value->kind != PLG_JSON_STRING)
            continue;
          /* Without a type, the name of the class is the only sign. */
          stacks = type == NULL ? plg_model_class_stacks (value->text) : PLG_MODEL_DECODER;
          if (g_str_has_suffix (value->text, "ForMaskedLM"))
            stacks = PLG_MODEL_ENCODER;
          if (stacks == PLG_MODEL_ENCODER_DECODER || (stacks == PLG_MODEL_ENCODER && !is_decoder))
            return refuse_stacks (config, stacks, classes->name, value);
        }
    }
  /* Some decoders have encoder_layers 0. */
  for (guint i = 0; members[i] != NULL; i++)
    {
      value = plg_json_find (config->block, members[i]);
      if (value != NULL && (value->kind != PLG_JSON_NUMBER || value->number != 0.0))
        return refuse_stacks (config, PLG_MODEL_ENCODER_DECODER, value->name, value);
    }
  return TRUE;
}

static gboolean
refuse_layers (PlgHfConfig *config, const char *name, const PlgJsonValue *value)
{
  g_autofree char *shown = plg_json_describe (value);

  return plg_format_fail (
      value->line, PLG_FORMAT_ERROR_CONTENT, config->error,
      _ ("%s is %s, so some layers have neither attention nor a mixer that a plan "
         "supports: Mamba-2 or a gated delta net, in models of a type that is known."),
      name, shown);
}

/* Refuses models with layers without attention, because their members would be misread. A list of
 * the kinds of all layers overrides the type of the model. */
static gboolean
check_layers (PlgHfConfig *config, const PlgJsonValue *type)
{
  static const char *const lists[] = { "layer_types", "layers_block_type", "attn_type_list", NULL };
  static const char *const kinds[] = { "full_attention",    "sliding_attention",
                                       "chunked_attention", "deepseek_sparse_attention",
                                       "attention",         NULL };
  static const char *const states[] = {
    "state_size",         "ssm_state_size",          "mamba_d_state",
    "linear_attn_config", "hybrid_override_pattern", NULL
  };
  const PlgJsonValue *interval = plg_json_find (config->block, "full_attention_interval");
  const PlgJsonValue *list = find_any (config, lists), *state = find_any (config, states);
  const PlgModelType *kind = type != NULL && type->kind == PLG_JSON_STRING
                                 ? plg_model_type_find (type->text)
                                 : NULL;

  if (kind != NULL && kind->mixer != PLG_MIXER_NONE)
    return TRUE; /* plg_hf_read_mixer() checks the layers. */
  if (list != NULL && list->kind == PLG_JSON_ARRAY && list->n > 0)
    {
      for (const PlgJsonValue *value = plg_json_first (list); value != NULL;
           value = plg_json_next (value))
        if (value->kind == PLG_JSON_STRING ? !g_strv_contains (kinds, value->text)
                                           : value->number == 0.0)
          return refuse_layers (config, list->name, value);
      g_hash_table_add (config->used, (gpointer) list);
      return TRUE;
    }
  if (state != NULL)
    return plg_format_fail (state->line, PLG_FORMAT_ERROR_CONTENT, config->error,
                            _ ("This model has state-space layers (%s), but its type is not one of "
                               "the hybrid types that a plan supports, such as nemotron_h."),
                            state->name);
  if (interval != NULL && interval->kind == PLG_JSON_NUMBER && interval->number > 1.0)
    return refuse_layers (config, interval->name, interval);
  if (type != NULL && type->kind == PLG_JSON_STRING && plg_model_type_is_hybrid (type->text))
    return refuse_layers (config, type->name, type);
  return TRUE;
}

/* Reports encoders of images or sound beside the model of text. */
static void
note_encoders (PlgHfConfig *config)
{
  static const char *const names[] = { "vision_config", "audio_config", "visual" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PlgJsonValue *value = plg_json_find (config->root, names[i]);

      if (value == NULL || value->kind != PLG_JSON_OBJECT)
        continue;
      g_hash_table_add (config->used, (gpointer) value);
      plg_import_note (config->context, PLG_NOTE_IGNORED, value->line,
                       _ ("%s: a plan has only the model of text, so the parameters and the time "
                          "of this encoder are not counted."),
                       value->name);
    }
}

static gboolean
read_type (PlgHfConfig *config)
{
  const PlgJsonValue *own_type = plg_json_find (config->block, "model_type");
  const PlgJsonValue *type = own_type != NULL ? own_type
                                              : plg_json_find (config->root, "model_type");
  const PlgJsonValue *act = plg_json_find (config->block, "hidden_act");
  const char *text = act != NULL && act->kind == PLG_JSON_STRING ? act->text : "", *name = "";
  const PlgModelType *kind;

  if (!check_stacks (config) || !check_layers (config, type))
    return FALSE;
  note_encoders (config);
  if (type != NULL && !plg_json_as_string (type, &name, config->error))
    return FALSE;
  if (type != NULL)
    g_hash_table_add (config->used, (gpointer) type);
  if (own_type != NULL && config->block != config->root)
    config->type = name;
  kind = plg_model_type_find (name);
  config->known = kind != NULL;
  if (kind == NULL && config->block != config->root && config->type == NULL)
    return plg_format_fail (
        config->block->line, PLG_FORMAT_ERROR_CONTENT, config->error,
        _ ("%s has no model_type, which determines the norms, biases and "
           "gates of its layers. Add it, for example \"model_type\": \"llama\"."),
        config->block->name);
  if (kind != NULL)
    {
      config->kind = *kind;
      return TRUE;
    }
  /* Guess the properties of an unknown model type from the members of the file. */
  config->kind.rms_norm = plg_json_find (config->block, "rms_norm_eps") != NULL;
  config->kind.gated = strstr (text, "silu") != NULL || strstr (text, "glu") != NULL ||
                       config->kind.rms_norm;
  config->kind.biases = config->kind.rms_norm ? PLG_BIASES_NONE : PLG_BIASES_ALL;
  config->kind.positions = PLG_NO_POSITIONS;
  return TRUE;
}

static gboolean
read_heads (PlgHfConfig *config)
{
  gint64 kv_heads;
  gboolean multi_query = FALSE, newer = FALSE;
  PlgHfSource word, query, other;

  if (!plg_hf_read_int (config, names_layers, "model.layers", &config->layers) ||
      !plg_hf_read_int (config, names_hidden, "model.hidden", &config->hidden) ||
      !plg_hf_read_int (config, names_heads, "model.heads", &config->heads))
    return FALSE;
  kv_heads = config->heads;
  if (!plg_hf_get_int (config, names_kv_heads, &kv_heads, &word) ||
      !plg_hf_get_boolean (config, "multi_query", &multi_query, &query) ||
      !plg_hf_get_boolean (config, "new_decoder_architecture", &newer, &other))
    return FALSE;
  if (multi_query && !newer)
    {
      kv_heads = 1;
      word = query;
    }
  return word.line > 0 ? plg_hf_set_int (config, word, "model.kv-heads", kv_heads)
                       : plg_hf_infer_int (config, word, "model.kv-heads", kv_heads,
                                           _ ("Not in the file, so it is assumed to be the "
                                              "number of query heads."));
}

/* Reads the head dimension and the ranks of multi-head latent attention. With latent attention,
 * model.head-dim excludes the rotary part. */
static gboolean
read_latent (PlgHfConfig *config)
{
  static PlgHfNames kv_rank = { "kv_lora_rank" }, q_rank = { "q_lora_rank" };
  static PlgHfNames rope = { "qk_rope_head_dim" }, plain = { "qk_nope_head_dim" };
  static PlgHfNames value = { "v_head_dim" };
  const PlgJsonValue *unused;
  gint64 number = 0;
  PlgHfSource word;

  if (!plg_hf_get_int (config, kv_rank, &number, &word))
    return FALSE;
  if (word.line == 0 || number == 0)
    {
      gint64 head_dim = config->hidden / MAX (config->heads, 1);
      PlgHfSource head_dim_word;

      if (!plg_hf_get_int (config, names_head_dim, &head_dim, &head_dim_word))
        return FALSE;
      if (head_dim_word.line == 0 && config->heads > 0 && config->hidden % config->heads != 0)
        {
          /* Fail, because transformers also requires the number of heads to divide the hidden
           * size (LlamaConfig.validate_architecture(), GPT2Attention and others). */
          gpointer line = g_hash_table_lookup (config->context->lines, "model.heads");

          return plg_format_fail (
              GPOINTER_TO_INT (line), PLG_FORMAT_ERROR_CONTENT, config->error,
              _ ("%lld heads do not evenly divide the hidden size %lld; add head_dim to the file."),
              (long long) config->heads, (long long) config->hidden);
        }
      return head_dim_word.line > 0
                 ? plg_hf_set_int (config, head_dim_word, "model.head-dim", head_dim)
                 : plg_hf_infer_int (config, head_dim_word, "model.head-dim", head_dim,
                                     _ ("Not in the file, so it is assumed to be the hidden size "
                                        "divided by the number of heads."));
    }
  /* Mark head_dim as read but ignore its value, because it only repeats qk_rope_head_dim or the
   * sum of qk_rope_head_dim and qk_nope_head_dim. */
  if (!plg_hf_find (config, names_head_dim, &unused) ||
      !plg_hf_set_int (config, word, "model.kv-rank", number) ||
      !plg_hf_read_int (config, rope, "model.rope-dim", &number) ||
      !plg_hf_read_int (config, plain, "model.head-dim", &number) ||
      !plg_hf_read_int (config, value, "model.value-dim", &number))
    return FALSE;
  number = 0;
  return plg_hf_get_int (config, q_rank, &number, &word) &&
         (word.line == 0 || plg_hf_set_int (config, word, "model.q-rank", number));
}

static gboolean
read_mlp (PlgHfConfig *config)
{
  gint64 ffn = 0, expansion = DEFAULT_MLP_RATIO;
  PlgHfSource word;

  if (!plg_hf_get_int (config, names_dense_ffn, &ffn, &word) ||
      (word.line == 0 && !plg_hf_get_int (config, plg_hf_names_ffn, &ffn, &word)))
    return FALSE;
  if (word.line > 0)
    return plg_hf_set_int (config, word, "model.ffn", ffn);
  /* Models with experts in all layers need no other width. */
  if (plg_json_find (config->block, "moe_intermediate_size") != NULL &&
      config->kind.mixer != PLG_MIXER_NONE)
    return TRUE;
  if (config->kind.gated)
    return plg_hf_require_int (config, plg_hf_names_ffn, &ffn, &word);
  if (!plg_hf_get_int (config, names_expansion, &expansion, &word))
    return FALSE;
  return plg_hf_infer_int (config, word, "model.ffn", expansion * config->hidden,
                           word.line > 0
                               ? _ ("This is the hidden size times the ratio in the file.")
                               : _ ("Not in the file, so it is assumed to be four times the "
                                    "hidden size."));
}

static gboolean
read_vocabulary (PlgHfConfig *config)
{
  gint64 vocabulary, mtp = 0;
  gboolean tied = config->kind.tied;
  PlgHfSource tied_word, mtp_word;

  if (!plg_hf_read_int (config, names_vocabulary, "model.vocabulary", &vocabulary) ||
      !plg_hf_get_boolean (config, "tie_word_embeddings", &tied, &tied_word))
    return FALSE;
  if (tied_word.line > 0
          ? !plg_import_set (config->context, tied_word.line, "model.tied", tied ? "true" : "false",
                             config->error)
          : !infer (config, "model.tied", tied ? "true" : "false",
                    config->known ? _ ("Not in the file; models of this type have this value.")
                                  : _ ("Not in the file, so the embedding is assumed to be "
                                       "untied, as in most models.")))
    return FALSE;
  return plg_hf_get_int (config, names_mtp, &mtp, &mtp_word) &&
         (mtp_word.line == 0 || plg_hf_set_int (config, mtp_word, "model.mtp-layers", mtp));
}

/* Reads the longest sequence that the model supports. Derives the number of learned position
 * embeddings from it, and shortens the plan's sequences if they are longer. */
static gboolean
read_positions (PlgHfConfig *config)
{
  gint64 longest = 0;
  int sequence = config->context->plan->training.sequence;
  PlgHfSource word;
  gboolean learned = config->kind.positions != PLG_NO_POSITIONS;

  if (!plg_hf_get_int (config, names_longest, &longest, &word))
    return FALSE;
  if (learned && word.line == 0)
    return plg_hf_require_int (config, names_longest, &longest, &word);
  if (!plg_hf_infer_int (config, word, "model.positions",
                         learned ? longest + config->kind.positions : 0,
                         learned ? _ ("Models of this type have learned positions.")
                         : config->known
                             ? _ ("Models of this type have rotary or similar positions instead "
                                  "of learned ones.")
                             : _ ("The file does not mention learned positions.")))
    return FALSE;
  if (word.line == 0)
    return TRUE;
  if (longest < sequence)
    return plg_hf_infer_int (config, word, "training.sequence", longest,
                             _ ("The model has no positions for longer sequences."));
  plg_import_note (config->context, PLG_NOTE_IGNORED, word.line,
                   _ ("The model supports up to %lld tokens per sequence; the plan keeps %d."),
                   (long long) longest, sequence);
  return TRUE;
}

/* Members that switch the biases of all linear layers on or off in some model types. */
static const struct
{
  const char *name;
  gboolean is_inverted;
} bias_switches[] = {
  { "bias", FALSE },
  { "use_bias", FALSE },
  { "enable_bias", FALSE },
  { "no_bias", TRUE },
};

/* Reads the gates, the norms and the biases. attention_bias, mlp_bias and use_qkv_bias each
 * switch only some of the biases. */
static gboolean
read_biases (PlgHfConfig *config)
{
  PlgBiases biases = config->kind.biases;
  gboolean attention = biases != PLG_BIASES_NONE, mlp = biases == PLG_BIASES_ALL;
  gboolean queries = attention;
  PlgHfSource attention_word, mlp_word, queries_word, word;
  const char *why = config->known
                        ? _ ("Models of this type have this value.")
                        : _ ("This model type is unknown; the value is guessed from the model's "
                             "norms and activation.");
  int found;

  if (!infer (config, "model.gated", config->kind.gated ? "true" : "false", why) ||
      !infer (config, "model.rms-norm", config->kind.rms_norm ? "true" : "false", why) ||
      !plg_hf_get_boolean (config, "attention_bias", &attention, &attention_word) ||
      !plg_hf_get_boolean (config, "mlp_bias", &mlp, &mlp_word) ||
      !plg_hf_get_boolean (config, "use_qkv_bias", &queries, &queries_word))
    return FALSE;
  found = MAX (MAX (attention_word.line, mlp_word.line), queries_word.line);
  attention = attention || (queries_word.line > 0 && queries);
  if (found > 0)
    biases = attention && mlp   ? PLG_BIASES_ALL
             : attention || mlp ? PLG_BIASES_QUERIES
                                : PLG_BIASES_NONE;
  for (guint i = 0; i < G_N_ELEMENTS (bias_switches); i++)
    {
      gboolean on = FALSE;

      if (!plg_hf_get_boolean (config, bias_switches[i].name, &on, &word))
        return FALSE;
      if (word.line == 0)
        continue;
      biases = (!on == !!bias_switches[i].is_inverted) ? PLG_BIASES_ALL : PLG_BIASES_NONE;
      found = word.line;
    }
  if (biases == PLG_BIASES_QUERIES)
    return plg_import_infer (config->context, found, "model.biases", "false",
                             _ ("Only some linear layers have biases; a plan has biases in all "
                                "linear layers or in none of them."),
                             config->error);
  if (found > 0)
    return plg_import_set (config->context, found, "model.biases",
                           biases == PLG_BIASES_ALL ? "true" : "false", config->error);
  return infer (config, "model.biases", biases == PLG_BIASES_ALL ? "true" : "false", why);
}

/* Gives the model the name of the catalogue's model with the same dimensions, if any. Also adds
 * a note with the model's number of parameters. */
static gboolean
name_model (PlgHfConfig *config)
{
  g_autoptr (PlgPlan) plan = plg_import_current_plan (config->context);
  const PlgCatalogue *catalogue = config->context->catalogue;
  const PlgTransformer *model = &plan->model;
  g_autofree char *total = NULL, *active = NULL;

  for (int i = 0; i < plg_catalogue_n_models (catalogue); i++)
    {
      const PlgTransformer *other = plg_catalogue_nth_model (catalogue, i);
      PlgTransformer renamed = *model;

      g_strlcpy (renamed.name, other->name, sizeof renamed.name);
      g_strlcpy (renamed.title, other->title, sizeof renamed.title);
      if (!plg_transformer_equal (&renamed, other))
        continue;
      if (!infer (config, "model.name", other->name, _ ("The catalogue has exactly this model.")))
        return FALSE;
      break;
    }
  total = plg_format_count (plg_parameters_total (model));
  active = plg_format_count (plg_parameters_active (model));
  if (plg_transformer_is_moe (model))
    plg_import_note (config->context, PLG_NOTE_INFERRED, 0,
                     _ ("Parameters: %s, of which each token uses %s."), total, active);
  else
    plg_import_note (config->context, PLG_NOTE_INFERRED, 0, _ ("Parameters: %s."), total);
  return TRUE;
}

static void
note_unused (PlgHfConfig *config, const PlgJsonValue *block)
{
  g_autoptr (GString) rest = g_string_new (NULL);
  int n = 0, line = 0;

  for (const PlgJsonValue *value = plg_json_first (block); value != NULL;
       value = plg_json_next (value))
    {
      g_autofree char *shown = plg_text_excerpt (value->name, SHOWN_CHARACTERS);

      if (value == config->block || g_hash_table_contains (config->used, value))
        continue;
      line = line > 0 ? line : value->line;
      if (n++ < SHOWN_UNUSED)
        g_string_append_printf (rest, "%s%s", rest->len > 0 ? ", " : "", shown);
    }
  if (n > SHOWN_UNUSED)
    plg_import_note (config->context, PLG_NOTE_IGNORED, line,
                     _ ("Not part of a plan: %s, and %d more."), rest->str, n - SHOWN_UNUSED);
  else if (n > 0)
    plg_import_note (config->context, PLG_NOTE_IGNORED, line, _ ("Not part of a plan: %s."),
                     rest->str);
}

static gboolean
read_hf (PlgImportContext *context, GError **error)
{
  static const char *const parts[] = { "text_config", "llm_config", "language_config", NULL };
  static gboolean (*const readers[]) (PlgHfConfig *) = {
    read_type,         read_heads,  read_latent,     read_mlp,       plg_hf_read_experts,
    plg_hf_read_mixer, read_biases, read_vocabulary, read_positions, plg_hf_read_attention,
    name_model,
  };
  g_autoptr (PlgJson) json = plg_json_read (context->data, context->size, error);
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);
  PlgHfConfig config = { .context = context, .used = used, .error = error };
  const PlgJsonValue *nested;

  if (json == NULL)
    return FALSE;
  config.root = config.block = plg_json_root (json);
  nested = find_any (&config, parts);
  if (nested != NULL && !plg_json_as_object (nested, error))
    return FALSE;
  if (nested != NULL)
    config.block = nested;

  /* Clear the open plan's model, so that a member that the file omits does not keep the old
   * model's value. */
  context->plan->model = (PlgTransformer) { .layers = 1,
                                            .hidden = 1,
                                            .heads = 1,
                                            .kv_heads = 1,
                                            .head_dim = 1,
                                            .vocabulary = 1 };
  if (!plg_setting_set (context->plan, NULL, "model.name", "custom", error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    if (!readers[i](&config))
      return FALSE;
  note_unused (&config, config.block);
  if (config.block != config.root)
    note_unused (&config, config.root);
  return TRUE;
}

static gboolean
is_hf (const char *data, gsize size)
{
  return plg_json_has_member (data, size, "model_type") ||
         plg_json_has_member (data, size, "architectures") ||
         plg_json_has_member (data, size, "text_config") ||
         plg_json_has_member (data, size, "num_hidden_layers") ||
         plg_json_has_member (data, size, "n_embd");
}

const PlgFormat plg_hf_format = {
  .name = "hf",
  .suffix = ".json",
  .title = N_ ("Hugging Face model (config.json)"),
  .subject = PLG_SUBJECT_MODEL,
  .syntax = PLG_SYNTAX_JSON,
  .sign = "model_type, architectures, text_config, num_hidden_layers, n_embd",
  .is = is_hf,
  .read = read_hf,
};
