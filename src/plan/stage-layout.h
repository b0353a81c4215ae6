/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The layers of each virtual stage, set by hand. Virtual stages are numbered in the order of the
 * model's layers. The embedding is always in the first one and the loss in the last one, as
 * Megatron-LM requires (megatron/core/transformer/pipeline_parallel_layer_layout.py).
 *
 * The text form is that of Megatron-LM's option --pipeline-model-parallel-layout: E is the
 * embedding, t a layer, m an MTP layer and L the loss; “|” ends a virtual stage, “x*3” repeats a
 * letter, “(tt|)*3” repeats a group, and commas have no meaning. For example, “Et*3|(tt|)*29,m|L”
 * has 32 virtual stages. */

#define PLG_MAX_LAYOUT_STAGES 512
#define PLG_MAX_LAYOUT_LAYERS 10000

typedef struct
{
  int stages;     /* number of virtual stages; 0 for no layout */
  int mtp;        /* the virtual stage of the MTP layers; the last one if there are none */
  int mtp_layers; /* number of MTP layers */
  guint16 layers[PLG_MAX_LAYOUT_STAGES]; /* number of layers of each virtual stage, without MTP */
} PlgStageLayout;

/* Sets LAYOUT from TEXT. An empty TEXT is no layout. If TEXT is not valid, returns FALSE with an
 * error (#PlgPlanError) that names the character and its position, and leaves LAYOUT unchanged. */
gboolean plg_stage_layout_from_string (PlgStageLayout *layout, const char *text, GError **error);
/* Returns LAYOUT in the shortest text form that has one repeated group for equal neighbours, or
 * an empty string for no layout. Free with g_free(). */
char *plg_stage_layout_to_string (const PlgStageLayout *layout);
gboolean plg_stage_layout_equal (const PlgStageLayout *a, const PlgStageLayout *b);

/* Returns the number of layers in the virtual stages before virtual stage I, without MTP. */
int plg_stage_layout_before (const PlgStageLayout *layout, int i);

G_END_DECLS
