/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/plan-comparison.h"

G_BEGIN_DECLS

/* A plan that a picture compares with the open plan. The open plan is A, and this plan is B.
 * Immutable and reference-counted. */
typedef struct
{
  gatomicrefcount ref_count;
  PlgPlan *plan;
  PlgReport *report;       /* with links, timeline and findings */
  PlgCatalogue *catalogue; /* for the titles of models and GPUs, or NULL */
  char *name_of_open;      /* the name of the open plan above its picture */
  char *name;              /* the name of this plan above its picture */
  char *path;              /* the path of the file of this plan for --with, or NULL */
  char *variant;           /* the name of this plan for --with-variant, or NULL */
} PlgComparedPlan;

/* plg_compared_plan_new:
 * @plan: the plan, copied
 * @redaction: #PlgRedaction bits of the open plan's report. The same parts of @plan are hidden; if
 *   faults are hidden, all numbers are
 * @catalogue: (nullable): the catalogue
 *
 * Evaluates @plan.
 *
 * Returns: (transfer full) (nullable): the plan, or %NULL with @error if it cannot be evaluated */
PlgComparedPlan *plg_compared_plan_new (const PlgPlan *plan,
                                        guint redaction,
                                        PlgCatalogue *catalogue,
                                        const char *name_of_open,
                                        const char *name,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
PlgComparedPlan *plg_compared_plan_ref (PlgComparedPlan *compared);
void plg_compared_plan_unref (PlgComparedPlan *compared);
/* Returns one or two sentences with the faster plan and the number of settings that differ. Free
 * with g_free(). */
char *plg_compared_plan_summary (const PlgComparedPlan *compared,
                                 const PlgPlan *plan,
                                 const PlgReport *report) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the comparison as monospace text: the names of both plans, the summary, and aligned
 * tables of all settings and figures that differ, by their keys. Free with g_free(). */
char *plg_compared_plan_text (const PlgComparedPlan *compared,
                              const PlgPlan *plan,
                              const PlgReport *report) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgComparedPlan, plg_compared_plan_unref)

G_END_DECLS
