/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/rendering/worker-pool.h"

/* The pool has its own threads instead of using GThreadPool, because threads of a GThreadPool
 * may still free their thread-local data after the pool has been freed. */
struct _PlgWorkerPool
{
  GPtrArray *threads; /* elements of type GThread */
  void (*prepare) (void);
  GMutex mutex;
  GCond wake_cond;
  GCond done_cond;
  /* The mutex protects the following three members. */
  int threads_to_wake; /* threads that have been woken but have not started */
  int busy_threads;    /* threads that have been woken but have not finished */
  gboolean is_closed;
  /* The following members describe the current task. */
  PlgWorkerFunc func;
  gpointer task;
  int n;
  gint64 end;   /* the time after which no further job is started [µs, monotonic] */
  int next_job; /* accessed atomically */
};

static void
worker_pool_do_jobs (PlgWorkerPool *pool)
{
  while (g_atomic_int_get (&pool->next_job) == 0 || g_get_monotonic_time () < pool->end)
    {
      int job = g_atomic_int_add (&pool->next_job, 1);

      if (job >= pool->n)
        break;
      pool->func (pool->task, job);
    }
}

static gpointer
thread_cb (gpointer data)
{
  PlgWorkerPool *pool = data;

  if (pool->prepare != NULL)
    pool->prepare ();
  g_mutex_lock (&pool->mutex);
  for (;;)
    {
      while (pool->threads_to_wake == 0 && !pool->is_closed)
        g_cond_wait (&pool->wake_cond, &pool->mutex);
      if (pool->threads_to_wake == 0)
        break;
      pool->threads_to_wake--;
      g_mutex_unlock (&pool->mutex);
      worker_pool_do_jobs (pool);
      g_mutex_lock (&pool->mutex);
      pool->busy_threads--;
      g_cond_signal (&pool->done_cond);
    }
  g_mutex_unlock (&pool->mutex);
  return NULL;
}

PlgWorkerPool *
plg_worker_pool_new (int most, void (*prepare) (void))
{
  PlgWorkerPool *pool = g_new0 (PlgWorkerPool, 1);
  int others = MIN ((int) g_get_num_processors (), most) - 1;

  g_mutex_init (&pool->mutex);
  g_cond_init (&pool->wake_cond);
  g_cond_init (&pool->done_cond);
  pool->prepare = prepare;
  pool->threads = g_ptr_array_new ();
  for (int i = 0; i < others; i++)
    {
      GThread *thread = g_thread_try_new ("painter", thread_cb, pool, NULL);

      /* If this thread cannot be created, the other threads do its jobs. */
      if (thread != NULL)
        g_ptr_array_add (pool->threads, thread);
    }
  return pool;
}

void
plg_worker_pool_free (PlgWorkerPool *pool)
{
  g_mutex_lock (&pool->mutex);
  pool->is_closed = TRUE;
  g_cond_broadcast (&pool->wake_cond);
  g_mutex_unlock (&pool->mutex);
  for (guint i = 0; i < pool->threads->len; i++)
    g_thread_join (pool->threads->pdata[i]);
  g_ptr_array_unref (pool->threads);
  g_cond_clear (&pool->wake_cond);
  g_cond_clear (&pool->done_cond);
  g_mutex_clear (&pool->mutex);
  g_free (pool);
}

int
plg_worker_pool_run (PlgWorkerPool *pool, PlgWorkerFunc func, gpointer task, int n, gint64 end)
{
  int threads;

  g_return_val_if_fail (pool != NULL && func != NULL, 0);

  if (n < 1)
    return 0;
  pool->func = func;
  pool->task = task;
  pool->n = n;
  pool->end = end;
  pool->next_job = 0;

  threads = MIN ((int) pool->threads->len, n - 1);
  g_mutex_lock (&pool->mutex);
  pool->threads_to_wake = pool->busy_threads = threads;
  for (int i = 0; i < threads; i++)
    g_cond_signal (&pool->wake_cond);
  g_mutex_unlock (&pool->mutex);

  worker_pool_do_jobs (pool);

  /* Do not wait for threads that have not started yet, because this task no longer needs them. */
  g_mutex_lock (&pool->mutex);
  pool->busy_threads -= pool->threads_to_wake;
  pool->threads_to_wake = 0;
  while (pool->busy_threads > 0)
    g_cond_wait (&pool->done_cond, &pool->mutex);
  g_mutex_unlock (&pool->mutex);
  return MIN (pool->next_job, n);
}
