/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format.h"

G_BEGIN_DECLS

/* Megatron-Bridge is told by its launcher how many nodes there are, so our own file says it in a
 * comment. */
#define PLG_NEMO_NODES "# Megatron-Bridge on "

/* The configuration of Megatron-Bridge. */
GBytes *plg_nemo_write (const PlgExportContext *export, GError **error);

G_END_DECLS
