/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/axis.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_CP_RING,
  PLG_CP_ULYSSES,
  PLG_CP_ALL_GATHER,
} PlgCpType;

/* The degrees and their nesting order. TP x CP x PP x DP is the world size; experts use the same
 * GPUs, so within a stage ETP x EP x EDP = TP x CP x DP. */
typedef struct
{
  int degree[PLG_N_AXES];
  int etp;                          /* TP inside an expert */
  PlgAxis order[PLG_N_NESTED_AXES]; /* innermost first: a permutation of TP, CP, PP, DP */
  PlgCpType cp_type;
  int chunks;              /* virtual stages per stage (interleaving) */
  int first_layers;        /* layers of the first stage, over all its chunks; 0: divided evenly */
  int last_layers;         /* layers of the last stage; 0: divided evenly */
  gboolean embedding_slot; /* the embedding takes the place of a layer in the even division */
  gboolean loss_slot;      /* the output layer and the loss take the place of a layer */
  int zero;                /* ZeRO stage, 0..3 */
  gboolean sequence;       /* sequence parallelism in addition to TP */
  gboolean overlap_dp;
  gboolean overlap_tp;
  gboolean overlap_pp;
  gboolean overlap_ep;
} PlgParallelism;

/* The index of a rank on each axis. The members of a process group of one axis share all other
 * indices; EP and EDP are counted inside the stage (see plg_expert_index). */
typedef struct
{
  int index[PLG_N_AXES];
} PlgCoordinate;

/* TP x CP x PP x DP. No overflow: each degree is at most PLG_MAX_GPUS. */
gint64 plg_parallelism_world (const PlgParallelism *parallelism);

/* The distance in rank numbers between neighbours on an axis (not EP). */
int plg_axis_stride (const PlgParallelism *parallelism, PlgAxis axis);

/* The number of consecutive ranks in one block of AXIS: the product of the degrees from the
 * innermost axis to AXIS, included. */
int plg_axis_block (const PlgParallelism *parallelism, PlgAxis axis);

/* The number of consecutive ranks in the frame that the canvas draws for AXIS: the block of
 * AXIS. For the outermost axis, whose block is the whole cluster, the block inside it (one
 * replica if the axis is DP). */
int plg_axis_bounded_block (const PlgParallelism *parallelism, PlgAxis axis);

PlgCoordinate plg_rank_coordinate (const PlgParallelism *parallelism, int rank);
/* The inverse of plg_rank_coordinate(); EP is not read. */
int plg_coordinate_rank (const PlgParallelism *parallelism, const PlgCoordinate *coordinate);

/* The number of process groups of AXIS: world / degree. */
int plg_axis_groups (const PlgParallelism *parallelism, PlgAxis axis);
/* The AXIS group of RANK, 0 .. groups-1, numbered by the lowest rank. */
int plg_axis_group_of (const PlgParallelism *parallelism, PlgAxis axis, int rank);
/* Fills RANKS[0 .. degree-1] with the members of RANK's AXIS group in the order of their index
 * on the axis. */
void plg_axis_group_members (const PlgParallelism *parallelism, PlgAxis axis, int rank, int *ranks);

/* Removes the layers set by hand, which are valid for one PP and one model only. */
void plg_parallelism_clear_layers (PlgParallelism *parallelism);

/* "tp-cp-pp-dp", innermost first. g_free(). */
char *plg_order_to_string (const PlgParallelism *parallelism);
/* "TP → PP → DP", the same in every language: ORDER without the axes of degree 1 in DEGREE,
 * whose position has no effect. If DEGREE is NULL, the text has all axes. g_free(). */
char *plg_order_title (const PlgAxis order[PLG_N_NESTED_AXES], const int *degree);
/* Reads "tp-pp-dp", "tp-cp-ep-dp-pp" or the name of a preset (order-preset.h) such as
 * "megatron". Missing axes follow in the default order, CP directly after TP; EP is accepted and
 * ignored, and a repeated or unknown axis is an error. */
gboolean plg_order_from_string (const char *text, PlgAxis order[PLG_N_NESTED_AXES]);

gboolean plg_parallelism_equal (const PlgParallelism *a, const PlgParallelism *b);

G_END_DECLS
