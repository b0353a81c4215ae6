/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/gpu-device-ids.h"
#include "io/topology/nccl-private.h"

#include <glib/gi18n-lib.h>

static gboolean
add_link (PlgNcclGraphBuilder *builder, const xmlNode *node, PlgNcclGpu *gpu, GError **error)
{
  PlgTopologyGraph *topology = builder->nccl->topology;
  g_autofree char *target = plg_xml_attribute (node, "target");
  g_autofree char *class = plg_xml_attribute (node, "tclass");
  double planned = plg_gpu_nccl_link_rate (gpu->sm, gpu->gcn);
  const PlgNcclGpu *other;
  guint64 busid;
  int count;

  if (!plg_nccl_read_int (builder, node, "count", 1, &count, error))
    return FALSE;
  if (count < 1 || count > 1024)
    return plg_nccl_fail (builder, node, "count", error,
                          _ ("write a number of links from 1 to 1024"));
  if (target == NULL || !plg_nccl_parse_bus_id (target, &busid))
    return plg_nccl_fail (builder, node, "target", error, _ ("write a busid such as 0000:83:00.0"));
  other = plg_nccl_find_gpu (builder, gpu->host, busid);
  if (other == gpu)
    return TRUE;
  gpu->links += count;
  if (other != NULL)
    plg_topology_graph_add_edge (topology, gpu->vertex, other->vertex, PLG_EDGE_NVLINK, count,
                                 (PlgTopologyBandwidth) { count * planned, count * gpu->link });
  else if (class == NULL || g_str_has_prefix (class, "0x068000"))
    {
      gpu->is_joined = TRUE;
      if (builder->nvswitch_vertex < 0)
        builder->nvswitch_vertex = plg_topology_graph_add_vertex (builder->nccl->topology,
                                                                  PLG_VERTEX_NVSWITCH, 0, 0);
      plg_topology_graph_add_edge_pair (topology, gpu->vertex, builder->nvswitch_vertex,
                                        PLG_EDGE_NVLINK, count,
                                        (PlgTopologyBandwidth) { count * planned,
                                                                 count * gpu->link });
    }
  return TRUE;
}

static gboolean
add_c2c (PlgNcclGraphBuilder *builder, const xmlNode *node, PlgNcclGpu *gpu, GError **error)
{
  PlgTopologyGraph *topology = builder->nccl->topology;
  g_autofree PlgTopologyPath *paths = g_new (PlgTopologyPath, topology->vertices->len);
  int cpu, bandwidth, count;
  double rate;

  if (!plg_nccl_read_int (builder, node, "bw", 0, &bandwidth, error) ||
      !plg_nccl_read_int (builder, node, "count", 1, &count, error))
    return FALSE;
  plg_topology_graph_find_paths (topology, gpu->vertex, paths);
  cpu = plg_topology_graph_nearest_cpu (topology, paths);
  rate = (double) bandwidth * count / 1000.0 * 1e9;
  if (cpu >= 0 && rate > 0.0)
    plg_topology_graph_add_edge_pair (topology, gpu->vertex, cpu, PLG_EDGE_C2C, 0,
                                      (PlgTopologyBandwidth) { rate, rate });
  return TRUE;
}

static gboolean
add_links_below (PlgNcclGraphBuilder *builder,
                 const xmlNode *parent,
                 int host,
                 gboolean c2c,
                 GError **error)
{
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) parent); node != NULL;
       node = xmlNextElementSibling (node))
    {
      const xmlNode *facts = plg_nccl_find_child (node, "gpu");
      guint64 busid = 0;
      PlgNcclGpu *gpu = NULL;

      if (!plg_xml_is (node, "pci"))
        continue;
      if (facts != NULL && plg_nccl_read_bus_id (builder, node, &busid, NULL))
        gpu = plg_nccl_find_gpu (builder, host, busid);
      for (xmlNode *link = gpu != NULL ? xmlFirstElementChild ((xmlNode *) facts) : NULL;
           link != NULL; link = xmlNextElementSibling (link))
        if ((c2c ? plg_xml_is (link, "c2c")
                 : plg_xml_is (link, "nvlink") || plg_xml_is (link, "xgmi")) &&
            !(c2c ? add_c2c : add_link) (builder, link, gpu, error))
          return FALSE;
      if (!add_links_below (builder, node, host, c2c, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
plg_nccl_add_links (PlgNcclGraphBuilder *builder, gboolean c2c, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild (plg_xml_root (builder->xml)); node != NULL;
       node = xmlNextElementSibling (node))
    {
      int host;

      if (plg_xml_is (node, "cpu") && (!plg_nccl_find_host (builder, node, &host, error) ||
                                       !add_links_below (builder, node, host, c2c, error)))
        return FALSE;
    }
  return TRUE;
}

void
plg_nccl_connect_cpus (PlgNcclGraphBuilder *builder)
{
  for (guint a = 0; a < builder->cpus->len; a++)
    for (guint b = 0; b < builder->cpus->len; b++)
      {
        const PlgNcclCpu *from = &g_array_index (builder->cpus, PlgNcclCpu, a);
        const PlgNcclCpu *to = &g_array_index (builder->cpus, PlgNcclCpu, b);
        PlgTopologyBandwidth rate = { from->bandwidth, from->bandwidth };

        if (from->bandwidth <= 0.0)
          rate = (PlgTopologyBandwidth) { PLG_BANDWIDTH_LOCAL.planned * 0.999, 0.0 };
        if (a != b && from->host == to->host)
          plg_topology_graph_add_edge (builder->nccl->topology, from->vertex, to->vertex,
                                       PLG_EDGE_SYS, 0, rate);
      }
}
