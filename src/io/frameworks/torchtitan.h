/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

G_BEGIN_DECLS

/* Returns the catalogue's name of torchtitan's model, such as "llama3" "70B", or NULL. */
const char *plg_torchtitan_find (const char *name, const char *flavor);

/* Begins a comment "auto, here fused." or "auto, here eager." for a plan whose kernels are
 * automatic, which the file itself cannot express. */
#define PLG_TORCHTITAN_KERNELS "# The plan's training.kernels is "

/* Writes a configuration in TOML. Features that torchtitan lacks are errors. */
GBytes *plg_torchtitan_write (const PlgExportContext *export, GError **error);

G_END_DECLS
