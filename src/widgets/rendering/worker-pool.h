/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Threads that work on one task at a time, together with the calling thread. The threads are
 * kept alive, so that the next task can use their caches, for example of shaped text. */
typedef struct _PlgWorkerPool PlgWorkerPool;

/* plg_worker_pool_new:
 * @most: the maximum number of threads, including the calling thread
 * @prepare: (nullable): a function that each new thread calls first
 *
 * Starts one thread per processor, but at most @most threads.
 *
 * Returns: (transfer full): a pool */
PlgWorkerPool *plg_worker_pool_new (int most, void (*prepare) (void)) G_GNUC_WARN_UNUSED_RESULT;
void plg_worker_pool_free (PlgWorkerPool *pool);

/* Performs job @job of @task. May run on any thread and at the same time as other jobs. */
typedef void (*PlgWorkerFunc) (gpointer task, int job);

/* plg_worker_pool_run:
 * @n: the number of jobs
 * @end: the monotonic time after which only the first job may still be started [µs]
 *
 * Starts the jobs 0 to @n − 1 in this order until @end, and waits until all started jobs have
 * finished.
 *
 * Returns: the number of jobs that were performed, counted from job 0 */
int plg_worker_pool_run (PlgWorkerPool *pool, PlgWorkerFunc func, gpointer task, int n, gint64 end);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgWorkerPool, plg_worker_pool_free)

G_END_DECLS
