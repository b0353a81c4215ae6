/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/registry.h"

G_BEGIN_DECLS

/* Returns the format with the most characteristic words at the beginning of DATA, in any
 * spelling (numHiddenLayers for num_hidden_layers). Formats with the syntax SYNTAX take
 * precedence. Returns NULL if DATA contains no such word. */
const PlgFormat *plg_format_suggest (const char *data, gsize size, PlgSyntax syntax);

G_END_DECLS
