/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/option-scanner-arithmetic.h"

#include <string.h>

#define MAX_DEPTH 32

typedef struct
{
  const char *at;
  PlgScannerLookup lookup;
  gpointer data;
  int depth;
} Sum;

static gboolean read_comparison (Sum *sum, gint64 *value);

static char
next (Sum *sum)
{
  while (g_ascii_isspace (*sum->at))
    sum->at++;
  return *sum->at;
}

static gboolean
take (Sum *sum, char wanted)
{
  if (next (sum) != wanted)
    return FALSE;
  sum->at++;
  return TRUE;
}

static gboolean
read_atom (Sum *sum, gint64 *value)
{
  char c = next (sum);
  char *end;

  if (c == '(')
    {
      sum->at++;
      return ++sum->depth <= MAX_DEPTH && read_comparison (sum, value) && take (sum, ')') &&
             sum->depth--;
    }
  if (!g_ascii_isdigit (c))
    {
      /* A variable is "$X", "${X}" or "X". */
      gboolean braced = take (sum, '$') && take (sum, '{');
      const char *start = sum->at;
      g_autofree char *name = NULL;
      const char *text;

      while (g_ascii_isalnum (*sum->at) || *sum->at == '_')
        sum->at++;
      name = g_strndup (start, sum->at - start);
      text = *name != '\0' ? sum->lookup (name, sum->data) : NULL;
      return (!braced || take (sum, '}')) && text != NULL &&
             g_ascii_string_to_signed (text, 10, G_MININT32, G_MAXINT32, value, NULL);
    }
  *value = g_ascii_strtoll (sum->at, &end, 10);
  sum->at = end;
  return *value < G_MAXINT32;
}

/* Reads a product. Division rounds towards zero, as in C and in the shell. */
static gboolean
read_product (Sum *sum, gint64 *value)
{
  gint64 other;

  if (!read_atom (sum, value))
    return FALSE;
  for (char c = next (sum); c == '*' || c == '/' || c == '%'; c = next (sum))
    {
      sum->at++;
      if (!read_atom (sum, &other) || (c != '*' && other == 0))
        return FALSE;
      if (c == '*')
        {
          if (__builtin_mul_overflow (*value, other, value))
            return FALSE;
        }
      else
        *value = c == '/' ? *value / other : *value % other;
    }
  return TRUE;
}

static gboolean
read_sum (Sum *sum, gint64 *value)
{
  gboolean minus = take (sum, '-');
  gint64 other;

  if (!read_product (sum, value))
    return FALSE;
  *value = minus ? -*value : *value;
  for (char c = next (sum); c == '+' || c == '-'; c = next (sum))
    {
      sum->at++;
      if (!read_product (sum, &other) || (c == '+' ? __builtin_add_overflow (*value, other, value)
                                                   : __builtin_sub_overflow (*value, other, value)))
        return FALSE;
    }
  return TRUE;
}

/* Reads one sum or a comparison of two sums. A true comparison has the value 1. */
static gboolean
read_comparison (Sum *sum, gint64 *value)
{
  static const char *const names[] = { "==", "!=", "<=", ">=", "<", ">" };
  gint64 a, b;
  guint i = 0;

  if (!read_sum (sum, value))
    return FALSE;
  while (i < G_N_ELEMENTS (names) && !g_str_has_prefix (sum->at, names[i]))
    i++;
  if (i == G_N_ELEMENTS (names))
    return TRUE;
  sum->at += strlen (names[i]);
  a = *value;
  if (!read_sum (sum, &b))
    return FALSE;
  *value = (const gboolean[]) { a == b, a != b, a <= b, a >= b, a<b, a> b }[i];
  return TRUE;
}

gboolean
plg_scanner_calculate (const char *text, PlgScannerLookup lookup, gpointer data, gint64 *value)
{
  Sum sum = { text, lookup, data, 0 };

  return read_comparison (&sum, value) && next (&sum) == '\0';
}
