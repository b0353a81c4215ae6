/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* How a number came about. Generated from plan and report, so it cannot go stale. */
typedef struct
{
  char *id;           /* "bubble.share-of-step" */
  const char *panel;  /* static: "mfu", "memory", "bubble", "communication" */
  char *title;        /* "Bubble, share of the step": translated */
  char *symbols;      /* "(p − 1) / (v·m + p − 1)" */
  char *numbers;      /* "(4 − 1) / (1·32 + 4 − 1) = 3/35" */
  char *result;       /* "8.6 %" */
  char *note;         /* one sentence: why it differs from another number; may be NULL */
  const char *source; /* static: "Narayanan 2021, sec. 2.2" */
} PlgExplanation;

/* Array of PlgExplanation, freed with g_array_unref(). PANEL NULL: all of them. None at all of a
 * report that hides something (veil.h). */
GArray *plg_explain (const PlgPlan *plan, const PlgReport *report, const char *panel);

G_END_DECLS
