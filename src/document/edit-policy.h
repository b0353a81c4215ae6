/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* Returns further PlgRedaction bits for PLAN, which is open or previewed, because a question
 * asks about it; REPORT is complete. The plan itself keeps these parts. */
typedef guint (*PlgRedactFunc) (gpointer data, const PlgPlan *plan, const PlgReport *report);

/* The parts of a plan that a lesson hides or holds fixed. A policy of zeros, without a lesson,
 * allows every edit and hides nothing. */
typedef struct
{
  const char *const *keys; /* the keys that can be changed ("parallelism.pp", "training.*",
                              "placement"); NULL: all keys */
  gboolean awaits_answer;  /* no key can be changed until the question is answered */
  gboolean hides_findings; /* reports have no findings, which would answer a later question */
  guint redaction;         /* PlgRedaction bits, removed from every plan, report and file */
  PlgRedactFunc redact;    /* nullable */
  gpointer redact_data;    /* the owner of the policy */
} PlgEditPolicy;

/* Returns the reason why KEY cannot be changed, as a sentence for the user. Returns NULL if KEY
 * can be changed. */
const char *plg_edit_policy_lock_reason (const PlgEditPolicy *policy, const char *key);
/* Returns whether the lesson lists KEY itself as a key that can be changed, not only a group
 * such as "training.*", and KEY can be changed now. */
gboolean plg_edit_policy_names (const PlgEditPolicy *policy, const char *key);
/* Returns whether PLAN differs from CURRENT only in keys that can be changed. */
gboolean plg_edit_policy_check (const PlgEditPolicy *policy,
                                const PlgPlan *current,
                                const PlgPlan *plan,
                                GError **error);

G_END_DECLS
