/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/shell-words.h"

#include "formats/shell-arithmetic.h"
#include "formats/shell-branches.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_DEPTH 16            /* of a value in a value: ${A:-${B:-${C}}} */
#define MAX_EXPANDED (4 << 20)  /* bytes that variables may become in all */
#define MAX_VARIABLES (1 << 14) /* more than any script has */
#define MAX_WORDS (1 << 17)

/* From OFFSET on, a text stands in LINE. */
typedef struct
{
  guint offset;
  int line;
} Mark;

/* A word in the making. */
typedef struct
{
  GString *text;
  GArray *marks; /* of Mark */
  char *unknown;
} Field;

typedef struct
{
  GPtrArray *fields; /* of Field; a plain variable has one */
  PlgShellWord word; /* the first of them, for who asks */
  gboolean array;
  gboolean used;
} Variable;

typedef struct
{
  const PlgReading *reading;
  PlgShellText *text;
  const char *at; /* ends with a NUL */
  int line;
  int depth;
  gsize expanded;
  int conditions;    /* loops and cases around this place */
  GArray *branches;  /* of ifs */
  GPtrArray *test;   /* the words from “if” or “elif” to “then”, or NULL */
  gboolean told;     /* this command only tells people something */
  gboolean splits;   /* unquoted variables become several words; not where a value is set */
  GPtrArray *fields; /* of Field: the word that is read, which may become several */
  gboolean open;     /* whether the last field still goes on */
} Scanner;

static gboolean scan_word (Scanner *scanner, const char *ends, GError **error);

/* Fields */

static Field *
field_new (void)
{
  Field *field = g_new0 (Field, 1);

  field->text = g_string_new (NULL);
  field->marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  return field;
}

static void
field_free (Field *field)
{
  g_string_free (field->text, TRUE);
  g_array_unref (field->marks);
  g_free (field->unknown);
  g_free (field);
}

static GPtrArray *
fields_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) field_free);
}

static int
field_line (const Field *field, guint offset)
{
  guint from = 0, to = field->marks->len;

  while (to - from > 1)
    {
      guint middle = (from + to) / 2;

      if (g_array_index (field->marks, Mark, middle).offset <= offset)
        from = middle;
      else
        to = middle;
    }
  return to > 0 ? g_array_index (field->marks, Mark, from).line : 0;
}

static void
field_append (Field *field, char c, int line)
{
  guint n = field->marks->len;

  if (n == 0 || g_array_index (field->marks, Mark, n - 1).line != line)
    {
      Mark mark = { (guint) field->text->len, line };
      g_array_append_val (field->marks, mark);
    }
  g_string_append_c (field->text, c);
}

/* The field that is written to; a new one where the last has ended. */
static Field *
current (Scanner *scanner)
{
  if (!scanner->open)
    {
      Field *field = field_new ();
      Mark mark = { 0, scanner->line };

      g_array_append_val (field->marks, mark);
      g_ptr_array_add (scanner->fields, field);
    }
  scanner->open = TRUE;
  return scanner->fields->pdata[scanner->fields->len - 1];
}

static void
append (Scanner *scanner, char c)
{
  field_append (current (scanner), c, scanner->line);
}

/* N bytes that stand for something which only a running shell knows. */
static void
append_unknown (Scanner *scanner, const char *start, gsize n)
{
  Field *field = current (scanner);

  for (gsize i = 0; i < n; i++)
    field_append (field, start[i], scanner->line);
  if (field->unknown == NULL)
    field->unknown = g_strndup (start, n);
}

/* Variables */

static void
variable_free (Variable *variable)
{
  g_clear_pointer (&variable->fields, g_ptr_array_unref);
  g_free (variable);
}

static Variable *
find_variable (const Scanner *scanner, const char *name)
{
  return g_hash_table_lookup (scanner->text->variables, name);
}

/* Whether words are no program's: in a test, in what is only told, and where nothing runs. */
static gboolean
is_silent (const Scanner *scanner)
{
  return scanner->test != NULL || scanner->told ||
         plg_shell_branches_run (scanner->branches) == PLG_SHELL_NO;
}

static const char *
look_up (const char *name, gpointer data)
{
  Variable *variable = find_variable (data, name);

  if (variable == NULL || variable->array || variable->fields->len == 0)
    return NULL;
  variable->used |= !is_silent (data);
  return ((const Field *) variable->fields->pdata[0])->text->str;
}

/* The variable NAME, made where there is none; NULL with ERROR where there are too many. */
static Variable *
ensure_variable (Scanner *scanner, const char *name, GError **error)
{
  PlgShellText *text = scanner->text;
  Variable *variable = find_variable (scanner, name);

  if (variable != NULL)
    return variable;
  if (text->names->len >= MAX_VARIABLES)
    {
      plg_reading_fail (scanner->reading, scanner->line, PLG_FORMAT_ERROR_UNSAFE, error,
                        _ ("The script sets more than %d variables; it is not read."),
                        MAX_VARIABLES);
      return NULL;
    }
  variable = g_new0 (Variable, 1);
  g_ptr_array_add (text->names, g_strdup (name));
  g_hash_table_insert (text->variables, g_strdup (name), variable);
  return variable;
}

/* NAME becomes FIELDS, which it takes, or has them added. */
static gboolean
set_variable (Scanner *scanner,
              const char *name,
              GPtrArray *fields,
              gboolean array,
              gboolean adds,
              GError **error)
{
  PlgShellTruth runs = plg_shell_branches_run (scanner->branches);
  Variable *variable = runs == PLG_SHELL_NO ? NULL : ensure_variable (scanner, name, error);

  if (variable == NULL)
    {
      g_ptr_array_unref (fields);
      return runs == PLG_SHELL_NO;
    }
  if ((scanner->conditions > 0 || runs == PLG_SHELL_MAYBE) && scanner->text->choice == 0)
    scanner->text->choice = scanner->line;
  if (adds && variable->fields != NULL)
    g_ptr_array_extend_and_steal (variable->fields, fields);
  else
    {
      g_clear_pointer (&variable->fields, g_ptr_array_unref);
      variable->fields = fields;
    }
  variable->array = array || (adds && variable->array);
  variable->used = FALSE;
  return TRUE;
}

/* A variable may hold itself twice, and again: that is bounded. */
static gboolean
count_expanded (Scanner *scanner, const Field *field, GError **error)
{
  scanner->expanded += field->text->len + 1;
  return scanner->expanded <= MAX_EXPANDED ||
         plg_reading_fail (scanner->reading, scanner->line, PLG_FORMAT_ERROR_UNSAFE, error,
                           _ ("The variables of this script stand for more than %d MiB of text; "
                              "it is not read."),
                           MAX_EXPANDED >> 20);
}

static gboolean
append_field (Scanner *scanner, const Field *field, gboolean quoted, GError **error)
{
  if (!count_expanded (scanner, field, error))
    return FALSE;
  for (guint i = 0; i < field->text->len; i++)
    if (!quoted && scanner->splits && g_ascii_isspace (field->text->str[i]))
      scanner->open = FALSE;
    else
      {
        Field *to = current (scanner);

        field_append (to, field->text->str[i], field_line (field, i));
        if (field->unknown != NULL && to->unknown == NULL)
          to->unknown = g_strdup (field->unknown);
      }
  return TRUE;
}

/* ALL: of an array every element, as a word of its own unless they are JOINED. */
static gboolean
append_variable (Scanner *scanner,
                 Variable *variable,
                 gboolean all,
                 gboolean joined,
                 gboolean quoted,
                 GError **error)
{
  guint n = all || !variable->array ? variable->fields->len : MIN (variable->fields->len, 1);
  gboolean one = joined || !variable->array || !scanner->splits;

  variable->used |= !is_silent (scanner);
  for (guint i = 0; i < n; i++)
    {
      if (i > 0 && one && variable->array)
        append (scanner, ' ');
      else if (i > 0 && variable->array)
        scanner->open = FALSE;
      if (!append_field (scanner, variable->fields->pdata[i], quoted, error))
        return FALSE;
    }
  return TRUE;
}

/* What follows a “$” */

static gboolean
fail_open (const Scanner *scanner, int line, const char *what, GError **error)
{
  return plg_reading_fail (scanner->reading, line, PLG_FORMAT_ERROR_SYNTAX, error,
                           _ ("%s is opened here and never closed."), what);
}

/* The bracket that closes the one at START, or NULL. What stands in quotes does not count; a lone
 * apostrophe is one. */
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

/* Goes on at TO, which may be some lines further on. */
static void
skip_to (Scanner *scanner, const char *to)
{
  for (; scanner->at < to; scanner->at++)
    scanner->line += *scanner->at == '\n';
}

/* $( … ) and $(( … )) */
static gboolean
scan_command (Scanner *scanner, GError **error)
{
  const char *start = scanner->at;
  const char *close = find_close (start + 1);
  gint64 value;

  if (close == NULL)
    return fail_open (scanner, scanner->line, "$(", error);
  if (start[2] == '(' && close[-1] == ')' && close - start > 4)
    {
      g_autofree char *inner = g_strndup (start + 3, close - start - 4);
      char digits[24];

      if (plg_shell_calculate (inner, look_up, scanner, &value))
        {
          g_snprintf (digits, sizeof digits, "%lld", (long long) value);
          for (const char *p = digits; *p != '\0'; p++)
            append (scanner, *p);
          skip_to (scanner, close + 1);
          return TRUE;
        }
    }
  append_unknown (scanner, start, close + 1 - start);
  skip_to (scanner, close + 1);
  return TRUE;
}

static gsize
name_length (const char *text)
{
  gsize n = 0;

  while (g_ascii_isalpha (text[n]) || text[n] == '_' || (n > 0 && g_ascii_isdigit (text[n])))
    n++;
  return n;
}

/* TEXT, which stands for a variable that has no value, as if it were written here. */
static gboolean
scan_default (Scanner *scanner, const char *text, GError **error)
{
  const char *at = scanner->at;
  int line = scanner->line;
  gboolean ok;

  if (scanner->depth >= MAX_DEPTH)
    return plg_reading_fail (scanner->reading, line, PLG_FORMAT_ERROR_UNSAFE, error,
                             _ ("Values are nested more than %d levels deep; it is not read."),
                             MAX_DEPTH);
  scanner->depth++;
  scanner->at = text;
  ok = scan_word (scanner, "", error);
  scanner->depth--;
  scanner->at = at;
  scanner->line = line;
  return ok;
}

static gboolean
is_empty (const Variable *variable)
{
  return variable == NULL || variable->fields->len == 0 ||
         ((const Field *) variable->fields->pdata[0])->text->len == 0;
}

/* INNER is what stands between the braces: a name, perhaps [@], perhaps :-and a default. WHOLE is
 * all of it, for what is not understood. */
static gboolean
expand (Scanner *scanner, char *inner, const char *whole, gboolean quoted, GError **error)
{
  gsize n = name_length (inner);
  g_autofree char *name = g_strndup (inner, n);
  Variable *variable = find_variable (scanner, name);
  const char *rest = inner + n;
  gboolean all = g_str_has_prefix (rest, "[@]") || g_str_has_prefix (rest, "[*]");
  gboolean joined = quoted && g_str_has_prefix (rest, "[*]");
  gboolean colon;

  rest += all ? 3 : 0;
  colon = *rest == ':';
  rest += colon;
  if (variable != NULL && ((*rest == '\0' && !colon) || (strchr ("-=?", *rest) && *rest != '\0')) &&
      (!colon || !is_empty (variable)))
    return append_variable (scanner, variable, all, joined, quoted, error);
  if ((*rest == '-' || *rest == '=') && (n > 0 || g_ascii_isdigit (*inner)))
    return scan_default (scanner, rest + 1, error);
  append_unknown (scanner, whole, strlen (whole));
  return TRUE;
}

/* ${ … } */
static gboolean
scan_braces (Scanner *scanner, gboolean quoted, GError **error)
{
  const char *start = scanner->at;
  const char *close = find_close (start + 1);
  g_autofree char *inner = NULL;
  g_autofree char *whole = NULL;

  if (close == NULL)
    return fail_open (scanner, scanner->line, "${", error);
  inner = g_strndup (start + 2, close - start - 2);
  whole = g_strndup (start, close + 1 - start);
  /* ${1:-8}: what the script is called with is not known, its default is. */
  if (g_ascii_isdigit (*inner) && strchr (inner, '-') != NULL)
    memmove (inner, strchr (inner, '-'), strlen (strchr (inner, '-')) + 1);
  if (*inner == '-' ? !scan_default (scanner, inner + 1, error)
                    : !expand (scanner, inner, whole, quoted, error))
    return FALSE;
  skip_to (scanner, close + 1);
  return TRUE;
}

static gboolean
scan_dollar (Scanner *scanner, gboolean quoted, GError **error)
{
  const char *start = scanner->at;
  gsize n = name_length (start + 1);
  g_autofree char *name = g_strndup (start + 1, n);
  Variable *variable;

  if (start[1] == '(')
    return scan_command (scanner, error);
  if (start[1] == '{')
    return scan_braces (scanner, quoted, error);
  scanner->at += 1 + n;
  if (n > 0 && (variable = find_variable (scanner, name)) != NULL)
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

/* A backslash in front of the end of a line joins it with the next. */
static void
scan_backslash (Scanner *scanner, gboolean quoted)
{
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
}

/* `command` */
static gboolean
scan_backtick (Scanner *scanner, GError **error)
{
  const char *close = strchr (scanner->at + 1, '`');

  if (close == NULL)
    return fail_open (scanner, scanner->line, "`", error);
  append_unknown (scanner, scanner->at, close + 1 - scanner->at);
  skip_to (scanner, close + 1);
  return TRUE;
}

static gboolean
scan_single (Scanner *scanner, GError **error)
{
  int line = scanner->line;

  current (scanner);
  for (scanner->at++; *scanner->at != '\''; scanner->at++)
    {
      if (*scanner->at == '\0')
        return fail_open (scanner, line, "'", error);
      append (scanner, *scanner->at);
      scanner->line += *scanner->at == '\n';
    }
  scanner->at++;
  return TRUE;
}

/* What may follow in or out of double quotes alike; anything else is a character of its own. */
static gboolean
scan_common (Scanner *scanner, gboolean quoted, GError **error)
{
  if (*scanner->at == '$')
    return scan_dollar (scanner, quoted, error);
  if (*scanner->at == '`')
    return scan_backtick (scanner, error);
  if (*scanner->at == '\\')
    {
      scan_backslash (scanner, quoted);
      return TRUE;
    }
  append (scanner, *scanner->at);
  scanner->line += *scanner->at == '\n';
  scanner->at++;
  return TRUE;
}

static gboolean
scan_double (Scanner *scanner, GError **error)
{
  int line = scanner->line;

  current (scanner);
  for (scanner->at++; *scanner->at != '"';)
    {
      if (*scanner->at == '\0')
        return fail_open (scanner, line, "\"", error);
      if (!scan_common (scanner, TRUE, error))
        return FALSE;
    }
  scanner->at++;
  return TRUE;
}

/* A word up to one of the characters ENDS; "": to the end of the text. */
static gboolean
scan_word (Scanner *scanner, const char *ends, GError **error)
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

/* Commands */

#define WORD_ENDS " \t\n;&|()<>"

static void
word_free (PlgShellWord *word)
{
  g_free (word->text);
  g_free (word->unknown);
  g_free (word);
}

/* Quotes that are still around a word go when a shell reads the command line once more. */
static void
emit (PlgShellText *text, const Field *field, guint from, guint to)
{
  PlgShellWord *word = g_new0 (PlgShellWord, 1);
  const char *start = field->text->str;
  gboolean quoted = to > from + 1 && strchr ("'\"", start[from]) != NULL &&
                    start[to - 1] == start[from];

  word->text = g_strndup (start + from + quoted, to - from - 2 * quoted);
  word->line = field_line (field, from);
  if (field->unknown != NULL && strstr (word->text, field->unknown) != NULL)
    word->unknown = g_strdup (field->unknown);
  g_ptr_array_add (text->words, word);
}

/* Whether one of the words in TEXT is an option, as in a command line that is handed on. */
static gboolean
has_options (const char *text)
{
  for (const char *p = strstr (text, "--"); p != NULL; p = strstr (p + 2, "--"))
    if ((p == text || g_ascii_isspace (p[-1])) && g_ascii_isalpha (p[2]))
      return TRUE;
  return FALSE;
}

static void
emit_parts (PlgShellText *text, const Field *field)
{
  const char *start = field->text->str;
  guint from = 0;

  for (guint i = 0; i <= field->text->len; i++)
    if (start[i] == '\0' || g_ascii_isspace (start[i]))
      {
        if (i > from)
          emit (text, field, from, i);
        from = i + 1;
      }
}

static void
emit_field (PlgShellText *text, const Field *field)
{
  if (strpbrk (field->text->str, " \t\n") != NULL && has_options (field->text->str))
    emit_parts (text, field);
  else
    emit (text, field, 0, (guint) field->text->len);
}

/* The words of ( … ), for an array. */
static gboolean
scan_array (Scanner *scanner, GPtrArray *fields, GError **error)
{
  int line = scanner->line;

  scanner->fields = fields;
  scanner->splits = TRUE;
  for (scanner->at++; *scanner->at != ')';)
    {
      scanner->open = FALSE;
      if (*scanner->at == '\0')
        return fail_open (scanner, line, "(", error);
      if (*scanner->at == '#')
        skip_to (scanner, scanner->at + strcspn (scanner->at, "\n"));
      else if (strchr (WORD_ENDS, *scanner->at) != NULL)
        skip_to (scanner, scanner->at + 1);
      else if (!scan_word (scanner, WORD_ENDS, error))
        return FALSE;
    }
  scanner->at++;
  return TRUE;
}

static gboolean
scan_value (Scanner *scanner, GPtrArray *fields, GError **error)
{
  scanner->fields = fields;
  scanner->splits = FALSE;
  scanner->open = FALSE;
  current (scanner);
  return scan_word (scanner, WORD_ENDS, error);
}

/* How long "NAME=" or "NAME+=" is that AT begins with; 0: it is none. */
static gsize
assignment_length (const char *at)
{
  gsize n = name_length (at);

  if (n == 0)
    return 0;
  n += at[n] == '+';
  return at[n] == '=' ? n + 1 : 0;
}

/* NAME=value, NAME+=value, NAME=( … ) */
static gboolean
scan_assignment (Scanner *scanner, gsize length, GError **error)
{
  gboolean adds = scanner->at[length - 2] == '+';
  g_autofree char *name = g_strndup (scanner->at, length - 1 - adds);
  g_autoptr (GPtrArray) fields = fields_new ();
  gboolean array;

  scanner->at += length;
  array = *scanner->at == '(';
  if (array ? !scan_array (scanner, fields, error) : !scan_value (scanner, fields, error))
    return FALSE;
  return set_variable (scanner, name, g_steal_pointer (&fields), array, adds, error);
}

static gboolean
is_one_of (const char *word, const char *const *list)
{
  return g_strv_contains (list, word);
}

/* Whether an assignment may still follow WORD, the first of a command. */
static gboolean
goes_on (Scanner *scanner, const char *word)
{
  static const char *const opening[] = { "case", "for", "while", "until", "select", NULL };
  static const char *const closing[] = { "esac", "done", NULL };
  static const char *const others[] = {
    "export", "declare", "local",   "readonly", "typeset", "do",
    "time",   "{",       "#SBATCH", "!",        "env",     NULL
  };

  if (is_one_of (word, opening))
    scanner->conditions++;
  if (is_one_of (word, closing) && scanner->conditions > 0)
    scanner->conditions--;
  return is_one_of (word, opening) || is_one_of (word, others);
}

static void
begin_test (Scanner *scanner)
{
  g_clear_pointer (&scanner->test, g_ptr_array_unref);
  scanner->test = plg_shell_operands_new ();
}

static void
end_test (Scanner *scanner)
{
  if (scanner->test != NULL)
    plg_shell_branches_decide (scanner->branches, plg_shell_test (scanner->test));
  g_clear_pointer (&scanner->test, g_ptr_array_unref);
}

/* Whether WORD, the first of a command, is of an if. */
static gboolean
take_branch (Scanner *scanner, const char *word)
{
  static const char *const words[] = { "if", "then", "elif", "else", "fi", NULL };

  if (!is_one_of (word, words))
    return FALSE;
  if (g_str_equal (word, "then"))
    end_test (scanner);
  else if (g_str_equal (word, "if"))
    plg_shell_branches_open (scanner->branches);
  else if (g_str_equal (word, "fi"))
    plg_shell_branches_close (scanner->branches);
  else
    plg_shell_branches_next (scanner->branches);
  if (g_str_equal (word, "if") || g_str_equal (word, "elif"))
    begin_test (scanner);
  return TRUE;
}

static void
take_fields (Scanner *scanner, const GPtrArray *fields)
{
  for (guint i = 0; i < fields->len; i++)
    {
      const Field *field = fields->pdata[i];

      if (scanner->test != NULL)
        plg_shell_operands_add (scanner->test, field->text->str, field->unknown);
      else if (!is_silent (scanner))
        emit_field (scanner->text, field);
    }
}

static gboolean
count_words (const Scanner *scanner, GError **error)
{
  return scanner->text->words->len < MAX_WORDS ||
         plg_reading_fail (scanner->reading, scanner->line, PLG_FORMAT_ERROR_UNSAFE, error,
                           _ ("The script has more than %d words; it is not read."), MAX_WORDS);
}

/* One word of a command; FIRST as long as it may be a keyword or an assignment. */
static gboolean
scan_argument (Scanner *scanner, gboolean *first, GError **error)
{
  static const char *const telling[] = { "echo", "printf", "grep", NULL };
  g_autoptr (GPtrArray) fields = fields_new ();
  gsize length = *first ? assignment_length (scanner->at) : 0;

  if (length > 0)
    return scan_assignment (scanner, length, error);
  scanner->fields = fields;
  scanner->splits = TRUE;
  scanner->open = FALSE;
  if (!scan_word (scanner, WORD_ENDS, error) || !count_words (scanner, error))
    return FALSE;
  if (*first && fields->len > 0)
    {
      const char *word = ((const Field *) fields->pdata[0])->text->str;

      if (take_branch (scanner, word))
        return TRUE;
      scanner->told = is_one_of (word, telling);
      *first = goes_on (scanner, word) || *word == '-';
    }
  take_fields (scanner, fields);
  return TRUE;
}

static gboolean
is_batch_line (const Scanner *scanner, const char *start)
{
  return strncmp (scanner->at, "#SBATCH", 7) == 0 &&
         (scanner->at == start || scanner->at[-1] == '\n');
}

/* What stands between words: a command ends, or is tied to the next. */
static void
scan_between (Scanner *scanner)
{
  const char *at = scanner->at;
  gboolean joint = g_str_has_prefix (at, "&&") || g_str_has_prefix (at, "||");
  const char text[] = { *at, joint ? *at : '\0', '\0' };

  if (strchr (";\n&|", *at) != NULL)
    scanner->told = FALSE;
  if (scanner->test != NULL && strchr ("&|()<>", *at) != NULL)
    plg_shell_operands_add (scanner->test, text, NULL);
  skip_to (scanner, at + 1 + joint);
}

static gboolean
scan_script (Scanner *scanner, GError **error)
{
  const char *start = scanner->at;
  gboolean first = TRUE;

  while (*scanner->at != '\0')
    if (is_batch_line (scanner, start))
      scanner->at += 7;
    else if (*scanner->at == '#')
      skip_to (scanner, scanner->at + strcspn (scanner->at, "\n"));
    else if (strchr (WORD_ENDS, *scanner->at) != NULL)
      {
        first |= *scanner->at != ' ' && *scanner->at != '\t';
        scan_between (scanner);
      }
    else if (!scan_argument (scanner, &first, error))
      return FALSE;
  return TRUE;
}

/* Options that stand in a variable which nothing uses are meant for a program all the same. */
static void
emit_unused (PlgShellText *text)
{
  for (guint i = 0; i < text->names->len; i++)
    {
      const Variable *variable = g_hash_table_lookup (text->variables, text->names->pdata[i]);
      gboolean wanted = FALSE;

      for (guint j = 0; j < variable->fields->len && !variable->used; j++)
        wanted |= has_options (((const Field *) variable->fields->pdata[j])->text->str);
      for (guint j = 0; j < variable->fields->len && wanted; j++)
        emit_field (text, variable->fields->pdata[j]);
    }
}

PlgShellText *
plg_shell_read (const PlgReading *reading, GError **error)
{
  g_autofree char **lines = plg_reading_lines (reading, error);
  g_autofree char *data = lines != NULL ? g_strjoinv ("\n", lines) : NULL;
  g_autoptr (GArray) branches = plg_shell_branches_new ();
  PlgShellText *text = g_new0 (PlgShellText, 1);
  gboolean read;
  Scanner scanner = { .reading = reading, .text = text, .at = data, .line = 1 };

  text->words = g_ptr_array_new_with_free_func ((GDestroyNotify) word_free);
  text->names = g_ptr_array_new_with_free_func (g_free);
  text->variables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                           (GDestroyNotify) variable_free);
  scanner.branches = branches;
  read = data != NULL && scan_script (&scanner, error);
  g_clear_pointer (&scanner.test, g_ptr_array_unref);
  if (read)
    {
      emit_unused (text);
      return text;
    }
  plg_shell_text_free (text);
  return NULL;
}

void
plg_shell_text_free (PlgShellText *text)
{
  g_clear_pointer (&text->words, g_ptr_array_unref);
  g_clear_pointer (&text->names, g_ptr_array_unref);
  g_clear_pointer (&text->variables, g_hash_table_unref);
  g_free (text);
}

const PlgShellWord *
plg_shell_text_variable (const PlgShellText *text, const char *name)
{
  Variable *variable = g_hash_table_lookup (text->variables, name);
  const Field *field;

  if (variable == NULL || variable->array || variable->fields->len == 0)
    return NULL;
  field = variable->fields->pdata[0];
  variable->word = (PlgShellWord) { field->text->str, field_line (field, 0), field->unknown };
  return &variable->word;
}
