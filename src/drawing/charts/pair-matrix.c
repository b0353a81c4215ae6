/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/pair-matrix.h"

#include "engine/network/traffic.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Returns RANGE clipped to 0 .. NODES - 1, or DEFAULT_RANGE if RANGE is empty. */
static PlgRange
range_within (PlgRange range, int nodes, PlgRange default_range)
{
  int first = CLAMP (range.first, 0, nodes - 1);

  if (range.n <= 0)
    return default_range;
  return (PlgRange) { first, CLAMP (range.n, 1, nodes - first) };
}

void
plg_pair_matrix_init (PlgPairMatrix *matrix,
                      const PlgPlan *plan,
                      const PlgPictureOptions *options,
                      int most)
{
  const PlgRange none = { 0, 0 };
  int all = plan->cluster.nodes, per_node = plan->cluster.gpus_per_node;
  PlgRange rows = range_within (options != NULL ? options->nodes : none, all,
                                (PlgRange) { 0, all });
  PlgRange columns = range_within (options != NULL ? options->columns : none, all, rows);
  int nodes = MAX (rows.n, columns.n), each = 1;

  *matrix = (PlgPairMatrix) { .plan = plan };
  plg_fabric_of_plan (&matrix->fabric, plan);
  matrix->healthy = matrix->fabric;
  matrix->healthy.n_faults = 0;

  /* A single node always gets one cell per GPU, even if it has more than MOST GPUs, because a
   * reader cannot zoom in further than one node. */
  while ((nodes + each - 1) / each > most)
    each *= 2;
  matrix->nodes = nodes == 1 || nodes * per_node <= most ? 0 : each;
  matrix->window = (PlgTrafficMatrixWindow) {
    .senders = { rows.first * per_node, rows.n * per_node },
    .receivers = { columns.first * per_node, columns.n * per_node },
    .gpus_each = MAX (matrix->nodes * per_node, 1),
  };
  matrix->rows = plg_traffic_matrix_rows (&matrix->window);
  matrix->columns = plg_traffic_matrix_columns (&matrix->window);
}

PlgRange
plg_pair_matrix_item (const PlgPairMatrix *matrix, PlgRange side, int i)
{
  int each = matrix->window.gpus_each;

  return (PlgRange) { side.first + i * each, MIN (each, side.n - i * each) };
}

PlgRange
plg_pair_matrix_row (const PlgPairMatrix *matrix, int row)
{
  return plg_pair_matrix_item (matrix, matrix->window.senders, row);
}

PlgRange
plg_pair_matrix_column (const PlgPairMatrix *matrix, int column)
{
  return plg_pair_matrix_item (matrix, matrix->window.receivers, column);
}

static PlgRange
nodes_of (const PlgPairMatrix *matrix, PlgRange gpus)
{
  int first = gpus.first / matrix->fabric.gpus;

  return (PlgRange) { first, (gpus.first + gpus.n - 1) / matrix->fabric.gpus - first + 1 };
}

static gboolean
is_same (PlgRange a, PlgRange b)
{
  return a.first == b.first && a.n == b.n;
}

gboolean
plg_pair_matrix_cell_nodes (const PlgPairMatrix *matrix,
                            int index,
                            PlgRange *nodes,
                            PlgRange *columns)
{
  PlgRange rows, others;

  if (index < 0 || index >= matrix->rows * matrix->columns)
    return FALSE;
  rows = nodes_of (matrix, plg_pair_matrix_row (matrix, index / matrix->columns));
  others = nodes_of (matrix, plg_pair_matrix_column (matrix, index % matrix->columns));
  if (is_same (rows, nodes_of (matrix, matrix->window.senders)) &&
      is_same (others, nodes_of (matrix, matrix->window.receivers)))
    return FALSE;
  *nodes = rows;
  *columns = is_same (rows, others) ? (PlgRange) { 0, 0 } : others;
  return TRUE;
}

/* Returns the GPU in ITEM whose links are slowed down most by faults: its links within the node
 * or, if OUTSIDE is set, its links to other nodes. */
static int
worst_gpu (const PlgPairMatrix *matrix, PlgRange item, gboolean outside)
{
  int worst = item.first;
  double least = 2.0;

  for (int gpu = item.first; gpu < item.first + item.n; gpu++)
    {
      double rate = outside ? plg_fabric_inter_rate (&matrix->fabric, gpu)
                            : plg_fabric_intra_rate (&matrix->fabric, gpu);

      if (rate < least)
        {
          least = rate;
          worst = gpu;
        }
    }
  return worst;
}

/* Returns the route between a GPU of item A and a GPU of item B that are as far apart as
 * possible. If A and B are the same single node, returns the route between its first two GPUs. */
static PlgRoute
farthest_route (const PlgPairMatrix *matrix, const PlgFabric *fabric, PlgRange a, PlgRange b)
{
  int from = MIN (a.first, b.first);
  int last = MAX (a.first + a.n, b.first + b.n) - 1;

  if (matrix->nodes == 0)
    return plg_fabric_route (fabric, from, last);
  if (is_same (a, b) && matrix->nodes == 1)
    return plg_fabric_route (fabric, from, MIN (from + 1, last));
  return plg_fabric_route (fabric, from, last / fabric->gpus * fabric->gpus);
}

PlgRoute
plg_pair_matrix_route (const PlgPairMatrix *matrix, PlgRange a, PlgRange b)
{
  PlgRoute route = farthest_route (matrix, &matrix->fabric, a, b);
  gboolean outside = a.first != b.first;

  /* If A and B are the same range of several nodes, ignore faults inside the nodes, because the
   * cell shows only the links between nodes. */
  if (matrix->fabric.n_faults > 0 && matrix->nodes > 0 && (outside || matrix->nodes == 1))
    {
      int from = worst_gpu (matrix, a, outside), to = worst_gpu (matrix, b, outside);

      if (from == to)
        to = from % matrix->fabric.gpus > 0 ? from - 1 : from + 1;
      if (to < matrix->fabric.nodes * matrix->fabric.gpus)
        route.bandwidth = MIN (route.bandwidth,
                               plg_fabric_route (&matrix->fabric, from, to).bandwidth);
    }
  return route;
}

const char *
plg_route_letter (PlgRouteKind kind)
{
  static const char *const letters[] = {
    [PLG_ROUTE_SELF] = "×", [PLG_ROUTE_NVLINK] = "N", [PLG_ROUTE_PCIE] = "P",
    [PLG_ROUTE_LEAF] = "L", [PLG_ROUTE_SPINE] = "S",
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (letters) == PLG_N_ROUTE_KINDS);
  return letters[kind];
}

const char *
plg_pair_matrix_route_name (const PlgPairMatrix *matrix, PlgRouteKind kind)
{
  switch (kind)
    {
    case PLG_ROUTE_NVLINK:
      return plg_tier_title (&matrix->plan->cluster, PLG_TIER_NVLINK);
    case PLG_ROUTE_PCIE:
      return plg_tier_title (&matrix->plan->cluster, PLG_TIER_PCIE);
    case PLG_ROUTE_LEAF:
      return matrix->fabric.spines > 0 ? _ ("NICs, same leaf") : _ ("NICs, one switch");
    case PLG_ROUTE_SPINE:
      return _ ("NICs, via a spine");
    case PLG_ROUTE_SELF:
    default:
      return _ ("itself");
    }
}

gboolean
plg_pair_matrix_is_faulty (const PlgPairMatrix *matrix, PlgRange a, PlgRange b, PlgRoute route)
{
  /* Compare ROUTE with the same route in a cluster without faults, because a node topology can
   * give routes of the same kind different bandwidths. */
  PlgRoute healthy = farthest_route (matrix, &matrix->healthy, a, b);

  return matrix->fabric.n_faults > 0 && route.bandwidth < healthy.bandwidth * 0.999;
}

void
plg_pair_matrix_sum_traffic (const PlgPairMatrix *matrix,
                             const PlgReport *report,
                             PlgPairMatrixTraffic *traffic)
{
  gsize cells = (gsize) matrix->rows * matrix->columns;
  g_autofree double *row = g_new (double, cells);

  *traffic = (PlgPairMatrixTraffic) { .bytes = g_new0 (double, cells) };
  for (guint i = 0; plg_traffic_is_traceable (matrix->plan, report) && i < report->collectives->len;
       i++)
    {
      PlgAxis axis = g_array_index (report->collectives, PlgCollective, i).axis;

      memset (row, 0, cells * sizeof *row);
      plg_traffic_matrix_add (matrix->plan, report, i, &matrix->window, row);
      for (gsize cell = 0; cell < cells; cell++)
        {
          traffic->bytes[cell] += row[cell];
          traffic->sent[axis] += row[cell];
        }
    }
}

void
plg_pair_matrix_traffic_clear (PlgPairMatrixTraffic *traffic)
{
  g_clear_pointer (&traffic->bytes, g_free);
}

char *
plg_pair_matrix_traffic_text (const double sent[PLG_N_AXES])
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
      g_autofree char *whole = g_strdup_printf (_ ("%s per step in total"), sum);

      g_string_prepend (text, whole);
    }
  return g_string_free (text, FALSE);
}

int
plg_pair_matrix_node (const PlgPairMatrix *matrix, PlgRange item)
{
  return item.first / matrix->fabric.gpus;
}

void
plg_pair_matrix_find_bandwidths (const PlgPairMatrix *matrix, PlgPairMatrixBandwidths *widths)
{
  *widths = (PlgPairMatrixBandwidths) { { 0 }, { 0 } };
  for (int row = 0; row < matrix->rows; row++)
    for (int column = 0; column < matrix->columns; column++)
      {
        PlgRange a = plg_pair_matrix_row (matrix, row), b = plg_pair_matrix_column (matrix, column);
        PlgRoute route = plg_pair_matrix_route (matrix, a, b);
        PlgRoute healthy = farthest_route (matrix, &matrix->healthy, a, b);
        double *most = &widths->most[route.kind], *least = &widths->least[healthy.kind];

        *most = MAX (*most, route.bandwidth);
        *least = *least > 0 ? MIN (*least, healthy.bandwidth) : healthy.bandwidth;
      }
}

char *
plg_pair_matrix_bandwidth_text (const PlgPairMatrixBandwidths *widths, PlgRouteKind kind)
{
  g_autofree char *least = plg_format_bandwidth (widths->least[kind]);
  g_autofree char *most = plg_format_bandwidth (widths->most[kind]);

  if (widths->least[kind] < widths->most[kind] * 0.999)
    return g_strdup_printf ("%s – %s", least, most);
  return g_steal_pointer (&most);
}

/* Returns a title such as "node 17" or "nodes 0–31". */
static char *
nodes_title (const PlgPairMatrix *matrix, PlgRange gpus)
{
  PlgRange nodes = nodes_of (matrix, gpus);

  if (nodes.n == 1)
    return plg_plan_node_title (matrix->plan, nodes.first);
  return g_strdup_printf (_ ("nodes %d–%d"), nodes.first, nodes.first + nodes.n - 1);
}

char *
plg_pair_matrix_scope_text (const PlgPairMatrix *matrix)
{
  const PlgTrafficMatrixWindow *window = &matrix->window;
  const PlgRange all = { 0, matrix->fabric.nodes * matrix->fabric.gpus };
  g_autofree char *from = nodes_title (matrix, window->senders);
  g_autofree char *to = nodes_title (matrix, window->receivers);
  g_autofree char *item = matrix->nodes == 0 ? g_strdup (_ ("Each row is a GPU"))
                          : matrix->nodes == 1
                              ? g_strdup (_ ("Each row is a node"))
                              : g_strdup_printf (_ ("Each row is %d nodes"), matrix->nodes);

  if (!is_same (window->senders, window->receivers))
    return g_strdup_printf (_ ("From %s to %s · %s"), from, to, item);
  if (!is_same (window->senders, all))
    return g_strdup_printf (_ ("Within %s · %s"), from, item);
  return g_steal_pointer (&item);
}

char *
plg_pair_matrix_describe (const PlgPairMatrix *matrix, const PlgPairMatrixBandwidths *widths)
{
  g_autofree char *scope = plg_pair_matrix_scope_text (matrix);
  GString *text = g_string_new (scope);

  for (PlgRouteKind kind = PLG_ROUTE_NVLINK; kind < PLG_N_ROUTE_KINDS; kind++)
    {
      g_autofree char *bandwidth = plg_pair_matrix_bandwidth_text (widths, kind);

      if (widths->most[kind] > 0)
        g_string_append_printf (text, " · %s %s %s", plg_route_letter (kind),
                                plg_pair_matrix_route_name (matrix, kind), bandwidth);
    }
  return g_string_free (text, FALSE);
}

char *
plg_pair_matrix_item_title (const PlgPairMatrix *matrix, PlgRange item)
{
  g_autofree char *nodes = nodes_title (matrix, item);

  if (matrix->nodes == 0)
    return g_strdup_printf (_ ("GPU %d of %s"), item.first % matrix->fabric.gpus, nodes);
  return g_steal_pointer (&nodes);
}

/* Sets LEAST to the lowest bandwidth of each kind of route from a GPU of FROM to a GPU of TO
 * [bytes/s], or to -1 for a kind without a route. Returns the number of kinds found. */
static int
find_routes (const PlgPairMatrix *matrix,
             PlgRange from,
             PlgRange to,
             double least[PLG_N_ROUTE_KINDS])
{
  int kinds = 0;

  for (PlgRouteKind kind = 0; kind < PLG_N_ROUTE_KINDS; kind++)
    least[kind] = -1;

  for (int a = from.first; a < from.first + from.n; a++)
    for (int b = to.first; b < to.first + to.n; b++)
      {
        PlgRoute route = plg_fabric_route (&matrix->fabric, a, b);

        if (route.kind == PLG_ROUTE_SELF)
          continue;
        if (least[route.kind] < 0)
          kinds++;
        if (least[route.kind] < 0 || route.bandwidth < least[route.kind])
          least[route.kind] = route.bandwidth;
      }
  return kinds;
}

char *
plg_describe_pair (const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgPictureOptions *options,
                   int index)
{
  g_autofree char *from_title = NULL, *to_title = NULL, *route_text = NULL, *traffic = NULL;
  g_autoptr (GString) kinds = g_string_new (NULL);
  double least[PLG_N_ROUTE_KINDS], sent[PLG_N_AXES] = { 0 };
  PlgPairMatrix matrix;
  PlgRange from, to;
  PlgRoute route;

  plg_pair_matrix_init (&matrix, plan, options, PLG_PAIR_MATRIX_MAX_ITEMS);
  if (index < 0 || index >= matrix.rows * matrix.columns)
    return g_strdup ("");
  from = plg_pair_matrix_row (&matrix, index / matrix.columns);
  to = plg_pair_matrix_column (&matrix, index % matrix.columns);
  route = plg_pair_matrix_route (&matrix, from, to);
  from_title = plg_pair_matrix_item_title (&matrix, from);
  if (route.kind == PLG_ROUTE_SELF)
    return g_steal_pointer (&from_title);
  to_title = plg_pair_matrix_item_title (&matrix, to);

  /* If a cell contains pairs with different kinds of routes, list each kind, for example "NVLink
   * 450 GB/s · NICs, same leaf 50 GB/s per direction". */
  if (matrix.nodes == 0 || find_routes (&matrix, from, to, least) < 2)
    {
      PlgPath path = { .type = PLG_PATH_UNKNOWN };
      const PlgNodeTopology *topology = &matrix.plan->node_topology;
      int gpus = matrix.fabric.gpus;
      g_autofree char *bandwidth = plg_format_bandwidth (route.bandwidth);
      g_autofree char *planned = NULL, *code = NULL, *detail = NULL, *text = NULL;
      const char *kind = plg_pair_matrix_route_name (&matrix, route.kind);

      if (matrix.nodes == 0 && !plg_node_topology_is_empty (topology) && topology->gpus == gpus &&
          from.first / gpus == to.first / gpus && from.first != to.first)
        path = *plg_node_topology_to_gpu (topology, from.first % gpus, to.first % gpus);
      planned = plg_path_describe_planned (&path);
      code = plg_path_to_string (&(PlgPath) { .type = path.type, .links = path.links });
      if (path.type != PLG_PATH_UNKNOWN && planned != NULL)
        detail = g_strdup_printf (_ ("%s; NCCL assumes %s"), code, planned);
      else if (path.type != PLG_PATH_UNKNOWN)
        detail = g_steal_pointer (&code);
      else if (planned != NULL)
        detail = g_strdup_printf (_ ("the file gives %s"), planned);
      text = detail != NULL ? g_strdup_printf ("%s (%s)", kind, detail) : g_strdup (kind);
      route_text = g_strdup_printf (_ ("%s: %s per direction"), text, bandwidth);
    }
  else
    {
      for (PlgRouteKind kind = PLG_ROUTE_NVLINK; kind < PLG_N_ROUTE_KINDS; kind++)
        {
          g_autofree char *bandwidth = plg_format_bandwidth (MAX (least[kind], 0));

          if (least[kind] >= 0)
            g_string_append_printf (kinds, "%s%s %s", kinds->len > 0 ? " · " : "",
                                    plg_pair_matrix_route_name (&matrix, kind), bandwidth);
        }
      route_text = g_strdup_printf (_ ("%s per direction"), kinds->str);
    }

  for (guint i = 0; plg_traffic_is_traceable (plan, report) && i < report->collectives->len; i++)
    {
      const PlgTrafficMatrixWindow cell = { from, to, matrix.window.gpus_each };
      PlgAxis axis = g_array_index (report->collectives, PlgCollective, i).axis;

      plg_traffic_matrix_add (plan, report, i, &cell, &sent[axis]);
    }
  traffic = plg_pair_matrix_traffic_text (sent);
  return g_strdup_printf (_ ("%s to %s\n%s%s%s"), from_title, to_title, route_text,
                          *traffic != '\0' ? "\n" : "", traffic);
}
