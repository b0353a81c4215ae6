/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NARROW_SPACE "\u202f" /* separates thousands without a line break */
#define UNIT_SPACE "\u00a0"
#define SIGNIFICANT 3
/* Numbers that are at least MANY_ZEROS or below FEWEST are written with powers of ten, so that
 * each number fits on a line. */
#define MANY_ZEROS 1e15
#define FEWEST 1e-7
/* The rounding error of sums and quotients of doubles. Smaller shares are shown as 0. */
#define ROUNDING 1e-12

/* A unit for values of at least FROM. SIZE is the number of base units in one such unit. If
 * several units match, the last one is used. */
typedef struct
{
  double from;
  double size;
  const char *unit;
} Step;

/* Returns VALUE rounded to DECIMALS decimal places, without an exponent. */
static char *
fixed (double value, int decimals)
{
  char format[16];
  char text[G_ASCII_DTOSTR_BUF_SIZE + 320];

  g_snprintf (format, sizeof format, "%%.%df", decimals);
  return g_strdup (g_ascii_formatd (text, sizeof text, format, value));
}

static char *
grouped (const char *number)
{
  GString *text = g_string_new (NULL);
  gsize whole;

  if (*number == '-')
    {
      g_string_append_c (text, '-');
      number++;
    }
  whole = strcspn (number, ".");

  /* Append the digits before the decimal point; WHOLE is their number. Put a narrow space
   * between thousands if there are four digits or more. */
  for (gsize i = 0; i < whole; i++)
    {
      if (i > 0 && (whole - i) % 3 == 0)
        g_string_append (text, NARROW_SPACE);
      g_string_append_c (text, number[i]);
    }

  g_string_append (text, number + whole);
  return g_string_free (text, FALSE);
}

static void
drop_trailing_zeros (char *number)
{
  gsize length = strlen (number);

  if (strchr (number, '.') == NULL)
    return;
  while (number[length - 1] == '0')
    number[--length] = '\0';
  if (number[length - 1] == '.')
    number[--length] = '\0';
}

/* Shown in place of a missing number, so that the columns of a table stay aligned. */
#define NOT_A_NUMBER "–"

/* Returns a very large or small number in readable form: "3.1 × 10¹⁸" or "2 × 10⁻⁹". */
static char *
powers_of_ten (double value, int digits)
{
  static const char *const raised[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  char format[16];
  char mantissa[G_ASCII_DTOSTR_BUF_SIZE];
  char *e;
  GString *text;

  g_snprintf (format, sizeof format, "%%.%de", CLAMP (digits - 1, 0, 16));
  g_ascii_formatd (mantissa, sizeof mantissa, format, value);
  e = strchr (mantissa, 'e');
  *e = '\0';
  drop_trailing_zeros (mantissa);
  text = g_string_new (mantissa);
  g_string_append_printf (text, UNIT_SPACE "×" UNIT_SPACE "10%s", e[1] == '-' ? "⁻" : "");
  for (const char *d = e + 2 + strspn (e + 2, "0"); *d != '\0'; d++)
    g_string_append (text, raised[*d - '0']);
  return g_string_free (text, FALSE);
}

char *
plg_format_number (double value, int digits)
{
  g_autofree char *number = NULL;

  if (!isfinite (value))
    {
      if (isnan (value))
        return g_strdup (NOT_A_NUMBER);
      return g_strdup (value > 0 ? "∞" : "-∞");
    }
  if (value != 0 && (fabs (value) >= MANY_ZEROS || fabs (value) < FEWEST))
    return powers_of_ten (value, digits);

  /* Find the number of digits before the decimal point after VALUE is rounded to DIGITS
   * significant digits. */
  char format[16];
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  const char *exponent;

  g_snprintf (format, sizeof format, "%%.%de", MAX (0, digits - 1));
  exponent = strchr (g_ascii_formatd (text, sizeof text, format, value), 'e');
  number = fixed (value,
                  CLAMP (digits -
                             (exponent != NULL ? (int) strtol (exponent + 1, NULL, 10) + 1 : 1),
                         0, 20));

  drop_trailing_zeros (number);
  if (g_str_equal (number, "-0"))
    return g_strdup ("0");
  return grouped (number);
}

/* Appends UNIT to NUMBER, unless NUMBER is the text for a missing number. */
static char *
with_unit (const char *number, const char *unit)
{
  if (g_str_equal (number, NOT_A_NUMBER))
    return g_strdup (number);
  return g_strconcat (number, UNIT_SPACE, unit, NULL);
}

/* Returns VALUE with its unit. The unit is chosen for the rounded value, so 999.9 ms becomes "1
 * s". */
static char *
format_steps (double value, int digits, const Step *steps, int n)
{
  int step = 0;
  double shown;
  g_autofree char *number = NULL;

  if (value == 0 || !isfinite (value))
    {
      number = plg_format_number (value, digits);
      for (int i = 0; i < n; i++)
        if (steps[i].size == 1)
          step = i;
      return with_unit (number, steps[step].unit);
    }
  while (step + 1 < n && fabs (value) >= steps[step + 1].from * (1 - 0.5e-3))
    step++;
  shown = value / steps[step].size;
  number = plg_format_number (shown, digits);
  return with_unit (number, steps[step].unit);
}

static char *
format_memory (double bytes, int digits)
{
  static const Step steps[] = {
    { 0, 1, "B" },
    { PLG_KIB, PLG_KIB, "KiB" },
    { PLG_KIB * PLG_KIB, PLG_KIB * PLG_KIB, "MiB" },
    { PLG_GIB, PLG_GIB, "GiB" },
    { 10 * PLG_GIB * PLG_KIB, PLG_GIB * PLG_KIB, "TiB" },
  };

  return format_steps (bytes, digits, steps, G_N_ELEMENTS (steps));
}

char *
plg_format_memory (double bytes)
{
  return format_memory (bytes, SIGNIFICANT);
}

/* the largest number of digits that distinguish a value from another value */
#define MORE_DIGITS 6

/* Returns VALUE with the smallest number of digits, from DIGITS to DIGITS + MORE_DIGITS, that
 * distinguishes it from OTHER. If even these digits do not distinguish them, returns VALUE with
 * DIGITS digits. */
static char *
format_distinct (char *(*format) (double, int), double value, double other, int digits)
{
  for (int more = 0; more <= MORE_DIGITS; more++)
    {
      g_autofree char *text = format (value, digits + more);
      g_autofree char *beside = format (other, digits + more);

      if (strcmp (text, beside) != 0)
        return g_steal_pointer (&text);
    }
  return format (value, digits);
}

char *
plg_format_memory_distinct (double bytes, double other)
{
  return format_distinct (format_memory, bytes, other, SIGNIFICANT);
}

char *
plg_format_number_distinct (double value, double other, int digits)
{
  return format_distinct (plg_format_number, value, other, digits);
}

char *
plg_format_time_distinct (double seconds, double other)
{
  return format_distinct (plg_format_time_digits, seconds, other, SIGNIFICANT);
}

char *
plg_format_share_distinct (double share, double other)
{
  g_autofree char *text = plg_format_share (share), *beside = plg_format_share (other);
  g_autofree char *number = NULL;

  if (share == other || strcmp (text, beside) != 0)
    return g_steal_pointer (&text);
  number = format_distinct (plg_format_number, 100 * share, 100 * other, SIGNIFICANT + 1);
  return g_strconcat (number, "\u00a0%", NULL);
}

static char *
format_volume (double bytes, int digits)
{
  static const Step steps[] = { { 0, 1, "B" },       { 1e3, 1e3, "kB" },   { 1e6, 1e6, "MB" },
                                { 1e9, 1e9, "GB" },  { 1e12, 1e12, "TB" }, { 1e15, 1e15, "PB" },
                                { 1e18, 1e18, "EB" } };

  return format_steps (bytes, digits, steps, G_N_ELEMENTS (steps));
}

char *
plg_format_volume (double bytes)
{
  return format_volume (bytes, SIGNIFICANT);
}

char *
plg_format_volume_distinct (double bytes, double other)
{
  return format_distinct (format_volume, bytes, other, SIGNIFICANT);
}

char *
plg_format_bandwidth (double bytes_per_second)
{
  static const Step steps[] = {
    { 0, 1, "B/s" },      { 1e3, 1e3, "kB/s" },   { 1e6, 1e6, "MB/s" },
    { 1e9, 1e9, "GB/s" }, { 1e12, 1e12, "TB/s" },
  };

  return format_steps (bytes_per_second, SIGNIFICANT, steps, G_N_ELEMENTS (steps));
}

char *
plg_format_network (double bytes_per_second)
{
  static const Step steps[] = {
    { 0, 1, "b/s" },      { 1e3, 1e3, "kb/s" },   { 1e6, 1e6, "Mb/s" },
    { 1e9, 1e9, "Gb/s" }, { 1e12, 1e12, "Tb/s" },
  };

  return format_steps (8 * bytes_per_second, SIGNIFICANT, steps, G_N_ELEMENTS (steps));
}

char *
plg_format_time (double seconds)
{
  return plg_format_time_digits (seconds, SIGNIFICANT);
}

char *
plg_format_time_digits (double seconds, int digits)
{
  const Step steps[] = {
    { 0, 1e-9, "ns" },  { 1e-6, 1e-6, "µs" }, { 1e-3, 1e-3, "ms" },          { 1, 1, "s" },
    { 300, 60, "min" }, { 7200, 3600, "h" },  { 172800, 86400, _ ("days") },
  };

  return format_steps (seconds, digits, steps, G_N_ELEMENTS (steps));
}

char *
plg_format_share (double share)
{
  double percent = 100 * share;
  g_autofree char *number = NULL;

  if (fabs (share) < ROUNDING)
    number = g_strdup ("0");
  else if (fabs (percent) < 0.01)
    number = g_strdup (share > 0 ? "<" UNIT_SPACE "0.01" : ">" UNIT_SPACE "-0.01");
  else if (!isfinite (percent) || fabs (percent) < 0.0995)
    number = plg_format_number (percent, 2);
  else if (fabs (percent) >= 1e6)
    number = plg_format_number (percent, SIGNIFICANT);
  else if (fabs (percent - 100) < 1e-9)
    number = g_strdup ("100");
  else
    {
      g_autofree char *one_decimal = fixed (percent, 1);

      number = grouped (one_decimal);
    }
  return with_unit (number, "%");
}

char *
plg_format_change (double from, double to)
{
  double percent = from > 0 ? 100 * (to / from - 1) : 0;
  g_autofree char *number = NULL, *text = NULL;

  if (isnan (from) || isnan (to))
    return g_strdup ("–");
  if (!(fabs (percent) >= 0.005))
    return with_unit ("0", "%");
  number = plg_format_number (fabs (percent), fabs (percent) >= 1 ? 3 : 2);
  text = g_strconcat (percent > 0 ? "+" : "−", number, NULL);
  return with_unit (text, "%");
}

char *
plg_format_flops (double flop_per_second)
{
  static const Step steps[] = {
    { 0, 1, "FLOP/s" },        { 1e6, 1e6, "MFLOP/s" },   { 1e9, 1e9, "GFLOP/s" },
    { 1e12, 1e12, "TFLOP/s" }, { 1e16, 1e15, "PFLOP/s" }, { 1e19, 1e18, "EFLOP/s" },
  };

  return format_steps (flop_per_second, SIGNIFICANT, steps, G_N_ELEMENTS (steps));
}

static char *
format_power (double watts, int digits)
{
  static const Step steps[] = { { 0, 1, "W" },
                                { 1e4, 1e3, "kW" },
                                { 1e6, 1e6, "MW" },
                                { 1e9, 1e9, "GW" } };

  return format_steps (watts, digits, steps, G_N_ELEMENTS (steps));
}

char *
plg_format_power (double watts)
{
  return format_power (watts, SIGNIFICANT);
}

char *
plg_format_power_distinct (double watts, double other)
{
  return format_distinct (format_power, watts, other, SIGNIFICANT);
}

static char *
format_energy (double joules, int digits)
{
  static const Step steps[] = {
    { 0, 1, "J" },           { 1e3, 1e3, "kJ" },        { 3.6e5, 3.6e6, "kWh" },
    { 3.6e9, 3.6e9, "MWh" }, { 3.6e12, 3.6e12, "GWh" }, { 3.6e15, 3.6e15, "TWh" },
  };

  return format_steps (joules, digits, steps, G_N_ELEMENTS (steps));
}

char *
plg_format_energy (double joules)
{
  return format_energy (joules, SIGNIFICANT);
}

char *
plg_format_energy_distinct (double joules, double other)
{
  return format_distinct (format_energy, joules, other, SIGNIFICANT);
}

static char *
format_carbon (double kilograms, int digits)
{
  static const Step steps[] = {
    { 0, 1e-9, "µg" UNIT_SPACE "CO₂e" },   { 1e-6, 1e-6, "mg" UNIT_SPACE "CO₂e" },
    { 1e-3, 1e-3, "g" UNIT_SPACE "CO₂e" }, { 1, 1, "kg" UNIT_SPACE "CO₂e" },
    { 1e4, 1e3, "t" UNIT_SPACE "CO₂e" },   { 1e7, 1e6, "kt" UNIT_SPACE "CO₂e" },
  };

  return format_steps (kilograms, digits, steps, G_N_ELEMENTS (steps));
}

char *
plg_format_carbon (double kilograms)
{
  return format_carbon (kilograms, SIGNIFICANT);
}

char *
plg_format_carbon_distinct (double kilograms, double other)
{
  return format_distinct (format_carbon, kilograms, other, SIGNIFICANT);
}

static char *
format_money (double dollars, int digits)
{
  g_autofree char *number = plg_format_count_digits (dollars, digits);

  return with_unit (number, "USD");
}

char *
plg_format_money (double dollars)
{
  return format_money (dollars, SIGNIFICANT);
}

char *
plg_format_money_distinct (double dollars, double other)
{
  return format_distinct (format_money, dollars, other, SIGNIFICANT);
}

char *
plg_format_count (double count)
{
  return plg_format_count_digits (count, SIGNIFICANT);
}

char *
plg_format_count_distinct (double count, double other)
{
  return format_distinct (plg_format_count_digits, count, other, SIGNIFICANT);
}

char *
plg_format_count_digits (double count, int digits)
{
  static const Step steps[] = { { 0, 1, "" },
                                { 1e7, 1e6, "M" },
                                { 1e9, 1e9, "B" },
                                { 1e12, 1e12, "T" } };

  if (!isfinite (count) || fabs (count) < 1e7)
    return plg_format_number (count, digits);
  if (fabs (count) >= MANY_ZEROS)
    return powers_of_ten (count, digits);
  return format_steps (count, digits, steps, G_N_ELEMENTS (steps));
}

gboolean
plg_time_from_text (const char *text, double whole, double *seconds)
{
  static const struct
  {
    const char *unit;
    double seconds;
  } units[] = { { "", 1 }, { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "µs", 1e-6 } };
  char *rest;
  double value = g_ascii_strtod (text, &rest);

  if (rest == text || !isfinite (value))
    return FALSE;
  while (*rest == ' ')
    rest++;
  if (g_str_equal (rest, "%"))
    return *seconds = value / 100 * whole, TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (rest, units[i].unit))
      return *seconds = value * units[i].seconds, TRUE;
  return FALSE;
}
