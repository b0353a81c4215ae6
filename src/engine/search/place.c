/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/place.h"

#include "engine/evaluate.h"
#include "engine/network/groups.h"

#include <math.h>
#include <string.h>

/* The size of the search. An evaluation costs as many units as it visits ranks, roughly; BUDGET
 * units take a few seconds on one processor. */
#define BUDGET 4e8
#define FAST_COST 1000.0
#define MOST_EVALUATIONS 3000

/* Placements whose times differ by less than this share are equally fast. */
#define SAME_TIME 1e-9

/* The temperatures of the annealing, as shares of the step time in the nesting order. */
#define FIRST_TEMPERATURE 0.02
#define LAST_TEMPERATURE 1e-4

/* A slot is a node as the base placement fills it: slot s holds the ranks that the base places on
 * node s. The search assigns a node to each slot. */

/* A node with slow or failed parts. */
typedef struct
{
  int node;
  int type; /* nodes of the same type are interchangeable */
  gboolean has_nic_fault;
  int n_movable; /* the GPUs that may be exchanged with other GPUs of the node */
  int movable[PLG_MAX_FAULTS];
} FaultyNode;

/* The placement that is being tried. */
typedef struct
{
  int *node_of_slot;
  int *slot_of_node;
  guint8 *local; /* GPU within the node at each position of the slot, for each faulty node */
} State;

typedef struct
{
  const PlgPlan *plan;
  PlgPlaceControl *control;
  PlgPlaceResult *result; /* the best result of all bases so far */
  PlgReport *report;

  int nodes;
  int gpus;                  /* number per node */
  int per_unit;              /* nodes that are below the same leaves */
  int unit_leaves;           /* number of leaves of such nodes */
  gboolean has_broken_route; /* TRUE if a fault changes routes or loads of uplinks */
  gboolean needs_leaves;     /* TRUE if it matters below which leaf a node is */
  gboolean can_relabel_gpus; /* TRUE if the GPUs of a node without NIC faults are alike */
  gboolean keeps_gpus;       /* TRUE if the GPUs of a node keep their order */
  int n_faulty;
  FaultyNode faulty[PLG_MAX_FAULTS];
  int *faulty_of_node; /* index in faulty, or -1 */
  int *type_of_node;
  int n_types;

  /* The base. */
  const int *base;     /* GPU of each rank; NULL for the nesting order */
  PlgPlan *relabelled; /* the plan with the base placement and exchanged faults */
  PlgPlan *placed;     /* the plan with the placement being tried */
  int *stage_of;       /* stage of the rank at each position of each slot */
  int *class_of_slot;  /* slots of a class are alike */
  int n_classes;
  int *first_of_class; /* the lowest slot of each class */
  int *first_of_kind;  /* the lowest of all slots that a flat network makes alike */
  int n_kinds;
  State state;
  State best;
  double best_time;
  int best_moved;
  double base_time;  /* step time of the base [s] */
  GHashTable *times; /* double, the step time by the hash of the state */
  double units_left;
  double fast_cost; /* units per evaluation with exchanged faults */
  double full_cost; /* units per evaluation with another placement */
  int evaluations_left;
  gboolean has_skipped; /* TRUE if a state was too expensive to evaluate */
} Place;

/* State */

static void
state_init (State *state, const Place *place)
{
  state->node_of_slot = g_new (int, place->nodes);
  state->slot_of_node = g_new (int, place->nodes);
  state->local = g_new (guint8, MAX (place->n_faulty * place->gpus, 1));
  for (int i = 0; i < place->nodes; i++)
    state->node_of_slot[i] = state->slot_of_node[i] = i;
  for (int i = 0; i < place->n_faulty * place->gpus; i++)
    state->local[i] = (guint8) (i % place->gpus);
}

static void
state_clear (State *state)
{
  g_free (state->node_of_slot);
  g_free (state->slot_of_node);
  g_free (state->local);
}

static void
state_copy (State *to, const State *from, const Place *place)
{
  memcpy (to->node_of_slot, from->node_of_slot, place->nodes * sizeof (int));
  memcpy (to->slot_of_node, from->slot_of_node, place->nodes * sizeof (int));
  memcpy (to->local, from->local, (gsize) place->n_faulty * place->gpus);
}

static void
swap_slots (State *state, int a, int b)
{
  int node = state->node_of_slot[a];

  state->node_of_slot[a] = state->node_of_slot[b];
  state->node_of_slot[b] = node;
  state->slot_of_node[state->node_of_slot[a]] = a;
  state->slot_of_node[state->node_of_slot[b]] = b;
}

static guint8 *
locals_of (const Place *place, const State *state, int faulty)
{
  return state->local + (gsize) faulty * place->gpus;
}

static int
position_of (const Place *place, const State *state, int faulty, int local)
{
  const guint8 *locals = locals_of (place, state, faulty);
  int position = 0;

  while (locals[position] != local)
    position++;
  return position;
}

static void
swap_positions (const Place *place, State *state, int faulty, int a, int b)
{
  guint8 *locals = locals_of (place, state, faulty);
  guint8 local = locals[a];

  locals[a] = locals[b];
  locals[b] = local;
}

/* Returns the number of nodes and GPUs that are not at their place in the base. */
static int
count_moved (const Place *place, const State *state)
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
hash_state (const Place *place, const State *state)
{
  guint64 sum = 0;

  for (int i = 0; i < place->n_faulty; i++)
    {
      const FaultyNode *faulty = &place->faulty[i];
      int slot = state->slot_of_node[faulty->node];
      guint64 hash = mix (mix (1, (guint64) faulty->type), (guint64) place->class_of_slot[slot]);

      for (int j = 0; j < place->gpus; j++)
        hash = mix (hash, locals_of (place, state, i)[j]);
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
can_relabel (const Place *place, const State *state)
{
  for (int i = 0; i < place->n_faulty; i++)
    for (int j = 0; j < place->gpus && (!place->can_relabel_gpus || place->faulty[i].has_nic_fault);
         j++)
      if (locals_of (place, state, i)[j] != j)
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
relabel_faults (const Place *place, const State *state, PlgCluster *cluster)
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
                        position_of (place, state, place->faulty_of_node[node],
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

/* Fills the placement of the state, an array with the GPU of each rank. */
static void
fill_placement (const Place *place, const State *state, int *gpu_of_rank)
{
  for (int rank = 0; rank < place->nodes * place->gpus; rank++)
    {
      int gpu = place->base != NULL ? place->base[rank] : rank;
      int node = state->node_of_slot[gpu / place->gpus], local = gpu % place->gpus;
      int faulty = place->faulty_of_node[node];

      if (faulty >= 0)
        local = locals_of (place, state, faulty)[local];
      gpu_of_rank[rank] = node * place->gpus + local;
    }
}

/* Returns the step time of PLAN, which must be valid [s]. */
static double
step_time (Place *place, const PlgPlan *plan)
{
  gboolean is_valid = plg_evaluate_into (place->report, plan, PLG_EVALUATE_TOTALS, NULL);

  place->result->evaluations++;
  return is_valid ? place->report->step.time : G_MAXDOUBLE;
}

static gboolean
is_cancelled (const Place *place)
{
  return place->control != NULL && g_atomic_int_get (&place->control->is_cancelled);
}

/* Returns TRUE if the search may evaluate another state. */
static gboolean
may_go_on (const Place *place)
{
  return place->evaluations_left > 0 && place->units_left > 0.0 && !is_cancelled (place);
}

/* Returns TRUE if the search may try states that need a placement of their own. */
static gboolean
can_afford_placements (const Place *place)
{
  return place->full_cost * 300.0 < BUDGET;
}

/* Returns the step time of the state being tried, and remembers the state if it is the best [s].
 * Returns G_MAXDOUBLE for a state that is too expensive to evaluate. */
static double
try_state (Place *place)
{
  const State *state = &place->state;
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

      if (!is_fast && !can_afford_placements (place))
        {
          place->has_skipped = TRUE;
          return G_MAXDOUBLE;
        }
      if (is_fast)
        {
          relabel_faults (place, state, &place->relabelled->cluster);
          time = step_time (place, place->relabelled);
          place->units_left -= place->fast_cost;
        }
      else
        {
          fill_placement (place, state, place->placed->placement.gpu_of_rank);
          time = step_time (place, place->placed);
          place->units_left -= place->full_cost;
        }
      place->evaluations_left--;
      key = g_new (gint64, 1);
      value = g_new (double, 1);
      *key = hash;
      *value = time;
      g_hash_table_insert (place->times, key, value);
    }

  if (time > place->best_time * (1.0 + SAME_TIME))
    return time;
  moved = count_moved (place, state);
  if (time < place->best_time * (1.0 - SAME_TIME) || moved < place->best_moved)
    {
      place->best_time = time;
      place->best_moved = moved;
      state_copy (&place->best, state, place);
    }
  return time;
}

/* Slots and types */

/* Sets SIGNATURE for each slot: a hash of the stages of its ranks, and of how the groups of these
 * ranks are spread over nodes. A fault has the same effect in slots with equal signatures. */
static void
set_signatures (const Place *place, guint64 *signature)
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
divide_slots (const Place *place, const guint64 *signature, int *class_of_slot, int *first)
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

/* Divides the slots into classes. If the leaf of a node matters, or if the replacement of a failed
 * NIC changes the routes, each slot is a class. */
static void
set_classes (Place *place)
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
hash_faults (const Place *place, int node)
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

static void
add_faulty_nodes (Place *place)
{
  const PlgCluster *cluster = &place->plan->cluster;

  for (int i = 0; i < place->nodes; i++)
    place->faulty_of_node[i] = -1;
  for (int i = 0; i < cluster->n_faults; i++)
    {
      const PlgFault *fault = &cluster->faults[i];
      int node = fault->kind == PLG_FAULT_NIC ? fault->first : fault->first / place->gpus;
      FaultyNode *faulty;
      gboolean is_new = TRUE;

      if (fault->kind == PLG_FAULT_UPLINK)
        continue;
      if (place->faulty_of_node[node] < 0)
        {
          place->faulty_of_node[node] = place->n_faulty;
          place->faulty[place->n_faulty++] = (FaultyNode) { .node = node };
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

/* Gives each node a type: nodes with the same faults, below the same leaf if that matters. */
static void
set_types (Place *place)
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

/* Moves */

static int
stage_at (const Place *place, int slot, int position)
{
  return place->stage_of[slot * place->gpus + position];
}

/* Returns a slot of CLASS whose node has no fault, or -1. */
static int
find_free_slot (const Place *place, const State *state, int class)
{
  for (int slot = place->first_of_class[class]; slot < place->nodes; slot++)
    if (place->class_of_slot[slot] == class && place->faulty_of_node[state->node_of_slot[slot]] < 0)
      return slot;
  return -1;
}

/* Lists the positions to which the GPU at position FROM of a faulty node can move: those of sound
 * GPUs whose ranks are on another stage. Lists one position per stage if the GPUs of the node are
 * alike. Returns the number of positions. */
static int
list_positions (const Place *place, const State *state, int faulty, int from, int *positions)
{
  const FaultyNode *node = &place->faulty[faulty];
  gboolean are_alike = place->can_relabel_gpus && !node->has_nic_fault;
  int slot = state->slot_of_node[node->node], n = 0;

  for (int to = 0; to < place->gpus; to++)
    {
      gboolean is_target = stage_at (place, slot, to) != stage_at (place, slot, from);

      for (int i = 0; i < node->n_movable && is_target; i++)
        is_target = locals_of (place, state, faulty)[to] != node->movable[i];
      for (int i = 0; i < n && is_target && are_alike; i++)
        is_target = stage_at (place, slot, positions[i]) != stage_at (place, slot, to);
      if (is_target)
        positions[n++] = to;
    }
  return n;
}

/* Exact search */

/* All placements of a small space: how many nodes of each type are at slots of each class, and the
 * positions of the slow GPUs within their nodes. */
typedef struct
{
  Place *place;
  int most;          /* the type with the most nodes, which fills the rest */
  int *nodes_left;   /* by type */
  int *slots_left;   /* by class */
  int *type_of_slot; /* the type at each slot, -1 for the most frequent type */
  double n_states;   /* number of states so far */
  gboolean counts;   /* TRUE to count the states without trying them */
} Enumeration;

/* Tries all positions of the GPU with index MOVABLE of a faulty node, and of all following ones. */
static void
enumerate_gpus (Enumeration *self, int faulty, int movable)
{
  Place *place = self->place;
  State *state = &place->state;
  int positions[PLG_MAX_GPUS_PER_NODE], n, from;

  if (is_cancelled (place) || self->n_states > MOST_EVALUATIONS)
    return;
  if (faulty == place->n_faulty)
    {
      self->n_states++;
      if (!self->counts)
        try_state (place);
      return;
    }
  if (movable == place->faulty[faulty].n_movable)
    {
      enumerate_gpus (self, faulty + 1, 0);
      return;
    }
  enumerate_gpus (self, faulty, movable + 1);
  from = position_of (place, state, faulty, place->faulty[faulty].movable[movable]);
  n = list_positions (place, state, faulty, from, positions);
  for (int i = 0; i < n; i++)
    {
      swap_positions (place, state, faulty, from, positions[i]);
      enumerate_gpus (self, faulty, movable + 1);
      swap_positions (place, state, faulty, from, positions[i]);
    }
}

/* Assigns a node of the chosen type to each slot. Nodes stay where they are if possible. */
static void
assign_nodes (Enumeration *self)
{
  Place *place = self->place;
  State *state = &place->state;

  for (int i = 0; i < place->nodes; i++)
    state->node_of_slot[i] = state->slot_of_node[i] = -1;
  for (int pass = 0; pass < 2; pass++)
    for (int slot = 0, from = 0; slot < place->nodes; slot++)
      {
        int type = self->type_of_slot[slot] >= 0 ? self->type_of_slot[slot] : self->most;

        if (state->node_of_slot[slot] >= 0)
          continue;
        if (pass == 0 && place->type_of_node[slot] != type)
          continue;
        if (pass == 0)
          from = slot;
        else
          for (from = 0; state->slot_of_node[from] >= 0 || place->type_of_node[from] != type;)
            from++;
        state->node_of_slot[slot] = from;
        state->slot_of_node[from] = slot;
      }
}

/* Returns the slot of CLASS for the next node of TYPE: one that already has a node of this type,
 * otherwise the first one that is free. */
static int
take_slot (const Enumeration *self, int class, int type)
{
  const Place *place = self->place;
  int found = -1;

  for (int slot = place->first_of_class[class]; slot < place->nodes; slot++)
    if (place->class_of_slot[slot] == class && self->type_of_slot[slot] < 0)
      {
        if (place->type_of_node[slot] == type)
          return slot;
        if (found < 0)
          found = slot;
      }
  return found;
}

/* Chooses how many nodes of TYPE are at slots of CLASS, then continues with the next class. */
static void
enumerate_nodes (Enumeration *self, int type, int class)
{
  Place *place = self->place;
  int slots[PLG_MAX_FAULTS * 2], n = 0, room = 0;

  if (is_cancelled (place) || self->n_states > MOST_EVALUATIONS)
    return;
  if (type == place->n_types)
    {
      assign_nodes (self);
      enumerate_gpus (self, 0, 0);
      return;
    }
  if (type == self->most || self->nodes_left[type] == 0)
    {
      enumerate_nodes (self, type + 1, 0);
      return;
    }
  for (int i = class; i < place->n_classes && room < self->nodes_left[type]; i++)
    room += self->slots_left[i];
  if (room < self->nodes_left[type])
    return;
  enumerate_nodes (self, type, class + 1);
  while (self->nodes_left[type] > 0 && self->slots_left[class] > 0 &&
         n < (int) G_N_ELEMENTS (slots))
    {
      slots[n] = take_slot (self, class, type);
      self->type_of_slot[slots[n++]] = type;
      self->nodes_left[type]--;
      self->slots_left[class]--;
      enumerate_nodes (self, self->nodes_left[type] == 0 ? type + 1 : type,
                       self->nodes_left[type] == 0 ? 0 : class + 1);
    }
  while (n > 0)
    {
      self->type_of_slot[slots[--n]] = -1;
      self->nodes_left[type]++;
      self->slots_left[class]++;
    }
}

/* Tries all states, or counts them if COUNTS is set. Stops counting at a number that is too large
 * to try. Returns the number of states. */
static double
enumerate (Place *place, gboolean counts)
{
  Enumeration self = { .place = place, .counts = counts };
  g_autofree int *nodes_left = g_new0 (int, place->n_types);
  g_autofree int *slots_left = g_new0 (int, place->n_classes);
  g_autofree int *type_of_slot = g_new (int, place->nodes);

  for (int i = 0; i < place->nodes; i++)
    {
      nodes_left[place->type_of_node[i]]++;
      slots_left[place->class_of_slot[i]]++;
      type_of_slot[i] = -1;
    }
  for (int i = 1; i < place->n_types; i++)
    if (nodes_left[i] > nodes_left[self.most])
      self.most = i;
  for (int i = 0; i < place->n_types; i++)
    if (i != self.most && nodes_left[i] > PLG_MAX_FAULTS * 2)
      return G_MAXDOUBLE;
  self.nodes_left = nodes_left;
  self.slots_left = slots_left;
  self.type_of_slot = type_of_slot;
  enumerate_nodes (&self, 0, 0);
  return self.n_states;
}

/* Search by steps */

/* A list of exchanges that can be undone. */
typedef struct
{
  int n;
  struct
  {
    int faulty; /* the node whose positions were exchanged; -1 for slots */
    int a;
    int b;
  } swap[PLG_MAX_FAULTS * 2];
} Step;

static void
do_swap (const Place *place, State *state, Step *step, int faulty, int a, int b)
{
  if (a == b || step->n == G_N_ELEMENTS (step->swap))
    return;
  if (faulty >= 0)
    swap_positions (place, state, faulty, a, b);
  else
    swap_slots (state, a, b);
  step->swap[step->n].faulty = faulty;
  step->swap[step->n].a = a;
  step->swap[step->n].b = b;
  step->n++;
}

static void
undo_step (const Place *place, State *state, Step *step)
{
  while (step->n-- > 0)
    if (step->swap[step->n].faulty >= 0)
      swap_positions (place, state, step->swap[step->n].faulty, step->swap[step->n].a,
                      step->swap[step->n].b);
    else
      swap_slots (state, step->swap[step->n].a, step->swap[step->n].b);
  step->n = 0;
}

/* Moves the faulty node to a slot of CLASS: to its own slot in the base if possible, otherwise to
 * a slot without a faulty node. */
static void
move_to_class (const Place *place, State *state, Step *step, int faulty, int class)
{
  int node = place->faulty[faulty].node, from = state->slot_of_node[node], to = node;

  if (place->class_of_slot[from] == class)
    return;
  if (place->class_of_slot[to] != class || place->faulty_of_node[state->node_of_slot[to]] >= 0)
    to = find_free_slot (place, state, class);
  if (to >= 0)
    do_swap (place, state, step, -1, from, to);
}

/* Moves all faulty nodes at slots of class FROM, or at any slot if FROM is -1, to class TO. */
static void
move_all_to_class (const Place *place, State *state, Step *step, int from, int to)
{
  for (int i = 0; i < place->n_faulty; i++)
    if (from < 0 || place->class_of_slot[state->slot_of_node[place->faulty[i].node]] == from)
      move_to_class (place, state, step, i, to);
}

/* Tries the step. Keeps the step if it makes the placement faster than *TIME. */
static gboolean
try_step (Place *place, Step *step, double *time)
{
  double now;

  if (step->n == 0)
    return FALSE;
  now = try_state (place);
  if (now < *time * (1.0 - SAME_TIME))
    {
      *time = now;
      step->n = 0;
      return TRUE;
    }
  undo_step (place, &place->state, step);
  return FALSE;
}

/* The first steps of a search with more classes than this move no groups of nodes. */
#define MANY_CLASSES 128

/* Exchanges all nodes of two full sets of leaves. A step has room for leaves with few nodes. */
static void
swap_units (const Place *place, State *state, Step *step, int a, int b)
{
  for (int i = 0; i < place->per_unit && place->per_unit <= (int) G_N_ELEMENTS (step->swap); i++)
    do_swap (place, state, step, -1, a * place->per_unit + i, b * place->per_unit + i);
}

/* Tries to move the faulty node with index I, and its GPUs. Returns TRUE if a move makes the
 * placement faster. */
static gboolean
descend_node (Place *place, int i, double *time)
{
  const FaultyNode *faulty = &place->faulty[i];
  State *state = &place->state;
  int slot = state->slot_of_node[faulty->node], units = place->nodes / place->per_unit;
  int first = 0, n = place->nodes;
  gboolean is_better = FALSE;
  Step step = { 0 };

  if (!place->needs_leaves)
    n = place->n_classes;
  else if (!can_afford_placements (place))
    {
      first = slot / place->per_unit * place->per_unit;
      n = MIN (place->per_unit, place->nodes - first);
    }
  for (int class = first; class < first + n && may_go_on (place); class ++)
    {
      move_to_class (place, state, &step, i, class);
      is_better |= try_step (place, &step, time);
    }
  for (int unit = 0; unit < units && place->needs_leaves && may_go_on (place); unit++)
    {
      slot = state->slot_of_node[faulty->node];
      if (slot / place->per_unit >= units)
        break;
      swap_units (place, state, &step, slot / place->per_unit, unit);
      is_better |= try_step (place, &step, time);
    }
  for (int j = 0; j < faulty->n_movable; j++)
    {
      int positions[PLG_MAX_GPUS_PER_NODE];
      int from = position_of (place, state, i, faulty->movable[j]);
      int n_positions = list_positions (place, state, i, from, positions);

      for (int k = 0; k < n_positions && may_go_on (place); k++)
        {
          do_swap (place, state, &step, i, from, positions[k]);
          if (try_step (place, &step, time))
            {
              is_better = TRUE;
              break;
            }
        }
    }
  return is_better;
}

/* Moves single faulty nodes, all faulty nodes of a class and single GPUs while this makes the
 * placement faster. */
static void
descend (Place *place)
{
  State *state = &place->state;
  double time = try_state (place);
  gboolean is_better = TRUE;
  Step step = { 0 };

  while (is_better && may_go_on (place))
    {
      is_better = FALSE;
      for (int from = -1; from < place->n_classes && place->n_classes <= MANY_CLASSES; from++)
        for (int to = 0; to < place->n_classes && may_go_on (place); to++)
          {
            move_all_to_class (place, state, &step, from, to);
            is_better |= try_step (place, &step, &time);
          }
      for (int i = 0; i < place->n_faulty; i++)
        is_better |= descend_node (place, i, &time);
    }
}

/* Makes a random step. If a placement of its own is too expensive, the step exchanges only nodes
 * below the same leaves, or whole leaves. */
static void
step_at_random (const Place *place, State *state, GRand *random, Step *step)
{
  int faulty = place->n_faulty > 0 ? g_rand_int_range (random, 0, place->n_faulty) : -1;
  int kind = g_rand_int_range (random, 0, 6), units = place->nodes / place->per_unit;

  if (faulty >= 0 && kind == 0 && place->faulty[faulty].n_movable > 0)
    {
      const FaultyNode *node = &place->faulty[faulty];
      int local = node->movable[g_rand_int_range (random, 0, node->n_movable)];
      int from = position_of (place, state, faulty, local), positions[PLG_MAX_GPUS_PER_NODE];
      int n = list_positions (place, state, faulty, from, positions);

      if (n > 0)
        do_swap (place, state, step, faulty, from, positions[g_rand_int_range (random, 0, n)]);
      return;
    }
  if (!place->needs_leaves)
    {
      int class = g_rand_int_range (random, 0, place->n_classes);

      if (faulty >= 0 && kind == 1)
        move_all_to_class (place, state, step, g_rand_int_range (random, 0, place->n_classes),
                           class);
      else if (faulty >= 0)
        move_to_class (place, state, step, faulty, class);
    }
  else if (kind == 1 && units > 1)
    {
      int a = g_rand_int_range (random, 0, units);

      swap_units (place, state, step, a, g_rand_int_range (random, 0, units));
    }
  else
    {
      int a = faulty >= 0 && kind < 5 ? state->slot_of_node[place->faulty[faulty].node]
                                      : g_rand_int_range (random, 0, place->nodes);
      int first = 0, n = place->nodes;

      if (!can_afford_placements (place))
        {
          first = a / place->per_unit * place->per_unit;
          n = MIN (place->per_unit, place->nodes - first);
        }
      do_swap (place, state, step, -1, a, first + g_rand_int_range (random, 0, n));
    }
}

static void
set_percent (const Place *place, double share)
{
  if (place->control != NULL)
    g_atomic_int_set (&place->control->percent_done, (int) (100.0 * CLAMP (share, 0.0, 1.0)));
}

static void
anneal (Place *place, double bound)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  double time, units = place->units_left;
  int evaluations = place->evaluations_left;
  Step step = { 0 };

  state_copy (&place->state, &place->best, place);
  time = place->best_time;
  /* Tries that the search already knows cost nothing, so their number is limited too. */
  for (int tries = 0; tries < 20 * MOST_EVALUATIONS && may_go_on (place); tries++)
    {
      double done = MAX (MAX (1.0 - place->units_left / units,
                              1.0 - (double) place->evaluations_left / evaluations),
                         tries / (20.0 * MOST_EVALUATIONS));
      double temperature = place->base_time * FIRST_TEMPERATURE *
                           pow (LAST_TEMPERATURE / FIRST_TEMPERATURE, done);
      double now;

      if (place->best_time <= bound * (1.0 + SAME_TIME))
        return;
      step_at_random (place, &place->state, random, &step);
      if (step.n == 0)
        continue;
      now = try_state (place);
      if (now <= time || g_rand_double (random) < exp ((time - now) / temperature))
        {
          time = now;
          step.n = 0;
        }
      else
        undo_step (place, &place->state, &step);
      set_percent (place, done);
    }
}

/* Moves nodes and GPUs of the best state back to their places in the base where this costs no
 * time. */
static void
undo_useless_moves (Place *place)
{
  State *state = &place->state;

  place->evaluations_left = MAX (place->evaluations_left, place->nodes);
  place->units_left = MAX (place->units_left, BUDGET / 4.0);
  state_copy (state, &place->best, place);
  for (int slot = 0; slot < place->nodes && may_go_on (place); slot++)
    if (state->node_of_slot[slot] != slot)
      {
        swap_slots (state, slot, state->slot_of_node[slot]);
        try_state (place);
        state_copy (state, &place->best, place);
      }
  for (int i = 0; i < place->n_faulty; i++)
    for (int j = 0; j < place->gpus && may_go_on (place); j++)
      if (locals_of (place, state, i)[j] != j)
        {
          swap_positions (place, state, i, j, position_of (place, state, i, j));
          try_state (place);
          state_copy (state, &place->best, place);
        }
}

/* Bounds */

/* Returns the step time of RELAXED, a plan with a flat network, if only the faults of a part of
 * the faulty node remain, and the part is at its best slot and position [s]. The part is the GPU
 * LOCAL, or all NICs of the node if LOCAL is -1. */
static double
best_time_of_part (Place *place, PlgPlan *relaxed, const FaultyNode *faulty, int local)
{
  PlgCluster *cluster = &relaxed->cluster;
  double best = G_MAXDOUBLE;

  for (int i = 0; i < place->n_kinds; i++)
    {
      int slot = place->first_of_kind[i];

      for (int position = 0; position < place->gpus; position++)
        {
          gboolean is_new = local >= 0 ? !place->keeps_gpus || position == local : position == 0;

          /* Alike positions of the slot need one try. */
          for (int j = 0; j < position && is_new && local >= 0 && !place->keeps_gpus; j++)
            is_new = stage_at (place, slot, j) != stage_at (place, slot, position);
          if (!is_new || !may_go_on (place))
            continue;
          cluster->n_faults = 0;
          for (int j = 0; j < place->plan->cluster.n_faults; j++)
            {
              PlgFault fault = place->plan->cluster.faults[j];

              if (local < 0 && fault.kind == PLG_FAULT_NIC && fault.first == faulty->node)
                fault.first = slot;
              else if (local >= 0 &&
                       (fault.kind == PLG_FAULT_GPU || fault.kind == PLG_FAULT_PORT) &&
                       fault.first == faulty->node * place->gpus + local)
                fault.first = slot * place->gpus + position;
              else
                continue;
              cluster->faults[cluster->n_faults++] = fault;
            }
          best = MIN (best, step_time (place, relaxed));
          place->units_left -= place->fast_cost;
        }
    }
  return may_go_on (place) ? best : 0.0;
}

/* Returns a lower bound of the step time of all states [s]. The bound ignores the uplinks and all
 * faulty parts except one, which is at its best place: more faults never make a step faster. Sets
 * IDEAL to the time without any fault. */
static double
find_bound (Place *place, double *ideal)
{
  g_autoptr (PlgPlan) relaxed = plg_plan_copy (place->relabelled);
  const PlgCluster *cluster = &place->plan->cluster;
  double bound;

  relaxed->cluster.network = PLG_NETWORK_FLAT;
  relaxed->cluster.oversubscription = 1.0;
  relaxed->cluster.n_faults = 0;
  bound = *ideal = step_time (place, relaxed);
  for (int i = 0; i < place->n_faulty; i++)
    {
      const FaultyNode *faulty = &place->faulty[i];

      if (faulty->has_nic_fault)
        bound = MAX (bound, best_time_of_part (place, relaxed, faulty, -1));
      for (int local = 0; local < place->gpus; local++)
        {
          gboolean is_faulty = FALSE;

          for (int j = 0; j < cluster->n_faults; j++)
            is_faulty |= (cluster->faults[j].kind == PLG_FAULT_GPU ||
                          cluster->faults[j].kind == PLG_FAULT_PORT) &&
                         cluster->faults[j].first == faulty->node * place->gpus + local;
          if (is_faulty)
            bound = MAX (bound, best_time_of_part (place, relaxed, faulty, local));
        }
    }
  return bound;
}

/* Bases */

static void
base_init (Place *place, const int *base)
{
  const PlgPlan *plan = place->plan;
  int world = place->nodes * place->gpus, stages = plan->parallelism.degree[PLG_AXIS_PP];

  place->base = base;
  place->relabelled = plg_plan_copy (plan);
  plg_placement_clear (&place->relabelled->placement);
  if (base != NULL)
    plg_placement_copy (&place->relabelled->placement, &plan->placement);
  place->placed = plg_plan_copy (plan);
  plg_placement_expand (&place->placed->placement, world);
  place->stage_of = g_new (int, world);
  for (int rank = 0; rank < world; rank++)
    place->stage_of[base != NULL ? base[rank] : rank] = plg_rank_coordinate (&plan->parallelism,
                                                                             rank)
                                                            .index[PLG_AXIS_PP];
  place->class_of_slot = g_new (int, place->nodes);
  place->first_of_class = g_new (int, place->nodes);
  place->first_of_kind = g_new (int, place->nodes);
  set_classes (place);
  state_init (&place->state, place);
  state_init (&place->best, place);
  place->best_time = G_MAXDOUBLE;
  place->best_moved = G_MAXINT;
  place->times = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  place->units_left = BUDGET;
  place->evaluations_left = MOST_EVALUATIONS;
  place->full_cost = (double) world * PLG_N_GROUP_KINDS * (plan->cluster.n_faults > 0 ? stages : 1);
  place->fast_cost = base != NULL || place->has_broken_route ? place->full_cost
                                                             : FAST_COST * stages;
  place->has_skipped = FALSE;
}

static void
base_clear (Place *place)
{
  plg_plan_free (place->relabelled);
  plg_plan_free (place->placed);
  g_free (place->stage_of);
  g_free (place->class_of_slot);
  g_free (place->first_of_class);
  g_free (place->first_of_kind);
  state_clear (&place->state);
  state_clear (&place->best);
  g_hash_table_unref (place->times);
}

/* Finds the best state of the base, and updates the result. The first base is the nesting order. */
static void
search_base (Place *place, const int *base)
{
  PlgPlaceResult *result = place->result;
  gboolean is_first = base == NULL, is_optimal;
  double bound, ideal;

  base_init (place, base);
  place->base_time = try_state (place);
  bound = find_bound (place, &ideal);
  if (place->base_time <= bound * (1.0 + SAME_TIME))
    is_optimal = TRUE;
  else if (enumerate (place, TRUE) <= MIN (MOST_EVALUATIONS, place->units_left / place->full_cost))
    {
      enumerate (place, FALSE);
      is_optimal = !place->has_skipped && !is_cancelled (place);
    }
  else
    {
      descend (place);
      anneal (place, bound);
      undo_useless_moves (place);
      is_optimal = FALSE;
    }
  is_optimal |= place->best_time <= bound * (1.0 + SAME_TIME);
  if (is_optimal)
    bound = place->best_time;
  result->ideal_time = is_first ? ideal : MIN (result->ideal_time, ideal);
  result->bound = is_first ? bound : MIN (result->bound, bound);
  result->is_optimal = is_optimal && (is_first || result->is_optimal);
  if (is_first || place->best_time < result->time * (1.0 - SAME_TIME))
    {
      result->time = place->best_time;
      plg_placement_clear (&result->placement);
      plg_placement_expand (&result->placement, place->nodes * place->gpus);
      fill_placement (place, &place->best, result->placement.gpu_of_rank);
      plg_placement_simplify (&result->placement);
    }
  base_clear (place);
}

/* Search */

static void
place_init (Place *place, const PlgPlan *plan)
{
  const PlgCluster *cluster = &plan->cluster;
  gboolean has_rails;
  PlgFabric fabric;

  plg_fabric_of_plan (&fabric, plan);
  place->plan = plan;
  place->report = plg_report_new ();
  place->nodes = fabric.nodes;
  place->gpus = fabric.gpus;
  place->per_unit = MIN (fabric.nodes_per_leaf, fabric.nodes);
  place->unit_leaves = fabric.network == PLG_NETWORK_RAIL ? fabric.nics : 1;
  has_rails = fabric.network == PLG_NETWORK_RAIL && fabric.spines > 0;
  for (int i = 0; i < cluster->n_faults; i++)
    place->has_broken_route |= cluster->faults[i].kind == PLG_FAULT_UPLINK ||
                               (has_rails && cluster->faults[i].kind == PLG_FAULT_NIC &&
                                cluster->faults[i].rate <= 0.0);
  /* Uplinks with full bandwidth never slow a transfer, unless the GPUs of a node share some NICs
   * and not others. */
  place->needs_leaves = fabric.spines > 0 && place->per_unit < place->nodes &&
                        (fabric.oversubscription > 1.0 || place->has_broken_route ||
                         fabric.has_nearest_nics);
  place->keeps_gpus = fabric.has_nearest_nics || fabric.has_paths || fabric.has_ring;
  place->can_relabel_gpus = !place->keeps_gpus && !has_rails;
  place->faulty_of_node = g_new (int, place->nodes);
  place->type_of_node = g_new (int, place->nodes);
  add_faulty_nodes (place);
  set_types (place);
}

static void
place_clear (Place *place)
{
  plg_report_unref (place->report);
  g_free (place->faulty_of_node);
  g_free (place->type_of_node);
}

gboolean
plg_place_search (const PlgPlan *plan,
                  PlgPlaceControl *control,
                  PlgPlaceResult *result,
                  GError **error)
{
  Place place = { .control = control, .result = result };

  *result = (PlgPlaceResult) { 0 };
  if (!plg_plan_check (plan, error))
    return FALSE;
  place_init (&place, plan);
  result->time_before = step_time (&place, plan);
  search_base (&place, NULL);
  if (plan->placement.size > 0 && !is_cancelled (&place))
    search_base (&place, plan->placement.gpu_of_rank);
  result->is_complete = !is_cancelled (&place);
  set_percent (&place, 1.0);
  place_clear (&place);
  return TRUE;
}

void
plg_place_result_clear (PlgPlaceResult *result)
{
  plg_placement_clear (&result->placement);
}

double
plg_place_result_gap (const PlgPlaceResult *result)
{
  return result->time > 0.0 ? MAX (1.0 - result->bound / result->time, 0.0) : 0.0;
}

/* Moves */

GArray *
plg_place_moves (const PlgPlan *from, const PlgPlacement *placement)
{
  GArray *moves = g_array_new (FALSE, FALSE, sizeof (PlgPlaceMove));
  int gpus = from->cluster.gpus_per_node, world = plg_plan_world (from), nodes = world / gpus;
  g_autofree int *now = g_new (int, world);    /* rank on each GPU */
  g_autofree int *wanted = g_new (int, world); /* GPU of each rank */
  g_autofree int *where = g_new (int, world);  /* GPU of each rank now */
  gboolean keeps_nodes = TRUE;

  for (int rank = 0; rank < world; rank++)
    {
      where[rank] = plg_placement_gpu (&from->placement, rank);
      now[where[rank]] = rank;
      wanted[rank] = plg_placement_gpu (placement, rank);
    }
  for (int gpu = 0; gpu < world; gpu++)
    keeps_nodes &= wanted[now[gpu]] / gpus == wanted[now[gpu / gpus * gpus]] / gpus;
  for (int node = 0; node < nodes && keeps_nodes; node++)
    {
      PlgPlaceMove move = { TRUE, node, wanted[now[node * gpus]] / gpus };

      /* Exchange the ranks of the node until it has those that stay. */
      while (move.b != node)
        {
          for (int i = 0; i < gpus; i++)
            {
              int a = now[node * gpus + i], b = now[move.b * gpus + i];

              now[node * gpus + i] = b;
              now[move.b * gpus + i] = a;
            }
          g_array_append_val (moves, move);
          move.b = wanted[now[node * gpus]] / gpus;
        }
    }
  for (int gpu = 0; gpu < world; gpu++)
    while (wanted[now[gpu]] != gpu)
      {
        PlgPlaceMove move = { FALSE, gpu, wanted[now[gpu]] };
        int rank = now[gpu];

        now[gpu] = now[move.b];
        now[move.b] = rank;
        g_array_append_val (moves, move);
      }
  return moves;
}
