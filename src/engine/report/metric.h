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
  PLG_MEASURE_DAYS,   /* a duration [s], shown in days */
  PLG_MEASURE_MONEY,  /* [USD] */
  PLG_MEASURE_POWER,  /* [W] */
  PLG_MEASURE_ENERGY, /* [J] */
  PLG_MEASURE_CARBON, /* emissions [kg CO2e] */
  PLG_MEASURE_NUMBER,
  PLG_MEASURE_BOOLEAN,
} PlgMeasure;

/* A named number in a report, for assertions and lessons. */
typedef struct
{
  const char *name; /* "memory", "tp-calls" */
  PlgMeasure measure;
  guint about; /* PlgRedaction bits; the metric is hidden if any of these parts is hidden */
} PlgMetric;

/* Finds a metric. NAME may have "_" in place of "-", and capital letters. Returns NULL if the name is
 * unknown. */
const PlgMetric *plg_metric_find (const char *name);
/* Returns the metric at INDEX in the table of all metrics, or NULL after the last metric. */
const PlgMetric *plg_metric_nth (int index);
/* Returns the value in SI units (1 or 0 for a boolean metric), or NaN if the report does not
 * have the value. */
double plg_metric_value (const PlgMetric *metric, const PlgReport *report);

/* The relation between a metric and the step time among plans with the same cluster, model and
 * batch: the metric is proportional to the step time, to its inverse, or neither. */
typedef enum
{
  PLG_METRIC_HAS_NO_TREND,
  PLG_METRIC_GROWS_WITH_TIME,
  PLG_METRIC_SHRINKS_WITH_TIME,
} PlgMetricTrend;

PlgMetricTrend plg_metric_trend (const PlgMetric *metric);
/* Returns TRUE if a higher value is better, as for the MFU. */
gboolean plg_metric_is_better_high (const PlgMetric *metric);

/* Returns the parts of a report that METRIC needs. */
PlgEvaluateFlags plg_metric_parts (const PlgMetric *metric);
/* Returns TRUE if METRIC counts findings, which plg_report_advise() adds. */
gboolean plg_metric_needs_advice (const PlgMetric *metric);
/* Returns the title of METRIC, for example "Degree of TP"; free with g_free(). */
char *plg_metric_title (const PlgMetric *metric);
/* Returns the numbers that decide a boolean metric, for example "77.7 GiB of 79.6 GiB"; free
 * with g_free(). Returns NULL for other metrics and for a hidden value. */
char *plg_metric_basis (const PlgMetric *metric, const PlgReport *report);
/* Returns the names of all metrics, for example "memory, fits, …"; free with g_free(). */
char *plg_metric_names (void);
/* Returns at most three names that resemble the unknown name TYPED, for example "bubble,
 * bubble-over-ideal, …"; free with g_free(). Returns NULL if no name is similar. */
char *plg_metric_suggest (const char *typed);
/* Returns the SI unit of plg_metric_value() for files: "bytes", "s", "USD", "W", "J" or "kg"; NULL
 * for a plain number, a share and a boolean. */
const char *plg_measure_unit (PlgMeasure measure);
/* Formats VALUE with its unit, for display; "–" for NaN. Free with g_free(). */
char *plg_measure_text (PlgMeasure measure, double value);
/* Works like plg_measure_text(), but adds digits until VALUE and OTHER look different. */
char *plg_measure_text_distinct (PlgMeasure measure, double value, double other);

G_END_DECLS
