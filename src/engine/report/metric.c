/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/metric.h"

#include "engine/evaluate.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define LARGE_COUNT 1e7 /* from here on a count is written as "8.03 B" */

static double
memory (const PlgReport *report, int unused)
{
  return report->memory_peak;
}

static double
fits (const PlgReport *report, int unused)
{
  return report->fits == PLG_FIT_HIDDEN ? NAN : report->fits;
}

static double
mfu (const PlgReport *report, int unused)
{
  return report->step.mfu;
}

static double
hfu (const PlgReport *report, int unused)
{
  return report->step.hfu;
}

static double
bubble (const PlgReport *report, int unused)
{
  return report->bubble.effective_share;
}

static double
bubble_simulated (const PlgReport *report, int unused)
{
  return report->bubble.simulated;
}

static double
step_time (const PlgReport *report, int unused)
{
  return report->step.time;
}

static double
training_time (const PlgReport *report, int unused)
{
  return report->step.days * 86400;
}

static double
gpu_hours (const PlgReport *report, int unused)
{
  return report->step.gpu_hours;
}

static double
tokens_per_second (const PlgReport *report, int unused)
{
  return report->step.tokens_per_second;
}

static double
tokens_per_second_per_gpu (const PlgReport *report, int unused)
{
  return report->step.tokens_per_second_per_gpu;
}

static double
compute_time (const PlgReport *report, int unused)
{
  return report->step.part[PLG_PART_COMPUTE];
}

static double
world_size (const PlgReport *report, int unused)
{
  return report->world_size;
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

  if ((report->parts & PLG_EVALUATE_FINDINGS) == 0)
    return NAN;
  for (guint i = 0; i < report->findings->len; i++)
    if (g_array_index (report->findings, PlgFinding, i).severity == (PlgSeverity) severity)
      n++;
  return n;
}

static double
bubble_notebook (const PlgReport *report, int unused)
{
  return report->bubble.notebook;
}

static double
bubble_over_ideal (const PlgReport *report, int unused)
{
  return report->bubble.over_ideal;
}

static double
micro_batches (const PlgReport *report, int unused)
{
  return report->micro_batches;
}

static double
nodes (const PlgReport *report, int unused)
{
  return report->nodes;
}

static double
parameters (const PlgReport *report, int unused)
{
  return report->parameters_total;
}

static double
capacity (const PlgReport *report, int unused)
{
  return report->memory_capacity;
}

/* A part of the memory of the fullest stage, at OFFSET in PlgStageMemory. */
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

/* Over the widest group of AXIS that calls something; 1 where none does. */
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

/* Over the collectives of AXIS, per GPU and step on the stage that each row is of. */
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

  return n > 0 ? busy (report, axis) / n : n; /* hidden as they are */
}

static double
link_time (const PlgReport *report, int axis)
{
  return plg_report_link_time (report, (PlgAxis) axis);
}

/* What a GPU hands on to the next stage or back, without the embedding that first and last stage
 * may share, whose sum is of PP too. */
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

/* Of one direction, in GB/s, as the data sheet has it; 0 where there is no such link. */
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

/* The time of all collectives, hidden or not, for each second of computing: near 0 the GPUs are
 * kept busy, near 1 they could wait as long as they work. */
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

/* A metric, how it is read, and what of. */
typedef struct
{
  PlgMetric metric;
  double (*value) (const PlgReport *report, int argument);
  int argument;
  const char *title; /* what it is, in words; "%s" is the axis, which ARGUMENT is then */
} Row;

#define ROW(name, measure, about, value, argument, title)          \
  {                                                                \
    { name, PLG_MEASURE_##measure, about }, value, argument, title \
  }
#define STAGE(name, member, title) \
  ROW (name, BYTES, PLG_REDACT_MEMORY, of_stage, G_STRUCT_OFFSET (PlgStageMemory, member), title)
#define AXIS(name, axis)                                                                         \
  ROW (name, NUMBER, 0, degree, axis, N_ ("Degree of %s")),                                      \
      ROW (name "-groups", NUMBER, 0, groups, axis, N_ ("Groups of %s")),                        \
      ROW (name "-calls", NUMBER, PLG_REDACT_CALLS, calls, axis, N_ ("Calls for %s in a step")), \
      ROW (name "-bytes", VOLUME, PLG_REDACT_BYTES, sent, axis,                                  \
           N_ ("What a GPU sends for %s in a step")),                                            \
      ROW (name "-time", SECONDS, PLG_REDACT_BUSY, busy, axis,                                   \
           N_ ("Time of the collectives of %s")),                                                \
      ROW (name "-call-time", SECONDS, PLG_REDACT_CALLS | PLG_REDACT_BUSY, time_of_call, axis,   \
           N_ ("Time of a call for %s")),                                                        \
      ROW (name "-link-time", SECONDS, PLG_REDACT_CALLS | PLG_REDACT_BUSY, link_time, axis,      \
           N_ ("Time for which a link is busy with %s"))
#define PLACED(name, axis)                                                                \
  ROW (name "-nodes", NUMBER, 0, nodes_spanned, axis, N_ ("Nodes of a group of %s")),     \
      ROW (name "-hops", NUMBER, 0, hops, axis, N_ ("Hops of %s")),                       \
      ROW (name "-hops-between-nodes", NUMBER, PLG_REDACT_HOPS, hops_between_nodes, axis, \
           N_ ("Hops of %s between nodes"))
#define PART(name, about, part, title) ROW (name "-share", SHARE, about, part_share, part, title)
#define REDACT_WAITING (PLG_REDACT_TIME | PLG_REDACT_BUSY)

static const Row rows[] = {
  ROW ("memory", BYTES, PLG_REDACT_MEMORY, memory, 0, N_ ("Memory of the fullest GPU")),
  ROW ("capacity", BYTES, 0, capacity, 0, N_ ("Memory that a GPU has")),
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
  ROW ("mfu", SHARE, PLG_REDACT_TIME, mfu, 0, N_ ("MFU")),
  ROW ("hfu", SHARE, PLG_REDACT_TIME, hfu, 0, N_ ("HFU")),
  ROW ("bubble", SHARE, PLG_REDACT_BUBBLE, bubble, 0, N_ ("Bubble")),
  ROW ("bubble-simulated",
       SHARE,
       PLG_REDACT_BUBBLE,
       bubble_simulated,
       0,
       N_ ("Bubble of the timeline")),
  ROW ("bubble-over-ideal",
       SHARE,
       PLG_REDACT_BUBBLE,
       bubble_over_ideal,
       0,
       N_ ("Bubble over the ideal time")),
  ROW ("bubble-notebook",
       SHARE,
       PLG_REDACT_BUBBLE,
       bubble_notebook,
       0,
       N_ ("Bubble as the notebook has it")),
  ROW ("step-time", SECONDS, PLG_REDACT_TIME, step_time, 0, N_ ("Time of a step")),
  ROW ("compute-time",
       SECONDS,
       PLG_REDACT_TIME,
       compute_time,
       0,
       N_ ("Time of a step that is computing")),
  ROW ("training-time", SECONDS, PLG_REDACT_TIME, training_time, 0, N_ ("Time of the training")),
  ROW ("gpu-hours", NUMBER, PLG_REDACT_TIME, gpu_hours, 0, N_ ("GPU-hours")),
  ROW ("tokens-per-second",
       NUMBER,
       PLG_REDACT_TIME,
       tokens_per_second,
       0,
       N_ ("Tokens per second")),
  ROW ("tokens-per-second-per-gpu",
       NUMBER,
       PLG_REDACT_TIME,
       tokens_per_second_per_gpu,
       0,
       N_ ("Tokens per second and GPU")),
  ROW ("world-size", NUMBER, 0, world_size, 0, N_ ("GPUs in use")),
  ROW ("nodes", NUMBER, 0, nodes, 0, N_ ("Nodes in use")),
  ROW ("micro-batches", NUMBER, 0, micro_batches, 0, N_ ("Micro-batches")),
  ROW ("parameters", NUMBER, 0, parameters, 0, N_ ("Parameters of the model")),
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
       N_ ("What a GPU sends to other stages in a step")),
  ROW ("gpu-link-rate",
       NUMBER,
       PLG_REDACT_FAULTS,
       rate_of_tier,
       PLG_TIER_NVLINK,
       N_ ("GB/s of a GPU to others in its node, in a direction")),
  ROW ("nic-rate",
       NUMBER,
       PLG_REDACT_FAULTS,
       rate_of_tier,
       PLG_TIER_NIC,
       N_ ("GB/s of a network card, in a direction")),
  ROW ("optimizer-time",
       SECONDS,
       PLG_REDACT_TIME,
       part_time,
       PLG_PART_OPTIMIZER,
       N_ ("Time of the optimizer's update in a step")),
  ROW ("communication-over-compute",
       SHARE,
       REDACT_WAITING,
       communication_over_compute,
       0,
       N_ ("Communication over computing")),
  PART ("compute", PLG_REDACT_TIME, PLG_PART_COMPUTE, N_ ("Share of the step that is computing")),
  PART ("recompute",
        PLG_REDACT_TIME,
        PLG_PART_RECOMPUTE,
        N_ ("Share of the step that is computing again")),
  PART ("tp", REDACT_WAITING, PLG_PART_TP, N_ ("Share of the step that waits for TP")),
  PART ("cp", REDACT_WAITING, PLG_PART_CP, N_ ("Share of the step that waits for CP")),
  PART ("ep", REDACT_WAITING, PLG_PART_EP, N_ ("Share of the step that waits for EP")),
  PART ("pp", REDACT_WAITING, PLG_PART_PP, N_ ("Share of the step that waits for PP")),
  PART ("dp", REDACT_WAITING, PLG_PART_DP, N_ ("Share of the step that waits for DP")),
  ROW ("tp-in-node", BOOLEAN, 0, in_node, PLG_AXIS_TP, N_ ("Each group of %s is inside a node")),
  ROW ("cp-in-node", BOOLEAN, 0, in_node, PLG_AXIS_CP, N_ ("Each group of %s is inside a node")),
  ROW ("ep-in-node", BOOLEAN, 0, in_node, PLG_AXIS_EP, N_ ("Each group of %s is inside a node")),
  ROW ("errors", NUMBER, PLG_REDACT_ALL, count_findings, PLG_SEVERITY_ERROR, N_ ("Errors")),
  ROW ("warnings", NUMBER, PLG_REDACT_ALL, count_findings, PLG_SEVERITY_WARNING, N_ ("Warnings")),
};

char *
plg_metric_title (const PlgMetric *metric)
{
  const Row *row = (const Row *) metric;
  g_autoptr (GString) title = g_string_new (_ (row->title));

  if (strstr (row->title, "%s") != NULL)
    g_string_replace (title, "%s", plg_axis_label ((PlgAxis) row->argument), 1);
  return g_strdup (title->str);
}

static char *
basis_of_fit (const PlgReport *report)
{
  g_autofree char *peak = plg_format_memory_distinct (report->memory_peak, report->memory_capacity);
  g_autofree char *capacity = plg_format_memory_distinct (report->memory_capacity,
                                                          report->memory_peak);

  return g_strdup_printf (_ ("%s of %s"), peak, capacity);
}

char *
plg_metric_basis (const PlgMetric *metric, const PlgReport *report)
{
  const Row *row = (const Row *) metric;
  int nodes;

  if ((report->redaction & metric->about) != 0)
    return NULL;
  if (row->value == fits)
    return basis_of_fit (report);
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

const PlgMetric *
plg_metric_find (const char *name)
{
  g_autofree char *hyphens = g_strdelimit (g_strstrip (g_strdup (name)), "_", '-');

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_equal (rows[i].metric.name, hyphens))
      return &rows[i].metric;
  return NULL;
}

double
plg_metric_value (const PlgMetric *metric, const PlgReport *report)
{
  const Row *row = (const Row *) metric;

  return report->redaction & metric->about ? NAN : row->value (report, row->argument);
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
  if (isnan (value) || isnan (other))
    return plg_measure_text (measure, value);
  if (measure == PLG_MEASURE_SHARE)
    return plg_format_share_distinct (value, other);
  if (measure == PLG_MEASURE_BYTES)
    return plg_format_memory_distinct (value, other);
  if (measure == PLG_MEASURE_SECONDS)
    return plg_format_time_distinct (value, other);
  return plg_measure_text (measure, value);
}
