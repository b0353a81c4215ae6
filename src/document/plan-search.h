/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/figure/search-picture.h"

G_BEGIN_DECLS

/* A search for better plans that runs while people work. The search starts from the committed
 * plan of a document and starts again when this plan changes, unless the change is one of the
 * found plans. Signal "changed": plans were found, or the search has begun or ended. Signal
 * "progressed": plans were tried, but none was found. */
#define PLG_TYPE_PLAN_SEARCH (plg_plan_search_get_type ())
G_DECLARE_FINAL_TYPE (PlgPlanSearch, plg_plan_search, PLG, PLAN_SEARCH, GObject)

PlgPlanSearch *plg_plan_search_new (PlgDocument *document) G_GNUC_WARN_UNUSED_RESULT;

/* Starts the search, or lets the running search go on. Does nothing if a lesson hides or locks
 * parts of the plan; see plg_plan_search_why_not(). */
void plg_plan_search_start (PlgPlanSearch *self);
/* Stops the search. The plans found so far remain. */
void plg_plan_search_stop (PlgPlanSearch *self);
/* Returns the reason why no search can run now, as a sentence for the user, or NULL: a lesson, or
 * values to try that are wrong for the open plan. Borrowed until the next "changed". */
const char *plg_plan_search_why_not (PlgPlanSearch *self);

/* Sets the two metrics of the Pareto front; starts again if they change. */
void plg_plan_search_set_front (PlgPlanSearch *self, const PlgMetric *x, const PlgMetric *y);
const PlgMetric *plg_plan_search_get_front (PlgPlanSearch *self, int axis);
/* Holds KEY at the value of the plan, or varies it again. Starts again if this is a change. */
void plg_plan_search_set_kept (PlgPlanSearch *self, PlgSearchKey key, gboolean is_kept);
gboolean plg_plan_search_is_kept (PlgPlanSearch *self, PlgSearchKey key);
/* Returns TRUE if any setting is held. */
gboolean plg_plan_search_holds_any (PlgPlanSearch *self);
/* Sets the metric that ranks the plans (step-time at first); starts again if it changes. */
void plg_plan_search_set_by (PlgPlanSearch *self, const PlgMetric *by);
const PlgMetric *plg_plan_search_get_by (PlgPlanSearch *self);

/* plg_plan_search_set_vary:
 * @vary: texts as for plg_search_space_vary(), %NULL-terminated
 *
 * Sets the values of settings to try, and starts again if this is a change.
 *
 * Returns: %FALSE with @error if a text is wrong for the open plan; nothing changes then */
gboolean plg_plan_search_set_vary (PlgPlanSearch *self, const char *const *vary, GError **error);
/* plg_plan_search_set_requirements:
 * @requirements: texts as for plg_search_requirement_read(), %NULL-terminated
 *
 * Sets the conditions that each found plan meets, and starts again if this is a change.
 *
 * Returns: %FALSE with @error if a text is wrong; nothing changes then */
gboolean plg_plan_search_set_requirements (PlgPlanSearch *self,
                                           const char *const *requirements,
                                           GError **error);

gboolean plg_plan_search_is_running (PlgPlanSearch *self);
/* Returns TRUE if the open plan is the plan from which the search started, or was taken from it. */
gboolean plg_plan_search_is_current (PlgPlanSearch *self);
PlgSearchProgress plg_plan_search_progress (PlgPlanSearch *self);
/* Returns the evaluated plans (PlgFoundPlan) in the order of the search, borrowed until the next
 * "changed". While the search runs, plans are only appended. */
const GArray *plg_plan_search_found (PlgPlanSearch *self);
/* Return the best plans by the ranking metric, the best first, and the plans of the front (PlgFoundPlan).
 * Both are borrowed until the next "changed". */
const GArray *plg_plan_search_best (PlgPlanSearch *self);
const GArray *plg_plan_search_front (PlgPlanSearch *self);
/* Returns the number of searches started so far. The found plans of different searches have
 * nothing in common. */
guint plg_plan_search_generation (PlgPlanSearch *self);
/* Returns the space of the search, or NULL before the first search. Borrowed until the next
 * "changed". */
const PlgSearchSpace *plg_plan_search_space (PlgPlanSearch *self);
/* Fills SOURCE with the results for a picture whose dots KEY colours. Returns FALSE before the
 * first search. The members are borrowed until the next "changed". */
gboolean
plg_plan_search_source (PlgPlanSearch *self, PlgSearchKey key, PlgSearchPictureSource *source);
/* Returns the found plans as a picture that names its plans and the options of its search, with
 * dots that KEY colours. Returns NULL while the search is incomplete or the open plan is not the
 * plan from which it started. Free with plg_search_picture_unref(). */
PlgSearchPicture *plg_plan_search_picture (PlgPlanSearch *self,
                                           PlgSearchKey key) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the report on the open plan, without links (borrowed): the plan from which the search
 * started or the plan that was taken from it. Returns NULL before the first search. */
const PlgReport *plg_plan_search_start_report (PlgPlanSearch *self);
/* Returns the found plan at POINT, with the view of the open plan. Free with plg_plan_free(). */
PlgPlan *plg_plan_search_plan (PlgPlanSearch *self,
                               const PlgSearchPoint *point) G_GNUC_WARN_UNUSED_RESULT;
/* Makes the found plan at POINT the plan of the document in one undo step. */
gboolean plg_plan_search_take (PlgPlanSearch *self, const PlgSearchPoint *point, GError **error);

G_END_DECLS
