/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/groups.h"

G_BEGIN_DECLS

/* One call of a collective, step by step: who holds what after each step, and who sends what to
 * whom in it. Rings as NCCL runs them (src/device/reduce_scatter.h, all_gather.h, all_reduce.h;
 * Patarasuk and Yuan 2009, Bandwidth optimal all-reduce algorithms): a buffer of S bytes is cut
 * into n chunks, and in each step every member sends one chunk of S/n to the next. A
 * reduce-scatter takes n - 1 steps, an all-gather as many, an all-reduce both. In an all-to-all
 * each member has a block for every other; NCCL sends them all at once, here those to the next
 * member come first, then those to the one after it. A chain hands its message on. */
typedef enum
{
  PLG_STEP_PATTERN_REDUCE_SCATTER,
  PLG_STEP_PATTERN_ALL_GATHER,
  PLG_STEP_PATTERN_ALL_REDUCE,
  PLG_STEP_PATTERN_ALL_TO_ALL,
  PLG_STEP_PATTERN_CHAIN,
} PlgStepPattern;

typedef struct
{
  PlgStepPattern shape;
  int members;  /* 2 or more */
  double bytes; /* the buffer of a call, as the report counts it */
} PlgCollectiveSteps;

/* Ring attention hands keys and values round as an all-gather does. */
void plg_collective_steps_init (PlgCollectiveSteps *collective_steps,
                                const PlgCollective *collective);
int plg_collective_steps_count (const PlgCollectiveSteps *collective_steps);
int plg_collective_steps_chunks (const PlgCollectiveSteps *collective_steps);
/* Bytes that a member sends in one step. */
double plg_collective_steps_step_bytes (const PlgCollectiveSteps *collective_steps);
/* Bytes that a member sends in the whole call; the last of a chain none, the others once. */
double plg_collective_steps_total_bytes (const PlgCollectiveSteps *collective_steps);

/* Of how many members' parts the sum consists that MEMBER holds of CHUNK after STEP steps (0 ..
 * steps): 0 nothing. What is only handed on counts as plg_collective_steps_full_count(). In an all-to-all, CHUNK is
 * the block that member CHUNK has sent to MEMBER. */
int plg_collective_steps_held (const PlgCollectiveSteps *collective_steps,
                               int step,
                               int member,
                               int chunk);
int plg_collective_steps_full_count (const PlgCollectiveSteps *collective_steps);
/* What MEMBER sends in STEP (1 .. steps): FALSE for nothing. */
gboolean plg_collective_steps_send (const PlgCollectiveSteps *collective_steps,
                                    int step,
                                    int member,
                                    int *to,
                                    int *chunk);
/* Whether STEP is of the second half of an all-reduce, which only hands on. */
gboolean plg_collective_steps_is_gathering (const PlgCollectiveSteps *collective_steps, int step);

/* The GPUs that call COLLECTIVE together with RANK, in the order in which they send: round the ring
 * as NCCL joins nodes, or along the chain. Array of int. Of a group that RANK has no part in, the
 * first one of its kind. */
GArray *plg_collective_steps_gpus (const PlgPlan *plan, const PlgCollective *collective, int rank);

G_END_DECLS
