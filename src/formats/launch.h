/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* What a launcher is told of a plan: which host runs what. */

/* 3 for "node3", -1 for what is no such name ("node03" is not). */
int plg_launch_unnamed (const char *host);

/* Whether each rank sits where the order puts it. */
gboolean plg_launch_is_block (const PlgPlan *plan);
/* Which rank sits on each GPU. g_free(). */
int *plg_launch_ranks (const PlgPlan *plan);

G_END_DECLS
