/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define PLG_TYPE_APPLICATION (plg_application_get_type ())
G_DECLARE_FINAL_TYPE (PlgApplication, plg_application, PLG, APPLICATION, AdwApplication)

PlgApplication *plg_application_new (void);
PlgCatalogue *plg_application_catalogue (PlgApplication *self);
GSettings *plg_application_settings (PlgApplication *self);
/* Opens FILE in the window that is free (nothing done in it yet), else in a new one. */
/* In such a window, too. */
void plg_application_begin_lesson (PlgApplication *self, PlgLesson *lesson);
/* A copy of PLAN, which is no file's. */
void plg_application_open_plan (PlgApplication *self, const PlgPlan *plan);
void plg_application_open_file (PlgApplication *self, GFile *file);
/* The same for N_FILES; what cannot be opened is told in one dialog. */
void plg_application_open_files (PlgApplication *self, GFile *const *files, int n_files);

/* Ledgers of learners, in a window that shows how they answered. */
void plg_application_open_class (PlgApplication *self, GFile *const *files, int n_files);

G_END_DECLS
