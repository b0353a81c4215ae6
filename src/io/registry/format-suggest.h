/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/registry.h"

G_BEGIN_DECLS

/* The format of which the beginning of DATA contains the most characteristic words, in any spelling
 * (numHiddenLayers for num_hidden_layers). Formats in SYNTAX win; NULL if DATA has none. */
const PlgFormat *plg_format_suggest (const char *data, gsize size, PlgSyntax syntax);

G_END_DECLS
