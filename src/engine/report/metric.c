/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/metric.h"

#include "engine/report/redaction.h"
#include "plan/quantity.h"
#include "plan/text/similar-names.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define LARGE_COUNT 1e7 /* larger counts are shown in the form "8.03 B" */

/* The offset of a field in the report, for number_at() and count_at(). */
#define AT(member) ((int) G_STRUCT_OFFSET (PlgReport, member))

static double
number_at (const PlgReport *report, int offset)
{
  return G_STRUCT_MEMBER (double, report, offset);
}

static double
count_at (const PlgReport *report, int offset)
{
  return G_STRUCT_MEMBER (int, report, offset);
}

static double
bubble (const PlgReport *report, int unused)
{
  return plg_report_bubble (report);
}

static double
fits (const PlgReport *report, int unused)
{
  return report->fits == PLG_FIT_HIDDEN ? NAN : report->fits;
}

static double
training_time (const PlgReport *report, int unused)
{
  return report->step.days * 86400;
}

static double
days_with_failures (const PlgReport *report, int unused)
{
  return report->run.days * 86400;
}

/* Returns the field at OFFSET of the report, which is an amount per token, for a million tokens. */
static double
of_million (const PlgReport *report, int offset)
{
  return 1e6 * number_at (report, offset);
}

static double
in_node (const PlgReport *report, int axis)
{
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);
      if ((int) collective->axis == axis && collective->nodes_spanned > 1)
        return 0;
    }
  return 1;
}

static double
count_findings (const PlgReport *report, int severity)
{
  int n = 0;

  if (!report->has_advice)
    return NAN;
  for (guint i = 0; i < report->findings->len; i++)
    if (g_array_index (report->findings, PlgFinding, i).severity == (PlgSeverity) severity)
      n++;
  return n;
}

/* Returns the field at OFFSET of PlgStageMemory for the stage with the memory peak. */
static double
of_stage (const PlgReport *report, int offset)
{
  guint stage = (guint) report->memory_peak_stage;

  if (stage >= report->stages->len)
    return NAN;
  return G_STRUCT_MEMBER (double, &g_array_index (report->stages, PlgStageMemory, stage), offset);
}

static double
in_flight (const PlgReport *report, int unused)
{
  guint stage = (guint) report->memory_peak_stage;

  return stage < report->stages->len
             ? g_array_index (report->stages, PlgStageMemory, stage).in_flight
             : NAN;
}

static double
degree (const PlgReport *report, int axis)
{
  return report->degree[axis];
}

static double
groups (const PlgReport *report, int axis)
{
  return report->groups[axis];
}

static double
hops (const PlgReport *report, int axis)
{
  return (report->parts & PLG_EVALUATE_LINKS) != 0 ? report->hops[axis].total : NAN;
}

static double
hops_between_nodes (const PlgReport *report, int axis)
{
  int hops = report->hops[axis].between_nodes;

  if ((report->parts & PLG_EVALUATE_LINKS) == 0 || hops == PLG_HOPS_HIDDEN)
    return NAN;
  return hops;
}

/* Returns the largest number of nodes that a group of AXIS spans; 1 if AXIS has no collective. */
static double
nodes_spanned (const PlgReport *report, int axis)
{
  int nodes = 1;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      if ((int) row->axis == axis)
        nodes = MAX (nodes, row->nodes_spanned);
    }
  return nodes;
}

/* Sums the field at OFFSET over all collectives of AXIS. Each collective contributes the value
 * for one GPU of its stage, per step. */
static double
sum_of_axis (const PlgReport *report, int axis, gsize offset)
{
  double sum = 0;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      if ((int) row->axis == axis)
        sum += G_STRUCT_MEMBER (double, row, offset);
    }
  return sum;
}

static double
calls (const PlgReport *report, int axis)
{
  return sum_of_axis (report, axis, G_STRUCT_OFFSET (PlgCollective, calls));
}

static double
sent (const PlgReport *report, int axis)
{
  return sum_of_axis (report, axis, G_STRUCT_OFFSET (PlgCollective, bytes_sent));
}

static double
busy (const PlgReport *report, int axis)
{
  return sum_of_axis (report, axis, G_STRUCT_OFFSET (PlgCollective, time));
}

static double
time_of_call (const PlgReport *report, int axis)
{
  double n = calls (report, axis);

  return n > 0 ? busy (report, axis) / n : n; /* Return 0 if there are no calls, or NaN if calls
                                                 are hidden. */
}

static double
link_time (const PlgReport *report, int axis)
{
  return plg_report_link_time (report, (PlgAxis) axis);
}

/* Returns the bytes sent between stages. The all-reduce of a shared embedding also belongs to PP
 * but is not included. */
static double
over_boundaries (const PlgReport *report, int unused)
{
  double sum = 0;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      if (row->axis == PLG_AXIS_PP && row->kind == PLG_COLLECTIVE_SEND_RECV)
        sum += row->bytes_sent;
    }
  return sum;
}

/* Returns the bandwidth of the first link of TIER [decimal GB/s per direction]; 0 if no link has
 * this tier, NaN if the report has no links. */
static double
rate_of_tier (const PlgReport *report, int tier)
{
  if ((report->parts & PLG_EVALUATE_LINKS) == 0)
    return NAN;
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);

      if ((int) link->tier == tier)
        return link->bandwidth / 1e9;
    }
  return 0;
}

static double
state (const PlgReport *report, int unused)
{
  return of_stage (report, G_STRUCT_OFFSET (PlgStageMemory, weights)) +
         of_stage (report, G_STRUCT_OFFSET (PlgStageMemory, gradients)) +
         of_stage (report, G_STRUCT_OFFSET (PlgStageMemory, optimizer));
}

static double
part_time (const PlgReport *report, int part)
{
  return report->step.part[part];
}

/* Returns the time of all collectives, hidden or exposed, divided by the compute time. Near 0,
 * communication is easy to hide; near 1, it takes as long as the compute. */
static double
communication_over_compute (const PlgReport *report, int unused)
{
  double sum = 0;

  for (int axis = 0; axis < PLG_N_AXES; axis++)
    sum += busy (report, axis);
  return sum / report->step.part[PLG_PART_COMPUTE];
}

static double
part_share (const PlgReport *report, int part)
{
  return report->step.part[part] / report->step.time;
}

typedef struct
{
  PlgMetric metric;
  double (*value) (const PlgReport *report, int argument);
  int argument;
  const char *title; /* the title; "%s" is replaced by the axis in ARGUMENT */
} Row;

#define ROW(name, measure, about, value, argument, title)          \
  {                                                                \
    { name, PLG_MEASURE_##measure, about }, value, argument, title \
  }
#define STAGE(name, member, title) \
  ROW (name, BYTES, PLG_REDACT_MEMORY, of_stage, G_STRUCT_OFFSET (PlgStageMemory, member), title)
#define AXIS(name, axis)                                                                           \
  ROW (name, NUMBER, 0, degree, axis, N_ ("Degree of %s")),                                        \
      ROW (name "-groups", NUMBER, 0, groups, axis, N_ ("%s groups")),                             \
      ROW (name "-calls", NUMBER, PLG_REDACT_CALLS, calls, axis, N_ ("%s calls per step")),        \
      ROW (name "-bytes", VOLUME, PLG_REDACT_BYTES, sent, axis, N_ ("%s bytes per GPU per step")), \
      ROW (name "-time", SECONDS, PLG_REDACT_BUSY, busy, axis, N_ ("Time of %s collectives")),     \
      ROW (name "-call-time", SECONDS, PLG_REDACT_CALLS | PLG_REDACT_BUSY, time_of_call, axis,     \
           N_ ("Time per %s call")),                                                               \
      ROW (name "-link-time", SECONDS, PLG_REDACT_CALLS | PLG_REDACT_BUSY, link_time, axis,        \
           N_ ("Time that %s keeps a link busy"))
#define PLACED(name, axis)                                                                \
  ROW (name "-nodes", NUMBER, 0, nodes_spanned, axis, N_ ("Nodes per %s group")),         \
      ROW (name "-hops", NUMBER, 0, hops, axis, N_ ("%s hops")),                          \
      ROW (name "-hops-between-nodes", NUMBER, PLG_REDACT_HOPS, hops_between_nodes, axis, \
           N_ ("%s hops between nodes"))
#define PART(name, about, part, title) ROW (name "-share", SHARE, about, part_share, part, title)
#define RUN(name, measure, value, member, title) \
  ROW (name, measure, PLG_REDACT_RUN, value, AT (run.member), title)
#define REDACT_WAITING (PLG_REDACT_TIME | PLG_REDACT_BUSY)

static const Row rows[] = {
  ROW ("memory",
       BYTES,
       PLG_REDACT_MEMORY,
       number_at,
       AT (memory_peak),
       N_ ("Memory of the fullest GPU")),
  ROW ("capacity", BYTES, 0, number_at, AT (memory_capacity), N_ ("Memory capacity of a GPU")),
  ROW ("fits", BOOLEAN, PLG_REDACT_MEMORY, fits, 0, N_ ("The plan fits in memory")),
  STAGE ("weights", weights, N_ ("Weights in memory")),
  STAGE ("gradients", gradients, N_ ("Gradients in memory")),
  STAGE ("optimizer", optimizer, N_ ("Optimizer state in memory")),
  STAGE ("activations", activations, N_ ("Activations in memory")),
  STAGE ("buffers", buffers, N_ ("Buffers in memory")),
  ROW ("state",
       BYTES,
       PLG_REDACT_MEMORY,
       state,
       0,
       N_ ("Weights, gradients and optimizer in memory")),
  ROW ("in-flight", NUMBER, PLG_REDACT_MEMORY, in_flight, 0, N_ ("Micro-batches in flight")),
  ROW ("mfu", SHARE, PLG_REDACT_TIME, number_at, AT (step.mfu), N_ ("MFU")),
  ROW ("hfu", SHARE, PLG_REDACT_TIME, number_at, AT (step.hfu), N_ ("HFU")),
  ROW ("bubble", SHARE, PLG_REDACT_BUBBLE, bubble, 0, N_ ("Bubble")),
  ROW ("bubble-share-of-step",
       SHARE,
       PLG_REDACT_BUBBLE,
       number_at,
       AT (bubble.share_of_step),
       N_ ("Bubble as a share of the step, by the formula")),
  ROW ("bubble-simulated",
       SHARE,
       PLG_REDACT_BUBBLE,
       number_at,
       AT (bubble.simulated),
       N_ ("Bubble in the timeline")),
  ROW ("bubble-over-ideal",
       SHARE,
       PLG_REDACT_BUBBLE,
       number_at,
       AT (bubble.over_ideal),
       N_ ("Bubble relative to the ideal time")),
  ROW ("bubble-notebook",
       SHARE,
       PLG_REDACT_BUBBLE,
       number_at,
       AT (bubble.notebook),
       N_ ("Bubble according to the notebook")),
  ROW ("step-time", SECONDS, PLG_REDACT_TIME, number_at, AT (step.time), N_ ("Step time")),
  ROW ("compute-time",
       SECONDS,
       PLG_REDACT_TIME,
       part_time,
       PLG_PART_COMPUTE,
       N_ ("Computation time per step")),
  ROW ("training-time", SECONDS, PLG_REDACT_TIME, training_time, 0, N_ ("Training time")),
  ROW ("days", DAYS, PLG_REDACT_TIME, training_time, 0, N_ ("Days of training")),
  ROW ("gpu-hours", NUMBER, PLG_REDACT_TIME, number_at, AT (step.gpu_hours), N_ ("GPU-hours")),
  RUN ("days-with-failures", DAYS, days_with_failures, days, N_ ("Training time with failures")),
  RUN ("goodput",
       SHARE,
       number_at,
       share[PLG_RUN_PROGRESS],
       N_ ("Share of time that makes progress")),
  RUN ("interruptions", NUMBER, number_at, interruptions, N_ ("Interruptions of the training")),
  RUN ("cluster-mtbf", SECONDS, number_at, mtbf, N_ ("Time between failures")),
  RUN ("checkpoint-size", VOLUME, number_at, checkpoint_bytes, N_ ("Size of a checkpoint")),
  RUN ("checkpoint-time", SECONDS, number_at, checkpoint_time, N_ ("Time to write a checkpoint")),
  RUN ("checkpoint-interval", SECONDS, number_at, interval, N_ ("Time between checkpoints")),
  RUN ("cost", MONEY, number_at, cost, N_ ("Cost of the training")),
  RUN ("cost-per-million-tokens",
       MONEY,
       of_million,
       cost_per_token,
       N_ ("Cost per million tokens")),
  RUN ("power", POWER, number_at, power, N_ ("Mean power of the cluster")),
  RUN ("energy", ENERGY, number_at, energy, N_ ("Energy of the training")),
  RUN ("energy-per-token", ENERGY, number_at, energy_per_token, N_ ("Energy per token")),
  RUN ("co2", CARBON, number_at, carbon, N_ ("Emissions of the training")),
  RUN ("co2-per-million-tokens",
       CARBON,
       of_million,
       carbon_per_token,
       N_ ("Emissions per million tokens")),
  ROW ("tokens-per-second",
       NUMBER,
       PLG_REDACT_TIME,
       number_at,
       AT (step.tokens_per_second),
       N_ ("Tokens per second")),
  ROW ("tokens-per-second-per-gpu",
       NUMBER,
       PLG_REDACT_TIME,
       number_at,
       AT (step.tokens_per_second_per_gpu),
       N_ ("Tokens per second per GPU")),
  ROW ("world-size", NUMBER, 0, count_at, AT (world_size), N_ ("GPUs in use")),
  ROW ("nodes", NUMBER, 0, count_at, AT (nodes), N_ ("Nodes in use")),
  ROW ("micro-batches", NUMBER, 0, count_at, AT (micro_batches), N_ ("Micro-batches")),
  ROW ("parameters", NUMBER, 0, number_at, AT (parameters_total), N_ ("Parameters of the model")),
  AXIS ("tp", PLG_AXIS_TP),
  AXIS ("cp", PLG_AXIS_CP),
  AXIS ("ep", PLG_AXIS_EP),
  AXIS ("pp", PLG_AXIS_PP),
  AXIS ("dp", PLG_AXIS_DP),
  PLACED ("tp", PLG_AXIS_TP),
  PLACED ("cp", PLG_AXIS_CP),
  PLACED ("pp", PLG_AXIS_PP),
  PLACED ("dp", PLG_AXIS_DP),
  ROW ("boundary-bytes",
       VOLUME,
       PLG_REDACT_BYTES,
       over_boundaries,
       0,
       N_ ("Bytes per step from a GPU to other stages")),
  ROW ("gpu-link-rate",
       NUMBER,
       PLG_REDACT_FAULTS,
       rate_of_tier,
       PLG_TIER_NVLINK,
       N_ ("GPU bandwidth inside the node, GB/s per direction")),
  ROW ("nic-rate",
       NUMBER,
       PLG_REDACT_FAULTS,
       rate_of_tier,
       PLG_TIER_NIC,
       N_ ("NIC bandwidth, GB/s per direction")),
  ROW ("optimizer-time",
       SECONDS,
       PLG_REDACT_TIME,
       part_time,
       PLG_PART_OPTIMIZER,
       N_ ("Optimizer time per step")),
  ROW ("communication-over-compute",
       SHARE,
       REDACT_WAITING,
       communication_over_compute,
       0,
       N_ ("Communication over computation")),
  PART ("compute", PLG_REDACT_TIME, PLG_PART_COMPUTE, N_ ("Computation, share of step")),
  PART ("recompute", PLG_REDACT_TIME, PLG_PART_RECOMPUTE, N_ ("Recompute, share of step")),
  PART ("host", PLG_REDACT_TIME, PLG_PART_HOST, N_ ("Waiting for the host, share of step")),
  PART ("tp", REDACT_WAITING, PLG_PART_TP, N_ ("Waiting for TP, share of step")),
  PART ("cp", REDACT_WAITING, PLG_PART_CP, N_ ("Waiting for CP, share of step")),
  PART ("ep", REDACT_WAITING, PLG_PART_EP, N_ ("Waiting for EP, share of step")),
  PART ("pp", REDACT_WAITING, PLG_PART_PP, N_ ("Waiting for PP, share of step")),
  PART ("dp", REDACT_WAITING, PLG_PART_DP, N_ ("Waiting for DP, share of step")),
  ROW ("tp-in-node", BOOLEAN, 0, in_node, PLG_AXIS_TP, N_ ("Each %s group is inside a node")),
  ROW ("cp-in-node", BOOLEAN, 0, in_node, PLG_AXIS_CP, N_ ("Each %s group is inside a node")),
  ROW ("ep-in-node", BOOLEAN, 0, in_node, PLG_AXIS_EP, N_ ("Each %s group is inside a node")),
  ROW ("errors", NUMBER, PLG_REDACT_ALL, count_findings, PLG_SEVERITY_ERROR, N_ ("Errors")),
  ROW ("warnings", NUMBER, PLG_REDACT_ALL, count_findings, PLG_SEVERITY_WARNING, N_ ("Warnings")),
};

PlgMetricTrend
plg_metric_trend (const PlgMetric *metric)
{
  static const char *const growing[] = { "step-time", "training-time", "gpu-hours", "days", NULL };
  static const char *const shrinking[] = { "mfu", "tokens-per-second", "tokens-per-second-per-gpu",
                                           NULL };

  if (g_strv_contains (growing, metric->name))
    return PLG_METRIC_GROWS_WITH_TIME;
  if (g_strv_contains (shrinking, metric->name))
    return PLG_METRIC_SHRINKS_WITH_TIME;
  return PLG_METRIC_HAS_NO_TREND;
}

gboolean
plg_metric_is_better_high (const PlgMetric *metric)
{
  static const char *const others[] = {
    "hfu", "compute-share", "fits", "capacity", "goodput", NULL
  };

  return metric->measure == PLG_MEASURE_BOOLEAN || g_strv_contains (others, metric->name) ||
         plg_metric_trend (metric) == PLG_METRIC_SHRINKS_WITH_TIME;
}

PlgEvaluateFlags
plg_metric_parts (const PlgMetric *metric)
{
  const Row *row = (const Row *) metric;
  gboolean has_links = row->value == hops || row->value == hops_between_nodes ||
                       row->value == link_time || row->value == rate_of_tier;

  return plg_metric_needs_advice (metric) ? PLG_EVALUATE_ALL
         : has_links                      ? PLG_EVALUATE_LINKS
                                          : PLG_EVALUATE_TOTALS;
}

gboolean
plg_metric_needs_advice (const PlgMetric *metric)
{
  return ((const Row *) metric)->value == count_findings;
}

char *
plg_metric_title (const PlgMetric *metric)
{
  const Row *row = (const Row *) metric;
  g_autoptr (GString) title = g_string_new (_ (row->title));

  if (strstr (row->title, "%s") != NULL)
    g_string_replace (title, "%s", plg_axis_label ((PlgAxis) row->argument), 1);
  return g_strdup (title->str);
}

char *
plg_metric_basis (const PlgMetric *metric, const PlgReport *report)
{
  const Row *row = (const Row *) metric;
  int nodes;

  if ((report->redaction & metric->about) != 0)
    return NULL;
  if (row->value == fits)
    {
      g_autofree char *peak = plg_format_memory_distinct (report->memory_peak,
                                                          report->memory_capacity);
      g_autofree char *capacity = plg_format_memory_distinct (report->memory_capacity,
                                                              report->memory_peak);

      return g_strdup_printf (_ ("%s of %s"), peak, capacity);
    }
  if (row->value != in_node)
    return NULL;
  nodes = (int) nodes_spanned (report, row->argument);
  return g_strdup_printf (ngettext ("%d node", "%d nodes", nodes), nodes);
}

char *
plg_metric_names (void)
{
  GString *all = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    g_string_append_printf (all, "%s%s", i > 0 ? ", " : "", rows[i].metric.name);
  return g_string_free (all, FALSE);
}

char *
plg_metric_suggest (const char *typed)
{
  const char *names[G_N_ELEMENTS (rows) + 1] = { NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    names[i] = rows[i].metric.name;
  return plg_similar_names (names, typed);
}

const PlgMetric *
plg_metric_find (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  const char *hyphens = g_strdelimit (g_strstrip (lower), "_", '-');

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_equal (rows[i].metric.name, hyphens))
      return &rows[i].metric;
  return NULL;
}

const PlgMetric *
plg_metric_nth (int index)
{
  return index >= 0 && index < (int) G_N_ELEMENTS (rows) ? &rows[index].metric : NULL;
}

double
plg_metric_value (const PlgMetric *metric, const PlgReport *report)
{
  const Row *row = (const Row *) metric;

  return report->redaction & metric->about ? NAN : row->value (report, row->argument);
}

const char *
plg_measure_unit (PlgMeasure measure)
{
  switch (measure)
    {
    case PLG_MEASURE_BYTES:
    case PLG_MEASURE_VOLUME:
      return "bytes";
    case PLG_MEASURE_SECONDS:
    case PLG_MEASURE_DAYS:
      return "s";
    case PLG_MEASURE_MONEY:
      return "USD";
    case PLG_MEASURE_POWER:
      return "W";
    case PLG_MEASURE_ENERGY:
      return "J";
    case PLG_MEASURE_CARBON:
      return "kg";
    case PLG_MEASURE_SHARE:
    case PLG_MEASURE_NUMBER:
    case PLG_MEASURE_BOOLEAN:
    default:
      return NULL;
    }
}

/* Returns NUMBER with its unit: "1 day", "30 days". */
static char *
days_text (const char *number)
{
  gboolean is_one = g_str_equal (number, "1");

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s day", "%s days", is_one ? 1 : 2),
                          number);
}

char *
plg_measure_text (PlgMeasure measure, double value)
{
  if (isnan (value))
    return g_strdup ("–");
  switch (measure)
    {
    case PLG_MEASURE_SHARE:
      return plg_format_share (value);
    case PLG_MEASURE_BYTES:
      return plg_format_memory (value);
    case PLG_MEASURE_VOLUME:
      return plg_format_volume (value);
    case PLG_MEASURE_SECONDS:
      return plg_format_time (value);
    case PLG_MEASURE_DAYS:
      {
        g_autofree char *days = plg_format_number (value / 86400, 3);

        return days_text (days);
      }
    case PLG_MEASURE_MONEY:
      return plg_format_money (value);
    case PLG_MEASURE_POWER:
      return plg_format_power (value);
    case PLG_MEASURE_ENERGY:
      return plg_format_energy (value);
    case PLG_MEASURE_CARBON:
      return plg_format_carbon (value);
    case PLG_MEASURE_BOOLEAN:
      return g_strdup (value != 0 ? _ ("yes") : _ ("no"));
    case PLG_MEASURE_NUMBER:
    default:
      return value >= LARGE_COUNT ? plg_format_count (value) : plg_format_number (value, 6);
    }
}

char *
plg_measure_text_distinct (PlgMeasure measure, double value, double other)
{
  g_autofree char *days = NULL;

  if (isnan (value) || isnan (other))
    return plg_measure_text (measure, value);
  switch (measure)
    {
    case PLG_MEASURE_SHARE:
      return plg_format_share_distinct (value, other);
    case PLG_MEASURE_BYTES:
      return plg_format_memory_distinct (value, other);
    case PLG_MEASURE_VOLUME:
      return plg_format_volume_distinct (value, other);
    case PLG_MEASURE_SECONDS:
      return plg_format_time_distinct (value, other);
    case PLG_MEASURE_DAYS:
      days = plg_format_number_distinct (value / 86400, other / 86400, 3);
      return days_text (days);
    case PLG_MEASURE_MONEY:
      return plg_format_money_distinct (value, other);
    case PLG_MEASURE_POWER:
      return plg_format_power_distinct (value, other);
    case PLG_MEASURE_ENERGY:
      return plg_format_energy_distinct (value, other);
    case PLG_MEASURE_CARBON:
      return plg_format_carbon_distinct (value, other);
    case PLG_MEASURE_NUMBER:
      return value >= LARGE_COUNT ? plg_format_count_distinct (value, other)
                                  : plg_format_number_distinct (value, other, 6);
    case PLG_MEASURE_BOOLEAN:
    default:
      return plg_measure_text (measure, value);
    }
}
