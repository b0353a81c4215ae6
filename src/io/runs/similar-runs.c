/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/runs/similar-runs.h"

#include <math.h>
#include <string.h>

#define MAX_PER_GROUP 2
#define MIN_FOR_BAND 2

/* Leaves out the runs of GROUP. */
static void
leave_out_group (double *distances, const PlgPublishedRun *runs, guint n, const char *group)
{
  for (guint i = 0; i < n; i++)
    if (strcmp (runs[i].group, group) == 0)
      distances[i] = INFINITY;
}

static int
count_of_group (const PlgSimilarRuns *self, const char *group)
{
  int count = 0;

  for (int i = 0; i < self->n; i++)
    count += strcmp (self->runs[i].run->group, group) == 0;
  return count;
}

static void
add_run (PlgSimilarRuns *self,
         const PlgPublishedRun *run,
         const PlgRunPrediction *prediction,
         double distance)
{
  PlgSimilarRun *added = &self->runs[self->n++];

  *added = (PlgSimilarRun) {
    .run = run,
    .distance = distance,
    .time = prediction->time,
    .error = prediction->time / run->step_time - 1.0,
    .mfu = prediction->mfu,
    .mfu_measured = prediction->mfu * prediction->time / run->step_time,
    .memory = run->memory_kind >= PLG_RUN_MEMORY_PEAK ? prediction->allocated : prediction->memory,
  };
  self->error = MAX (self->error, fabs (added->error));
  self->n_fitted += run->is_fitted;
}

PlgSimilarRuns
plg_similar_runs (PlgPublishedRuns *runs,
                  const PlgRunTraits *traits,
                  const PlgPublishedRun *without,
                  gboolean without_group)
{
  PlgSimilarRuns self = { .traits = *traits };
  guint n;
  const PlgPublishedRun *all = plg_published_runs_all (runs, &n);
  g_autofree double *distances = g_new (double, n);

  for (guint i = 0; i < n; i++)
    distances[i] = all[i].ran && all[i].step_time > 0.0 && !all[i].is_rough && &all[i] != without
                       ? plg_run_distance (traits, &all[i].traits)
                       : INFINITY;
  if (without_group)
    leave_out_group (distances, all, n, without->group);
  while (self.n < PLG_MAX_SIMILAR_RUNS)
    {
      PlgRunPrediction prediction;
      guint nearest = 0;

      for (guint i = 1; i < n; i++)
        if (distances[i] < distances[nearest])
          nearest = i;
      if (distances[nearest] > PLG_NEAR_RUN)
        break;
      if (plg_published_run_predict (runs, &all[nearest], PLG_OPEN_SETTINGS_FASTEST, &prediction))
        {
          add_run (&self, &all[nearest], &prediction, distances[nearest]);
          self.runs[self.n - 1].remark = plg_published_run_remark (runs, &all[nearest]);
        }
      distances[nearest] = INFINITY;
      if (count_of_group (&self, all[nearest].group) == MAX_PER_GROUP)
        leave_out_group (distances, all, n, all[nearest].group);
    }
  if (self.n < MIN_FOR_BAND)
    self.error = NAN;
  return self;
}

gboolean
plg_similar_runs_find (PlgPublishedRuns *runs, const PlgPlan *plan, PlgSimilarRuns *similar)
{
  PlgRunTraits traits = plg_run_traits (plan);

  if (plan->profile != PLG_PROFILE_STANDARD)
    return FALSE;
  *similar = plg_similar_runs (runs, &traits, NULL, FALSE);
  return TRUE;
}

PlgBand
plg_similar_runs_time_band (const PlgSimilarRuns *self, double time)
{
  /* An error of e means that the measured time is time / (1 + e). */
  double high = self->error >= 1.0 ? INFINITY : time / (1.0 - self->error);

  return (PlgBand) { time / (1.0 + self->error), high };
}

PlgBand
plg_similar_runs_mfu_band (const PlgSimilarRuns *self, double mfu)
{
  double low = self->error > 1.0 ? 0.0 : mfu * (1.0 - self->error);

  return (PlgBand) { low, mfu * (1.0 + self->error) };
}
