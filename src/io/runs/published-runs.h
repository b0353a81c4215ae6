/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "io/runs/run-traits.h"
#include "plan/catalogue.h"

G_BEGIN_DECLS

/* The training runs that people measured and published, from data/runs. Each run has its source,
 * its measured values and its plan. */
typedef struct _PlgPublishedRuns PlgPublishedRuns;

/* The meaning of a published value of memory. */
typedef enum
{
  PLG_RUN_MEMORY_NONE,      /* no memory was published */
  PLG_RUN_MEMORY_DRIVER,    /* the value of nvidia-smi */
  PLG_RUN_MEMORY_OBSERVED,  /* "GPU memory", taken as the driver's value */
  PLG_RUN_MEMORY_PEAK,      /* "peak memory", taken as allocated bytes */
  PLG_RUN_MEMORY_ALLOCATED, /* PyTorch's counter of allocated bytes */
} PlgRunMemory;
#define PLG_N_RUN_MEMORIES 5

/* Returns the name of KIND in data/runs, "" for PLG_RUN_MEMORY_NONE. */
const char *plg_run_memory_name (PlgRunMemory kind);

typedef struct
{
  const char *id;        /* "kort-003" */
  const char *group;     /* the runs of one source or program, such as "kort" */
  const char *source;    /* title of the publication */
  const char *locator;   /* table, page or file in the source */
  const char *framework; /* name of the program that ran */
  const char *model;
  const char *gpu;       /* title of the GPU, such as "H100 SXM" */
  const char *precision; /* "bf16" */
  int year;
  gboolean is_fitted; /* TRUE if constants of the engine were fitted to runs of this file */
  gboolean is_rough;  /* TRUE if the source leaves too much open for a comparison (quality C) */
  gboolean ran;       /* FALSE if the run ended because memory was full */
  double step_time;   /* measured [s]; 0 if unknown */
  double memory;      /* measured [bytes]; 0 if unknown */
  PlgRunMemory memory_kind;
  int choices;         /* number of plans that agree with the source */
  PlgRunTraits traits; /* traits of the first of these plans */
  int row;             /* number of the run in its file */
} PlgPublishedRun;

/* The plan that stands for a run whose source leaves settings open. */
typedef enum
{
  PLG_OPEN_SETTINGS_FASTEST, /* the fastest plan that fits, because people publish tuned runs */
  PLG_OPEN_SETTINGS_CLOSEST, /* the plan whose step time is closest to the measured one */
} PlgOpenSettings;

/* The engine's result for a run. */
typedef struct
{
  int choice;       /* number of the plan that stands for the run */
  double time;      /* step time [s] */
  double mfu;       /* 0..1 */
  double memory;    /* peak of a GPU as the driver shows it [bytes] */
  double allocated; /* the same as the framework counts it [bytes] */
  gboolean fits;
  double part[PLG_N_PARTS]; /* [s] */
} PlgRunPrediction;

/* plg_published_runs_new:
 *
 * Reads the published runs. Their plans have the constants of the built-in catalogue, also if the
 * user's own catalogue has other constants for the same GPU. The object is for one thread.
 *
 * Returns: (transfer full): the runs */
PlgPublishedRuns *plg_published_runs_new (void) G_GNUC_WARN_UNUSED_RESULT;
void plg_published_runs_free (PlgPublishedRuns *self);

/* Returns the runs, those of the fitted file first. They and their texts are owned by SELF. */
const PlgPublishedRun *plg_published_runs_all (const PlgPublishedRuns *self, guint *n);

/* plg_published_run_cell:
 * @column: the name of a column, such as "training.sequence"
 *
 * Returns: the text of a column in the run's row. Owned by @self */
const char *plg_published_run_cell (const PlgPublishedRuns *self,
                                    const PlgPublishedRun *run,
                                    const char *column);
/* Returns the name of column I of the run's file, or NULL after the last column. The name of a
 * column with a setting is the key of the setting; other names have no point. */
const char *
plg_published_run_column (const PlgPublishedRuns *self, const PlgPublishedRun *run, guint i);

/* Returns the known reason for a large error on RUN or its group, in English, or NULL. Owned by
 * SELF. */
const char *plg_published_run_remark (const PlgPublishedRuns *self, const PlgPublishedRun *run);

/* plg_published_run_plan:
 * @choice: number of the plan, below the run's `choices`
 *
 * Returns: (transfer full): the plan, or %NULL with @error if the settings contradict each other */
PlgPlan *plg_published_run_plan (const PlgPublishedRuns *self,
                                 const PlgPublishedRun *run,
                                 int choice,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* plg_published_run_predict:
 * @prediction: (out): the engine's result
 *
 * Evaluates the plan that stands for @run. The results of %PLG_OPEN_SETTINGS_FASTEST are computed
 * once and kept.
 *
 * Returns: FALSE if no plan of the run is legal */
gboolean plg_published_run_predict (PlgPublishedRuns *self,
                                    const PlgPublishedRun *run,
                                    PlgOpenSettings open,
                                    PlgRunPrediction *prediction);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgPublishedRuns, plg_published_runs_free)

G_END_DECLS
