/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"

G_BEGIN_DECLS

/* The inside of a node as files describe it: NCCL's topology, `nvidia-smi topo -m`, hwloc. All
 * nodes of a cluster are alike; without a topology, the kind of node determines the links of
 * GPUs and NICs. */

/* The worst part of the path between two devices of a node, nearest first. The order is NCCL's
 * (src/graph/graph.h: PATH_LOC … PATH_SYS) with NODE, which only nvidia-smi distinguishes from
 * PHB. */
typedef enum
{
  PLG_PATH_SELF,
  PLG_PATH_NVLINK, /* direct links, or links over a switch; also xGMI */
  PLG_PATH_NVB,    /* NVLink through another GPU */
  PLG_PATH_C2C,    /* the link between GPU and CPU of one chip */
  PLG_PATH_PIX,    /* one PCIe bridge */
  PLG_PATH_PXB,    /* several PCIe bridges */
  PLG_PATH_P2C,    /* to a NIC of the CPU over C2C */
  PLG_PATH_PXN,    /* to a NIC through another GPU */
  PLG_PATH_PHB,    /* the host bridge of a CPU */
  PLG_PATH_NODE,   /* several host bridges of one NUMA node */
  PLG_PATH_SYS,    /* from CPU to CPU */
  PLG_PATH_UNKNOWN,
} PlgPathType;
#define PLG_N_PATH_TYPES 12

/* NCCL's result for a topology file alone, without its checks of the machine. */
typedef struct
{
  PlgPathType type;
  double bandwidth; /* planned bandwidth, bytes/s per direction; 0: not a file of NCCL */
} PlgPlannedPath;

typedef struct
{
  PlgPathType type;
  int links;        /* number of bonded NVLink links; 0: unknown */
  double bandwidth; /* stated bandwidth, bytes/s per direction; 0: unknown */
  PlgPlannedPath planned;
} PlgPath;

#define PLG_MAX_NODE_NICS 512
#define PLG_MAX_RINGS 64

typedef struct
{
  char name[PLG_NAME_SIZE]; /* such as "mlx5_0"; empty: unknown */
  double bandwidth;         /* stated bandwidth, bytes/s per direction; 0: unknown */
} PlgNic;

/* All zero: no topology. The arrays are owned. */
typedef struct
{
  int gpus;
  int nics;     /* NICs that collectives use; 0: the topology has no NICs */
  int rings;    /* rings of NCCL inside the node; 0: unknown */
  PlgPath *gpu; /* gpus x gpus; see plg_node_topology_to_gpu() */
  PlgPath *nic; /* gpus x nics */
  PlgNic *card; /* nics entries */
  int *numa;    /* NUMA node of each GPU; -1: unknown */
  int *ring;    /* rings x gpus: GPUs in the order of each ring */
} PlgNodeTopology;

/* Initializes TOPOLOGY with unknown paths for 1 .. PLG_MAX_GPUS_PER_NODE GPUs and 0 ..
 * PLG_MAX_NODE_NICS NICs. Earlier contents are not freed. */
void plg_node_topology_init (PlgNodeTopology *topology, int gpus, int nics);
void plg_node_topology_clear (PlgNodeTopology *topology);
void plg_node_topology_copy (PlgNodeTopology *to, const PlgNodeTopology *from);
gboolean plg_node_topology_equal (const PlgNodeTopology *a, const PlgNodeTopology *b);
gboolean plg_node_topology_is_empty (const PlgNodeTopology *topology);

/* The path from GPU A to GPU B, or to a NIC; may be changed. */
PlgPath *plg_node_topology_to_gpu (const PlgNodeTopology *topology, int gpu_a, int gpu_b);
PlgPath *plg_node_topology_to_nic (const PlgNodeTopology *topology, int gpu, int nic);
/* Sets the path in both directions. */
void plg_node_topology_set_pair (PlgNodeTopology *topology, int gpu_a, int gpu_b, PlgPath path);
/* Adds a ring with the GPUS of the node in the order of the ring. */
void plg_node_topology_add_ring (PlgNodeTopology *topology, const int *gpus);
const int *plg_node_topology_ring (const PlgNodeTopology *topology, int ring);

/* Compares two paths as NCCL does: the better type is nearer, then the higher bandwidth; planned
 * values are used if both are known. Below 0: A is nearer; above 0: B is nearer. */
int plg_path_compare (const PlgPath *a, const PlgPath *b);
/* Whether NCCL plans both paths with the same type and bandwidth. */
gboolean plg_path_plans_same (const PlgPath *a, const PlgPath *b);
/* The NICs that GPU uses: of the nearest NICs, an equal share for each GPU near the first of
 * them, beginning with a NIC that depends on the GPU's number (NCCL, src/graph/topo.cc,
 * ncclTopoGetLocalNet). Fills NICS up to SIZE and returns their number; 0: the topology does not
 * determine them. */
int plg_node_topology_nics_of (const PlgNodeTopology *topology, int gpu, int *nics, int size);
/* Removes the NICs that no GPU uses, such as NICs for storage. Returns the number of removed
 * NICs. */
int plg_node_topology_drop_far_nics (PlgNodeTopology *topology);
/* Whether direct links, or links over a switch, connect any two GPUs. */
gboolean plg_node_topology_has_links (const PlgNodeTopology *topology);

/* Checks a topology from a file. */
gboolean plg_node_topology_check (const PlgNodeTopology *topology, GError **error);

/* The code of nvidia-smi and NCCL: "NV18", "PIX", "NODE"; "?" for an unknown path. */
const char *plg_path_code (PlgPathType type);
/* The code, the number of links and, after a colon, GB/s if known: "NV18:450", "PIX:63", "SYS".
 * After a slash follows the path that NCCL plans with: "PIX:63/PIX:48". g_free(). */
char *plg_path_to_string (const PlgPath *path);
gboolean plg_path_from_string (PlgPath *path, const char *text);
/* Reads GB/s as in files, without a sign or an exponent. */
gboolean plg_gbps_from_string (double *bandwidth, const char *text);
/* Whether NAME is a valid name of a NIC: up to 63 letters, digits and "-._:+/", or empty. */
gboolean plg_nic_name_check (const char *name);
/* The display text: "PIX, 63 GB/s", "NV18, 450 GB/s"; LINK_TITLE replaces NVLink for other
 * links. g_free(). */
char *plg_path_describe (const PlgPath *path, const char *link_title);
/* The display text of the path that NCCL plans with: "PIX 48 GB/s"; NULL: unknown. g_free(). */
char *plg_path_describe_planned (const PlgPath *path);

G_END_DECLS
