/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/collective.h"
#include "engine/model/kernel.h"
#include "engine/network/overlap-budget.h"
#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* The work of one micro-batch on one GPU: kernels and collectives, by the pieces of the model.
 * Stages differ only in their number of pieces, unless a link has a fault: the fault slows only the
 * stage whose groups use the link. */

typedef enum
{
  PLG_PHASE_FORWARD,
  PLG_PHASE_INPUT,  /* backward, input gradients and recompute */
  PLG_PHASE_WEIGHT, /* backward, weight gradients */
} PlgPhase;
#define PLG_N_PHASES 3

/* One kind of collective call. */
typedef struct
{
  PlgGroupKind group;
  PlgAxis axis;
  PlgCollectiveKind kind;
  PlgCollectiveSubject collective_subject;
  PlgGroupExtent extent;    /* placement of the whole group */
  double node_copy_share;   /* see plg_collective_dispatch_cost(); 1 for all but experts */
  double contention_factor; /* how many times longer calls take in training than alone */
  struct
  {
    double bytes; /* per call */
    double time;  /* per call */
    PlgCollectiveCost cost;
    double calls[PLG_N_PHASES];
    double exposed[PLG_N_PHASES]; /* exposed seconds of all calls */
  } piece[PLG_N_PIECES];
} PlgCollectiveUse;
#define PLG_MAX_COLLECTIVE_USES 16

/* The number of each piece in a stage. */
typedef struct
{
  double count[PLG_N_PIECES];
} PlgPieceCounts;

typedef struct
{
  const PlgPlan *plan;
  PlgFabric fabric;
  PlgKernelTime kernels[PLG_N_PIECES];           /* for pieces in the model */
  PlgOverlapBudget overlap_budget[PLG_N_PIECES]; /* left by a micro-batch's collectives */
  int n_collective_uses;
  PlgCollectiveUse collective_uses[PLG_MAX_COLLECTIVE_USES];
  /* Seconds by piece, phase and part; they add up to the time of a micro-batch. */
  double seconds[PLG_N_PIECES][PLG_N_PHASES][PLG_N_PARTS];
} PlgWorkload;

/* The network without the faults that slow only other stages than STAGE. */
void plg_workload_fabric (PlgFabric *fabric, const PlgPlan *plan, int stage);
/* Computes the work of a micro-batch on the GPUs of STAGE. */
void plg_workload_init (PlgWorkload *workload, const PlgPlan *plan, int stage);

/* Seconds of PHASE for the pieces CONTENT, all parts together. */
double
plg_workload_time (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPhase phase);
/* Seconds of PASS that can hide a once-per-step collective with links of SCOPES. */
double plg_workload_overlap_left (const PlgWorkload *workload,
                                  const PlgPieceCounts *content,
                                  PlgPass pass,
                                  PlgLinkScopes scopes);
/* Seconds of PHASE for the pieces CONTENT, computation only. */
double
plg_workload_computing (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPhase phase);
/* Seconds of one part, in all phases. */
double plg_workload_part (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPart part);

/* The totals of a collective for one micro-batch. */
typedef struct
{
  double calls;
  double bytes; /* all calls */
  double time;
  double exposed;
} PlgCollectiveUseSum;

PlgCollectiveUseSum plg_collective_use_sum (const PlgCollectiveUse *use,
                                            const PlgPieceCounts *content);

/* The pieces of a pipeline position; DualPipe's second direction has the same pieces. */
PlgPieceCounts
plg_position_piece_counts (const PlgPlan *plan, const PlgPipeline *pipeline, int position);

/* The size of a message between stages: the activations of one micro-batch [bytes]. */
double plg_message_bytes (const PlgPlan *plan);

G_END_DECLS
