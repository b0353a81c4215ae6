/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/topology-graph.h"

static void
clear_vertex (gpointer data)
{
  g_array_unref (((PlgTopologyVertex *) data)->edges);
}

PlgTopologyGraph *
plg_topology_graph_new (void)
{
  PlgTopologyGraph *topology = g_new0 (PlgTopologyGraph, 1);

  topology->vertices = g_array_new (FALSE, FALSE, sizeof (PlgTopologyVertex));
  g_array_set_clear_func (topology->vertices, clear_vertex);
  return topology;
}

void
plg_topology_graph_free (PlgTopologyGraph *topology)
{
  g_array_unref (topology->vertices);
  g_free (topology);
}

int
plg_topology_graph_add_vertex (PlgTopologyGraph *topology,
                               PlgTopologyVertexType kind,
                               int host,
                               guint64 id)
{
  PlgTopologyVertex vertex = { kind, host, id,
                               g_array_new (FALSE, FALSE, sizeof (PlgTopologyEdge)) };

  g_array_append_val (topology->vertices, vertex);
  return topology->vertices->len - 1;
}

PlgTopologyVertex *
plg_topology_graph_get_vertex (const PlgTopologyGraph *topology, int vertex)
{
  g_assert (vertex >= 0 && vertex < (int) topology->vertices->len);
  return &g_array_index (topology->vertices, PlgTopologyVertex, vertex);
}

int
plg_topology_graph_find_vertex (const PlgTopologyGraph *topology,
                                PlgTopologyVertexType kind,
                                int host,
                                guint64 id)
{
  for (guint i = 0; i < topology->vertices->len; i++)
    {
      const PlgTopologyVertex *vertex = plg_topology_graph_get_vertex (topology, i);

      if (vertex->kind == kind && vertex->host == host && vertex->id == id)
        return i;
    }
  return -1;
}

static PlgTopologyEdge *
edge_at (const GArray *edges, guint i)
{
  return &g_array_index (edges, PlgTopologyEdge, i);
}

/* Moves edge I before all slower edges. The edges before I are already sorted from the fastest
 * to the slowest. */
static void
sort_edge (GArray *edges, guint i)
{
  PlgTopologyEdge edge = *edge_at (edges, i);

  for (; i > 0 && edge_at (edges, i - 1)->rate.planned < edge.rate.planned; i--)
    *edge_at (edges, i) = *edge_at (edges, i - 1);
  *edge_at (edges, i) = edge;
}

void
plg_topology_graph_add_edge (PlgTopologyGraph *topology,
                             int a,
                             int b,
                             PlgTopologyEdgeType kind,
                             int links,
                             PlgTopologyBandwidth rate)
{
  GArray *edges = plg_topology_graph_get_vertex (topology, a)->edges;
  PlgTopologyEdge edge = { b, kind, links, rate };

  for (guint i = 0; i < edges->len; i++)
    if (edge_at (edges, i)->to == b && edge_at (edges, i)->kind == kind)
      {
        PlgTopologyEdge *old = edge_at (edges, i);

        old->links += links;
        old->rate.planned += rate.planned;
        old->rate.stated = old->rate.stated > 0.0 && rate.stated > 0.0
                               ? old->rate.stated + rate.stated
                               : 0.0;
        sort_edge (edges, i);
        return;
      }
  g_array_append_val (edges, edge);
  sort_edge (edges, edges->len - 1);
}

void
plg_topology_graph_add_edge_pair (PlgTopologyGraph *topology,
                                  int a,
                                  int b,
                                  PlgTopologyEdgeType kind,
                                  int links,
                                  PlgTopologyBandwidth rate)
{
  plg_topology_graph_add_edge (topology, a, b, kind, links, rate);
  plg_topology_graph_add_edge (topology, b, a, kind, links, rate);
}


static const PlgPathType path_type_of_edge[] = {
  [PLG_EDGE_LOCAL] = PLG_PATH_SELF, [PLG_EDGE_NVLINK] = PLG_PATH_NVLINK,
  [PLG_EDGE_C2C] = PLG_PATH_C2C,    [PLG_EDGE_PCIE] = PLG_PATH_PIX,
  [PLG_EDGE_SYS] = PLG_PATH_SYS,    [PLG_EDGE_NIC_PORT] = PLG_PATH_SELF,
};

/* Extends the path of vertex AT along each of the vertex's edges. If the path of another vertex
 * improves, adds that vertex to NEXT, the vertices of the next round. */
static void
visit_vertex (const PlgTopologyGraph *topology,
              int host,
              int at,
              PlgTopologyPath *paths,
              GArray *next)
{
  const PlgTopologyVertex *from = plg_topology_graph_get_vertex (topology, at);
  const PlgTopologyPath *path = &paths[at];

  for (guint i = 0; i < from->edges->len; i++)
    {
      const PlgTopologyEdge *edge = edge_at (from->edges, i);
      const PlgTopologyVertex *to = plg_topology_graph_get_vertex (topology, edge->to);
      PlgTopologyPath *old = &paths[edge->to];
      PlgTopologyPath new = { .hops = path->hops + 1 };
      PlgPathType type = path_type_of_edge[edge->kind];
      gboolean linked = edge->kind == PLG_EDGE_NVLINK, has_reverse = FALSE;

      for (guint j = 0; j < to->edges->len; j++)
        has_reverse = has_reverse || (edge_at (to->edges, j)->to == at &&
                                      edge_at (to->edges, j)->kind == edge->kind);
      if (!has_reverse || (to->host != host && to->kind != PLG_VERTEX_NVSWITCH))
        continue;
      /* A path can pass through only one GPU, and only over NVLinks from GPU to GPU. */
      if (path->hops > 0 && from->kind == PLG_VERTEX_GPU &&
          (!linked || to->kind != PLG_VERTEX_GPU || path->hops != 1))
        continue;

      if (from->kind == PLG_VERTEX_PCIE_BRIDGE && to->kind == PLG_VERTEX_PCIE_BRIDGE)
        type = PLG_PATH_PXB;
      if (edge->kind == PLG_EDGE_PCIE &&
          (from->kind == PLG_VERTEX_CPU || to->kind == PLG_VERTEX_CPU))
        type = PLG_PATH_PHB;
      if (from->kind == PLG_VERTEX_GPU && path->type == PLG_PATH_NVLINK && type == PLG_PATH_NVLINK)
        type = PLG_PATH_NVB;
      new.type = MAX (path->type, type);
      new.rate.planned = MIN (path->rate.planned, edge->rate.planned);
      new.rate.stated = path->hops == 0 ? edge->rate.stated : path->rate.stated;
      /* The stated rate is unknown (0) if the rate of any edge on the path is unknown. A local
       * edge does not limit the rate. */
      if (path->hops > 0 && edge->rate.planned < PLG_BANDWIDTH_LOCAL.planned)
        new.rate.stated = path->rate.stated > 0.0 && edge->rate.stated > 0.0
                              ? MIN (path->rate.stated, edge->rate.stated)
                              : 0.0;
      new.links = !linked ? 0 : path->hops == 0 ? edge->links : MIN (path->links, edge->links);
      if (old->type != PLG_PATH_UNKNOWN &&
          (old->hops <= path->hops || old->rate.planned >= new.rate.planned))
        continue;
      *old = new;
      g_array_append_val (next, edge->to);
    }
}

static void
find_shortest_paths (const PlgTopologyGraph *topology, int base, PlgTopologyPath *paths)
{
  int host = plg_topology_graph_get_vertex (topology, base)->host;
  g_autoptr (GArray) now = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) next = g_array_new (FALSE, FALSE, sizeof (int));

  for (guint i = 0; i < topology->vertices->len; i++)
    paths[i] = (PlgTopologyPath) { .type = PLG_PATH_UNKNOWN };
  paths[base] = (PlgTopologyPath) { 0, PLG_PATH_SELF, 0, PLG_BANDWIDTH_LOCAL };
  g_array_append_val (now, base);
  while (now->len > 0)
    {
      GArray *swapped = now;

      g_array_set_size (next, 0);
      for (guint i = 0; i < now->len; i++)
        visit_vertex (topology, host, g_array_index (now, int, i), paths, next);
      now = next;
      next = swapped;
    }
}

int
plg_topology_graph_nearest_cpu (const PlgTopologyGraph *topology, const PlgTopologyPath *paths)
{
  int best = -1;

  for (guint i = 0; i < topology->vertices->len; i++)
    if (plg_topology_graph_get_vertex (topology, i)->kind == PLG_VERTEX_CPU && paths[i].hops > 0 &&
        (best < 0 || paths[i].hops < paths[best].hops))
      best = i;
  return best;
}

void
plg_topology_graph_find_paths (const PlgTopologyGraph *topology, int base, PlgTopologyPath *paths)
{
  find_shortest_paths (topology, base, paths);
  if (plg_topology_graph_get_vertex (topology, base)->kind == PLG_VERTEX_GPU)
    {
      /* A GPU with a C2C link reaches the NICs at its CPU over C2C. */
      int cpu = plg_topology_graph_nearest_cpu (topology, paths);
      g_autofree PlgTopologyPath *from_cpu = NULL;

      if (cpu < 0 || paths[cpu].type != PLG_PATH_C2C)
        return;
      from_cpu = g_new (PlgTopologyPath, topology->vertices->len);
      find_shortest_paths (topology, cpu, from_cpu);
      for (guint i = 0; i < topology->vertices->len; i++)
        if (plg_topology_graph_get_vertex (topology, i)->kind == PLG_VERTEX_NIC_PORT &&
            paths[i].type == PLG_PATH_PHB && from_cpu[i].type == PLG_PATH_PHB)
          paths[i].type = PLG_PATH_P2C;
    }
}

static PlgPath
make_path (const PlgTopologyGraph *topology, const PlgTopologyPath *path, double stated)
{
  PlgPath way = { .type = path->type, .links = path->links, .bandwidth = stated };

  /* Leave the planned path empty if the file is not from NCCL or if there is no path. */
  if (topology->is_planned && path->rate.planned > 0.0)
    way.planned = (PlgPlannedPath) { path->type, path->rate.planned };
  return way;
}

void
plg_topology_graph_to_node (const PlgTopologyGraph *topology,
                            const int *gpus,
                            int n_gpus,
                            const int *nets,
                            int n_nets,
                            PlgNodeTopology *map)
{
  g_autofree PlgTopologyPath *paths = g_new (PlgTopologyPath, topology->vertices->len);

  plg_node_topology_init (map, n_gpus, n_nets);
  for (int a = 0; a < n_gpus; a++)
    {
      int cpu;

      plg_topology_graph_find_paths (topology, gpus[a], paths);
      for (int b = 0; b < n_gpus; b++)
        if (a != b)
          *plg_node_topology_to_gpu (map, a, b) = make_path (topology, &paths[gpus[b]],
                                                             paths[gpus[b]].rate.stated);
      for (int nic = 0; nic < n_nets; nic++)
        {
          const GArray *edges = plg_topology_graph_get_vertex (topology, nets[nic])->edges;
          int card = nets[nic];

          /* The stated rate must exclude the NIC's port, so take it from the path to the card
           * that has the port. */
          for (guint i = edges->len; i > 0; i--)
            if (edge_at (edges, i - 1)->kind == PLG_EDGE_NIC_PORT)
              card = edge_at (edges, i - 1)->to;
          *plg_node_topology_to_nic (map, a, nic) = make_path (topology, &paths[nets[nic]],
                                                               paths[card].rate.stated);
        }
      cpu = plg_topology_graph_nearest_cpu (topology, paths);
      map->numa[a] = cpu >= 0 ? (int) plg_topology_graph_get_vertex (topology, cpu)->id : -1;
    }
}
