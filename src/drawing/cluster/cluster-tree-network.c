/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-network.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* A tree network. Leaves are placed to the right of their nodes, and the spine to the right of
 * the leaves. */

#define LEAF_WIDTH 46.0
/* The maximum width of a leaf's name as a share of the leaf's width, which keeps the name away
 * from the frame. */
#define NAME_SHARE 0.85
#define LEAF_SPINE_GAP 10.0
#define LEAF_SPINE_WIDTH 12.0

static double
leaf_x (const PlgClusterDrawing *drawing, int node)
{
  PlgRect card = plg_cluster_layout_node (&drawing->layout, node);

  return card.x + card.width + PLG_CLUSTER_LEAF_GAP;
}

/* Returns the box of a leaf in one column of nodes. FIRST .. LAST are the nodes of the leaf in
 * this column, and the box is to their right. */
static PlgRect
leaf_rect (const PlgClusterDrawing *drawing, int first, int last)
{
  PlgRect top = plg_cluster_layout_node (&drawing->layout, first);
  PlgRect bottom = plg_cluster_layout_node (&drawing->layout, last);

  return (PlgRect) { leaf_x (drawing, first), top.y, LEAF_WIDTH, bottom.y + bottom.height - top.y };
}

/* The maximum text size of the spine's name. The name is above the spine's box, which is narrow
 * and close to the leaves. */
#define MAX_SPINE_TEXT 34.0

static void
add_leaf_uplinks (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  for (guint i = 0; i < link_map->uplinks->len; i++)
    {
      int index = g_array_index (link_map->uplinks, int, i);
      const PlgLink *link = plg_cluster_link (drawing, index);
      int node = MAX (link->local * link_map->fabric.nodes_per_leaf, drawing->layout.first);
      int end = MIN ((link->local + 1) * link_map->fabric.nodes_per_leaf, drawing->layout.end);
      PlgClusterLinkStyle style = plg_cluster_link_style (drawing, index);
      PlgRect card;
      double x, y;

      if (link->local < 0 || link->local >= link_map->fabric.leaves || node >= end ||
          !plg_cluster_shows_column (drawing, node))
        continue;
      card = plg_cluster_layout_node (&drawing->layout, node);
      x = leaf_x (drawing, node) + LEAF_WIDTH;
      y = card.y + card.height / 2 + plg_cluster_uplink_offset (link_map, link->other, 40);
      if (!plg_cluster_open_link (drawing, index))
        continue;
      /* Limit the width, so that neighbouring uplinks remain apart no matter how much traffic
       * they carry. */
      style.width = MIN (style.width, plg_cluster_uplink_spacing (link_map, 40) * 0.7);
      plg_cluster_add_link_line (drawing, x, y, x + LEAF_SPINE_GAP, y, index, style);
      plg_figure_close (drawing->figure);
    }
}

void
plg_cluster_add_tree (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  gboolean spine = plg_cluster_has_spine (drawing, link_map);

  if (spine)
    add_leaf_uplinks (drawing, link_map);
  for (int head = drawing->layout.first; spine && head < drawing->layout.end;
       head += drawing->layout.node_rows)
    {
      g_autofree char *ratio = plg_format_number (link_map->fabric.oversubscription, 3);
      g_autofree char *name = link_map->fabric.oversubscription > 1
                                  ? g_strdup_printf (_ ("spine %s : 1"), ratio)
                                  : g_strdup (_ ("spine"));
      const PlgClusterLayout *layout = &drawing->layout;
      int last = MIN (head + layout->node_rows, layout->end) - 1;
      PlgRect box = leaf_rect (drawing, head, last);
      /* Enlarge the name of the spine when the view is zoomed out. There is enough room, because
       * it is the only name above the nodes. */
      double natural = plg_cluster_network_text_size (drawing);
      double size = MAX (natural, plg_cluster_legible_length (drawing, natural, MAX_SPINE_TEXT));

      box.x += LEAF_WIDTH + LEAF_SPINE_GAP;
      box.width = LEAF_SPINE_WIDTH;
      if (plg_cluster_is_text_legible (drawing, size))
        plg_figure_text (drawing->figure, box.x + box.width,
                         plg_cluster_header_y (drawing, head, PLG_CLUSTER_RAIL_TOP + 13),
                         PLG_ANCHOR_END, size, FALSE, drawing->theme->role[PLG_ROLE_TEXT], name);
      plg_cluster_add_named_switch (drawing, box, head == layout->first ? "spine" : NULL, "spine",
                                    "");
    }
  for (int leaf = 0; leaf < link_map->fabric.leaves; leaf++)
    {
      const PlgClusterLayout *layout = &drawing->layout;
      int begin = MAX (leaf * link_map->fabric.nodes_per_leaf, layout->first);
      int end = MIN ((leaf + 1) * link_map->fabric.nodes_per_leaf, layout->end);
      g_autofree char *longest = g_strdup_printf ("%d", link_map->fabric.leaves - 1);
      double size = MIN (plg_cluster_network_text_size (drawing),
                         NAME_SHARE * LEAF_WIDTH / plg_text_width (longest, 1, FALSE));
      const char *name = plg_cluster_fit_name (drawing,
                                               plg_figure_string (drawing->figure, _ ("leaf %d"),
                                                                  leaf),
                                               plg_figure_string (drawing->figure, "%d", leaf),
                                               LEAF_WIDTH * NAME_SHARE);

      /* At high detail, draw the box even if it is too small for a name, because the NICs' lines
       * end at this box. */
      if (layout->detail > PLG_CLUSTER_DETAIL_SHORT && !plg_cluster_is_text_legible (drawing, size))
        continue;
      /* If the nodes of a leaf continue in the next column, draw one box per column. */
      for (int first = begin, last; first < end; first = last + 1)
        {
          const char *id = first == begin ? plg_figure_string (drawing->figure, "leaf-%d", leaf)
                                          : NULL;

          last = MIN (first - (first - layout->first) % layout->node_rows + layout->node_rows,
                      end) -
                 1;
          if (!plg_cluster_shows_column (drawing, first))
            continue;
          plg_cluster_add_switch (drawing, leaf_rect (drawing, first, last), id, "leaf",
                                  plg_cluster_is_text_legible (drawing, size) ? name : "", size);
        }
    }
}

PlgPoint
plg_cluster_leaf_uplink_point (const PlgClusterDrawing *drawing,
                               const PlgClusterLinkMap *link_map,
                               int leaf,
                               int spine)
{
  int head = CLAMP (leaf * link_map->fabric.nodes_per_leaf, drawing->layout.first,
                    drawing->layout.end - 1);
  PlgRect card = plg_cluster_layout_node (&drawing->layout, head);

  return (PlgPoint) { leaf_x (drawing, head) + LEAF_WIDTH + LEAF_SPINE_GAP / 2,
                      card.y + card.height / 2 + plg_cluster_uplink_offset (link_map, spine, 40) };
}
