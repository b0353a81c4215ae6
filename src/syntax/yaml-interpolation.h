/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/yaml-tree.h"

G_BEGIN_DECLS

/* Resolves the references in TEXT, a value in the mapping at PATH ("trainer.strategy"; "" for
 * the top) in TREE, as OmegaConf does (its documentation, “Variable interpolation”): "${a.b}" is
 * relative to the top, "${.b}" to the mapping, and "${..b}" to the mapping around it. Also
 * supports NeMo's "${multiply:A, B}" for whole numbers. Returns the resolved text; free
 * with g_free(). Returns NULL if a value is not in the file or if TEXT uses another resolver. */
char *plg_yaml_interpolate (const PlgYaml *tree, const char *path, const char *text);

G_END_DECLS
