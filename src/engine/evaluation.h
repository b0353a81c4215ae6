/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/workload.h"

G_BEGIN_DECLS

/* The state of a running evaluation, for the files of the engine. */

/* The kinds of parameters. All data-parallel replicas share the dense parameters; only replicas
 * with the same expert share expert parameters. */
typedef enum
{
  PLG_PARAMETERS_DENSE,
  PLG_PARAMETERS_EXPERT,
} PlgParameterKind;
#define PLG_N_PARAMETER_KINDS 2

/* The calls of one collective that a stage makes once per step, to reduce gradients or to gather
 * weights. */
typedef struct
{
  double calls;
  double bytes; /* bytes of all calls together */
  double time;
} PlgGradientSyncCall;

/* The work that a stage does once per step: reduce gradients, update weights, gather new
 * weights. Times are in seconds. */
typedef struct
{
  double parameters[PLG_N_PARAMETER_KINDS];    /* number of parameters per GPU */
  PlgGroupExtent spans[PLG_N_PARAMETER_KINDS]; /* how the groups that reduce the gradients are
                                                  spread over nodes; with HSDP, the shard groups */
  PlgGroupExtent replica_spans[PLG_N_PARAMETER_KINDS]; /* the same for the groups of the members
                                                          with the same shard; used with HSDP */
  PlgGradientSyncCall reduce[PLG_N_PARAMETER_KINDS];
  PlgGradientSyncCall replicate[PLG_N_PARAMETER_KINDS]; /* all-reduce of a shard of the gradients
                                                           between shard groups; used with HSDP */
  PlgGradientSyncCall gather[PLG_N_PARAMETER_KINDS];
  double reduce_exposed; /* exposed time after the last backward block of the stage */
  double gather_exposed; /* exposed time before the first forward block of the stage */
  double update;
} PlgGradientSync;

typedef struct
{
  const PlgPlan *plan;
  PlgWorkload workload; /* the workload of workload_stage; after the evaluation, the workload of
                           the busiest stage */
  int workload_stage;   /* the stage that the workload belongs to; -1 before any workload is
                           computed */
  PlgPipeline pipeline;

  PlgPieceCounts *piece_counts; /* indexed by virtual stage */
  PlgPosition *positions;       /* indexed by virtual stage */
  PlgStageSpan *spans;          /* indexed by stage */
  PlgGradientSync *syncs;       /* indexed by stage */

  PlgPipelineResult result;
  int busiest;        /* the stage with the most work */
  PlgGroupExtent hop; /* the slowest hop between stages */
  double hop_time;
  double tied_time; /* time to reduce the gradients of a shared embedding */
  double reduce_exposed;
  double gather_exposed;
} PlgEvaluation;

/* A search evaluates many plans that differ only in their schedule. It prepares an evaluation for
 * the first of them and finishes it for each.
 *
 * plg_evaluation_prepare() computes the workload of PLAN, which must pass plg_plan_check() and
 * outlive EVALUATION, and whose cluster must have no faults.
 * plg_evaluation_shortest() returns a lower bound of the step time with any schedule [s]: the work
 * of the average stage.
 * plg_evaluation_finish() sets the totals of REPORT for PLAN, which may differ from the prepared
 * plan in the schedule and, without overlap_pp, in the number of chunks. DualPipe hides the calls
 * of experts, so it needs an evaluation of its own. Returns FALSE, with REPORT unchanged, if a
 * lower bound of the step time exceeds TIME_LIMIT [s]. */
void plg_evaluation_prepare (PlgEvaluation *evaluation, const PlgPlan *plan);
double plg_evaluation_shortest (const PlgEvaluation *evaluation);
gboolean plg_evaluation_finish (PlgEvaluation *evaluation,
                                PlgReport *report,
                                const PlgPlan *plan,
                                double time_limit);

/* Returns how many pieces of the model (PLG_PIECE_…) one GPU of STAGE runs per step, over all
 * chunks and micro-batches. */
PlgPieceCounts plg_evaluation_stage_pieces (const PlgEvaluation *evaluation, int stage);

/* Returns the groups over which the gradients of PARAMETERS are reduced: the shard groups with
 * HSDP, or, if REPLICATE is set, the groups of the members with the same shard. */
PlgGroupKind
plg_gradient_sync_group (const PlgPlan *plan, PlgParameterKind parameters, gboolean replicate);
/* Returns the factor by which collectives for gradients and weights take longer in training than
 * in a benchmark. */
double plg_gradient_sync_contention (const PlgGroupExtent *span);
/* Computes the gradient synchronization of all stages, including the exposed times. The fields
 * piece_counts, positions and spans of EVALUATION must already be set. */
void plg_gradient_sync_init (PlgEvaluation *evaluation);
/* Returns TRUE if the first stage and another one (plg_parallelism_copy_stage()) each hold the
 * shared embedding. */
gboolean plg_gradient_sync_is_tied (const PlgPlan *plan);
double plg_gradient_sync_tied_bytes (const PlgPlan *plan);

/* Fills the collectives of REPORT, and also its links if LINKS is set. */
void plg_evaluation_report_collectives (const PlgEvaluation *evaluation,
                                        gboolean links,
                                        PlgReport *report);

G_END_DECLS
