/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/detect-error.h"

#include "syntax/json-reader.h"
#include "io/registry/format-suggest.h"
#include "syntax/toml.h"
#include "syntax/xml-reader.h"
#include "syntax/yaml-tree.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SHOWN_CHARACTERS 40
/* maximum number of lines that are examined to guess the syntax, not counting comments and empty
 * lines */
#define MAX_SCANNED_LINES 100

/* Syntax */

/* Returns the first N lines of DATA that are neither empty nor comments, and sets *FIRST to the
 * line number of the first one. Free with g_ptr_array_unref(). */
static GPtrArray *
first_lines (const char *data, gsize size, guint n, int *first)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);

  *first = 1;
  for (const char *p = data, *end = data + size; p < end && lines->len < n;)
    {
      const char *newline = memchr (p, '\n', end - p);
      const char *stop = newline != NULL ? newline : end;
      const char *text = p;

      while (text < stop && g_ascii_isspace (*text))
        text++;
      if (text < stop && *text != '#')
        g_ptr_array_add (lines, g_strchomp (g_strndup (p, stop - p)));
      *first += lines->len == 0;
      p = newline != NULL ? newline + 1 : end;
    }
  return lines;
}

static gboolean
matches (const char *pattern, const char *line)
{
  return g_regex_match_simple (pattern, line, G_REGEX_RAW, 0);
}

static PlgSyntax
guess_syntax (const char *data, gsize size, const char *name)
{
  int number;
  guint n_yaml = 0;
  g_autoptr (GPtrArray) lines = first_lines (data, size, MAX_SCANNED_LINES, &number);

  if (*data == '<' || *data == '\xFE' || *data == '\xFF')
    return PLG_SYNTAX_XML;
  if (lines->len == 0 || memchr (data, '\0', size) != NULL)
    return PLG_SYNTAX_TEXT;
  if (g_str_has_suffix (name, ".yaml") || g_str_has_suffix (name, ".yml"))
    return PLG_SYNTAX_YAML;
  /* Detect TOML by the file's suffix or by its first line: "[table]", or "key = value" with
   * spaces around the “=”. Without these spaces, the line could be a shell assignment. */
  if (g_str_has_suffix (name, ".toml") ||
      matches ("^\\[\\[?[\\w .\"'-]*[A-Za-z_][\\w .\"'-]*\\]", lines->pdata[0]) ||
      matches ("^[\\w.\"'-]+[ \\t]+=[ \\t]+[^=]", lines->pdata[0]))
    return PLG_SYNTAX_TOML;
  if (*data == '{' || *data == '[')
    return PLG_SYNTAX_JSON;
  /* Accept the text as YAML if more than half of the lines are keys, list members or indented. */
  if (!matches ("^(---|- |[\\w.\"'-]+:(\\s|$))", lines->pdata[0]))
    return PLG_SYNTAX_TEXT;
  for (guint i = 0; i < lines->len; i++)
    n_yaml += matches ("^(---|\\s|- |[\\w.\"'-]+:(\\s|$))", lines->pdata[i]);
  return 2 * n_yaml > lines->len ? PLG_SYNTAX_YAML : PLG_SYNTAX_TEXT;
}

/* Messages */

/* Adds the name of the most similar format to ERROR. Returns FALSE. */
static gboolean
add_suggestion (const PlgImportContext *context, PlgSyntax syntax, GError **error)
{
  const PlgFormat *format = plg_format_suggest (context->data, context->size, syntax);
  g_autofree char *message = NULL;

  if (error == NULL)
    return FALSE;
  (*error)->code = PLG_FORMAT_ERROR_UNKNOWN;
  if (format == NULL)
    return FALSE;
  message = g_steal_pointer (&(*error)->message);
  (*error)->message = g_strdup_printf (_ ("%s The most similar supported format is “%s”; such a "
                                          "file contains %s."),
                                       message, _ (format->title), format->sign);
  return FALSE;
}

static gboolean
fail_unknown (const PlgImportContext *context, PlgSyntax syntax, const char *name, GError **error)
{
  g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNKNOWN,
               _ ("This is %s, but not a kind of file that Parallelogram can read."), name);
  return add_suggestion (context, syntax, error);
}

/* Fails with a message that quotes the first line of the text. */
static gboolean
fail_text (const PlgImportContext *context, GError **error)
{
  int number;
  const char *invalid;
  g_autoptr (GPtrArray) lines = first_lines (context->data, context->size, 1, &number);
  g_autofree char *shown = NULL;

  if (!g_utf8_validate_len (context->data, context->size, &invalid))
    {
      g_autofree char *why = plg_bad_byte_describe (*invalid);
      int line = 1;

      for (const char *p = context->data; p < invalid; p++)
        line += *p == '\n';
      return plg_format_fail (line, PLG_FORMAT_ERROR_UNKNOWN, error, "%s", why);
    }
  if (lines->len == 0)
    plg_format_fail (0, PLG_FORMAT_ERROR_UNKNOWN, error, _ ("The file has only comments."));
  else
    {
      shown = plg_text_excerpt (lines->pdata[0], SHOWN_CHARACTERS);
      plg_format_fail (number, PLG_FORMAT_ERROR_UNKNOWN, error,
                       _ ("No supported format begins with “%s”."), shown);
    }
  return add_suggestion (context, PLG_SYNTAX_TEXT, error);
}

/* Common kinds of binary files, recognised by their first bytes. */
static const struct
{
  const char *magic;
  const char *name;
  gboolean is_compressed;
} binary_formats[] = {
  { "\x89PNG", "PNG", FALSE },
  { "\xFF\xD8\xFF", "JPEG", FALSE },
  { "%PDF-", "PDF", FALSE },
  { "PK\x03\x04", "ZIP", TRUE },
  { "\x1F\x8B", "gzip", TRUE },
  { "\xFD"
    "7zXZ",
    "xz", TRUE },
  { "BZh", "bzip2", TRUE },
  { "\x28\xB5\x2F\xFD", "Zstandard", TRUE },
};

gboolean
plg_detect_error_set (const char *data, gsize size, const char *name, GError **error)
{
  PlgImportContext context = { .data = data, .size = size };
  const char *start;

  if (size >= 3 && memcmp (data, "\xEF\xBB\xBF", 3) == 0)
    {
      context.data += 3;
      context.size -= 3;
    }
  start = context.data;
  while (start < data + size && g_ascii_isspace (*start))
    start++;
  for (guint i = 0; i < G_N_ELEMENTS (binary_formats); i++)
    if (g_str_has_prefix (start, binary_formats[i].magic))
      {
        g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNKNOWN,
                     binary_formats[i].is_compressed
                         ? _ ("This is a compressed file (%s); unpack it and open its content.")
                         : _ ("This is a picture or document (%s); among such files, only SVG "
                              "files exported by Parallelogram contain a plan."),
                     binary_formats[i].name);
        return FALSE;
      }
  switch (guess_syntax (start, data + size - start, name))
    {
    case PLG_SYNTAX_XML:
      {
        g_autoptr (PlgXml) xml = plg_xml_parse (context.data, context.size, error);
        g_autofree char *root = NULL;

        if (xml == NULL)
          return FALSE;
        root = plg_text_excerpt ((const char *) plg_xml_root (xml)->name, SHOWN_CHARACTERS);
        plg_xml_fail (xml, plg_xml_root (xml), NULL, error,
                      _ ("This is XML, but not a kind of file that Parallelogram can read: its "
                         "outermost element is <%s>."),
                      root);
        return add_suggestion (&context, PLG_SYNTAX_XML, error);
      }
    case PLG_SYNTAX_JSON:
      {
        g_autoptr (PlgJson) json = plg_json_read (context.data, context.size, error);

        return json != NULL && fail_unknown (&context, PLG_SYNTAX_JSON, "JSON", error);
      }
    case PLG_SYNTAX_TOML:
      {
        g_autoptr (GPtrArray) values = plg_toml_read (context.data, context.size, error);

        return values != NULL && fail_unknown (&context, PLG_SYNTAX_TOML, "TOML", error);
      }
    case PLG_SYNTAX_YAML:
      {
        g_autoptr (PlgYaml) tree = plg_yaml_read (context.data, context.size, error);

        return tree != NULL && fail_unknown (&context, PLG_SYNTAX_YAML, "YAML", error);
      }
    case PLG_SYNTAX_TEXT:
    default:
      return fail_text (&context, error);
    }
}
