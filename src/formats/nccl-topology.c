/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/nccl-topology.h"

#include "formats/format-private.h"
#include "formats/gpu-ids.h"
#include "formats/nccl-hosts.h"
#include "formats/nccl-write.h"
#include "formats/node-reading.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const PlgNcclGpu *
gpu_at (const PlgNccl *nccl, int i)
{
  return &g_array_index (nccl->gpus, PlgNcclGpu, i);
}

static const PlgNcclNet *
net_at (const PlgNccl *nccl, int i)
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
host_of (const PlgNccl *nccl, int host)
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
is_only_name (const PlgNccl *nccl, const Host *host, int nic)
{
  const char *name = net_at (nccl, host->first_net + nic)->name;

  for (int i = 0; i < host->nets; i++)
    if (i != nic && g_str_equal (net_at (nccl, host->first_net + i)->name, name))
      return FALSE;
  return TRUE;
}

static void
make_map (const PlgNccl *nccl, const Host *host, PlgNodeMap *map)
{
  g_autofree int *gpus = g_new (int, host->gpus);
  g_autofree int *nets = g_new (int, host->nets);

  for (int i = 0; i < host->gpus; i++)
    gpus[i] = gpu_at (nccl, host->first_gpu + i)->spot;
  for (int i = 0; i < host->nets; i++)
    nets[i] = net_at (nccl, host->first_net + i)->spot;
  plg_topology_map (nccl->topology, gpus, host->gpus, nets, host->nets, map);
  for (int i = 0; i < host->nets; i++)
    {
      const PlgNcclNet *net = net_at (nccl, host->first_net + i);

      if (is_only_name (nccl, host, i))
        g_strlcpy (map->card[i].name, net->name, PLG_NAME_SIZE);
      map->card[i].bandwidth = net->bandwidth;
    }
}

void
plg_nccl_map (const PlgNccl *nccl, int host, PlgNodeMap *map)
{
  Host found = host_of (nccl, host);

  make_map (nccl, &found, map);
}

/* All hosts are nodes like the usual one, with faults where they lack something. */
static gboolean
say_hosts (PlgReading *reading, const PlgNccl *nccl, int usual, GError **error)
{
  g_autofree char *faults = NULL;
  int line = plg_nccl_first_gpu (nccl, usual)->line, fault_line;

  if (nccl->hosts == 1)
    return TRUE;
  faults = plg_nccl_faults (reading, nccl, usual, &fault_line);
  if (!plg_reading_set_int (reading, line, "cluster.nodes", nccl->hosts, error))
    return FALSE;
  return faults == NULL ||
         plg_reading_infer (reading, fault_line, "cluster.faults", faults,
                            _ ("The nodes of a plan are what most hosts are; what the others lack "
                               "is broken there."),
                            error);
}

/* Facts */

static void
find_gpu (const PlgNcclGpu *gpu, PlgNodeFacts *facts)
{
  facts->gpu = plg_gpu_of_device (gpu->vendor, gpu->device);
  if (facts->gpu != NULL)
    {
      facts->gpu_why = _ ("Its PCI numbers are those of this GPU.");
      return;
    }
  facts->gpu = plg_gpu_of_architecture (gpu->sm, gpu->gcn, gpu->links);
  facts->gpu_why = _ ("It is the usual one of its architecture; others have the same, so look.");
}

static void
find_links (const PlgNccl *nccl, const Host *host, PlgNodeFacts *facts)
{
  facts->has_links = TRUE;
  facts->is_joined = TRUE;
  for (int i = host->first_gpu; i < host->first_gpu + host->gpus; i++)
    {
      const PlgNcclGpu *gpu = gpu_at (nccl, i);
      double port = gpu->links * gpu->link;

      facts->has_links = facts->has_links && gpu->is_known;
      facts->is_joined = facts->is_joined && gpu->is_joined;
      facts->port = i == host->first_gpu ? port : MIN (facts->port, port);
      if (gpu->pcie > 0.0 && (facts->pcie <= 0.0 || gpu->pcie < facts->pcie))
        facts->pcie = gpu->pcie;
    }
  facts->multicast = facts->is_joined && gpu_at (nccl, host->first_gpu)->sm >= 90;
}

/* Racks of trays --------------------------------------------------------------------------------
 */

/* Whether the catalogue has a node of LEAST to MOST such GPUs that NVSwitches join. */
static gboolean
has_node (const PlgCatalogue *catalogue, const char *gpu, int least, int most)
{
  for (int i = 0; i < plg_catalogue_n_nodes (catalogue); i++)
    {
      const PlgNode *node = plg_catalogue_nth_node (catalogue, i);

      if (g_str_equal (node->gpu, gpu) && node->intra == PLG_INTRA_NVSWITCH &&
          node->gpus >= least && node->gpus <= most)
        return TRUE;
    }
  return FALSE;
}

/* Whether the hosts are trays of one rack: NCCL takes the NVSwitches of a file for one, whichever
 * host they are of (src/graph/topo.cc, ncclTopoAddNvLinks). Boxes that have switches of their own
 * are no trays; files of theirs were put together by somebody else. */
static gboolean
are_trays (const PlgReading *reading, const PlgNccl *nccl)
{
  PlgNodeFacts facts = { 0 };
  int gpus = (int) nccl->gpus->len, tray = host_of (nccl, 0).gpus;

  find_gpu (gpu_at (nccl, 0), &facts);
  if (nccl->hosts == 1 || facts.gpu == NULL || tray * nccl->hosts != gpus)
    return FALSE;
  for (int i = 0; i < gpus; i++)
    if (!gpu_at (nccl, i)->is_joined)
      return FALSE;
  return has_node (reading->catalogue, facts.gpu, tray, tray) &&
         has_node (reading->catalogue, facts.gpu, gpus, G_MAXINT);
}

/* Each tray counts its CPUs from 0, so they are counted anew. */
static void
join_spots (PlgTopology *topology)
{
  guint64 cpus = 0;

  for (guint i = 0; i < topology->spots->len; i++)
    {
      PlgSpot *spot = plg_topology_spot (topology, i);

      if (spot->kind == PLG_SPOT_CPU)
        spot->id = cpus++;
      spot->host = 0;
    }
}

static void
join_trays (PlgReading *reading, PlgNccl *nccl)
{
  plg_reading_note (reading, PLG_NOTE_INFERRED, gpu_at (nccl, 0)->line,
                    _ ("NVSwitches join the GPUs of the %d hosts, which are trays of one rack. "
                       "They are one node of the plan."),
                    nccl->hosts);
  for (guint i = 0; i < nccl->gpus->len; i++)
    g_array_index (nccl->gpus, PlgNcclGpu, i).host = 0;
  for (guint i = 0; i < nccl->nets->len; i++)
    g_array_index (nccl->nets, PlgNcclNet, i).host = 0;
  join_spots (nccl->topology);
  nccl->hosts = 1;
}

static gboolean
say (PlgReading *reading, const PlgNccl *nccl, GError **error)
{
  PlgNodeFacts facts = { 0 };
  PlgNodeMap map;
  Host host;
  int usual;

  if (!plg_nccl_usual_host (reading, nccl, &usual, error) ||
      !say_hosts (reading, nccl, usual, error))
    return FALSE;
  host = host_of (nccl, usual);
  facts.line = gpu_at (nccl, host.first_gpu)->line;
  find_gpu (gpu_at (nccl, host.first_gpu), &facts);
  find_links (nccl, &host, &facts);
  for (int i = 0; i < host.nets; i++)
    facts.is_rdma = facts.is_rdma || net_at (nccl, host.first_net + i)->is_rdma;
  make_map (nccl, &host, &map);
  return plg_node_reading_say (reading, &facts, &map, error);
}

static gboolean
read_nccl (PlgReading *reading, GError **error)
{
  g_autoptr (PlgNccl) nccl = plg_nccl_load (reading, error);

  if (nccl == NULL)
    return FALSE;
  if (are_trays (reading, nccl))
    join_trays (reading, nccl);
  return say (reading, nccl, error);
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
  .write = plg_nccl_write,
};
