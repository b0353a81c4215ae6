/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/fabric.h"

#include "engine/model/engine-constant.h"
#include "engine/network/fabric-topology.h"

#include <string.h>

/* The largest full mesh of GPUs in real nodes. A larger mesh in a plan is modelled as a switch,
 * with one link per GPU. */
#define MAX_MESH_GPUS 16

static double
positive_or_default (double value, double otherwise)
{
  return value > 0.0 ? value : otherwise;
}

void
plg_fabric_init (PlgFabric *fabric, const PlgCluster *cluster)
{
  PlgSwitches switches = plg_cluster_switches (cluster);
  gboolean network, pcie;

  /* Leave the arrays at the end of the struct uninitialized, because an evaluation creates
   * several fabrics and most of them do not use these arrays. */
  memset (fabric, 0, G_STRUCT_OFFSET (PlgFabric, faults));
  fabric->intra = cluster->intra;
  fabric->network = cluster->network;
  fabric->nodes = MAX (cluster->nodes, 1);
  fabric->gpus = MAX (cluster->gpus_per_node, 1);
  fabric->nics = switches.nics;
  fabric->port_bandwidth = positive_or_default (cluster->intra_bandwidth, 1e9);
  fabric->pair_bandwidth = fabric->port_bandwidth / MAX (fabric->gpus - 1, 1);
  fabric->pcie_bandwidth = positive_or_default (cluster->gpu.pcie_bandwidth,
                                                PLG_USUAL_PCIE_BANDWIDTH);
  fabric->inter_bandwidth = positive_or_default (cluster->inter_bandwidth, 1e9);
  fabric->nic_bandwidth = fabric->inter_bandwidth * fabric->gpus / fabric->nics;
  fabric->oversubscription = MAX (cluster->oversubscription, 1.0);
  if (fabric->intra == PLG_INTRA_PCIE)
    fabric->pcie_bandwidth = fabric->port_bandwidth;
  fabric->intra_efficiency = positive_or_default (cluster->intra_efficiency,
                                                  PLG_USUAL_INTRA_EFFICIENCY);
  fabric->inter_efficiency = positive_or_default (cluster->inter_efficiency,
                                                  PLG_USUAL_INTER_EFFICIENCY);
  fabric->intra_latency = MAX (cluster->intra_latency, 0.0);
  fabric->inter_latency = MAX (cluster->inter_latency, 0.0);
  if (!cluster->rdma)
    {
      double host = PLG_TCP_OF_HOST / fabric->gpus / fabric->inter_bandwidth;

      fabric->inter_efficiency = MIN (fabric->inter_efficiency, MIN (PLG_TCP_EFFICIENCY, host));
      fabric->inter_latency = MAX (fabric->inter_latency, PLG_TCP_LATENCY);
    }
  fabric->multicast = cluster->multicast && cluster->intra == PLG_INTRA_NVSWITCH;
  fabric->nodes_per_leaf = switches.nodes_per_leaf;
  fabric->units = switches.units;
  fabric->leaves = switches.leaves;
  fabric->spines = switches.spines;
  if (fabric->spines > 0)
    fabric->uplink_bandwidth = plg_fabric_gpus_below_leaf (fabric) * fabric->inter_bandwidth /
                               (fabric->oversubscription * fabric->spines);
  fabric->n_faults = cluster->n_faults;
  for (int i = 0; i < cluster->n_faults; i++)
    fabric->faults[i] = cluster->faults[i];

  network = fabric->nodes > 1;
  pcie = network || fabric->intra == PLG_INTRA_PCIE;

  if (fabric->intra == PLG_INTRA_PCIE || fabric->gpus == 1)
    fabric->first_pcie = 0;
  else if (plg_fabric_has_pairs (fabric))
    fabric->first_pcie = fabric->nodes * (fabric->gpus * (fabric->gpus - 1) / 2);
  else
    fabric->first_pcie = fabric->nodes * fabric->gpus;
  fabric->first_nic = fabric->first_pcie + (pcie ? fabric->nodes * fabric->gpus : 0);
  fabric->first_uplink = fabric->first_nic + (network ? fabric->nodes * fabric->nics : 0);
  fabric->n_links = fabric->first_uplink + fabric->leaves * fabric->spines;
}

void
plg_fabric_of_plan (PlgFabric *fabric, const PlgPlan *plan)
{
  plg_fabric_init (fabric, &plan->cluster);
  plg_fabric_apply_topology (fabric, &plan->node_topology);
}

gboolean
plg_fabric_has_pairs (const PlgFabric *fabric)
{
  return fabric->intra == PLG_INTRA_MESH && fabric->gpus > 1 && fabric->gpus <= MAX_MESH_GPUS;
}

int
plg_fabric_port (const PlgFabric *fabric, int gpu)
{
  return gpu;
}

int
plg_fabric_pair (const PlgFabric *fabric, int node, int low, int high)
{
  int before = low * (2 * fabric->gpus - low - 1) / 2;

  return node * (fabric->gpus * (fabric->gpus - 1) / 2) + before + high - low - 1;
}

int
plg_fabric_pcie (const PlgFabric *fabric, int gpu)
{
  return fabric->first_pcie + gpu;
}

int
plg_fabric_nic (const PlgFabric *fabric, int node, int nic)
{
  return fabric->first_nic + node * fabric->nics + nic;
}

int
plg_fabric_uplink (const PlgFabric *fabric, int leaf, int spine)
{
  return fabric->first_uplink + leaf * fabric->spines + spine;
}

/* Without a node topology, all GPUs have equal shares of the NICs. Imagine the node's bandwidth
 * cut into gpus × nics equal slices, where gpus and nics are the numbers of GPUs and NICs in the
 * node. GPU l uses nics consecutive slices, starting with slice l × nics, and NIC x carries gpus
 * consecutive slices, starting with slice x × gpus. A GPU uses the NICs that carry its slices. */
void
plg_fabric_nics_of (const PlgFabric *fabric, int local, int *first, int *last)
{
  if (fabric->has_nearest_nics)
    {
      *first = 0;
      *last = fabric->n_nearest_nics[local] - 1;
      return;
    }
  /* The usual case needs no divisions, which are slow. */
  if (fabric->nics == fabric->gpus)
    {
      *first = *last = local;
      return;
    }
  *first = local * fabric->nics / fabric->gpus;
  *last = ((local + 1) * fabric->nics - 1) / fabric->gpus;
}

int
plg_fabric_nic_at (const PlgFabric *fabric, int local, int nic_path)
{
  return fabric->has_nearest_nics ? fabric->nearest_nics[local][nic_path] : nic_path;
}

double
plg_fabric_nic_share (const PlgFabric *fabric, int local, int nic_path)
{
  int from, to;

  if (fabric->has_nearest_nics)
    return 1.0 / fabric->n_nearest_nics[local];
  if (fabric->nics == fabric->gpus)
    return nic_path == local ? 1.0 : 0.0;
  from = MAX (local * fabric->nics, nic_path * fabric->gpus);
  to = MIN ((local + 1) * fabric->nics, (nic_path + 1) * fabric->gpus);
  return (double) MAX (to - from, 0) / fabric->nics;
}

/* Returns the share of the stated bandwidth that faults leave to the port, NIC or uplink
 * identified by KIND, FIRST and SECOND. Returns 1 without a fault. */
static double
rate_of (const PlgFabric *fabric, PlgFaultKind kind, int first, int second)
{
  for (int i = 0; i < fabric->n_faults; i++)
    if (fabric->faults[i].kind == kind && fabric->faults[i].first == first &&
        fabric->faults[i].second == second)
      return fabric->faults[i].rate;
  return 1.0;
}

int
plg_fabric_working_nic (const PlgFabric *fabric, int node, int nic)
{
  if (rate_of (fabric, PLG_FAULT_NIC, node, nic) > 0.0)
    return nic;
  if ((nic ^ 1) < fabric->nics && rate_of (fabric, PLG_FAULT_NIC, node, nic ^ 1) > 0.0)
    return nic ^ 1;
  for (int far = 1; far < fabric->nics; far++)
    {
      if (nic - far >= 0 && rate_of (fabric, PLG_FAULT_NIC, node, nic - far) > 0.0)
        return nic - far;
      if (nic + far < fabric->nics && rate_of (fabric, PLG_FAULT_NIC, node, nic + far) > 0.0)
        return nic + far;
    }
  return nic;
}

double
plg_fabric_intra_rate (const PlgFabric *fabric, int gpu)
{
  return rate_of (fabric, PLG_FAULT_PORT, gpu, 0);
}

/* Returns TRUE if a port or a NIC of NODE has a fault. */
static gboolean
has_node_fault (const PlgFabric *fabric, int node)
{
  for (int i = 0; i < fabric->n_faults; i++)
    {
      const PlgFault *fault = &fabric->faults[i];

      if ((fault->kind == PLG_FAULT_PORT && fault->first / fabric->gpus == node) ||
          (fault->kind == PLG_FAULT_NIC && fault->first == node))
        return TRUE;
    }
  return FALSE;
}

double
plg_fabric_inter_rate (const PlgFabric *fabric, int gpu)
{
  int node = gpu / fabric->gpus, first, last;
  double rate = 1.0, part = fabric->has_nearest_nics ? fabric->inter_part[gpu % fabric->gpus] : 1.0;

  if (!has_node_fault (fabric, node))
    return part;
  /* In a node with only PCIe, traffic to other nodes also crosses the GPU's port, so a faulty
   * port can limit it. */
  if (fabric->intra == PLG_INTRA_PCIE && plg_fabric_intra_rate (fabric, gpu) < 1.0)
    rate = MIN (rate, plg_fabric_intra_rate (fabric, gpu) * fabric->pcie_bandwidth /
                          fabric->inter_bandwidth);
  plg_fabric_nics_of (fabric, gpu % fabric->gpus, &first, &last);
  for (int nic_path = first; nic_path <= last; nic_path++)
    {
      int nic = plg_fabric_nic_at (fabric, gpu % fabric->gpus, nic_path);
      int working = plg_fabric_working_nic (fabric, node, nic);
      int users = 0; /* number of NICs whose traffic the working NIC carries */

      for (int other = 0; other < fabric->nics; other++)
        if (plg_fabric_working_nic (fabric, node, other) == working)
          users++;
      rate = MIN (rate, rate_of (fabric, PLG_FAULT_NIC, node, working) / MAX (users, 1));
    }
  return rate * part;
}

double
plg_fabric_leaf_rate (const PlgFabric *fabric, int leaf)
{
  double lost = 0.0;

  for (int i = 0; i < fabric->n_faults; i++)
    if (fabric->faults[i].kind == PLG_FAULT_UPLINK && fabric->faults[i].first == leaf)
      lost += 1.0 - fabric->faults[i].rate;
  return fabric->spines > 0 ? 1.0 - lost / fabric->spines : 1.0;
}

double
plg_fabric_uplink_share (const PlgFabric *fabric, int leaf, int spine)
{
  return rate_of (fabric, PLG_FAULT_UPLINK, leaf, spine) /
         (fabric->spines * plg_fabric_leaf_rate (fabric, leaf));
}

gboolean
plg_link_is_pair (const PlgLink *link)
{
  return link->tier <= PLG_TIER_PCIE && link->other >= 0;
}

double
plg_fabric_link_rate (const PlgFabric *fabric, const PlgLink *link)
{
  int gpu = link->node * fabric->gpus + link->local;

  if (fabric->n_faults == 0)
    return 1.0;
  if (plg_link_is_pair (link))
    return MIN (plg_fabric_intra_rate (fabric, gpu),
                plg_fabric_intra_rate (fabric, gpu - link->local + link->other));
  switch (link->tier)
    {
    case PLG_TIER_NVLINK:
      return plg_fabric_intra_rate (fabric, gpu);
    case PLG_TIER_PCIE:
      return fabric->intra == PLG_INTRA_PCIE ? plg_fabric_intra_rate (fabric, gpu) : 1.0;
    case PLG_TIER_NIC:
      return rate_of (fabric, PLG_FAULT_NIC, link->node, link->local);
    case PLG_TIER_LEAF:
    case PLG_TIER_SPINE:
    default:
      return rate_of (fabric, PLG_FAULT_UPLINK, link->local, link->other);
    }
}

gboolean
plg_fabric_link_fault (const PlgFabric *fabric, const PlgLink *link, PlgFault *fault)
{
  *fault = (PlgFault) { .kind = PLG_FAULT_PORT, .first = link->node * fabric->gpus + link->local };
  if (link->tier == PLG_TIER_NIC)
    *fault = (PlgFault) { PLG_FAULT_NIC, link->node, link->local, 1.0 };
  else if (link->tier > PLG_TIER_NIC)
    *fault = (PlgFault) { PLG_FAULT_UPLINK, link->local, link->other, 1.0 };
  else if (link->tier == PLG_TIER_PCIE && fabric->intra != PLG_INTRA_PCIE)
    return FALSE;
  fault->rate = rate_of (fabric, fault->kind, fault->first, fault->second);
  return TRUE;
}

int
plg_fabric_leaf (const PlgFabric *fabric, int node, int nic)
{
  switch (fabric->network)
    {
    case PLG_NETWORK_RAIL:
      return node / fabric->nodes_per_leaf * fabric->nics + nic;
    case PLG_NETWORK_TREE:
      return node / fabric->nodes_per_leaf;
    case PLG_NETWORK_FLAT:
    default:
      return 0;
    }
}

int
plg_fabric_rail (const PlgFabric *fabric, int leaf, int *unit)
{
  if (unit != NULL)
    *unit = leaf / fabric->nics;
  return leaf % fabric->nics;
}

double
plg_fabric_gpus_below_leaf (const PlgFabric *fabric)
{
  double gpus = (double) fabric->nodes_per_leaf * fabric->gpus;

  return fabric->network == PLG_NETWORK_RAIL ? gpus / fabric->nics : gpus;
}

int
plg_fabric_first_leaf (const PlgFabric *fabric, int gpu)
{
  int first, last;

  plg_fabric_nics_of (fabric, gpu % fabric->gpus, &first, &last);
  first = plg_fabric_nic_at (fabric, gpu % fabric->gpus, first);
  if (fabric->n_faults > 0)
    first = plg_fabric_working_nic (fabric, gpu / fabric->gpus, first);
  return plg_fabric_leaf (fabric, gpu / fabric->gpus, first);
}

gboolean
plg_fabric_same_leaf (const PlgFabric *fabric, int gpu_a, int gpu_b)
{
  return plg_fabric_first_leaf (fabric, gpu_a) == plg_fabric_first_leaf (fabric, gpu_b);
}

void
plg_fabric_describe (const PlgFabric *fabric, int i, PlgLink *link)
{
  *link = (PlgLink) { .node = -1, .local = -1, .other = -1 };
  if (i < fabric->first_pcie)
    {
      link->tier = PLG_TIER_NVLINK;
      if (plg_fabric_has_pairs (fabric))
        {
          int pairs = fabric->gpus * (fabric->gpus - 1) / 2;
          int rest = i % pairs;
          int low = 0;

          for (int width = fabric->gpus - 1; rest >= width; width--)
            {
              rest -= width;
              low++;
            }
          link->node = i / pairs;
          link->local = low;
          link->other = low + 1 + rest;
          if (!plg_fabric_has_link (fabric, link->local, link->other))
            link->tier = PLG_TIER_PCIE;
          link->bandwidth = plg_fabric_path_bandwidth (fabric, link->local, link->other);
          if (link->bandwidth <= 0.0)
            link->bandwidth = fabric->pair_bandwidth;
        }
      else
        {
          link->node = i / fabric->gpus;
          link->local = i % fabric->gpus;
          link->bandwidth = fabric->port_bandwidth;
        }
    }
  else
    {
      if (i < fabric->first_nic)
        {
          link->tier = PLG_TIER_PCIE;
          link->node = (i - fabric->first_pcie) / fabric->gpus;
          link->local = (i - fabric->first_pcie) % fabric->gpus;
          link->bandwidth = fabric->pcie_bandwidth;
        }
      else if (i < fabric->first_uplink)
        {
          link->tier = PLG_TIER_NIC;
          link->node = (i - fabric->first_nic) / fabric->nics;
          link->local = (i - fabric->first_nic) % fabric->nics;
          link->bandwidth = fabric->nic_bandwidth;
          /* Store the leaf if the NIC number does not determine it: in a tree, and in a rail
           * network with several units. */
          if (fabric->network == PLG_NETWORK_TREE || fabric->units > 1)
            link->other = plg_fabric_leaf (fabric, link->node, link->local);
        }
      else
        {
          link->tier = PLG_TIER_SPINE;
          link->local = (i - fabric->first_uplink) / fabric->spines;
          link->other = (i - fabric->first_uplink) % fabric->spines;
          link->bandwidth = fabric->uplink_bandwidth;
        }
    }
  link->bandwidth *= plg_fabric_link_rate (fabric, link);
}

double
plg_fabric_efficiency (const PlgFabric *fabric, const PlgLink *link)
{
  if (link->tier == PLG_TIER_NVLINK || plg_link_is_pair (link))
    return fabric->intra_efficiency;
  if (link->tier == PLG_TIER_PCIE && fabric->intra == PLG_INTRA_PCIE)
    return fabric->intra_efficiency;
  return fabric->inter_efficiency;
}

PlgTier
plg_fabric_tier (const PlgFabric *fabric, gboolean leaves_node, gboolean crosses_spine)
{
  if (leaves_node)
    return crosses_spine ? PLG_TIER_SPINE : PLG_TIER_NIC;
  return fabric->intra == PLG_INTRA_PCIE ? PLG_TIER_PCIE : PLG_TIER_NVLINK;
}
