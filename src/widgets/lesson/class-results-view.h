/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/class-results.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The chart of how a class answered, as wide as there is room and as high as it must be. */
#define PLG_TYPE_CLASS_RESULTS_VIEW (plg_class_results_view_get_type ())
G_DECLARE_FINAL_TYPE (PlgClassResultsView,
                      plg_class_results_view,
                      PLG,
                      CLASS_RESULTS_VIEW,
                      GtkWidget)

/* TALLY is borrowed and outlives the view, or is NULL; PALETTE as plg_widget_theme_init() takes it.
 * LESSON: only this one's questions, NULL: all. */
void plg_class_results_view_show (PlgClassResultsView *self,
                                  const PlgClassResults *tally,
                                  const char *palette,
                                  const char *lesson);

G_END_DECLS
