/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/relay.h"

static PlgRelayShape
shape_of (const PlgCollective *collective)
{
  switch (collective->kind)
    {
    case PLG_COLLECTIVE_REDUCE_SCATTER:
      return PLG_RELAY_REDUCE;
    case PLG_COLLECTIVE_ALL_GATHER:
      return PLG_RELAY_GATHER;
    case PLG_COLLECTIVE_ALL_TO_ALL:
      return PLG_RELAY_PAIRS;
    case PLG_COLLECTIVE_SEND_RECV:
      return collective->when == PLG_WHEN_BETWEEN_STAGES ? PLG_RELAY_CHAIN : PLG_RELAY_GATHER;
    case PLG_COLLECTIVE_ALL_REDUCE:
    default:
      return PLG_RELAY_ALL_REDUCE;
    }
}

void
plg_relay_init (PlgRelay *relay, const PlgCollective *collective)
{
  *relay = (PlgRelay) { .shape = shape_of (collective),
                        .members = MAX (collective->group_size, 2),
                        .bytes = collective->bytes_per_call };
  /* Each message of ring attention is one member's keys and values. */
  if (collective->kind == PLG_COLLECTIVE_SEND_RECV && relay->shape == PLG_RELAY_GATHER)
    relay->bytes *= relay->members;
}

int
plg_relay_steps (const PlgRelay *relay)
{
  return relay->shape == PLG_RELAY_ALL_REDUCE ? 2 * (relay->members - 1) : relay->members - 1;
}

int
plg_relay_chunks (const PlgRelay *relay)
{
  return relay->shape == PLG_RELAY_CHAIN ? 1 : relay->members;
}

double
plg_relay_step_bytes (const PlgRelay *relay)
{
  return relay->bytes / plg_relay_chunks (relay);
}

double
plg_relay_total_bytes (const PlgRelay *relay)
{
  int sends = relay->shape == PLG_RELAY_CHAIN ? 1 : plg_relay_steps (relay);

  return sends * plg_relay_step_bytes (relay);
}

int
plg_relay_whole (const PlgRelay *relay)
{
  return relay->shape == PLG_RELAY_REDUCE || relay->shape == PLG_RELAY_ALL_REDUCE ? relay->members
                                                                                  : 1;
}

gboolean
plg_relay_is_gathering (const PlgRelay *relay, int step)
{
  return relay->shape == PLG_RELAY_ALL_REDUCE && step > relay->members - 1;
}

/* How far MEMBER stands behind FIRST, round the ring. */
static int
distance (const PlgRelay *relay, int first, int member)
{
  return ((member - first) % relay->members + relay->members) % relay->members;
}

/* The sum over a chunk begins at the member after the one with its number and ends at that one. */
static int
held_reducing (const PlgRelay *relay, int step, int member, int chunk)
{
  int place = distance (relay, chunk + 1, member);

  return place <= step ? place + 1 : 1;
}

int
plg_relay_held (const PlgRelay *relay, int step, int member, int chunk)
{
  int n = relay->members, reducing = n - 1;

  switch (relay->shape)
    {
    case PLG_RELAY_REDUCE:
      return held_reducing (relay, step, member, chunk);
    case PLG_RELAY_ALL_REDUCE:
      if (step > reducing && distance (relay, chunk, member) <= step - reducing)
        return n;
      return held_reducing (relay, MIN (step, reducing), member, chunk);
    case PLG_RELAY_GATHER:
    case PLG_RELAY_PAIRS:
      return distance (relay, chunk, member) <= step;
    case PLG_RELAY_CHAIN:
    default:
      return member <= step;
    }
}

gboolean
plg_relay_send (const PlgRelay *relay, int step, int member, int *to, int *chunk)
{
  int n = relay->members;
  gboolean reducing = relay->shape == PLG_RELAY_REDUCE ||
                      (relay->shape == PLG_RELAY_ALL_REDUCE && step <= n - 1);

  *to = (member + 1) % n;
  if (relay->shape == PLG_RELAY_CHAIN)
    {
      *chunk = 0;
      return member == step - 1 && step < n;
    }
  if (relay->shape == PLG_RELAY_PAIRS)
    {
      *to = (member + step) % n;
      *chunk = member;
      return TRUE;
    }
  if (relay->shape == PLG_RELAY_ALL_REDUCE && !reducing)
    step -= n - 1;
  *chunk = distance (relay, step, reducing ? member : member + 1);
  return TRUE;
}

/* The group of RANK, or the first one. */
static int
find_group (const PlgGroups *groups, int rank)
{
  for (int group = 0; group < groups->count; group++)
    for (int i = 0; i < groups->size; i++)
      if (plg_groups_rank (groups, group, i) == rank)
        return group;
  return 0;
}

GArray *
plg_relay_gpus (const PlgPlan *plan, const PlgCollective *collective, int rank)
{
  GArray *gpus = g_array_new (FALSE, FALSE, sizeof (int));
  PlgGroups groups;
  int group;

  plg_groups_init (&groups, &plan->parallelism, (PlgGroupKind) collective->group);
  group = find_group (&groups, rank);
  if (collective->when == PLG_WHEN_BETWEEN_STAGES)
    for (int i = 0; i < groups.size; i++)
      {
        int gpu = plg_placement_gpu (&plan->placement, plg_groups_rank (&groups, group, i));

        g_array_append_val (gpus, gpu);
      }
  else
    {
      g_autofree PlgRing *ring = g_new (PlgRing, 1);
      PlgFabric fabric;

      plg_fabric_of_plan (&fabric, plan);
      plg_ring_init (ring, &fabric);
      plg_ring_set (ring, &groups, group, plan, &fabric);
      g_array_append_vals (gpus, ring->gpu, ring->size);
    }
  return gpus;
}
