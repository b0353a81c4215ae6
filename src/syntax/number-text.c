/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/number-text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
append_zeros (GString *text, int n)
{
  for (int i = 0; i < n; i++)
    g_string_append_c (text, '0');
}

char *
plg_format_exact_shifted (double value, int shift)
{
  GString *text;
  char digits[24];
  int exponent;

  if (!isfinite (value))
    return g_strdup (isnan (value) ? "NaN" : value > 0 ? "inf" : "-inf");
  if (value == 0)
    return g_strdup ("0");
  text = g_string_new (value < 0 ? "-" : NULL);

  /* Find the digits of |VALUE| without trailing zeros, and the power of ten of the first digit.
   * Use 15 digits if they are exact, otherwise 16 or 17; 17 digits are always exact. */
  char digits_text[G_ASCII_DTOSTR_BUF_SIZE];
  gsize n = 0;

  for (int i = 14; i <= 16; i++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%de", i);
      g_ascii_formatd (digits_text, sizeof digits_text, format, value);
      if (g_ascii_strtod (digits_text, NULL) == value)
        break;
    }
  for (const char *c = digits_text; *c != 'e'; c++)
    if (g_ascii_isdigit (*c))
      digits[n++] = *c;
  while (n > 1 && digits[n - 1] == '0')
    n--;
  digits[n] = '\0';
  exponent = (int) strtol (strchr (digits_text, 'e') + 1, NULL, 10);

  int decimal_exponent = exponent - shift;
  int decimal = (int) strlen (digits);

  if (decimal_exponent < -5 || decimal_exponent > 20)
    {
      g_string_append_c (text, digits[0]);
      if (decimal > 1)
        g_string_append_printf (text, ".%s", digits + 1);
      g_string_append_printf (text, "e%d", decimal_exponent);
    }
  else if (decimal_exponent < 0)
    {
      g_string_append (text, "0.");
      append_zeros (text, -decimal_exponent - 1);
      g_string_append (text, digits);
    }
  else
    {
      g_string_append_len (text, digits, MIN (decimal, decimal_exponent + 1));
      append_zeros (text, decimal_exponent + 1 - decimal);
      if (decimal > decimal_exponent + 1)
        g_string_append_printf (text, ".%s", digits + decimal_exponent + 1);
    }

  return g_string_free (text, FALSE);
}

char *
plg_format_exact (double value)
{
  return plg_format_exact_shifted (value, 0);
}
