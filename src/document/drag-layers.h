/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* A movement of layers across the edge between two neighbouring stages. */
typedef struct
{
  int stage;  /* the stage before the edge; the next stage is after the edge */
  int chunk;  /* the chunk of both stages whose layers move; -1 for the chunk in which the stage
                 that gives layers has the most, chosen again for each layer */
  int layers; /* number of layers that STAGE gets from the next stage; negative if STAGE gives
                 layers to the next stage */
} PlgLayerMove;

/* plg_drag_layers_move:
 * @plan: a plan that passes plg_plan_check(); gets a layout by hand (plan/stage-layout.h) that
 *   starts from its present division of layers
 * @limit: (out) (nullable): why fewer layers have moved than @move says; %NULL if all have moved.
 *   Free with g_free()
 *
 * Moves layers one by one, as far as they stay a valid plan. When the last virtual stage has no
 * layer left, its MTP layers move together, as the next layer would, if the schedule allows that.
 * The embedding and the loss never move.
 *
 * Returns: the number of single movements, without sign */
int plg_drag_layers_move (PlgPlan *plan, const PlgLayerMove *move, char **limit);

/* Returns the layers on both sides of the edge of MOVE, for example "Stage 2: 21 layers · stage 3:
 * 19 layers". Free with g_free(). */
char *plg_drag_layers_title (const PlgPlan *plan, const PlgLayerMove *move);

G_END_DECLS
