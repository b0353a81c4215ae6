/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-network.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The size of a text as a share of the height of its box. */
#define TEXT_SHARE 0.9
/* The descent of a text with some air, as a share of its size. */
#define DESCENT 0.24
/* The least size of names on the screen [pixels]; smaller names look like dirt. */
#define MIN_TEXT 5.8
/* The distance of repeated names in a long box on the screen [pixels]. */
#define NAME_DISTANCE 660.0

/* A header has room for texts that are legible when the whole picture is visible. At a closer zoom
 * its boxes shrink down to their natural size: the spine stays at the upper end of the header, the
 * rails at the lower end, and the uplinks between them grow longer. */
static double
header_scale (const PlgClusterDrawing *drawing)
{
  return CLAMP (drawing->layout.points_per_pixel, 1, drawing->layout.header_enlargement);
}

/* Whether few nodes, with a header of natural size, are seen from afar. Then a unit has one box
 * instead of the names of its rails, and the box may reach down to the nodes. */
static gboolean
has_low_box (const PlgClusterDrawing *drawing)
{
  return drawing->options->zoom > 0 && drawing->layout.detail > PLG_CLUSTER_DETAIL_SHORT &&
         drawing->layout.enlarged <= 1;
}

double
plg_cluster_rail_height (const PlgClusterDrawing *drawing)
{
  if (plg_cluster_is_small (drawing))
    return 14;
  return plg_cluster_legible_length (drawing, 18, has_low_box (drawing) ? 27 : 22) *
         header_scale (drawing);
}

double
plg_cluster_network_text_size (const PlgClusterDrawing *drawing)
{
  /* Leaves of a tree have their names beside the nodes, so the header does not limit them. */
  gboolean has_least = drawing->layout.detail > PLG_CLUSTER_DETAIL_SHORT ||
                       drawing->plan->cluster.network == PLG_NETWORK_TREE;
  double least = drawing->options->zoom > 0 && has_least
                     ? MIN_TEXT * drawing->layout.points_per_pixel
                     : 0;

  if (plg_cluster_is_small (drawing))
    return MAX (8.5, least);
  return MAX (least, plg_cluster_legible_length (drawing, 10.5,
                                                 (has_low_box (drawing) ? 24 : 16) *
                                                     header_scale (drawing)));
}

gboolean
plg_cluster_is_text_legible (const PlgClusterDrawing *drawing, double size)
{
  return drawing->options->zoom <= 0 || size >= MIN_TEXT * drawing->layout.points_per_pixel;
}

double
plg_cluster_header_y (const PlgClusterDrawing *drawing, int head, double distance)
{
  double natural = drawing->layout.header / drawing->layout.header_enlargement;

  return plg_cluster_layout_node (&drawing->layout, head).y -
         (natural - distance) * header_scale (drawing);
}

double
plg_cluster_spine_y (const PlgClusterDrawing *drawing, int head, double distance)
{
  return plg_cluster_layout_node (&drawing->layout, head).y - drawing->layout.header +
         distance * header_scale (drawing);
}

const char *
plg_cluster_fit_name (const PlgClusterDrawing *drawing,
                      const char *name,
                      const char *brief,
                      double width)
{
  return plg_text_width (name, plg_cluster_network_text_size (drawing), FALSE) <= width ? name
                                                                                        : brief;
}

gboolean
plg_cluster_shows_column (const PlgClusterDrawing *drawing, int head)
{
  return plg_cluster_layout_shows_column (&drawing->layout, head, drawing->options->visible);
}

double
plg_cluster_min_box_height (const PlgClusterDrawing *drawing)
{
  return MIN_TEXT * drawing->layout.points_per_pixel / TEXT_SHARE / header_scale (drawing);
}

static double
frame_width (const PlgClusterDrawing *drawing)
{
  return plg_cluster_legible_length (drawing, drawing->theme->line_width, 20);
}

void
plg_cluster_add_switch (PlgClusterDrawing *drawing,
                        PlgRect box,
                        const char *id,
                        const char *classes,
                        const char *name,
                        double size)
{
  const PlgColor *role = drawing->theme->role;
  double frame = frame_width (drawing);
  gboolean is_named = size >= plg_cluster_min_text_size (drawing);
  PlgShape *shape;

  plg_figure_open (drawing->figure, id, classes, name);
  /* If large texts leave no room for the name, the switch is a solid block, not an empty label. */
  shape = plg_figure_rect (drawing->figure, box.x, box.y, box.width, box.height, 5,
                           role[is_named ? PLG_ROLE_CARD : PLG_ROLE_CARD_BORDER]);
  shape->stroke = role[PLG_ROLE_CARD_BORDER];
  shape->stroke_width = frame;
  if (is_named)
    {
      /* The name stands in the middle; in a box longer than the window it is repeated, so that one
       * copy is visible everywhere. */
      double apart = drawing->options->zoom > 0 ? NAME_DISTANCE * drawing->layout.points_per_pixel
                                                : box.width;
      int n = MAX ((int) ceil (box.width / apart), 1);

      for (int i = 0; i < n && *name != '\0'; i++)
        plg_figure_text (drawing->figure, box.x + box.width * (i + 0.5) / n,
                         box.y + box.height / 2 +
                             CLAMP ((box.height - frame) / 2 - size * DESCENT, size * 0.26,
                                    size * 0.35),
                         PLG_ANCHOR_MIDDLE, size, FALSE, drawing->theme->role[PLG_ROLE_TEXT], name);
    }
  plg_figure_close (drawing->figure);
}

/* Adds a switch with NAME in a size of at most MOST. */
static void
add_fitted_box (PlgClusterDrawing *drawing,
                PlgRect box,
                const char *id,
                const char *classes,
                const char *name,
                double most)
{
  /* The name fits the frame, but is not smaller than the least size. */
  double least = MIN (MIN_TEXT * drawing->layout.points_per_pixel, box.height * TEXT_SHARE);
  double inside = MIN (box.height * TEXT_SHARE, box.height - frame_width (drawing));
  double size = MIN (most, MAX (inside, least));

  /* Without a legible name there is no box. */
  if (*name == '\0' || plg_cluster_is_text_legible (drawing, size))
    plg_cluster_add_switch (drawing, box, id, classes, name, size);
}

void
plg_cluster_add_named_switch (PlgClusterDrawing *drawing,
                              PlgRect box,
                              const char *id,
                              const char *classes,
                              const char *name)
{
  add_fitted_box (drawing, box, id, classes, name, plg_cluster_network_text_size (drawing));
}

/* Rails and flat networks: lines that run down beside the columns of tiles */

double
plg_cluster_rail_x (const PlgClusterDrawing *drawing, int head, int column)
{
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout,
                                         head * drawing->layout.gpus_per_node + column);

  return tile.x + tile.width + (drawing->layout.tile_step_x - tile.width) / 2;
}

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

/* The greatest width of the names of rails. */
static double
most_rail_width (const PlgClusterDrawing *drawing)
{
  return drawing->layout.tile_step_x - 4;
}

/* Half the width for a name beside COLUMN; to the right of the last column the next nodes begin. */
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

/* The size of NAME, the same beside every column, so that it fits beside the last column, too. */
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
      /* "18 rails", or "18" if "18 rails" would be too small. */
      size = rail_text (drawing, head, name);
      if (!plg_cluster_is_text_legible (drawing, size))
        {
          name = plg_figure_string (drawing->figure, "%d", (int) g_ascii_strtoll (name, NULL, 10));
          size = rail_text (drawing, head, name);
        }
    }
  else
    {
      /* "rail 7", or "7" if "rail 7" does not fit. */
      size = plg_cluster_network_text_size (drawing);
      name = plg_cluster_fit_name (drawing, name, number != NULL ? number + 1 : name, most);
    }

  text = plg_text_width (name, size, FALSE);
  width = MIN (text + (plg_cluster_is_small (drawing) ? 8 : 16), MAX (most, 20));
  width = MIN (width, MAX (room, text + 3));
  x = MIN (x, x + (room - width) / 2);
  /* Only the first column of a unit has labels with ids. */
  if (head % link_map->fabric.nodes_per_leaf == 0)
    id = unit == 0 ? plg_figure_string (drawing->figure, "rail-%d", column)
                   : plg_figure_string (drawing->figure, "unit-%d-rail-%d", unit, column);
  add_fitted_box (drawing,
                  (PlgRect) { x - width / 2,
                              plg_cluster_header_y (drawing, head, PLG_CLUSTER_RAIL_TOP), width,
                              height },
                  id, "rail", name, size);
}

/* Adds a line from the top down to the last node, in one piece per node. The piece above a node has
 * the style of the NIC of the node. */
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

      /* The cable of the first working NIC at or below the node runs past failed NICs. Beside rings
       * only the cables of highlighted NICs are drawn. */
      for (int below = node; below <= last && !is_found; below++)
        {
          int nic = busiest_nic (drawing, link_map, below, column);

          is_found = has_rings ? plg_cluster_draws_link (drawing, nic)
                               : plg_cluster_link_rate (drawing, nic) > 0.0;
          index = is_found ? nic : index;
        }
      /* The rail ends at the lowest NIC beside COLUMN. */
      for (int nic = 0; nic < link_map->nics; nic++)
        if (plg_cluster_nic_column (drawing, link_map, nic) == column)
          end = MAX (end, plg_cluster_nic_point (drawing, link_map, node, nic).y);

      if (plg_cluster_shows_node (drawing, node) || node == head)
        plg_cluster_add_link_bar (drawing, x, y, x, end, index,
                                  plg_cluster_link_style (drawing, index));
      y = end;
    }
}

/* The box from the first rail to the last, and a little beyond both. */
static PlgRect
across_rails (const PlgClusterDrawing *drawing, int head, double y, double height)
{
  double beyond = plg_cluster_is_small (drawing) ? 16 : 24;
  double left = plg_cluster_rail_x (drawing, head, 0) - beyond;
  double right = plg_cluster_rail_x (drawing, head, drawing->layout.gpu_columns - 1) + beyond;

  return (PlgRect) { left, y, right - left, height };
}

static void
add_rails (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int head)
{
  gboolean is_flat = drawing->plan->cluster.network == PLG_NETWORK_FLAT;

  if (link_map->fabric.units > 1)
    {
      /* The unit of this column of nodes stands left of the names of rails, clear of the column
       * before. */
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
      /* In a rack each tray has NICs on its own rails, and 0, 4, 8 … would not fit. */
      if (n > 1)
        name = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d rail", "%d rails", n), n);
      else
        name = g_strdup_printf (_ ("rail %d"), first);
      add_rail (drawing, link_map, head, column);
      if (!is_flat)
        add_rail_label (drawing, link_map, head, column, name);
    }
  if (is_flat)
    plg_cluster_add_named_switch (drawing,
                                  across_rails (drawing, head,
                                                plg_cluster_header_y (drawing, head,
                                                                      PLG_CLUSTER_RAIL_TOP),
                                                plg_cluster_rail_height (drawing)),
                                  head == 0 ? "leaf-0" : NULL, "leaf", _ ("network switch"));
}

/* Spine */

gboolean
plg_cluster_has_spine (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  if (link_map->fabric.spines == 0)
    return FALSE;
  if (drawing->plan->cluster.network == PLG_NETWORK_TREE || link_map->fabric.units > 1 ||
      link_map->fabric.oversubscription > 1)
    return TRUE;
  for (guint i = 0; i < link_map->uplinks->len; i++)
    {
      /* An idle uplink counts only if it is highlighted. Bytes may be hidden while calls are not.
       */
      int uplink = g_array_index (link_map->uplinks, int, i);
      const PlgLink *link = plg_cluster_link (drawing, uplink);

      if (plg_link_bytes (link) > 0 || link->calls > 0 ||
          plg_cluster_is_link_highlighted (drawing, uplink))
        return TRUE;
    }
  return FALSE;
}

int
plg_cluster_last_column_of_band (const PlgClusterLayout *layout, int head)
{
  int column = (head - layout->first) / layout->node_rows;
  int last = column - column % layout->node_columns + layout->node_columns - 1;
  int last_of_all = (layout->end - 1 - layout->first) / layout->node_rows;

  return layout->first + MIN (last, last_of_all) * layout->node_rows;
}

/* Adds one box above all columns of nodes, since there is one network for all columns and racks. */
void
plg_cluster_add_spine (PlgClusterDrawing *drawing,
                       const PlgClusterLinkMap *link_map,
                       int head,
                       double natural_height,
                       gboolean is_far)
{
  g_autofree char *name = NULL;
  g_autofree char *ratio = plg_format_number (link_map->fabric.oversubscription, 3);
  double y = plg_cluster_spine_y (drawing, head,
                                  is_far ? PLG_CLUSTER_FAR_SPINE_TOP : PLG_CLUSTER_SPINE_TOP);
  double height = natural_height * header_scale (drawing);
  int last = plg_cluster_last_column_of_band (&drawing->layout, head);
  const char *id = head == drawing->layout.first ? "spine" : NULL;
  PlgRect first = plg_cluster_layout_node (&drawing->layout, head);
  PlgRect box = is_far ? (PlgRect) { first.x, y, first.width, height }
                       : across_rails (drawing, head, y, height);

  if ((head - drawing->layout.first) / drawing->layout.node_rows % drawing->layout.node_columns !=
      0)
    return;
  if (link_map->fabric.oversubscription > 1)
    name = g_strdup_printf (_ ("spine · oversubscribed %s : 1"), ratio);
  else
    name = g_strdup (_ ("spine"));
  box.width += plg_cluster_layout_node (&drawing->layout, last).x - first.x;
  plg_cluster_add_named_switch (drawing, box, id, "spine", name);
}

/* Whether any link of the network is drawn; switches are drawn only with their links. */
static gboolean
draws_network (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  for (int i = 0; i < drawing->layout.nodes * link_map->nics; i++)
    if (plg_cluster_draws_link (drawing, link_map->nic_link[i]))
      return TRUE;
  for (guint i = 0; i < link_map->uplinks->len; i++)
    if (plg_cluster_draws_link (drawing, g_array_index (link_map->uplinks, int, i)))
      return TRUE;
  return FALSE;
}

void
plg_cluster_add_network (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  gboolean is_far = drawing->layout.detail > PLG_CLUSTER_DETAIL_SHORT;

  plg_figure_set_layer (drawing->figure, PLG_LAYER_LINKS);
  if (!draws_network (drawing, link_map) || (is_far && drawing->options->zoom <= 0))
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
