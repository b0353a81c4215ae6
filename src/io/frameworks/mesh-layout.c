/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/mesh-layout.h"

#include "engine/network/groups.h"

static void
add_dimension (PlgMeshLayout *layout, const char *name, int size)
{
  g_assert (layout->n < PLG_MESH_DIMENSIONS);
  layout->name[layout->n] = name;
  layout->size[layout->n++] = size;
}

void
plg_mesh_layout_init (PlgMeshLayout *layout, const PlgPlan *plan)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  int world = plg_plan_world (plan);

  *layout = (PlgMeshLayout) { .gpus = g_new (int, world) };
  for (int i = PLG_N_NESTED_AXES - 1; i >= 0; i--)
    {
      PlgAxis axis = parallelism->order[i];
      int groups = axis == PLG_AXIS_DP ? plg_parallelism_replicate (parallelism) : 1;

      if (groups > 1)
        {
          add_dimension (layout, "dp_replicate", groups);
          add_dimension (layout, "dp_shard", parallelism->degree[axis] / groups);
        }
      else if (parallelism->degree[axis] > 1)
        add_dimension (layout, plg_axis_name (axis), parallelism->degree[axis]);
    }
  if (layout->n == 0)
    add_dimension (layout, plg_axis_name (PLG_AXIS_TP), 1);
  for (int rank = 0; rank < world; rank++)
    layout->gpus[rank] = plg_placement_gpu (&plan->placement, rank);
}

void
plg_mesh_layout_init_experts (PlgMeshLayout *layout,
                              const PlgParallelism *parallelism,
                              const int *gpu_of_rank)
{
  const int *degree = parallelism->degree;
  int copies = degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP] * degree[PLG_AXIS_DP] /
               degree[PLG_AXIS_EP];
  int n = 0, ranks;
  PlgGroups groups;

  plg_groups_init (&groups, parallelism, PLG_GROUP_EP);
  ranks = groups.count * groups.size;
  *layout = (PlgMeshLayout) { .gpus = g_new (int, ranks) };
  if (degree[PLG_AXIS_PP] > 1)
    add_dimension (layout, "pp", degree[PLG_AXIS_PP]);
  if (copies / parallelism->etp > 1)
    add_dimension (layout, "edp", copies / parallelism->etp);
  if (parallelism->etp > 1)
    add_dimension (layout, "etp", parallelism->etp);
  add_dimension (layout, "ep", degree[PLG_AXIS_EP]);
  for (int stage = 0; stage < groups.stages; stage++)
    for (int group = stage; group < groups.count; group += groups.stages)
      for (int i = 0; i < groups.size; i++)
        layout->gpus[n++] = gpu_of_rank[plg_groups_rank (&groups, group, i)];
}

/* Appends names such as mesh_dim_names=("pp", "tp"). A Python tuple with one member needs a
 * comma before its closing bracket. */
static void
add_names (GString *text, const PlgMeshLayout *layout)
{
  g_string_append (text, "mesh_dim_names=(");
  for (int i = 0; i < layout->n; i++)
    g_string_append_printf (text, "%s\"%s\"", i > 0 ? ", " : "", layout->name[i]);
  g_string_append (text, layout->n == 1 ? ",)" : ")");
}

void
plg_mesh_layout_append (const PlgMeshLayout *layout,
                        GString *text,
                        const char *variable,
                        gboolean in_order)
{
  int last = layout->n - 1, row = layout->size[last], n = 1;

  if (in_order)
    {
      g_string_append_printf (text, "%s = init_device_mesh(\"cuda\", (", variable);
      for (int i = 0; i < layout->n; i++)
        g_string_append_printf (text, "%s%d", i > 0 ? ", " : "", layout->size[i]);
      g_string_append (text, layout->n == 1 ? ",), " : "), ");
      add_names (text, layout);
      g_string_append (text, ")\n");
      return;
    }

  /* Write the GPUs as nested lists, with one line per row of the last dimension. */
  g_string_append_printf (text, "%s = DeviceMesh(\n    device_type=\"cuda\",\n    mesh=", variable);
  for (int i = 0; i < layout->n; i++)
    n *= layout->size[i];
  for (int i = 0; i < n; i++)
    {
      /* Open a bracket for each nested list that starts with GPU I. */
      for (int depth = 0, below = n; depth <= last; below /= layout->size[depth++])
        if (i % below == 0)
          g_string_append_printf (text, "%*s[%s", depth > 0 ? 4 * (depth + 1) : 0, "",
                                  depth < last ? "\n" : "");
      g_string_append_printf (text, "%s%d", i % row > 0 ? ", " : "", layout->gpus[i]);
      /* Close the bracket of each nested list that ends with GPU I. */
      for (int depth = last, below = row; depth >= 0 && (i + 1) % below == 0; depth--)
        {
          g_string_append_printf (text, "%*s],\n", depth < last ? 4 * (depth + 1) : 0, "");
          below *= depth > 0 ? layout->size[depth - 1] : 1;
        }
    }
  g_string_append (text, "    ");
  add_names (text, layout);
  g_string_append (text, ",\n)\n");
}

void
plg_mesh_layout_clear (PlgMeshLayout *layout)
{
  g_clear_pointer (&layout->gpus, g_free);
}
