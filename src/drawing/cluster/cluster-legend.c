/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the colours, lines and boxes of the cluster stand for: below it or beside it, and for the
 * screen on its own. */

#include "drawing/cluster/cluster-drawing.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* More stages than this are not all named in the legend. */
#define MAX_SWATCHES 12
/* And so many where the legend is short. */
#define MAX_SHORT_SWATCHES 6
#define MIN_SWATCHES 4
#define LEGEND_SIZE 10.5

static int
most_swatches (const PlgLegend *legend)
{
  if (legend->brevity >= PLG_LEGEND_BREVITY_NO_WIDTHS)
    return MIN_SWATCHES;
  return legend->brevity >= PLG_LEGEND_BREVITY_LETTERS ? MAX_SHORT_SWATCHES : MAX_SWATCHES;
}

static void
add_stage_swatches (const PlgClusterDrawing *drawing, PlgLegend *legend)
{
  const int *degree = drawing->plan->parallelism.degree;
  int stages = degree[PLG_AXIS_PP], shown = MIN (stages, most_swatches (legend));
  const char *pale = degree[PLG_AXIS_DP] == 2 ? _ ("pale: d1") : _ ("pale: odd d");
  gboolean has_note = degree[PLG_AXIS_DP] > 1 && legend->brevity < PLG_LEGEND_BREVITY_MAX;
  double width = has_note ? plg_text_width (pale, legend->font_size, FALSE) : 0;

  for (int stage = 0; stage < shown; stage++)
    width += plg_legend_swatch_width (legend, "p0");
  plg_legend_space (legend);
  plg_legend_keep (legend, width);
  for (int stage = 0; stage < shown; stage++)
    {
      PlgSwatch swatch = plg_theme_swatch (drawing->theme, stage, stages, FALSE);

      plg_legend_swatch (legend, swatch, swatch.hatch, (PlgEntity) { PLG_ENTITY_STAGE, 0, stage },
                         plg_figure_string (drawing->figure, "p%d", stage));
    }
  if (stages > shown)
    plg_legend_note (legend, "…");
  if (has_note)
    plg_legend_note (legend, pale);
}

static PlgColor
memory_color (double share, gconstpointer theme)
{
  return plg_cluster_memory_swatch (theme, share).fill;
}

static void
add_memory_scale (const PlgClusterDrawing *drawing, PlgLegend *legend)
{
  g_autofree char *capacity = plg_format_memory_distinct (drawing->report->memory_capacity,
                                                          drawing->report->memory_peak);
  const PlgLegendTick ticks[] = { { 0, (char *) "0" }, { 1, capacity } };

  const char *title = legend->brevity >= PLG_LEGEND_BREVITY_SCALE_TITLES ? "GiB"
                                                                         : _ ("Memory used, GiB");

  plg_legend_space (legend);
  plg_legend_ramp (legend, title, memory_color, drawing->theme, ticks, G_N_ELEMENTS (ticks));
  if (drawing->report->fits == PLG_FIT_NO)
    plg_legend_swatch (legend, plg_cluster_memory_swatch (drawing->theme, 1.01), 0,
                       (PlgEntity) { PLG_ENTITY_LEGEND, 0, 0 }, _ ("does not fit"));
}

static const char *
groups_text (const PlgClusterDrawing *drawing, const PlgLegend *legend, PlgAxis axis, int n)
{
  const char *label = plg_axis_label (axis);
  int members = drawing->plan->parallelism.degree[axis];

  if (legend->brevity >= PLG_LEGEND_BREVITY_WIDTHS)
    return plg_figure_string (drawing->figure,
                              g_dngettext (GETTEXT_PACKAGE, "%d %s group of %d GPUs",
                                           "%d %s groups of %d GPUs", n),
                              n, label, members);
  return plg_figure_string (drawing->figure,
                            g_dngettext (GETTEXT_PACKAGE, "Fill and letter: %d %s group of %d GPUs",
                                         "Fill and letter: %d %s groups of %d GPUs", n),
                            n, label, members);
}

static void
add_axis_note (const PlgClusterDrawing *drawing, PlgLegend *legend, PlgAxis axis)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  int n = parallelism->degree[axis] > 1 ? plg_axis_groups (parallelism, axis) : 0;

  plg_legend_space (legend);
  if (n == 0)
    {
      plg_legend_note (legend,
                       plg_figure_string (drawing->figure, _ ("%s is 1: there are no groups"),
                                          plg_axis_label (axis)));
      return;
    }
  /* On the screen nodes are too small for letters where they are one tile. */
  if (drawing->options->zoom > 0 && drawing->layout.detail == PLG_CLUSTER_DETAIL_NODES)
    plg_legend_title (legend, plg_figure_string (drawing->figure, _ ("Fill: %s groups of %d GPUs"),
                                                 plg_axis_label (axis), parallelism->degree[axis]));
  else
    plg_legend_title (legend, groups_text (drawing, legend, axis, n));
}

/* Whether letters and outlines have words. */
static gboolean
explains_letters (const PlgClusterDrawing *drawing, const PlgLegend *legend)
{
  return legend->brevity < PLG_LEGEND_BREVITY_LETTERS || drawing->options->min_text_size > 0;
}

static void
add_letters (const PlgClusterDrawing *drawing, PlgLegend *legend)
{
  const char *words = plg_cluster_coordinate_note (drawing);

  if (words == NULL || !explains_letters (drawing, legend))
    return;
  plg_legend_space (legend);
  plg_legend_note (legend, words);
}

static void
add_fill_legend (const PlgClusterDrawing *drawing, PlgLegend *legend)
{
  switch (drawing->options->show)
    {
    case PLG_SHOW_ALL:
      add_stage_swatches (drawing, legend);
      break;
    case PLG_SHOW_TP:
      add_axis_note (drawing, legend, PLG_AXIS_TP);
      break;
    case PLG_SHOW_CP:
      add_axis_note (drawing, legend, PLG_AXIS_CP);
      break;
    case PLG_SHOW_EP:
      add_axis_note (drawing, legend, PLG_AXIS_EP);
      break;
    case PLG_SHOW_PP:
      add_axis_note (drawing, legend, PLG_AXIS_PP);
      break;
    case PLG_SHOW_DP:
      add_axis_note (drawing, legend, PLG_AXIS_DP);
      break;
    case PLG_SHOW_MEMORY:
    default:
      add_memory_scale (drawing, legend);
      break;
    }
}

/* "TP ring", and of how many of its axis it is one: a single one is drawn. */
static const char *
ring_name (const PlgClusterDrawing *drawing, const PlgLegend *legend, PlgAxis axis)
{
  int rings = legend->brevity >= PLG_LEGEND_BREVITY_LETTERS
                  ? 1
                  : plg_axis_groups (&drawing->plan->parallelism, axis);
  const char *label = plg_axis_label (axis);

  /* The arrow before it says the rest. */
  if (legend->brevity >= PLG_LEGEND_BREVITY_NOTES)
    return label;
  if (rings <= 1)
    return plg_figure_string (drawing->figure, axis == PLG_AXIS_PP ? _ ("%s send") : _ ("%s ring"),
                              label);
  return plg_figure_string (drawing->figure,
                            axis == PLG_AXIS_PP ? _ ("%s send, one of %d chains")
                                                : _ ("%s ring, one of %d"),
                            label, rings);
}

/* The one that stands out, and the others where they are drawn too. */
static void
add_ring_of_axis (const PlgClusterDrawing *drawing, PlgLegend *legend, PlgAxis axis)
{
  int others = plg_axis_groups (&drawing->plan->parallelism, axis) - 1;

  plg_legend_line (legend, plg_cluster_ring_style (drawing, axis).color, 2.4,
                   plg_theme_axis_dash (axis), TRUE, ring_name (drawing, legend, axis));
  if (plg_cluster_has_all_rings (drawing, axis) && legend->brevity < PLG_LEGEND_BREVITY_LETTERS)
    plg_legend_line (legend, plg_cluster_pale_ring_style (drawing, axis).color, 1.2,
                     plg_theme_axis_dash (axis), TRUE,
                     plg_figure_string (drawing->figure,
                                        g_dngettext (GETTEXT_PACKAGE, "the other one",
                                                     "the %d others", others),
                                        others));
}

static void
add_ring_legend (const PlgClusterDrawing *drawing, PlgLegend *legend)
{
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (plg_cluster_shows_rings (drawing, axis))
      add_ring_of_axis (drawing, legend, axis);
}

/* Where a node has no wires, what its edges stand for: up to three notes, fewer of them where racks
 * are one box. */
#define MAX_NOTES 3

static int
list_node_notes (const PlgClusterDrawing *drawing, gboolean is_rack_tile, const char **notes)
{
  int n = drawing->layout.gpus_per_node, n_notes = 0;

  if (is_rack_tile && drawing->layout.rack_nodes > 1)
    notes[n_notes++] = plg_figure_string (drawing->figure,
                                          _ ("one box: up to %d nodes, with the number of the "
                                             "first"),
                                          drawing->layout.rack_nodes);
  else if (drawing->layout.is_node_tile || is_rack_tile)
    notes[n_notes++] = plg_figure_string (drawing->figure,
                                          g_dngettext (GETTEXT_PACKAGE, "one box: a node of %d GPU",
                                                       "one box: a node of %d GPUs", n),
                                          n);
  if (drawing->options->rings || drawing->report->links->len == 0)
    return n_notes;
  if (is_rack_tile)
    {
      notes[n_notes++] = _ ("lower edge of a box: the busiest NIC of its nodes");
      return n_notes;
    }
  notes[n_notes++] = _ ("lower edge of a node: links inside it");
  if (drawing->layout.nodes > 1)
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
legend_after_notes (const PlgClusterDrawing *drawing, PlgLegend legend, gboolean is_rack_tile)
{
  const char *notes[MAX_NOTES];
  int n = list_node_notes (drawing, is_rack_tile, notes);

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
add_node_notes (const PlgClusterDrawing *drawing, PlgLegend *legend)
{
  const char *notes[MAX_NOTES];
  int n = list_node_notes (drawing, drawing->layout.is_rack_tile, notes);
  PlgLegend near = legend_after_notes (drawing, *legend, FALSE);
  PlgLegend far = legend_after_notes (drawing, *legend, TRUE);

  plg_legend_space (legend);
  for (int i = 0; i < n; i++)
    {
      plg_legend_keep (legend, note_width (legend, notes, i, n, drawing->layout.is_rack_tile));
      plg_legend_note (legend, notes[i]);
    }
  if (drawing->options->zoom > 0 && !drawing->options->shorten_legend)
    *legend = far.y > near.y || (far.y == near.y && far.x > near.x) ? far : near;
}

static gboolean
shows_moved_or_widths (const PlgLegend *legend)
{
  return legend->brevity == PLG_LEGEND_BREVITY_MOVED;
}

static void
add_link_legend (const PlgClusterDrawing *drawing, PlgLegend *legend)
{
  plg_legend_link_color (legend, &drawing->scale);
  plg_legend_space (legend);
  if (shows_moved_or_widths (legend))
    plg_cluster_add_widths_or_moved (drawing, legend);
  else
    plg_legend_link_width (legend, &drawing->widths);
}

/* As wide as the widest entry of a legend that stands beside the cluster. */
#define LEGEND_COLUMN 300.0

/* Under the cluster, or at its right edge; where the whole is large, so is its legend, by FACTOR
 * in the end. */
static void
begin_legend (PlgClusterDrawing *drawing, PlgLegend *legend, double factor)
{
  double width = plg_figure_width (drawing->figure) / factor;
  double height = plg_figure_height (drawing->figure) / factor;
  double margin = drawing->layout.margin;

  if (drawing->options->legend == PLG_LEGEND_RIGHT)
    plg_legend_begin (legend, drawing->figure, drawing->theme, width, width + LEGEND_COLUMN, margin,
                      LEGEND_SIZE);
  else
    plg_legend_begin (legend, drawing->figure, drawing->theme, margin, MAX (width - margin, 440),
                      height + 10, LEGEND_SIZE);
}

/* Rings have the same colours and widths. */
static gboolean
has_link_legend (const PlgClusterDrawing *drawing, const PlgLegend *legend, gboolean is_played)
{
  return drawing->options->link_color != PLG_LINK_COLOR_OFF && drawing->report->links->len > 0 &&
         !(is_played && legend->brevity >= PLG_LEGEND_BREVITY_MAX);
}

static gboolean
has_node_notes (const PlgClusterDrawing *drawing, const PlgLegend *legend)
{
  if (legend->brevity >= PLG_LEGEND_BREVITY_NODE_EDGES)
    return FALSE;
  /* On the screen not by detail, for the size of the whole must not depend on the zoom. */
  return drawing->options->zoom > 0 ? drawing->layout.enlarged > 1
                                    : drawing->layout.detail >= PLG_CLUSTER_DETAIL_TILES;
}

static void
add_entries (PlgClusterDrawing *drawing, PlgLegend *legend, gboolean is_played)
{
  gboolean has_links = has_link_legend (drawing, legend, is_played);

  plg_figure_open (drawing->figure, "legend", "legend", NULL);
  if (drawing->options->rings)
    add_ring_legend (drawing, legend);
  if (has_links)
    add_link_legend (drawing, legend);
  plg_cluster_add_fault_legend (drawing, legend);
  if (is_played)
    {
      plg_activity_add_legend (legend, drawing->plan, drawing->report, drawing->moment,
                               legend->is_measured ||
                                   drawing->layout.detail <= PLG_CLUSTER_DETAIL_SHORT ||
                                   plg_cluster_rows_have_tags (drawing));
      if (drawing->options->min_text_size > 0)
        add_letters (drawing, legend);
    }
  else
    {
      add_fill_legend (drawing, legend);
      add_letters (drawing, legend);
    }
  if (has_node_notes (drawing, legend))
    add_node_notes (drawing, legend);
  /* Last, for on the screen there are empty places as long as nothing is outlined or moved. */
  if (!is_played && explains_letters (drawing, legend))
    plg_cluster_add_outline_note (drawing, legend);
  if (!(has_links && shows_moved_or_widths (legend)))
    plg_cluster_add_placement_note (drawing, legend);
  plg_figure_close (drawing->figure);
}

static void
add_legend (PlgClusterDrawing *drawing, double factor)
{
  double height = plg_figure_height (drawing->figure) / factor;
  int first = plg_figure_n_shapes (drawing->figure);
  PlgLegend legend;

  begin_legend (drawing, &legend, factor);
  add_entries (drawing, &legend, drawing->moment != NULL);
  if (drawing->options->legend == PLG_LEGEND_RIGHT)
    height = MAX (height + 10, plg_legend_end (&legend) + 8);
  else
    height = plg_legend_end (&legend) + 8;
  if (factor != 1)
    plg_figure_enlarge (drawing->figure, first, factor);
  plg_figure_resize (drawing->figure, (legend.right + drawing->layout.margin) * factor,
                     height * factor);
}

void
plg_cluster_add_legend (PlgClusterDrawing *drawing)
{
  add_legend (drawing, drawing->layout.enlarged);
}

void
plg_cluster_figure_add_legend (PlgFigure *figure,
                               const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options)
{
  PlgClusterDrawing drawing;

  if (options->legend == PLG_LEGEND_OFF)
    return;
  plg_cluster_drawing_init (&drawing, plan, report, theme, options);
  plg_figure_unref (drawing.figure);
  drawing.figure = figure;
  /* A part is seen nearer than the whole. */
  add_legend (&drawing, plg_cluster_layout_enlargement (plg_figure_width (figure),
                                                        plg_figure_height (figure)));
  plg_cluster_drawing_clear (&drawing);
}

/* The smallest text of a legend has 0.9 of its size; so it gets 11 pixels on the screen, or what
 * all texts must have. */
static double
legend_on_screen (const PlgPictureOptions *options)
{
  return MAX (11, options->min_text_size) / (0.9 * LEGEND_SIZE);
}

#define LEGEND_PAD 8.0
#define SHORT_PAD 6.0
/* On the screen, unless the window is so narrow that no folding is enough. */
#define MAX_LINES 3
/* While a step is played, when what takes little of it has its words as long as it is on; and with
 * large texts, which fold all but the words of what is drawn. */
#define MAX_LINES_WHEN_PLAYED 2

static void
begin_on_screen (PlgClusterDrawing *drawing, PlgLegend *legend, int brevity, double width)
{
  plg_legend_begin (legend, drawing->figure, drawing->theme, LEGEND_PAD, width - LEGEND_PAD,
                    drawing->options->shorten_legend ? SHORT_PAD : LEGEND_PAD, LEGEND_SIZE);
  legend->brevity = brevity;
}

/* The legend as it would be with FOLD. */
static PlgLegend
measure_legend (PlgClusterDrawing *drawing,
                gboolean is_played,
                gboolean is_outlined,
                int brevity,
                double width)
{
  PlgLegend legend;

  begin_on_screen (drawing, &legend, brevity, width);
  legend.is_measured = TRUE;
  legend.is_outlined = is_outlined;
  add_entries (drawing, &legend, is_played);
  return legend;
}

/* Least folded of those with the fewest lines, as long as nothing that is seen loses its words; and
 * where that is too high, as much as makes it lower, or as can be. */
static PlgLegend
find_min_brevity (PlgClusterDrawing *drawing,
                  gboolean is_played,
                  gboolean is_outlined,
                  double width)
{
  PlgLegend best = measure_legend (drawing, is_played, is_outlined, PLG_LEGEND_BREVITY_NONE, width);
  int brevity = PLG_LEGEND_BREVITY_NONE, most;

  most = is_played || drawing->options->min_text_size > 0 ? MAX_LINES_WHEN_PLAYED : MAX_LINES;
  while (best.n_lines > 1 && ++brevity <= PLG_LEGEND_BREVITY_NODE_EDGES)
    {
      PlgLegend legend = measure_legend (drawing, is_played, is_outlined, brevity, width);

      if (legend.n_lines < best.n_lines)
        best = legend;
    }
  for (brevity = PLG_LEGEND_BREVITY_LETTERS;
       best.n_lines > most && brevity <= PLG_LEGEND_BREVITY_MAX; brevity++)
    best = measure_legend (drawing, is_played, is_outlined, brevity, width);
  return best;
}

/* How much it is folded, and where it ends then. */
static int
find_brevity (const PlgClusterDrawing *drawing,
              PlgShow show,
              gboolean is_played,
              gboolean is_outlined,
              double width,
              double *end)
{
  PlgPictureOptions options = *drawing->options;
  PlgClusterDrawing scratch = *drawing;
  PlgLegend legend;

  options.show = show;
  scratch.options = &options;
  /* For its strings, and the few marks that the cluster draws itself. */
  scratch.figure = plg_figure_new (width, 1);
  legend = find_min_brevity (&scratch, is_played, is_outlined, width);
  *end = MAX (*end, plg_legend_end (&legend));
  plg_figure_unref (scratch.figure);
  return legend.brevity;
}

/* What one may well look at next must not move what one looks at, of which END is known. */
static double
reserve_height (const PlgClusterDrawing *drawing, double width, double end)
{
  gboolean is_played = drawing->moment != NULL;

  if (is_played || drawing->options->show != PLG_SHOW_ALL)
    find_brevity (drawing, PLG_SHOW_ALL, FALSE, FALSE, width, &end);
  if (is_played || drawing->options->show != PLG_SHOW_MEMORY)
    find_brevity (drawing, PLG_SHOW_MEMORY, FALSE, FALSE, width, &end);
  if (!is_played)
    find_brevity (drawing, drawing->options->show, TRUE, FALSE, width, &end);
  /* A rank that is moved by hand may take a TP group out of its node. */
  find_brevity (drawing, PLG_SHOW_ALL, FALSE, TRUE, width, &end);
  return end;
}

PlgFigure *
plg_cluster_legend_figure (const PlgPlan *plan,
                           const PlgReport *report,
                           const PlgTheme *theme,
                           const PlgPictureOptions *options,
                           double width)
{
  double enlarged = legend_on_screen (options);
  double inner = MAX (width / enlarged, 120), end = 0;
  PlgPictureOptions unlit = *options;
  int brevity = PLG_LEGEND_BREVITY_NONE;
  PlgLegend legend;
  PlgClusterDrawing drawing;

  unlit.n_highlighted = 0;
  unlit.legend_alone = TRUE;
  unlit.selected.kind = PLG_ENTITY_NONE;
  plg_cluster_drawing_init (&drawing, plan, report, theme, &unlit);
  /* As thick as the links are at this zoom, as long as they can be told apart and there is room. */
  drawing.widths.scale *= CLAMP (unlit.zoom, 0.5, 2) / enlarged;
  if (unlit.shorten_legend)
    {
      brevity = find_brevity (&drawing, unlit.show, drawing.moment != NULL, FALSE, inner, &end);
      end = reserve_height (&drawing, inner, end);
    }
  begin_on_screen (&drawing, &legend, brevity, inner);
  add_entries (&drawing, &legend, drawing.moment != NULL);
  plg_figure_enlarge (drawing.figure, 0, enlarged);
  plg_figure_resize (drawing.figure, width, (MAX (plg_legend_end (&legend), end) + 6) * enlarged);
  plg_cluster_drawing_clear (&drawing);
  return drawing.figure;
}
