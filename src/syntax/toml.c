/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/toml.h"

#include "syntax/format-error.h"
#include "syntax/text-lines.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A TOML reader, needed because Debian has no TOML library for C. It parses all of TOML, but
 * checks lists and inline tables only for balanced brackets and quotes, because no plan needs
 * their values. */

#define MAX_DEPTH 32
#define MAX_VALUES 100000
#define MAX_LISTED_TABLES 1000 /* maximum number of tables in one list of tables */
#define SHOWN_CHARACTERS 40

typedef struct
{
  const char *at; /* current position; the text ends with a NUL */
  int line;
  GString *table;     /* the prefix of each key in the current table, such as "parallelism." */
  GHashTable *lines;  /* map from the path of each value and each [table] to its line */
  GHashTable *counts; /* map from the path of a list of tables to the number of its tables */
  GPtrArray *values;
} Parser;

static void
value_free (PlgTomlValue *value)
{
  g_free (value->path);
  g_free (value->text);
  g_free (value);
}

static gboolean
fail (const Parser *parser, GError **error, const char *what)
{
  return plg_format_fail (parser->line, PLG_FORMAT_ERROR_SYNTAX, error, "%s", what);
}

static void
skip_blanks (Parser *parser)
{
  while (*parser->at == ' ' || *parser->at == '\t')
    parser->at++;
}

static void
skip_comment (Parser *parser)
{
  if (*parser->at == '#')
    parser->at += strcspn (parser->at, "\n");
}

/* Skips blanks, comments and line ends. */
static void
skip_space (Parser *parser)
{
  for (;;)
    {
      skip_blanks (parser);
      skip_comment (parser);
      if (*parser->at != '\n')
        return;
      parser->line++;
      parser->at++;
    }
}

/* Strings */

/* Reads the digits in \u0041 or \U00000041. Returns 0 if the digits are invalid. */
static gunichar
read_code (const char *digits, int n)
{
  gunichar code = 0;

  for (int i = 0; i < n; i++)
    {
      if (!g_ascii_isxdigit (digits[i]))
        return 0;
      code = code * 16 + g_ascii_xdigit_value (digits[i]);
    }
  return g_unichar_validate (code) ? code : 0;
}

static gboolean
read_escape (Parser *parser, GString *text, GError **error)
{
  static const char letters[] = "btnfr\"\\", means[] = "\b\t\n\f\r\"\\";
  char c = parser->at[1];
  const char *found = c != '\0' ? strchr (letters, c) : NULL;
  int digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
  gunichar code = digits > 0 ? read_code (parser->at + 2, digits) : 0;

  if (found != NULL)
    g_string_append_c (text, means[found - letters]);
  else if (code > 0)
    g_string_append_unichar (text, code);
  else
    return fail (parser, error,
                 _ ("A backslash in a string must be followed by b t n f r \" \\ or u; write two "
                    "backslashes, or use single quotes."));
  parser->at += 2 + digits;
  return TRUE;
}

/* Returns whether a string that began with N QUOTE characters ends at the current position. The
 * text of a long string may itself end with one or two quotes. */
static gboolean
at_end (const Parser *parser, char quote, int n)
{
  for (int i = 0; i < n; i++)
    if (parser->at[i] != quote)
      return FALSE;
  return n == 1 || parser->at[n] != quote;
}

/* Reads a string that is enclosed in one or in three quotes. */
static gboolean
read_string (Parser *parser, GString *text, GError **error)
{
  char quote = *parser->at;
  int n = parser->at[1] == quote && parser->at[2] == quote ? 3 : 1;
  int line = parser->line;

  parser->at += n;
  if (n == 3 && *parser->at == '\n')
    parser->line++, parser->at++;
  while (!at_end (parser, quote, n))
    {
      if (*parser->at == '\0' || (*parser->at == '\n' && n == 1))
        {
          parser->line = line;
          return fail (parser, error, _ ("A string begins here and does not end."));
        }
      if (*parser->at == '\\' && quote == '"')
        {
          if (n == 3)
            {
              /* In a long string, a backslash at the end of a line continues the text on the
               * next line. */
              const char *p = parser->at + 1;

              while (*p == ' ' || *p == '\t')
                p++;
              if (*p == '\n')
                {
                  for (; g_ascii_isspace (*p); p++)
                    parser->line += *p == '\n';
                  parser->at = p;
                  continue;
                }
            }
          if (!read_escape (parser, text, error))
            return FALSE;
          continue;
        }
      parser->line += *parser->at == '\n';
      g_string_append_c (text, *parser->at++);
    }
  parser->at += n;
  return TRUE;
}

/* Keys */

/* Reads a key such as a.b."c d" and appends it to PATH. */
static gboolean
read_key (Parser *parser, GString *path, GError **error)
{
  for (int depth = 0; depth < MAX_DEPTH; depth++)
    {
      const char *start = parser->at;

      if (*start == '"' || *start == '\'')
        {
          if (!read_string (parser, path, error))
            return FALSE;
        }
      else
        {
          while (g_ascii_isalnum (*parser->at) || *parser->at == '_' || *parser->at == '-')
            g_string_append_c (path, *parser->at++);
          if (parser->at == start)
            return fail (parser, error,
                         _ ("A key is missing here, such as "
                            "tensor_parallel_degree."));
        }
      skip_blanks (parser);
      if (*parser->at != '.')
        return TRUE;
      g_string_append_c (path, '.');
      parser->at++;
      skip_blanks (parser);
    }
  return fail (parser, error,
               _ ("This key has more parts than any file needs, so the file was "
                  "not read."));
}

static gboolean
add_key (Parser *parser, const char *path, GError **error)
{
  gpointer first = g_hash_table_lookup (parser->lines, path);
  g_autofree char *shown = plg_text_excerpt (path, SHOWN_CHARACTERS);

  if (first != NULL)
    return plg_format_fail (parser->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s occurs twice, first on line %d; remove one of them."), shown,
                            GPOINTER_TO_INT (first));
  g_hash_table_insert (parser->lines, g_strdup (path), GINT_TO_POINTER (parser->line));
  return g_hash_table_size (parser->lines) <= MAX_VALUES ||
         fail (parser, error,
               _ ("The file has more entries than any plan needs, so it was not "
                  "read."));
}

/* Values */

static gboolean
is_number (const char *text)
{
  const char *p = text + (*text == '-' || *text == '+');

  if (g_str_has_prefix (p, "inf") || g_str_has_prefix (p, "nan"))
    return TRUE;
  return g_ascii_isdigit (*p) && strspn (p, "0123456789abcdefABCDEFxobXOB_.+-eE") == strlen (p);
}

/* Reads [ … ] or { … }, which may extend over several lines. */
static gboolean
read_brackets (Parser *parser, GString *text, GError **error)
{
  const char *start = parser->at;
  char closing[MAX_DEPTH];
  int depth = 0, line = parser->line;

  do
    {
      char c = *parser->at;

      if (c == '"' || c == '\'')
        {
          g_autoptr (GString) inner = g_string_new (NULL);
          if (!read_string (parser, inner, error))
            return FALSE;
          continue;
        }
      if (c == '#')
        {
          skip_comment (parser);
          continue;
        }
      if (c == '\0' || depth == MAX_DEPTH || ((c == ']' || c == '}') && c != closing[depth - 1]))
        {
          parser->line = line;
          return fail (parser, error, _ ("This bracket is not closed."));
        }
      if (c == '[' || c == '{')
        closing[depth++] = c == '[' ? ']' : '}';
      depth -= c == ']' || c == '}';
      parser->line += c == '\n';
      parser->at++;
    }
  while (depth > 0);
  g_string_append_len (text, start, parser->at - start);
  return TRUE;
}

static gboolean
read_value (Parser *parser, GString *text, PlgTomlKind *kind, GError **error)
{
  if (*parser->at == '"' || *parser->at == '\'')
    {
      *kind = PLG_TOML_STRING;
      return read_string (parser, text, error);
    }
  if (*parser->at == '[' || *parser->at == '{')
    {
      *kind = PLG_TOML_OTHER;
      return read_brackets (parser, text, error);
    }

  /* Read a word without quotes, such as true, 8, 1_000 or 1979-05-27, and remove “_” from
   * numbers. */
  gsize n = strcspn (parser->at, " \t\n#,]}");
  g_autofree char *word = g_strndup (parser->at, n);
  gboolean date = n > 4 && g_ascii_isdigit (word[0]) && (word[4] == '-' || word[2] == ':');

  if (n == 0)
    return fail (parser, error, _ ("The key has no value."));
  if (g_str_equal (word, "true") || g_str_equal (word, "false"))
    *kind = PLG_TOML_BOOLEAN;
  else if (date)
    *kind = PLG_TOML_OTHER;
  else if (is_number (word))
    *kind = PLG_TOML_NUMBER;
  else
    return fail (parser, error, _ ("A word must be in quotes, such as \"1F1B\"."));
  for (gsize i = 0; i < n; i++)
    if (word[i] != '_' || *kind == PLG_TOML_OTHER)
      g_string_append_c (text, word[i]);
  parser->at += n;
  return TRUE;
}

static gboolean
end_line (Parser *parser, GError **error)
{
  skip_blanks (parser);
  skip_comment (parser);
  return *parser->at == '\n' || *parser->at == '\0' ||
         fail (parser, error, _ ("The line must end after the value."));
}

/* Reads "key = value". */
static gboolean
read_assignment (Parser *parser, GError **error)
{
  g_autoptr (GString) path = g_string_new (parser->table->str);
  g_autoptr (GString) text = g_string_new (NULL);
  PlgTomlKind kind = PLG_TOML_OTHER;
  PlgTomlValue *value;
  int line = parser->line;

  if (!read_key (parser, path, error))
    return FALSE;
  if (*parser->at != '=')
    return fail (parser, error, _ ("“=” must follow the key."));
  parser->at++;
  skip_blanks (parser);
  if (!add_key (parser, path->str, error) || !read_value (parser, text, &kind, error) ||
      !end_line (parser, error))
    return FALSE;
  value = g_new (PlgTomlValue, 1);
  *value = (PlgTomlValue) { g_strdup (path->str), g_strdup (text->str), kind, line };
  g_ptr_array_add (parser->values, value);
  return TRUE;
}

static gboolean
begins_with (gpointer path, gpointer value, gpointer prefix)
{
  return g_str_has_prefix (path, prefix);
}

/* Starts the next table in a list of tables. The keys of the previous table may appear again. */
static gboolean
begin_listed (Parser *parser, GError **error)
{
  GString *table = parser->table;
  int n = GPOINTER_TO_INT (g_hash_table_lookup (parser->counts, table->str));
  g_autofree char *below = g_strconcat (table->str, ".", NULL);

  if (n >= MAX_LISTED_TABLES)
    return fail (parser, error,
                 _ ("The file has more entries than any plan needs, so it was not read."));
  g_hash_table_foreach_remove (parser->lines, begins_with, below);
  g_hash_table_insert (parser->counts, g_strdup (table->str), GINT_TO_POINTER (n + 1));
  g_string_append_printf (table, ".%d", n);
  return TRUE;
}

/* Reads [table] or [[list of tables]]. */
static gboolean
read_table (Parser *parser, GError **error)
{
  gboolean list = parser->at[1] == '[';

  g_string_truncate (parser->table, 0);
  parser->at += list ? 2 : 1;
  skip_blanks (parser);
  if (!read_key (parser, parser->table, error))
    return FALSE;
  if (*parser->at != ']' || (list && parser->at[1] != ']'))
    return fail (parser, error, _ ("This bracket is not closed."));
  parser->at += list ? 2 : 1;
  if (list ? !begin_listed (parser, error) : !add_key (parser, parser->table->str, error))
    return FALSE;
  g_string_append_c (parser->table, '.');
  return end_line (parser, error);
}

GPtrArray *
plg_toml_read (const char *data, gsize size, GError **error)
{
  g_autofree char **lines = plg_text_lines (data, size, error);
  g_autofree char *text = lines != NULL ? g_strjoinv ("\n", lines) : NULL;
  g_autoptr (GString) table = g_string_new (NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) value_free);
  gsize mark = text != NULL && g_str_has_prefix (text, "\xEF\xBB\xBF") ? 3 : 0;
  Parser parser = { text != NULL ? text + mark : NULL, 1, table, seen, counts, values };

  if (text == NULL)
    return NULL;
  for (skip_space (&parser); *parser.at != '\0'; skip_space (&parser))
    if (*parser.at == '[' ? !read_table (&parser, error) : !read_assignment (&parser, error))
      return NULL;
  return g_steal_pointer (&values);
}
