/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report.h"

G_BEGIN_DECLS

/* A plan and its report in sentences, for documents. Translated; free with g_free(). */

/* All collectives of an axis, a GPU and step: the report's, added up. */
typedef struct
{
  int kinds; /* of collectives; 0: it calls none */
  double calls;
  double bytes_sent;
  double time;
  double exposed;
  PlgTier tier; /* the slowest crossed */
} PlgAxisLoad;
PlgAxisLoad plg_axis_load (const PlgReport *report, PlgAxis axis);

/* "8 groups of 8. The first: ranks 0–7, inside node 0. No group leaves its node." */
char *plg_words_placement (const PlgPlan *plan, PlgAxis axis);
/* Why there: what it sends, how often, and over what. */
char *plg_words_reason (const PlgPlan *plan, const PlgReport *report, PlgAxis axis);
/* The same of ZeRO, whatever its stage. */
char *plg_words_zero_placement (const PlgPlan *plan);
char *plg_words_zero_reason (const PlgPlan *plan, const PlgReport *report);
/* What the findings with an id of IDS (NULL-terminated) say, or, where there are none, how much of
 * the step waits for AXIS, when it is USED. */
char *plg_words_risk (const PlgReport *report, PlgAxis axis, gboolean used, const char *const *ids);

/* Another order or other degrees for the same model, cluster and batch. */
typedef struct
{
  char *settings; /* "parallelism.tp=4 parallelism.pp=8": what plg_settings_apply() takes */
  char *title;    /* "TP 4, PP 8, DP 2" */
  double time;    /* seconds a step */
  double memory;  /* bytes a GPU at the peak */
  gboolean fits;
  PlgPart grown; /* what takes most longer than in the plan */
  double growth; /* seconds of it */
} PlgAlternative;

/* All that were tried, the best first: those that fit in memory by time, then the others by memory.
 * g_array_unref(). Not for a hot path: each is evaluated. */
GArray *plg_alternatives (const PlgPlan *plan, const PlgReport *report);
/* The one with the longest step, in memory or not; ALL must have some. */
const PlgAlternative *plg_alternatives_slowest (const GArray *all);
/* "Order dp-tp-cp-pp: 12 s a step (+17 %) and 53 GiB a GPU. TP communication takes 1.7 s more." */
char *plg_words_alternative (const PlgReport *report, const PlgAlternative *alternative);

G_END_DECLS
