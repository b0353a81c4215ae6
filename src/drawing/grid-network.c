/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-network.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>


/* Of the height of a box. */
#define TEXT_SHARE 0.9
/* Of the size of a text, with a little air. */
#define DESCENT 0.24
/* On the screen, in pixels: names that have less only look like dirt. */
#define LEAST_TEXT 5.8
/* On the screen, in pixels: from name to name of a box that is longer. */
#define NAMES_APART 660.0

/* A header has room for texts that can be read when the whole is seen. Closer its boxes are drawn
 * smaller, down to their natural size: the spine at the upper end of that room, the rails at the
 * lower one, and the uplinks between them are as long as it is. */
static double
header_scale (const PlgGrid *grid)
{
  return CLAMP (grid->layout.grain, 1, grid->layout.header_enlarged);
}

/* Whether few nodes, whose header is not enlarged, are seen from afar: then a unit has one box in
 * the place of its rails' names, and that may reach down to the nodes. */
static gboolean
has_low_box (const PlgGrid *grid)
{
  return grid->options->zoom > 0 && grid->layout.detail > PLG_GRID_SHORT &&
         grid->layout.enlarged <= 1;
}

double
plg_grid_rail_height (const PlgGrid *grid)
{
  if (plg_grid_is_small (grid))
    return 14;
  return plg_grid_legible (grid, 18, has_low_box (grid) ? 27 : 22) * header_scale (grid);
}

double
plg_grid_network_text (const PlgGrid *grid)
{
  /* Leaves of a tree have their names beside the nodes, where the header is no matter. */
  gboolean has_least = grid->layout.detail > PLG_GRID_SHORT ||
                       grid->plan->cluster.network == PLG_NETWORK_TREE;
  double least = grid->options->zoom > 0 && has_least ? LEAST_TEXT * grid->layout.grain : 0;

  if (plg_grid_is_small (grid))
    return MAX (8.5, least);
  return MAX (least,
              plg_grid_legible (grid, 10.5, (has_low_box (grid) ? 24 : 16) * header_scale (grid)));
}

gboolean
plg_grid_can_read (const PlgGrid *grid, double size)
{
  return grid->options->zoom <= 0 || size >= LEAST_TEXT * grid->layout.grain;
}

double
plg_grid_header_y (const PlgGrid *grid, int head, double distance)
{
  double natural = grid->layout.header / grid->layout.header_enlarged;

  return plg_grid_layout_node (&grid->layout, head).y - (natural - distance) * header_scale (grid);
}

double
plg_grid_spine_y (const PlgGrid *grid, int head, double distance)
{
  return plg_grid_layout_node (&grid->layout, head).y - grid->layout.header +
         distance * header_scale (grid);
}

/* NAME where it fits WIDTH at the size of the texts, else BRIEF. */
const char *
plg_grid_fitting (const PlgGrid *grid, const char *name, const char *brief, double width)
{
  return plg_text_width (name, plg_grid_network_text (grid), FALSE) <= width ? name : brief;
}

gboolean
plg_grid_shows_column (const PlgGrid *grid, int head)
{
  return plg_grid_layout_shows_column (&grid->layout, head, grid->options->visible);
}

/* Below the middle of a box, where the letters seem to be in it; less where it is so low that the
 * foot of a p would be on its frame, FRAME points wide. */
static double
baseline (PlgRect box, double size, double frame)
{
  return CLAMP ((box.height - frame) / 2 - size * DESCENT, size * 0.26, size * 0.35);
}

/* In the middle; of a box that is longer than the window, again and again, so that it is in sight
 * wherever one looks. */
static void
add_names (const PlgGrid *grid, PlgRect box, double size, double frame, const char *name)
{
  double apart = grid->options->zoom > 0 ? NAMES_APART * grid->layout.grain : box.width;
  int n = MAX ((int) ceil (box.width / apart), 1);

  for (int i = 0; i < n && *name != '\0'; i++)
    plg_figure_text (grid->figure, box.x + box.width * (i + 0.5) / n,
                     box.y + box.height / 2 + baseline (box, size, frame), PLG_ANCHOR_MIDDLE, size,
                     FALSE, grid->theme->role[PLG_ROLE_TEXT], name);
}

double
plg_grid_least_box (const PlgGrid *grid)
{
  return LEAST_TEXT * grid->layout.grain / TEXT_SHARE / header_scale (grid);
}

static double
frame_width (const PlgGrid *grid)
{
  return plg_grid_legible (grid, grid->theme->line_width, 20);
}

void
plg_grid_add_block (PlgGrid *grid,
                    PlgRect box,
                    const char *id,
                    const char *classes,
                    const char *name,
                    double size)
{
  const PlgColor *role = grid->theme->role;
  double frame = frame_width (grid);
  gboolean is_named = size >= plg_grid_least_text (grid);
  PlgShape *shape;

  plg_figure_open (grid->figure, id, classes, name);
  /* While one presents there is no room for it: a block stands for the switch, not an empty label.
   */
  shape = plg_figure_rect (grid->figure, box.x, box.y, box.width, box.height, 5,
                           role[is_named ? PLG_ROLE_CARD : PLG_ROLE_CARD_BORDER]);
  shape->stroke = role[PLG_ROLE_CARD_BORDER];
  shape->stroke_width = frame;
  if (is_named)
    add_names (grid, box, size, frame, name);
  plg_figure_close (grid->figure);
}

/* With its NAME no larger than MOST. */
static void
add_fitted_box (PlgGrid *grid,
                PlgRect box,
                const char *id,
                const char *classes,
                const char *name,
                double most)
{
  /* Within its frame, but no less than can be read. */
  double least = MIN (LEAST_TEXT * grid->layout.grain, box.height * TEXT_SHARE);
  double inside = MIN (box.height * TEXT_SHARE, box.height - frame_width (grid));
  double size = MIN (most, MAX (inside, least));

  /* A box is there for its name. */
  if (*name == '\0' || plg_grid_can_read (grid, size))
    plg_grid_add_block (grid, box, id, classes, name, size);
}

void
plg_grid_add_box (PlgGrid *grid, PlgRect box, const char *id, const char *classes, const char *name)
{
  add_fitted_box (grid, box, id, classes, name, plg_grid_network_text (grid));
}

/* Rails and flat networks: wires that run down beside the columns of tiles. */

double
plg_grid_rail_x (const PlgGrid *grid, int head, int column)
{
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, head * grid->layout.gpus_per_node + column);

  return tile.x + tile.width + (grid->layout.tile_step_x - tile.width) / 2;
}

static int
busiest_nic (const PlgGrid *grid, const PlgGridWires *wires, int node, int column)
{
  int index = -1;

  for (int nic = 0; nic < wires->nics; nic++)
    if (plg_grid_nic_column (grid, wires, nic) == column)
      index = plg_grid_busier (grid, index, wires->nic_link[node * wires->nics + nic]);
  return index;
}

/* What the rails beside COLUMN are called, NULL where there are none. */
static char *
rail_name (const PlgGrid *grid, const PlgGridWires *wires, int column)
{
  int first = -1, n = 0;

  for (int nic = wires->nics - 1; nic >= 0; nic--)
    if (plg_grid_nic_column (grid, wires, nic) == column)
      {
        first = nic;
        n++;
      }
  if (n == 0)
    return NULL;
  /* In a rack each tray has NICs on rails of their own: 0, 4, 8 … would be cut off. */
  if (n > 1)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d rail", "%d rails", n), n);
  return g_strdup_printf (_ ("rail %d"), first);
}

/* A unit whose nodes go on in the next column has labels in each; they are named once. */
static const char *
rail_id (const PlgGrid *grid, const PlgGridWires *wires, int head, int column)
{
  int unit = head / wires->fabric.nodes_per_leaf;

  if (head % wires->fabric.nodes_per_leaf != 0)
    return NULL;
  if (unit == 0)
    return plg_figure_string (grid->figure, "rail-%d", column);
  return plg_figure_string (grid->figure, "unit-%d-rail-%d", unit, column);
}

/* So wide are the names of rails at most. */
static double
most_rail_width (const PlgGrid *grid)
{
  return grid->layout.tile_step_x - 4;
}

/* Half of the width that a name has beside COLUMN: right of the last one the next nodes begin. */
static double
half_room (const PlgGrid *grid, int head, int column)
{
  PlgRect card = plg_grid_layout_node (&grid->layout, head);
  double right = card.x - grid->layout.label_width + grid->layout.node_step_x - 2;
  double half = most_rail_width (grid) / 2;

  if (column < grid->layout.gpu_columns - 1 || grid->layout.leaf_width > 0)
    return half;
  return MIN (half, right - plg_grid_rail_x (grid, head, column));
}

/* How large NAME, which nothing short stands for, is beside every column: so that it has room
 * beside the last one as well. */
static double
rail_text (const PlgGrid *grid, int head, const char *name)
{
  double last = 2 * half_room (grid, head, grid->layout.gpu_columns - 1);
  double room = MIN (most_rail_width (grid), last) - 3;

  return MIN (plg_grid_network_text (grid), room / plg_text_width (name, 1, FALSE));
}

/* "18 rails" as large as that can be, or "18". */
static const char *
fitting_count (const PlgGrid *grid, int head, const char *name, double *size)
{
  *size = rail_text (grid, head, name);
  if (plg_grid_can_read (grid, *size))
    return name;
  name = plg_figure_string (grid->figure, "%d", (int) g_ascii_strtoll (name, NULL, 10));
  *size = rail_text (grid, head, name);
  return name;
}

/* As it is, or its number, where all that it says does not fit. */
static const char *
fitting_rail (const PlgGrid *grid, int head, const char *name, double *size)
{
  const char *number = strrchr (name, ' ');

  if (g_ascii_isdigit (*name))
    return fitting_count (grid, head, name, size);
  *size = plg_grid_network_text (grid);
  return plg_grid_fitting (grid, name, number != NULL ? number + 1 : name, most_rail_width (grid));
}

static void
add_rail_label (PlgGrid *grid, const PlgGridWires *wires, int head, int column, const char *name)
{
  double x = plg_grid_rail_x (grid, head, column), height = plg_grid_rail_height (grid);
  double most = most_rail_width (grid), room = 2 * half_room (grid, head, column);
  double size;
  const char *shown = fitting_rail (grid, head, name, &size);
  double text = plg_text_width (shown, size, FALSE);
  double width = MIN (text + (plg_grid_is_small (grid) ? 8 : 16), MAX (most, 20));
  const char *id = rail_id (grid, wires, head, column);

  width = MIN (width, MAX (room, text + 3));
  x = MIN (x, x + (room - width) / 2);
  add_fitted_box (grid,
                  (PlgRect) { x - width / 2, plg_grid_header_y (grid, head, PLG_GRID_RAIL_TOP),
                              width, height },
                  id, "rail", shown, size);
}

/* The lowest NIC beside COLUMN: down to it runs the rail. */
static double
rail_end (const PlgGrid *grid, const PlgGridWires *wires, int node, int column)
{
  double y = 0;

  for (int nic = 0; nic < wires->nics; nic++)
    if (plg_grid_nic_column (grid, wires, nic) == column)
      y = MAX (y, plg_grid_nic_point (grid, wires, node, nic).y);
  return y;
}

/* Beside rings alone, where only what is lit is drawn: the cable of the next lit NIC below runs
 * along here too. */
static int
lit_nic_below (const PlgGrid *grid, const PlgGridWires *wires, int node, int last, int column)
{
  for (; node <= last; node++)
    {
      int index = busiest_nic (grid, wires, node, column);

      if (plg_grid_draws_link (grid, index))
        return index;
    }
  return -1;
}

/* Past a NIC that has failed the cables of the nodes below run on. */
static int
sound_nic_below (const PlgGrid *grid, const PlgGridWires *wires, int node, int last, int column)
{
  int own = busiest_nic (grid, wires, node, column);

  for (int below = node; below <= last; below++)
    {
      int index = busiest_nic (grid, wires, below, column);

      if (plg_grid_link_rate (grid, index) > 0.0)
        return index;
    }
  return own;
}

/* A wire from the top down to the last node, one piece a node: what leads to a node from the one
 * above it has the look of that node's NIC. */
static void
add_rail (PlgGrid *grid, const PlgGridWires *wires, int head, int column)
{
  const PlgGridLayout *layout = &grid->layout;
  double x = plg_grid_rail_x (grid, head, column);
  double y = plg_grid_header_y (grid, head, PLG_GRID_RAIL_TOP) + plg_grid_rail_height (grid);

  int last = MIN (head + layout->node_rows, layout->end) - 1;

  for (int node = MAX (head, layout->begin); node <= last; node++)
    {
      double end = rail_end (grid, wires, node, column);
      int index = grid->options->rings ? lit_nic_below (grid, wires, node, last, column)
                                       : sound_nic_below (grid, wires, node, last, column);

      if (plg_grid_shows_node (grid, node) || node == head)
        plg_grid_add_bar (grid, x, y, x, end, index, plg_grid_look (grid, index));
      y = end;
    }
}

/* From the first rail to the last, a little beyond both. */
static PlgRect
across_rails (const PlgGrid *grid, int head, double y, double height)
{
  double beyond = plg_grid_is_small (grid) ? 16 : 24;
  double left = plg_grid_rail_x (grid, head, 0) - beyond;
  double right = plg_grid_rail_x (grid, head, grid->layout.gpu_columns - 1) + beyond;

  return (PlgRect) { left, y, right - left, height };
}

/* Which unit the rails of this column of nodes belong to, left of their names, and clear of those
 * of the column before it. */
static void
add_unit_name (PlgGrid *grid, const PlgGridWires *wires, int head)
{
  int unit = head / wires->fabric.nodes_per_leaf;
  double size = plg_grid_network_text (grid);
  double right = plg_grid_rail_x (grid, head, 0) - most_rail_width (grid) / 2 - 4;
  double left = plg_grid_layout_node (&grid->layout, head).x - grid->layout.label_width;
  const char *name = plg_grid_fitting (grid, plg_figure_string (grid->figure, _ ("unit %d"), unit),
                                       plg_figure_string (grid->figure, "%d", unit),
                                       (right - left) * 0.95);

  plg_figure_text (grid->figure, right,
                   plg_grid_header_y (grid, head, PLG_GRID_RAIL_TOP) +
                       plg_grid_rail_height (grid) / 2 + size * 0.35,
                   PLG_ANCHOR_END, size, TRUE, grid->theme->role[PLG_ROLE_TEXT], name);
}

static void
add_rails (PlgGrid *grid, const PlgGridWires *wires, int head)
{
  gboolean is_flat = grid->plan->cluster.network == PLG_NETWORK_FLAT;

  if (wires->fabric.units > 1)
    add_unit_name (grid, wires, head);

  for (int column = 0; column < grid->layout.gpu_columns; column++)
    {
      g_autofree char *name = rail_name (grid, wires, column);

      if (name == NULL)
        continue;
      add_rail (grid, wires, head, column);
      if (!is_flat)
        add_rail_label (grid, wires, head, column, name);
    }
  if (is_flat)
    plg_grid_add_box (grid,
                      across_rails (grid, head, plg_grid_header_y (grid, head, PLG_GRID_RAIL_TOP),
                                    plg_grid_rail_height (grid)),
                      head == 0 ? "leaf-0" : NULL, "leaf", _ ("network switch"));
}

/* The spine. */

/* An idle one is none, as long as nobody asks for it. Bytes may be hidden where calls are not. */
static gboolean
is_worth_a_line (const PlgGrid *grid, int uplink)
{
  const PlgLink *link = plg_grid_link (grid, uplink);

  return plg_link_bytes (link) > 0 || link->calls > 0 || plg_grid_lights (grid, uplink);
}

gboolean
plg_grid_has_spine (const PlgGrid *grid, const PlgGridWires *wires)
{
  if (wires->fabric.spines == 0)
    return FALSE;
  if (grid->plan->cluster.network == PLG_NETWORK_TREE || wires->fabric.units > 1 ||
      wires->fabric.oversubscription > 1)
    return TRUE;
  for (guint i = 0; i < wires->uplinks->len; i++)
    if (is_worth_a_line (grid, g_array_index (wires->uplinks, int, i)))
      return TRUE;
  return FALSE;
}

static char *
spine_name (const PlgGridWires *wires)
{
  g_autofree char *ratio = plg_format_number (wires->fabric.oversubscription, 3);

  if (wires->fabric.oversubscription > 1)
    return g_strdup_printf (_ ("spine · oversubscribed %s : 1"), ratio);
  return g_strdup (_ ("spine"));
}

/* The head of the last column of nodes beside HEAD's. */
int
plg_grid_last_of_band (const PlgGridLayout *layout, int head)
{
  int column = (head - layout->first) / layout->node_rows;
  int last = column - column % layout->node_columns + layout->node_columns - 1;
  int last_of_all = (layout->end - 1 - layout->first) / layout->node_rows;

  return layout->first + MIN (last, last_of_all) * layout->node_rows;
}

/* One box above all columns of nodes: there is one network, however many columns or racks. */
void
plg_grid_add_spine (PlgGrid *grid,
                    const PlgGridWires *wires,
                    int head,
                    double natural_height,
                    gboolean is_far)
{
  g_autofree char *name = spine_name (wires);
  double y = plg_grid_spine_y (grid, head, is_far ? PLG_GRID_FAR_SPINE_TOP : PLG_GRID_SPINE_TOP);
  double height = natural_height * header_scale (grid);
  int last = plg_grid_last_of_band (&grid->layout, head);
  const char *id = head == grid->layout.first ? "spine" : NULL;
  PlgRect first = plg_grid_layout_node (&grid->layout, head);
  PlgRect box = is_far ? (PlgRect) { first.x, y, first.width, height }
                       : across_rails (grid, head, y, height);

  if ((head - grid->layout.first) / grid->layout.node_rows % grid->layout.node_columns != 0)
    return;
  box.width += plg_grid_layout_node (&grid->layout, last).x - first.x;
  plg_grid_add_box (grid, box, id, "spine", name);
}

static void
add_rail_network (PlgGrid *grid, const PlgGridWires *wires)
{
  gboolean spine = plg_grid_has_spine (grid, wires);

  for (int head = grid->layout.first; head < grid->layout.end; head += grid->layout.node_rows)
    {
      if (spine)
        plg_grid_add_spine (grid, wires, head, PLG_GRID_SPINE_HEIGHT, FALSE);
      if (plg_grid_shows_column (grid, head))
        add_rails (grid, wires, head);
    }
  if (spine)
    plg_grid_add_rail_uplinks (grid, wires);
}

/* Switches are drawn with what leads to them. */
static gboolean
draws_network (const PlgGrid *grid, const PlgGridWires *wires)
{
  for (int i = 0; i < grid->layout.nodes * wires->nics; i++)
    if (plg_grid_draws_link (grid, wires->nic_link[i]))
      return TRUE;
  for (guint i = 0; i < wires->uplinks->len; i++)
    if (plg_grid_draws_link (grid, g_array_index (wires->uplinks, int, i)))
      return TRUE;
  return FALSE;
}

void
plg_grid_add_network (PlgGrid *grid, const PlgGridWires *wires)
{
  gboolean is_far = grid->layout.detail > PLG_GRID_SHORT;

  plg_figure_set_layer (grid->figure, PLG_LAYER_LINKS);
  if (!draws_network (grid, wires) || (is_far && grid->options->zoom <= 0))
    return;
  if (grid->plan->cluster.network == PLG_NETWORK_TREE)
    plg_grid_add_tree (grid, wires);
  else if (is_far)
    plg_grid_add_overview (grid, wires);
  else
    add_rail_network (grid, wires);
}
