/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* Translated sentences about a plan and its report, for documents. Free all strings with
 * g_free(). */

/* The totals of all collectives of an axis per GPU per step. */
typedef struct
{
  int kinds;         /* number of different collectives; 0 if the axis has none */
  double calls;      /* number of collective calls */
  double bytes_sent; /* amount sent [bytes] */
  double time;       /* time of all calls [s] */
  double exposed;    /* time that does not overlap with computation [s] */
  PlgTier tier;      /* the slowest tier that the collectives use */
} PlgAxisLoad;
PlgAxisLoad plg_axis_load (const PlgReport *report, PlgAxis axis);

/* Return "32 sequences of 8 192 tokens" and "16 micro-batches of 1". */
char *plg_batch_describe_sequences (const PlgPlan *plan);
char *plg_batch_describe_micro_batches (const PlgPlan *plan, const PlgReport *report);
/* Describes the degrees in DEGREE, such as "TP 8, PP 4, DP 2". Omits an axis if its degree is 1
 * in DEGREE and in BESIDE, which may be NULL. Returns "TP 1" if all axes are omitted. */
char *plg_degrees_describe (const int *degree, const int *beside);
/* Returns a description such as "8 groups of 8. The first: ranks 0–7, inside node 0. No group
 * leaves its node." */
char *plg_axis_describe_placement (const PlgPlan *plan, PlgAxis axis);
/* Returns the reason for the axis's placement: what the axis sends, how often, and over which
 * links. */
char *plg_axis_describe_reason (const PlgPlan *plan, const PlgReport *report, PlgAxis axis);
/* Return descriptions of what the plan's ZeRO stage shards, and of the peak memory per GPU with
 * and without ZeRO. */
char *plg_zero_describe_placement (const PlgPlan *plan);
char *plg_zero_describe_reason (const PlgPlan *plan, const PlgReport *report);
/* Returns the messages of the findings whose id is in IDS (NULL-terminated). Without such a
 * finding, returns a sentence with the share of the step that is spent waiting for AXIS's
 * collectives, or "None: not used." if AXIS has no collectives or USED is FALSE. */
char *plg_axis_describe_risk (const PlgReport *report,
                              PlgAxis axis,
                              gboolean used,
                              const char *const *ids);

G_END_DECLS
