/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

#define PLG_MESH_DIMENSIONS 4

/* A PyTorch DeviceMesh: the names and sizes of its dimensions, outermost first, and its GPUs row
 * by row. */
typedef struct
{
  int n;
  const char *name[PLG_MESH_DIMENSIONS];
  int size[PLG_MESH_DIMENSIONS];
  int *gpus;
} PlgMeshLayout;

/* Makes a mesh with the axes whose degree is above 1, in the plan's order. If all degrees are 1,
 * the mesh has only TP. */
void plg_mesh_layout_init (PlgMeshLayout *layout, const PlgPlan *plan);
/* Makes the expert mesh of the same GPUs, with the dimensions pp (stages), edp (copies of all
 * experts), etp (parts of each expert) and ep. Each row lists the GPUs that share one copy of
 * the experts. EP × ETP must divide the number of GPUs in a stage. */
void plg_mesh_layout_init_experts (PlgMeshLayout *layout,
                                   const PlgParallelism *parallelism,
                                   const int *gpu_of_rank);
void plg_mesh_layout_clear (PlgMeshLayout *layout);

/* Appends "VARIABLE = DeviceMesh(…)", or init_device_mesh() with the sizes if the GPUs are in
 * order. */
void plg_mesh_layout_append (const PlgMeshLayout *layout,
                             GString *text,
                             const char *variable,
                             gboolean in_order);

G_END_DECLS
