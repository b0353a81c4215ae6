/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

#define PLG_MESH_DIMENSIONS 5

/* A PyTorch DeviceMesh: the names and sizes of its dimensions, outermost first, and its GPUs in
 * row-major order. */
typedef struct
{
  int n;
  const char *name[PLG_MESH_DIMENSIONS];
  int size[PLG_MESH_DIMENSIONS];
  int *gpus;
} PlgMeshLayout;

/* Makes a mesh of the axes whose degree is above 1, nested in the plan's rank order. With shard
 * groups, DP has two dimensions, dp_replicate and dp_shard. If all degrees are 1, TP is the only
 * dimension. */
void plg_mesh_layout_init (PlgMeshLayout *layout, const PlgPlan *plan);
/* Makes the expert mesh of the GPUs in GPU_OF_RANK, which is indexed by rank. The dimensions are
 * pp (stages), edp (copies of all experts), etp (slices of each expert) and ep; any of pp, edp
 * and etp is omitted if its size is 1. Each row lists the GPUs that share one copy of the
 * experts. EP × ETP must divide the number of GPUs in a stage. */
void plg_mesh_layout_init_experts (PlgMeshLayout *layout,
                                   const PlgParallelism *parallelism,
                                   const int *gpu_of_rank);
void plg_mesh_layout_clear (PlgMeshLayout *layout);

/* Appends "VARIABLE = DeviceMesh(…)" with the list of GPUs. If IN_ORDER is TRUE, appends
 * "VARIABLE = init_device_mesh(…)", which states only the sizes. */
void plg_mesh_layout_append (const PlgMeshLayout *layout,
                             GString *text,
                             const char *variable,
                             gboolean in_order);

G_END_DECLS
