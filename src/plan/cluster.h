/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PLG_NAME_SIZE 64
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
  PLG_PRECISION_FP32,
} PlgPrecision;
#define PLG_N_PRECISIONS 4

/* The links between the GPUs of a node. */
typedef enum
{
  PLG_INTRA_NVSWITCH, /* any pair at the full rate of a port */
  PLG_INTRA_MESH,     /* direct links; one pair has 1/(n-1) of a port */
  PLG_INTRA_PCIE,     /* a PCIe tree, shared by all GPUs */
} PlgIntra;

/* The network between the nodes. */
typedef enum
{
  PLG_NETWORK_RAIL, /* NIC j of every node on leaf j */
  PLG_NETWORK_TREE, /* all NICs of a node on one leaf (top of rack) */
  PLG_NETWORK_FLAT, /* one switch for all NICs */
} PlgNetwork;

/* A GPU of the catalogue. All rates are dense and per direction. */
typedef struct
{
  char name[PLG_NAME_SIZE];                   /* catalogue name, such as "h100-sxm-80" */
  char title[PLG_NAME_SIZE];                  /* display name, such as "H100 SXM" */
  double peak[PLG_N_PRECISIONS];              /* FLOP/s; 0 without units for this precision */
  double matrix_efficiency[PLG_N_PRECISIONS]; /* best large GEMM / peak, 0..1 */
  double vector_peak;                         /* FLOP/s of the vector units, FP32 */
  double memory;                              /* bytes, as the driver reports */
  double memory_bandwidth;                    /* bytes/s, as the vendor states */
  double memory_efficiency;                   /* best copy / memory_bandwidth, 0..1 */
  char link_title[PLG_NAME_SIZE]; /* name of the direct links, such as "Infinity Fabric", or
                                     empty */
  double link_bandwidth;          /* bytes/s per GPU and direction, NVLink or xGMI; 0: no direct
                                     links */
  double pcie_bandwidth;          /* bytes/s per direction */
} PlgGpu;

/* A node of the catalogue and its network. */
typedef struct
{
  char name[PLG_NAME_SIZE];
  char title[PLG_NAME_SIZE];
  char gpu[PLG_NAME_SIZE]; /* the GPU with which the node is sold */
  int gpus;
  int host_gpus; /* GPUs of one host if the node consists of several hosts; 0: one host */
  int nics;
  double nic_bandwidth; /* bytes/s per NIC and direction */
  PlgIntra intra;
  PlgNetwork network;
  gboolean rdma;
  gboolean multicast; /* the switch sums and distributes all-reduces (NVLink SHARP) */
  /* Calibration of the links, as in PlgCluster; 0: the usual value for the kind of link. */
  double intra_efficiency;
  double inter_efficiency;
  double intra_latency;
  double inter_latency;
} PlgNode;

/* A part that is slow or has failed (fault.h). */
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
  int first;   /* GPU, node or leaf */
  int second;  /* NIC or spine; else 0 */
  double rate; /* remaining share of the stated rate; 0: failed */
} PlgFault;

/* The cluster of a plan. Each member has a setting of the same name (setting.h). */
typedef struct
{
  PlgGpu gpu;
  char node[PLG_NAME_SIZE]; /* catalogue name of the node, or "custom" */
  int nodes;
  int gpus_per_node;
  int gpus_per_host;       /* GPUs of one host if a node consists of several hosts, such as a
                              rack of trays; 0: one host */
  double intra_bandwidth;  /* bytes/s per GPU and direction, inside the node */
  double inter_bandwidth;  /* bytes/s per GPU and direction, between nodes */
  double memory;           /* bytes per GPU, as the driver reports */
  double memory_bandwidth; /* bytes/s */
  double peak;             /* dense FLOP/s at the training precision; 0: the GPU's own peak */
  double oversubscription; /* leaf uplinks carry 1/oversubscription; 1: no oversubscription */
  int nics_per_node;
  PlgIntra intra;
  PlgNetwork network;
  gboolean rdma;      /* FALSE: TCP through the host */
  gboolean multicast; /* the NVSwitch sums and distributes all-reduces (NVLink SHARP) */
  /* Calibration of the links: reached share of the stated rate (0..1), and latency per hop [s]. */
  double intra_efficiency;
  double inter_efficiency;
  double intra_latency;
  double inter_latency;
  PlgFault faults[PLG_MAX_FAULTS];
  int n_faults;
} PlgCluster;

int plg_cluster_gpus (const PlgCluster *cluster);
/* A host runs its own operating system, on which launchers start processes. A node is one host,
 * except for racks of trays with fast links between the trays. */
int plg_cluster_host_gpus (const PlgCluster *cluster);
int plg_cluster_hosts_per_node (const PlgCluster *cluster);
int plg_cluster_hosts (const PlgCluster *cluster);
/* The name of the links between the GPUs; "NVLink" if the catalogue has no name. */
const char *plg_cluster_link_title (const PlgCluster *cluster);

/* The switches between the nodes; engine/network/fabric.h describes their links. */
typedef struct
{
  int nics;           /* NICs per node that are drawn and modelled separately */
  int nodes_per_leaf; /* nodes per unit in a rail network */
  int units;          /* units of a rail network; else 1 */
  int leaves;         /* 0: one node, which needs no network */
  int spines;         /* 0: the leaves need no spine */
} PlgSwitches;

PlgSwitches plg_cluster_switches (const PlgCluster *cluster);

/* Sets GPU in CLUSTER with its memory, memory bandwidth, intra-node rate and peak. */
void plg_cluster_set_gpu (PlgCluster *cluster, const PlgGpu *gpu);
/* Sets NODE in CLUSTER with GPU; the number of nodes stays. */
void plg_cluster_set_node (PlgCluster *cluster, const PlgNode *node, const PlgGpu *gpu);

/* Dense FLOP/s at PRECISION: the plan's own peak if set, else the GPU's peak. A GPU without FP8
 * runs FP8 at the BF16 rate, and a GPU without BF16 runs BF16 at the FP16 rate. */
double plg_cluster_peak (const PlgCluster *cluster, PlgPrecision precision);

gboolean plg_cluster_equal (const PlgCluster *a, const PlgCluster *b);

G_END_DECLS
