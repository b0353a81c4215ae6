/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/runs/published-runs.h"

#include "engine/evaluate.h"
#include "io/plan/catalogue-xml.h"
#include "io/runs/run-table.h"
#include "plan/quantity.h"
#include "plan/settings/setting.h"

#include <math.h>
#include <string.h>

#define MAX_VALUES 8

static const char *const memory_kinds[PLG_N_RUN_MEMORIES] = {
  [PLG_RUN_MEMORY_NONE] = "",
  [PLG_RUN_MEMORY_DRIVER] = "driver",
  [PLG_RUN_MEMORY_OBSERVED] = "observed",
  [PLG_RUN_MEMORY_PEAK] = "peak",
  [PLG_RUN_MEMORY_ALLOCATED] = "allocated",
};

typedef struct
{
  gboolean is_known;
  gboolean is_legal;
  PlgRunPrediction prediction;
} Result;

enum
{
  TABLE_FITTED,
  TABLE_UNSEEN,
  TABLE_REMARKS,
  N_TABLES,
};

struct _PlgPublishedRuns
{
  PlgCatalogue *catalogue;
  PlgReport *report; /* reused for all predictions */
  PlgRunTable tables[N_TABLES];
  GArray *runs;    /* element-type PlgPublishedRun */
  GArray *results; /* element-type Result, of the fastest plans */
};

/* Rows ----------------------------------------------------------------------------------------- */

static const PlgRunTable *
table_of_run (const PlgPublishedRuns *self, const PlgPublishedRun *run)
{
  return &self->tables[run->is_fitted ? TABLE_FITTED : TABLE_UNSEEN];
}

const char *
plg_run_memory_name (PlgRunMemory kind)
{
  return memory_kinds[kind];
}

const char *
plg_published_run_cell (const PlgPublishedRuns *self,
                        const PlgPublishedRun *run,
                        const char *column)
{
  return plg_run_table_cell (table_of_run (self, run), run->row, column);
}

const char *
plg_published_run_column (const PlgPublishedRuns *self, const PlgPublishedRun *run, guint i)
{
  const GPtrArray *head = table_of_run (self, run)->rows->pdata[0];

  return i < head->len ? head->pdata[i] : NULL;
}

const char *
plg_published_run_remark (const PlgPublishedRuns *self, const PlgPublishedRun *run)
{
  const PlgRunTable *remarks = &self->tables[TABLE_REMARKS];
  const char *found = NULL;

  for (int i = 1; i < (int) remarks->rows->len; i++)
    {
      g_auto (GStrv) names = g_strsplit (plg_run_table_cell (remarks, i, "run"), " ", -1);

      if (g_strv_contains ((const char *const *) names, run->id))
        return plg_run_table_cell (remarks, i, "remark");
      if (g_strv_contains ((const char *const *) names, run->group))
        found = plg_run_table_cell (remarks, i, "remark");
    }
  return found;
}

/* Plans ---------------------------------------------------------------------------------------- */

/* Sets in PLAN the settings of KEYS, or all settings if KEYS is NULL. A cell "1|2|4" has the
 * plausible values of a setting that the source leaves out, and CHOICE counts through all
 * combinations. */
static gboolean
set_plan (const PlgPublishedRuns *self,
          const PlgRunTable *table,
          int row,
          int choice,
          const char *const *keys,
          PlgPlan *plan,
          GError **error)
{
  const GPtrArray *head = table->rows->pdata[0], *cells = table->rows->pdata[row];

  for (guint i = 0; i < head->len; i++)
    {
      const char *key = head->pdata[i], *value = cells->pdata[i];
      g_auto (GStrv) values = NULL;

      if (strchr (key, '.') == NULL || *value == '\0' ||
          (keys != NULL && !plg_setting_is_among (key, keys)))
        continue;
      if (strchr (value, '|') != NULL)
        {
          values = g_strsplit (value, "|", MAX_VALUES);
          value = values[choice % (int) g_strv_length (values)];
          choice /= (int) g_strv_length (values);
        }
      if (!plg_setting_set (plan, self->catalogue, key, value, error))
        return FALSE;
    }
  return TRUE;
}

PlgPlan *
plg_published_run_plan (const PlgPublishedRuns *self,
                        const PlgPublishedRun *run,
                        int choice,
                        GError **error)
{
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (self->catalogue);

  if (!set_plan (self, table_of_run (self, run), run->row, choice, NULL, plan, error))
    return NULL;
  if (plan->parallelism.chunks > 1)
    plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
  return g_steal_pointer (&plan);
}

static int
count_choices (const PlgRunTable *table, int row)
{
  const GPtrArray *head = table->rows->pdata[0], *cells = table->rows->pdata[row];
  int choices = 1;

  for (guint i = 0; i < head->len; i++)
    if (strchr (head->pdata[i], '.') != NULL)
      {
        int values = 1;

        for (const char *bar = strchr (cells->pdata[i], '|'); bar != NULL;
             bar = strchr (bar + 1, '|'))
          values++;
        choices *= values;
      }
  return choices;
}

/* The settings on which the traits of a run depend. */
static const char *const trait_keys[] = {
  "cluster.*",
  "model.*",
  "training.precision",
  "training.sequence",
  "training.micro-batch",
  "training.recompute",
  "training.program",
  "parallelism.tp",
  "parallelism.pp",
  "parallelism.zero",
  NULL,
};

/* Returns TRUE if two rows have the same cells in the columns of trait_keys. */
static gboolean
has_same_traits (const PlgRunTable *table, int row, int other)
{
  const GPtrArray *head = table->rows->pdata[0];
  const GPtrArray *cells = table->rows->pdata[row], *others = table->rows->pdata[other];

  for (guint i = 0; i < head->len; i++)
    if (plg_setting_is_among (head->pdata[i], trait_keys) &&
        strcmp (cells->pdata[i], others->pdata[i]) != 0)
      return FALSE;
  return TRUE;
}

/* Returns the traits of the run in ROW. Sets no other settings, because all settings of all runs
 * take 30 ms. */
static PlgRunTraits
read_traits (const PlgPublishedRuns *self, const PlgRunTable *table, int row)
{
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (self->catalogue);
  g_autoptr (GError) error = NULL;

  if (!set_plan (self, table, row, 0, trait_keys, plan, &error))
    g_error ("%s: %s", plg_run_table_cell (table, row, "id"), error->message);
  return plg_run_traits (plan);
}

static void
add_runs (PlgPublishedRuns *self, int number)
{
  const PlgRunTable *table = &self->tables[number];

  for (int row = 1; row < (int) table->rows->len; row++)
    {
      PlgPublishedRun run = {
        .id = plg_run_table_cell (table, row, "id"),
        .group = plg_run_table_cell (table, row, "group"),
        .source = plg_run_table_cell (table, row, "source"),
        .locator = plg_run_table_cell (table, row, "locator"),
        .framework = plg_run_table_cell (table, row, "framework"),
        .model = plg_run_table_cell (table, row, "model"),
        .precision = plg_run_table_cell (table, row, "training.precision"),
        .year = atoi (plg_run_table_cell (table, row, "year")),
        .is_fitted = number == TABLE_FITTED,
        .is_rough = strcmp (plg_run_table_cell (table, row, "quality"), "C") == 0,
        .ran = strcmp (plg_run_table_cell (table, row, "outcome"), "ok") == 0,
        .step_time = g_ascii_strtod (plg_run_table_cell (table, row, "step-time"), NULL),
        .memory = PLG_GIB * g_ascii_strtod (plg_run_table_cell (table, row, "memory"), NULL),
        .choices = count_choices (table, row),
        .row = row,
      };
      const char *kind = plg_run_table_cell (table, row, "memory-kind");
      const PlgGpu *gpu = plg_catalogue_gpu (self->catalogue,
                                             plg_run_table_cell (table, row, "cluster.gpu"));

      run.gpu = gpu != NULL ? gpu->title : "";
      if (row > 1 && has_same_traits (table, row, row - 1))
        run.traits = g_array_index (self->runs, PlgPublishedRun, self->runs->len - 1).traits;
      else
        run.traits = read_traits (self, table, row);
      for (int i = 0; i < PLG_N_RUN_MEMORIES; i++)
        if (strcmp (kind, memory_kinds[i]) == 0)
          run.memory_kind = i;
      g_array_append_val (self->runs, run);
    }
}

PlgPublishedRuns *
plg_published_runs_new (void)
{
  static const char *const files[N_TABLES] = {
    [TABLE_FITTED] = "published.csv",
    [TABLE_UNSEEN] = "unseen.csv",
    [TABLE_REMARKS] = "remarks.csv",
  };
  PlgPublishedRuns *self = g_new0 (PlgPublishedRuns, 1);

  self->catalogue = plg_catalogue_load_built_in ();
  self->report = plg_report_new ();
  self->runs = g_array_new (FALSE, FALSE, sizeof (PlgPublishedRun));
  self->results = g_array_new (FALSE, TRUE, sizeof (Result));
  for (int i = 0; i < N_TABLES; i++)
    plg_run_table_init (&self->tables[i], files[i]);
  add_runs (self, TABLE_FITTED);
  add_runs (self, TABLE_UNSEEN);
  g_array_set_size (self->results, self->runs->len);
  return self;
}

void
plg_published_runs_free (PlgPublishedRuns *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < N_TABLES; i++)
    plg_run_table_clear (&self->tables[i]);
  g_array_unref (self->runs);
  g_array_unref (self->results);
  plg_report_unref (self->report);
  plg_catalogue_unref (self->catalogue);
  g_free (self);
}

const PlgPublishedRun *
plg_published_runs_all (const PlgPublishedRuns *self, guint *n)
{
  *n = self->runs->len;
  return (const PlgPublishedRun *) self->runs->data;
}

/* Predictions ---------------------------------------------------------------------------------- */

/* Returns TRUE if REPORT describes RUN better than BEST does. */
static gboolean
is_better (const PlgPublishedRun *run,
           PlgOpenSettings open,
           const PlgReport *report,
           const PlgRunPrediction *best)
{
  if (open == PLG_OPEN_SETTINGS_CLOSEST && run->step_time > 0.0)
    return fabs (log (report->step.time / run->step_time)) <
           fabs (log (best->time / run->step_time));
  return report->fits != best->fits ? report->fits : report->step.time < best->time;
}

static gboolean
predict (PlgPublishedRuns *self,
         const PlgPublishedRun *run,
         PlgOpenSettings open,
         PlgRunPrediction *best)
{
  gboolean is_found = FALSE;

  for (int choice = 0; choice < run->choices; choice++)
    {
      g_autoptr (PlgPlan) plan = plg_published_run_plan (self, run, choice, NULL);
      const PlgReport *report = self->report;
      const PlgStageMemory *peak;

      if (plan == NULL || !plg_evaluate_into (self->report, plan, PLG_EVALUATE_TOTALS, NULL))
        continue;
      if (is_found && !is_better (run, open, report, best))
        continue;
      is_found = TRUE;
      peak = &g_array_index (report->stages, PlgStageMemory, report->memory_peak_stage);
      *best = (PlgRunPrediction) {
        .choice = choice,
        .time = report->step.time,
        .mfu = report->step.mfu,
        .memory = report->memory_peak,
        .allocated = report->memory_peak - peak->runtime,
        .fits = report->fits,
      };
      memcpy (best->part, report->step.part, sizeof best->part);
    }
  return is_found;
}

gboolean
plg_published_run_predict (PlgPublishedRuns *self,
                           const PlgPublishedRun *run,
                           PlgOpenSettings open,
                           PlgRunPrediction *prediction)
{
  guint index = (guint) (run - (const PlgPublishedRun *) self->runs->data);
  Result *result;

  g_return_val_if_fail (index < self->runs->len, FALSE);

  if (open != PLG_OPEN_SETTINGS_FASTEST)
    return predict (self, run, open, prediction);
  result = &g_array_index (self->results, Result, index);
  if (!result->is_known)
    {
      result->is_legal = predict (self, run, open, &result->prediction);
      result->is_known = TRUE;
    }
  *prediction = result->prediction;
  return result->is_legal;
}
