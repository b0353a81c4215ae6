/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/pictures/picture-view.h"
#include "widgets/pictures/player.h"

G_BEGIN_DECLS

/* Makes the timeline in VIEW the face of PLAYER: a press or a drag goes to the second under the
 * pointer, keys step while VIEW has the focus, and its cursor follows. */
void plg_timeline_seek_install (PlgPictureView *view, PlgPlayer *player);

G_END_DECLS
