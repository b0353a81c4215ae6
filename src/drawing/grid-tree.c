/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-network.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* A tree: leaves to the right of the nodes that they serve, the spine to the right of them. */

/* Boxes to the right of the nodes in a tree network. */
#define LEAF_WIDTH 46.0
/* Of that, what a name has: the rest keeps it off the frame. */
#define NAME_SHARE 0.85
#define LEAF_SPINE_GAP 10.0
#define LEAF_SPINE_WIDTH 12.0

static double
leaf_x (const PlgGrid *grid, int node)
{
  PlgRect card = plg_grid_layout_node (&grid->layout, node);

  return card.x + card.width + PLG_GRID_LEAF_GAP;
}

/* The box of LEAF beside its nodes from FIRST on, in one column of nodes. */
static PlgRect
leaf_rect (const PlgGrid *grid, int first, int last)
{
  PlgRect top = plg_grid_layout_node (&grid->layout, first);
  PlgRect bottom = plg_grid_layout_node (&grid->layout, last);

  return (PlgRect) { leaf_x (grid, first), top.y, LEAF_WIDTH, bottom.y + bottom.height - top.y };
}

/* So large the names of leaves are: all the same, as the number of the last one has room. */
static double
leaf_text (const PlgGrid *grid, const PlgGridWires *wires)
{
  g_autofree char *longest = g_strdup_printf ("%d", wires->fabric.leaves - 1);

  return MIN (plg_grid_network_text (grid),
              NAME_SHARE * LEAF_WIDTH / plg_text_width (longest, 1, FALSE));
}

static void
add_leaf (PlgGrid *grid, const PlgGridWires *wires, int leaf)
{
  const PlgGridLayout *layout = &grid->layout;
  int begin = MAX (leaf * wires->fabric.nodes_per_leaf, layout->first);
  int end = MIN ((leaf + 1) * wires->fabric.nodes_per_leaf, layout->end);
  double size = leaf_text (grid, wires);
  const char *name = plg_grid_fitting (grid, plg_figure_string (grid->figure, _ ("leaf %d"), leaf),
                                       plg_figure_string (grid->figure, "%d", leaf),
                                       LEAF_WIDTH * NAME_SHARE);

  /* Where the lines of NICs are drawn they end at a box, whether or not it can be named. */
  if (layout->detail > PLG_GRID_SHORT && !plg_grid_can_read (grid, size))
    return;
  /* A leaf whose nodes go on in the next column has a box in each. */
  for (int first = begin, last; first < end; first = last + 1)
    {
      const char *id = first == begin ? plg_figure_string (grid->figure, "leaf-%d", leaf) : NULL;

      last = MIN (first - (first - layout->first) % layout->node_rows + layout->node_rows, end) - 1;
      if (!plg_grid_shows_column (grid, first))
        continue;
      plg_grid_add_block (grid, leaf_rect (grid, first, last), id, "leaf",
                          plg_grid_can_read (grid, size) ? name : "", size);
    }
}

/* So large the name of the spine is at most, whose box beside the leaves is narrow. */
#define MOST_SPINE_TEXT 34.0

static void
add_leaf_spine (PlgGrid *grid, const PlgGridWires *wires, int head)
{
  g_autofree char *ratio = plg_format_number (wires->fabric.oversubscription, 3);
  g_autofree char *name = wires->fabric.oversubscription > 1
                              ? g_strdup_printf (_ ("spine %s : 1"), ratio)
                              : g_strdup (_ ("spine"));
  const PlgGridLayout *layout = &grid->layout;
  int last = MIN (head + layout->node_rows, layout->end) - 1;
  PlgRect box = leaf_rect (grid, head, last);
  /* Nothing else stands above the nodes. */
  double natural = plg_grid_network_text (grid);
  double size = MAX (natural, plg_grid_legible (grid, natural, MOST_SPINE_TEXT));

  box.x += LEAF_WIDTH + LEAF_SPINE_GAP;
  box.width = LEAF_SPINE_WIDTH;
  if (plg_grid_can_read (grid, size))
    plg_figure_text (grid->figure, box.x + box.width,
                     plg_grid_header_y (grid, head, PLG_GRID_RAIL_TOP + 13), PLG_ANCHOR_END, size,
                     FALSE, grid->theme->role[PLG_ROLE_TEXT], name);
  plg_grid_add_box (grid, box, head == layout->first ? "spine" : NULL, "spine", "");
}

/* Neighbours never touch, however much they carry. */
static void
add_uplink (PlgGrid *grid, int index, PlgPoint from, PlgPoint to, double spacing)
{
  PlgGridLook look = plg_grid_look (grid, index);

  if (!plg_grid_open_link (grid, index))
    return;
  look.width = MIN (look.width, spacing * 0.7);
  plg_grid_add_straight (grid, from.x, from.y, to.x, to.y, index, look);
  plg_figure_close (grid->figure);
}

static void
add_leaf_uplinks (PlgGrid *grid, const PlgGridWires *wires)
{
  for (guint i = 0; i < wires->uplinks->len; i++)
    {
      int index = g_array_index (wires->uplinks, int, i);
      const PlgLink *link = plg_grid_link (grid, index);
      int node = MAX (link->local * wires->fabric.nodes_per_leaf, grid->layout.first);
      int end = MIN ((link->local + 1) * wires->fabric.nodes_per_leaf, grid->layout.end);
      PlgRect card;
      double x, y;

      if (link->local < 0 || link->local >= wires->fabric.leaves || node >= end ||
          !plg_grid_shows_column (grid, node))
        continue;
      card = plg_grid_layout_node (&grid->layout, node);
      x = leaf_x (grid, node) + LEAF_WIDTH;
      y = card.y + card.height / 2 + plg_grid_uplink_offset (wires, link->other, 40);
      add_uplink (grid, index, (PlgPoint) { x, y }, (PlgPoint) { x + LEAF_SPINE_GAP, y },
                  plg_grid_uplink_spacing (wires, 40));
    }
}

void
plg_grid_add_tree (PlgGrid *grid, const PlgGridWires *wires)
{
  gboolean spine = plg_grid_has_spine (grid, wires);

  if (spine)
    add_leaf_uplinks (grid, wires);
  for (int head = grid->layout.first; spine && head < grid->layout.end;
       head += grid->layout.node_rows)
    add_leaf_spine (grid, wires, head);
  for (int leaf = 0; leaf < wires->fabric.leaves; leaf++)
    add_leaf (grid, wires, leaf);
}


PlgPoint
plg_grid_leaf_uplink_point (const PlgGrid *grid, const PlgGridWires *wires, int leaf, int spine)
{
  int head = CLAMP (leaf * wires->fabric.nodes_per_leaf, grid->layout.first, grid->layout.end - 1);
  PlgRect card = plg_grid_layout_node (&grid->layout, head);

  return (PlgPoint) { leaf_x (grid, head) + LEAF_WIDTH + LEAF_SPINE_GAP / 2,
                      card.y + card.height / 2 + plg_grid_uplink_offset (wires, spine, 40) };
}
