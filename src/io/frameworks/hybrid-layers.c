/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/hybrid-layers.h"

#include "io/import/format.h"

#include <glib/gi18n-lib.h>

gboolean
plg_hybrid_layers_add (PlgHybridLayers *layers, char letter)
{
  int *count = letter == 'M'   ? &layers->mamba
               : letter == 'G' ? &layers->delta_net
               : letter == '*' ? &layers->attention
               : letter == '-' ? &layers->mlps
               : letter == 'E' ? &layers->experts
                               : NULL;

  if (count == NULL || *count == G_MAXINT)
    return FALSE;
  (*count)++;
  return TRUE;
}

int
plg_hybrid_layers_total (const PlgHybridLayers *layers)
{
  return layers->mamba + layers->delta_net + layers->attention + layers->mlps + layers->experts;
}

gboolean
plg_hybrid_layers_set (const PlgHybridLayers *layers,
                       gboolean is_apart,
                       PlgImportContext *context,
                       int line,
                       const char *name,
                       GError **error)
{
  static const char *const of_experts[] = { "model.experts", "model.top-k", "model.expert-ffn",
                                            "model.shared-experts", "model.dense-layers" };

  if (layers->mamba > 0 && layers->delta_net > 0)
    return plg_format_fail (
        line, PLG_FORMAT_ERROR_CONTENT, error,
        _ ("%s has %d layers with Mamba-2 and %d with a gated delta net. A plan "
           "has one kind of mixer."),
        name, layers->mamba, layers->delta_net);
  if (layers->mlps > 0 && layers->experts > 0)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s has %d MLP layers and %d layers with experts. In a hybrid plan, "
                               "they are all of one kind."),
                            name, layers->mlps, layers->experts);
  if (layers->mamba + layers->delta_net == 0)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s has neither Mamba-2 nor gated delta nets. Describe such a model "
                               "by its number of layers."),
                            name);
  if (!plg_import_set (context, line, "model.mixer",
                       layers->mamba > 0 ? "mamba2" : "gated-delta-net", error) ||
      !plg_import_set_int (context, line, "model.attention-layers", layers->attention, error) ||
      !plg_import_set_int (context, line, "model.mlp-layers", layers->mlps + layers->experts,
                           error))
    return FALSE;
  if (!is_apart || layers->experts > 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (of_experts); i++)
    if (!plg_import_set_int (context, line, of_experts[i], 0, error))
      return FALSE;
  return layers->mlps > 0 || plg_import_set_int (context, line, "model.ffn", 0, error);
}

/* Returns how many of N items, each in the middle of its share of TOTAL places, are among the first I
 * places. */
static int
spread (int n, int i, int total)
{
  return (int) ((2 * (gint64) n * i + total) / (2 * (gint64) total));
}

char *
plg_hybrid_layers_pattern (const PlgTransformer *model)
{
  int attention = plg_transformer_attention_layers (model);
  int sequence = attention + plg_transformer_mixer_layers (model);
  int mlps = model->layers - sequence;
  char mixer = model->mixer == PLG_MIXER_MAMBA2 ? 'M' : 'G';
  char mlp = plg_transformer_is_moe (model) ? 'E' : '-';
  GString *pattern = g_string_new (NULL);

  for (int i = 0; i < sequence; i++)
    {
      gboolean attends = spread (attention, i + 1, sequence) > spread (attention, i, sequence);

      g_string_append_c (pattern, attends ? '*' : mixer);
      for (int j = spread (mlps, i, sequence); j < spread (mlps, i + 1, sequence); j++)
        g_string_append_c (pattern, mlp);
    }
  return g_string_free (pattern, FALSE);
}
