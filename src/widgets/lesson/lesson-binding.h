/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

G_BEGIN_DECLS

/* The document of a widget and the lesson that runs in the document. */
typedef struct
{
  PlgDocument *document; /* or NULL */
  PlgLessonRun *run;     /* or NULL */
} PlgLessonBinding;

/* Replaces the members of BINDING by DOCUMENT and RUN (both nullable). UPDATE is called with OWNER,
 * an object, after every change of either, and at once if DOCUMENT is not NULL. */
void plg_lesson_binding_set (PlgLessonBinding *binding,
                             PlgDocument *document,
                             PlgLessonRun *run,
                             void (*update) (gpointer owner),
                             gpointer owner);

/* Returns TEXT, a number of REPORT, or a notice if a question hides the numbers ABOUT (PlgRedaction
 * bits). */
const char *plg_lesson_binding_number_text (const PlgReport *report, guint about, const char *text);

G_END_DECLS
