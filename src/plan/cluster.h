/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PLG_NAME_SIZE 64
#define PLG_SOURCE_SIZE 192
#define PLG_MAX_NODES 16384
#define PLG_MAX_GPUS_PER_NODE 128
#define PLG_MAX_GPUS 65536

/* A run of consecutive nodes or GPUs. */
typedef struct
{
  int first;
  int n;
} PlgRange;

typedef enum
{
  PLG_PRECISION_BF16,
  PLG_PRECISION_FP16,
  PLG_PRECISION_FP8,
  PLG_PRECISION_FP4, /* NVFP4: 4 bits, with a scale per 16 values and one per tensor */
  PLG_PRECISION_FP32,
} PlgPrecision;
#define PLG_N_PRECISIONS 5

/* The links between the GPUs of a node. */
typedef enum
{
  PLG_INTRA_NVSWITCH, /* each pair has the full rate of a GPU's port */
  PLG_INTRA_MESH,     /* direct links; with n GPUs, each pair has 1/(n-1) of a GPU's rate */
  PLG_INTRA_PCIE,     /* a PCIe tree that all GPUs share */
} PlgIntra;

/* The network between the nodes. */
typedef enum
{
  PLG_NETWORK_RAIL, /* NIC j of every node connects to leaf j */
  PLG_NETWORK_TREE, /* all NICs of a node connect to one leaf (top of rack) */
  PLG_NETWORK_FLAT, /* one switch for all NICs */
} PlgNetwork;

/* A GPU from the catalogue. Compute rates assume no sparsity, and link rates are per direction. */
typedef struct
{
  char name[PLG_NAME_SIZE];                   /* catalogue name, such as "h100-sxm-80" */
  char title[PLG_NAME_SIZE];                  /* display name, such as "H100 SXM" */
  double peak[PLG_N_PRECISIONS];              /* FLOP/s; 0 if the GPU does not support this
                                                 precision */
  double matrix_efficiency[PLG_N_PRECISIONS]; /* share of the peak that the best large matrix
                                                 product reaches, 0..1 */
  int multiprocessors;                        /* units that each compute one tile of a matrix
                                                 product at a time; 0 if unknown */
  double vector_peak;                         /* FLOP/s of the vector units in FP32 */
  double memory;                              /* bytes, as reported by the driver */
  double memory_bandwidth;                    /* bytes/s, as stated by the vendor */
  double memory_efficiency;                   /* share of memory_bandwidth that the best memory
                                                 copy reaches, 0..1 */
  char link_title[PLG_NAME_SIZE]; /* name of the direct links, such as "Infinity Fabric", or
                                     empty */
  double link_bandwidth;          /* bytes/s per GPU per direction, NVLink or xGMI; 0 if there
                                     are no direct links */
  double pcie_bandwidth;          /* bytes/s per direction */
  double host_bandwidth;          /* bytes/s per direction to the memory of the host over other
                                     links than PCIe, such as NVLink-C2C; 0 for PCIe */
  double host_memory;             /* memory of the usual server, per GPU [bytes]; 0 if unknown */
  double host_memory_bandwidth;   /* rate of this memory, per GPU [bytes/s]; 0 if unknown */
  double gpu_hour;                /* list price of an hour [USD]; 0 if unknown */
  double power_busy;              /* power while the GPU computes [W]; 0 if unknown */
  double power_idle;              /* power while the GPU waits [W]; 0 if unknown */
  double power_server; /* power of a server without its GPUs, per GPU [W]; 0 if unknown */
  char gpu_hour_source[PLG_SOURCE_SIZE]; /* source and date of gpu_hour, or empty */
} PlgGpu;

/* A node from the catalogue, with its network. */
typedef struct
{
  char name[PLG_NAME_SIZE];
  char title[PLG_NAME_SIZE];
  char gpu[PLG_NAME_SIZE]; /* catalogue name of the GPU with which the node is sold */
  int gpus;
  int host_gpus; /* GPUs per host if the node consists of several hosts; 0 for one host */
  int nics;
  double nic_bandwidth; /* bytes/s per NIC per direction */
  double host_memory;   /* memory of the host per GPU [bytes]; 0 for that of the GPU's usual server */
  PlgIntra intra;
  PlgNetwork network;
  gboolean rdma;
  gboolean multicast; /* TRUE if the switch performs all-reduces itself (NVLink SHARP) */
  /* Efficiencies (0..1) and latencies [s] of the links, explained in PlgCluster; 0 means the
   * default value for this type of link. */
  double intra_efficiency;
  double inter_efficiency;
  double intra_latency;
  double inter_latency;
} PlgNode;

/* The types of components that can be slow or fail (fault.h). */
typedef enum
{
  PLG_FAULT_GPU,    /* compute rate of a GPU */
  PLG_FAULT_PORT,   /* link of a GPU inside its node */
  PLG_FAULT_NIC,    /* NIC of a node */
  PLG_FAULT_UPLINK, /* link from a leaf to a spine */
} PlgFaultKind;

#define PLG_MAX_FAULTS 32

typedef struct
{
  PlgFaultKind kind;
  int first;   /* number of the GPU, node or leaf */
  int second;  /* number of the NIC or spine; otherwise 0 */
  double rate; /* remaining fraction of the stated rate; 0 if the component has failed */
} PlgFault;

/* The cluster of a plan. Each field has a setting with the same name (setting.h). */
typedef struct
{
  PlgGpu gpu;
  char node[PLG_NAME_SIZE]; /* catalogue name of the node, or "custom" */
  int nodes;
  int gpus_per_node;
  int gpus_per_host;       /* GPUs per host if a node consists of several hosts, such as a rack
                              of trays; 0 for one host */
  double intra_bandwidth;  /* bytes/s per GPU per direction inside the node */
  double inter_bandwidth;  /* bytes/s per GPU per direction between nodes */
  double memory;           /* bytes per GPU, as reported by the driver */
  double memory_bandwidth; /* bytes/s */
  double peak;             /* dense FLOP/s at the training precision; 0 for the GPU's own peak */
  double host_bandwidth;   /* bytes/s per GPU per direction to the memory of the host; 0 for the
                              GPU's own value */
  double host_memory;      /* memory of the host per GPU [bytes]; 0 for that of the usual server */
  double host_memory_bandwidth; /* rate of the host's memory per GPU [bytes/s]; 0 for that of the
                                   usual server */
  double oversubscription;      /* leaf uplinks carry 1/oversubscription of the NIC bandwidth; 1 for
                              no oversubscription */
  int nics_per_node;
  PlgIntra intra;
  PlgNetwork network;
  gboolean rdma;      /* FALSE for TCP through the host */
  gboolean multicast; /* TRUE if the NVSwitch performs all-reduces itself (NVLink SHARP) */
  /* Efficiencies of the links (the share of the stated rate that they reach, 0..1) and latencies
   * per hop [s]. */
  double intra_efficiency;
  double inter_efficiency;
  double intra_latency;
  double inter_latency;
  PlgFault faults[PLG_MAX_FAULTS];
  int n_faults;
} PlgCluster;

int plg_cluster_gpus (const PlgCluster *cluster);
/* Return the number of GPUs per host, the number of hosts per node, and the number of hosts in
 * the cluster. A host runs its own operating system, on which launchers start processes. A node
 * is one host, except in racks of trays with fast links between the trays. */
int plg_cluster_host_gpus (const PlgCluster *cluster);
int plg_cluster_hosts_per_node (const PlgCluster *cluster);
int plg_cluster_hosts (const PlgCluster *cluster);
/* Returns the name of the links between the GPUs, or "NVLink" if the catalogue has no name. */
const char *plg_cluster_link_title (const PlgCluster *cluster);

/* The switches between nodes; engine/network/fabric.h describes their links. */
typedef struct
{
  int nics;           /* NICs per node that are drawn and modelled separately */
  int nodes_per_leaf; /* nodes per leaf; a rail network consists of units, each with this number
                         of nodes and the leaves that connect them */
  int units;          /* number of units in a rail network; otherwise 1 */
  int leaves;         /* 0 if there is one node, which needs no network */
  int spines;         /* 0 if the leaves need no spine */
} PlgSwitches;

PlgSwitches plg_cluster_switches (const PlgCluster *cluster);

/* Sets the GPU of CLUSTER, and takes the memory, memory bandwidth and bandwidth inside the node
 * from GPU. Sets CLUSTER's peak to 0, which means GPU's own peak. Changes the type of the links
 * inside the node if GPU does not support it. */
void plg_cluster_set_gpu (PlgCluster *cluster, const PlgGpu *gpu);
/* Sets the node of CLUSTER and its GPU, links, NICs and network. Leaves the number of nodes
 * unchanged. */
void plg_cluster_set_node (PlgCluster *cluster, const PlgNode *node, const PlgGpu *gpu);

/* Returns the GPU's dense FLOP/s at PRECISION. If the GPU does not support PRECISION, returns its peak
 * for the next precision that it supports in the order FP4, FP8, BF16, FP16, FP32. */
double plg_gpu_peak (const PlgGpu *gpu, PlgPrecision precision);
/* Returns the dense FLOP/s at PRECISION: the plan's own peak if set, otherwise plg_gpu_peak(). */
double plg_cluster_peak (const PlgCluster *cluster, PlgPrecision precision);

/* The rate of PCIe 4.0 with 16 lanes, for GPUs whose rate is unknown: 16 GT/s, 128 of 130 bits
 * [bytes/s]. Source: PCI Express base specification 4.0. */
#define PLG_PCIE_4_RATE 31.5e9
/* The memory rate of a usual server with unknown processors: two sockets with eight channels of
 * DDR5-4800, 8 bytes each [bytes/s]. Source: Intel, Xeon Platinum 8480+. */
#define PLG_HOST_MEMORY_RATE 614.4e9

/* Returns the stated rate between a GPU and the memory of its host, per direction [bytes/s]. */
double plg_cluster_host_bandwidth (const PlgCluster *cluster);
/* Returns the memory of a host divided by its number of GPUs [bytes], or 0 if it is unknown. */
double plg_cluster_host_memory (const PlgCluster *cluster);
/* Returns TRUE if a host has BYTES of memory per GPU, or if its memory is not known. */
gboolean plg_cluster_host_has (const PlgCluster *cluster, double bytes);
/* Returns the stated rate of the host's memory, divided by the host's number of GPUs [bytes/s]. */
double plg_cluster_host_memory_bandwidth (const PlgCluster *cluster);
/* Returns TRUE if the GPU's matrix units apply the scales of blocks (MXFP8). GPUs with FP4 do. */
gboolean plg_cluster_has_mxfp8 (const PlgCluster *cluster);

gboolean plg_cluster_equal (const PlgCluster *a, const PlgCluster *b);

G_END_DECLS
