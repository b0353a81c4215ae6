/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/search/search.h"

G_BEGIN_DECLS

/* The options of a search as people write them, in the command line or in the window. All members
 * are borrowed; each may be NULL. */
typedef struct
{
  const char *const *vary;    /* texts for plg_search_space_vary() */
  const char *const *keep;    /* keys for plg_search_space_keep() */
  const char *const *require; /* texts for plg_assertion_read() */
  const char *by;             /* the name of a metric; "step-time" if NULL */
  const char *pareto;         /* the names of two metrics, separated by a comma */
  gboolean is_form;           /* whether errors go to a form, which has no options to name */
} PlgSearchWords;

/* plg_search_metric_read:
 * @option: (nullable): the name of the option in the message of @error, such as "--by", or %NULL
 *   in a form
 * @name: the name of the metric
 * @plan: a plan that passes plg_plan_check()
 *
 * Finds a metric that a search computes. A search evaluates plans without links and findings.
 *
 * Returns: (transfer none) (nullable): the metric, or %NULL with a %PLG_PLAN_ERROR */
const PlgMetric *
plg_search_metric_read (const char *option, const char *name, const PlgPlan *plan, GError **error);

/* plg_search_requirement_read:
 * @requirement: (out): the condition, which borrows @text
 * @option: (nullable): the name of the option in the message of @error, such as "--require", or
 *   %NULL in a form
 *
 * Reads a condition on a metric that a search computes.
 *
 * Returns: %FALSE with a %PLG_PLAN_ERROR if the condition is wrong */
gboolean plg_search_requirement_read (PlgAssertion *requirement,
                                      const char *option,
                                      const char *text,
                                      const PlgPlan *plan,
                                      GError **error);

/* plg_search_words_read:
 * @options: (inout): receives the metrics and the requirements
 * @requirements: (element-type PlgAssertion): an empty array, which receives the requirements and
 *   must outlive @options and @words
 *
 * Reads the metrics and the requirements of @words.
 *
 * Returns: %FALSE with a %PLG_PLAN_ERROR that names the option which is wrong */
gboolean plg_search_words_read (const PlgSearchWords *words,
                                const PlgPlan *plan,
                                PlgSearchOptions *options,
                                GArray *requirements,
                                GError **error);
/* plg_search_words_apply:
 * @space: the space of a plan, which is changed
 * @catalogue: (nullable): the catalogue, for the names of GPUs, nodes and models
 *
 * Holds and varies the keys of @words.
 *
 * Returns: %FALSE with an error that names the option or, in a form, the setting which is wrong */
gboolean plg_search_words_apply (const PlgSearchWords *words,
                                 PlgSearchSpace *space,
                                 const PlgCatalogue *catalogue,
                                 GError **error);
/* Returns WORDS as options of the command line, such as "--keep", "parallelism.tp"; free with
 * g_strfreev(). */
char **plg_search_words_arguments (const PlgSearchWords *words) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
