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
  PLG_PLAN_COLUMN_BY,    /* the metric that ranks the plans */
  PLG_PLAN_COLUMN_OTHER, /* other varied settings, such as "Nodes 16" */
  PLG_PLAN_COLUMN_TP,
  PLG_PLAN_COLUMN_CP,
  PLG_PLAN_COLUMN_EP,
  PLG_PLAN_COLUMN_ETP,
  PLG_PLAN_COLUMN_PP,
  PLG_PLAN_COLUMN_DP,
  PLG_PLAN_COLUMN_REPLICATE,
  PLG_PLAN_COLUMN_ORDER,
  PLG_PLAN_COLUMN_MICRO_BATCH,
  PLG_PLAN_COLUMN_SCHEDULE,
  PLG_PLAN_COLUMN_CHUNKS,
  PLG_PLAN_COLUMN_RECOMPUTE,
  PLG_PLAN_COLUMN_ZERO,
  PLG_PLAN_COLUMN_SEQUENCE,
} PlgPlanColumn;
#define PLG_N_PLAN_COLUMNS 19

/* plg_plan_row_new:
 * @found: the values of the plan, copied
 * @plan: the found plan
 * @open_time: the step time of the open plan [s]
 * @by: the metric that ranks the plans
 * @other_keys: (element-type PlgSetting): the varied settings besides #PlgSearchKey
 *
 * Returns: (transfer full): a row, which needs neither @plan nor the search any more */
PlgPlanRow *plg_plan_row_new (const PlgFoundPlan *found,
                              const PlgPlan *plan,
                              double open_time,
                              const PlgMetric *by,
                              const GPtrArray *other_keys) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the values of the plan, times in seconds and memory in bytes (borrowed). */
const PlgFoundPlan *plg_plan_row_found (PlgPlanRow *self);
/* Returns the text of a cell (borrowed). */
const char *plg_plan_row_text (PlgPlanRow *self, PlgPlanColumn column);
/* Compares the cells of two rows: numbers by value, names by their alphabet. Returns a negative
 * number, 0 or a positive number. */
int plg_plan_row_compare (PlgPlanRow *a, PlgPlanRow *b, PlgPlanColumn column);

/* Returns the translated title of COLUMN. The title of the metric that ranks the plans is that of
 * the metric. */
const char *plg_plan_column_title (PlgPlanColumn column);
gboolean plg_plan_column_is_number (PlgPlanColumn column);

G_END_DECLS
