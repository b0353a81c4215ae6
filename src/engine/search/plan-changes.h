/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/catalogue.h"

G_BEGIN_DECLS

/* The difference between two plans as a list of small changes, in the order in which they pay: each
 * change makes the step shortest among those that remain. A change concerns one setting, or several
 * settings if none of them can change alone. DP follows the other degrees. The plans between the
 * first and the last are legal, but may not fit in memory. */

/* One change. The seconds and bytes of all changes add up to the difference between the two plans,
 * because the step time after a change is the step time before the next change. */
typedef struct
{
  char *text;           /* the changed settings, translated: "Tensor (TP) 8 → 4" */
  char **edits;         /* "KEY=VALUE" of the changed settings; empty for a placement by hand */
  double time_before;   /* step time [s] */
  double time;          /* step time after the change [s] */
  double memory_before; /* memory of the fullest GPU [bytes] */
  double memory;        /* memory of the fullest GPU after the change [bytes] */
  gboolean fits;        /* whether the plan after the change fits in memory */
  PlgPart part;         /* the part of the step that causes most of the change */
  double part_seconds;  /* change of this part [s] */
  char *reason;         /* translated: "TP leaves the node: +4.1 s" */
  PlgPlan *plan;        /* the plan after the change */
} PlgPlanChange;

/* plg_plan_changes:
 * @from: a plan that passes plg_plan_check()
 * @to: a plan that passes plg_plan_check(), for any model and cluster
 * @catalogue: (nullable): the catalogue, for the names of models and nodes
 *
 * Evaluates at most a few hundred plans. The same plans always give the same changes.
 *
 * Returns: (transfer full) (element-type PlgPlanChange): the changes; empty if the plans have the
 *   same design */
GArray *plg_plan_changes (const PlgPlan *from,
                          const PlgPlan *to,
                          const PlgCatalogue *catalogue) G_GNUC_WARN_UNUSED_RESULT;

/* plg_plan_change_reason:
 * @before: a complete report
 * @after: a complete report
 * @part: (out) (nullable): the part of the step that causes most of the difference
 * @seconds: (out) (nullable): the change of this part [s]
 *
 * Finds the part of the step that changes most in the direction in which the step time changes.
 *
 * Returns: (transfer full): a translated sentence, such as "TP leaves the node: +4.1 s" */
char *plg_plan_change_reason (const PlgReport *before,
                              const PlgReport *after,
                              PlgPart *part,
                              double *seconds) G_GNUC_WARN_UNUSED_RESULT;

/* Returns the change of CHANGES that lengthens the step most, or NULL if no change does. Borrowed. */
const PlgPlanChange *plg_plan_changes_worst (const GArray *changes);

/* plg_plan_changes_lost:
 * @best: the fastest plan, which passes plg_plan_check()
 * @plan: a plan that passes plg_plan_check()
 * @catalogue: (nullable): the catalogue
 *
 * Returns: (transfer full) (nullable): a translated sentence about the change that makes @plan
 *   slower than @best, such as "Tensor (TP) 8 → 16. TP leaves the node: +4.1 s"; %NULL if no change
 *   does */
char *plg_plan_changes_lost (const PlgPlan *best,
                             const PlgPlan *plan,
                             const PlgCatalogue *catalogue) G_GNUC_WARN_UNUSED_RESULT;

/* Returns "+4.1 s" or "−4.1 s" (U+2212). Free with g_free(). */
char *plg_signed_time (double seconds) G_GNUC_WARN_UNUSED_RESULT;
/* Returns "+4.1 GiB" or "−4.1 GiB" (U+2212). Free with g_free(). */
char *plg_signed_memory (double bytes) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the reason of CHANGE, and whether the plan after it does not fit in memory yet. IS_LAST
 * says that no change follows. Free with g_free(). */
char *plg_plan_change_describe (const PlgPlanChange *change,
                                gboolean is_last) G_GNUC_WARN_UNUSED_RESULT;
/* Returns CHANGES as lines of aligned text: seconds, memory, settings and reason, and the sums of
 * all changes in the last line. Free with g_free(). */
char *plg_plan_changes_text (const GArray *changes) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
