/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/fabric-topology.h"

#include "engine/model/engine-constant.h"

#include <string.h>

/* Returns TRUE if the topology changes neither the NICs that each GPU uses nor the shares of its
 * traffic on them. */
static gboolean
has_usual_nics (const PlgFabric *fabric)
{
  for (int local = 0; local < fabric->gpus; local++)
    {
      int first = local * fabric->nics / fabric->gpus;
      int last = ((local + 1) * fabric->nics - 1) / fabric->gpus;

      if (fabric->n_nearest_nics[local] != last - first + 1)
        return FALSE;
      for (int i = 0; i < fabric->n_nearest_nics[local]; i++)
        if (fabric->nearest_nics[local][i] < first || fabric->nearest_nics[local][i] > last)
          return FALSE;
    }
  return fabric->gpus % fabric->nics == 0 || fabric->nics % fabric->gpus == 0;
}

static gboolean
find_nics (PlgFabric *fabric, const PlgNodeTopology *topology)
{
  for (int local = 0; local < fabric->gpus; local++)
    {
      int nics[PLG_FABRIC_MAX_NEAREST_NICS];
      int n = plg_node_topology_nics_of (topology, local, nics, PLG_FABRIC_MAX_NEAREST_NICS);

      if (n == 0)
        return FALSE;
      fabric->n_nearest_nics[local] = (guint8) n;
      for (int i = 0; i < n; i++)
        fabric->nearest_nics[local][i] = (guint16) nics[i];
    }
  return TRUE;
}

/* Returns the bandwidth of NIC divided by the mean bandwidth of all NICs, or 1 if the topology
 * does not state every bandwidth. Only this ratio matters, because the plan states the total
 * bandwidth of the NICs. */
static double
weight_of (const PlgNodeTopology *topology, int nic)
{
  double sum = 0.0;

  for (int i = 0; i < topology->nics; i++)
    {
      if (topology->card[i].bandwidth <= 0.0)
        return 1.0;
      sum += topology->card[i].bandwidth;
    }
  return topology->card[nic].bandwidth * topology->nics / sum;
}

/* Returns the traffic on NIC, as a multiple of the traffic of one GPU. */
static double
load_of (const PlgFabric *fabric, int nic)
{
  double load = 0.0;

  for (int local = 0; local < fabric->gpus; local++)
    for (int i = 0; i < fabric->n_nearest_nics[local]; i++)
      if (fabric->nearest_nics[local][i] == nic)
        load += 1.0 / fabric->n_nearest_nics[local];
  return load;
}


static gboolean
is_link (const PlgPath *path)
{
  return path->type == PLG_PATH_NVLINK;
}

double
plg_fabric_path_bandwidth (const PlgFabric *fabric, int local_a, int local_b)
{
  const PlgPath *path;
  int links = 0;

  if (!fabric->has_paths)
    return 0.0;
  path = plg_node_topology_to_gpu (fabric->topology, local_a, local_b);
  if (path->type == PLG_PATH_UNKNOWN || path->bandwidth > 0.0)
    return path->bandwidth;
  for (int other = 0; other < fabric->gpus; other++)
    if (is_link (plg_node_topology_to_gpu (fabric->topology, local_a, other)))
      links += plg_node_topology_to_gpu (fabric->topology, local_a, other)->links;
  if (is_link (path) && fabric->intra == PLG_INTRA_MESH && path->links > 0 && links > 0)
    return fabric->port_bandwidth * path->links / links;
  if (path->type == PLG_PATH_SYS)
    return MIN (PLG_SYS_BANDWIDTH, fabric->pcie_bandwidth);
  return is_link (path) ? 0.0 : fabric->pcie_bandwidth;
}

gboolean
plg_fabric_has_link (const PlgFabric *fabric, int local_a, int local_b)
{
  const PlgPath *path;

  if (fabric->topology == NULL || fabric->intra != PLG_INTRA_MESH)
    return fabric->intra == PLG_INTRA_MESH;
  path = plg_node_topology_to_gpu (fabric->topology, local_a, local_b);
  return path->type == PLG_PATH_UNKNOWN || is_link (path);
}

gboolean
plg_fabric_is_linked (const PlgFabric *fabric, int local_a, int local_b)
{
  const PlgPath *path;

  if (fabric->topology == NULL || fabric->intra == PLG_INTRA_NVSWITCH)
    return fabric->intra != PLG_INTRA_PCIE;
  path = plg_node_topology_to_gpu (fabric->topology, local_a, local_b);
  return path->type == PLG_PATH_UNKNOWN ? fabric->intra == PLG_INTRA_MESH
                                        : path->type <= PLG_PATH_NVB;
}

/* Returns TRUE if the topology changes the bandwidth between GPUs A and B. */
static gboolean
is_unusual (const PlgFabric *fabric, int a, int b)
{
  double usual = fabric->intra == PLG_INTRA_MESH ? fabric->pair_bandwidth : fabric->port_bandwidth;
  double bandwidth = plg_fabric_path_bandwidth (fabric, a, b);

  if (bandwidth <= 0.0)
    return FALSE;
  /* The PCIe links of the two GPUs limit the pair, so only a bandwidth below that limit has an
   * effect. */
  if (fabric->intra == PLG_INTRA_PCIE &&
      !is_link (plg_node_topology_to_gpu (fabric->topology, a, b)))
    return bandwidth < usual * (1.0 - 1e-9);
  return bandwidth < usual * (1.0 - 1e-9) || bandwidth > usual * (1.0 + 1e-9);
}

static double
slowest_step (const PlgFabric *fabric, const int *gpus, int n)
{
  double least = 0.0;

  for (int i = 0; i < n; i++)
    {
      double path = plg_fabric_path_bandwidth (fabric, gpus[i] % fabric->gpus,
                                               gpus[(i + 1) % n] % fabric->gpus);

      if (path > 0.0 && (least <= 0.0 || path < least))
        least = path;
    }
  return least;
}

double
plg_fabric_members_bandwidth (const PlgFabric *fabric, const int *gpus, int n)
{
  double least = 0.0;

  if (!fabric->has_paths || n < 2)
    return 0.0;
  if (fabric->intra == PLG_INTRA_PCIE)
    {
      least = slowest_step (fabric, gpus, n);
      return least > 0.0 ? least : fabric->port_bandwidth;
    }
  for (int i = 0; i < n; i++)
    {
      int local = gpus[i] % fabric->gpus;
      double links = 0.0;

      for (int j = 0; j < n; j++)
        {
          int other = gpus[j] % fabric->gpus;

          if (other != local && is_link (plg_node_topology_to_gpu (fabric->topology, local, other)))
            links += plg_fabric_path_bandwidth (fabric, local, other);
        }
      if (links <= 0.0)
        return slowest_step (fabric, gpus, n);
      if (i == 0 || links < least)
        least = links;
    }
  return least;
}


int
plg_fabric_ring_place (const PlgFabric *fabric, int local)
{
  return fabric->has_ring ? fabric->ring_place[local] : local;
}

void
plg_fabric_apply_topology (PlgFabric *fabric, const PlgNodeTopology *topology)
{
  gboolean slowed = FALSE, unusual = FALSE;

  if (plg_node_topology_is_empty (topology) || topology->gpus != fabric->gpus)
    return;
  fabric->topology = topology;
  if (fabric->leaves != 0 && topology->nics == fabric->nics && find_nics (fabric, topology))
    {
      for (int local = 0; local < fabric->gpus; local++)
        {
          /* Compute the achieved share of LOCAL's NIC bandwidth while all GPUs of the node send. */
          double most = G_MAXDOUBLE;

          for (int i = 0; i < fabric->n_nearest_nics[local]; i++)
            {
              int nic = fabric->nearest_nics[local][i];
              /* If the topology states no bandwidth, the link between CPUs limits each path that
               * crosses it, and PCIe limits every other path. */
              const PlgPath *path = plg_node_topology_to_nic (topology, local, nic);
              double bandwidth = path->bandwidth;

              if (bandwidth <= 0.0)
                bandwidth = path->type == PLG_PATH_SYS
                                ? MIN (PLG_SYS_BANDWIDTH, fabric->pcie_bandwidth)
                                : fabric->pcie_bandwidth;
              most = MIN (most, fabric->nic_bandwidth * weight_of (topology, nic) /
                                    load_of (fabric, nic));
              /* All paths of a GPU share its first link, and some share the links between CPUs.
               * The bandwidths of the paths therefore do not add up, and the slowest path sets
               * the limit. */
              most = MIN (most, bandwidth);
            }
          fabric->inter_part[local] = most / fabric->inter_bandwidth;
          slowed = slowed || fabric->inter_part[local] < 1.0 - 1e-9;
        }
      fabric->has_nearest_nics = slowed || !has_usual_nics (fabric);
    }
  if (fabric->intra != PLG_INTRA_NVSWITCH)
    {
      fabric->has_paths = TRUE;
      for (int a = 0; a < fabric->gpus; a++)
        for (int b = 0; b < fabric->gpus; b++)
          unusual = unusual || (a != b && is_unusual (fabric, a, b));
      fabric->has_paths = unusual;
    }
  if (topology->rings > 0)
    {
      const int *ring = plg_node_topology_ring (topology, 0);

      for (int i = 0; i < fabric->gpus; i++)
        {
          fabric->ring_place[ring[i]] = (guint8) i;
          fabric->has_ring = fabric->has_ring || ring[i] != i;
        }
    }
}
