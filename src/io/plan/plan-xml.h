/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_FORMAT_ERROR_SYNTAX,    /* not well formed */
  PLG_FORMAT_ERROR_CONTENT,   /* well formed, with an impossible value, name or placement */
  PLG_FORMAT_ERROR_UNSAFE,    /* DOCTYPE, entity, too large or too deep */
  PLG_FORMAT_ERROR_UNKNOWN,   /* no known format */
  PLG_FORMAT_ERROR_PLACEMENT, /* not written, since the format cannot store the placement */
} PlgFormatError;
#define PLG_FORMAT_ERROR (plg_format_error_quark ())
GQuark plg_format_error_quark (void);

#define PLG_PLAN_XML_VERSION 1
#define PLG_MAX_FILE_BYTES (16 << 20)

/* The file of a plan with its bytes, comments, and unknown elements and attributes, so that saving
 * changes only the edited values. Reference-counted, immutable. */
typedef struct _PlgPlanSource PlgPlanSource;
PlgPlanSource *plg_plan_source_ref (PlgPlanSource *source);
void plg_plan_source_unref (PlgPlanSource *source);
/* A translated notice about a newer file version or about unknown content that is kept, or NULL. */
const char *plg_plan_source_notice (const PlgPlanSource *source);

/* plg_plan_xml_read:
 * @size: length of @data [bytes]
 * @source: (out) (optional): the file, for plg_plan_xml_write()
 *
 * Reads plan XML. Missing keys have the default plan's values, except those of a named model or
 * GPU; a missing DP follows from the world size. The reader follows no DOCTYPE, entity or network
 * reference.
 *
 * Returns: (transfer full) (nullable): the plan, or %NULL with a PLG_FORMAT_ERROR for a bad file or
 *   a PLG_PLAN_ERROR for an impossible plan (plg_plan_check()); messages begin "LINE:COLUMN: "
 */
PlgPlan *plg_plan_xml_read (const char *data,
                            gsize size,
                            const PlgCatalogue *catalogue,
                            PlgPlanSource **source,
                            GError **error);

/* plg_plan_xml_write:
 * @source: (nullable): the file from which @plan was read
 *
 * Writes @plan as XML that is valid against data/plan.rng. With @source, an unchanged plan gives
 * the same bytes, and a changed plan changes only its own values in the source's text.
 */
GBytes *plg_plan_xml_write (const PlgPlan *plan, PlgPlanSource *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgPlanSource, plg_plan_source_unref)

G_END_DECLS
