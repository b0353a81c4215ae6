/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/shell-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_WORDS (1 << 17)
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
emit (PlgShellText *text, const PlgShellField *field, guint from, guint to)
{
  PlgShellWord *word = g_new0 (PlgShellWord, 1);
  const char *start = field->text->str;
  gboolean quoted = to > from + 1 && strchr ("'\"", start[from]) != NULL &&
                    start[to - 1] == start[from];

  word->text = g_strndup (start + from + quoted, to - from - 2 * quoted);
  word->line = plg_shell_field_line (field, from);
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
emit_parts (PlgShellText *text, const PlgShellField *field)
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
emit_field (PlgShellText *text, const PlgShellField *field)
{
  if (strpbrk (field->text->str, " \t\n") != NULL && has_options (field->text->str))
    emit_parts (text, field);
  else
    emit (text, field, 0, (guint) field->text->len);
}

/* The words of ( … ), for an array. */
static gboolean
scan_array (PlgShellScanner *scanner, GPtrArray *fields, GError **error)
{
  int line = scanner->line;

  scanner->fields = fields;
  scanner->splits = TRUE;
  for (scanner->at++; *scanner->at != ')';)
    {
      scanner->open = FALSE;
      if (*scanner->at == '\0')
        return plg_shell_fail_open (scanner, line, "(", error);
      if (*scanner->at == '#')
        plg_shell_skip_to (scanner, scanner->at + strcspn (scanner->at, "\n"));
      else if (strchr (WORD_ENDS, *scanner->at) != NULL)
        plg_shell_skip_to (scanner, scanner->at + 1);
      else if (!plg_shell_scan_word (scanner, WORD_ENDS, error))
        return FALSE;
    }
  scanner->at++;
  return TRUE;
}

static gboolean
scan_value (PlgShellScanner *scanner, GPtrArray *fields, GError **error)
{
  scanner->fields = fields;
  scanner->splits = FALSE;
  scanner->open = FALSE;
  plg_shell_current_field (scanner);
  return plg_shell_scan_word (scanner, WORD_ENDS, error);
}

/* How long "NAME=" or "NAME+=" is that AT begins with; 0: it is none. */
static gsize
assignment_length (const char *at)
{
  gsize n = plg_shell_name_length (at);

  if (n == 0)
    return 0;
  n += at[n] == '+';
  return at[n] == '=' ? n + 1 : 0;
}

/* NAME=value, NAME+=value, NAME=( … ) */
static gboolean
scan_assignment (PlgShellScanner *scanner, gsize length, GError **error)
{
  gboolean adds = scanner->at[length - 2] == '+';
  g_autofree char *name = g_strndup (scanner->at, length - 1 - adds);
  g_autoptr (GPtrArray) fields = plg_shell_fields_new ();
  gboolean array;

  scanner->at += length;
  array = *scanner->at == '(';
  if (array ? !scan_array (scanner, fields, error) : !scan_value (scanner, fields, error))
    return FALSE;
  return plg_shell_set_variable (scanner, name, g_steal_pointer (&fields), array, adds, error);
}

static gboolean
is_one_of (const char *word, const char *const *list)
{
  return g_strv_contains (list, word);
}

/* Whether an assignment may still follow WORD, the first of a command. */
static gboolean
goes_on (PlgShellScanner *scanner, const char *word)
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
begin_test (PlgShellScanner *scanner)
{
  g_clear_pointer (&scanner->test, g_ptr_array_unref);
  scanner->test = plg_shell_operands_new ();
}

static void
end_test (PlgShellScanner *scanner)
{
  if (scanner->test != NULL)
    plg_shell_branches_decide (scanner->branches, plg_shell_test (scanner->test));
  g_clear_pointer (&scanner->test, g_ptr_array_unref);
}

/* Whether WORD, the first of a command, is of an if. */
static gboolean
take_branch (PlgShellScanner *scanner, const char *word)
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
take_fields (PlgShellScanner *scanner, const GPtrArray *fields)
{
  for (guint i = 0; i < fields->len; i++)
    {
      const PlgShellField *field = fields->pdata[i];

      if (scanner->test != NULL)
        plg_shell_operands_add (scanner->test, field->text->str, field->unknown);
      else if (!plg_shell_is_silent (scanner))
        emit_field (scanner->text, field);
    }
}

static gboolean
count_words (const PlgShellScanner *scanner, GError **error)
{
  return scanner->text->words->len < MAX_WORDS ||
         plg_reading_fail (scanner->reading, scanner->line, PLG_FORMAT_ERROR_UNSAFE, error,
                           _ ("The script has more than %d words; it is not read."), MAX_WORDS);
}

/* One word of a command; FIRST as long as it may be a keyword or an assignment. */
static gboolean
scan_argument (PlgShellScanner *scanner, gboolean *first, GError **error)
{
  static const char *const telling[] = { "echo", "printf", "grep", NULL };
  g_autoptr (GPtrArray) fields = plg_shell_fields_new ();
  gsize length = *first ? assignment_length (scanner->at) : 0;

  if (length > 0)
    return scan_assignment (scanner, length, error);
  scanner->fields = fields;
  scanner->splits = TRUE;
  scanner->open = FALSE;
  if (!plg_shell_scan_word (scanner, WORD_ENDS, error) || !count_words (scanner, error))
    return FALSE;
  if (*first && fields->len > 0)
    {
      const char *word = ((const PlgShellField *) fields->pdata[0])->text->str;

      if (take_branch (scanner, word))
        return TRUE;
      scanner->told = is_one_of (word, telling);
      *first = goes_on (scanner, word) || *word == '-';
    }
  take_fields (scanner, fields);
  return TRUE;
}

static gboolean
is_batch_line (const PlgShellScanner *scanner, const char *start)
{
  return strncmp (scanner->at, "#SBATCH", 7) == 0 &&
         (scanner->at == start || scanner->at[-1] == '\n');
}

/* What stands between words: a command ends, or is tied to the next. */
static void
scan_between (PlgShellScanner *scanner)
{
  const char *at = scanner->at;
  gboolean joint = g_str_has_prefix (at, "&&") || g_str_has_prefix (at, "||");
  const char text[] = { *at, joint ? *at : '\0', '\0' };

  if (strchr (";\n&|", *at) != NULL)
    scanner->told = FALSE;
  if (scanner->test != NULL && strchr ("&|()<>", *at) != NULL)
    plg_shell_operands_add (scanner->test, text, NULL);
  plg_shell_skip_to (scanner, at + 1 + joint);
}

static gboolean
scan_script (PlgShellScanner *scanner, GError **error)
{
  const char *start = scanner->at;
  gboolean first = TRUE;

  while (*scanner->at != '\0')
    if (is_batch_line (scanner, start))
      scanner->at += 7;
    else if (*scanner->at == '#')
      plg_shell_skip_to (scanner, scanner->at + strcspn (scanner->at, "\n"));
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
      const PlgShellVariable *variable = g_hash_table_lookup (text->variables,
                                                              text->names->pdata[i]);
      gboolean wanted = FALSE;

      for (guint j = 0; j < variable->fields->len && !variable->used; j++)
        wanted |= has_options (((const PlgShellField *) variable->fields->pdata[j])->text->str);
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
  PlgShellScanner scanner = { .reading = reading, .text = text, .at = data, .line = 1 };

  text->words = g_ptr_array_new_with_free_func ((GDestroyNotify) word_free);
  text->names = g_ptr_array_new_with_free_func (g_free);
  text->variables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                           (GDestroyNotify) plg_shell_variable_free);
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
  PlgShellVariable *variable = g_hash_table_lookup (text->variables, name);
  const PlgShellField *field;

  if (variable == NULL || variable->array || variable->fields->len == 0)
    return NULL;
  field = variable->fields->pdata[0];
  variable->word = (PlgShellWord) { field->text->str, plg_shell_field_line (field, 0),
                                    field->unknown };
  return &variable->word;
}
