/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-snapshot.h"

#include "engine/network/fabric.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

const PlgLink *
plg_cluster_link (const PlgClusterDrawing *drawing, int index)
{
  g_assert (index >= 0 && index < (int) drawing->report->links->len);

  return &g_array_index (drawing->report->links, PlgLink, index);
}

/* Returns an array of N elements that are all -1. */
static int *
new_empty_indices (int n)
{
  int *links = g_new (int, MAX (n, 1));

  for (int i = 0; i < n; i++)
    links[i] = -1;
  return links;
}

PlgClusterLinkMap *
plg_cluster_link_map_new (const PlgClusterDrawing *drawing)
{
  PlgClusterLinkMap *link_map = g_new0 (PlgClusterLinkMap, 1);
  int per_node = drawing->layout.gpus_per_node;

  plg_fabric_of_plan (&link_map->fabric, drawing->plan);
  link_map->nics = drawing->layout.nodes > 1 ? link_map->fabric.nics : 0;
  link_map->port_link = new_empty_indices (drawing->gpus);
  link_map->pcie_link = new_empty_indices (drawing->gpus);
  link_map->nic_link = new_empty_indices (drawing->layout.nodes * link_map->nics);
  link_map->pairs = g_array_new (FALSE, FALSE, sizeof (int));
  link_map->uplinks = g_array_new (FALSE, FALSE, sizeof (int));
  for (int index = 0; index < (int) drawing->report->links->len; index++)
    {
      const PlgLink *link = plg_cluster_link (drawing, index);
      gboolean is_in_node = link->node >= 0 && link->node < drawing->layout.nodes &&
                            link->local >= 0;

      if (plg_link_is_pair (link))
        {
          if (is_in_node)
            g_array_append_val (link_map->pairs, index);
          continue;
        }
      switch (link->tier)
        {
        case PLG_TIER_NVLINK:
          if (is_in_node && link->local < per_node)
            link_map->port_link[link->node * per_node + link->local] = index;
          break;
        case PLG_TIER_PCIE:
          if (is_in_node && link->local < per_node)
            link_map->pcie_link[link->node * per_node + link->local] = index;
          break;
        case PLG_TIER_NIC:
          if (is_in_node && link->local < link_map->nics)
            link_map->nic_link[link->node * link_map->nics + link->local] = index;
          break;
        case PLG_TIER_LEAF:
        case PLG_TIER_SPINE:
        default:
          g_array_append_val (link_map->uplinks, index);
          break;
        }
    }
  return link_map;
}

void
plg_cluster_link_map_free (PlgClusterLinkMap *link_map)
{
  g_free (link_map->port_link);
  g_free (link_map->pcie_link);
  g_free (link_map->nic_link);
  g_array_unref (link_map->pairs);
  g_array_unref (link_map->uplinks);
  g_free (link_map);
}

PlgClusterLinkStyle
plg_cluster_link_style (const PlgClusterDrawing *drawing, int index)
{
  PlgClusterLinkStyle style = { plg_cluster_dim (drawing, drawing->theme->role[PLG_ROLE_LINK_IDLE],
                                                 !plg_cluster_has_dimmed (drawing)),
                                1.5 };
  const PlgLink *link;

  if (index < 0 || drawing->options->link_color == PLG_LINK_COLOR_OFF ||
      !plg_cluster_is_link_active (drawing, index))
    return style;
  link = plg_cluster_link (drawing, index);
  if (plg_link_scale_has_value (&drawing->scale, link))
    style.color = plg_cluster_dim (drawing,
                                   plg_theme_link_color (drawing->theme,
                                                         plg_link_scale_share (&drawing->scale,
                                                                               link)),
                                   plg_cluster_is_link_undimmed (drawing, index));
  else if (plg_cluster_is_link_highlighted (drawing, index))
    style.color = drawing->theme->role[PLG_ROLE_TEXT];
  style.width = MAX (plg_link_width (&drawing->widths, plg_link_bytes (link)),
                     plg_cluster_legible_length (drawing, 1, 4));
  return style;
}

gboolean
plg_cluster_draws_link (const PlgClusterDrawing *drawing, int index)
{
  return !drawing->options->rings || plg_cluster_is_link_highlighted (drawing, index);
}

gboolean
plg_cluster_draws_links (const PlgClusterDrawing *drawing)
{
  return !drawing->options->rings ||
         (drawing->highlighted_link != NULL &&
          memchr (drawing->highlighted_link, TRUE, drawing->report->links->len) != NULL);
}

int
plg_cluster_busier_link (const PlgClusterDrawing *drawing, int a, int b)
{
  if (a < 0 || b < 0)
    return MAX (a, b);
  if (drawing->highlighted_link != NULL &&
      drawing->highlighted_link[a] != drawing->highlighted_link[b])
    return drawing->highlighted_link[a] ? a : b;
  if (plg_cluster_is_link_active (drawing, a) != plg_cluster_is_link_active (drawing, b))
    return plg_cluster_is_link_active (drawing, a) ? a : b;
  return plg_link_scale_share (&drawing->scale, plg_cluster_link (drawing, b)) >
                 plg_link_scale_share (&drawing->scale, plg_cluster_link (drawing, a))
             ? b
             : a;
}

double
plg_cluster_link_rate (const PlgClusterDrawing *drawing, int index)
{
  PlgFabric fabric;

  if (index < 0 || drawing->plan->cluster.n_faults == 0)
    return 1.0;
  plg_fabric_of_plan (&fabric, drawing->plan);
  return plg_fabric_link_rate (&fabric, plg_cluster_link (drawing, index));
}

double
plg_cluster_gpu_rate (const PlgClusterDrawing *drawing, int gpu)
{
  const PlgCluster *cluster = &drawing->plan->cluster;

  for (int i = 0; i < cluster->n_faults; i++)
    if (cluster->faults[i].kind == PLG_FAULT_GPU && cluster->faults[i].first == gpu)
      return cluster->faults[i].rate;
  return 1.0;
}

char *
plg_cluster_rate_describe (double rate)
{
  g_autofree char *percent = plg_format_number (100.0 * rate, 3);

  return rate > 0.0 ? g_strdup_printf (_ ("at %s %%"), percent) : g_strdup (_ ("failed"));
}

gboolean
plg_cluster_open_link (PlgClusterDrawing *drawing, int index)
{
  const PlgLink *link;
  g_autofree char *name = NULL, *id = NULL, *classes = NULL, *title = NULL;
  g_autofree char *ends = NULL, *volume = NULL, *calls = NULL;

  if (index < 0 || !plg_cluster_draws_link (drawing, index))
    return FALSE;
  if (plg_cluster_is_without_ids (drawing))
    {
      plg_figure_open (drawing->figure, NULL, NULL, NULL);
      return TRUE;
    }
  link = plg_cluster_link (drawing, index);
  name = plg_link_id (link);
  ends = plg_describe_link (drawing->plan, link);
  volume = plg_format_volume (plg_link_bytes (link));
  calls = plg_describe_calls (link->calls);
  id = g_strconcat ("link-", name, NULL);
  classes = g_strconcat ("link ", plg_tier_name (link->tier), NULL);
  title = g_strdup_printf (_ ("%s: %s, %s per step"), ends, calls, volume);
  if (plg_cluster_link_rate (drawing, index) < 1.0)
    {
      g_autofree char *rate = plg_cluster_rate_describe (plg_cluster_link_rate (drawing, index));
      g_autofree char *text = g_steal_pointer (&title);

      title = g_strdup_printf ("%s · %s", text, rate);
    }
  plg_figure_open (drawing->figure, id, classes, title);
  return TRUE;
}

PlgShape *
plg_cluster_add_link_path (PlgClusterDrawing *drawing,
                           const PlgPoint *points,
                           int n,
                           int index,
                           PlgClusterLinkStyle style)
{
  PlgShape *shape;

  if (!plg_cluster_draws_link (drawing, index))
    return NULL;
  shape = plg_figure_path (drawing->figure, points, n, style.color, style.width);
  shape->dashed = plg_cluster_link_rate (drawing, index) < 1.0;
  if (index >= 0)
    {
      int node = plg_cluster_link (drawing, index)->node;

      /* If a node is one tile, its links are bars of one or two pixels, each of which represents
       * many links. Treat a pointer on such a bar as a pointer on the node. */
      if (drawing->options->zoom > 0 && drawing->layout.detail == PLG_CLUSTER_DETAIL_NODES &&
          node >= 0)
        shape->entity = (PlgEntity) { PLG_ENTITY_NODE, 0, node };
      else
        shape->entity = (PlgEntity) { PLG_ENTITY_LINK, 0, index };
    }
  return shape;
}

PlgShape *
plg_cluster_add_link_line (PlgClusterDrawing *drawing,
                           double x1,
                           double y1,
                           double x2,
                           double y2,
                           int index,
                           PlgClusterLinkStyle style)
{
  const PlgPoint points[] = { { x1, y1 }, { x2, y2 } };

  return plg_cluster_add_link_path (drawing, points, 2, index, style);
}

void
plg_cluster_add_link_bar (PlgClusterDrawing *drawing,
                          double x1,
                          double y1,
                          double x2,
                          double y2,
                          int index,
                          PlgClusterLinkStyle style)
{
  PlgShape *shape = plg_cluster_add_link_line (drawing, x1, y1, x2, y2, index, style);

  if (shape != NULL)
    shape->dashed = PLG_DASH_NONE;
}
