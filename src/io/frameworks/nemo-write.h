/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

G_BEGIN_DECLS

/* The start of a comment that records the numbers of nodes and GPUs. Both are arguments of
 * Megatron-Bridge's launcher, so the configuration itself has no keys for them. */
#define PLG_NEMO_NODES "# Megatron-Bridge on "

/* Writes a Megatron-Bridge configuration. */
GBytes *plg_nemo_write (const PlgExportContext *export, GError **error);

G_END_DECLS
