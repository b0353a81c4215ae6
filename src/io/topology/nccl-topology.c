/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/nccl-topology.h"

#include "io/import/format.h"
#include "io/topology/gpu-device-ids.h"
#include "io/topology/nccl-hosts.h"
#include "io/topology/node-facts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
find_gpu (const PlgNcclGpu *gpu, PlgNodeFacts *facts)
{
  facts->gpu = plg_gpu_from_device_id (gpu->vendor, gpu->device);
  if (facts->gpu != NULL)
    {
      facts->gpu_why = _ ("The PCI ids identify this GPU.");
      return;
    }
  facts->gpu = plg_gpu_from_architecture (gpu->sm, gpu->gcn, gpu->links);
  facts->gpu_why = _ ("This is the most common GPU with this architecture. Other GPUs have the "
                      "same architecture, so check the GPU.");
}

/* Returns whether NVSwitches connect all GPUs. NCCL treats all NVSwitches in a file as one, even
 * across hosts (src/graph/topo.cc, ncclTopoAddNvLinks). */
static gboolean
are_joined (const PlgNcclTopology *nccl)
{
  for (guint i = 0; i < nccl->gpus->len; i++)
    if (!g_array_index (nccl->gpus, PlgNcclGpu, i).is_joined)
      return FALSE;
  return TRUE;
}

static void
merge_hosts (PlgNcclTopology *nccl)
{
  guint64 cpus = 0;

  for (guint i = 0; i < nccl->gpus->len; i++)
    g_array_index (nccl->gpus, PlgNcclGpu, i).host = 0;
  for (guint i = 0; i < nccl->nets->len; i++)
    g_array_index (nccl->nets, PlgNcclNet, i).host = 0;
  /* Renumber the CPUs, because the CPU numbers of each tray start at 0. */
  for (guint i = 0; i < nccl->topology->vertices->len; i++)
    {
      PlgTopologyVertex *vertex = plg_topology_graph_get_vertex (nccl->topology, i);

      if (vertex->kind == PLG_VERTEX_CPU)
        vertex->id = cpus++;
      vertex->host = 0;
    }
  nccl->hosts = 1;
}

static gboolean
apply_facts (PlgImportContext *context, const PlgNcclTopology *nccl, int host_gpus, GError **error)
{
  PlgNodeFacts facts = { .host_gpus = host_gpus };
  g_autofree char *faults = NULL;
  PlgNodeTopology map;
  PlgNcclHost host;
  int reference, fault_line;

  if (!plg_nccl_find_majority_host (context, nccl, &reference, error))
    return FALSE;
  host = plg_nccl_topology_get_host (nccl, reference);
  /* Import one node per host. Model every node on the reference host. A NIC that another host
   * lacks, or a NIC or GPU link that is slower there, becomes a fault of that host's node. */
  if (nccl->hosts != 1)
    {
      faults = plg_nccl_find_faults (context, nccl, reference, &fault_line);
      if (!plg_import_set_int (context, host.line, "cluster.nodes", nccl->hosts, error))
        return FALSE;
      if (faults != NULL &&
          !plg_import_infer (context, fault_line, "cluster.faults", faults,
                             _ ("All nodes are modelled on the most common host. Parts that are "
                                "missing or slower on other hosts become faults there."),
                             error))
        return FALSE;
    }

  facts.line = host.line;
  find_gpu (host.gpu, &facts);
  facts.has_links = TRUE;
  facts.is_joined = TRUE;
  for (int i = 0; i < host.gpus; i++)
    {
      const PlgNcclGpu *gpu = &host.gpu[i];
      double links_bandwidth = gpu->links * gpu->link;

      facts.has_links = facts.has_links && gpu->is_known;
      facts.is_joined = facts.is_joined && gpu->is_joined;
      facts.links_bandwidth = i == 0 ? links_bandwidth
                                     : MIN (facts.links_bandwidth, links_bandwidth);
      if (gpu->pcie > 0.0 && (facts.pcie <= 0.0 || gpu->pcie < facts.pcie))
        facts.pcie = gpu->pcie;
    }
  facts.multicast = facts.is_joined && host.gpu->sm >= 90;
  for (int i = 0; i < host.nets; i++)
    facts.is_rdma = facts.is_rdma || host.net[i].is_rdma;
  plg_nccl_topology_to_node (nccl, reference, &map);
  return plg_node_facts_apply (context, &facts, &map, error);
}

/* Merges the hosts into one node if they are trays of a rack. Returns the number of GPUs per
 * tray, or 0 if the hosts are not trays or have different numbers of GPUs. */
static int
find_trays (PlgImportContext *context, PlgNcclTopology *nccl)
{
  const PlgNcclGpu *first = &g_array_index (nccl->gpus, PlgNcclGpu, 0);
  int least = plg_nccl_topology_get_host (nccl, 0).gpus, most = least;
  PlgNodeFacts facts = { 0 };
  const PlgNode *rack = NULL;

  if (nccl->hosts == 1 || !are_joined (nccl))
    return 0;
  find_gpu (first, &facts);
  /* Find the catalogue's largest rack with this GPU. */
  for (int i = 0; i < plg_catalogue_n_nodes (context->catalogue); i++)
    {
      const PlgNode *node = plg_catalogue_nth_node (context->catalogue, i);

      if (g_strcmp0 (node->gpu, facts.gpu) == 0 && node->intra == PLG_INTRA_NVSWITCH &&
          node->host_gpus > 0 && (rack == NULL || node->gpus > rack->gpus))
        rack = node;
    }
  for (int i = 1; i < nccl->hosts; i++)
    {
      int gpus = plg_nccl_topology_get_host (nccl, i).gpus;

      least = MIN (least, gpus);
      most = MAX (most, gpus);
    }
  if (rack == NULL || least <= 0 || most > rack->host_gpus || (int) nccl->gpus->len > rack->gpus)
    {
      plg_import_note (context, PLG_NOTE_INFERRED, first->line,
                       _ ("NVSwitches connect the GPUs of each of the %d hosts. The catalogue "
                          "has no rack with such trays, so each host is assumed to have its own "
                          "switches, although NCCL treats all switches as one."),
                       nccl->hosts);
      return 0;
    }
  plg_import_note (context, PLG_NOTE_INFERRED, first->line,
                   _ ("NVSwitches connect the GPUs of the %d hosts, which are trays of one rack. "
                      "The hosts become one node in the plan."),
                   nccl->hosts);
  if (least != most)
    plg_import_note (context, PLG_NOTE_IGNORED, first->line,
                     _ ("The trays have %d to %d GPUs, but all trays in a plan must have the "
                        "same number. Launchers therefore treat the node as one host."),
                     least, most);
  merge_hosts (nccl);
  return least == most ? least : 0;
}

static gboolean
read_nccl (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgNcclTopology) nccl = plg_nccl_topology_read (context, 1, error);
  g_autoptr (PlgNcclTopology) rack = NULL;
  const PlgCluster *cluster = &context->plan->cluster;
  g_auto (PlgImportContext) again = { 0 };
  PlgNodeFacts facts = { 0 };
  int trays = 1;

  if (nccl == NULL)
    return FALSE;
  /* Check whether the file describes one tray of the open plan's racks. */
  find_gpu (&g_array_index (nccl->gpus, PlgNcclGpu, 0), &facts);
  if (nccl->hosts == 1 && are_joined (nccl) && g_strcmp0 (facts.gpu, cluster->gpu.name) == 0 &&
      (int) nccl->gpus->len == plg_cluster_host_gpus (cluster))
    trays = plg_cluster_hosts_per_node (cluster);
  if (trays == 1)
    return apply_facts (context, nccl, find_trays (context, nccl), error);

  /* Read the file again as a rack that consists of copies of this tray. AGAIN collects the
   * import notes of the second read, which are discarded because they repeat those of the first
   * read. */
  plg_import_init (&again, context->data, context->size, context->plan, context->catalogue);
  plg_import_set_one_host (context, g_array_index (nccl->gpus, PlgNcclGpu, 0).line, trays);
  rack = plg_nccl_topology_read (&again, trays, error);
  if (rack == NULL)
    return FALSE;
  merge_hosts (rack);
  return apply_facts (context, rack, (int) nccl->gpus->len, error);
}

static gboolean
is_nccl (const char *data, gsize size)
{
  return plg_xml_begins (data, size, "system");
}

const PlgFormat plg_nccl_topology_format = {
  .name = "nccl-topology",
  .suffix = ".xml",
  .title = N_ ("NCCL or RCCL topology (XML)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .syntax = PLG_SYNTAX_XML,
  .sign = "<system>",
  .is = is_nccl,
  .read = read_nccl,
};
