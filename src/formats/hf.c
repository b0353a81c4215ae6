/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/flops.h"
#include "formats/format-private.h"
#include "formats/hf-attention.h"
#include "formats/json-reader.h"
#include "formats/model-type.h"
#include "plan/quantity.h"
#include "plan/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* config.json of Hugging Face's transformers: the dimensions of a model. What a model type is made
 * of beside its dimensions stands in its code and nowhere in the file. */

#define MAX_ALIASES 6
#define SHOWN_REST 12 /* members that are told as ignored; the others are counted */
#define SHOWN_CHARACTERS 40
#define USUAL_EXPANSION 4 /* MLP over hidden size where a file leaves it out */

/* What the members are called: the first is today's name, the others those of older types. */
typedef const char *const Names[MAX_ALIASES];
static Names names_layers = { "num_hidden_layers", "n_layer", "n_layers", "num_layers" };
static Names names_hidden = { "hidden_size", "n_embd", "n_embed", "d_model" };
static Names names_heads = { "num_attention_heads", "n_head", "n_heads", "num_heads" };
static Names names_kv_heads = { "num_key_value_heads", "num_kv_heads", "n_head_kv" };
static Names names_ffn = { "intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size" };
static Names names_dense_ffn = { "intermediate_size_mlp" }; /* beside that of experts */
static Names names_head_dim = { "head_dim" };
static Names names_vocabulary = { "vocab_size" };
static Names names_longest = { "max_position_embeddings", "n_positions", "max_seq_len",
                               "seq_length" };
static Names names_experts = { "n_routed_experts", "num_local_experts", "num_experts" };
static Names names_top_k = { "num_experts_per_tok", "num_selected_experts", "experts_per_token" };
static Names names_expert_ffn = { "moe_intermediate_size" };
static Names names_shared = { "n_shared_experts" };
static Names names_shared_ffn = { "shared_expert_intermediate_size" };
static Names names_dense = { "first_k_dense_replace" };
static Names names_mtp = { "num_nextn_predict_layers" };
static Names names_expansion = { "expansion_ratio" };

typedef struct
{
  PlgReading *reading;
  const PlgJsonValue *root;
  const PlgJsonValue *block; /* the root, or its text_config */
  PlgModelType kind;
  gboolean known; /* the kind is of the table */
  GHashTable *used;
  gint64 layers, hidden, heads;
  GError **error;
} Config;

/* The member of any of the NAMES, or NULL. Two that differ are told. FALSE with an error. */
static gboolean
find (Config *config, Names names, const PlgJsonValue **found)
{
  *found = NULL;
  for (int i = 0; i < MAX_ALIASES && names[i] != NULL; i++)
    {
      const PlgJsonValue *value = plg_json_find (config->block, names[i]);

      if (value == NULL)
        continue;
      g_hash_table_add (config->used, (gpointer) value);
      if (*found != NULL && (*found)->number != value->number)
        return plg_reading_fail (config->reading, value->line, PLG_FORMAT_ERROR_CONTENT,
                                 config->error,
                                 _ ("%s says otherwise than %s in line %d; remove one."),
                                 value->name, (*found)->name, (*found)->line);
      *found = *found != NULL ? *found : value;
    }
  return TRUE;
}

/* *NUMBER stays as it is, and *LINE becomes 0, where the file does not say. */
static gboolean
get_int (Config *config, Names names, gint64 *number, int *line)
{
  const PlgJsonValue *value;

  if (!find (config, names, &value))
    return FALSE;
  *line = value != NULL ? value->line : 0;
  return value == NULL || plg_json_as_int (value, number, config->error);
}

static gboolean
need_int (Config *config, Names names, gint64 *number, int *line)
{
  if (!get_int (config, names, number, line))
    return FALSE;
  return *line > 0 ||
         plg_reading_fail (config->reading, config->block->line, PLG_FORMAT_ERROR_CONTENT,
                           config->error,
                           _ ("%s is missing; without it this is no model of a plan."), names[0]);
}

static gboolean
set_int (Config *config, int line, const char *key, gint64 number)
{
  return plg_reading_set_int (config->reading, line, key, number, config->error);
}

static gboolean
infer (Config *config, const char *key, const char *value, const char *why)
{
  return plg_reading_infer (config->reading, 0, key, value, why, config->error);
}

static gboolean
infer_int (Config *config, int line, const char *key, gint64 number, const char *why)
{
  g_autofree char *text = g_strdup_printf ("%lld", (long long) number);

  return plg_reading_infer (config->reading, line, key, text, why, config->error);
}

/* A switch of the file; *TRUTH stays as it is where it has none, or null. */
static gboolean
get_switch (Config *config, const char *name, gboolean *truth, int *line)
{
  const PlgJsonValue *value = plg_json_find (config->block, name);

  *line = 0;
  if (value == NULL)
    return TRUE;
  g_hash_table_add (config->used, (gpointer) value);
  *line = value->line;
  return plg_json_as_boolean (value, truth, config->error);
}

/* A dimension that most files have. */
static gboolean
read_dimension (Config *config, Names names, const char *key, gint64 *number)
{
  int line;

  return need_int (config, names, number, &line) && set_int (config, line, key, *number);
}

/* The kind */

/* A type that is not in the table: as its members suggest. */
static void
guess_kind (Config *config)
{
  const PlgJsonValue *act = plg_json_find (config->block, "hidden_act");
  const char *text = act != NULL && act->kind == PLG_JSON_STRING ? act->text : "";

  config->kind.rms_norm = plg_json_find (config->block, "rms_norm_eps") != NULL;
  config->kind.gated = strstr (text, "silu") != NULL || strstr (text, "glu") != NULL ||
                       config->kind.rms_norm;
  config->kind.biases = config->kind.rms_norm ? PLG_BIASES_NONE : PLG_BIASES_ALL;
  config->kind.positions = PLG_NO_POSITIONS;
}

static const char *
why_kind (const Config *config)
{
  return config->known ? _ ("What this type of model has.")
                       : _ ("This type of model is not known; its norms and its activation suggest "
                            "it.");
}

/* A model in a larger one, as of a program that also sees, is of no type by its members alone. */
static gboolean
fail_without_type (const Config *config)
{
  return plg_reading_fail (config->reading, config->block->line, PLG_FORMAT_ERROR_CONTENT,
                           config->error,
                           _ ("text_config has no model_type, which says what norms, biases and "
                              "gates its layers have. Add it, such as \"model_type\": "
                              "\"llama\"."));
}

static gboolean
read_kind (Config *config)
{
  const PlgJsonValue *type = plg_json_find (config->block, "model_type");
  const PlgJsonValue *encoder = plg_json_find (config->root, "is_encoder_decoder");
  const PlgModelType *kind;
  const char *name = "";

  if (encoder != NULL && encoder->number != 0.0)
    return plg_reading_fail (config->reading, encoder->line, PLG_FORMAT_ERROR_CONTENT,
                             config->error,
                             _ ("This model has an encoder; a plan is for models of one stack of "
                                "layers (decoders)."));
  if (type == NULL)
    type = plg_json_find (config->root, "model_type");
  if (type != NULL && !plg_json_as_string (type, &name, config->error))
    return FALSE;
  if (type != NULL)
    g_hash_table_add (config->used, (gpointer) type);
  kind = plg_model_type_find (name);
  config->known = kind != NULL;
  if (kind != NULL)
    config->kind = *kind;
  if (!config->known && config->block != config->root &&
      plg_json_find (config->block, "model_type") == NULL)
    return fail_without_type (config);
  if (!config->known)
    guess_kind (config);
  return TRUE;
}

/* Attention and MLP */

static gboolean
read_heads (Config *config)
{
  gint64 kv_heads;
  gboolean multi_query = FALSE, newer = FALSE;
  int line, query_line, other;

  if (!read_dimension (config, names_heads, "model.heads", &config->heads))
    return FALSE;
  kv_heads = config->heads;
  if (!get_int (config, names_kv_heads, &kv_heads, &line) ||
      !get_switch (config, "multi_query", &multi_query, &query_line) ||
      !get_switch (config, "new_decoder_architecture", &newer, &other))
    return FALSE;
  if (multi_query && !newer)
    {
      kv_heads = 1;
      line = query_line;
    }
  return line > 0 ? set_int (config, line, "model.kv-heads", kv_heads)
                  : infer_int (config, 0, "model.kv-heads", kv_heads,
                               _ ("Nothing is said: as many as query heads."));
}

/* As Transformers refuses it: LlamaConfig.validate_architecture(), GPT2Attention and others. */
static gboolean
fail_heads (const Config *config)
{
  gpointer line = g_hash_table_lookup (config->reading->lines, "model.heads");

  return plg_reading_fail (config->reading, GPOINTER_TO_INT (line), PLG_FORMAT_ERROR_CONTENT,
                           config->error,
                           _ ("%lld heads do not divide the hidden size %lld; the file must say "
                              "head_dim."),
                           (long long) config->heads, (long long) config->hidden);
}

static gboolean
read_head_dim (Config *config)
{
  gint64 head_dim = config->hidden / MAX (config->heads, 1);
  int line;

  if (!get_int (config, names_head_dim, &head_dim, &line))
    return FALSE;
  if (line == 0 && config->heads > 0 && config->hidden % config->heads != 0)
    return fail_heads (config);
  return line > 0 ? set_int (config, line, "model.head-dim", head_dim)
                  : infer_int (config, 0, "model.head-dim", head_dim,
                               _ ("Nothing is said: the hidden size over the heads."));
}

/* Multi-head latent attention: the heads are those without rotary position. */
static gboolean
read_latent (Config *config)
{
  static Names kv_rank = { "kv_lora_rank" }, q_rank = { "q_lora_rank" };
  static Names rope = { "qk_rope_head_dim" }, plain = { "qk_nope_head_dim" };
  static Names value = { "v_head_dim" };
  const PlgJsonValue *told;
  gint64 number = 0;
  int line;

  if (!get_int (config, kv_rank, &number, &line))
    return FALSE;
  if (line == 0 || number == 0)
    return read_head_dim (config);
  if (!find (config, names_head_dim, &told) || /* of the rotary part, or of both */
      !set_int (config, line, "model.kv-rank", number) ||
      !read_dimension (config, rope, "model.rope-dim", &number) ||
      !read_dimension (config, plain, "model.head-dim", &number) ||
      !read_dimension (config, value, "model.value-dim", &number))
    return FALSE;
  number = 0;
  return get_int (config, q_rank, &number, &line) &&
         (line == 0 || set_int (config, line, "model.q-rank", number));
}

static gboolean
read_mlp (Config *config)
{
  gint64 ffn = 0, expansion = USUAL_EXPANSION;
  int line;

  if (!get_int (config, names_dense_ffn, &ffn, &line) ||
      (line == 0 && !get_int (config, names_ffn, &ffn, &line)))
    return FALSE;
  if (line > 0)
    return set_int (config, line, "model.ffn", ffn);
  if (config->kind.gated)
    return need_int (config, names_ffn, &ffn, &line);
  if (!get_int (config, names_expansion, &expansion, &line))
    return FALSE;
  return infer_int (config, line, "model.ffn", expansion * config->hidden,
                    line > 0 ? _ ("The hidden size as often as the file says.")
                             : _ ("Nothing is said: four times the hidden size."));
}

/* Experts */

/* Whether layer I has experts: those after the first FIRST, every STEP-th, and none of a list. */
typedef struct
{
  gint64 first;
  gint64 step;
  gboolean from_first; /* the first after them is one, else the STEP-th */
  GHashTable *without; /* layers of a list that have none */
} Pattern;

static gboolean
has_experts (const Pattern *pattern, gint64 layer)
{
  if (layer < pattern->first ||
      g_hash_table_contains (pattern->without, GINT_TO_POINTER ((int) layer)))
    return FALSE;
  return pattern->from_first ? layer % pattern->step == 0 : (layer + 1) % pattern->step == 0;
}

static gboolean
read_layers_without (Config *config, Pattern *pattern, int *line)
{
  const PlgJsonValue *list = plg_json_find (config->block, "mlp_only_layers");

  if (list == NULL)
    return TRUE;
  g_hash_table_add (config->used, (gpointer) list);
  if (!plg_json_as_array (list, config->error))
    return FALSE;
  *line = list->n > 0 ? list->line : *line;
  for (const PlgJsonValue *value = plg_json_first (list); value != NULL;
       value = plg_json_next (value))
    {
      gint64 layer;

      if (!plg_json_as_int (value, &layer, config->error))
        return FALSE;
      if (layer >= 0 && layer < config->layers)
        g_hash_table_add (pattern->without, GINT_TO_POINTER ((int) layer));
    }
  return TRUE;
}

static gboolean
read_pattern (Config *config, Pattern *pattern, int *line)
{
  static Names steps = { "decoder_sparse_step", "interleave_moe_layer_step" };
  static Names frequency = { "moe_layer_freq" };
  int other;

  pattern->step = 1;
  if (!get_int (config, names_dense, &pattern->first, line) ||
      !get_int (config, frequency, &pattern->step, &other))
    return FALSE;
  pattern->from_first = other > 0;
  *line = MAX (*line, pattern->step > 1 ? other : 0);
  if (!get_int (config, steps, &pattern->step, &other))
    return FALSE;
  *line = MAX (*line, pattern->step > 1 ? other : 0);
  if (pattern->step >= 1)
    return read_layers_without (config, pattern, line);
  return plg_reading_fail (config->reading, MAX (*line, other), PLG_FORMAT_ERROR_CONTENT,
                           config->error,
                           _ ("Every %d-th layer has experts; that must be 1 or "
                              "more."),
                           (int) pattern->step);
}

static gboolean
read_dense_layers (Config *config)
{
  g_autoptr (GHashTable) without = g_hash_table_new (NULL, NULL);
  Pattern pattern = { .without = without };
  gint64 dense = 0, leading = 0;
  int line;

  if (!read_pattern (config, &pattern, &line))
    return FALSE;
  for (gint64 i = 0; i < config->layers; i++)
    {
      gboolean plain = !has_experts (&pattern, i);

      leading += plain && leading == i;
      dense += plain;
    }
  if (dense == leading)
    return dense == 0 || set_int (config, line, "model.dense-layers", dense);
  return infer_int (config, line, "model.dense-layers", dense,
                    _ ("They lie between those with experts; a plan has them in front, so totals "
                       "hold and stages differ a little."));
}

/* Experts that see every token: a number of them, or the width of all together. */
static gboolean
read_shared_experts (Config *config, gint64 expert_ffn)
{
  gint64 shared = 0, width = 0;
  int line;

  if (!get_int (config, names_shared, &shared, &line) ||
      (line > 0 && !set_int (config, line, "model.shared-experts", shared)) ||
      !get_int (config, names_shared_ffn, &width, &line))
    return FALSE;
  if (shared == 0 && width == 0 && config->kind.shared > 0)
    return infer_int (config, 0, "model.shared-experts", config->kind.shared,
                      _ ("What this type of model has."));
  if (line == 0 || width == 0)
    return TRUE;
  if (width == expert_ffn * (width / MAX (expert_ffn, 1)))
    return infer_int (config, line, "model.shared-experts", width / expert_ffn,
                      _ ("As wide together as the file says."));
  return infer_int (config, line, "model.shared-experts",
                    (width + MAX (expert_ffn, 1) - 1) / MAX (expert_ffn, 1),
                    _ ("They are not as wide as whole experts; a plan has whole ones only, so it "
                       "is rounded up."));
}

static gboolean
read_experts (Config *config)
{
  gint64 experts = 0, number = 0, expert_ffn = 0;
  int line;

  if (!get_int (config, names_experts, &experts, &line))
    return FALSE;
  if (line == 0 || experts == 0)
    return TRUE;
  if (!set_int (config, line, "model.experts", experts) ||
      !read_dimension (config, names_top_k, "model.top-k", &number) ||
      !get_int (config, names_expert_ffn, &expert_ffn, &line))
    return FALSE;
  if (line == 0)
    {
      if (!need_int (config, names_ffn, &expert_ffn, &line) ||
          !infer_int (config, line, "model.expert-ffn", expert_ffn,
                      _ ("Nothing else is said: intermediate_size is that of an expert.")))
        return FALSE;
    }
  else if (!set_int (config, line, "model.expert-ffn", expert_ffn))
    return FALSE;
  return read_shared_experts (config, expert_ffn) && read_dense_layers (config);
}

/* What is beside the layers */

static gboolean
read_vocabulary (Config *config)
{
  gint64 vocabulary = config->kind.vocabulary;
  gboolean tied = config->kind.tied;
  int line;

  if (vocabulary == 0)
    {
      if (!read_dimension (config, names_vocabulary, "model.vocabulary", &vocabulary))
        return FALSE;
    }
  else if (!get_int (config, names_vocabulary, &vocabulary, &line) ||
           !(line > 0 ? set_int (config, line, "model.vocabulary", vocabulary)
                      : infer_int (config, 0, "model.vocabulary", vocabulary,
                                   _ ("Nothing is said: what this type of model has."))))
    return FALSE;
  if (!get_switch (config, "tie_word_embeddings", &tied, &line))
    return FALSE;
  if (line > 0)
    return plg_reading_set (config->reading, line, "model.tied", tied ? "true" : "false",
                            config->error);
  return infer (config, "model.tied", tied ? "true" : "false",
                config->known ? _ ("Nothing is said: what this type of model has.")
                              : _ ("Nothing is said: not tied, as in most models."));
}

/* No sequence is longer than the positions that the model has. How long training's are is the
 * plan's. */
static gboolean
read_positions (Config *config)
{
  gint64 longest = 0;
  int line, sequence = config->reading->plan->training.sequence;
  gboolean learned = config->kind.positions != PLG_NO_POSITIONS;

  if (!get_int (config, names_longest, &longest, &line))
    return FALSE;
  if (learned && line == 0)
    return need_int (config, names_longest, &longest, &line);
  if (!infer_int (config, line, "model.positions", learned ? longest + config->kind.positions : 0,
                  learned         ? _ ("Models of this type learn them.")
                  : config->known ? _ ("Models of this type have rotary positions or the like.")
                                  : _ ("Nothing is said of learned ones.")))
    return FALSE;
  if (line == 0)
    return TRUE;
  if (longest < sequence)
    return infer_int (config, line, "training.sequence", longest,
                      _ ("The model has no positions for longer ones."));
  plg_reading_note (config->reading, PLG_NOTE_IGNORED, line,
                    _ ("Up to %lld tokens a sequence; the plan's stay at %d."), (long long) longest,
                    sequence);
  return TRUE;
}

/* Switches of single types, each over all linear layers. NO: it says that there are none. */
static const struct
{
  const char *name;
  gboolean no;
} bias_switches[] = {
  { "bias", FALSE },
  { "use_bias", FALSE },
  { "enable_bias", FALSE },
  { "no_bias", TRUE },
};

/* attention_bias and mlp_bias, use_qkv_bias: parts. */
static gboolean
read_part_biases (Config *config, PlgBiases *biases, int *line)
{
  gboolean attention = *biases != PLG_BIASES_NONE, mlp = *biases == PLG_BIASES_ALL;
  gboolean queries = attention;
  int attention_line, mlp_line, queries_line;

  if (!get_switch (config, "attention_bias", &attention, &attention_line) ||
      !get_switch (config, "mlp_bias", &mlp, &mlp_line) ||
      !get_switch (config, "use_qkv_bias", &queries, &queries_line))
    return FALSE;
  *line = MAX (MAX (attention_line, mlp_line), queries_line);
  attention = attention || (queries_line > 0 && queries);
  if (*line > 0)
    *biases = attention && mlp   ? PLG_BIASES_ALL
              : attention || mlp ? PLG_BIASES_QUERIES
                                 : PLG_BIASES_NONE;
  return TRUE;
}

static gboolean
read_biases (Config *config)
{
  PlgBiases biases = config->kind.biases;
  int line = 0, found = 0;

  if (!read_part_biases (config, &biases, &found))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (bias_switches); i++)
    {
      gboolean on = FALSE;

      if (!get_switch (config, bias_switches[i].name, &on, &line))
        return FALSE;
      if (line == 0)
        continue;
      biases = (!on == !!bias_switches[i].no) ? PLG_BIASES_ALL : PLG_BIASES_NONE;
      found = line;
    }
  if (biases == PLG_BIASES_QUERIES)
    return plg_reading_infer (config->reading, found, "model.biases", "false",
                              _ ("Some products of a layer have them; a plan knows all or none."),
                              config->error);
  if (found > 0)
    return plg_reading_set (config->reading, found, "model.biases",
                            biases == PLG_BIASES_ALL ? "true" : "false", config->error);
  return infer (config, "model.biases", biases == PLG_BIASES_ALL ? "true" : "false",
                why_kind (config));
}

static gboolean
infer_kind (Config *config)
{
  const char *why = why_kind (config);

  return infer (config, "model.gated", config->kind.gated ? "true" : "false", why) &&
         infer (config, "model.rms-norm", config->kind.rms_norm ? "true" : "false", why);
}

/* What came of it */

/* The model of what was said so far. */
static void
current_model (const Config *config, PlgTransformer *model)
{
  const PlgReading *reading = config->reading;
  g_autoptr (PlgPlan) scratch = plg_plan_copy (reading->plan);

  for (guint i = 0; i < reading->settings->len; i++)
    {
      g_auto (GStrv) pair = g_strsplit (reading->settings->pdata[i], "=", 2);

      plg_setting_set (scratch, reading->catalogue, pair[0], pair[1], NULL);
    }
  *model = scratch->model;
}

/* The catalogue's model of the same dimensions, or NULL. */
static const PlgTransformer *
find_in_catalogue (const PlgCatalogue *catalogue, const PlgTransformer *model)
{
  for (int i = 0; i < plg_catalogue_n_models (catalogue); i++)
    {
      const PlgTransformer *other = plg_catalogue_nth_model (catalogue, i);
      PlgTransformer renamed = *model;

      g_strlcpy (renamed.name, other->name, sizeof renamed.name);
      g_strlcpy (renamed.title, other->title, sizeof renamed.title);
      if (plg_transformer_equal (&renamed, other))
        return other;
    }
  return NULL;
}

static gboolean
name_model (Config *config)
{
  PlgTransformer model;
  const PlgTransformer *known;
  g_autofree char *total = NULL;
  g_autofree char *active = NULL;

  current_model (config, &model);
  known = find_in_catalogue (config->reading->catalogue, &model);
  if (known != NULL &&
      !infer (config, "model.name", known->name, _ ("The catalogue has exactly this model.")))
    return FALSE;
  total = plg_format_count (plg_parameters_total (&model));
  active = plg_format_count (plg_parameters_active (&model));
  if (plg_transformer_is_moe (&model))
    plg_reading_note (config->reading, PLG_NOTE_INFERRED, 0,
                      _ ("Parameters: %s, of which a token uses %s."), total, active);
  else
    plg_reading_note (config->reading, PLG_NOTE_INFERRED, 0, _ ("Parameters: %s."), total);
  return TRUE;
}

/* Members of BLOCK that nothing was made of. */
static void
note_rest (Config *config, const PlgJsonValue *block)
{
  g_autoptr (GString) rest = g_string_new (NULL);
  int n = 0, line = 0;

  for (const PlgJsonValue *value = plg_json_first (block); value != NULL;
       value = plg_json_next (value))
    {
      g_autofree char *shown = plg_format_excerpt (value->name, SHOWN_CHARACTERS);

      if (value == config->block || g_hash_table_contains (config->used, value))
        continue;
      line = line > 0 ? line : value->line;
      if (n++ < SHOWN_REST)
        g_string_append_printf (rest, "%s%s", rest->len > 0 ? ", " : "", shown);
    }
  if (n > SHOWN_REST)
    plg_reading_note (config->reading, PLG_NOTE_IGNORED, line,
                      _ ("No part of a plan: %s, and %d more."), rest->str, n - SHOWN_REST);
  else if (n > 0)
    plg_reading_note (config->reading, PLG_NOTE_IGNORED, line, _ ("No part of a plan: %s."),
                      rest->str);
}

/* The model of another file is no start: what this one leaves out, its model does not have. */
static gboolean
begin_model (Config *config)
{
  PlgTransformer *model = &config->reading->plan->model;

  *model = (PlgTransformer) { .layers = 1,
                              .hidden = 1,
                              .heads = 1,
                              .kv_heads = 1,
                              .head_dim = 1,
                              .vocabulary = 1 };
  return plg_setting_set (config->reading->plan, NULL, "model.name", "custom", config->error);
}

static gboolean
read_model (Config *config)
{
  int line;
  gint64 mtp = 0;

  if (!begin_model (config) || !read_kind (config) ||
      !read_dimension (config, names_layers, "model.layers", &config->layers) ||
      !read_dimension (config, names_hidden, "model.hidden", &config->hidden) ||
      !read_heads (config) || !read_latent (config) || !read_mlp (config) ||
      !read_experts (config) || !infer_kind (config) || !read_biases (config) ||
      !read_vocabulary (config) || !get_int (config, names_mtp, &mtp, &line))
    return FALSE;
  if (line > 0 && !set_int (config, line, "model.mtp-layers", mtp))
    return FALSE;
  if (!read_positions (config) || !name_model (config))
    return FALSE;
  plg_hf_note_attention (config->reading, config->block, config->used);
  note_rest (config, config->block);
  if (config->block != config->root)
    note_rest (config, config->root);
  return TRUE;
}

static gboolean
read_hf (PlgReading *reading, GError **error)
{
  g_autoptr (PlgJson) json = plg_json_read (reading, error);
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);
  Config config = { .reading = reading, .used = used, .error = error };
  const PlgJsonValue *nested;

  if (json == NULL)
    return FALSE;
  config.root = config.block = plg_json_root (json);
  nested = plg_json_find (config.root, "text_config");
  if (nested != NULL && !plg_json_as_object (nested, error))
    return FALSE;
  if (nested != NULL)
    config.block = nested;
  return read_model (&config);
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
  .title = N_ ("Model of Hugging Face (config.json)"),
  .subject = PLG_SUBJECT_MODEL,
  .syntax = PLG_SYNTAX_JSON,
  .sign = "model_type, architectures, text_config, num_hidden_layers, n_embd",
  .is = is_hf,
  .read = read_hf,
};
