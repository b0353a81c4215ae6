/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-xml.h"

G_BEGIN_DECLS

/* Reads the plan from an exported SVG picture: the text of the first element "plan" in the
 * namespace "urn:parallelogram:picture", at any depth. The size limits for plan files apply to
 * the picture and to the plan. Errors are those of plg_plan_xml_read(), but messages about a
 * position in the plan begin with "in the embedded plan, LINE:COLUMN: ". */
PlgPlan *
plg_plan_svg_read (const char *data, gsize size, const PlgCatalogue *catalogue, GError **error);

G_END_DECLS
