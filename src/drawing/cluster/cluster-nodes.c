/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-marks.h"
#include "drawing/cluster/cluster-nodes.h"

#include "drawing/figure/text.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The text size of the node numbers next to node tiles, and the distance between these numbers
 * [rows]. */
#define COUNT_SIZE 10.5
#define COUNTED_ROWS 8

/* The text size of the stage and the replica below the name of a node. */
#define SUBTITLE_SIZE 10.0
/* The distance between lines as a multiple of the text size. */
#define LINE_HEIGHT 1.2

/* The stage and the replica that all GPUs of a node have in common; -1 if they have none in
 * common. */
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

/* Returns the stage and the replica that all GPUs of a node share, for example "stage 2 · dp 0".
 * Returns a shorter form if this is wider than WIDTH, or "" if the GPUs share neither. */
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
  /* If the stage and the replica do not both fit, show the replica, because the cells already
   * show the stage. */
  if (has_stage && has_replica)
    return g_strdup_printf ("d%d", content->replica);
  return g_strdup_printf ("%c%d", has_stage ? 'p' : 'd',
                          has_stage ? content->stage : content->replica);
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
  double left = card.x - layout->label_width, room = layout->label_width - 6;
  double middle = card.y + layout->pad_top + layout->tile_height / 2;
  g_autofree char *whole = NULL, *title = NULL, *subtitle = NULL;

  /* In a large cluster, label only every fourth node. */
  if (layout->detail == PLG_CLUSTER_DETAIL_TILES &&
      (node - layout->first) % layout->node_rows % 4 != 0)
    return;
  /* Show only the number for small nodes, and for unnamed nodes whose title does not fit,
   * because all truncated titles would look the same. */
  whole = plg_plan_node_title (drawing->plan, node);
  if (layout->detail == PLG_CLUSTER_DETAIL_TILES ||
      (plg_node_names_get (&drawing->plan->node_names, node) == NULL &&
       plg_text_width (whole, size, is_full) > room))
    title = g_strdup_printf ("%d", node);
  else
    title = plg_text_fit (whole, room, size, is_full);
  subtitle = is_full && has_room ? node_subtitle (drawing, content, room, below) : g_strdup ("");
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

void
plg_cluster_open_node (const PlgClusterDrawing *drawing, int node)
{
  if (plg_cluster_is_without_ids (drawing))
    plg_figure_open (drawing->figure, NULL, NULL, NULL);
  else
    plg_figure_open (drawing->figure, plg_figure_string (drawing->figure, "node-%d", node), "node",
                     plg_figure_string (drawing->figure, _ ("Node %d"), node));
}

/* Adds the number of a node in a zoomed-out view, if the number is legible. A node that is a
 * rack shows its name instead of its number if the name fits. */
static void
add_far_node_label (PlgClusterDrawing *drawing, int node, PlgRect card, const NodeContent *content)
{
  const PlgClusterLayout *layout = &drawing->layout;
  double least = PLG_CLUSTER_MIN_NODE_NUMBER * layout->points_per_pixel,
         room = layout->label_width - 8;
  g_autofree char *number = g_strdup_printf ("%d", node);
  g_autofree char *title = layout->trays > 1 ? plg_plan_node_title (drawing->plan, node) : NULL;
  gboolean is_titled = title != NULL && plg_text_width (title, least, TRUE) <= room;
  const char *text = is_titled ? title : number;
  double size = MIN (plg_cluster_node_number_size (layout), room / plg_text_width (text, 1, TRUE));

  if (size < least)
    return;
  plg_figure_text (drawing->figure, card.x - 6,
                   card.y + layout->pad_top + layout->tile_height / 2 + size * 0.35, PLG_ANCHOR_END,
                   size, TRUE,
                   plg_cluster_dim (drawing, drawing->theme->role[PLG_ROLE_TEXT],
                                    content->highlighted),
                   text)
      ->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
}

static void
add_node (PlgClusterDrawing *drawing, int node)
{
  const PlgClusterLayout *layout = &drawing->layout;
  const PlgColor *role = drawing->theme->role;
  g_autofree char *longest = g_strdup_printf (_ ("tray %d"), layout->gpu_rows - 1);
  double room = layout->label_width - 8;
  double size = MIN (10 * layout->points_per_pixel, room / plg_text_width (longest, 1, FALSE));
  PlgRect card = plg_cluster_layout_node (layout, node);
  NodeContent content = node_content (drawing, node);
  PlgShape *shape;

  plg_cluster_open_node (drawing, node);
  shape = plg_figure_rect (drawing->figure, card.x, card.y, card.width, card.height,
                           layout->detail == PLG_CLUSTER_DETAIL_TILES ? 4 : 9, role[PLG_ROLE_CARD]);
  shape->stroke = role[PLG_ROLE_CARD_BORDER];
  shape->stroke_width = drawing->theme->line_width;
  shape->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
  if (plg_cluster_has_low_detail (drawing))
    add_far_node_label (drawing, node, card, &content);
  else
    add_node_label (drawing, node, card, &content);

  if (layout->detail <= PLG_CLUSTER_DETAIL_SHORT && !plg_cluster_is_small (drawing) &&
      layout->trays >= 2)
    {
      PlgColor ink = plg_cluster_dim (drawing, role[PLG_ROLE_TEXT_DIM], content.highlighted);
      const char *name = _ ("NVSwitch");
      double bottom = card.y + layout->pad_top + (layout->trays - 1) * layout->tile_step_y +
                      layout->tile_height;

      /* Number the trays of a rack to its left. The first tray has no number, because the name
       * of the node is next to it. */
      for (int tray = 1; tray < layout->trays; tray++)
        plg_figure_text (drawing->figure, card.x - 6,
                         card.y + layout->pad_top + tray * layout->tile_step_y +
                             layout->tile_height / 2 + size * 0.35,
                         PLG_ANCHOR_END, size, FALSE, ink,
                         plg_figure_string (drawing->figure, _ ("tray %d"), tray))
            ->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
      /* Every tray has a section of the switch below it. Write the name of the switch only once,
       * next to the section below the last tray. */
      size = MIN (10 * layout->points_per_pixel, room / plg_text_width (name, 1, FALSE));
      plg_figure_text (drawing->figure, card.x - 6, bottom + 7.5 + size * 0.35, PLG_ANCHOR_END,
                       size, FALSE, ink, name)
          ->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
    }
  plg_figure_close (drawing->figure);
}

/* Fills AREA with the fills of N GPUs, starting at FIRST, in at most 8 vertical stripes;
 * neighbouring stripes with the same fill are merged. Each stripe extends to the right end of
 * AREA and is partly covered by the next one, so that no gaps are visible between stripes. */
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

      if (i > 0 && fill.red == last.red && fill.green == last.green && fill.blue == last.blue)
        continue;
      last = fill;
      plg_figure_rect (drawing->figure, x, area.y, area.x + area.width - x, area.height,
                       i == 0 ? radius : 0, fill)
          ->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
    }
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

void
plg_cluster_add_nodes (PlgClusterDrawing *drawing)
{
  plg_figure_set_layer (drawing->figure, PLG_LAYER_CLUSTER);
  if (drawing->layout.is_node_tile)
    {
      /* Above every COLUMNS-th column, put the number of the first node of the column. COLUMNS
       * is chosen so that these numbers do not overlap. To the left of every COUNTED_ROWS-th row
       * of the first column, put the number of the row's node. */
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

          add_count (drawing, card.x - 6, card.y + card.height / 2 + COUNT_SIZE * 0.35,
                     PLG_ANCHOR_END,
                     plg_figure_string (drawing->figure, row == 0 ? _ ("node %d") : "%d", node));
        }
    }
  if (drawing->layout.detail == PLG_CLUSTER_DETAIL_NODES)
    return;
  for (int node = 0; node < drawing->layout.nodes; node++)
    if (plg_cluster_shows_node (drawing, node))
      add_node (drawing, node);
}

void
plg_cluster_add_node_tiles (PlgClusterDrawing *drawing)
{
  const PlgClusterLayout *layout = &drawing->layout;
  int n = layout->gpus_per_node;
  g_autoptr (PlgClusterCells) cells = plg_cluster_cells_new (drawing);

  for (int node = 0; node < layout->nodes; node++)
    if (plg_cluster_shows_node (drawing, node))
      {
        plg_cluster_open_node (drawing, node);
        if (layout->is_node_tile)
          add_stripes (drawing, cells, node, node * n, n, plg_cluster_layout_node (layout, node));
        else
          for (int before = 0; before < n; before += layout->gpu_columns)
            {
              /* Draw the row from its first to its last tile, including the gaps between tiles. */
              int first = node * n + before, in_row = MIN (layout->gpu_columns, n - before);
              PlgRect area = plg_cluster_layout_gpu (layout, first);
              PlgRect right = plg_cluster_layout_gpu (layout, first + in_row - 1);

              area.width = right.x + right.width - area.x;
              add_stripes (drawing, cells, node, first, in_row, area);
            }
        plg_cluster_cells_add_row_texts (cells, node);
        plg_cluster_mark_node_moved (drawing, node,
                                     plg_theme_text_on (drawing->theme,
                                                        plg_cluster_cells_fill (cells, node * n)));
        plg_figure_close (drawing->figure);
      }
}
