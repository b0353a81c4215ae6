/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  PLG_TOML_STRING,
  PLG_TOML_NUMBER, /* a whole number or a decimal number; its text is as written in the file, but
                      without “_” */
  PLG_TOML_BOOLEAN,
  PLG_TOML_OTHER, /* a list, an inline table or a date, stored as text */
} PlgTomlKind;

/* A value with its full path, such as "parallelism.tensor_parallel_degree". */
typedef struct
{
  char *path;
  char *text; /* the text of the value, without the quotes of a string */
  PlgTomlKind kind;
  int line;
} PlgTomlValue;

/* Reads a TOML file (toml.io, version 1.0) into an array of PlgTomlValue in file order. The path
 * of a value in a list of tables ([[name]]) includes the number of the table: "name.0.key".
 * Returns NULL with ERROR, which includes the line number, for invalid TOML and for duplicate
 * keys. */
GPtrArray *plg_toml_read (const char *data, gsize size, GError **error);

G_END_DECLS
