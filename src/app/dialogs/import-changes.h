/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/catalogue.h"

G_BEGIN_DECLS

/* One thing of a plan that an import would change. */
typedef struct
{
  char *title; /* "Tensor, pipeline …": what it is called; translated */
  char *text;  /* "8 → 4" */
} PlgImportChange;

/* What differs between the plan BEFORE and the plan AFTER, and what comes of it: the reports are
 * theirs. Most important first. Of PlgImportChange; g_ptr_array_unref(). */
GPtrArray *plg_import_changes (const PlgPlan *before,
                               const PlgReport *was,
                               const PlgPlan *after,
                               const PlgReport *becomes,
                               const PlgCatalogue *catalogue);

G_END_DECLS
