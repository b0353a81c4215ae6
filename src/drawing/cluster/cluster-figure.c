/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-group-outlines.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-marks.h"
#include "drawing/cluster/cluster-network.h"
#include "drawing/cluster/cluster-nodes.h"
#include "drawing/cluster/cluster-rings.h"
#include "drawing/cluster/cluster-snapshot.h"

#include <glib/gi18n-lib.h>

static void
find_ranks (PlgClusterDrawing *drawing)
{
  drawing->rank_of_gpu = g_new (int, drawing->gpus);
  if (plg_cluster_layout_is_ranked (drawing->plan))
    plg_placement_invert (&drawing->plan->placement, drawing->gpus, drawing->rank_of_gpu);
  else
    for (int gpu = 0; gpu < drawing->gpus; gpu++)
      drawing->rank_of_gpu[gpu] = -1;
}

void
plg_cluster_drawing_init (PlgClusterDrawing *drawing,
                          const PlgPlan *plan,
                          const PlgReport *report,
                          const PlgTheme *theme,
                          const PlgPictureOptions *options)
{
  *drawing = (PlgClusterDrawing) {
    .plan = plan,
    .report = report,
    .theme = theme,
    .options = options,
    .layout = plg_cluster_layout_with_rows (plan, options->zoom, options->nodes.first,
                                            options->nodes.n, options->row_gpus),
  };
  drawing->gpus = drawing->layout.nodes * drawing->layout.gpus_per_node;
  drawing->figure = plg_figure_new (drawing->layout.width, drawing->layout.height);
  if (plg_cluster_is_without_ids (drawing))
    plg_figure_disable_groups (drawing->figure);

  const PlgReport *other = options->same_scale;

  /* The larger of two scales covers both, since all scales begin at the same value or equally many
   * decades below their ends. */
  drawing->scale = plg_link_scale (report, options->link_color);
  drawing->widths = plg_link_widths (report);
  if (other != NULL)
    {
      PlgLinkScale scale = plg_link_scale (other, options->link_color);

      if (scale.maximum > drawing->scale.maximum)
        drawing->scale = scale;
      drawing->widths.top = MAX (drawing->widths.top, plg_link_widths (other).top);
    }
  if (plg_cluster_is_small (drawing))
    drawing->widths.scale = 0.6;
  find_ranks (drawing);
  plg_cluster_highlight (drawing);
  plg_cluster_highlight_selected (drawing);
  plg_cluster_set_snapshot (drawing);
}

void
plg_cluster_drawing_clear (PlgClusterDrawing *drawing)
{
  g_free (drawing->rank_of_gpu);
  g_free (drawing->highlighted_gpu);
  g_free (drawing->highlighted_link);
  g_free (drawing->active_link);
  g_clear_pointer (&drawing->tabs, g_array_unref);
  plg_snapshot_free (drawing->moment);
}

gboolean
plg_cluster_is_small (const PlgClusterDrawing *drawing)
{
  return drawing->layout.is_small;
}

gboolean
plg_cluster_has_low_detail (const PlgClusterDrawing *drawing)
{
  return drawing->options->zoom > 0 && drawing->layout.detail != PLG_CLUSTER_DETAIL_FULL;
}

gboolean
plg_cluster_is_without_ids (const PlgClusterDrawing *drawing)
{
  return drawing->options->without_ids;
}

double
plg_cluster_legible_length (const PlgClusterDrawing *drawing, double points, double most)
{
  return MAX (points, MIN (points * drawing->layout.points_per_pixel, most));
}

double
plg_cluster_min_text_size (const PlgClusterDrawing *drawing)
{
  return drawing->options->zoom > 0 ? drawing->options->min_text_size / drawing->options->zoom : 0;
}

gboolean
plg_cluster_shows_node (const PlgClusterDrawing *drawing, int node)
{
  return plg_cluster_layout_shows (&drawing->layout, node, drawing->options->visible);
}

/* The room for the tab of a group above a part that begins below the names of rails. */
#define PART_TOP 14.0

/* Crops the picture to the wanted nodes with their labels and a margin; the names of the rails stay
 * if the first row of nodes does. */
static void
crop_to_nodes (PlgClusterDrawing *drawing)
{
  const PlgClusterLayout *layout = &drawing->layout;
  int first = layout->begin, last = layout->end - 1;
  PlgRect part = plg_cluster_layout_node (layout, first);
  double right = part.x + part.width, bottom = part.y + part.height, gap;

  for (int node = first + 1; node <= last; node++)
    {
      PlgRect card = plg_cluster_layout_node (layout, node);

      part.x = MIN (part.x, card.x);
      part.y = MIN (part.y, card.y);
      right = MAX (right, card.x + card.width);
      bottom = MAX (bottom, card.y + card.height);
    }
  gap = MAX (layout->node_step_y - layout->card_height, 2) / 2;
  part.x -= layout->label_width + layout->names_width + layout->margin;
  part.x = MAX (part.x, 0);
  part.y = part.y - gap <= layout->header ? 0 : part.y - gap;
  right += layout->node_step_x - layout->label_width - layout->card_width;
  part.width = MIN (right, layout->width) - part.x;
  part.height = bottom + gap - part.y;
  plg_figure_crop (drawing->figure, part);
  if (part.y > 0)
    plg_figure_crop (drawing->figure,
                     (PlgRect) { 0, -PART_TOP, part.width, part.height + PART_TOP });
}

PlgFigure *
plg_cluster_figure (const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgTheme *theme,
                    const PlgPictureOptions *options)
{
  const PlgCluster *cluster = &plan->cluster;
  const int *degree = plan->parallelism.degree;
  g_autoptr (PlgClusterLinkMap) link_map = NULL;
  g_autofree char *title = NULL, *text = NULL;
  PlgClusterDrawing drawing;

  plg_cluster_drawing_init (&drawing, plan, report, theme, options);
  link_map = plg_cluster_link_map_new (&drawing);
  plg_figure_set_background (drawing.figure, theme->role[PLG_ROLE_BACKGROUND]);
  title = g_strdup_printf (_ ("%s on %d × %d %s"), plan->model.title, cluster->nodes,
                           cluster->gpus_per_node, cluster->gpu.title);
  text = g_strdup_printf (
      _ ("The cluster with TP %d, CP %d, EP %d, PP %d, DP %d. A row is a node, a column a GPU's number in its node."),
      degree[PLG_AXIS_TP], degree[PLG_AXIS_CP], degree[PLG_AXIS_EP], degree[PLG_AXIS_PP],
      degree[PLG_AXIS_DP]);
  plg_figure_describe (drawing.figure, title, text);

  plg_cluster_add_nodes (&drawing);
  if (plg_cluster_draws_links (&drawing))
    plg_cluster_add_network (&drawing, link_map);
  if (options->rings)
    plg_cluster_add_other_rings (&drawing);
  plg_cluster_add_gpus (&drawing);
  if (plg_cluster_draws_links (&drawing))
    {
      plg_cluster_add_node_links (&drawing, link_map);
      plg_cluster_add_nics (&drawing, link_map);
    }
  if (options->rings)
    plg_cluster_add_rings (&drawing);
  plg_cluster_add_group_outlines (&drawing);
  plg_cluster_add_faults (&drawing, link_map);
  plg_cluster_add_pins (&drawing);
  if (options->handles && options->nodes.n == 0)
    plg_cluster_add_handles (&drawing);
  if (options->nodes.n > 0)
    crop_to_nodes (&drawing);
  if (options->legend != PLG_LEGEND_OFF)
    plg_cluster_add_legend (&drawing);
  else
    plg_figure_resize (drawing.figure, plg_figure_width (drawing.figure),
                       plg_figure_height (drawing.figure) + 10);
  if (plg_cluster_min_text_size (&drawing) > 0)
    plg_figure_remove_small_texts (drawing.figure, plg_cluster_min_text_size (&drawing));
  plg_cluster_drawing_clear (&drawing);
  return drawing.figure;
}


gboolean
plg_cluster_is_highlighted_in (const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgPictureOptions *options,
                               PlgRect part)
{
  PlgClusterDrawing drawing = { .plan = plan,
                                .report = report,
                                .options = options,
                                .layout = plg_cluster_layout_with_rows (plan, 1, 0, 0,
                                                                        options->row_gpus),
                                .gpus = plg_cluster_gpus (&plan->cluster) };
  gboolean is_any_highlighted = FALSE, is_in_part = FALSE;

  if (options->n_highlighted == 0)
    return TRUE;
  find_ranks (&drawing);
  plg_cluster_highlight (&drawing);
  for (int gpu = 0; drawing.highlighted_gpu != NULL && gpu < drawing.gpus && !is_in_part; gpu++)
    if (drawing.highlighted_gpu[gpu])
      {
        PlgRect tile = plg_cluster_layout_gpu (&drawing.layout, gpu);

        is_any_highlighted = TRUE;
        is_in_part = tile.x < part.x + part.width && part.x < tile.x + tile.width &&
                     tile.y < part.y + part.height && part.y < tile.y + tile.height;
      }
  plg_cluster_drawing_clear (&drawing);
  return is_in_part || !is_any_highlighted;
}

PlgRect
plg_cluster_gpu_rect (const PlgPlan *plan, int gpu)
{
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, 1);

  return plg_cluster_layout_gpu (&layout, gpu);
}

PlgRect
plg_cluster_node_rect (const PlgPlan *plan, int node)
{
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, 1);

  return plg_cluster_layout_node (&layout, node);
}
