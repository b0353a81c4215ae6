/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_MEASURE_SHARE,
  PLG_MEASURE_BYTES,  /* bytes of memory */
  PLG_MEASURE_VOLUME, /* bytes of communication */
  PLG_MEASURE_SECONDS,
  PLG_MEASURE_NUMBER,
  PLG_MEASURE_BOOLEAN,
} PlgMeasure;

/* A named number of a report, used by assertions and lessons. */
typedef struct
{
  const char *name; /* "memory", "tp-calls" */
  PlgMeasure measure;
  guint about; /* PlgRedaction bits; hiding any of these bits hides the metric */
} PlgMetric;

/* Finds a metric; NAME may have "_" in place of "-". NULL if the name is unknown. */
const PlgMetric *plg_metric_find (const char *name);
/* The value in SI units, 1 or 0 for a boolean metric; NaN if the report does not have the value. */
double plg_metric_value (const PlgMetric *metric, const PlgReport *report);
/* The metric in words: "Degree of TP"; free with g_free(). */
char *plg_metric_title (const PlgMetric *metric);
/* The numbers that decide a boolean metric: "77.7 GiB of 79.6 GiB"; free with g_free(). NULL for
 * other metrics and for a hidden value. */
char *plg_metric_basis (const PlgMetric *metric, const PlgReport *report);
/* All names: "memory, fits, …"; free with g_free(). */
char *plg_metric_names (void);
/* At most three names that resemble the unknown name TYPED: "bubble, bubble-ideal, …"; free with
 * g_free(). NULL if no name is similar. */
char *plg_metric_suggest (const char *typed);
/* Like plg_metric_suggest() for any list. Empties the strings in NAMES that it suggests. */
char *plg_names_suggest (char **names, const char *typed);
/* VALUE with its unit, for display; "–" for NaN. Free with g_free(). */
char *plg_measure_text (PlgMeasure measure, double value);
/* Like plg_measure_text(), with as many more digits as distinguish VALUE from OTHER. */
char *plg_measure_text_distinct (PlgMeasure measure, double value, double other);

G_END_DECLS
