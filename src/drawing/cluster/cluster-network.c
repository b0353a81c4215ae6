/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-network.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static int
busiest_nic (const PlgClusterDrawing *drawing,
             const PlgClusterLinkMap *link_map,
             int node,
             int column)
{
  int index = -1;

  for (int nic = 0; nic < link_map->nics; nic++)
    if (plg_cluster_nic_column (drawing, link_map, nic) == column)
      index = plg_cluster_busier_link (drawing, index,
                                       link_map->nic_link[node * link_map->nics + nic]);
  return index;
}

/* Returns the maximum width of a rail name [points]. */
static double
most_rail_width (const PlgClusterDrawing *drawing)
{
  return drawing->layout.tile_step_x - 4;
}

/* Returns half the width that is available to a name centred at COLUMN, which is a column of GPU
 * tiles. The last column has less room, because the next column of nodes is to its right. */
static double
half_room (const PlgClusterDrawing *drawing, int head, int column)
{
  PlgRect card = plg_cluster_layout_node (&drawing->layout, head);
  double right = card.x - drawing->layout.label_width + drawing->layout.node_step_x - 2;
  double half = most_rail_width (drawing) / 2;

  if (column < drawing->layout.gpu_columns - 1 || drawing->layout.leaf_width > 0)
    return half;
  return MIN (half, right - plg_cluster_rail_x (drawing, head, column));
}

/* Returns the text size at which NAME fits at every column. The last column has the least room. */
static double
rail_text (const PlgClusterDrawing *drawing, int head, const char *name)
{
  double last = 2 * half_room (drawing, head, drawing->layout.gpu_columns - 1);
  double room = MIN (most_rail_width (drawing), last) - 3;

  return MIN (plg_cluster_network_text_size (drawing), room / plg_text_width (name, 1, FALSE));
}

static void
add_rail_label (PlgClusterDrawing *drawing,
                const PlgClusterLinkMap *link_map,
                int head,
                int column,
                const char *name)
{
  double x = plg_cluster_rail_x (drawing, head, column), height = plg_cluster_rail_height (drawing);
  double most = most_rail_width (drawing), room = 2 * half_room (drawing, head, column);
  const char *number = strrchr (name, ' '), *id = NULL;
  int unit = head / link_map->fabric.nodes_per_leaf;
  double size, text, width;

  if (g_ascii_isdigit (*name))
    {
      /* Use a name such as "18 rails", or only "18" if the name would be too small. */
      size = rail_text (drawing, head, name);
      if (!plg_cluster_is_text_legible (drawing, size))
        {
          name = plg_figure_string (drawing->figure, "%d", (int) g_ascii_strtoll (name, NULL, 10));
          size = rail_text (drawing, head, name);
        }
    }
  else
    {
      /* Use a name such as "rail 7", or only "7" if the name does not fit. */
      size = plg_cluster_network_text_size (drawing);
      name = plg_cluster_fit_name (drawing, name, number != NULL ? number + 1 : name, most);
    }

  text = plg_text_width (name, size, FALSE);
  width = MIN (text + (plg_cluster_is_small (drawing) ? 8 : 16), MAX (most, 20));
  width = MIN (width, MAX (room, text + 3));
  x = MIN (x, x + (room - width) / 2);
  /* Only the labels above the first column of a unit have ids, because the other columns of the
   * unit repeat these labels. */
  if (head % link_map->fabric.nodes_per_leaf == 0)
    id = unit == 0 ? plg_figure_string (drawing->figure, "rail-%d", column)
                   : plg_figure_string (drawing->figure, "unit-%d-rail-%d", unit, column);
  plg_cluster_add_fitted_switch (drawing,
                                 (PlgRect) {
                                     x - width / 2,
                                     plg_cluster_header_y (drawing, head, PLG_CLUSTER_RAIL_TOP),
                                     width, height },
                                 id, "rail", name, size);
}

/* Adds a line from the header down to the last node, with one segment per node. */
static void
add_rail (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int head, int column)
{
  const PlgClusterLayout *layout = &drawing->layout;
  double x = plg_cluster_rail_x (drawing, head, column);
  double y = plg_cluster_header_y (drawing, head, PLG_CLUSTER_RAIL_TOP) +
             plg_cluster_rail_height (drawing);
  int last = MIN (head + layout->node_rows, layout->end) - 1;

  for (int node = MAX (head, layout->begin); node <= last; node++)
    {
      gboolean has_rings = drawing->options->rings, is_found = FALSE;
      int index = has_rings ? -1 : busiest_nic (drawing, link_map, node, column);
      double end = 0;

      /* The cables to all NICs farther down pass through this segment. Use the style of the
       * first of these NICs that has not failed. While rings are shown, use the style of the
       * first highlighted NIC instead, because only the cables of highlighted NICs are drawn. */
      for (int below = node; below <= last && !is_found; below++)
        {
          int nic = busiest_nic (drawing, link_map, below, column);

          is_found = has_rings ? plg_cluster_draws_link (drawing, nic)
                               : plg_cluster_link_rate (drawing, nic) > 0.0;
          index = is_found ? nic : index;
        }
      /* End the segment at the lowest NIC at COLUMN. */
      for (int nic = 0; nic < link_map->nics; nic++)
        if (plg_cluster_nic_column (drawing, link_map, nic) == column)
          end = MAX (end, plg_cluster_nic_point (drawing, link_map, node, nic).y);

      if (plg_cluster_shows_node (drawing, node) || node == head)
        plg_cluster_add_link_bar (drawing, x, y, x, end, index,
                                  plg_cluster_link_style (drawing, index));
      y = end;
    }
}

static void
add_rails (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int head)
{
  gboolean is_flat = drawing->plan->cluster.network == PLG_NETWORK_FLAT;

  if (link_map->fabric.units > 1)
    {
      /* Place the name of the unit to the left of the rail names, where it does not overlap the
       * previous column of nodes. */
      int unit = head / link_map->fabric.nodes_per_leaf;
      double size = plg_cluster_network_text_size (drawing);
      double right = plg_cluster_rail_x (drawing, head, 0) - most_rail_width (drawing) / 2 - 4;
      double left = plg_cluster_layout_node (&drawing->layout, head).x -
                    drawing->layout.label_width;
      const char *name = plg_cluster_fit_name (drawing,
                                               plg_figure_string (drawing->figure, _ ("unit %d"),
                                                                  unit),
                                               plg_figure_string (drawing->figure, "%d", unit),
                                               (right - left) * 0.95);

      plg_figure_text (drawing->figure, right,
                       plg_cluster_header_y (drawing, head, PLG_CLUSTER_RAIL_TOP) +
                           plg_cluster_rail_height (drawing) / 2 + size * 0.35,
                       PLG_ANCHOR_END, size, TRUE, drawing->theme->role[PLG_ROLE_TEXT], name);
    }

  for (int column = 0; column < drawing->layout.gpu_columns; column++)
    {
      g_autofree char *name = NULL;
      int first = -1, n = 0;

      for (int nic = link_map->nics - 1; nic >= 0; nic--)
        if (plg_cluster_nic_column (drawing, link_map, nic) == column)
          {
            first = nic;
            n++;
          }
      if (n == 0)
        continue;
      /* In a rack, the NICs at one column of tiles are on different rails. Show the number of
       * these rails, because the list 0, 4, 8 … would not fit. */
      if (n > 1)
        name = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d rail", "%d rails", n), n);
      else
        name = g_strdup_printf (_ ("rail %d"), first);
      add_rail (drawing, link_map, head, column);
      if (!is_flat)
        add_rail_label (drawing, link_map, head, column, name);
    }
  if (is_flat)
    plg_cluster_add_named_switch (
        drawing,
        plg_cluster_rails_box (drawing, head,
                               plg_cluster_header_y (drawing, head, PLG_CLUSTER_RAIL_TOP),
                               plg_cluster_rail_height (drawing)),
        head == 0 ? "leaf-0" : NULL, "leaf", _ ("network switch"));
}

void
plg_cluster_add_network (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  gboolean is_far = drawing->layout.detail > PLG_CLUSTER_DETAIL_SHORT, draws_link = FALSE;

  plg_figure_set_layer (drawing->figure, PLG_LAYER_LINKS);
  /* Draw the switches only if at least one NIC link or uplink is drawn. */
  for (int i = 0; i < drawing->layout.nodes * link_map->nics && !draws_link; i++)
    draws_link = plg_cluster_draws_link (drawing, link_map->nic_link[i]);
  for (guint i = 0; i < link_map->uplinks->len && !draws_link; i++)
    draws_link = plg_cluster_draws_link (drawing, g_array_index (link_map->uplinks, int, i));
  if (!draws_link || (is_far && drawing->options->zoom <= 0))
    return;
  if (drawing->plan->cluster.network == PLG_NETWORK_TREE)
    plg_cluster_add_tree (drawing, link_map);
  else if (is_far)
    plg_cluster_add_overview (drawing, link_map);
  else
    {
      gboolean spine = plg_cluster_has_spine (drawing, link_map);

      for (int head = drawing->layout.first; head < drawing->layout.end;
           head += drawing->layout.node_rows)
        {
          if (spine)
            plg_cluster_add_spine (drawing, link_map, head, PLG_CLUSTER_SPINE_HEIGHT, FALSE);
          if (plg_cluster_shows_column (drawing, head))
            add_rails (drawing, link_map, head);
        }
      if (spine)
        plg_cluster_add_rail_uplinks (drawing, link_map);
    }
}

PlgPoint
plg_cluster_uplink_point (const PlgClusterDrawing *drawing,
                          const PlgClusterLinkMap *link_map,
                          int leaf,
                          int spine)
{
  int unit, rail = plg_fabric_rail (&link_map->fabric, leaf, &unit), head;

  spine = plg_cluster_has_single_uplinks (drawing, link_map) ? spine : link_map->fabric.spines / 2;
  if (drawing->plan->cluster.network == PLG_NETWORK_TREE)
    return plg_cluster_leaf_uplink_point (drawing, link_map, leaf, spine);
  head = CLAMP (unit * link_map->fabric.nodes_per_leaf, drawing->layout.first,
                drawing->layout.end - 1);
  if (drawing->layout.detail > PLG_CLUSTER_DETAIL_SHORT)
    return plg_cluster_overview_uplink_point (drawing, link_map, head);
  return (PlgPoint) {
    plg_cluster_rail_x (drawing, head, plg_cluster_nic_column (drawing, link_map, rail)) +
        plg_cluster_uplink_offset (link_map, spine, plg_cluster_is_small (drawing) ? 26 : 40),
    (plg_cluster_header_y (drawing, head, PLG_CLUSTER_RAIL_TOP) +
     plg_cluster_spine_y (drawing, head, PLG_CLUSTER_SPINE_TOP + PLG_CLUSTER_SPINE_HEIGHT)) /
        2
  };
}
