/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-snapshot.h"

#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

static const struct
{
  PlgAxis axis;
  char letter;
  gboolean is_always_shown; /* even with a degree of 1 */
} coordinates[] = { { PLG_AXIS_TP, 't', TRUE },
                    { PLG_AXIS_CP, 'c', FALSE },
                    { PLG_AXIS_EP, 'e', FALSE },
                    { PLG_AXIS_PP, 'p', TRUE },
                    { PLG_AXIS_DP, 'd', TRUE } };
G_STATIC_ASSERT (G_N_ELEMENTS (coordinates) == PLG_N_AXES);

#define RANK_SIZE 16.0
#define COORDINATE_SIZE 9.5
/* The least size of coordinates at the lowest zoom with full detail [pixels]. */
#define SMALLEST 5.5

/* The baseline of a text right below the rank. */
#define STACKED_BASELINE 27.0

/* The size and baseline of a rank alone, as shares of the height of a tile. */
#define SINGLE_SHARE 0.57
#define SINGLE_BASELINE 0.62
#define SINGLE_PAD 5.0
/* The size of a rank with its tag below, as a share of the height of a tile. */
#define BELOW_SHARE 0.45
/* The least size of a rank with its tag beside it [pixels on the screen, points in files]. */
#define MIN_BESIDE 6.5

gboolean
plg_cluster_has_large_texts (const PlgClusterDrawing *drawing)
{
  return plg_cluster_min_text_size (drawing) > COORDINATE_SIZE;
}

/* "t0 p1 d0": the first LINE (0), the second (1), or all (-1). */
static char *
coordinate_text (const PlgClusterDrawing *drawing, const PlgCoordinate *at, int line)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < (int) G_N_ELEMENTS (coordinates); i++)
    {
      int axis_line = coordinates[i].axis == PLG_AXIS_PP || coordinates[i].axis == PLG_AXIS_DP;

      if (!coordinates[i].is_always_shown &&
          drawing->plan->parallelism.degree[coordinates[i].axis] <= 1)
        continue;
      if (line >= 0 && line != axis_line)
        continue;
      g_string_append_printf (text, "%s%c%d", text->len > 0 ? " " : "", coordinates[i].letter,
                              at->index[coordinates[i].axis]);
    }
  return g_string_free (text, FALSE);
}

const char *
plg_cluster_coordinate_note (const PlgClusterDrawing *drawing)
{
  g_autoptr (GString) letters = g_string_new (NULL), axes = g_string_new (NULL);

  /* On the screen the size of the legend must not depend on the zoom, and so not on the detail. */
  if (!plg_cluster_layout_is_ranked (drawing->plan) ||
      (drawing->options->zoom <= 0 && drawing->layout.detail != PLG_CLUSTER_DETAIL_FULL))
    return NULL;
  for (int i = 0; i < (int) G_N_ELEMENTS (coordinates); i++)
    {
      PlgAxis axis = coordinates[i].axis, shown;
      gboolean is_split = drawing->plan->parallelism.degree[axis] > 1;

      if (plg_cluster_has_large_texts (drawing))
        {
          if (!is_split || (axis != PLG_AXIS_PP && axis != PLG_AXIS_DP))
            continue;
        }
      else if (plg_cluster_single_axis (drawing->options->show, &shown))
        {
          if (!is_split || axis != shown)
            continue;
        }
      else if (drawing->options->show != PLG_SHOW_ALL ||
               (!is_split && !coordinates[i].is_always_shown))
        continue;

      g_string_append_printf (letters, "%s%c", letters->len > 0 ? " " : "", coordinates[i].letter);
      g_string_append_printf (axes, "%s%s", axes->len > 0 ? ", " : "",
                              plg_axis_label (coordinates[i].axis));
    }
  if (letters->len == 0)
    return NULL;
  return plg_figure_string (drawing->figure, _ ("%s: place on %s"), letters->str, axes->str);
}

static char
axis_letter (PlgAxis axis)
{
  for (int i = 0; i < (int) G_N_ELEMENTS (coordinates); i++)
    if (coordinates[i].axis == axis)
      return coordinates[i].letter;
  return '?';
}

/* Whether the longest coordinates need a second line beside the longest rank. */
gboolean
plg_cluster_cells_need_two_lines (const PlgClusterDrawing *drawing)
{
  PlgCoordinate last = { 0 };
  g_autofree char *rank = g_strdup_printf ("%d", drawing->gpus - 1);
  g_autofree char *text = NULL;

  for (int axis = 0; axis < PLG_N_AXES; axis++)
    last.index[axis] = MAX (drawing->plan->parallelism.degree[axis] - 1, 0);
  text = coordinate_text (drawing, &last, -1);
  return plg_text_width (rank, RANK_SIZE, TRUE) + plg_text_width (text, COORDINATE_SIZE, FALSE) +
             7 >
         drawing->layout.tile_width - 2 * PLG_CLUSTER_TILE_PAD;
}

static char *
memory_text (const PlgClusterCells *cells, int stage)
{
  const PlgStageMemory *memory = plg_cluster_stage_memory (cells->drawing, stage);

  return memory != NULL
             ? plg_format_number_distinct (memory->total / PLG_GIB,
                                           cells->drawing->report->memory_capacity / PLG_GIB, 3)
             : NULL;
}

char *
plg_cluster_cells_tag (const PlgClusterCells *cells, int rank, const PlgCoordinate *at)
{
  const PlgStageSnapshot *moment = plg_cluster_stage_snapshot (cells->drawing,
                                                               at->index[PLG_AXIS_PP]);

  const PlgParallelism *parallelism = &cells->drawing->plan->parallelism;
  PlgAxis axis = cells->axis;
  char letters[8];

  if (moment != NULL)
    return plg_cluster_activity_text (cells->drawing, moment);
  if (cells->drawing->options->show == PLG_SHOW_MEMORY)
    return memory_text (cells, at->index[PLG_AXIS_PP]);

  /* The tag is the group of a single axis; else the stage, or the replica if there is one stage. */
  if (!cells->is_single && parallelism->degree[axis] <= 1)
    axis = PLG_AXIS_DP;
  if (parallelism->degree[axis] <= 1)
    return NULL;
  if (!cells->is_single)
    return g_strdup_printf ("%c%d", axis_letter (axis), at->index[axis]);
  return g_strdup (plg_cluster_group_letters (plg_axis_group_of (parallelism, axis, rank),
                                              letters));
}

/* Numbers grow with the rank, so the last rank has the widest; activities and memory differ by
 * stage. */
double
plg_cluster_cells_widest_tag (const PlgClusterCells *cells, gboolean is_bold)
{
  const PlgParallelism *parallelism = &cells->drawing->plan->parallelism;
  double widest = 0;

  if (cells->is_single && cells->drawing->moment == NULL && parallelism->degree[cells->axis] > 1)
    {
      int groups = plg_axis_groups (parallelism, cells->axis);

      /* The letters of the last group need not be the widest. */
      for (int group = 0; group < groups; group++)
        {
          char letters[8];

          widest = MAX (widest,
                        plg_text_width (plg_cluster_group_letters (group, letters), 1, is_bold));
        }
      return widest;
    }
  for (int stage = 0; stage < parallelism->degree[PLG_AXIS_PP]; stage++)
    {
      PlgCoordinate at = { 0 };
      g_autofree char *tag = NULL;

      for (int axis = 0; axis < PLG_N_AXES; axis++)
        at.index[axis] = parallelism->degree[axis] - 1;
      at.index[PLG_AXIS_PP] = stage;
      tag = plg_cluster_cells_tag (cells, cells->drawing->gpus - 1, &at);
      widest = MAX (widest, tag != NULL ? plg_text_width (tag, 1, is_bold) : 0);
    }
  return widest;
}

/* Decides on tags for cells with room for little more than a rank. A tag stands beside the rank, at
 * the size at which the longest fits; if this is too small, or to show an activity or memory, it
 * stands below the rank instead of the bar, since GiB beside a rank could be read as a rank. */
void
plg_cluster_cells_size_tags (PlgClusterCells *cells)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  g_autofree char *rank = g_strdup_printf ("%d", drawing->gpus - 1);
  double number = plg_text_width (rank, 1, TRUE), tag = plg_cluster_cells_widest_tag (cells, TRUE);
  double both = number + tag + plg_text_width (" ", 1, TRUE);
  double room = drawing->layout.tile_width - 2 * SINGLE_PAD,
         least = plg_cluster_min_text_size (drawing);
  gboolean is_large = plg_cluster_has_large_texts (drawing);

  cells->has_tags_beside = tag > 0 && drawing->options->show != PLG_SHOW_MEMORY &&
                           (is_large || drawing->moment == NULL) &&
                           room / both >=
                               MAX (MIN_BESIDE * drawing->layout.points_per_pixel, least);
  cells->below_size = MIN (drawing->layout.tile_height * BELOW_SHARE,
                           is_large ? room / MAX (number, tag) : G_MAXDOUBLE);
  cells->has_tags_below = tag > 0 && !cells->has_tags_beside &&
                          (is_large ? cells->below_size >= least
                                    : drawing->layout.detail == PLG_CLUSTER_DETAIL_SHORT);
  cells->lone_size = MIN (MAX (drawing->layout.tile_height * SINGLE_SHARE, least),
                          room / (cells->has_tags_beside
                                      ? both
                                      : MAX (number, is_large && cells->is_single ? tag : 0)));
}

/* If two lines of coordinates do not fit beside the longest rank, all coordinates stand on one line
 * below it, both as large as possible. */
void
plg_cluster_cells_set_stacked (PlgClusterCells *cells)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  PlgCoordinate last = { 0 };
  g_autofree char *rank = g_strdup_printf ("%d", drawing->gpus - 1);
  g_autofree char *first = NULL, *second = NULL, *text = NULL;
  double room = drawing->layout.tile_width - 2 * PLG_CLUSTER_TILE_PAD, width;

  for (int axis = 0; axis < PLG_N_AXES; axis++)
    last.index[axis] = MAX (drawing->plan->parallelism.degree[axis] - 1, 0);
  cells->rank_size = RANK_SIZE;
  cells->coordinate_size = COORDINATE_SIZE;
  if (!cells->two_lines)
    return;
  first = coordinate_text (drawing, &last, 0);
  second = coordinate_text (drawing, &last, 1);
  width = MAX (plg_text_width (first, COORDINATE_SIZE, FALSE),
               plg_text_width (second, COORDINATE_SIZE, FALSE));
  cells->is_stacked = plg_text_width (rank, RANK_SIZE, TRUE) + width > room - 3;
  if (!cells->is_stacked)
    return;
  text = coordinate_text (drawing, &last, -1);
  cells->rank_size = MIN (14, room / plg_text_width (rank, 1, TRUE));
  cells->coordinate_size = MIN (COORDINATE_SIZE, room / plg_text_width (text, 1, FALSE));
}

static void
add_memory_use (const PlgClusterCells *cells, PlgRect tile, int stage, PlgColor color)
{
  g_autofree char *number = memory_text (cells, stage), *text = NULL;

  if (number == NULL)
    return;
  text = plg_text_fit (number, tile.width / 2, 10.5, FALSE);
  plg_figure_text (cells->drawing->figure, tile.x + tile.width - PLG_CLUSTER_TILE_PAD,
                   tile.y + (cells->is_stacked ? STACKED_BASELINE : 18), PLG_ANCHOR_END, 10.5,
                   FALSE, color, text);
}

/* Adds the activity of the GPU beside the rank. */
static void
add_activity (const PlgClusterCells *cells,
              PlgRect tile,
              const PlgStageSnapshot *moment,
              PlgColor color)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  gboolean is_idle = moment->activity == PLG_ACTIVITY_IDLE;
  g_autofree char *letter = plg_cluster_activity_text (drawing, moment);

  plg_figure_text (drawing->figure, tile.x + tile.width - PLG_CLUSTER_TILE_PAD,
                   tile.y + (cells->is_stacked ? STACKED_BASELINE : 19), PLG_ANCHOR_END,
                   is_idle || cells->is_stacked ? 10.5 : 13, !is_idle, color,
                   is_idle ? plg_activity_title (moment->activity) : letter);
}

static void
add_full_texts (const PlgClusterCells *cells,
                PlgRect tile,
                int rank,
                const PlgCoordinate *at,
                PlgColor color)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  const PlgStageSnapshot *moment = plg_cluster_stage_snapshot (drawing, at->index[PLG_AXIS_PP]);
  double right = tile.x + tile.width - PLG_CLUSTER_TILE_PAD;
  g_autofree char *text = g_strdup_printf ("%d", rank);

  plg_figure_text (drawing->figure, tile.x + PLG_CLUSTER_TILE_PAD,
                   tile.y + (cells->is_stacked ? 16 : 20), PLG_ANCHOR_START, cells->rank_size, TRUE,
                   color, text);
  if (moment != NULL)
    add_activity (cells, tile, moment, color);
  else if (drawing->options->show == PLG_SHOW_MEMORY)
    add_memory_use (cells, tile, at->index[PLG_AXIS_PP], color);
  else if (cells->is_single)
    {
      g_autofree char *place = g_strdup_printf ("%c%d", axis_letter (cells->axis),
                                                at->index[cells->axis]);
      double baseline = tile.y + (cells->is_stacked ? STACKED_BASELINE : 18);
      char letters[8];

      if (drawing->plan->parallelism.degree[cells->axis] <= 1)
        return;
      plg_figure_text (drawing->figure, right - plg_text_width (place, COORDINATE_SIZE, FALSE) - 4,
                       baseline, PLG_ANCHOR_END, cells->is_stacked ? 10.5 : 12, TRUE, color,
                       plg_cluster_group_letters (plg_axis_group_of (&drawing->plan->parallelism,
                                                                     cells->axis, rank),
                                                  letters));
      plg_figure_text (drawing->figure, right, baseline, PLG_ANCHOR_END, COORDINATE_SIZE, FALSE,
                       color, place);
    }
  else
    {
      double size = cells->coordinate_size;
      gboolean is_split = cells->two_lines && !cells->is_stacked;
      g_autofree char *first = coordinate_text (drawing, at, is_split ? 0 : -1);
      g_autofree char *second = is_split ? coordinate_text (drawing, at, 1) : NULL;

      if (cells->is_stacked)
        {
          /* At the lowest zoom with this detail, coordinates below a legible size are left out. The
           * actual zoom does not count, since the figure is the same for a range of zooms. */
          if (!(drawing->options->zoom > 0) || size * PLG_CLUSTER_FULL_DETAIL_ZOOM >= SMALLEST)
            plg_figure_text (drawing->figure, tile.x + PLG_CLUSTER_TILE_PAD,
                             tile.y + STACKED_BASELINE, PLG_ANCHOR_START, size, FALSE, color,
                             first);
          return;
        }
      plg_figure_text (drawing->figure, right, tile.y + (is_split ? 13 : 18), PLG_ANCHOR_END, size,
                       FALSE, color, first);
      if (second != NULL)
        plg_figure_text (drawing->figure, right, tile.y + 24, PLG_ANCHOR_END, size, FALSE, color,
                         second);
    }
}

void
plg_cluster_cells_add_texts (const PlgClusterCells *cells,
                             PlgRect tile,
                             int rank,
                             const PlgCoordinate *at,
                             PlgColor color)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  PlgFigure *figure = drawing->figure;
  gboolean is_large = plg_cluster_has_large_texts (drawing);
  g_autofree char *number = g_strdup_printf ("%d", rank), *tag = NULL;
  double middle = tile.x + tile.width / 2;

  if (drawing->layout.detail == PLG_CLUSTER_DETAIL_FULL && !is_large)
    {
      add_full_texts (cells, tile, rank, at, color);
      return;
    }
  if (cells->has_tags_below || cells->has_tags_beside ||
      (is_large && cells->is_single && drawing->plan->parallelism.degree[cells->axis] > 1))
    tag = plg_cluster_cells_tag (cells, rank, at);
  if (cells->has_tags_below && tag != NULL)
    {
      plg_figure_text (figure, middle, tile.y + tile.height * 0.42, PLG_ANCHOR_MIDDLE,
                       cells->below_size, FALSE, color, number);
      plg_figure_text (figure, middle, tile.y + tile.height * 0.9, PLG_ANCHOR_MIDDLE,
                       cells->below_size, TRUE, color, tag);
    }
  else
    {
      double baseline = tile.y + tile.height * SINGLE_BASELINE, size = cells->lone_size;

      if (cells->has_tags_beside && tag != NULL)
        {
          plg_figure_text (figure, tile.x + SINGLE_PAD, baseline, PLG_ANCHOR_START, size, TRUE,
                           color, number);
          plg_figure_text (figure, tile.x + tile.width - SINGLE_PAD, baseline, PLG_ANCHOR_END, size,
                           FALSE, color, tag);
        }
      else
        /* With large texts the tag of a single axis is more important than the rank. */
        plg_figure_text (figure, middle, baseline, PLG_ANCHOR_MIDDLE, size, TRUE, color,
                         tag != NULL ? tag : number);
    }
}

gboolean
plg_cluster_cells_have_bars (const PlgClusterCells *cells)
{
  return cells->drawing->moment == NULL && !cells->has_tags_below;
}
