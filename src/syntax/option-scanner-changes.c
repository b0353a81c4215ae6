/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/option-scanner-private.h"

#include <string.h>

/* maximum number of here-documents that can begin on one line; scripts have one or two */
#define MAX_DOCUMENTS 16

/* Handles shell builtins that change variables or affect the rest of the script. The scanner can
 * follow only assignments. A variable that changes in any other way is unknown afterwards, and
 * its use is reported. */

static gboolean
runs (const PlgOptionScanner *scanner)
{
  return plg_scanner_flow_is_executed (scanner->flow) != PLG_SCANNER_FALSE;
}

void
plg_scanner_mark_unknown (PlgOptionScanner *scanner, const char *name)
{
  gsize n = plg_scanner_name_length (name);

  if (n > 0 && runs (scanner))
    g_hash_table_replace (scanner->text->doubts, g_strndup (name, n),
                          GINT_TO_POINTER (scanner->line));
}

static void
set_untracked_line (PlgScannerScript *text, int line)
{
  if (line > 0 && (text->blind == 0 || line < text->blind))
    text->blind = line;
}

void
plg_scanner_script_use_variable (PlgScannerScript *text, const char *name)
{
  set_untracked_line (text, GPOINTER_TO_INT (g_hash_table_lookup (text->doubts, name)));
}

void
plg_scanner_use_variable (PlgOptionScanner *scanner, const char *name)
{
  if (!scanner->command.only_prints && runs (scanner))
    plg_scanner_script_use_variable (scanner->text, name);
}

void
plg_scanner_mark_sums_unknown (PlgOptionScanner *scanner, const char *start, gsize n)
{
  g_autofree char *sums = g_strndup (start, n);
  gboolean steps = strstr (sums, "++") != NULL || strstr (sums, "--") != NULL;

  for (const char *p = sums; *p != '\0';)
    {
      gsize length = plg_scanner_name_length (p);
      const char *after = p + length + strspn (p + length, " \t");
      const char *sign = after + strspn (after, "+-*/%&|^<>");

      if (length > 0 &&
          (steps || (*sign == '=' && sign[1] != '=' &&
                     (sign == after || strchr ("<>", sign[-1]) == NULL || sign - after > 1))))
        plg_scanner_mark_unknown (scanner, p);
      p += MAX (length, 1);
    }
}

void
plg_scanner_record_assignment (PlgOptionScanner *scanner, const char *name)
{
  PlgScannerCommand *command = &scanner->command;

  if (command->assigned == NULL)
    command->assigned = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (command->assigned, g_strdup (name));
}

void
plg_scanner_begin_builtin (PlgOptionScanner *scanner, const char *word)
{
  static const char *const keeping[] = {
    "declare", "export", "local", "readonly", "typeset", NULL
  };
  static const char *const changing[] = { "eval",      "getopts", "let",   "mapfile", "read",
                                          "readarray", "set",     "unset", NULL };
  static const char *const others[] = { ".", "shift", "source", NULL };
  PlgScannerCommand *command = &scanner->command;

  command->keeps |= g_strv_contains (keeping, word);
  command->changes = g_strv_contains (changing, word);
  command->ends = g_str_equal (word, "exit") &&
                  plg_scanner_flow_is_executed (scanner->flow) == PLG_SCANNER_TRUE;
  if (g_strv_contains (others, word) && runs (scanner))
    set_untracked_line (scanner->text, scanner->line);
  if (!command->first && !command->keeps)
    {
      /* An assignment before a program, as in "TP=8 program", applies only to that program. The
       * scanner has already replaced the old value of the variable, so mark the variable as
       * unknown. */
      const GPtrArray *assigned = scanner->command.assigned;

      for (guint i = 0; assigned != NULL && i < assigned->len; i++)
        plg_scanner_mark_unknown (scanner, assigned->pdata[i]);
    }
  if (strchr (word, '[') != NULL && strstr (word, "]=") != NULL)
    plg_scanner_mark_unknown (scanner, word);
}

/* Handles an argument of a builtin that changes variables, such as "read TP", "let TP=8", "eval
 * TP=8" or "set -- 8". */
void
plg_scanner_read_builtin_word (PlgOptionScanner *scanner, const char *word)
{
  PlgScannerCommand *command = &scanner->command;
  char after = word[plg_scanner_name_length (word)];

  if (command->changes && g_str_equal (word, "--") && runs (scanner))
    set_untracked_line (scanner->text, scanner->line);
  if (command->changes && (after == '\0' || strchr (" =[+-*/%&|^<>", after) != NULL))
    plg_scanner_mark_unknown (scanner, word);
  /* "printf -v TP" sets the variable TP. */
  command->changes |= command->only_prints && g_str_equal (word, "-v");
}

/* Here-documents in a script: << END */

static void
clear_document (gpointer document)
{
  g_free (((PlgScannerHereDocument *) document)->end);
}

gboolean
plg_scanner_is_here_document (const char *at)
{
  return g_str_has_prefix (at, "<<") && at[2] != '<';
}

void
plg_scanner_begin_here_document (PlgOptionScanner *scanner)
{
  const char *at = scanner->at + 2;
  PlgScannerHereDocument document = { .indented = *at == '-' };
  GString *end = g_string_new (NULL);

  at += document.indented;
  at += strspn (at, " \t");
  for (char quote = '\0'; *at != '\0' && *at != '\n'; at++)
    if (quote == '\0' && strchr (" \t;&|()<>", *at) != NULL)
      break;
    else if (quote != '\0' ? *at == quote : strchr ("'\"", *at) != NULL)
      quote = quote != '\0' ? '\0' : *at;
    else if (*at != '\\')
      g_string_append_c (end, *at);
  document.end = g_string_free (end, FALSE);
  if (scanner->documents->len < MAX_DOCUMENTS)
    g_array_append_val (scanner->documents, document);
  else
    clear_document (&document);
  plg_scanner_skip_to (scanner, at);
}

GArray *
plg_scanner_here_documents_new (void)
{
  GArray *documents = g_array_new (FALSE, FALSE, sizeof (PlgScannerHereDocument));

  g_array_set_clear_func (documents, clear_document);
  return documents;
}

/* Skips tabs. Does not use strspn() or strcspn(), because under sanitizers each call takes time
 * proportional to the whole text. */
static const char *
skip_tabs (const char *at)
{
  while (*at == '\t')
    at++;
  return at;
}

const char *
plg_scanner_find_here_end (const PlgScannerHereDocument *document,
                           const char *at,
                           const char **stop)
{
  while (*at != '\0')
    {
      const char *text = document->indented ? skip_tabs (at) : at;
      gsize n = 0;

      while (text[n] != '\0' && text[n] != '\n')
        n++;

      const char *next = text + n + (text[n] == '\n');

      if (n == strlen (document->end) && strncmp (text, document->end, n) == 0)
        {
          *stop = at;
          return next;
        }
      at = next;
    }
  *stop = at;
  return at;
}
