/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

G_BEGIN_DECLS

/* Writes a script that each rank runs. The script starts Megatron-LM with the plan's model,
 * training and degrees; data, tokenizer and learning rate are arguments of the script. Fails if
 * Megatron-LM lacks or rejects a feature of the plan. */
GBytes *plg_megatron_write (const PlgExportContext *export, GError **error);

/* The start of a comment that records that the plan's training.kernels is fused. Megatron-LM's
 * options cannot express this. */
#define PLG_MEGATRON_KERNELS "# The plan's training.kernels is "
void plg_megatron_comment_kernels (GString *out, const PlgPlan *plan);

/* Checks that Megatron Core can run the plan: its rank order, its pipeline schedule, its split
 * of layers and sequences, and its training settings. The error names each problem and its
 * remedy. */
gboolean plg_megatron_check (const PlgPlan *plan, GError **error);
/* Returns whether the plan's rank order numbers the pipeline stages before the data-parallel
 * replicas. Such an order needs --use-tp-pp-dp-mapping. */
gboolean plg_megatron_maps_stages_first (const PlgPlan *plan);

/* Returns --moe-layer-freq, a list such as “([0]*3+[1]*58)”; NULL if all layers have experts. Free with
 * g_free(). */
char *plg_megatron_moe_layers (const PlgTransformer *model);
/* Returns --linear-attention-freq of a model with gated delta nets, a number or a list such as
 * “(([1]*2+[0]*1)*7+[1]*6)” with a 0 for each layer with attention. Free with g_free(). */
char *plg_megatron_linear_layers (const PlgTransformer *model);
/* Megatron-LM's names of the recomputed modules, in the order of PlgModule. */
extern const char *const plg_megatron_module_names[PLG_N_MODULES];
/* The values of --muon-tp-mode, indexed by PlgMuonTp. */
extern const char *const plg_megatron_muon_modes[PLG_N_MUON_TPS];
/* The options of the plan's dispatcher, by PlgDispatcher. The second is %NULL if there is none. */
extern const char *const plg_megatron_dispatcher_types[PLG_N_DISPATCHERS];
extern const char *const plg_megatron_dispatcher_backends[PLG_N_DISPATCHERS];
/* Returns Megatron-LM's names of the modules that selective recompute repeats in PLAN, with
 * SEPARATOR between them. The text is empty if PLAN has no or full recompute. Free with g_free(). */
char *plg_megatron_modules (const PlgPlan *plan, const char *separator);

G_END_DECLS
