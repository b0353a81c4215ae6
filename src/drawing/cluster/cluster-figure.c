/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-group-outlines.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-marks.h"
#include "drawing/cluster/cluster-network.h"
#include "drawing/cluster/cluster-nodes.h"
#include "drawing/cluster/cluster-rings.h"

#include <glib/gi18n-lib.h>

/* The room above the nodes in a cropped picture without a header [points]. It is needed for the
 * tab of a group, which extends above the first row of nodes. */
#define PART_TOP 14.0

/* Crops the picture to the requested nodes with their labels and a margin. Keeps the rail names
 * if the first row of nodes is kept. */
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
      _ ("The cluster with TP %d, CP %d, EP %d, PP %d, DP %d. Each row is a node; each column "
         "holds the GPUs that have the same number in their nodes."),
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
