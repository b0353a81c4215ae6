/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* The properties of a training run by which two runs resemble each other. */
typedef struct
{
  gboolean has_experts;
  double active_parameters;
  double peak;             /* dense 16-bit peak of the GPU [FLOP/s] */
  double memory_bandwidth; /* memory bandwidth of the GPU [bytes/s] */
  double link_bandwidth;   /* per GPU and direction inside a node [bytes/s] */
  gboolean has_nvlink;     /* TRUE unless the links have a name of their own, such as Infinity
                               Fabric */
  int precision_class;     /* 0 for FP8, 1 for BF16 and FP16, 2 for FP32, 3 for FP4 */
  int gpus;
  int sequence;
  gboolean shards_weights; /* ZeRO 3 */
  int tp, pp, micro_batch;
  PlgRecompute recompute;
  PlgProgram program;
} PlgRunTraits;

/* Returns the traits of a run of PLAN. */
PlgRunTraits plg_run_traits (const PlgPlan *plan);
gboolean plg_run_traits_equal (const PlgRunTraits *a, const PlgRunTraits *b);

/* plg_run_distance:
 *
 * Computes how much two runs differ: the square root of the sum of squares of the differences of
 * model, GPU, precision, number of GPUs, sequence length, sharding, layout and program.
 * docs/model.md has the table. The weights are judgements; no weight is fitted.
 *
 * Returns: the distance, 0 for runs with the same traits */
double plg_run_distance (const PlgRunTraits *a, const PlgRunTraits *b);

G_END_DECLS
