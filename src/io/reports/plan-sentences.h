/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* Translated sentences about a plan and its report, for documents. Free all strings with
 * g_free(). */

/* The totals of all collectives of an axis, per step and per GPU. */
typedef struct
{
  int kinds;         /* number of different collectives; 0 if the axis calls none */
  double calls;      /* number of collective calls */
  double bytes_sent; /* amount sent [bytes] */
  double time;       /* time of all calls [s] */
  double exposed;    /* time that does not overlap with computation [s] */
  PlgTier tier;      /* the slowest tier in use */
} PlgAxisLoad;
PlgAxisLoad plg_axis_load (const PlgReport *report, PlgAxis axis);

/* Returns the degrees in DEGREE of all axes whose degree is above 1 in DEGREE or in BESIDE, such
 * as "TP 8, PP 4, DP 2"; "TP 1" if there is no such axis. BESIDE may be NULL. */
char *plg_degrees_describe (const int *degree, const int *beside);
/* Returns a description such as "8 groups of 8. The first: ranks 0–7, inside node 0. No group
 * leaves its node." */
char *plg_axis_describe_placement (const PlgPlan *plan, PlgAxis axis);
/* Returns the reason for the axis's placement: what the axis sends, how often, and over which
 * links. */
char *plg_axis_describe_reason (const PlgPlan *plan, const PlgReport *report, PlgAxis axis);
/* Return descriptions of ZeRO, at any stage, like those of plg_axis_describe_placement() and
 * plg_axis_describe_reason() for an axis. */
char *plg_zero_describe_placement (const PlgPlan *plan);
char *plg_zero_describe_reason (const PlgPlan *plan, const PlgReport *report);
/* Returns the texts of the findings whose id is in IDS (NULL-terminated). If there is no such
 * finding, returns the share of the step that waits for AXIS, or "None: not used." if AXIS has
 * no collectives or USED is FALSE. */
char *plg_axis_describe_risk (const PlgReport *report,
                              PlgAxis axis,
                              gboolean used,
                              const char *const *ids);

G_END_DECLS
