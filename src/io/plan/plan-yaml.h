/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-xml.h"

G_BEGIN_DECLS

/* plg_plan_yaml_read:
 * @notice: (out) (optional) (nullable): a line "LINE: …" for each unknown key; g_free()
 *
 * Reads the flat YAML plan: world_size, node_shape, parallelism { tp_size, pp_size, dp_size,
 * order }, a title and a reading_note. Other values are the default plan's, with a batch that DP divides.
 *
 * Returns: (transfer full) (nullable): the plan, or %NULL with an error as in plg_plan_xml_read()
 */
PlgPlan *plg_plan_yaml_read (const char *data,
                             gsize size,
                             const PlgCatalogue *catalogue,
                             char **notice,
                             GError **error);
/* PLAN as flat YAML with fresh comments, without the values that have no key. g_free(). */
char *plg_plan_yaml_write (const PlgPlan *plan);

G_END_DECLS
