/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/rendering/worker-pool.h"

#define JOBS 500

typedef struct
{
  int times[JOBS]; /* atomic */
  gint64 until;    /* the duration of a job */
} Work;

static int n_prepared; /* atomic, because threads share it */

static void
prepare (void)
{
  g_atomic_int_inc (&n_prepared);
}

static void
count_cb (gpointer data, int job)
{
  Work *work = data;

  g_assert_cmpint (job, >=, 0);
  g_assert_cmpint (job, <, JOBS);
  g_atomic_int_inc (&work->times[job]);
  while (g_get_monotonic_time () < work->until)
    g_thread_yield ();
}

static void
assert_first (const Work *work, int n)
{
  for (int i = 0; i < JOBS; i++)
    g_assert_cmpint (work->times[i], ==, i < n ? 1 : 0);
}

static void
test_each_once (gconstpointer data)
{
  g_autoptr (PlgWorkerPool) pool = plg_worker_pool_new (GPOINTER_TO_INT (data), NULL);

  for (int n = 0; n <= JOBS; n += 50)
    {
      Work work = { 0 };

      g_assert_cmpint (plg_worker_pool_run (pool, count_cb, &work, n, G_MAXINT64), ==, n);
      assert_first (&work, n);
    }
}

static void
test_time_is_up (gconstpointer data)
{
  g_autoptr (PlgWorkerPool) pool = plg_worker_pool_new (GPOINTER_TO_INT (data), NULL);
  gint64 end = g_get_monotonic_time () + 2000;
  Work work = { .until = end };
  int done = plg_worker_pool_run (pool, count_cb, &work, JOBS, end);

  g_assert_cmpint (done, >=, 1);
  g_assert_cmpint (done, <=, GPOINTER_TO_INT (data));
  assert_first (&work, done);
}

/* A task past its end still does one job. */
static void
test_one_at_least (void)
{
  g_autoptr (PlgWorkerPool) pool = plg_worker_pool_new (1, NULL);
  Work work = { 0 };

  g_assert_cmpint (plg_worker_pool_run (pool, count_cb, &work, JOBS, 0), ==, 1);
  assert_first (&work, 1);
}

static void
test_prepare (void)
{
  PlgWorkerPool *pool = plg_worker_pool_new (3, prepare);

  plg_worker_pool_free (pool);
  g_assert_cmpint (g_atomic_int_get (&n_prepared), ==, MIN ((int) g_get_num_processors (), 3) - 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/worker-pool/each-once/alone", GINT_TO_POINTER (1), test_each_once);
  g_test_add_data_func ("/worker-pool/each-once/four", GINT_TO_POINTER (4), test_each_once);
  g_test_add_data_func ("/worker-pool/time-is-up/alone", GINT_TO_POINTER (1), test_time_is_up);
  g_test_add_data_func ("/worker-pool/time-is-up/four", GINT_TO_POINTER (4), test_time_is_up);
  g_test_add_func ("/worker-pool/one-at-least", test_one_at_least);
  g_test_add_func ("/worker-pool/prepare", test_prepare);
  return g_test_run ();
}
