/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/collective-steps.h"

void
plg_collective_steps_init (PlgCollectiveSteps *collective_steps, const PlgCollective *collective)
{
  static const PlgStepPattern patterns[] = {
    [PLG_COLLECTIVE_ALL_REDUCE] = PLG_STEP_PATTERN_ALL_REDUCE,
    [PLG_COLLECTIVE_ALL_GATHER] = PLG_STEP_PATTERN_ALL_GATHER,
    [PLG_COLLECTIVE_REDUCE_SCATTER] = PLG_STEP_PATTERN_REDUCE_SCATTER,
    [PLG_COLLECTIVE_ALL_TO_ALL] = PLG_STEP_PATTERN_ALL_TO_ALL,
    [PLG_COLLECTIVE_SEND_RECV] = PLG_STEP_PATTERN_ALL_GATHER,
    [PLG_COLLECTIVE_BROADCAST] = PLG_STEP_PATTERN_CHAIN,
  };
  gboolean joins_stages = collective->kind == PLG_COLLECTIVE_SEND_RECV &&
                          collective->when == PLG_WHEN_BETWEEN_STAGES;

  G_STATIC_ASSERT (G_N_ELEMENTS (patterns) == PLG_N_COLLECTIVE_KINDS);
  *collective_steps = (PlgCollectiveSteps) { .shape = joins_stages ? PLG_STEP_PATTERN_CHAIN
                                                                   : patterns[collective->kind],
                                             .joins_stages = joins_stages,
                                             .members = MAX (collective->group_size, 2),
                                             .bytes = collective->bytes_per_call };
  /* In ring attention, bytes_per_call is the size of one message: the keys and values of one
   * member. The buffer contains one such message per member. */
  if (collective->kind == PLG_COLLECTIVE_SEND_RECV &&
      collective_steps->shape == PLG_STEP_PATTERN_ALL_GATHER)
    collective_steps->bytes *= collective_steps->members;
}

int
plg_collective_steps_count (const PlgCollectiveSteps *collective_steps)
{
  return collective_steps->shape == PLG_STEP_PATTERN_ALL_REDUCE
             ? 2 * (collective_steps->members - 1)
             : collective_steps->members - 1;
}

int
plg_collective_steps_chunks (const PlgCollectiveSteps *collective_steps)
{
  return collective_steps->shape == PLG_STEP_PATTERN_CHAIN ? 1 : collective_steps->members;
}

double
plg_collective_steps_step_bytes (const PlgCollectiveSteps *collective_steps)
{
  return collective_steps->bytes / plg_collective_steps_chunks (collective_steps);
}

double
plg_collective_steps_total_bytes (const PlgCollectiveSteps *collective_steps)
{
  int sends = collective_steps->shape == PLG_STEP_PATTERN_CHAIN
                  ? 1
                  : plg_collective_steps_count (collective_steps);

  return sends * plg_collective_steps_step_bytes (collective_steps);
}

int
plg_collective_steps_full_count (const PlgCollectiveSteps *collective_steps)
{
  return collective_steps->shape == PLG_STEP_PATTERN_REDUCE_SCATTER ||
                 collective_steps->shape == PLG_STEP_PATTERN_ALL_REDUCE
             ? collective_steps->members
             : 1;
}

gboolean
plg_collective_steps_is_gathering (const PlgCollectiveSteps *collective_steps, int step)
{
  return collective_steps->shape == PLG_STEP_PATTERN_ALL_REDUCE &&
         step > collective_steps->members - 1;
}

/* Returns the number of hops around the ring from FIRST to MEMBER. */
static int
ring_distance (const PlgCollectiveSteps *collective_steps, int first, int member)
{
  return ((member - first) % collective_steps->members + collective_steps->members) %
         collective_steps->members;
}

/* Returns the number of members whose data is included in MEMBER's partial sum of CHUNK after
 * STEP. The sum of chunk c starts at member c + 1 and is complete at member c. */
static int
held_while_reducing (const PlgCollectiveSteps *collective_steps, int step, int member, int chunk)
{
  int place = ring_distance (collective_steps, chunk + 1, member);

  return place <= step ? place + 1 : 1;
}

int
plg_collective_steps_held (const PlgCollectiveSteps *collective_steps,
                           int step,
                           int member,
                           int chunk)
{
  int n = collective_steps->members, reducing = n - 1;

  switch (collective_steps->shape)
    {
    case PLG_STEP_PATTERN_REDUCE_SCATTER:
      return held_while_reducing (collective_steps, step, member, chunk);
    case PLG_STEP_PATTERN_ALL_REDUCE:
      if (step > reducing && ring_distance (collective_steps, chunk, member) <= step - reducing)
        return n;
      return held_while_reducing (collective_steps, MIN (step, reducing), member, chunk);
    case PLG_STEP_PATTERN_ALL_GATHER:
    case PLG_STEP_PATTERN_ALL_TO_ALL:
      return ring_distance (collective_steps, chunk, member) <= step;
    case PLG_STEP_PATTERN_CHAIN:
    default:
      return member <= step;
    }
}

gboolean
plg_collective_steps_send (const PlgCollectiveSteps *collective_steps,
                           int step,
                           int member,
                           int *to,
                           int *chunk)
{
  int n = collective_steps->members;
  gboolean reducing = collective_steps->shape == PLG_STEP_PATTERN_REDUCE_SCATTER ||
                      (collective_steps->shape == PLG_STEP_PATTERN_ALL_REDUCE && step <= n - 1);

  *to = (member + 1) % n;
  if (collective_steps->shape == PLG_STEP_PATTERN_CHAIN)
    {
      *chunk = 0;
      return member == step - 1 && step < n;
    }
  if (collective_steps->shape == PLG_STEP_PATTERN_ALL_TO_ALL)
    {
      *to = (member + step) % n;
      *chunk = member;
      return TRUE;
    }
  if (collective_steps->shape == PLG_STEP_PATTERN_ALL_REDUCE && !reducing)
    step -= n - 1;
  *chunk = ring_distance (collective_steps, step, reducing ? member : member + 1);
  return TRUE;
}

GArray *
plg_collective_steps_gpus (const PlgPlan *plan, const PlgCollective *collective, int rank)
{
  GArray *gpus = g_array_new (FALSE, FALSE, sizeof (int));
  PlgGroups groups;
  int group = -1;

  plg_groups_init (&groups, &plan->parallelism, (PlgGroupKind) collective->group);
  for (int i = 0; i < groups.count * groups.size && group < 0; i++)
    if (plg_groups_rank (&groups, i / groups.size, i % groups.size) == rank)
      group = i / groups.size;
  group = MAX (group, 0);
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
