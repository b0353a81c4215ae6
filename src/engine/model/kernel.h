/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* How long the operations of a transformer take on one GPU, from their real shapes: computing at
 * the rate that products of this size reach, moving data at that of copies, and a launch. */

/* The parts a model is made of. */
typedef enum
{
  PLG_PIECE_EMBEDDING,
  PLG_PIECE_DENSE,      /* a layer without experts */
  PLG_PIECE_MOE,        /* a layer with experts */
  PLG_PIECE_PROJECTION, /* what a multi-token-prediction module has besides its layer */
  PLG_PIECE_OUTPUT,     /* final norm, logits and loss */
} PlgPiece;
#define PLG_N_PIECES 5

/* Seconds of one piece for one micro-batch on one GPU; communication is not in it. */
typedef struct
{
  double forward;
  double input;     /* backward, for the gradients of the inputs */
  double weight;    /* backward, for those of the weights */
  double recompute; /* forward again in the backward pass */

  /* Of these, what collectives can run beside. */
  double attention_forward; /* the attention scores */
  double attention_backward;
  double column_forward; /* matrices that TP cuts by columns: QKV and MLP in */
  double column_input;
  double column_weight;
  double row_forward; /* matrices that TP cuts by rows: attention and MLP out */
  double row_input;
} PlgKernelTime;

PlgKernelTime plg_kernel_time (const PlgPlan *plan, PlgPiece piece);

typedef enum
{
  PLG_OPERATION_PRODUCT, /* TIMES of M x K with K x N */
  PLG_OPERATION_MOVE,    /* reads and writes BYTES */
  PLG_OPERATION_FLASH,   /* FLOPS at RATE */
  PLG_OPERATION_SCORES,  /* PRODUCTS seconds, then BYTES */
  PLG_OPERATION_WAIT,    /* for the host */
} PlgOperationKind;

/* One kernel of a piece, for people who want to know what its time is made of. */
typedef struct
{
  PlgOperationKind kind;
  const char *name; /* static, to be translated */
  double times, m, n, k;
  double flops;
  double rate; /* FLOP/s at best */
  double products;
  double bytes;
  double cast; /* bytes to cast what goes in to FP8 */
  double bandwidth;
  double forward;  /* seconds, all TIMES */
  double backward; /* the same; what is computed again is not in it */
} PlgOperation;
#define PLG_MAX_OPERATIONS 24

typedef struct
{
  int n;
  PlgOperation operation[PLG_MAX_OPERATIONS];
} PlgOperations;

/* The operations whose forward times add up to that of plg_kernel_time(), and whose backward times
 * to its input and weight. */
void plg_kernel_operations (const PlgPlan *plan, PlgPiece piece, PlgOperations *operations);
/* Seconds between the starts of two kernels. */
double plg_kernel_launch_gap (void);
/* A dimension d of a product reaches d / (d + this) of the best. */
double plg_kernel_tile_loss (void);

/* One matrix product of M x K with K x N in the training precision. */
double plg_matrix_time (const PlgPlan *plan, double m, double n, double k);
/* What a product of this shape reaches of the dense peak, 0..1: the GPU's best, less what small
 * dimensions cost. Smooth, and never more for a smaller product. */
double plg_matrix_efficiency (const PlgPlan *plan, double m, double n, double k);

/* Whether norms, rotary positions and gates are one kernel each, and attention is of the latest
 * kind for the GPU. Of itself a plan is taken to run as its like do. With ZeRO 3 that is PyTorch by
 * itself (FSDP); with less on GPUs with FP8, Megatron-LM with Transformer Engine; on older GPUs
 * Megatron-LM's own kernels without ZeRO, DeepSpeed and the like with it. */
gboolean plg_kernels_are_fused (const PlgPlan *plan);

/* Adam on PARAMETERS of a GPU that has GRADIENTS more to read for the norm: bound by memory. */
double plg_optimizer_time (const PlgPlan *plan, double parameters, double gradients);

G_END_DECLS
