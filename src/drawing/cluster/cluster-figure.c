/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"

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

/* Of two reports the larger one's: its scale holds both, for they begin alike or so many decades
 * below their ends. */
static void
set_scales (PlgClusterDrawing *drawing)
{
  const PlgReport *other = drawing->options->same_scale;

  drawing->scale = plg_link_scale (drawing->report, drawing->options->link_color);
  drawing->widths = plg_link_widths (drawing->report);
  if (other != NULL)
    {
      PlgLinkScale scale = plg_link_scale (other, drawing->options->link_color);

      if (scale.maximum > drawing->scale.maximum)
        drawing->scale = scale;
      drawing->widths.top = MAX (drawing->widths.top, plg_link_widths (other).top);
    }
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
    .layout = plg_cluster_layout_of_nodes (plan, options->zoom, options->nodes.first,
                                           options->nodes.n),
  };
  drawing->gpus = drawing->layout.nodes * drawing->layout.gpus_per_node;
  drawing->figure = plg_figure_new (drawing->layout.width, drawing->layout.height);
  if (plg_cluster_is_without_ids (drawing))
    plg_figure_disable_groups (drawing->figure);
  set_scales (drawing);
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

/* The cards of the nodes that are asked for, with their labels and a little around them; with the
 * rails' names where the first row of nodes is among them. */
static PlgRect
part_of_nodes (const PlgClusterDrawing *drawing)
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
  return part;
}


/* Above a part that begins below the rails' names: room for the tab of a group. */
#define PART_TOP 14.0

static void
crop_to_nodes (PlgClusterDrawing *drawing)
{
  PlgRect part = part_of_nodes (drawing);

  plg_figure_crop (drawing->figure, part);
  if (part.y > 0)
    plg_figure_crop (drawing->figure,
                     (PlgRect) { 0, -PART_TOP, part.width, part.height + PART_TOP });
}

static void
describe_figure (const PlgClusterDrawing *drawing)
{
  const PlgCluster *cluster = &drawing->plan->cluster;
  const int *degree = drawing->plan->parallelism.degree;
  g_autofree char *title = NULL, *text = NULL;

  title = g_strdup_printf (_ ("%s on %d × %d %s"), drawing->plan->model.title, cluster->nodes,
                           cluster->gpus_per_node, cluster->gpu.title);
  text = g_strdup_printf (_ ("The cluster with TP %d, CP %d, EP %d, PP %d, DP %d. A row is a node, "
                             "a "
                             "column a GPU's number in its node."),
                          degree[PLG_AXIS_TP], degree[PLG_AXIS_CP], degree[PLG_AXIS_EP],
                          degree[PLG_AXIS_PP], degree[PLG_AXIS_DP]);
  plg_figure_describe (drawing->figure, title, text);
}

double
plg_cluster_min_text_size (const PlgClusterDrawing *drawing)
{
  return drawing->options->zoom > 0 ? drawing->options->min_text_size / drawing->options->zoom : 0;
}

PlgFigure *
plg_cluster_figure (const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgTheme *theme,
                    const PlgPictureOptions *options)
{
  g_autoptr (PlgClusterLinkMap) link_map = NULL;
  PlgClusterDrawing drawing;

  plg_cluster_drawing_init (&drawing, plan, report, theme, options);
  link_map = plg_cluster_link_map_new (&drawing);
  plg_figure_set_background (drawing.figure, theme->role[PLG_ROLE_BACKGROUND]);
  describe_figure (&drawing);
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

static gboolean
intersection (PlgRect a, PlgRect b)
{
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
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
                                .layout = plg_cluster_layout_on_screen (plan, 1),
                                .gpus = plg_cluster_gpus (&plan->cluster) };
  gboolean is_lit = FALSE, is_in_part = FALSE;

  if (options->n_highlighted == 0)
    return TRUE;
  find_ranks (&drawing);
  plg_cluster_highlight (&drawing);
  for (int gpu = 0; drawing.highlighted_gpu != NULL && gpu < drawing.gpus && !is_in_part; gpu++)
    if (drawing.highlighted_gpu[gpu])
      {
        is_lit = TRUE;
        is_in_part = intersection (plg_cluster_layout_gpu (&drawing.layout, gpu), part);
      }
  plg_cluster_drawing_clear (&drawing);
  return is_in_part || !is_lit;
}

int
plg_cluster_gpu_near (const PlgPlan *plan, double x, double y)
{
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, 1);

  return plg_cluster_layout_gpu_near (&layout, x, y);
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
