/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/pictures/picture-view.h"

G_BEGIN_DECLS

/* plg_stage_edges_install:
 * @view: a timeline or a picture of memory, whose rows are stages
 *
 * Lets people move layers between neighbouring stages. The edge between two rows can be dragged:
 * each 10 pixels move a layer, and the stage on the side from which the pointer comes gets it. Up
 * and Down select a stage; Ctrl+Shift+Up and Ctrl+Shift+Down move a layer of the selected stage to
 * the stage before or after it. In a timeline, edges between low rows are only beside the names of
 * the stages, because a press on the rows sets the time. */
void plg_stage_edges_install (PlgPictureView *view);

G_END_DECLS
