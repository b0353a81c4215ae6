/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/option-scanner-private.h"

#include <string.h>

/* Decides which branch of a “case WORD in PATTERN | PATTERN) … ;; esac” runs. Uses only values
 * that the script itself sets. */

#define ENDS " \t\n;&|()<>"

/* Skips spaces. If LINES is set, also skips line ends. */
static void
skip_space (PlgOptionScanner *scanner, gboolean lines)
{
  for (;;)
    if (g_str_has_prefix (scanner->at, "\\\n"))
      plg_scanner_skip_to (scanner, scanner->at + 2);
    else if (*scanner->at == ' ' || *scanner->at == '\t' || (lines && *scanner->at == '\n'))
      plg_scanner_skip_to (scanner, scanner->at + 1);
    else
      return;
}

static gboolean
is_word (const char *at, const char *word)
{
  gsize n = strlen (word);

  return strncmp (at, word, n) == 0 && strchr (ENDS, at[n]) != NULL;
}

/* Reads the next word into *TEXT without splitting it. Sets *TEXT to NULL if the word depends on
 * a value that only a running shell has. */
static gboolean
scan_text (PlgOptionScanner *scanner, char **text, GError **error)
{
  g_autoptr (GPtrArray) fields = plg_scanner_fields_new ();
  const PlgScannerField *field;
  gboolean ok;

  scanner->fields = fields;
  scanner->splits = scanner->open = FALSE;
  field = plg_scanner_current_field (scanner);
  /* Read the word like an operand of [ ], because a case statement compares the word but does
   * not pass it to a program. */
  scanner->command.test = plg_scanner_operands_new ();
  ok = plg_scanner_read_word (scanner, ENDS, error);
  g_clear_pointer (&scanner->command.test, g_ptr_array_unref);
  *text = ok && field->unknown == NULL ? g_strdup (field->text->str) : NULL;
  return ok;
}

/* Matches SUBJECT against PATTERN. WRITTEN (N characters) is the pattern as written in the
 * script. The result is unknown if quotes and wildcards occur together, or if the pattern
 * contains a bracket expression such as [a-z]. */
static PlgScannerTruth
match (const char *subject, const char *pattern, const char *written, gsize n)
{
  g_autofree char *raw = g_strndup (written, n);
  gboolean quoted = strpbrk (raw, "\"'\\") != NULL;

  if (subject == NULL || pattern == NULL || strchr (pattern, '[') != NULL ||
      (quoted && strpbrk (pattern, "*?") != NULL))
    return PLG_SCANNER_UNKNOWN;
  return g_pattern_match_simple (pattern, subject) ? PLG_SCANNER_TRUE : PLG_SCANNER_FALSE;
}

gboolean
plg_scanner_expects_case_part (const PlgOptionScanner *scanner)
{
  PlgScannerCasePart part = plg_scanner_flow_case_part (scanner->flow);

  if (part == PLG_SCANNER_CASE_PATTERNS && *scanner->at == '(')
    return TRUE;
  return part != PLG_SCANNER_CASE_COMMANDS && strchr (ENDS, *scanner->at) == NULL &&
         !is_word (scanner->at, "esac");
}

gboolean
plg_scanner_read_case_part (PlgOptionScanner *scanner, GError **error)
{
  if (plg_scanner_flow_case_part (scanner->flow) == PLG_SCANNER_CASE_SUBJECT)
    {
      g_autofree char *subject = NULL;

      if (!scan_text (scanner, &subject, error))
        return FALSE;
      skip_space (scanner, TRUE);
      if (is_word (scanner->at, "in"))
        plg_scanner_skip_to (scanner, scanner->at + strlen ("in"));
      plg_scanner_flow_set_subject (scanner->flow, subject);
      return TRUE;
    }

  /* A pattern with parentheses is one of Bash's extended patterns, such as @(a|b), so its result
   * is unknown. */
  PlgScannerTruth any = PLG_SCANNER_FALSE;
  const char *subject = plg_scanner_flow_get_subject (scanner->flow);

  for (gboolean more = TRUE; more; more = *scanner->at == '|')
    {
      g_autofree char *pattern = NULL;
      const char *start;

      scanner->at += *scanner->at == '(' || *scanner->at == '|';
      skip_space (scanner, FALSE);
      start = scanner->at;
      if (!scan_text (scanner, &pattern, error))
        return FALSE;
      any = plg_scanner_truth_or (any, match (subject, pattern, start, scanner->at - start));
      skip_space (scanner, FALSE);
    }
  if (*scanner->at == ')')
    scanner->at++;
  else
    any = PLG_SCANNER_UNKNOWN;
  plg_scanner_flow_begin_branch (scanner->flow, any);
  return TRUE;
}

gsize
plg_scanner_end_case_branch (PlgOptionScanner *scanner, const char *at)
{
  gsize n = g_str_has_prefix (at, ";;&") ? 3 : g_str_has_prefix (at, ";;") ? 2 : 0;

  if (n == 0 && g_str_has_prefix (at, ";&"))
    n = 2;
  if (n > 0)
    plg_scanner_flow_end_branch (scanner->flow, at[n - 1] == '&');
  return MAX (n, 1);
}
