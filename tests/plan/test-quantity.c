/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/quantity.h"

#include <math.h>

#define GIB PLG_GIB
#define _S "\u00a0" /* before a unit */
#define _T "\u202f" /* between thousands */

typedef struct
{
  char *(*format) (double value);
  double value;
  const char *text;
} Case;

static const Case cases[] = {
  { plg_format_memory, 59.4 * GIB, "59.4" _S "GiB" },
  { plg_format_memory, 79.6474609375 * GIB, "79.6" _S "GiB" },
  { plg_format_memory, 80 * GIB, "80" _S "GiB" },
  { plg_format_memory, 118.7 * GIB, "119" _S "GiB" },
  { plg_format_memory, 1.25 * GIB, "1.25" _S "GiB" },
  { plg_format_memory, 0.5 * GIB, "512" _S "MiB" },
  { plg_format_memory, 1434 * GIB, "1" _T "434" _S "GiB" },
  { plg_format_memory, 20 * 1024 * GIB, "20" _S "TiB" },
  { plg_format_memory, 1023, "1" _T "023" _S "B" },
  { plg_format_memory, 0, "0" _S "B" },
  { plg_format_memory, -2 * GIB, "-2" _S "GiB" },
  { plg_format_volume, 23.5e9, "23.5" _S "GB" },
  { plg_format_volume, 134217728, "134" _S "MB" },
  { plg_format_volume, 999.6e6, "1" _S "GB" },
  { plg_format_volume, 999.4e6, "999" _S "MB" },
  { plg_format_bandwidth, 450e9, "450" _S "GB/s" },
  { plg_format_bandwidth, 3.35e12, "3.35" _S "TB/s" },
  { plg_format_bandwidth, 15.75e9, "15.8" _S "GB/s" },
  { plg_format_network, 50e9, "400" _S "Gb/s" },
  { plg_format_network, 12.5e9, "100" _S "Gb/s" },
  { plg_format_network, 200e9, "1.6" _S "Tb/s" },
  { plg_format_time, 5.31, "5.31" _S "s" },
  { plg_format_time, 0.0224, "22.4" _S "ms" },
  { plg_format_time, 3.1e-6, "3.1" _S "µs" },
  { plg_format_time, 2e-9, "2" _S "ns" },
  { plg_format_time, 0.99996, "1" _S "s" },
  { plg_format_time, 105.22, "105" _S "s" },
  { plg_format_time, 600, "10" _S "min" },
  { plg_format_time, 4.2 * 86400, "4.2" _S "days" },
  { plg_format_time, 0, "0" _S "s" },
  { plg_format_share, 0.464, "46.4" _S "%" },
  { plg_format_share, 0.46, "46.0" _S "%" },
  { plg_format_share, 1, "100" _S "%" },
  { plg_format_share, 0, "0" _S "%" },
  { plg_format_share, 0.00012, "0.012" _S "%" },
  { plg_format_share, 0.0000999, "<" _S "0.01" _S "%" },
  { plg_format_share, 1e-9, "<" _S "0.01" _S "%" },
  { plg_format_share, -1e-9, ">" _S "-0.01" _S "%" },
  { plg_format_share, 1.1e-16, "0" _S "%" },
  { plg_format_share, -1.1e-16, "0" _S "%" },
  { plg_format_share, 1e300, "1" _S "×" _S "10³⁰²" _S "%" },
  { plg_format_share, NAN, "–" },
  { plg_format_share, 1.1875, "118.8" _S "%" },
  { plg_format_flops, 459e12, "459" _S "TFLOP/s" },
  { plg_format_flops, 2250e12, "2" _T "250" _S "TFLOP/s" },
  { plg_format_flops, 29.4e15, "29.4" _S "PFLOP/s" },
  { plg_format_count, 5120, "5" _T "120" },
  { plg_format_count, 8, "8" },
  { plg_format_count, 1234567, "1" _T "234" _T "567" },
  { plg_format_count, 14.5e6, "14.5" _S "M" },
  { plg_format_count, 8.03e9, "8.03" _S "B" },
  { plg_format_count, 15e12, "15" _S "T" },
  { plg_format_count, 3.1e18, "3.1" _S "×" _S "10¹⁸" },
  { plg_format_count, 0, "0" },
  { plg_format_time, NAN, "–" },
  { plg_format_memory, NAN, "–" },
  { plg_format_volume, NAN, "–" },
  { plg_format_memory, INFINITY, "∞" _S "B" },
  { plg_format_exact, 0.1, "0.1" },
  { plg_format_exact, 450, "450" },
  { plg_format_exact, 15e12, "15000000000000" },
  { plg_format_exact, 1e-7, "1e-7" },
  { plg_format_exact, 0.00001, "0.00001" },
  { plg_format_exact, 1.0 / 3, "0.3333333333333333" },
  { plg_format_exact, -2.5, "-2.5" },
  { plg_format_exact, 0, "0" },
  { plg_format_exact, -0.0, "0" },
  { plg_format_exact, 1e300, "1e300" },
  { plg_format_exact, 100, "100" },
  { plg_format_exact, NAN, "NaN" },
  { plg_format_exact, -INFINITY, "-inf" },
};

static void
test_formats (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = cases[i].format (cases[i].value);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_number (void)
{
  static const struct
  {
    double value;
    int digits;
    const char *text;
  } numbers[] = {
    { 3.14159, 3, "3.14" },
    { 2.50, 3, "2.5" },
    { 1000, 3, "1" _T "000" },
    { 12345.678, 3, "12" _T "346" },
    { 1234567.8, 8, "1" _T "234" _T "567.8" },
    { 999.96, 4, "1" _T "000" },
    { 9.9996, 4, "10" },
    { 0.00123456, 3, "0.00123" },
    { 1e-12, 3, "1" _S "×" _S "10⁻¹²" },
    { 1e-6, 3, "0.000001" },
    { 123456789012345, 3, "123" _T "456" _T "789" _T "012" _T "345" },
    { -1234.5, 5, "-1" _T "234.5" },
    { 0, 3, "0" },
    { -1e-30, 3, "-1" _S "×" _S "10⁻³⁰" },
    { -INFINITY, 3, "-∞" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *text = plg_format_number (numbers[i].value, numbers[i].digits);

      g_assert_cmpstr (text, ==, numbers[i].text);
    }
}

static void
test_change (void)
{
  static const struct
  {
    double from, to;
    const char *text;
  } changes[] = {
    { 10, 10.42, "+4.2" _S "%" },   { 10, 9.58, "−4.2" _S "%" }, { 10, 10.003, "+0.03" _S "%" },
    { 10, 10.0004, "0" _S "%" },    { 10, 10, "0" _S "%" },      { 1, 3, "+200" _S "%" },
    { 10, 11.234, "+12.3" _S "%" }, { 0, 5, "0" _S "%" },        { 1, NAN, "–" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *text = plg_format_change (changes[i].from, changes[i].to);

      g_assert_cmpstr (text, ==, changes[i].text);
    }
}

/* A number in a card or a table has a limited length. */
static void
test_always_short (void)
{
  static const double values[] = {
    1e300,  -1e300,     1e-300,   -1e-300,   5e-324, 1.7976931348623157e308,
    1e17,   9.99999e14, 1e15,     123456789, 1e-5,   9.99e-8,
    -1e-16, NAN,        INFINITY, -INFINITY, 0
  };
  static char *(*const formats[]) (double) = {
    plg_format_memory, plg_format_volume, plg_format_bandwidth, plg_format_network,
    plg_format_time,   plg_format_share,  plg_format_flops,     plg_format_count,
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *number = plg_format_number (values[i], 3);

      g_assert_cmpint (g_utf8_strlen (number, -1), <=, 20);
      for (guint j = 0; j < G_N_ELEMENTS (formats); j++)
        {
          g_autofree char *text = formats[j](values[i]);

          g_assert_cmpint (g_utf8_strlen (text, -1), <=, 28);
        }
    }
}

/* A written value reads back as the same double. */
static void
test_exact_round_trip (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (int i = 0; i < 20000; i++)
    {
      union
      {
        guint64 bits;
        double value;
      } number = { .bits = ((guint64) g_rand_int (random) << 32) | g_rand_int (random) };
      g_autofree char *text = plg_format_exact (number.value);

      if (isfinite (number.value))
        g_assert_cmpfloat (g_ascii_strtod (text, NULL), ==, number.value);
    }
}

static void
test_fixed_units (void)
{
  static const struct
  {
    double value;
    int shift;
    const char *text;
  } numbers[] = {
    { 450e9, 9, "450" }, { 49.5e9, 9, "49.5" },           { 3.4e-6, -6, "3.4" },
    { 14e-6, -6, "14" }, { 989.4e12, 12, "989.4" },       { 0, 9, "0" },
    { 1, 9, "1e-9" },    { 123456789, 9, "0.123456789" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *text = plg_format_exact_shifted (numbers[i].value, numbers[i].shift);

      g_assert_cmpstr (text, ==, numbers[i].text);
    }
}

/* An almost full memory must not read as full, and a value that fits must not read as more than
 * the capacity. */
static void
test_memory_and_capacity (void)
{
  static const struct
  {
    double bytes, limit;
    const char *text;
  } limits[] = {
    { 44.99 * GIB, 45 * GIB, "44.99" _S "GiB" },
    { 45.01 * GIB, 45 * GIB, "45.01" _S "GiB" },
    { 44.9996 * GIB, 45 * GIB, "44.9996" _S "GiB" },
    { 41.234 * GIB, 45 * GIB, "41.2" _S "GiB" },
    { 45 * GIB, 45 * GIB, "45" _S "GiB" },
    { 45 * GIB + 1, 45 * GIB, "45" _S "GiB" },
    /* Values that no digits distinguish get no further digits. */
    { 79.6474609375 * GIB + 1, 79.6474609375 * GIB, "79.6" _S "GiB" },
    { 79.6474609375 * GIB, 79.6458 * GIB, "79.647" _S "GiB" },
    { 79.6458 * GIB, 79.6474609375 * GIB, "79.646" _S "GiB" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autofree char *text = plg_format_memory_distinct (limits[i].bytes, limits[i].limit);

      g_assert_cmpstr (text, ==, limits[i].text);
    }
}

/* An amount next to its limit has the digits in which the two differ. */
static void
test_amount_and_limit (void)
{
  static const struct
  {
    char *(*format) (double, double);
    double value, limit;
    const char *text;
  } amounts[] = {
    { plg_format_money_distinct, 10.0004e6, 10e6, "10.0004" _S "M" _S "USD" },
    { plg_format_money_distinct, 10000003, 10e6, "10.000003" _S "M" _S "USD" },
    { plg_format_money_distinct, 10e6, 10.0004e6, "10" _S "M" _S "USD" },
    { plg_format_money_distinct, 12.3456e6, 10e6, "12.3" _S "M" _S "USD" },
    { plg_format_power_distinct, 700.3, 700, "700.3" _S "W" },
    { plg_format_energy_distinct, 18e12 * 1.0001, 18e12, "5.0005" _S "GWh" },
    { plg_format_carbon_distinct, 900.1e3, 900e3, "900.1" _S "t" _S "CO₂e" },
    { plg_format_volume_distinct, 1.0001e9, 1e9, "1.0001" _S "GB" },
    { plg_format_count_distinct, 8.03001e9, 8.03e9, "8.03001" _S "B" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (amounts); i++)
    {
      g_autofree char *text = amounts[i].format (amounts[i].value, amounts[i].limit);

      g_assert_cmpstr (text, ==, amounts[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quantity/formats", test_formats);
  g_test_add_func ("/quantity/number", test_number);
  g_test_add_func ("/quantity/change", test_change);
  g_test_add_func ("/quantity/always-short", test_always_short);
  g_test_add_func ("/quantity/exact-round-trip", test_exact_round_trip);
  g_test_add_func ("/quantity/fixed-units", test_fixed_units);
  g_test_add_func ("/quantity/memory-and-capacity", test_memory_and_capacity);
  g_test_add_func ("/quantity/amount-and-limit", test_amount_and_limit);
  return g_test_run ();
}
