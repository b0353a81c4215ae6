/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

G_BEGIN_DECLS

/* What a widget shows: a document and, where one is played in it, its lesson. */
typedef struct
{
  PlgDocument *document; /* or NULL */
  PlgLessonRun *run;     /* or NULL */
} PlgLessonBinding;

/* Makes PRESENTED these two, which may be NULL. UPDATE is called with OWNER, an object, whenever
 * either changes from now on, and now where there is a document. */
void plg_lesson_binding_set (PlgLessonBinding *binding,
                             PlgDocument *document,
                             PlgLessonRun *run,
                             void (*update) (gpointer owner),
                             gpointer owner);

/* TEXT, a number of REPORT, or where a question hides what it is ABOUT (PlgRedaction bits), that it is
 * shown with the answer. */
const char *plg_lesson_binding_number_text (const PlgReport *report, guint about, const char *text);

G_END_DECLS
