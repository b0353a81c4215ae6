/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A computation of a command that may take long. RUN runs in a thread of its own; the other
 * functions are called in the main thread at the same time. */
typedef struct
{
  gpointer data;
  void (*run) (gpointer data);
  void (*cancel) (gpointer data);    /* makes RUN return soon */
  char *(*describe) (gpointer data); /* returns the progress as one line, to free with g_free(); or
                                        NULL */
} PlgLongTask;

/* Runs TASK to its end or until Ctrl+C. Shows the progress if standard error is a terminal. A
 * second Ctrl+C ends the program. Returns FALSE after Ctrl+C. */
gboolean plg_cli_run_long_task (const PlgLongTask *task);

G_END_DECLS
