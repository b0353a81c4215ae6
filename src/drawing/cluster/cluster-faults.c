/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-marks.h"
#include "drawing/cluster/cluster-network.h"

#include "plan/fault.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* The fault markers, drawn on top of all other shapes at every level of detail: a filled disc
 * with a cross for a failure, and an empty disc with a triangle for a slow GPU or link. */

/* The radius of fault markers in files [points]. */
#define RADIUS 5.5
#define SMALL_RADIUS 4.5
/* The minimum diameter of a fault marker on the screen [pixels]. The same figure is used for a
 * range of zooms, and at the lowest zoom in this range the marker has this diameter. */
#define MIN_PIXELS 14.0
/* The maximum radius of a fault marker with large text, because a larger marker would not fit
 * between GPUs [points]. */
#define MAX_RADIUS 16.0
/* The distance between the rank on a GPU's tile and the lower edge of the tile [points]. */
#define BELOW_NUMBER 14.0
/* The width of a rail name [points]. */
#define RAIL_NAME 46.0
/* The text size on a GPU's tile, and the height of a line of this text [points]. */
#define TEXT_SIZE 7.5
#define TEXT_HEIGHT 9.0

void
plg_cluster_add_fault_mark (PlgClusterDrawing *drawing,
                            double x,
                            double y,
                            double size,
                            double rate)
{
  const PlgColor *role = drawing->theme->role;
  gboolean has_failed = rate <= 0.0;
  double width = size * (has_failed ? 0.3 : 0.24);
  PlgShape *disc = plg_figure_rect (drawing->figure, x - size, y - size, 2 * size, 2 * size, size,
                                    role[has_failed ? PLG_ROLE_ERROR : PLG_ROLE_CARD]);

  /* Add an edge, so that the marker is distinct on any background. */
  disc->stroke = role[has_failed ? PLG_ROLE_CARD : PLG_ROLE_ERROR];
  disc->stroke_width = width;
  if (has_failed)
    {
      double arm = size * 0.46;
      PlgColor ink = plg_theme_text_on (drawing->theme, drawing->theme->role[PLG_ROLE_ERROR]);
      const PlgPoint up[] = { { x - arm, y + arm }, { x + arm, y - arm } };
      const PlgPoint down[] = { { x - arm, y - arm }, { x + arm, y + arm } };

      plg_figure_path (drawing->figure, up, 2, ink, width);
      plg_figure_path (drawing->figure, down, 2, ink, width);
    }
  else
    {
      double arm = size * 0.56;
      const PlgPoint corners[] = { { x - arm, y - arm * 0.55 },
                                   { x + arm, y - arm * 0.55 },
                                   { x, y + arm } };
      PlgShape *shape = plg_figure_path (drawing->figure, corners, 3, PLG_COLOR_NONE, 0);

      shape->closed = TRUE;
      shape->fill = drawing->theme->role[PLG_ROLE_ERROR];
    }
}

/* Positions of the fault markers */

static double
mark_radius (const PlgClusterDrawing *drawing)
{
  double zoom = drawing->options->zoom, least = drawing->options->min_text_size;

  if (!(zoom > 0))
    return plg_cluster_is_small (drawing) ? SMALL_RADIUS : RADIUS;
  if (least > 0)
    return MAX (MIN_PIXELS / 2 / zoom, MIN (least / 2 / zoom, MAX_RADIUS));
  return MIN_PIXELS / 2 / MIN (plg_cluster_layout_zoom_step (zoom), PLG_CLUSTER_FULL_DETAIL_ZOOM);
}

/* Returns the node of FAULT. For a faulty uplink, returns the first node that is connected to
 * the uplink's leaf. */
static int
fault_node (const PlgClusterDrawing *drawing,
            const PlgClusterLinkMap *link_map,
            const PlgFault *fault)
{
  int unit, node = 0;

  if (fault->kind == PLG_FAULT_NIC)
    return fault->first;
  if (fault->kind != PLG_FAULT_UPLINK)
    return fault->first / drawing->layout.gpus_per_node;
  if (drawing->plan->cluster.network == PLG_NETWORK_TREE)
    node = fault->first * link_map->fabric.nodes_per_leaf;
  else
    {
      plg_fabric_rail (&link_map->fabric, fault->first, &unit);
      node = unit * link_map->fabric.nodes_per_leaf;
    }
  return CLAMP (node, 0, drawing->layout.nodes - 1);
}

static PlgPoint
fault_place (const PlgClusterDrawing *drawing,
             const PlgClusterLinkMap *link_map,
             const PlgFault *fault)
{
  PlgRect tile;

  if (fault->kind == PLG_FAULT_NIC)
    {
      /* Place the marker below the ranks of the neighbouring GPUs, because a rank may be as wide
       * as its tile. */
      const PlgClusterLayout *layout = &drawing->layout;
      PlgPoint at = plg_cluster_nic_point (drawing, link_map, fault->first, fault->second);
      double bottom = plg_cluster_layout_node (layout, fault->first).y + layout->pad_top +
                      layout->tile_height;

      if (drawing->options->zoom > 0 && layout->detail <= PLG_CLUSTER_DETAIL_SHORT)
        at.y = MAX (at.y, bottom - BELOW_NUMBER + mark_radius (drawing));
      return at;
    }
  if (fault->kind == PLG_FAULT_UPLINK)
    {
      /* Place the marker above the name of the rail, or to the left of the name if there is not
       * enough room above it. */
      PlgPoint at = plg_cluster_uplink_point (drawing, link_map, fault->first, fault->second);
      int head = fault_node (drawing, link_map, fault);
      double radius = mark_radius (drawing),
             lower = plg_cluster_header_y (drawing, head, PLG_CLUSTER_RAIL_TOP);

      if (drawing->plan->cluster.network == PLG_NETWORK_TREE ||
          drawing->layout.detail > PLG_CLUSTER_DETAIL_SHORT)
        return at;
      at.y = MAX (MIN (at.y, lower - radius), radius);
      if (at.y + radius > lower + 1)
        at.x -= RAIL_NAME / 2 + radius;
      return at;
    }
  tile = plg_cluster_layout_gpu (&drawing->layout, fault->first);
  if (fault->kind == PLG_FAULT_PORT)
    return (PlgPoint) { tile.x + tile.width / 2,
                        tile.y + tile.height + (plg_cluster_is_small (drawing) ? 2.5 : 4) };
  /* Place the marker in the lower left corner, where it does not cover the rank at any text
   * size. */
  if (drawing->layout.detail <= PLG_CLUSTER_DETAIL_SHORT && drawing->options->zoom > 0)
    return (PlgPoint) { tile.x + 4, tile.y + tile.height - BELOW_NUMBER + mark_radius (drawing) };
  /* Place the marker in the upper right corner, inside the focus ring. */
  if (drawing->layout.detail <= PLG_CLUSTER_DETAIL_SHORT)
    return (PlgPoint) { tile.x + tile.width - 3 - mark_radius (drawing),
                        tile.y + 3 + mark_radius (drawing) };
  return (PlgPoint) { tile.x + tile.width / 2, tile.y + tile.height / 2 };
}

/* Finds the position of a fault marker when racks are drawn as single tiles: on the uplink for a
 * faulty uplink, otherwise in the upper right corner of the rack, where the marker does not
 * cover the rack's name. Returns FALSE if an earlier fault has already added the same kind of
 * marker to the rack. */
static gboolean
fault_place_on_rack (const PlgClusterDrawing *drawing,
                     const PlgClusterLinkMap *link_map,
                     int index,
                     PlgPoint *at)
{
  const PlgFault *faults = drawing->plan->cluster.faults, *fault = &faults[index];
  int rack = plg_cluster_layout_rack_of_node (&drawing->layout,
                                              fault_node (drawing, link_map, fault));
  int others = 0;
  PlgRect tile = plg_cluster_layout_rack (&drawing->layout, rack);
  double radius = mark_radius (drawing);

  if (fault->kind == PLG_FAULT_UPLINK)
    {
      *at = plg_cluster_uplink_point (drawing, link_map, fault->first, fault->second);
      return TRUE;
    }
  /* A rack has at most two markers, side by side: one if it contains anything slow and one if it
   * contains anything that has failed. */
  for (int i = 0; i < index; i++)
    {
      if (faults[i].rate >= 1.0 || faults[i].kind == PLG_FAULT_UPLINK ||
          plg_cluster_layout_rack_of_node (&drawing->layout,
                                           fault_node (drawing, link_map, &faults[i])) != rack)
        continue;
      if ((faults[i].rate <= 0.0) == (fault->rate <= 0.0))
        return FALSE;
      others = 1;
    }
  *at = (PlgPoint) { tile.x + tile.width - radius * (1 + 2.2 * others), tile.y + radius };
  return TRUE;
}

/* Adds the marker of FAULT and the percentage of the GPU's speed that remains, if FAULT is a GPU
 * fault. Both are between the rank and the memory on the GPU's tile, where outlines and the
 * focus ring do not cross them. Adds nothing and returns FALSE for any other fault, if there is
 * not enough room, or if the picture is for the screen, where the text would be too small. */
static gboolean
add_fault_text (PlgClusterDrawing *drawing, const PlgFault *fault)
{
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, fault->first);
  g_autofree char *percent = plg_format_number (100.0 * fault->rate, 3);
  g_autofree char *words = g_strdup_printf ("%s\u00a0%%", percent);
  double radius = TEXT_HEIGHT / 2;
  double width = plg_text_width (words, TEXT_SIZE, TRUE) + 2 * radius + 5;
  double x = tile.x + 4, y = tile.y + tile.height - 12.5 - TEXT_HEIGHT;
  PlgShape *box;

  if (fault->kind != PLG_FAULT_GPU || drawing->layout.detail != PLG_CLUSTER_DETAIL_FULL ||
      plg_cluster_is_small (drawing) || plg_cluster_has_stacked_texts (drawing) ||
      width > tile.width / 2 + 4 || drawing->options->zoom > 0)
    return FALSE;
  box = plg_figure_rect (drawing->figure, x, y, width, TEXT_HEIGHT, radius,
                         drawing->theme->role[PLG_ROLE_CARD]);
  box->stroke = drawing->theme->role[PLG_ROLE_ERROR];
  box->stroke_width = 1;
  plg_figure_text (drawing->figure, x + 2 * radius + 2, y + radius + TEXT_SIZE * 0.36,
                   PLG_ANCHOR_START, TEXT_SIZE, TRUE, drawing->theme->role[PLG_ROLE_TEXT], words);
  plg_cluster_add_fault_mark (drawing, x + radius, y + radius, radius, fault->rate);
  return TRUE;
}

void
plg_cluster_add_faults (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  const PlgCluster *cluster = &drawing->plan->cluster;

  plg_figure_set_layer (drawing->figure, PLG_LAYER_GROUPS);
  for (int i = 0; i < cluster->n_faults; i++)
    if (cluster->faults[i].rate < 1.0 &&
        plg_cluster_shows_node (drawing, fault_node (drawing, link_map, &cluster->faults[i])))
      {
        const PlgFault *fault = &cluster->faults[i];
        g_autofree char *name = plg_fault_to_string (fault);
        g_autofree char *title = plg_fault_describe (cluster, &drawing->plan->node_names, fault);
        PlgPoint at;

        if (drawing->layout.is_rack_tile)
          {
            if (!fault_place_on_rack (drawing, link_map, i, &at))
              continue;
          }
        else
          at = fault_place (drawing, link_map, fault);
        if (drawing->layout.detail == PLG_CLUSTER_DETAIL_NODES && !drawing->layout.is_rack_tile &&
            fault->kind != PLG_FAULT_UPLINK)
          {
            /* If a node is one tile, place its fault markers side by side in the tile. */
            PlgRect card = plg_cluster_layout_node (&drawing->layout,
                                                    fault_node (drawing, link_map, fault));
            double inside = MIN (mark_radius (drawing), card.width / 2);

            at.x = CLAMP (at.x, card.x + inside, card.x + card.width - inside);
            at.y = card.y + card.height / 2;
          }
        g_strdelimit (name, ":.=", '-');
        plg_figure_open (drawing->figure, plg_figure_string (drawing->figure, "fault-%s", name),
                         "fault", title);
        if (!add_fault_text (drawing, fault))
          plg_cluster_add_fault_mark (drawing, at.x, at.y, mark_radius (drawing), fault->rate);
        plg_figure_close (drawing->figure);
      }
}

/* Legend */

/* The lowest and the highest rate of slow GPUs or slow links, as fractions of the full rate.
 * MOST is 0 if none is slow. */
typedef struct
{
  double least, most;
} Rates;

static void
add_legend_entry (PlgClusterDrawing *drawing, PlgLegend *legend, double rate, const char *name)
{
  double radius = legend->font_size * 0.5;

  plg_legend_keep (legend, 3 * radius + plg_text_width (name, legend->font_size, FALSE));
  plg_cluster_add_fault_mark (drawing, legend->x + radius, legend->y, radius, rate);
  legend->x += 3 * radius;
  plg_legend_note (legend, name);
}

/* Adds the legend entry for slow GPUs or slow links, for example "slow link, at 50 %". If their
 * rates differ, the entry shows the lowest and the highest rate. */
static void
add_slow_entry (PlgClusterDrawing *drawing,
                PlgLegend *legend,
                const Rates *rates,
                gboolean are_gpus)
{
  g_autofree char *from = plg_format_number (100.0 * rates->least, 3);
  g_autofree char *to = plg_format_number (100.0 * rates->most, 3);
  g_autofree char *words = NULL;

  if (!(rates->most > 0.0))
    return;
  if (legend->brevity >= PLG_LEGEND_BREVITY_SCALE_TITLES)
    words = rates->least < rates->most ? g_strdup_printf ("%s–%s\u00a0%%", from, to)
                                       : g_strdup_printf ("%s\u00a0%%", from);
  else if (rates->least < rates->most)
    words = g_strdup_printf (are_gpus ? _ ("slow GPU, at %s to %s %%")
                                      : _ ("slow link, at %s to %s %%"),
                             from, to);
  else
    words = g_strdup_printf (are_gpus ? _ ("slow GPU, at %s %%") : _ ("slow link, at %s %%"), from);
  add_legend_entry (drawing, legend, rates->most, words);
}

void
plg_cluster_add_fault_legend (PlgClusterDrawing *drawing, PlgLegend *legend)
{
  const PlgCluster *cluster = &drawing->plan->cluster;
  Rates links = { 0 }, gpus = { 0 };
  gboolean has_failed = FALSE;

  for (int i = 0; i < cluster->n_faults; i++)
    {
      double rate = cluster->faults[i].rate;

      if (rate <= 0.0)
        has_failed = TRUE;
      else if (rate < 1.0)
        {
          Rates *rates = cluster->faults[i].kind == PLG_FAULT_GPU ? &gpus : &links;

          rates->least = rates->most > 0.0 ? MIN (rates->least, rate) : rate;
          rates->most = MAX (rates->most, rate);
        }
    }
  if (legend->brevity >= PLG_LEGEND_BREVITY_MAX)
    return;
  if (has_failed || links.most > 0.0 || gpus.most > 0.0)
    plg_legend_space (legend);
  if (has_failed)
    add_legend_entry (drawing, legend, 0.0,
                      legend->brevity >= PLG_LEGEND_BREVITY_SCALE_TITLES ? "0\u00a0%"
                                                                         : _ ("failed link"));
  add_slow_entry (drawing, legend, &links, FALSE);
  add_slow_entry (drawing, legend, &gpus, TRUE);
}
