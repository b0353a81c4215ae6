/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-xml.h"

G_BEGIN_DECLS

/* plg_plan_yaml_read:
 * @notice: (out) (optional) (nullable): one line "LINE: …" for each unknown key; g_free()
 *
 * Reads the flat YAML plan: world_size, node_shape, parallelism { tp_size, pp_size, dp_size,
 * order }, a title and a reading_note. Other values come from the default plan, except that DP
 * divides the batch.
 *
 * Returns: (transfer full) (nullable): the plan, or %NULL with an error as in
 *   plg_plan_xml_read() */
PlgPlan *plg_plan_yaml_read (const char *data,
                             gsize size,
                             const PlgCatalogue *catalogue,
                             char **notice,
                             GError **error);
/* Returns PLAN as flat YAML with newly written comments. Values without a key are left out. Free
 * with g_free(). */
char *plg_plan_yaml_write (const PlgPlan *plan);

G_END_DECLS
