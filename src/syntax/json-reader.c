/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/json-reader.h"

#include "syntax/format-error.h"
#include "syntax/number-text.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"
#define SHOWN_CHARACTERS 40 /* in a message, a wrong value is cut to this many characters */
/* 2^53, below which every whole number is exact in a double */
#define LARGEST_WHOLE_NUMBER 9007199254740992.0

struct _PlgJson
{
  GArray *values;      /* array of PlgJsonValue; each value comes before its members and elements */
  GStringChunk *texts; /* storage for the member names and the strings */
};

/* Parsing */

typedef enum
{
  EXPECT_VALUE = 1 << 0,
  EXPECT_NAME = 1 << 1,
  EXPECT_COLON = 1 << 2,
  EXPECT_COMMA = 1 << 3,
  EXPECT_END = 1 << 4, /* the bracket that closes the current array or object */
} Expected;

/* An array or object that is not closed yet. */
typedef struct
{
  int value; /* index of the array or object in PlgJson.values */
  int last;  /* index of its latest member or element in PlgJson.values; -1 if there is none */
  gboolean object;
  GHashTable *names; /* maps the name of each member to its line; NULL for an array */
} Level;

typedef struct
{
  const char *at;
  const char *end;
  int line;
  int last_line; /* line of the previous token */
  PlgJson *json;
  Level levels[PLG_JSON_MAX_DEPTH];
  int depth;
  guint expected;   /* mask of the Expected tokens that are allowed next */
  const char *name; /* the name of the next value, or NULL */
  /* The lines of the first misplaced token and of the first invalid escape; 0 if there is none.
   * These two errors are reported only at the end of the file, the misplaced token first. Any
   * other error, such as an unterminated string, stops the parser at once. */
  int sequence_line;
  int escape_line;
  gboolean is_name_invalid; /* the name of the next value has an invalid escape */
} Parser;

static gboolean G_GNUC_PRINTF (3, 4)
    fail (const Parser *parser, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  plg_format_fail_valist ((PlgFilePosition) { parser->line, 0 }, PLG_FORMAT_ERROR_SYNTAX, error,
                          format, args);
  va_end (args);
  return FALSE;
}

static void
skip_space (Parser *parser)
{
  while (parser->at < parser->end && strchr (" \t\r\n", *parser->at) != NULL && *parser->at != '\0')
    parser->line += *parser->at++ == '\n';
}

/* Checks that TOKEN is allowed here and sets the tokens that may follow. A missing value and
 * text after the end are reported on the line of TOKEN, any other error on the line of the
 * previous token. */
static void
expect (Parser *parser, Expected token, guint next)
{
  if ((parser->expected & token) == 0 && parser->sequence_line == 0)
    {
      gboolean here = parser->expected == 0 ||
                      (parser->expected & EXPECT_VALUE && *parser->at != ']');

      parser->sequence_line = here ? parser->line : parser->last_line;
    }
  parser->expected = next;
  parser->last_line = parser->line;
}

static gboolean
fail_size (const Parser *parser, GError **error)
{
  return plg_format_fail (parser->line, PLG_FORMAT_ERROR_UNSAFE, error,
                          _ ("The file has more entries than any plan needs, so it was not read."));
}

/* Adds VALUE to the current array or object. The caller has set the kind and the content of
 * VALUE. */
static gboolean
add_value (Parser *parser, PlgJsonValue value, GError **error)
{
  GArray *values = parser->json->values;

  if (parser->depth == 0 && values->len > 0)
    return fail (parser, error, _ ("There is text after the end of the value; remove it."));
  if (values->len >= PLG_JSON_MAX_VALUES)
    return fail_size (parser, error);
  if (parser->depth > 0)
    {
      Level *level = &parser->levels[parser->depth - 1];

      g_array_index (values, PlgJsonValue, level->value).n++;
      level->last = (int) values->len;
    }
  value.line = parser->line;
  value.size = 1;
  value.last = parser->depth == 0;
  value.name = parser->name;
  if (parser->is_name_invalid && parser->escape_line == 0)
    parser->escape_line = parser->line;
  parser->name = NULL;
  parser->is_name_invalid = FALSE;
  expect (parser, EXPECT_VALUE, parser->depth > 0 ? EXPECT_COMMA | EXPECT_END : 0);
  g_array_append_val (values, value);
  return TRUE;
}

/* Reads the four hexadecimal digits at P, or returns -1. */
static int
read_hexadecimal (const char *p, const char *end)
{
  int number = 0;

  for (int i = 0; i < 4; i++)
    {
      if (p + i >= end || !g_ascii_isxdigit (p[i]))
        return -1;
      number = number * 16 + g_ascii_xdigit_value (p[i]);
    }
  return number;
}

/* Returns the string from START to END with its escapes decoded (RFC 8259, section 7), or NULL
 * for an invalid \u escape. Drops the backslash of an unknown escape, and replaces \u0000 with
 * U+FFFD. */
static const char *
decode_string (Parser *parser, const char *start, const char *end)
{
  static const char escapes[] = "\"\\/bfnrt", escaped[] = "\"\\/\b\f\n\r\t";
  g_autoptr (GString) text = NULL;

  if (memchr (start, '\\', end - start) == NULL)
    return g_string_chunk_insert_len (parser->json->texts, start, end - start);
  text = g_string_sized_new (end - start);
  for (const char *p = start; p < end; p++)
    {
      const char *escape;
      int high, low;

      if (*p != '\\')
        {
          g_string_append_c (text, *p);
          continue;
        }
      p++;
      if (*p != 'u')
        {
          escape = *p != '\0' ? strchr (escapes, *p) : NULL;
          g_string_append_c (text, escape != NULL ? escaped[escape - escapes] : *p);
          continue;
        }
      high = read_hexadecimal (p + 1, end);
      if (high < 0)
        return NULL;
      p += 4;
      if (high >= 0xD800 && high <= 0xDFFF)
        {
          /* Combine two escapes that form one character in UTF-16. */
          low = end - p > 2 && p[1] == '\\' && p[2] == 'u' ? read_hexadecimal (p + 3, end) : -1;
          if (high > 0xDBFF || low < 0xDC00 || low > 0xDFFF)
            return NULL;
          high = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
          p += 6;
        }
      g_string_append_unichar (text, high != 0 ? (gunichar) high : 0xFFFD);
    }
  return g_string_chunk_insert_len (parser->json->texts, text->str, (gssize) text->len);
}

/* Makes NAME the name of the next value. Fails if the current object already has a member NAME. */
static gboolean
add_name (Parser *parser, const char *name, GError **error)
{
  GHashTable *names = parser->levels[parser->depth - 1].names;
  int first = GPOINTER_TO_INT (g_hash_table_lookup (names, name));
  g_autofree char *shown = NULL;

  expect (parser, EXPECT_NAME, EXPECT_COLON);
  parser->name = name;
  if (first == 0 && g_hash_table_size (names) >= PLG_JSON_MAX_MEMBERS)
    return fail_size (parser, error);
  if (first == 0)
    {
      g_hash_table_insert (names, (gpointer) name, GINT_TO_POINTER (parser->line));
      return TRUE;
    }
  shown = plg_text_excerpt (name, SHOWN_CHARACTERS);
  return plg_format_fail (parser->line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("%s occurs twice, first on line %d; remove one of them."), shown,
                          first);
}

static gboolean
parse_string (Parser *parser, GError **error)
{
  const char *start = parser->at + 1;
  const char *text, *next;

  for (parser->at++; parser->at < parser->end && *parser->at != '"'; parser->at++)
    {
      if ((guchar) *parser->at < 0x20)
        {
          if (*parser->at == '\n' || *parser->at == '\r')
            return fail (parser, error,
                         _ ("A string is not closed; it must end with \" on the same line."));
          return fail (parser, error,
                       _ ("A string has a character that JSON allows only as \\u%04x."),
                       (guchar) *parser->at);
        }
      parser->at += *parser->at == '\\' && parser->at + 1 < parser->end;
    }
  if (parser->at >= parser->end)
    return fail (parser, error, _ ("The file ends inside a string, so it was probably cut off."));
  text = decode_string (parser, start, parser->at);
  parser->at++;

  next = parser->at;
  while (next < parser->end && g_ascii_isspace (*next))
    next++;
  if (parser->depth > 0 && parser->levels[parser->depth - 1].object && next < parser->end &&
      *next == ':')
    {
      parser->is_name_invalid = text == NULL;
      if (text == NULL)
        text = g_string_chunk_insert_len (parser->json->texts, start, parser->at - 1 - start);
      return add_name (parser, text, error);
    }
  if (parser->expected & EXPECT_NAME)
    {
      /* No colon follows the name. Require one as the next token, so that any other token is
       * reported as an error. */
      expect (parser, EXPECT_NAME, EXPECT_COLON);
      return TRUE;
    }
  if (text == NULL && parser->escape_line == 0)
    parser->escape_line = parser->line;
  return add_value (parser, (PlgJsonValue) { .kind = PLG_JSON_STRING, .text = text }, error);
}

static const char *
skip_digits (const char *p)
{
  while (g_ascii_isdigit (*p))
    p++;
  return p;
}

/* Returns whether TEXT is a number as defined in RFC 8259, section 6: no leading zero, no sign
 * except minus, no hexadecimal digits. */
static gboolean
is_number (const char *text)
{
  const char *p = *text == '-' ? text + 1 : text;
  const char *digits = p;

  p = skip_digits (p);
  if (p == digits || (*digits == '0' && p > digits + 1))
    return FALSE;
  if (*p == '.')
    {
      digits = p + 1;
      p = skip_digits (digits);
      if (p == digits)
        return FALSE;
    }
  if (*p == 'e' || *p == 'E')
    {
      digits = p + 1 + (p[1] == '-' || p[1] == '+');
      p = skip_digits (digits);
      if (p == digits)
        return FALSE;
    }
  return *p == '\0';
}

/* Parses a number, true, false or null. */
static gboolean
parse_word (Parser *parser, GError **error)
{
  const char *start = parser->at;
  g_autofree char *word = NULL;
  g_autofree char *shown = NULL;
  gboolean number;

  while (parser->at < parser->end && *parser->at != '\0' &&
         strchr (" \t\r\n,:{}[]\"", *parser->at) == NULL)
    parser->at++;
  word = g_strndup (start, parser->at - start);
  shown = plg_text_excerpt (word, SHOWN_CHARACTERS);
  number = is_number (word);
  if (number && !isfinite (g_ascii_strtod (word, NULL)))
    return fail (parser, error, _ ("%s is larger than any number that can be stored."), shown);
  if (!number && !g_str_equal (word, "null") && !g_str_equal (word, "true") &&
      !g_str_equal (word, "false"))
    return fail (parser, error,
                 _ ("“%s” is not JSON: a value is a number, a string in double quotes, true, "
                    "false or null."),
                 shown);
  return add_value (parser,
                    (PlgJsonValue) { .kind = number         ? PLG_JSON_NUMBER
                                             : *word == 'n' ? PLG_JSON_NULL
                                                            : PLG_JSON_BOOLEAN,
                                     .number = number ? g_ascii_strtod (word, NULL)
                                                      : *word == 't' },
                    error);
}

/* Parses one word, string, bracket, comma or colon. */
static gboolean
parse_token (Parser *parser, GError **error)
{
  gboolean object = *parser->at == '{' || *parser->at == '}';
  GArray *values = parser->json->values;
  Level *level = &parser->levels[MAX (parser->depth - 1, 0)];

  switch (*parser->at)
    {
    case '{':
    case '[':
      if (parser->depth >= PLG_JSON_MAX_DEPTH)
        return plg_format_fail (parser->line, PLG_FORMAT_ERROR_UNSAFE, error,
                                _ ("The file is nested more than %d levels deep, so it was not "
                                   "read."),
                                PLG_JSON_MAX_DEPTH);
      if (!add_value (parser, (PlgJsonValue) { .kind = object ? PLG_JSON_OBJECT : PLG_JSON_ARRAY },
                      error))
        return FALSE;
      parser->levels[parser->depth++] = (Level) {
        .value = (int) values->len - 1,
        .last = -1,
        .object = object,
        .names = object ? g_hash_table_new (g_str_hash, g_str_equal) : NULL,
      };
      parser->expected = (object ? EXPECT_NAME : EXPECT_VALUE) | EXPECT_END;
      parser->at++;
      return TRUE;
    case '}':
    case ']':
      if (parser->depth == 0 || level->object != object)
        return fail (parser, error, _ ("This “%c” has no matching “%c”."), *parser->at,
                     object ? '{' : '[');
      g_array_index (values, PlgJsonValue, level->value).size = (int) values->len - level->value;
      if (level->last >= 0)
        g_array_index (values, PlgJsonValue, level->last).last = TRUE;
      g_clear_pointer (&level->names, g_hash_table_unref);
      parser->depth--;
      expect (parser, EXPECT_END, parser->depth > 0 ? EXPECT_COMMA | EXPECT_END : 0);
      parser->at++;
      return TRUE;
    case '"':
      return parse_string (parser, error);
    case ',':
      expect (parser, EXPECT_COMMA, level->object ? EXPECT_NAME : EXPECT_VALUE);
      parser->at++;
      return TRUE;
    case ':':
      expect (parser, EXPECT_COLON, EXPECT_VALUE);
      parser->at++;
      return TRUE;
    case '\0':
      return fail (parser, error, _ ("The file is damaged: byte 0x00 is not text."));
    default:
      return parse_word (parser, error);
    }
}

static gboolean
parse (Parser *parser, GError **error)
{
  for (skip_space (parser); parser->at < parser->end; skip_space (parser))
    if (!parse_token (parser, error))
      return FALSE;
  if (parser->depth > 0)
    {
      const PlgJsonValue *value = &g_array_index (parser->json->values, PlgJsonValue,
                                                  parser->levels[parser->depth - 1].value);

      return fail (parser, error,
                   _ ("The file ends before the “%c” on line %d is closed, so it was probably "
                      "cut off."),
                   value->kind == PLG_JSON_OBJECT ? '{' : '[', value->line);
    }
  if (parser->sequence_line > 0 || parser->json->values->len == 0)
    return plg_format_fail (MAX (parser->sequence_line, 1), PLG_FORMAT_ERROR_SYNTAX, error,
                            _ ("This is not JSON: a comma, a colon, a name or a value is missing "
                               "here, or there is one too many."));
  if (parser->escape_line > 0)
    return plg_format_fail (parser->escape_line, PLG_FORMAT_ERROR_SYNTAX, error,
                            _ ("This is not JSON: a string or a name has an invalid escape."));
  return TRUE;
}

/* Returns the first byte that is not UTF-8, or NULL. Accepts NUL bytes, because the parser
 * reports them with their line. */
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
plg_json_read (const char *data, gsize size, GError **error)
{
  g_autoptr (PlgJson) json = g_new (PlgJson, 1);
  const char *invalid = find_invalid (data, data + size);
  gboolean ok;

  json->values = g_array_new (FALSE, FALSE, sizeof (PlgJsonValue));
  json->texts = g_string_chunk_new (4096);
  if (invalid != NULL)
    {
      g_autofree char *reason = plg_bad_byte_describe (*invalid);
      int line = 1;

      for (const char *p = data; p < invalid; p++)
        line += *p == '\n';
      plg_format_fail (line, PLG_FORMAT_ERROR_SYNTAX, error, "%s", reason);
      return NULL;
    }

  gsize mark = g_str_has_prefix (data, BYTE_ORDER_MARK) ? strlen (BYTE_ORDER_MARK) : 0;
  Parser parser = { .at = data + mark,
                    .end = data + size,
                    .line = 1,
                    .last_line = 1,
                    .json = json,
                    .expected = EXPECT_VALUE };

  ok = parse (&parser, error);
  for (int i = 0; i < parser.depth; i++)
    g_clear_pointer (&parser.levels[i].names, g_hash_table_unref);
  return ok ? g_steal_pointer (&json) : NULL;
}

void
plg_json_free (PlgJson *json)
{
  g_array_unref (json->values);
  g_string_chunk_free (json->texts);
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

  /* Translators: for example "hidden_size is “x”; it must be a whole number." */
  return plg_format_fail (value->line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("%s is %s; it must be %s."), name, is, wanted);
}

gboolean
plg_json_as_int (const PlgJsonValue *value, gint64 *number, GError **error)
{
  if (value->kind != PLG_JSON_NUMBER || value->number != floor (value->number))
    return fail_kind (value, _ ("a whole number"), error);
  if (fabs (value->number) > LARGEST_WHOLE_NUMBER)
    return fail_kind (value, _ ("a whole number from −2⁵³ to 2⁵³"), error);
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

/* Recognising formats */

/* Returns the position after the closing quotation mark of the string that begins at P, or NULL
 * if it has none. */
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
