/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What stands beside the cluster while it is presented: the one number that matters, the degrees
 * as sentences, and of a lesson its step's title, question and choices. */
#define PLG_TYPE_PRESENTATION (plg_presentation_get_type ())
G_DECLARE_FINAL_TYPE (PlgPresentation, plg_presentation, PLG, PRESENTATION, GtkWidget)

/* Both are referenced and followed; NULL: none. */
void plg_presentation_show (PlgPresentation *self, PlgDocument *document, PlgLessonRun *run);

G_END_DECLS
