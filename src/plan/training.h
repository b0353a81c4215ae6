/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_RECOMPUTE_NONE,
  PLG_RECOMPUTE_SELECTIVE, /* core attention again in the backward pass */
  PLG_RECOMPUTE_FULL,      /* the whole layer again */
} PlgRecompute;

/* What the loss makes of the logits. */
typedef enum
{
  PLG_LOSS_FUSED,    /* one kernel: logits and their gradient, no copies */
  PLG_LOSS_PLAIN,    /* function by function in FP32: copies of the logits */
  PLG_LOSS_GATHERED, /* the same, each GPU of a TP group with all of the vocabulary */
} PlgLoss;

/* How the operations between the matrix products run. */
typedef enum
{
  PLG_KERNELS_AUTO,  /* as the programs do that such a plan is for */
  PLG_KERNELS_FUSED, /* several operations a kernel: Transformer Engine, compilers */
  PLG_KERNELS_EAGER, /* one kernel an operation: a framework by itself */
} PlgKernels;

typedef enum
{
  PLG_SCHEDULE_GPIPE,
  PLG_SCHEDULE_1F1B,
  PLG_SCHEDULE_INTERLEAVED,
  PLG_SCHEDULE_ZB_H1,
  PLG_SCHEDULE_ZB_V,
  PLG_SCHEDULE_DUALPIPE,
} PlgSchedule;

typedef struct
{
  int sequence;     /* tokens a sequence */
  int micro_batch;  /* sequences a micro-batch and replica */
  int global_batch; /* sequences a step, over all replicas */
  PlgPrecision precision;
  PlgPrecision gradient_precision; /* FP32 or BF16 */
  PlgRecompute recompute;
  PlgSchedule schedule;
  PlgLoss loss;
  PlgKernels kernels;
  gboolean flash_attention;
  gboolean causal; /* count and run only the lower half of the attention scores */
  double tokens;   /* tokens to train on in all, for days and GPU-hours */
} PlgTraining;

gboolean plg_training_equal (const PlgTraining *a, const PlgTraining *b);

G_END_DECLS
