/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/model/engine-constant.h"
#include "engine/model/muon.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* The time of a transformer's operations on one GPU, computed from their actual shapes. The time
 * of an operation is the sum of three parts: its compute time at the rate that matrix products
 * of its size achieve, the time to move data at the bandwidth of memory copies, and the kernel
 * launch. */

/* The pieces of a model for which times are computed separately. */
typedef enum
{
  PLG_PIECE_EMBEDDING,
  PLG_PIECE_DENSE,      /* a layer without experts */
  PLG_PIECE_MOE,        /* a layer with experts */
  PLG_PIECE_PROJECTION, /* a multi-token-prediction module without its transformer layer */
  PLG_PIECE_OUTPUT,     /* final norm, logits and loss */
} PlgPiece;
#define PLG_N_PIECES 5

/* The work of the host in one pass through a layer with experts [s]. */
typedef struct
{
  double launches;   /* time to launch the kernels; 0 with CUDA graphs */
  double least_wait; /* the shortest time that the GPU waits for the host */
} PlgHostTime;

/* The times of one PlgPiece for one micro-batch on one GPU, without communication [s]. */
typedef struct
{
  double forward;
  double input;     /* backward pass, gradients of inputs */
  double weight;    /* backward pass, gradients of weights */
  double recompute; /* repeat of the forward pass during the backward pass */

  /* The following times are the parts of the times above that can overlap with collectives. */
  double attention_forward; /* attention scores */
  double attention_backward;
  double column_forward; /* matrices that TP splits by columns: QKV and the input of the MLP */
  double column_input;
  double column_weight;
  double row_forward; /* matrices that TP splits by rows: the outputs of attention and MLP */
  double row_input;

  PlgHostTime host_forward; /* 0 without experts, except in Megatron-DeepSpeed */
  PlgHostTime host_backward;
} PlgKernelTime;

/* Returns TRUE if the model contains PIECE. Every model contains the embedding and the output. */
gboolean plg_plan_has_piece (const PlgPlan *plan, PlgPiece piece);
PlgKernelTime plg_kernel_time (const PlgPlan *plan, PlgPiece piece);
/* Sets TIMES to the times of all pieces, 0 for pieces that the model lacks. */
void plg_kernel_times (const PlgPlan *plan, PlgKernelTime times[PLG_N_PIECES]);

typedef enum
{
  PLG_OPERATION_PRODUCT, /* TIMES products of an M × K matrix with a K × N matrix, in one kernel */
  PLG_OPERATION_MOVE,    /* a read or write of BYTES */
  PLG_OPERATION_FLASH,   /* FLOPS computed at RATE */
  PLG_OPERATION_SCORES,  /* matrix products for PRODUCTS seconds, then a move of BYTES */
  PLG_OPERATION_SCAN,    /* FLOPS computed at RATE, and a move of BYTES, in TIMES kernels */
  PLG_OPERATION_INDEX,   /* the scores of an indexer, costed as a scan */
} PlgOperationKind;

/* One kernel of a PlgPiece. A report lists the kernels to explain the time of the piece. */
typedef struct
{
  PlgOperationKind kind;
  const char *name; /* static and untranslated */
  double times, m, n, k;
  double flops;
  double rate;     /* highest rate [FLOP/s] */
  double products; /* time of the matrix products [s] */
  double waves;    /* waves of tiles of the forward product */
  double multiprocessors;
  double written; /* bytes per result */
  double bytes;   /* moved */
  double cast;    /* bytes that the cast of inputs to FP8 moves */
  double bandwidth;
  double forward;  /* time of all TIMES products in the forward pass [s] */
  double backward; /* time of all TIMES products in the backward pass, without recompute [s] */
  double share; /* share of the layers that have the operation; already in forward and backward */
} PlgOperation;
#define PLG_MAX_OPERATIONS 128 /* more than any piece of a model has */

/* PlgOperations:
 * @constants: for each operation, the constants of its kind. All products have the constants of
 *   plg_kernel_constants() in common. */
typedef struct
{
  int n;
  PlgOperation operation[PLG_MAX_OPERATIONS];
  PlgUsedConstants constants[PLG_MAX_OPERATIONS];
} PlgOperations;

/* Lists the operations of PIECE. The forward times add up to the forward time from
 * plg_kernel_time(), and the backward times add up to its input time plus its weight time. */
void plg_kernel_operations (const PlgPlan *plan, PlgPiece piece, PlgOperations *operations);
/* Returns the constants on which the times of most kernels of PLAN depend. */
PlgUsedConstants plg_kernel_constants (const PlgPlan *plan);
/* Returns the time between two kernels in which the GPU computes little [s]. */
double plg_kernel_launch_gap (void);
/* Returns the number of results in one tile of a matrix product. */
double plg_kernel_tile (void);

/* Returns the time of one product of an M × K matrix with a K × N matrix in the training
 * precision [s]. */
double plg_matrix_time (const PlgPlan *plan, double m, double n, double k);

/* plg_kernels_are_fused:
 *
 * Checks whether norms, rotary positions and gates are one kernel each. The program of the plan
 * decides, unless training.kernels does. */
gboolean plg_kernels_are_fused (const PlgPlan *plan);

/* Returns the time of an Adam step on PARAMETERS parameters of one GPU [s]. The step also reads
 * GRADIENTS gradients to compute their norm. Memory bandwidth limits the step. */
double plg_optimizer_time (const PlgPlan *plan, double parameters, double gradients);
/* Returns the time of the products with which Muon orthogonalizes the matrices of SHARE: X·Xᵀ, A·A and
 * B·X in BF16, whatever the training precision [s]. */
double plg_muon_product_time (const PlgPlan *plan, const PlgMuonShare *share);
/* Returns the time of the element-wise operations of Muon on matrices with PARAMETERS parameters [s]. */
double plg_muon_move_time (const PlgPlan *plan, double parameters);

G_END_DECLS
