/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/explanation.h"

G_BEGIN_DECLS

/* What the files that explain a panel share. Private to the engine. */

#define PLG_SOURCE_NOTEBOOK "Teaching notebook, “The Parallelism Paradox”"
#define PLG_SOURCE_NARAYANAN "Narayanan et al. 2021, arXiv 2104.04473"
#define PLG_SOURCE_KORTHIKANTI "Korthikanti et al. 2022, arXiv 2205.05198"
#define PLG_SOURCE_RAJBHANDARI "Rajbhandari et al. 2020, arXiv 1910.02054, sec. 5"
#define PLG_SOURCE_MEGATRON "Megatron-LM, megatron/training/"

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  const char *panel; /* of what is being added */
  GArray *list;
} PlgExplainer;

/* Takes SYMBOLS, NUMBERS and RESULT. */
void plg_explainer_add (PlgExplainer *self,
                        const char *id,
                        const char *title,
                        char *symbols,
                        char *numbers,
                        char *result,
                        const char *source);
/* A sentence for what was added last. Takes NOTE. */
void plg_explainer_note (PlgExplainer *self, char *note);

/* PATTERN with each {letter} replaced by the next argument, a double, written as that quantity: i a
 * whole number, n one of 4 digits, e one of 8, c a count, k one of 5 digits, m memory, g decimal
 * gigabytes, v a volume, t a time, l one of 5 digits, s a share, p a share of 4 digits, f FLOP/s, b
 * a bandwidth. g_free(). */
char *plg_explainer_format (const char *pattern, ...);

double plg_explainer_degree (const PlgExplainer *self, PlgAxis axis);
/* The plan is shown as the notebook has it. */
gboolean plg_explainer_is_notebook (const PlgExplainer *self);

/* The panels. */
void plg_explain_step (PlgExplainer *self);
void plg_explain_compute (PlgExplainer *self); /* a part of it */
void plg_explain_bubble (PlgExplainer *self);
void plg_explain_memory (PlgExplainer *self);
void plg_explain_communication (PlgExplainer *self);

G_END_DECLS
