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

/* The degrees and how they nest. TP x CP x PP x DP is the world size. Experts live on the same
 * GPUs: within a stage, ETP x EP x EDP = TP x CP x DP. */
typedef struct
{
  int degree[PLG_N_AXES];
  int etp;                          /* TP inside an expert */
  PlgAxis order[PLG_N_NESTED_AXES]; /* innermost first: a permutation of TP, CP, PP, DP */
  PlgCpType cp_type;
  int chunks;              /* virtual stages a stage (interleaving) */
  int first_layers;        /* on the first stage, all its chunks; 0: shared out like the others */
  int last_layers;         /* on the last stage */
  gboolean embedding_slot; /* the embedding takes the place of a layer when they are shared out */
  gboolean loss_slot;      /* the output and the loss do */
  int zero;                /* ZeRO stage, 0..3 */
  gboolean sequence;       /* sequence parallelism beside TP */
  gboolean overlap_dp;
  gboolean overlap_tp;
  gboolean overlap_pp;
  gboolean overlap_ep;
} PlgParallelism;

/* Where a rank stands in each axis. The members of a process group of axis A share all other
 * coordinates. For experts EP and EDP are counted inside the stage (see plg_expert_index). */
typedef struct
{
  int index[PLG_N_AXES];
} PlgCoordinate;

/* TP x CP x PP x DP. No overflow: each degree is at most PLG_MAX_GPUS. */
gint64 plg_parallelism_world (const PlgParallelism *parallelism);

/* The distance in rank numbers between neighbours of an axis (not EP). */
int plg_axis_stride (const PlgParallelism *parallelism, PlgAxis axis);

/* How many consecutive ranks hold one block of AXIS: the product of the degrees from the
 * innermost axis up to and with AXIS. */
int plg_axis_block (const PlgParallelism *parallelism, PlgAxis axis);

/* How many consecutive ranks the edge of AXIS on the canvas bounds: its block, but for the
 * outermost axis, whose block is the whole cluster, what lies inside it (one replica, where that is
 * DP). */
int plg_axis_bounded_block (const PlgParallelism *parallelism, PlgAxis axis);

PlgCoordinate plg_rank_coordinate (const PlgParallelism *parallelism, int rank);
/* Inverse; EP is not read. */
int plg_coordinate_rank (const PlgParallelism *parallelism, const PlgCoordinate *coordinate);

/* Number of process groups of AXIS: world / degree. */
int plg_axis_groups (const PlgParallelism *parallelism, PlgAxis axis);
/* The group of AXIS that RANK belongs to, 0 .. groups-1, numbered by their lowest rank. */
int plg_axis_group_of (const PlgParallelism *parallelism, PlgAxis axis, int rank);
/* Fills RANKS[0 .. degree-1] with the members of the group of AXIS that RANK belongs to, in order
 * of their index on the axis. */
void plg_axis_group_members (const PlgParallelism *parallelism, PlgAxis axis, int rank, int *ranks);

/* Layers counted by hand are for one PP and one model: none any more. */
void plg_parallelism_clear_layers (PlgParallelism *parallelism);

/* "tp-cp-pp-dp". Order is innermost first. free with g_free(). */
char *plg_order_to_string (const PlgParallelism *parallelism);
/* "TP → PP → DP": ORDER without the axes that have degree 1 in DEGREE, since where these stand
 * makes no difference; DEGREE may be NULL: with all of them. The same in every language. g_free().
 */
char *plg_order_title (const PlgAxis order[PLG_N_NESTED_AXES], const int *degree);
/* Reads "tp-pp-dp", "tp-cp-ep-dp-pp" or the name of a preset (order-preset.h), "megatron". An axis
 * that is not named follows in the default order (CP directly after TP, then the others); EP is
 * accepted and has no place of its own. Twice the same axis or an unknown one is refused. */
gboolean plg_order_from_string (const char *text, PlgAxis order[PLG_N_NESTED_AXES]);

gboolean plg_parallelism_equal (const PlgParallelism *a, const PlgParallelism *b);

G_END_DECLS
