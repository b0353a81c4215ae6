/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A lesson beside the plan that it is about: the step's text, its question or goal, and the way on.
 * Property "palette" (of its pictures). Signal "finished": the way on after the last step. */
#define PLG_TYPE_LESSON_PANE (plg_lesson_pane_get_type ())
G_DECLARE_FINAL_TYPE (PlgLessonPane, plg_lesson_pane, PLG, LESSON_PANE, GtkWidget)

/* RUN is referenced; NULL: no lesson. */
void plg_lesson_pane_set_run (PlgLessonPane *self, PlgLessonRun *run);
/* A key of a clicker: the next step (+1), or the one before. FALSE where there is no way. */
gboolean plg_lesson_pane_go (PlgLessonPane *self, int direction);

G_END_DECLS
