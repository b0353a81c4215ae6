/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/plan-search.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The page that finds better plans: a scatter plot of the found plans and a table of the best
 * ones. The search runs while the page is visible. A plan that is pointed at or selected is
 * previewed in the whole window. Signals "refused" (message) and "announced" (message). */
#define PLG_TYPE_PLAN_FINDER (plg_plan_finder_get_type ())
G_DECLARE_FINAL_TYPE (PlgPlanFinder, plg_plan_finder, PLG, PLAN_FINDER, GtkWidget)

/* Sets the document, which can be set only once. */
void plg_plan_finder_set_document (PlgPlanFinder *self, PlgDocument *document);
void plg_plan_finder_set_palette (PlgPlanFinder *self, const char *palette);
/* Moves the controls of the page to BOX, next to the names of the pages. */
void plg_plan_finder_move_bar (PlgPlanFinder *self, GtkBox *box);
/* Returns the search of the page, or NULL before a document is set (borrowed). */
PlgPlanSearch *plg_plan_finder_get_search (PlgPlanFinder *self);

G_END_DECLS
