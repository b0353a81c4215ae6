/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/hybrid-layers.h"
#include "io/frameworks/megatron-private.h"
#include "io/import/format.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Reads the layers without attention of Megatron-LM's hybrid models: a pattern of letters
 * (core/ssm/mamba_hybrid_layer_allocation.py), and gated delta nets in place of attention
 * (--experimental-attention-variant, core/ssm/gated_delta_net.py). */

#define SHOWN_CHARACTERS 40

/* Counts the layers of a pattern, in which | separates stages and / begins the MTP layers. Sets
 * *N_MTP to the number of MTP layers. */
static gboolean
count_pattern (PlgMegatron *self, const PlgOption *option, PlgHybridLayers *layers, int *n_mtp)
{
  gboolean is_main = TRUE;

  *n_mtp = 0;
  for (const char *letter = option->value; *letter != '\0'; letter++)
    {
      if (*letter == '/')
        {
          is_main = FALSE;
          *n_mtp += letter[1] != '\0' && letter[1] != '/';
        }
      else if (is_main && *letter != '|' && !plg_hybrid_layers_add (layers, *letter))
        {
          g_autofree char *shown = plg_text_excerpt (option->value, SHOWN_CHARACTERS);

          return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, self->error,
                                  _ ("%s is “%s”; it must have one letter for each layer: M, G, *, "
                                     "- or E."),
                                  option->shown, shown);
        }
    }
  return TRUE;
}

static gboolean
read_pattern (PlgMegatron *self, const PlgOption *option)
{
  static const PlgMegatronValue sizes[] = {
    { "mamba-head-dim", "model.mixer-head-dim", "64" },
    { "mamba-num-groups", "model.mixer-groups", "8" },
    { "mamba-state-dim", "model.mixer-state", "128" },
  };
  const PlgOption *heads = plg_megatron_find (self, "mamba-num-heads");
  PlgHybridLayers layers = { 0 };
  int n_mtp, total;

  if (!count_pattern (self, option, &layers, &n_mtp))
    return FALSE;
  total = plg_hybrid_layers_total (&layers);
  if (plg_megatron_find (self, "num-layers") == NULL &&
      !plg_import_set_int (self->context, option->line, "model.layers", total, self->error))
    return plg_import_error_rename (option->line, "model.layers", option->shown, self->error);
  if (total != plg_megatron_get_current (self, "model.layers"))
    plg_import_note (self->context, PLG_NOTE_IGNORED, option->line,
                     _ ("%s has %d letters for %lld layers; the other layers of the plan have the "
                        "mixer."),
                     option->shown, total,
                     (long long) plg_megatron_get_current (self, "model.layers"));
  if (n_mtp > 0 && plg_megatron_find (self, "mtp-num-layers") == NULL &&
      !plg_import_set_int (self->context, option->line, "model.mtp-layers", n_mtp, self->error))
    return FALSE;
  if (!plg_hybrid_layers_set (&layers, TRUE, self->context, option->line, option->shown,
                              self->error))
    return FALSE;
  if (layers.mamba == 0)
    return TRUE;
  if (!plg_megatron_set_values (self, sizes, G_N_ELEMENTS (sizes), TRUE))
    return FALSE;
  if (heads != NULL && !heads->off)
    {
      if (!plg_options_set (self->options, heads, "model.mixer-heads", self->error))
        return FALSE;
    }
  else
    {
      /* The inner width is twice the hidden size (core/ssm/mamba_mixer.py). */
      gint64 width = MAX (plg_megatron_get_current (self, "model.mixer-head-dim"), 1);
      g_autofree char
          *usual = g_strdup_printf ("%lld",
                                    (long long) (2 *
                                                 plg_megatron_get_current (self, "model.hidden") /
                                                 width));

      if (!plg_megatron_set_default (self, "model.mixer-heads", usual))
        return FALSE;
    }
  return plg_megatron_set_default (self, "model.mixer-conv", "4");
}

static gboolean
read_delta_net_sizes (PlgMegatron *self)
{
  static const PlgMegatronValue sizes[] = {
    { "linear-num-value-heads", "model.mixer-heads", "32" },
    { "linear-value-head-dim", "model.mixer-head-dim", "128" },
    { "linear-num-key-heads", "model.mixer-groups", "16" },
    { "linear-key-head-dim", "model.mixer-state", "128" },
    { "linear-conv-kernel-dim", "model.mixer-conv", "4" },
  };

  return plg_megatron_set_values (self, sizes, G_N_ELEMENTS (sizes), TRUE);
}

/* --linear-attention-freq is a number N that lets every Nth layer keep attention, or a list with a 0
 * for each such layer (core/models/gpt/experimental_attention_variant_module_specs.py). */
static gboolean
read_delta_net (PlgMegatron *self, const PlgOption *variant)
{
  const PlgOption *frequency = plg_megatron_find (self, "linear-attention-freq");
  gint64 layers = plg_megatron_get_current (self, "model.layers"), every = 0, attention = 0;
  g_autofree char *listed = g_new0 (char, PLG_MEGATRON_MAX_LAYERS);
  int n = frequency != NULL ? plg_megatron_read_list (frequency, listed) : 0;

  if (!plg_import_set (self->context, variant->line, "model.mixer", "gated-delta-net",
                       self->error) ||
      !read_delta_net_sizes (self))
    return FALSE;
  for (int i = 0; i < n; i++)
    attention += !listed[i];
  if (frequency != NULL && n == 0)
    {
      if (!plg_options_get_number (self->options, frequency, &every, self->error))
        return FALSE;
      if (frequency->unknown == NULL && every < 1)
        return plg_format_fail (frequency->line, PLG_FORMAT_ERROR_CONTENT, self->error,
                                _ ("%s is %lld; it must be at least 1."), frequency->shown,
                                (long long) every);
      attention = every > 0 ? layers / every : 0;
    }
  return plg_import_set_int (self->context, frequency != NULL ? frequency->line : variant->line,
                             "model.attention-layers", attention, self->error) &&
         plg_import_set_int (self->context, 0, "model.mlp-layers", 0, self->error);
}

/* Versions of 2024 have shares of the layers instead of a pattern. */
static gboolean
read_ratios (PlgMegatron *self, const PlgOption *is_hybrid)
{
  static const char *const names[] = { "hybrid-attention-ratio", "hybrid-mlp-ratio" };
  gint64 total = plg_megatron_get_current (self, "model.layers");
  double counts[G_N_ELEMENTS (names)] = { 0 };
  g_autoptr (GString) pattern = g_string_new (NULL);
  PlgOption option = *is_hybrid;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PlgOption *ratio = plg_megatron_find (self, names[i]);

      if (ratio == NULL || ratio->value == NULL)
        continue;
      counts[i] = rint (total * CLAMP (g_ascii_strtod (ratio->value, NULL), 0.0, 1.0));
    }
  for (gint64 i = 0; i < MIN (total, PLG_MEGATRON_MAX_LAYERS); i++)
    g_string_append_c (pattern, i < counts[0] ? '*' : i < counts[0] + counts[1] ? '-' : 'M');
  option.value = pattern->str;
  return read_pattern (self, &option);
}

gboolean
plg_megatron_read_mixer (PlgMegatron *self)
{
  const PlgOption *pattern = plg_megatron_find (self, "hybrid-layer-pattern");
  const PlgOption *variant = plg_megatron_find (self, "experimental-attention-variant");
  const PlgOption *is_hybrid = plg_megatron_find (self, "is-hybrid-model");

  if (!plg_megatron_set_flag (self, "attention-output-gate", "model.attention-gate", FALSE,
                              self->model &&
                                  plg_megatron_get_current (self, "model.attention-gate") != 0))
    return FALSE;
  if (pattern != NULL && !pattern->off)
    return pattern->unknown != NULL || pattern->value == NULL
               ? plg_options_set (self->options, pattern, "model.attention-layers", self->error)
               : read_pattern (self, pattern);
  if (variant != NULL && g_strcmp0 (variant->value, "gated_delta_net") == 0)
    return read_delta_net (self, variant);
  if (is_hybrid != NULL && !is_hybrid->off)
    return read_ratios (self, is_hybrid);
  return !self->model || plg_megatron_get_current (self, "model.mixer") == 0 ||
         plg_megatron_set_default (self, "model.mixer", "none");
}
