/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

#define PLG_MESH_DIMENSIONS 4

/* A DeviceMesh of PyTorch: names and sizes, outermost first, and its GPUs, row by row. */
typedef struct
{
  int n;
  const char *name[PLG_MESH_DIMENSIONS];
  int size[PLG_MESH_DIMENSIONS];
  int *gpus;
} PlgMeshLayout;

/* The axes with more than one member, as PLAN nests them; all of degree 1: TP alone. */
void plg_mesh_layout_init (PlgMeshLayout *layout, const PlgPlan *plan);
/* The same GPUs as experts are divided over them: stages, the copies of all experts (edp), the
 * parts of each expert (etp), and in the rows those that share a copy (ep). EP and ETP must divide
 * what a stage has. GPU_OF_RANK is the placement. */
void plg_mesh_layout_init_experts (PlgMeshLayout *layout,
                                   const PlgParallelism *parallelism,
                                   const int *gpu_of_rank);
void plg_mesh_layout_clear (PlgMeshLayout *layout);

/* "VARIABLE = DeviceMesh(…)"; where the GPUs are IN_ORDER, init_device_mesh() with the sizes. */
void plg_mesh_layout_append (const PlgMeshLayout *layout,
                             GString *text,
                             const char *variable,
                             gboolean in_order);

G_END_DECLS
