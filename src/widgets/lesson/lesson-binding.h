/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

G_BEGIN_DECLS

/* The document of a widget and the lesson that runs in the document. */
typedef struct
{
  PlgDocument *document; /* NULL if the widget has no document */
  PlgLessonRun *run;     /* NULL if no lesson is running */
} PlgLessonBinding;

/* Replaces DOCUMENT and RUN (both nullable) in BINDING. Calls UPDATE with OWNER (a GObject)
 * after every change in DOCUMENT or RUN, and immediately if DOCUMENT is not NULL. */
void plg_lesson_binding_set (PlgLessonBinding *binding,
                             PlgDocument *document,
                             PlgLessonRun *run,
                             void (*update) (gpointer owner),
                             gpointer owner);

/* Returns TEXT, a formatted number from REPORT, unless a question hides any of the numbers in
 * ABOUT (PlgRedaction bits). If a question does, returns a notice instead. */
const char *plg_lesson_binding_number_text (const PlgReport *report, guint about, const char *text);

G_END_DECLS
