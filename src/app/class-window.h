/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The window with the results of a class: a chart, a table of exact values and a list of files
 * that could not be read. */
#define PLG_TYPE_CLASS_WINDOW (plg_class_window_get_type ())
G_DECLARE_FINAL_TYPE (PlgClassWindow, plg_class_window, PLG, CLASS_WINDOW, AdwWindow)

/*
 * plg_class_window_present:
 * @application: the application that owns the window
 * @paths: (array zero-terminated=1): learner records, and lesson files that supply the text of the
 *   questions
 *
 * Opens the window of class results.
 *
 * Returns: (transfer none): the window
 */
PlgClassWindow *plg_class_window_present (GtkApplication *application,
                                          GSettings *settings,
                                          const PlgCatalogue *catalogue,
                                          const char *const *paths);

/*
 * plg_class_window_write:
 * @file: the target; the file extension svg, pdf, png, txt or csv selects the format
 *
 * Writes the results that the window shows into a file.
 *
 * Returns: %FALSE with @error set if the extension is unknown or writing fails
 */
gboolean plg_class_window_write (PlgClassWindow *self, GFile *file, GError **error);

G_END_DECLS
