/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* What only who presents sees: the step's notes, what comes next, the numbers, the clock and the
 * time since the show began. */
#define PLG_TYPE_PRESENTER_WINDOW (plg_presenter_window_get_type ())
G_DECLARE_FINAL_TYPE (PlgPresenterWindow, plg_presenter_window, PLG, PRESENTER_WINDOW, AdwWindow)

/* Both are referenced and followed; RUN may be NULL. */
void plg_presenter_window_show (PlgPresenterWindow *self, PlgDocument *document, PlgLessonRun *run);
/* BEGAN: when the show did, in µs of g_get_monotonic_time(); without it, when this was opened. */
void plg_presenter_window_set_start (PlgPresenterWindow *self, gint64 began);
/* The keys that its notes have a use for scroll them, and no more. */
void plg_presenter_window_focus (PlgPresenterWindow *self);

G_END_DECLS
