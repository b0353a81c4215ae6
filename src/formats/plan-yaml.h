/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "formats/plan-xml.h"

G_BEGIN_DECLS

/* The flat YAML plan: world_size, node_shape, parallelism { tp_size, pp_size, dp_size }, and a
 * reading_note. All else is the default plan's. */
PlgPlan *
plg_plan_yaml_read (const char *data, gsize size, const PlgCatalogue *catalogue, GError **error);
/* With its comments made anew. */
char *plg_plan_yaml_write (const PlgPlan *plan);

G_END_DECLS
