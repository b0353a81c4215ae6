/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format.h"

G_BEGIN_DECLS

/* A script that each rank runs: Megatron-LM with all that the plan says of model, training and
 * degrees, in arrays. Data, tokenizer and learning rate come with the call. ERROR for what
 * Megatron-LM does not have or refuses. */
GBytes *plg_megatron_write (const PlgExportContext *export, GError **error);

/* In front of a plan's training.kernels where that is auto and its guess is not what Megatron-LM
 * runs: no option says so, and the reader takes it back. */
#define PLG_MEGATRON_KERNELS "# The plan's training.kernels is "
void plg_megatron_comment_kernels (GString *out, const PlgPlan *plan);

/* Whether Megatron Core can run PLAN: its order of ranks, schedule, and how layers, sequence and
 * experts divide. ERROR says what it cannot, and what would be right. */
gboolean plg_megatron_check (const PlgPlan *plan, GError **error);
/* Whether ranks count stages before replicas, as --use-tp-pp-dp-mapping has it. */
gboolean plg_megatron_maps_stages_first (const PlgPlan *plan);

G_END_DECLS
