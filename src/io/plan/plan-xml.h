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
 * model or GPU sets. A missing DP follows from the world size. DOCTYPEs, entities and network
 * references are not followed.
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
 * Writes @plan as XML that is valid against data/plan.rng. With @source, returns the bytes of
 * the source if @plan is unchanged. If @plan has changed, replaces only the changed values in
 * the text of the source, unless the result would read back as a different plan. */
GBytes *plg_plan_xml_write (const PlgPlan *plan, PlgPlanSource *source);

G_END_DECLS
