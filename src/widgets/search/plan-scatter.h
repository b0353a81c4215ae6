/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/plans/search-figure.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The scatter plot of found plans. Signals:
 * "pointed" (int): the pointer is on the dot with this index, or on none (-1).
 * "picked" (int): a dot was clicked, or chosen with Left, Right, Home or End among the front.
 * "activated": Enter was pressed.
 * "brushed": the user has drawn a rectangle with the pointer, or with Shift and the arrow keys, or
 * has removed it. */
#define PLG_TYPE_PLAN_SCATTER (plg_plan_scatter_get_type ())
G_DECLARE_FINAL_TYPE (PlgPlanScatter, plg_plan_scatter, PLG, PLAN_SCATTER, GtkWidget)

/* Shows PICTURE and keeps a reference to it. NULL shows nothing. */
void plg_plan_scatter_set_picture (PlgPlanScatter *self, PlgSearchPicture *picture);
void plg_plan_scatter_set_palette (PlgPlanScatter *self, const char *palette);
/* Returns whether VALUE, the values of a plan for both metrics in SI units, lies in the rectangle.
 * Without a rectangle, every value does. */
gboolean plg_plan_scatter_is_in_brush (PlgPlanScatter *self, const double value[2]);
/* Removes the rectangle. Returns FALSE if there is none. */
gboolean plg_plan_scatter_clear_brush (PlgPlanScatter *self);

G_END_DECLS
