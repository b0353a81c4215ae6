/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_FORMAT_ERROR_SYNTAX,    /* not well formed */
  PLG_FORMAT_ERROR_CONTENT,   /* well formed, but a value, name or placement that cannot be */
  PLG_FORMAT_ERROR_UNSAFE,    /* DOCTYPE, entity, too large or too deep */
  PLG_FORMAT_ERROR_UNKNOWN,   /* none of the formats */
  PLG_FORMAT_ERROR_PLACEMENT, /* not written: it cannot say where ranks are */
} PlgFormatError;
#define PLG_FORMAT_ERROR (plg_format_error_quark ())
GQuark plg_format_error_quark (void);

#define PLG_PLAN_XML_VERSION 1
#define PLG_MAX_FILE_BYTES (16 << 20)

/* What a plan was read from: keeps comments, unknown elements and attributes, and the very bytes,
 * so that saving changes only what people changed. Reference-counted, immutable. */
typedef struct _PlgPlanSource PlgPlanSource;
PlgPlanSource *plg_plan_source_ref (PlgPlanSource *source);
void plg_plan_source_unref (PlgPlanSource *source);
/* What people should be told: a newer version, unknown content that is kept. Translated, or NULL.
 */
const char *plg_plan_source_notice (const PlgPlanSource *source);

/* Reads plan XML of SIZE bytes. A key that the file does not have is the default plan's (a model or
 * GPU that it names brings its own), DP is what the world size leaves. No DOCTYPE, entity or
 * network access is followed. SOURCE may be NULL.
 *
 * Messages begin "LINE:COLUMN: ". Errors are of PLG_FORMAT_ERROR when the file is not right, and of
 * PLG_PLAN_ERROR when the file is but its plan cannot exist (plg_plan_check()). */
PlgPlan *plg_plan_xml_read (const char *data,
                            gsize size,
                            const PlgCatalogue *catalogue,
                            PlgPlanSource **source,
                            GError **error);

/* Writes PLAN. With SOURCE: the same bytes when PLAN is what was read, otherwise the source's own
 * text with what changed, unknown content and comments kept. Validates against data/plan.rng. */
GBytes *plg_plan_xml_write (const PlgPlan *plan, PlgPlanSource *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgPlanSource, plg_plan_source_unref)

G_END_DECLS
