/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

G_BEGIN_DECLS

/* The start of a comment with the number of nodes, which is an argument of Megatron-Bridge's
 * launcher and not part of the configuration. */
#define PLG_NEMO_NODES "# Megatron-Bridge on "

/* Writes a Megatron-Bridge configuration. */
GBytes *plg_nemo_write (const PlgExportContext *export, GError **error);

G_END_DECLS
