/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-xml.h"

G_BEGIN_DECLS

/* The flat YAML plan: world_size, node_shape, parallelism { tp_size, pp_size, dp_size, order },
 * a title and a reading_note. All else is the default plan's, but for a batch that DP must divide.
 * Messages and errors are as those of plg_plan_xml_read(). *NOTICE (may be NULL) becomes a line
 * "LINE: …" for each key that is not known, or NULL; g_free(). */
PlgPlan *plg_plan_yaml_read (const char *data,
                             gsize size,
                             const PlgCatalogue *catalogue,
                             char **notice,
                             GError **error);
/* With comments made anew. What YAML of this kind has no key for is left out. g_free(). */
char *plg_plan_yaml_write (const PlgPlan *plan);

G_END_DECLS
