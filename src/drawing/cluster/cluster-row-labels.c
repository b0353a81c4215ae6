/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"

#include "drawing/figure/text.h"

#include <math.h>

/* Where GPUs are too small for texts of their own, their row says which ranks it has, "248–255", or
 * from farther off some rows whose they are, "node 31"; and each run of GPUs that are filled alike
 * what their fill stands for, "p3", or where runs are too small for it their row once, "p0–p7". */

/* On the screen in pixels, at the lowest zoom that shows the same figure; in files in points. */
#define DEFAULT_SIZE 10.0
#define MIN_RANGE 9.0
#define MIN_TAG 5.5
/* Of a tile's height: figures fill less of their line than letters, which may reach over its edge
 * before they are not to be read. */
#define RANGE_SHARE 0.92
#define TAG_SHARE 1.05
/* A letter itself is three quarters of that, so that what could not be read otherwise still lies on
 * its tile, or close to it. */
#define MAX_TAG_SHARE 1.5
/* Of the size of a text: its baseline below the middle of its row, and below that the foot of a J.
 */
#define BASELINE 0.36
#define LOWEST 0.22
/* Every so many rows a node is named, to count by. */
#define NAMED_ROWS 8
/* Points from the edge of a tile at the natural size. */
#define INDENT 4.0
/* Between a range and a tag, of their size. */
#define RUN_GAP 0.5
/* Of the size of a text on a plate: how far that reaches over it at its ends, and how high it is
 * where rows are lower. */
#define LABEL_PAD 0.15
#define LABEL_SHARE 0.9
/* Between a name and what stands on the same row, of their size, at least. */
#define SPACE 0.3
/* Points that a number beside a row keeps off what is to both sides of it. */
#define BESIDE_GAP 6.0

/* GPUs of one row beside each other that say the same. */
typedef struct
{
  int first, n;
  PlgRect area;
  char *tag; /* owned, or NULL */
} Run;

static double
text_size (const PlgClusterDrawing *drawing, double share)
{
  return MIN (DEFAULT_SIZE * drawing->layout.points_per_pixel, drawing->layout.tile_height * share);
}

/* Of tags, and of what else stands on rows as small. */
static double
tag_height (const PlgClusterDrawing *drawing)
{
  double least = MIN_TAG * drawing->layout.points_per_pixel;

  return MAX (text_size (drawing, TAG_SHARE),
              MIN (least, drawing->layout.tile_height * MAX_TAG_SHARE));
}

double
plg_cluster_tag_depth (const PlgClusterDrawing *drawing)
{
  double reach = tag_height (drawing) * (BASELINE + LOWEST) - drawing->layout.tile_height / 2;

  return drawing->layout.detail == PLG_CLUSTER_DETAIL_TILES ? MAX (reach, 0) : 0;
}

static gboolean
is_legible (const PlgClusterDrawing *drawing, double size, double least)
{
  return size >= least * drawing->layout.points_per_pixel &&
         size >= plg_cluster_min_text_size (drawing);
}

static double
indent_of (const PlgRect *tile)
{
  return MIN (INDENT, tile->width * 0.08);
}

static gboolean
same_color (PlgColor a, PlgColor b)
{
  return fabsf (a.red - b.red) + fabsf (a.green - b.green) + fabsf (a.blue - b.blue) < 0.01f;
}

static char *
tag_of (const PlgClusterCells *cells, int gpu)
{
  int rank = cells->drawing->rank_of_gpu[gpu];
  PlgCoordinate at;

  if (rank < 0)
    return NULL;
  at = plg_rank_coordinate (&cells->drawing->plan->parallelism, rank);
  return plg_cluster_cells_tag (cells, rank, &at);
}

/* Whether no outline runs between two GPUs of a row: it would strike through what is written there.
 */
static gboolean
is_same_run (const PlgClusterCells *cells, int gpu, int other)
{
  return cells->outlined == NULL || cells->outlined[gpu] == cells->outlined[other];
}

/* As many of the GPUs FIRST .. FIRST + MOST - 1 as say the same. */
static Run
run_from (const PlgClusterCells *cells, int first, int most)
{
  const PlgClusterLayout *layout = &cells->drawing->layout;
  PlgColor fill = plg_cluster_cells_fill (cells, first);
  Run run = { first, 1, plg_cluster_layout_gpu (layout, first), tag_of (cells, first) };
  PlgRect last;

  while (run.n < most && same_color (plg_cluster_cells_fill (cells, first + run.n), fill) &&
         is_same_run (cells, first, first + run.n))
    {
      g_autofree char *next = tag_of (cells, first + run.n);

      if (g_strcmp0 (next, run.tag) != 0)
        break;
      run.n++;
    }
  last = plg_cluster_layout_gpu (layout, first + run.n - 1);
  run.area.width = last.x + last.width - run.area.x;
  return run;
}

/* Closes the gaps between the tiles of RUN on which FROM .. TO lies, so that what is written there
 * stands on one ground. */
static void
hide_gaps (const PlgClusterCells *cells, const Run *run, double from, double to)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  PlgColor fill = plg_cluster_cells_fill (cells, run->first);

  for (int i = 0; i + 1 < run->n; i++)
    {
      PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, run->first + i);
      PlgRect next = plg_cluster_layout_gpu (&drawing->layout, run->first + i + 1);
      double right = tile.x + tile.width;

      if (next.x > right && from < next.x && to > right)
        plg_figure_rect (drawing->figure, right, tile.y, next.x - right, tile.height, 0, fill);
    }
}

static void
add_text (const PlgClusterCells *cells, const Run *run, double x, double size, const char *text)
{
  const PlgRect *area = &run->area;

  hide_gaps (cells, run, x, x + plg_text_width (text, size, FALSE));
  plg_figure_text (cells->drawing->figure, x, area->y + area->height / 2 + size * BASELINE,
                   PLG_ANCHOR_START, size, FALSE, plg_cluster_cells_text_color (cells, run->first),
                   text);
}

/* How large a tag is in WIDTH, 0 where it could not be read: by the widest of all, for were it
 * asked of each, some would be missing between their neighbours. */
static double
tag_size (const PlgClusterCells *cells, double width)
{
  double size = MIN (tag_height (cells->drawing), width / cells->row_tag_width);

  return is_legible (cells->drawing, size, MIN_TAG) ? size : 0;
}

/* Where the tag of a run stands, and what it leaves free of the run to its left. */
typedef struct
{
  double x, size; /* 0: it could not be read */
  double room;
} TagPlace;

/* Whether a tag of SIZE has a tile to itself: names of nodes stand beside the rows, and ranks of a
 * row would not fit, those of the last one. */
static gboolean
is_alone (const PlgClusterCells *cells, double tile_width, double size)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  int gpus = plg_cluster_gpus (&drawing->plan->cluster);
  g_autofree char *widest = g_strdup_printf ("%d–%d", gpus - 1, gpus - 1);
  double range = plg_text_width (widest, text_size (drawing, RANGE_SHARE), FALSE);

  return plg_cluster_has_node_numbers (drawing) &&
         range + size * (cells->row_tag_width + RUN_GAP) > tile_width;
}

/* At the right end of RUN, if it can be within its last tile, and in the middle of that where it is
 * alone there, clear of what outlines it; where there is no room otherwise up to its edges. */
static TagPlace
place_tag (const PlgClusterCells *cells, const Run *run)
{
  PlgRect tile = plg_cluster_layout_gpu (&cells->drawing->layout, run->first);
  TagPlace place = { .room = run->area.width };
  double indent = indent_of (&tile), width;

  if (run->tag == NULL)
    return place;
  width = plg_text_width (run->tag, 1, FALSE);
  place.size = tag_size (cells, tile.width - 2 * indent);
  if (place.size > 0 && run->n == 1 && is_alone (cells, tile.width, place.size))
    indent = (tile.width - place.size * width) / 2;
  if (place.size <= 0)
    place.size = tag_size (cells, run->area.width);
  if (place.size <= 0)
    return place;
  indent = MIN (indent, (run->area.width - place.size * width) / 2);
  place.x = run->area.x + run->area.width - indent - place.size * width;
  place.room = run->area.width - indent - place.size * (width + RUN_GAP);
  return place;
}

/* "248–255", or "3…" where the ranks of the row do not follow each other; NULL where its first GPU
 * has none. */
static char *
range_text (const PlgClusterDrawing *drawing, int first, int n)
{
  const int *ranks = drawing->rank_of_gpu + first;

  if (ranks[0] < 0)
    return NULL;
  for (int i = 1; i < n; i++)
    if (ranks[i] != ranks[0] + i)
      return g_strdup_printf ("%d…", ranks[0]);
  if (n == 1)
    return g_strdup_printf ("%d", ranks[0]);
  return g_strdup_printf ("%d–%d", ranks[0], ranks[n - 1]);
}

/* The ranks of the row of N GPUs that RUN begins, in ROOM at its left end: whole, or else the first
 * one, where that has a tile to itself, or none, for a number without its last digits is another
 * one. Who points at it means the GPU below. */
static void
add_range (const PlgClusterCells *cells, const Run *run, int n, double room)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  g_autofree char *range = range_text (drawing, run->first, n);
  g_autofree char *first = g_strdup_printf ("%d", drawing->rank_of_gpu[run->first]);
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, run->first);
  double indent = indent_of (&tile), size = text_size (drawing, RANGE_SHARE);

  if (range == NULL || !is_legible (drawing, size, MIN_RANGE))
    return;
  if (indent + plg_text_width (range, size, FALSE) <= room)
    add_text (cells, run, run->area.x + indent, size, range);
  else if (indent + plg_text_width (first, size, FALSE) <= room && room >= tile.width)
    add_text (cells, run, run->area.x + indent, size, first);
}

/* Whether rows are so small that neither ranks nor the numbers beside nodes can be read, and the
 * row that begins with GPU FIRST is one of those that say whose they are. */
static gboolean
is_named (const PlgClusterDrawing *drawing, int first)
{
  const PlgClusterLayout *layout = &drawing->layout;
  int node = first / layout->gpus_per_node;

  return plg_cluster_has_low_detail (drawing) && !plg_cluster_has_node_numbers (drawing) &&
         !is_legible (drawing, text_size (drawing, RANGE_SHARE), MIN_RANGE) &&
         first % layout->gpus_per_node == 0 &&
         (node - layout->first) % layout->node_rows % MAX (NAMED_ROWS / layout->gpu_rows, 1) == 0;
}

/* The GPUs of a row. */
typedef struct
{
  int first, n;
  int node;
  gboolean is_named;
  PlgRect area;
  GArray *runs; /* Run */
} Row;

static const Run *
nth_run (const Row *row, guint i)
{
  return &g_array_index (row->runs, Run, i);
}

static Row
row_of (const PlgClusterCells *cells, int first, int n)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  PlgRect last = plg_cluster_layout_gpu (&drawing->layout, first + n - 1);
  Row row = { first,
              n,
              first / drawing->layout.gpus_per_node,
              is_named (drawing, first),
              plg_cluster_layout_gpu (&drawing->layout, first),
              g_array_new (FALSE, FALSE, sizeof (Run)) };

  row.area.width = last.x + last.width - row.area.x;
  for (int gpu = first; gpu < first + n;)
    {
      Run run = run_from (cells, gpu, first + n - gpu);

      g_array_append_val (row.runs, run);
      gpu += run.n;
    }
  return row;
}

static void
row_clear (Row *row)
{
  for (guint i = 0; i < row->runs->len; i++)
    g_free (nth_run (row, i)->tag);
  g_array_unref (row->runs);
}

/* How large the number of the node of ROW is beside it, in the gap between the columns of nodes; 0
 * where it could not be read. */
static double
size_beside (const PlgClusterDrawing *drawing, const Row *row)
{
  const PlgClusterLayout *layout = &drawing->layout;
  g_autofree char *last = g_strdup_printf ("%d", layout->end - 1);
  double room = layout->label_width + layout->margin - BESIDE_GAP;
  double size = MIN (tag_height (drawing), room / plg_text_width (last, 1, FALSE));

  return is_legible (drawing, size, MIN_TAG) ? size : 0;
}

static void
add_number_beside (const PlgClusterDrawing *drawing, const Row *row)
{
  const PlgRect *area = &row->area;
  PlgRect card = plg_cluster_layout_node (&drawing->layout, row->node);
  double size = size_beside (drawing, row);

  plg_figure_text (drawing->figure, card.x - BESIDE_GAP / 2,
                   area->y + area->height / 2 + size * BASELINE, PLG_ANCHOR_END, size, FALSE,
                   drawing->theme->role[PLG_ROLE_TEXT],
                   plg_figure_string (drawing->figure, "%d", row->node));
}

/* Of the name of a node, or of any if that is longer, for texts of 1 point: so that not some have
 * names and their neighbours numbers. */
static double
name_width (const PlgClusterCells *cells, const char *name)
{
  g_autofree char *last = plg_plan_node_title (cells->drawing->plan,
                                               cells->drawing->layout.end - 1);

  return MAX (plg_text_width (name, 1, FALSE), plg_text_width (last, 1, FALSE));
}

/* Whether each run of ROW has room for what it stands for; and its head for its node's NAME, where
 * it has that and not beside it. */
static gboolean
has_room (const PlgClusterCells *cells, const Row *row, const char *name)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, row->first);

  for (guint i = 0; i < row->runs->len; i++)
    if (nth_run (row, i)->tag != NULL && place_tag (cells, nth_run (row, i)).size <= 0)
      return FALSE;
  return name == NULL || size_beside (drawing, row) > 0 ||
         indent_of (&tile) + tag_height (drawing) * name_width (cells, name) <=
             place_tag (cells, nth_run (row, 0)).room;
}

/* In what the tag leaves of the first run, or beside the row: a number alone on it would be taken
 * for a rank. */
static void
add_name (const PlgClusterCells *cells, const Row *row, const char *name)
{
  const Run *run = nth_run (row, 0);
  PlgRect tile = plg_cluster_layout_gpu (&cells->drawing->layout, row->first);
  double size = tag_height (cells->drawing), indent = indent_of (&tile);

  if (indent + size * name_width (cells, name) <= place_tag (cells, run).room)
    add_text (cells, run, run->area.x + indent, size, name);
  else
    add_number_beside (cells->drawing, row);
}

/* Each run says for itself what it stands for. */
static void
add_runs (const PlgClusterCells *cells, const Row *row, const char *name)
{
  const PlgClusterDrawing *drawing = cells->drawing;

  for (guint i = 0; i < row->runs->len; i++)
    {
      const Run *run = nth_run (row, i);
      TagPlace place = place_tag (cells, run);

      if (place.size > 0)
        add_text (cells, run, place.x, place.size, run->tag);
    }
  if (name != NULL)
    add_name (cells, row, name);
  else if (plg_cluster_has_low_detail (drawing) &&
           drawing->layout.detail == PLG_CLUSTER_DETAIL_TILES)
    add_range (cells, nth_run (row, 0), row->n, place_tag (cells, nth_run (row, 0)).room);
}

/* On a plate, as names of racks are, where ROW has several fills. */
static void
add_on_row (const PlgClusterCells *cells, const Row *row, double x, double size, const char *text)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  double width = plg_text_width (text, size, FALSE), pad = size * LABEL_PAD;
  double height = MAX (row->area.height, size * LABEL_SHARE);
  double middle = row->area.y + row->area.height / 2;

  if (row->runs->len == 1)
    {
      add_text (cells, nth_run (row, 0), x, size, text);
      return;
    }
  plg_figure_rect (drawing->figure, x - pad, middle - height / 2, width + 2 * pad, height, 0,
                   drawing->theme->role[PLG_ROLE_CARD]);
  plg_figure_text (drawing->figure, x, middle + size * 0.36, PLG_ANCHOR_START, size, FALSE,
                   drawing->theme->role[PLG_ROLE_TEXT], text);
}

/* What is written on a row as a whole: NAME at its left end, SPAN at the right one; NULL: none. */
typedef struct
{
  char *name, *span; /* owned */
} RowTexts;

static void
row_texts_clear (RowTexts *words)
{
  g_clear_pointer (&words->name, g_free);
  g_clear_pointer (&words->span, g_free);
}

/* For texts of 1 point, by the widest span that any row can have: were it asked of each, some would
 * be brief between their neighbours. */
static double
span_width (const PlgClusterCells *cells, const Row *row, const char *span, gboolean is_brief)
{
  if (cells->drawing->moment != NULL)
    return plg_text_width (span, 1, FALSE);
  if (row->runs->len == 1)
    return cells->row_tag_width;
  return is_brief ? cells->row_tag_width + plg_text_width ("–", 1, FALSE)
                  : 2 * cells->row_tag_width + plg_text_width ("–", 1, FALSE);
}

/* The same of all that is written on ROW. */
static double
row_texts_width (const PlgClusterCells *cells,
                 const Row *row,
                 const RowTexts *words,
                 gboolean is_brief)
{
  double width = row->runs->len > 1 ? 4 * LABEL_PAD : 0;

  if (words->span != NULL)
    width += span_width (cells, row, words->span, is_brief);
  if (words->name != NULL && words->span != NULL)
    width += SPACE;
  if (words->name != NULL)
    width += g_ascii_isdigit (*words->name) ? plg_text_width (words->name, 1, FALSE)
                                            : name_width (cells, words->name);
  return width;
}

/* The Nth best of what could be written on ROW, whose node is called NAME, or NULL; FALSE where
 * there is no more. */
static gboolean
fit_row_texts (const PlgClusterCells *cells,
               const Row *row,
               const char *name,
               int nth,
               RowTexts *words)
{
  gboolean is_brief = nth >= 2, has_span = nth < 3;

  if (nth > 3)
    return FALSE;
  if (name != NULL && size_beside (cells->drawing, row) <= 0)
    words->name = nth == 0 ? g_strdup (name) : g_strdup_printf ("%d", row->node);
  if (has_span)
    words->span = plg_cluster_cells_tag_range (cells, row->first, row->n, is_brief, NULL);
  return TRUE;
}

/* What the whole of ROW stands for, once, since its runs are too small to say it each. */
static void
add_row_texts (const PlgClusterCells *cells, const Row *row, const char *name)
{
  const PlgRect *area = &row->area;
  RowTexts words = { NULL, NULL };
  double size = 0, pad;

  for (int nth = 0; size <= 0; nth++)
    {
      row_texts_clear (&words);
      if (!fit_row_texts (cells, row, name, nth, &words))
        return;
      size = MIN (tag_height (cells->drawing),
                  area->width / row_texts_width (cells, row, &words, nth >= 2));
      size = is_legible (cells->drawing, size, MIN_TAG) ? size : 0;
    }
  pad = row->runs->len > 1 ? size * LABEL_PAD : 0;
  if (words.name != NULL)
    add_on_row (cells, row, area->x + pad, size, words.name);
  else if (name != NULL)
    add_number_beside (cells->drawing, row);
  if (words.span != NULL)
    add_on_row (cells, row, area->x + area->width - pad - plg_text_width (words.span, size, FALSE),
                size, words.span);
  row_texts_clear (&words);
}

/* The N GPUs from FIRST on. */
static void
add_row (const PlgClusterCells *cells, int first, int n)
{
  Row row = row_of (cells, first, n);
  g_autofree char *name = row.is_named ? plg_plan_node_title (cells->drawing->plan, row.node)
                                       : NULL;

  if (has_room (cells, &row, name))
    add_runs (cells, &row, name);
  else
    add_row_texts (cells, &row, name);
  row_clear (&row);
}

static gboolean
have_texts (const PlgClusterDrawing *drawing)
{
  return drawing->layout.detail >= PLG_CLUSTER_DETAIL_TILES && !drawing->layout.is_rack_tile &&
         is_legible (drawing, tag_height (drawing), MIN_TAG);
}

/* The first row stands for all. */
gboolean
plg_cluster_rows_have_tags (PlgClusterDrawing *drawing)
{
  PlgClusterCells *cells;
  gboolean have_tags;
  Row row;

  if (!have_texts (drawing) || !plg_cluster_layout_is_ranked (drawing->plan))
    return FALSE;
  cells = plg_cluster_cells_new (drawing);
  row = row_of (cells, drawing->layout.begin * drawing->layout.gpus_per_node,
                drawing->layout.gpu_columns);
  have_tags = has_room (cells, &row, NULL);
  row_clear (&row);
  plg_cluster_cells_free (cells);
  return have_tags;
}

void
plg_cluster_cells_add_row_texts (const PlgClusterCells *cells, int node)
{
  const PlgClusterLayout *layout = &cells->drawing->layout;

  if (!have_texts (cells->drawing))
    return;
  for (int before = 0; before < layout->gpus_per_node; before += layout->gpu_columns)
    add_row (cells, node * layout->gpus_per_node + before,
             MIN (layout->gpu_columns, layout->gpus_per_node - before));
}
