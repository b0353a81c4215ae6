/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "engine/evaluate.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdio.h>
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

typedef struct
{
  const char *name;
  Measure measure;
  double (*value) (const PlgReport *report);
} Metric;

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
  return report->bubble.share_of_step;
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

static const Metric metrics[] = {
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

typedef struct
{
  const char *text; /* as it was typed */
  const Metric *metric;
  const char *comparison;
  double limit; /* in SI */
} Assertion;

static char *
metric_names (void)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (metrics); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", metrics[i].name);
  return g_string_free (g_steal_pointer (&names), FALSE);
}

/* NAME may be written with "_" for "-". */
static const Metric *
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
read_limit (const char *text, const Metric *metric, double *limit)
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

/* Reads "memory<=75GiB" or "tp-in-node". Returns what is wrong, or NULL. */
static char *
read_assertion (const char *text, Assertion *assertion)
{
  const char *at = find_comparison (text, &assertion->comparison);
  g_autofree char *name = at != NULL ? g_strndup (text, at - text) : g_strdup (text);
  g_autofree char *names = NULL;

  assertion->text = text;
  assertion->metric = find_metric (name);
  if (assertion->metric == NULL)
    {
      names = metric_names ();
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

/* The assertions of the command line, or NULL with a usage message printed. */
static GArray *
read_assertions (char **texts)
{
  g_autoptr (GArray) assertions = g_array_new (FALSE, FALSE, sizeof (Assertion));

  for (int i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      Assertion assertion = { 0 };
      g_autofree char *wrong = read_assertion (texts[i], &assertion);
      g_autofree char *message = NULL;

      if (wrong != NULL)
        {
          message = g_strdup_printf ("--assert '%s': %s", texts[i], wrong);
          plg_cli_misuse (message);
          return NULL;
        }
      g_array_append_val (assertions, assertion);
    }
  return g_steal_pointer (&assertions);
}

static gboolean
holds (const Assertion *assertion, double value)
{
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

/* Columns of 28, 12, 12 characters and the rest. */
static void
append_row (GString *table, const char *a, const char *b, const char *c, const char *d)
{
  const char *cells[] = { a, b, c };
  const int widths[] = { 28, 12, 12 };

  for (gsize i = 0; i < G_N_ELEMENTS (cells); i++)
    g_string_append_printf (table, "%s%*s", cells[i],
                            MAX (widths[i] - (int) g_utf8_strlen (cells[i], -1), 0) + 2, "");
  g_string_append_printf (table, "%s\n", d);
}

static gboolean
append_check (GString *table, const char *name, const char *value, const char *limit, gboolean pass)
{
  append_row (table, name, value, limit, pass ? _ ("PASS") : _ ("FAIL"));
  return pass;
}

/* Whether the plan fits, and each assertion holds. Returns how many fail. */
static int
append_checks (GString *table, const PlgReport *report, const GArray *assertions)
{
  g_autofree char *peak = plg_format_memory (report->memory_peak);
  g_autofree char *capacity = plg_format_memory (report->memory_capacity);
  int failed = 0;

  append_row (table, _ ("CHECK"), _ ("VALUE"), _ ("LIMIT"), _ ("RESULT"));
  failed += !append_check (table, _ ("fits in memory"), peak, capacity, report->fits);
  for (guint i = 0; i < assertions->len; i++)
    {
      const Assertion *assertion = &g_array_index (assertions, Assertion, i);
      Measure measure = assertion->metric->measure;
      double number = assertion->metric->value (report);
      g_autofree char *value = format_value (measure, number);
      g_autofree char *limit = format_value (measure,
                                             measure == MEASURE_YES ? 1 : assertion->limit);

      failed += !append_check (table, assertion->text, value, limit, holds (assertion, number));
    }
  return failed;
}

static void
append_findings (GString *table, const PlgReport *report)
{
  if (report->findings->len == 0)
    {
      g_string_append_printf (table, "\n%s\n", _ ("No findings."));
      return;
    }
  g_string_append_c (table, '\n');
  append_row (table, _ ("FINDING"), _ ("SEVERITY"), _ ("VALUE"), _ ("LIMIT"));
  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);
      g_autofree char *value = plg_format_number (finding->value, 4);
      g_autofree char *number = plg_format_number (finding->limit, 4);
      g_autofree char *limit = g_strjoin (" ", number, finding->unit, NULL);

      append_row (table, finding->id, plg_severity_name (finding->severity), value, limit);
      g_string_append_printf (table, "  %s\n", finding->text);
      if (finding->remedy != NULL)
        g_string_append_printf (table, _ ("  Remedy: %s\n"), finding->remedy);
    }
}

static PlgExit
check (PlgInput *input, const GArray *assertions)
{
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GString) table = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  PlgExit status = plg_input_read (input);
  int failed;

  if (status != PLG_EXIT_DONE)
    return status;
  report = plg_evaluate (input->plan, PLG_EVALUATE_FINDINGS, &error);
  if (report == NULL)
    {
      printf ("%s\n", _ ("FAIL: the plan cannot exist."));
      return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
    }
  failed = append_checks (table, report, assertions);
  append_findings (table, report);
  failed += (int) errors (report);
  g_string_append_printf (table, "\n%s\n",
                          failed == 0 ? _ ("PASS") : _ ("FAIL: see what failed above."));
  status = plg_cli_write_text (NULL, g_string_free (g_steal_pointer (&table), FALSE), FALSE);
  if (status != PLG_EXIT_DONE)
    return status;
  return failed == 0 ? PLG_EXIT_DONE : PLG_EXIT_PLAN;
}

PlgExit
plg_command_check (int argc, char **argv)
{
  g_auto (PlgInput) input = { 0 };
  g_auto (GStrv) texts = NULL;
  const GOptionEntry entries[] = {
    { "assert", 'a', 0, G_OPTION_ARG_STRING_ARRAY, &texts,
      N_ ("What must hold, such as 'memory<=75GiB', 'mfu>=40%' or tp-in-node; may be repeated"),
      N_ ("METRIC[<= >= < > ==]LIMIT") },
    { NULL },
  };
  g_autofree char *names = metric_names ();
  g_autofree char *description = g_strdup_printf (
      _ ("Tells what is wrong with PLAN, or without PLAN with the default plan, and whether\n"
         "the assertions hold. Ends with 1 when the plan cannot exist, does not fit in memory,\n"
         "has a finding of severity error, or an assertion fails.\n\n"
         "METRIC: %s.\nMemory is in GiB and time in s when no unit is written."),
      names);
  g_autoptr (GArray) assertions = NULL;

  if (!plg_cli_parse (description, entries, &input, argc, argv))
    return PLG_EXIT_USAGE;
  assertions = read_assertions (texts);
  if (assertions == NULL)
    return PLG_EXIT_USAGE;
  return check (&input, assertions);
}
