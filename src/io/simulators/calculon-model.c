/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/json-reader.h"
#include "syntax/json-writer.h"
#include "io/simulators/simulator-checks.h"
#include "plan/settings/setting.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

/* Reads and writes Calculon's application file (github.com/calculon-ai/calculon,
 * calculon/llm/llm.py, Llm.Application), which describes Megatron-LM's GPT models with a plain
 * MLP, biases, LayerNorm and a vocabulary of 51200. */

#define PROGRAM "Calculon"
#define VOCABULARY "51200"

static const struct
{
  const char *name;
  const char *key;
} members[] = {
  { "hidden", "model.hidden" },        { "feedforward", "model.ffn" },
  { "seq_size", "training.sequence" }, { "attn_heads", "model.heads" },
  { "attn_size", "model.head-dim" },   { "num_blocks", "model.layers" },
};

static gboolean
check_expressible (const PlgTransformer *model, GError **error)
{
  if (plg_transformer_is_moe (model))
    return plg_simulator_set_error (PROGRAM, error,
                                    _ ("the program does not support experts; "
                                       "choose a dense model."));
  if (model->kv_rank > 0)
    return plg_simulator_set_error (PROGRAM, error,
                                    _ ("the program does not support latent attention; choose a "
                                       "different model."));
  if (model->gated)
    return plg_simulator_set_error (
        PROGRAM, error,
        _ ("the program's MLP has two matrices, but this model's MLP has three. Choose a model "
           "without a gate, such as gpt3-175b."));
  if (model->kv_heads != model->heads && model->kv_heads != 1)
    return plg_simulator_set_error (
        PROGRAM, error,
        _ ("the number of KV heads must be 1 or the number of query heads, but this model has %d "
           "KV heads and %d query heads."),
        model->kv_heads, model->heads);
  if (model->mixer != PLG_MIXER_NONE || model->attention_gate)
    return plg_simulator_set_error (PROGRAM, error,
                                    _ ("the program supports neither layers without attention nor "
                                       "gated attention; choose a different model."));
  if (plg_transformer_full_attention_layers (model) < model->layers)
    return plg_simulator_set_error (PROGRAM, error,
                                    _ ("the program gives every layer full attention; set %s to "
                                       "0."),
                                    plg_setting_name ("model.window"));
  return TRUE;
}

static GBytes *
write_calculon_model (const PlgExportContext *export, GError **error)
{
  PlgJsonWriter json = { 0 };

  if (!check_expressible (&export->plan->model, error))
    return NULL;
  json.out = g_string_new (NULL);
  plg_json_begin (&json, NULL, '{', TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    plg_json_add_number (&json, members[i].name,
                         plg_setting_get_number (plg_setting_find (members[i].key), export->plan));
  plg_json_end (&json, '}');
  return plg_take_text (plg_json_take (&json));
}

static gboolean
read_calculon_model (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgJson) json = plg_json_read (context->data, context->size, error);
  const PlgJsonValue *root, *name;

  if (json == NULL)
    return FALSE;
  root = plg_json_root (json);
  name = plg_json_find (root, "name");
  /* Reset the model first, because the file does not set all values, and values of the open
   * plan's model must not remain. */
  context->plan->model = (PlgTransformer) { .layers = 1, .vocabulary = 1 };
  if (!plg_setting_set (context->plan, NULL, "model.name", "custom", error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const PlgJsonValue *value = plg_json_find (root, members[i].name);
      gint64 number;

      if (value == NULL)
        return plg_format_fail (root->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("%s is missing; a plan needs it."), members[i].name);
      if (!plg_json_as_int (value, &number, error))
        return FALSE;
      if (!plg_import_set_int (context, value->line, members[i].key, number, error))
        return plg_import_error_rename (value->line, members[i].key, value->name, error);
    }

  /* The properties that Calculon assumes for all models. */
  const struct
  {
    const char *key;
    const char *value;
  } rest[] = {
    { "model.kv-heads", plg_import_get (context, "model.heads") },
    { "model.positions", plg_import_get (context, "training.sequence") },
    { "model.vocabulary", VOCABULARY },
    { "model.gated", "false" },
    { "model.biases", "true" },
    { "model.rms-norm", "false" },
    { "model.tied", "true" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    {
      g_autofree char *value = g_strdup (rest[i].value);

      if (!plg_import_infer (context, 0, rest[i].key, value,
                             _ ("Calculon assumes this for all models."), error))
        return FALSE;
    }
  if (name != NULL)
    plg_import_note (context, PLG_NOTE_IGNORED, name->line,
                     _ ("The name is ignored, because a custom model in a plan has no name."));
  return TRUE;
}

static gboolean
is_calculon_model (const char *data, gsize size)
{
  return plg_json_has_member (data, size, "num_blocks") ||
         plg_json_has_member (data, size, "attn_heads");
}

const PlgFormat plg_calculon_model_format = {
  .name = "calculon-model",
  .suffix = ".json",
  .title = N_ ("Calculon model (JSON)"),
  .subject = PLG_SUBJECT_MODEL,
  .syntax = PLG_SYNTAX_JSON,
  .sign = "num_blocks, attn_heads",
  .is = is_calculon_model,
  .read = read_calculon_model,
  .write = write_calculon_model,
};
