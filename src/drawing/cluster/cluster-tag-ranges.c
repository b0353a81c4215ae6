/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-snapshot.h"

#include <string.h>

/* The content of a run of GPUs. */
typedef struct
{
  guint activities; /* bits 1 << activity */
  int low, high;    /* the ranks with the lowest and the highest fill, or -1 */
} Content;

static Content
content_of (const PlgClusterCells *cells, int first, int n)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  Content content = { 0, -1, -1 };
  double low = G_MAXDOUBLE, high = -G_MAXDOUBLE;

  for (int gpu = first; gpu < first + n; gpu++)
    {
      int rank = drawing->rank_of_gpu[gpu];
      PlgCoordinate at;
      const PlgStageSnapshot *moment;
      double order;

      if (rank < 0)
        continue;
      at = plg_rank_coordinate (parallelism, rank);
      moment = plg_cluster_stage_snapshot (drawing, at.index[PLG_AXIS_PP]);
      content.activities |= moment != NULL ? 1u << moment->activity : 0;

      /* The number for which the fill of a GPU stands. */
      if (drawing->options->show == PLG_SHOW_MEMORY)
        {
          const PlgStageMemory *memory = plg_cluster_stage_memory (drawing, at.index[PLG_AXIS_PP]);

          order = memory != NULL ? memory->total : 0;
        }
      else if (cells->is_single)
        order = plg_axis_group_of (parallelism, cells->axis, rank);
      else
        order = at.index[parallelism->degree[cells->axis] > 1 ? cells->axis : PLG_AXIS_DP];
      content.low = order < low ? rank : content.low;
      content.high = order > high ? rank : content.high;
      low = MIN (low, order);
      high = MAX (high, order);
    }
  return content;
}

static char *
tag_of_rank (const PlgClusterCells *cells, int rank)
{
  PlgCoordinate at = { 0 };

  if (rank < 0)
    return NULL;
  at = plg_rank_coordinate (&cells->drawing->plan->parallelism, rank);
  return plg_cluster_cells_tag (cells, rank, &at);
}

char *
plg_cluster_cells_tag_range (const PlgClusterCells *cells,
                             int first,
                             int n,
                             gboolean is_brief,
                             char **to)
{
  Content content = content_of (cells, first, n);
  gboolean is_memory = cells->drawing->options->show == PLG_SHOW_MEMORY;
  g_autofree char *low = NULL, *high = NULL;

  if (content.activities != 0)
    {
      /* "F B": the activities in the order of the legend. */
      GString *text = g_string_new (NULL);

      for (int i = 0; i < PLG_N_ACTIVITIES; i++)
        {
          PlgActivity activity = (PlgActivity) ((i + 1) % PLG_N_ACTIVITIES);

          if ((content.activities & 1u << activity) != 0)
            g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "",
                                    plg_activity_letter (activity));
        }
      return g_string_free (text, FALSE);
    }
  low = tag_of_rank (cells, content.low);
  high = tag_of_rank (cells, content.high);
  if (low == NULL || high == NULL || g_str_equal (low, high))
    return g_steal_pointer (&low);
  if (!is_brief)
    return g_strconcat (low, "–", high, NULL);
  if (is_memory)
    low[strcspn (low, ".")] = high[strcspn (high, ".")] = '\0';
  if (to != NULL)
    *to = g_steal_pointer (&high);
  return g_strconcat (low, "–", NULL);
}
