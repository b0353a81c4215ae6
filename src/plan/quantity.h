/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/number-text.h"

G_BEGIN_DECLS

#define PLG_KIB 1024.0
#define PLG_GIB (1024.0 * 1024.0 * 1024.0)
#define PLG_GB 1e9
#define PLG_TERA 1e12

/* The functions below format values in SI units (bytes, seconds, …) as text with their units. The
 * decimal separator is a point in every locale, so that files are byte-for-byte the same. Free the
 * returned strings with g_free(). */

char *plg_format_memory (double bytes); /* "59.4 GiB" */
/* Returns the same as plg_format_memory(), but with up to 6 more digits, so that BYTES differs
 * visibly from OTHER: "44.96 GiB" next to "45 GiB", "79.646 GiB" next to "79.647 GiB". */
char *plg_format_memory_distinct (double bytes, double other);
/* Do the same as plg_format_memory_distinct() for other values. DIGITS is the minimum number of
 * significant digits of a plain number. */
char *plg_format_number_distinct (double value, double other, int digits);
char *plg_format_time_distinct (double seconds, double other);
char *plg_format_share_distinct (double share, double other);
char *plg_format_volume_distinct (double bytes, double other);
char *plg_format_power_distinct (double watts, double other);
char *plg_format_energy_distinct (double joules, double other);
char *plg_format_carbon_distinct (double kilograms, double other);
char *plg_format_money_distinct (double dollars, double other);
char *plg_format_count_distinct (double count, double other);
/* uses decimal units, for data on links: "23.5 GB", "134 MB" */
char *plg_format_volume (double bytes);
char *plg_format_bandwidth (double bytes_per_second); /* "450 GB/s" */
char *plg_format_network (double bytes_per_second);   /* "400 Gb/s" */
char *plg_format_time (double seconds); /* "5.31 s", "22.4 ms", "3.1 µs", "4.2 days" */
/* Returns the same as plg_format_time(), but with DIGITS significant digits, for example in the
 * explanation of a formula. */
char *plg_format_time_digits (double seconds, int digits);
/* Returns "46.4 %" for 0.464, and "< 0.01 %" for shares between 0 and 0.0001. */
char *plg_format_share (double share);
/* Returns the change from FROM (above 0) to TO: "+4.2 %", "−0.03 %", or "0 %" for a change below
 * 0.005 %. */
char *plg_format_change (double from, double to);
char *plg_format_flops (double flop_per_second); /* "459 TFLOP/s" */
char *plg_format_power (double watts);           /* "700 W", "3.4 MW" */
char *plg_format_energy (double joules);         /* "0.62 J", "21.6 GWh" */
char *plg_format_carbon (double kilograms);      /* "1.2 g CO₂e", "8 930 t CO₂e" */
char *plg_format_money (double dollars);         /* "1 049 312 USD", "12.3 M USD" */
/* "5 120" with narrow spaces; from 10^7 with a letter: "8.03 B" */
char *plg_format_count (double count);
char *plg_format_count_digits (double count, int digits);
/* Returns VALUE to DIGITS significant digits without trailing zeros. Digits before the point are
 * never rounded away, and narrow no-break spaces separate thousands. Numbers from 10^15 upwards
 * and below 10^-7 have a power of ten, as in "3.1 × 10¹⁸"; NaN is "–". */
char *plg_format_number (double value, int digits);

/* Reads "3.2s", "850ms", "12us", "3.2" (in seconds) or "31%" (of WHOLE, a time in seconds).
 * Returns FALSE for any other text. */
gboolean plg_time_from_text (const char *text, double whole, double *seconds);

G_END_DECLS
