/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/search/search.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* One found plan as a row of a table. */
#define PLG_TYPE_PLAN_ROW (plg_plan_row_get_type ())
G_DECLARE_FINAL_TYPE (PlgPlanRow, plg_plan_row, PLG, PLAN_ROW, GObject)

typedef enum
{
  PLG_PLAN_COLUMN_TIME,
  PLG_PLAN_COLUMN_CHANGE, /* step time compared with the open plan */
  PLG_PLAN_COLUMN_MEMORY,
  PLG_PLAN_COLUMN_TP,
  PLG_PLAN_COLUMN_CP,
  PLG_PLAN_COLUMN_EP,
  PLG_PLAN_COLUMN_PP,
  PLG_PLAN_COLUMN_DP,
  PLG_PLAN_COLUMN_ORDER,
  PLG_PLAN_COLUMN_MICRO_BATCH,
  PLG_PLAN_COLUMN_SCHEDULE,
  PLG_PLAN_COLUMN_CHUNKS,
  PLG_PLAN_COLUMN_RECOMPUTE,
  PLG_PLAN_COLUMN_ZERO,
  PLG_PLAN_COLUMN_SEQUENCE,
} PlgPlanColumn;
#define PLG_N_PLAN_COLUMNS 15

/* Makes a row for FOUND. PLAN is the found plan, and OPEN_TIME the step time of the open plan
 * [s]. */
PlgPlanRow *plg_plan_row_new (const PlgFoundPlan *found,
                              const PlgPlan *plan,
                              double open_time) G_GNUC_WARN_UNUSED_RESULT;
const PlgFoundPlan *plg_plan_row_found (PlgPlanRow *self);
/* Returns the text of a cell (borrowed). */
const char *plg_plan_row_text (PlgPlanRow *self, PlgPlanColumn column);
/* Compares the cells of two rows: numbers by value, names by their alphabet. */
int plg_plan_row_compare (PlgPlanRow *a, PlgPlanRow *b, PlgPlanColumn column);

/* Returns the translated title of COLUMN. */
const char *plg_plan_column_title (PlgPlanColumn column);
gboolean plg_plan_column_is_number (PlgPlanColumn column);

G_END_DECLS
