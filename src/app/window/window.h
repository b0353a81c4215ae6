/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/application.h"
#include "document/lesson-run.h"
#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* A main window, which shows and edits one plan. */
#define PLG_TYPE_WINDOW (plg_window_get_type ())
G_DECLARE_FINAL_TYPE (PlgWindow, plg_window, PLG, WINDOW, AdwApplicationWindow)

PlgWindow *plg_window_new (PlgApplication *application) G_GNUC_WARN_UNUSED_RESULT;

/* Returns whether the plan is unchanged and has no file. Another plan may then replace it in
 * this window. */
gboolean plg_window_is_pristine (PlgWindow *self);
/* Replaces the open plan with IMPORT, a whole plan that was read from FILE. */
void plg_window_open (PlgWindow *self, GFile *file, const PlgImportResult *import);
/* Previews the changes that IMPORT (taken) makes in the plan. Further imports wait until the
 * preview is closed. FILE is the source of IMPORT, or NULL for pasted text. */
void plg_window_show_import (PlgWindow *self, PlgImportResult *import, GFile *file);
/* Replaces the open plan with the first step of LESSON. */
void plg_window_begin_lesson (PlgWindow *self, PlgLesson *lesson);
/* Continues the lesson at the last step reached by the learner whose name is in the settings,
 * and records that learner's answers. Call after plg_window_begin_lesson(). */
void plg_window_resume_lesson (PlgWindow *self);
void plg_window_end_lesson (PlgWindow *self);
/* Returns the lesson whose answers are recorded for the learner named in the settings, or NULL
 * if no answers are recorded. */
const PlgLesson *plg_window_lesson (PlgWindow *self);
void plg_window_recover (PlgWindow *self, const char *path);
PlgDocument *plg_window_document (PlgWindow *self);
PlgCanvas *plg_window_canvas (PlgWindow *self);
/* Shows a message that disappears after a few seconds. */
void plg_window_toast (PlgWindow *self, const char *message);
/* Shows an error in a dialog. */
void plg_window_show_error (PlgWindow *self, const char *heading, const char *message);
/* Returns the text of ERROR (transfer full). If the format of the file is unknown, the text also
 * lists the readable formats. */
char *plg_window_read_error_text (const GError *error) G_GNUC_WARN_UNUSED_RESULT;

/* Returns the folder of autosaved plans (transfer full). */
char *plg_window_autosave_directory (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
