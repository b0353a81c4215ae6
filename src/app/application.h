/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define PLG_TYPE_APPLICATION (plg_application_get_type ())
G_DECLARE_FINAL_TYPE (PlgApplication, plg_application, PLG, APPLICATION, AdwApplication)

PlgApplication *plg_application_new (void) G_GNUC_WARN_UNUSED_RESULT;
PlgCatalogue *plg_application_catalogue (PlgApplication *self);
GSettings *plg_application_settings (PlgApplication *self);
/* Begins LESSON in the window that already runs LESSON. If there is none, uses a pristine window
 * (see plg_window_is_pristine()) or opens a new window. */
void plg_application_begin_lesson (PlgApplication *self, PlgLesson *lesson);
/* Opens a copy of PLAN in a pristine window (see plg_window_is_pristine()) or, if there is none,
 * in a new window. The document has no file yet. */
void plg_application_open_plan (PlgApplication *self, const PlgPlan *plan);
void plg_application_open_file (PlgApplication *self, GFile *file);
/* Opens N_FILES files. A single dialog lists the files that could not be opened. */
void plg_application_open_files (PlgApplication *self, GFile *const *files, int n_files);

/* Opens learner records in a window that shows the answers of the whole class. */
void plg_application_open_class (PlgApplication *self, GFile *const *files, int n_files);

G_END_DECLS
