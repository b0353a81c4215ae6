/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/metric.h"

G_BEGIN_DECLS

/* A condition on a plan's report: "memory<=75GiB", "mfu>=40%", "tp-in-node". */
typedef struct
{
  const char *text; /* the condition in the user's words; not owned */
  const PlgMetric *metric;
  const char *comparison; /* NULL for a boolean metric */
  double limit;           /* SI units */
} PlgAssertion;

/* Parses TEXT into ASSERTION. Returns NULL on success, else an error message; free with
 * g_free(). */
char *plg_assertion_read (PlgAssertion *assertion, const char *text);

/* An assertion on a hidden value (NaN) never holds. */
gboolean plg_assertion_holds (const PlgAssertion *assertion, const PlgReport *report);
/* The measured value and the limit with units, for display; free with g_free(). */
char *plg_assertion_value (const PlgAssertion *assertion, const PlgReport *report);
char *plg_assertion_limit (const PlgAssertion *assertion);
/* "Bubble at most 10 %: now 27.3 %. Not yet (FAIL)."; free with g_free(). */
char *plg_assertion_describe (const PlgAssertion *assertion, const PlgReport *report);

G_END_DECLS
