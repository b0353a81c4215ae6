/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/evaluation.h"
#include "engine/model/memory.h"
#include "engine/search/search-ranking.h"

G_BEGIN_DECLS

/* A search and the state of its threads. Private to this folder. */

#define PLG_LARGEST_SEARCH_BATCH 32
#define PLG_N_RECOMPUTES 3

/* The plans with the same base, TP, CP, EP and ETP, which one thread tries. */
typedef struct
{
  int base;
  int tp;
  int cp;
  int ep;
  int etp;
} PlgSearchUnit;

/* The results of a unit. The ranking starts with the best plans of the earlier batches. */
typedef struct
{
  PlgRanking ranking;
  GArray *found; /* PlgFoundPlan: the plans that entered the ranking, or all evaluated plans */
  PlgSearchProgress counts;
} PlgUnitResult;

struct _PlgSearch
{
  PlgSearchSpace *space;
  PlgSearchOptions options;
  GArray *units; /* PlgSearchUnit */
  gint is_cancelled;

  /* The batch that the threads try. */
  guint batch_first;
  guint batch_size;
  gint next; /* the next unit of the batch that no thread has taken */
  PlgUnitResult results[PLG_LARGEST_SEARCH_BATCH];

  GMutex mutex;  /* protects the members below */
  GArray *seeds; /* PlgFoundPlan: the best plans of a quick first look, sorted; they change only
                    before the first batch */
  PlgSearchProgress progress;
  PlgRanking ranking;
  GArray *judged; /* PlgFoundPlan; empty unless all evaluated plans are kept */
};

/* The schedule of a plan and its number of chunks. */
typedef struct
{
  int schedule;
  int chunks;
} PlgScheduleChoice;

/* The state of one thread. */
typedef struct
{
  PlgSearch *search;
  PlgReport *report;
  PlgPlan *plan; /* a copy of the base plan of the unit, changed to the plan being tried */
  int base;      /* the base plan of PLAN; -1 for none */
  GArray *micro_batches;
  GArray *degrees;                         /* the values of PP, or of any key in the first look */
  GArray *replicates;                      /* ints */
  GArray *schedules;                       /* PlgScheduleChoice */
  GArray *orders;                          /* PlgOrderClass */
  gboolean is_joined;                      /* whether the orders have been joined */
  PlgEvaluation evaluations[PLG_N_ORDERS]; /* begun for each of the orders if these are joined */
  PlgWorkload scratch;
  PlgLengthCache *lengths; /* the lengths of schedules with the same degrees and ZeRO 0 or 1 */
  PlgLeastWork *work;  /* least work of a micro-batch in the whole model; NaN if unknown; indexed by
                          micro-batch, sequence parallelism and recompute */
  double by_over_time; /* factor between the ranking metric and the step time; 0 if unknown */
  double *required_over_time; /* the same for the metric of each requirement */
  PlgUnitResult *result;
} PlgSearchWorker;

/* Sets WORKER, whose memory is clear. */
void plg_search_worker_init (PlgSearchWorker *worker, PlgSearch *search);
void plg_search_worker_clear (PlgSearchWorker *worker);
/* Forgets the factors between metrics and the step time, which are known for one base plan. */
void plg_search_worker_forget_factors (PlgSearchWorker *worker);
/* Tries all plans of UNIT and adds them to the worker's result. */
void plg_search_worker_try (PlgSearchWorker *worker, const PlgSearchUnit *unit);
/* Finds good plans near the plan of the space, changing one setting at a time. Their times limit
 * the search from its start. */
void plg_search_worker_look (PlgSearchWorker *worker);

/* Lists the schedules of the worker's plan, whose PP is set. Without a pipeline all schedules
 * that can exist are the same, so only one of them is listed. */
void plg_search_worker_list_schedules (PlgSearchWorker *worker);
/* Fills FOUND from the worker's report. Returns FALSE if the report does not meet the requirements
 * or lacks the ranking metric. */
gboolean plg_search_worker_read (PlgSearchWorker *worker, PlgFoundPlan *found);

G_END_DECLS
