/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/registry.h"

G_BEGIN_DECLS

/* Returns a translated sentence about the values of PLAN that are missing in BYTES, which were
 * written from PLAN in FORMAT, or NULL. Reads BYTES back, into PLAN if the format stores only a
 * part of a plan. Free with g_free(). */
char *plg_round_trip_diff_text (const PlgFormat *format,
                                GBytes *bytes,
                                const PlgPlan *plan,
                                const PlgCatalogue *catalogue);

G_END_DECLS
