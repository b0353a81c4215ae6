/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The current step of a lesson: its text, question or goal, and the buttons for the next and
 * previous step. Property: "palette" (for the pictures). Signal: "finished" (after the last
 * step). */
#define PLG_TYPE_LESSON_PANE (plg_lesson_pane_get_type ())
G_DECLARE_FINAL_TYPE (PlgLessonPane, plg_lesson_pane, PLG, LESSON_PANE, GtkWidget)

/* Shows RUN and keeps a reference to it. Shows nothing if RUN is NULL. */
void plg_lesson_pane_set_run (PlgLessonPane *self, PlgLessonRun *run);
/* Goes to the next (+1) or previous (-1) step. Used for the keys of a presentation remote.
 * Returns FALSE if there is no such step. */
gboolean plg_lesson_pane_go (PlgLessonPane *self, int direction);

G_END_DECLS
