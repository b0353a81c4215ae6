/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* A plan for the same model, cluster and batch, but with a different axis order or different
 * degrees. */
typedef struct
{
  char *settings;       /* the changes, in the syntax of plg_settings_apply(): "parallelism.tp=4
                           parallelism.pp=8" */
  char *title;          /* display title, such as "TP 4, PP 8, DP 2" */
  double time;          /* step time [s] */
  double memory;        /* peak memory per GPU [bytes] */
  gboolean fits;        /* whether the plan fits in the memory of each GPU */
  PlgPart longer_part;  /* the part of the step that grows most compared with the original plan */
  double longer_by;     /* growth of LONGER_PART [s] */
  PlgPart shorter_part; /* the part of the step that shrinks most compared with the original plan */
  double shorter_by;    /* reduction of SHORTER_PART [s] */
} PlgEquivalentPlan;

/* The smallest relative change in time or memory that is visible in numbers with three digits. */
#define PLG_EQUIVALENT_PLAN_MIN_CHANGE 0.001

/* Evaluates all equivalent plans (slow) and returns those with a visible difference in time or
 * memory. Plans that fit in memory come first, sorted by time. Plans that do not fit come last,
 * sorted by memory. Free with g_array_unref(). */
GArray *plg_equivalent_plans (const PlgPlan *plan, const PlgReport *report);
/* Returns whether ALTERNATIVE changes only KEYS, the keys that a lesson lets the learner edit;
 * NULL allows all keys. */
gboolean plg_equivalent_plan_is_allowed (const PlgEquivalentPlan *alternative,
                                         const char *const *keys);
/* Returns the plan with the longest step in ALL, which must not be empty. */
const PlgEquivalentPlan *plg_equivalent_plans_slowest (const GArray *all);
/* Returns a description of ALTERNATIVE, such as "Order dp-tp-cp-pp: 12 s per step (+17 %) and 53
 * GiB per GPU. TP communication takes 1.7 s more." For a faster plan, the last sentence states
 * the time saved. Free with g_free(). */
char *plg_equivalent_plan_describe (const PlgReport *report, const PlgEquivalentPlan *alternative);

G_END_DECLS
