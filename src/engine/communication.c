/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/evaluation.h"

#include "engine/flops.h"
#include "engine/traffic.h"

/* A row of the report and where its calls come from. */
typedef enum
{
  SOURCE_DEMAND, /* of each micro-batch: workload.demands */
  SOURCE_PIPELINE,
  SOURCE_REDUCE, /* at the end of the step: syncs */
  SOURCE_GATHER,
  SOURCE_TIED,
} Source;

typedef struct
{
  Source source;
  int index; /* of the demand or the share */
  PlgGroupKind group;
} Row;

#define MAX_ROWS (PLG_MAX_DEMANDS + 6)

typedef struct
{
  const PlgEvaluation *evaluation;
  PlgReport *report;
  int n;
  Row rows[MAX_ROWS];
} Table;

static PlgDemandSum
demand_on (const PlgEvaluation *evaluation, int demand, int stage)
{
  PlgContent content = plg_evaluation_stage (evaluation, stage);

  return plg_demand_sum (&evaluation->workload.demands[demand], &content);
}

static void
append (Table *table, Source source, int index, PlgGroupKind group, const PlgCollective *row)
{
  PlgCollective whole = *row;

  whole.group = group;
  whole.once = source == SOURCE_DEMAND ? table->evaluation->workload.demands[index].once : 1.0;
  table->rows[table->n++] = (Row) { .source = source, .index = index, .group = group };
  g_array_append_val (table->report->collectives, whole);
}

static void
set_span (const PlgEvaluation *evaluation, const PlgSpan *span, PlgCollective *row)
{
  gboolean pairs = row->kind == PLG_COLLECTIVE_ALL_TO_ALL;
  double spine = pairs ? span->pair_spine : span->ring_spine;

  row->group_size = span->size;
  row->nodes_spanned = span->nodes;
  row->tier = plg_fabric_tier (&evaluation->workload.fabric, span->nodes > 1, spine > 0.0);
}

/* In which kinds of blocks PHASE is. */
static guint
blocks_of (PlgPhase phase)
{
  static const guint blocks[PLG_N_PHASES] = {
    [PLG_PHASE_FORWARD] = 1u << PLG_BLOCK_FORWARD,
    [PLG_PHASE_INPUT] = 1u << PLG_BLOCK_BACKWARD | 1u << PLG_BLOCK_BACKWARD_INPUT,
    [PLG_PHASE_WEIGHT] = 1u << PLG_BLOCK_BACKWARD | 1u << PLG_BLOCK_BACKWARD_WEIGHT,
  };

  return blocks[phase];
}

static guint
blocks_with (const PlgDemand *demand)
{
  guint blocks = 0;

  for (int piece = 0; piece < PLG_N_PIECES; piece++)
    for (PlgPhase phase = 0; phase < PLG_N_PHASES; phase++)
      if (demand->piece[piece].calls[phase] > 0.0)
        blocks |= blocks_of (phase);
  return blocks;
}

/* The call that takes longest of those that CONTENT has. */
static void
set_call (const PlgDemand *demand, const PlgContent *content, PlgCollective *row)
{
  double longest = -1.0;

  row->late = demand->late;
  for (int i = 0; i < PLG_N_PIECES; i++)
    if (content->count[i] > 0.0 && demand->piece[i].time > longest)
      {
        longest = demand->piece[i].time;
        row->call_bytes = demand->piece[i].bytes;
        row->cost = demand->piece[i].cost;
      }
}

static void
set_cost (const PlgEvaluation *evaluation, const PlgSpan *span, double bytes, PlgCollective *row)
{
  row->call_bytes = bytes;
  row->cost = plg_collective_cost (&evaluation->workload.fabric, span, row->kind, bytes);
}

static double
demand_sent (const PlgDemand *demand, double bytes)
{
  if (demand->once < 1.0)
    return plg_collective_dispatch_sent (&demand->span, bytes, demand->once);
  return plg_collective_sent (demand->kind, demand->span.size, bytes);
}

/* On the busiest stage; calls that this one has none of, on the first that has. */
static void
add_demand (Table *table, int i)
{
  const PlgEvaluation *evaluation = table->evaluation;
  const PlgDemand *demand = &evaluation->workload.demands[i];
  PlgDemandSum sum = demand_on (evaluation, i, evaluation->busiest);
  gboolean busiest = sum.calls > 0.0;
  PlgCollective row = { .axis = demand->axis,
                        .kind = demand->kind,
                        .concern = demand->concern,
                        .when = PLG_WHEN_IN_BLOCKS,
                        .stage = evaluation->busiest };
  PlgContent content;

  for (int stage = 0; stage < evaluation->pipeline.stages && sum.calls <= 0.0; stage++)
    {
      row.stage = stage;
      sum = demand_on (evaluation, i, stage);
    }
  if (sum.calls <= 0.0)
    return;
  content = plg_evaluation_stage (evaluation, row.stage);
  set_call (demand, &content, &row);
  set_span (evaluation, &demand->span, &row);
  row.blocks = blocks_with (demand);
  row.calls = sum.calls;
  row.bytes_per_call = sum.bytes / sum.calls;
  row.bytes_sent = demand_sent (demand, sum.bytes);
  row.time = sum.time;
  row.exposed = busiest ? sum.exposed : 0.0;
  append (table, SOURCE_DEMAND, i, demand->group, &row);
}

/* A GPU sends one message a boundary and micro-batch, and gets one. Where a V turns round, what is
 * next is on the same GPU, and nothing is sent. */
static PlgStageCalls
pipeline_calls (const PlgEvaluation *evaluation, int stage)
{
  const PlgPipeline *pipeline = &evaluation->pipeline;
  double messages = pipeline->micro_batches, bytes = plg_message_bytes (evaluation->plan);
  int ends = 0;

  if (pipeline->schedule == PLG_SCHEDULE_DUALPIPE)
    messages /= 2.0;
  for (int position = 0; position < plg_pipeline_positions (pipeline); position++)
    if (!plg_pipeline_is_last (pipeline, position))
      ends += (plg_pipeline_stage (pipeline, position) == stage) !=
              (plg_pipeline_stage (pipeline, position + 1) == stage);
  return (PlgStageCalls) { .calls = 2.0 * messages * ends,
                           .bytes_per_call = bytes,
                           .bytes_sent = messages * ends * bytes,
                           .time = 2.0 * messages * ends * evaluation->hop_time };
}

/* One boundary of the pipeline: a message forward and one back for each micro-batch and chunk. A
 * GPU between two boundaries sends both kinds. */
static void
add_pipeline (Table *table)
{
  const PlgEvaluation *evaluation = table->evaluation;
  const PlgPipeline *pipeline = &evaluation->pipeline;
  PlgCollective row = { .axis = PLG_AXIS_PP,
                        .kind = PLG_COLLECTIVE_SEND_RECV,
                        .when = PLG_WHEN_BETWEEN_STAGES,
                        .stage = evaluation->busiest,
                        .late = 1.0 };
  PlgStageCalls own;
  PlgGroups groups;
  PlgSpan span;

  if (pipeline->stages < 2)
    return;
  plg_groups_init (&groups, &evaluation->plan->parallelism, PLG_GROUP_PP);
  span = plg_groups_span (&groups, evaluation->plan, &evaluation->workload.fabric);
  set_span (evaluation, &span, &row);
  row.tier = plg_fabric_tier (&evaluation->workload.fabric, evaluation->hop.nodes > 1,
                              evaluation->hop.ring_spine > 0.0);
  own = pipeline_calls (evaluation, row.stage);
  row.calls = own.calls;
  row.bytes_per_call = own.bytes_per_call;
  row.bytes_sent = own.bytes_sent;
  row.time = own.time;
  set_cost (evaluation, &evaluation->hop, row.bytes_per_call, &row);
  /* Waiting for a message also holds up those behind it; that is part of the step, not of the
   * message. */
  row.exposed = CLAMP (evaluation->result.length - evaluation->result.length_alone, 0.0, row.time);
  append (table, SOURCE_PIPELINE, 0, PLG_GROUP_PP, &row);
}

static const PlgSyncCall *
sync_call (const PlgEvaluation *evaluation, Source source, int share, int stage)
{
  const PlgSync *sync = &evaluation->syncs[stage];

  return source == SOURCE_REDUCE ? &sync->reduce[share] : &sync->gather[share];
}

/* The stage on which the collectives of SOURCE take longest. */
static int
longest_sync (const PlgEvaluation *evaluation, Source source)
{
  double longest = -1.0;
  int stage = 0;

  for (int i = 0; i < evaluation->pipeline.stages; i++)
    {
      double time = sync_call (evaluation, source, PLG_SHARE_DENSE, i)->time +
                    sync_call (evaluation, source, PLG_SHARE_EXPERT, i)->time;

      if (time > longest)
        {
          longest = time;
          stage = i;
        }
    }
  return stage;
}

static void
add_sync (Table *table, Source source)
{
  static const PlgGroupKind groups[] = { PLG_GROUP_DATA, PLG_GROUP_EXPERT_DATA };
  static const PlgConcern concerns[] = { PLG_CONCERN_LAYERS, PLG_CONCERN_EXPERTS };
  const PlgEvaluation *evaluation = table->evaluation;
  int stage = longest_sync (evaluation, source);
  const PlgSpan *spans = evaluation->syncs[stage].spans;
  double exposed = source == SOURCE_REDUCE ? evaluation->reduce_exposed
                                           : evaluation->gather_exposed;
  double total = sync_call (evaluation, source, PLG_SHARE_DENSE, stage)->time +
                 sync_call (evaluation, source, PLG_SHARE_EXPERT, stage)->time;

  for (int i = 0; i < PLG_N_SHARES; i++)
    {
      const PlgSyncCall *call = sync_call (evaluation, source, i, stage);
      PlgCollective row = { .axis = PLG_AXIS_DP, .concern = concerns[i], .stage = stage };

      if (call->calls <= 0.0)
        continue;
      row.kind = source == SOURCE_GATHER                   ? PLG_COLLECTIVE_ALL_GATHER
                 : evaluation->plan->parallelism.zero == 0 ? PLG_COLLECTIVE_ALL_REDUCE
                                                           : PLG_COLLECTIVE_REDUCE_SCATTER;
      row.when = source == SOURCE_GATHER ? PLG_WHEN_BEFORE_BLOCKS : PLG_WHEN_AFTER_BLOCKS;
      set_span (evaluation, &spans[i], &row);
      row.calls = call->calls;
      row.bytes_per_call = call->bytes / call->calls;
      set_cost (evaluation, &spans[i], row.bytes_per_call, &row);
      row.late = plg_sync_lateness (&spans[i]);
      row.bytes_sent = plg_collective_sent (row.kind, row.group_size, call->bytes);
      row.time = call->time;
      row.exposed = exposed * call->time / total;
      append (table, source, i, groups[i], &row);
    }
}

static void
add_tied (Table *table)
{
  const PlgEvaluation *evaluation = table->evaluation;
  PlgCollective row = { .axis = PLG_AXIS_PP,
                        .kind = PLG_COLLECTIVE_ALL_REDUCE,
                        .calls = 1.0,
                        .when = PLG_WHEN_TIED };
  PlgGroups groups;
  PlgSpan span;

  if (!plg_sync_is_tied (evaluation->plan))
    return;
  plg_groups_init (&groups, &evaluation->plan->parallelism, PLG_GROUP_EMBEDDING);
  span = plg_groups_span (&groups, evaluation->plan, &evaluation->workload.fabric);
  set_span (evaluation, &span, &row);
  row.bytes_per_call = plg_sync_tied_bytes (evaluation->plan);
  row.late = 1.0;
  set_cost (evaluation, &span, row.bytes_per_call, &row);
  row.bytes_sent = plg_collective_sent (row.kind, row.group_size, row.bytes_per_call);
  row.time = row.exposed = evaluation->tied_time;
  append (table, SOURCE_TIED, 0, PLG_GROUP_EMBEDDING, &row);
}

/* What a row puts on a GPU of STAGE. */
static PlgLoad
load_on (const Table *table, const Row *row, int stage)
{
  const PlgEvaluation *evaluation = table->evaluation;
  PlgLoad load = { 0 };

  if (row->source == SOURCE_DEMAND)
    {
      PlgDemandSum sum = demand_on (evaluation, row->index, stage);

      load = (PlgLoad) { .calls = sum.calls,
                         .bytes = sum.bytes,
                         .once = evaluation->workload.demands[row->index].once };
    }
  else if (row->source == SOURCE_TIED)
    load = (PlgLoad) { .calls = 1.0, .bytes = plg_sync_tied_bytes (evaluation->plan) };
  else
    {
      const PlgSyncCall *call = sync_call (evaluation, row->source, row->index, stage);

      load = (PlgLoad) { .calls = call->calls, .bytes = call->bytes };
    }
  return load;
}

/* The first stage and the one with the output share an embedding. */
static PlgStageCalls
tied_calls (const PlgEvaluation *evaluation, const PlgCollective *row, int stage)
{
  if (stage > 0 && !plg_stage_has_output (evaluation->plan, stage))
    return (PlgStageCalls) { 0 };
  return (PlgStageCalls) { row->calls, row->bytes_per_call, row->bytes_sent, row->time };
}

static PlgStageCalls
demand_calls (const PlgEvaluation *evaluation, int demand, int stage)
{
  PlgDemandSum sum = demand_on (evaluation, demand, stage);

  return (PlgStageCalls) { .calls = sum.calls,
                           .bytes_per_call = sum.calls > 0.0 ? sum.bytes / sum.calls : 0.0,
                           .bytes_sent = demand_sent (&evaluation->workload.demands[demand],
                                                      sum.bytes),
                           .time = sum.time };
}

static PlgStageCalls
sync_calls (const PlgEvaluation *evaluation, const Row *row, const PlgCollective *whole, int stage)
{
  const PlgSyncCall *call = sync_call (evaluation, row->source, row->index, stage);

  return (PlgStageCalls) { .calls = call->calls,
                           .bytes_per_call = call->calls > 0.0 ? call->bytes / call->calls : 0.0,
                           .bytes_sent = plg_collective_sent (whole->kind, whole->group_size,
                                                              call->bytes),
                           .time = call->time };
}

static PlgStageCalls
calls_on (const Table *table, int i, int stage)
{
  const PlgCollective *whole = &g_array_index (table->report->collectives, PlgCollective, i);
  const Row *row = &table->rows[i];

  switch (row->source)
    {
    case SOURCE_DEMAND:
      return demand_calls (table->evaluation, row->index, stage);
    case SOURCE_PIPELINE:
      return pipeline_calls (table->evaluation, stage);
    case SOURCE_TIED:
      return tied_calls (table->evaluation, whole, stage);
    case SOURCE_REDUCE:
    case SOURCE_GATHER:
    default:
      return sync_calls (table->evaluation, row, whole, stage);
    }
}

static void
add_stage_calls (const Table *table)
{
  for (int i = 0; i < table->n; i++)
    for (int stage = 0; stage < table->evaluation->pipeline.stages; stage++)
      {
        PlgStageCalls calls = calls_on (table, i, stage);

        g_array_append_val (table->report->stage_calls, calls);
      }
}

static void
route (const Table *table, const PlgFabric *fabric)
{
  const PlgEvaluation *evaluation = table->evaluation;
  int stages = evaluation->pipeline.stages;
  PlgLoad few[256];
  g_autofree PlgLoad *many = stages > (int) G_N_ELEMENTS (few) ? g_new (PlgLoad, stages) : NULL;
  PlgLoad *loads = many != NULL ? many : few;
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
plg_communication_report (const PlgEvaluation *evaluation, gboolean links, PlgReport *report)
{
  Table table = { .evaluation = evaluation, .report = report };

  g_array_set_size (report->collectives, 0);
  g_array_set_size (report->links, 0);
  g_array_set_size (report->link_shares, 0);
  g_array_set_size (report->stage_calls, 0);
  for (int i = 0; i < evaluation->workload.n_demands; i++)
    add_demand (&table, i);
  add_pipeline (&table);
  add_sync (&table, SOURCE_REDUCE);
  add_sync (&table, SOURCE_GATHER);
  add_tied (&table);
  if (!links)
    return;
  add_stage_calls (&table);
  route (&table, &evaluation->workload.fabric);
}
