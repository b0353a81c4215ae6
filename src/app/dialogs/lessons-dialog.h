/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The lessons there are, to begin one. */
#define PLG_TYPE_LESSONS_DIALOG (plg_lessons_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgLessonsDialog, plg_lessons_dialog, PLG, LESSONS_DIALOG, AdwWindow)

/* Signals: "chosen" (PlgLesson, borrowed), "plan" (PlgPlan, borrowed): a misunderstanding, "open":
 * a file is wanted, "open-class": ledgers are. The dialog closes itself. Who learns is kept in
 * SETTINGS. */
PlgLessonsDialog *
plg_lessons_dialog_present (GtkWindow *parent, GSettings *settings, const PlgCatalogue *catalogue);

G_END_DECLS
