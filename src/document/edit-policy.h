/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* Returns PlgRedaction bits in addition to the policy's own bits, for the parts of the report
 * that a question asks about. PLAN is the open or previewed plan and still contains these parts.
 * REPORT is the complete report of PLAN. */
typedef guint (*PlgRedactFunc) (gpointer data, const PlgPlan *plan, const PlgReport *report);

/* The parts of a plan that a lesson hides or locks. Without a lesson, the policy is all zeros,
 * which allows every edit and hides nothing. */
typedef struct
{
  const char *const *keys; /* the keys that can be changed, such as "parallelism.pp",
                              "training.*" or "placement"; NULL if all keys can be changed.
                              Keys in "view.*" can always be changed. */
  gboolean awaits_answer;  /* whether all keys except those in "view.*" are locked until the
                              question is answered */
  gboolean hides_findings; /* whether reports omit the findings, because the findings would
                              answer a later question */
  guint redaction;         /* PlgRedaction bits of the parts that are removed from every plan,
                              report and file */
  PlgRedactFunc redact;    /* nullable */
  gpointer redact_data;    /* the argument of REDACT; also identifies the owner of the policy */
} PlgEditPolicy;

/* Returns the reason why KEY cannot be changed, as a sentence for the user. Returns NULL if KEY
 * can be changed. */
const char *plg_edit_policy_lock_reason (const PlgEditPolicy *policy, const char *key);
/* Returns whether KEY can be changed now and the lesson lists KEY itself, not only a group such
 * as "training.*" that contains KEY. */
gboolean plg_edit_policy_lists_key (const PlgEditPolicy *policy, const char *key);
/* Returns whether PLAN differs from CURRENT only in keys that can be changed. */
gboolean plg_edit_policy_check (const PlgEditPolicy *policy,
                                const PlgPlan *current,
                                const PlgPlan *plan,
                                GError **error);

G_END_DECLS
