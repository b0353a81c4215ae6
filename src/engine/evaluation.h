/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/model/offload.h"
#include "engine/schedule/length-cache.h"
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
  PlgGradientSyncCall exchange[PLG_N_PARAMETER_KINDS]; /* shards of Muon's momentum, both ways */
  PlgGroupExtent tp_spans[PLG_N_PARAMETER_KINDS];      /* the groups of the next member */
  PlgGradientSyncCall orthogonalize[PLG_N_PARAMETER_KINDS]; /* parts of Muon's matrices that TP
                                                               divides */
  double reduce_exposed; /* exposed time after the last backward block of the stage */
  double gather_exposed; /* exposed time before the first forward block of the stage */
  PlgOptimizerUpdate update;
} PlgGradientSync;

/* The stages that the same faults slow. Their groups have the same extents, and their pieces of the
 * model take the same time. */
typedef struct
{
  guint32 faults; /* mask of plg_workload_faults() */
  PlgExtentCache extents;
  gboolean has_workload;
  PlgWorkload workload;
} PlgStageKind;

/* An evaluation keeps the workloads of this number of kinds. If a plan has more kinds, the last
 * one is replaced. */
#define PLG_MAX_STAGE_KINDS 4
/* An evaluation keeps the hops between this number of stages. */
#define PLG_MAX_KEPT_HOPS 128

typedef struct
{
  const PlgPlan *plan;
  int n_kinds;
  PlgStageKind kinds[PLG_MAX_STAGE_KINDS];
  const PlgWorkload *workload; /* the workload of the selected stage; after the evaluation, of the
                                  busiest stage; owned by one of KINDS */
  /* The hops from each stage to the next one and to the one before, and whether they are known. */
  PlgGroupExtent hops[2][PLG_MAX_KEPT_HOPS];
  guint8 has_hop[2][PLG_MAX_KEPT_HOPS];
  PlgLengthCache *lengths; /* the lengths of pipelines of other plans; NULL for none; not owned */
  guint64 length_key;      /* the key of the pipeline of the plan in LENGTHS */
  PlgPipeline pipeline;

  PlgLayerRun *runs;            /* indexed by virtual stage of the model */
  PlgStageParts *parts;         /* indexed by stage */
  PlgPieceCounts *piece_counts; /* indexed by virtual stage */
  PlgPosition *positions;       /* indexed by virtual stage */
  PlgStageSpan *spans;          /* indexed by stage */
  PlgGradientSync *syncs;       /* indexed by stage */

  PlgPipelineResult result;
  int busiest;        /* the stage with the most work */
  PlgGroupExtent hop; /* the slowest hop between stages */
  double hop_time;
  PlgGroupExtent tied; /* the group that reduces the gradients of a shared embedding */
  double tied_time;    /* time to reduce the gradients of a shared embedding */
  double reduce_exposed;
  double gather_exposed;
  int muon_stage; /* the stage whose collectives for Muon take longest */
} PlgEvaluation;

/* A search evaluates many plans that differ only in some settings, and reuses what they share.
 * The plans must pass plg_plan_check() and outlive EVALUATION.
 *
 * plg_evaluation_begin() forgets everything. The plans evaluated next have the same degrees,
 * replicate, ETP, nesting order, placement and cluster.
 * plg_evaluation_begin_workload() forgets the workloads. The plans evaluated next also have the
 * same training settings, except that the schedule and, without overlap_pp, the number of chunks
 * may differ. DualPipe hides the calls of experts, so plans with and without DualPipe share no
 * workload of a model with experts.
 * plg_evaluation_shortest() returns a lower bound of the step time of PLAN with any number of
 * chunks [s]: the work of the average stage.
 * plg_evaluation_finish() sets the totals of REPORT for PLAN. If LENGTHS is set after
 * plg_evaluation_begin(), together with the key of PLAN, the length of the schedule comes from
 * there. Returns FALSE, with REPORT unchanged, if a lower bound of the step time exceeds TIME_LIMIT
 * [s]. */
void plg_evaluation_begin (PlgEvaluation *evaluation);
void plg_evaluation_begin_workload (PlgEvaluation *evaluation);
double plg_evaluation_shortest (PlgEvaluation *evaluation, const PlgPlan *plan);
gboolean plg_evaluation_finish (PlgEvaluation *evaluation,
                                PlgReport *report,
                                const PlgPlan *plan,
                                double time_limit);

/* Returns the extent of the groups of GROUP on stages that FAULTS slow. The plan of EVALUATION must
 * be set. */
PlgGroupExtent
plg_evaluation_extent (PlgEvaluation *evaluation, guint32 faults, PlgGroupKind group);
/* Returns the hop from stage I to stage J over the fabric with all faults. The plan of EVALUATION
 * must be set. */
PlgGroupExtent plg_evaluation_hop (PlgEvaluation *evaluation, int i, int j);
/* Returns the worst hop around the rings of CP on stages that FAULTS slow. The plan of EVALUATION
 * must be set. */
PlgGroupExtent plg_evaluation_neighbours (PlgEvaluation *evaluation, guint32 faults);

/* Sets the workload of EVALUATION to that of STAGE. Computes it unless EVALUATION has it already.
 * Returns the faults that slow the collectives of STAGE. */
guint32 plg_evaluation_select_workload (PlgEvaluation *evaluation, int stage);

/* Returns how many pieces of the model (PLG_PIECE_…) one GPU of STAGE runs per step, over all
 * chunks and micro-batches. */
PlgPieceCounts plg_evaluation_stage_pieces (const PlgEvaluation *evaluation, int stage);

/* Returns the collective that spreads new weights with ZeRO 1 and 2. */
PlgCollectiveKind plg_gradient_sync_gather_kind (const PlgPlan *plan);

/* Returns the collective that sums the gradients of the members of a shard group once per step. */
PlgCollectiveKind plg_gradient_sync_reduce_kind (const PlgPlan *plan);
/* Returns the collective of Muon inside a TP group. */
PlgCollectiveKind plg_gradient_sync_muon_kind (const PlgPlan *plan);
/* Returns the exposed time of Muon's collectives of STAGE on AXIS, which is DP or TP [s]. */
double plg_gradient_sync_muon_time (const PlgEvaluation *evaluation, int stage, PlgAxis axis);

/* Returns the groups over which the gradients of PARAMETERS are reduced: the shard groups with
 * HSDP, or, if REPLICATE is set, the groups of the members with the same shard. */
PlgGroupKind
plg_gradient_sync_group (const PlgPlan *plan, PlgParameterKind parameters, gboolean replicate);
/* Returns the factor by which collectives for gradients and weights in the groups of SPAN take longer
 * in training than in a benchmark. REPLICATE is TRUE for sums between shard groups. */
double
plg_gradient_sync_contention (const PlgPlan *plan, const PlgGroupExtent *span, gboolean replicate);
/* Computes the gradient synchronization of all stages, including the exposed times. The fields
 * parts, piece_counts, positions and spans of EVALUATION must already be set. */
void plg_gradient_sync_init (PlgEvaluation *evaluation);
/* Returns a lower bound of the part of the step time that is not the length of the schedule
 * [s]. The fields parts, piece_counts and positions of EVALUATION must already be set. */
double plg_gradient_sync_shortest (PlgEvaluation *evaluation);
/* Returns TRUE if the first stage and another one (plg_parallelism_copy_stage()) each hold the
 * shared embedding. */
gboolean plg_gradient_sync_is_tied (const PlgPlan *plan);
double plg_gradient_sync_tied_bytes (const PlgPlan *plan);

/* Fills the collectives of REPORT, and also its links if LINKS is set. */
void plg_evaluation_report_collectives (const PlgEvaluation *evaluation,
                                        gboolean links,
                                        PlgReport *report);

G_END_DECLS
