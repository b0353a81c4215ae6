/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/assertion.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The units that a limit can have. A limit without a unit is in the first unit listed for its
 * measure. */
static const struct
{
  const char *name;
  PlgMeasure measure;
  double scale;
} units[] = {
  { "", PLG_MEASURE_SHARE, 1 },
  { "%", PLG_MEASURE_SHARE, 0.01 },
  { "GiB", PLG_MEASURE_BYTES, PLG_GIB },
  { "MiB", PLG_MEASURE_BYTES, PLG_GIB / 1024 },
  { "TiB", PLG_MEASURE_BYTES, PLG_GIB * 1024 },
  { "GB", PLG_MEASURE_BYTES, PLG_GB },
  { "MB", PLG_MEASURE_BYTES, 1e6 },
  { "TB", PLG_MEASURE_BYTES, 1e12 },
  { "B", PLG_MEASURE_BYTES, 1 },
  { "s", PLG_MEASURE_SECONDS, 1 },
  { "ms", PLG_MEASURE_SECONDS, 1e-3 },
  { "us", PLG_MEASURE_SECONDS, 1e-6 },
  { "µs", PLG_MEASURE_SECONDS, 1e-6 },
  { "min", PLG_MEASURE_SECONDS, 60 },
  { "h", PLG_MEASURE_SECONDS, 3600 },
  { "days", PLG_MEASURE_SECONDS, 86400 },
  { "days", PLG_MEASURE_DAYS, 86400 },
  { "h", PLG_MEASURE_DAYS, 3600 },
  { "s", PLG_MEASURE_DAYS, 1 },
  { "USD", PLG_MEASURE_MONEY, 1 },
  { "W", PLG_MEASURE_POWER, 1 },
  { "kW", PLG_MEASURE_POWER, 1e3 },
  { "MW", PLG_MEASURE_POWER, 1e6 },
  { "kWh", PLG_MEASURE_ENERGY, 3.6e6 },
  { "MWh", PLG_MEASURE_ENERGY, 3.6e9 },
  { "GWh", PLG_MEASURE_ENERGY, 3.6e12 },
  { "J", PLG_MEASURE_ENERGY, 1 },
  { "kg", PLG_MEASURE_CARBON, 1 },
  { "t", PLG_MEASURE_CARBON, 1e3 },
  { "g", PLG_MEASURE_CARBON, 1e-3 },
  { "", PLG_MEASURE_NUMBER, 1 },
  { "GB", PLG_MEASURE_VOLUME, PLG_GB },
  { "MB", PLG_MEASURE_VOLUME, 1e6 },
  { "TB", PLG_MEASURE_VOLUME, 1e12 },
  { "B", PLG_MEASURE_VOLUME, 1 },
};

/* Longer operators come first, so that "<=" is not read as "<". */
static const char *const comparisons[] = { "<=", ">=", "==", "<", ">" };

/* Returns the first comparison of TEXT and stores where it is; NULL if TEXT has none. */
static const char *
find_comparison (const char *text, const char **at)
{
  for (gsize i = 0; i < G_N_ELEMENTS (comparisons); i++)
    if ((*at = strstr (text, comparisons[i])) != NULL)
      return comparisons[i];
  return NULL;
}

char *
plg_assertion_metric_name (const char *text)
{
  const char *at = NULL;

  find_comparison (text, &at);
  return g_strstrip (at != NULL ? g_strndup (text, at - text) : g_strdup (text));
}

char *
plg_assertion_read (PlgAssertion *assertion, const char *text)
{
  const char *at = NULL;
  g_autofree char *name = plg_assertion_metric_name (text);
  g_autofree char *suggestions = NULL;

  assertion->text = text;
  assertion->comparison = find_comparison (text, &at);
  assertion->metric = plg_metric_find (name);
  if (assertion->metric == NULL)
    {
      suggestions = plg_metric_suggest (name);
      if (suggestions == NULL)
        return g_strdup_printf (_ ("“%s” cannot be asserted. `parallelogram-cli check --help`"
                                   " lists all names."),
                                name);
      return g_strdup_printf (_ ("“%s” cannot be asserted. Similar: %s. `parallelogram-cli "
                                 "check --help` lists all names."),
                              name, suggestions);
    }
  if (assertion->metric->measure == PLG_MEASURE_BOOLEAN && at != NULL)
    return g_strdup_printf (_ ("%s is true or false: write it without a comparison."),
                            assertion->metric->name);
  if (assertion->metric->measure == PLG_MEASURE_BOOLEAN)
    return NULL;
  if (at == NULL)
    return g_strdup_printf (_ ("%s needs one of <= >= < > == and a limit."),
                            assertion->metric->name);

  const char *limit_text = at + strlen (assertion->comparison);
  const PlgMetric *metric = assertion->metric;
  double *limit = &assertion->limit;
  g_autoptr (GString) allowed = g_string_new (NULL);
  g_autofree char *unit = NULL;
  char *end;

  *limit = g_ascii_strtod (limit_text, &end);
  if (end == limit_text || !isfinite (*limit))
    return g_strdup_printf (_ ("“%s” is not a number."), limit_text);
  unit = g_strstrip (g_strdup (end));
  if (metric->measure == PLG_MEASURE_SHARE && *unit == '\0' && *limit > 1)
    return g_strdup_printf (_ ("%s is a share: write %s%% or a number up to 1."), metric->name,
                            limit_text);
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
    return g_strdup_printf (_ ("%s takes no unit, but “%s” follows the number."), metric->name,
                            unit);
  return g_strdup_printf (_ ("“%s” is not a unit of %s; write %s."), unit, metric->name,
                          allowed->str);
}

gboolean
plg_assertion_holds (const PlgAssertion *assertion, const PlgReport *report)
{
  double value = plg_metric_value (assertion->metric, report);
  const char *comparison = assertion->comparison;
  double limit = assertion->limit;

  if (isnan (value))
    return FALSE;
  if (assertion->metric->measure == PLG_MEASURE_BOOLEAN)
    return value != 0;
  if (g_str_equal (comparison, "=="))
    return fabs (value - limit) <= 1e-9 * MAX (fabs (value), fabs (limit));
  if (g_str_equal (comparison, "<="))
    return value <= limit;
  if (g_str_equal (comparison, ">="))
    return value >= limit;
  return comparison[0] == '<' ? value < limit : value > limit;
}

char *
plg_assertion_value (const PlgAssertion *assertion, const PlgReport *report)
{
  return plg_measure_text_distinct (assertion->metric->measure,
                                    plg_metric_value (assertion->metric, report), assertion->limit);
}

char *
plg_assertion_limit (const PlgAssertion *assertion)
{
  PlgMeasure measure = assertion->metric->measure;

  return plg_measure_text (measure, measure == PLG_MEASURE_BOOLEAN ? 1 : assertion->limit);
}

/* Returns the requirement of ASSERTION, such as "Bubble must be at most 10 %". REPORT decides the
 * digits. Free with g_free(). */
static char *
describe_requirement (const PlgAssertion *assertion, const PlgReport *report)
{
  const char *comparison = assertion->comparison;
  g_autofree char *title = plg_metric_title (assertion->metric);
  /* Show a share with the digits that the user wrote: "10 %" instead of "10.0 %". */
  g_autofree char *limit = NULL;
  g_autofree char *percent = NULL;

  if (assertion->metric->measure != PLG_MEASURE_SHARE)
    limit = plg_measure_text_distinct (assertion->metric->measure, assertion->limit,
                                       plg_metric_value (assertion->metric, report));
  else
    {
      percent = plg_format_number (assertion->limit * 100, 6);
      limit = g_strconcat (percent, "\u00a0%", NULL);
    }

  if (g_str_equal (comparison, "<="))
    return g_strdup_printf (_ ("%s must be at most %s"), title, limit);
  if (g_str_equal (comparison, ">="))
    return g_strdup_printf (_ ("%s must be at least %s"), title, limit);
  if (g_str_equal (comparison, "<"))
    return g_strdup_printf (_ ("%s must be below %s"), title, limit);
  if (g_str_equal (comparison, ">"))
    return g_strdup_printf (_ ("%s must be above %s"), title, limit);
  return g_strdup_printf (_ ("%s must be exactly %s"), title, limit);
}

/* Returns the requirement and the value of the open plan, or of another plan. Free with
 * g_free(). */
static char *
describe_value (const PlgAssertion *assertion, const PlgReport *report, gboolean is_open)
{
  g_autofree char *title = plg_metric_title (assertion->metric);
  g_autofree char *value = NULL, *requirement = NULL;

  if (assertion->metric->measure == PLG_MEASURE_BOOLEAN)
    {
      /* Add the numbers that decide a boolean metric: "The plan fits in memory: now 77.7 GiB of
       * 79.6 GiB." */
      value = plg_metric_basis (assertion->metric, report);
      if (value == NULL)
        return g_strconcat (title, ".", NULL);
      return g_strdup_printf (is_open ? _ ("%s: now %s.") : _ ("%s: %s."), title, value);
    }
  requirement = describe_requirement (assertion, report);
  value = plg_assertion_value (assertion, report);
  return g_strdup_printf (is_open ? _ ("%s (now %s).") : _ ("%s (%s)."), requirement, value);
}

char *
plg_assertion_sentence (const PlgAssertion *assertion, const PlgReport *report)
{
  return describe_value (assertion, report, FALSE);
}

char *
plg_assertion_describe (const PlgAssertion *assertion, const PlgReport *report)
{
  g_autofree char *text = describe_value (assertion, report, TRUE);

  if (plg_assertion_holds (assertion, report))
    return g_strdup_printf (_ ("%s Reached (PASS)."), text);
  return g_strdup_printf (_ ("%s Not reached yet (FAIL)."), text);
}
