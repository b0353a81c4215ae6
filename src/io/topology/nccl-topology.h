/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "io/topology/topology-graph.h"
#include "syntax/xml-reader.h"

G_BEGIN_DECLS

/* A GPU of NCCL's file. */
typedef struct
{
  int vertex;
  int line;
  int host;
  guint64 busid;
  int dev;           /* its number; -1: the file does not say */
  int rank;          /* -1: of no communicator */
  gboolean is_known; /* the file has a <gpu> for it, not just the device */
  int sm;            /* compute capability, 90 for 9.0; 0 */
  char gcn[16];      /* AMD's architecture, "gfx942", or empty */
  guint vendor;      /* PCI numbers, 0: not known */
  guint device;
  int links;          /* NVLink or xGMI in all */
  double link;        /* stated bytes/s of one */
  gboolean is_joined; /* over an NVSwitch */
  double pcie;        /* stated bytes/s of its PCIe link; 0 */
} PlgNcclGpu;

typedef struct
{
  int vertex;
  int line;
  int host;
  guint64 busid; /* of its card, 0 for one of no PCI device */
  int dev;       /* -1: only the device is there, no <net> */
  char name[PLG_NAME_SIZE];
  double bandwidth; /* bytes/s; 0: not known */
  gboolean is_rdma;
} PlgNcclNet;

typedef struct
{
  PlgTopologyGraph *topology;
  int hosts;
  GArray *gpus; /* of PlgNcclGpu, by host and number, else by bus id */
  GArray *nets; /* of PlgNcclNet, by host and number; where there is no <net>, the devices */
} PlgNcclTopology;

/* What a dump of NCCL or RCCL, or a file of a cloud, says (src/graph/xml.cc, topo.cc). Where TRAYS
 * is more than 1, its only host stands for as many. NULL with an ERROR that has the line. */
PlgNcclTopology *plg_nccl_topology_read (PlgImportContext *context, int trays, GError **error);
void plg_nccl_topology_free (PlgNcclTopology *nccl);
/* What is inside a host, with the bandwidths that are stated. */
void plg_nccl_topology_to_node (const PlgNcclTopology *nccl, int host, PlgNodeTopology *map);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgNcclTopology, plg_nccl_topology_free)

G_END_DECLS
