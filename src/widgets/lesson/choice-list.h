/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The choices of the question that RUN asks now, as buttons in BOX that answer it: in the lesson's
 * pane and on the projector. Where it asks nothing, BOX is emptied. */
void plg_choice_list_fill (GtkBox *box, PlgLessonRun *run);
/* Once the question is answered: which is right, which was chosen, in words for who does not see
 * the colours. */
void plg_choice_list_mark (GtkBox *box, PlgLessonRun *run);

G_END_DECLS
