/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the shortest text that reads back as the same double, with a decimal point in every
 * locale; "NaN", "inf" or "-inf" for values that are not finite. Free with g_free(). */
char *plg_format_exact (double value);
/* Returns VALUE / 10^SHIFT without the rounding error of a division. For example, SHIFT 9 turns
 * bytes/s into GB/s.
 * Free with g_free(). */
char *plg_format_exact_shifted (double value, int shift);

G_END_DECLS
