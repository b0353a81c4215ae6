/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A vertical list of lesson passages: paragraphs with numbers, terms with definitions, formulas
 * and pictures. */
#define PLG_TYPE_PASSAGE_LIST (plg_passage_list_get_type ())
G_DECLARE_FINAL_TYPE (PlgPassageList, plg_passage_list, PLG, PASSAGE_LIST, GtkWidget)

/* plg_passage_list_show:
 * @part: the part of the lesson whose plan supplies the numbers; a paragraph can request the
 *   numbers of the open plan instead
 * @passages: (element-type PlgPassage): borrowed as long as they are shown
 *
 * Shows @passages. If @passages is the same array as before, updates only the text of the
 * existing widgets. Pictures show the open plan. */
void plg_passage_list_show (PlgPassageList *self,
                            PlgLessonRun *run,
                            PlgLessonPart part,
                            const GPtrArray *passages);
/* Removes all passages from the widget tree and the accessibility tree. */
void plg_passage_list_clear (PlgPassageList *self);
void plg_passage_list_set_palette (PlgPassageList *self, const char *palette);
/* Sets whether pictures are omitted. A presentation omits pictures, because their labels are too
 * small for a projector. */
void plg_passage_list_set_words_only (PlgPassageList *self, gboolean words_only);

G_END_DECLS
