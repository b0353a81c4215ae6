/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/option-scanner-test.h"

#include <string.h>

PlgScannerTruth
plg_scanner_truth_not (PlgScannerTruth truth)
{
  return truth == PLG_SCANNER_UNKNOWN ? truth
         : truth == PLG_SCANNER_FALSE ? PLG_SCANNER_TRUE
                                      : PLG_SCANNER_FALSE;
}

PlgScannerTruth
plg_scanner_truth_and (PlgScannerTruth a, PlgScannerTruth b)
{
  if (a == PLG_SCANNER_FALSE || b == PLG_SCANNER_FALSE)
    return PLG_SCANNER_FALSE;
  return a == PLG_SCANNER_TRUE ? b : a;
}

PlgScannerTruth
plg_scanner_truth_or (PlgScannerTruth a, PlgScannerTruth b)
{
  return plg_scanner_truth_not (plg_scanner_truth_and (plg_scanner_truth_not (a),
                                                       plg_scanner_truth_not (b)));
}

/* Operands */

static void
operand_free (PlgScannerOperand *operand)
{
  g_free (operand->text);
  g_free (operand);
}

GPtrArray *
plg_scanner_operands_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) operand_free);
}

/* Returns whether UNKNOWN is a variable, and not an argument of the script or the output of a
 * command. */
static gboolean
is_variable (const char *unknown)
{
  const char *name = unknown + 1 + (unknown[0] == '$' && unknown[1] == '{');
  gsize n = strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");

  return *unknown == '$' && n > 0 && !g_ascii_isdigit (*name) &&
         (name[n] == '\0' || g_str_equal (name + n, "}"));
}

void
plg_scanner_operands_add (GPtrArray *operands, const char *text, const char *unknown)
{
  PlgScannerOperand *operand = g_new0 (PlgScannerOperand, 1);

  operand->text = g_strdup (text);
  operand->known = unknown == NULL;
  operand->unset = unknown != NULL && g_str_equal (text, unknown) && is_variable (unknown);
  g_ptr_array_add (operands, operand);
}


typedef struct
{
  PlgScannerOperand *const *operands;
  guint n;
} Words;

static gboolean
is_word (const Words *words, guint i, const char *text)
{
  return i < words->n && words->operands[i]->known && g_str_equal (words->operands[i]->text, text);
}

/* Returns whether OPERAND is empty. A variable that is never set is treated as empty. */
static PlgScannerTruth
is_empty (const PlgScannerOperand *operand)
{
  if (!operand->known)
    return operand->unset ? PLG_SCANNER_TRUE : PLG_SCANNER_UNKNOWN;
  return *operand->text == '\0' ? PLG_SCANNER_TRUE : PLG_SCANNER_FALSE;
}

static PlgScannerTruth
truth_of (gboolean value)
{
  return value ? PLG_SCANNER_TRUE : PLG_SCANNER_FALSE;
}

static PlgScannerTruth
compare_numbers (const char *a, const char *operation, const char *b)
{
  static const char *const names[] = { "-eq", "-ne", "-lt", "-le", "-gt", "-ge" };
  gint64 x, y;
  guint i = 0;

  while (i < G_N_ELEMENTS (names) && !g_str_equal (names[i], operation))
    i++;
  if (i == G_N_ELEMENTS (names) ||
      !g_ascii_string_to_signed (a, 10, G_MININT64, G_MAXINT64, &x, NULL) ||
      !g_ascii_string_to_signed (b, 10, G_MININT64, G_MAXINT64, &y, NULL))
    return PLG_SCANNER_UNKNOWN;
  return truth_of ((const gboolean[]) { x == y, x != y, x<y, x <= y, x> y, x >= y }[i]);
}

/* Compares the first and the third word with the operator between them. The result is unknown if
 * the third word contains *, ? or [, because these are wildcards in [[ ]]. */
static PlgScannerTruth
compare (const Words *words)
{
  const PlgScannerOperand *a = words->operands[0], *b = words->operands[2];
  const char *operation = words->operands[1]->text;

  if (!a->known || !b->known || strpbrk (b->text, "*?[") != NULL)
    return PLG_SCANNER_UNKNOWN;
  if (g_str_equal (operation, "=") || g_str_equal (operation, "=="))
    return truth_of (g_str_equal (a->text, b->text));
  if (g_str_equal (operation, "!="))
    return truth_of (!g_str_equal (a->text, b->text));
  return compare_numbers (a->text, operation, b->text);
}

static gboolean
skip_word (Words *words, const char *text)
{
  if (!is_word (words, 0, text))
    return FALSE;
  *words = (Words) { words->operands + 1, words->n - 1 };
  return TRUE;
}

PlgScannerTruth
plg_scanner_evaluate_test (const GPtrArray *operands)
{
  Words all = { (PlgScannerOperand *const *) operands->pdata, operands->len };
  PlgScannerTruth any = PLG_SCANNER_FALSE, each = PLG_SCANNER_TRUE;

  /* Skip the brackets around ALL. The result is unknown if the opening and the closing bracket
   * do not match. */
  const char *close = is_word (&all, 0, "[[") ? "]]" : "]";

  if (all.n < 2 || !is_word (&all, all.n - 1, close))
    return PLG_SCANNER_UNKNOWN;
  all = (Words) { all.operands + 1, all.n - 2 };
  for (guint i = 0; i < all.n; i++)
    if (is_word (&all, i, close) || is_word (&all, i, "("))
      return PLG_SCANNER_UNKNOWN;

  for (guint from = 0, to; from <= all.n; from = to + 1)
    {
      for (to = from; to < all.n; to++)
        if (is_word (&all, to, "&&") || is_word (&all, to, "||"))
          break;

      /* Evaluate the words up to the next && or ||, or up to the end if neither follows. */
      Words words = (Words) { all.operands + from, to - from };

      /* Skip each “!” and record whether the result is negated. */
      gboolean negated = FALSE;

      while (skip_word (&words, "!"))
        negated = !negated;

      PlgScannerTruth truth = PLG_SCANNER_UNKNOWN;

      if (words.n == 1)
        truth = plg_scanner_truth_not (is_empty (words.operands[0]));
      else if (words.n == 2 && is_word (&words, 0, "-z"))
        truth = is_empty (words.operands[1]);
      else if (words.n == 2 && is_word (&words, 0, "-n"))
        truth = plg_scanner_truth_not (is_empty (words.operands[1]));
      else if (words.n == 3)
        truth = compare (&words);
      each = plg_scanner_truth_and (each, negated ? plg_scanner_truth_not (truth) : truth);

      if (to < all.n && is_word (&all, to, "&&"))
        continue;
      any = plg_scanner_truth_or (any, each);
      each = PLG_SCANNER_TRUE;
    }
  return any;
}
