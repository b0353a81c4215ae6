/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/nccl-topology.h"

#include "io/registry/format-private.h"
#include "io/topology/gpu-device-ids.h"
#include "io/topology/nccl-hosts.h"
#include "io/topology/node-facts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const PlgNcclGpu *
gpu_at (const PlgNcclTopology *nccl, int i)
{
  return &g_array_index (nccl->gpus, PlgNcclGpu, i);
}

static const PlgNcclNet *
net_at (const PlgNcclTopology *nccl, int i)
{
  return &g_array_index (nccl->nets, PlgNcclNet, i);
}

/* The GPUs or NICs of a host stand together. */
typedef struct
{
  int first_gpu, gpus;
  int first_net, nets;
} Host;

static Host
host_of (const PlgNcclTopology *nccl, int host)
{
  Host found = { 0 };

  for (int i = (int) nccl->gpus->len - 1; i >= 0; i--)
    if (gpu_at (nccl, i)->host == host)
      {
        found.first_gpu = i;
        found.gpus++;
      }
  for (int i = (int) nccl->nets->len - 1; i >= 0; i--)
    if (net_at (nccl, i)->host == host)
      {
        found.first_net = i;
        found.nets++;
      }
  return found;
}

/* NICs of several trays have the same names. */
static gboolean
is_only_name (const PlgNcclTopology *nccl, const Host *host, int nic)
{
  const char *name = net_at (nccl, host->first_net + nic)->name;

  for (int i = 0; i < host->nets; i++)
    if (i != nic && g_str_equal (net_at (nccl, host->first_net + i)->name, name))
      return FALSE;
  return TRUE;
}

static void
make_map (const PlgNcclTopology *nccl, const Host *host, PlgNodeTopology *map)
{
  g_autofree int *gpus = g_new (int, host->gpus);
  g_autofree int *nets = g_new (int, host->nets);

  for (int i = 0; i < host->gpus; i++)
    gpus[i] = gpu_at (nccl, host->first_gpu + i)->vertex;
  for (int i = 0; i < host->nets; i++)
    nets[i] = net_at (nccl, host->first_net + i)->vertex;
  plg_topology_graph_to_node (nccl->topology, gpus, host->gpus, nets, host->nets, map);
  for (int i = 0; i < host->nets; i++)
    {
      const PlgNcclNet *net = net_at (nccl, host->first_net + i);

      if (is_only_name (nccl, host, i))
        g_strlcpy (map->card[i].name, net->name, PLG_NAME_SIZE);
      map->card[i].bandwidth = net->bandwidth;
    }
}

void
plg_nccl_topology_to_node (const PlgNcclTopology *nccl, int host, PlgNodeTopology *map)
{
  Host found = host_of (nccl, host);

  make_map (nccl, &found, map);
}

/* All hosts are nodes like the usual one, with faults where they lack something. */
static gboolean
note_hosts (PlgImportContext *context, const PlgNcclTopology *nccl, int reference, GError **error)
{
  g_autofree char *faults = NULL;
  int line = plg_nccl_first_gpu (nccl, reference)->line, fault_line;

  if (nccl->hosts == 1)
    return TRUE;
  faults = plg_nccl_find_faults (context, nccl, reference, &fault_line);
  if (!plg_import_set_int (context, line, "cluster.nodes", nccl->hosts, error))
    return FALSE;
  return faults == NULL ||
         plg_import_infer (context, fault_line, "cluster.faults", faults,
                           _ ("The nodes of a plan are what most hosts are; what the others lack "
                              "is broken there."),
                           error);
}

/* Facts */

static void
find_gpu (const PlgNcclGpu *gpu, PlgNodeFacts *facts)
{
  facts->gpu = plg_gpu_from_device_id (gpu->vendor, gpu->device);
  if (facts->gpu != NULL)
    {
      facts->gpu_why = _ ("Its PCI numbers are those of this GPU.");
      return;
    }
  facts->gpu = plg_gpu_from_architecture (gpu->sm, gpu->gcn, gpu->links);
  facts->gpu_why = _ ("It is the usual one of its architecture; others have the same, so look.");
}

static void
find_links (const PlgNcclTopology *nccl, const Host *host, PlgNodeFacts *facts)
{
  facts->has_links = TRUE;
  facts->is_joined = TRUE;
  for (int i = host->first_gpu; i < host->first_gpu + host->gpus; i++)
    {
      const PlgNcclGpu *gpu = gpu_at (nccl, i);
      double links_bandwidth = gpu->links * gpu->link;

      facts->has_links = facts->has_links && gpu->is_known;
      facts->is_joined = facts->is_joined && gpu->is_joined;
      facts->links_bandwidth = i == host->first_gpu ? links_bandwidth
                                                    : MIN (facts->links_bandwidth, links_bandwidth);
      if (gpu->pcie > 0.0 && (facts->pcie <= 0.0 || gpu->pcie < facts->pcie))
        facts->pcie = gpu->pcie;
    }
  facts->multicast = facts->is_joined && gpu_at (nccl, host->first_gpu)->sm >= 90;
}

/* Racks of trays --------------------------------------------------------------------------------
 */

/* The largest rack of such GPUs in the catalogue, or NULL. */
static const PlgNode *
find_rack (const PlgCatalogue *catalogue, const char *gpu)
{
  const PlgNode *rack = NULL;

  for (int i = 0; i < plg_catalogue_n_nodes (catalogue); i++)
    {
      const PlgNode *node = plg_catalogue_nth_node (catalogue, i);

      if (g_strcmp0 (node->gpu, gpu) == 0 && node->intra == PLG_INTRA_NVSWITCH &&
          node->host_gpus > 0 && (rack == NULL || node->gpus > rack->gpus))
        rack = node;
    }
  return rack;
}

/* The GPUs of the host that has fewest, and of that which has most. */
static void
find_sizes (const PlgNcclTopology *nccl, int *least, int *most)
{
  *least = *most = host_of (nccl, 0).gpus;
  for (int host = 1; host < nccl->hosts; host++)
    {
      int gpus = host_of (nccl, host).gpus;

      *least = MIN (*least, gpus);
      *most = MAX (*most, gpus);
    }
}

/* NCCL takes the NVSwitches of a file for one, whichever host they are of (src/graph/topo.cc,
 * ncclTopoAddNvLinks). */
static gboolean
are_joined (const PlgNcclTopology *nccl)
{
  for (guint i = 0; i < nccl->gpus->len; i++)
    if (!gpu_at (nccl, (int) i)->is_joined)
      return FALSE;
  return TRUE;
}

/* How many trays a node of the open plan has, where the file is of one of them; else 1. */
static int
trays_of_plan (const PlgImportContext *context, const PlgNcclTopology *nccl)
{
  const PlgCluster *cluster = &context->plan->cluster;
  PlgNodeFacts facts = { 0 };

  find_gpu (gpu_at (nccl, 0), &facts);
  if (nccl->hosts > 1 || !are_joined (nccl) || g_strcmp0 (facts.gpu, cluster->gpu.name) != 0 ||
      (int) nccl->gpus->len != plg_cluster_host_gpus (cluster))
    return 1;
  return plg_cluster_hosts_per_node (cluster);
}

/* A rack of TRAYS like that of the file. NULL with ERROR. */
static PlgNcclTopology *
load_rack (PlgImportContext *context, int trays, int line, GError **error)
{
  g_auto (PlgImportContext) again = { 0 };

  /* What is noted of one is noted already. */
  plg_import_init (&again, context->data, context->size, context->plan, context->catalogue);
  plg_import_set_one_host (context, line, trays);
  return plg_nccl_topology_read (&again, trays, error);
}

/* Whether the hosts, which NVSwitches join, are trays of one rack; of some a job may have had a
 * part. Boxes that have switches of their own are no trays; files of theirs were put together by
 * somebody else. */
static gboolean
hosts_are_trays (const PlgImportContext *context, const PlgNcclTopology *nccl)
{
  PlgNodeFacts facts = { 0 };
  const PlgNode *rack;
  int least, most;

  find_gpu (gpu_at (nccl, 0), &facts);
  rack = find_rack (context->catalogue, facts.gpu);
  find_sizes (nccl, &least, &most);
  return rack != NULL && least > 0 && most <= rack->host_gpus &&
         (int) nccl->gpus->len <= rack->gpus;
}

/* Each tray counts its CPUs from 0, so they are counted anew. */
static void
merge_hosts (PlgTopologyGraph *topology)
{
  guint64 cpus = 0;

  for (guint i = 0; i < topology->vertices->len; i++)
    {
      PlgTopologyVertex *vertex = plg_topology_graph_get_vertex (topology, i);

      if (vertex->kind == PLG_VERTEX_CPU)
        vertex->id = cpus++;
      vertex->host = 0;
    }
}

/* Launchers start as many processes on each host. */
static int
note_trays (PlgImportContext *context, const PlgNcclTopology *nccl)
{
  int line = gpu_at (nccl, 0)->line, least, most;

  find_sizes (nccl, &least, &most);
  plg_import_note (context, PLG_NOTE_INFERRED, line,
                   _ ("NVSwitches join the GPUs of the %d hosts, which are trays of one rack. "
                      "They are one node of the plan."),
                   nccl->hosts);
  if (least == most)
    return least;
  plg_import_note (context, PLG_NOTE_IGNORED, line,
                   _ ("The trays have %d to %d GPUs. Those of a plan have as many each: for "
                      "launchers, its node is taken for one host."),
                   least, most);
  return 0;
}

static void
join_trays (PlgNcclTopology *nccl)
{
  for (guint i = 0; i < nccl->gpus->len; i++)
    g_array_index (nccl->gpus, PlgNcclGpu, i).host = 0;
  for (guint i = 0; i < nccl->nets->len; i++)
    g_array_index (nccl->nets, PlgNcclNet, i).host = 0;
  merge_hosts (nccl->topology);
  nccl->hosts = 1;
}

static gboolean
apply_facts (PlgImportContext *context, const PlgNcclTopology *nccl, int host_gpus, GError **error)
{
  PlgNodeFacts facts = { .host_gpus = host_gpus };
  PlgNodeTopology map;
  Host host;
  int reference;

  if (!plg_nccl_find_majority_host (context, nccl, &reference, error) ||
      !note_hosts (context, nccl, reference, error))
    return FALSE;
  host = host_of (nccl, reference);
  facts.line = gpu_at (nccl, host.first_gpu)->line;
  find_gpu (gpu_at (nccl, host.first_gpu), &facts);
  find_links (nccl, &host, &facts);
  for (int i = 0; i < host.nets; i++)
    facts.is_rdma = facts.is_rdma || net_at (nccl, host.first_net + i)->is_rdma;
  make_map (nccl, &host, &map);
  return plg_node_facts_apply (context, &facts, &map, error);
}

/* Makes one node of the hosts of a rack. Returns the GPUs of each; 0: it is none, or they are not
 * the same. */
static int
find_trays (PlgImportContext *context, PlgNcclTopology *nccl)
{
  int gpus;

  if (nccl->hosts == 1 || !are_joined (nccl))
    return 0;
  if (!hosts_are_trays (context, nccl))
    {
      plg_import_note (context, PLG_NOTE_INFERRED, gpu_at (nccl, 0)->line,
                       _ ("NVSwitches join the GPUs of each of the %d hosts. They are taken for "
                          "those of the host alone, since the catalogue has no rack of such "
                          "trays; NCCL takes them for one."),
                       nccl->hosts);
      return 0;
    }
  gpus = note_trays (context, nccl);
  join_trays (nccl);
  return gpus;
}

static gboolean
read_nccl (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgNcclTopology) nccl = plg_nccl_topology_read (context, 1, error);
  g_autoptr (PlgNcclTopology) rack = NULL;
  int trays;

  if (nccl == NULL)
    return FALSE;
  trays = trays_of_plan (context, nccl);
  if (trays == 1)
    return apply_facts (context, nccl, find_trays (context, nccl), error);
  rack = load_rack (context, trays, gpu_at (nccl, 0)->line, error);
  if (rack == NULL)
    return FALSE;
  join_trays (rack);
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
  .title = N_ ("Topology of NCCL or RCCL (XML)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .syntax = PLG_SYNTAX_XML,
  .sign = "<system>",
  .is = is_nccl,
  .read = read_nccl,
};
