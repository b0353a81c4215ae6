/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/collective.h"
#include "engine/model/kernel.h"
#include "engine/network/overlap-budget.h"
#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* What one micro-batch asks of one GPU: kernels and collectives, by the pieces that the model is
 * made of. A stage is so many of each piece. Stages differ in no more than that, unless there are
 * faults of links: those count for the stage whose groups they slow. */

typedef enum
{
  PLG_PHASE_FORWARD,
  PLG_PHASE_INPUT,  /* backward for inputs, with what is computed again */
  PLG_PHASE_WEIGHT, /* backward for weights */
} PlgPhase;
#define PLG_N_PHASES 3

/* One kind of call. */
typedef struct
{
  PlgGroupKind group;
  PlgAxis axis;
  PlgCollectiveKind kind;
  PlgCollectiveSubject collective_subject;
  PlgGroupExtent extent;    /* of the whole group */
  double node_copy_share;   /* of plg_collective_dispatch_cost(); 1 for all but experts */
  double contention_factor; /* how many times as long calls take in training */
  struct
  {
    double bytes; /* a call */
    double time;  /* a call */
    PlgCollectiveCost cost;
    double calls[PLG_N_PHASES];
    double exposed[PLG_N_PHASES]; /* seconds of all of them that no computing hides */
  } piece[PLG_N_PIECES];
} PlgCollectiveUse;
#define PLG_MAX_COLLECTIVE_USES 16

/* How many of each piece a stage has. */
typedef struct
{
  double count[PLG_N_PIECES];
} PlgPieceCounts;

typedef struct
{
  const PlgPlan *plan;
  PlgFabric fabric;
  PlgKernelTime kernels[PLG_N_PIECES];           /* of those that the model has */
  PlgOverlapBudget overlap_budget[PLG_N_PIECES]; /* that no collective of a micro-batch takes */
  int n_collective_uses;
  PlgCollectiveUse collective_uses[PLG_MAX_COLLECTIVE_USES];
  /* Seconds that count, by piece: they add up to what a micro-batch takes. */
  double seconds[PLG_N_PIECES][PLG_N_PHASES][PLG_N_PARTS];
} PlgWorkload;

/* The network as groups of STAGE meet it: without the faults that slow others only. */
void plg_workload_fabric (PlgFabric *fabric, const PlgPlan *plan, int stage);
/* For the GPUs of STAGE. FABRIC has the faults of all. */
void plg_workload_init (PlgWorkload *workload, const PlgPlan *plan, int stage);

/* Seconds of a phase of CONTENT, all parts together. */
double
plg_workload_time (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPhase phase);
/* Seconds of PASS of CONTENT in which collectives once a step can hide that take WAYS. */
double plg_workload_overlap_left (const PlgWorkload *workload,
                                  const PlgPieceCounts *content,
                                  PlgPass pass,
                                  PlgLinkScopes scopes);
/* The same, of computing alone. */
double
plg_workload_computing (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPhase phase);
/* Of one part, in all phases. */
double plg_workload_part (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPart part);

/* What DEMAND adds up to in CONTENT for one micro-batch. */
typedef struct
{
  double calls;
  double bytes; /* of all calls */
  double time;
  double exposed;
} PlgCollectiveUseSum;

PlgCollectiveUseSum plg_collective_use_sum (const PlgCollectiveUse *use,
                                            const PlgPieceCounts *content);

/* The pieces of a position of the pipeline; DualPipe's second direction has the same ones again. */
PlgPieceCounts
plg_position_piece_counts (const PlgPlan *plan, const PlgPipeline *pipeline, int position);

/* Bytes of one message between stages: the activations of a micro-batch. */
double plg_message_bytes (const PlgPlan *plan);

G_END_DECLS
