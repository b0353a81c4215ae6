/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"

#include "drawing/figure/text.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Nodes: their cards and labels, and where a node is one tile, that. */

/* Where a node is one tile, numbers stand at its columns and at every so many rows. */
#define COUNT_SIZE 10.5
#define COUNTED_ROWS 8

/* On the screen, in pixels. */
#define MIN_TITLE 6.5

/* Of what all GPUs of a node have in common, below its name. */
#define SUBTITLE_SIZE 10.0
/* From line to line, of the size of the letters. */
#define LINE_HEIGHT 1.2

/* What all GPUs of a node have in common, -1 where they differ. */
typedef struct
{
  int stage;
  int replica;
  gboolean highlighted;
} NodeContent;

static NodeContent
node_content (const PlgClusterDrawing *drawing, int node)
{
  int first = node * drawing->layout.gpus_per_node;
  NodeContent content = { -1, -1, FALSE };

  for (int gpu = first; gpu < first + drawing->layout.gpus_per_node; gpu++)
    {
      PlgCoordinate at;

      content.highlighted |= plg_cluster_is_gpu_highlighted (drawing, gpu);
      if (drawing->rank_of_gpu[gpu] < 0)
        return (NodeContent) { -1, -1, content.highlighted };
      at = plg_rank_coordinate (&drawing->plan->parallelism, drawing->rank_of_gpu[gpu]);
      if (gpu == first)
        content = (NodeContent) { at.index[PLG_AXIS_PP], at.index[PLG_AXIS_DP],
                                  content.highlighted };
      if (content.stage != at.index[PLG_AXIS_PP])
        content.stage = -1;
      if (content.replica != at.index[PLG_AXIS_DP])
        content.replica = -1;
    }
  return content;
}

/* "stage 2 · dp 0", as far as the node has one; shorter where that is too long for the label. */
static char *
node_subtitle (const PlgClusterDrawing *drawing,
               const NodeContent *content,
               double width,
               double size)
{
  const int *degree = drawing->plan->parallelism.degree;
  gboolean has_stage = content->stage >= 0 && degree[PLG_AXIS_PP] > 1;
  gboolean has_replica = content->replica >= 0 && degree[PLG_AXIS_DP] > 1;
  g_autofree char *text = NULL;

  if (has_stage && has_replica)
    text = g_strdup_printf (_ ("stage %d · dp %d"), content->stage, content->replica);
  else if (has_stage)
    text = g_strdup_printf (_ ("stage %d"), content->stage);
  else if (has_replica)
    text = g_strdup_printf (_ ("replica %d"), content->replica);
  else
    return g_strdup ("");
  if (plg_text_width (text, size, FALSE) <= width)
    return g_steal_pointer (&text);
  g_free (text);
  text = g_strdup_printf ("p%d · d%d", content->stage, content->replica);
  if (has_stage && has_replica && plg_text_width (text, size, FALSE) <= width)
    return g_steal_pointer (&text);
  /* GPUs say their stage before their replica. */
  if (has_stage && has_replica)
    return g_strdup_printf ("d%d", content->replica);
  return g_strdup_printf ("%c%d", has_stage ? 'p' : 'd',
                          has_stage ? content->stage : content->replica);
}

/* The node's name or number, as much as fits; where all is small its number alone, and where
 * "node" and the number do not fit, for cut off all would look the same. */
static char *
node_title (const PlgClusterDrawing *drawing, int node, double width, double size, gboolean is_bold)
{
  g_autofree char *title = NULL;

  if (drawing->layout.detail == PLG_CLUSTER_DETAIL_TILES)
    return g_strdup_printf ("%d", node);
  title = plg_plan_node_title (drawing->plan, node);
  if (plg_node_names_get (&drawing->plan->node_names, node) == NULL &&
      plg_text_width (title, size, is_bold) > width)
    return g_strdup_printf ("%d", node);
  return plg_text_fit (title, width, size, is_bold);
}

/* Beside the rows of a node that is a rack: its trays, the first of which has the node's name. */
static void
add_tray_labels (const PlgClusterDrawing *drawing, int node, PlgRect card, gboolean highlighted)
{
  const PlgClusterLayout *layout = &drawing->layout;
  g_autofree char *longest = g_strdup_printf (_ ("tray %d"), layout->gpu_rows - 1);
  double room = layout->label_width - 8;
  double size = MIN (10 * layout->points_per_pixel, room / plg_text_width (longest, 1, FALSE));

  if (layout->detail > PLG_CLUSTER_DETAIL_SHORT || plg_cluster_is_small (drawing) ||
      layout->trays < 2)
    return;
  for (int tray = 1; tray < layout->trays; tray++)
    plg_figure_text (drawing->figure, card.x - 6,
                     card.y + layout->pad_top + tray * layout->tile_step_y +
                         layout->tile_height / 2 + size * 0.35,
                     PLG_ANCHOR_END, size, FALSE,
                     plg_cluster_dim (drawing, drawing->theme->role[PLG_ROLE_TEXT_DIM],
                                      highlighted),
                     plg_figure_string (drawing->figure, _ ("tray %d"), tray))
        ->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
}

/* What joins the trays runs under each of them; below the last one it is named. */
static void
add_switch_label (const PlgClusterDrawing *drawing, int node, PlgRect card, gboolean highlighted)
{
  const PlgClusterLayout *layout = &drawing->layout;
  const char *name = _ ("NVSwitch");
  double room = layout->label_width - 8;
  double size = MIN (10 * layout->points_per_pixel, room / plg_text_width (name, 1, FALSE));

  if (layout->detail > PLG_CLUSTER_DETAIL_SHORT || plg_cluster_is_small (drawing) ||
      layout->trays < 2)
    return;
  plg_figure_text (drawing->figure, card.x - 6,
                   card.y + layout->pad_top + (layout->trays - 1) * layout->tile_step_y +
                       layout->tile_height + 7.5 + size * 0.35,
                   PLG_ANCHOR_END, size, FALSE,
                   plg_cluster_dim (drawing, drawing->theme->role[PLG_ROLE_TEXT_DIM], highlighted),
                   name)
      ->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
}

static void
add_node_label (const PlgClusterDrawing *drawing,
                int node,
                PlgRect card,
                const NodeContent *content)
{
  const PlgClusterLayout *layout = &drawing->layout;
  const PlgColor *role = drawing->theme->role;
  gboolean is_full = layout->detail == PLG_CLUSTER_DETAIL_FULL;
  double natural = is_full ? 12 : layout->detail == PLG_CLUSTER_DETAIL_SHORT ? 10 : 8;
  double size = MAX (natural, plg_cluster_min_text_size (drawing));
  double below = MAX (SUBTITLE_SIZE, plg_cluster_min_text_size (drawing));
  gboolean has_room = (size + below) * LINE_HEIGHT <= layout->card_height;
  double left = card.x - layout->label_width;
  double middle = card.y + layout->pad_top + layout->tile_height / 2;
  g_autofree char *title = NULL, *subtitle = NULL;

  /* Where nodes are many, a few labels are enough to count by. */
  if (layout->detail == PLG_CLUSTER_DETAIL_TILES &&
      (node - layout->first) % layout->node_rows % 4 != 0)
    return;
  title = node_title (drawing, node, layout->label_width - 6, size, is_full);
  subtitle = is_full && has_room ? node_subtitle (drawing, content, layout->label_width - 6, below)
                                 : g_strdup ("");
  plg_figure_text (drawing->figure, left, middle + size * (*subtitle != '\0' ? -1 / 6.0 : 0.35),
                   PLG_ANCHOR_START, size, is_full,
                   plg_cluster_dim (drawing, role[PLG_ROLE_TEXT], content->highlighted), title)
      ->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
  if (*subtitle != '\0')
    plg_figure_text (drawing->figure, left, middle + below * LINE_HEIGHT, PLG_ANCHOR_START, below,
                     FALSE,
                     plg_cluster_dim (drawing, role[PLG_ROLE_TEXT_DIM], content->highlighted),
                     subtitle)
        ->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
}

/* As large as there is room for the longest. */
static double
number_size (const PlgClusterLayout *layout)
{
  g_autofree char *longest = g_strdup_printf ("%d", layout->nodes - 1);

  return MIN (MIN (12 * layout->points_per_pixel, layout->card_height * 0.8),
              (layout->label_width - 8) / plg_text_width (longest, 1, TRUE));
}

gboolean
plg_cluster_has_node_numbers (const PlgClusterDrawing *drawing)
{
  return drawing->layout.detail < PLG_CLUSTER_DETAIL_NODES &&
         number_size (&drawing->layout) >= MIN_TITLE * drawing->layout.points_per_pixel;
}

/* Seen from afar a node has but its number; where that is too small to be read, the rows of some
 * say whose they are. */
static void
add_node_number (const PlgClusterDrawing *drawing, int node, PlgRect card, gboolean highlighted)
{
  const PlgClusterLayout *layout = &drawing->layout;
  g_autofree char *number = g_strdup_printf ("%d", node);
  double room = layout->label_width - 8, size = number_size (layout);
  /* The few nodes of racks have room for their names, as long as those can be read. */
  g_autofree char *title = layout->trays > 1 ? plg_plan_node_title (drawing->plan, node) : NULL;
  gboolean is_titled = title != NULL &&
                       plg_text_width (title, MIN_TITLE * layout->points_per_pixel, TRUE) <= room;
  const char *shown = is_titled ? title : number;

  size = MIN (size, room / plg_text_width (shown, 1, TRUE));
  if (size < MIN_TITLE * layout->points_per_pixel)
    return;
  plg_figure_text (drawing->figure, card.x - 6,
                   card.y + layout->pad_top + layout->tile_height / 2 + size * 0.35, PLG_ANCHOR_END,
                   size, TRUE,
                   plg_cluster_dim (drawing, drawing->theme->role[PLG_ROLE_TEXT], highlighted),
                   shown)
      ->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
}

void
plg_cluster_open_node (const PlgClusterDrawing *drawing, int node)
{
  if (plg_cluster_is_without_ids (drawing))
    plg_figure_open (drawing->figure, NULL, NULL, NULL);
  else
    plg_figure_open (drawing->figure, plg_figure_string (drawing->figure, "node-%d", node), "node",
                     plg_figure_string (drawing->figure, _ ("Node %d"), node));
}

static void
add_node (PlgClusterDrawing *drawing, int node)
{
  const PlgColor *role = drawing->theme->role;
  PlgRect card = plg_cluster_layout_node (&drawing->layout, node);
  NodeContent content = node_content (drawing, node);
  PlgShape *shape;

  plg_cluster_open_node (drawing, node);
  shape = plg_figure_rect (drawing->figure, card.x, card.y, card.width, card.height,
                           drawing->layout.detail == PLG_CLUSTER_DETAIL_TILES ? 4 : 9,
                           role[PLG_ROLE_CARD]);
  shape->stroke = role[PLG_ROLE_CARD_BORDER];
  shape->stroke_width = drawing->theme->line_width;
  shape->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
  if (plg_cluster_has_low_detail (drawing))
    add_node_number (drawing, node, card, content.highlighted);
  else
    add_node_label (drawing, node, card, &content);
  add_tray_labels (drawing, node, card, content.highlighted);
  add_switch_label (drawing, node, card, content.highlighted);
  plg_figure_close (drawing->figure);
}

static gboolean
same_color (PlgColor a, PlgColor b)
{
  return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

/* The GPUs FIRST .. FIRST + N - 1, which lie beside each other in AREA: one fill where all have the
 * same, else stripes of a few. Each stripe reaches to the right end and the next lies on it, so
 * that no seams show. */
static void
add_stripes (const PlgClusterDrawing *drawing,
             const PlgClusterCells *cells,
             int node,
             int first,
             int n,
             PlgRect area)
{
  int stripes = MIN (n, 8);
  double radius = drawing->layout.is_node_tile ? 3 : 0;
  PlgColor last = PLG_COLOR_NONE;

  for (int i = 0; i < stripes; i++)
    {
      PlgColor fill = plg_cluster_cells_fill (cells, first + i * n / stripes);
      double x = area.x + area.width * i / stripes;

      if (i > 0 && same_color (fill, last))
        continue;
      last = fill;
      plg_figure_rect (drawing->figure, x, area.y, area.x + area.width - x, area.height,
                       i == 0 ? radius : 0, fill)
          ->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
    }
}

/* What the tiles of ROW of NODE cover, with the wires under them where the next row follows. */
static PlgRect
row_area (const PlgClusterLayout *layout, int node, int row, int n)
{
  int first = node * layout->gpus_per_node + row * layout->gpu_columns;
  PlgRect left = plg_cluster_layout_gpu (layout, first);
  PlgRect right = plg_cluster_layout_gpu (layout, first + n - 1);

  left.width = right.x + right.width - left.x;
  return left;
}

/* A node as one tile. */
static void
add_node_tile (PlgClusterDrawing *drawing, const PlgClusterCells *cells, int node)
{
  const PlgClusterLayout *layout = &drawing->layout;
  int n = layout->gpus_per_node;

  plg_cluster_open_node (drawing, node);
  if (layout->is_node_tile)
    add_stripes (drawing, cells, node, node * n, n, plg_cluster_layout_node (layout, node));
  else
    for (int row = 0; row < layout->gpu_rows; row++)
      {
        int before = row * layout->gpu_columns, in_row = MIN (layout->gpu_columns, n - before);

        add_stripes (drawing, cells, node, node * n + before, in_row,
                     row_area (layout, node, row, in_row));
      }
  plg_cluster_cells_add_row_texts (cells, node);
  plg_cluster_mark_node_moved (drawing, node,
                               plg_theme_text_on (drawing->theme,
                                                  plg_cluster_cells_fill (cells, node * n)));
  plg_figure_close (drawing->figure);
}

static void
add_count (const PlgClusterDrawing *drawing,
           double x,
           double baseline,
           PlgAnchor anchor,
           const char *text)
{
  plg_figure_text (drawing->figure, x, baseline, anchor, COUNT_SIZE, FALSE,
                   drawing->theme->role[PLG_ROLE_TEXT_DIM], text);
}

/* Where a node is one tile: the numbers of the first nodes of columns, and of some rows of the
 * first column. */
static void
add_counts (const PlgClusterDrawing *drawing)
{
  const PlgClusterLayout *layout = &drawing->layout;
  g_autofree char *last = g_strdup_printf ("%d", layout->nodes);
  double room = plg_text_width (last, COUNT_SIZE, FALSE) + 5;
  int columns = (int) ceil (room / layout->node_step_x);

  for (int column = 0; column < layout->node_columns; column += columns)
    {
      int head = layout->first + column * layout->node_rows;
      PlgRect card = plg_cluster_layout_node (layout, head);

      add_count (drawing, card.x + card.width / 2, card.y - 6, PLG_ANCHOR_MIDDLE,
                 plg_figure_string (drawing->figure, "%d", head));
    }
  for (int row = 0; row < layout->node_rows; row += COUNTED_ROWS)
    {
      int node = layout->first + row;
      PlgRect card = plg_cluster_layout_node (layout, node);

      add_count (drawing, card.x - 6, card.y + card.height / 2 + COUNT_SIZE * 0.35, PLG_ANCHOR_END,
                 plg_figure_string (drawing->figure, row == 0 ? _ ("node %d") : "%d", node));
    }
}

void
plg_cluster_add_nodes (PlgClusterDrawing *drawing)
{
  plg_figure_set_layer (drawing->figure, PLG_LAYER_CLUSTER);
  if (drawing->layout.is_node_tile)
    add_counts (drawing);
  if (drawing->layout.detail == PLG_CLUSTER_DETAIL_NODES)
    return;
  for (int node = 0; node < drawing->layout.nodes; node++)
    if (plg_cluster_shows_node (drawing, node))
      add_node (drawing, node);
}

void
plg_cluster_add_node_tiles (PlgClusterDrawing *drawing)
{
  PlgClusterCells *cells = plg_cluster_cells_new (drawing);

  for (int node = 0; node < drawing->layout.nodes; node++)
    if (plg_cluster_shows_node (drawing, node))
      add_node_tile (drawing, cells, node);
  plg_cluster_cells_free (cells);
}
