/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-xml.h"

G_BEGIN_DECLS

/* plg_plan_yaml_read:
 * @notes: (out) (transfer full) (optional) (nullable): a PlgNote for each of the first unknown
 *   keys, then one with the number of further unknown keys
 *
 * Reads the flat YAML plan: world_size, node_shape, parallelism { tp_size, pp_size, dp_size,
 * order }, a title and a reading_note. Other values come from the default plan, but the batch is
 * rounded up to a multiple of micro-batch × DP.
 *
 * Returns: (transfer full) (nullable): the plan, or %NULL with the same kinds of error as
 *   plg_plan_xml_read() */
PlgPlan *plg_plan_yaml_read (const char *data,
                             gsize size,
                             const PlgCatalogue *catalogue,
                             GPtrArray **notes,
                             GError **error);
/* Returns PLAN as flat YAML. The comments in the text are generated and do not come from an
 * imported file. Omits the values for which the format has no key. Free with g_free(). */
char *plg_plan_yaml_write (const PlgPlan *plan);

G_END_DECLS
