/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* The time of a transformer's operations on one GPU, from their real shapes. An operation takes the
 * time to compute at the rate of products of its size, to move data at the rate of copies, and to
 * launch. */

/* The pieces of a model. */
typedef enum
{
  PLG_PIECE_EMBEDDING,
  PLG_PIECE_DENSE,      /* a layer without experts */
  PLG_PIECE_MOE,        /* a layer with experts */
  PLG_PIECE_PROJECTION, /* a multi-token-prediction module without its layer */
  PLG_PIECE_OUTPUT,     /* final norm, logits and loss */
} PlgPiece;
#define PLG_N_PIECES 5

/* Seconds of one piece for one micro-batch on one GPU, without communication. */
typedef struct
{
  double forward;
  double input;     /* backward, input gradients */
  double weight;    /* backward, weight gradients */
  double recompute; /* forward again in the backward pass */

  /* The parts of these times that can hide collectives. */
  double attention_forward; /* attention scores */
  double attention_backward;
  double column_forward; /* matrices that TP divides by columns: QKV and the input of the MLP */
  double column_input;
  double column_weight;
  double row_forward; /* matrices that TP divides by rows: outputs of attention and MLP */
  double row_input;
} PlgKernelTime;

/* Whether the model has layers of PIECE. Every model has the embedding and the output. */
gboolean plg_plan_has_piece (const PlgPlan *plan, PlgPiece piece);
PlgKernelTime plg_kernel_time (const PlgPlan *plan, PlgPiece piece);

typedef enum
{
  PLG_OPERATION_PRODUCT, /* TIMES products of M × K with K × N */
  PLG_OPERATION_MOVE,    /* reading and writing BYTES */
  PLG_OPERATION_FLASH,   /* FLOPS at RATE */
  PLG_OPERATION_SCORES,  /* PRODUCTS seconds, then BYTES */
  PLG_OPERATION_WAIT,    /* waiting for the host */
} PlgOperationKind;

/* One kernel of a piece, for the explanation of its time. */
typedef struct
{
  PlgOperationKind kind;
  const char *name; /* static, untranslated */
  double times, m, n, k;
  double flops;
  double rate;     /* highest FLOP/s */
  double products; /* seconds of matrix products */
  double bytes;
  double cast; /* bytes moved by the cast of inputs to FP8 */
  double bandwidth;
  double forward;  /* seconds, all TIMES */
  double backward; /* seconds, all TIMES, without recompute */
} PlgOperation;
#define PLG_MAX_OPERATIONS 24

typedef struct
{
  int n;
  PlgOperation operation[PLG_MAX_OPERATIONS];
} PlgOperations;

/* Lists the operations of PIECE. The forward times add up to the forward time of plg_kernel_time(),
 * the backward times to its input and weight times. */
void plg_kernel_operations (const PlgPlan *plan, PlgPiece piece, PlgOperations *operations);
/* Seconds between the starts of two kernels. */
double plg_kernel_launch_gap (void);
/* The constant c of tile loss: a dimension d of a product reaches d / (d + c) of the best rate. */
double plg_kernel_tile_loss (void);

/* Seconds of one product of M × K with K × N in the training precision. */
double plg_matrix_time (const PlgPlan *plan, double m, double n, double k);
/* The achieved share of the dense peak, 0..1: the GPU's best less the loss of small dimensions. The
 * function is smooth and monotonic in each dimension. */
double plg_matrix_efficiency (const PlgPlan *plan, double m, double n, double k);

/* plg_kernels_are_fused:
 *
 * Checks whether norms, rotary positions and gates are one kernel each, and attention uses the
 * latest flash attention for the GPU. A plan without a setting runs like typical programs of its
 * kind: plain PyTorch (FSDP) with ZeRO 3; below ZeRO 3, Megatron-LM with Transformer Engine on GPUs
 * with FP8; on older GPUs, Megatron-LM's own kernels without ZeRO, and DeepSpeed or similar with
 * ZeRO.
 */
gboolean plg_kernels_are_fused (const PlgPlan *plan);

/* Seconds of an Adam step on PARAMETERS of one GPU, which also reads GRADIENTS for the norm;
 * limited by memory bandwidth. */
double plg_optimizer_time (const PlgPlan *plan, double parameters, double gradients);

G_END_DECLS
