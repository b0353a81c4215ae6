/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/node-topology.h"

G_BEGIN_DECLS

/* What who READs a file finds otherwise in the map of a node than MAP has it: a sentence
 * (translated), or NULL. g_free(). */
char *plg_node_map_diff_text (const PlgNodeTopology *map, const PlgNodeTopology *read);

G_END_DECLS
