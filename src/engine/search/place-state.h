/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "engine/search/place.h"

G_BEGIN_DECLS

/* The placements that a search for the fastest placement tries, and their step times. Private to
 * this folder. */

/* The size of the search. An evaluation costs as many units as it visits ranks, roughly; PLG_PLACE_BUDGET
 * units take a few seconds on one processor. */
#define PLG_PLACE_BUDGET 4e8
#define PLG_PLACE_FAST_COST 1000.0
#define PLG_PLACE_MOST_EVALUATIONS 3000

/* Placements whose times differ by less than this share are equally fast. */
#define PLG_PLACE_SAME_TIME 1e-9

/* A node with slow or failed parts. */
typedef struct
{
  int node;
  int type; /* nodes of the same type are interchangeable */
  gboolean has_nic_fault;
  int n_movable; /* the GPUs that may be exchanged with other GPUs of the node */
  int movable[PLG_MAX_FAULTS];
} PlgFaultyNode;

/* The placement that is being tried. */
typedef struct
{
  int *node_of_slot;
  int *slot_of_node;
  guint8 *local; /* GPU within the node at each position of the slot, for each faulty node */
} PlgPlaceState;

/* A running search. A slot is a node as the base placement fills it: slot s holds the ranks that
 * the base places on node s. The search assigns a node to each slot. */
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
  gboolean has_cp_ring;      /* TRUE if the order of the GPUs of a stage matters */
  int n_faulty;
  PlgFaultyNode faulty[PLG_MAX_FAULTS];
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
  PlgPlaceState state;
  PlgPlaceState best;
  double best_time;
  int best_moved;
  double base_time;  /* step time of the base [s] */
  GHashTable *times; /* double, the step time by the hash of the state */
  double units_left;
  double fast_cost; /* units per evaluation with exchanged faults */
  double full_cost; /* units per evaluation with another placement */
  int evaluations_left;
  gboolean has_skipped; /* TRUE if a state was too expensive to evaluate */
} PlgPlace;

/* Sets STATE to the base. */
void plg_place_state_init (PlgPlaceState *state, const PlgPlace *place);
void plg_place_state_clear (PlgPlaceState *state);
void plg_place_state_copy (PlgPlaceState *to, const PlgPlaceState *from, const PlgPlace *place);

/* Exchanges the nodes at slots A and B. */
void plg_place_swap_slots (PlgPlaceState *state, int a, int b);
/* Returns the GPU within the node at each position of the faulty node with index FAULTY. */
guint8 *plg_place_locals (const PlgPlace *place, const PlgPlaceState *state, int faulty);
/* Returns the position of the GPU LOCAL of a faulty node. */
int plg_place_position (const PlgPlace *place, const PlgPlaceState *state, int faulty, int local);
/* Exchanges the GPUs at positions A and B of a faulty node. */
void
plg_place_swap_positions (const PlgPlace *place, PlgPlaceState *state, int faulty, int a, int b);
/* Returns the stage of the rank at a position of a slot. */
int plg_place_stage (const PlgPlace *place, int slot, int position);
/* Fills the placement of STATE, an array with the GPU of each rank. */
void plg_place_fill (const PlgPlace *place, const PlgPlaceState *state, int *gpu_of_rank);

/* Returns the step time of PLAN, which must be valid [s]. */
double plg_place_step_time (PlgPlace *place, const PlgPlan *plan);
gboolean plg_place_is_cancelled (const PlgPlace *place);
/* Returns TRUE if the search may evaluate another state. */
gboolean plg_place_may_go_on (const PlgPlace *place);
/* Returns TRUE if the search may try states that need a placement of their own. */
gboolean plg_place_can_afford (const PlgPlace *place);
/* Returns the step time of the state being tried, and remembers the state if it is the best [s].
 * Returns G_MAXDOUBLE for a state that is too expensive to evaluate. */
double plg_place_try (PlgPlace *place);

/* Lists the nodes with faults. */
void plg_place_add_faulty_nodes (PlgPlace *place);
/* Gives each node a type: nodes with the same faults, below the same leaf if that matters. */
void plg_place_set_types (PlgPlace *place);
/* Divides the slots into classes. If the leaf of a node matters, or if the replacement of a failed
 * NIC changes the routes, each slot is a class. */
void plg_place_set_classes (PlgPlace *place);

G_END_DECLS
