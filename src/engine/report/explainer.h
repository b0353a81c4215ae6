/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/explanation.h"

G_BEGIN_DECLS

/* Code shared by the explain-*.c files. Private to the engine. */

#define PLG_SOURCE_NOTEBOOK "Teaching notebook, “The Parallelism Paradox”"
#define PLG_SOURCE_NARAYANAN "Narayanan et al. 2021, arXiv 2104.04473"
#define PLG_SOURCE_KORTHIKANTI "Korthikanti et al. 2022, arXiv 2205.05198"
#define PLG_SOURCE_RAJBHANDARI "Rajbhandari et al. 2020, arXiv 1910.02054, sec. 5"
#define PLG_SOURCE_INDEXER "DeepSeek-V3.2, arXiv 2512.02556, sec. 2.1"
#define PLG_SOURCE_MEGATRON "Megatron-LM, megatron/training/"

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  const char *panel;             /* the panel to which explanations are added */
  GArray *list;                  /* array of PlgExplanation */
  const PlgStageMemory *fullest; /* the stage with the memory peak; used only for the memory
                                    panel */
} PlgExplainer;

/* A row of a panel: the function that explains it, and the profiles in which it appears. */
typedef struct
{
  void (*explain) (PlgExplainer *self);
  guint profiles; /* bits 1 << PlgProfile */
} PlgExplainerRow;

#define PLG_EXPLAIN_STANDARD (1u << PLG_PROFILE_STANDARD)
#define PLG_EXPLAIN_NOTEBOOK (1u << PLG_PROFILE_NOTEBOOK)
#define PLG_EXPLAIN_ALWAYS G_MAXUINT
#define PLG_EXPLAIN_OUTSIDE_NOTEBOOK (PLG_EXPLAIN_ALWAYS & ~PLG_EXPLAIN_NOTEBOOK)

/* Appends the explanations of all ROWS that appear in the plan's profile, in the order of ROWS. */
void plg_explainer_add_rows (PlgExplainer *self, const PlgExplainerRow *rows, int n);

/* Appends an explanation. Takes ownership of SYMBOLS, NUMBERS and RESULT. */
void plg_explainer_add (PlgExplainer *self,
                        const char *id,
                        const char *title,
                        char *symbols,
                        char *numbers,
                        char *result,
                        const char *source);
/* Adds a sentence to the last explanation. Takes ownership of NOTE. */
void plg_explainer_note (PlgExplainer *self, char *note);

/* States which constants of the catalogue the last explanation uses, as PlgConstantUse bits. */
void plg_explainer_uses (PlgExplainer *self, guint uses);

/* States that the last explanation uses a constant of the engine. */
void plg_explainer_constant (PlgExplainer *self, PlgEngineConstant constant);
/* States that the last explanation uses all CONSTANTS. */
void plg_explainer_constants (PlgExplainer *self, const PlgUsedConstants *constants);

/* plg_explainer_format:
 * @pattern: text with placeholders {letter}, one double argument for each
 *
 * Replaces each placeholder with the next argument. The letter selects the format: i integer, n
 * number with 4 digits, e number with 8 digits, k and l number with 5 digits, c count, m memory,
 * g decimal gigabytes, v communication volume, t time, s share, p share with 4 digits, f FLOP/s,
 * b bandwidth, w power, j energy, o emissions, u US dollars.
 *
 * Returns: (transfer full): the text */
char *plg_explainer_format (const char *pattern, ...);

double plg_explainer_degree (const PlgExplainer *self, PlgAxis axis);
gboolean plg_explainer_is_notebook (const PlgExplainer *self);

/* One function per panel. Each function appends the explanations of its panel. */
void plg_explain_step (PlgExplainer *self);
void plg_explain_compute (PlgExplainer *self); /* called by plg_explain_step() */
void plg_explain_bubble (PlgExplainer *self);
void plg_explain_memory (PlgExplainer *self);
void plg_explain_communication (PlgExplainer *self);
void plg_explain_run (PlgExplainer *self);

G_END_DECLS
