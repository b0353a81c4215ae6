/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/json-reader.h"

#include "io/registry/format.h"
#include "syntax/json-scan.h"
#include "io/registry/detect-error.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#define SHOWN_CHARACTERS 40 /* characters of a wrong value in a message */
#define LARGEST_WHOLE_NUMBER \
  9007199254740992.0 /* 2^53: every smaller whole number is exact in a
                                                   double */

struct _PlgJson
{
  JsonParser *parser; /* owns the texts */
  GArray *values;     /* array of PlgJsonValue, each value before its members and elements */
};

/* The walk through json-glib's tree, in the same order as the values of the scan. */
typedef struct
{
  GArray *values;
  guint next;
  gboolean matches; /* the scan and the parser found the same values */
} TreeJoin;

static void join (TreeJoin *join_state, JsonNode *node, const char *name, gboolean last);

static PlgJsonKind
kind_of (JsonNode *node)
{
  switch (json_node_get_node_type (node))
    {
    case JSON_NODE_OBJECT:
      return PLG_JSON_OBJECT;
    case JSON_NODE_ARRAY:
      return PLG_JSON_ARRAY;
    case JSON_NODE_NULL:
      return PLG_JSON_NULL;
    case JSON_NODE_VALUE:
    default:
      break;
    }
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return PLG_JSON_STRING;
  return json_node_get_value_type (node) == G_TYPE_BOOLEAN ? PLG_JSON_BOOLEAN : PLG_JSON_NUMBER;
}

/* Returns whether TEXT is valid UTF-8. An escape can produce half a surrogate pair. */
static gboolean
is_text (const char *text)
{
  return text == NULL || g_utf8_validate (text, -1, NULL);
}

static void
join (TreeJoin *join_state, JsonNode *node, const char *name, gboolean last)
{
  PlgJsonKind kind = kind_of (node);
  PlgJsonValue *value;

  if (join_state->next >= join_state->values->len)
    join_state->matches = FALSE;
  if (!join_state->matches)
    return;
  value = &g_array_index (join_state->values, PlgJsonValue, join_state->next++);
  value->name = name;
  value->last = last;
  if (kind == PLG_JSON_STRING)
    value->text = json_node_get_string (node);
  join_state->matches = value->kind == kind && is_text (value->text) && is_text (name);
  if (kind == PLG_JSON_OBJECT)
    {
      value->n = (int) json_object_get_size (json_node_get_object (node));

      JsonObject *object = json_node_get_object (node);
      JsonObjectIter iter;
      const char *members_name;
      JsonNode *members_node;
      int left = (int) json_object_get_size (object);

      json_object_iter_init_ordered (&iter, object);
      while (json_object_iter_next_ordered (&iter, &members_name, &members_node))
        join (join_state, members_node, members_name, --left == 0);
    }
  else if (kind == PLG_JSON_ARRAY)
    {
      value->n = (int) json_array_get_length (json_node_get_array (node));

      JsonArray *array = json_node_get_array (node);
      int n = (int) json_array_get_length (array);

      for (int i = 0; i < n; i++)
        join (join_state, json_array_get_element (array, i), NULL, i == n - 1);
    }
}

/* The parser knows the line only while it parses. */
static void
error_cb (JsonParser *parser, gpointer problem, gpointer line)
{
  *(int *) line = (int) json_parser_get_current_line (parser);
}

/* Returns the first byte that is not UTF-8, or NULL. A NUL is accepted here; the scan reports
 * its place. */
static const char *
find_invalid (const char *data, const char *end)
{
  const char *invalid;

  while (!g_utf8_validate (data, end - data, &invalid))
    {
      if (*invalid != '\0')
        return invalid;
      data = invalid + 1;
    }
  return NULL;
}

PlgJson *
plg_json_read (const PlgImportContext *context, GError **error)
{
  g_autoptr (PlgJson) json = g_new0 (PlgJson, 1);
  const char *end = context->data + context->size;
  const char *start = context->data;

  json->values = g_array_new (FALSE, FALSE, sizeof (PlgJsonValue));
  json->parser = json_parser_new_immutable ();

  const char *invalid = find_invalid (context->data, context->data + context->size);
  g_autofree char *why = NULL;

  if (invalid != NULL)
    {
      why = plg_bad_byte_describe (*invalid);

      const char *data = context->data;
      int text_line = 1;

      for (const char *p = data; p < invalid; p++)
        text_line += *p == '\n';
      if (!plg_import_fail (context, text_line, PLG_FORMAT_ERROR_SYNTAX, error, "%s", why))
        return NULL;
    }

  if (g_str_has_prefix (start, "\xEF\xBB\xBF"))
    start += 3;
  if (!plg_json_scan (context, start, json->values, error))
    return NULL;

  gsize size = end - start;
  TreeJoin join_state = { .values = json->values, .matches = TRUE };
  JsonNode *root;
  int line = 1;

  g_signal_connect (json->parser, "error", G_CALLBACK (error_cb), &line);
  if (!json_parser_load_from_data (json->parser, start, (gssize) size, NULL))
    {
      if (!plg_import_fail (context, line, PLG_FORMAT_ERROR_SYNTAX, error,
                            _ ("This is not JSON: a comma, a colon, a name or a value is missing "
                               "here, or there is one too many.")))
        return NULL;
    }
  else
    {
      root = json_parser_get_root (json->parser);
      if (root != NULL)
        join (&join_state, root, NULL, TRUE);
      if (root == NULL || !join_state.matches || join_state.next != json->values->len)
        {
          line = join_state.next > 0
                     ? g_array_index (json->values, PlgJsonValue, join_state.next - 1).line
                     : 1;
          if (!plg_import_fail (context, line, PLG_FORMAT_ERROR_SYNTAX, error,
                                _ ("This is not JSON: a string or a name has an invalid escape.")))
            return NULL;
        }
    }

  return g_steal_pointer (&json);
}

void
plg_json_free (PlgJson *json)
{
  g_clear_object (&json->parser);
  g_clear_pointer (&json->values, g_array_unref);
  g_free (json);
}

/* Values */

const PlgJsonValue *
plg_json_root (const PlgJson *json)
{
  return &g_array_index (json->values, PlgJsonValue, 0);
}

const PlgJsonValue *
plg_json_first (const PlgJsonValue *parent)
{
  return parent->n > 0 ? parent + 1 : NULL;
}

const PlgJsonValue *
plg_json_next (const PlgJsonValue *value)
{
  return value->last ? NULL : value + value->size;
}

static const PlgJsonValue *
find_member (const PlgJsonValue *object, const char *name)
{
  if (object->kind != PLG_JSON_OBJECT)
    return NULL;
  for (const PlgJsonValue *value = plg_json_first (object); value != NULL;
       value = plg_json_next (value))
    if (g_str_equal (value->name, name))
      return value;
  return NULL;
}

const PlgJsonValue *
plg_json_find (const PlgJsonValue *object, const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, ".", -1);

  for (int i = 0; names[i] != NULL && object != NULL; i++)
    object = find_member (object, names[i]);
  return object != NULL && object->kind != PLG_JSON_NULL ? object : NULL;
}

char *
plg_json_describe (const PlgJsonValue *value)
{
  g_autofree char *shown = NULL;

  switch (value->kind)
    {
    case PLG_JSON_NULL:
      return g_strdup ("null");
    case PLG_JSON_BOOLEAN:
      return g_strdup (value->number != 0.0 ? "true" : "false");
    case PLG_JSON_NUMBER:
      return plg_format_exact (value->number);
    case PLG_JSON_STRING:
      shown = plg_text_excerpt (value->text, SHOWN_CHARACTERS);
      return g_strdup_printf ("“%s”", shown);
    case PLG_JSON_ARRAY:
      return g_strdup (_ ("a list"));
    case PLG_JSON_OBJECT:
    default:
      return g_strdup (_ ("a block"));
    }
}

static gboolean
fail_kind (const PlgJsonValue *value, const char *wanted, GError **error)
{
  g_autofree char *is = plg_json_describe (value);
  g_autofree char *name = plg_text_excerpt (value->name != NULL ? value->name : _ ("This value"),
                                            SHOWN_CHARACTERS);

  /* Translators: "hidden_size is “x”; it must be a whole number." */
  return plg_import_fail (NULL, value->line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("%s is %s; it must be %s."), name, is, wanted);
}

gboolean
plg_json_as_int (const PlgJsonValue *value, gint64 *number, GError **error)
{
  if (value->kind != PLG_JSON_NUMBER || value->number != floor (value->number))
    return fail_kind (value, _ ("a whole number"), error);
  if (fabs (value->number) > LARGEST_WHOLE_NUMBER)
    return fail_kind (value, _ ("a whole number of at most 15 digits"), error);
  *number = (gint64) value->number;
  return TRUE;
}

gboolean
plg_json_as_boolean (const PlgJsonValue *value, gboolean *truth, GError **error)
{
  if (value->kind != PLG_JSON_BOOLEAN)
    return fail_kind (value, _ ("true or false"), error);
  *truth = value->number != 0.0;
  return TRUE;
}

gboolean
plg_json_as_string (const PlgJsonValue *value, const char **text, GError **error)
{
  if (value->kind != PLG_JSON_STRING)
    return fail_kind (value, _ ("a string in double quotes"), error);
  *text = value->text;
  return TRUE;
}

gboolean
plg_json_as_object (const PlgJsonValue *value, GError **error)
{
  return value->kind == PLG_JSON_OBJECT ||
         fail_kind (value, _ ("a block of names and values in { }"), error);
}

gboolean
plg_json_as_array (const PlgJsonValue *value, GError **error)
{
  return value->kind == PLG_JSON_ARRAY || fail_kind (value, _ ("a list in [ ]"), error);
}

/* Telling formats apart */

/* Returns the place after the string that begins at P, or NULL when the string does not end. */
static const char *
skip_string (const char *p, const char *end)
{
  for (p++; p < end && *p != '"'; p++)
    p += *p == '\\' && p + 1 < end;
  return p < end ? p + 1 : NULL;
}

static gboolean
is_key (const char *string, const char *behind, const char *end, const char *key)
{
  gsize n = strlen (key);

  while (behind < end && g_ascii_isspace (*behind))
    behind++;
  return behind < end && *behind == ':' && strncmp (string + 1, key, n) == 0 &&
         string[n + 1] == '"';
}

gboolean
plg_json_has_member (const char *data, gsize size, const char *key)
{
  const char *end = data + size;
  int depth = 0;

  for (const char *p = data; p != NULL && p < end && (p > data || *p == '{');)
    {
      const char *behind = *p == '"' ? skip_string (p, end) : p + 1;

      if (*p == '"' && depth == 1 && behind != NULL && is_key (p, behind, end, key))
        return TRUE;
      depth += *p == '{' || *p == '[';
      depth -= *p == '}' || *p == ']';
      p = behind;
    }
  return FALSE;
}
