/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/gpu-ids.h"
#include "formats/nccl-private.h"

#include <glib/gi18n-lib.h>

static int
nvswitch (PlgNcclLoad *load)
{
  if (load->switch_spot < 0)
    load->switch_spot = plg_topology_add (load->nccl->topology, PLG_SPOT_NVSWITCH, 0, 0);
  return load->switch_spot;
}

/* The CPU up the tree from SPOT. */
static int
cpu_above (const PlgTopology *topology, int spot)
{
  g_autofree PlgTopologyPath *paths = g_new (PlgTopologyPath, topology->spots->len);
  int best = -1;

  plg_topology_search (topology, spot, paths);
  for (guint i = 0; i < topology->spots->len; i++)
    if (plg_topology_spot (topology, i)->kind == PLG_SPOT_CPU && paths[i].hops > 0 &&
        (best < 0 || paths[i].hops < paths[best].hops))
      best = (int) i;
  return best;
}

static gboolean
add_link (PlgNcclLoad *load, const xmlNode *node, PlgNcclGpu *gpu, GError **error)
{
  PlgTopology *topology = load->nccl->topology;
  g_autofree char *target = plg_xml_attribute (node, "target");
  g_autofree char *class = plg_xml_attribute (node, "tclass");
  double planned = plg_gpu_planned_link_rate (gpu->sm, gpu->gcn);
  const PlgNcclGpu *other;
  guint64 busid;
  int count;

  if (!plg_nccl_read_int (load, node, "count", 1, &count, error))
    return FALSE;
  if (count < 1 || count > 1024)
    return plg_nccl_fail (load, node, "count", error, _ ("a GPU has 1 or more links to another"));
  if (target == NULL || !plg_nccl_bus_id (target, &busid))
    return plg_nccl_fail (load, node, "target", error, _ ("write a busid as 0000:83:00.0"));
  other = plg_nccl_gpu_of (load, gpu->host, busid);
  if (other == gpu)
    return TRUE;
  gpu->links += count;
  if (other != NULL)
    plg_topology_join (topology, gpu->spot, other->spot, PLG_JOINT_NVLINK, count,
                       (PlgRate) { count * planned, count * gpu->link });
  else if (class == NULL || g_str_has_prefix (class, "0x068000"))
    {
      gpu->is_joined = TRUE;
      plg_topology_connect (topology, gpu->spot, nvswitch (load), PLG_JOINT_NVLINK, count,
                            (PlgRate) { count * planned, count * gpu->link });
    }
  return TRUE;
}

static gboolean
add_c2c (PlgNcclLoad *load, const xmlNode *node, const PlgNcclGpu *gpu, GError **error)
{
  int cpu = cpu_above (load->nccl->topology, gpu->spot), bandwidth, count;
  double rate;

  if (!plg_nccl_read_int (load, node, "bw", 0, &bandwidth, error) ||
      !plg_nccl_read_int (load, node, "count", 1, &count, error))
    return FALSE;
  rate = (double) bandwidth * count / 1000.0 * 1e9;
  if (cpu >= 0 && rate > 0.0)
    plg_topology_connect (load->nccl->topology, gpu->spot, cpu, PLG_JOINT_C2C, 0,
                          (PlgRate) { rate, rate });
  return TRUE;
}

static gboolean
add_links_of (PlgNcclLoad *load,
              const xmlNode *facts,
              PlgNcclGpu *gpu,
              gboolean c2c,
              GError **error)
{
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) facts); node != NULL;
       node = xmlNextElementSibling (node))
    if (c2c ? plg_xml_is (node, "c2c") && !add_c2c (load, node, gpu, error)
            : (plg_xml_is (node, "nvlink") || plg_xml_is (node, "xgmi")) &&
                  !add_link (load, node, gpu, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_links_below (PlgNcclLoad *load, const xmlNode *parent, int host, gboolean c2c, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) parent); node != NULL;
       node = xmlNextElementSibling (node))
    {
      const xmlNode *facts = plg_nccl_child (node, "gpu");
      guint64 busid = 0;
      PlgNcclGpu *gpu = NULL;

      if (!plg_xml_is (node, "pci"))
        continue;
      if (facts != NULL && plg_nccl_read_bus_id (load, node, &busid, NULL))
        gpu = plg_nccl_gpu_of (load, host, busid);
      if ((gpu != NULL && !add_links_of (load, facts, gpu, c2c, error)) ||
          !add_links_below (load, node, host, c2c, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
plg_nccl_add_links (PlgNcclLoad *load, gboolean c2c, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild (plg_xml_root (load->xml)); node != NULL;
       node = xmlNextElementSibling (node))
    {
      int host;

      if (plg_xml_is (node, "cpu") && (!plg_nccl_find_host (load, node, &host, error) ||
                                       !add_links_below (load, node, host, c2c, error)))
        return FALSE;
    }
  return TRUE;
}

void
plg_nccl_connect_cpus (PlgNcclLoad *load)
{
  for (guint a = 0; a < load->cpus->len; a++)
    for (guint b = 0; b < load->cpus->len; b++)
      {
        const PlgNcclCpu *from = &g_array_index (load->cpus, PlgNcclCpu, a);
        const PlgNcclCpu *to = &g_array_index (load->cpus, PlgNcclCpu, b);
        PlgRate rate = { from->bandwidth, from->bandwidth };

        if (from->bandwidth <= 0.0)
          rate = (PlgRate) { PLG_RATE_LOCAL.planned * 0.999, 0.0 };
        if (a != b && from->host == to->host)
          plg_topology_join (load->nccl->topology, from->spot, to->spot, PLG_JOINT_SYS, 0, rate);
      }
}
