/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"
#include "plan/plan.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The picture that explains the difference between the open plan and a found plan as single
 * changes. Another thread computes the changes. Signal "explained" (gboolean): the picture shows
 * another plan, which is the selected one if the argument is TRUE. Signal "stepped" (int): the
 * user has asked for the previous (-1) or the next (1) plan with the arrow keys. */
#define PLG_TYPE_PLAN_WHY (plg_plan_why_get_type ())
G_DECLARE_FINAL_TYPE (PlgPlanWhy, plg_plan_why, PLG, PLAN_WHY, GtkWidget)

/* plg_plan_why_show:
 * @open: (nullable): the open plan, which passes plg_plan_check()
 * @best: (nullable): the fastest plan that was found
 * @plan: (nullable): the plan to explain; %NULL, or %NULL in @open, shows no picture
 * @is_selected: the argument of "explained"
 * @catalogue: the catalogue, for the names of models and nodes
 *
 * Copies the plans and compares them in another thread, unless the picture shows them already. Only
 * the last of several calls counts. */
void plg_plan_why_show (PlgPlanWhy *self,
                        const PlgPlan *open,
                        const PlgPlan *best,
                        const PlgPlan *plan,
                        gboolean is_selected,
                        PlgCatalogue *catalogue);
void plg_plan_why_set_palette (PlgPlanWhy *self, const char *palette);
/* Returns whether a comparison runs in another thread. */
gboolean plg_plan_why_is_busy (PlgPlanWhy *self);
/* Returns the shown picture as text, or NULL if there is none. Free with g_free(). */
char *plg_plan_why_text (PlgPlanWhy *self);

G_END_DECLS
