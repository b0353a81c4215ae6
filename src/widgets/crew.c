/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/crew.h"

/* Own threads, not a pool of GLib: those of a pool may still take apart what they keep when the
 * pool is gone. */
struct _PlgCrew
{
  GPtrArray *threads; /* GThread; fewer than asked for where there are no more */
  void (*prepare) (void);
  GMutex lock;
  GCond called, done;
  /* Under the lock. */
  int wanted; /* threads that are called and did not yet come */
  int at_work;
  gboolean is_over;
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

/* Waits, and returns whether there is work. */
static gboolean
come_to_work (PlgCrew *crew)
{
  gboolean is_wanted;

  g_mutex_lock (&crew->lock);
  while (crew->wanted == 0 && !crew->is_over)
    g_cond_wait (&crew->called, &crew->lock);
  is_wanted = crew->wanted > 0;
  if (is_wanted)
    crew->wanted--;
  g_mutex_unlock (&crew->lock);
  return is_wanted;
}

static gpointer
thread_cb (gpointer data)
{
  PlgCrew *crew = data;

  if (crew->prepare != NULL)
    crew->prepare ();
  while (come_to_work (crew))
    {
      do_jobs (crew);
      g_mutex_lock (&crew->lock);
      crew->at_work--;
      g_cond_signal (&crew->done);
      g_mutex_unlock (&crew->lock);
    }
  return NULL;
}

PlgCrew *
plg_crew_new (int most, void (*prepare) (void))
{
  PlgCrew *crew = g_new0 (PlgCrew, 1);
  int others = MIN ((int) g_get_num_processors (), most) - 1;

  g_mutex_init (&crew->lock);
  g_cond_init (&crew->called);
  g_cond_init (&crew->done);
  crew->prepare = prepare;
  crew->threads = g_ptr_array_new ();
  /* Without threads, or with fewer than asked for, the work is done all the same. */
  for (int i = 0; i < others; i++)
    {
      GThread *thread = g_thread_try_new ("painter", thread_cb, crew, NULL);

      if (thread != NULL)
        g_ptr_array_add (crew->threads, thread);
    }
  return crew;
}

void
plg_crew_free (PlgCrew *crew)
{
  g_mutex_lock (&crew->lock);
  crew->is_over = TRUE;
  g_cond_broadcast (&crew->called);
  g_mutex_unlock (&crew->lock);
  for (guint i = 0; i < crew->threads->len; i++)
    g_thread_join (crew->threads->pdata[i]);
  g_ptr_array_unref (crew->threads);
  g_cond_clear (&crew->called);
  g_cond_clear (&crew->done);
  g_mutex_clear (&crew->lock);
  g_free (crew);
}

static void
call_threads (PlgCrew *crew, int threads)
{
  g_mutex_lock (&crew->lock);
  crew->wanted = crew->at_work = threads;
  for (int i = 0; i < threads; i++)
    g_cond_signal (&crew->called);
  g_mutex_unlock (&crew->lock);
}

/* Who did not come in time need not come any more. */
static void
wait_for_threads (PlgCrew *crew)
{
  g_mutex_lock (&crew->lock);
  crew->at_work -= crew->wanted;
  crew->wanted = 0;
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
  call_threads (crew, MIN ((int) crew->threads->len, n - 1));
  do_jobs (crew);
  wait_for_threads (crew);
  return MIN (crew->next, n);
}
