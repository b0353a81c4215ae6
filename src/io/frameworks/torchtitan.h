/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

G_BEGIN_DECLS

/* Returns the catalogue's name for torchtitan's model NAME with FLAVOR, for example "llama3"
 * with "70B"; NULL if unknown. */
const char *plg_torchtitan_find (const char *name, const char *flavor);

/* The start of a comment that continues with "fused." or "eager.". The comment records a value of
 * training.kernels that the plan sets, which the configuration cannot express. */
#define PLG_TORCHTITAN_KERNELS "# The plan's training.kernels is "

/* Writes a configuration in TOML. Fails if torchtitan lacks a feature of the plan. */
GBytes *plg_torchtitan_write (const PlgExportContext *export, GError **error);

G_END_DECLS
