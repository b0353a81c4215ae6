/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format.h"

G_BEGIN_DECLS

/* What PLAN says and BYTES, which FORMAT wrote of it, do not: found by reading them back, a whole
 * plan by itself and a part of one into PLAN. A sentence (translated), or NULL where nothing is
 * lost. g_free(). */
char *plg_round_trip_diff_text (const PlgFormat *format,
                                GBytes *bytes,
                                const PlgPlan *plan,
                                const PlgCatalogue *catalogue);

G_END_DECLS
