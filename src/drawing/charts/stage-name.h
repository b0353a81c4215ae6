/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* The name of a row for a stage. */
typedef enum
{
  PLG_STAGE_NAME_NUMBER, /* "stage 0" */
  PLG_STAGE_NAME_LAYERS, /* "stage 0: E + 5": with the layers of all chunks */
  PLG_STAGE_NAME_CHUNKS, /* "stage 0: E + 2 | 3": with the layers of each of two chunks */
} PlgStageNameForm;

/* Returns the name of a row for STAGE. Layers are written in the letters of a layout
 * (plan/stage-layout.h): E is the embedding, m an MTP layer and L the loss. Free with g_free(). */
char *plg_stage_name (const PlgPlan *plan, int stage, PlgStageNameForm form);

/* Returns the longest form in which the names of all stages are at most ROOM [points] wide in font
 * size SIZE. Layers are shown in the window, and in files if the layout is set by hand, but not if
 * another plan is drawn on the same scale. */
PlgStageNameForm plg_stage_name_form (const PlgPlan *plan,
                                      const PlgPictureOptions *options,
                                      double room,
                                      double size);

G_END_DECLS
