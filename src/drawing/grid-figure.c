/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include <glib/gi18n-lib.h>

static void
find_ranks (PlgGrid *grid)
{
  grid->rank_of_gpu = g_new (int, grid->gpus);
  if (plg_grid_is_ranked (grid->plan))
    plg_placement_invert (&grid->plan->placement, grid->gpus, grid->rank_of_gpu);
  else
    for (int gpu = 0; gpu < grid->gpus; gpu++)
      grid->rank_of_gpu[gpu] = -1;
}

/* Of two reports the larger one's: its scale holds both, for they begin alike or so many decades
 * below their ends. */
static void
set_scales (PlgGrid *grid)
{
  const PlgReport *other = grid->options->same_scale;

  grid->scale = plg_link_scale (grid->report, grid->options->link_color);
  grid->widths = plg_link_widths (grid->report);
  if (other != NULL)
    {
      PlgLinkScale scale = plg_link_scale (other, grid->options->link_color);

      if (scale.maximum > grid->scale.maximum)
        grid->scale = scale;
      grid->widths.top = MAX (grid->widths.top, plg_link_widths (other).top);
    }
}

void
plg_grid_init (PlgGrid *grid,
               const PlgPlan *plan,
               const PlgReport *report,
               const PlgTheme *theme,
               const PlgPictureOptions *options)
{
  *grid = (PlgGrid) {
    .plan = plan,
    .report = report,
    .theme = theme,
    .options = options,
    .layout = plg_grid_layout_of_nodes (plan, options->zoom, options->nodes.first,
                                        options->nodes.n),
  };
  grid->gpus = grid->layout.nodes * grid->layout.gpus_per_node;
  grid->figure = plg_figure_new (grid->layout.width, grid->layout.height);
  if (plg_grid_is_nameless (grid))
    plg_figure_leave_groups_out (grid->figure);
  set_scales (grid);
  if (plg_grid_is_small (grid))
    grid->widths.scale = 0.6;
  find_ranks (grid);
  plg_grid_light (grid);
  plg_grid_keep_selected (grid);
  plg_grid_set_moment (grid);
}

void
plg_grid_clear (PlgGrid *grid)
{
  g_free (grid->rank_of_gpu);
  g_free (grid->lit_gpu);
  g_free (grid->lit_link);
  g_free (grid->running_link);
  g_clear_pointer (&grid->tabs, g_array_unref);
  plg_moment_free (grid->moment);
}

/* The cards of the nodes that are asked for, with their labels and a little around them; with the
 * rails' names where the first row of nodes is among them. */
static PlgRect
part_of_nodes (const PlgGrid *grid)
{
  const PlgGridLayout *layout = &grid->layout;
  int first = layout->begin, last = layout->end - 1;
  PlgRect part = plg_grid_layout_node (layout, first);
  double right = part.x + part.width, bottom = part.y + part.height, gap;

  for (int node = first + 1; node <= last; node++)
    {
      PlgRect card = plg_grid_layout_node (layout, node);

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
crop_to_nodes (PlgGrid *grid)
{
  PlgRect part = part_of_nodes (grid);

  plg_figure_crop (grid->figure, part);
  if (part.y > 0)
    plg_figure_crop (grid->figure, (PlgRect) { 0, -PART_TOP, part.width, part.height + PART_TOP });
}

static void
describe_figure (const PlgGrid *grid)
{
  const PlgCluster *cluster = &grid->plan->cluster;
  const int *degree = grid->plan->parallelism.degree;
  g_autofree char *title = NULL, *text = NULL;

  title = g_strdup_printf (_ ("%s on %d × %d %s"), grid->plan->model.title, cluster->nodes,
                           cluster->gpus_per_node, cluster->gpu.title);
  text = g_strdup_printf (_ ("The cluster with TP %d, CP %d, EP %d, PP %d, DP %d. A row is a node, "
                             "a "
                             "column a GPU's number in its node."),
                          degree[PLG_AXIS_TP], degree[PLG_AXIS_CP], degree[PLG_AXIS_EP],
                          degree[PLG_AXIS_PP], degree[PLG_AXIS_DP]);
  plg_figure_describe (grid->figure, title, text);
}

double
plg_grid_least_text (const PlgGrid *grid)
{
  return grid->options->zoom > 0 ? grid->options->least_text / grid->options->zoom : 0;
}

PlgFigure *
plg_grid_figure (const PlgPlan *plan,
                 const PlgReport *report,
                 const PlgTheme *theme,
                 const PlgPictureOptions *options)
{
  g_autoptr (PlgGridWires) wires = NULL;
  PlgGrid grid;

  plg_grid_init (&grid, plan, report, theme, options);
  wires = plg_grid_wires_new (&grid);
  plg_figure_set_background (grid.figure, theme->role[PLG_ROLE_BACKGROUND]);
  describe_figure (&grid);
  plg_grid_add_nodes (&grid);
  if (plg_grid_draws_links (&grid))
    plg_grid_add_network (&grid, wires);
  if (options->rings)
    plg_grid_add_other_rings (&grid);
  plg_grid_add_gpus (&grid);
  if (plg_grid_draws_links (&grid))
    {
      plg_grid_add_wiring (&grid, wires);
      plg_grid_add_nics (&grid, wires);
    }
  if (options->rings)
    plg_grid_add_rings (&grid);
  plg_grid_add_groups (&grid);
  plg_grid_add_faults (&grid, wires);
  plg_grid_add_pins (&grid);
  if (options->handles && options->nodes.n == 0)
    plg_grid_add_handles (&grid);
  if (options->nodes.n > 0)
    crop_to_nodes (&grid);
  if (options->legend != PLG_LEGEND_OFF)
    plg_grid_add_legend (&grid);
  else
    plg_figure_resize (grid.figure, plg_figure_width (grid.figure),
                       plg_figure_height (grid.figure) + 10);
  if (plg_grid_least_text (&grid) > 0)
    plg_figure_leave_small_texts_out (grid.figure, plg_grid_least_text (&grid));
  plg_grid_clear (&grid);
  return grid.figure;
}

static gboolean
meet (PlgRect a, PlgRect b)
{
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

gboolean
plg_grid_is_lit_in (const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgPictureOptions *options,
                    PlgRect part)
{
  PlgGrid grid = { .plan = plan,
                   .report = report,
                   .options = options,
                   .layout = plg_grid_layout_on_screen (plan, 1),
                   .gpus = plg_cluster_gpus (&plan->cluster) };
  gboolean is_lit = FALSE, is_in_part = FALSE;

  if (options->n_lit == 0)
    return TRUE;
  find_ranks (&grid);
  plg_grid_light (&grid);
  for (int gpu = 0; grid.lit_gpu != NULL && gpu < grid.gpus && !is_in_part; gpu++)
    if (grid.lit_gpu[gpu])
      {
        is_lit = TRUE;
        is_in_part = meet (plg_grid_layout_gpu (&grid.layout, gpu), part);
      }
  plg_grid_clear (&grid);
  return is_in_part || !is_lit;
}

int
plg_grid_gpu_near (const PlgPlan *plan, double x, double y)
{
  PlgGridLayout layout = plg_grid_layout_on_screen (plan, 1);

  return plg_grid_layout_gpu_near (&layout, x, y);
}

PlgRect
plg_grid_gpu_rect (const PlgPlan *plan, int gpu)
{
  PlgGridLayout layout = plg_grid_layout_on_screen (plan, 1);

  return plg_grid_layout_gpu (&layout, gpu);
}

PlgRect
plg_grid_node_rect (const PlgPlan *plan, int node)
{
  PlgGridLayout layout = plg_grid_layout_on_screen (plan, 1);

  return plg_grid_layout_node (&layout, node);
}
