/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "io/topology/topology-graph.h"
#include "syntax/xml-reader.h"

G_BEGIN_DECLS

/* A GPU in NCCL's file. */
typedef struct
{
  int vertex;
  int line;
  int host;
  guint64 busid;
  int dev;            /* the GPU's number in the file; -1 if the file has none */
  int rank;           /* the GPU's rank; -1 if the GPU is not in the communicator */
  gboolean is_known;  /* whether the file has a <gpu> for the device */
  int sm;             /* the compute capability, such as 90 for 9.0; 0 if unknown */
  char gcn[16];       /* AMD's architecture, such as "gfx942", or empty */
  guint vendor;       /* PCI vendor id; 0 if unknown */
  guint device;       /* PCI device id; 0 if unknown */
  int links;          /* the number of NVLinks or xGMI links */
  double link;        /* the vendor's rate of one link [bytes/s]; 0 if unknown */
  gboolean is_joined; /* whether the GPU has links to an NVSwitch */
  double pcie;        /* the rate of the PCIe link according to PCI-SIG [bytes/s]; 0 if unknown */
} PlgNcclGpu;

typedef struct
{
  int vertex;
  int line;
  int host;
  guint64 busid; /* the bus id of the NIC's PCI device; 0 if the NIC has none */
  int dev;       /* the number of the NIC; -1 if the file has the device but no <net> */
  char name[PLG_NAME_SIZE];
  double bandwidth; /* the rate of the NIC [bytes/s]; 0 if unknown */
  gboolean is_rdma;
} PlgNcclNet;

typedef struct
{
  PlgTopologyGraph *topology;
  int hosts;
  GArray *gpus; /* PlgNcclGpu, sorted by host and then by number, or by bus id if the numbers are
                   missing or equal */
  GArray *nets; /* PlgNcclNet, sorted by host and then by number; taken from the PCI devices if
                   the file has no <net> */
} PlgNcclTopology;

/* plg_nccl_topology_read:
 * @context: the import
 * @trays: how many copies of the file's only host to put into the topology; 1 to leave the hosts
 *   of the file unchanged
 *
 * Reads a dump of NCCL or RCCL, or a cloud provider's topology file (src/graph/xml.cc, topo.cc).
 *
 * Returns: (transfer full) (nullable): the topology, or %NULL with an error that names the line */
PlgNcclTopology *plg_nccl_topology_read (PlgImportContext *context, int trays, GError **error);
void plg_nccl_topology_free (PlgNcclTopology *nccl);

/* The GPUs and NICs of a host, which are adjacent in the topology's arrays. */
typedef struct
{
  const PlgNcclGpu *gpu; /* the first GPU, or NULL */
  const PlgNcclNet *net; /* the first NIC, or NULL */
  int gpus, nets;
  int line; /* the line of the first GPU; 0 if the host has no GPU */
} PlgNcclHost;

PlgNcclHost plg_nccl_topology_get_host (const PlgNcclTopology *nccl, int host);

/* Sets MAP to the map of the host with index HOST. The bandwidths of its paths are the vendors'
 * rates. The caller frees the map with plg_node_topology_clear(). */
void plg_nccl_topology_to_node (const PlgNcclTopology *nccl, int host, PlgNodeTopology *map);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgNcclTopology, plg_nccl_topology_free)

G_END_DECLS
