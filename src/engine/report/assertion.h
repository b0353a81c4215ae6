/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/metric.h"

G_BEGIN_DECLS

/* A condition on a report, for example "memory<=75GiB", "mfu>=40%" or "tp-in-node". */
typedef struct
{
  const char *text; /* the condition as the user wrote it; not owned */
  const PlgMetric *metric;
  const char *comparison; /* NULL for a boolean metric */
  double limit;           /* the limit in SI units */
} PlgAssertion;

/* Parses TEXT into ASSERTION. Returns NULL on success, otherwise an error message; free with
 * g_free(). */
char *plg_assertion_read (PlgAssertion *assertion, const char *text);

/* Returns the name before the comparison of TEXT, which need not be a metric; free with
 * g_free(). */
char *plg_assertion_metric_name (const char *text);

/* Returns TRUE if REPORT meets ASSERTION. A hidden value (NaN) never meets an assertion. */
gboolean plg_assertion_holds (const PlgAssertion *assertion, const PlgReport *report);
/* Formats the measured value or the limit with units, for display; free with g_free(). */
char *plg_assertion_value (const PlgAssertion *assertion, const PlgReport *report);
char *plg_assertion_limit (const PlgAssertion *assertion);
/* Returns a sentence with the limit and the value of a plan that is not the open one, for example
 * "Bubble must be at most 10 % (27.3 %)."; free with g_free(). */
char *plg_assertion_sentence (const PlgAssertion *assertion, const PlgReport *report);
/* Describes ASSERTION and its result for the open plan, for example "Bubble must be at most 10 %
 * (now 27.3 %). Not reached yet (FAIL)."; free with g_free(). */
char *plg_assertion_describe (const PlgAssertion *assertion, const PlgReport *report);

G_END_DECLS
