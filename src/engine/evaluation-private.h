/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/workload.h"

G_BEGIN_DECLS

/* The state of a running evaluation. Private to the engine. */

/* Parameters by the replicas that share them: all, or only those with the same expert. */
typedef enum
{
  PLG_PARAMETERS_DENSE,
  PLG_PARAMETERS_EXPERT,
} PlgParameterKind;
#define PLG_N_PARAMETER_KINDS 2

/* A collective at the end of the step, on one stage. */
typedef struct
{
  double calls;
  double bytes; /* sum over all calls */
  double time;
} PlgGradientSyncCall;

/* The work of a stage once per step: reduce gradients, update, gather new weights [s]. */
typedef struct
{
  double parameters[PLG_N_PARAMETER_KINDS];    /* number per GPU */
  PlgGroupExtent spans[PLG_N_PARAMETER_KINDS]; /* groups that reduce the gradients */
  PlgGradientSyncCall reduce[PLG_N_PARAMETER_KINDS];
  PlgGradientSyncCall gather[PLG_N_PARAMETER_KINDS];
  double reduce_exposed; /* after the last backward block of the stage */
  double gather_exposed; /* before its first forward block */
  double update;
} PlgGradientSync;

typedef struct
{
  const PlgPlan *plan;
  PlgWorkload workload; /* finally of the busiest stage */
  int workload_stage;   /* stage of the workload; -1 before the first */
  PlgPipeline pipeline;

  PlgPieceCounts *piece_counts; /* one per position */
  PlgPosition *positions;       /* one per position */
  PlgStageSpan *spans;          /* one per stage */
  PlgGradientSync *syncs;       /* one per stage */

  PlgPipelineResult result; /* for the schedule */
  int busiest;              /* the stage with the most work */
  PlgGroupExtent hop;       /* the slowest hop between stages */
  double hop_time;
  double tied_time; /* reducing the gradients of a shared embedding */
  double reduce_exposed;
  double gather_exposed;
} PlgEvaluation;

/* The pieces on one GPU of STAGE over all chunks, times the micro-batches per step. */
PlgPieceCounts plg_evaluation_stage_pieces (const PlgEvaluation *evaluation, int stage);

/* How many times longer collectives of gradients and weights take in training than alone. */
double plg_gradient_sync_contention (const PlgGroupExtent *span);
/* Fills syncs and their exposed times. Requires piece counts, positions and spans. */
void plg_gradient_sync_init (PlgEvaluation *evaluation);
/* Whether the first and the last stage both hold the shared embedding. */
gboolean plg_gradient_sync_is_tied (const PlgPlan *plan);
double plg_gradient_sync_tied_bytes (const PlgPlan *plan);

/* Fills REPORT's collectives, and its links if LINKS is set. */
void plg_evaluation_report_collectives (const PlgEvaluation *evaluation,
                                        gboolean links,
                                        PlgReport *report);

G_END_DECLS
