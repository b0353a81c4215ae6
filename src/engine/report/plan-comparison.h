/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/metric.h"
#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* Two figures are equal if they differ by at most this share of the larger figure. */
#define PLG_COMPARISON_EPSILON 1e-6

/* A setting or a figure in which two plans, A and B, differ. */
typedef struct
{
  const char *key;           /* "parallelism.tp", "title", "step-time"; static */
  const PlgSetting *setting; /* NULL for a figure and for a part of the plan that has no key */
  const PlgMetric *metric;   /* NULL for a setting */
  char *title;               /* translated */
  char *text[2];             /* the values of A and B for display, with unit; translated */
  char *exact[2];            /* the values of A and B as --set takes them; NULL for a figure */
  double number[2];          /* the values of A and B [unit]; NaN if a value is not a number or
                                does not exist */
  gboolean
      is_inherited[2]; /* whether the value of A or B is 0 and stands for the value of the GPU in
                                the catalogue, which TEXT and NUMBER then have */
  const char *unit;    /* the unit of NUMBER: "GiB", "s", "bytes"; NULL for a plain number */
} PlgDifference;

/* plg_plan_compare:
 * @report_a: the report of @a, with advice if the numbers of findings are to be compared
 * @catalogue: (nullable): the catalogue, for the titles of models and GPUs
 *
 * Lists the settings in which @b differs from @a, in the order of the table of settings, then the
 * title, the notes, the placement and the node map, then the figures in the order of the table of
 * metrics. The keys that begin with "view." are listed too. A figure that one of the reports hides
 * or was not asked for is left out. A figure that only one plan has, such as the days of a run that
 * never ends, is listed with "never" or "–" for the other plan.
 *
 * Returns: (transfer full) (element-type PlgDifference): the differences */
GArray *plg_plan_compare (const PlgPlan *a,
                          const PlgReport *report_a,
                          const PlgPlan *b,
                          const PlgReport *report_b,
                          const PlgCatalogue *catalogue) G_GNUC_WARN_UNUSED_RESULT;

/* Returns B − A with sign and unit, for example "−1.28 s", or "3.1 points" for a share; "–" if the
 * values are not numbers. Free with g_free(). */
char *plg_difference_absolute (const PlgDifference *difference) G_GNUC_WARN_UNUSED_RESULT;
/* Returns (B − A) / A, for example "−12.5 %"; "–" if A is 0 or the values are not numbers. Free
 * with g_free(). */
char *plg_difference_relative (const PlgDifference *difference) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
