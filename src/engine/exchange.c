/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/exchange.h"

#include "engine/collective.h"
#include "engine/schedule.h"

typedef struct
{
  const PlgPlan *plan;
  const PlgCollective *row;
  PlgFabric fabric;
  PlgGroups groups;
  PlgRing ring;
  const PlgExchangeWindow *window;
  int columns;
  double *matrix;
} Exchange;

static int
in_items (PlgRange range, int gpus_each)
{
  return (range.n + gpus_each - 1) / gpus_each;
}

int
plg_exchange_rows (const PlgExchangeWindow *window)
{
  return in_items (window->senders, window->gpus_each);
}

int
plg_exchange_columns (const PlgExchangeWindow *window)
{
  return in_items (window->receivers, window->gpus_each);
}

static void
send (Exchange *exchange, int from, int to, double bytes)
{
  const PlgExchangeWindow *window = exchange->window;
  int a = from - window->senders.first, b = to - window->receivers.first;

  if (from == to || a < 0 || a >= window->senders.n || b < 0 || b >= window->receivers.n)
    return;
  a /= window->gpus_each;
  b /= window->gpus_each;
  exchange->matrix[(gsize) a * exchange->columns + b] += bytes;
}

static int
gpu_of (const Exchange *exchange, int group, int i)
{
  return plg_placement_gpu (&exchange->plan->placement,
                            plg_groups_rank (&exchange->groups, group, i));
}

/* Each member on the I-th node of the ring sends BYTES inside it, to all others alike. */
static void
send_inside (Exchange *exchange, int i, double bytes)
{
  const PlgRing *ring = &exchange->ring;
  int first = ring->first[i], end = ring->first[i + 1];

  for (int a = first; a < end; a++)
    for (int b = first; b < end; b++)
      if (a != b)
        send (exchange, ring->gpu[a], ring->gpu[b], bytes / (end - first - 1));
}

/* The I-th node passes BYTES on to the next. Each of its members sends an equal part; where the
 * next node has others in number, the parts are dealt out to them in turn. */
static void
send_on (Exchange *exchange, int i, double bytes)
{
  const PlgRing *ring = &exchange->ring;
  int next = (i + 1) % ring->nodes;
  int from = plg_ring_members (ring, i), to = plg_ring_members (ring, next);
  int channels = from * to / (from == to ? from : 1);

  for (int c = 0; c < channels; c++)
    send (exchange, ring->gpu[ring->first[i] + c % from],
          ring->gpu[ring->first[next] + (from == to ? c : c / from)], bytes / channels);
}

static void
send_ring (Exchange *exchange, double bytes)
{
  const PlgRing *ring = &exchange->ring;

  for (int i = 0; i < ring->nodes; i++)
    {
      double outside = ring->nodes > 1 ? bytes / plg_ring_members (ring, i) : 0.0;

      send_inside (exchange, i, bytes - outside);
      if (ring->nodes > 1)
        send_on (exchange, i, bytes);
    }
}

/* Where a token is sent once to each node, its first receiver there hands it to the others. */
static void
send_to_all (Exchange *exchange, double bytes)
{
  const PlgRing *ring = &exchange->ring;
  double once = exchange->row->once, peer = bytes / ring->size;

  for (int i = 0; i < ring->nodes; i++)
    {
      double members = plg_ring_members (ring, i);
      double handed = once < 1.0 ? peer * (ring->size - members) / members : 0.0;

      send_inside (exchange, i, (peer + handed) * (members - 1.0));
      for (int a = ring->first[i]; a < ring->first[i + 1]; a++)
        for (int b = 0; b < ring->size; b++)
          if (b < ring->first[i] || b >= ring->first[i + 1])
            send (exchange, ring->gpu[a], ring->gpu[b], once * peer);
    }
}

static void
send_to_neighbours (Exchange *exchange, int group, double bytes)
{
  int size = exchange->groups.size;

  for (int i = 0; i < size; i++)
    send (exchange, gpu_of (exchange, group, i), gpu_of (exchange, group, (i + 1) % size), bytes);
}

/* One message a micro-batch from each position of the pipeline to the next, and its gradient back.
 */
static void
send_along (Exchange *exchange, int chain)
{
  PlgPipeline pipeline;
  double bytes;

  plg_pipeline_init (&pipeline, exchange->plan);
  bytes = exchange->row->bytes_per_call * pipeline.micro_batches;
  if (pipeline.schedule == PLG_SCHEDULE_DUALPIPE)
    bytes /= 2.0;
  for (int position = 0; position < plg_pipeline_positions (&pipeline); position++)
    if (!plg_pipeline_is_last (&pipeline, position))
      {
        int a = gpu_of (exchange, chain, plg_pipeline_stage (&pipeline, position));
        int b = gpu_of (exchange, chain, plg_pipeline_stage (&pipeline, position + 1));

        send (exchange, a, b, bytes);
        send (exchange, b, a, bytes);
      }
}

static void
send_group (Exchange *exchange, int group, const PlgStageCalls *calls)
{
  PlgCollectiveKind kind = exchange->row->kind;
  double bytes = calls->calls * calls->bytes_per_call;

  if (exchange->groups.size < 2 || !(bytes > 0.0))
    return;
  if (kind == PLG_COLLECTIVE_SEND_RECV)
    {
      send_to_neighbours (exchange, group, bytes);
      return;
    }
  plg_ring_set (&exchange->ring, &exchange->groups, group, exchange->plan, &exchange->fabric);
  if (kind == PLG_COLLECTIVE_ALL_TO_ALL)
    send_to_all (exchange, bytes);
  else
    send_ring (exchange, plg_collective_sent (kind, exchange->ring.size, bytes));
}

void
plg_exchange_add (const PlgPlan *plan,
                  const PlgReport *report,
                  int collective,
                  const PlgExchangeWindow *window,
                  double *matrix)
{
  Exchange exchange;

  g_return_if_fail (window->gpus_each > 0);

  exchange.plan = plan;
  exchange.row = &g_array_index (report->collectives, PlgCollective, collective);
  exchange.window = window;
  exchange.columns = plg_exchange_columns (window);
  exchange.matrix = matrix;
  plg_fabric_of_plan (&exchange.fabric, plan);
  plg_groups_init (&exchange.groups, &plan->parallelism, (PlgGroupKind) exchange.row->group);
  plg_ring_init (&exchange.ring, &exchange.fabric);
  for (int group = 0; group < exchange.groups.count; group++)
    {
      int stage = plg_groups_stage (&exchange.groups, group);
      const PlgStageCalls *calls = plg_report_stage_calls (report, collective, stage);

      if (exchange.row->when == PLG_WHEN_BETWEEN_STAGES)
        send_along (&exchange, group);
      else if (calls != NULL)
        send_group (&exchange, group, calls);
    }
}
