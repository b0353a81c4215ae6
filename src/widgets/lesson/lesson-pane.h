/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The current step of a lesson: text, question or goal, and the buttons to the next and previous
 * step. Property "palette" (of the pictures); signal "finished" (after the last step). */
#define PLG_TYPE_LESSON_PANE (plg_lesson_pane_get_type ())
G_DECLARE_FINAL_TYPE (PlgLessonPane, plg_lesson_pane, PLG, LESSON_PANE, GtkWidget)

/* Shows RUN (referenced), or nothing if NULL. */
void plg_lesson_pane_set_run (PlgLessonPane *self, PlgLessonRun *run);
/* Goes to the next (+1) or previous (-1) step, for the keys of a presentation remote. Returns FALSE
 * if there is no such step. */
gboolean plg_lesson_pane_go (PlgLessonPane *self, int direction);

G_END_DECLS
