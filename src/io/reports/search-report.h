/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/search/search.h"

G_BEGIN_DECLS

/* The results of a complete search for programs and people. Each function lists the plans of the
 * Pareto front if the search has one, otherwise the best plans. Free the text with g_free(). */

typedef struct
{
  PlgSearch *search;
  const PlgPlan *plan; /* the plan from which the search started */
  const PlgCatalogue *catalogue;
  const PlgSearchOptions *options; /* the options of the search */
  guint
      why; /* the number of a listed plan, from 1, whose changes plg_search_text() adds; 0 for none.
              With any other number, plg_search_json() adds the changes of each listed plan. */
} PlgSearchResults;

/* Returns a table for people, with the plan of RESULTS in its first row and the assignments for
 * --set that lead to the best plan below it. With RESULTS.why, says which changes make the plan
 * faster, and what a plan other than the best one loses on. */
char *plg_search_text (const PlgSearchResults *results);
/* Returns a JSON object in SI base units. */
char *plg_search_json (const PlgSearchResults *results);
/* Returns comma-separated values in SI base units, with a header line. */
char *plg_search_csv (const PlgSearchResults *results);

G_END_DECLS
