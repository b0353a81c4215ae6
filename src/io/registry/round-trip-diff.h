/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/registry.h"

G_BEGIN_DECLS

/* The values of PLAN that are lost in BYTES, written from PLAN as FORMAT. The function reads BYTES
 * back, a whole plan by itself and a part into PLAN. Returns a translated sentence or NULL;
 * g_free(). */
char *plg_round_trip_diff_text (const PlgFormat *format,
                                GBytes *bytes,
                                const PlgPlan *plan,
                                const PlgCatalogue *catalogue);

G_END_DECLS
