/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"
#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* Finds the entities that WORDS name: "rank 517", "gpu 517", "node 12", the name of a link such
 * as "nic-2-5" or its beginning, or a number alone, which is first a rank, then a GPU and a
 * node. The words may be in the user's language. Returns an array of PlgEntity (GPU, NODE,
 * LINK), the likeliest first, at most PLG_MAX_FOUND; free it with g_array_unref(). Returns NULL
 * with ERROR, which lists the possible values, when nothing matches, and NULL without an error
 * when WORDS is empty. */
#define PLG_MAX_FOUND 64
GArray *plg_find (const PlgPlan *plan, const PlgReport *report, const char *words, GError **error);

G_END_DECLS
