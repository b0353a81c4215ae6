/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* How a class answered: a chart, a table with the exact values, and which files could not be read.
 */
#define PLG_TYPE_CLASS_WINDOW (plg_class_window_get_type ())
G_DECLARE_FINAL_TYPE (PlgClassWindow, plg_class_window, PLG, CLASS_WINDOW, AdwWindow)

/* PATHS: ledgers, and lessons whose words are wanted. A window of APPLICATION. */
PlgClassWindow *plg_class_window_present (GtkApplication *application,
                                          GSettings *settings,
                                          const PlgCatalogue *catalogue,
                                          const char *const *paths);

/* Writes what is shown into FILE; its ending, svg, pdf, png, txt or csv, tells as what. */
gboolean plg_class_window_write (PlgClassWindow *self, GFile *file, GError **error);

G_END_DECLS
