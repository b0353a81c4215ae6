/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Threads that share out one piece of work at a time among themselves and the thread that asks.
 * They stay: what each of them keeps, such as shaped text, serves the next piece too. */
typedef struct _PlgCrew PlgCrew;

/* As many as the machine has processors, at most MOST with the one that asks. Each new thread calls
 * PREPARE, which may be NULL, before there is work, so that the first piece is done as soon as any.
 */
PlgCrew *plg_crew_new (int most, void (*prepare) (void));
void plg_crew_free (PlgCrew *crew);

/* Does job JOB of WORK. Runs on any thread, beside other jobs. */
typedef void (*PlgCrewFunc) (gpointer work, int job);

/* Does the jobs 0 to N − 1 in this order, one at least, until END, a monotonic time in
 * microseconds. Returns how many were done: the first so many. */
int plg_crew_do (PlgCrew *crew, PlgCrewFunc func, gpointer work, int n, gint64 end);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgCrew, plg_crew_free)

G_END_DECLS
