/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/search/search.h"

G_BEGIN_DECLS

/* The plans that compete: the best ones, sorted, and those on the Pareto front, sorted by the
 * first metric. Private to this folder. */
typedef struct
{
  GArray *best;  /* PlgFoundPlan; owned */
  GArray *front; /* PlgFoundPlan; owned */
} PlgRanking;

PlgRanking plg_ranking_new (void);
void plg_ranking_clear (PlgRanking *ranking);
/* Adds FOUND if it belongs there. Returns TRUE if FOUND is among the best or on the front. */
gboolean
plg_ranking_add (PlgRanking *ranking, const PlgSearchOptions *options, const PlgFoundPlan *found);
/* Replaces the plans of TO with those of FROM. */
void plg_ranking_copy (PlgRanking *to, const PlgRanking *from);

/* Compares by rank, then by memory, then by the plan, so that the order of equally good plans is
 * always the same. Returns a negative number if A is better than B. */
int plg_found_plan_compare (const PlgSearchOptions *options,
                            const PlgFoundPlan *a,
                            const PlgFoundPlan *b);
/* Inserts FOUND into BEST, the best plans found so far, sorted. Returns TRUE if it is among them. */
gboolean
plg_found_plans_add (GArray *best, const PlgSearchOptions *options, const PlgFoundPlan *found);

G_END_DECLS
