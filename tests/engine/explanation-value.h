/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <math.h>
#include <string.h>

/* The value of a printed formula, from the numbers on the page. Each number stands for all
 * values that round to it, so the value is a range, and a printed result agrees if the ranges
 * overlap. */
typedef struct
{
  double low;
  double high;
} Range;

typedef struct
{
  const char *text;
  gboolean bytes; /* whether "B" is a byte; else 10^9 */
} Reader;

static Range read_sum (Reader *reader);

static inline gboolean
take (Reader *reader, const char *token)
{
  while (*reader->text == ' ')
    reader->text++;
  if (!g_str_has_prefix (reader->text, token))
    return FALSE;
  reader->text += strlen (token);
  return TRUE;
}

static Range
range_times (Range a, Range b)
{
  double all[] = { a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high };
  Range range = { all[0], all[0] };

  for (int i = 1; i < 4; i++)
    range = (Range) { MIN (range.low, all[i]), MAX (range.high, all[i]) };
  return range;
}

/* Reads "⁴" and the like after a 10. */
static int
read_exponent (Reader *reader)
{
  static const char *const raised[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  gboolean negative = take (reader, "⁻"), found = TRUE;
  int exponent = 0;

  while (found)
    {
      found = FALSE;
      for (int i = 0; i < 10 && !found; i++)
        if (g_str_has_prefix (reader->text, raised[i]))
          {
            reader->text += strlen (raised[i]);
            exponent = 10 * exponent + i;
            found = TRUE;
          }
    }
  return negative ? -exponent : exponent;
}

/* Returns the unit after a number in SI base units, or 0 without a unit. */
static double
read_unit (Reader *reader)
{
  static const struct
  {
    const char *unit;
    double size;
  } units[] = {
    { "kWh", 3.6e6 },
    { "MWh", 3.6e9 },
    { "GWh", 3.6e12 },
    { "TWh", 3.6e15 },
    { "kW", 1e3 },
    { "MW", 1e6 },
    { "GW", 1e9 },
    { "W", 1 },
    { "kJ", 1e3 },
    { "J", 1 },
    { "USD", 1 },
    { "M\u00a0USD", 1e6 },
    { "B\u00a0USD", 1e9 },
    { "T\u00a0USD", 1e12 },
    { "g/kWh", 1e-3 / 3.6e6 },
    { "µg\u00a0CO₂e", 1e-9 },
    { "mg\u00a0CO₂e", 1e-6 },
    { "g\u00a0CO₂e", 1e-3 },
    { "kg\u00a0CO₂e", 1 },
    { "t\u00a0CO₂e", 1e3 },
    { "kt\u00a0CO₂e", 1e6 },
    { "TFLOP/s", 1e12 },
    { "GFLOP/s", 1e9 },
    { "PFLOP/s", 1e15 },
    { "MFLOP/s", 1e6 },
    { "EFLOP/s", 1e18 },
    { "FLOP/s", 1 },
    { "GB/s", 1e9 },
    { "TB/s", 1e12 },
    { "MB/s", 1e6 },
    { "kB/s", 1e3 },
    { "KiB", 1024.0 },
    { "MiB", 1048576.0 },
    { "GiB", 0x1p30 },
    { "TiB", 0x1p40 },
    { "kB", 1e3 },
    { "MB", 1e6 },
    { "GB", 1e9 },
    { "TB", 1e12 },
    { "PB", 1e15 },
    { "EB", 1e18 },
    { "ns", 1e-9 },
    { "µs", 1e-6 },
    { "ms", 1e-3 },
    { "min", 60 },
    { "days", 86400 },
    { "s", 1 },
    { "h", 3600 },
    { "%", 0.01 },
    { "M", 1e6 },
    { "T", 1e12 },
  };

  if (!g_str_has_prefix (reader->text, "\u00a0"))
    return 0.0;
  reader->text += strlen ("\u00a0");
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (take (reader, units[i].unit))
      return units[i].size;
  if (take (reader, "B"))
    return reader->bytes ? 1.0 : 1e9;
  g_error ("no unit: \"%s\"", reader->text);
}

/* Returns half of the last printed digit: numbers have at least 3 digits, of which trailing
 * zeros are omitted; shares have one decimal. A three-digit integer without a unit may be a
 * rounded count. */
static double
rounding (double value, int decimals, double unit, gboolean percent)
{
  int whole = value > 0.0 ? (int) floor (log10 (value)) + 1 : 1;

  if (percent)
    return value < 0.0995 ? 0.05 * value + 1e-4 : 0.05;
  if (unit > 0.0)
    return 0.5 * pow (10.0, -MAX (3 - whole, 0));
  if (decimals == 0)
    return value < 100.0 ? 0.0 : 0.5;
  return 0.5 * pow (10.0, -MAX (decimals, 3 - whole));
}

static Range
read_number (Reader *reader)
{
  gboolean below = take (reader, "<\u00a0");
  gboolean negative = take (reader, "-");
  double value = 0.0, place = 1.0, unit, half;
  int decimals = 0;
  Range range;

  if (!g_ascii_isdigit (*reader->text))
    g_error ("no number: \"%s\"", reader->text);
  for (;;)
    {
      if (g_ascii_isdigit (*reader->text) && place == 1.0)
        value = 10.0 * value + (*reader->text++ - '0');
      else if (g_ascii_isdigit (*reader->text))
        {
          value += (*reader->text++ - '0') * place;
          place /= 10.0;
          decimals++;
        }
      else if (*reader->text == '.' && g_ascii_isdigit (reader->text[1]))
        {
          place = 0.1;
          reader->text++;
        }
      else if (!take (reader, "\u202f"))
        break;
    }
  if (value == 10.0 && !g_ascii_isspace (*reader->text) && decimals == 0)
    {
      int exponent = read_exponent (reader);

      if (exponent != 0)
        return (Range) { pow (10.0, exponent), pow (10.0, exponent) };
    }
  if (take (reader, "\u00a0×\u00a010"))
    {
      unit = pow (10.0, read_exponent (reader));
      half = 0.005;
    }
  else
    {
      unit = read_unit (reader);
      half = rounding (value, decimals, unit, unit == 0.01);
    }
  unit = unit > 0.0 ? unit : 1.0;
  range = (Range) { below ? 0.0 : (value - half) * unit, (value + half) * unit };
  return negative ? (Range) { -range.high, -range.low } : range;
}

static Range
read_first_argument (Reader *reader)
{
  Range range = read_sum (reader);

  g_assert_true (take (reader, ","));
  return range;
}

static Range
read_last_argument (Reader *reader)
{
  Range range = read_sum (reader);

  g_assert_true (take (reader, ")"));
  return range;
}

/* Erlang's loss formula as the quotient of sums, unlike the recursion in the engine. */
static double
erlang (double servers, double load)
{
  double term = 1.0, sum = 1.0;

  for (int i = 1; i <= (int) servers; i++)
    {
      term *= load / i;
      sum += term;
    }
  return term / sum;
}

static Range
read_factor (Reader *reader)
{
  Range range;

  if (take (reader, "log₂"))
    {
      range = read_factor (reader);
      return (Range) { log2 (range.low), log2 (range.high) };
    }
  if (take (reader, "√"))
    {
      range = read_factor (reader);
      return (Range) { sqrt (range.low), sqrt (range.high) };
    }
  if (take (reader, "e^"))
    {
      range = read_number (reader);
      return (Range) { exp (range.low), exp (range.high) };
    }
  if (take (reader, "min ("))
    {
      Range a = read_first_argument (reader), b = read_last_argument (reader);

      return (Range) { MIN (a.low, b.low), MIN (a.high, b.high) };
    }
  if (take (reader, "max ("))
    {
      range = read_sum (reader);
      while (take (reader, ","))
        {
          Range other = read_sum (reader);

          range = (Range) { MAX (range.low, other.low), MAX (range.high, other.high) };
        }
      g_assert_true (take (reader, ")"));
      return range;
    }
  if (take (reader, "B("))
    {
      Range servers = read_first_argument (reader), load = read_last_argument (reader);

      return (Range) { erlang (servers.low, load.low), erlang (servers.low, load.high) };
    }
  if (!take (reader, "("))
    return read_number (reader);
  range = read_sum (reader);
  g_assert_true (take (reader, ")"));
  return range;
}

static Range
read_product (Reader *reader)
{
  Range range = read_factor (reader);

  for (;;)
    if (take (reader, "·"))
      range = range_times (range, read_factor (reader));
    else if (take (reader, "/"))
      {
        Range divisor = read_factor (reader);

        g_assert_cmpfloat (divisor.low * divisor.high, >, 0.0);
        range = range_times (range, (Range) { 1.0 / divisor.high, 1.0 / divisor.low });
      }
    else
      return range;
}

static Range
read_sum (Reader *reader)
{
  Range range = read_product (reader);

  for (;;)
    if (take (reader, "+"))
      {
        Range term = read_product (reader);

        range = (Range) { range.low + term.low, range.high + term.high };
      }
    else if (take (reader, "−"))
      {
        Range term = read_product (reader);

        range = (Range) { range.low - term.high, range.high - term.low };
      }
    else
      return range;
}

/* Returns the range of the whole TEXT. */
static Range
formula_range (const char *text, gboolean bytes)
{
  Reader reader = { text, bytes };
  Range range = read_sum (&reader);

  if (*reader.text != '\0')
    g_error ("\"%s\" of \"%s\" is left over", reader.text, text);
  return range;
}

/* Returns the range of the number at the start of TEXT. */
static Range
leading_range (const char *text, gboolean bytes)
{
  Reader reader = { text, bytes };

  return read_number (&reader);
}

static inline gboolean
ranges_meet (Range a, Range b)
{
  double size = MAX (MAX (fabs (a.high), fabs (b.high)), 1e-300);

  return a.low <= b.high + 1e-9 * size && b.low <= a.high + 1e-9 * size;
}
