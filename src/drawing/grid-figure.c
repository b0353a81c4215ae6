/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* More stages than this are not all named in the legend. */
#define MAX_SWATCHES 12
#define LEGEND_SIZE 10.5

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

static void
grid_init (PlgGrid *grid,
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
    .layout = options->zoom > 0 ? plg_grid_layout_on_screen (plan, options->zoom)
                                : plg_grid_layout (plan),
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

static void
grid_clear (PlgGrid *grid)
{
  g_free (grid->rank_of_gpu);
  g_free (grid->lit_gpu);
  g_free (grid->lit_link);
  g_free (grid->running_link);
  g_clear_pointer (&grid->tabs, g_array_unref);
  plg_moment_free (grid->moment);
}

static void
add_stage_swatches (const PlgGrid *grid, PlgLegend *legend)
{
  const int *degree = grid->plan->parallelism.degree;
  int stages = degree[PLG_AXIS_PP], shown = MIN (stages, MAX_SWATCHES);
  const char *pale = degree[PLG_AXIS_DP] == 2 ? _ ("pale: d1") : _ ("pale: odd d");
  double width = plg_text_width (pale, legend->font_size, FALSE);

  for (int stage = 0; stage < shown; stage++)
    width += plg_legend_swatch_width (legend, "p0");
  plg_legend_space (legend);
  plg_legend_keep (legend, width);
  for (int stage = 0; stage < shown; stage++)
    {
      PlgSwatch swatch = plg_theme_swatch (grid->theme, stage, stages, FALSE);

      plg_legend_swatch (legend, swatch, swatch.hatch, (PlgThing) { PLG_THING_STAGE, 0, stage },
                         plg_figure_string (grid->figure, "p%d", stage));
    }
  if (stages > shown)
    plg_legend_note (legend, "…");
  if (degree[PLG_AXIS_DP] > 1)
    plg_legend_note (legend, pale);
}

static PlgColor
memory_color (double share, gconstpointer theme)
{
  return plg_grid_memory_swatch (theme, share).fill;
}

static void
add_memory_scale (const PlgGrid *grid, PlgLegend *legend)
{
  g_autofree char *capacity = plg_format_memory (grid->report->memory_capacity);
  const PlgLegendTick ticks[] = { { 0, (char *) "0" }, { 1, capacity } };

  plg_legend_space (legend);
  plg_legend_ramp (legend, _ ("Memory used, GiB"), memory_color, grid->theme, ticks,
                   G_N_ELEMENTS (ticks));
  if (!grid->report->fits)
    plg_legend_swatch (legend, plg_grid_memory_swatch (grid->theme, 1.01), 0,
                       (PlgThing) { PLG_THING_LEGEND, 0, 0 }, _ ("does not fit"));
}

static void
add_axis_note (const PlgGrid *grid, PlgLegend *legend, PlgAxis axis)
{
  const PlgParallelism *parallelism = &grid->plan->parallelism;
  int n = parallelism->degree[axis] > 1 ? plg_axis_groups (parallelism, axis) : 0;

  plg_legend_space (legend);
  if (n == 0)
    {
      plg_legend_note (legend, plg_figure_string (grid->figure, _ ("%s is 1: there are no groups"),
                                                  plg_axis_label (axis)));
      return;
    }
  if (!plg_grid_has_letters (grid))
    {
      plg_legend_title (legend,
                        plg_figure_string (grid->figure, _ ("Fill: %s groups of %d GPUs"),
                                           plg_axis_label (axis), parallelism->degree[axis]));
      return;
    }
  plg_legend_title (legend,
                    plg_figure_string (grid->figure,
                                       g_dngettext (GETTEXT_PACKAGE,
                                                    "Fill and letter: %d %s group of %d GPUs",
                                                    "Fill and letter: %d %s groups of %d GPUs", n),
                                       n, plg_axis_label (axis), parallelism->degree[axis]));
}

static void
add_fill_legend (const PlgGrid *grid, PlgLegend *legend)
{
  switch (grid->options->show)
    {
    case PLG_SHOW_ALL:
      add_stage_swatches (grid, legend);
      break;
    case PLG_SHOW_TP:
      add_axis_note (grid, legend, PLG_AXIS_TP);
      break;
    case PLG_SHOW_CP:
      add_axis_note (grid, legend, PLG_AXIS_CP);
      break;
    case PLG_SHOW_EP:
      add_axis_note (grid, legend, PLG_AXIS_EP);
      break;
    case PLG_SHOW_PP:
      add_axis_note (grid, legend, PLG_AXIS_PP);
      break;
    case PLG_SHOW_DP:
      add_axis_note (grid, legend, PLG_AXIS_DP);
      break;
    case PLG_SHOW_MEMORY:
    default:
      add_memory_scale (grid, legend);
      break;
    }
}

/* "TP ring", and of how many of its axis it is one: a single one is drawn. */
static const char *
ring_name (const PlgGrid *grid, PlgAxis axis)
{
  int rings = plg_axis_groups (&grid->plan->parallelism, axis);
  const char *label = plg_axis_label (axis);

  if (rings <= 1)
    return plg_figure_string (grid->figure, axis == PLG_AXIS_PP ? _ ("%s send") : _ ("%s ring"),
                              label);
  return plg_figure_string (grid->figure,
                            axis == PLG_AXIS_PP ? _ ("%s send, one of %d chains")
                                                : _ ("%s ring, one of %d"),
                            label, rings);
}

static void
add_ring_legend (const PlgGrid *grid, PlgLegend *legend)
{
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (grid->plan->parallelism.degree[axis] > 1)
      plg_legend_line (legend, plg_grid_ring_look (grid, axis).color, 2.4,
                       plg_theme_axis_dash (axis), TRUE, ring_name (grid, axis));
}

/* Where a node has no wires, what its edges stand for: up to three notes, fewer of them where racks
 * are one box. */
#define MAX_NOTES 3

static int
list_node_notes (const PlgGrid *grid, gboolean is_rack_tile, const char **notes)
{
  int n = grid->layout.gpus_per_node, n_notes = 0;

  if (is_rack_tile && grid->layout.rack_nodes > 1)
    notes[n_notes++] = plg_figure_string (grid->figure,
                                          _ ("one box: up to %d nodes, with the number of the "
                                             "first"),
                                          grid->layout.rack_nodes);
  else if (grid->layout.is_node_tile || is_rack_tile)
    notes[n_notes++] = plg_figure_string (grid->figure,
                                          g_dngettext (GETTEXT_PACKAGE, "one box: a node of %d GPU",
                                                       "one box: a node of %d GPUs", n),
                                          n);
  if (grid->options->rings || grid->report->links->len == 0)
    return n_notes;
  if (is_rack_tile)
    {
      notes[n_notes++] = _ ("lower edge of a box: the busiest NIC of its nodes");
      return n_notes;
    }
  notes[n_notes++] = _ ("lower edge of a node: links inside it");
  if (grid->layout.nodes > 1)
    notes[n_notes++] = _ ("right edge: its NICs");
  return n_notes;
}

/* Of note I of N, and of what stays on its line: the last two of a node's, its two edges. */
static double
note_width (const PlgLegend *legend, const char *const *notes, int i, int n, gboolean is_rack_tile)
{
  double size = legend->font_size, width = plg_text_width (notes[i], size, FALSE);

  if (!is_rack_tile && i == n - 2)
    width += size * 0.9 + plg_text_width (notes[i + 1], size, FALSE);
  return width;
}

/* LEGEND, a copy, as it would be after the notes. */
static PlgLegend
legend_after_notes (const PlgGrid *grid, PlgLegend legend, gboolean is_rack_tile)
{
  const char *notes[MAX_NOTES];
  int n = list_node_notes (grid, is_rack_tile, notes);

  plg_legend_space (&legend);
  for (int i = 0; i < n; i++)
    {
      plg_legend_keep (&legend, note_width (&legend, notes, i, n, is_rack_tile));
      legend.has_entries = TRUE;
      legend.x += plg_text_width (notes[i], legend.font_size, FALSE) + legend.font_size * 0.9;
    }
  return legend;
}

/* On the screen the legend is as high at any zoom, whatever the notes are. */
static void
add_node_notes (const PlgGrid *grid, PlgLegend *legend)
{
  const char *notes[MAX_NOTES];
  int n = list_node_notes (grid, grid->layout.is_rack_tile, notes);
  PlgLegend near = legend_after_notes (grid, *legend, FALSE);
  PlgLegend far = legend_after_notes (grid, *legend, TRUE);

  plg_legend_space (legend);
  for (int i = 0; i < n; i++)
    {
      plg_legend_keep (legend, note_width (legend, notes, i, n, grid->layout.is_rack_tile));
      plg_legend_note (legend, notes[i]);
    }
  if (grid->options->zoom > 0)
    *legend = far.y > near.y || (far.y == near.y && far.x > near.x) ? far : near;
}

static void
add_link_legend (const PlgGrid *grid, PlgLegend *legend)
{
  plg_legend_link_color (legend, &grid->scale);
  plg_legend_space (legend);
  plg_legend_link_width (legend, &grid->widths);
}

/* As wide as the widest entry of a legend that stands beside the cluster. */
#define LEGEND_COLUMN 300.0

/* Under the cluster, or at its right edge; where the whole is large, so is its legend, by FACTOR
 * in the end. */
static void
begin_legend (PlgGrid *grid, PlgLegend *legend, double factor)
{
  double width = plg_figure_width (grid->figure) / factor;
  double height = plg_figure_height (grid->figure) / factor;
  double margin = grid->layout.margin;

  if (grid->options->legend == PLG_LEGEND_RIGHT)
    plg_legend_begin (legend, grid->figure, grid->theme, width, width + LEGEND_COLUMN, margin,
                      LEGEND_SIZE);
  else
    plg_legend_begin (legend, grid->figure, grid->theme, margin, MAX (width - margin, 440),
                      height + 10, LEGEND_SIZE);
}

/* Rings have the same colours and widths. */
static gboolean
has_link_legend (const PlgGrid *grid)
{
  return grid->options->link_color != PLG_LINK_COLOR_OFF && grid->report->links->len > 0;
}

static void
add_entries (PlgGrid *grid, PlgLegend *legend)
{
  plg_figure_open (grid->figure, "legend", "legend", NULL);
  if (grid->options->rings)
    add_ring_legend (grid, legend);
  if (has_link_legend (grid))
    add_link_legend (grid, legend);
  plg_grid_add_fault_legend (grid, legend);
  if (grid->moment != NULL)
    plg_activity_add_legend (legend, grid->plan, grid->report);
  else
    add_fill_legend (grid, legend);
  /* On the screen not by detail, for the size of the whole must not depend on the zoom. */
  if (grid->options->zoom > 0 ? grid->layout.enlarged > 1 : grid->layout.detail >= PLG_GRID_TILES)
    add_node_notes (grid, legend);
  /* Last, for on the screen there is an empty place as long as nothing is moved. */
  plg_grid_add_moved_note (grid, legend);
  plg_figure_close (grid->figure);
}

static void
add_legend (PlgGrid *grid)
{
  double factor = grid->layout.enlarged;
  double height = plg_figure_height (grid->figure) / factor;
  int first = plg_figure_n_shapes (grid->figure);
  PlgLegend legend;

  begin_legend (grid, &legend, factor);
  add_entries (grid, &legend);
  if (grid->options->legend == PLG_LEGEND_RIGHT)
    height = MAX (height + 10, plg_legend_end (&legend) + 8);
  else
    height = plg_legend_end (&legend) + 8;
  if (factor != 1)
    plg_figure_enlarge (grid->figure, first, factor);
  plg_figure_resize (grid->figure, (legend.right + grid->layout.margin) * factor, height * factor);
}

/* The cards of the nodes that are asked for, with their labels and a little around them; with the
 * rails' names where the first row of nodes is among them. */
static PlgRect
part_of_nodes (const PlgGrid *grid)
{
  const PlgGridLayout *layout = &grid->layout;
  int first = CLAMP (grid->options->first_node, 0, layout->nodes - 1);
  int last = CLAMP (first + grid->options->n_nodes - 1, first, layout->nodes - 1);
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
  part.width = MIN (right + layout->leaf_width + layout->margin, layout->width) - part.x;
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

  grid_init (&grid, plan, report, theme, options);
  wires = plg_grid_wires_new (&grid);
  plg_figure_set_background (grid.figure, theme->role[PLG_ROLE_BACKGROUND]);
  describe_figure (&grid);
  plg_grid_add_nodes (&grid);
  if (plg_grid_draws_links (&grid))
    plg_grid_add_network (&grid, wires);
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
  if (options->handles)
    plg_grid_add_handles (&grid);
  if (options->n_nodes > 0)
    crop_to_nodes (&grid);
  if (options->legend != PLG_LEGEND_OFF)
    add_legend (&grid);
  else
    plg_figure_resize (grid.figure, plg_figure_width (grid.figure),
                       plg_figure_height (grid.figure) + 10);
  if (plg_grid_least_text (&grid) > 0)
    plg_figure_leave_small_texts_out (grid.figure, plg_grid_least_text (&grid));
  grid_clear (&grid);
  return grid.figure;
}

/* The smallest text of a legend has 0.9 of its size; so it gets 11 pixels on the screen, or what
 * all texts must have. */
static double
legend_on_screen (const PlgPictureOptions *options)
{
  return MAX (11, options->least_text) / (0.9 * LEGEND_SIZE);
}

#define LEGEND_PAD 8.0

PlgFigure *
plg_grid_legend_figure (const PlgPlan *plan,
                        const PlgReport *report,
                        const PlgTheme *theme,
                        const PlgPictureOptions *options,
                        double width)
{
  double enlarged = legend_on_screen (options);
  double inner = MAX (width / enlarged, 120);
  PlgPictureOptions unlit = *options;
  PlgLegend legend;
  PlgGrid grid;

  unlit.n_lit = 0;
  unlit.legend_alone = TRUE;
  unlit.selected.kind = PLG_THING_NONE;
  grid_init (&grid, plan, report, theme, &unlit);
  /* As thick as the links are at this zoom, as long as they can be told apart and there is room. */
  grid.widths.scale *= CLAMP (unlit.zoom, 0.5, 2) / enlarged;
  plg_legend_begin (&legend, grid.figure, theme, LEGEND_PAD, inner - LEGEND_PAD, LEGEND_PAD,
                    LEGEND_SIZE);
  add_entries (&grid, &legend);
  plg_figure_enlarge (grid.figure, 0, enlarged);
  plg_figure_resize (grid.figure, width, (plg_legend_end (&legend) + 6) * enlarged);
  grid_clear (&grid);
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
  grid_clear (&grid);
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
