/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A second window for the presenter: the notes of the lesson step, the title of the next step, the
 * key figures, the clock and the elapsed time. */
#define PLG_TYPE_PRESENTER_WINDOW (plg_presenter_window_get_type ())
G_DECLARE_FINAL_TYPE (PlgPresenterWindow, plg_presenter_window, PLG, PRESENTER_WINDOW, AdwWindow)

/* Shows DOCUMENT and RUN (nullable), and keeps a reference to both. */
void plg_presenter_window_show (PlgPresenterWindow *self, PlgDocument *document, PlgLessonRun *run);
/* Sets the start of the presentation [µs of g_get_monotonic_time()]. The default is the time when
 * the window opened. */
void plg_presenter_window_set_start (PlgPresenterWindow *self, gint64 began);
/* Focuses the notes, which handle only the keys that scroll. */
void plg_presenter_window_focus (PlgPresenterWindow *self);

G_END_DECLS
