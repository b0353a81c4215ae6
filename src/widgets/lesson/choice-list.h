/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Fills BOX with one button per choice of RUN's current question. Leaves BOX empty if there is
 * no question. Used in the lesson pane and in a presentation. */
void plg_choice_list_fill (GtkBox *box, PlgLessonRun *run);
/* After an answer, marks the right choice and the chosen one with words and colours. */
void plg_choice_list_mark (GtkBox *box, PlgLessonRun *run);

G_END_DECLS
