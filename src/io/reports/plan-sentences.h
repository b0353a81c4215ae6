/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

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

/* "TP 8, PP 4, DP 2": all axes that divide something, by DEGREE or by BESIDE (NULL: none). */
char *plg_degrees_describe (const int *degree, const int *beside);
/* "8 groups of 8. The first: ranks 0–7, inside node 0. No group leaves its node." */
char *plg_axis_describe_placement (const PlgPlan *plan, PlgAxis axis);
/* Why there: what it sends, how often, and over what. */
char *plg_axis_describe_reason (const PlgPlan *plan, const PlgReport *report, PlgAxis axis);
/* The same of ZeRO, whatever its stage. */
char *plg_zero_describe_placement (const PlgPlan *plan);
char *plg_zero_describe_reason (const PlgPlan *plan, const PlgReport *report);
/* What the findings with an id of IDS (NULL-terminated) say, or, where there are none, how much of
 * the step waits for AXIS, when it is USED. */
char *plg_axis_describe_risk (const PlgReport *report,
                              PlgAxis axis,
                              gboolean used,
                              const char *const *ids);

G_END_DECLS
