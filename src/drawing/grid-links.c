/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Which link of the report belongs to which place of the picture; -1 where there is none. */
struct _PlgGridWires
{
  int nics; /* of a node; 0 where the nodes have no network between them */
  int *gpu_link;
  int *nic_link;
  GArray *pairs;   /* int: direct links between two GPUs of a node */
  GArray *uplinks; /* int: from a leaf to a spine */
};

/* How a link looks. */
typedef struct
{
  PlgColor color;
  double width;
} Look;

static const PlgLink *
link_at (const PlgGrid *grid, int index)
{
  return &g_array_index (grid->report->links, PlgLink, index);
}

static void
sort_in (PlgGridWires *wires, const PlgGrid *grid, int index)
{
  const PlgLink *link = link_at (grid, index);
  const PlgGridLayout *layout = &grid->layout;
  gboolean in_node = link->node >= 0 && link->node < layout->nodes && link->local >= 0;

  switch (link->tier)
    {
    case PLG_TIER_NVLINK:
    case PLG_TIER_PCIE:
      if (in_node && link->other >= 0)
        g_array_append_val (wires->pairs, index);
      else if (in_node && link->local < layout->gpus_per_node)
        wires->gpu_link[link->node * layout->gpus_per_node + link->local] = index;
      break;
    case PLG_TIER_NIC:
      if (in_node && link->local < wires->nics)
        wires->nic_link[link->node * wires->nics + link->local] = index;
      break;
    case PLG_TIER_LEAF:
    case PLG_TIER_SPINE:
    default:
      g_array_append_val (wires->uplinks, index);
      break;
    }
}

PlgGridWires *
plg_grid_wires_new (const PlgGrid *grid)
{
  PlgGridWires *wires = g_new0 (PlgGridWires, 1);
  int n_nics;

  if (grid->layout.nodes > 1)
    wires->nics = CLAMP (grid->plan->cluster.nics_per_node, 0, PLG_MAX_GPUS_PER_NODE);
  n_nics = grid->layout.nodes * wires->nics;
  wires->gpu_link = g_new (int, grid->gpus);
  wires->nic_link = g_new (int, MAX (n_nics, 1));
  wires->pairs = g_array_new (FALSE, FALSE, sizeof (int));
  wires->uplinks = g_array_new (FALSE, FALSE, sizeof (int));
  for (int i = 0; i < grid->gpus; i++)
    wires->gpu_link[i] = -1;
  for (int i = 0; i < n_nics; i++)
    wires->nic_link[i] = -1;
  for (guint i = 0; i < grid->report->links->len; i++)
    sort_in (wires, grid, i);
  return wires;
}

void
plg_grid_wires_free (PlgGridWires *wires)
{
  g_free (wires->gpu_link);
  g_free (wires->nic_link);
  g_array_unref (wires->pairs);
  g_array_unref (wires->uplinks);
  g_free (wires);
}

static gboolean
is_small (const PlgGrid *grid)
{
  return grid->layout.detail != PLG_GRID_FULL;
}

static Look
idle_look (const PlgGrid *grid)
{
  return (Look) { plg_grid_fade (grid, grid->theme->role[PLG_ROLE_LINK_IDLE], grid->lit_gpu == NULL),
                  1.5 };
}

/* INDEX of a link, or -1 for a place without one. */
static Look
link_look (const PlgGrid *grid, int index)
{
  Look look = idle_look (grid);
  double bytes;

  if (index < 0 || grid->options->link_color == PLG_LINK_COLOR_OFF)
    return look;
  bytes = plg_link_bytes (link_at (grid, index));
  if (bytes > 0)
    look.color =
        plg_grid_fade (grid,
                       plg_theme_link_color (grid->theme,
                                             plg_link_scale_share (&grid->scale, link_at (grid, index))),
                       plg_grid_link_lit (grid, index));
  look.width = MAX (plg_link_widths_of (&grid->widths, bytes) * (is_small (grid) ? 0.6 : 1), 1);
  return look;
}

/* The busier of two links, either of which may be -1. */
static int
busier (const PlgGrid *grid, int a, int b)
{
  if (a < 0 || b < 0)
    return MAX (a, b);
  if (grid->lit_link != NULL && grid->lit_link[a] != grid->lit_link[b])
    return grid->lit_link[a] ? a : b;
  return plg_link_scale_share (&grid->scale, link_at (grid, b)) >
                 plg_link_scale_share (&grid->scale, link_at (grid, a))
             ? b
             : a;
}

static PlgThing
link_thing (int index)
{
  if (index < 0)
    return (PlgThing) { PLG_THING_NONE, 0, 0 };
  return (PlgThing) { PLG_THING_LINK, 0, index };
}

/* Opens the group of shapes of one link; a place without a link gets none. */
static gboolean
open_link (PlgGrid *grid, int index)
{
  const PlgLink *link;
  g_autofree char *name = NULL, *id = NULL, *classes = NULL, *from = NULL, *to = NULL;
  g_autofree char *volume = NULL, *calls = NULL, *title = NULL;

  if (index < 0)
    return FALSE;
  link = link_at (grid, index);
  name = plg_link_id (link);
  from = plg_link_from (link, grid->plan);
  to = plg_link_to (link, grid->plan);
  volume = plg_format_volume (plg_link_bytes (link));
  calls = plg_format_count (link->calls);
  id = g_strconcat ("link-", name, NULL);
  classes = g_strconcat ("link ", plg_tier_name (link->tier), NULL);
  title = g_strdup_printf (_("%s, %s – %s: %s calls and %s per step"), plg_tier_title (link->tier), from,
                           to, calls, volume);
  plg_figure_open (grid->figure, id, classes, title);
  return TRUE;
}

static void
add_wire (PlgGrid *grid, const PlgPoint *points, int n, int index, Look look)
{
  PlgShape *shape = plg_figure_path (grid->figure, points, n, look.color, look.width);

  shape->thing = link_thing (index);
}

static void
add_straight_wire (PlgGrid *grid, double x1, double y1, double x2, double y2, int index, Look look)
{
  const PlgPoint points[] = { { x1, y1 }, { x2, y2 } };

  add_wire (grid, points, 2, index, look);
}

/* A port down to the switch, and the GPU's piece of the switch. The pieces overlap a little, so
 * that no seams show. */
static void
add_switch_port (PlgGrid *grid, int gpu, int index)
{
  const PlgGridLayout *layout = &grid->layout;
  PlgRect tile = plg_grid_layout_gpu (layout, gpu);
  int column = gpu % layout->gpus_per_node % layout->gpu_columns;
  gboolean is_last = column == layout->gpu_columns - 1 ||
                     gpu % layout->gpus_per_node == layout->gpus_per_node - 1;
  double gap = (layout->tile_step_x - tile.width) / 2 + 0.25;
  double bottom = tile.y + tile.height;
  double y = bottom + (is_small (grid) ? 5 : 7.5);
  double middle = tile.x + tile.width / 2;
  Look look = link_look (grid, index);
  gboolean is_open = open_link (grid, index);

  add_straight_wire (grid, middle, bottom + 0.5, middle, y, index, look);
  add_straight_wire (grid, column > 0 ? tile.x - gap : tile.x, y,
                     is_last ? tile.x + tile.width : tile.x + tile.width + gap, y, index, look);
  if (is_open)
    plg_figure_close (grid->figure);
}

/* Pairs of GPUs join, then the pairs: a tree. */
static void
add_tree_port (PlgGrid *grid, int gpu, int index)
{
  const PlgGridLayout *layout = &grid->layout;
  PlgRect tile = plg_grid_layout_gpu (layout, gpu);
  int local = gpu % layout->gpus_per_node;
  int column = local % layout->gpu_columns;
  gboolean has_right = column + 1 < layout->gpu_columns && local + 1 < layout->gpus_per_node;
  double middle = tile.x + tile.width / 2, bottom = tile.y + tile.height;
  double depth = layout->wiring - 3;
  double fork = bottom + depth * 0.5, root = bottom + depth;
  double half = column % 2 == 1 ? -layout->tile_step_x / 2 : has_right ? layout->tile_step_x / 2 : 0;
  const PlgPoint port[] = { { middle, bottom + 0.5 }, { middle, fork }, { middle + half, fork } };
  Look look = link_look (grid, index);
  gboolean is_open = open_link (grid, index);

  add_wire (grid, port, G_N_ELEMENTS (port), index, look);
  if (is_open)
    plg_figure_close (grid->figure);
  if (column % 2 == 0)
    add_straight_wire (grid, middle + half, fork, middle + half, root, -1, look);
}

/* The root of the tree under a row of tiles: the host's bridge, which all of them share. */
static void
add_tree_root (PlgGrid *grid, const PlgGridWires *wires, int first, int n)
{
  const PlgGridLayout *layout = &grid->layout;
  PlgRect left = plg_grid_layout_gpu (layout, first), right = plg_grid_layout_gpu (layout, first + n - 1);
  double y = left.y + left.height + layout->wiring - 3;
  int index = -1;
  Look look;

  for (int i = 0; i < n; i++)
    index = busier (grid, index, wires->gpu_link[first + i]);
  look = link_look (grid, index);
  look.width = 2;
  add_straight_wire (grid, left.x + left.width / 2, y, right.x + right.width / 2, y, -1, look);
}

/* An arc from GPU to GPU, deeper the farther they are. The ends are spread along the tiles, so
 * that the arcs of a GPU can be told apart. */
static void
add_arc (PlgGrid *grid, int index)
{
  const PlgGridLayout *layout = &grid->layout;
  const PlgLink *link = link_at (grid, index);
  int base = link->node * layout->gpus_per_node;
  int a = MIN (link->local, link->other), b = MAX (link->local, link->other);
  PlgRect from, to;
  double spread, y, depth;
  Look look = link_look (grid, index);
  PlgShape *shape;

  if (b >= layout->gpu_columns || a == b)
    return;
  from = plg_grid_layout_gpu (layout, base + a);
  to = plg_grid_layout_gpu (layout, base + b);
  spread = from.width * 0.4 * (b - a) / MAX (layout->gpu_columns - 1, 1);
  y = from.y + from.height + 0.5;
  /* The middle of a cubic curve lies at three quarters of its controls. */
  depth = (layout->wiring - 4) / 0.75 * (0.35 + 0.65 * (b - a) / MAX (layout->gpu_columns - 1, 1));
  {
    double x1 = from.x + from.width * 0.95 - spread, x2 = to.x + to.width * 0.05 + spread;
    const PlgPoint curve[] = { { x1, y }, { x1, y + depth }, { x2, y + depth }, { x2, y } };

    if (!open_link (grid, index))
      return;
    shape = plg_figure_path (grid->figure, curve, G_N_ELEMENTS (curve), look.color,
                             MIN (look.width, 2));
    shape->smooth = TRUE;
    shape->thing = link_thing (index);
    plg_figure_close (grid->figure);
  }
}

/* A mesh that cannot be drawn pair by pair: a dashed bar under the tiles, as busy as its busiest
 * link. */
static void
add_mesh_bar (PlgGrid *grid, int first, int n, int index)
{
  PlgRect left = plg_grid_layout_gpu (&grid->layout, first);
  PlgRect right = plg_grid_layout_gpu (&grid->layout, first + n - 1);
  double y = left.y + left.height + (is_small (grid) ? 4.5 : 7.5);
  Look look = link_look (grid, index);
  PlgShape *shape = plg_figure_line (grid->figure, left.x, y, right.x + right.width, y, look.color,
                                     MAX (look.width, 1.5));

  shape->dashed = TRUE;
  shape->thing = link_thing (index);
}

static void
add_mesh (PlgGrid *grid, const PlgGridWires *wires)
{
  const PlgGridLayout *layout = &grid->layout;
  g_autofree int *busiest = g_new (int, layout->nodes);
  gboolean has_arcs = !is_small (grid) && layout->gpu_rows == 1 && wires->pairs->len > 0;

  for (int node = 0; node < layout->nodes; node++)
    busiest[node] = -1;
  for (guint i = 0; i < wires->pairs->len; i++)
    {
      int index = g_array_index (wires->pairs, int, i);
      int *node = &busiest[link_at (grid, index)->node];

      *node = busier (grid, *node, index);
      if (has_arcs)
        add_arc (grid, index);
    }
  for (int node = 0; !has_arcs && node < layout->nodes; node++)
    for (int row = 0; row < layout->gpu_rows; row++)
      {
        int first = row * layout->gpu_columns;

        add_mesh_bar (grid, node * layout->gpus_per_node + first,
                      MIN (layout->gpu_columns, layout->gpus_per_node - first), busiest[node]);
      }
}

static void
add_row_wiring (PlgGrid *grid, const PlgGridWires *wires, int first, int n)
{
  gboolean is_tree = grid->plan->cluster.intra == PLG_INTRA_PCIE;

  if (is_tree)
    add_tree_root (grid, wires, first, n);
  for (int gpu = first; gpu < first + n; gpu++)
    if (is_tree)
      add_tree_port (grid, gpu, wires->gpu_link[gpu]);
    else
      add_switch_port (grid, gpu, wires->gpu_link[gpu]);
}

/* Where the tiles are too small for ports, a bar under a node says what its busiest link does. */
static void
add_node_bar (PlgGrid *grid, const PlgGridWires *wires, int node)
{
  const PlgGridLayout *layout = &grid->layout;
  PlgRect card = plg_grid_layout_node (layout, node);
  int first = node * layout->gpus_per_node;
  double inset = layout->detail == PLG_GRID_NODES ? 2 : layout->pad_left;
  double y = card.y + card.height - 3.5;
  int index = -1;

  for (int i = 0; i < layout->gpus_per_node; i++)
    index = busier (grid, index, wires->gpu_link[first + i]);
  if (index < 0)
    return;
  plg_figure_line (grid->figure, card.x + inset, y, card.x + card.width - inset, y,
                   link_look (grid, index).color, 2.5);
}

/* NIC k serves the last of the GPUs that share it. */
static int
gpu_of_nic (const PlgGrid *grid, const PlgGridWires *wires, int nic)
{
  int n = grid->layout.gpus_per_node;

  if (wires->nics >= n)
    return (int) ((gint64) nic * n / wires->nics);
  return (int) (((gint64) nic + 1) * n / wires->nics) - 1;
}

/* The middle of a NIC's dot. NICs that share a GPU stand above each other. */
static PlgPoint
nic_point (const PlgGrid *grid, const PlgGridWires *wires, int node, int nic)
{
  const PlgGridLayout *layout = &grid->layout;
  int local = gpu_of_nic (grid, wires, nic);
  PlgRect tile = plg_grid_layout_gpu (layout, node * layout->gpus_per_node + local);
  int slot = 0;

  while (nic + slot + 1 < wires->nics && gpu_of_nic (grid, wires, nic + slot + 1) == local)
    slot++;
  return (PlgPoint) { tile.x + tile.width + (layout->tile_step_x - tile.width) / 2,
                      tile.y + tile.height - (is_small (grid) ? 6 : 9) - slot * MIN (8, tile.height / 5) };
}

static void
add_nic (PlgGrid *grid, const PlgGridWires *wires, int node, int nic)
{
  PlgPoint at = nic_point (grid, wires, node, nic);
  int index = wires->nic_link[node * wires->nics + nic];
  Look look = link_look (grid, index);
  double radius = is_small (grid) ? 2 : 3.2;
  gboolean is_open = open_link (grid, index);
  PlgShape *shape = plg_figure_rect (grid->figure, at.x - radius, at.y - radius, 2 * radius,
                                     2 * radius, radius, grid->theme->role[PLG_ROLE_CARD]);

  shape->stroke = look.color;
  shape->stroke_width = is_small (grid) ? 1 : 1.6;
  shape->thing = link_thing (index);
  if (is_open)
    plg_figure_close (grid->figure);
}

void
plg_grid_add_wiring (PlgGrid *grid, const PlgGridWires *wires)
{
  const PlgGridLayout *layout = &grid->layout;

  plg_figure_set_layer (grid->figure, PLG_LAYER_LINKS);
  if (layout->detail >= PLG_GRID_TILES)
    {
      for (int node = 0; node < layout->nodes; node++)
        add_node_bar (grid, wires, node);
      return;
    }
  if (grid->plan->cluster.intra == PLG_INTRA_MESH)
    add_mesh (grid, wires);
  else
    for (int node = 0; node < layout->nodes; node++)
      for (int first = 0; first < layout->gpus_per_node; first += layout->gpu_columns)
        add_row_wiring (grid, wires, node * layout->gpus_per_node + first,
                        MIN (layout->gpu_columns, layout->gpus_per_node - first));
  for (int node = 0; node < layout->nodes; node++)
    for (int nic = 0; nic < wires->nics; nic++)
      add_nic (grid, wires, node, nic);
}

/* The busiest of the NICs of NODE that stand at the column of NIC. */
static int
busiest_in_column (const PlgGrid *grid, const PlgGridWires *wires, int node, int column)
{
  int index = -1;

  for (int nic = 0; nic < wires->nics; nic++)
    if (gpu_of_nic (grid, wires, nic) % grid->layout.gpu_columns == column)
      index = busier (grid, index, wires->nic_link[node * wires->nics + nic]);
  return index;
}

/* The columns of tiles beside which a rail runs, and what it is called there. */
static char *
rail_name (const PlgGrid *grid, const PlgGridWires *wires, int column)
{
  int first = -1, n = 0;

  for (int nic = 0; nic < wires->nics; nic++)
    if (gpu_of_nic (grid, wires, nic) % grid->layout.gpu_columns == column)
      {
        first = first < 0 ? nic : first;
        n++;
      }
  if (n == 0)
    return NULL;
  if (grid->layout.detail == PLG_GRID_TILES)
    return g_strdup_printf ("%d", first);
  return g_strdup_printf (n > 1 ? _("rail %d …") : _("rail %d"), first);
}

#define RAIL_TOP 28.0

static void
add_rail_label (PlgGrid *grid, double x, const char *name)
{
  const PlgColor *role = grid->theme->role;
  gboolean is_full = grid->layout.detail == PLG_GRID_FULL;
  double size = is_full ? 10.5 : 8.5, height = is_full ? 18 : 14;
  double width = MIN (plg_text_width (name, size, FALSE) + 16, grid->layout.tile_step_x - 4);
  PlgShape *shape;

  if (grid->layout.detail == PLG_GRID_TILES)
    {
      plg_figure_text (grid->figure, x, grid->layout.header - 4, PLG_ANCHOR_MIDDLE, 7, FALSE,
                       role[PLG_ROLE_TEXT_DIM], name);
      return;
    }
  shape = plg_figure_rect (grid->figure, x - width / 2, RAIL_TOP, width, height, 5,
                           role[PLG_ROLE_CARD]);
  shape->stroke = role[PLG_ROLE_CARD_BORDER];
  shape->stroke_width = grid->theme->line_width;
  plg_figure_text (grid->figure, x, RAIL_TOP + height / 2 + size * 0.35, PLG_ANCHOR_MIDDLE, size, FALSE,
                   role[PLG_ROLE_TEXT], name);
}

/* The x of the rail beside COLUMN of the tiles in the nodes' column HEAD belongs to. */
static double
rail_x (const PlgGrid *grid, int head, int column)
{
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, head * grid->layout.gpus_per_node + column);

  return tile.x + tile.width + (grid->layout.tile_step_x - tile.width) / 2;
}

static double
rail_label_bottom (const PlgGrid *grid)
{
  if (grid->layout.detail == PLG_GRID_TILES)
    return grid->layout.header;
  return RAIL_TOP + (is_small (grid) ? 14 : 18);
}

/* A rail from its label down to the last node, one piece a node: the piece above a node is the
 * wire of that node's NIC. The nodes' cards hide the rest. */
static void
add_rail (PlgGrid *grid, const PlgGridWires *wires, int head, int column)
{
  const PlgGridLayout *layout = &grid->layout;
  double x = rail_x (grid, head, column);
  double y = rail_label_bottom (grid);
  int end = MIN (head + layout->node_rows, layout->nodes);

  for (int node = head; node < end; node++)
    {
      PlgRect card = plg_grid_layout_node (layout, node);
      int index = busiest_in_column (grid, wires, node, column);

      add_straight_wire (grid, x, y, x, card.y + layout->pad_top, index, link_look (grid, index));
      y = card.y + card.height - 1;
    }
}

/* The rails of the column of nodes that begins with node HEAD. */
static void
add_rails (PlgGrid *grid, const PlgGridWires *wires, int head)
{
  gboolean is_flat = grid->plan->cluster.network == PLG_NETWORK_FLAT;

  for (int column = 0; column < grid->layout.gpu_columns; column++)
    {
      g_autofree char *name = rail_name (grid, wires, column);

      if (name == NULL)
        continue;
      add_rail (grid, wires, head, column);
      if (!is_flat)
        {
          plg_figure_open (grid->figure,
                           head == 0 ? plg_figure_string (grid->figure, "rail-%d", column) : NULL,
                           "rail", NULL);
          add_rail_label (grid, rail_x (grid, head, column), name);
          plg_figure_close (grid->figure);
        }
    }
}

/* A box across the rails: the spine, or the one switch of a flat network. */
static void
add_wide_box (PlgGrid *grid, int head, double y, double height, const char *id, const char *name)
{
  const PlgColor *role = grid->theme->role;
  gboolean is_full = grid->layout.detail == PLG_GRID_FULL;
  double size = is_full ? 10.5 : 8.5;
  double left = rail_x (grid, head, 0) - (is_full ? 24 : 16);
  double right = rail_x (grid, head, grid->layout.gpu_columns - 1) + (is_full ? 24 : 16);
  PlgShape *shape;

  plg_figure_open (grid->figure, head == 0 ? id : NULL, "switch", name);
  shape = plg_figure_rect (grid->figure, left, y, right - left, height, 5, role[PLG_ROLE_CARD]);
  shape->stroke = role[PLG_ROLE_CARD_BORDER];
  shape->stroke_width = grid->theme->line_width;
  plg_figure_text (grid->figure, (left + right) / 2, y + height / 2 + size * 0.35, PLG_ANCHOR_MIDDLE,
                   size, FALSE, role[PLG_ROLE_TEXT], name);
  plg_figure_close (grid->figure);
}

static gboolean
has_spine (const PlgGrid *grid, const PlgGridWires *wires)
{
  if (wires->nics == 0 || grid->plan->cluster.network == PLG_NETWORK_FLAT)
    return FALSE;
  if (grid->plan->cluster.oversubscription > 1)
    return TRUE;
  for (guint i = 0; i < wires->uplinks->len; i++)
    if (plg_link_bytes (link_at (grid, g_array_index (wires->uplinks, int, i))) > 0)
      return TRUE;
  return FALSE;
}

static char *
spine_name (const PlgGrid *grid)
{
  double ratio = grid->plan->cluster.oversubscription;
  g_autofree char *number = NULL;

  if (!(ratio > 1))
    return g_strdup (_("spine"));
  number = plg_format_number (ratio, 3);
  return g_strdup_printf (_("spine · oversubscribed %s : 1"), number);
}

#define SPINE_TOP 7.0
#define SPINE_HEIGHT 14.0

/* The uplinks of rail LEAF, side by side between its label and the spine. */
static void
add_rail_uplinks (PlgGrid *grid, const PlgGridWires *wires)
{
  for (guint i = 0; i < wires->uplinks->len; i++)
    {
      int index = g_array_index (wires->uplinks, int, i);
      const PlgLink *link = link_at (grid, index);
      double x;

      if (link->local < 0 || link->local >= wires->nics)
        continue;
      x = rail_x (grid, 0, gpu_of_nic (grid, wires, link->local) % grid->layout.gpu_columns);
      x += (MAX (link->other, 0) % 4) * 5;
      if (!open_link (grid, index))
        continue;
      add_straight_wire (grid, x, RAIL_TOP, x, SPINE_TOP + SPINE_HEIGHT, index, link_look (grid, index));
      plg_figure_close (grid->figure);
    }
}

static void
add_spine (PlgGrid *grid, const PlgGridWires *wires, int head)
{
  g_autofree char *name = spine_name (grid);

  add_wide_box (grid, head, SPINE_TOP, SPINE_HEIGHT, "spine", name);
}

void
plg_grid_add_network (PlgGrid *grid, const PlgGridWires *wires)
{
  const PlgGridLayout *layout = &grid->layout;
  PlgNetwork network = grid->plan->cluster.network;

  plg_figure_set_layer (grid->figure, PLG_LAYER_LINKS);
  if (wires->nics == 0 || layout->detail == PLG_GRID_NODES)
    return;
  for (int head = 0; head < layout->nodes; head += layout->node_rows)
    {
      add_rails (grid, wires, head);
      if (network == PLG_NETWORK_FLAT && layout->detail <= PLG_GRID_SHORT)
        add_wide_box (grid, head, RAIL_TOP, is_small (grid) ? 14 : 18, "switch-0", _("network switch"));
      if (has_spine (grid, wires) && layout->detail <= PLG_GRID_SHORT)
        add_spine (grid, wires, head);
    }
  if (layout->detail <= PLG_GRID_SHORT && network == PLG_NETWORK_RAIL)
    add_rail_uplinks (grid, wires);
}
