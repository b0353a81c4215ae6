/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PLG_JSON_WRITER_DEPTH 8

/* Writes JSON with the shortest numbers and with short rows of a table on one line. Start with { .out = g_string_new (NULL) }. */
typedef struct
{
  GString *out;
  gboolean lines[PLG_JSON_WRITER_DEPTH]; /* TRUE: each member is on its own line */
  gboolean empty[PLG_JSON_WRITER_DEPTH];
  int depth;
} PlgJsonWriter;

/* NAME is the name of a member of an object; NULL in arrays and for the root. BRACKET is '{' or
 * '[' ('}' or ']' to end). With LINES, each member or element is on its own line. */
void plg_json_begin (PlgJsonWriter *json, const char *name, char bracket, gboolean lines);
void plg_json_end (PlgJsonWriter *json, char bracket);
void plg_json_add_string (PlgJsonWriter *json, const char *name, const char *value); /* or NULL */
void plg_json_add_number (PlgJsonWriter *json, const char *name, double value);
void plg_json_add_boolean (PlgJsonWriter *json, const char *name, gboolean value);
/* Returns the text with a final newline after the root has ended. Free with g_free(). */
char *plg_json_take (PlgJsonWriter *json);

G_END_DECLS
