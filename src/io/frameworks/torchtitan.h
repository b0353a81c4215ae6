/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format.h"

G_BEGIN_DECLS

/* The catalogue's name of what torchtitan calls "llama3" "70B", or NULL. */
const char *plg_torchtitan_find (const char *name, const char *flavor);

/* In front of "auto, here fused." or "auto, here eager." where a plan leaves the kernels open,
 * which the file itself cannot. */
#define PLG_TORCHTITAN_KERNELS "# The plan's training.kernels is "

/* A configuration in TOML. ERROR for what torchtitan does not have. */
GBytes *plg_torchtitan_write (const PlgExportContext *export, GError **error);

G_END_DECLS
