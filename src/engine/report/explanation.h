/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/model/engine-constant.h"
#include "engine/report/report.h"

G_BEGIN_DECLS

/* The constants of the catalogue on which a number depends. */
typedef enum
{
  PLG_USES_PEAK = 1 << 0, /* dense peak of the GPU */
  PLG_USES_MATRIX_EFFICIENCY = 1 << 1,
  PLG_USES_MEMORY_RATE = 1 << 2, /* bandwidth and efficiency of the memory */
  PLG_USES_MEMORY_SIZE = 1 << 3,
  PLG_USES_INTRA = 1 << 4, /* links inside a node */
  PLG_USES_INTER = 1 << 5, /* links between nodes */
  PLG_USES_POWER = 1 << 6,
  PLG_USES_MODEL = 1 << 7, /* dimensions of the model */
  PLG_USES_HOST_LINK = 1 << 8,
  PLG_USES_HOST_MEMORY_RATE = 1 << 9,
} PlgConstantUse;
#define PLG_N_CONSTANT_USES 10

/* The derivation of one number, generated from the plan and its report. */
typedef struct
{
  char *id;           /* "bubble.share-of-step" */
  const char *panel;  /* "mfu", "memory", "bubble", "communication" or "run"; static */
  char *title;        /* "Bubble, share of the step", translated */
  char *symbols;      /* "(p − 1) / (v·m + p − 1)" */
  char *numbers;      /* "(4 − 1) / (1·32 + 4 − 1) = 3/35" */
  char *result;       /* "8.6 %" */
  char *note;         /* one sentence on the meaning or the limits of the number; may be NULL */
  const char *source; /* "Narayanan 2021, sec. 2.2"; static */
  guint uses;         /* PlgConstantUse bits: constants of the catalogue */
  PlgUsedConstants constants; /* constants of the engine */
} PlgExplanation;

/* plg_explain:
 * @panel: (nullable): the panel to explain, or %NULL for all panels
 *
 * Explains the numbers of @report. A redacted report has no explanations (see redaction.h).
 *
 * Returns: (transfer full) (element-type PlgExplanation): the explanations
 */
GArray *plg_explain (const PlgPlan *plan,
                     const PlgReport *report,
                     const char *panel) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
