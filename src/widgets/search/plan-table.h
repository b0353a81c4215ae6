/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/plan-search.h"
#include "widgets/search/plan-scatter.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The table of found plans: the best plans, the front, and the fastest evaluated plans in the
 * rectangle of the plot. Signals: "selected", the user has selected a row; "activated", the user
 * wants to take the selected plan. */
#define PLG_TYPE_PLAN_TABLE (plg_plan_table_get_type ())
G_DECLARE_FINAL_TYPE (PlgPlanTable, plg_plan_table, PLG, PLAN_TABLE, GtkWidget)

/* The table has at most this number of evaluated plans besides the best plans and the front. */
#define PLG_MAX_EVALUATED_ROWS 1000

/* Sets the search and the plot whose rectangle limits the rows, which can be set only once. The
 * table keeps references to both. */
void plg_plan_table_set_search (PlgPlanTable *self, PlgPlanSearch *search, PlgPlanScatter *scatter);
/* Fills the table with the plans found so far. */
void plg_plan_table_update (PlgPlanTable *self);
/* Shows only the rows that match all words of TEXT: "tp=4" compares one column, and any other word
 * is searched in all cells. */
void plg_plan_table_filter (PlgPlanTable *self, const char *text);
/* Scrolls to the first row. */
void plg_plan_table_scroll_to_start (PlgPlanTable *self);

/* Returns the selected plan, which may have no row, or NULL. Borrowed until the next selection. */
const PlgSearchPoint *plg_plan_table_selected (PlgPlanTable *self);
/* Selects the plan at POINT, or no plan if POINT is NULL. Emits no signal. */
void plg_plan_table_select (PlgPlanTable *self, const PlgSearchPoint *point);
/* Selects the row that follows the selected one in DIRECTION (1 or -1), in the order of the table.
 * Emits "selected" if this is another row. */
void plg_plan_table_step (PlgPlanTable *self, int direction);

/* Returns the number of rows that the table shows. */
guint plg_plan_table_count (PlgPlanTable *self);
/* Returns the number of evaluated plans in the rectangle of the plot, also of those without a
 * row. */
guint plg_plan_table_count_in_brush (PlgPlanTable *self);
/* Returns the visible columns and rows in their order, with a tab between two cells. Free with
 * g_free(). */
char *plg_plan_table_text (PlgPlanTable *self) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the visible columns of FOUND, such as "Step 4.3 s, Change −8 %, …". Free with
 * g_free(). */
char *plg_plan_table_describe (PlgPlanTable *self,
                               const PlgFoundPlan *found) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
