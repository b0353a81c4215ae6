/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the colours, lines and boxes of the cluster stand for: below it or beside it, and for the
 * screen on its own. */

#include "drawing/grid.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* More stages than this are not all named in the legend. */
#define MAX_SWATCHES 12
/* And so many where the legend is short. */
#define MAX_FOLDED_SWATCHES 6
#define LEAST_SWATCHES 4
#define LEGEND_SIZE 10.5

static int
most_swatches (const PlgLegend *legend)
{
  if (legend->fold >= PLG_FOLD_LINES)
    return LEAST_SWATCHES;
  return legend->fold >= PLG_FOLD_LETTERS ? MAX_FOLDED_SWATCHES : MAX_SWATCHES;
}

static void
add_stage_swatches (const PlgGrid *grid, PlgLegend *legend)
{
  const int *degree = grid->plan->parallelism.degree;
  int stages = degree[PLG_AXIS_PP], shown = MIN (stages, most_swatches (legend));
  const char *pale = degree[PLG_AXIS_DP] == 2 ? _ ("pale: d1") : _ ("pale: odd d");
  gboolean has_note = degree[PLG_AXIS_DP] > 1 && legend->fold < PLG_FOLD_LEAST;
  double width = has_note ? plg_text_width (pale, legend->font_size, FALSE) : 0;

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
  if (has_note)
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
  g_autofree char *capacity = plg_format_memory_beside (grid->report->memory_capacity,
                                                        grid->report->memory_peak);
  const PlgLegendTick ticks[] = { { 0, (char *) "0" }, { 1, capacity } };

  const char *title = legend->fold >= PLG_FOLD_WORDS ? "GiB" : _ ("Memory used, GiB");

  plg_legend_space (legend);
  plg_legend_ramp (legend, title, memory_color, grid->theme, ticks, G_N_ELEMENTS (ticks));
  if (grid->report->fits == PLG_FIT_NO)
    plg_legend_swatch (legend, plg_grid_memory_swatch (grid->theme, 1.01), 0,
                       (PlgThing) { PLG_THING_LEGEND, 0, 0 }, _ ("does not fit"));
}

static const char *
groups_text (const PlgGrid *grid, const PlgLegend *legend, PlgAxis axis, int n)
{
  const char *label = plg_axis_label (axis);
  int members = grid->plan->parallelism.degree[axis];

  if (legend->fold >= PLG_FOLD_WIDTHS)
    return plg_figure_string (grid->figure,
                              g_dngettext (GETTEXT_PACKAGE, "%d %s group of %d GPUs",
                                           "%d %s groups of %d GPUs", n),
                              n, label, members);
  return plg_figure_string (grid->figure,
                            g_dngettext (GETTEXT_PACKAGE, "Fill and letter: %d %s group of %d GPUs",
                                         "Fill and letter: %d %s groups of %d GPUs", n),
                            n, label, members);
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
  /* On the screen nodes are too small for letters where they are one tile. */
  if (grid->options->zoom > 0 && grid->layout.detail == PLG_GRID_NODES)
    plg_legend_title (legend, plg_figure_string (grid->figure, _ ("Fill: %s groups of %d GPUs"),
                                                 plg_axis_label (axis), parallelism->degree[axis]));
  else
    plg_legend_title (legend, groups_text (grid, legend, axis, n));
}

/* Whether letters and outlines have words. */
static gboolean
has_words_of_drawn (const PlgGrid *grid, const PlgLegend *legend)
{
  return legend->fold < PLG_FOLD_LETTERS || grid->options->least_text > 0;
}

static void
add_letters (const PlgGrid *grid, PlgLegend *legend)
{
  const char *words = plg_grid_coordinate_words (grid);

  if (words == NULL || !has_words_of_drawn (grid, legend))
    return;
  plg_legend_space (legend);
  plg_legend_note (legend, words);
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
ring_name (const PlgGrid *grid, const PlgLegend *legend, PlgAxis axis)
{
  int rings = legend->fold >= PLG_FOLD_LETTERS ? 1
                                               : plg_axis_groups (&grid->plan->parallelism, axis);
  const char *label = plg_axis_label (axis);

  /* The arrow before it says the rest. */
  if (legend->fold >= PLG_FOLD_NOTES)
    return label;
  if (rings <= 1)
    return plg_figure_string (grid->figure, axis == PLG_AXIS_PP ? _ ("%s send") : _ ("%s ring"),
                              label);
  return plg_figure_string (grid->figure,
                            axis == PLG_AXIS_PP ? _ ("%s send, one of %d chains")
                                                : _ ("%s ring, one of %d"),
                            label, rings);
}

/* The one that stands out, and the others where they are drawn too. */
static void
add_ring_of_axis (const PlgGrid *grid, PlgLegend *legend, PlgAxis axis)
{
  int others = plg_axis_groups (&grid->plan->parallelism, axis) - 1;

  plg_legend_line (legend, plg_grid_ring_look (grid, axis).color, 2.4, plg_theme_axis_dash (axis),
                   TRUE, ring_name (grid, legend, axis));
  if (plg_grid_has_all_rings (grid, axis) && legend->fold < PLG_FOLD_LETTERS)
    plg_legend_line (legend, plg_grid_pale_ring_look (grid, axis).color, 1.2,
                     plg_theme_axis_dash (axis), TRUE,
                     plg_figure_string (grid->figure,
                                        g_dngettext (GETTEXT_PACKAGE, "the other one",
                                                     "the %d others", others),
                                        others));
}

static void
add_ring_legend (const PlgGrid *grid, PlgLegend *legend)
{
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (plg_grid_shows_rings (grid, axis))
      add_ring_of_axis (grid, legend, axis);
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

/* On the screen the legend is as high at any zoom, whatever the notes are; where it folds it has
 * one line, and need not be as long as other notes would be. */
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
  if (grid->options->zoom > 0 && !grid->options->fold_legend)
    *legend = far.y > near.y || (far.y == near.y && far.x > near.x) ? far : near;
}

static gboolean
has_moved_in_place_of_widths (const PlgLegend *legend)
{
  return legend->fold == PLG_FOLD_MOVED;
}

static void
add_link_legend (const PlgGrid *grid, PlgLegend *legend)
{
  plg_legend_link_color (legend, &grid->scale);
  plg_legend_space (legend);
  if (has_moved_in_place_of_widths (legend))
    plg_grid_add_widths_or_moved (grid, legend);
  else
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
has_link_legend (const PlgGrid *grid, const PlgLegend *legend, gboolean is_played)
{
  return grid->options->link_color != PLG_LINK_COLOR_OFF && grid->report->links->len > 0 &&
         !(is_played && legend->fold >= PLG_FOLD_LEAST);
}

static gboolean
has_node_notes (const PlgGrid *grid, const PlgLegend *legend)
{
  if (legend->fold >= PLG_FOLD_EDGES)
    return FALSE;
  /* On the screen not by detail, for the size of the whole must not depend on the zoom. */
  return grid->options->zoom > 0 ? grid->layout.enlarged > 1
                                 : grid->layout.detail >= PLG_GRID_TILES;
}

static void
add_entries (PlgGrid *grid, PlgLegend *legend, gboolean is_played)
{
  gboolean has_links = has_link_legend (grid, legend, is_played);

  plg_figure_open (grid->figure, "legend", "legend", NULL);
  if (grid->options->rings)
    add_ring_legend (grid, legend);
  if (has_links)
    add_link_legend (grid, legend);
  plg_grid_add_fault_legend (grid, legend);
  if (is_played)
    {
      plg_activity_add_legend (legend, grid->plan, grid->report, grid->moment,
                               legend->is_measured || grid->layout.detail <= PLG_GRID_SHORT ||
                                   plg_grid_rows_have_tags (grid));
      if (grid->options->least_text > 0)
        add_letters (grid, legend);
    }
  else
    {
      add_fill_legend (grid, legend);
      add_letters (grid, legend);
    }
  if (has_node_notes (grid, legend))
    add_node_notes (grid, legend);
  /* Last, for on the screen there are empty places as long as nothing is outlined or moved. */
  if (!is_played && has_words_of_drawn (grid, legend))
    plg_grid_add_outline_note (grid, legend);
  if (!(has_links && has_moved_in_place_of_widths (legend)))
    plg_grid_add_moved_note (grid, legend);
  plg_figure_close (grid->figure);
}

static void
add_legend (PlgGrid *grid, double factor)
{
  double height = plg_figure_height (grid->figure) / factor;
  int first = plg_figure_n_shapes (grid->figure);
  PlgLegend legend;

  begin_legend (grid, &legend, factor);
  add_entries (grid, &legend, grid->moment != NULL);
  if (grid->options->legend == PLG_LEGEND_RIGHT)
    height = MAX (height + 10, plg_legend_end (&legend) + 8);
  else
    height = plg_legend_end (&legend) + 8;
  if (factor != 1)
    plg_figure_enlarge (grid->figure, first, factor);
  plg_figure_resize (grid->figure, (legend.right + grid->layout.margin) * factor, height * factor);
}

void
plg_grid_add_legend (PlgGrid *grid)
{
  add_legend (grid, grid->layout.enlarged);
}

void
plg_grid_put_legend (PlgFigure *figure,
                     const PlgPlan *plan,
                     const PlgReport *report,
                     const PlgTheme *theme,
                     const PlgPictureOptions *options)
{
  PlgGrid grid;

  if (options->legend == PLG_LEGEND_OFF)
    return;
  plg_grid_init (&grid, plan, report, theme, options);
  plg_figure_unref (grid.figure);
  grid.figure = figure;
  /* A part is seen nearer than the whole. */
  add_legend (&grid, plg_grid_enlarged (plg_figure_width (figure), plg_figure_height (figure)));
  plg_grid_clear (&grid);
}

/* The smallest text of a legend has 0.9 of its size; so it gets 11 pixels on the screen, or what
 * all texts must have. */
static double
legend_on_screen (const PlgPictureOptions *options)
{
  return MAX (11, options->least_text) / (0.9 * LEGEND_SIZE);
}

#define LEGEND_PAD 8.0
#define FOLDED_PAD 6.0
/* On the screen, unless the window is so narrow that no folding is enough. */
#define MOST_LINES 3
/* While a step is played, when what takes little of it has its words as long as it is on; and with
 * large texts, which fold all but the words of what is drawn. */
#define FEWER_LINES 2

static void
begin_on_screen (PlgGrid *grid, PlgLegend *legend, int fold, double width)
{
  plg_legend_begin (legend, grid->figure, grid->theme, LEGEND_PAD, width - LEGEND_PAD,
                    grid->options->fold_legend ? FOLDED_PAD : LEGEND_PAD, LEGEND_SIZE);
  legend->fold = fold;
}

/* The legend as it would be with FOLD. */
static PlgLegend
measure (PlgGrid *grid, gboolean is_played, gboolean is_outlined, int fold, double width)
{
  PlgLegend legend;

  begin_on_screen (grid, &legend, fold, width);
  legend.is_measured = TRUE;
  legend.is_outlined = is_outlined;
  add_entries (grid, &legend, is_played);
  return legend;
}

/* Least folded of those with the fewest lines, as long as nothing that is seen loses its words; and
 * where that is too high, as much as makes it lower, or as can be. */
static PlgLegend
fold_least (PlgGrid *grid, gboolean is_played, gboolean is_outlined, double width)
{
  PlgLegend best = measure (grid, is_played, is_outlined, PLG_FOLD_NONE, width);
  int fold = PLG_FOLD_NONE, most;

  most = is_played || grid->options->least_text > 0 ? FEWER_LINES : MOST_LINES;
  while (best.n_lines > 1 && ++fold <= PLG_FOLD_EDGES)
    {
      PlgLegend legend = measure (grid, is_played, is_outlined, fold, width);

      if (legend.n_lines < best.n_lines)
        best = legend;
    }
  for (fold = PLG_FOLD_LETTERS; best.n_lines > most && fold <= PLG_FOLD_LEAST; fold++)
    best = measure (grid, is_played, is_outlined, fold, width);
  return best;
}

/* How much it is folded, and where it ends then. */
static int
find_fold (const PlgGrid *grid,
           PlgShow show,
           gboolean is_played,
           gboolean is_outlined,
           double width,
           double *end)
{
  PlgPictureOptions options = *grid->options;
  PlgGrid scratch = *grid;
  PlgLegend legend;

  options.show = show;
  scratch.options = &options;
  /* For its strings, and the few marks that the cluster draws itself. */
  scratch.figure = plg_figure_new (width, 1);
  legend = fold_least (&scratch, is_played, is_outlined, width);
  *end = MAX (*end, plg_legend_end (&legend));
  plg_figure_unref (scratch.figure);
  return legend.fold;
}

/* What one may well look at next must not move what one looks at, of which END is known. */
static double
reserve (const PlgGrid *grid, double width, double end)
{
  gboolean is_played = grid->moment != NULL;

  if (is_played || grid->options->show != PLG_SHOW_ALL)
    find_fold (grid, PLG_SHOW_ALL, FALSE, FALSE, width, &end);
  if (is_played || grid->options->show != PLG_SHOW_MEMORY)
    find_fold (grid, PLG_SHOW_MEMORY, FALSE, FALSE, width, &end);
  if (!is_played)
    find_fold (grid, grid->options->show, TRUE, FALSE, width, &end);
  /* A rank that is moved by hand may take a TP group out of its node. */
  find_fold (grid, PLG_SHOW_ALL, FALSE, TRUE, width, &end);
  return end;
}

PlgFigure *
plg_grid_legend_figure (const PlgPlan *plan,
                        const PlgReport *report,
                        const PlgTheme *theme,
                        const PlgPictureOptions *options,
                        double width)
{
  double enlarged = legend_on_screen (options);
  double inner = MAX (width / enlarged, 120), end = 0;
  PlgPictureOptions unlit = *options;
  int fold = PLG_FOLD_NONE;
  PlgLegend legend;
  PlgGrid grid;

  unlit.n_lit = 0;
  unlit.legend_alone = TRUE;
  unlit.selected.kind = PLG_THING_NONE;
  plg_grid_init (&grid, plan, report, theme, &unlit);
  /* As thick as the links are at this zoom, as long as they can be told apart and there is room. */
  grid.widths.scale *= CLAMP (unlit.zoom, 0.5, 2) / enlarged;
  if (unlit.fold_legend)
    {
      fold = find_fold (&grid, unlit.show, grid.moment != NULL, FALSE, inner, &end);
      end = reserve (&grid, inner, end);
    }
  begin_on_screen (&grid, &legend, fold, inner);
  add_entries (&grid, &legend, grid.moment != NULL);
  plg_figure_enlarge (grid.figure, 0, enlarged);
  plg_figure_resize (grid.figure, width, (MAX (plg_legend_end (&legend), end) + 6) * enlarged);
  plg_grid_clear (&grid);
  return grid.figure;
}
