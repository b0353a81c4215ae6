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
  int dev;            /* the GPU's number; -1 if the file has none */
  int rank;           /* the rank; -1 outside the communicator */
  gboolean is_known;  /* the file has a <gpu> for the device */
  int sm;             /* the compute capability, such as 90 for 9.0; 0 if unknown */
  char gcn[16];       /* AMD's architecture, such as "gfx942", or empty */
  guint vendor;       /* PCI vendor id; 0 if unknown */
  guint device;       /* PCI device id; 0 if unknown */
  int links;          /* the number of NVLinks or xGMI links */
  double link;        /* the stated rate of one link [bytes/s] */
  gboolean is_joined; /* whether the GPU has links to an NVSwitch */
  double pcie;        /* the stated rate of the PCIe link [bytes/s]; 0 if unknown */
} PlgNcclGpu;

typedef struct
{
  int vertex;
  int line;
  int host;
  guint64 busid; /* the bus id of the card; 0 without a PCI device */
  int dev;       /* the number of the NIC; -1 if the file has the device but no <net> */
  char name[PLG_NAME_SIZE];
  double bandwidth; /* the rate of the NIC [bytes/s]; 0 if unknown */
  gboolean is_rdma;
} PlgNcclNet;

typedef struct
{
  PlgTopologyGraph *topology;
  int hosts;
  GArray *gpus; /* PlgNcclGpu, sorted by host and then by number, or by bus id if the file has no
                   numbers */
  GArray *nets; /* PlgNcclNet, sorted by host and number; PCI devices if the file has no <net> */
} PlgNcclTopology;

/* plg_nccl_topology_read:
 * @context: the import
 * @trays: how many times to add the file's only host to the topology; 1 to read the file
 *   normally
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
  int line; /* the line of the first GPU; 0 without a GPU */
} PlgNcclHost;

PlgNcclHost plg_nccl_topology_get_host (const PlgNcclTopology *nccl, int host);

/* Makes the map of a host with the stated bandwidths. The caller frees the map with
 * plg_node_topology_clear(). */
void plg_nccl_topology_to_node (const PlgNcclTopology *nccl, int host, PlgNodeTopology *map);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgNcclTopology, plg_nccl_topology_free)

G_END_DECLS
