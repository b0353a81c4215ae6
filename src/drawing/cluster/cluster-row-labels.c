/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-nodes.h"

#include "drawing/figure/text.h"

#include <math.h>

/* Text on rows of GPUs that are each too small for text. Each row shows its ranks, for example
 * "248–255". When the view is zoomed out farther, some rows show their node, for example "node
 * 31". Each run of GPUs with the same fill shows its tag, for example "p3". If the runs are too
 * small for tags, the row shows the range of its tags once, for example "p0–p7". */

/* The minimum text size of a range of ranks [pixels on the screen, points in files], and its
 * usual text size as a share of the tile's height. */
#define MIN_RANGE 9.0
#define RANGE_SHARE 0.92
/* The distance between rows that show the name of their node [rows]. */
#define NAMED_ROWS 8
/* The distance of a text from the edge of a tile at natural size [points]. */
#define INDENT 4.0
/* The gap between a range of ranks and a tag, as a share of the text size. */
#define RUN_GAP 0.5
/* The left and right margin of text on a plate, and the minimum height of the plate, as shares
 * of the text size. A plate is a rectangle that gives the text a single background. */
#define LABEL_PAD 0.15
#define LABEL_SHARE 0.9
/* The minimum gap between the name of a node and the range of tags on a row, as a share of the
 * text size. */
#define SPACE 0.3
/* The sum of the gaps to the left and to the right of a node number next to a row [points]. */
#define BESIDE_GAP 6.0

/* Neighbouring GPUs in one row that have the same fill and the same tag. */
typedef struct
{
  int first, n;
  PlgRect area;
  char *tag; /* tag of the run; owned, or NULL */
} Run;

static gboolean
is_legible (const PlgClusterDrawing *drawing, double size, double least)
{
  return size >= least * drawing->layout.points_per_pixel &&
         size >= plg_cluster_min_text_size (drawing);
}

static double
tile_indent (const PlgRect *tile)
{
  return MIN (INDENT, tile->width * 0.08);
}

static char *
gpu_tag (const PlgClusterCells *cells, int gpu)
{
  int rank = cells->drawing->rank_of_gpu[gpu];
  PlgCoordinate at;

  if (rank < 0)
    return NULL;
  at = plg_rank_coordinate (&cells->drawing->plan->parallelism, rank);
  return plg_cluster_cells_tag (cells, rank, &at);
}

static void
add_text (const PlgClusterCells *cells, const Run *run, double x, double size, const char *text)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  const PlgRect *area = &run->area;
  double to = x + plg_text_width (text, size, FALSE);
  PlgColor fill = plg_cluster_cells_fill (cells, run->first);

  /* Fill the gaps between the tiles under the text, so that the text has a single background. */
  for (int i = 0; i + 1 < run->n; i++)
    {
      PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, run->first + i);
      PlgRect next = plg_cluster_layout_gpu (&drawing->layout, run->first + i + 1);
      double right = tile.x + tile.width;

      if (next.x > right && x < next.x && to > right)
        plg_figure_rect (drawing->figure, right, tile.y, next.x - right, tile.height, 0, fill);
    }
  plg_figure_text (drawing->figure, x, area->y + area->height / 2 + size * PLG_CLUSTER_ROW_BASELINE,
                   PLG_ANCHOR_START, size, FALSE, plg_cluster_cells_text_color (cells, run->first),
                   text);
}

/* Returns the text size at which the widest tag fits into WIDTH, or 0 if it would not be
 * legible. All tags use the size of the widest one, so that neighbouring runs of the same width
 * either all have tags or have none. */
static double
tag_size (const PlgClusterCells *cells, double width)
{
  double size = MIN (plg_cluster_tag_height (cells->drawing), width / cells->row_tag_width);

  return is_legible (cells->drawing, size, PLG_CLUSTER_MIN_TAG) ? size : 0;
}

/* The position of a run's tag, and the room that the tag leaves to its left in the run. */
typedef struct
{
  double x, size; /* x and size of the tag; the size is 0 if the tag is not legible */
  double room;
} TagPlace;

double
plg_cluster_node_number_size (const PlgClusterLayout *layout)
{
  g_autofree char *longest = g_strdup_printf ("%d", layout->nodes - 1);

  return MIN (MIN (12 * layout->points_per_pixel, layout->card_height * 0.8),
              (layout->label_width - 8) / plg_text_width (longest, 1, TRUE));
}

gboolean
plg_cluster_has_node_numbers (const PlgClusterDrawing *drawing)
{
  return drawing->layout.detail < PLG_CLUSTER_DETAIL_NODES &&
         plg_cluster_node_number_size (&drawing->layout) >=
             PLG_CLUSTER_MIN_NODE_NUMBER * drawing->layout.points_per_pixel;
}

/* Returns the position of the tag at the right end of RUN. The tag is within the last tile if it
 * fits there; otherwise it may extend over the whole run. A tag that has a tile to itself is
 * centred in the tile. */
static TagPlace
place_tag (const PlgClusterCells *cells, const Run *run)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, run->first);
  TagPlace place = { .room = run->area.width };
  double indent = tile_indent (&tile), width, range;
  int last = drawing->gpus - 1;
  g_autofree char *widest = g_strdup_printf ("%d–%d", last, last);

  if (run->tag == NULL)
    return place;
  width = plg_text_width (run->tag, 1, FALSE);
  range = plg_text_width (widest, plg_cluster_row_text_size (drawing, RANGE_SHARE), FALSE);
  place.size = tag_size (cells, tile.width - 2 * indent);
  /* A tag has its tile to itself if the node numbers are next to the rows and the widest range
   * of ranks does not fit next to the tag. Centre such a tag. */
  if (place.size > 0 && run->n == 1 && plg_cluster_has_node_numbers (drawing) &&
      range + place.size * (cells->row_tag_width + RUN_GAP) > tile.width)
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

/* Returns the ranks of a row, for example "248–255", or "3…" if they are not consecutive, or
 * NULL if the first GPU has no rank. */
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

/* Returns whether the row that begins with GPU FIRST shows the name of its node. If neither
 * the ranks nor the node numbers are legible, the first row of every few nodes shows the name. */
static gboolean
is_named (const PlgClusterDrawing *drawing, int first)
{
  const PlgClusterLayout *layout = &drawing->layout;
  int node = first / layout->gpus_per_node;

  return plg_cluster_has_low_detail (drawing) && !plg_cluster_has_node_numbers (drawing) &&
         !is_legible (drawing, plg_cluster_row_text_size (drawing, RANGE_SHARE), MIN_RANGE) &&
         first % layout->gpus_per_node == 0 &&
         (node - layout->first) % layout->node_rows % MAX (NAMED_ROWS / layout->gpu_rows, 1) == 0;
}

typedef struct
{
  int first, n;
  int node;
  gboolean is_named;
  PlgRect area;
  GArray *runs; /* runs (Run) of the row */
} Row;

static const Run *
nth_run (const Row *row, guint i)
{
  g_assert (i < row->runs->len);

  return &g_array_index (row->runs, Run, i);
}

/* Divides a row of N GPUs, starting at FIRST, into runs. A run ends at an outline, because the
 * outline would cross the text. */
static Row
row_new (const PlgClusterCells *cells, int first, int n)
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
  for (int gpu = first, next; gpu < first + n; gpu = next)
    {
      PlgColor fill = plg_cluster_cells_fill (cells, gpu);
      Run run = { gpu, 1, plg_cluster_layout_gpu (&drawing->layout, gpu), gpu_tag (cells, gpu) };

      for (next = gpu + 1; next < first + n; next++)
        {
          PlgColor other = plg_cluster_cells_fill (cells, next);
          g_autofree char *tag = NULL;

          if (fabsf (other.red - fill.red) + fabsf (other.green - fill.green) +
                      fabsf (other.blue - fill.blue) >=
                  0.01f ||
              (cells->outlined != NULL && cells->outlined[gpu] != cells->outlined[next]))
            break;
          tag = gpu_tag (cells, next);
          if (g_strcmp0 (tag, run.tag) != 0)
            break;
        }
      run.n = next - gpu;
      last = plg_cluster_layout_gpu (&drawing->layout, next - 1);
      run.area.width = last.x + last.width - run.area.x;
      g_array_append_val (row.runs, run);
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

/* Returns the text size of a node's number in the gap to the left of its row, or 0 if the number
 * would not be legible. */
static double
size_beside (const PlgClusterDrawing *drawing, const Row *row)
{
  const PlgClusterLayout *layout = &drawing->layout;
  g_autofree char *last = g_strdup_printf ("%d", layout->end - 1);
  double room = layout->label_width + layout->margin - BESIDE_GAP;
  double size = MIN (plg_cluster_tag_height (drawing), room / plg_text_width (last, 1, FALSE));

  return is_legible (drawing, size, PLG_CLUSTER_MIN_TAG) ? size : 0;
}

static void
add_number_beside (const PlgClusterDrawing *drawing, const Row *row)
{
  const PlgRect *area = &row->area;
  PlgRect card = plg_cluster_layout_node (&drawing->layout, row->node);
  double size = size_beside (drawing, row);

  plg_figure_text (drawing->figure, card.x - BESIDE_GAP / 2,
                   area->y + area->height / 2 + size * PLG_CLUSTER_ROW_BASELINE, PLG_ANCHOR_END,
                   size, FALSE, drawing->theme->role[PLG_ROLE_TEXT],
                   plg_figure_string (drawing->figure, "%d", row->node));
}

/* Returns the width of NAME or of the last node's title, whichever is wider, at a text size of 1
 * point. The last title is normally the longest. It is included so that either all nodes show
 * names or all show numbers. */
static double
name_width (const PlgClusterCells *cells, const char *name)
{
  g_autofree char *last = plg_plan_node_title (cells->drawing->plan,
                                               cells->drawing->layout.end - 1);

  return MAX (plg_text_width (name, 1, FALSE), plg_text_width (last, 1, FALSE));
}

/* Returns whether each run of ROW has room for its tag, and whether NAME fits on the first run
 * or in the gap to its left. */
static gboolean
has_room (const PlgClusterCells *cells, const Row *row, const char *name)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, row->first);

  for (guint i = 0; i < row->runs->len; i++)
    if (nth_run (row, i)->tag != NULL && place_tag (cells, nth_run (row, i)).size <= 0)
      return FALSE;
  return name == NULL || size_beside (drawing, row) > 0 ||
         tile_indent (&tile) + plg_cluster_tag_height (drawing) * name_width (cells, name) <=
             place_tag (cells, nth_run (row, 0)).room;
}

/* Adds the tag of each run. If there is room on the first run, also adds NAME or, if NAME is
 * NULL, the ranks of the row. */
static void
add_runs (const PlgClusterCells *cells, const Row *row, const char *name)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  const Run *first_run = nth_run (row, 0);
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, row->first);
  double room = place_tag (cells, first_run).room, indent = tile_indent (&tile);

  for (guint i = 0; i < row->runs->len; i++)
    {
      const Run *run = nth_run (row, i);
      TagPlace place = place_tag (cells, run);

      if (place.size > 0)
        add_text (cells, run, place.x, place.size, run->tag);
    }
  if (name != NULL)
    {
      /* Put NAME on the first run if it fits. Otherwise put the number of the node to the left
       * of the row, because a number alone on the row could be read as a rank. */
      double size = plg_cluster_tag_height (drawing);

      if (indent + size * name_width (cells, name) <= room)
        add_text (cells, first_run, first_run->area.x + indent, size, name);
      else
        add_number_beside (drawing, row);
    }
  else if (plg_cluster_has_low_detail (drawing) &&
           drawing->layout.detail == PLG_CLUSTER_DETAIL_TILES)
    {
      g_autofree char *range = range_text (drawing, row->first, row->n);
      g_autofree char *first = g_strdup_printf ("%d", drawing->rank_of_gpu[row->first]);
      double size = plg_cluster_row_text_size (drawing, RANGE_SHARE);

      if (range == NULL || !is_legible (drawing, size, MIN_RANGE))
        return;
      if (indent + plg_text_width (range, size, FALSE) <= room)
        add_text (cells, first_run, first_run->area.x + indent, size, range);
      else if (indent + plg_text_width (first, size, FALSE) <= room && room >= tile.width)
        add_text (cells, first_run, first_run->area.x + indent, size, first);
    }
}

/* Adds text to a row. If the row has several fills, first draws a plate, so that the text has a
 * single background. */
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

/* Adds text to a row whose runs are too small for tags of their own: the name of the node at the
 * left end and the range of tags at the right end. Shortens both until they fit. */
static void
add_row_texts (const PlgClusterCells *cells, const Row *row, const char *name)
{
  gboolean has_name = name != NULL && size_beside (cells->drawing, row) <= 0;
  double pad = row->runs->len > 1 ? LABEL_PAD : 0;

  /* Try these labels in turn until one is legible: the name and the range of tags, the number
   * and the range, the number and only the start of the range (for example "p0–"), and the
   * number alone. */
  for (int form = 0; form <= 3; form++)
    {
      g_autofree char *label = !has_name   ? NULL
                               : form == 0 ? g_strdup (name)
                                           : g_strdup_printf ("%d", row->node);
      g_autofree char *range = form < 3 ? plg_cluster_cells_tag_range (cells, row->first, row->n,
                                                                       form >= 2, NULL)
                                        : NULL;
      double width = row->runs->len > 1 ? 4 * LABEL_PAD : 0, size;

      /* Unless the tags are activities, compute the size from the widest tag, so that the ranges
       * of neighbouring rows have the same size. */
      if (range != NULL && cells->drawing->moment != NULL)
        width += plg_text_width (range, 1, FALSE);
      else if (range != NULL && row->runs->len == 1)
        width += cells->row_tag_width;
      else if (range != NULL)
        width += (form >= 2 ? 1 : 2) * cells->row_tag_width + plg_text_width ("–", 1, FALSE);
      if (label != NULL && range != NULL)
        width += SPACE;
      if (label != NULL)
        width += g_ascii_isdigit (*label) ? plg_text_width (label, 1, FALSE)
                                          : name_width (cells, label);
      size = MIN (plg_cluster_tag_height (cells->drawing), row->area.width / width);
      if (size <= 0 || !is_legible (cells->drawing, size, PLG_CLUSTER_MIN_TAG))
        continue;
      if (label != NULL)
        add_on_row (cells, row, row->area.x + pad * size, size, label);
      else if (name != NULL)
        add_number_beside (cells->drawing, row);
      if (range != NULL)
        add_on_row (cells, row,
                    row->area.x + row->area.width - pad * size -
                        plg_text_width (range, size, FALSE),
                    size, range);
      return;
    }
}

static gboolean
have_texts (const PlgClusterDrawing *drawing)
{
  return drawing->layout.detail >= PLG_CLUSTER_DETAIL_TILES && !drawing->layout.is_rack_tile &&
         is_legible (drawing, plg_cluster_tag_height (drawing), PLG_CLUSTER_MIN_TAG);
}

/* Tests only the first row, which is representative of all rows. */
gboolean
plg_cluster_rows_have_tags (PlgClusterDrawing *drawing)
{
  g_autoptr (PlgClusterCells) cells = NULL;
  gboolean have_tags;
  Row row;

  if (!have_texts (drawing) || !plg_cluster_layout_is_ranked (drawing->plan))
    return FALSE;
  cells = plg_cluster_cells_new (drawing);
  row = row_new (cells, drawing->layout.begin * drawing->layout.gpus_per_node,
                 drawing->layout.gpu_columns);
  have_tags = has_room (cells, &row, NULL);
  row_clear (&row);
  return have_tags;
}

void
plg_cluster_cells_add_row_texts (const PlgClusterCells *cells, int node)
{
  const PlgClusterLayout *layout = &cells->drawing->layout;

  if (!have_texts (cells->drawing))
    return;
  for (int before = 0; before < layout->gpus_per_node; before += layout->gpu_columns)
    {
      int n = MIN (layout->gpu_columns, layout->gpus_per_node - before);
      Row row = row_new (cells, node * layout->gpus_per_node + before, n);
      g_autofree char *name = row.is_named ? plg_plan_node_title (cells->drawing->plan, row.node)
                                           : NULL;

      if (has_room (cells, &row, name))
        add_runs (cells, &row, name);
      else
        add_row_texts (cells, &row, name);
      row_clear (&row);
    }
}
