/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-snapshot.h"

#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const struct
{
  PlgAxis axis;
  char letter;
  gboolean is_always_shown; /* whether the coordinate is shown even if its axis has degree 1 */
} coordinates[] = { { PLG_AXIS_TP, 't', TRUE },
                    { PLG_AXIS_CP, 'c', FALSE },
                    { PLG_AXIS_EP, 'e', FALSE },
                    { PLG_AXIS_PP, 'p', TRUE },
                    { PLG_AXIS_DP, 'd', TRUE } };
G_STATIC_ASSERT (G_N_ELEMENTS (coordinates) == PLG_N_AXES);

#define RANK_SIZE 16.0
#define COORDINATE_SIZE 9.5
/* The minimum text size of coordinates at the lowest zoom with full detail [pixels]. */
#define SMALLEST 5.5

/* The distance from the top of a tile to the baseline of the text below the rank [points]. */
#define STACKED_BASELINE 27.0

/* The text size and the baseline of a rank that is alone in its tile, as shares of the tile's
 * height. */
#define SINGLE_SHARE 0.57
#define SINGLE_BASELINE 0.62
#define SINGLE_PAD 5.0
/* The text size of a rank and of the tag below it, as a share of the tile's height. */
#define BELOW_SHARE 0.45
/* The minimum text size of a rank that has its tag to its right [pixels on the screen, points in
 * files]. */
#define MIN_BESIDE 6.5

/* The usual text size on a row of GPUs that are each too small for text [pixels on the screen,
 * points in files]. */
#define ROW_TEXT_SIZE 10.0
/* The text size of a tag as a share of the tile's height. It is more than 1, so the tag may
 * extend slightly beyond the tile. */
#define TAG_SHARE 1.05
/* The maximum text size of a tag that would be illegible at its usual size, as a share of the
 * tile's height. Capital letters are only three quarters of the text size high, so they extend
 * only slightly beyond the tile. */
#define MAX_TAG_SHARE 1.5
/* How far J, the lowest character in a tag, extends below the baseline, as a share of the text
 * size. */
#define LOWEST 0.22

gboolean
plg_cluster_single_axis (PlgShow show, PlgAxis *axis)
{
  switch (show)
    {
    case PLG_SHOW_TP:
      *axis = PLG_AXIS_TP;
      return TRUE;
    case PLG_SHOW_CP:
      *axis = PLG_AXIS_CP;
      return TRUE;
    case PLG_SHOW_EP:
      *axis = PLG_AXIS_EP;
      return TRUE;
    case PLG_SHOW_PP:
      *axis = PLG_AXIS_PP;
      return TRUE;
    case PLG_SHOW_DP:
      *axis = PLG_AXIS_DP;
      return TRUE;
    case PLG_SHOW_ALL:
    case PLG_SHOW_MEMORY:
    default:
      *axis = PLG_AXIS_PP;
      return FALSE;
    }
}

/* Writes the letters that name GROUP (A, B … Z, AA, AB …) to the end of TEXT, which has room for
 * 8 bytes. Returns a pointer to the first letter. */
const char *
plg_cluster_group_letters (int group, char *text)
{
  char *at = text + 7;

  *at = '\0';
  for (int rest = group + 1; rest > 0 && at > text; rest = (rest - 1) / 26)
    *--at = (char) ('A' + (rest - 1) % 26);
  return at;
}

const PlgStageMemory *
plg_cluster_stage_memory (const PlgClusterDrawing *drawing, int stage)
{
  if (stage < 0 || stage >= (int) drawing->report->stages->len)
    return NULL;
  return &g_array_index (drawing->report->stages, PlgStageMemory, stage);
}

double
plg_cluster_row_text_size (const PlgClusterDrawing *drawing, double share)
{
  return MIN (ROW_TEXT_SIZE * drawing->layout.points_per_pixel,
              drawing->layout.tile_height * share);
}

double
plg_cluster_tag_height (const PlgClusterDrawing *drawing)
{
  double least = PLG_CLUSTER_MIN_TAG * drawing->layout.points_per_pixel;

  return MAX (plg_cluster_row_text_size (drawing, TAG_SHARE),
              MIN (least, drawing->layout.tile_height * MAX_TAG_SHARE));
}

double
plg_cluster_tag_depth (const PlgClusterDrawing *drawing)
{
  double reach = plg_cluster_tag_height (drawing) * (PLG_CLUSTER_ROW_BASELINE + LOWEST) -
                 drawing->layout.tile_height / 2;

  return drawing->layout.detail == PLG_CLUSTER_DETAIL_TILES ? MAX (reach, 0) : 0;
}

gboolean
plg_cluster_has_large_texts (const PlgClusterDrawing *drawing)
{
  return plg_cluster_min_text_size (drawing) > COORDINATE_SIZE;
}

/* Returns the coordinates, for example "t0 p1 d0": the first line if LINE is 0, the second line
 * if LINE is 1, or both lines if LINE is -1. */
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

  /* On the screen, explain the letters in coordinates at every level of detail. The level
   * depends on the zoom, but the size of the legend must be the same at every zoom. */
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
  return plg_figure_string (drawing->figure, _ ("%s: index in %s"), letters->str, axes->str);
}

static char
axis_letter (PlgAxis axis)
{
  for (int i = 0; i < (int) G_N_ELEMENTS (coordinates); i++)
    if (coordinates[i].axis == axis)
      return coordinates[i].letter;
  return '?';
}

/* Returns whether the longest coordinates do not fit on one line to the right of the longest
 * rank, so that coordinates need two lines. */
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

  /* If the picture shows a single axis, the tag names the group on that axis. Otherwise it names
   * the stage, or the replica if there is only one stage. */
  if (!cells->is_single && parallelism->degree[axis] <= 1)
    axis = PLG_AXIS_DP;
  if (parallelism->degree[axis] <= 1)
    return NULL;
  if (!cells->is_single)
    return g_strdup_printf ("%c%d", axis_letter (axis), at->index[axis]);
  return g_strdup (plg_cluster_group_letters (plg_axis_group_of (parallelism, axis, rank),
                                              letters));
}

/* Returns the width of the widest tag at a text size of 1 point. It is enough to measure the
 * last rank of each stage, because numbers grow with the rank, and activities and memory differ
 * only by stage. */
double
plg_cluster_cells_widest_tag (const PlgClusterCells *cells, gboolean is_bold)
{
  const PlgParallelism *parallelism = &cells->drawing->plan->parallelism;
  double widest = 0;

  if (cells->is_single && cells->drawing->moment == NULL && parallelism->degree[cells->axis] > 1)
    {
      int groups = plg_axis_groups (parallelism, cells->axis);

      /* Measure all groups, because the last group does not always have the widest letters. */
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

/* Chooses where tags are placed in cells that have room for little more than a rank: to the
 * right of the rank if the longest tag is legible there, otherwise below the rank in place of
 * the bar if there is room. A tag that shows memory is never to the right of the rank, because
 * its GiB number could be mistaken for a rank. A tag that shows an activity is to the right only
 * if text is large. */
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

/* Sets the sizes of ranks and coordinates. If the coordinates need two lines that do not fit to
 * the right of the longest rank, moves all coordinates to one line below the rank. Then chooses
 * the largest sizes at which the longest rank and the longest coordinates fit. */
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
    {
      gboolean is_idle = moment->activity == PLG_ACTIVITY_IDLE;
      g_autofree char *letter = plg_cluster_activity_text (drawing, moment);

      plg_figure_text (drawing->figure, right, tile.y + (cells->is_stacked ? STACKED_BASELINE : 19),
                       PLG_ANCHOR_END, is_idle || cells->is_stacked ? 10.5 : 13, !is_idle, color,
                       is_idle ? plg_activity_title (moment->activity) : letter);
    }
  else if (drawing->options->show == PLG_SHOW_MEMORY)
    {
      g_autofree char *number = memory_text (cells, at->index[PLG_AXIS_PP]);
      g_autofree char *fitting = NULL;

      if (number == NULL)
        return;
      fitting = plg_text_fit (number, tile.width / 2, 10.5, FALSE);
      plg_figure_text (drawing->figure, right, tile.y + (cells->is_stacked ? STACKED_BASELINE : 18),
                       PLG_ANCHOR_END, 10.5, FALSE, color, fitting);
    }
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
          /* Leave out coordinates that would be illegible at the lowest zoom with full detail.
           * The current zoom does not matter, because the same figure is used for a range of
           * zooms. */
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
        /* If text is large and the fill shows a single axis, the tag replaces the rank, because
         * the tag is then more important. */
        plg_figure_text (figure, middle, baseline, PLG_ANCHOR_MIDDLE, size, TRUE, color,
                         tag != NULL ? tag : number);
    }
}

gboolean
plg_cluster_cells_have_bars (const PlgClusterCells *cells)
{
  return cells->drawing->moment == NULL && !cells->has_tags_below;
}

/* The tags that occur in a run of GPUs: a set of activities or, for other tags, the range from
 * the lowest to the highest. */
typedef struct
{
  guint activities; /* activities of the GPUs, as bits 1 << PlgActivity */
  int low, high;    /* ranks of the GPUs whose fills represent the lowest and the highest number;
                       -1 if no GPU has a rank */
} Content;

static Content
content_of (const PlgClusterCells *cells, int first, int n)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  Content content = { 0, -1, -1 };
  double low = G_MAXDOUBLE, high = -G_MAXDOUBLE;

  for (int gpu = first; gpu < first + n; gpu++)
    {
      int rank = drawing->rank_of_gpu[gpu];
      PlgCoordinate at;
      const PlgStageSnapshot *moment;
      double order;

      if (rank < 0)
        continue;
      at = plg_rank_coordinate (parallelism, rank);
      moment = plg_cluster_stage_snapshot (drawing, at.index[PLG_AXIS_PP]);
      content.activities |= moment != NULL ? 1u << moment->activity : 0;

      /* Compare GPUs by the number that their fill represents. */
      if (drawing->options->show == PLG_SHOW_MEMORY)
        {
          const PlgStageMemory *memory = plg_cluster_stage_memory (drawing, at.index[PLG_AXIS_PP]);

          order = memory != NULL ? memory->total : 0;
        }
      else if (cells->is_single)
        order = plg_axis_group_of (parallelism, cells->axis, rank);
      else
        order = at.index[parallelism->degree[cells->axis] > 1 ? cells->axis : PLG_AXIS_DP];
      content.low = order < low ? rank : content.low;
      content.high = order > high ? rank : content.high;
      low = MIN (low, order);
      high = MAX (high, order);
    }
  return content;
}

static char *
tag_of_rank (const PlgClusterCells *cells, int rank)
{
  PlgCoordinate at = { 0 };

  if (rank < 0)
    return NULL;
  at = plg_rank_coordinate (&cells->drawing->plan->parallelism, rank);
  return plg_cluster_cells_tag (cells, rank, &at);
}

char *
plg_cluster_cells_tag_range (const PlgClusterCells *cells,
                             int first,
                             int n,
                             gboolean is_brief,
                             char **to)
{
  Content content = content_of (cells, first, n);
  gboolean is_memory = cells->drawing->options->show == PLG_SHOW_MEMORY;
  g_autofree char *low = NULL, *high = NULL;

  if (content.activities != 0)
    {
      /* List the activities in the order of the legend, for example "F B". */
      GString *text = g_string_new (NULL);

      for (int i = 0; i < PLG_N_ACTIVITIES; i++)
        {
          PlgActivity activity = (PlgActivity) ((i + 1) % PLG_N_ACTIVITIES);

          if ((content.activities & 1u << activity) != 0)
            g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "",
                                    plg_activity_letter (activity));
        }
      return g_string_free (text, FALSE);
    }
  low = tag_of_rank (cells, content.low);
  high = tag_of_rank (cells, content.high);
  if (low == NULL || high == NULL || g_str_equal (low, high))
    return g_steal_pointer (&low);
  if (!is_brief)
    return g_strconcat (low, "–", high, NULL);
  if (is_memory)
    low[strcspn (low, ".")] = high[strcspn (high, ".")] = '\0';
  if (to != NULL)
    *to = g_steal_pointer (&high);
  return g_strconcat (low, "–", NULL);
}
