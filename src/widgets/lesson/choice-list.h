/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Fills BOX with a button for each choice of the current question of RUN, in the lesson pane and in
 * a presentation. BOX is empty without a question. */
void plg_choice_list_fill (GtkBox *box, PlgLessonRun *run);
/* Marks the right and the chosen button after the answer, in words as well as by colour. */
void plg_choice_list_mark (GtkBox *box, PlgLessonRun *run);

G_END_DECLS
