/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/tables/table.h"

G_BEGIN_DECLS

/* Gives the rows of TABLE, which stand for the collectives of the report, a menu; it asks for the
 * window's action "win.play-this-collective" (i: the row). */
void plg_collective_menu_attach (PlgTable *table);

G_END_DECLS
