/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* What of a plan and its report is hidden while a prediction is open. */
typedef enum
{
  PLG_REDACT_MEMORY = 1 << 0, /* every stage's, and whether it fits */
  PLG_REDACT_BUBBLE = 1 << 1, /* its shares, and the timeline that shows it */
  PLG_REDACT_TIME = 1 << 2,   /* step time and what follows from it: MFU, tokens, days */
  PLG_REDACT_CALLS = 1 << 3,  /* how often collectives are called, and what crosses links */
  PLG_REDACT_BYTES = 1 << 4,  /* what they send */
  PLG_REDACT_BUSY = 1 << 5,   /* how long they and the links take, and what is waited for */
  PLG_REDACT_HOPS = 1 << 6,   /* how many hops of an axis leave their node */
  PLG_REDACT_FAULTS = 1
                      << 7, /* of the plan: what is broken or slow, which a diagnosis is to find */
} PlgRedaction;
#define PLG_REDACT_COMMUNICATION (PLG_REDACT_CALLS | PLG_REDACT_BYTES | PLG_REDACT_BUSY)
#define PLG_REDACT_ALL 255
/* Of what is hidden, those BITS that a later question asks for: the answer to the one at hand does
 * not show them. */
#define PLG_REDACT_LATER(bits) ((bits) << 8)

/* Some of "memory bubble time calls bytes busy hops faults", with spaces between; "communication"
 * is calls, bytes and busy. FALSE for another word. */
gboolean plg_redaction_from_string (const char *text, guint *redaction);
/* "memory, bubble, …": the words that it knows. g_free(). */
char *plg_redaction_names (void);

/* Whether any of ABOUT waits for a later question. */
gboolean plg_redaction_is_later (guint redaction, guint about);
/* What stands where ABOUT would: when it is shown. NULL where none of it is hidden. */
const char *plg_redaction_placeholder (guint redaction, guint about);

/* A copy of REPORT in which the numbers of VEIL (PlgRedaction bits) are NaN, lists of what happens when
 * are empty, and nobody gives advice: what is not there cannot be shown by any panel, picture, file
 * or name of a cell. Its own veil says so. */
PlgReport *plg_report_redact (const PlgReport *report, guint redaction);
/* A copy of PLAN without what VEIL hides of it. Its report is that of the whole plan. */
PlgPlan *plg_plan_redact (const PlgPlan *plan, guint redaction);
/* Puts what VEIL hides of WHOLE into PLAN, which was made of its veiled copy. Faults of nodes that
 * PLAN has no more are dropped. */
void plg_plan_restore_redacted (PlgPlan *plan, const PlgPlan *whole, guint redaction);

G_END_DECLS
