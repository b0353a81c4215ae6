/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Threads that share out one piece of work at a time among themselves and the thread that asks.
 * They stay: what each of them keeps, such as shaped text, serves the next piece too. */
typedef struct _PlgWorkerPool PlgWorkerPool;

/* As many as the machine has processors, at most MOST with the one that asks. Each new thread calls
 * PREPARE, which may be NULL, before there is work, so that the first piece is done as soon as any.
 */
PlgWorkerPool *plg_worker_pool_new (int most, void (*prepare) (void));
void plg_worker_pool_free (PlgWorkerPool *pool);

/* Does job JOB of WORK. Runs on any thread, beside other jobs. */
typedef void (*PlgWorkerFunc) (gpointer work, int job);

/* Does the jobs 0 to N − 1 in this order, one at least, until END, a monotonic time in
 * microseconds. Returns how many were done: the first so many. */
int plg_worker_pool_run (PlgWorkerPool *pool, PlgWorkerFunc func, gpointer work, int n, gint64 end);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgWorkerPool, plg_worker_pool_free)

G_END_DECLS
