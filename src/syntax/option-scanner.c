/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/option-scanner-private.h"

#include "syntax/text-lines.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_WORDS (1 << 17)
#define MAX_DOCUMENTS 16 /* maximum depth of nested here-documents */
#define WORD_ENDS " \t\n;&|()<>"

/* Reads the words in ( … ), the value of an array. */
static gboolean
scan_array (PlgOptionScanner *scanner, GPtrArray *fields, GError **error)
{
  int line = scanner->line;

  scanner->fields = fields;
  scanner->splits = TRUE;
  for (scanner->at++; *scanner->at != ')';)
    {
      scanner->open = FALSE;
      if (*scanner->at == '\0')
        return plg_scanner_set_unclosed_error (scanner, line, "(", error);
      if (*scanner->at == '#')
        plg_scanner_skip_to (scanner, scanner->at + strcspn (scanner->at, "\n"));
      else if (strchr (WORD_ENDS, *scanner->at) != NULL)
        plg_scanner_skip_to (scanner, scanner->at + 1);
      else if (g_str_has_prefix (scanner->at, "\\\n"))
        plg_scanner_skip_to (scanner, scanner->at + 2);
      else if (!plg_scanner_read_word (scanner, WORD_ENDS, error))
        return FALSE;
    }
  scanner->at++;
  return TRUE;
}

static gboolean
scan_value (PlgOptionScanner *scanner, GPtrArray *fields, GError **error)
{
  scanner->fields = fields;
  scanner->splits = FALSE;
  scanner->open = FALSE;
  plg_scanner_current_field (scanner);
  return plg_scanner_read_word (scanner, WORD_ENDS, error);
}

/* Returns the length of "NAME=" or "NAME+=" at AT, or 0 if there is no assignment. */
static gsize
assignment_length (const char *at)
{
  gsize n = plg_scanner_name_length (at);

  if (n == 0)
    return 0;
  n += at[n] == '+';
  return at[n] == '=' ? n + 1 : 0;
}

/* Starts a command. Clears scanner->function, because a command group is the body of a function
 * only if it directly follows the function's name. */
static void
begin_command (PlgOptionScanner *scanner, PlgScannerTruth status)
{
  scanner->command.begun = TRUE;
  scanner->command.status = status;
  scanner->function = FALSE;
}

/* Returns whether the values of all FIELDS are known. If not, the status of an assignment is
 * unknown too, because it is the status of the command in $( … ). */
static gboolean
fields_are_known (const GPtrArray *fields)
{
  for (guint i = 0; i < fields->len; i++)
    if (((const PlgScannerField *) fields->pdata[i])->unknown != NULL)
      return FALSE;
  return TRUE;
}

/* Commands */

static void
reset_command (PlgScannerCommand *command)
{
  g_clear_pointer (&command->test, g_ptr_array_unref);
  g_clear_pointer (&command->name, g_free);
  g_clear_pointer (&command->assigned, g_ptr_array_unref);
  *command = (PlgScannerCommand) { .first = TRUE };
}

/* Ends the current command, if there is one. There may be none, because a line may end with &&. */
static void
end_command (PlgOptionScanner *scanner, PlgScannerConnector connector)
{
  PlgScannerCommand *command = &scanner->command;
  PlgScannerTruth status = command->test != NULL ? plg_scanner_evaluate_test (command->test)
                                                 : command->status;

  if (command->ends && plg_scanner_flow_exit (scanner->flow) && scanner->text->ended == 0 &&
      plg_scanner_has_options (scanner->at))
    scanner->text->ended = scanner->line;
  if (command->begun)
    plg_scanner_flow_end_command (scanner->flow,
                                  command->negated ? plg_scanner_truth_not (status) : status,
                                  connector);
  reset_command (command);
}

/* Compound commands */

static void
open_compound (PlgOptionScanner *scanner, PlgScannerBlock kind, PlgScannerTruth runs)
{
  plg_scanner_flow_open_block (scanner->flow, kind, scanner->function ? scanner->called : runs);
  scanner->function = FALSE;
  reset_command (&scanner->command);
  if (kind == PLG_SCANNER_BLOCK_SUBSHELL)
    plg_scanner_begin_subshell (scanner);
}

/* Closes a block. After that, the whole block is one command in the surrounding list. */
static void
close_compound (PlgOptionScanner *scanner, PlgScannerBlock kind)
{
  end_command (scanner, PLG_SCANNER_CONNECTOR_END);
  if (!plg_scanner_flow_close_block (scanner->flow, kind))
    return;
  if (kind == PLG_SCANNER_BLOCK_SUBSHELL)
    plg_scanner_end_subshell (scanner);
  begin_command (scanner, PLG_SCANNER_UNKNOWN);
}

static gboolean
is_one_of (const char *word, const char *const *list)
{
  return g_strv_contains (list, word);
}

static const struct
{
  const char *word;
  PlgScannerBlock kind;
  gboolean closes;
} compounds[] = {
  { "if", PLG_SCANNER_BLOCK_IF, FALSE },      { "fi", PLG_SCANNER_BLOCK_IF, TRUE },
  { "for", PLG_SCANNER_BLOCK_LOOP, FALSE },   { "while", PLG_SCANNER_BLOCK_LOOP, FALSE },
  { "until", PLG_SCANNER_BLOCK_LOOP, FALSE }, { "select", PLG_SCANNER_BLOCK_LOOP, FALSE },
  { "done", PLG_SCANNER_BLOCK_LOOP, TRUE },   { "case", PLG_SCANNER_BLOCK_CASE, FALSE },
  { "esac", PLG_SCANNER_BLOCK_CASE, TRUE },   { "{", PLG_SCANNER_BLOCK_GROUP, FALSE },
  { "}", PLG_SCANNER_BLOCK_GROUP, TRUE },
};

/* Returns whether a keyword or an assignment may come after WORD. */
static gboolean
goes_on (const char *word)
{
  static const char *const others[] = { "export", "declare", "local", "readonly", "typeset",
                                        "do",     "time",    "env",   "#SBATCH",  NULL };

  return is_one_of (word, others) || *word == '-';
}

/* Starts the function WORD. The words in its body are read only if WORD also occurs elsewhere in
 * the script, because the function may then be called. */
static void
begin_function (PlgOptionScanner *scanner, const char *word)
{
  if (scanner->mentions == NULL)
    {
      /* Count each word in DATA that may be the name of a function. */
      const char *data = scanner->start;
      GHashTable *mentions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      static const char ends[] = WORD_ENDS "\"'`{}$=";

      for (const char *at = data + strspn (data, ends); *at != '\0'; at += strspn (at, ends))
        {
          char *mentions_word = g_strndup (at, strcspn (at, ends));
          guint count = GPOINTER_TO_UINT (g_hash_table_lookup (mentions, mentions_word));

          at += strlen (mentions_word);
          g_hash_table_replace (mentions, mentions_word, GUINT_TO_POINTER (count + 1));
        }
      scanner->mentions = mentions;
    }
  scanner->function = TRUE;
  scanner->called = GPOINTER_TO_UINT (g_hash_table_lookup (scanner->mentions, word)) > 1
                        ? PLG_SCANNER_UNKNOWN
                        : PLG_SCANNER_FALSE;
  reset_command (&scanner->command);
}

static PlgScannerTruth
status_of (const char *word)
{
  static const char *const succeeding[] = { "true",    ":",     "echo",     "printf",  "export",
                                            "declare", "local", "readonly", "typeset", NULL };

  if (is_one_of (word, succeeding))
    return PLG_SCANNER_TRUE;
  return g_str_equal (word, "false") ? PLG_SCANNER_FALSE : PLG_SCANNER_UNKNOWN;
}

/* Handles WORD, the first word of a command. Returns TRUE if WORD is a keyword or the name of a
 * new function, because such a word is never passed to a program. */
static gboolean
take_first (PlgOptionScanner *scanner, const char *word)
{
  static const char *const printing[] = { "echo", "printf", "grep", NULL };
  PlgScannerCommand *command = &scanner->command;

  if (command->counts)
    plg_scanner_mark_unknown (scanner, word);
  command->counts = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (compounds); i++)
    if (g_str_equal (word, compounds[i].word))
      {
        PlgScannerBlock kind = compounds[i].kind;

        if (compounds[i].closes)
          close_compound (scanner, kind);
        else
          open_compound (scanner, kind,
                         kind == PLG_SCANNER_BLOCK_LOOP ? PLG_SCANNER_UNKNOWN : PLG_SCANNER_TRUE);
        scanner->command.counts = g_str_equal (word, "for") || g_str_equal (word, "select");
        return TRUE;
      }

  gboolean chooses = g_str_equal (word, "then"), decides = g_str_equal (word, "elif");

  if (chooses || decides || g_str_equal (word, "else"))
    {
      end_command (scanner, PLG_SCANNER_CONNECTOR_END);
      if (chooses)
        plg_scanner_flow_begin_then (scanner->flow);
      else
        plg_scanner_flow_begin_else (scanner->flow, decides);
      return TRUE;
    }

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
  plg_scanner_begin_builtin (scanner, word);
  command->only_prints = is_one_of (word, printing);
  command->tests = g_str_equal (word, "[[");
  if (command->tests || g_str_equal (word, "["))
    command->test = plg_scanner_operands_new ();
  else if (!command->first)
    command->name = g_strdup (word);
  return FALSE;
}

static gboolean
count_words (const PlgOptionScanner *scanner, GError **error)
{
  return scanner->text->words->len < MAX_WORDS ||
         plg_format_fail (scanner->line, PLG_FORMAT_ERROR_UNSAFE, error,
                          _ ("The script has more than %d words, so it was not read."), MAX_WORDS);
}

/* Reads one word of a command. */
static gboolean
scan_argument (PlgOptionScanner *scanner, GError **error)
{
  PlgScannerCommand *command = &scanner->command;
  g_autoptr (GPtrArray) fields = plg_scanner_fields_new ();
  gsize length = command->first ? assignment_length (scanner->at) : 0;

  if (length > 0)
    {
      /* Handle an assignment: NAME=value, NAME+=value or NAME=( … ). */
      gboolean adds = scanner->at[length - 2] == '+';
      g_autofree char *name = g_strndup (scanner->at, length - 1 - adds);
      g_autoptr (GPtrArray) assignment_fields = plg_scanner_fields_new ();
      gboolean array;

      scanner->at += length;
      array = *scanner->at == '(';
      if (array ? !scan_array (scanner, assignment_fields, error)
                : !scan_value (scanner, assignment_fields, error))
        return FALSE;
      if (!scanner->command.begun)
        begin_command (scanner, fields_are_known (assignment_fields) ? PLG_SCANNER_TRUE
                                                                     : PLG_SCANNER_UNKNOWN);
      if (!plg_scanner_set_variable (scanner, name, g_steal_pointer (&assignment_fields), array,
                                     adds, error))
        return FALSE;
      plg_scanner_record_assignment (scanner, name);
      return TRUE;
    }
  scanner->fields = fields;
  scanner->splits = TRUE;
  scanner->open = FALSE;
  if (!plg_scanner_read_word (scanner, WORD_ENDS, error) || !count_words (scanner, error))
    return FALSE;
  g_clear_pointer (&command->name, g_free);
  if (command->first && fields->len > 0 &&
      take_first (scanner, ((const PlgScannerField *) fields->pdata[0])->text->str))
    return TRUE;

  const GPtrArray *words = scanner->text->words;
  gboolean maybe = plg_scanner_flow_is_executed (scanner->flow) == PLG_SCANNER_UNKNOWN;
  guint before = words->len;

  for (guint i = 0; i < fields->len; i++)
    {
      const PlgScannerField *field = fields->pdata[i];

      scanner->command.asked |= g_str_has_prefix (field->text->str, "--") &&
                                g_ascii_isalpha (field->text->str[2]);
      if (scanner->command.test != NULL)
        plg_scanner_operands_add (scanner->command.test, field->text->str, field->unknown);
      else if (!plg_scanner_ignores_words (scanner))
        plg_scanner_add_words (scanner->text, field);
      plg_scanner_read_builtin_word (scanner, field->text->str);
    }
  for (; before < words->len; before++)
    ((PlgScannerWord *) words->pdata[before])->maybe = maybe;

  command->tests &= fields->len != 1 ||
                    !g_str_equal (((const PlgScannerField *) fields->pdata[0])->text->str, "]]");
  return TRUE;
}

/* Ends the command at AT, where a separator or connector begins. Returns the number of
 * characters of the separator or connector. */
static gsize
scan_joint (PlgOptionScanner *scanner, const char *at)
{
  if (*at == at[1] && *at != '\n' && *at != ';')
    end_command (scanner, *at == '&' ? PLG_SCANNER_CONNECTOR_AND : PLG_SCANNER_CONNECTOR_OR);
  else if (*at != '|')
    {
      end_command (scanner, PLG_SCANNER_CONNECTOR_END);
      return *at == ';' ? plg_scanner_end_case_branch (scanner, at) : 1;
    }
  else
    {
      /* The last command in a pipeline determines the status of the pipeline. */
      gboolean negated = scanner->command.negated;

      reset_command (&scanner->command);
      scanner->command.negated = negated;
      return 1 + (at[1] == '&');
    }
  return 2;
}

/* Reads an operator inside [[ ]], where operators are words of the test. */
static void
scan_operator (PlgOptionScanner *scanner)
{
  const char *at = scanner->at;
  gboolean connector = g_str_has_prefix (at, "&&") || g_str_has_prefix (at, "||");
  const char text[] = { *at, connector ? *at : '\0', '\0' };

  if (strchr ("&|()<>", *at) != NULL)
    plg_scanner_operands_add (scanner->command.test, text, NULL);
  plg_scanner_skip_to (scanner, at + 1 + connector);
}

static gboolean scan_script (PlgOptionScanner *scanner, GError **error);

/* Reads the text of a here-document up to STOP. If the text has options, it is treated as a
 * script for another program. It is unknown whether that program runs, and assignments in the
 * text are valid only inside the text. A document without options is ignored. */
static gboolean
scan_body (PlgOptionScanner *scanner, const char *stop, GError **error)
{
  g_autofree char *body = g_strdup_printf ("\n%.*s", (int) (stop - scanner->at), scanner->at);
  const char *at = scanner->at;
  g_autoptr (GError) wrong = NULL;
  int line = scanner->line;
  guint depth;

  if (!plg_scanner_has_options (body) || scanner->depth >= MAX_DOCUMENTS)
    return TRUE;
  open_compound (scanner, PLG_SCANNER_BLOCK_SUBSHELL, PLG_SCANNER_UNKNOWN);
  depth = scanner->flow->len;
  scanner->depth++;
  scanner->at = body + 1;
  scan_script (scanner, &wrong);
  scanner->depth--;
  scanner->at = at;
  scanner->line = line;
  g_array_set_size (scanner->flow, MIN (depth, scanner->flow->len));
  close_compound (scanner, PLG_SCANNER_BLOCK_SUBSHELL);
  reset_command (&scanner->command);
  if (wrong == NULL || g_error_matches (wrong, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_SYNTAX))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&wrong));
  return FALSE;
}

/* Reads the characters between words. */
static void
scan_between (PlgOptionScanner *scanner)
{
  const char *at = scanner->at;

  if (scanner->command.tests)
    scan_operator (scanner);
  else if (*at == '(')
    {
      /* Distinguish "name ()", "function name ()", (( … )) and a subshell. */
      PlgScannerCommand *command = &scanner->command;
      const char *inner = scanner->at + 1 + strspn (scanner->at + 1, " \t");
      /* Find the length of the arithmetic expression (( … )) at AT, or 0 if there is none.
       * Search at most 1024 characters, so that many opening brackets do not make the search
       * slow. */
      const char *bracket_at = scanner->at;
      gsize arithmetic;
      const char *close = g_str_has_prefix (bracket_at, "((")
                              ? g_strstr_len (bracket_at, 1024, "))")
                              : NULL;

      if (close == NULL || memchr (bracket_at, '\n', close - bracket_at) != NULL)
        arithmetic = 0;
      else
        arithmetic = close - bracket_at + strspn (close, ")");

      if (*inner == ')' && (command->name != NULL || scanner->function))
        {
          if (command->name != NULL)
            begin_function (scanner, command->name);
          plg_scanner_skip_to (scanner, inner + 1);
        }
      else if (arithmetic > 0)
        {
          begin_command (scanner,
                         plg_scanner_calculate_truth (scanner, scanner->at + 2, arithmetic - 4));
          plg_scanner_mark_sums_unknown (scanner, scanner->at + 2, arithmetic - 4);
          plg_scanner_skip_to (scanner, scanner->at + arithmetic);
        }
      else
        {
          open_compound (scanner, PLG_SCANNER_BLOCK_SUBSHELL, PLG_SCANNER_TRUE);
          plg_scanner_skip_to (scanner, scanner->at + 1);
        }
    }
  else if (*at == ')')
    {
      close_compound (scanner, PLG_SCANNER_BLOCK_SUBSHELL);
      plg_scanner_skip_to (scanner, at + 1);
    }
  else if (plg_scanner_is_here_document (at))
    plg_scanner_begin_here_document (scanner);
  else if (strchr ("<>", *at) != NULL || g_str_has_prefix (at, "&>"))
    plg_scanner_skip_to (scanner, at + strspn (at, "<>&|"));
  else if (strchr (";\n&|", *at) != NULL)
    plg_scanner_skip_to (scanner, at + scan_joint (scanner, at));
  else
    plg_scanner_skip_to (scanner, at + 1);
}

static gboolean
scan_script (PlgOptionScanner *scanner, GError **error)
{
  while (*scanner->at != '\0')
    if (*scanner->at != '#' && plg_scanner_expects_case_part (scanner))
      {
        if (!plg_scanner_read_case_part (scanner, error))
          return FALSE;
      }
    else if (strncmp (scanner->at, "#SBATCH", 7) == 0 &&
             (scanner->at == scanner->start || scanner->at[-1] == '\n'))
      scanner->at += 7;
    else if (*scanner->at == '#')
      plg_scanner_skip_to (scanner, scanner->at + strcspn (scanner->at, "\n"));
    else if (g_str_has_prefix (scanner->at, "\\\n"))
      plg_scanner_skip_to (scanner, scanner->at + 2);
    else if (*scanner->at == '\n' && scanner->documents->len > 0)
      {
        scan_between (scanner);

        /* Read the here-documents that begin on the previous line. */
        g_autoptr (GArray) documents = g_steal_pointer (&scanner->documents);
        gboolean ok = TRUE;

        scanner->documents = plg_scanner_here_documents_new ();
        for (guint i = 0; i < documents->len && ok; i++)
          {
            const char *stop,
                *next = plg_scanner_find_here_end (&g_array_index (documents,
                                                                   PlgScannerHereDocument, i),
                                                   scanner->at, &stop);

            ok = scan_body (scanner, stop, error);
            plg_scanner_skip_to (scanner, next);
          }
        if (!ok)
          return FALSE;
      }
    else if (strchr (WORD_ENDS, *scanner->at) != NULL)
      scan_between (scanner);
    else if (!scan_argument (scanner, error))
      return FALSE;
  return TRUE;
}

static void
scanner_init (PlgOptionScanner *scanner, const char *data)
{
  scanner->start = scanner->at = data;
  scanner->flow = plg_scanner_flow_new ();
  scanner->documents = plg_scanner_here_documents_new ();
  scanner->replaced = g_ptr_array_new_with_free_func ((GDestroyNotify)
                                                          plg_scanner_saved_variable_free);
  reset_command (&scanner->command);
}

static void
scanner_clear (PlgOptionScanner *scanner)
{
  reset_command (&scanner->command);
  g_array_unref (scanner->flow);
  g_array_unref (scanner->documents);
  g_ptr_array_unref (scanner->replaced);
  g_clear_pointer (&scanner->mentions, g_hash_table_unref);
}

PlgScannerScript *
plg_scanner_read (const char *data, gsize size, GError **error)
{
  g_autofree char **lines = plg_text_lines (data, size, error);
  g_autofree char *joined = lines != NULL ? g_strjoinv ("\n", lines) : NULL;
  PlgScannerScript *text = plg_scanner_script_new ();
  gboolean read;
  PlgOptionScanner scanner = { .text = text, .line = 1 };

  scanner_init (&scanner, joined);
  read = joined != NULL && scan_script (&scanner, error);
  scanner_clear (&scanner);
  if (read)
    {
      plg_scanner_add_unused_variables (text);
      return text;
    }
  plg_scanner_script_free (text);
  return NULL;
}
