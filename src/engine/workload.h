/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/model/flops.h"
#include "engine/model/kernel.h"
#include "engine/network/collective.h"
#include "engine/network/extent-cache.h"
#include "engine/network/overlap-budget.h"
#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* The kernels and collectives of one micro-batch on one GPU, by model piece (embedding, layer,
 * output, …). Without faults, stages differ only in the number of pieces of each kind. A faulty
 * link slows only the stages whose groups use the link. */

typedef enum
{
  PLG_PHASE_FORWARD,
  PLG_PHASE_INPUT,  /* backward pass: gradients of inputs, and recompute */
  PLG_PHASE_WEIGHT, /* backward pass: gradients of weights */
} PlgPhase;
#define PLG_N_PHASES 3

/* The calls of one kind of collective in one kind of group, by model piece. */
typedef struct
{
  PlgGroupKind group;
  PlgAxis axis;
  PlgCollectiveKind kind;
  PlgCollectiveSubject collective_subject;
  PlgGroupExtent extent; /* placement of the whole group */
  /* share of the token copies that travel between nodes (plg_collective_dispatch_cost()); 1 for
   * collectives that do not send tokens to experts */
  double node_copy_share;
  double contention_factor; /* factor by which calls take longer in training than in a benchmark */
  struct
  {
    double bytes; /* bytes per call */
    double time;  /* time per call [s] */
    PlgCollectiveCost cost;
    double calls[PLG_N_PHASES];
    double exposed[PLG_N_PHASES]; /* exposed time of all calls in each phase [s] */
  } piece[PLG_N_PIECES];
} PlgCollectiveUse;
#define PLG_MAX_COLLECTIVE_USES 16

/* The number of model pieces by kind (PLG_PIECE_…). */
typedef struct
{
  double count[PLG_N_PIECES];
} PlgPieceCounts;

typedef struct
{
  const PlgPlan *plan;
  PlgFabric fabric;        /* with all faults except those of GPUs, which slow no link */
  PlgExtentCache *extents; /* the extents of the groups; not owned, or OWN_EXTENTS */
  PlgExtentCache own_extents;
  gboolean is_bound;                             /* TRUE in plg_workload_least() */
  gboolean hides_all;                            /* the argument of plg_workload_least() */
  PlgKernelTime kernels[PLG_N_PIECES];           /* kernel times of the model's pieces; 0 for
                                                    pieces that the model lacks */
  PlgOverlapBudget overlap_budget[PLG_N_PIECES]; /* idle link time that the collectives of a
                                                    micro-batch leave */
  int n_collective_uses;
  double repeated_share; /* plg_repeated_share() */
  PlgCollectiveUse collective_uses[PLG_MAX_COLLECTIVE_USES];
  /* Time by piece, phase and part [s]. The parts add up to the time of a micro-batch. */
  double seconds[PLG_N_PIECES][PLG_N_PHASES][PLG_N_PARTS];
} PlgWorkload;

/* The number of faults fits in a mask. */
G_STATIC_ASSERT (PLG_MAX_FAULTS <= 32);
#define PLG_ALL_FAULTS G_MAXUINT32

/* Returns a mask of 1 << I for each fault I that slows the collectives of STAGE. Stages with the
 * same mask have the same workload per piece of the model. A slow GPU slows no collective. */
guint32 plg_workload_faults (const PlgPlan *plan, int stage);
/* Sets FABRIC to the fabric of PLAN, with those of its FAULTS that are in the mask FAULTS and slow
 * a link. */
void plg_workload_fabric (PlgFabric *fabric, const PlgPlan *plan, guint32 faults);
/* Computes the work of a micro-batch on the GPUs of a stage whose collectives are slowed by
 * FAULTS. EXTENTS are those of such a stage, and must outlive WORKLOAD; NULL to measure them anew. */
void plg_workload_init (PlgWorkload *workload,
                        const PlgPlan *plan,
                        guint32 faults,
                        PlgExtentCache *extents);
/* Lower bounds of the time of one micro-batch in the whole model [s]. */
typedef struct
{
  double usual;    /* with any schedule but DualPipe */
  double dualpipe; /* with DualPipe, which hides the calls of experts */
} PlgLeastWork;

/* plg_workload_least:
 * @workload: scratch space
 * @hides_all: %TRUE to hide calls without regard to their windows. The bound is then lower, and the
 *   bound per token is no longer for a larger micro-batch
 *
 * Computes the compute time and the least exposed time of the collectives of TP, CP and EP, with the
 * best placement of each group.
 *
 * Returns: lower bounds of plg_workload_average() with 1 stage, for all plans that differ from @plan
 *   only in PP, DP, ZeRO, replicate, order, placement, faults, chunks or schedule. @plan must set
 *   its kernels, which otherwise follow from ZeRO. */
PlgLeastWork plg_workload_least (PlgWorkload *workload, const PlgPlan *plan, gboolean hides_all);

/* Returns the time of PASS through PIECE without the wait for the host: kernels and exposed
 * collectives [s]. */
double plg_workload_busy (const PlgWorkload *workload, PlgPiece piece, PlgPass pass);
/* Returns the time to move the activations of PIECE to the host, or back, as a mean of all layers of
 * its kind [s]. */
double plg_workload_transfer (const PlgWorkload *workload, PlgPiece piece, PlgPass pass);
/* Returns the total time of PHASE for the pieces in CONTENT: compute and communication [s]. */
double
plg_workload_time (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPhase phase);
/* Returns the time of all phases for the whole model, divided by STAGES: the time that an average
 * stage spends on one micro-batch [s]. */
double plg_workload_average (const PlgWorkload *workload, int stages);
/* Returns how long PASS over the pieces in CONTENT can still hide a once-per-step collective on
 * the links of SCOPES [s]. */
double plg_workload_overlap_left (const PlgWorkload *workload,
                                  const PlgPieceCounts *content,
                                  PlgPass pass,
                                  PlgLinkScopes scopes);
/* Returns the compute time of PHASE for the pieces in CONTENT, including recompute [s]. */
double
plg_workload_computing (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPhase phase);
/* Returns the factor by which the slowest GPU of STAGE lengthens the stage's compute time. The
 * slowest GPU delays all groups of the stage. */
double plg_slowest_gpu_factor (const PlgPlan *plan, int stage);
/* Returns plg_workload_time() with the compute time lengthened by the factor SLOW [s]. */
double plg_workload_slowed_time (const PlgWorkload *workload,
                                 const PlgPieceCounts *content,
                                 PlgPhase phase,
                                 double slow);
/* Returns the time of PART for the pieces in CONTENT, over all phases [s]. */
double plg_workload_part (const PlgWorkload *workload, const PlgPieceCounts *content, PlgPart part);

/* The totals of a collective over one micro-batch. */
typedef struct
{
  double calls;
  double bytes;
  double time;
  double exposed;
} PlgCollectiveUseSum;

PlgCollectiveUseSum plg_collective_use_sum (const PlgCollectiveUse *use,
                                            const PlgPieceCounts *content);

/* Returns the number of pieces of each kind in the whole model of PLAN. */
PlgPieceCounts plg_model_piece_counts (const PlgPlan *plan);
/* Returns the number of pieces of each kind at a pipeline position. RUNS are the layers of all virtual
 * stages (plg_layer_runs()). With DualPipe on p stages, positions i and i + p have the same pieces,
 * because both directions run the whole model. */
PlgPieceCounts plg_position_piece_counts (const PlgPlan *plan,
                                          const PlgLayerRun *runs,
                                          const PlgPipeline *pipeline,
                                          int position);

/* Returns the size of a message between stages: the activations of one micro-batch [bytes], or the
 * part of one GPU of the TP group if sequence parallelism or the program cuts messages. */
double plg_message_bytes (const PlgPlan *plan);
/* Returns how long the TP group with the extent TP takes to gather a message that the program has
 * cut [s]. With sequence parallelism, each GPU needs only its part (Narayanan 2021, arXiv
 * 2104.04473, sec. 4.1). */
double
plg_message_gather_time (const PlgPlan *plan, const PlgFabric *fabric, const PlgGroupExtent *tp);

G_END_DECLS
