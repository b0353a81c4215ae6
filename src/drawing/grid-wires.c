/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

const PlgLink *
plg_grid_link (const PlgGrid *grid, int index)
{
  return &g_array_index (grid->report->links, PlgLink, index);
}

static void
sort_in (PlgGridWires *wires, const PlgGrid *grid, int index)
{
  const PlgLink *link = plg_grid_link (grid, index);
  const PlgGridLayout *layout = &grid->layout;
  gboolean in_node = link->node >= 0 && link->node < layout->nodes && link->local >= 0;

  if (plg_link_is_pair (link))
    {
      if (in_node)
        g_array_append_val (wires->pairs, index);
      return;
    }
  switch (link->tier)
    {
    case PLG_TIER_NVLINK:
      if (in_node && link->local < layout->gpus_per_node)
        wires->port_link[link->node * layout->gpus_per_node + link->local] = index;
      break;
    case PLG_TIER_PCIE:
      if (in_node && link->local < layout->gpus_per_node)
        wires->pcie_link[link->node * layout->gpus_per_node + link->local] = index;
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

/* N times -1. */
static int *
no_links (int n)
{
  int *links = g_new (int, MAX (n, 1));

  for (int i = 0; i < n; i++)
    links[i] = -1;
  return links;
}

PlgGridWires *
plg_grid_wires_new (const PlgGrid *grid)
{
  PlgGridWires *wires = g_new0 (PlgGridWires, 1);

  plg_fabric_of_plan (&wires->fabric, grid->plan);
  wires->nics = grid->layout.nodes > 1 ? wires->fabric.nics : 0;
  wires->port_link = no_links (grid->gpus);
  wires->pcie_link = no_links (grid->gpus);
  wires->nic_link = no_links (grid->layout.nodes * wires->nics);
  wires->pairs = g_array_new (FALSE, FALSE, sizeof (int));
  wires->uplinks = g_array_new (FALSE, FALSE, sizeof (int));
  for (guint i = 0; i < grid->report->links->len; i++)
    sort_in (wires, grid, i);
  return wires;
}

void
plg_grid_wires_free (PlgGridWires *wires)
{
  g_free (wires->port_link);
  g_free (wires->pcie_link);
  g_free (wires->nic_link);
  g_array_unref (wires->pairs);
  g_array_unref (wires->uplinks);
  g_free (wires);
}

gboolean
plg_grid_is_small (const PlgGrid *grid)
{
  return grid->layout.is_small;
}

gboolean
plg_grid_is_terse (const PlgGrid *grid)
{
  return grid->options->zoom > 0 && grid->layout.detail != PLG_GRID_FULL;
}

gboolean
plg_grid_is_nameless (const PlgGrid *grid)
{
  return grid->options->nameless;
}

double
plg_grid_legible (const PlgGrid *grid, double points, double most)
{
  return MAX (points, MIN (points * grid->layout.grain, most));
}

gboolean
plg_grid_shows_node (const PlgGrid *grid, int node)
{
  return plg_grid_layout_shows (&grid->layout, node, grid->options->visible);
}

static PlgGridLook
idle_look (const PlgGrid *grid)
{
  return (PlgGridLook) {
    plg_grid_fade (grid, grid->theme->role[PLG_ROLE_LINK_IDLE], !plg_grid_fades (grid)), 1.5
  };
}

/* INDEX of a link, or -1 for a place without one. */
PlgGridLook
plg_grid_look (const PlgGrid *grid, int index)
{
  PlgGridLook look = idle_look (grid);
  const PlgLink *link;

  if (index < 0 || grid->options->link_color == PLG_LINK_COLOR_OFF ||
      !plg_grid_link_runs (grid, index))
    return look;
  link = plg_grid_link (grid, index);
  if (plg_link_scale_tells (&grid->scale, link))
    look.color = plg_grid_fade (grid,
                                plg_theme_link_color (grid->theme,
                                                      plg_link_scale_share (&grid->scale, link)),
                                plg_grid_link_lit (grid, index));
  else if (plg_grid_lights (grid, index))
    look.color = grid->theme->role[PLG_ROLE_TEXT];
  look.width = MAX (plg_link_widths_of (&grid->widths, plg_link_bytes (link)),
                    plg_grid_legible (grid, 1, 4));
  return look;
}

gboolean
plg_grid_lights (const PlgGrid *grid, int index)
{
  return index >= 0 && grid->lit_link != NULL && grid->lit_link[index] != 0;
}

gboolean
plg_grid_draws_link (const PlgGrid *grid, int index)
{
  return !grid->options->rings || plg_grid_lights (grid, index);
}

gboolean
plg_grid_draws_links (const PlgGrid *grid)
{
  return !grid->options->rings || (grid->lit_link != NULL &&
                                   memchr (grid->lit_link, TRUE, grid->report->links->len) != NULL);
}

/* The busier of two links, either of which may be -1. */
int
plg_grid_busier (const PlgGrid *grid, int a, int b)
{
  if (a < 0 || b < 0)
    return MAX (a, b);
  if (grid->lit_link != NULL && grid->lit_link[a] != grid->lit_link[b])
    return grid->lit_link[a] ? a : b;
  if (plg_grid_link_runs (grid, a) != plg_grid_link_runs (grid, b))
    return plg_grid_link_runs (grid, a) ? a : b;
  return plg_link_scale_share (&grid->scale, plg_grid_link (grid, b)) >
                 plg_link_scale_share (&grid->scale, plg_grid_link (grid, a))
             ? b
             : a;
}

double
plg_grid_link_rate (const PlgGrid *grid, int index)
{
  PlgFabric fabric;

  if (index < 0 || grid->plan->cluster.n_faults == 0)
    return 1.0;
  plg_fabric_of_plan (&fabric, grid->plan);
  return plg_fabric_link_rate (&fabric, plg_grid_link (grid, index));
}

double
plg_grid_gpu_rate (const PlgGrid *grid, int gpu)
{
  const PlgCluster *cluster = &grid->plan->cluster;

  for (int i = 0; i < cluster->n_faults; i++)
    if (cluster->faults[i].kind == PLG_FAULT_GPU && cluster->faults[i].first == gpu)
      return cluster->faults[i].rate;
  return 1.0;
}

char *
plg_grid_rate_in_words (double rate)
{
  g_autofree char *percent = plg_format_number (100.0 * rate, 3);

  return rate > 0.0 ? g_strdup_printf (_ ("at %s %%"), percent) : g_strdup (_ ("failed"));
}

/* From so far away that a node is one tile its links are bars of a pixel or two, which stand for
 * many: who points there means the node. */
static PlgThing
link_thing (const PlgGrid *grid, int index)
{
  gboolean is_far = grid->options->zoom > 0 && grid->layout.detail == PLG_GRID_NODES;

  if (index < 0)
    return (PlgThing) { PLG_THING_NONE, 0, 0 };
  if (is_far && plg_grid_link (grid, index)->node >= 0)
    return (PlgThing) { PLG_THING_NODE, 0, plg_grid_link (grid, index)->node };
  return (PlgThing) { PLG_THING_LINK, 0, index };
}

/* Opens the group of shapes of one link; a place without a link gets none. */
gboolean
plg_grid_open_link (PlgGrid *grid, int index)
{
  const PlgLink *link;
  g_autofree char *name = NULL, *id = NULL, *classes = NULL, *title = NULL;
  g_autofree char *ends = NULL, *volume = NULL, *calls = NULL;

  if (index < 0 || !plg_grid_draws_link (grid, index))
    return FALSE;
  if (plg_grid_is_nameless (grid))
    {
      plg_figure_open (grid->figure, NULL, NULL, NULL);
      return TRUE;
    }
  link = plg_grid_link (grid, index);
  name = plg_link_id (link);
  ends = plg_describe_link (grid->plan, link);
  volume = plg_format_volume (plg_link_bytes (link));
  calls = plg_calls_in_words (link->calls);
  id = g_strconcat ("link-", name, NULL);
  classes = g_strconcat ("link ", plg_tier_name (link->tier), NULL);
  title = g_strdup_printf (_ ("%s: %s, %s per step"), ends, calls, volume);
  if (plg_grid_link_rate (grid, index) < 1.0)
    {
      g_autofree char *rate = plg_grid_rate_in_words (plg_grid_link_rate (grid, index));
      g_autofree char *sound = g_steal_pointer (&title);

      title = g_strdup_printf ("%s · %s", sound, rate);
    }
  plg_figure_open (grid->figure, id, classes, title);
  return TRUE;
}

PlgShape *
plg_grid_add_wire (PlgGrid *grid, const PlgPoint *points, int n, int index, PlgGridLook look)
{
  double rate = plg_grid_link_rate (grid, index);
  PlgShape *shape;

  if (!plg_grid_draws_link (grid, index))
    return NULL;
  shape = plg_figure_path (grid->figure, points, n, look.color, look.width);
  shape->thing = link_thing (grid, index);
  shape->dashed = rate < 1.0;
  return shape;
}

PlgShape *
plg_grid_add_straight (PlgGrid *grid,
                       double x1,
                       double y1,
                       double x2,
                       double y2,
                       int index,
                       PlgGridLook look)
{
  const PlgPoint points[] = { { x1, y1 }, { x2, y2 } };

  return plg_grid_add_wire (grid, points, 2, index, look);
}

void
plg_grid_add_bar (PlgGrid *grid,
                  double x1,
                  double y1,
                  double x2,
                  double y2,
                  int index,
                  PlgGridLook look)
{
  PlgShape *shape = plg_grid_add_straight (grid, x1, y1, x2, y2, index, look);

  if (shape != NULL)
    shape->dashed = PLG_DASH_NONE;
}
