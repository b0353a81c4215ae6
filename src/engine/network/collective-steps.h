/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/groups.h"

G_BEGIN_DECLS

/* The steps of one collective call: the data that each member holds after each step, and the
 * messages of each step. Rings follow NCCL (src/device/reduce_scatter.h, all_gather.h,
 * all_reduce.h; Patarasuk and Yuan 2009, Bandwidth optimal all-reduce algorithms): a buffer of S
 * bytes has n chunks, and in each step every member sends one chunk of S/n bytes to the next
 * member. A reduce-scatter and an all-gather take n - 1 steps each; an all-reduce is both in
 * sequence.
 *
 * In an all-to-all each member has a block for every other member. NCCL sends all blocks at the
 * same time; this model sends them one by one, so that in step k each member sends a block to
 * the member k positions after it. In a chain, each member forwards one message to the next: a
 * message between stages, or a broadcast from the first member. */
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
  double bytes; /* buffer size of a call; for ring attention, the size of the messages of all
                   members together */
  gboolean joins_stages; /* TRUE if the members of a chain are pipeline stages */
} PlgCollectiveSteps;

/* Initializes the steps of COLLECTIVE. Ring attention (CP) is treated as an all-gather, because
 * it passes keys and values around the ring as an all-gather passes its chunks. */
void plg_collective_steps_init (PlgCollectiveSteps *collective_steps,
                                const PlgCollective *collective);
int plg_collective_steps_count (const PlgCollectiveSteps *collective_steps);
int plg_collective_steps_chunks (const PlgCollectiveSteps *collective_steps);
/* Returns the bytes that a member sends in one step. */
double plg_collective_steps_step_bytes (const PlgCollectiveSteps *collective_steps);
/* Returns the bytes that a member sends in the whole call. In a chain the last member sends
 * nothing, and each other member sends the message once. */
double plg_collective_steps_total_bytes (const PlgCollectiveSteps *collective_steps);

/* plg_collective_steps_held:
 * @step: 0 .. number of steps
 * @chunk: index of the chunk; in an all-to-all, chunk i is the block that member i sends to @member
 *
 * Counts the members whose data is in @member's copy of @chunk after @step.
 *
 * Returns: the number of members; 0 if @member does not hold the chunk. In a collective that does
 *   not reduce, the result is either 0 or plg_collective_steps_full_count(), because no chunk is a
 *   partial sum. */
int plg_collective_steps_held (const PlgCollectiveSteps *collective_steps,
                               int step,
                               int member,
                               int chunk);
int plg_collective_steps_full_count (const PlgCollectiveSteps *collective_steps);
/* plg_collective_steps_send:
 * @step: 1 .. number of steps
 *
 * Finds the receiver and the chunk of the message that @member sends in @step.
 *
 * Returns: %FALSE if @member sends nothing */
gboolean plg_collective_steps_send (const PlgCollectiveSteps *collective_steps,
                                    int step,
                                    int member,
                                    int *to,
                                    int *chunk);
/* Returns TRUE if STEP is in the second half of an all-reduce, which only forwards complete
 * chunks. */
gboolean plg_collective_steps_is_gathering (const PlgCollectiveSteps *collective_steps, int step);

/* plg_collective_steps_gpus:
 *
 * Lists the GPUs of the group in which @rank calls @collective, in sending order: around NCCL's
 * ring, or along the chain. If @rank is in no group of @collective, lists the GPUs of the
 * collective's first group.
 *
 * Returns: (transfer full) (element-type int): the GPUs */
GArray *plg_collective_steps_gpus (const PlgPlan *plan,
                                   const PlgCollective *collective,
                                   int rank) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
