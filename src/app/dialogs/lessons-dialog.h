/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A dialog that lists the lessons and lets the user choose a lesson to begin. */
#define PLG_TYPE_LESSONS_DIALOG (plg_lessons_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgLessonsDialog, plg_lessons_dialog, PLG, LESSONS_DIALOG, AdwWindow)

/* Opens the dialog, which closes after each signal: "chosen" (PlgLesson, borrowed), "plan"
 * (PlgPlan of a misconception, borrowed), "open" (open a file) and "open-class" (open learner
 * records). SETTINGS stores the learner's name. */
PlgLessonsDialog *
plg_lessons_dialog_present (GtkWindow *parent, GSettings *settings, const PlgCatalogue *catalogue);

G_END_DECLS
