/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* The layers of a hybrid model, by kind. Files list them by letters (Megatron-LM,
 * core/ssm/mamba_hybrid_layer_allocation.py): M for Mamba-2, G for a gated delta net, * for attention,
 * - for an MLP, E for experts. */
typedef struct
{
  int mamba;
  int delta_net;
  int attention;
  int mlps;
  int experts;
} PlgHybridLayers;

/* Counts a layer of the kind LETTER. Returns FALSE for an unknown letter. */
gboolean plg_hybrid_layers_add (PlgHybridLayers *layers, char letter);
int plg_hybrid_layers_total (const PlgHybridLayers *layers);

/* plg_hybrid_layers_set:
 * @is_apart: whether MLPs and experts are layers of their own; if not, each layer has an MLP or experts
 * @name: the option or member that lists the layers
 *
 * Sets the mixer of the plan and the numbers of its layers. Fails if a plan cannot have these layers.
 */
gboolean plg_hybrid_layers_set (const PlgHybridLayers *layers,
                                gboolean is_apart,
                                PlgImportContext *context,
                                int line,
                                const char *name,
                                GError **error);

/* Returns the letters of the layers of MODEL, whose attention and MLPs are spread evenly. The caller
 * frees the text. */
char *plg_hybrid_layers_pattern (const PlgTransformer *model);

G_END_DECLS
