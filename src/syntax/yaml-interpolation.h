/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/yaml-tree.h"

G_BEGIN_DECLS

/* What TEXT of a value in the mapping that PATH ("trainer.strategy"; "": the top) of TREE leads to
 * stands for, as OmegaConf has it (its documentation, “Variable interpolation”): "${a.b}" from the
 * top, "${.b}" from the mapping, "${..b}" from the one around it, and NeMo's "${multiply:A, B}" of
 * whole numbers. A text without "${" stands for itself. NULL: the file does not say, or says it by
 * another resolver. g_free(). */
char *plg_yaml_interpolate (const PlgYaml *tree, const char *path, const char *text);

G_END_DECLS
