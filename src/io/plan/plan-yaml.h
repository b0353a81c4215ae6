/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-xml.h"

G_BEGIN_DECLS

/* plg_plan_yaml_read:
 * @notes: (out) (transfer full) (optional) (nullable): a PlgNote for each of the first unknown
 *   keys
 *
 * Reads the flat YAML plan: world_size, node_shape, parallelism { tp_size, pp_size, dp_size,
 * order }, a title and a reading_note. Other values come from the default plan, but the batch is
 * rounded up to a multiple of micro-batch × DP.
 *
 * Returns: (transfer full) (nullable): the plan, or %NULL with an error as in
 *   plg_plan_xml_read() */
PlgPlan *plg_plan_yaml_read (const char *data,
                             gsize size,
                             const PlgCatalogue *catalogue,
                             GPtrArray **notes,
                             GError **error);
/* Returns PLAN as flat YAML with newly written comments. Values without a key are left out. Free
 * with g_free(). */
char *plg_plan_yaml_write (const PlgPlan *plan);

G_END_DECLS
