/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/metric.h"

G_BEGIN_DECLS

/* What a plan is held to: "memory<=75GiB", "mfu>=40%", "tp-in-node". */
typedef struct
{
  const char *text; /* as it was typed; not owned */
  const PlgMetric *metric;
  const char *comparison; /* NULL for a metric that holds or not */
  double limit;           /* in SI */
} PlgAssertion;

/* Returns what is wrong with TEXT and what would be right, or NULL: g_free(). */
char *plg_assertion_read (PlgAssertion *assertion, const char *text);

/* What is hidden (NaN) holds never. */
gboolean plg_assertion_holds (const PlgAssertion *assertion, const PlgReport *report);
/* The two sides for people, with their units: g_free(). */
char *plg_assertion_value (const PlgAssertion *assertion, const PlgReport *report);
char *plg_assertion_limit (const PlgAssertion *assertion);
/* "Bubble at most 10 %: now 27.3 %. Not yet (FAIL)." g_free(). */
char *plg_assertion_describe (const PlgAssertion *assertion, const PlgReport *report);

G_END_DECLS
