/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

#define PLG_MESH_DIMENSIONS 4

/* A DeviceMesh of PyTorch: the names and sizes of its dimensions, outermost first, and its GPUs row
 * by row. */
typedef struct
{
  int n;
  const char *name[PLG_MESH_DIMENSIONS];
  int size[PLG_MESH_DIMENSIONS];
  int *gpus;
} PlgMeshLayout;

/* Makes the mesh of the axes with a degree above 1 in the plan's order; TP alone if all degrees are
 * 1. */
void plg_mesh_layout_init (PlgMeshLayout *layout, const PlgPlan *plan);
/* Makes the mesh of the same GPUs for the experts: stages, copies of all experts (edp), parts of
 * each expert (etp), and the GPUs that share a copy (ep) as rows. EP × ETP must divide the GPUs of
 * a stage. */
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
