/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/class-results.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The chart of class results. Its natural height depends on its width. */
#define PLG_TYPE_CLASS_RESULTS_VIEW (plg_class_results_view_get_type ())
G_DECLARE_FINAL_TYPE (PlgClassResultsView,
                      plg_class_results_view,
                      PLG,
                      CLASS_RESULTS_VIEW,
                      GtkWidget)

/*
 * plg_class_results_view_show:
 * @results: (nullable): borrowed; must outlive the view
 * @palette: a palette for plg_widget_theme_init()
 * @lesson: (nullable): the id of a lesson; %NULL for every lesson
 *
 * Shows class results.
 */
void plg_class_results_view_show (PlgClassResultsView *self,
                                  const PlgClassResults *results,
                                  const char *palette,
                                  const char *lesson);

G_END_DECLS
