/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PLG_NAME_SIZE 64
#define PLG_MAX_NODES 16384
#define PLG_MAX_GPUS_PER_NODE 128
#define PLG_MAX_GPUS 65536

/* Nodes, or GPUs, that follow each other. */
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

/* How the GPUs of a node reach each other. */
typedef enum
{
  PLG_INTRA_NVSWITCH, /* any pair at the full rate of a port */
  PLG_INTRA_MESH,     /* direct links, one pair has 1/(n-1) of a port */
  PLG_INTRA_PCIE,     /* a PCIe tree, shared by all */
} PlgIntra;

/* How the nodes reach each other. */
typedef enum
{
  PLG_NETWORK_RAIL, /* NIC j of every node on leaf j */
  PLG_NETWORK_TREE, /* all NICs of a node on one leaf (top of rack) */
  PLG_NETWORK_FLAT, /* one switch for all */
} PlgNetwork;

/* What a GPU is, from the catalogue. All rates are dense and per direction. */
typedef struct
{
  char name[PLG_NAME_SIZE];                   /* catalogue name, such as "h100-sxm-80" */
  char title[PLG_NAME_SIZE];                  /* for people, such as "H100 SXM" */
  double peak[PLG_N_PRECISIONS];              /* FLOP/s; 0 where it has no such unit */
  double matrix_efficiency[PLG_N_PRECISIONS]; /* best large GEMM / peak, 0..1 */
  double vector_peak;                         /* FLOP/s of the ordinary units, FP32 */
  double memory;                              /* bytes, as the driver reports */
  double memory_bandwidth;                    /* bytes/s, as the vendor states */
  double memory_efficiency;                   /* best copy / memory_bandwidth, 0..1 */
  char link_title[PLG_NAME_SIZE]; /* of the direct links, such as "Infinity Fabric"; or empty */
  double link_bandwidth;          /* bytes/s a GPU and direction, NVLink or xGMI; 0 = none */
  double pcie_bandwidth;          /* bytes/s and direction */
} PlgGpu;

/* A node and the network it comes with, from the catalogue. */
typedef struct
{
  char name[PLG_NAME_SIZE];
  char title[PLG_NAME_SIZE];
  char gpu[PLG_NAME_SIZE]; /* the GPU that it is sold with */
  int gpus;
  int host_gpus; /* of one of the hosts that it is made of; 0: it is one host */
  int nics;
  double nic_bandwidth; /* bytes/s a NIC and direction */
  PlgIntra intra;
  PlgNetwork network;
  gboolean rdma;
  gboolean multicast; /* its switch adds up and spreads itself (NVLink SHARP) */
  /* Calibration of its links, as in PlgCluster; 0 where the catalogue says nothing: what is usual
   * for the kind of link. */
  double intra_efficiency;
  double inter_efficiency;
  double intra_latency;
  double inter_latency;
} PlgNode;

/* What is broken or slow (fault.h). */
typedef enum
{
  PLG_FAULT_GPU,    /* the computing of a GPU */
  PLG_FAULT_PORT,   /* the link of a GPU inside its node */
  PLG_FAULT_NIC,    /* of a node */
  PLG_FAULT_UPLINK, /* of a leaf to a spine */
} PlgFaultKind;

#define PLG_MAX_FAULTS 32

typedef struct
{
  PlgFaultKind kind;
  int first;   /* GPU, node or leaf */
  int second;  /* NIC or spine; else 0 */
  double rate; /* what is left of the stated rate; 0: failed */
} PlgFault;

/* The cluster of a plan. A key of the same name sets each member (setting.h). */
typedef struct
{
  PlgGpu gpu;
  char node[PLG_NAME_SIZE]; /* the catalogue's node, or "custom" */
  int nodes;
  int gpus_per_node;
  int gpus_per_host;       /* of a node of several hosts, as a rack of trays is; 0: it is one */
  double intra_bandwidth;  /* bytes/s a GPU and direction, inside the node */
  double inter_bandwidth;  /* bytes/s a GPU and direction, between nodes */
  double memory;           /* bytes a GPU, as the driver reports */
  double memory_bandwidth; /* bytes/s */
  double peak;             /* dense FLOP/s at the training precision; 0 = the GPU's own */
  double oversubscription; /* leaf uplinks carry 1/this; 1 = none */
  int nics_per_node;
  PlgIntra intra;
  PlgNetwork network;
  gboolean rdma;      /* FALSE: TCP through the host */
  gboolean multicast; /* the NVSwitch adds up and spreads itself (NVLink SHARP) */
  /* Calibration of the links: what is reached of the stated rate (0..1), and seconds a hop. */
  double intra_efficiency;
  double inter_efficiency;
  double intra_latency;
  double inter_latency;
  PlgFault faults[PLG_MAX_FAULTS];
  int n_faults;
} PlgCluster;

int plg_cluster_gpus (const PlgCluster *cluster);
/* A host runs an operating system of its own: a node is one, but for racks of trays that fast links
 * join. Launchers start processes on hosts. */
int plg_cluster_host_gpus (const PlgCluster *cluster);
int plg_cluster_hosts_per_node (const PlgCluster *cluster);
int plg_cluster_hosts (const PlgCluster *cluster);
/* What its GPUs call the links between them; "NVLink" where the catalogue says nothing. */
const char *plg_cluster_link_title (const PlgCluster *cluster);

/* The switches between the nodes (engine/fabric.h says how they are joined). */
typedef struct
{
  int nics;           /* a node, as many as are told apart */
  int nodes_per_leaf; /* of a rail network: the nodes of a unit */
  int units;          /* of a rail network; else 1 */
  int leaves;         /* 0: one node, which needs no network */
  int spines;         /* 0: nothing needs one */
} PlgSwitches;

PlgSwitches plg_cluster_switches (const PlgCluster *cluster);

/* Puts GPU into CLUSTER: its memory, memory bandwidth, intra-node rate and peak become GPU's. */
void plg_cluster_set_gpu (PlgCluster *cluster, const PlgGpu *gpu);
/* Puts NODE into CLUSTER with the GPU given, keeping the number of nodes. */
void plg_cluster_set_node (PlgCluster *cluster, const PlgNode *node, const PlgGpu *gpu);

/* Dense FLOP/s at PRECISION: the plan's own peak when one is set, else the GPU's; FP8 on a GPU
 * without it runs at the BF16 rate, BF16 at the FP16 rate. */
double plg_cluster_peak (const PlgCluster *cluster, PlgPrecision precision);

gboolean plg_cluster_equal (const PlgCluster *a, const PlgCluster *b);

G_END_DECLS
