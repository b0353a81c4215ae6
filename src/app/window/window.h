/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/application.h"
#include "document/lesson-run.h"
#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* One open plan. */
#define PLG_TYPE_WINDOW (plg_window_get_type ())
G_DECLARE_FINAL_TYPE (PlgWindow, plg_window, PLG, WINDOW, AdwApplicationWindow)

PlgWindow *plg_window_new (PlgApplication *application);

/* Nothing done in it yet: another plan may take its place. */
gboolean plg_window_is_pristine (PlgWindow *self);
gboolean plg_window_open (PlgWindow *self, GFile *file, GError **error);
/* Shows what IMPORT (taken), read from FILE (NULL: of no file), would change, one after the other.
 */
void plg_window_show_import (PlgWindow *self, PlgImportResult *import, GFile *file);
/* Replaces what is open by the first step of LESSON. */
void plg_window_begin_lesson (PlgWindow *self, PlgLesson *lesson);
/* Right after that: goes where the person who runs the program left it, and keeps their answers. */
void plg_window_resume_lesson (PlgWindow *self);
void plg_window_end_lesson (PlgWindow *self);
/* The one that is played and kept for the person who runs the program, or NULL. */
const PlgLesson *plg_window_lesson (PlgWindow *self);
void plg_window_recover (PlgWindow *self, const char *path);
PlgDocument *plg_window_document (PlgWindow *self);
PlgCanvas *plg_window_canvas (PlgWindow *self);
/* A message that goes away by itself. */
void plg_window_toast (PlgWindow *self, const char *message);
/* A message about something that failed, which stays until it is answered. */
void plg_window_show_error (PlgWindow *self, const char *heading, const char *message);
/* What ERROR says of what could not be read, and what can be, where it is of no kind that is known.
 * g_free(). */
char *plg_window_read_error_text (const GError *error);

/* Where unsaved plans are kept for the next start. g_free(). */
char *plg_window_autosave_directory (void);

G_END_DECLS
