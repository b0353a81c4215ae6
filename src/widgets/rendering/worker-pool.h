/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Threads that share one task at a time with the calling thread. The threads stay, so that their
 * caches, for example of shaped text, serve the next task. */
typedef struct _PlgWorkerPool PlgWorkerPool;

/* plg_worker_pool_new:
 * @most: the largest number of threads, the calling thread included
 * @prepare: (nullable): a function that each new thread calls at once
 *
 * Starts one thread per processor, at most @most.
 *
 * Returns: (transfer full): a pool */
PlgWorkerPool *plg_worker_pool_new (int most, void (*prepare) (void)) G_GNUC_WARN_UNUSED_RESULT;
void plg_worker_pool_free (PlgWorkerPool *pool);

/* Does job @job of @task, on any thread and at the same time as other jobs. */
typedef void (*PlgWorkerFunc) (gpointer task, int job);

/* plg_worker_pool_run:
 * @n: the number of jobs
 * @end: monotonic time after which no job but the first is started [µs]
 *
 * Does the jobs 0 to @n − 1 in this order.
 *
 * Returns: the number of jobs done, which are the first ones */
int plg_worker_pool_run (PlgWorkerPool *pool, PlgWorkerFunc func, gpointer task, int n, gint64 end);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgWorkerPool, plg_worker_pool_free)

G_END_DECLS
