/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/option-scanner-private.h"

#include "syntax/option-scanner-arithmetic.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* maximum nesting depth of default values such as ${A:-${B:-${C}}} */
#define MAX_DEPTH 16
#define MAX_EXPANDED (4 << 20) /* maximum total size of expanded variables [bytes] */

/* Fields */

static PlgScannerField *
field_new (void)
{
  PlgScannerField *field = g_new0 (PlgScannerField, 1);

  field->text = g_string_new (NULL);
  field->marks = g_array_new (FALSE, FALSE, sizeof (PlgScannerMark));
  return field;
}

static void
field_free (PlgScannerField *field)
{
  g_string_free (field->text, TRUE);
  g_array_unref (field->marks);
  g_free (field->unknown);
  g_free (field);
}

GPtrArray *
plg_scanner_fields_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) field_free);
}

int
plg_scanner_field_line (const PlgScannerField *field, guint offset)
{
  guint from = 0, to = field->marks->len;

  while (to - from > 1)
    {
      guint middle = (from + to) / 2;

      if (g_array_index (field->marks, PlgScannerMark, middle).offset <= offset)
        from = middle;
      else
        to = middle;
    }
  return to > 0 ? g_array_index (field->marks, PlgScannerMark, from).line : 0;
}

static void
field_append (PlgScannerField *field, char c, int line)
{
  guint n = field->marks->len;

  if (n == 0 || g_array_index (field->marks, PlgScannerMark, n - 1).line != line)
    {
      PlgScannerMark mark = { (guint) field->text->len, line };
      g_array_append_val (field->marks, mark);
    }
  g_string_append_c (field->text, c);
}

/* Returns the last field if text may still be appended to it, otherwise a new field. */
PlgScannerField *
plg_scanner_current_field (PlgOptionScanner *scanner)
{
  if (!scanner->open)
    {
      PlgScannerField *field = field_new ();
      PlgScannerMark mark = { 0, scanner->line };

      g_array_append_val (field->marks, mark);
      g_ptr_array_add (scanner->fields, field);
    }
  scanner->open = TRUE;
  return scanner->fields->pdata[scanner->fields->len - 1];
}

static void
append (PlgOptionScanner *scanner, char c)
{
  field_append (plg_scanner_current_field (scanner), c, scanner->line);
}

/* Appends the N bytes of an expansion whose value depends on a running shell, and records them
 * as the unknown part of the field. */
static void
append_unknown (PlgOptionScanner *scanner, const char *start, gsize n)
{
  PlgScannerField *field = plg_scanner_current_field (scanner);

  for (gsize i = 0; i < n; i++)
    field_append (field, start[i], scanner->line);
  if (field->unknown == NULL)
    field->unknown = g_strndup (start, n);
}

/* Variables */

gboolean
plg_scanner_ignores_words (const PlgOptionScanner *scanner)
{
  return scanner->command.test != NULL || scanner->command.only_prints ||
         (plg_scanner_flow_is_condition (scanner->flow) && !scanner->command.asked) ||
         plg_scanner_flow_is_executed (scanner->flow) == PLG_SCANNER_FALSE;
}

static const char *
look_up (const char *name, gpointer data)
{
  PlgScannerVariable *variable = plg_scanner_find_variable (data, name);

  plg_scanner_use_variable (data, name);
  if (variable == NULL || variable->array || variable->fields->len == 0)
    return NULL;
  variable->used |= !plg_scanner_ignores_words (data);
  return ((const PlgScannerField *) variable->fields->pdata[0])->text->str;
}

/* Appends the value of a variable. If ALL is set, appends every element of an array, each as a
 * separate word unless JOINED is set. */
static gboolean
append_variable (PlgOptionScanner *scanner,
                 PlgScannerVariable *variable,
                 gboolean all,
                 gboolean joined,
                 gboolean quoted,
                 GError **error)
{
  guint n = all || !variable->array ? variable->fields->len : MIN (variable->fields->len, 1);
  gboolean one = joined || !variable->array || !scanner->splits;

  variable->used |= !plg_scanner_ignores_words (scanner);
  for (guint i = 0; i < n; i++)
    {
      if (i > 0 && one && variable->array)
        append (scanner, ' ');
      else if (i > 0 && variable->array)
        scanner->open = FALSE;

      const PlgScannerField *field = variable->fields->pdata[i];

      scanner->expanded += field->text->len + 1;
      if (scanner->expanded > MAX_EXPANDED &&
          !plg_format_fail (scanner->line, PLG_FORMAT_ERROR_UNSAFE, error,
                            _ ("The variables of this script expand to more than %d MiB of text, "
                               "so the script was not read."),
                            MAX_EXPANDED >> 20))
        return FALSE;
      for (guint j = 0; j < field->text->len; j++)
        if (!quoted && scanner->splits && g_ascii_isspace (field->text->str[j]))
          scanner->open = FALSE;
        else
          {
            PlgScannerField *to = plg_scanner_current_field (scanner);

            field_append (to, field->text->str[j], plg_scanner_field_line (field, j));
            if (field->unknown != NULL && to->unknown == NULL)
              to->unknown = g_strdup (field->unknown);
          }
    }
  return TRUE;
}

/* Expansions after “$” */

gboolean
plg_scanner_set_unclosed_error (const PlgOptionScanner *scanner,
                                int line,
                                const char *what,
                                GError **error)
{
  return plg_format_fail (line, PLG_FORMAT_ERROR_SYNTAX, error,
                          _ ("%s is opened here and never closed."), what);
}

/* Returns the bracket that closes the bracket at START, or NULL. Ignores brackets inside quotes.
 * An apostrophe opens a quote only if another apostrophe follows. */
static const char *
find_close (const char *start)
{
  char opening = *start, closing = opening == '(' ? ')' : '}';
  gboolean quoted = FALSE;
  int depth = 0;

  for (const char *p = start; *p != '\0'; p++)
    if (*p == '\\' && p[1] != '\0')
      p++;
    else if (*p == '"')
      quoted = !quoted;
    else if (*p == '\'' && !quoted && strchr (p + 1, '\'') != NULL)
      p = strchr (p + 1, '\'');
    else if (*p == opening && !quoted)
      depth++;
    else if (*p == closing && !quoted && --depth == 0)
      return p;
  return NULL;
}

void
plg_scanner_skip_to (PlgOptionScanner *scanner, const char *to)
{
  for (; scanner->at < to; scanner->at++)
    scanner->line += *scanner->at == '\n';
}

PlgScannerTruth
plg_scanner_calculate_truth (PlgOptionScanner *scanner, const char *start, gsize n)
{
  g_autofree char *inner = g_strndup (start, n);
  gint64 value;

  if (!plg_scanner_calculate (inner, look_up, scanner, &value))
    return PLG_SCANNER_UNKNOWN;
  return value != 0 ? PLG_SCANNER_TRUE : PLG_SCANNER_FALSE;
}

gsize
plg_scanner_name_length (const char *text)
{
  gsize n = 0;

  while (g_ascii_isalpha (text[n]) || text[n] == '_' || (n > 0 && g_ascii_isdigit (text[n])))
    n++;
  return n;
}

/* Expands TEXT, the default value in ${NAME:-TEXT}, and appends it to the current field. */
static gboolean
scan_default (PlgOptionScanner *scanner, const char *text, GError **error)
{
  const char *at = scanner->at;
  int line = scanner->line;
  gboolean ok;

  if (scanner->depth >= MAX_DEPTH)
    return plg_format_fail (line, PLG_FORMAT_ERROR_UNSAFE, error,
                            _ ("Values are nested more than %d levels deep, so the script was "
                               "not read."),
                            MAX_DEPTH);
  scanner->depth++;
  scanner->at = text;
  ok = plg_scanner_read_word (scanner, "", error);
  scanner->depth--;
  scanner->at = at;
  scanner->line = line;
  return ok;
}

static gboolean
is_empty (const PlgScannerVariable *variable)
{
  return variable == NULL || variable->fields->len == 0 ||
         ((const PlgScannerField *) variable->fields->pdata[0])->text->len == 0;
}

/* Expands INNER, the text between the braces: a name, then optionally [@] or [*], then
 * optionally an operator such as :- and a default. WHOLE is the text with the braces, for
 * messages. */
static gboolean
expand (PlgOptionScanner *scanner, char *inner, const char *whole, gboolean quoted, GError **error)
{
  gsize n = plg_scanner_name_length (inner);
  g_autofree char *name = g_strndup (inner, n);
  PlgScannerVariable *variable = plg_scanner_find_variable (scanner, name);
  const char *rest = inner + n;
  gboolean all = g_str_has_prefix (rest, "[@]") || g_str_has_prefix (rest, "[*]");
  gboolean joined = quoted && g_str_has_prefix (rest, "[*]");
  gboolean colon;

  plg_scanner_use_variable (scanner, name);
  rest += all ? 3 : 0;
  colon = *rest == ':';
  rest += colon;
  if (variable != NULL && ((*rest == '\0' && !colon) || (strchr ("-=?", *rest) && *rest != '\0')) &&
      (!colon || !is_empty (variable)))
    return append_variable (scanner, variable, all, joined, quoted, error);
  if (*rest == '=' && n > 0)
    {
      GPtrArray *fields = scanner->fields, *value = plg_scanner_fields_new ();
      gboolean open = scanner->open, splits = scanner->splits, ok;

      scanner->fields = value;
      scanner->open = scanner->splits = FALSE;
      plg_scanner_current_field (scanner);
      ok = scan_default (scanner, rest + 1, error);
      scanner->fields = fields;
      scanner->open = open;
      scanner->splits = splits;
      if (ok)
        {
          if (!plg_scanner_set_variable (scanner, name, value, FALSE, FALSE, error))
            return FALSE;
        }
      else
        {
          g_ptr_array_unref (value);
          return FALSE;
        }

      return ((variable = plg_scanner_find_variable (scanner, name)) == NULL ||
              append_variable (scanner, variable, all, joined, quoted, error));
    }
  if ((*rest == '-' || *rest == '=') && (n > 0 || g_ascii_isdigit (*inner)))
    return scan_default (scanner, rest + 1, error);
  append_unknown (scanner, whole, strlen (whole));
  return TRUE;
}

/* Expands ${ … }. */
static gboolean
scan_braces (PlgOptionScanner *scanner, gboolean quoted, GError **error)
{
  const char *start = scanner->at;
  const char *close = find_close (start + 1);
  g_autofree char *inner = NULL;
  g_autofree char *whole = NULL;

  if (close == NULL)
    return plg_scanner_set_unclosed_error (scanner, scanner->line, "${", error);
  inner = g_strndup (start + 2, close - start - 2);
  whole = g_strndup (start, close + 1 - start);
  /* In ${1:-8}, use the default (here 8), because the arguments of the script are unknown. */
  if (g_ascii_isdigit (*inner) && strchr (inner, '-') != NULL)
    memmove (inner, strchr (inner, '-'), strlen (strchr (inner, '-')) + 1);
  if (*inner == '-' ? !scan_default (scanner, inner + 1, error)
                    : !expand (scanner, inner, whole, quoted, error))
    return FALSE;
  plg_scanner_skip_to (scanner, close + 1);
  return TRUE;
}

static gboolean
scan_dollar (PlgOptionScanner *scanner, gboolean quoted, GError **error)
{
  const char *start = scanner->at;
  gsize n = plg_scanner_name_length (start + 1);
  g_autofree char *name = g_strndup (start + 1, n);
  PlgScannerVariable *variable;

  if (start[1] == '(')
    {
      /* Handle $( … ) and $(( … )). */
      const char *command_start = scanner->at;
      const char *close = find_close (command_start + 1);
      gint64 value;

      if (close == NULL)
        return plg_scanner_set_unclosed_error (scanner, scanner->line, "$(", error);
      if (command_start[2] == '(' && close[-1] == ')' && close - command_start > 4)
        {
          g_autofree char *inner = g_strndup (command_start + 3, close - command_start - 4);
          char digits[24];

          plg_scanner_mark_sums_unknown (scanner, inner, strlen (inner));

          if (plg_scanner_calculate (inner, look_up, scanner, &value))
            {
              g_snprintf (digits, sizeof digits, "%lld", (long long) value);
              for (const char *p = digits; *p != '\0'; p++)
                append (scanner, *p);
              plg_scanner_skip_to (scanner, close + 1);
              return TRUE;
            }
        }
      append_unknown (scanner, command_start, close + 1 - command_start);
      plg_scanner_skip_to (scanner, close + 1);
      return TRUE;
    }
  if (start[1] == '{')
    return scan_braces (scanner, quoted, error);
  scanner->at += 1 + n;
  plg_scanner_use_variable (scanner, name);
  if (n > 0 && (variable = plg_scanner_find_variable (scanner, name)) != NULL)
    return append_variable (scanner, variable, FALSE, FALSE, quoted, error);
  if (n > 0)
    append_unknown (scanner, start, n + 1);
  else if (start[1] != '\0' && strchr ("@*#?!$-0123456789", start[1]) != NULL)
    {
      append_unknown (scanner, start, 2);
      scanner->at++;
    }
  else if (start[1] != '\'' || quoted)
    append (scanner, '$');
  return TRUE;
}

/* Quotes */

static gboolean
scan_single (PlgOptionScanner *scanner, GError **error)
{
  int line = scanner->line;

  plg_scanner_current_field (scanner);
  for (scanner->at++; *scanner->at != '\''; scanner->at++)
    {
      if (*scanner->at == '\0')
        return plg_scanner_set_unclosed_error (scanner, line, "'", error);
      append (scanner, *scanner->at);
      scanner->line += *scanner->at == '\n';
    }
  scanner->at++;
  return TRUE;
}

/* Reads one character, escape or expansion whose syntax is the same inside and outside double
 * quotes. */
static gboolean
scan_common (PlgOptionScanner *scanner, gboolean quoted, GError **error)
{
  if (*scanner->at == '$')
    return scan_dollar (scanner, quoted, error);
  if (*scanner->at == '`')
    {
      const char *close = strchr (scanner->at + 1, '`');

      if (close == NULL)
        return plg_scanner_set_unclosed_error (scanner, scanner->line, "`", error);
      append_unknown (scanner, scanner->at, close + 1 - scanner->at);
      plg_scanner_skip_to (scanner, close + 1);
      return TRUE;
    }
  if (*scanner->at == '\\')
    {
      /* A backslash at the end of a line continues the line on the next one. */
      char c = scanner->at[1];

      if (c == '\n')
        scanner->line++;
      else if (c == '\0')
        {
          append (scanner, '\\');
          scanner->at--;
        }
      else
        {
          if (quoted && strchr ("\\\"$`", c) == NULL)
            append (scanner, '\\');
          append (scanner, c);
        }
      scanner->at += 2;

      return TRUE;
    }
  append (scanner, *scanner->at);
  scanner->line += *scanner->at == '\n';
  scanner->at++;
  return TRUE;
}

static gboolean
scan_double (PlgOptionScanner *scanner, GError **error)
{
  int line = scanner->line;

  plg_scanner_current_field (scanner);
  for (scanner->at++; *scanner->at != '"';)
    {
      if (*scanner->at == '\0')
        return plg_scanner_set_unclosed_error (scanner, line, "\"", error);
      if (!scan_common (scanner, TRUE, error))
        return FALSE;
    }
  scanner->at++;
  return TRUE;
}

gboolean
plg_scanner_read_word (PlgOptionScanner *scanner, const char *ends, GError **error)
{
  while (*scanner->at != '\0' && strchr (ends, *scanner->at) == NULL)
    {
      gboolean ok = *scanner->at == '\''  ? scan_single (scanner, error)
                    : *scanner->at == '"' ? scan_double (scanner, error)
                                          : scan_common (scanner, FALSE, error);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}
