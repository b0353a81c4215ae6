/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PLG_JSON_WRITER_DEPTH 8

/* The text of a number that was written before. */
typedef struct
{
  guint64 bits;  /* the number as it lies in memory */
  char text[32]; /* empty if there is none */
} PlgJsonNumber;

/* Writes JSON with the shortest exact numbers. An object or array is on one line unless
 * plg_json_begin() is called with LINES. Initialize a writer with { .out = g_string_new (NULL)
 * }. */
typedef struct
{
  GString *out;
  gboolean lines[PLG_JSON_WRITER_DEPTH]; /* whether each member or element is on a separate line,
                                            indexed by nesting depth */
  gboolean empty[PLG_JSON_WRITER_DEPTH];
  int depth;
  PlgJsonNumber numbers[256]; /* indexed by a hash of the number */
} PlgJsonWriter;

/* Begin and end an object or array. NAME is the name of a member of an object, without quotes and
 * backslashes; it is NULL in arrays and for the root. BRACKET is '{' or '[' to begin, '}' or ']' to
 * end. If LINES is set, each member or element is on a separate line. */
void plg_json_begin (PlgJsonWriter *json, const char *name, char bracket, gboolean lines);
void plg_json_end (PlgJsonWriter *json, char bracket);
/* VALUE may be NULL */
void plg_json_add_string (PlgJsonWriter *json, const char *name, const char *value);
void plg_json_add_number (PlgJsonWriter *json, const char *name, double value);
void plg_json_add_boolean (PlgJsonWriter *json, const char *name, gboolean value);
/* Returns the finished text with a final newline. The root must be closed. Free with g_free(). */
char *plg_json_take (PlgJsonWriter *json);

G_END_DECLS
