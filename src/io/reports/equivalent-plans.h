/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* Another order or other degrees, of any axis, for the same model, cluster and batch. */
typedef struct
{
  char *settings; /* "parallelism.tp=4 parallelism.pp=8": what changes, as plg_settings_apply()
                     takes it */
  char *title;    /* "TP 4, PP 8, DP 2" */
  double time;    /* seconds a step */
  double memory;  /* bytes a GPU at the peak */
  gboolean fits;
  PlgPart longer_part;  /* what takes most longer than in the plan */
  double longer_by;     /* seconds of it */
  PlgPart shorter_part; /* what takes most less */
  double shorter_by;    /* seconds of it */
} PlgEquivalentPlan;

/* Of a time or of memory: what differs by less is the same to a reader, who sees three digits. */
#define PLG_EQUIVALENT_PLAN_MIN_CHANGE 0.001

/* All that were tried and differ from the plan in what a reader sees, the best first: those that
 * fit in memory by time, then the others by memory. g_array_unref(). Not for a hot path: each is
 * evaluated. */
GArray *plg_equivalent_plans (const PlgPlan *plan, const PlgReport *report);
/* Whether all that it changes is among KEYS, as in a lesson; NULL is all keys. */
gboolean plg_equivalent_plan_is_allowed (const PlgEquivalentPlan *alternative,
                                         const char *const *keys);
/* The one with the longest step, in memory or not; ALL must have some. */
const PlgEquivalentPlan *plg_equivalent_plans_slowest (const GArray *all);
/* "Order dp-tp-cp-pp: 12 s a step (+17 %) and 53 GiB a GPU. TP communication takes 1.7 s more." Of
 * one that is faster, what it saves. */
char *plg_equivalent_plan_describe (const PlgReport *report, const PlgEquivalentPlan *alternative);

G_END_DECLS
