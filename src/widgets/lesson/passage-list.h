/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Passages of a lesson, below each other: paragraphs with their numbers, terms that tell what they
 * mean, formulas and pictures. */
#define PLG_TYPE_PASSAGE_LIST (plg_passage_list_get_type ())
G_DECLARE_FINAL_TYPE (PlgPassageList, plg_passage_list, PLG, PASSAGE_LIST, GtkWidget)

/* PASSAGES stay the caller's as long as they are shown; shown again, only their texts change. Their
 * numbers are of what PART is about, or of the open plan where a paragraph asks for that; pictures
 * are of the open plan. */
void plg_passage_list_show (PlgPassageList *self,
                            PlgLessonRun *run,
                            PlgLessonPart part,
                            const GPtrArray *passages);
/* Nothing is left of what was shown, for nobody to find. */
void plg_passage_list_clear (PlgPassageList *self);
void plg_passage_list_set_palette (PlgPassageList *self, const char *palette);
/* Leaves pictures out: their texts are too small for a projector. */
void plg_passage_list_set_words_only (PlgPassageList *self, gboolean words_only);

G_END_DECLS
