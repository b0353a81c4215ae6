/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/place-state.h"

#include "engine/evaluate.h"
#include "engine/network/fabric.h"
#include "engine/network/groups.h"

#include <math.h>
#include <string.h>

/* The temperatures of the annealing, as shares of the step time in the nesting order. */
#define FIRST_TEMPERATURE 0.02
#define LAST_TEMPERATURE 1e-4

/* Moves */

/* Returns a slot of CLASS whose node has no fault, or -1. */
static int
find_free_slot (const PlgPlace *place, const PlgPlaceState *state, int class)
{
  for (int slot = place->first_of_class[class]; slot < place->nodes; slot++)
    if (place->class_of_slot[slot] == class && place->faulty_of_node[state->node_of_slot[slot]] < 0)
      return slot;
  return -1;
}

/* Lists the positions to which the GPU at position FROM of a faulty node can move: those on another
 * stage of sound GPUs, and of the movable GPUs with index FIRST or higher. Lists one sound GPU per
 * stage if the sound GPUs of the node are alike. In a ring of CP, the order of the GPUs of a stage
 * decides which of them send to another node, so each position counts. Returns the number of
 * positions. */
static int
list_positions (const PlgPlace *place,
                const PlgPlaceState *state,
                int faulty,
                int from,
                int first,
                int *positions)
{
  const PlgFaultyNode *node = &place->faulty[faulty];
  gboolean are_alike = place->can_relabel_gpus && !node->has_nic_fault && !place->has_cp_ring;
  int listed_stages[PLG_MAX_GPUS_PER_NODE];
  int slot = state->slot_of_node[node->node], n = 0, n_listed = 0;

  for (int to = 0; to < place->gpus; to++)
    {
      int stage = plg_place_stage (place, slot, to), movable = -1;
      gboolean is_target = to != from &&
                           (place->has_cp_ring || stage != plg_place_stage (place, slot, from));

      for (int i = 0; i < node->n_movable; i++)
        if (plg_place_locals (place, state, faulty)[to] == node->movable[i])
          movable = i;
      if (movable >= 0 && movable < first)
        is_target = FALSE;
      for (int i = 0; i < n_listed && is_target && are_alike && movable < 0; i++)
        is_target = listed_stages[i] != stage;
      if (is_target && movable < 0)
        listed_stages[n_listed++] = stage;
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
  PlgPlace *place;
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
  PlgPlace *place = self->place;
  PlgPlaceState *state = &place->state;
  int positions[PLG_MAX_GPUS_PER_NODE], n, from;

  if (plg_place_is_cancelled (place) || self->n_states > PLG_PLACE_MOST_EVALUATIONS)
    return;
  if (faulty == place->n_faulty)
    {
      self->n_states++;
      if (!self->counts)
        plg_place_try (place);
      return;
    }
  if (movable == place->faulty[faulty].n_movable)
    {
      enumerate_gpus (self, faulty + 1, 0);
      return;
    }
  enumerate_gpus (self, faulty, movable + 1);
  from = plg_place_position (place, state, faulty, place->faulty[faulty].movable[movable]);
  n = list_positions (place, state, faulty, from, movable + 1, positions);
  for (int i = 0; i < n; i++)
    {
      plg_place_swap_positions (place, state, faulty, from, positions[i]);
      enumerate_gpus (self, faulty, movable + 1);
      plg_place_swap_positions (place, state, faulty, from, positions[i]);
    }
}

/* Assigns a node of the chosen type to each slot. Nodes stay where they are if possible. */
static void
assign_nodes (Enumeration *self)
{
  PlgPlace *place = self->place;
  PlgPlaceState *state = &place->state;

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
  const PlgPlace *place = self->place;
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
  PlgPlace *place = self->place;
  int slots[PLG_MAX_FAULTS * 2], n = 0, room = 0;

  if (plg_place_is_cancelled (place) || self->n_states > PLG_PLACE_MOST_EVALUATIONS)
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
enumerate (PlgPlace *place, gboolean counts)
{
  Enumeration self = { .place = place, .counts = counts };
  g_autofree int *nodes_left = g_new0 (int, place->n_types);
  g_autofree int *slots_left = g_new0 (int, place->n_classes);
  g_autofree int *type_of_slot = g_new (int, place->nodes);

  /* The number of states is at least this product, and so is the depth of the recursion. */
  if ((double) (place->n_types - 1) * place->n_classes > PLG_PLACE_MOST_EVALUATIONS)
    return G_MAXDOUBLE;
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
  } swap[PLG_MAX_FAULTS * 64]; /* room for all nodes below the leaves of each faulty node */
} Step;

static void
do_swap (const PlgPlace *place, PlgPlaceState *state, Step *step, int faulty, int a, int b)
{
  if (a == b || step->n == G_N_ELEMENTS (step->swap))
    return;
  if (faulty >= 0)
    plg_place_swap_positions (place, state, faulty, a, b);
  else
    plg_place_swap_slots (state, a, b);
  step->swap[step->n].faulty = faulty;
  step->swap[step->n].a = a;
  step->swap[step->n].b = b;
  step->n++;
}

static void
undo_step (const PlgPlace *place, PlgPlaceState *state, Step *step)
{
  while (step->n-- > 0)
    if (step->swap[step->n].faulty >= 0)
      plg_place_swap_positions (place, state, step->swap[step->n].faulty, step->swap[step->n].a,
                                step->swap[step->n].b);
    else
      plg_place_swap_slots (state, step->swap[step->n].a, step->swap[step->n].b);
  step->n = 0;
}

/* Moves the faulty node to a slot of CLASS: to its own slot in the base if possible, otherwise to
 * a slot without a faulty node. */
static void
move_to_class (const PlgPlace *place, PlgPlaceState *state, Step *step, int faulty, int class)
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
move_all_to_class (const PlgPlace *place, PlgPlaceState *state, Step *step, int from, int to)
{
  for (int i = 0; i < place->n_faulty; i++)
    if (from < 0 || place->class_of_slot[state->slot_of_node[place->faulty[i].node]] == from)
      move_to_class (place, state, step, i, to);
}

/* Tries the step. Keeps the step if it makes the placement faster than *TIME. */
static gboolean
try_step (PlgPlace *place, Step *step, double *time)
{
  double now;

  if (step->n == 0)
    return FALSE;
  now = plg_place_try (place);
  if (now < *time * (1.0 - PLG_PLACE_SAME_TIME))
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
swap_units (const PlgPlace *place, PlgPlaceState *state, Step *step, int a, int b)
{
  for (int i = 0; i < place->per_unit && place->per_unit <= (int) G_N_ELEMENTS (step->swap); i++)
    do_swap (place, state, step, -1, a * place->per_unit + i, b * place->per_unit + i);
}

/* Exchanges whole leaves so that all faulty nodes are below the leaves of TARGET and of the next
 * leaves with the same stages. */
static void
gather_units (const PlgPlace *place, PlgPlaceState *state, Step *step, int target)
{
  int units = place->nodes / place->per_unit, next = target;
  int stage = plg_place_stage (place, target * place->per_unit, 0);

  for (int i = 0; i < place->n_faulty; i++)
    {
      int unit = state->slot_of_node[place->faulty[i].node] / place->per_unit;

      if (unit >= units || (unit >= target && unit < next &&
                            plg_place_stage (place, unit * place->per_unit, 0) == stage))
        continue;
      while (next < units && plg_place_stage (place, next * place->per_unit, 0) != stage)
        next++;
      if (next == units)
        return;
      swap_units (place, state, step, unit, next++);
    }
}

/* Tries to move the faulty node with index I, and its GPUs. Returns TRUE if a move makes the
 * placement faster. */
static gboolean
descend_node (PlgPlace *place, int i, double *time)
{
  const PlgFaultyNode *faulty = &place->faulty[i];
  PlgPlaceState *state = &place->state;
  int slot = state->slot_of_node[faulty->node], units = place->nodes / place->per_unit;
  int first = 0, n = place->nodes;
  gboolean is_better = FALSE;
  Step step = { 0 };

  if (!place->needs_leaves)
    n = place->n_classes;
  else if (!plg_place_can_afford (place))
    {
      first = slot / place->per_unit * place->per_unit;
      n = MIN (place->per_unit, place->nodes - first);
    }
  for (int class = first; class < first + n && plg_place_may_go_on (place); class ++)
    {
      move_to_class (place, state, &step, i, class);
      is_better |= try_step (place, &step, time);
    }
  for (int unit = 0; unit < units && place->needs_leaves && plg_place_may_go_on (place); unit++)
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
      int from = plg_place_position (place, state, i, faulty->movable[j]);
      int n_positions = list_positions (place, state, i, from, place->faulty[i].n_movable,
                                        positions);

      for (int k = 0; k < n_positions && plg_place_may_go_on (place); k++)
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
descend (PlgPlace *place)
{
  PlgPlaceState *state = &place->state;
  double time = plg_place_try (place);
  gboolean is_better = TRUE;
  int units = place->nodes / place->per_unit;
  Step step = { 0 };

  while (is_better && plg_place_may_go_on (place))
    {
      is_better = FALSE;
      for (int from = -1; from < place->n_classes && place->n_classes <= MANY_CLASSES; from++)
        for (int to = 0; to < place->n_classes && plg_place_may_go_on (place); to++)
          {
            move_all_to_class (place, state, &step, from, to);
            is_better |= try_step (place, &step, &time);
          }
      for (int unit = 0; unit < units && place->needs_leaves && plg_place_may_go_on (place);
           unit += MAX (units / 128, 1))
        {
          gather_units (place, state, &step, unit);
          is_better |= try_step (place, &step, &time);
        }
      for (int i = 0; i < place->n_faulty; i++)
        is_better |= descend_node (place, i, &time);
    }
}

/* Makes a random step. If a placement of its own is too expensive, the step exchanges only nodes
 * below the same leaves, or whole leaves. */
static void
step_at_random (const PlgPlace *place, PlgPlaceState *state, GRand *random, Step *step)
{
  int faulty = place->n_faulty > 0 ? g_rand_int_range (random, 0, place->n_faulty) : -1;
  int kind = g_rand_int_range (random, 0, 6), units = place->nodes / place->per_unit;

  if (faulty >= 0 && kind == 0 && place->faulty[faulty].n_movable > 0)
    {
      const PlgFaultyNode *node = &place->faulty[faulty];
      int local = node->movable[g_rand_int_range (random, 0, node->n_movable)];
      int from = plg_place_position (place, state, faulty, local), positions[PLG_MAX_GPUS_PER_NODE];
      int n = list_positions (place, state, faulty, from, place->faulty[faulty].n_movable,
                              positions);

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

      if (!plg_place_can_afford (place))
        {
          first = a / place->per_unit * place->per_unit;
          n = MIN (place->per_unit, place->nodes - first);
        }
      do_swap (place, state, step, -1, a, first + g_rand_int_range (random, 0, n));
    }
}

static void
set_percent (const PlgPlace *place, double share)
{
  if (place->control != NULL)
    g_atomic_int_set (&place->control->percent_done, (int) (100.0 * CLAMP (share, 0.0, 1.0)));
}

static void
anneal (PlgPlace *place, double bound)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  double time, units = place->units_left;
  int evaluations = place->evaluations_left;
  Step step = { 0 };

  plg_place_state_copy (&place->state, &place->best, place);
  time = place->best_time;
  /* Tries that the search already knows cost nothing, so their number is limited too. */
  for (int tries = 0; tries < 20 * PLG_PLACE_MOST_EVALUATIONS && plg_place_may_go_on (place);
       tries++)
    {
      double done = MAX (MAX (1.0 - place->units_left / units,
                              1.0 - (double) place->evaluations_left / evaluations),
                         tries / (20.0 * PLG_PLACE_MOST_EVALUATIONS));
      double temperature = place->base_time * FIRST_TEMPERATURE *
                           pow (LAST_TEMPERATURE / FIRST_TEMPERATURE, done);
      double now;

      if (place->best_time <= bound * (1.0 + PLG_PLACE_SAME_TIME))
        return;
      step_at_random (place, &place->state, random, &step);
      if (step.n == 0)
        continue;
      now = plg_place_try (place);
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
undo_useless_moves (PlgPlace *place)
{
  PlgPlaceState *state = &place->state;

  place->evaluations_left = MAX (place->evaluations_left, place->nodes);
  place->units_left = MAX (place->units_left, PLG_PLACE_BUDGET / 4.0);
  plg_place_state_copy (state, &place->best, place);
  for (int slot = 0; slot < place->nodes && plg_place_may_go_on (place); slot++)
    if (state->node_of_slot[slot] != slot)
      {
        plg_place_swap_slots (state, slot, state->slot_of_node[slot]);
        plg_place_try (place);
        plg_place_state_copy (state, &place->best, place);
      }
  for (int i = 0; i < place->n_faulty; i++)
    for (int j = 0; j < place->gpus && plg_place_may_go_on (place); j++)
      if (plg_place_locals (place, state, i)[j] != j)
        {
          plg_place_swap_positions (place, state, i, j, plg_place_position (place, state, i, j));
          plg_place_try (place);
          plg_place_state_copy (state, &place->best, place);
        }
}

/* Bounds */

/* Returns the step time of RELAXED, a plan with a flat network, if only the faults of a part of
 * the faulty node remain, and the part is at its best slot and position [s]. The part is the GPU
 * LOCAL, or all NICs of the node if LOCAL is -1. */
static double
best_time_of_part (PlgPlace *place, PlgPlan *relaxed, const PlgFaultyNode *faulty, int local)
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
            is_new = plg_place_stage (place, slot, j) != plg_place_stage (place, slot, position);
          if (!is_new || !plg_place_may_go_on (place))
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
          best = MIN (best, plg_place_step_time (place, relaxed));
          place->units_left -= place->fast_cost;
        }
    }
  return plg_place_may_go_on (place) ? best : 0.0;
}

/* Returns a lower bound of the step time of all states [s]. The bound ignores the uplinks and all
 * faulty parts except one, which is at its best place: more faults never make a step faster. Sets
 * IDEAL to the time without any fault. */
static double
find_bound (PlgPlace *place, double *ideal)
{
  g_autoptr (PlgPlan) relaxed = plg_plan_copy (place->relabelled);
  const PlgCluster *cluster = &place->plan->cluster;
  double bound;

  relaxed->cluster.network = PLG_NETWORK_FLAT;
  relaxed->cluster.oversubscription = 1.0;
  relaxed->cluster.n_faults = 0;
  bound = *ideal = plg_place_step_time (place, relaxed);
  for (int i = 0; i < place->n_faulty; i++)
    {
      const PlgFaultyNode *faulty = &place->faulty[i];

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
base_init (PlgPlace *place, const int *base)
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
  plg_place_set_classes (place);
  plg_place_state_init (&place->state, place);
  plg_place_state_init (&place->best, place);
  place->best_time = G_MAXDOUBLE;
  place->best_moved = G_MAXINT;
  place->times = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  place->units_left = PLG_PLACE_BUDGET;
  place->evaluations_left = PLG_PLACE_MOST_EVALUATIONS;
  place->full_cost = (double) world * PLG_N_GROUP_KINDS * (plan->cluster.n_faults > 0 ? stages : 1);
  place->fast_cost = base != NULL || place->has_broken_route ? place->full_cost
                                                             : PLG_PLACE_FAST_COST * stages;
  place->has_skipped = FALSE;
}

static void
base_clear (PlgPlace *place)
{
  plg_plan_free (place->relabelled);
  plg_plan_free (place->placed);
  g_free (place->stage_of);
  g_free (place->class_of_slot);
  g_free (place->first_of_class);
  g_free (place->first_of_kind);
  plg_place_state_clear (&place->state);
  plg_place_state_clear (&place->best);
  g_hash_table_unref (place->times);
}

/* Finds the best state of the base, and updates the result. The first base is the nesting order. */
static void
search_base (PlgPlace *place, const int *base)
{
  PlgPlaceResult *result = place->result;
  gboolean is_first = base == NULL, is_optimal;
  double bound, ideal;

  base_init (place, base);
  place->base_time = plg_place_try (place);
  bound = find_bound (place, &ideal);
  if (place->base_time <= bound * (1.0 + PLG_PLACE_SAME_TIME))
    is_optimal = TRUE;
  else if (enumerate (place, TRUE) <=
           MIN (PLG_PLACE_MOST_EVALUATIONS, place->units_left / place->full_cost))
    {
      enumerate (place, FALSE);
      is_optimal = !place->has_skipped && !plg_place_is_cancelled (place);
    }
  else
    {
      descend (place);
      anneal (place, bound);
      undo_useless_moves (place);
      is_optimal = FALSE;
    }
  is_optimal |= place->best_time <= bound * (1.0 + PLG_PLACE_SAME_TIME);
  if (is_optimal)
    bound = place->best_time;
  result->ideal_time = is_first ? ideal : MIN (result->ideal_time, ideal);
  result->bound = is_first ? bound : MIN (result->bound, bound);
  result->is_optimal = is_optimal && (is_first || result->is_optimal);
  if (is_first || place->best_time < result->time * (1.0 - PLG_PLACE_SAME_TIME))
    {
      result->time = place->best_time;
      plg_placement_clear (&result->placement);
      plg_placement_expand (&result->placement, place->nodes * place->gpus);
      plg_place_fill (place, &place->best, result->placement.gpu_of_rank);
      plg_placement_simplify (&result->placement);
    }
  base_clear (place);
}

/* Search */

static void
place_init (PlgPlace *place, const PlgPlan *plan)
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
  place->has_cp_ring = plan->parallelism.degree[PLG_AXIS_CP] > 1 &&
                       plan->parallelism.cp_type == PLG_CP_RING;
  place->faulty_of_node = g_new (int, place->nodes);
  place->type_of_node = g_new (int, place->nodes);
  plg_place_add_faulty_nodes (place);
  plg_place_set_types (place);
}

static void
place_clear (PlgPlace *place)
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
  PlgPlace place = { .control = control, .result = result };

  *result = (PlgPlaceResult) { 0 };
  if (!plg_plan_check (plan, error))
    return FALSE;
  place_init (&place, plan);
  result->time_before = plg_place_step_time (&place, plan);
  search_base (&place, NULL);
  if (plan->placement.size > 0 && !plg_place_is_cancelled (&place))
    search_base (&place, plan->placement.gpu_of_rank);
  result->is_complete = !plg_place_is_cancelled (&place);
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
