/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/pictures/picture-view.h"
#include "widgets/pictures/player.h"

G_BEGIN_DECLS

/* Connects the timeline in @view to @player. A press or a drag goes to the time under the
 * pointer, the keys of the player work while @view has the focus, and the cursor follows the
 * player. */
void plg_timeline_seek_install (PlgPictureView *view, PlgPlayer *player);

G_END_DECLS
