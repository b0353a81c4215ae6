/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-layout.h"

/* Whether the row of tiles of LOWER follows the row of UPPER, in the same node or the node below.
 */
static gboolean
rows_follow (const PlgClusterLayout *layout, int upper, int lower)
{
  int upper_node = upper / layout->gpus_per_node, lower_node = lower / layout->gpus_per_node;
  int upper_row = upper % layout->gpus_per_node / layout->gpu_columns;
  int lower_row = lower % layout->gpus_per_node / layout->gpu_columns;

  if (upper_node == lower_node)
    return lower_row == upper_row + 1;
  return lower_node == upper_node + 1 && (lower_node - layout->first) % layout->node_rows != 0 &&
         upper_row == layout->gpu_rows - 1 && lower_row == 0;
}

/* A run of cells in one row of tiles. */
typedef struct
{
  int first, last;
} Run;

static GArray *
find_runs (const PlgClusterLayout *layout, const int *gpus, int n)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (Run));

  for (int i = 0; i < n; i++)
    {
      Run *run = runs->len > 0 ? &g_array_index (runs, Run, runs->len - 1) : NULL;

      if (!plg_cluster_layout_has_place (layout, gpus[i] / layout->gpus_per_node))
        continue;
      if (run != NULL && gpus[i] == run->last + 1 &&
          gpus[i] % layout->gpus_per_node % layout->gpu_columns != 0)
        run->last = gpus[i];
      else
        g_array_append_val (runs, ((Run) { gpus[i], gpus[i] }));
    }
  return runs;
}

GArray *
plg_cluster_layout_regions (const PlgClusterLayout *layout, const int *gpus, int n)
{
  g_autoptr (GArray) runs = find_runs (layout, gpus, n);
  GArray *rects = g_array_new (FALSE, FALSE, sizeof (PlgRect));

  for (guint i = 0; i < runs->len; i++)
    {
      Run run = g_array_index (runs, Run, i);
      PlgRect rect = plg_cluster_layout_gpu (layout, run.first);
      PlgRect last = plg_cluster_layout_gpu (layout, run.last);
      PlgRect *above = rects->len > 0 ? &g_array_index (rects, PlgRect, rects->len - 1) : NULL;

      rect.width = last.x + last.width - rect.x;
      if (above != NULL && above->x == rect.x && above->width == rect.width &&
          rows_follow (layout, g_array_index (runs, Run, i - 1).first, run.first))
        above->height = rect.y + rect.height - above->y;
      else
        g_array_append_val (rects, rect);
    }
  return rects;
}
