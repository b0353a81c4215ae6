/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Fills BOX with one button per choice of RUN's current question, in the lesson pane and in a
 * presentation. Without a question, BOX stays empty. */
void plg_choice_list_fill (GtkBox *box, PlgLessonRun *run);
/* Marks the right and the chosen button after the answer, both in words and by colour. */
void plg_choice_list_mark (GtkBox *box, PlgLessonRun *run);

G_END_DECLS
