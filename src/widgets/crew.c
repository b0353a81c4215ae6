/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/crew.h"

/* What a thread of the pool is called for. */
typedef enum
{
  CALL_PREPARE = 1,
  CALL_WORK,
} Call;

struct _PlgCrew
{
  GThreadPool *pool; /* NULL without others */
  void (*prepare) (void);
  GMutex lock;
  GCond done;
  int at_work; /* threads of the pool; under the lock */
  /* The work that goes on. */
  PlgCrewFunc func;
  gpointer work;
  int n;
  gint64 end;
  int next; /* job; atomic */
};

static void
do_jobs (PlgCrew *crew)
{
  while (g_atomic_int_get (&crew->next) == 0 || g_get_monotonic_time () < crew->end)
    {
      int job = g_atomic_int_add (&crew->next, 1);

      if (job >= crew->n)
        break;
      crew->func (crew->work, job);
    }
}

static void
call_cb (gpointer call, gpointer data)
{
  PlgCrew *crew = data;

  if (GPOINTER_TO_INT (call) == CALL_PREPARE)
    {
      crew->prepare ();
      return;
    }
  do_jobs (crew);
  g_mutex_lock (&crew->lock);
  crew->at_work--;
  g_cond_signal (&crew->done);
  g_mutex_unlock (&crew->lock);
}

static int
n_threads (const PlgCrew *crew)
{
  return crew->pool != NULL ? g_thread_pool_get_max_threads (crew->pool) : 0;
}

static void
call_threads (PlgCrew *crew, Call call, int threads)
{
  for (int i = 0; i < threads; i++)
    g_thread_pool_push (crew->pool, GINT_TO_POINTER (call), NULL);
}

PlgCrew *
plg_crew_new (int most, void (*prepare) (void))
{
  PlgCrew *crew = g_new0 (PlgCrew, 1);
  int others = MIN ((int) g_get_num_processors (), most) - 1;

  g_mutex_init (&crew->lock);
  g_cond_init (&crew->done);
  /* Without threads, or with fewer than asked for, the work is done all the same. */
  if (others > 0)
    crew->pool = g_thread_pool_new (call_cb, crew, others, TRUE, NULL);
  crew->prepare = prepare;
  if (prepare != NULL)
    call_threads (crew, CALL_PREPARE, n_threads (crew));
  return crew;
}

void
plg_crew_free (PlgCrew *crew)
{
  if (crew->pool != NULL)
    g_thread_pool_free (crew->pool, FALSE, TRUE);
  g_cond_clear (&crew->done);
  g_mutex_clear (&crew->lock);
  g_free (crew);
}

static void
wait_for_threads (PlgCrew *crew)
{
  g_mutex_lock (&crew->lock);
  while (crew->at_work > 0)
    g_cond_wait (&crew->done, &crew->lock);
  g_mutex_unlock (&crew->lock);
}

int
plg_crew_do (PlgCrew *crew, PlgCrewFunc func, gpointer work, int n, gint64 end)
{
  g_return_val_if_fail (crew != NULL && func != NULL, 0);

  if (n < 1)
    return 0;
  crew->func = func;
  crew->work = work;
  crew->n = n;
  crew->end = end;
  crew->next = 0;
  crew->at_work = MIN (n_threads (crew), n - 1);
  call_threads (crew, CALL_WORK, crew->at_work);
  do_jobs (crew);
  wait_for_threads (crew);
  return MIN (crew->next, n);
}
