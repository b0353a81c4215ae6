/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The text next to the cluster in a presentation: the key figure; each parallelism degree with
 * the extent of its groups, for example "TP 8 inside the node"; and the title, question, choices
 * and answer of the lesson step. */
#define PLG_TYPE_PRESENTATION (plg_presentation_get_type ())
G_DECLARE_FINAL_TYPE (PlgPresentation, plg_presentation, PLG, PRESENTATION, GtkWidget)

/* Shows DOCUMENT and RUN (both nullable), and keeps a reference to both. */
void plg_presentation_show (PlgPresentation *self, PlgDocument *document, PlgLessonRun *run);

/* Scrolls the text down (1) or up (-1) by at most a page. Returns FALSE if the text cannot be
 * scrolled further in this direction. */
gboolean plg_presentation_scroll (PlgPresentation *self, int direction);
/* Returns the choice that the presentation remote has marked, or -1. */
int plg_presentation_marked (PlgPresentation *self);
/* Marks the next (1) or previous (-1) choice without answering, and shows how to answer. Returns
 * FALSE if the last choice is already marked. Moving back from the first choice removes the
 * mark. */
gboolean plg_presentation_mark (PlgPresentation *self, int direction);

G_END_DECLS
