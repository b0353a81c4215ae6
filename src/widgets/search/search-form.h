/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/plan-search.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The form for the options of a search: the metric that ranks the plans, the settings to hold, the
 * values to try, and the requirements. Texts are checked while they are typed. A wrong text has a
 * message and does not change the search. */
#define PLG_TYPE_SEARCH_FORM (plg_search_form_get_type ())
G_DECLARE_FINAL_TYPE (PlgSearchForm, plg_search_form, PLG, SEARCH_FORM, GtkWidget)

/* Sets the search whose options the form changes, which can be set only once. The form keeps a
 * reference to SEARCH. */
void plg_search_form_set_search (PlgSearchForm *self, PlgPlanSearch *search);

/* Returns metric I of those that the page offers, in the order of
 * plg_search_form_metric_titles(). */
const PlgMetric *plg_search_form_metric (guint i);
/* Returns the titles of the metrics, for a drop-down. Free with g_object_unref(). */
GtkStringList *plg_search_form_metric_titles (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
