/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

G_BEGIN_DECLS

/* Writes a script that each rank runs: Megatron-LM with the plan's model, training and degrees as
 * arguments. Data, tokenizer and learning rate come from the caller; features that Megatron-LM
 * lacks or rejects are errors. */
GBytes *plg_megatron_write (const PlgExportContext *export, GError **error);

/* Begins a comment with the plan's training.kernels, if it is auto and its guess differs from
 * Megatron-LM's kernels. No option has the value, so the reader uses the comment. */
#define PLG_MEGATRON_KERNELS "# The plan's training.kernels is "
void plg_megatron_comment_kernels (GString *out, const PlgPlan *plan);

/* Checks that Megatron Core can run the plan: the order of ranks, the schedule, and the divisions
 * of layers, sequence and experts. The error names each problem and its remedy. */
gboolean plg_megatron_check (const PlgPlan *plan, GError **error);
/* Returns whether ranks count stages before replicas, as with --use-tp-pp-dp-mapping. */
gboolean plg_megatron_maps_stages_first (const PlgPlan *plan);

G_END_DECLS
