/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-group-outlines.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-snapshot.h"

/* Returns the colours for a memory use of SHARE of the capacity. The fill approaches the accent
 * colour as SHARE grows. If SHARE is above 1, the error colour replaces the accent colour. */
PlgSwatch
plg_cluster_memory_swatch (const PlgTheme *theme, double share)
{
  PlgSwatch swatch = { 0 };
  PlgColor card = theme->role[PLG_ROLE_CARD];

  swatch.strong = theme->role[share > 1 ? PLG_ROLE_ERROR : PLG_ROLE_ACCENT];
  swatch.fill = plg_color_mix (card, swatch.strong,
                               share > 1 ? 0.55 : 0.08 + 0.47 * MAX (share, 0));
  swatch.border = plg_color_mix (swatch.fill, swatch.strong, 0.5);
  swatch.text = plg_theme_text_on (theme, swatch.fill);
  return swatch;
}

double
plg_cluster_memory_share (const PlgClusterDrawing *drawing, int stage)
{
  const PlgStageMemory *memory = plg_cluster_stage_memory (drawing, stage);

  if (memory == NULL || !(drawing->report->memory_capacity > 0) || !(memory->total >= 0))
    return 0;
  return memory->total / drawing->report->memory_capacity;
}

PlgClusterCells *
plg_cluster_cells_new (PlgClusterDrawing *drawing)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  const PlgColor *role = drawing->theme->role;
  PlgClusterCells *cells = g_new (PlgClusterCells, 1);

  *cells = (PlgClusterCells) { .drawing = drawing,
                               .neutral = { .fill = role[PLG_ROLE_GRID],
                                            .strong = role[PLG_ROLE_TEXT_DIM],
                                            .border = role[PLG_ROLE_CARD_BORDER],
                                            .text = plg_theme_text_on (drawing->theme,
                                                                       role[PLG_ROLE_GRID]) } };
  cells->is_single = plg_cluster_single_axis (drawing->options->show, &cells->axis);
  cells->two_lines = drawing->layout.detail == PLG_CLUSTER_DETAIL_FULL &&
                     plg_cluster_cells_need_two_lines (drawing);
  if (plg_cluster_layout_is_ranked (drawing->plan))
    {
      plg_cluster_cells_size_tags (cells);
      cells->row_tag_width = plg_cluster_cells_widest_tag (cells, FALSE);
    }
  plg_cluster_cells_set_stacked (cells);
  cells->outlined = drawing->layout.detail == PLG_CLUSTER_DETAIL_TILES
                        ? plg_cluster_gpu_outline_axes (drawing)
                        : NULL;
  if (drawing->moment != NULL)
    {
      const PlgSnapshot *moment = drawing->moment;

      cells->snapshot_swatches = g_new (PlgSwatch, moment->n_stages);
      for (int i = 0; i < moment->n_stages; i++)
        {
          PlgSwatch stage = plg_theme_swatch (drawing->theme, i, moment->n_stages, FALSE);

          cells->snapshot_swatches[i] = plg_activity_swatch (drawing->theme, &stage,
                                                             moment->stages[i].activity);
        }
    }
  if (drawing->moment != NULL || !plg_cluster_layout_is_ranked (drawing->plan) ||
      drawing->options->show == PLG_SHOW_MEMORY)
    return cells;
  cells->n_swatches = cells->is_single ? plg_axis_groups (parallelism, cells->axis)
                                       : parallelism->degree[PLG_AXIS_PP];
  for (int pale = 0; pale < 2; pale++)
    {
      cells->swatches[pale] = g_new (PlgSwatch, cells->n_swatches);
      for (int i = 0; i < cells->n_swatches; i++)
        cells->swatches[pale][i] = plg_theme_swatch (drawing->theme, i, cells->n_swatches, pale);
    }
  return cells;
}

void
plg_cluster_cells_free (PlgClusterCells *cells)
{
  g_free (cells->swatches[0]);
  g_free (cells->swatches[1]);
  g_free (cells->snapshot_swatches);
  g_free (cells->outlined);
  g_free (cells);
}

gboolean
plg_cluster_has_stacked_texts (PlgClusterDrawing *drawing)
{
  g_autoptr (PlgClusterCells) cells = plg_cluster_cells_new (drawing);

  return cells->is_stacked;
}

PlgSwatch
plg_cluster_cells_swatch (const PlgClusterCells *cells, int gpu)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  int rank = drawing->rank_of_gpu[gpu], stage;
  PlgCoordinate at;

  if (rank < 0)
    return cells->neutral;
  at = plg_rank_coordinate (parallelism, rank);
  stage = at.index[PLG_AXIS_PP];
  if (plg_cluster_stage_snapshot (drawing, stage) != NULL)
    return cells->snapshot_swatches[stage];
  if (drawing->options->show == PLG_SHOW_MEMORY)
    return plg_cluster_memory_swatch (drawing->theme, plg_cluster_memory_share (drawing, stage));
  if (!cells->is_single)
    return cells->swatches[at.index[PLG_AXIS_DP] & 1][stage];
  if (parallelism->degree[cells->axis] <= 1)
    return cells->neutral;
  return cells->swatches[0][plg_axis_group_of (parallelism, cells->axis, rank)];
}

PlgColor
plg_cluster_cells_fill (const PlgClusterCells *cells, int gpu)
{
  return plg_cluster_dim (cells->drawing, plg_cluster_cells_swatch (cells, gpu).fill,
                          plg_cluster_is_gpu_highlighted (cells->drawing, gpu));
}

PlgColor
plg_cluster_cells_text_color (const PlgClusterCells *cells, int gpu)
{
  return plg_cluster_dim (cells->drawing, plg_cluster_cells_swatch (cells, gpu).text,
                          plg_cluster_is_gpu_highlighted (cells->drawing, gpu));
}
