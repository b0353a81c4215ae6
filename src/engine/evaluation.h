/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/workload.h"

G_BEGIN_DECLS

/* An evaluation under way: what its parts hand to each other. Private to the engine. */

/* Parameters by who shares them: all replicas, or only those with the same expert. */
typedef enum
{
  PLG_SHARE_DENSE,
  PLG_SHARE_EXPERT,
} PlgShare;
#define PLG_N_SHARES 2

/* A collective at the end of the step, on one stage. */
typedef struct
{
  double calls;
  double bytes; /* of all calls */
  double time;
} PlgSyncCall;

/* What a stage does once a step: reduce gradients, update, gather new weights. */
typedef struct
{
  double parameters[PLG_N_SHARES]; /* on a GPU */
  PlgSpan spans[PLG_N_SHARES];     /* of the groups that reduce its gradients */
  PlgSyncCall reduce[PLG_N_SHARES];
  PlgSyncCall gather[PLG_N_SHARES];
  double reduce_exposed; /* after the last backward block of the stage */
  double gather_exposed; /* before its first forward block */
  double update;
} PlgSync;

/* A schedule that idles by this much of the step more than the closed form has stages that people
 * would not call equal. */
#define PLG_UNEVEN 0.04

typedef struct
{
  const PlgPlan *plan;
  PlgWorkload workload; /* in the end of the busiest stage */
  int working;          /* the stage it is of; -1: of none yet */
  PlgPipeline pipeline;

  PlgContent *contents;   /* one a position */
  PlgPosition *positions; /* one a position */
  PlgStageSpan *spans;    /* one a stage */
  PlgSync *syncs;         /* one a stage */

  PlgPipelineResult result; /* of the schedule */
  int busiest;              /* the stage with most to do */
  PlgSpan hop;              /* the slowest way between stages */
  double hop_time;
  double tied_time; /* adding up the gradients of a shared embedding */
  double reduce_exposed;
  double gather_exposed;
} PlgEvaluation;

/* The pieces on one GPU of STAGE, over all its chunks, times the micro-batches of a step. */
PlgContent plg_evaluation_stage (const PlgEvaluation *evaluation, int stage);

/* How many times as long collectives of gradients and weights over SPAN take in training as by
 * themselves. */
double plg_sync_lateness (const PlgSpan *span);
/* Fills syncs and what is exposed of them; needs contents, positions and spans. */
void plg_sync_init (PlgEvaluation *evaluation);
/* Whether first and last stage share an embedding that they hold both. */
gboolean plg_sync_is_tied (const PlgPlan *plan);
double plg_sync_tied_bytes (const PlgPlan *plan);

/* Writes REPORT's collectives, and with LINKS its links. */
void plg_communication_report (const PlgEvaluation *evaluation, gboolean links, PlgReport *report);

G_END_DECLS
