/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures complete searches: the time until the first result and until the end, the memory of
 * the process, and the numbers of plans. */
#include "engine/search/search.h"
#include "io/plan/catalogue-xml.h"
#include "plan/settings/setting.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

typedef struct
{
  const char *name;
  const char *edits; /* edits of the default plan */
  const char *vary;  /* separated by spaces; NULL for the whole space */
  guint threads;
} Row;

/* The axes of Calculon's search (github.com/calculon-ai/calculon, llm/optimal_execution.py): TP,
 * PP, DP, interleaving by divisors of the layers of a stage, micro-batch, recompute, optimizer
 * sharding, TP by all-reduce or by all-gather and reduce-scatter, overlap of DP and of TP, and
 * the network of each axis, which is the nesting order here. Calculon tries 138,624 plans for
 * GPT-3 175B on 64 GPUs. */
#define CALCULON                                                                      \
  "parallelism.cp=1 parallelism.ep=1 parallelism.etp=1 parallelism.zero=0,1 "         \
  "training.schedule=1f1b,interleaved parallelism.chunks=1,2,3,4,6,8,12,16,24,32,48 " \
  "parallelism.overlap-dp=false,true parallelism.overlap-tp=false,true"
#define GPT3 "model.name=gpt3-175b training.sequence=2048 training.global-batch=64"
#define LLAMA_405B                                                                \
  "model.name=llama3-405b cluster.nodes=2048 parallelism.tp=8 parallelism.pp=16 " \
  "training.global-batch=2048 training.sequence=8192"
#define DEEPSEEK                                                                 \
  "model.name=deepseek-v3 cluster.nodes=256 parallelism.tp=1 parallelism.pp=16 " \
  "parallelism.ep=64 training.global-batch=15360 training.sequence=4096"
#define DEEPSEEK_16384                                                            \
  "model.name=deepseek-v3 cluster.nodes=2048 parallelism.tp=1 parallelism.pp=16 " \
  "parallelism.ep=64 training.global-batch=15360 training.sequence=4096"

static const Row rows[] = {
  { "Llama 3 70B, 64 H100, whole space", "", NULL, 1 },
  { "GPT-3 175B, 64 H100, Calculon's space", GPT3, CALCULON, 1 },
  { "Llama 3 405B, 16384 H100, whole space", LLAMA_405B, NULL, 2 },
  { "DeepSeek-V3, 2048 H100, whole space", DEEPSEEK, NULL, 2 },
  { "DeepSeek-V3, 16384 H100, whole space", DEEPSEEK_16384, NULL, 2 },
  { "Llama 3 70B, 64 H100, one slow GPU", "cluster.faults=gpu:5=0.5", NULL, 2 },
  { "Llama 3 70B, 64 H100, one slow link", "cluster.faults=nic:3.2=0.5", NULL, 2 },
};

typedef struct
{
  PlgSearch *search;
  gint64 start;
  gint64 first; /* time of the first result [µs]; 0 for none */
} Run;

static gpointer
run_search (gpointer data)
{
  Run *run = data;

  plg_search_run (run->search);
  return NULL;
}

/* Returns the processor time of the process so far [s]. On a busy machine, it says more than the
 * time between start and end. */
static double
processor_time (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_utime.tv_sec + 1e-6 * (double) usage.ru_utime.tv_usec +
         (double) usage.ru_stime.tv_sec + 1e-6 * (double) usage.ru_stime.tv_usec;
}

static void
measure (const Row *row, guint top)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_auto (GStrv) edits = g_strsplit (row->edits, " ", -1);
  g_auto (GStrv) vary = g_strsplit (row->vary != NULL ? row->vary : "", " ", -1);
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  g_autoptr (GError) error = NULL;
  PlgSearchOptions options = { .by = plg_metric_find ("step-time"),
                               .top = top,
                               .threads = row->threads };
  PlgSearchProgress progress;
  PlgSearchSpace *space;
  struct rusage usage;
  Run run = { 0 };
  GThread *thread;
  gint64 end;
  double cpu;

  if (*row->edits != '\0' &&
      !plg_settings_apply (plan, catalogue, (const char *const *) edits, &error))
    g_error ("%s: %s", row->name, error->message);
  cpu = processor_time ();
  run.start = g_get_monotonic_time ();
  space = plg_search_space_new (plan);
  for (int i = 0; vary[i] != NULL; i++)
    if (*vary[i] != '\0' && !plg_search_space_vary (space, catalogue, vary[i], &error))
      g_error ("%s: %s", row->name, error->message);
  run.search = plg_search_new (space, &options);
  thread = g_thread_new ("run", run_search, &run);
  do
    {
      g_usleep (1000);
      plg_search_snapshot (run.search, &progress, best, NULL, NULL);
      if (run.first == 0 && best->len > 0)
        run.first = g_get_monotonic_time ();
    }
  while (!progress.is_complete);
  end = g_get_monotonic_time ();
  g_thread_join (thread);
  cpu = processor_time () - cpu;
  getrusage (RUSAGE_SELF, &usage);
  printf ("  %-40s %6.0f ms  cpu %6.0f ms  first %5.0f ms  best %8.4f s  %12" G_GINT64_FORMAT
          " plans  %8" G_GINT64_FORMAT " judged  %4ld MB\n",
          row->name, (double) (end - run.start) / 1000.0, 1e3 * cpu,
          run.first > 0 ? (double) (run.first - run.start) / 1000.0 : -1.0,
          best->len > 0 ? g_array_index (best, PlgFoundPlan, 0).time : -1.0, progress.plans,
          progress.judged, usage.ru_maxrss / 1024);
  plg_search_free (run.search);
}

int
main (int argc, char **argv)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (argc < 2 || strstr (rows[i].name, argv[1]) != NULL)
      for (guint top = 1; top <= 100; top *= 100)
        {
          printf ("  top %u\n", top);
          measure (&rows[i], top);
          fflush (stdout);
        }
  return 0;
}
