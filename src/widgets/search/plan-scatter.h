/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/plans/search-figure.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The scatter plot of found plans. Signal "pointed" (int): the pointer is on the dot with this
 * index, or on none (-1). Signal "picked" (int): a dot was clicked. Signal "brushed": the user has
 * dragged a rectangle, or has removed it. */
#define PLG_TYPE_PLAN_SCATTER (plg_plan_scatter_get_type ())
G_DECLARE_FINAL_TYPE (PlgPlanScatter, plg_plan_scatter, PLG, PLAN_SCATTER, GtkWidget)

/* Shows PICTURE, whose arrays are borrowed until the next call. NULL shows nothing. */
void plg_plan_scatter_set_picture (PlgPlanScatter *self, const PlgSearchPicture *picture);
void plg_plan_scatter_set_palette (PlgPlanScatter *self, const char *palette);
/* Returns whether VALUE, the values of a plan, lies in the rectangle. Without a rectangle, every
 * value does. */
gboolean plg_plan_scatter_is_in_brush (PlgPlanScatter *self, const double value[2]);
/* Removes the rectangle. Returns FALSE if there is none. */
gboolean plg_plan_scatter_clear_brush (PlgPlanScatter *self);

G_END_DECLS
