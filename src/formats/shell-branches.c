/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/shell-branches.h"

#include <string.h>

typedef struct
{
  PlgShellTruth around; /* whether the place of the if runs */
  PlgShellTruth before; /* whether one of the branches before this one would */
  PlgShellTruth here;
} Branch;

static PlgShellTruth
negate (PlgShellTruth truth)
{
  return truth == PLG_SHELL_MAYBE ? truth : truth == PLG_SHELL_NO ? PLG_SHELL_YES : PLG_SHELL_NO;
}

static PlgShellTruth
both (PlgShellTruth a, PlgShellTruth b)
{
  if (a == PLG_SHELL_NO || b == PLG_SHELL_NO)
    return PLG_SHELL_NO;
  return a == PLG_SHELL_YES ? b : a;
}

static PlgShellTruth
either (PlgShellTruth a, PlgShellTruth b)
{
  return negate (both (negate (a), negate (b)));
}

/* Operands */

static void
operand_free (PlgShellOperand *operand)
{
  g_free (operand->text);
  g_free (operand);
}

GPtrArray *
plg_shell_operands_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) operand_free);
}

/* Whether UNKNOWN is a variable, and not what the script is called with or a command prints. */
static gboolean
is_variable (const char *unknown)
{
  const char *name = unknown + 1 + (unknown[0] == '$' && unknown[1] == '{');
  gsize n = strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");

  return *unknown == '$' && n > 0 && !g_ascii_isdigit (*name) &&
         (name[n] == '\0' || g_str_equal (name + n, "}"));
}

void
plg_shell_operands_add (GPtrArray *operands, const char *text, const char *unknown)
{
  PlgShellOperand *operand = g_new0 (PlgShellOperand, 1);

  operand->text = g_strdup (text);
  operand->known = unknown == NULL;
  operand->unset = unknown != NULL && g_str_equal (text, unknown) && is_variable (unknown);
  g_ptr_array_add (operands, operand);
}

/* Tests. One of N operands from FIRST on */

typedef struct
{
  PlgShellOperand *const *operands;
  guint n;
} Words;

static gboolean
is_word (const Words *words, guint i, const char *text)
{
  return i < words->n && words->operands[i]->known && g_str_equal (words->operands[i]->text, text);
}

/* Of a variable that nobody sets an empty text stays. */
static PlgShellTruth
is_empty (const PlgShellOperand *operand)
{
  if (!operand->known)
    return operand->unset ? PLG_SHELL_YES : PLG_SHELL_MAYBE;
  return *operand->text == '\0' ? PLG_SHELL_YES : PLG_SHELL_NO;
}

static PlgShellTruth
truth_of (gboolean value)
{
  return value ? PLG_SHELL_YES : PLG_SHELL_NO;
}

static PlgShellTruth
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
    return PLG_SHELL_MAYBE;
  return truth_of ((const gboolean[]) { x == y, x != y, x<y, x <= y, x> y, x >= y }[i]);
}

/* Right of “==”, [[ ]] takes * and ? for any text. */
static PlgShellTruth
compare (const Words *words)
{
  const PlgShellOperand *a = words->operands[0], *b = words->operands[2];
  const char *operation = words->operands[1]->text;

  if (!a->known || !b->known || strpbrk (b->text, "*?[") != NULL)
    return PLG_SHELL_MAYBE;
  if (g_str_equal (operation, "=") || g_str_equal (operation, "=="))
    return truth_of (g_str_equal (a->text, b->text));
  if (g_str_equal (operation, "!="))
    return truth_of (!g_str_equal (a->text, b->text));
  return compare_numbers (a->text, operation, b->text);
}

/* Goes over the first word, if it is TEXT. */
static gboolean
skip_word (Words *words, const char *text)
{
  if (!is_word (words, 0, text))
    return FALSE;
  *words = (Words) { words->operands + 1, words->n - 1 };
  return TRUE;
}

/* Goes over each “!”; whether they turn round what follows. */
static gboolean
skip_negations (Words *words)
{
  gboolean negated = FALSE;

  while (skip_word (words, "!"))
    negated = !negated;
  return negated;
}

/* What stands in the brackets, or a part of it. */
static PlgShellTruth
test_words (Words words)
{
  gboolean negated = skip_negations (&words);
  PlgShellTruth truth = PLG_SHELL_MAYBE;

  if (words.n == 1)
    truth = negate (is_empty (words.operands[0]));
  else if (words.n == 2 && is_word (&words, 0, "-z"))
    truth = is_empty (words.operands[1]);
  else if (words.n == 2 && is_word (&words, 0, "-n"))
    truth = negate (is_empty (words.operands[1]));
  else if (words.n == 3)
    truth = compare (&words);
  return negated ? negate (truth) : truth;
}

/* One command between && and ||. The brackets [[ ]] may hold several; *INSIDE goes from one to the
 * next. */
static PlgShellTruth
test_command (Words words, gboolean *inside)
{
  gboolean negated = !*inside && skip_negations (&words);
  PlgShellTruth truth;

  if (!*inside && !skip_word (&words, "[[") && !skip_word (&words, "["))
    return PLG_SHELL_MAYBE;
  *inside = words.n == 0 ||
            (!is_word (&words, words.n - 1, "]]") && !is_word (&words, words.n - 1, "]"));
  words.n -= !*inside;
  truth = test_words (words);
  return negated ? negate (truth) : truth;
}

PlgShellTruth
plg_shell_test (const GPtrArray *operands)
{
  Words all = { (PlgShellOperand *const *) operands->pdata, operands->len };
  PlgShellTruth truth = PLG_SHELL_MAYBE;
  gboolean inside = FALSE;
  char joint = '\0';

  for (guint from = 0; from < all.n;)
    {
      guint to = from;
      PlgShellTruth part;

      while (to < all.n && !is_word (&all, to, "&&") && !is_word (&all, to, "||"))
        to++;
      part = test_command ((Words) { all.operands + from, to - from }, &inside);
      truth = joint == '\0' ? part : joint == '&' ? both (truth, part) : either (truth, part);
      joint = to < all.n ? *all.operands[to]->text : '\0';
      from = to + 1;
    }
  return truth;
}

/* Branches */

static Branch *
last (const GArray *branches)
{
  return branches->len > 0 ? &g_array_index (branches, Branch, branches->len - 1) : NULL;
}

GArray *
plg_shell_branches_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Branch));
}

void
plg_shell_branches_open (GArray *branches)
{
  Branch branch = { plg_shell_branches_run (branches), PLG_SHELL_NO, PLG_SHELL_YES };

  g_array_append_val (branches, branch);
}

void
plg_shell_branches_next (GArray *branches)
{
  Branch *branch = last (branches);

  if (branch == NULL)
    return;
  branch->before = either (branch->before, branch->here);
  branch->here = negate (branch->before);
}

void
plg_shell_branches_decide (GArray *branches, PlgShellTruth truth)
{
  Branch *branch = last (branches);

  if (branch != NULL)
    branch->here = both (negate (branch->before), truth);
}

void
plg_shell_branches_close (GArray *branches)
{
  if (branches->len > 0)
    g_array_set_size (branches, branches->len - 1);
}

PlgShellTruth
plg_shell_branches_run (const GArray *branches)
{
  const Branch *branch = last (branches);

  return branch != NULL ? both (branch->around, branch->here) : PLG_SHELL_YES;
}
