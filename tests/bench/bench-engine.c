/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long one evaluation takes. */
#include "../engine/plans.h"

#include <stdio.h>
#include <stdlib.h>

#define RUNS 501

static int
compare (const void *a, const void *b)
{
  gint64 first = *(const gint64 *) a, second = *(const gint64 *) b;

  return (first > second) - (first < second);
}

static gint64
nanoseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * G_GINT64_CONSTANT (1000000000) + now.tv_nsec;
}

static void
measure (const char *what, const PlgPlan *plan, PlgEvaluateFlags flags, int runs)
{
  g_autoptr (PlgReport) report = plg_report_new ();
  g_autofree gint64 *times = g_new (gint64, runs);

  for (int i = 0; i < 3; i++)
    if (!plg_evaluate_into (report, plan, flags, NULL))
      g_error ("%s: no such plan", what);
  for (int i = 0; i < runs; i++)
    {
      gint64 start = nanoseconds ();

      plg_evaluate_into (report, plan, flags, NULL);
      times[i] = nanoseconds () - start;
    }
  qsort (times, runs, sizeof *times, compare);
  printf ("  %-44s %9.1f µs\n", what, (double) times[runs / 2] / 1000.0);
}

static void
measure_with (const char *what, const char *edits, PlgEvaluateFlags flags, int runs)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();

  change (plan, edits);
  measure (what, plan, flags, runs);
}

static void
measure_placed (const char *what)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();

  plg_placement_expand (&plan->placement, plg_plan_world (plan));
  plan->placement.gpu_of_rank[0] = 1;
  plan->placement.gpu_of_rank[1] = 0;
  measure (what, plan, PLG_EVALUATE_TOTALS, RUNS);
}

int
main (void)
{
  const char *large = "cluster.nodes=2048 parallelism.pp=16 model.layers=128 "
                      "training.global-batch=2048";
  const char *interleaved = "cluster.nodes=2048 parallelism.pp=16 model.layers=128 "
                            "training.global-batch=16384 training.schedule=interleaved "
                            "parallelism.chunks=8";

  printf ("  %-44s %9s\n", "one evaluation", "median");
  measure_with ("64 GPUs, totals", "", PLG_EVALUATE_TOTALS, RUNS);
  measure_placed ("64 GPUs, totals, placed by hand");
  measure_with ("64 GPUs, links and timeline", "", PLG_EVALUATE_LINKS | PLG_EVALUATE_TIMELINE,
                RUNS);
  measure_with ("64 GPUs, all with findings", "", PLG_EVALUATE_ALL, 51);
  measure_with ("16384 GPUs, totals", large, PLG_EVALUATE_TOTALS, RUNS);
  measure_with ("16384 GPUs, interleaved, totals", interleaved, PLG_EVALUATE_TOTALS, 101);
  measure_with ("16384 GPUs, links", large, PLG_EVALUATE_LINKS, 21);
  return EXIT_SUCCESS;
}
