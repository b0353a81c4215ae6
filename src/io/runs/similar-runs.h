/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/runs/published-runs.h"

G_BEGIN_DECLS

#define PLG_MAX_SIMILAR_RUNS 4
/* A run is near up to this distance (run-traits.h). */
#define PLG_NEAR_RUN 1.0

/* A published run next to the engine's result for it. */
typedef struct
{
  const PlgPublishedRun *run;
  double distance;
  double time;         /* the engine's step time [s] */
  double error;        /* the engine's time / the measured time − 1 */
  double mfu;          /* the engine's MFU, 0..1 */
  double mfu_measured; /* the MFU of the measured time by the engine's FLOPs, 0..1 */
  const char *remark;  /* known reason for a large error, in English, or NULL */
  double memory;       /* the engine's value for the measured kind of memory [bytes] */
} PlgSimilarRun;

/* The published runs that are nearest to a plan, and the errors of the engine on them. */
typedef struct _PlgSimilarRuns
{
  PlgRunTraits traits;                      /* traits of the plan */
  int n;                                    /* 0 if no run is near */
  PlgSimilarRun runs[PLG_MAX_SIMILAR_RUNS]; /* nearest first */
  double error;                             /* the largest absolute error of the runs; NaN if fewer
                                               than two runs are near */
  int n_fitted;                             /* number of runs to which constants were fitted */
} PlgSimilarRuns;

/* plg_similar_runs:
 * @without: (nullable): a run to leave out
 * @without_group: whether to leave out all runs of the group of @without, too
 *
 * Finds the runs nearest to @traits, at most %PLG_MAX_SIMILAR_RUNS, two of a group, and none
 * farther than %PLG_NEAR_RUN. The runs are owned by @runs.
 *
 * If a plan resembles n runs as they resemble each other, its own error is below the largest of
 * their errors with the probability n / (n + 1). */
PlgSimilarRuns plg_similar_runs (PlgPublishedRuns *runs,
                                 const PlgRunTraits *traits,
                                 const PlgPublishedRun *without,
                                 gboolean without_group);

/* Finds the runs nearest to PLAN as plg_similar_runs() does. Returns FALSE without them for the
 * textbook profiles, because the errors are those of the standard engine. */
gboolean
plg_similar_runs_find (PlgPublishedRuns *runs, const PlgPlan *plan, PlgSimilarRuns *similar);

/* An interval in which a measured value is expected. */
typedef struct
{
  double low;
  double high;
} PlgBand;

/* Return the bands of a step time and of an MFU that the engine computed. Both ends are NaN if
 * there is no error. */
PlgBand plg_similar_runs_time_band (const PlgSimilarRuns *self, double time);
PlgBand plg_similar_runs_mfu_band (const PlgSimilarRuns *self, double mfu);

G_END_DECLS
