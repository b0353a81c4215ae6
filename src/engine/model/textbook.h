/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The formulas of a teaching notebook and of a handbook. They are not standard, so they are kept
 * apart from the engine's own formulas, and their results are shown next to the engine's
 * numbers. They use their own units: decimal GB, milliseconds, billions of parameters, TFLOP/s
 * with sparsity. */

/* Act I of the notebook: data parallelism only. */
typedef struct
{
  double gradient_gb;
  double ring_factor; /* 2 (N-1)/N for N GPUs */
  double all_reduce_gb;
  double bandwidth_gb_s;
  double all_reduce_ms;
  double flops;
  double compute_ms;
  double ratio; /* all-reduce time / compute time */
  double mfu;   /* 0..1 */
} PlgNotebookDataParallel;

/* plg_notebook_data_parallel:
 * @parameters_billion: 1..175
 * @batch: sequences per GPU
 * @nvlink: whether GPUs use NVLink; ignored for more than 8 GPUs */
PlgNotebookDataParallel
plg_notebook_data_parallel (double parameters_billion, int gpus, int batch, gboolean nvlink);

/* Act II of the notebook: GPT-3 175B in three dimensions. */
typedef struct
{
  int dp;
  double parameters_billion; /* parameters per GPU, in billions */
  double model_gb;
  double optimizer_gb;
  double activation_gb;
  double total_gb;
  gboolean out_of_memory; /* TRUE above 80 GB */
  double bubble;          /* the bubble as a share of the step, 0..1 */
  gboolean tp_crosses_node;
  double penalty; /* factor by which TP's loss of MFU is multiplied: 1 inside a node, 2.25 across
                     nodes */
  double mfu;     /* 0..1 */
} PlgNotebook3D;

PlgNotebook3D plg_notebook_3d (int tp, int pp, int gpus, int micro_batches);

/* Returns the handbook's persistent state per GPU [bytes]. ZERO is the ZeRO stage, 0..3. */
double plg_handbook_state_bytes (double parameters, int zero, int dp);
/* Returns the bytes that each of N GPUs sends in a ring all-reduce of BYTES, by the handbook's
 * formula: 2 (N-1)/N × BYTES. */
double plg_handbook_ring_bytes (double bytes, int n);

/* Overwrites the parts of REPORT that the plan's profile defines: step, MFU, bubble and memory.
 * The evaluation calls this function for the notebook and handbook profiles. */
void plg_textbook_apply (const PlgPlan *plan, PlgReport *report);

/* Formats BYTES in the unit of PROFILE; free the string with g_free(). The notebook and handbook
 * profiles show memory in decimal GB ("118.7 GB"), and show memory and shares ("36.05 %") with
 * four significant digits. The standard profile uses the formats of plan/quantity.h. */
char *plg_profile_memory (PlgProfile profile, double bytes);
/* Works like plg_profile_memory(), but adds digits until BYTES and OTHER look different. */
char *plg_profile_memory_distinct (PlgProfile profile, double bytes, double other);
char *plg_profile_share (PlgProfile profile, double share);
/* Returns the memory unit of PROFILE [bytes], and its name ("GiB"). */
double plg_profile_memory_unit (PlgProfile profile, const char **name);

G_END_DECLS
