/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/fabric-topology.h"

#include <string.h>

/* From CPU to CPU where the map says no number: between what NCCL takes for Skylake (10 GB/s) and
 * for Sapphire Rapids (22 GB/s), as for AMD's Rome (NCCL, src/graph/topo.h). */
#define SYS_BANDWIDTH 16e9

/* NICs */

static double
share_of (const PlgFabric *fabric, int local)
{
  return 1.0 / fabric->n_nearest_nics[local];
}

/* Whether the map gives each GPU the NICs that it has anyway. */
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

/* How fast NIC is beside the mean of them: the plan says how fast they are together. */
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

/* How many GPUs' traffic NIC has. */
static double
load_of (const PlgFabric *fabric, int nic)
{
  double load = 0.0;

  for (int local = 0; local < fabric->gpus; local++)
    for (int i = 0; i < fabric->n_nearest_nics[local]; i++)
      if (fabric->nearest_nics[local][i] == nic)
        load += share_of (fabric, local);
  return load;
}

/* Of the way to a NIC. What crosses CPUs, or a host bridge, is staged in the memory of the host. */
static double
nic_path_bandwidth (const PlgFabric *fabric, const PlgPath *path)
{
  if (path->bandwidth > 0.0)
    return path->bandwidth;
  return path->type == PLG_PATH_SYS ? MIN (SYS_BANDWIDTH, fabric->pcie_bandwidth)
                                    : fabric->pcie_bandwidth;
}

/* What LOCAL has to other nodes while the others of its node use theirs, as a part of its share. */
static double
inter_part (const PlgFabric *fabric, const PlgNodeTopology *topology, int local)
{
  double most = G_MAXDOUBLE;

  for (int i = 0; i < fabric->n_nearest_nics[local]; i++)
    {
      int nic = fabric->nearest_nics[local][i];
      double path = nic_path_bandwidth (fabric, plg_node_topology_to_nic (topology, local, nic));

      most = MIN (most, fabric->nic_bandwidth * weight_of (topology, nic) / load_of (fabric, nic));
      /* All ways of a GPU begin with one link, and cross the CPUs together. */
      most = MIN (most, path);
    }
  return most / fabric->inter_bandwidth;
}

static void
apply_nics (PlgFabric *fabric, const PlgNodeTopology *topology)
{
  gboolean slowed = FALSE;

  if (fabric->leaves == 0 || topology->nics != fabric->nics || !find_nics (fabric, topology))
    return;
  for (int local = 0; local < fabric->gpus; local++)
    {
      fabric->inter_part[local] = inter_part (fabric, topology, local);
      slowed = slowed || fabric->inter_part[local] < 1.0 - 1e-9;
    }
  fabric->has_nearest_nics = slowed || !has_usual_nics (fabric);
}

/* GPUs */

static gboolean
is_link (const PlgPath *path)
{
  return path->type == PLG_PATH_NVLINK;
}

/* The links of a GPU in all, where all are counted. */
static int
links_of (const PlgNodeTopology *topology, int local)
{
  int links = 0;

  for (int other = 0; other < topology->gpus; other++)
    if (is_link (plg_node_topology_to_gpu (topology, local, other)))
      links += plg_node_topology_to_gpu (topology, local, other)->links;
  return links;
}

double
plg_fabric_path_bandwidth (const PlgFabric *fabric, int local_a, int local_b)
{
  const PlgPath *path;
  int links;

  if (!fabric->has_paths)
    return 0.0;
  path = plg_node_topology_to_gpu (fabric->topology, local_a, local_b);
  if (path->type == PLG_PATH_UNKNOWN || path->bandwidth > 0.0)
    return path->bandwidth;
  links = links_of (fabric->topology, local_a);
  if (is_link (path) && fabric->intra == PLG_INTRA_MESH && path->links > 0 && links > 0)
    return fabric->port_bandwidth * path->links / links;
  if (path->type == PLG_PATH_SYS)
    return MIN (SYS_BANDWIDTH, fabric->pcie_bandwidth);
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

/* Whether a pair has another bandwidth than all pairs of such a node have. */
static gboolean
is_unusual (const PlgFabric *fabric, int a, int b)
{
  double usual = fabric->intra == PLG_INTRA_MESH ? fabric->pair_bandwidth : fabric->port_bandwidth;
  double bandwidth = plg_fabric_path_bandwidth (fabric, a, b);

  if (bandwidth <= 0.0)
    return FALSE;
  /* What is wider than the links of the GPUs is not used so. */
  if (fabric->intra == PLG_INTRA_PCIE &&
      !is_link (plg_node_topology_to_gpu (fabric->topology, a, b)))
    return bandwidth < usual * (1.0 - 1e-9);
  return bandwidth < usual * (1.0 - 1e-9) || bandwidth > usual * (1.0 + 1e-9);
}

static void
apply_paths (PlgFabric *fabric)
{
  gboolean unusual = FALSE;

  if (fabric->intra == PLG_INTRA_NVSWITCH)
    return;
  fabric->has_paths = TRUE;
  for (int a = 0; a < fabric->gpus; a++)
    for (int b = 0; b < fabric->gpus; b++)
      unusual = unusual || (a != b && is_unusual (fabric, a, b));
  fabric->has_paths = unusual;
}

/* Of a mesh: all links of one to the others. */
static double
links_to (const PlgFabric *fabric, int local, const int *gpus, int n)
{
  double sum = 0.0;

  for (int i = 0; i < n; i++)
    {
      int other = gpus[i] % fabric->gpus;

      if (other != local && is_link (plg_node_topology_to_gpu (fabric->topology, local, other)))
        sum += plg_fabric_path_bandwidth (fabric, local, other);
    }
  return sum;
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
      double links = links_to (fabric, gpus[i] % fabric->gpus, gpus, n);

      if (links <= 0.0)
        return slowest_step (fabric, gpus, n);
      if (i == 0 || links < least)
        least = links;
    }
  return least;
}

/* Rings */

int
plg_fabric_ring_place (const PlgFabric *fabric, int local)
{
  return fabric->has_ring ? fabric->ring_place[local] : local;
}

static void
apply_ring (PlgFabric *fabric, const PlgNodeTopology *topology)
{
  const int *ring = plg_node_topology_ring (topology, 0);

  for (int i = 0; i < fabric->gpus; i++)
    {
      fabric->ring_place[ring[i]] = (guint8) i;
      fabric->has_ring = fabric->has_ring || ring[i] != i;
    }
}

void
plg_fabric_apply_topology (PlgFabric *fabric, const PlgNodeTopology *topology)
{
  if (plg_node_topology_is_empty (topology) || topology->gpus != fabric->gpus)
    return;
  fabric->topology = topology;
  apply_nics (fabric, topology);
  apply_paths (fabric);
  if (topology->rings > 0)
    apply_ring (fabric, topology);
}
