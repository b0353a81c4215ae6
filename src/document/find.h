/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"
#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* What people mean by WORDS: "rank 517", "gpu 517", "node 12", the name of a link such as
 * "nic-2-5" or its beginning, or a number alone, which is a rank first, then a GPU and a node. The
 * words may be those of the language, too. Array of PlgEntity (GPU, NODE, LINK), the likeliest
 * first, at most PLG_MAX_FOUND; g_array_unref(). NULL with ERROR that says what there is, when
 * there is nothing of the kind; NULL without one when there are no words. */
#define PLG_MAX_FOUND 64
GArray *plg_find (const PlgPlan *plan, const PlgReport *report, const char *words, GError **error);

G_END_DECLS
