/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/shell-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_WORDS (1 << 17)
#define MAX_DOCUMENTS 16 /* in one another */
#define WORD_ENDS " \t\n;&|()<>"

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
      else if (g_str_has_prefix (scanner->at, "\\\n"))
        plg_shell_skip_to (scanner, scanner->at + 2);
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

/* A word that begins a command is no body of a function. */
static void
begin_command (PlgShellScanner *scanner, PlgShellTruth status)
{
  scanner->command.begun = TRUE;
  scanner->command.status = status;
  scanner->function = FALSE;
}

/* What $( … ) comes to is how an assignment of it went. */
static gboolean
fields_are_known (const GPtrArray *fields)
{
  for (guint i = 0; i < fields->len; i++)
    if (((const PlgShellField *) fields->pdata[i])->unknown != NULL)
      return FALSE;
  return TRUE;
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
  if (!scanner->command.begun)
    begin_command (scanner, fields_are_known (fields) ? PLG_SHELL_YES : PLG_SHELL_MAYBE);
  if (!plg_shell_set_variable (scanner, name, g_steal_pointer (&fields), array, adds, error))
    return FALSE;
  plg_shell_note_assigned (scanner, name);
  return TRUE;
}

/* Commands */

static void
reset_command (PlgShellCommand *command)
{
  g_clear_pointer (&command->test, g_ptr_array_unref);
  g_clear_pointer (&command->name, g_free);
  g_clear_pointer (&command->assigned, g_ptr_array_unref);
  *command = (PlgShellCommand) { .first = TRUE };
}

/* The command that is read ends, if there is one: && may stand at the end of a line. */
static void
end_command (PlgShellScanner *scanner, PlgShellJoint joint)
{
  PlgShellCommand *command = &scanner->command;
  PlgShellTruth status = command->test != NULL ? plg_shell_test (command->test) : command->status;

  if (command->ends && plg_shell_flow_end (scanner->flow) && scanner->text->ended == 0 &&
      plg_shell_has_options (scanner->at))
    scanner->text->ended = scanner->line;
  if (command->begun)
    plg_shell_flow_join (scanner->flow, command->negated ? plg_shell_negate (status) : status,
                         joint);
  reset_command (command);
}

/* Compound commands */

static void
open_compound (PlgShellScanner *scanner, PlgShellKind kind, PlgShellTruth runs)
{
  plg_shell_flow_open (scanner->flow, kind, scanner->function ? scanner->called : runs);
  scanner->function = FALSE;
  reset_command (&scanner->command);
  if (kind == PLG_SHELL_SUBSHELL)
    plg_shell_begin_subshell (scanner);
}

/* What is closed is a command of the list around it. */
static void
close_compound (PlgShellScanner *scanner, PlgShellKind kind)
{
  end_command (scanner, PLG_SHELL_THEN);
  if (!plg_shell_flow_close (scanner->flow, kind))
    return;
  if (kind == PLG_SHELL_SUBSHELL)
    plg_shell_end_subshell (scanner);
  begin_command (scanner, PLG_SHELL_MAYBE);
}

/* How often DATA has each word that may be a function's name. */
static GHashTable *
count_mentions (const char *data)
{
  GHashTable *mentions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  static const char ends[] = WORD_ENDS "\"'`{}$=";

  for (const char *at = data + strspn (data, ends); *at != '\0'; at += strspn (at, ends))
    {
      char *word = g_strndup (at, strcspn (at, ends));
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (mentions, word));

      at += strlen (word);
      g_hash_table_replace (mentions, word, GUINT_TO_POINTER (count + 1));
    }
  return mentions;
}

static gboolean
is_one_of (const char *word, const char *const *list)
{
  return g_strv_contains (list, word);
}

static const struct
{
  const char *word;
  PlgShellKind kind;
  gboolean closes;
} compounds[] = {
  { "if", PLG_SHELL_IF, FALSE },      { "fi", PLG_SHELL_IF, TRUE },
  { "for", PLG_SHELL_LOOP, FALSE },   { "while", PLG_SHELL_LOOP, FALSE },
  { "until", PLG_SHELL_LOOP, FALSE }, { "select", PLG_SHELL_LOOP, FALSE },
  { "done", PLG_SHELL_LOOP, TRUE },   { "case", PLG_SHELL_CASE, FALSE },
  { "esac", PLG_SHELL_CASE, TRUE },   { "{", PLG_SHELL_GROUP, FALSE },
  { "}", PLG_SHELL_GROUP, TRUE },
};

/* Whether WORD, the first of a command, begins or ends a compound one. */
static gboolean
take_compound (PlgShellScanner *scanner, const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (compounds); i++)
    if (g_str_equal (word, compounds[i].word))
      {
        PlgShellKind kind = compounds[i].kind;

        if (compounds[i].closes)
          close_compound (scanner, kind);
        else
          open_compound (scanner, kind, kind == PLG_SHELL_LOOP ? PLG_SHELL_MAYBE : PLG_SHELL_YES);
        scanner->command.counts = g_str_equal (word, "for") || g_str_equal (word, "select");
        return TRUE;
      }
  return FALSE;
}

/* Whether WORD, the first of a command, parts an if. */
static gboolean
take_branch (PlgShellScanner *scanner, const char *word)
{
  gboolean chooses = g_str_equal (word, "then"), decides = g_str_equal (word, "elif");

  if (!chooses && !decides && !g_str_equal (word, "else"))
    return FALSE;
  end_command (scanner, PLG_SHELL_THEN);
  if (chooses)
    plg_shell_flow_choose (scanner->flow);
  else
    plg_shell_flow_next (scanner->flow, decides);
  return TRUE;
}

/* After these words a keyword or an assignment may still follow. */
static gboolean
goes_on (const char *word)
{
  static const char *const others[] = { "export", "declare", "local", "readonly", "typeset",
                                        "do",     "time",    "env",   "#SBATCH",  NULL };

  return is_one_of (word, others) || *word == '-';
}

/* WORD is the name of a function, whose body counts only if the script has that name elsewhere. */
static void
begin_function (PlgShellScanner *scanner, const char *word)
{
  if (scanner->mentions == NULL)
    scanner->mentions = count_mentions (scanner->start);
  scanner->function = TRUE;
  scanner->called = GPOINTER_TO_UINT (g_hash_table_lookup (scanner->mentions, word)) > 1
                        ? PLG_SHELL_MAYBE
                        : PLG_SHELL_NO;
  reset_command (&scanner->command);
}

static PlgShellTruth
status_of (const char *word)
{
  static const char *const succeeding[] = { "true",    ":",     "echo",     "printf",  "export",
                                            "declare", "local", "readonly", "typeset", NULL };

  if (is_one_of (word, succeeding))
    return PLG_SHELL_YES;
  return g_str_equal (word, "false") ? PLG_SHELL_NO : PLG_SHELL_MAYBE;
}

/* WORD is the first of a command; whether it is the shell's and no program's. */
static gboolean
take_first (PlgShellScanner *scanner, const char *word)
{
  static const char *const telling[] = { "echo", "printf", "grep", NULL };
  PlgShellCommand *command = &scanner->command;

  if (command->counts)
    plg_shell_doubt (scanner, word);
  command->counts = FALSE;
  if (take_compound (scanner, word) || take_branch (scanner, word))
    return TRUE;
  if (command->named || g_str_equal (word, "function"))
    {
      if (command->named)
        begin_function (scanner, word);
      else
        command->named = TRUE;
      return TRUE;
    }
  if (g_str_equal (word, "!"))
    {
      command->negated = !command->negated;
      return TRUE;
    }
  begin_command (scanner, status_of (word));
  command->first = goes_on (word);
  plg_shell_begin_changes (scanner, word);
  command->told = is_one_of (word, telling);
  command->tests = g_str_equal (word, "[[");
  if (command->tests || g_str_equal (word, "["))
    command->test = plg_shell_operands_new ();
  else if (!command->first)
    command->name = g_strdup (word);
  return FALSE;
}

static gboolean
is_option (const char *word)
{
  return g_str_has_prefix (word, "--") && g_ascii_isalpha (word[2]);
}

static void
take_fields (PlgShellScanner *scanner, const GPtrArray *fields)
{
  const GPtrArray *words = scanner->text->words;
  gboolean maybe = plg_shell_flow_runs (scanner->flow) == PLG_SHELL_MAYBE;
  guint before = words->len;

  for (guint i = 0; i < fields->len; i++)
    {
      const PlgShellField *field = fields->pdata[i];

      scanner->command.asked |= is_option (field->text->str);
      if (scanner->command.test != NULL)
        plg_shell_operands_add (scanner->command.test, field->text->str, field->unknown);
      else if (!plg_shell_is_silent (scanner))
        plg_shell_emit (scanner->text, field);
      plg_shell_change (scanner, field->text->str);
    }
  for (; before < words->len; before++)
    ((PlgShellWord *) words->pdata[before])->maybe = maybe;
}

static gboolean
count_words (const PlgShellScanner *scanner, GError **error)
{
  return scanner->text->words->len < MAX_WORDS ||
         plg_reading_fail (scanner->reading, scanner->line, PLG_FORMAT_ERROR_UNSAFE, error,
                           _ ("The script has more than %d words; it is not read."), MAX_WORDS);
}

static gboolean
ends_tests (const GPtrArray *fields)
{
  return fields->len == 1 &&
         g_str_equal (((const PlgShellField *) fields->pdata[0])->text->str, "]]");
}

/* One word of a command. */
static gboolean
scan_argument (PlgShellScanner *scanner, GError **error)
{
  PlgShellCommand *command = &scanner->command;
  g_autoptr (GPtrArray) fields = plg_shell_fields_new ();
  gsize length = command->first ? assignment_length (scanner->at) : 0;

  if (length > 0)
    return scan_assignment (scanner, length, error);
  scanner->fields = fields;
  scanner->splits = TRUE;
  scanner->open = FALSE;
  if (!plg_shell_scan_word (scanner, WORD_ENDS, error) || !count_words (scanner, error))
    return FALSE;
  g_clear_pointer (&command->name, g_free);
  if (command->first && fields->len > 0 &&
      take_first (scanner, ((const PlgShellField *) fields->pdata[0])->text->str))
    return TRUE;
  take_fields (scanner, fields);
  command->tests &= !ends_tests (fields);
  return TRUE;
}

static gboolean
is_batch_line (const PlgShellScanner *scanner, const char *start)
{
  return strncmp (scanner->at, "#SBATCH", 7) == 0 &&
         (scanner->at == start || scanner->at[-1] == '\n');
}

/* How long the brackets (( … )) at AT are, or 0. The bound keeps many open ones cheap. */
static gsize
arithmetic_length (const char *at)
{
  const char *close = g_str_has_prefix (at, "((") ? g_strstr_len (at, 1024, "))") : NULL;

  if (close == NULL || memchr (at, '\n', close - at) != NULL)
    return 0;
  return close - at + strspn (close, ")");
}

/* "name ()", "function name ()", (( … )) and ( */
static void
scan_bracket (PlgShellScanner *scanner)
{
  PlgShellCommand *command = &scanner->command;
  const char *inner = scanner->at + 1 + strspn (scanner->at + 1, " \t");
  gsize arithmetic = arithmetic_length (scanner->at);

  if (*inner == ')' && (command->name != NULL || scanner->function))
    {
      if (command->name != NULL)
        begin_function (scanner, command->name);
      plg_shell_skip_to (scanner, inner + 1);
    }
  else if (arithmetic > 0)
    {
      begin_command (scanner, plg_shell_calculate_truth (scanner, scanner->at + 2, arithmetic - 4));
      plg_shell_doubt_sums (scanner, scanner->at + 2, arithmetic - 4);
      plg_shell_skip_to (scanner, scanner->at + arithmetic);
    }
  else
    {
      open_compound (scanner, PLG_SHELL_SUBSHELL, PLG_SHELL_YES);
      plg_shell_skip_to (scanner, scanner->at + 1);
    }
}

/* A command ends at AT, or goes on into the next: how many characters say that. */
static gsize
scan_joint (PlgShellScanner *scanner, const char *at)
{
  if (*at == at[1] && *at != '\n' && *at != ';')
    end_command (scanner, *at == '&' ? PLG_SHELL_AND : PLG_SHELL_OR);
  else if (*at != '|')
    {
      end_command (scanner, PLG_SHELL_THEN);
      return *at == ';' ? plg_shell_end_branch (scanner, at) : 1;
    }
  else
    {
      /* Of a pipeline the last command tells how it went. */
      gboolean negated = scanner->command.negated;

      reset_command (&scanner->command);
      scanner->command.negated = negated;
      return 1 + (at[1] == '&');
    }
  return 2;
}

/* In [[ ]], operators are words of the test. */
static void
scan_operator (PlgShellScanner *scanner)
{
  const char *at = scanner->at;
  gboolean joint = g_str_has_prefix (at, "&&") || g_str_has_prefix (at, "||");
  const char text[] = { *at, joint ? *at : '\0', '\0' };

  if (strchr ("&|()<>", *at) != NULL)
    plg_shell_operands_add (scanner->command.test, text, NULL);
  plg_shell_skip_to (scanner, at + 1 + joint);
}

static gboolean scan_script (PlgShellScanner *scanner, GError **error);

/* The text of a document up to STOP is a script for another program, if it has options: whether it
 * is started is open, and what it sets holds in it alone. What is no script is nobody's. */
static gboolean
scan_body (PlgShellScanner *scanner, const char *stop, GError **error)
{
  g_autofree char *body = g_strdup_printf ("\n%.*s", (int) (stop - scanner->at), scanner->at);
  const char *at = scanner->at;
  g_autoptr (GError) wrong = NULL;
  int line = scanner->line;
  guint depth;

  if (!plg_shell_has_options (body) || scanner->depth >= MAX_DOCUMENTS)
    return TRUE;
  open_compound (scanner, PLG_SHELL_SUBSHELL, PLG_SHELL_MAYBE);
  depth = scanner->flow->len;
  scanner->depth++;
  scanner->at = body + 1;
  scan_script (scanner, &wrong);
  scanner->depth--;
  scanner->at = at;
  scanner->line = line;
  g_array_set_size (scanner->flow, MIN (depth, scanner->flow->len));
  close_compound (scanner, PLG_SHELL_SUBSHELL);
  reset_command (&scanner->command);
  if (wrong == NULL || g_error_matches (wrong, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_SYNTAX))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&wrong));
  return FALSE;
}

/* Those that the line before here has begun. */
static gboolean
scan_documents (PlgShellScanner *scanner, GError **error)
{
  g_autoptr (GArray) documents = g_steal_pointer (&scanner->documents);
  gboolean ok = TRUE;

  scanner->documents = plg_shell_documents_new ();
  for (guint i = 0; i < documents->len && ok; i++)
    {
      const char *stop, *next = plg_shell_find_end (&g_array_index (documents, PlgShellDocument, i),
                                                    scanner->at, &stop);

      ok = scan_body (scanner, stop, error);
      plg_shell_skip_to (scanner, next);
    }
  return ok;
}

/* What stands between words. */
static void
scan_between (PlgShellScanner *scanner)
{
  const char *at = scanner->at;

  if (scanner->command.tests)
    scan_operator (scanner);
  else if (*at == '(')
    scan_bracket (scanner);
  else if (*at == ')')
    {
      close_compound (scanner, PLG_SHELL_SUBSHELL);
      plg_shell_skip_to (scanner, at + 1);
    }
  else if (plg_shell_begins_document (at))
    plg_shell_begin_document (scanner);
  else if (strchr ("<>", *at) != NULL || g_str_has_prefix (at, "&>"))
    plg_shell_skip_to (scanner, at + strspn (at, "<>&|"));
  else if (strchr (";\n&|", *at) != NULL)
    plg_shell_skip_to (scanner, at + scan_joint (scanner, at));
  else
    plg_shell_skip_to (scanner, at + 1);
}

static gboolean
scan_script (PlgShellScanner *scanner, GError **error)
{
  while (*scanner->at != '\0')
    if (*scanner->at != '#' && plg_shell_awaits_case (scanner))
      {
        if (!plg_shell_scan_case (scanner, error))
          return FALSE;
      }
    else if (is_batch_line (scanner, scanner->start))
      scanner->at += 7;
    else if (*scanner->at == '#')
      plg_shell_skip_to (scanner, scanner->at + strcspn (scanner->at, "\n"));
    else if (g_str_has_prefix (scanner->at, "\\\n"))
      plg_shell_skip_to (scanner, scanner->at + 2);
    else if (*scanner->at == '\n' && scanner->documents->len > 0)
      {
        scan_between (scanner);
        if (!scan_documents (scanner, error))
          return FALSE;
      }
    else if (strchr (WORD_ENDS, *scanner->at) != NULL)
      scan_between (scanner);
    else if (!scan_argument (scanner, error))
      return FALSE;
  return TRUE;
}

static void
scanner_init (PlgShellScanner *scanner, const char *data)
{
  scanner->start = scanner->at = data;
  scanner->flow = plg_shell_flow_new ();
  scanner->documents = plg_shell_documents_new ();
  scanner->replaced = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_shell_replaced_free);
  reset_command (&scanner->command);
}

static void
scanner_clear (PlgShellScanner *scanner)
{
  reset_command (&scanner->command);
  g_array_unref (scanner->flow);
  g_array_unref (scanner->documents);
  g_ptr_array_unref (scanner->replaced);
  g_clear_pointer (&scanner->mentions, g_hash_table_unref);
}

PlgShellText *
plg_shell_read (const PlgReading *reading, GError **error)
{
  g_autofree char **lines = plg_reading_lines (reading, error);
  g_autofree char *data = lines != NULL ? g_strjoinv ("\n", lines) : NULL;
  PlgShellText *text = plg_shell_text_new ();
  gboolean read;
  PlgShellScanner scanner = { .reading = reading, .text = text, .line = 1 };

  scanner_init (&scanner, data);
  read = data != NULL && scan_script (&scanner, error);
  scanner_clear (&scanner);
  if (read)
    {
      plg_shell_emit_unused (text);
      return text;
    }
  plg_shell_text_free (text);
  return NULL;
}
