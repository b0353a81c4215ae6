/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the constants of the engine again to all groups of published.csv but one, and scores the
 * group that was left out. Needs an engine that is compiled with PLG_FIT. */
#pragma once

#include "io/runs/published-runs.h"

/* The errors of the step time, predicted / measured - 1, of a set of runs. */
typedef struct
{
  const char *group; /* interned; NULL for the mean of the groups */
  guint n;           /* runs */
  double mean;       /* mean absolute error */
  double bias;       /* mean error */
  double refit;      /* mean absolute error with constants that are fitted to all groups */
} LeftOut;

typedef struct
{
  LeftOut all;     /* the mean of the groups, each left out once */
  LeftOut refit;   /* the mean of the groups with constants that are fitted to all of them */
  LeftOut unseen;  /* the same for the groups of unseen.csv, with the same constants */
  GArray *groups;  /* element-type LeftOut */
  GString *values; /* for each constant, the value in the engine and the smallest and largest fit */
} LeaveOut;

/* leave_out_run:
 *
 * Fits and scores with the fastest plan that fits for runs whose sources leave settings open. The
 * constants of the engine have their own values again afterwards. Takes seconds.
 *
 * Returns: (transfer full): the errors; free with leave_out_clear() */
LeaveOut leave_out_run (const PlgPublishedRuns *runs);
/* Does nothing if SELF is all zero. */
void leave_out_clear (LeaveOut *self);

/* Returns the errors of GROUP, or NULL. */
const LeftOut *leave_out_find (const LeaveOut *self, const char *group);
