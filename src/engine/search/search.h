/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/assertion.h"
#include "engine/search/search-space.h"

G_BEGIN_DECLS

/* An exact search: no plan of the space that belongs to the result is skipped. A plan is skipped
 * without an evaluation only if it does not fit in memory, or if a lower bound of its step time
 * shows that other plans are better. The result does not depend on the number of threads or on
 * their timing. */

/* A plan that was evaluated. Plans with the same degrees whose nesting orders place all groups
 * alike are one entry. */
typedef struct
{
  PlgSearchPoint point;
  int n_orders;    /* number of nesting orders that give the same figures */
  double time;     /* step time [s] */
  double memory;   /* memory of the fullest GPU [bytes] */
  double by;       /* value of PlgSearchOptions.by */
  double front[2]; /* values of PlgSearchOptions.front; 0 without a front */
} PlgFoundPlan;

/* The search keeps about this number of evaluated plans besides the best plans and the front. */
#define PLG_MAX_JUDGED_KEPT 100000

typedef struct
{
  const PlgMetric *by;              /* the metric by which plans are ranked */
  const PlgMetric *front[2];        /* the metrics of the Pareto front; NULL for no front */
  const PlgAssertion *requirements; /* conditions that each found plan meets; not owned */
  guint n_requirements;
  double slowest;        /* the longest step time of a plan to find [s], which is at most that of a
                            known plan; 0 for any */
  guint top;             /* number of best plans to find, at least 1 */
  gboolean keeps_judged; /* TRUE to keep the evaluated plans, for a scatter plot */
  guint threads;         /* 0 for one per processor */
} PlgSearchOptions;

/* The numbers of plans that the search has tried so far. The illegal, too large, bounded and
 * judged plans add up to all plans. */
typedef struct
{
  gint64 plans;      /* plans tried */
  gint64 illegal;    /* degrees, batch or schedule do not match */
  gint64 too_large;  /* do not fit in memory */
  gint64 bounded;    /* a lower bound of the step time exceeds the time of the plans to keep */
  gint64 judged;     /* evaluated */
  gint64 rejected;   /* the evaluated plans that do not meet the requirements */
  double share_done; /* 0..1 */
  gboolean is_complete;
} PlgSearchProgress;

typedef struct _PlgSearch PlgSearch;

/* plg_search_new:
 * @space: (transfer full): the space
 * @options: the options, which are copied; the metrics and the requirements must outlive the search
 *
 * Returns: (transfer full): a search that has not run yet; free with plg_search_free(). A space
 *   without a legal plan is no error: the search then tries no plan, or counts all as illegal */
PlgSearch *plg_search_new (PlgSearchSpace *space,
                           const PlgSearchOptions *options) G_GNUC_WARN_UNUSED_RESULT;
/* Frees SEARCH, which may be NULL and must not run. */
void plg_search_free (PlgSearch *search);
/* Returns the space of SEARCH, which owns it. */
const PlgSearchSpace *plg_search_get_space (const PlgSearch *search);

/* Tries all plans of the space, and returns when the search is complete or cancelled; a search
 * cannot fail. May be called once, in any thread. */
void plg_search_run (PlgSearch *search);
/* Makes plg_search_run() return soon, in any thread. The results found so far remain. */
void plg_search_cancel (PlgSearch *search);

/* plg_search_snapshot:
 * @progress: (out): the progress
 * @best: (element-type PlgFoundPlan) (nullable): receives at most as many plans as the options say,
 *   the best first
 * @front: (element-type PlgFoundPlan) (nullable): receives the Pareto front, sorted by its first
 *   metric
 * @judged: (element-type PlgFoundPlan) (nullable): receives the evaluated plans that @judged does
 *   not contain yet, in the order of the search
 *
 * Copies the results found so far; the caller owns the arrays. Before the first plans of the search
 * are compared, @best has the plans of a quick first look. May be called while the search runs, in
 * any thread. */
void plg_search_snapshot (PlgSearch *search,
                          PlgSearchProgress *progress,
                          GArray *best,
                          GArray *front,
                          GArray *judged);

/* Returns the numbers of plans in PROGRESS as a sentence. Free with g_free(). */
char *plg_search_progress_describe (const PlgSearchProgress *progress) G_GNUC_WARN_UNUSED_RESULT;
/* Returns why a complete search has found no plan, and what can help, in one or two sentences.
 * HOLDS says whether the search holds settings or tries only
 * some of their values. The text is static. */
const char *plg_search_progress_describe_failure (const PlgSearchProgress *progress,
                                                  gboolean holds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgSearch, plg_search_free)

G_END_DECLS
