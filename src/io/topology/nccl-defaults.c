/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/nccl-defaults.h"

#include "io/topology/pcie-link.h"

#include <math.h>

static int
half_of (int i, int n)
{
  return n > 1 ? i * 2 / n : 0;
}

static PlgPath
over_pcie (const PlgNodeTopology *map, int a, int b)
{
  return (PlgPath) { .type = map->numa[a] == map->numa[b] ? PLG_PATH_PHB : PLG_PATH_SYS };
}

static PlgPath
usual_pair (const PlgNodeTopology *map, const PlgCluster *cluster, double link, int a, int b)
{
  double bandwidth = cluster->intra == PLG_INTRA_NVSWITCH
                         ? cluster->intra_bandwidth
                         : cluster->intra_bandwidth / MAX (1, cluster->gpus_per_node - 1);

  if (cluster->intra == PLG_INTRA_PCIE)
    return over_pcie (map, a, b);
  return (PlgPath) { PLG_PATH_NVLINK, link > 0.0 ? MAX (1, (int) round (bandwidth / link)) : 0,
                     bandwidth };
}

/* To a NIC that GPUs share, or one of its own: the plan's order of both. GPUs that are one switch
 * from their NIC are so from each other, which those over PCIe are not here. */
static PlgPath
usual_way (const PlgNodeTopology *map, const PlgCluster *cluster, int gpu, int nic)
{
  int gpus = map->gpus, nics = map->nics, home = nic * gpus / nics;

  if ((gpu * nics / gpus == nic || home == gpu) &&
      (cluster->intra != PLG_INTRA_PCIE || nics >= gpus))
    return (PlgPath) { .type = PLG_PATH_PIX };
  return over_pcie (map, gpu, home);
}

/* The CPU of GPU, where those of lesser numbers are found in MAP. */
static int
usual_cpu (const PlgNodeTopology *map, const PlgNodeTopology *from, int gpu)
{
  if (plg_node_topology_is_empty (from))
    return half_of (gpu, map->gpus);
  if (from->numa[gpu] >= 0)
    return from->numa[gpu];
  for (int other = 0; other < gpu; other++)
    {
      PlgPathType type = plg_node_topology_to_gpu (from, gpu, other)->type;

      if (type >= PLG_PATH_PIX && type <= PLG_PATH_NODE)
        return map->numa[other];
    }
  return half_of (gpu, map->gpus);
}

void
plg_nccl_usual_map (PlgNodeTopology *map,
                    const PlgCluster *cluster,
                    const PlgNodeTopology *from,
                    double link)
{
  int gpus = cluster->gpus_per_node, nics = MIN (cluster->nics_per_node, PLG_MAX_NODE_NICS);

  plg_node_topology_init (map, gpus, nics);
  for (int i = 0; i < gpus; i++)
    map->numa[i] = usual_cpu (map, from, i);
  for (int a = 0; a < gpus; a++)
    {
      for (int b = a + 1; b < gpus; b++)
        plg_node_topology_set_pair (map, a, b, usual_pair (map, cluster, link, a, b));
      for (int nic = 0; nic < nics; nic++)
        *plg_node_topology_to_nic (map, a, nic) = usual_way (map, cluster, a, nic);
    }
  for (int nic = 0; nic < nics; nic++)
    {
      g_snprintf (map->card[nic].name, PLG_NAME_SIZE, "nic%d", nic);
      map->card[nic].bandwidth = cluster->inter_bandwidth * gpus / nics;
    }
}

/* Files know no NODE: below one CPU all is PHB. */
static PlgPath
known_to_nccl (PlgPath path)
{
  if (path.type == PLG_PATH_NODE)
    path.type = PLG_PATH_PHB;
  return path;
}

void
plg_nccl_overlay_map (PlgNodeTopology *map, const PlgNodeTopology *from)
{
  for (int i = 0; i < map->gpus * map->gpus; i++)
    if (from->gpu[i].type != PLG_PATH_UNKNOWN)
      map->gpu[i] = known_to_nccl (from->gpu[i]);
  for (int i = 0; i < map->gpus * from->nics; i++)
    if (from->nic[i].type != PLG_PATH_UNKNOWN)
      map->nic[i] = known_to_nccl (from->nic[i]);
  for (int i = 0; i < from->nics; i++)
    {
      if (*from->card[i].name != '\0')
        g_strlcpy (map->card[i].name, from->card[i].name, PLG_NAME_SIZE);
      if (from->card[i].bandwidth > 0.0)
        map->card[i].bandwidth = from->card[i].bandwidth;
    }
}

/* Whether a file of NCCL told of no way between GPUs but those beside their links. */
static gboolean
is_bare (const PlgNodeTopology *map)
{
  for (int i = 0; i < map->gpus * map->gpus; i++)
    if (map->gpu[i].type != PLG_PATH_SELF &&
        (map->gpu[i].type != PLG_PATH_UNKNOWN || map->gpu[i].planned.type < PLG_PATH_PIX ||
         map->gpu[i].planned.type > PLG_PATH_SYS))
      return FALSE;
  return map->gpus > 1;
}

gboolean
plg_nccl_overlay_bare (PlgNodeTopology *map, const PlgNodeTopology *from)
{
  if (!is_bare (from))
    return FALSE;
  for (int i = 0; i < map->gpus * map->gpus; i++)
    {
      PlgPlannedPath planned = from->gpu[i].planned;

      if (from->gpu[i].type != PLG_PATH_UNKNOWN)
        continue;
      map->gpu[i] = (PlgPath) { .type = planned.type };
      if (planned.type < PLG_PATH_SYS)
        map->gpu[i].bandwidth = plg_pcie_link_rate_from_nccl (planned.bandwidth);
    }
  return TRUE;
}

/* What the first host of a node of several has of MAP. */
static void
take_host (PlgNodeTopology *host, const PlgNodeTopology *map, const PlgCluster *cluster)
{
  *host = (PlgNodeTopology) { 0 };
  if (plg_node_topology_is_empty (map))
    return;
  plg_node_topology_init (host, cluster->gpus_per_node, MIN (map->nics, cluster->nics_per_node));
  for (int a = 0; a < host->gpus; a++)
    {
      for (int b = 0; b < host->gpus; b++)
        *plg_node_topology_to_gpu (host, a, b) = *plg_node_topology_to_gpu (map, a, b);
      for (int nic = 0; nic < host->nics; nic++)
        *plg_node_topology_to_nic (host, a, nic) = *plg_node_topology_to_nic (map, a, nic);
      host->numa[a] = map->numa[a];
    }
  for (int nic = 0; nic < host->nics; nic++)
    host->card[nic] = map->card[nic];
}

void
plg_nccl_host_of_plan (const PlgPlan *plan, PlgCluster *cluster, PlgNodeTopology *map)
{
  int trays = plg_cluster_hosts_per_node (&plan->cluster);

  *cluster = plan->cluster;
  cluster->gpus_per_node = plg_cluster_host_gpus (&plan->cluster);
  cluster->gpus_per_host = 0;
  cluster->nics_per_node = MAX (1, plan->cluster.nics_per_node / trays);
  take_host (map, &plan->node_topology, cluster);
}
