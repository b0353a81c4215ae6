/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

G_BEGIN_DECLS

/* Begins a comment with the number of nodes, which only the launcher of Megatron-Bridge gets. */
#define PLG_NEMO_NODES "# Megatron-Bridge on "

/* Writes a configuration of Megatron-Bridge. */
GBytes *plg_nemo_write (const PlgExportContext *export, GError **error);

G_END_DECLS
