/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/axis.h"
#include "plan/stage-layout.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_CP_RING,
  PLG_CP_ULYSSES,
  PLG_CP_ALL_GATHER,
} PlgCpType;

/* How tokens reach their experts and come back. */
typedef enum
{
  PLG_DISPATCHER_AUTO,       /* the faster of an all-to-all and a call that sends a token to each
                                node only once, both at the bandwidths of NCCL */
  PLG_DISPATCHER_ALL_TO_ALL, /* NCCL; one copy of a token for each of its experts */
  PLG_DISPATCHER_ALL_GATHER, /* NCCL; all tokens of the EP group to each of its GPUs */
  PLG_DISPATCHER_DEEPEP,     /* one copy per node, and inside the node one copy per GPU */
  PLG_DISPATCHER_HYBRIDEP,   /* the same copies, with the kernels of NVIDIA's HybridEP */
} PlgDispatcher;
#define PLG_N_DISPATCHERS 5

/* The degrees and their nesting order. The world size is TP x CP x PP x DP. Experts use the same
 * GPUs, so within a stage ETP x EP x EDP = TP x CP x DP. */
typedef struct
{
  int degree[PLG_N_AXES];
  int etp;                          /* TP degree within an expert */
  PlgAxis order[PLG_N_NESTED_AXES]; /* innermost first: a permutation of TP, CP, PP, DP */
  PlgCpType cp_type;
  PlgDispatcher dispatcher;
  int chunks;              /* virtual stages per pipeline stage (interleaving) */
  int first_layers;        /* layers of the first stage, over all its chunks; 0 if layers are
                              divided evenly */
  int last_layers;         /* layers of the last stage; 0 if layers are divided evenly */
  gboolean embedding_slot; /* TRUE if the embedding takes the place of one layer when layers are
                              divided evenly */
  gboolean loss_slot;      /* TRUE if the output layer and the loss take the place of one layer
                              when layers are divided evenly */
  PlgStageLayout layout;   /* the layers of every virtual stage, set by hand; replaces the four
                              settings above */
  int zero;                /* ZeRO stage, 0..3 */
  int replicate;           /* groups of replicas that each hold all shards (HSDP); divides DP */
  gboolean sequence;       /* TRUE for sequence parallelism in addition to TP */
  gboolean overlap_dp;
  gboolean overlap_tp;
  gboolean overlap_pp;
  gboolean overlap_ep;
} PlgParallelism;

/* The index of a rank on each axis. Members of a TP, CP, PP or DP group have the same indices on
 * the other three of these axes. The index on EP follows from the index of the rank within its
 * stage. */
typedef struct
{
  int index[PLG_N_AXES];
} PlgCoordinate;

/* Returns the greatest common divisor of A and B, which are at least 0; A if B is 0. */
gint64 plg_greatest_common_divisor (gint64 a, gint64 b);
/* Returns the least common multiple of A and B, which must be above 0. */
gint64 plg_least_common_multiple (gint64 a, gint64 b);

/* Returns TP x CP x PP x DP, or G_MAXINT64 if the product would overflow. */
gint64 plg_parallelism_world (const PlgParallelism *parallelism);

/* Returns the distance in rank numbers between neighbours on an axis other than EP. */
int plg_axis_stride (const PlgParallelism *parallelism, PlgAxis axis);

/* Returns the number of consecutive ranks in one block of AXIS: the product of the degrees from
 * the innermost axis up to and including AXIS. For EP, returns ETP x EP. */
int plg_axis_block (const PlgParallelism *parallelism, PlgAxis axis);

/* Returns the number of consecutive ranks in the frame that the canvas draws for AXIS. This is
 * the block of AXIS, except for the outermost axis: its block is the whole cluster, so the frame
 * covers only one index of the axis (one replica if the axis is DP). */
int plg_axis_bounded_block (const PlgParallelism *parallelism, PlgAxis axis);

/* Hybrid sharding (HSDP) splits DP into two levels: DP = shards × replicate. ZeRO shards only
 * inside a shard group, and the shard groups all-reduce their gradients. The members of a shard
 * group have adjacent DP indices, so that the frequent collectives of ZeRO cross the shortest
 * distance: PyTorch's FSDP2 has a mesh (replicate, shard) with replicate outermost, torchtitan
 * the dimensions pp, dp_replicate, dp_shard, cp, tp (torchtitan/distributed/parallel_dims.py), and
 * Megatron-LM cuts the ordered ranks of a DP × CP group into consecutive pieces
 * (megatron/core/parallel_state.py, num_distributed_optimizer_instances). */

/* Returns the number of shard groups between which gradients are all-reduced: the setting
 * replicate with ZeRO 1, 2 or 3, and 1 with ZeRO 0, which shards nothing. */
int plg_parallelism_replicate (const PlgParallelism *parallelism);
/* Returns the number of GPUs in a shard group, DP × CP / replicate. These GPUs share one copy of
 * the state of all parameters but those of experts. */
int plg_parallelism_shards (const PlgParallelism *parallelism);
/* Returns the largest number that replicate can be: the greatest common divisor of DP and of the
 * copies of each expert, TP × CP × DP / (EP × ETP). Each divisor of the result is valid too. */
int plg_parallelism_replicate_limit (const PlgParallelism *parallelism);
/* Returns the number of consecutive ranks in one shard group and in the groups nested inside it:
 * the block that the canvas outlines. Ignores the ZeRO stage. */
int plg_shard_block (const PlgParallelism *parallelism);
/* Returns the lowest DP index in the shard group of a rank with the DP index INDEX. Ignores the ZeRO
 * stage. */
int plg_shard_start (const PlgParallelism *parallelism, int index);
/* Reduces replicate to its greatest common divisor with the limit, after a change of degrees. */
void plg_parallelism_fit_replicate (PlgParallelism *parallelism);

/* Sets LAYOUT and clears the settings that it replaces. */
void plg_parallelism_set_layout (PlgParallelism *parallelism, const PlgStageLayout *layout);
/* Returns the stage, other than the first, that holds a copy of the embedding: the stage of the
 * MTP layers in a layout by hand that has some, otherwise the last stage. */
int plg_parallelism_copy_stage (const PlgParallelism *parallelism);

PlgCoordinate plg_rank_coordinate (const PlgParallelism *parallelism, int rank);
/* Inverts plg_rank_coordinate(): returns the rank at COORDINATE. Ignores the index on EP. */
int plg_coordinate_rank (const PlgParallelism *parallelism, const PlgCoordinate *coordinate);

/* Returns the number of process groups of AXIS: world / degree. */
int plg_axis_groups (const PlgParallelism *parallelism, PlgAxis axis);
/* Returns the AXIS group of RANK, 0 .. groups-1. Groups are numbered by their lowest rank. */
int plg_axis_group_of (const PlgParallelism *parallelism, PlgAxis axis, int rank);
/* Fills RANKS[0 .. degree-1] with the members of RANK's AXIS group, in the order of their index
 * on the axis. */
void plg_axis_group_members (const PlgParallelism *parallelism, PlgAxis axis, int rank, int *ranks);

/* Resets the layers of the first stage, of the last stage and of the layout to the even division,
 * because layers set by hand are valid only for one PP and one model. */
void plg_parallelism_clear_layers (PlgParallelism *parallelism);

/* Returns "tp-cp-pp-dp", innermost axis first. Free with g_free(). */
char *plg_order_to_string (const PlgParallelism *parallelism);
/* Returns ORDER as "TP → PP → DP", untranslated. Omits the axes whose degree in DEGREE is 1,
 * because their position has no effect; if DEGREE is NULL, includes all axes. Free with
 * g_free(). */
char *plg_order_title (const PlgAxis order[PLG_N_NESTED_AXES], const int *degree);
/* Reads "tp-pp-dp", "tp-cp-ep-dp-pp" or the name of a preset (order-preset.h) such as
 * "megatron". Missing axes follow in the default order, with CP directly after TP. EP is
 * accepted and ignored; a repeated or unknown axis is an error. */
gboolean plg_order_from_string (const char *text, PlgAxis order[PLG_N_NESTED_AXES]);

gboolean plg_parallelism_equal (const PlgParallelism *a, const PlgParallelism *b);

G_END_DECLS
