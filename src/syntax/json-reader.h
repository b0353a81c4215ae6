/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads JSON (RFC 8259) and keeps the line of each value for messages. Refuses duplicate
 * members, and files that are nested too deeply or are too long. */

#define PLG_JSON_MAX_DEPTH 64
#define PLG_JSON_MAX_VALUES 1000000
/* maximum number of members of one object; limited because a look-up by name may compare all of
 * them */
#define PLG_JSON_MAX_MEMBERS (1 << 16)

typedef enum
{
  PLG_JSON_NULL,
  PLG_JSON_BOOLEAN,
  PLG_JSON_NUMBER,
  PLG_JSON_STRING,
  PLG_JSON_ARRAY,
  PLG_JSON_OBJECT,
} PlgJsonKind;

typedef struct
{
  PlgJsonKind kind;
  int line;         /* line number, from 1 */
  const char *name; /* name of a member; NULL for elements and for the root */
  const char *text; /* text of a string; NULL for other kinds */
  double number;    /* a finite number; 0 or 1 for a boolean; 0 for other kinds */
  int n;            /* number of members or elements */
  int size;         /* number of values in this subtree: the value itself and all values inside
                       it */
  gboolean last;    /* TRUE for the last value of an array or object */
} PlgJsonValue;

typedef struct _PlgJson PlgJson;

/* Returns NULL with an ERROR of the form "LINE: the mistake and how to correct it". */
PlgJson *plg_json_read (const char *data, gsize size, GError **error);
void plg_json_free (PlgJson *json);
/* Returns the root. The document owns all values. */
const PlgJsonValue *plg_json_root (const PlgJson *json);

/* Iterate over an array or object in file order. Return NULL at the end. */
const PlgJsonValue *plg_json_first (const PlgJsonValue *parent);
const PlgJsonValue *plg_json_next (const PlgJsonValue *value);
/* Returns the value at PATH ("zero_optimization.stage") inside OBJECT, or NULL if the value is
 * absent or null. */
const PlgJsonValue *plg_json_find (const PlgJsonValue *object, const char *path);

/* Convert VALUE to the required type. Return FALSE with ERROR "LINE: NAME is “x”; it must be a
 * whole number" on failure. A whole number must be below 2^53 and may be written as 4096.0 or
 * 5e8. */
gboolean plg_json_as_int (const PlgJsonValue *value, gint64 *number, GError **error);
gboolean plg_json_as_boolean (const PlgJsonValue *value, gboolean *truth, GError **error);
gboolean plg_json_as_string (const PlgJsonValue *value, const char **text, GError **error);
gboolean plg_json_as_object (const PlgJsonValue *value, GError **error);
gboolean plg_json_as_array (const PlgJsonValue *value, GError **error);

/* Returns a description of VALUE for a message: "“auto”", "12" or "a list"; free with g_free(). */
char *plg_json_describe (const PlgJsonValue *value);

/* Returns whether DATA begins with an object that has a member KEY; such a member identifies
 * some file formats. Does not parse the text, so the rest of the file may be damaged or missing. */
gboolean plg_json_has_member (const char *data, gsize size, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgJson, plg_json_free)

G_END_DECLS
