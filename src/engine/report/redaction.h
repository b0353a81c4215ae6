/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* The parts of a plan and its report that are hidden until the learner has made a prediction. */
typedef enum
{
  PLG_REDACT_MEMORY = 1 << 0, /* the memory of every stage, and whether the plan fits */
  PLG_REDACT_BUBBLE = 1 << 1, /* the size of the bubble, and the timeline */
  PLG_REDACT_TIME = 1 << 2,   /* step time and all derived numbers: MFU, tokens, days */
  PLG_REDACT_CALLS = 1 << 3,  /* the number of collective calls, and the traffic on links */
  PLG_REDACT_BYTES = 1 << 4,  /* the bytes that collectives send */
  PLG_REDACT_BUSY = 1 << 5,   /* the times of collectives and links, whether compute hides them
                                 or not */
  PLG_REDACT_HOPS = 1 << 6,   /* the number of hops between nodes on an axis */
  PLG_REDACT_FAULTS = 1 << 7, /* the plan's faults, for lessons on diagnosis */
} PlgRedaction;
#define PLG_REDACT_COMMUNICATION (PLG_REDACT_CALLS | PLG_REDACT_BYTES | PLG_REDACT_BUSY)
#define PLG_REDACT_ALL 255
/* The whole training run is hidden together with any of these parts, because each of them could be
 * computed from the run. */
#define PLG_REDACT_RUN (PLG_REDACT_MEMORY | PLG_REDACT_BUBBLE | PLG_REDACT_TIME | PLG_REDACT_BUSY)
/* Marks BITS that remain hidden after the answer to the current question, because a later
 * question asks about them. */
#define PLG_REDACT_LATER(bits) ((bits) << 8)

/* Parses TEXT, a list of words separated by white space: "memory", "bubble", "time", "calls",
 * "bytes", "busy", "hops" and "faults". The word "communication" means calls, bytes and busy.
 * Returns FALSE for an unknown word. */
gboolean plg_redaction_from_string (const char *text, guint *redaction);
/* Returns all words that plg_redaction_from_string() accepts, for example "memory, bubble, …";
 * free with g_free(). */
char *plg_redaction_names (void);

/* Returns TRUE if REPORT hides any of the parts in ABOUT (PlgRedaction bits). */
gboolean plg_report_hides (const PlgReport *report, guint about);
/* Returns TRUE if a later question asks about any of the parts in ABOUT (PlgRedaction bits). */
gboolean plg_redaction_is_later (guint redaction, guint about);
/* Returns the text that replaces hidden numbers and says when the numbers will be shown. Returns
 * NULL if none of the parts in ABOUT (PlgRedaction bits) is hidden. */
const char *plg_redaction_placeholder (guint redaction, guint about);

/* Returns a short notice for the place of a hidden verdict, such as "answer first". ABOUT is
 * PlgRedaction bits. */
const char *plg_redaction_notice (guint redaction, guint about);

/* plg_report_redact:
 * @redaction: #PlgRedaction bits
 *
 * Copies @report without hidden data: hidden numbers are NaN, hidden lists are empty, and there
 * are no findings. The `redaction` field of the copy stores the bits.
 *
 * Returns: (transfer full): the redacted copy */
PlgReport *plg_report_redact (const PlgReport *report, guint redaction) G_GNUC_WARN_UNUSED_RESULT;
/* plg_report_redact_beside:
 * @report: (transfer full): a report on another plan than the one that is open
 * @redaction: #PlgRedaction bits of the open plan; 0 for none
 *
 * Redacts @report for a comparison with the open plan. If faults are hidden, all numbers are
 * hidden, because numbers without the hidden faults would reveal them.
 *
 * Returns: (transfer full): the redacted report */
PlgReport *plg_report_redact_beside (PlgReport *report, guint redaction) G_GNUC_WARN_UNUSED_RESULT;
/* Returns a copy of PLAN without its hidden parts. Evaluate the complete plan instead of the
 * copy, because hidden faults affect the results. */
PlgPlan *plg_plan_redact (const PlgPlan *plan, guint redaction) G_GNUC_WARN_UNUSED_RESULT;
/* Copies the hidden parts of WHOLE into PLAN, an edited version of the redacted copy. Faults on
 * nodes that PLAN no longer has are dropped. */
void plg_plan_restore_redacted (PlgPlan *plan, const PlgPlan *whole, guint redaction);

G_END_DECLS
