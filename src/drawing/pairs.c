/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/pairs.h"

#include "drawing/pictures.h"
#include "engine/exchange.h"
#include "engine/traffic.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
plg_pairing_init (PlgPairing *pairing, const PlgPlan *plan, int most)
{
  int nodes = plan->cluster.nodes, per_node = plan->cluster.gpus_per_node;

  *pairing = (PlgPairing) { .plan = plan, .items = nodes * per_node, .gpus = 1 };
  plg_fabric_of_plan (&pairing->fabric, plan);
  pairing->sound = pairing->fabric;
  pairing->sound.n_faults = 0;
  if (pairing->items <= most)
    return;
  pairing->nodes = 1;
  while ((nodes + pairing->nodes - 1) / pairing->nodes > most)
    pairing->nodes *= 2;
  pairing->gpus = pairing->nodes * per_node;
  pairing->items = (nodes + pairing->nodes - 1) / pairing->nodes;
}

/* The GPU of ITEM with most of its links lost, inside its node or outside. */
static int
worst_gpu (const PlgPairing *pairing, int item, gboolean outside)
{
  int first = item * pairing->gpus, worst = first;
  int last = MIN (first + pairing->gpus, pairing->fabric.nodes * pairing->fabric.gpus);
  double least = 2.0;

  for (int gpu = first; gpu < last; gpu++)
    {
      double rate = outside ? plg_fabric_outside_rate (&pairing->fabric, gpu)
                            : plg_fabric_inside_rate (&pairing->fabric, gpu);

      if (rate < least)
        {
          least = rate;
          worst = gpu;
        }
    }
  return worst;
}

/* What faults leave of a way between items of several GPUs: as much as between their worst. */
static double
worst_bandwidth (const PlgPairing *pairing, int a, int b)
{
  int from = worst_gpu (pairing, a, a != b), to = worst_gpu (pairing, b, a != b);

  if (from == to)
    to = from % pairing->fabric.gpus > 0 ? from - 1 : from + 1;
  if (to >= pairing->fabric.nodes * pairing->fabric.gpus)
    return G_MAXDOUBLE;
  return plg_fabric_route (&pairing->fabric, from, to).bandwidth;
}

/* Between the GPUs of two items that lie farthest apart; within an item of nodes between its
 * first GPU and that of its last node, or another of its only one. */
static PlgRoute
farthest_route (const PlgPairing *pairing, const PlgFabric *fabric, int a, int b)
{
  int last = fabric->nodes * fabric->gpus - 1;
  int from = MIN (a, b) * pairing->gpus, to = MAX (a, b) * pairing->gpus;

  if (pairing->nodes == 0)
    return plg_fabric_route (fabric, from, to);
  if (a == b && pairing->nodes == 1)
    return plg_fabric_route (fabric, from, MIN (from + 1, from + pairing->gpus - 1));
  return plg_fabric_route (fabric, from,
                           MIN (to + (pairing->nodes - 1) * fabric->gpus,
                                last / fabric->gpus * fabric->gpus));
}

PlgRoute
plg_pairing_route (const PlgPairing *pairing, int a, int b)
{
  PlgRoute route = farthest_route (pairing, &pairing->fabric, a, b);

  /* Of several nodes, those inside are not what the cell is about. */
  if (pairing->fabric.n_faults > 0 && pairing->nodes > 0 && (a != b || pairing->nodes == 1))
    route.bandwidth = MIN (route.bandwidth, worst_bandwidth (pairing, a, b));
  return route;
}

const char *
plg_route_letter (PlgRouteKind kind)
{
  static const char *const letters[PLG_N_ROUTE_KINDS] = { "×", "N", "P", "L", "S" };

  return letters[kind];
}

const char *
plg_pairing_kind (const PlgPairing *pairing, PlgRouteKind kind)
{
  switch (kind)
    {
    case PLG_ROUTE_NVLINK:
      return plg_tier_title (&pairing->plan->cluster, PLG_TIER_NVLINK);
    case PLG_ROUTE_PCIE:
      return plg_tier_title (&pairing->plan->cluster, PLG_TIER_PCIE);
    case PLG_ROUTE_LEAF:
      return pairing->fabric.spines > 0 ? _ ("NICs, below one leaf") : _ ("NICs, one switch");
    case PLG_ROUTE_SPINE:
      return _ ("NICs, over a spine");
    case PLG_ROUTE_SELF:
    default:
      return _ ("itself");
    }
}

/* The map of a node can have ways of one kind that are narrower than others. */
gboolean
plg_pairing_is_faulty (const PlgPairing *pairing, int a, int b, PlgRoute route)
{
  PlgRoute sound = farthest_route (pairing, &pairing->sound, a, b);

  return pairing->fabric.n_faults > 0 && route.bandwidth < sound.bandwidth * 0.999;
}

void
plg_pairing_add_up (const PlgPairing *pairing, const PlgReport *report, PlgPairingTraffic *traffic)
{
  gsize cells = (gsize) pairing->items * pairing->items;
  g_autofree double *row = g_new (double, cells);

  *traffic = (PlgPairingTraffic) { .bytes = g_new0 (double, cells) };
  for (guint i = 0;
       plg_traffic_is_traceable (pairing->plan, report) && i < report->collectives->len; i++)
    {
      PlgAxis axis = g_array_index (report->collectives, PlgCollective, i).axis;

      memset (row, 0, cells * sizeof *row);
      plg_exchange_add (pairing->plan, report, i, pairing->gpus, pairing->items, row);
      for (gsize cell = 0; cell < cells; cell++)
        {
          traffic->bytes[cell] += row[cell];
          traffic->sent[axis] += row[cell];
        }
    }
}

void
plg_pairing_traffic_clear (PlgPairingTraffic *traffic)
{
  g_clear_pointer (&traffic->bytes, g_free);
}

char *
plg_pairing_sums (const double sent[PLG_N_AXES])
{
  GString *text = g_string_new (NULL);
  double all = 0;

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    {
      g_autofree char *bytes = plg_format_volume (sent[axis]);

      all += sent[axis];
      if (sent[axis] > 0)
        g_string_append_printf (text, "%s%s %s", text->len > 0 ? " · " : ": ",
                                plg_axis_label (axis), bytes);
    }
  if (all > 0)
    {
      g_autofree char *sum = plg_format_volume (all);
      g_autofree char *whole = g_strdup_printf (_ ("in all %s a step"), sum);

      g_string_prepend (text, whole);
    }
  return g_string_free (text, FALSE);
}

int
plg_pairing_node (const PlgPairing *pairing, int item)
{
  return pairing->nodes == 0 ? item / pairing->fabric.gpus : item * pairing->nodes;
}

void
plg_pairing_find_widths (const PlgPairing *pairing, PlgPairingWidths *widths)
{
  *widths = (PlgPairingWidths) { { 0 }, { 0 } };
  for (int a = 0; a < pairing->items; a++)
    for (int b = 0; b < pairing->items; b++)
      {
        PlgRoute route = plg_pairing_route (pairing, a, b);
        PlgRoute sound = farthest_route (pairing, &pairing->sound, a, b);
        double *most = &widths->most[route.kind], *least = &widths->least[sound.kind];

        *most = MAX (*most, route.bandwidth);
        *least = *least > 0 ? MIN (*least, sound.bandwidth) : sound.bandwidth;
      }
}

char *
plg_pairing_bandwidths (const PlgPairingWidths *widths, PlgRouteKind kind)
{
  g_autofree char *least = plg_format_bandwidth (widths->least[kind]);
  g_autofree char *most = plg_format_bandwidth (widths->most[kind]);

  if (widths->least[kind] < widths->most[kind] * 0.999)
    return g_strdup_printf ("%s – %s", least, most);
  return g_steal_pointer (&most);
}

char *
plg_pairing_scope (const PlgPairing *pairing)
{
  if (pairing->nodes == 0)
    return g_strdup (_ ("A row is a GPU"));
  if (pairing->nodes == 1)
    return g_strdup (_ ("A row is a node"));
  return g_strdup_printf (_ ("A row is %d nodes"), pairing->nodes);
}

char *
plg_pairing_describe (const PlgPairing *pairing, const PlgPairingWidths *widths)
{
  g_autofree char *scope = plg_pairing_scope (pairing);
  GString *text = g_string_new (scope);

  for (PlgRouteKind kind = PLG_ROUTE_NVLINK; kind < PLG_N_ROUTE_KINDS; kind++)
    {
      g_autofree char *bandwidth = plg_pairing_bandwidths (widths, kind);

      if (widths->most[kind] > 0)
        g_string_append_printf (text, " · %s %s %s", plg_route_letter (kind),
                                plg_pairing_kind (pairing, kind), bandwidth);
    }
  return g_string_free (text, FALSE);
}

char *
plg_pairing_item (const PlgPairing *pairing, int item)
{
  int last = MIN ((item + 1) * pairing->nodes, pairing->fabric.nodes) - 1;

  if (pairing->nodes == 0)
    {
      g_autofree char *node = plg_plan_node_title (pairing->plan, item / pairing->fabric.gpus);

      return g_strdup_printf (_ ("GPU %d of %s"), item % pairing->fabric.gpus, node);
    }
  if (pairing->nodes == 1)
    return plg_plan_node_title (pairing->plan, item);
  return g_strdup_printf (_ ("nodes %d–%d"), item * pairing->nodes, last);
}

/* The same of what goes from one item to another. */
static char *
sent_in_words (const PlgPairing *pairing, const PlgReport *report, int index)
{
  gsize cells = (gsize) pairing->items * pairing->items;
  g_autofree double *row = g_new (double, cells);
  double of_cell[PLG_N_AXES] = { 0 };

  for (guint i = 0;
       plg_traffic_is_traceable (pairing->plan, report) && i < report->collectives->len; i++)
    {
      memset (row, 0, cells * sizeof *row);
      plg_exchange_add (pairing->plan, report, i, pairing->gpus, pairing->items, row);
      of_cell[g_array_index (report->collectives, PlgCollective, i).axis] += row[index];
    }
  return plg_pairing_sums (of_cell);
}

/* The way between two GPUs of a node as its map has it. */
static PlgPath
path_of (const PlgPairing *pairing, int a, int b)
{
  const PlgNodeMap *map = &pairing->plan->node_map;
  int gpus = pairing->fabric.gpus;

  if (pairing->nodes > 0 || plg_node_map_is_empty (map) || map->gpus != gpus ||
      a / gpus != b / gpus || a == b)
    return (PlgPath) { .type = PLG_PATH_UNKNOWN };
  return *plg_node_map_to_gpu (map, a % gpus, b % gpus);
}

/* "NV18", "NV18; NCCL plans with NV 371 GB/s", "in the file PIX 12 GB/s" where that leaves links
 * out; NULL: nothing is known of PATH. */
static char *
path_in_words (const PlgPath *path)
{
  const PlgPath bare = { .type = path->type, .links = path->links };
  g_autofree char *planned = plg_path_describe_planned (path);
  g_autofree char *code = plg_path_to_string (&bare);

  if (path->type == PLG_PATH_UNKNOWN)
    return planned != NULL ? g_strdup_printf (_ ("in the file %s"), planned) : NULL;
  return planned != NULL ? g_strdup_printf (_ ("%s; NCCL plans with %s"), code, planned)
                         : g_steal_pointer (&code);
}

char *
plg_describe_pair (const PlgPlan *plan, const PlgReport *report, int index)
{
  PlgPairing items;
  PlgRoute route;
  g_autofree char *from = NULL, *to = NULL, *bandwidth = NULL, *sent = NULL, *path = NULL;
  g_autofree char *way = NULL;
  PlgPath known;

  plg_pairing_init (&items, plan, PLG_PAIRING_MOST);
  if (index < 0 || index >= items.items * items.items)
    return g_strdup ("");
  known = path_of (&items, index / items.items, index % items.items);
  path = path_in_words (&known);
  route = plg_pairing_route (&items, index / items.items, index % items.items);
  from = plg_pairing_item (&items, index / items.items);
  to = plg_pairing_item (&items, index % items.items);
  bandwidth = plg_format_bandwidth (route.bandwidth);
  if (route.kind == PLG_ROUTE_SELF)
    return g_strdup (from);
  sent = sent_in_words (&items, report, index);
  way = path != NULL ? g_strdup_printf ("%s (%s)", plg_pairing_kind (&items, route.kind), path)
                     : g_strdup (plg_pairing_kind (&items, route.kind));
  return g_strdup_printf (_ ("%s to %s\n%s: %s per direction%s%s"), from, to, way, bandwidth,
                          *sent != '\0' ? "\n" : "", sent);
}
