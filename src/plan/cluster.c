/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/cluster.h"

/* Default values for each kind of link, used if the catalogue has none for a node: the share of
 * the stated rate that a large collective reaches, and the latency per hop of NCCL's ring with
 * protocol Simple (github.com/NVIDIA/nccl, src/graph/tuning.cc). */
static const struct
{
  double efficiency;
  double latency;
} usual_intra[] = {
  [PLG_INTRA_NVSWITCH] = { 0.8, 3.4e-6 },
  [PLG_INTRA_MESH] = { 0.7, 3.4e-6 },
  [PLG_INTRA_PCIE] = { 0.76, 5.7e-6 },
};
/* The number of ports of a leaf that connect to nodes: half of the ports of a 64-port switch
 * (Quantum-2 QM9700 in NVIDIA's DGX SuperPOD reference architecture). */
#define LEAF_DOWN_PORTS 32
/* The maximum number of spines, because more would not make the drawing clearer. In a larger
 * network, each drawn spine represents several spines. */
#define MAX_SPINES 16
/* The maximum number of NICs per GPU that are drawn one by one; AWS p5 has four. */
#define MAX_NICS 4

#define USUAL_RDMA_EFFICIENCY 0.9
#define USUAL_RDMA_LATENCY 14e-6
#define USUAL_TCP_EFFICIENCY 0.7
#define USUAL_TCP_LATENCY 40e-6

int
plg_cluster_gpus (const PlgCluster *cluster)
{
  return cluster->nodes * cluster->gpus_per_node;
}

int
plg_cluster_host_gpus (const PlgCluster *cluster)
{
  gboolean divides = cluster->gpus_per_host > 0 &&
                     cluster->gpus_per_node % cluster->gpus_per_host == 0;

  return divides ? cluster->gpus_per_host : cluster->gpus_per_node;
}

int
plg_cluster_hosts_per_node (const PlgCluster *cluster)
{
  return cluster->gpus_per_node / plg_cluster_host_gpus (cluster);
}

int
plg_cluster_hosts (const PlgCluster *cluster)
{
  return cluster->nodes * plg_cluster_hosts_per_node (cluster);
}

const char *
plg_cluster_link_title (const PlgCluster *cluster)
{
  return *cluster->gpu.link_title != '\0' ? cluster->gpu.link_title : "NVLink";
}

PlgSwitches
plg_cluster_switches (const PlgCluster *cluster)
{
  int nodes = MAX (cluster->nodes, 1), groups;
  PlgSwitches switches = { .units = 1 };

  switches.nics = CLAMP (cluster->nics_per_node, 1, MAX_NICS * MAX (cluster->gpus_per_node, 1));
  switch (cluster->network)
    {
    case PLG_NETWORK_RAIL:
      switches.nodes_per_leaf = MIN (nodes, LEAF_DOWN_PORTS);
      break;
    case PLG_NETWORK_TREE:
      switches.nodes_per_leaf = CLAMP (LEAF_DOWN_PORTS / switches.nics, 1, nodes);
      break;
    case PLG_NETWORK_FLAT:
    default:
      switches.nodes_per_leaf = nodes;
      break;
    }
  groups = (nodes + switches.nodes_per_leaf - 1) / switches.nodes_per_leaf;
  if (cluster->network == PLG_NETWORK_RAIL)
    switches.units = groups;
  if (nodes == 1)
    return switches;
  switches.leaves = cluster->network == PLG_NETWORK_RAIL ? groups * switches.nics : groups;
  if (switches.leaves > 1)
    switches.spines = CLAMP (switches.leaves / 2, 1, MAX_SPINES);
  return switches;
}

static void
set_intra (PlgCluster *cluster, PlgIntra intra)
{
  cluster->intra = intra;
  cluster->intra_efficiency = usual_intra[intra].efficiency;
  cluster->intra_latency = usual_intra[intra].latency;
  if (intra != PLG_INTRA_NVSWITCH)
    cluster->multicast = FALSE;
}

void
plg_cluster_set_gpu (PlgCluster *cluster, const PlgGpu *gpu)
{
  gboolean linked = gpu->link_bandwidth > 0;

  cluster->gpu = *gpu;
  cluster->memory = gpu->memory;
  cluster->memory_bandwidth = gpu->memory_bandwidth;
  cluster->peak = 0;
  cluster->intra_bandwidth = linked ? gpu->link_bandwidth : gpu->pcie_bandwidth;

  /* Change the kind of link if GPU does not support it. */
  if (linked && cluster->intra == PLG_INTRA_PCIE)
    set_intra (cluster, PLG_INTRA_NVSWITCH);
  else if (!linked && cluster->intra != PLG_INTRA_PCIE)
    set_intra (cluster, PLG_INTRA_PCIE);
}

static double
known_or (double known, double usual)
{
  return known > 0 ? known : usual;
}

void
plg_cluster_set_node (PlgCluster *cluster, const PlgNode *node, const PlgGpu *gpu)
{
  plg_cluster_set_gpu (cluster, gpu);
  g_strlcpy (cluster->node, node->name, PLG_NAME_SIZE);
  cluster->gpus_per_node = node->gpus;
  cluster->gpus_per_host = node->host_gpus;
  cluster->host_memory = node->host_memory;
  set_intra (cluster, node->intra);
  cluster->multicast = node->multicast;
  cluster->intra_efficiency = known_or (node->intra_efficiency, cluster->intra_efficiency);
  cluster->intra_latency = known_or (node->intra_latency, cluster->intra_latency);
  if (node->intra == PLG_INTRA_PCIE && gpu->pcie_bandwidth > 0)
    cluster->intra_bandwidth = gpu->pcie_bandwidth;
  cluster->network = node->network;
  cluster->rdma = node->rdma;
  cluster->nics_per_node = node->nics;
  cluster->inter_bandwidth = node->nics * node->nic_bandwidth / MAX (1, node->gpus);
  cluster->inter_efficiency = known_or (node->inter_efficiency,
                                        node->rdma ? USUAL_RDMA_EFFICIENCY : USUAL_TCP_EFFICIENCY);
  cluster->inter_latency = known_or (node->inter_latency,
                                     node->rdma ? USUAL_RDMA_LATENCY : USUAL_TCP_LATENCY);
}

double
plg_gpu_peak (const PlgGpu *gpu, PlgPrecision precision)
{
  const double *peak = gpu->peak;

  if (peak[precision] > 0)
    return peak[precision];
  if (precision == PLG_PRECISION_FP4 && peak[PLG_PRECISION_FP8] > 0)
    return peak[PLG_PRECISION_FP8];
  if ((precision == PLG_PRECISION_FP8 || precision == PLG_PRECISION_FP4) &&
      peak[PLG_PRECISION_BF16] > 0)
    return peak[PLG_PRECISION_BF16];
  if (precision != PLG_PRECISION_FP32 && peak[PLG_PRECISION_FP16] > 0)
    return peak[PLG_PRECISION_FP16];
  return peak[PLG_PRECISION_FP32];
}

double
plg_cluster_peak (const PlgCluster *cluster, PlgPrecision precision)
{
  return cluster->peak > 0 ? cluster->peak : plg_gpu_peak (&cluster->gpu, precision);
}

double
plg_cluster_host_bandwidth (const PlgCluster *cluster)
{
  if (cluster->host_bandwidth > 0.0)
    return cluster->host_bandwidth;
  if (cluster->gpu.host_bandwidth > 0.0)
    return cluster->gpu.host_bandwidth;
  return cluster->gpu.pcie_bandwidth > 0.0 ? cluster->gpu.pcie_bandwidth : PLG_PCIE_4_RATE;
}

double
plg_cluster_host_memory (const PlgCluster *cluster)
{
  return cluster->host_memory > 0.0 ? cluster->host_memory : cluster->gpu.host_memory;
}

gboolean
plg_cluster_host_has (const PlgCluster *cluster, double bytes)
{
  double available = plg_cluster_host_memory (cluster);

  return available <= 0.0 || bytes <= available;
}

double
plg_cluster_host_memory_bandwidth (const PlgCluster *cluster)
{
  if (cluster->host_memory_bandwidth > 0.0)
    return cluster->host_memory_bandwidth;
  if (cluster->gpu.host_memory_bandwidth > 0.0)
    return cluster->gpu.host_memory_bandwidth;
  return PLG_HOST_MEMORY_RATE / MAX (plg_cluster_host_gpus (cluster), 1);
}

gboolean
plg_cluster_has_mxfp8 (const PlgCluster *cluster)
{
  return cluster->gpu.peak[PLG_PRECISION_FP4] > 0;
}

gboolean
plg_cluster_equal (const PlgCluster *a, const PlgCluster *b)
{
  const PlgGpu *gpu = &a->gpu, *other = &b->gpu;

  for (int i = 0; i < PLG_N_PRECISIONS; i++)
    if (gpu->peak[i] != other->peak[i] || gpu->matrix_efficiency[i] != other->matrix_efficiency[i])
      return FALSE;
  if (!g_str_equal (gpu->name, other->name) || !g_str_equal (gpu->title, other->title) ||
      !g_str_equal (gpu->link_title, other->link_title) || gpu->vector_peak != other->vector_peak ||
      gpu->multiprocessors != other->multiprocessors || gpu->memory != other->memory ||
      gpu->memory_bandwidth != other->memory_bandwidth ||
      gpu->memory_efficiency != other->memory_efficiency ||
      gpu->link_bandwidth != other->link_bandwidth ||
      gpu->pcie_bandwidth != other->pcie_bandwidth ||
      gpu->host_bandwidth != other->host_bandwidth || gpu->host_memory != other->host_memory ||
      gpu->host_memory_bandwidth != other->host_memory_bandwidth ||
      gpu->gpu_hour != other->gpu_hour || gpu->power_busy != other->power_busy ||
      gpu->power_idle != other->power_idle || gpu->power_server != other->power_server ||
      a->n_faults != b->n_faults)
    return FALSE;
  for (int i = 0; i < a->n_faults; i++)
    if (a->faults[i].kind != b->faults[i].kind || a->faults[i].first != b->faults[i].first ||
        a->faults[i].second != b->faults[i].second || a->faults[i].rate != b->faults[i].rate)
      return FALSE;
  return g_str_equal (a->node, b->node) && a->nodes == b->nodes &&
         a->gpus_per_node == b->gpus_per_node && a->gpus_per_host == b->gpus_per_host &&
         a->memory == b->memory && a->memory_bandwidth == b->memory_bandwidth &&
         a->host_bandwidth == b->host_bandwidth && a->host_memory == b->host_memory &&
         a->host_memory_bandwidth == b->host_memory_bandwidth && a->peak == b->peak &&
         a->intra == b->intra && a->network == b->network && !a->rdma == !b->rdma &&
         !a->multicast == !b->multicast && a->nics_per_node == b->nics_per_node &&
         a->intra_bandwidth == b->intra_bandwidth && a->inter_bandwidth == b->inter_bandwidth &&
         a->oversubscription == b->oversubscription && a->intra_efficiency == b->intra_efficiency &&
         a->inter_efficiency == b->inter_efficiency && a->intra_latency == b->intra_latency &&
         a->inter_latency == b->inter_latency;
}
