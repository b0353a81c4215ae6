/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"
#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* Finds the entities that WORDS names: "rank 517", "gpu 517", "node 12", the name of a link,
 * such as "nic-2-5", or the beginning of this name, or a number alone. A number alone is read
 * first as a rank, then as a GPU, then as a node. WORDS may be in the user's language. Returns
 * an array of at most PLG_MAX_FOUND PlgEntity (GPU, NODE, LINK), the most likely entity first;
 * free it with g_array_unref(). If nothing matches, returns NULL with ERROR, which lists the
 * possible values. If WORDS is empty, returns NULL without an error. */
#define PLG_MAX_FOUND 64
GArray *plg_find (const PlgPlan *plan, const PlgReport *report, const char *words, GError **error);

G_END_DECLS
