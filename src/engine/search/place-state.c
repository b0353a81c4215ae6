/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/place-state.h"

#include "engine/evaluate.h"
#include "engine/network/groups.h"

#include <string.h>

/* PlgPlaceState */

void
plg_place_state_init (PlgPlaceState *state, const PlgPlace *place)
{
  state->node_of_slot = g_new (int, place->nodes);
  state->slot_of_node = g_new (int, place->nodes);
  state->local = g_new (guint8, MAX (place->n_faulty * place->gpus, 1));
  for (int i = 0; i < place->nodes; i++)
    state->node_of_slot[i] = state->slot_of_node[i] = i;
  for (int i = 0; i < place->n_faulty * place->gpus; i++)
    state->local[i] = (guint8) (i % place->gpus);
}

void
plg_place_state_clear (PlgPlaceState *state)
{
  g_free (state->node_of_slot);
  g_free (state->slot_of_node);
  g_free (state->local);
}

void
plg_place_state_copy (PlgPlaceState *to, const PlgPlaceState *from, const PlgPlace *place)
{
  memcpy (to->node_of_slot, from->node_of_slot, place->nodes * sizeof (int));
  memcpy (to->slot_of_node, from->slot_of_node, place->nodes * sizeof (int));
  memcpy (to->local, from->local, (gsize) place->n_faulty * place->gpus);
}

void
plg_place_swap_slots (PlgPlaceState *state, int a, int b)
{
  int node = state->node_of_slot[a];

  state->node_of_slot[a] = state->node_of_slot[b];
  state->node_of_slot[b] = node;
  state->slot_of_node[state->node_of_slot[a]] = a;
  state->slot_of_node[state->node_of_slot[b]] = b;
}

guint8 *
plg_place_locals (const PlgPlace *place, const PlgPlaceState *state, int faulty)
{
  return state->local + (gsize) faulty * place->gpus;
}

int
plg_place_position (const PlgPlace *place, const PlgPlaceState *state, int faulty, int local)
{
  const guint8 *locals = plg_place_locals (place, state, faulty);
  int position = 0;

  while (locals[position] != local)
    position++;
  return position;
}

void
plg_place_swap_positions (const PlgPlace *place, PlgPlaceState *state, int faulty, int a, int b)
{
  guint8 *locals = plg_place_locals (place, state, faulty);
  guint8 local = locals[a];

  locals[a] = locals[b];
  locals[b] = local;
}

/* Returns the number of nodes and GPUs that are not at their place in the base. */
static int
count_moved (const PlgPlace *place, const PlgPlaceState *state)
{
  int moved = 0;

  for (int i = 0; i < place->nodes; i++)
    moved += state->node_of_slot[i] != i;
  for (int i = 0; i < place->n_faulty * place->gpus; i++)
    moved += state->local[i] != i % place->gpus;
  return moved;
}

/* Evaluation */

static guint64
mix (guint64 hash, guint64 value)
{
  hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdu;
  return hash ^ (hash >> 32);
}

/* Returns a number that two states share if they are alike: if nodes of the same types, with
 * their GPUs in the same order, are at slots of the same classes. */
static gint64
hash_state (const PlgPlace *place, const PlgPlaceState *state)
{
  guint64 sum = 0;

  for (int i = 0; i < place->n_faulty; i++)
    {
      const PlgFaultyNode *faulty = &place->faulty[i];
      int slot = state->slot_of_node[faulty->node];
      guint64 hash = mix (mix (1, (guint64) faulty->type), (guint64) place->class_of_slot[slot]);

      for (int j = 0; j < place->gpus; j++)
        hash = mix (hash, plg_place_locals (place, state, i)[j]);
      sum += hash;
    }
  if (place->needs_leaves)
    for (int slot = 0; slot < place->nodes; slot++)
      sum += mix (mix (2, (guint64) slot),
                  (guint64) place->type_of_node[state->node_of_slot[slot]]);
  return (gint64) sum;
}

/* Returns TRUE if the state differs from the base only in the places of equal parts, so that
 * exchanging the faults has the same effect as exchanging the ranks. Exchanged nodes must be below
 * the same leaves, or whole leaves must be exchanged. */
static gboolean
can_relabel (const PlgPlace *place, const PlgPlaceState *state)
{
  for (int i = 0; i < place->n_faulty; i++)
    for (int j = 0; j < place->gpus && (!place->can_relabel_gpus || place->faulty[i].has_nic_fault);
         j++)
      if (plg_place_locals (place, state, i)[j] != j)
        return FALSE;
  for (int slot = 0; slot < place->nodes && place->needs_leaves; slot++)
    {
      int first = slot / place->per_unit * place->per_unit;

      if (state->node_of_slot[slot] / place->per_unit !=
          state->node_of_slot[first] / place->per_unit)
        return FALSE;
    }
  return TRUE;
}

/* Moves the faults of the plan to the ranks that use the faulty parts in STATE. */
static void
relabel_faults (const PlgPlace *place, const PlgPlaceState *state, PlgCluster *cluster)
{
  for (int i = 0; i < cluster->n_faults; i++)
    {
      PlgFault fault = place->plan->cluster.faults[i];

      if (fault.kind == PLG_FAULT_NIC)
        fault.first = state->slot_of_node[fault.first];
      else if (fault.kind != PLG_FAULT_UPLINK)
        {
          int node = fault.first / place->gpus;

          fault.first = state->slot_of_node[node] * place->gpus +
                        plg_place_position (place, state, place->faulty_of_node[node],
                                            fault.first % place->gpus);
        }
      else if (place->needs_leaves)
        {
          int node = fault.first / place->unit_leaves * place->per_unit;
          int unit = state->slot_of_node[node] / place->per_unit;

          fault.first = unit * place->unit_leaves + fault.first % place->unit_leaves;
        }
      cluster->faults[i] = fault;
    }
}

void
plg_place_fill (const PlgPlace *place, const PlgPlaceState *state, int *gpu_of_rank)
{
  for (int rank = 0; rank < place->nodes * place->gpus; rank++)
    {
      int gpu = place->base != NULL ? place->base[rank] : rank;
      int node = state->node_of_slot[gpu / place->gpus], local = gpu % place->gpus;
      int faulty = place->faulty_of_node[node];

      if (faulty >= 0)
        local = plg_place_locals (place, state, faulty)[local];
      gpu_of_rank[rank] = node * place->gpus + local;
    }
}

double
plg_place_step_time (PlgPlace *place, const PlgPlan *plan)
{
  gboolean is_valid = plg_evaluate_into (place->report, plan, PLG_EVALUATE_TOTALS, NULL);

  place->result->evaluations++;
  return is_valid ? place->report->step.time : G_MAXDOUBLE;
}

gboolean
plg_place_is_cancelled (const PlgPlace *place)
{
  return place->control != NULL && g_atomic_int_get (&place->control->is_cancelled);
}

gboolean
plg_place_may_go_on (const PlgPlace *place)
{
  return place->evaluations_left > 0 && place->units_left > 0.0 && !plg_place_is_cancelled (place);
}

gboolean
plg_place_can_afford (const PlgPlace *place)
{
  return place->full_cost * 300.0 < PLG_PLACE_BUDGET;
}

double
plg_place_try (PlgPlace *place)
{
  const PlgPlaceState *state = &place->state;
  gint64 hash = hash_state (place, state);
  double *known = g_hash_table_lookup (place->times, &hash), time;
  int moved;

  if (known != NULL)
    time = *known;
  else
    {
      gboolean is_fast = can_relabel (place, state);
      gint64 *key;
      double *value;

      if (!is_fast && !plg_place_can_afford (place))
        {
          place->has_skipped = TRUE;
          return G_MAXDOUBLE;
        }
      if (is_fast)
        {
          relabel_faults (place, state, &place->relabelled->cluster);
          time = plg_place_step_time (place, place->relabelled);
          place->units_left -= place->fast_cost;
        }
      else
        {
          plg_place_fill (place, state, place->placed->placement.gpu_of_rank);
          time = plg_place_step_time (place, place->placed);
          place->units_left -= place->full_cost;
        }
      place->evaluations_left--;
      key = g_new (gint64, 1);
      value = g_new (double, 1);
      *key = hash;
      *value = time;
      g_hash_table_insert (place->times, key, value);
    }

  if (time > place->best_time * (1.0 + PLG_PLACE_SAME_TIME))
    return time;
  moved = count_moved (place, state);
  if (time < place->best_time * (1.0 - PLG_PLACE_SAME_TIME) || moved < place->best_moved)
    {
      place->best_time = time;
      place->best_moved = moved;
      plg_place_state_copy (&place->best, state, place);
    }
  return time;
}

/* Slots and types */

/* Sets SIGNATURE for each slot: a hash of the stages of its ranks, and of how the groups of these
 * ranks are spread over nodes. A fault has the same effect in slots with equal signatures. */
static void
set_signatures (const PlgPlace *place, guint64 *signature)
{
  const PlgPlan *plan = place->relabelled;
  g_autofree int *members_on = g_new0 (int, place->nodes);
  g_autofree guint64 *of_position = g_new (guint64, (gsize) place->nodes * place->gpus);

  for (int i = 0; i < place->nodes * place->gpus; i++)
    of_position[i] = mix (3, (guint64) place->stage_of[i]);
  for (int kind = 0; kind < PLG_N_GROUP_KINDS; kind++)
    {
      PlgGroups groups;

      plg_groups_init (&groups, &plan->parallelism, kind);
      for (int group = 0; group < groups.count && groups.size > 1; group++)
        {
          int n_nodes = 0, first = 0, last = 0;

          for (int i = 0; i < groups.size; i++)
            {
              int gpu = plg_placement_gpu (&plan->placement, plg_groups_rank (&groups, group, i));

              if (i == 0)
                first = gpu;
              last = gpu;
              if (members_on[gpu / place->gpus]++ == 0)
                n_nodes++;
            }
          for (int i = 0, before = last; i < groups.size; i++)
            {
              int gpu = plg_placement_gpu (&plan->placement, plg_groups_rank (&groups, group, i));
              int after = i + 1 < groups.size
                              ? plg_placement_gpu (&plan->placement,
                                                   plg_groups_rank (&groups, group, i + 1))
                              : first;
              int node = gpu / place->gpus;
              guint64 hash = mix (of_position[gpu], (guint64) kind);

              hash = mix (hash, (guint64) n_nodes);
              hash = mix (hash, (guint64) members_on[node]);
              of_position[gpu] = mix (hash, (guint64) ((before / place->gpus == node) * 2 +
                                                       (after / place->gpus == node)));
              before = gpu;
            }
          for (int i = 0; i < groups.size; i++)
            members_on[plg_placement_gpu (&plan->placement, plg_groups_rank (&groups, group, i)) /
                       place->gpus] = 0;
        }
    }
  for (int slot = 0; slot < place->nodes; slot++)
    {
      signature[slot] = 4;
      for (int i = 0; i < place->gpus; i++)
        signature[slot] = mix (signature[slot], of_position[slot * place->gpus + i]);
    }
}

/* Divides the slots into classes by their signatures, and stores the lowest slot of each class in
 * FIRST. Returns the number of classes. */
static int
divide_slots (const PlgPlace *place, const guint64 *signature, int *class_of_slot, int *first)
{
  g_autoptr (GHashTable) classes = g_hash_table_new (g_int64_hash, g_int64_equal);
  int n = 0;

  for (int slot = 0; slot < place->nodes; slot++)
    {
      gpointer known = g_hash_table_lookup (classes, &signature[slot]);

      if (known == NULL)
        {
          first[n++] = slot;
          known = GINT_TO_POINTER (n);
          g_hash_table_insert (classes, (gpointer) &signature[slot], known);
        }
      class_of_slot[slot] = GPOINTER_TO_INT (known) - 1;
    }
  return n;
}

void
plg_place_set_classes (PlgPlace *place)
{
  g_autofree guint64 *signature = g_new (guint64, place->nodes);
  gboolean each = place->needs_leaves || place->has_broken_route;

  set_signatures (place, signature);
  place->n_kinds = divide_slots (place, signature, place->class_of_slot, place->first_of_kind);
  for (int slot = 0; slot < place->nodes && each; slot++)
    signature[slot] = (guint64) slot;
  place->n_classes = divide_slots (place, signature, place->class_of_slot, place->first_of_class);
}

/* Returns a hash of the faults of NODE. */
static guint64
hash_faults (const PlgPlace *place, int node)
{
  const PlgCluster *cluster = &place->plan->cluster;
  guint64 sum = 0;

  for (int i = 0; i < cluster->n_faults; i++)
    {
      const PlgFault *fault = &cluster->faults[i];
      int part = fault->kind == PLG_FAULT_NIC ? fault->second : fault->first % place->gpus;
      guint64 rate;

      if (fault->kind == PLG_FAULT_UPLINK ||
          (fault->kind == PLG_FAULT_NIC ? fault->first : fault->first / place->gpus) != node)
        continue;
      memcpy (&rate, &fault->rate, sizeof rate);
      sum += mix (mix (mix (5, fault->kind), (guint64) part), rate);
    }
  return sum;
}

void
plg_place_add_faulty_nodes (PlgPlace *place)
{
  const PlgCluster *cluster = &place->plan->cluster;

  for (int i = 0; i < place->nodes; i++)
    place->faulty_of_node[i] = -1;
  for (int i = 0; i < cluster->n_faults; i++)
    {
      const PlgFault *fault = &cluster->faults[i];
      int node = fault->kind == PLG_FAULT_NIC ? fault->first : fault->first / place->gpus;
      PlgFaultyNode *faulty;
      gboolean is_new = TRUE;

      if (fault->kind == PLG_FAULT_UPLINK)
        continue;
      if (place->faulty_of_node[node] < 0)
        {
          place->faulty_of_node[node] = place->n_faulty;
          place->faulty[place->n_faulty++] = (PlgFaultyNode) { .node = node };
        }
      faulty = &place->faulty[place->faulty_of_node[node]];
      if (fault->kind == PLG_FAULT_NIC)
        {
          faulty->has_nic_fault = TRUE;
          continue;
        }
      for (int j = 0; j < faulty->n_movable; j++)
        is_new &= faulty->movable[j] != fault->first % place->gpus;
      if (is_new && !place->keeps_gpus)
        faulty->movable[faulty->n_movable++] = fault->first % place->gpus;
    }
}

void
plg_place_set_types (PlgPlace *place)
{
  g_autofree guint64 *hashes = g_new (guint64, place->nodes);
  g_autoptr (GHashTable) types = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (int node = 0; node < place->nodes; node++)
    {
      gpointer known;

      hashes[node] = place->faulty_of_node[node] >= 0 ? hash_faults (place, node) : 0;
      if (place->needs_leaves)
        hashes[node] = mix (hashes[node], (guint64) (node / place->per_unit));
      known = g_hash_table_lookup (types, &hashes[node]);
      if (known == NULL)
        {
          known = GINT_TO_POINTER (++place->n_types);
          g_hash_table_insert (types, &hashes[node], known);
        }
      place->type_of_node[node] = GPOINTER_TO_INT (known) - 1;
      if (place->faulty_of_node[node] >= 0)
        place->faulty[place->faulty_of_node[node]].type = GPOINTER_TO_INT (known) - 1;
    }
}


int
plg_place_stage (const PlgPlace *place, int slot, int position)
{
  return place->stage_of[slot * place->gpus + position];
}
