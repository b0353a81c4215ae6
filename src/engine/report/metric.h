/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_MEASURE_SHARE,
  PLG_MEASURE_BYTES,  /* of memory */
  PLG_MEASURE_VOLUME, /* bytes that travel */
  PLG_MEASURE_SECONDS,
  PLG_MEASURE_NUMBER,
  PLG_MEASURE_BOOLEAN, /* holds or not */
} PlgMeasure;

/* A number of a report by its name, for assertions and lessons. */
typedef struct
{
  const char *name; /* "memory", "tp-calls" */
  PlgMeasure measure;
  guint about; /* bits of PlgRedaction: what must be seen for this to be known */
} PlgMetric;

/* NAME may be written with "_" for "-". NULL: there is none. */
const PlgMetric *plg_metric_find (const char *name);
/* In SI; 1 or 0 of what holds or not. NaN where the report does not say. */
double plg_metric_value (const PlgMetric *metric, const PlgReport *report);
/* What it is, in words: "Degree of TP". g_free(). */
char *plg_metric_title (const PlgMetric *metric);
/* What one that holds or not is judged by: "77.7 GiB of 79.6 GiB"; NULL of other metrics and while
 * it is hidden. g_free(). */
char *plg_metric_basis (const PlgMetric *metric, const PlgReport *report);
/* "memory, fits, …": g_free(). */
char *plg_metric_names (void);
/* The names nearest to TYPED, which is none, three at most: "bubble, bubble-ideal, …". NULL where
 * nobody can have meant any of them. g_free(). */
char *plg_metric_suggest (const char *typed);
/* The same of any NAMES, of which those that are near are emptied. */
char *plg_names_suggest (char **names, const char *typed);
/* VALUE for people, with its unit; "–" for NaN, what is hidden. g_free(). */
char *plg_measure_text (PlgMeasure measure, double value);
/* With as many digits more as tell VALUE from OTHER, a limit that is written beside it. */
char *plg_measure_text_distinct (PlgMeasure measure, double value, double other);

G_END_DECLS
