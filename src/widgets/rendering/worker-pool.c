/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/rendering/worker-pool.h"

/* Own threads, not a pool of GLib: those of a pool may still take apart what they keep when the
 * pool is gone. */
struct _PlgWorkerPool
{
  GPtrArray *threads; /* GThread; fewer than asked for where there are no more */
  void (*prepare) (void);
  GMutex lock;
  GCond wake_cond, done;
  /* Under the lock. */
  int threads_to_wake; /* threads that are called and did not yet come */
  int busy_threads;
  gboolean is_over;
  /* The work that goes on. */
  PlgWorkerFunc func;
  gpointer work;
  int n;
  gint64 end;
  int next; /* job; atomic */
};

static void
do_jobs (PlgWorkerPool *pool)
{
  while (g_atomic_int_get (&pool->next) == 0 || g_get_monotonic_time () < pool->end)
    {
      int job = g_atomic_int_add (&pool->next, 1);

      if (job >= pool->n)
        break;
      pool->func (pool->work, job);
    }
}

/* Waits, and returns whether there is work. */
static gboolean
wait_for_work (PlgWorkerPool *pool)
{
  gboolean has_work;

  g_mutex_lock (&pool->lock);
  while (pool->threads_to_wake == 0 && !pool->is_over)
    g_cond_wait (&pool->wake_cond, &pool->lock);
  has_work = pool->threads_to_wake > 0;
  if (has_work)
    pool->threads_to_wake--;
  g_mutex_unlock (&pool->lock);
  return has_work;
}

static gpointer
thread_cb (gpointer data)
{
  PlgWorkerPool *pool = data;

  if (pool->prepare != NULL)
    pool->prepare ();
  while (wait_for_work (pool))
    {
      do_jobs (pool);
      g_mutex_lock (&pool->lock);
      pool->busy_threads--;
      g_cond_signal (&pool->done);
      g_mutex_unlock (&pool->lock);
    }
  return NULL;
}

PlgWorkerPool *
plg_worker_pool_new (int most, void (*prepare) (void))
{
  PlgWorkerPool *pool = g_new0 (PlgWorkerPool, 1);
  int others = MIN ((int) g_get_num_processors (), most) - 1;

  g_mutex_init (&pool->lock);
  g_cond_init (&pool->wake_cond);
  g_cond_init (&pool->done);
  pool->prepare = prepare;
  pool->threads = g_ptr_array_new ();
  /* Without threads, or with fewer than asked for, the work is done all the same. */
  for (int i = 0; i < others; i++)
    {
      GThread *thread = g_thread_try_new ("painter", thread_cb, pool, NULL);

      if (thread != NULL)
        g_ptr_array_add (pool->threads, thread);
    }
  return pool;
}

void
plg_worker_pool_free (PlgWorkerPool *pool)
{
  g_mutex_lock (&pool->lock);
  pool->is_over = TRUE;
  g_cond_broadcast (&pool->wake_cond);
  g_mutex_unlock (&pool->lock);
  for (guint i = 0; i < pool->threads->len; i++)
    g_thread_join (pool->threads->pdata[i]);
  g_ptr_array_unref (pool->threads);
  g_cond_clear (&pool->wake_cond);
  g_cond_clear (&pool->done);
  g_mutex_clear (&pool->lock);
  g_free (pool);
}

static void
wake_threads (PlgWorkerPool *pool, int threads)
{
  g_mutex_lock (&pool->lock);
  pool->threads_to_wake = pool->busy_threads = threads;
  for (int i = 0; i < threads; i++)
    g_cond_signal (&pool->wake_cond);
  g_mutex_unlock (&pool->lock);
}

/* Who did not come in time need not come any more. */
static void
wait_for_threads (PlgWorkerPool *pool)
{
  g_mutex_lock (&pool->lock);
  pool->busy_threads -= pool->threads_to_wake;
  pool->threads_to_wake = 0;
  while (pool->busy_threads > 0)
    g_cond_wait (&pool->done, &pool->lock);
  g_mutex_unlock (&pool->lock);
}

int
plg_worker_pool_run (PlgWorkerPool *pool, PlgWorkerFunc func, gpointer work, int n, gint64 end)
{
  g_return_val_if_fail (pool != NULL && func != NULL, 0);

  if (n < 1)
    return 0;
  pool->func = func;
  pool->work = work;
  pool->n = n;
  pool->end = end;
  pool->next = 0;
  wake_threads (pool, MIN ((int) pool->threads->len, n - 1));
  do_jobs (pool);
  wait_for_threads (pool);
  return MIN (pool->next, n);
}
