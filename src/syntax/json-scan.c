/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/json-scan.h"

#include "io/registry/format.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define SHOWN_CHARACTERS 40 /* characters of a wrong value in a message */

typedef struct
{
  int value;         /* index of the array or object */
  gboolean object;   /* the level is an object */
  GHashTable *names; /* name → line, for objects */
} Level;

typedef struct
{
  const PlgImportContext *context;
  const char *at;
  const char *end;
  int line;
  GArray *values;
  Level levels[PLG_JSON_MAX_DEPTH];
  int depth;
} Scan;

static gboolean G_GNUC_PRINTF (3, 4)
    fail (const Scan *scan, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  plg_import_fail_valist (scan->context, scan->line, PLG_FORMAT_ERROR_SYNTAX, error, format, args);
  va_end (args);
  return FALSE;
}

static void
skip_space (Scan *scan)
{
  while (scan->at < scan->end && strchr (" \t\r\n", *scan->at) != NULL && *scan->at != '\0')
    scan->line += *scan->at++ == '\n';
}

static gboolean
fail_size (const Scan *scan, GError **error)
{
  return plg_import_fail (scan->context, scan->line, PLG_FORMAT_ERROR_UNSAFE, error,
                          _ ("The file has more entries than any plan needs; it is not read."));
}

static gboolean
add_value (Scan *scan, PlgJsonKind kind, GError **error)
{
  PlgJsonValue value = { .kind = kind, .line = scan->line, .size = 1 };

  if (scan->depth == 0 && scan->values->len > 0)
    return fail (scan, error, _ ("There is text after the end of the value; remove it."));
  if (scan->values->len >= PLG_JSON_MAX_VALUES)
    return fail_size (scan, error);
  g_array_append_val (scan->values, value);
  return TRUE;
}

static gboolean
scan_string (Scan *scan, GError **error)
{
  const char *start = scan->at + 1;

  for (scan->at++; scan->at < scan->end && *scan->at != '"'; scan->at++)
    {
      if ((guchar) *scan->at < 0x20)
        {
          if (*scan->at == '\n' || *scan->at == '\r')
            return fail (scan, error,
                         _ ("A string is not closed; it must end with \" in the same line."));
          return plg_import_fail (scan->context, scan->line, PLG_FORMAT_ERROR_SYNTAX, error,
                                  _ ("A string has a character that JSON allows only as \\u%04x."),
                                  (guchar) *scan->at);
        }
      scan->at += *scan->at == '\\' && scan->at + 1 < scan->end;
    }
  if (scan->at >= scan->end)
    return fail (scan, error, _ ("The file ends inside a string; it is cut off."));
  scan->at++;

  const char *p = scan->at;

  while (p < scan->end && g_ascii_isspace (*p))
    p++;
  if (scan->depth > 0 && scan->levels[scan->depth - 1].object && p < scan->end && *p == ':')
    {
      /* Records the member whose name is before the colon. */
      Level *level = &scan->levels[scan->depth - 1];
      gsize length = scan->at - 1 - start;
      g_autofree char *name = g_strndup (start, length);
      int first = GPOINTER_TO_INT (g_hash_table_lookup (level->names, name));
      g_autofree char *shown = NULL;

      if (first == 0 && g_hash_table_size (level->names) >= PLG_JSON_MAX_MEMBERS)
        return fail_size (scan, error);
      if (first == 0)
        {
          g_hash_table_insert (level->names, g_steal_pointer (&name), GINT_TO_POINTER (scan->line));
          return TRUE;
        }
      shown = plg_text_excerpt (name, SHOWN_CHARACTERS);
      return plg_import_fail (scan->context, scan->line, PLG_FORMAT_ERROR_CONTENT, error,
                              _ ("%s is there twice, first in line %d; remove one of them."), shown,
                              first);
    }

  return add_value (scan, PLG_JSON_STRING, error);
}

static const char *
skip_digits (const char *p)
{
  while (g_ascii_isdigit (*p))
    p++;
  return p;
}

/* RFC 8259, section 6: no leading zero, no sign except minus, no hexadecimal number. */
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

/* Reads a number, true, false or null. The scan converts numbers itself, because json-glib reads
 * 99999999999999999999 as −1. */
static gboolean
scan_word (Scan *scan, GError **error)
{
  const char *start = scan->at;
  g_autofree char *word = NULL;
  g_autofree char *shown = NULL;
  gboolean number;

  while (scan->at < scan->end && *scan->at != '\0' && strchr (" \t\r\n,:{}[]\"", *scan->at) == NULL)
    scan->at++;
  word = g_strndup (start, scan->at - start);
  shown = plg_text_excerpt (word, SHOWN_CHARACTERS);
  number = is_number (word);
  if (number && !isfinite (g_ascii_strtod (word, NULL)))
    return fail (scan, error, _ ("%s is larger than any number that can be stored."), shown);
  if (!number && !g_str_equal (word, "null") && !g_str_equal (word, "true") &&
      !g_str_equal (word, "false"))
    return fail (scan, error,
                 _ ("“%s” is not JSON: a value is a number, a string in double quotes, true, "
                    "false or null."),
                 shown);
  if (!add_value (scan,
                  number         ? PLG_JSON_NUMBER
                  : *word == 'n' ? PLG_JSON_NULL
                                 : PLG_JSON_BOOLEAN,
                  error))
    return FALSE;
  g_array_index (scan->values, PlgJsonValue, scan->values->len - 1)
      .number = number ? g_ascii_strtod (word, NULL) : *word == 't';
  return TRUE;
}

static gboolean
scan_one (Scan *scan, GError **error)
{
  switch (*scan->at)
    {
    case '{':
    case '[':
      {
        gboolean object = *scan->at == '{';

        if (scan->depth >= PLG_JSON_MAX_DEPTH)
          return plg_import_fail (
              scan->context, scan->line, PLG_FORMAT_ERROR_UNSAFE, error,
              _ ("The file is nested more than %d levels deep; it is not read."),
              PLG_JSON_MAX_DEPTH);
        if (!add_value (scan, object ? PLG_JSON_OBJECT : PLG_JSON_ARRAY, error))
          return FALSE;
        scan->levels[scan->depth++] = (Level) {
          .value = (int) scan->values->len - 1,
          .object = object,
          .names = object ? g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) : NULL,
        };
        scan->at++;
        return TRUE;
      }
    case '}':
    case ']':
      {
        Level *level = &scan->levels[MAX (scan->depth - 1, 0)];
        PlgJsonValue *value;

        if (scan->depth == 0 || level->object != (*scan->at == '}'))
          return fail (scan, error, _ ("“%c” closes a bracket that “%c” did not open."), *scan->at,
                       *scan->at == '}' ? '{' : '[');
        value = &g_array_index (scan->values, PlgJsonValue, level->value);
        value->size = (int) scan->values->len - level->value;
        g_clear_pointer (&level->names, g_hash_table_unref);
        scan->depth--;
        scan->at++;
        return TRUE;
      }
    case '"':
      return scan_string (scan, error);
    case ',':
    case ':':
      scan->at++;
      return TRUE;
    case '\0':
      return fail (scan, error, _ ("The file is damaged: byte 0x00 is not text."));
    default:
      return scan_word (scan, error);
    }
}

gboolean
plg_json_scan (const PlgImportContext *context, const char *start, GArray *values, GError **error)
{
  Scan scan = { .context = context,
                .at = start,
                .end = context->data + context->size,
                .line = 1,
                .values = values };
  gboolean ok = TRUE;

  for (skip_space (&scan); ok && scan.at < scan.end; skip_space (&scan))
    ok = scan_one (&scan, error);
  if (ok && scan.depth > 0)
    {
      const PlgJsonValue *value = &g_array_index (scan.values, PlgJsonValue,
                                                  scan.levels[scan.depth - 1].value);

      ok = fail (&scan, error, _ ("The file ends before “%c” of line %d is closed; it is cut off."),
                 value->kind == PLG_JSON_OBJECT ? '{' : '[', value->line);
    }
  for (int i = 0; i < scan.depth; i++)
    g_clear_pointer (&scan.levels[i].names, g_hash_table_unref);
  return ok;
}
