/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the time and the instructions of one evaluation. The number of instructions does not
 * depend on other work of the machine. */
#include "../engine/allocations.h"
#include "../engine/plans.h"

#include <stdio.h>
#include <string.h>

typedef struct
{
  const char *name;
  const char *edits; /* edits of the teaching plan */
  PlgEvaluateFlags flags;
  int runs;
  gboolean advise;
} Row;

#define DRAWN (PLG_EVALUATE_LINKS | PLG_EVALUATE_TIMELINE)
#define LARGE "cluster.nodes=2048 parallelism.pp=16 model.layers=128 training.global-batch=2048"
#define CHUNKED                                                                        \
  "cluster.nodes=2048 parallelism.pp=16 model.layers=128 training.global-batch=16384 " \
  "training.schedule=interleaved parallelism.chunks=8"
/* 64 stages of two layers. */
#define LONG                                                               \
  "cluster.nodes=128 parallelism.pp=64 parallelism.dp=2 model.layers=128 " \
  "training.global-batch=512"

static const Row rows[] = {
  { "64 GPUs, totals", "", PLG_EVALUATE_TOTALS, 1001 },
  { "64 GPUs, totals, placed by hand", NULL, PLG_EVALUATE_TOTALS, 501 },
  { "64 GPUs, totals, ZeRO-3", "parallelism.zero=3", PLG_EVALUATE_TOTALS, 501 },
  { "64 GPUs, totals, CP 2", "parallelism.cp=2", PLG_EVALUATE_TOTALS, 501 },
  { "64 GPUs, totals, experts",
    "model.experts=8 model.top-k=2 model.expert-ffn=28672 parallelism.tp=1 parallelism.ep=8 "
    "training.global-batch=128",
    PLG_EVALUATE_TOTALS, 501 },
  { "64 GPUs, totals, gpipe", "training.schedule=gpipe", PLG_EVALUATE_TOTALS, 501 },
  { "64 GPUs, totals, interleaved", "training.schedule=interleaved parallelism.chunks=4",
    PLG_EVALUATE_TOTALS, 501 },
  { "64 GPUs, totals, zb-h1", "training.schedule=zb-h1", PLG_EVALUATE_TOTALS, 501 },
  { "64 GPUs, totals, zb-v", "training.schedule=zb-v", PLG_EVALUATE_TOTALS, 501 },
  { "64 GPUs, totals, dualpipe", "training.schedule=dualpipe", PLG_EVALUATE_TOTALS, 501 },
  { "64 GPUs, totals, 1024 micro-batches", "training.global-batch=2048", PLG_EVALUATE_TOTALS, 501 },
  { "64 GPUs, links and timeline", "", DRAWN, 501 },
  { "64 GPUs, all with findings", "", PLG_EVALUATE_ALL, 51, TRUE },
  { "1024 GPUs, totals, 64 stages", LONG, PLG_EVALUATE_TOTALS, 101 },
  { "1024 GPUs, totals, 64 stages, PP overlapped", LONG " parallelism.overlap-pp=true",
    PLG_EVALUATE_TOTALS, 101 },
  { "16384 GPUs, totals", LARGE, PLG_EVALUATE_TOTALS, 501 },
  { "16384 GPUs, totals, 8 chunks", CHUNKED, PLG_EVALUATE_TOTALS, 51 },
  { "16384 GPUs, links", LARGE, PLG_EVALUATE_LINKS, 21 },
};

static PlgPlan *
plan_of_row (const Row *row)
{
  PlgPlan *plan = teaching_plan ();

  if (row->edits != NULL)
    {
      change (plan, row->edits);
      return plan;
    }
  plg_placement_expand (&plan->placement, plg_plan_world (plan));
  plan->placement.gpu_of_rank[0] = 1;
  plan->placement.gpu_of_rank[1] = 0;
  return plan;
}

static gboolean
evaluate (PlgReport *report, const PlgPlan *plan, const Row *row, GError **error)
{
  if (!plg_evaluate_into (report, plan, row->flags, error))
    return FALSE;
  if (row->advise)
    plg_report_advise (report, plan);
  return TRUE;
}

/* Evaluates ROW RUNS times without output, for valgrind to count. */
static int
repeat (const Row *row, int runs)
{
  g_autoptr (PlgPlan) plan = plan_of_row (row);
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < runs; i++)
    if (!evaluate (report, plan, row, NULL))
      return EXIT_FAILURE;
  return EXIT_SUCCESS;
}

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

/* Returns the median time [µs]; ALLOCATED gets the number of allocations of one evaluation. */
static double
measure (const Row *row, double *allocated)
{
  g_autoptr (PlgPlan) plan = plan_of_row (row);
  g_autoptr (PlgReport) report = plg_report_new ();
  g_autofree gint64 *times = g_new (gint64, row->runs);
  g_autoptr (GError) error = NULL;
  int before;

  for (int i = 0; i < 3; i++)
    if (!evaluate (report, plan, row, &error))
      g_error ("%s: %s", row->name, error->message);
  before = count_allocations ();
  for (int i = 0; i < row->runs; i++)
    {
      gint64 start = nanoseconds ();

      evaluate (report, plan, row, NULL);
      times[i] = nanoseconds () - start;
    }
  *allocated = (double) (count_allocations () - before) / row->runs;
  qsort (times, row->runs, sizeof *times, compare);
  return (double) times[row->runs / 2] / 1000.0;
}

/* Returns the instructions of this program while it evaluates ROW RUNS times; 0 without
 * valgrind. */
static gint64
instructions_of (const char *program, int row, int runs)
{
  g_autofree char *number = g_strdup_printf ("%d", row);
  g_autofree char *times = g_strdup_printf ("%d", runs);
  const char *command[] = { "valgrind",
                            "--tool=callgrind",
                            "--callgrind-out-file=/dev/null",
                            program,
                            "--repeat",
                            number,
                            times,
                            NULL };
  g_autofree char *said = NULL;
  const char *found;
  int status;

  if (!g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &said,
                     &status, NULL) ||
      !g_spawn_check_wait_status (status, NULL))
    return 0;
  found = strstr (said, "Collected : ");
  return found != NULL ? g_ascii_strtoll (found + strlen ("Collected : "), NULL, 10) : 0;
}

/* Prints the instructions of one evaluation: the difference of two runs, which both start the
 * program. */
static void
print_instructions (const char *program, int row)
{
  int more = rows[row].runs > 100 ? 20 : 3;
  gint64 few = instructions_of (program, row, 2), many = 0;

  if (few > 0)
    many = instructions_of (program, row, 2 + more);
  if (many > 0)
    printf (" %12.1f", (double) (many - few) / more / 1000.0);
  else
    printf (" %12s", "no valgrind");
}

int
main (int argc, char **argv)
{
  if (argc == 4 && strcmp (argv[1], "--repeat") == 0)
    return repeat (&rows[atoi (argv[2])], atoi (argv[3]));
  printf ("  %-44s %9s %12s %12s\n", "one evaluation", "median µs", "1000 instr.", "allocations");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      double allocated, median = measure (&rows[i], &allocated);

      printf ("  %-44s %9.1f", rows[i].name, median);
      print_instructions (argv[0], i);
      if (COUNTS_ALLOCATIONS)
        printf (" %12.2f\n", allocated);
      else
        printf (" %12s\n", "uncounted");
      fflush (stdout);
    }
  return EXIT_SUCCESS;
}
