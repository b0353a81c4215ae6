/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/plan-source.h"
#include "syntax/format-error.h"

G_BEGIN_DECLS

#define PLG_PLAN_XML_VERSION 1

/* plg_plan_xml_read:
 * @size: length of @data [bytes]
 * @source: (out) (optional): the file, for plg_plan_xml_write()
 *
 * Reads plan XML. Missing keys take the default plan's values, except the values that a named
 * model or GPU sets. A missing DP follows from the world size. The reader follows no DOCTYPE,
 * entity or network reference.
 *
 * Returns: (transfer full) (nullable): the plan, or %NULL with a PLG_FORMAT_ERROR for a bad file
 *   or a PLG_PLAN_ERROR for an impossible plan (plg_plan_check()); messages begin with
 *   "LINE:COLUMN: " */
PlgPlan *plg_plan_xml_read (const char *data,
                            gsize size,
                            const PlgCatalogue *catalogue,
                            PlgPlanSource **source,
                            GError **error);

/* plg_plan_xml_write:
 * @source: (nullable): the file from which @plan was read
 *
 * Writes @plan as XML that is valid against data/plan.rng. With @source, an unchanged plan gives
 * the same bytes as the source, and a changed plan replaces only its changed values in the
 * source's text. */
GBytes *plg_plan_xml_write (const PlgPlan *plan, PlgPlanSource *source);

G_END_DECLS
