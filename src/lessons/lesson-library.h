/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

G_BEGIN_DECLS

/* Returns the lessons of the program in teaching order: array of PlgLesson; free with
 * g_ptr_array_unref(). */
GPtrArray *plg_lesson_library (void) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the lesson with this id in LESSONS (borrowed), or NULL. */
PlgLesson *plg_lesson_find (const GPtrArray *lessons, const char *id);
/* Returns the glossary: array of PlgGlossaryEntry; free with g_ptr_array_unref(). */
GPtrArray *plg_lesson_glossary (void) G_GNUC_WARN_UNUSED_RESULT;
const PlgGlossaryEntry *plg_glossary_find (const GPtrArray *glossary, const char *id);

/* Returns plans that each show a common misconception, sorted by name: array of PlgPlan; free
 * with g_ptr_array_unref(). The notes of a plan state the misconception and the observation that
 * refutes it. */
GPtrArray *plg_lesson_misconception_plans (const PlgCatalogue *catalogue) G_GNUC_WARN_UNUSED_RESULT;

/* Reads BYTES, a lesson file with the display name NAME. Errors begin with "NAME:LINE:COLUMN: ". */
PlgLesson *
plg_lesson_read_file (GBytes *bytes, const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
