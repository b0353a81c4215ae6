/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-group-outlines.h"
#include "drawing/cluster/cluster-marks.h"
#include "drawing/cluster/cluster-rings.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* The maximum number of stages in a full, a short and the shortest legend. */
#define MAX_SWATCHES 12
#define MAX_SHORT_SWATCHES 6
#define MAX_SHORTEST_SWATCHES 4
#define LEGEND_SIZE 10.5

static PlgColor
memory_color (double share, gconstpointer theme)
{
  return plg_cluster_memory_swatch (theme, share).fill;
}

static void
add_axis_note (const PlgClusterDrawing *drawing, PlgLegend *legend, PlgAxis axis)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  const char *label = plg_axis_label (axis);
  int members = parallelism->degree[axis], n = plg_axis_groups (parallelism, axis);

  plg_legend_space (legend);
  if (members <= 1)
    plg_legend_note (legend, plg_figure_string (drawing->figure, _ ("%s is 1: no groups"), label));
  /* On the screen, do not mention letters if nodes are drawn as single tiles, because such tiles
   * are too small for letters. */
  else if (drawing->options->zoom > 0 && drawing->layout.detail == PLG_CLUSTER_DETAIL_NODES)
    plg_legend_title (legend, plg_figure_string (drawing->figure, _ ("Fill: %s groups of %d GPUs"),
                                                 label, members));
  else if (legend->brevity >= PLG_LEGEND_BREVITY_WIDTHS)
    plg_legend_title (legend,
                      plg_figure_string (drawing->figure,
                                         g_dngettext (GETTEXT_PACKAGE, "%d %s group of %d GPUs",
                                                      "%d %s groups of %d GPUs", n),
                                         n, label, members));
  else
    plg_legend_title (legend,
                      plg_figure_string (drawing->figure,
                                         g_dngettext (GETTEXT_PACKAGE,
                                                      "Fill and letter: %d %s group of %d GPUs",
                                                      "Fill and letter: %d %s groups of %d GPUs",
                                                      n),
                                         n, label, members));
}

/* Returns whether the legend explains the letters in coordinates and the thin outlines. */
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
  PlgAxis axis;

  switch (drawing->options->show)
    {
    case PLG_SHOW_ALL:
      {
        const int *degree = drawing->plan->parallelism.degree;
        int most = legend->brevity >= PLG_LEGEND_BREVITY_NO_WIDTHS ? MAX_SHORTEST_SWATCHES
                   : legend->brevity >= PLG_LEGEND_BREVITY_LETTERS ? MAX_SHORT_SWATCHES
                                                                   : MAX_SWATCHES;
        int stages = degree[PLG_AXIS_PP], shown = MIN (stages, most);
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

            plg_legend_swatch (legend, swatch, swatch.hatch,
                               (PlgEntity) { PLG_ENTITY_STAGE, 0, stage },
                               plg_figure_string (drawing->figure, "p%d", stage));
          }
        if (stages > shown)
          plg_legend_note (legend, "…");
        if (has_note)
          plg_legend_note (legend, pale);
      }
      break;
    case PLG_SHOW_TP:
    case PLG_SHOW_CP:
    case PLG_SHOW_EP:
    case PLG_SHOW_PP:
    case PLG_SHOW_DP:
      if (plg_cluster_single_axis (drawing->options->show, &axis))
        add_axis_note (drawing, legend, axis);
      break;
    case PLG_SHOW_MEMORY:
    default:
      {
        g_autofree char *capacity = plg_format_memory_distinct (drawing->report->memory_capacity,
                                                                drawing->report->memory_peak);
        const PlgLegendTick ticks[] = { { 0, (char *) "0" }, { 1, capacity } };
        gboolean is_unit_only = legend->brevity >= PLG_LEGEND_BREVITY_SCALE_TITLES;

        plg_legend_space (legend);
        plg_legend_ramp (legend, is_unit_only ? "GiB" : _ ("Memory used, GiB"), memory_color,
                         drawing->theme, ticks, G_N_ELEMENTS (ticks));
        if (drawing->report->fits == PLG_FIT_NO)
          plg_legend_swatch (legend, plg_cluster_memory_swatch (drawing->theme, 1.01), 0,
                             (PlgEntity) { PLG_ENTITY_LEGEND, 0, 0 }, _ ("does not fit"));
      }
      break;
    }
}

/* Returns the name of the ring of AXIS in the legend, for example "TP ring, one of 8". Returns a
 * shorter name, for example "TP ring", if the axis has only one ring or the legend is short. */
static const char *
ring_name (const PlgClusterDrawing *drawing, const PlgLegend *legend, PlgAxis axis)
{
  int rings = legend->brevity >= PLG_LEGEND_BREVITY_LETTERS
                  ? 1
                  : plg_axis_groups (&drawing->plan->parallelism, axis);
  const char *label = plg_axis_label (axis);

  /* The name of the axis is enough, because the sample next to it is an arrow. */
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

/* The maximum number of notes about nodes in the legend. */
#define MAX_NOTES 3

/* Adds notes that explain the boxes of nodes and the links that their edges represent. The notes
 * about the two edges of a node are kept on one line. */
static void
add_edge_notes (const PlgClusterDrawing *drawing, PlgLegend *legend, gboolean is_rack_tile)
{
  int n = drawing->layout.gpus_per_node, n_notes = 0;
  gboolean has_links = !drawing->options->rings && drawing->report->links->len > 0;
  const char *notes[MAX_NOTES];

  if (is_rack_tile && drawing->layout.rack_nodes > 1)
    notes[n_notes++] = plg_figure_string (
        drawing->figure, _ ("one box: up to %d nodes, labelled with the number of the first node"),
        drawing->layout.rack_nodes);
  else if (drawing->layout.is_node_tile || is_rack_tile)
    notes[n_notes++] = plg_figure_string (drawing->figure,
                                          g_dngettext (GETTEXT_PACKAGE, "one box: a node of %d GPU",
                                                       "one box: a node of %d GPUs", n),
                                          n);
  if (has_links && is_rack_tile)
    notes[n_notes++] = _ ("lower edge of a box: the busiest NIC of its nodes");
  else if (has_links)
    notes[n_notes++] = _ ("lower edge of a node: links inside it");
  if (has_links && !is_rack_tile && drawing->layout.nodes > 1)
    notes[n_notes++] = _ ("right edge: its NICs");

  plg_legend_space (legend);
  for (int i = 0; i < n_notes; i++)
    {
      double size = legend->font_size, width = plg_text_width (notes[i], size, FALSE);

      if (!is_rack_tile && i == n_notes - 2)
        width += size * 0.9 + plg_text_width (notes[i + 1], size, FALSE);
      plg_legend_keep (legend, width);
      plg_legend_note (legend, notes[i]);
    }
}

/* Adds the notes that explain nodes. These notes depend on the zoom. On the screen, room is
 * reserved for the longest notes, so that the legend has the same height at every zoom. A
 * shortened legend does not reserve this room. */
static void
add_node_notes (const PlgClusterDrawing *drawing, PlgLegend *legend)
{
  PlgLegend near = *legend, far = *legend;

  near.is_measured = far.is_measured = TRUE;
  add_edge_notes (drawing, &near, FALSE);
  add_edge_notes (drawing, &far, TRUE);
  add_edge_notes (drawing, legend, drawing->layout.is_rack_tile);
  if (drawing->options->zoom > 0 && !drawing->options->shorten_legend)
    {
      gboolean is_measured = legend->is_measured;

      *legend = far.y > near.y || (far.y == near.y && far.x > near.x) ? far : near;
      legend->is_measured = is_measured;
    }
}

static gboolean
merges_moved_and_widths (const PlgLegend *legend)
{
  return legend->brevity == PLG_LEGEND_BREVITY_MOVED;
}

/* The width of a legend to the right of the cluster, which is the width of its widest entry
 * [points]. */
#define LEGEND_COLUMN 300.0

static void
add_entries (PlgClusterDrawing *drawing, PlgLegend *legend, gboolean is_played)
{
  gboolean has_links = drawing->options->link_color != PLG_LINK_COLOR_OFF &&
                       drawing->report->links->len > 0 &&
                       !(is_played && legend->brevity >= PLG_LEGEND_BREVITY_MAX);

  plg_figure_open (drawing->figure, "legend", "legend", NULL);
  for (int axis = 0; drawing->options->rings && axis < PLG_N_AXES; axis++)
    if (plg_cluster_shows_rings (drawing, axis))
      {
        int others = plg_axis_groups (&drawing->plan->parallelism, axis) - 1;

        plg_legend_line (legend, plg_cluster_ring_style (drawing, axis).color, 2.4,
                         plg_theme_axis_dash (axis), TRUE, ring_name (drawing, legend, axis));
        if (plg_cluster_has_all_rings (drawing, axis) &&
            legend->brevity < PLG_LEGEND_BREVITY_LETTERS)
          plg_legend_line (legend, plg_cluster_pale_ring_style (drawing, axis).color, 1.2,
                           plg_theme_axis_dash (axis), TRUE,
                           plg_figure_string (drawing->figure,
                                              g_dngettext (GETTEXT_PACKAGE, "the other one",
                                                           "the %d others", others),
                                              others));
      }
  if (has_links)
    {
      plg_legend_link_color (legend, &drawing->scale);
      plg_legend_space (legend);
      if (merges_moved_and_widths (legend))
        plg_cluster_add_widths_or_moved (drawing, legend);
      else
        plg_legend_link_width (legend, &drawing->widths);
    }
  plg_cluster_add_fault_legend (drawing, legend);
  plg_cluster_add_load_legend (drawing, legend);
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
  /* On the screen, do not consider the level of detail. It depends on the zoom, but the size of
   * the legend must be the same at every zoom. */
  if (legend->brevity < PLG_LEGEND_BREVITY_NODE_EDGES &&
      (drawing->options->zoom > 0 ? drawing->layout.enlarged > 1
                                  : drawing->layout.detail >= PLG_CLUSTER_DETAIL_TILES))
    add_node_notes (drawing, legend);
  /* Add the explanations of outlines and moved ranks last, because the room that is reserved for
   * them on the screen may be empty. */
  if (!is_played && explains_letters (drawing, legend))
    plg_cluster_add_outline_note (drawing, legend);
  if (!(has_links && merges_moved_and_widths (legend)))
    plg_cluster_add_placement_note (drawing, legend);
  plg_figure_close (drawing->figure);
}

/* Adds the legend below the picture or to its right, enlarged by FACTOR. */
static void
add_legend (PlgClusterDrawing *drawing, double factor)
{
  double width = plg_figure_width (drawing->figure) / factor;
  double height = plg_figure_height (drawing->figure) / factor;
  double margin = drawing->layout.margin;
  int first = plg_figure_n_shapes (drawing->figure);
  PlgLegend legend;

  if (drawing->options->legend == PLG_LEGEND_RIGHT)
    plg_legend_begin (&legend, drawing->figure, drawing->theme, width, width + LEGEND_COLUMN,
                      margin, LEGEND_SIZE);
  else
    plg_legend_begin (&legend, drawing->figure, drawing->theme, margin, MAX (width - margin, 440),
                      height + 10, LEGEND_SIZE);
  add_entries (drawing, &legend, drawing->moment != NULL);
  if (drawing->options->legend == PLG_LEGEND_RIGHT)
    height = MAX (height + 10, plg_legend_end (&legend) + 8);
  else
    height = plg_legend_end (&legend) + 8;
  if (factor != 1)
    plg_figure_enlarge (drawing->figure, first, factor);
  plg_figure_resize (drawing->figure, (legend.right + margin) * factor, height * factor);
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
  /* Compute the enlargement from the cropped picture, because it is viewed at a higher zoom than
   * the whole cluster. */
  add_legend (&drawing, plg_cluster_layout_enlargement (plg_figure_width (figure),
                                                        plg_figure_height (figure)));
  plg_cluster_drawing_clear (&drawing);
}

#define LEGEND_PAD 8.0
#define SHORT_PAD 6.0
/* The maximum number of lines of a legend on the screen, unless the window is too narrow for the
 * shortest legend. */
#define MAX_LINES 3
/* The maximum number of lines with large text or while the picture shows one moment of the step.
 * For one moment, fewer lines are enough, because rare activities have legend entries only while
 * they run. */
#define MAX_LINES_WHEN_PLAYED 2

static void
begin_on_screen (PlgClusterDrawing *drawing, PlgLegend *legend, int brevity, double width)
{
  plg_legend_begin (legend, drawing->figure, drawing->theme, LEGEND_PAD, width - LEGEND_PAD,
                    drawing->options->shorten_legend ? SHORT_PAD : LEGEND_PAD, LEGEND_SIZE);
  legend->brevity = brevity;
}

/* Returns the legend with BREVITY, measured but not drawn. */
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

/* Returns the brevity that the legend must have. A legend that ends at or above END is not
 * shortened, because other legends that appear at the same position need the room down to END
 * anyway. If the chosen legend ends below END, sets END to the lower edge of this legend. */
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
  int max_lines = is_played || options.min_text_size > 0 ? MAX_LINES_WHEN_PLAYED : MAX_LINES;
  int brevity = PLG_LEGEND_BREVITY_NONE;
  PlgLegend best;

  options.show = show;
  scratch.options = &options;
  /* Use a scratch figure, because measuring creates strings and a few shapes that need an owner. */
  scratch.figure = plg_figure_new (width, 1);

  /* Among the legends that explain everything that is drawn, choose the most detailed one that
   * ends above END. If all of them extend below END, choose the one with the fewest lines. */
  best = measure_legend (&scratch, is_played, is_outlined, brevity, width);
  while (plg_legend_end (&best) > *end && best.n_lines > 1 &&
         ++brevity <= PLG_LEGEND_BREVITY_NODE_EDGES)
    {
      PlgLegend legend = measure_legend (&scratch, is_played, is_outlined, brevity, width);

      if (legend.n_lines < best.n_lines)
        best = legend;
    }
  /* If this legend has too many lines, shorten it further. */
  for (brevity = PLG_LEGEND_BREVITY_LETTERS;
       best.n_lines > max_lines && brevity <= PLG_LEGEND_BREVITY_MAX; brevity++)
    best = measure_legend (&scratch, is_played, is_outlined, brevity, width);

  *end = MAX (*end, plg_legend_end (&best));
  plg_figure_unref (scratch.figure);
  return best.brevity;
}

PlgFigure *
plg_cluster_legend_figure (const PlgPlan *plan,
                           const PlgReport *report,
                           const PlgTheme *theme,
                           const PlgPictureOptions *options,
                           double width)
{
  /* Enlarge the legend so that its smallest text, 0.9 × LEGEND_SIZE, is 11 pixels high, or as high
   * as the minimum text size if that is larger. */
  double enlarged = MAX (11, options->min_text_size) / (0.9 * LEGEND_SIZE);
  double inner = MAX (width / enlarged, 120), end = 0;
  PlgPictureOptions without_highlights = *options;
  int brevity = PLG_LEGEND_BREVITY_NONE;
  PlgLegend legend;
  PlgClusterDrawing drawing;
  gboolean is_played;

  without_highlights.n_highlighted = 0;
  without_highlights.legend_alone = TRUE;
  without_highlights.selected.kind = PLG_ENTITY_NONE;
  plg_cluster_drawing_init (&drawing, plan, report, theme, &without_highlights);
  is_played = drawing.moment != NULL;
  /* Make the sample lines as wide as the links at this zoom, but only within the range in which
   * widths are distinct. */
  drawing.widths.scale *= CLAMP (options->zoom, 0.5, 2) / enlarged;
  if (options->shorten_legend)
    {
      /* Reserve enough height for the legends of all views, so that the picture does not move
       * when the view changes. */
      if (is_played || options->show != PLG_SHOW_ALL)
        find_brevity (&drawing, PLG_SHOW_ALL, FALSE, FALSE, inner, &end);
      if (is_played || options->show != PLG_SHOW_MEMORY)
        find_brevity (&drawing, PLG_SHOW_MEMORY, FALSE, FALSE, inner, &end);
      if (!is_played)
        find_brevity (&drawing, options->show, TRUE, FALSE, inner, &end);
      /* Reserve room for the explanation of outlines, because dragging a rank can move a TP
       * group out of its node and thereby add an outline. */
      find_brevity (&drawing, PLG_SHOW_ALL, FALSE, TRUE, inner, &end);
      brevity = find_brevity (&drawing, options->show, is_played, FALSE, inner, &end);
    }
  begin_on_screen (&drawing, &legend, brevity, inner);
  add_entries (&drawing, &legend, is_played);
  plg_figure_enlarge (drawing.figure, 0, enlarged);
  plg_figure_resize (drawing.figure, width, (MAX (plg_legend_end (&legend), end) + 6) * enlarged);
  plg_cluster_drawing_clear (&drawing);
  return drawing.figure;
}
