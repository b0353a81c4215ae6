/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/long-task.h"

#include <signal.h>
#include <unistd.h>

/* The time between two looks at the running task. */
#define LOOK_MICROSECONDS 100000

/* Set to 1 by Ctrl+C. */
static volatile sig_atomic_t is_interrupted;

static void
interrupt_cb (int number)
{
  is_interrupted = 1;
}

typedef struct
{
  const PlgLongTask *task;
  GMutex mutex; /* protects IS_DONE */
  GCond ended;
  gboolean is_done;
} RunningTask;

static gpointer
run_thread (gpointer data)
{
  RunningTask *running = data;

  running->task->run (running->task->data);
  g_mutex_lock (&running->mutex);
  running->is_done = TRUE;
  g_cond_signal (&running->ended);
  g_mutex_unlock (&running->mutex);
  return NULL;
}

/* Rewrites the line of progress on standard error. */
static void
show_progress (const PlgLongTask *task)
{
  g_autofree char *line = task->describe (task->data);

  g_printerr ("\r\033[K%s", line);
}

gboolean
plg_cli_run_long_task (const PlgLongTask *task)
{
  RunningTask running = { .task = task };
  gboolean shows_progress = task->describe != NULL && isatty (STDERR_FILENO);
  struct sigaction action = { .sa_handler = interrupt_cb, .sa_flags = (int) SA_RESETHAND }, before;
  gboolean has_line = FALSE;
  GThread *thread;

  sigaction (SIGINT, NULL, &before);
  /* A shell script starts programs in the background with this signal ignored. */
  if (before.sa_handler != SIG_IGN)
    sigaction (SIGINT, &action, NULL);
  g_mutex_init (&running.mutex);
  g_cond_init (&running.ended);
  thread = g_thread_new ("task", run_thread, &running);
  g_mutex_lock (&running.mutex);
  while (!running.is_done)
    {
      gint64 until = g_get_monotonic_time () + LOOK_MICROSECONDS;

      if (g_cond_wait_until (&running.ended, &running.mutex, until))
        continue;
      if (is_interrupted)
        task->cancel (task->data);
      if (shows_progress)
        show_progress (task);
      has_line = shows_progress;
    }
  g_mutex_unlock (&running.mutex);
  g_thread_join (thread);
  if (has_line)
    g_printerr ("\r\033[K");
  sigaction (SIGINT, &before, NULL);
  g_mutex_clear (&running.mutex);
  g_cond_clear (&running.ended);
  return !is_interrupted;
}
