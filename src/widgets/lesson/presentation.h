/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What stands beside the cluster while it is presented: the one number that matters, the degrees
 * as sentences, and of a lesson its step's title, question, choices and what is said of an answer.
 */
#define PLG_TYPE_PRESENTATION (plg_presentation_get_type ())
G_DECLARE_FINAL_TYPE (PlgPresentation, plg_presentation, PLG, PRESENTATION, GtkWidget)

/* Both are referenced and followed; NULL: none. */
void plg_presentation_show (PlgPresentation *self, PlgDocument *document, PlgLessonRun *run);

/* Scrolls on (1) or back (-1) to what of the step is not in sight. FALSE: all of it was. */
gboolean plg_presentation_scroll (PlgPresentation *self, int direction);
/* The choice of the open question that a clicker is at, or -1. It is not answered with it yet. */
int plg_presentation_marked (PlgPresentation *self);
/* Marks the next choice (1) or the one before (-1), from none the first, and says how to answer
 * with it. FALSE where there is no further one; before the first none is marked. */
gboolean plg_presentation_mark (PlgPresentation *self, int direction);

G_END_DECLS
