/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* A plan and its report in translated sentences, for documents; g_free(). */

/* The sum of all collectives of an axis, per GPU and step. */
typedef struct
{
  int kinds;         /* number of different collectives; 0 if the axis calls none */
  double calls;      /* number of calls */
  double bytes_sent; /* [bytes] */
  double time;       /* [s] */
  double exposed;    /* time that computation does not overlap [s] */
  PlgTier tier;      /* the slowest tier in use */
} PlgAxisLoad;
PlgAxisLoad plg_axis_load (const PlgReport *report, PlgAxis axis);

/* "TP 8, PP 4, DP 2": all axes with a degree above 1 in DEGREE or in BESIDE (may be NULL). */
char *plg_degrees_describe (const int *degree, const int *beside);
/* "8 groups of 8. The first: ranks 0–7, inside node 0. No group leaves its node." */
char *plg_axis_describe_placement (const PlgPlan *plan, PlgAxis axis);
/* The reason for the axis's placement: what the axis sends, how often, and over which links. */
char *plg_axis_describe_reason (const PlgPlan *plan, const PlgReport *report, PlgAxis axis);
/* The same for ZeRO at any stage. */
char *plg_zero_describe_placement (const PlgPlan *plan);
char *plg_zero_describe_reason (const PlgPlan *plan, const PlgReport *report);
/* The texts of the findings whose id is in IDS (NULL-terminated). Without such findings, the share
 * of the step that waits for AXIS, if the plan USED the axis. */
char *plg_axis_describe_risk (const PlgReport *report,
                              PlgAxis axis,
                              gboolean used,
                              const char *const *ids);

G_END_DECLS
