/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/nccl-topology.h"

#include "formats/format-private.h"
#include "formats/gpu-ids.h"
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

static gboolean
check_sizes (PlgReading *reading, const PlgNccl *nccl, const Host *host, GError **error)
{
  int line = gpu_at (nccl, host->first_gpu)->line;

  if (host->gpus > PLG_MAX_GPUS_PER_NODE)
    return plg_reading_fail (reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The node has %d GPUs; a node of a plan has at most %d."),
                             host->gpus, PLG_MAX_GPUS_PER_NODE);
  if (host->nets > PLG_MAX_NODE_NICS)
    return plg_reading_fail (reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The node has %d NICs; a node of a plan has at most %d."),
                             host->nets, PLG_MAX_NODE_NICS);
  return TRUE;
}

static gboolean
check_alike (PlgReading *reading,
             const PlgNccl *nccl,
             const Host *first,
             int number,
             const PlgNodeMap *map,
             GError **error)
{
  Host host = host_of (nccl, number);
  PlgNodeMap other;
  gboolean alike;

  if (host.gpus != first->gpus)
    return plg_reading_fail (reading, host.gpus > 0 ? gpu_at (nccl, host.first_gpu)->line : 0,
                             PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("Host %d of the file has %d GPUs, and host 0 has %d; the nodes of "
                                "a plan are alike."),
                             number, host.gpus, first->gpus);
  if (!check_sizes (reading, nccl, &host, error))
    return FALSE;
  make_map (nccl, &host, &other);
  for (int i = 0; i < MIN (other.nics, map->nics); i++)
    other.card[i] = map->card[i];
  alike = plg_node_map_equal (&other, map);
  plg_node_map_clear (&other);
  if (!alike)
    plg_reading_note (reading, PLG_NOTE_IGNORED, gpu_at (nccl, host.first_gpu)->line,
                      _ ("What is other on host %d than on host 0: the nodes of a plan are alike."),
                      number);
  return TRUE;
}

/* All hosts are nodes like the first. */
static gboolean
say_hosts (PlgReading *reading,
           const PlgNccl *nccl,
           const Host *first,
           const PlgNodeMap *map,
           GError **error)
{
  for (int host = 1; host < nccl->hosts; host++)
    if (!check_alike (reading, nccl, first, host, map, error))
      return FALSE;
  return nccl->hosts == 1 ||
         plg_reading_set_int (reading, gpu_at (nccl, 0)->line, "cluster.nodes", nccl->hosts, error);
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
  Host host = host_of (nccl, gpu_at (nccl, 0)->host);
  PlgNodeFacts facts = { .line = gpu_at (nccl, host.first_gpu)->line };
  PlgNodeMap map;

  if (!check_sizes (reading, nccl, &host, error))
    return FALSE;
  find_gpu (gpu_at (nccl, host.first_gpu), &facts);
  find_links (nccl, &host, &facts);
  for (int i = 0; i < host.nets; i++)
    facts.is_rdma = facts.is_rdma || net_at (nccl, host.first_net + i)->is_rdma;
  make_map (nccl, &host, &map);
  if (!say_hosts (reading, nccl, &host, &map, error))
    {
      plg_node_map_clear (&map);
      return FALSE;
    }
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
