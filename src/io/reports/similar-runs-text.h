/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/runs/similar-runs.h"
#include "syntax/json-writer.h"

G_BEGIN_DECLS

/* plg_similar_runs_share:
 * @mfu: the engine's MFU of the plan, 0..1
 *
 * Returns: (transfer full) (nullable): the MFU with its error band, such as "46.9 ± 4.9 %", or
 *   %NULL if there is no band */
char *plg_similar_runs_share (const PlgSimilarRuns *similar, double mfu) G_GNUC_WARN_UNUSED_RESULT;
/* Returns a sentence on the largest error of the runs, or that there is no band; free with
 * g_free(). */
char *plg_similar_runs_describe (const PlgSimilarRuns *similar) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the band of the step time, such as "8.3 s to 9.9 s", or NULL if there is no band; free
 * with g_free(). */
char *plg_similar_runs_times (const PlgSimilarRuns *similar, double time) G_GNUC_WARN_UNUSED_RESULT;

/* The texts of one published run. */
typedef struct
{
  char *title;     /* "Llama-3-70B on 64 × H100 SXM, BF16" */
  char *measured;  /* "8.53 s, MFU 50.6 %" */
  char *predicted; /* "9.09 s, MFU 47.4 %" */
  char *error;     /* "+6.6 %" */
  char *source;    /* "MLPerf Training v3.0 result logs, 2023" */
  char *locator;   /* the place in the source, in English */
  char *reason;    /* the known reason for an error above 10 %, or NULL */
  char *memory;    /* "63.2 GiB measured, 61.9 GiB by this engine", or NULL */
} PlgSimilarRunText;

PlgSimilarRunText plg_similar_run_text (const PlgSimilarRun *similar) G_GNUC_WARN_UNUSED_RESULT;
void plg_similar_run_text_clear (PlgSimilarRunText *text);

/* Returns all runs as text for people; free with g_free(). MFU and TIME are the engine's results
 * for the plan. */
char *plg_similar_runs_text (const PlgSimilarRuns *similar,
                             double mfu,
                             double time) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the runs as one JSON object with the members "format" and "band"; free with g_free(). */
char *plg_similar_runs_json (const PlgSimilarRuns *similar,
                             double mfu,
                             double time) G_GNUC_WARN_UNUSED_RESULT;
/* Adds the member "band" to JSON. */
void plg_similar_runs_add_json (PlgJsonWriter *json,
                                const PlgSimilarRuns *similar,
                                double mfu,
                                double time);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgSimilarRunText, plg_similar_run_text_clear)

G_END_DECLS
