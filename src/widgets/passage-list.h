/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "formats/lesson.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Passages of a lesson, below each other: paragraphs whose numbers are those of the open plan,
 * terms that tell what they mean, formulas and pictures. */
#define PLG_TYPE_PASSAGE_LIST (plg_passage_list_get_type ())
G_DECLARE_FINAL_TYPE (PlgPassageList, plg_passage_list, PLG, PASSAGE_LIST, GtkWidget)

/* PASSAGES stay the caller's as long as they are shown; shown again, only their texts change. */
void plg_passage_list_show (PlgPassageList *self, PlgDocument *document, const GPtrArray *passages);
/* With the numbers of PLAN and its REPORT in place of the open plan's; pictures are the document's.
 */
void plg_passage_list_show_plan (PlgPassageList *self,
                                 PlgDocument *document,
                                 const PlgPlan *plan,
                                 const PlgReport *report,
                                 const GPtrArray *passages);
void plg_passage_list_set_palette (PlgPassageList *self, const char *palette);

G_END_DECLS
