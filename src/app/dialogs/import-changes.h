/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/catalogue.h"

G_BEGIN_DECLS

/* A plan value that an import changes. */
typedef struct
{
  char *title; /* the translated name of the value, for example "Step time" */
  char *text;  /* the values before and after the import, for example "8 → 4" */
} PlgImportChange;

/*
 * plg_import_changes:
 * @report_before: the report of @before
 * @report_after: the report of @after
 *
 * Compares two plans and their reports.
 *
 * Returns: (transfer full) (element-type PlgImportChange): the differences, the most important one
 *   first
 */
GPtrArray *plg_import_changes (const PlgPlan *before,
                               const PlgReport *report_before,
                               const PlgPlan *after,
                               const PlgReport *report_after,
                               const PlgCatalogue *catalogue) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
