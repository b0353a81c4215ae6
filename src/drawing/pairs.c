/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/pairs.h"

#include "engine/traffic.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What of RANGE there is among so many NODES; ELSE_RANGE for none. */
static PlgRange
range_within (PlgRange range, int nodes, PlgRange else_range)
{
  int first = CLAMP (range.first, 0, nodes - 1);

  if (range.n <= 0)
    return else_range;
  return (PlgRange) { first, CLAMP (range.n, 1, nodes - first) };
}

/* One node is told GPU by GPU whatever MOST is: nobody could go on from there. */
static int
nodes_an_item (int nodes, int per_node, int most)
{
  int each = 1;

  if (nodes == 1 || nodes * per_node <= most)
    return 0;
  while ((nodes + each - 1) / each > most)
    each *= 2;
  return each;
}

void
plg_pairing_init (PlgPairing *pairing,
                  const PlgPlan *plan,
                  const PlgPictureOptions *options,
                  int most)
{
  const PlgRange none = { 0, 0 };
  int all = plan->cluster.nodes, per_node = plan->cluster.gpus_per_node;
  PlgRange rows = range_within (options != NULL ? options->nodes : none, all,
                                (PlgRange) { 0, all });
  PlgRange columns = range_within (options != NULL ? options->columns : none, all, rows);

  *pairing = (PlgPairing) { .plan = plan };
  plg_fabric_of_plan (&pairing->fabric, plan);
  pairing->sound = pairing->fabric;
  pairing->sound.n_faults = 0;
  pairing->nodes = nodes_an_item (MAX (rows.n, columns.n), per_node, most);
  pairing->window = (PlgExchangeWindow) {
    .senders = { rows.first * per_node, rows.n * per_node },
    .receivers = { columns.first * per_node, columns.n * per_node },
    .gpus_each = MAX (pairing->nodes * per_node, 1),
  };
  pairing->rows = plg_exchange_rows (&pairing->window);
  pairing->columns = plg_exchange_columns (&pairing->window);
}

PlgRange
plg_pairing_item (const PlgPairing *pairing, PlgRange side, int i)
{
  int each = pairing->window.gpus_each;

  return (PlgRange) { side.first + i * each, MIN (each, side.n - i * each) };
}

PlgRange
plg_pairing_row (const PlgPairing *pairing, int row)
{
  return plg_pairing_item (pairing, pairing->window.senders, row);
}

PlgRange
plg_pairing_column (const PlgPairing *pairing, int column)
{
  return plg_pairing_item (pairing, pairing->window.receivers, column);
}

/* The nodes that have GPUS. */
static PlgRange
nodes_of (const PlgPairing *pairing, PlgRange gpus)
{
  int first = gpus.first / pairing->fabric.gpus;

  return (PlgRange) { first, (gpus.first + gpus.n - 1) / pairing->fabric.gpus - first + 1 };
}

static gboolean
is_same (PlgRange a, PlgRange b)
{
  return a.first == b.first && a.n == b.n;
}

gboolean
plg_pairing_enter (const PlgPairing *pairing, int index, PlgRange *nodes, PlgRange *columns)
{
  PlgRange rows, others;

  if (index < 0 || index >= pairing->rows * pairing->columns)
    return FALSE;
  rows = nodes_of (pairing, plg_pairing_row (pairing, index / pairing->columns));
  others = nodes_of (pairing, plg_pairing_column (pairing, index % pairing->columns));
  if (is_same (rows, nodes_of (pairing, pairing->window.senders)) &&
      is_same (others, nodes_of (pairing, pairing->window.receivers)))
    return FALSE;
  *nodes = rows;
  *columns = is_same (rows, others) ? (PlgRange) { 0, 0 } : others;
  return TRUE;
}

/* The GPU of ITEM with most of its links lost, inside its node or outside. */
static int
worst_gpu (const PlgPairing *pairing, PlgRange item, gboolean outside)
{
  int worst = item.first;
  double least = 2.0;

  for (int gpu = item.first; gpu < item.first + item.n; gpu++)
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
worst_bandwidth (const PlgPairing *pairing, PlgRange a, PlgRange b)
{
  gboolean outside = a.first != b.first;
  int from = worst_gpu (pairing, a, outside), to = worst_gpu (pairing, b, outside);

  if (from == to)
    to = from % pairing->fabric.gpus > 0 ? from - 1 : from + 1;
  if (to >= pairing->fabric.nodes * pairing->fabric.gpus)
    return G_MAXDOUBLE;
  return plg_fabric_route (&pairing->fabric, from, to).bandwidth;
}

/* Between the GPUs of two items that lie farthest apart; within an item of nodes between its
 * first GPU and that of its last node, or another of its only one. */
static PlgRoute
farthest_route (const PlgPairing *pairing, const PlgFabric *fabric, PlgRange a, PlgRange b)
{
  int from = MIN (a.first, b.first);
  int last = MAX (a.first + a.n, b.first + b.n) - 1;

  if (pairing->nodes == 0)
    return plg_fabric_route (fabric, from, last);
  if (is_same (a, b) && pairing->nodes == 1)
    return plg_fabric_route (fabric, from, MIN (from + 1, last));
  return plg_fabric_route (fabric, from, last / fabric->gpus * fabric->gpus);
}

PlgRoute
plg_pairing_route (const PlgPairing *pairing, PlgRange a, PlgRange b)
{
  PlgRoute route = farthest_route (pairing, &pairing->fabric, a, b);
  gboolean is_about = a.first != b.first || pairing->nodes == 1;

  /* Of several nodes, those inside are not what the cell is about. */
  if (pairing->fabric.n_faults > 0 && pairing->nodes > 0 && is_about)
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
plg_pairing_is_faulty (const PlgPairing *pairing, PlgRange a, PlgRange b, PlgRoute route)
{
  PlgRoute sound = farthest_route (pairing, &pairing->sound, a, b);

  return pairing->fabric.n_faults > 0 && route.bandwidth < sound.bandwidth * 0.999;
}

void
plg_pairing_add_up (const PlgPairing *pairing, const PlgReport *report, PlgPairingTraffic *traffic)
{
  gsize cells = (gsize) pairing->rows * pairing->columns;
  g_autofree double *row = g_new (double, cells);

  *traffic = (PlgPairingTraffic) { .bytes = g_new0 (double, cells) };
  for (guint i = 0;
       plg_traffic_is_traceable (pairing->plan, report) && i < report->collectives->len; i++)
    {
      PlgAxis axis = g_array_index (report->collectives, PlgCollective, i).axis;

      memset (row, 0, cells * sizeof *row);
      plg_exchange_add (pairing->plan, report, i, &pairing->window, row);
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
plg_pairing_node (const PlgPairing *pairing, PlgRange item)
{
  return item.first / pairing->fabric.gpus;
}

void
plg_pairing_find_widths (const PlgPairing *pairing, PlgPairingWidths *widths)
{
  *widths = (PlgPairingWidths) { { 0 }, { 0 } };
  for (int row = 0; row < pairing->rows; row++)
    for (int column = 0; column < pairing->columns; column++)
      {
        PlgRange a = plg_pairing_row (pairing, row), b = plg_pairing_column (pairing, column);
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

/* "node 17", "nodes 0–31". */
static char *
nodes_title (const PlgPairing *pairing, PlgRange gpus)
{
  PlgRange nodes = nodes_of (pairing, gpus);

  if (nodes.n == 1)
    return plg_plan_node_title (pairing->plan, nodes.first);
  return g_strdup_printf (_ ("nodes %d–%d"), nodes.first, nodes.first + nodes.n - 1);
}

static char *
item_in_words (const PlgPairing *pairing)
{
  if (pairing->nodes == 0)
    return g_strdup (_ ("A row is a GPU"));
  if (pairing->nodes == 1)
    return g_strdup (_ ("A row is a node"));
  return g_strdup_printf (_ ("A row is %d nodes"), pairing->nodes);
}

char *
plg_pairing_scope (const PlgPairing *pairing)
{
  const PlgExchangeWindow *window = &pairing->window;
  const PlgRange all = { 0, pairing->fabric.nodes * pairing->fabric.gpus };
  g_autofree char *from = nodes_title (pairing, window->senders);
  g_autofree char *to = nodes_title (pairing, window->receivers);
  g_autofree char *item = item_in_words (pairing);

  if (!is_same (window->senders, window->receivers))
    return g_strdup_printf (_ ("From %s to %s · %s"), from, to, item);
  if (!is_same (window->senders, all))
    return g_strdup_printf (_ ("Within %s · %s"), from, item);
  return g_steal_pointer (&item);
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
plg_pairing_item_title (const PlgPairing *pairing, PlgRange item)
{
  g_autofree char *nodes = nodes_title (pairing, item);

  if (pairing->nodes == 0)
    return g_strdup_printf (_ ("GPU %d of %s"), item.first % pairing->fabric.gpus, nodes);
  return g_steal_pointer (&nodes);
}

/* The same of what goes from one item to another. */
static char *
sent_in_words (const PlgPairing *pairing, const PlgReport *report, PlgRange from, PlgRange to)
{
  const PlgExchangeWindow cell = { from, to, pairing->window.gpus_each };
  double sent[PLG_N_AXES] = { 0 };

  for (guint i = 0;
       plg_traffic_is_traceable (pairing->plan, report) && i < report->collectives->len; i++)
    plg_exchange_add (pairing->plan, report, i, &cell,
                      &sent[g_array_index (report->collectives, PlgCollective, i).axis]);
  return plg_pairing_sums (sent);
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

/* "NVLink (NV18): 450 GB/s per direction". */
static char *
way_in_words (const PlgPairing *pairing, PlgRange from, PlgRange to, const PlgRoute *route)
{
  PlgPath known = path_of (pairing, from.first, to.first);
  g_autofree char *path = path_in_words (&known);
  g_autofree char *bandwidth = plg_format_bandwidth (route->bandwidth);
  const char *kind = plg_pairing_kind (pairing, route->kind);
  g_autofree char *way = path != NULL ? g_strdup_printf ("%s (%s)", kind, path) : g_strdup (kind);

  return g_strdup_printf (_ ("%s: %s per direction"), way, bandwidth);
}

/* Of each kind of way between a GPU of FROM and one of TO the narrowest, in bytes/s; -1 where
 * there is none. Returns how many kinds there are. */
static int
find_ways (const PlgPairing *pairing, PlgRange from, PlgRange to, double least[PLG_N_ROUTE_KINDS])
{
  int kinds = 0;

  for (int a = from.first; a < from.first + from.n; a++)
    for (int b = to.first; b < to.first + to.n; b++)
      {
        PlgRoute route = plg_fabric_route (&pairing->fabric, a, b);

        if (route.kind == PLG_ROUTE_SELF)
          continue;
        if (least[route.kind] < 0)
          kinds++;
        if (least[route.kind] < 0 || route.bandwidth < least[route.kind])
          least[route.kind] = route.bandwidth;
      }
  return kinds;
}

/* The same of a cell of nodes, whose pairs may be of several kinds: "NVLink 450 GB/s · NICs, below
 * one leaf 50 GB/s per direction". */
static char *
ways_in_words (const PlgPairing *pairing, PlgRange from, PlgRange to, const PlgRoute *route)
{
  double least[PLG_N_ROUTE_KINDS] = { -1, -1, -1, -1, -1 };
  g_autoptr (GString) text = g_string_new (NULL);

  if (pairing->nodes == 0 || find_ways (pairing, from, to, least) < 2)
    return way_in_words (pairing, from, to, route);
  for (PlgRouteKind kind = PLG_ROUTE_NVLINK; kind < PLG_N_ROUTE_KINDS; kind++)
    {
      g_autofree char *bandwidth = plg_format_bandwidth (MAX (least[kind], 0));

      if (least[kind] >= 0)
        g_string_append_printf (text, "%s%s %s", text->len > 0 ? " · " : "",
                                plg_pairing_kind (pairing, kind), bandwidth);
    }
  return g_strdup_printf (_ ("%s per direction"), text->str);
}

char *
plg_describe_pair (const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgPictureOptions *options,
                   int index)
{
  g_autofree char *from_title = NULL, *to_title = NULL, *way = NULL, *sent = NULL;
  PlgPairing pairing;
  PlgRange from, to;
  PlgRoute route;

  plg_pairing_init (&pairing, plan, options, PLG_PAIRING_MOST);
  if (index < 0 || index >= pairing.rows * pairing.columns)
    return g_strdup ("");
  from = plg_pairing_row (&pairing, index / pairing.columns);
  to = plg_pairing_column (&pairing, index % pairing.columns);
  route = plg_pairing_route (&pairing, from, to);
  from_title = plg_pairing_item_title (&pairing, from);
  if (route.kind == PLG_ROUTE_SELF)
    return g_steal_pointer (&from_title);
  to_title = plg_pairing_item_title (&pairing, to);
  way = ways_in_words (&pairing, from, to, &route);
  sent = sent_in_words (&pairing, report, from, to);
  return g_strdup_printf (_ ("%s to %s\n%s%s%s"), from_title, to_title, way,
                          *sent != '\0' ? "\n" : "", sent);
}
