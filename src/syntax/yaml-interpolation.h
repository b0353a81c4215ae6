/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/yaml-tree.h"

G_BEGIN_DECLS

/* Resolves TEXT, a value in the mapping at PATH ("trainer.strategy"; "": the top) of TREE, as
 * OmegaConf does (its documentation, “Variable interpolation”): "${a.b}" from the top, "${.b}"
 * from the mapping, "${..b}" from the mapping around it, and NeMo's "${multiply:A, B}" of whole
 * numbers. A text without "${" stays as it is. Returns NULL when the file lacks the value or
 * uses another resolver. Free with g_free(). */
char *plg_yaml_interpolate (const PlgYaml *tree, const char *path, const char *text);

G_END_DECLS
