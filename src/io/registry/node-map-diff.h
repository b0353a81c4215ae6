/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/node-topology.h"

G_BEGIN_DECLS

/* The differences between MAP and the node topology READ back from a file, as a translated
 * sentence, or NULL. g_free(). */
char *plg_node_map_diff_text (const PlgNodeTopology *map, const PlgNodeTopology *read);

G_END_DECLS
