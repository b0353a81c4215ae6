/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/tables/table.h"

G_BEGIN_DECLS

/* Adds a context menu to the rows of TABLE. Each row is a collective in the report. The menu
 * activates "win.play-this-collective" with the row number as an "i" parameter. */
void plg_collective_menu_attach (PlgTable *table);

G_END_DECLS
