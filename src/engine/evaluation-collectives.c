/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/evaluation.h"

#include "engine/model/muon.h"
#include "engine/network/traffic.h"

PlgPieceCounts
plg_evaluation_stage_pieces (const PlgEvaluation *evaluation, int stage)
{
  const PlgPipeline *pipeline = &evaluation->pipeline;
  double passes = plg_pipeline_passes (pipeline);
  PlgPieceCounts sum = { 0 };

  for (int chunk = 0; chunk < pipeline->chunks; chunk++)
    {
      int position = plg_pipeline_position (pipeline, stage, chunk);

      for (int piece = 0; piece < PLG_N_PIECES; piece++)
        sum.count[piece] += passes * evaluation->piece_counts[position].count[piece];
    }
  return sum;
}

/* The source of a row in the report's table of collectives. */
typedef enum
{
  SOURCE_USE, /* calls for each micro-batch, from workload.collective_uses */
  SOURCE_PIPELINE,
  SOURCE_REDUCE, /* calls at the end of the step, from syncs */
  SOURCE_REPLICATE,
  SOURCE_GATHER,
  SOURCE_TIED,
  SOURCE_EXCHANGE,      /* calls of Muon at the end of the step, between replicas */
  SOURCE_ORTHOGONALIZE, /* the same inside TP groups */
} Source;

typedef struct
{
  Source source;
  int index; /* for SOURCE_USE, an index in workload.collective_uses; otherwise a
                PlgParameterKind, except for SOURCE_PIPELINE and SOURCE_TIED */
  PlgGroupKind group;
} Row;

#define MAX_ROWS (PLG_MAX_COLLECTIVE_USES + 12)

static const guint blocks_of_phase[PLG_N_PHASES] = {
  [PLG_PHASE_FORWARD] = 1u << PLG_BLOCK_FORWARD,
  [PLG_PHASE_INPUT] = 1u << PLG_BLOCK_BACKWARD | 1u << PLG_BLOCK_BACKWARD_INPUT,
  [PLG_PHASE_WEIGHT] = 1u << PLG_BLOCK_BACKWARD | 1u << PLG_BLOCK_BACKWARD_WEIGHT,
};

typedef struct
{
  const PlgEvaluation *evaluation;
  PlgReport *report;
  int n;
  Row rows[MAX_ROWS];
} CollectiveTable;

static PlgCollectiveUseSum
use_on_stage (const PlgEvaluation *evaluation, int use, int stage)
{
  PlgPieceCounts content = plg_evaluation_stage_pieces (evaluation, stage);

  return plg_collective_use_sum (&evaluation->workload->collective_uses[use], &content);
}

static void
append (CollectiveTable *table,
        Source source,
        int index,
        PlgGroupKind group,
        const PlgCollective *row)
{
  PlgCollective whole = *row;

  whole.group = group;
  whole.node_copy_share = source == SOURCE_USE
                              ? table->evaluation->workload->collective_uses[index].node_copy_share
                              : 1.0;
  g_assert (table->n < MAX_ROWS);
  table->rows[table->n++] = (Row) { .source = source, .index = index, .group = group };
  g_array_append_val (table->report->collectives, whole);
}

static void
set_extent (const PlgEvaluation *evaluation, const PlgGroupExtent *extent, PlgCollective *row)
{
  gboolean pairs = row->kind == PLG_COLLECTIVE_ALL_TO_ALL;
  double spine = pairs ? extent->pair_uplink_use : extent->ring_uplink_use;

  row->group_size = extent->size;
  row->nodes_spanned = extent->nodes;
  row->tier = plg_fabric_tier (&evaluation->workload->fabric, extent->nodes > 1, spine > 0.0);
}

static void
set_cost (const PlgEvaluation *evaluation,
          const PlgGroupExtent *extent,
          double bytes,
          PlgCollective *row)
{
  row->call_bytes = bytes;
  row->cost = plg_collective_cost (&evaluation->workload->fabric, extent, row->kind, bytes);
}

static double
use_bytes_sent (const PlgCollectiveUse *use, double bytes)
{
  if (use->node_copy_share < 1.0)
    return plg_collective_dispatch_sent (&use->extent, bytes, use->node_copy_share);
  return plg_collective_sent (use->kind, use->extent.size, bytes);
}

/* Adds a row for collective I of workload.collective_uses. The row describes the busiest stage
 * or, if that stage does not call the collective, the first stage that does. */
static void
add_use (CollectiveTable *table, int i)
{
  const PlgEvaluation *evaluation = table->evaluation;
  const PlgCollectiveUse *use = &evaluation->workload->collective_uses[i];
  PlgCollectiveUseSum sum = use_on_stage (evaluation, i, evaluation->busiest);
  gboolean busiest = sum.calls > 0.0;
  PlgCollective row = { .axis = use->axis,
                        .kind = use->kind,
                        .collective_subject = use->collective_subject,
                        .when = PLG_WHEN_IN_BLOCKS,
                        .stage = evaluation->busiest };
  PlgPieceCounts content;
  double longest = -1.0;

  for (int stage = 0; stage < evaluation->pipeline.stages && sum.calls <= 0.0; stage++)
    {
      row.stage = stage;
      sum = use_on_stage (evaluation, i, stage);
    }
  if (sum.calls <= 0.0)
    return;
  content = plg_evaluation_stage_pieces (evaluation, row.stage);

  /* The calls may differ between the pieces of the model on this stage (PLG_PIECE_…). Show the
   * cost of the longest call. */
  row.contention_factor = use->contention_factor;
  for (int j = 0; j < PLG_N_PIECES; j++)
    if (content.count[j] > 0.0 && use->piece[j].time > longest)
      {
        longest = use->piece[j].time;
        row.call_bytes = use->piece[j].bytes;
        row.cost = use->piece[j].cost;
      }
  set_extent (evaluation, &use->extent, &row);
  for (int piece = 0; piece < PLG_N_PIECES; piece++)
    for (PlgPhase phase = 0; phase < PLG_N_PHASES; phase++)
      if (use->piece[piece].calls[phase] > 0.0)
        row.blocks |= blocks_of_phase[phase];
  row.calls = sum.calls;
  row.bytes_per_call = sum.bytes / sum.calls;
  row.bytes_sent = use_bytes_sent (use, sum.bytes);
  row.time = sum.time;
  row.exposed = busiest ? sum.exposed : 0.0;
  append (table, SOURCE_USE, i, use->group, &row);
}

/* Returns the calls, bytes and time of the messages of a GPU on STAGE. The GPU sends one message
 * and receives one for each boundary and micro-batch. At the turning point of a V-shaped
 * schedule, the next virtual stage is on the same GPU, so no message is sent. A message with
 * several sets of activations counts once for each set. */
static PlgStageCalls
pipeline_calls (const PlgEvaluation *evaluation, int stage)
{
  const PlgPipeline *pipeline = &evaluation->pipeline;
  double messages = pipeline->micro_batches, bytes = plg_message_bytes (evaluation->plan);
  int ends = 0;

  if (pipeline->schedule == PLG_SCHEDULE_DUALPIPE)
    messages /= 2.0;
  for (int chunk = 0; chunk < pipeline->chunks; chunk++)
    {
      int position = plg_pipeline_position (pipeline, stage, chunk);

      if (!plg_pipeline_is_last (pipeline, position) &&
          plg_pipeline_stage (pipeline, position + 1) != stage)
        ends += plg_message_sets (evaluation->plan, position);
      if (position > 0 && !plg_pipeline_is_last (pipeline, position - 1) &&
          plg_pipeline_stage (pipeline, position - 1) != stage)
        ends += plg_message_sets (evaluation->plan, position - 1);
    }
  return (PlgStageCalls) { .calls = 2.0 * messages * ends,
                           .bytes_per_call = bytes,
                           .bytes_sent = messages * ends * bytes,
                           .time = 2.0 * messages * ends * evaluation->hop_time };
}

/* Adds the messages between stages: one forward and one back for each boundary, micro-batch and
 * chunk. A GPU between two boundaries sends messages in both directions. */
static void
add_pipeline (CollectiveTable *table)
{
  const PlgEvaluation *evaluation = table->evaluation;
  const PlgPipeline *pipeline = &evaluation->pipeline;
  PlgCollective row = { .axis = PLG_AXIS_PP,
                        .kind = PLG_COLLECTIVE_SEND_RECV,
                        .when = PLG_WHEN_BETWEEN_STAGES,
                        .stage = evaluation->busiest,
                        .contention_factor = 1.0 };
  PlgStageCalls own;
  PlgGroups groups;
  PlgGroupExtent extent;

  if (pipeline->stages < 2)
    return;
  plg_groups_init (&groups, &evaluation->plan->parallelism, PLG_GROUP_PP);
  extent = plg_groups_extent (&groups, evaluation->plan, &evaluation->workload->fabric);
  set_extent (evaluation, &extent, &row);
  row.tier = plg_fabric_tier (&evaluation->workload->fabric, evaluation->hop.nodes > 1,
                              evaluation->hop.ring_uplink_use > 0.0);
  own = pipeline_calls (evaluation, row.stage);
  row.calls = own.calls;
  row.bytes_per_call = own.bytes_per_call;
  row.bytes_sent = own.bytes_sent;
  row.time = own.time;
  set_cost (evaluation, &evaluation->hop, row.bytes_per_call, &row);
  /* A wait for a message also delays later blocks. The step includes this delay, but the exposed
   * time of the messages does not. */
  row.exposed = CLAMP (evaluation->result.length - evaluation->result.length_compute_only, 0.0,
                       row.time);
  append (table, SOURCE_PIPELINE, 0, PLG_GROUP_PP, &row);
}

static const PlgGradientSyncCall *
sync_call (const PlgEvaluation *evaluation, Source source, int share, int stage)
{
  const PlgGradientSync *sync = &evaluation->syncs[stage];

  switch (source)
    {
    case SOURCE_REDUCE:
      return &sync->reduce[share];
    case SOURCE_REPLICATE:
      return &sync->replicate[share];
    case SOURCE_EXCHANGE:
      return &sync->exchange[share];
    case SOURCE_ORTHOGONALIZE:
      return &sync->orthogonalize[share];
    case SOURCE_USE:
    case SOURCE_PIPELINE:
    case SOURCE_TIED:
    case SOURCE_GATHER:
    default:
      return &sync->gather[share];
    }
}

/* Returns the time of the calls of STAGE that share their exposed time with the calls of SOURCE.
 * A bucket of gradients is first reduced in its shard group and then between shard groups. */
static double
sync_time (const PlgEvaluation *evaluation, Source source, int stage)
{
  double time = 0.0;

  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    if (source == SOURCE_GATHER)
      time += sync_call (evaluation, SOURCE_GATHER, i, stage)->time;
    else
      time += sync_call (evaluation, SOURCE_REDUCE, i, stage)->time +
              sync_call (evaluation, SOURCE_REPLICATE, i, stage)->time;
  return time;
}

static void
add_sync (CollectiveTable *table, Source source)
{
  static const PlgCollectiveSubject subjects[][PLG_N_PARAMETER_KINDS] = {
    { PLG_COLLECTIVE_SUBJECT_LAYERS, PLG_COLLECTIVE_SUBJECT_EXPERTS },
    { PLG_COLLECTIVE_SUBJECT_REPLICAS, PLG_COLLECTIVE_SUBJECT_EXPERT_REPLICAS },
  };
  const PlgEvaluation *evaluation = table->evaluation;
  const PlgPlan *plan = evaluation->plan;
  gboolean replicate = source == SOURCE_REPLICATE;
  const PlgGroupExtent *spans;
  double exposed = source == SOURCE_GATHER ? evaluation->gather_exposed
                                           : evaluation->reduce_exposed;
  double longest = -1.0;
  int stage = 0;

  /* Report the calls of the stage whose calls take the longest time. */
  for (int i = 0; i < evaluation->pipeline.stages; i++)
    if (sync_time (evaluation, source, i) > longest)
      {
        longest = sync_time (evaluation, source, i);
        stage = i;
      }

  spans = replicate ? evaluation->syncs[stage].replica_spans : evaluation->syncs[stage].spans;
  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    {
      const PlgGradientSyncCall *call = sync_call (evaluation, source, i, stage);
      PlgCollective row = { .axis = PLG_AXIS_DP,
                            .collective_subject = subjects[replicate][i],
                            .stage = stage };

      if (call->calls <= 0.0)
        continue;
      row.kind = source == SOURCE_GATHER ? plg_gradient_sync_gather_kind (plan)
                 : replicate             ? PLG_COLLECTIVE_ALL_REDUCE
                                         : plg_gradient_sync_reduce_kind (plan);
      row.when = source == SOURCE_GATHER ? PLG_WHEN_BEFORE_BLOCKS : PLG_WHEN_AFTER_BLOCKS;
      set_extent (evaluation, &spans[i], &row);
      row.calls = call->calls;
      row.bytes_per_call = call->bytes / call->calls;
      set_cost (evaluation, &spans[i], row.bytes_per_call, &row);
      row.contention_factor = plg_gradient_sync_contention (plan, &spans[i], replicate);
      row.bytes_sent = plg_collective_sent (row.kind, row.group_size, call->bytes);
      row.time = call->time;
      row.exposed = exposed * call->time / longest;
      append (table, source, i, plg_gradient_sync_group (plan, i, replicate), &row);
    }
}

/* Adds the calls of Muon, which nothing hides. */
static void
add_muon (CollectiveTable *table, Source source)
{
  static const PlgCollectiveSubject subjects[PLG_N_PARAMETER_KINDS] = {
    [PLG_PARAMETERS_DENSE] = PLG_COLLECTIVE_SUBJECT_MOMENTUM,
    [PLG_PARAMETERS_EXPERT] = PLG_COLLECTIVE_SUBJECT_EXPERT_MOMENTUM,
  };
  static const PlgGroupKind groups[PLG_N_PARAMETER_KINDS] = {
    [PLG_PARAMETERS_DENSE] = PLG_GROUP_TP,
    [PLG_PARAMETERS_EXPERT] = PLG_GROUP_ETP,
  };
  const PlgEvaluation *evaluation = table->evaluation;
  const PlgPlan *plan = evaluation->plan;
  gboolean inside = source == SOURCE_ORTHOGONALIZE;
  int stage = evaluation->muon_stage;
  const PlgGradientSync *sync = &evaluation->syncs[stage];

  for (int i = 0; i < PLG_N_PARAMETER_KINDS; i++)
    {
      const PlgGradientSyncCall *call = sync_call (evaluation, source, i, stage);
      const PlgGroupExtent *span = inside ? &sync->tp_spans[i] : &sync->spans[i];
      PlgCollective row = { .axis = inside ? PLG_AXIS_TP : PLG_AXIS_DP,
                            .kind = inside ? plg_gradient_sync_muon_kind (plan)
                                           : PLG_COLLECTIVE_ALL_TO_ALL,
                            .collective_subject = subjects[i],
                            .when = PLG_WHEN_TIED,
                            .contention_factor = 1.0,
                            .stage = stage };

      if (call->calls <= 0.0)
        continue;
      set_extent (evaluation, span, &row);
      row.calls = call->calls;
      row.bytes_per_call = call->bytes / call->calls;
      set_cost (evaluation, span, row.bytes_per_call, &row);
      row.bytes_sent = plg_collective_sent (row.kind, row.group_size, call->bytes);
      row.time = row.exposed = call->time;
      append (table, source, i, inside ? groups[i] : plg_gradient_sync_group (plan, i, FALSE),
              &row);
    }
}

/* Returns the load that the collective in ROW puts on a GPU of STAGE. */
static PlgStageLoad
load_on (const CollectiveTable *table, const Row *row, int stage)
{
  const PlgEvaluation *evaluation = table->evaluation;
  PlgStageLoad load = { 0 };

  if (row->source == SOURCE_USE)
    {
      PlgCollectiveUseSum sum = use_on_stage (evaluation, row->index, stage);

      load = (PlgStageLoad) {
        .calls = sum.calls,
        .bytes = sum.bytes,
        .node_copy_share = evaluation->workload->collective_uses[row->index].node_copy_share
      };
    }
  else if (row->source == SOURCE_TIED)
    load = (PlgStageLoad) { .calls = 1.0,
                            .bytes = plg_gradient_sync_tied_bytes (evaluation->plan) };
  else
    {
      const PlgGradientSyncCall *call = sync_call (evaluation, row->source, row->index, stage);

      load = (PlgStageLoad) { .calls = call->calls, .bytes = call->bytes };
    }
  return load;
}

static PlgStageCalls
calls_on (const CollectiveTable *table, int i, int stage)
{
  const PlgCollective *whole = &g_array_index (table->report->collectives, PlgCollective, i);
  const Row *row = &table->rows[i];

  switch (row->source)
    {
    case SOURCE_USE:
      {
        const PlgEvaluation *evaluation = table->evaluation;
        int use = row->index;
        PlgCollectiveUseSum sum = use_on_stage (evaluation, use, stage);

        return (PlgStageCalls) {
          .calls = sum.calls,
          .bytes_per_call = sum.calls > 0.0 ? sum.bytes / sum.calls : 0.0,
          .bytes_sent = use_bytes_sent (&evaluation->workload->collective_uses[use], sum.bytes),
          .time = sum.time
        };
      }
    case SOURCE_PIPELINE:
      return pipeline_calls (table->evaluation, stage);
    case SOURCE_TIED:
      /* Only the first stage and one other hold the shared embedding, so no other stage makes
       * these calls. */
      if (stage > 0 && stage != plg_parallelism_copy_stage (&table->evaluation->plan->parallelism))
        return (PlgStageCalls) { 0 };
      return (PlgStageCalls) { whole->calls, whole->bytes_per_call, whole->bytes_sent,
                               whole->time };
    case SOURCE_REDUCE:
    case SOURCE_REPLICATE:
    case SOURCE_GATHER:
    case SOURCE_EXCHANGE:
    case SOURCE_ORTHOGONALIZE:
    default:
      {
        const PlgGradientSyncCall *call = sync_call (table->evaluation, row->source, row->index,
                                                     stage);

        return (PlgStageCalls) {
          .calls = call->calls,
          .bytes_per_call = call->calls > 0.0 ? call->bytes / call->calls : 0.0,
          .bytes_sent = plg_collective_sent (whole->kind, whole->group_size, call->bytes),
          .time = call->time
        };
      }
    }
}

static void
load_links (const CollectiveTable *table, const PlgFabric *fabric)
{
  const PlgEvaluation *evaluation = table->evaluation;
  int stages = evaluation->pipeline.stages;
  PlgStageLoad few[256];
  g_autofree PlgStageLoad *many = stages > (int) G_N_ELEMENTS (few) ? g_new (PlgStageLoad, stages)
                                                                    : NULL;
  PlgStageLoad *loads = many != NULL ? many : few;
  PlgTraffic traffic;

  plg_traffic_begin (&traffic, table->report, evaluation->plan, fabric);
  for (int i = 0; i < table->n; i++)
    {
      const Row *row = &table->rows[i];
      PlgCollectiveKind kind = g_array_index (table->report->collectives, PlgCollective, i).kind;

      if (row->source == SOURCE_PIPELINE)
        {
          plg_traffic_add_pipeline (&traffic, i, &evaluation->pipeline,
                                    plg_message_bytes (evaluation->plan));
          continue;
        }
      for (int stage = 0; stage < stages; stage++)
        loads[stage] = load_on (table, row, stage);
      plg_traffic_add (&traffic, i, row->group, kind, loads);
    }
  plg_traffic_end (&traffic);
}

void
plg_evaluation_report_collectives (const PlgEvaluation *evaluation,
                                   gboolean links,
                                   PlgReport *report)
{
  CollectiveTable table = { .evaluation = evaluation, .report = report };
  PlgCollective tied = { .axis = PLG_AXIS_PP,
                         .kind = PLG_COLLECTIVE_ALL_REDUCE,
                         .calls = 1.0,
                         .when = PLG_WHEN_TIED };

  g_array_set_size (report->collectives, 0);
  g_array_set_size (report->links, 0);
  g_array_set_size (report->link_shares, 0);
  g_array_set_size (report->stage_calls, 0);
  for (int i = 0; i < evaluation->workload->n_collective_uses; i++)
    add_use (&table, i);
  add_pipeline (&table);
  add_sync (&table, SOURCE_REDUCE);
  add_sync (&table, SOURCE_REPLICATE);
  add_sync (&table, SOURCE_GATHER);
  if (plg_gradient_sync_is_tied (evaluation->plan))
    {
      set_extent (evaluation, &evaluation->tied, &tied);
      tied.bytes_per_call = plg_gradient_sync_tied_bytes (evaluation->plan);
      tied.contention_factor = 1.0;
      set_cost (evaluation, &evaluation->tied, tied.bytes_per_call, &tied);
      tied.bytes_sent = plg_collective_sent (tied.kind, tied.group_size, tied.bytes_per_call);
      tied.time = tied.exposed = evaluation->tied_time;
      append (&table, SOURCE_TIED, 0, PLG_GROUP_EMBEDDING, &tied);
    }
  if (plg_uses_muon (evaluation->plan))
    {
      add_muon (&table, SOURCE_EXCHANGE);
      add_muon (&table, SOURCE_ORTHOGONALIZE);
    }
  if (!links)
    return;
  for (int i = 0; i < table.n; i++)
    for (int stage = 0; stage < evaluation->pipeline.stages; stage++)
      {
        PlgStageCalls calls = calls_on (&table, i, stage);

        g_array_append_val (report->stage_calls, calls);
      }
  load_links (&table, &evaluation->workload->fabric);
}
