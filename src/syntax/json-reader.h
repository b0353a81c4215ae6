/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* JSON with the line of each value, for messages. json-glib parses; a scan before it finds the
 * lines and refuses what json-glib would take without a word: the same member twice, comments,
 * numbers that JSON does not have, text behind the end, and what is nested or long beyond need. */

#define PLG_JSON_MAX_DEPTH 64
#define PLG_JSON_MAX_VALUES 1000000
#define PLG_JSON_MAX_MEMBERS (1 << 16) /* of one object; each name is looked up */

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
  int line;         /* from 1 */
  const char *name; /* of a member; NULL of elements and of the root */
  const char *text; /* of a string; else NULL */
  double number;    /* of a number, finite; 0 or 1 of a boolean; else 0 */
  int n;            /* members or elements */
  int size;         /* of the values that this one is made of, itself included */
  gboolean last;    /* in its array or object */
} PlgJsonValue;

typedef struct _PlgJson PlgJson;

/* NULL with ERROR "LINE: what is wrong and what would be right". */
PlgJson *plg_json_read (const PlgImportContext *context, GError **error);
void plg_json_free (PlgJson *json);
/* All values are the document's. */
const PlgJsonValue *plg_json_root (const PlgJson *json);

/* For going through an array or object in the order of the file; NULL at the end. */
const PlgJsonValue *plg_json_first (const PlgJsonValue *parent);
const PlgJsonValue *plg_json_next (const PlgJsonValue *value);
/* The value at PATH ("zero_optimization.stage") below OBJECT; NULL where there is none, and where
 * it is null, which says as little. */
const PlgJsonValue *plg_json_find (const PlgJsonValue *object, const char *path);

/* VALUE as what it must be; FALSE with ERROR "LINE: NAME is “x”; it must be a whole number". A
 * whole number may be written 4096.0 or 5e8, and is below 2^53. */
gboolean plg_json_as_int (const PlgJsonValue *value, gint64 *number, GError **error);
gboolean plg_json_as_boolean (const PlgJsonValue *value, gboolean *truth, GError **error);
gboolean plg_json_as_string (const PlgJsonValue *value, const char **text, GError **error);
gboolean plg_json_as_object (const PlgJsonValue *value, GError **error);
gboolean plg_json_as_array (const PlgJsonValue *value, GError **error);

/* What VALUE is, as it stands in messages: "“auto”", "12", "a list". g_free(). */
char *plg_json_describe (const PlgJsonValue *value);

/* For telling formats apart: DATA begins an object that has a member KEY. Without a parse, and in a
 * file that is cut off or damaged behind it, too. */
gboolean plg_json_has_member (const char *data, gsize size, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgJson, plg_json_free)

G_END_DECLS
