/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-xml.h"

G_BEGIN_DECLS

/* The plan that an SVG of ours carries as the text of an element "plan" of the namespace
 * "urn:parallelogram:picture" in its metadata, wherever another program has put it. The limits of
 * plan files hold for the picture and for the plan in it. Errors are those of plg_plan_xml_read();
 * places in the plan are told as "in the plan inside, LINE:COLUMN: ". */
PlgPlan *
plg_plan_svg_read (const char *data, gsize size, const PlgCatalogue *catalogue, GError **error);

G_END_DECLS
