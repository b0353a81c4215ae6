/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/hf-mixer.h"

#include "io/frameworks/hybrid-layers.h"
#include "io/import/format.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Every n-th layer of a Qwen3-Next model has attention if the file does not say it
 * (configuration_qwen3_next.py). */
#define USUAL_INTERVAL 4

/* A dimension of the mixer and its members in files. */
typedef struct
{
  const char *key;
  PlgHfNames names;
} Dimension;

static const Dimension mamba_dimensions[] = {
  { "model.mixer-heads", { "mamba_num_heads", "mamba_n_heads" } },
  { "model.mixer-head-dim", { "mamba_head_dim", "mamba_d_head" } },
  { "model.mixer-groups", { "n_groups", "mamba_n_groups" } },
  { "model.mixer-state", { "ssm_state_size", "mamba_d_state" } },
  { "model.mixer-conv", { "conv_kernel", "mamba_d_conv" } },
};
static const Dimension delta_net_dimensions[] = {
  { "model.mixer-heads", { "linear_num_value_heads" } },
  { "model.mixer-head-dim", { "linear_value_head_dim" } },
  { "model.mixer-groups", { "linear_num_key_heads" } },
  { "model.mixer-state", { "linear_key_head_dim" } },
  { "model.mixer-conv", { "linear_conv_kernel_dim" } },
};

/* Returns the letter of the kind of layer NAME in a list of layers, or '\0' if it is unknown. */
static char
letter_of (const PlgHfConfig *config, const char *name)
{
  static const struct
  {
    const char *name;
    char letter;
  } kinds[] = {
    { "full_attention", '*' },
    { "sliding_attention", '*' },
    { "attention", '*' },
    { "mamba", 'M' },
    { "linear_attention", 'G' },
    { "mlp", '-' },
    { "moe", 'E' },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].name, name))
      return (kinds[i].letter == 'M') && config->kind.mixer != PLG_MIXER_MAMBA2   ? '\0'
             : (kinds[i].letter == 'G') && config->kind.mixer == PLG_MIXER_MAMBA2 ? '\0'
                                                                                  : kinds[i].letter;
  return '\0';
}

static gboolean
refuse_kind (PlgHfConfig *config, const PlgJsonValue *list, const PlgJsonValue *value)
{
  g_autofree char *shown = plg_json_describe (value);

  return plg_format_fail (value->line, PLG_FORMAT_ERROR_CONTENT, config->error,
                          _ ("%s has %s, a kind of layer that a plan of this model cannot have."),
                          list->name, shown);
}

/* Counts the layers in LIST, a text with a letter for each layer or a list of names. */
static gboolean
count_list (PlgHfConfig *config, const PlgJsonValue *list, PlgHybridLayers *layers)
{
  g_hash_table_add (config->used, (gpointer) list);
  if (list->kind == PLG_JSON_STRING)
    {
      for (const char *letter = list->text; *letter != '\0'; letter++)
        if (!plg_hybrid_layers_add (layers, *letter))
          return refuse_kind (config, list, list);
      return TRUE;
    }
  if (!plg_json_as_array (list, config->error))
    return FALSE;
  for (const PlgJsonValue *value = plg_json_first (list); value != NULL;
       value = plg_json_next (value))
    {
      const char *name = "";

      if (!plg_json_as_string (value, &name, config->error))
        return FALSE;
      if (!plg_hybrid_layers_add (layers, letter_of (config, name)))
        return refuse_kind (config, list, value);
    }
  return TRUE;
}

/* Counts the layers of a file without a list: every n-th layer has attention, or those whose numbers
 * are in attn_layer_indices (Bamba). */
static gboolean
count_regular (PlgHfConfig *config, PlgHybridLayers *layers, PlgHfSource *source)
{
  static PlgHfNames intervals = { "full_attention_interval" };
  const PlgJsonValue *indices = plg_json_find (config->block, "attn_layer_indices");
  gint64 interval = USUAL_INTERVAL, attention = 0, others;

  if (indices != NULL && indices->kind == PLG_JSON_ARRAY)
    {
      g_hash_table_add (config->used, (gpointer) indices);
      *source = (PlgHfSource) { indices->name, indices->line };
      attention = MIN ((gint64) indices->n, config->layers);
    }
  else if (config->kind.mixer == PLG_MIXER_MAMBA2)
    return plg_format_fail (config->block->line, PLG_FORMAT_ERROR_CONTENT, config->error,
                            _ ("The file does not say which layers have attention; add %s."),
                            "layers_block_type");
  else
    {
      if (!plg_hf_get_int (config, intervals, &interval, source))
        return FALSE;
      if (interval < 1)
        return plg_format_fail (source->line, PLG_FORMAT_ERROR_CONTENT, config->error,
                                _ ("%s is %lld; it must be at least 1."), source->name,
                                (long long) interval);
      attention = config->layers / interval;
    }
  others = config->layers - attention;
  layers->attention = (int) attention;
  if (config->kind.mixer == PLG_MIXER_MAMBA2)
    layers->mamba = (int) others;
  else
    layers->delta_net = (int) others;
  return TRUE;
}

gboolean
plg_hf_read_mixer (PlgHfConfig *config)
{
  static const char *const lists[] = { "hybrid_override_pattern", "layers_block_type",
                                       "layer_types" };
  gboolean is_mamba = config->kind.mixer == PLG_MIXER_MAMBA2, gates = config->kind.gates_attention;
  const Dimension *dimensions = is_mamba ? mamba_dimensions : delta_net_dimensions;
  const PlgJsonValue *list = NULL;
  PlgHybridLayers layers = { 0 };
  PlgHfSource source = { lists[2], 0 }, gate;
  int total;

  if (config->kind.mixer == PLG_MIXER_NONE)
    return TRUE;
  if (!plg_hf_get_boolean (config, "attn_output_gate", &gates, &gate))
    return FALSE;
  if (gates &&
      !(gate.line > 0
            ? plg_import_set (config->context, gate.line, "model.attention-gate", "true",
                              config->error)
            : plg_import_infer (config->context, 0, "model.attention-gate", "true",
                                _ ("Models of this type have this value."), config->error)))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (lists) && list == NULL; i++)
    {
      list = plg_json_find (config->block, lists[i]);
      if (list != NULL && list->kind == PLG_JSON_NULL)
        list = NULL;
    }
  if (list != NULL)
    {
      source = (PlgHfSource) { list->name, list->line };
      if (!count_list (config, list, &layers))
        return FALSE;
    }
  else if (!count_regular (config, &layers, &source))
    return FALSE;
  total = plg_hybrid_layers_total (&layers);
  if (layers.mamba + layers.delta_net == 0 && layers.mlps + layers.experts == 0)
    /* Some models of a hybrid type have attention in all layers. */
    return total >= config->layers ||
           plg_format_fail (source.line, PLG_FORMAT_ERROR_CONTENT, config->error,
                            _ ("%s has %d entries for %lld layers; it must have one for each "
                               "layer."),
                            source.name, total, (long long) config->layers);
  if (!plg_hybrid_layers_set (&layers, layers.mlps + layers.experts > 0, config->context,
                              source.line, source.name, config->error))
    return FALSE;
  if (total != config->layers)
    plg_import_note (config->context, PLG_NOTE_IGNORED, source.line,
                     _ ("%s has %d entries for %lld layers; the other layers of the plan have "
                        "the mixer."),
                     source.name, total, (long long) config->layers);
  for (guint i = 0; i < G_N_ELEMENTS (mamba_dimensions); i++)
    {
      gint64 number = 0;

      if (!plg_hf_read_int (config, dimensions[i].names, dimensions[i].key, &number))
        return FALSE;
    }
  return TRUE;
}
