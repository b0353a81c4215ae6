/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format.h"

G_BEGIN_DECLS

/* The node of the plan as a topology that NCCL (version 1) or RCCL (version 2) reads: from its map,
 * and what the map does not tell from its kind. NULL with ERROR for ways that no such file can
 * say. */
GBytes *plg_nccl_write (const PlgExportContext *export, GError **error);

G_END_DECLS
