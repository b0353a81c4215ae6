/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/assertion.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* What can be asserted of a report. */
typedef enum
{
  MEASURE_SHARE,
  MEASURE_BYTES,
  MEASURE_SECONDS,
  MEASURE_NUMBER,
  MEASURE_YES,
} Measure;

struct _PlgMetric
{
  const char *name;
  Measure measure;
  double (*value) (const PlgReport *report);
};

static double
memory (const PlgReport *report)
{
  return report->memory_peak;
}

static double
fits (const PlgReport *report)
{
  return report->fits;
}

static double
mfu (const PlgReport *report)
{
  return report->step.mfu;
}

static double
hfu (const PlgReport *report)
{
  return report->step.hfu;
}

static double
bubble (const PlgReport *report)
{
  return report->bubble.judged;
}

static double
bubble_simulated (const PlgReport *report)
{
  return report->bubble.simulated;
}

static double
step_time (const PlgReport *report)
{
  return report->step.time;
}

static double
training_time (const PlgReport *report)
{
  return report->step.days * 86400;
}

static double
gpu_hours (const PlgReport *report)
{
  return report->step.gpu_hours;
}

static double
tokens_per_second (const PlgReport *report)
{
  return report->step.tokens_per_second;
}

static double
tokens_per_second_per_gpu (const PlgReport *report)
{
  return report->step.tokens_per_second_per_gpu;
}

static double
world_size (const PlgReport *report)
{
  return report->world_size;
}

static gboolean
in_node (const PlgReport *report, PlgAxis axis)
{
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);
      if (collective->axis == axis && collective->nodes_spanned > 1)
        return FALSE;
    }
  return TRUE;
}

static double
tp_in_node (const PlgReport *report)
{
  return in_node (report, PLG_AXIS_TP);
}

static double
cp_in_node (const PlgReport *report)
{
  return in_node (report, PLG_AXIS_CP);
}

static double
ep_in_node (const PlgReport *report)
{
  return in_node (report, PLG_AXIS_EP);
}

static double
count_findings (const PlgReport *report, PlgSeverity severity)
{
  int n = 0;

  for (guint i = 0; i < report->findings->len; i++)
    if (g_array_index (report->findings, PlgFinding, i).severity == severity)
      n++;
  return n;
}

static double
errors (const PlgReport *report)
{
  return count_findings (report, PLG_SEVERITY_ERROR);
}

static double
warnings (const PlgReport *report)
{
  return count_findings (report, PLG_SEVERITY_WARNING);
}

static const PlgMetric metrics[] = {
  { "memory", MEASURE_BYTES, memory },
  { "fits", MEASURE_YES, fits },
  { "mfu", MEASURE_SHARE, mfu },
  { "hfu", MEASURE_SHARE, hfu },
  { "bubble", MEASURE_SHARE, bubble },
  { "bubble-simulated", MEASURE_SHARE, bubble_simulated },
  { "step-time", MEASURE_SECONDS, step_time },
  { "training-time", MEASURE_SECONDS, training_time },
  { "gpu-hours", MEASURE_NUMBER, gpu_hours },
  { "tokens-per-second", MEASURE_NUMBER, tokens_per_second },
  { "tokens-per-second-per-gpu", MEASURE_NUMBER, tokens_per_second_per_gpu },
  { "world-size", MEASURE_NUMBER, world_size },
  { "tp-in-node", MEASURE_YES, tp_in_node },
  { "cp-in-node", MEASURE_YES, cp_in_node },
  { "ep-in-node", MEASURE_YES, ep_in_node },
  { "errors", MEASURE_NUMBER, errors },
  { "warnings", MEASURE_NUMBER, warnings },
};

/* The first of a measure is taken when no unit is written. */
static const struct
{
  const char *name;
  Measure measure;
  double scale;
} units[] = {
  { "", MEASURE_SHARE, 1 },
  { "%", MEASURE_SHARE, 0.01 },
  { "GiB", MEASURE_BYTES, PLG_GIB },
  { "MiB", MEASURE_BYTES, PLG_GIB / 1024 },
  { "TiB", MEASURE_BYTES, PLG_GIB * 1024 },
  { "GB", MEASURE_BYTES, PLG_GB },
  { "MB", MEASURE_BYTES, 1e6 },
  { "TB", MEASURE_BYTES, 1e12 },
  { "B", MEASURE_BYTES, 1 },
  { "s", MEASURE_SECONDS, 1 },
  { "ms", MEASURE_SECONDS, 1e-3 },
  { "us", MEASURE_SECONDS, 1e-6 },
  { "µs", MEASURE_SECONDS, 1e-6 },
  { "min", MEASURE_SECONDS, 60 },
  { "h", MEASURE_SECONDS, 3600 },
  { "days", MEASURE_SECONDS, 86400 },
  { "", MEASURE_NUMBER, 1 },
};

/* Longer ones first, so that "<=" is not taken for "<". */
static const char *const comparisons[] = { "<=", ">=", "==", "<", ">" };

char *
plg_metric_names (void)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (metrics); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", metrics[i].name);
  return g_string_free (g_steal_pointer (&names), FALSE);
}

/* NAME may be written with "_" for "-". */
static const PlgMetric *
find_metric (const char *name)
{
  g_autofree char *hyphens = g_strdelimit (g_strstrip (g_strdup (name)), "_", '-');

  for (gsize i = 0; i < G_N_ELEMENTS (metrics); i++)
    if (g_str_equal (metrics[i].name, hyphens))
      return &metrics[i];
  return NULL;
}

/* Reads "75 GiB" in units of MEASURE. Returns what is wrong, or NULL. */
static char *
read_limit (const char *text, const PlgMetric *metric, double *limit)
{
  g_autoptr (GString) allowed = g_string_new (NULL);
  g_autofree char *unit = NULL;
  char *end;

  *limit = g_ascii_strtod (text, &end);
  if (end == text || !isfinite (*limit))
    return g_strdup_printf (_ ("“%s” is no number."), text);
  unit = g_strstrip (g_strdup (end));
  if (metric->measure == MEASURE_SHARE && *unit == '\0' && *limit > 1)
    return g_strdup_printf (_ ("%s is a share: write %s%% or a number up to 1."), metric->name,
                            text);
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      if (units[i].measure != metric->measure)
        continue;
      if (*unit == '\0' || g_str_equal (units[i].name, unit))
        return *limit *= units[i].scale, NULL;
      if (*units[i].name != '\0')
        g_string_append_printf (allowed, "%s%s", allowed->len > 0 ? ", " : "", units[i].name);
    }
  if (allowed->len == 0)
    return g_strdup_printf (_ ("%s takes no unit, but “%s” stands behind the number."),
                            metric->name, unit);
  return g_strdup_printf (_ ("“%s” is no unit of %s; write %s."), unit, metric->name, allowed->str);
}

/* Where the comparison stands in TEXT; NULL when there is none. */
static const char *
find_comparison (const char *text, const char **comparison)
{
  for (gsize i = 0; i < G_N_ELEMENTS (comparisons); i++)
    {
      const char *at = strstr (text, comparisons[i]);
      if (at != NULL)
        return *comparison = comparisons[i], at;
    }
  return NULL;
}

char *
plg_assertion_read (PlgAssertion *assertion, const char *text)
{
  const char *at = find_comparison (text, &assertion->comparison);
  g_autofree char *name = at != NULL ? g_strndup (text, at - text) : g_strdup (text);
  g_autofree char *names = NULL;

  assertion->text = text;
  assertion->metric = find_metric (name);
  if (assertion->metric == NULL)
    {
      names = plg_metric_names ();
      return g_strdup_printf (_ ("“%s” cannot be asserted; there are %s."), g_strstrip (name),
                              names);
    }
  if (assertion->metric->measure == MEASURE_YES && at != NULL)
    return g_strdup_printf (_ ("%s holds or not: write it alone."), assertion->metric->name);
  if (assertion->metric->measure == MEASURE_YES)
    return NULL;
  if (at == NULL)
    return g_strdup_printf (_ ("%s needs one of <= >= < > == and a limit."),
                            assertion->metric->name);
  return read_limit (at + strlen (assertion->comparison), assertion->metric, &assertion->limit);
}

gboolean
plg_assertion_holds (const PlgAssertion *assertion, const PlgReport *report)
{
  double value = assertion->metric->value (report);
  const char *comparison = assertion->comparison;
  double limit = assertion->limit;

  if (assertion->metric->measure == MEASURE_YES)
    return value != 0;
  if (g_str_equal (comparison, "=="))
    return fabs (value - limit) <= 1e-9 * MAX (fabs (value), fabs (limit));
  if (g_str_equal (comparison, "<="))
    return value <= limit;
  if (g_str_equal (comparison, ">="))
    return value >= limit;
  return comparison[0] == '<' ? value < limit : value > limit;
}

static char *
format_value (Measure measure, double value)
{
  switch (measure)
    {
    case MEASURE_SHARE:
      return plg_format_share (value);
    case MEASURE_BYTES:
      return plg_format_memory (value);
    case MEASURE_SECONDS:
      return plg_format_time (value);
    case MEASURE_YES:
      return g_strdup (value != 0 ? _ ("yes") : _ ("no"));
    case MEASURE_NUMBER:
    default:
      return plg_format_number (value, 6);
    }
}

char *
plg_assertion_value (const PlgAssertion *assertion, const PlgReport *report)
{
  return format_value (assertion->metric->measure, assertion->metric->value (report));
}

char *
plg_assertion_limit (const PlgAssertion *assertion)
{
  Measure measure = assertion->metric->measure;

  return format_value (measure, measure == MEASURE_YES ? 1 : assertion->limit);
}
