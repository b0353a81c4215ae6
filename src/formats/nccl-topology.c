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

  return nccl != NULL && say (reading, nccl, error);
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
