/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/search/place.h"

G_BEGIN_DECLS

/* The result of a search for a placement, for people and programs. PLAN is the plan before the
 * search. Free the texts with g_free(). */

/* Returns lines with the times, the bound, the gap and the moves. */
char *plg_place_text (const PlgPlan *plan, const PlgPlaceResult *result);
/* Returns a JSON object in SI base units. */
char *plg_place_json (const PlgPlan *plan, const PlgPlaceResult *result);
/* Returns the moves in one line, such as "node 0 ↔ node 6, GPU 17 ↔ GPU 21", with at most MOST of
 * them; translated. */
char *plg_place_describe_moves (const PlgPlan *plan, const PlgPlaceResult *result, guint most);
/* Returns a sentence about the quality of the result, such as "No other assignment is faster
 * than this one."; translated. */
char *plg_place_describe_gap (const PlgPlaceResult *result);

G_END_DECLS
