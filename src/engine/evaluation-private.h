/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/workload.h"

G_BEGIN_DECLS

/* An evaluation under way: what its parts hand to each other. Private to the engine. */

/* Parameters by who shares them: all replicas, or only those with the same expert. */
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
  double bytes; /* of all calls */
  double time;
} PlgGradientSyncCall;

/* What a stage does once a step: reduce gradients, update, gather new weights. */
typedef struct
{
  double parameters[PLG_N_PARAMETER_KINDS];    /* on a GPU */
  PlgGroupExtent spans[PLG_N_PARAMETER_KINDS]; /* of the groups that reduce its gradients */
  PlgGradientSyncCall reduce[PLG_N_PARAMETER_KINDS];
  PlgGradientSyncCall gather[PLG_N_PARAMETER_KINDS];
  double reduce_exposed; /* after the last backward block of the stage */
  double gather_exposed; /* before its first forward block */
  double update;
} PlgGradientSync;

/* A schedule that idles by this much of the step more than the closed form has stages that people
 * would not call equal. */
#define PLG_UNEVEN_IDLE_SHARE 0.04

typedef struct
{
  const PlgPlan *plan;
  PlgWorkload workload; /* in the end of the busiest stage */
  int workload_stage;   /* the stage it is of; -1: of none yet */
  PlgPipeline pipeline;

  PlgPieceCounts *piece_counts; /* one a position */
  PlgPosition *positions;       /* one a position */
  PlgStageSpan *spans;          /* one a stage */
  PlgGradientSync *syncs;       /* one a stage */

  PlgPipelineResult result; /* of the schedule */
  int busiest;              /* the stage with most to do */
  PlgGroupExtent hop;       /* the slowest way between stages */
  double hop_time;
  double tied_time; /* adding up the gradients of a shared embedding */
  double reduce_exposed;
  double gather_exposed;
} PlgEvaluation;

/* The pieces on one GPU of STAGE, over all its chunks, times the micro-batches of a step. */
PlgPieceCounts plg_evaluation_stage_pieces (const PlgEvaluation *evaluation, int stage);

/* How many times as long collectives of gradients and weights over SPAN take in training as by
 * themselves. */
double plg_gradient_sync_contention (const PlgGroupExtent *span);
/* Fills syncs and what is exposed of them; needs contents, positions and spans. */
void plg_gradient_sync_init (PlgEvaluation *evaluation);
/* Whether first and last stage share an embedding that they hold both. */
gboolean plg_gradient_sync_is_tied (const PlgPlan *plan);
double plg_gradient_sync_tied_bytes (const PlgPlan *plan);

/* Writes REPORT's collectives, and with LINKS its links. */
void plg_evaluation_report_collectives (const PlgEvaluation *evaluation,
                                        gboolean links,
                                        PlgReport *report);

G_END_DECLS
