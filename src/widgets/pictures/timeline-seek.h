/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/pictures/picture-view.h"
#include "widgets/pictures/player.h"

G_BEGIN_DECLS

/* Connects the timeline in @view to @player. A press or a drag moves @player to the time under
 * the pointer. The keys of @player work while @view has the focus. The cursor shows the time of
 * @player. */
void plg_timeline_seek_install (PlgPictureView *view, PlgPlayer *player);

G_END_DECLS
