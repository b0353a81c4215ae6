/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/registry.h"

G_BEGIN_DECLS

/* Returns a translated sentence about the values of PLAN that BYTES lacks, or NULL. BYTES is a
 * file in FORMAT that was written from PLAN. The function reads the file back, based on PLAN if
 * the format stores only a part of a plan. Free with g_free(). */
char *plg_round_trip_diff_text (const PlgFormat *format,
                                GBytes *bytes,
                                const PlgPlan *plan,
                                const PlgCatalogue *catalogue);

G_END_DECLS
