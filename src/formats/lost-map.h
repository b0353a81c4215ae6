/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/node-map.h"

G_BEGIN_DECLS

/* What who READs a file finds otherwise in the map of a node than MAP has it: a sentence
 * (translated), or NULL. g_free(). */
char *plg_lost_map_text (const PlgNodeMap *map, const PlgNodeMap *read);

G_END_DECLS
