/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include "drawing/text.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Nodes: their cards and labels, and where a node is one tile, that. */

/* Where a node is one tile, numbers stand at its columns and at every so many rows. */
#define COUNT_SIZE 10.5
#define COUNTED_ROWS 8

/* On the screen, in pixels. */
#define LEAST_TITLE 6.5

/* Of what all GPUs of a node have in common, below its name. */
#define SUBTITLE_SIZE 10.0
/* From line to line, of the size of the letters. */
#define LINE 1.2

/* What all GPUs of a node have in common, -1 where they differ. */
typedef struct
{
  int stage;
  int replica;
  gboolean lit;
} NodeContent;

static NodeContent
node_content (const PlgGrid *grid, int node)
{
  int first = node * grid->layout.gpus_per_node;
  NodeContent content = { -1, -1, FALSE };

  for (int gpu = first; gpu < first + grid->layout.gpus_per_node; gpu++)
    {
      PlgCoordinate at;

      content.lit |= plg_grid_gpu_lit (grid, gpu);
      if (grid->rank_of_gpu[gpu] < 0)
        return (NodeContent) { -1, -1, content.lit };
      at = plg_rank_coordinate (&grid->plan->parallelism, grid->rank_of_gpu[gpu]);
      if (gpu == first)
        content = (NodeContent) { at.index[PLG_AXIS_PP], at.index[PLG_AXIS_DP], content.lit };
      if (content.stage != at.index[PLG_AXIS_PP])
        content.stage = -1;
      if (content.replica != at.index[PLG_AXIS_DP])
        content.replica = -1;
    }
  return content;
}

/* "stage 2 · dp 0", as far as the node has one; shorter where that is too long for the label. */
static char *
node_subtitle (const PlgGrid *grid, const NodeContent *content, double width, double size)
{
  const int *degree = grid->plan->parallelism.degree;
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
node_title (const PlgGrid *grid, int node, double width, double size, gboolean is_bold)
{
  g_autofree char *title = NULL;

  if (grid->layout.detail == PLG_GRID_TILES)
    return g_strdup_printf ("%d", node);
  title = plg_plan_node_title (grid->plan, node);
  if (plg_node_names_get (&grid->plan->node_names, node) == NULL &&
      plg_text_width (title, size, is_bold) > width)
    return g_strdup_printf ("%d", node);
  return plg_text_fit (title, width, size, is_bold);
}

/* Beside the rows of a node that is a rack: its trays, the first of which has the node's name. */
static void
add_tray_labels (const PlgGrid *grid, int node, PlgRect card, gboolean lit)
{
  const PlgGridLayout *layout = &grid->layout;
  g_autofree char *longest = g_strdup_printf (_ ("tray %d"), layout->gpu_rows - 1);
  double room = layout->label_width - 8;
  double size = MIN (10 * layout->grain, room / plg_text_width (longest, 1, FALSE));

  if (layout->detail > PLG_GRID_SHORT || plg_grid_is_small (grid) || layout->trays < 2)
    return;
  for (int tray = 1; tray < layout->trays; tray++)
    plg_figure_text (grid->figure, card.x - 6,
                     card.y + layout->pad_top + tray * layout->tile_step_y +
                         layout->tile_height / 2 + size * 0.35,
                     PLG_ANCHOR_END, size, FALSE,
                     plg_grid_fade (grid, grid->theme->role[PLG_ROLE_TEXT_DIM], lit),
                     plg_figure_string (grid->figure, _ ("tray %d"), tray))
        ->thing = (PlgThing) { PLG_THING_NODE, 0, node };
}

/* What joins the trays runs under each of them; below the last one it is named. */
static void
add_switch_label (const PlgGrid *grid, int node, PlgRect card, gboolean lit)
{
  const PlgGridLayout *layout = &grid->layout;
  const char *name = _ ("NVSwitch");
  double room = layout->label_width - 8;
  double size = MIN (10 * layout->grain, room / plg_text_width (name, 1, FALSE));

  if (layout->detail > PLG_GRID_SHORT || plg_grid_is_small (grid) || layout->trays < 2)
    return;
  plg_figure_text (grid->figure, card.x - 6,
                   card.y + layout->pad_top + (layout->trays - 1) * layout->tile_step_y +
                       layout->tile_height + 7.5 + size * 0.35,
                   PLG_ANCHOR_END, size, FALSE,
                   plg_grid_fade (grid, grid->theme->role[PLG_ROLE_TEXT_DIM], lit), name)
      ->thing = (PlgThing) { PLG_THING_NODE, 0, node };
}

static void
add_node_label (const PlgGrid *grid, int node, PlgRect card, const NodeContent *content)
{
  const PlgGridLayout *layout = &grid->layout;
  const PlgColor *role = grid->theme->role;
  gboolean is_full = layout->detail == PLG_GRID_FULL;
  double natural = is_full ? 12 : layout->detail == PLG_GRID_SHORT ? 10 : 8;
  double size = MAX (natural, plg_grid_least_text (grid));
  double below = MAX (SUBTITLE_SIZE, plg_grid_least_text (grid));
  gboolean has_room = (size + below) * LINE <= layout->card_height;
  double left = card.x - layout->label_width;
  double middle = card.y + layout->pad_top + layout->tile_height / 2;
  g_autofree char *title = NULL, *subtitle = NULL;

  /* Where nodes are many, a few labels are enough to count by. */
  if (layout->detail == PLG_GRID_TILES && (node - layout->first) % layout->node_rows % 4 != 0)
    return;
  title = node_title (grid, node, layout->label_width - 6, size, is_full);
  subtitle = is_full && has_room ? node_subtitle (grid, content, layout->label_width - 6, below)
                                 : g_strdup ("");
  plg_figure_text (grid->figure, left, middle + size * (*subtitle != '\0' ? -1 / 6.0 : 0.35),
                   PLG_ANCHOR_START, size, is_full,
                   plg_grid_fade (grid, role[PLG_ROLE_TEXT], content->lit), title)
      ->thing = (PlgThing) { PLG_THING_NODE, 0, node };
  if (*subtitle != '\0')
    plg_figure_text (grid->figure, left, middle + below * LINE, PLG_ANCHOR_START, below, FALSE,
                     plg_grid_fade (grid, role[PLG_ROLE_TEXT_DIM], content->lit), subtitle)
        ->thing = (PlgThing) { PLG_THING_NODE, 0, node };
}

/* As large as there is room for the longest. */
static double
number_size (const PlgGridLayout *layout)
{
  g_autofree char *longest = g_strdup_printf ("%d", layout->nodes - 1);

  return MIN (MIN (12 * layout->grain, layout->card_height * 0.8),
              (layout->label_width - 8) / plg_text_width (longest, 1, TRUE));
}

gboolean
plg_grid_has_node_numbers (const PlgGrid *grid)
{
  return grid->layout.detail < PLG_GRID_NODES &&
         number_size (&grid->layout) >= LEAST_TITLE * grid->layout.grain;
}

/* Seen from afar a node has but its number; where that is too small to be read, the rows of some
 * say whose they are. */
static void
add_node_number (const PlgGrid *grid, int node, PlgRect card, gboolean lit)
{
  const PlgGridLayout *layout = &grid->layout;
  g_autofree char *number = g_strdup_printf ("%d", node);
  double room = layout->label_width - 8, size = number_size (layout);
  /* The few nodes of racks have room for their names, as long as those can be read. */
  g_autofree char *title = layout->trays > 1 ? plg_plan_node_title (grid->plan, node) : NULL;
  gboolean is_titled = title != NULL &&
                       plg_text_width (title, LEAST_TITLE * layout->grain, TRUE) <= room;
  const char *shown = is_titled ? title : number;

  size = MIN (size, room / plg_text_width (shown, 1, TRUE));
  if (size < LEAST_TITLE * layout->grain)
    return;
  plg_figure_text (grid->figure, card.x - 6,
                   card.y + layout->pad_top + layout->tile_height / 2 + size * 0.35, PLG_ANCHOR_END,
                   size, TRUE, plg_grid_fade (grid, grid->theme->role[PLG_ROLE_TEXT], lit), shown)
      ->thing = (PlgThing) { PLG_THING_NODE, 0, node };
}

void
plg_grid_open_node (const PlgGrid *grid, int node)
{
  if (plg_grid_is_nameless (grid))
    plg_figure_open (grid->figure, NULL, NULL, NULL);
  else
    plg_figure_open (grid->figure, plg_figure_string (grid->figure, "node-%d", node), "node",
                     plg_figure_string (grid->figure, _ ("Node %d"), node));
}

static void
add_node (PlgGrid *grid, int node)
{
  const PlgColor *role = grid->theme->role;
  PlgRect card = plg_grid_layout_node (&grid->layout, node);
  NodeContent content = node_content (grid, node);
  PlgShape *shape;

  plg_grid_open_node (grid, node);
  shape = plg_figure_rect (grid->figure, card.x, card.y, card.width, card.height,
                           grid->layout.detail == PLG_GRID_TILES ? 4 : 9, role[PLG_ROLE_CARD]);
  shape->stroke = role[PLG_ROLE_CARD_BORDER];
  shape->stroke_width = grid->theme->line_width;
  shape->thing = (PlgThing) { PLG_THING_NODE, 0, node };
  if (plg_grid_is_terse (grid))
    add_node_number (grid, node, card, content.lit);
  else
    add_node_label (grid, node, card, &content);
  add_tray_labels (grid, node, card, content.lit);
  add_switch_label (grid, node, card, content.lit);
  plg_figure_close (grid->figure);
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
add_stripes (const PlgGrid *grid,
             const PlgGridCells *cells,
             int node,
             int first,
             int n,
             PlgRect area)
{
  int stripes = MIN (n, 8);
  double radius = grid->layout.is_node_tile ? 3 : 0;
  PlgColor last = PLG_COLOR_NONE;

  for (int i = 0; i < stripes; i++)
    {
      PlgColor fill = plg_grid_cells_fill (cells, first + i * n / stripes);
      double x = area.x + area.width * i / stripes;

      if (i > 0 && same_color (fill, last))
        continue;
      last = fill;
      plg_figure_rect (grid->figure, x, area.y, area.x + area.width - x, area.height,
                       i == 0 ? radius : 0, fill)
          ->thing = (PlgThing) { PLG_THING_NODE, 0, node };
    }
}

/* What the tiles of ROW of NODE cover, with the wires under them where the next row follows. */
static PlgRect
row_area (const PlgGridLayout *layout, int node, int row, int n)
{
  int first = node * layout->gpus_per_node + row * layout->gpu_columns;
  PlgRect left = plg_grid_layout_gpu (layout, first);
  PlgRect right = plg_grid_layout_gpu (layout, first + n - 1);

  left.width = right.x + right.width - left.x;
  return left;
}

/* A node as one tile. */
static void
add_node_tile (PlgGrid *grid, const PlgGridCells *cells, int node)
{
  const PlgGridLayout *layout = &grid->layout;
  int n = layout->gpus_per_node;

  plg_grid_open_node (grid, node);
  if (layout->is_node_tile)
    add_stripes (grid, cells, node, node * n, n, plg_grid_layout_node (layout, node));
  else
    for (int row = 0; row < layout->gpu_rows; row++)
      {
        int before = row * layout->gpu_columns, in_row = MIN (layout->gpu_columns, n - before);

        add_stripes (grid, cells, node, node * n + before, in_row,
                     row_area (layout, node, row, in_row));
      }
  plg_grid_cells_add_row_texts (cells, node);
  plg_grid_add_moved_node (grid, node,
                           plg_theme_text_on (grid->theme, plg_grid_cells_fill (cells, node * n)));
  plg_figure_close (grid->figure);
}

static void
add_count (const PlgGrid *grid, double x, double baseline, PlgAnchor anchor, const char *text)
{
  plg_figure_text (grid->figure, x, baseline, anchor, COUNT_SIZE, FALSE,
                   grid->theme->role[PLG_ROLE_TEXT_DIM], text);
}

/* Where a node is one tile: the numbers of the first nodes of columns, and of some rows of the
 * first column. */
static void
add_counts (const PlgGrid *grid)
{
  const PlgGridLayout *layout = &grid->layout;
  g_autofree char *last = g_strdup_printf ("%d", layout->nodes);
  double room = plg_text_width (last, COUNT_SIZE, FALSE) + 5;
  int columns = (int) ceil (room / layout->node_step_x);

  for (int column = 0; column < layout->node_columns; column += columns)
    {
      int head = layout->first + column * layout->node_rows;
      PlgRect card = plg_grid_layout_node (layout, head);

      add_count (grid, card.x + card.width / 2, card.y - 6, PLG_ANCHOR_MIDDLE,
                 plg_figure_string (grid->figure, "%d", head));
    }
  for (int row = 0; row < layout->node_rows; row += COUNTED_ROWS)
    {
      int node = layout->first + row;
      PlgRect card = plg_grid_layout_node (layout, node);

      add_count (grid, card.x - 6, card.y + card.height / 2 + COUNT_SIZE * 0.35, PLG_ANCHOR_END,
                 plg_figure_string (grid->figure, row == 0 ? _ ("node %d") : "%d", node));
    }
}

void
plg_grid_add_nodes (PlgGrid *grid)
{
  plg_figure_set_layer (grid->figure, PLG_LAYER_CLUSTER);
  if (grid->layout.is_node_tile)
    add_counts (grid);
  if (grid->layout.detail == PLG_GRID_NODES)
    return;
  for (int node = 0; node < grid->layout.nodes; node++)
    if (plg_grid_shows_node (grid, node))
      add_node (grid, node);
}

void
plg_grid_add_node_tiles (PlgGrid *grid)
{
  PlgGridCells *cells = plg_grid_cells_new (grid);

  for (int node = 0; node < grid->layout.nodes; node++)
    if (plg_grid_shows_node (grid, node))
      add_node_tile (grid, cells, node);
  plg_grid_cells_free (cells);
}
