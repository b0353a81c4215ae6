/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_TOML_STRING,
  PLG_TOML_NUMBER, /* whole or not, as it is written */
  PLG_TOML_BOOLEAN,
  PLG_TOML_OTHER, /* a list, an inline table, a date: kept as text */
} PlgTomlKind;

/* A value with its whole path: "parallelism.tensor_parallel_degree". */
typedef struct
{
  char *path;
  char *text; /* of a string without its quotes */
  PlgTomlKind kind;
  int line;
} PlgTomlValue;

/* The values of a TOML file (toml.io, version 1.0), of PlgTomlValue, in the order of the file. What
 * stands in lists of tables ([[name]]) has the number of its table in the path: "name.0.key". NULL
 * with ERROR, which has the line, for what is no TOML and for keys that are there twice. */
GPtrArray *plg_toml_read (const PlgImportContext *context, GError **error);

G_END_DECLS
