/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format.h"

G_BEGIN_DECLS

/* The format that DATA, which none takes for its own, has the most signs of, however they are
 * spelled (numHiddenLayers for num_hidden_layers); those written in SYNTAX come first. NULL: it has
 * none of any. Only the beginning of DATA is looked at. */
const PlgFormat *plg_format_suggest (const char *data, gsize size, PlgSyntax syntax);

G_END_DECLS
