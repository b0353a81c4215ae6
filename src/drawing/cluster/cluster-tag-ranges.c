/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"

#include <string.h>

/* What the fills of many GPUs stand for, told without colours in a few letters, where each of them
 * is too small for its own. */

/* What the fill of GPU says, as a number by which GPUs can be put in order. */
static double
order_of (const PlgClusterCells *cells, int rank, const PlgCoordinate *at)
{
  const PlgParallelism *parallelism = &cells->drawing->plan->parallelism;
  const PlgStageMemory *memory = plg_cluster_stage_memory (cells->drawing, at->index[PLG_AXIS_PP]);
  PlgAxis axis = cells->axis;

  if (cells->drawing->options->show == PLG_SHOW_MEMORY)
    return memory != NULL ? memory->total : 0;
  if (cells->is_single)
    return plg_axis_group_of (parallelism, axis, rank);
  return at->index[parallelism->degree[axis] > 1 ? axis : PLG_AXIS_DP];
}

/* Of some GPUs: what they do, bit 1 << activity, and the ranks that are the first and the last in
 * the order of what the fills say, or -1. */
typedef struct
{
  guint on;
  int low, high;
} Content;

static Content
content_of (const PlgClusterCells *cells, int first, int n)
{
  const PlgClusterDrawing *drawing = cells->drawing;
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
      at = plg_rank_coordinate (&drawing->plan->parallelism, rank);
      moment = plg_cluster_stage_snapshot (drawing, at.index[PLG_AXIS_PP]);
      content.on |= moment != NULL ? 1u << moment->activity : 0;
      order = order_of (cells, rank, &at);
      content.low = order < low ? rank : content.low;
      content.high = order > high ? rank : content.high;
      low = MIN (low, order);
      high = MAX (high, order);
    }
  return content;
}

/* "F B": what is on, in the order of the legend. */
static char *
activities_text (guint on)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < PLG_N_ACTIVITIES; i++)
    {
      PlgActivity activity = (PlgActivity) ((i + 1) % PLG_N_ACTIVITIES);

      if ((on & 1u << activity) != 0)
        g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "",
                                plg_activity_letter (activity));
    }
  return g_string_free (text, FALSE);
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

  if (content.on != 0)
    return activities_text (content.on);
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
