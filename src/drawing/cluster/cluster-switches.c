/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-network.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The maximum text size as a share of the height of the box around the text. */
#define TEXT_SHARE 0.9
/* The room that a text needs below its baseline, including a small gap, as a share of the text
 * size. */
#define DESCENT 0.24
/* The minimum size of names on the screen [pixels]; smaller names cannot be recognised as text. */
#define MIN_TEXT 5.8
/* The distance between repetitions of a name in a long box on the screen [pixels]. */
#define NAME_DISTANCE 660.0

/* Returns the factor by which the boxes in the header are enlarged. The header has room for text
 * that is legible when the whole picture is visible. When the view is zoomed in, the boxes
 * shrink to their natural size: the spine remains at the upper end of the header, the rails
 * remain at the lower end, and the uplinks between them grow longer. */
static double
header_scale (const PlgClusterDrawing *drawing)
{
  return CLAMP (drawing->layout.points_per_pixel, 1, drawing->layout.header_enlargement);
}

/* Returns whether the view shows little detail although the cluster is small enough to fit on
 * the screen at natural size. Each unit of the network (the nodes that share one set of leaves)
 * then has one box instead of separate names for its rails, and this box may extend down to the
 * nodes. */
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
  /* In a tree network, the names of the leaves are next to the nodes, so the height of the
   * header does not limit the text size. */
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
  /* If the text size is below the minimum, draw the switch as a solid block instead of an empty
   * label. */
  shape = plg_figure_rect (drawing->figure, box.x, box.y, box.width, box.height, 5,
                           role[is_named ? PLG_ROLE_CARD : PLG_ROLE_CARD_BORDER]);
  shape->stroke = role[PLG_ROLE_CARD_BORDER];
  shape->stroke_width = frame;
  if (is_named)
    {
      /* Centre the name. In a box wider than the window, repeat the name so that one copy is
       * always visible. */
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

void
plg_cluster_add_fitted_switch (PlgClusterDrawing *drawing,
                               PlgRect box,
                               const char *id,
                               const char *classes,
                               const char *name,
                               double most)
{
  /* Choose a text size that fits inside the frame. If this size is below the minimum, let the
   * text overlap the frame. */
  double least = MIN (MIN_TEXT * drawing->layout.points_per_pixel, box.height * TEXT_SHARE);
  double inside = MIN (box.height * TEXT_SHARE, box.height - frame_width (drawing));
  double size = MIN (most, MAX (inside, least));

  /* Leave out a box whose name would not be legible. */
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
  plg_cluster_add_fitted_switch (drawing, box, id, classes, name,
                                 plg_cluster_network_text_size (drawing));
}

/* Rails and flat networks, whose lines run down along the columns of GPU tiles */

double
plg_cluster_rail_x (const PlgClusterDrawing *drawing, int head, int column)
{
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout,
                                         head * drawing->layout.gpus_per_node + column);

  return tile.x + tile.width + (drawing->layout.tile_step_x - tile.width) / 2;
}

PlgRect
plg_cluster_rails_box (const PlgClusterDrawing *drawing, int head, double y, double height)
{
  double beyond = plg_cluster_is_small (drawing) ? 16 : 24;
  double left = plg_cluster_rail_x (drawing, head, 0) - beyond;
  double right = plg_cluster_rail_x (drawing, head, drawing->layout.gpu_columns - 1) + beyond;

  return (PlgRect) { left, y, right - left, height };
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
      /* Draw the spine only if an uplink has traffic or is highlighted. Test the calls as well
       * as the bytes, because a redacted report may lack the bytes. */
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

/* Adds one box above all columns of nodes, because all columns and racks share one network. */
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
                       : plg_cluster_rails_box (drawing, head, y, height);

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
