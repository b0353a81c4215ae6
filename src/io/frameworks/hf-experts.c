/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/hf-experts.h"
#include "io/import/format.h"

#include <glib/gi18n-lib.h>

static PlgHfNames names_experts = { "n_routed_experts", "num_local_experts", "num_experts" };
static PlgHfNames names_top_k = { "num_experts_per_tok", "num_selected_experts",
                                  "experts_per_token" };
static PlgHfNames names_expert_ffn = { "moe_intermediate_size" };
static PlgHfNames names_shared = { "n_shared_experts" };
static PlgHfNames names_shared_ffn = { "shared_expert_intermediate_size",
                                       "moe_shared_expert_intermediate_size",
                                       "shared_intermediate_size" };
static PlgHfNames names_latent = { "moe_latent_size" };
static PlgHfNames names_groups = { "n_group" };
static PlgHfNames names_top_groups = { "topk_group" };
static PlgHfNames names_dense = { "first_k_dense_replace" };

/* The rule for the layers with experts. A layer has experts if its number is at least FIRST, is
 * selected by STEP and FROM_FIRST, and is not in WITHOUT. */
typedef struct
{
  gint64 first;
  gint64 step;
  gboolean from_first; /* TRUE if layers 0, STEP, 2 × STEP and so on have experts; FALSE if
                          layers STEP - 1, 2 × STEP - 1 and so on have experts */
  GHashTable *without; /* set of the layer numbers in mlp_only_layers, a list of layers without
                          experts */
} Pattern;

/* Returns the source that is further down in the file. */
static PlgHfSource
later_source (PlgHfSource a, PlgHfSource b)
{
  return b.line > a.line ? b : a;
}

/* Reads which layers have experts. Sets *SOURCE to one of the file's members that determine
 * these layers, so that a note can refer to its line. */
static gboolean
read_pattern (PlgHfConfig *config, Pattern *pattern, PlgHfSource *source)
{
  static PlgHfNames steps = { "decoder_sparse_step", "interleave_moe_layer_step" };
  static PlgHfNames frequency = { "moe_layer_freq" };
  const PlgJsonValue *list = plg_json_find (config->block, "mlp_only_layers");
  PlgHfSource other, step;

  pattern->step = 1;
  if (!plg_hf_get_int (config, names_dense, &pattern->first, source) ||
      !plg_hf_get_int (config, frequency, &pattern->step, &other) ||
      !plg_hf_get_int (config, steps, &pattern->step, &step))
    return FALSE;
  pattern->from_first = other.line > 0;
  other = later_source (other, step);
  if (pattern->step < 1)
    return plg_format_fail (other.line, PLG_FORMAT_ERROR_CONTENT, config->error,
                            _ ("%s is %lld; it must be at least 1."), other.name,
                            (long long) pattern->step);
  *source = pattern->step > 1 ? later_source (*source, other) : *source;

  if (list == NULL)
    return TRUE;
  g_hash_table_add (config->used, (gpointer) list);
  if (!plg_json_as_array (list, config->error))
    return FALSE;
  if (list->n > 0)
    *source = (PlgHfSource) { list->name, list->line };
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

/* Reads the number of shared experts or their total width. */
static gboolean
read_shared_experts (PlgHfConfig *config, gint64 expert_ffn)
{
  gint64 shared = 0, width = 0;
  PlgHfSource source, number;

  if (!plg_hf_get_int (config, names_shared, &shared, &number) ||
      !plg_hf_get_int (config, names_shared_ffn, &width, &source))
    return FALSE;
  /* Nemotron has a number and a width, which is that of all shared experts together. */
  if (number.line > 0 && (source.line == 0 || width == 0))
    return plg_hf_set_int (config, number, "model.shared-experts", shared);
  if (shared == 0 && width == 0 && config->kind.shared > 0)
    return plg_hf_infer_int (config, (PlgHfSource) { *names_shared, 0 }, "model.shared-experts",
                             config->kind.shared, _ ("Models of this type have shared experts."));
  if (source.line == 0 || width == 0)
    return TRUE;
  if (width == expert_ffn * (width / MAX (expert_ffn, 1)))
    return plg_hf_infer_int (config, source, "model.shared-experts", width / expert_ffn,
                             _ ("The width in the file is that of all shared experts together."));
  return plg_hf_infer_int (config, source, "model.shared-experts",
                           (width + MAX (expert_ffn, 1) - 1) / MAX (expert_ffn, 1),
                           _ ("The width in the file is not a multiple of one expert's width. A "
                              "plan has only whole experts, so their number is rounded up."));
}

/* Reads how many groups of experts a token may use. Many files have one group, which is no limit. */
static gboolean
read_groups (PlgHfConfig *config)
{
  gint64 groups = 0, top = 0;
  PlgHfSource source, top_source;

  if (!plg_hf_get_int (config, names_groups, &groups, &source) ||
      !plg_hf_get_int (config, names_top_groups, &top, &top_source))
    return FALSE;
  if (source.line == 0 || top_source.line == 0 || groups < 2)
    return TRUE;
  return plg_hf_set_int (config, source, "model.expert-groups", groups) &&
         plg_hf_set_int (config, top_source, "model.top-groups", top);
}

gboolean
plg_hf_read_experts (PlgHfConfig *config)
{
  g_autoptr (GHashTable) without = g_hash_table_new (NULL, NULL);
  Pattern pattern = { .without = without };
  gint64 experts = 0, number = 0, expert_ffn = 0, dense = 0, leading = 0, every = 1;
  g_autofree gboolean *has_experts = NULL;
  gboolean is_regular = TRUE;
  PlgHfSource source;

  if (!plg_hf_get_int (config, names_latent, &number, &source))
    return FALSE;
  if (number > 0)
    return plg_format_fail (source.line, PLG_FORMAT_ERROR_CONTENT, config->error,
                            _ ("%s is %lld, so experts process compressed tokens. A plan supports "
                               "only experts that process whole tokens."),
                            source.name, (long long) number);
  if (!plg_hf_get_int (config, names_experts, &experts, &source))
    return FALSE;
  if (source.line == 0 || experts == 0)
    return TRUE;
  if (!plg_hf_set_int (config, source, "model.experts", experts) ||
      !plg_hf_read_int (config, names_top_k, "model.top-k", &number) ||
      !plg_hf_get_int (config, names_expert_ffn, &expert_ffn, &source))
    return FALSE;
  if (source.line == 0)
    {
      if (!plg_hf_require_int (config, plg_hf_names_ffn, &expert_ffn, &source) ||
          !plg_hf_infer_int (
              config, source, "model.expert-ffn", expert_ffn,
              _ ("The file has no separate width for experts, so intermediate_size is used.")))
        return FALSE;
    }
  else if (!plg_hf_set_int (config, source, "model.expert-ffn", expert_ffn))
    return FALSE;
  if (!read_shared_experts (config, expert_ffn) || !read_groups (config) ||
      !read_pattern (config, &pattern, &source))
    return FALSE;

  has_experts = g_new0 (gboolean, config->layers);
  for (gint64 i = 0; i < config->layers; i++)
    {
      has_experts[i] = i >= pattern.first &&
                       !g_hash_table_contains (without, GINT_TO_POINTER ((int) i)) &&
                       (pattern.from_first ? i : i + 1) % pattern.step == 0;
      leading += !has_experts[i] && leading == i;
      dense += !has_experts[i];
    }
  while (leading + every < config->layers && !has_experts[leading + every])
    every++;
  for (gint64 i = leading; i < config->layers && is_regular; i++)
    is_regular = has_experts[i] == ((i - leading) % every == 0);
  if (is_regular)
    return (leading == 0 || plg_hf_set_int (config, source, "model.dense-layers", leading)) &&
           (every == 1 || plg_hf_set_int (config, source, "model.moe-every", every));
  return plg_hf_infer_int (
      config, source, "model.dense-layers", dense,
      _ ("The file alternates layers with and without experts in a way that a "
         "plan cannot describe. The plan has all layers without experts first, "
         "so the totals are right, but the stages differ slightly."));
}
