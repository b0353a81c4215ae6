/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

G_BEGIN_DECLS

/* The lessons that the program brings along, in the order in which they are meant to be taken:
 * array of PlgLesson. g_ptr_array_unref(). */
GPtrArray *plg_lesson_library (void);
/* PlgGlossaryEntry. g_ptr_array_unref(). */
GPtrArray *plg_lesson_glossary (void);
const PlgGlossaryEntry *plg_glossary_find (const GPtrArray *glossary, const char *id);

/* Plans that believe what is not so, by their names: what is believed and what is seen stands in
 * their notes. Array of PlgPlan. g_ptr_array_unref(). */
GPtrArray *plg_lesson_misconception_plans (const PlgCatalogue *catalogue);

/* A teacher's own, from a path or "-". Errors begin "NAME:LINE:COLUMN: ". */
PlgLesson *plg_lesson_load (const char *path, GError **error);

G_END_DECLS
