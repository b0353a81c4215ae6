/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-layout.h"

#include "engine/network/fabric.h"

#include <math.h>

/* The width of the canvas divided by its height. The canvas is the area between two panels of
 * the window. */
#define ASPECT 1.4

/* The height of the header above a single node [points]. This header contains no network, but it
 * has room for the tab of a group. */
#define SINGLE_NODE_HEADER 18.0

/* A node with more GPUs than this has several rows of GPUs. */
#define MAX_GPU_COLUMNS 16
#define TRAY_GPUS 4

/* The approximate size of the canvas [points]. A picture that is larger at natural size is
 * scaled down to fit. */
#define DEFAULT_WIDTH 1300.0
#define DEFAULT_HEIGHT 900.0
#define MAX_ENLARGED 24.0

/* The maximum enlargement of a header. It keeps the names of the spine and of the units (sets of
 * nodes that share rails) legible when all 16,384 GPUs are visible. A larger header would fill
 * most of the screen when the view is zoomed in. */
#define MAX_HEADER 8.0

/* The gap between bands [points]. A band consists of columns of nodes side by side under a
 * header of their own. The gap is still a few pixels wide when the whole cluster is visible. */
#define BAND_GAP 80.0

/* The lengths that are used at a level of detail [points]. */
typedef struct
{
  double names_width, label_width, header;
  double tile_width, tile_height, gap_x;
  double pad, wiring, node_gap;
} Measures;

static const Measures measures[] = {
  [PLG_CLUSTER_DETAIL_FULL] = { 0, 82, 54, 76, 42, 11, 6, 12, 7 },
  [PLG_CLUSTER_DETAIL_SHORT] = { 0, 56, 44, 44, 27, 9, 5, 9, 6 },
  [PLG_CLUSTER_DETAIL_TILES] = { 0, 34, 14, 12, 12, 4, 3, 6, 5 },
  [PLG_CLUSTER_DETAIL_NODES] = { 42, 0, 26, 26, 18, 0, 0, 0, 6 },
};
G_STATIC_ASSERT (G_N_ELEMENTS (measures) == PLG_CLUSTER_DETAIL_NODES + 1);

/* Returns whether a node of GPUS GPUs is drawn as a rack with four GPUs per tray. This is the
 * case if NVSwitches connect more than MAX_GPU_COLUMNS GPUs and their number is a multiple of
 * four (NVIDIA, GB200 NVL72: 18 compute trays of 4 GPUs). */
static gboolean
has_trays (const PlgCluster *cluster, int gpus)
{
  return gpus > MAX_GPU_COLUMNS && cluster->intra == PLG_INTRA_NVSWITCH && gpus % TRAY_GPUS == 0;
}

/* Returns the number of GPUs per row: ROW_GPUS if it is set, all GPUs if they fit in one row, 4
 * for a rack with trays, and otherwise, if possible, a number that divides the GPUs into rows of
 * equal length. Rows of 16 and 8 are tried first because the sizes of groups are powers of two. */
static int
gpu_columns (const PlgPlan *plan, int gpus, int row_gpus)
{
  static const int lengths[] = { 16, 8, 12, 10, 14, 9, 15, 11, 13 };

  if (row_gpus > 0)
    return MIN (row_gpus, gpus);
  if (gpus <= MAX_GPU_COLUMNS)
    return gpus;
  if (has_trays (&plan->cluster, gpus))
    return TRAY_GPUS;
  for (int i = 0; i < (int) G_N_ELEMENTS (lengths); i++)
    if (gpus % lengths[i] == 0)
      return lengths[i];
  return MAX_GPU_COLUMNS;
}

/* The column for node names is wide enough for this many characters in this font size [points].
 * Node names are ASCII, so they can be cut off after any byte. */
#define MAX_NAME_LETTERS 24
#define NAME_SIZE 12.0

static double
names_width (const PlgNodeNames *names)
{
  double width = 0;

  for (int node = 0; node < names->size; node++)
    {
      g_autofree char *shown = names->name[node] != NULL
                                   ? g_strndup (names->name[node], MAX_NAME_LETTERS)
                                   : NULL;

      width = shown != NULL ? MAX (width, plg_text_width (shown, NAME_SIZE, TRUE)) : width;
    }
  return width > 0 ? width + 8 : 0;
}

/* Rounds ROWS up to a multiple of 8 (above 8) or 16 (above 32). Replicas often span such a
 * number of nodes, and then the same stages of different replicas are side by side. If a rail
 * connects only UNIT nodes, returns the smallest divisor of UNIT that is at least ROWS, or UNIT
 * if ROWS is larger, so that each column contains nodes of only one unit. The result does not
 * depend on the degrees, because nodes would otherwise move while a degree is dragged. */
static int
round_rows (int rows, int unit)
{
  int multiple = rows > 32 ? 16 : rows > 8 ? 8 : 1;

  if (unit == 0)
    return (rows + multiple - 1) / multiple * multiple;
  for (int parts = unit; parts > 1; parts--)
    if (unit % parts == 0 && unit / parts >= rows)
      return unit / parts;
  return unit;
}

/* Returns the number of nodes that a rail connects. Returns 0 if rails connect all nodes or are
 * not drawn. */
static int
drawn_unit (const PlgClusterLayout *layout, const PlgCluster *cluster)
{
  PlgFabric fabric;

  plg_fabric_init (&fabric, cluster);
  return fabric.units > 1 && layout->detail <= PLG_CLUSTER_DETAIL_SHORT ? fabric.nodes_per_leaf : 0;
}

static int
n_columns (const PlgClusterLayout *layout)
{
  return (layout->end - layout->first + layout->node_rows - 1) / layout->node_rows;
}

/* Returns the first node of the first column. If UNIT is 0, this is BEGIN. Otherwise, columns of
 * ROWS nodes are counted from node 0, so that each column contains nodes of only one unit, and
 * the first column may start before BEGIN. */
static int
head_of_first (const PlgClusterLayout *layout, int rows, int unit)
{
  return unit > 0 ? layout->begin / rows * rows : layout->begin;
}

/* Chooses how many rows and columns of nodes fill the canvas best. */
static void
wrap_nodes (PlgClusterLayout *layout, int unit)
{
  int nodes = layout->end - layout->begin;
  double best = G_MAXDOUBLE;

  for (int columns = 1; columns <= nodes; columns++)
    {
      int rows = MIN (round_rows ((nodes + columns - 1) / columns, unit), MAX (nodes, unit));
      int from_head = layout->end - head_of_first (layout, rows, unit);
      double width = MAX (columns, (from_head + rows - 1) / rows) * layout->node_step_x;
      double height = layout->header + rows * layout->node_step_y;
      double size = MAX (width / ASPECT, height);

      if (size < best)
        {
          best = size;
          layout->node_rows = rows;
        }
      if (width / ASPECT > best)
        break;
    }
  layout->first = head_of_first (layout, layout->node_rows, unit);
  /* Recompute the number of columns, so that no column is empty. */
  layout->node_columns = n_columns (layout);
}

/* Returns the index, in [0, N - 1], of the cell of width STEP that contains DISTANCE, or of the
 * nearest cell if DISTANCE is outside all cells. Returns 0 if DISTANCE is NaN. */
static int
cell_at (double distance, double step, int n)
{
  double cell = floor (distance / step);

  if (!(cell > 0))
    return 0;
  return cell < n ? (int) cell : n - 1;
}

/* Returns the layout of N nodes, starting at FIRST, with the lengths of DETAIL. */
static PlgClusterLayout
lay_out (const PlgPlan *plan, PlgClusterDetail detail, int first, int n, int row_gpus)
{
  const PlgCluster *cluster = &plan->cluster;
  PlgClusterLayout layout = { .detail = detail,
                              .margin = 10,
                              .enlarged = 1,
                              .header_enlargement = 1,
                              .points_per_pixel = 1 };
  const Measures *m = &measures[detail];
  double row_gap;

  layout.is_small = detail != PLG_CLUSTER_DETAIL_FULL;
  layout.is_node_tile = detail == PLG_CLUSTER_DETAIL_NODES;
  layout.nodes = MAX (cluster->nodes, 1);
  layout.begin = first;
  layout.end = first + n;
  layout.gpus_per_node = MAX (cluster->gpus_per_node, 1);
  layout.gpu_columns = gpu_columns (plan, layout.gpus_per_node, row_gpus);
  layout.gpu_rows = (layout.gpus_per_node + layout.gpu_columns - 1) / layout.gpu_columns;
  layout.trays = layout.gpu_columns == TRAY_GPUS && has_trays (cluster, layout.gpus_per_node)
                     ? layout.gpu_rows
                     : 0;
  layout.names_width = m->names_width;
  layout.label_width = m->label_width;
  if (detail <= PLG_CLUSTER_DETAIL_SHORT)
    layout.label_width = MAX (m->label_width, names_width (&plan->node_names));
  layout.header = layout.nodes > 1 ? m->header : SINGLE_NODE_HEADER;
  if (cluster->network == PLG_NETWORK_TREE && layout.nodes > 1 &&
      layout.detail <= PLG_CLUSTER_DETAIL_SHORT)
    layout.leaf_width = 78;
  row_gap = layout.gpu_rows > 1 ? m->pad : 0;
  layout.tile_width = m->tile_width;
  layout.tile_height = m->tile_height;
  layout.pad_left = layout.pad_top = m->pad;
  layout.wiring = m->wiring;
  /* Arcs and trees need more room than the bar of a switch. */
  if (detail == PLG_CLUSTER_DETAIL_FULL && cluster->intra != PLG_INTRA_NVSWITCH)
    layout.wiring += 9;
  layout.tile_step_x = m->tile_width + m->gap_x;
  layout.tile_step_y = m->tile_height + layout.wiring + row_gap;
  layout.card_width = m->tile_width;
  layout.card_height = m->tile_height;
  if (!layout.is_node_tile)
    {
      layout.card_width += m->pad + layout.tile_step_x * (layout.gpu_columns - 1) +
                           (m->gap_x > 0 ? m->gap_x + 1 : 0);
      layout.card_height = m->pad + layout.tile_step_y * layout.gpu_rows - row_gap;
    }
  layout.node_step_x = layout.label_width + layout.card_width + layout.leaf_width +
                       (layout.is_node_tile ? m->node_gap : 26);
  layout.node_step_y = layout.card_height + m->node_gap;
  wrap_nodes (&layout, drawn_unit (&layout, cluster));
  layout.width = layout.margin + layout.names_width + layout.node_columns * layout.node_step_x;
  layout.height = layout.header + layout.node_rows * layout.node_step_y - m->node_gap;
  layout.bands = 1;
  layout.band_step = layout.height + 1;
  return layout;
}

double
plg_cluster_layout_zoom_step (double zoom)
{
  static const double thresholds[] = { PLG_CLUSTER_FULL_DETAIL_ZOOM, 0.36, 0.18 };
  double step = exp2 (floor (2 * log2 (MAX (zoom, 1e-3))) / 2);

  if (zoom >= thresholds[0])
    return 1;
  for (guint i = 1; i < G_N_ELEMENTS (thresholds); i++)
    if (zoom >= thresholds[i])
      return MAX (step, thresholds[i]);
  return step;
}

double
plg_cluster_layout_enlargement (double width, double height)
{
  return CLAMP (MAX (width / DEFAULT_WIDTH, height / DEFAULT_HEIGHT), 1, MAX_ENLARGED);
}

/* The maximum number of nodes that are drawn as one rack. */
#define MAX_RACK_NODES 32
/* The minimum distance between rows of GPUs at which the rows of neighbouring nodes are distinct
 * [pixels]. */
#define MIN_ROW 4.0

static PlgClusterLayout
lay_out_on_screen (const PlgPlan *plan,
                   double zoom,
                   PlgClusterDetail natural,
                   int first,
                   int n,
                   int row_gpus)
{
  PlgClusterLayout layout = lay_out (plan, PLG_CLUSTER_DETAIL_FULL, first, n, row_gpus);
  const PlgCluster *cluster = &plan->cluster;
  int rows, parts, of_leaf;

  if (natural != PLG_CLUSTER_DETAIL_FULL)
    {
      double taller;

      if (drawn_unit (&layout, cluster) > 0)
        {
          int columns = n_columns (&layout);
          double band = layout.header + layout.node_rows * layout.node_step_y + BAND_GAP;
          double best = G_MAXDOUBLE;

          for (int across = 1; across <= columns; across++)
            {
              int bands = (columns + across - 1) / across;
              double size = MAX (across * layout.node_step_x / ASPECT, bands * band);

              if (size >= best)
                continue;
              best = size;
              layout.node_columns = across;
              layout.bands = bands;
            }
          layout.band_step = band;
          layout.width = layout.margin + layout.node_columns * layout.node_step_x;
          layout.height = layout.bands * band - BAND_GAP;
        }

      /* Enlarge the header so that its text is legible when the whole picture is visible. */
      layout.enlarged = plg_cluster_layout_enlargement (layout.width, layout.height);
      layout.header_enlargement = layout.nodes > 1 ? MIN (layout.enlarged, MAX_HEADER) : 1;
      taller = layout.header * (layout.header_enlargement - 1);
      layout.header += taller;
      layout.band_step += taller;
      layout.height += layout.bands * taller;
    }
  /* Choose the detail that is legible at ZOOM, so that coordinates and ranks are at least 7
   * pixels high. */
  layout.detail = zoom >= PLG_CLUSTER_FULL_DETAIL_ZOOM ? PLG_CLUSTER_DETAIL_FULL
                  : zoom >= 0.36                       ? PLG_CLUSTER_DETAIL_SHORT
                  : zoom >= 0.18                       ? PLG_CLUSTER_DETAIL_TILES
                                                       : PLG_CLUSTER_DETAIL_NODES;
  layout.points_per_pixel = 1 / plg_cluster_layout_zoom_step (zoom);

  /* Divide each column of nodes into racks of equal size. In a tree network, make the nodes of
   * each leaf a rack if columns consist of complete leaves. If nodes have trays, make each node
   * a rack. */
  rows = MIN (layout.node_rows, layout.end - layout.first);
  parts = (rows + MAX_RACK_NODES - 1) / MAX_RACK_NODES;
  of_leaf = plg_cluster_switches (cluster).nodes_per_leaf;
  if (layout.trays > 0)
    layout.rack_nodes = 1;
  else if (cluster->network == PLG_NETWORK_TREE && of_leaf > 1 && of_leaf <= MAX_RACK_NODES &&
           rows % of_leaf == 0)
    layout.rack_nodes = of_leaf;
  else
    layout.rack_nodes = (rows + parts - 1) / parts;

  layout.is_rack_tile = layout.detail == PLG_CLUSTER_DETAIL_NODES && layout.nodes > 1 &&
                        layout.tile_step_y < MIN_ROW * layout.points_per_pixel;
  return layout;
}

PlgClusterLayout
plg_cluster_layout_with_rows (const PlgPlan *plan, double zoom, int first, int n, int row_gpus)
{
  int nodes = MAX (plan->cluster.nodes, 1), gpus;
  PlgClusterDetail natural;

  first = n > 0 ? CLAMP (first, 0, nodes - 1) : 0;
  n = n > 0 ? MIN (n, nodes - first) : nodes;
  gpus = n * MAX (plan->cluster.gpus_per_node, 1);
  natural = gpus <= 512    ? PLG_CLUSTER_DETAIL_FULL
            : gpus <= 2048 ? PLG_CLUSTER_DETAIL_SHORT
            : gpus <= 8192 ? PLG_CLUSTER_DETAIL_TILES
                           : PLG_CLUSTER_DETAIL_NODES;
  return zoom > 0 ? lay_out_on_screen (plan, zoom, natural, first, n, row_gpus)
                  : lay_out (plan, natural, first, n, row_gpus);
}

PlgClusterLayout
plg_cluster_layout_of_nodes (const PlgPlan *plan, double zoom, int first, int n)
{
  return plg_cluster_layout_with_rows (plan, zoom, first, n, 0);
}

PlgClusterLayout
plg_cluster_layout (const PlgPlan *plan)
{
  return plg_cluster_layout_of_nodes (plan, 0, 0, 0);
}

PlgClusterLayout
plg_cluster_layout_on_screen (const PlgPlan *plan, double zoom)
{
  return plg_cluster_layout_of_nodes (plan, zoom, 0, 0);
}

gboolean
plg_cluster_layout_has_place (const PlgClusterLayout *layout, int node)
{
  return node >= layout->begin && node < layout->end;
}

static gboolean
ranges_overlap (double from, double to, double first, double last)
{
  return from <= last && first <= to;
}

/* Tests whether RECT overlaps the box of NODE, enlarged by a margin of one node on each side.
 * The margin is needed because the text and lines of a node may extend beyond its box. */
gboolean
plg_cluster_layout_shows (const PlgClusterLayout *layout, int node, PlgRect rect)
{
  PlgRect card = plg_cluster_layout_node (layout, node);

  if (!plg_cluster_layout_has_place (layout, node))
    return FALSE;
  return rect.width <= 0 ||
         (ranges_overlap (card.x - layout->node_step_x, card.x + 2 * layout->node_step_x, rect.x,
                          rect.x + rect.width) &&
          ranges_overlap (card.y - layout->node_step_y, card.y + 2 * layout->node_step_y, rect.y,
                          rect.y + rect.height));
}

gboolean
plg_cluster_layout_shows_column (const PlgClusterLayout *layout, int node, PlgRect rect)
{
  int slot = MAX (node - layout->first, 0);
  PlgRect head = plg_cluster_layout_node (layout, layout->first + slot - slot % layout->node_rows);
  double top = head.y - layout->header;

  return rect.width <= 0 ||
         (ranges_overlap (head.x - layout->node_step_x, head.x + 2 * layout->node_step_x, rect.x,
                          rect.x + rect.width) &&
          ranges_overlap (top, top + layout->band_step, rect.y, rect.y + rect.height));
}

gboolean
plg_cluster_layout_is_ranked (const PlgPlan *plan)
{
  int gpus = plg_cluster_gpus (&plan->cluster);

  return plg_parallelism_world (&plan->parallelism) == gpus &&
         (plan->placement.size == 0 || plan->placement.size == gpus);
}

/* Nodes that are not in the picture are positioned this far above or below the page, so that
 * they are cut off [points]. */
#define OFF_PAGE 1e6

PlgRect
plg_cluster_layout_node (const PlgClusterLayout *layout, int node)
{
  int slot = node - layout->first;
  int column = slot / layout->node_rows;
  int row = slot % layout->node_rows;
  double top;

  /* Nodes before BEGIN are not drawn. Close the gap that they would leave at the top of the
   * first column. */
  if (column == 0)
    row = MAX (row - (layout->begin - layout->first), 0);
  if (slot < 0 || node >= layout->end)
    return (PlgRect) { layout->margin + layout->names_width + layout->label_width,
                       node < layout->first ? -OFF_PAGE : OFF_PAGE, layout->card_width,
                       layout->card_height };
  top = layout->header + column / layout->node_columns * layout->band_step;

  return (PlgRect) { layout->margin + layout->names_width + layout->label_width +
                         column % layout->node_columns * layout->node_step_x,
                     top + row * layout->node_step_y, layout->card_width, layout->card_height };
}

static int
racks_of_column (const PlgClusterLayout *layout)
{
  return (layout->node_rows + layout->rack_nodes - 1) / layout->rack_nodes;
}

int
plg_cluster_layout_rack_of_node (const PlgClusterLayout *layout, int node)
{
  int slot = node - layout->first;

  return slot / layout->node_rows * racks_of_column (layout) +
         slot % layout->node_rows / layout->rack_nodes;
}

int
plg_cluster_layout_n_racks (const PlgClusterLayout *layout)
{
  return plg_cluster_layout_rack_of_node (layout, layout->end - 1) + 1;
}

int
plg_cluster_layout_rack_first (const PlgClusterLayout *layout, int rack, int *n)
{
  int in_column = racks_of_column (layout), row = rack % in_column * layout->rack_nodes;
  int first = layout->first + rack / in_column * layout->node_rows + row;

  *n = MIN (MIN (layout->rack_nodes, layout->node_rows - row), layout->end - first);
  return first;
}

PlgRect
plg_cluster_layout_rack (const PlgClusterLayout *layout, int rack)
{
  int n, first = plg_cluster_layout_rack_first (layout, rack, &n);
  PlgRect rect = plg_cluster_layout_node (layout, first);
  PlgRect last = plg_cluster_layout_node (layout, first + n - 1);

  rect.height = last.y + last.height - rect.y;
  return rect;
}

PlgRect
plg_cluster_layout_gpu (const PlgClusterLayout *layout, int gpu)
{
  PlgRect card = plg_cluster_layout_node (layout, gpu / layout->gpus_per_node);
  int local = gpu % layout->gpus_per_node;
  int row = local / layout->gpu_columns;

  if (layout->is_node_tile)
    {
      double width = card.width / layout->gpu_columns, height = card.height / layout->gpu_rows;

      return (PlgRect) { card.x + local % layout->gpu_columns * width, card.y + row * height, width,
                         height };
    }
  return (PlgRect) { card.x + layout->pad_left + local % layout->gpu_columns * layout->tile_step_x,
                     card.y + layout->pad_top + row * layout->tile_step_y, layout->tile_width,
                     layout->tile_height };
}

int
plg_cluster_layout_gpu_near (const PlgClusterLayout *layout, double x, double y)
{
  double half_gap = (layout->node_step_y - layout->card_height) / 2;
  int band = cell_at (y, layout->band_step, layout->bands);
  int column = band * layout->node_columns + cell_at (x - layout->margin - layout->names_width,
                                                      layout->node_step_x, layout->node_columns);
  int node_row = cell_at (y - band * layout->band_step - layout->header + half_gap,
                          layout->node_step_y, layout->node_rows);
  int head = layout->first + column * layout->node_rows;
  int node = MIN (MAX (head, layout->begin) + node_row, layout->end - 1);
  PlgRect first = plg_cluster_layout_gpu (layout, node * layout->gpus_per_node);
  double step_x = layout->tile_step_x, step_y = layout->tile_step_y;
  int local;

  if (layout->is_node_tile)
    {
      step_x = first.width;
      step_y = first.height;
    }
  local = cell_at (y - first.y + layout->pad_top, step_y, layout->gpu_rows) * layout->gpu_columns +
          cell_at (x - first.x + (step_x - first.width) / 2, step_x, layout->gpu_columns);
  return node * layout->gpus_per_node + MIN (local, layout->gpus_per_node - 1);
}

GArray *
plg_cluster_layout_regions (const PlgClusterLayout *layout, const int *gpus, int n)
{
  GArray *rects = g_array_new (FALSE, FALSE, sizeof (PlgRect));
  int per_node = layout->gpus_per_node, row_above = -1;

  for (int i = 0, last; i < n; i = last + 1)
    {
      int node = gpus[i] / per_node;
      int row = node * layout->gpu_rows + gpus[i] % per_node / layout->gpu_columns;
      PlgRect *above = rects->len > 0 ? &g_array_index (rects, PlgRect, rects->len - 1) : NULL;
      PlgRect rect, right;

      last = i;
      if (!plg_cluster_layout_has_place (layout, node))
        continue;
      /* Extend the run over neighbouring cells in the same row of tiles. */
      while (last + 1 < n && gpus[last + 1] == gpus[last] + 1 &&
             gpus[last + 1] % per_node % layout->gpu_columns != 0)
        last++;
      rect = plg_cluster_layout_gpu (layout, gpus[i]);
      right = plg_cluster_layout_gpu (layout, gpus[last]);
      rect.width = right.x + right.width - rect.x;
      /* Merge the run into the rectangle above if the run has the same left edge and width and
       * is in the next row of the same column of nodes. */
      if (above != NULL && above->x == rect.x && above->width == rect.width &&
          row == row_above + 1 &&
          (row % layout->gpu_rows != 0 || (node - layout->first) % layout->node_rows != 0))
        above->height = rect.y + rect.height - above->y;
      else
        g_array_append_val (rects, rect);
      row_above = row;
    }
  return rects;
}
