/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/plan-search.h"
#include "widgets/search/plan-why.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The page that finds better plans: a scatter plot of the found plans, and beside it either a table
 * of the best ones or the changes that lead to one of them. The search runs while the page is
 * visible. A plan that is pointed at or selected is previewed in the whole window. Signals, each
 * with a message for the user: "refused" (a plan cannot be taken) and "announced". */
#define PLG_TYPE_PLAN_FINDER (plg_plan_finder_get_type ())
G_DECLARE_FINAL_TYPE (PlgPlanFinder, plg_plan_finder, PLG, PLAN_FINDER, GtkWidget)

/* Sets the document, which can be set only once. The page keeps a reference to DOCUMENT. */
void plg_plan_finder_set_document (PlgPlanFinder *self, PlgDocument *document);
void plg_plan_finder_set_palette (PlgPlanFinder *self, const char *palette);
/* Moves the controls of the page to BOX, next to the names of the pages. BOX then owns them. */
void plg_plan_finder_move_bar (PlgPlanFinder *self, GtkBox *box);
/* Returns the search of the page, or NULL before a document is set (borrowed). */
PlgPlanSearch *plg_plan_finder_get_search (PlgPlanFinder *self);
/* Returns the picture of the complete search of the open plan, with the colours of the page, or
 * NULL if there is none. Free with plg_search_picture_unref(). */
PlgSearchPicture *plg_plan_finder_picture (PlgPlanFinder *self) G_GNUC_WARN_UNUSED_RESULT;
/* Ends the selection of a plan and its preview. */
void plg_plan_finder_deselect (PlgPlanFinder *self);
/* Returns the widget that explains a plan (borrowed). */
PlgPlanWhy *plg_plan_finder_get_why (PlgPlanFinder *self);

G_END_DECLS
