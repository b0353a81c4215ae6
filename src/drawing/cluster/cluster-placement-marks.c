/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-marks.h"

#include <glib/gi18n-lib.h>

/* The marks of moved ranks. A rank is moved if it is not on the GPU that the nesting order
 * assigns to it. Both the shape and the colour of a mark identify a moved rank, and the legend
 * gives the number of moved ranks. */

#define SWATCH_SIDE 12.0

gboolean
plg_cluster_is_gpu_moved (const PlgClusterDrawing *drawing, int gpu)
{
  return drawing->rank_of_gpu[gpu] >= 0 && drawing->rank_of_gpu[gpu] != gpu;
}

/* Adds a folded upper right corner to TILE. SIDE is the length of the corner's sides [points]. */
static void
add_corner (PlgFigure *figure, PlgRect tile, double side, PlgColor color)
{
  double right = tile.x + tile.width;
  const PlgPoint corner[] = { { right - side, tile.y },
                              { right - 2, tile.y },
                              { right, tile.y + 2 },
                              { right, tile.y + side } };
  PlgShape *shape = plg_figure_path (figure, corner, G_N_ELEMENTS (corner), color, 0);

  shape->closed = TRUE;
  shape->fill = color;
  shape->stroke = PLG_COLOR_NONE;
}

void
plg_cluster_add_placement_mark (PlgClusterDrawing *drawing, int gpu, PlgColor ink, PlgColor line)
{
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, gpu);
  gboolean is_full = drawing->layout.detail == PLG_CLUSTER_DETAIL_FULL;

  if (!plg_cluster_is_gpu_moved (drawing, gpu))
    return;
  if (is_full)
    {
      /* With full detail, also add a dashed line inside the border. */
      PlgShape *shape = plg_figure_rect (drawing->figure, tile.x + 2, tile.y + 2, tile.width - 4,
                                         tile.height - 4, 4, PLG_COLOR_NONE);

      shape->stroke = line;
      shape->stroke_width = 1.2;
      shape->dashed = TRUE;
    }
  add_corner (drawing->figure, tile, is_full ? 11 : MIN (7, tile.height * 0.6), ink);
}

void
plg_cluster_mark_node_moved (PlgClusterDrawing *drawing, int node, PlgColor color)
{
  PlgRect card = plg_cluster_layout_node (&drawing->layout, node);
  int n = drawing->layout.gpus_per_node;

  for (int gpu = node * n; gpu < (node + 1) * n; gpu++)
    if (plg_cluster_is_gpu_moved (drawing, gpu))
      {
        add_corner (drawing->figure, card, MIN (9, card.height * 0.6), color);
        return;
      }
}

static const char *
moved_text (const PlgClusterDrawing *drawing, const PlgLegend *legend, int n)
{
  if (legend->brevity >= PLG_LEGEND_BREVITY_TITLES)
    return plg_figure_string (drawing->figure,
                              g_dngettext (GETTEXT_PACKAGE, "%d moved", "%d moved", n), n);
  return plg_figure_string (drawing->figure,
                            g_dngettext (GETTEXT_PACKAGE, "moved out of order: %d rank",
                                         "moved out of order: %d ranks", n),
                            n);
}

static int
count_moved (const PlgClusterDrawing *drawing)
{
  return plg_cluster_layout_is_ranked (drawing->plan)
             ? plg_placement_moved (&drawing->plan->placement)
             : 0;
}

static double
note_width (const PlgClusterDrawing *drawing, const PlgLegend *legend)
{
  const char *longest = moved_text (drawing, legend, drawing->gpus);

  return SWATCH_SIDE * 1.4 + plg_text_width (longest, legend->font_size, FALSE);
}

static void
add_note (const PlgClusterDrawing *drawing, PlgLegend *legend, int n)
{
  const PlgColor *role = drawing->theme->role;
  PlgRect tile;

  plg_legend_keep (legend, note_width (drawing, legend));
  tile = (PlgRect) { legend->x, legend->y - SWATCH_SIDE / 2, SWATCH_SIDE, SWATCH_SIDE };
  plg_figure_rect (drawing->figure, tile.x, tile.y, tile.width, tile.height, 2, role[PLG_ROLE_GRID])
      ->stroke = role[PLG_ROLE_TEXT_DIM];
  add_corner (drawing->figure, tile, 7, role[PLG_ROLE_TEXT]);
  legend->x += SWATCH_SIDE * 1.4;
  legend->has_entries = TRUE;
  plg_legend_note (legend, moved_text (drawing, legend, n));
}

void
plg_cluster_add_placement_note (const PlgClusterDrawing *drawing, PlgLegend *legend)
{
  int n = count_moved (drawing);

  /* On the screen, reserve room even if no rank is moved. Otherwise the cluster would jump when
   * a drag moves the first rank and the legend grows taller. */
  if (n == 0 && drawing->options->legend_alone)
    plg_legend_reserve (legend, note_width (drawing, legend));
  if (n == 0)
    return;
  plg_legend_space (legend);
  add_note (drawing, legend, n);
}

void
plg_cluster_add_widths_or_moved (const PlgClusterDrawing *drawing, PlgLegend *legend)
{
  double own = drawing->widths.top > 0 ? plg_legend_link_width_width (legend, &drawing->widths) : 0;
  double width = MAX (note_width (drawing, legend), own), right;

  /* Give the entry for moved ranks and the entry for link widths the same width, so that the
   * other entries do not shift when one of these two replaces the other. */
  plg_legend_keep (legend, width);
  right = legend->x + width + legend->font_size * 0.9;
  if (count_moved (drawing) > 0)
    add_note (drawing, legend, count_moved (drawing));
  else
    plg_legend_link_width (legend, &drawing->widths);
  legend->x = right;
  legend->has_entries = TRUE;
}
