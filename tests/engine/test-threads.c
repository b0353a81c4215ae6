/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluations in several threads do not affect each other. */
#include "random-plan.h"

/* A summary of a report whose numbers change with any other value. */
typedef struct
{
  double part[PLG_N_PARTS];
  double memory, bytes, end, findings;
} Digest;

static Digest
digest_of (const PlgReport *report)
{
  Digest digest = { .memory = report->memory_peak, .findings = report->findings->len };

  memcpy (digest.part, report->step.part, sizeof digest.part);
  for (guint i = 0; i < report->links->len; i++)
    digest.bytes += plg_link_bytes (&g_array_index (report->links, PlgLink, i)) * (i + 1);
  for (guint i = 0; i < report->blocks->len; i++)
    digest.end += g_array_index (report->blocks, PlgBlock, i).end * (i + 1);
  return digest;
}

#define THREADS 8
#define PLANS_OF_THREAD 24

typedef struct
{
  PlgPlan *plans[PLANS_OF_THREAD];
  Digest alone[PLANS_OF_THREAD];
} Shared;

typedef struct
{
  const Shared *shared;
  int first; /* first plan; threads begin at different plans */
  GThread *thread;
} Thread;

/* Evaluates all plans several times into one report; returns the number of results that differ
 * from a single evaluation. */
static gpointer
evaluate_cb (gpointer data)
{
  const Thread *thread = data;
  const Shared *shared = thread->shared;
  int wrong = 0;
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < 3 * PLANS_OF_THREAD; i++)
    {
      int plan = (thread->first + i) % PLANS_OF_THREAD;
      Digest digest;

      if (!plg_evaluate_into (report, shared->plans[plan], PLG_EVALUATE_ALL, NULL))
        return GINT_TO_POINTER (-1);
      plg_report_advise (report, shared->plans[plan]);
      digest = digest_of (report);
      wrong += memcmp (&digest, &shared->alone[plan], sizeof digest) != 0;
    }
  return GINT_TO_POINTER (wrong);
}

/* Many threads with the same and other plans get the same results as one. */
static void
test_same_results (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (16);
  Thread threads[THREADS];
  Shared shared;

  for (int i = 0; i < PLANS_OF_THREAD; i++)
    {
      g_autoptr (PlgReport) report = NULL;

      shared.plans[i] = pick_plan (random);
      report = report_of (shared.plans[i]);
      shared.alone[i] = digest_of (report);
    }
  for (int i = 0; i < THREADS; i++)
    {
      threads[i] = (Thread) { .shared = &shared, .first = 3 * i };
      threads[i].thread = g_thread_new ("evaluate", evaluate_cb, &threads[i]);
    }
  for (int i = 0; i < THREADS; i++)
    g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (threads[i].thread)), ==, 0);
  for (int i = 0; i < PLANS_OF_THREAD; i++)
    plg_plan_free (shared.plans[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/threads/same-results", test_same_results);
  return g_test_run ();
}
