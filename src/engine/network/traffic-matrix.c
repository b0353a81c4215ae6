/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/traffic-matrix.h"

#include "engine/model/flops.h"
#include "engine/network/collective.h"
#include "engine/schedule/schedule.h"

typedef struct
{
  const PlgPlan *plan;
  const PlgCollective *row;
  PlgFabric fabric;
  PlgGroups groups;
  PlgRing ring;
  const PlgTrafficMatrixWindow *window;
  int columns;
  double *matrix;
} TrafficMatrix;

static int
count_items (PlgRange range, int gpus_each)
{
  return (range.n + gpus_each - 1) / gpus_each;
}

int
plg_traffic_matrix_rows (const PlgTrafficMatrixWindow *window)
{
  return count_items (window->senders, window->gpus_each);
}

int
plg_traffic_matrix_columns (const PlgTrafficMatrixWindow *window)
{
  return count_items (window->receivers, window->gpus_each);
}

static void
send (TrafficMatrix *traffic_matrix, int from, int to, double bytes)
{
  const PlgTrafficMatrixWindow *window = traffic_matrix->window;
  int a = from - window->senders.first, b = to - window->receivers.first;

  if (from == to || a < 0 || a >= window->senders.n || b < 0 || b >= window->receivers.n)
    return;
  a /= window->gpus_each;
  b /= window->gpus_each;
  traffic_matrix->matrix[(gsize) a * traffic_matrix->columns + b] += bytes;
}

static int
gpu_of (const TrafficMatrix *traffic_matrix, int group, int i)
{
  return plg_placement_gpu (&traffic_matrix->plan->placement,
                            plg_groups_rank (&traffic_matrix->groups, group, i));
}

/* Adds the BYTES that each member on the I-th node of the ring sends inside the node, in equal
 * parts to the other members. */
static void
send_inside (TrafficMatrix *traffic_matrix, int i, double bytes)
{
  const PlgRing *ring = &traffic_matrix->ring;
  int first = ring->first[i], end = ring->first[i + 1];

  for (int a = first; a < end; a++)
    for (int b = first; b < end; b++)
      if (a != b)
        send (traffic_matrix, ring->gpu[a], ring->gpu[b], bytes / (end - first - 1));
}

static void
send_group (TrafficMatrix *traffic_matrix, int group, const PlgStageCalls *calls)
{
  PlgCollectiveKind kind = traffic_matrix->row->kind;
  double bytes = calls->calls * calls->bytes_per_call;

  if (traffic_matrix->groups.size < 2 || !(bytes > 0.0))
    return;
  if (kind == PLG_COLLECTIVE_SEND_RECV)
    {
      int size = traffic_matrix->groups.size;

      for (int i = 0; i < size; i++)
        send (traffic_matrix, gpu_of (traffic_matrix, group, i),
              gpu_of (traffic_matrix, group, (i + 1) % size), bytes);

      return;
    }
  plg_ring_set (&traffic_matrix->ring, &traffic_matrix->groups, group, traffic_matrix->plan,
                &traffic_matrix->fabric);
  if (kind == PLG_COLLECTIVE_ALL_TO_ALL)
    {
      /* If a token is sent to each node only once, its first receiver on the node forwards it to
       * the other receivers there. Add these forwarded bytes to the traffic inside the node. */
      const PlgRing *ring = &traffic_matrix->ring;
      double node_copy_share = traffic_matrix->row->node_copy_share, peer = bytes / ring->size;

      for (int i = 0; i < ring->nodes; i++)
        {
          double members = plg_ring_members (ring, i);
          double handed = node_copy_share < 1.0 ? peer * (ring->size - members) / members : 0.0;

          send_inside (traffic_matrix, i, (peer + handed) * (members - 1.0));
          for (int a = ring->first[i]; a < ring->first[i + 1]; a++)
            for (int b = 0; b < ring->size; b++)
              if (b < ring->first[i] || b >= ring->first[i + 1])
                send (traffic_matrix, ring->gpu[a], ring->gpu[b], node_copy_share * peer);
        }
    }
  else
    {
      double sent = plg_collective_sent (kind, traffic_matrix->ring.size, bytes);
      const PlgRing *ring = &traffic_matrix->ring;

      for (int i = 0; i < ring->nodes; i++)
        {
          double outside = ring->nodes > 1 ? sent / plg_ring_members (ring, i) : 0.0;

          send_inside (traffic_matrix, i, sent - outside);
          if (ring->nodes > 1)
            {
              /* Member c of the node sends to member c of the next node. If the two nodes have
               * different numbers of members, each member sends equal parts to all members of
               * the next node instead. */
              int next = (i + 1) % ring->nodes;
              int from = plg_ring_members (ring, i), to = plg_ring_members (ring, next);
              int channels = from * to / (from == to ? from : 1);

              for (int c = 0; c < channels; c++)
                send (traffic_matrix, ring->gpu[ring->first[i] + c % from],
                      ring->gpu[ring->first[next] + (from == to ? c : c / from)], sent / channels);
            }
        }
    }
}

void
plg_traffic_matrix_add (const PlgPlan *plan,
                        const PlgReport *report,
                        int collective,
                        const PlgTrafficMatrixWindow *window,
                        double *matrix)
{
  TrafficMatrix traffic_matrix;

  g_return_if_fail (window->gpus_each > 0);

  traffic_matrix.plan = plan;
  traffic_matrix.row = &g_array_index (report->collectives, PlgCollective, collective);
  traffic_matrix.window = window;
  traffic_matrix.columns = plg_traffic_matrix_columns (window);
  traffic_matrix.matrix = matrix;
  plg_fabric_of_plan (&traffic_matrix.fabric, plan);
  plg_groups_init (&traffic_matrix.groups, &plan->parallelism,
                   (PlgGroupKind) traffic_matrix.row->group);
  plg_ring_init (&traffic_matrix.ring, &traffic_matrix.fabric);
  for (int group = 0; group < traffic_matrix.groups.count; group++)
    {
      int stage = plg_groups_stage (&traffic_matrix.groups, group);
      const PlgStageCalls *calls = plg_report_stage_calls (report, collective, stage);

      if (traffic_matrix.row->when == PLG_WHEN_BETWEEN_STAGES)
        {
          /* Each boundary carries one message per micro-batch forward, and the gradient of this
           * message back. */
          PlgPipeline pipeline;
          double bytes;

          plg_pipeline_init (&pipeline, traffic_matrix.plan);
          bytes = traffic_matrix.row->bytes_per_call * pipeline.micro_batches;
          if (pipeline.schedule == PLG_SCHEDULE_DUALPIPE)
            bytes /= 2.0;
          for (int position = 0; position < plg_pipeline_positions (&pipeline); position++)
            if (!plg_pipeline_is_last (&pipeline, position))
              {
                int a = gpu_of (&traffic_matrix, group, plg_pipeline_stage (&pipeline, position));
                int b = gpu_of (&traffic_matrix, group,
                                plg_pipeline_stage (&pipeline, position + 1));

                int sets = plg_message_sets (traffic_matrix.plan, position);

                send (&traffic_matrix, a, b, sets * bytes);
                send (&traffic_matrix, b, a, sets * bytes);
              }
        }
      else if (calls != NULL)
        send_group (&traffic_matrix, group, calls);
    }
}
