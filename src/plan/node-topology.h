/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"

G_BEGIN_DECLS

/* The internal topology of a node, as NCCL, `nvidia-smi topo -m` and hwloc describe it. All
 * nodes of a cluster are alike. Without a topology, the links follow from the cluster's INTRA
 * and its numbers of GPUs and NICs. */

/* The type of the path between two devices of a node, which depends on the worst hop of the
 * path. The types are ordered from nearest to farthest, as in NCCL (src/graph/graph.h: PATH_LOC
 * … PATH_SYS). NODE is added, because nvidia-smi distinguishes it from PHB; NCCL does not. */
typedef enum
{
  PLG_PATH_SELF,
  PLG_PATH_NVLINK, /* NVLink or xGMI, either direct or through a switch */
  PLG_PATH_NVB,    /* NVLink through another GPU */
  PLG_PATH_C2C,    /* a link between GPU and CPU in one chip */
  PLG_PATH_PIX,    /* one PCIe bridge */
  PLG_PATH_PXB,    /* several PCIe bridges */
  PLG_PATH_P2C,    /* C2C to a CPU, and from there to a NIC that is attached to this CPU */
  PLG_PATH_PXN,    /* to a NIC through another GPU */
  PLG_PATH_PHB,    /* through the host bridge of a CPU */
  PLG_PATH_NODE,   /* through several host bridges within one NUMA node */
  PLG_PATH_SYS,    /* between CPUs */
  PLG_PATH_UNKNOWN,
} PlgPathType;
#define PLG_N_PATH_TYPES 12

/* The path that NCCL computes from a topology file alone, without checking the machine. */
typedef struct
{
  PlgPathType type;
  double bandwidth; /* planned bandwidth, bytes/s per direction; 0 if the file is not from NCCL */
} PlgPlannedPath;

typedef struct
{
  PlgPathType type;
  int links;        /* number of bonded NVLink links; 0 if unknown */
  double bandwidth; /* stated bandwidth, bytes/s per direction; 0 if unknown */
  PlgPlannedPath planned;
} PlgPath;

#define PLG_MAX_NODE_NICS 512
#define PLG_MAX_RINGS 64

typedef struct
{
  char name[PLG_NAME_SIZE]; /* name such as "mlx5_0"; empty if unknown */
  double bandwidth;         /* stated bandwidth, bytes/s per direction; 0 if unknown */
} PlgNic;

/* The topology of one node. All fields are zero if there is no topology. The arrays are owned. */
typedef struct
{
  int gpus;
  int nics;     /* number of NICs that collectives use; 0 if the topology has no NICs */
  int rings;    /* number of NCCL's rings inside the node; 0 if unknown */
  PlgPath *gpu; /* gpus x gpus entries; see plg_node_topology_to_gpu() */
  PlgPath *nic; /* gpus x nics entries */
  PlgNic *card; /* nics entries, one per NIC */
  int *numa;    /* NUMA node of each GPU; -1 if unknown */
  int *ring;    /* rings x gpus entries: the GPUs in ring order, one ring after another */
} PlgNodeTopology;

/* Initializes TOPOLOGY with unknown paths for 1 .. PLG_MAX_GPUS_PER_NODE GPUs and 0 ..
 * PLG_MAX_NODE_NICS NICs. Previous contents are not freed. */
void plg_node_topology_init (PlgNodeTopology *topology, int gpus, int nics);
void plg_node_topology_clear (PlgNodeTopology *topology);
void plg_node_topology_copy (PlgNodeTopology *to, const PlgNodeTopology *from);
gboolean plg_node_topology_equal (const PlgNodeTopology *a, const PlgNodeTopology *b);
gboolean plg_node_topology_is_empty (const PlgNodeTopology *topology);

/* Return the path from GPU A to GPU B, or from a GPU to a NIC. The caller may change the path. */
PlgPath *plg_node_topology_to_gpu (const PlgNodeTopology *topology, int gpu_a, int gpu_b);
PlgPath *plg_node_topology_to_nic (const PlgNodeTopology *topology, int gpu, int nic);
/* Sets the path between two GPUs in both directions. */
void plg_node_topology_set_pair (PlgNodeTopology *topology, int gpu_a, int gpu_b, PlgPath path);
/* Adds a ring. GPUS has the GPUs of the node in the order of the ring. */
void plg_node_topology_add_ring (PlgNodeTopology *topology, const int *gpus);
const int *plg_node_topology_ring (const PlgNodeTopology *topology, int ring);

/* Compares two paths as NCCL does: the path whose type comes first in PlgPathType is nearer; for
 * equal types, the path with the higher bandwidth is nearer. Compares the planned bandwidths if
 * both paths have them, otherwise the stated bandwidths. Returns a number below 0 if A is
 * nearer, above 0 if B is nearer. */
int plg_path_compare (const PlgPath *a, const PlgPath *b);
/* Returns TRUE if NCCL's planned paths of A and B have the same type and bandwidth. */
gboolean plg_path_plans_same (const PlgPath *a, const PlgPath *b);
/* Finds the NICs that GPU uses. The NICs nearest to GPU are divided equally among all GPUs that
 * are nearest to the first of these NICs. The index of GPU determines the first NIC that it uses
 * (NCCL, src/graph/topo.cc, ncclTopoGetLocalNet). Stores up to SIZE NICs in NICS and returns
 * their number; 0 if no path from GPU to a NIC is known. */
int plg_node_topology_nics_of (const PlgNodeTopology *topology, int gpu, int *nics, int size);
/* Removes NICs that no GPU uses, such as storage NICs. Returns the number of NICs that were
 * removed. */
int plg_node_topology_drop_far_nics (PlgNodeTopology *topology);
/* Returns TRUE if NVLink or xGMI connects at least two GPUs: directly, over a switch or through
 * another GPU. */
gboolean plg_node_topology_has_links (const PlgNodeTopology *topology);

/* Returns FALSE with ERROR if TOPOLOGY, which was read from a file, exceeds a limit or has an
 * invalid path, NIC or ring. */
gboolean plg_node_topology_check (const PlgNodeTopology *topology, GError **error);

/* Returns the code that nvidia-smi and NCCL use: "NV18", "PIX", "NODE"; "?" for an unknown path. */
const char *plg_path_code (PlgPathType type);
/* Returns PATH as text: the code of its type, the number of links, and after a colon the
 * bandwidth in GB/s. Unknown values are omitted: "NV18:450", "PIX:63", "SYS". If NCCL's planned
 * path is known, it follows after a slash: "PIX:63/PIX:48". Free with g_free(). */
char *plg_path_to_string (const PlgPath *path);
gboolean plg_path_from_string (PlgPath *path, const char *text);
/* Reads a bandwidth in GB/s, as files store it, and sets *BANDWIDTH in bytes/s. A sign or an
 * exponent is an error. */
gboolean plg_gbps_from_string (double *bandwidth, const char *text);
/* Returns TRUE if NAME is a valid name of a NIC: empty, or up to 63 letters, digits and
 * characters of "-._:+/". */
gboolean plg_nic_name_check (const char *name);
/* Returns PATH for display: "PIX, 63 GB/s", "NV18, 450 GB/s". If LINK_TITLE (the name of the
 * direct links) is not "NVLink", it replaces the code of direct links. Free with g_free(). */
char *plg_path_describe (const PlgPath *path, const char *link_title);
/* Returns NCCL's planned path for display: "PIX 48 GB/s". Returns NULL if it is unknown. Free
 * with g_free(). */
char *plg_path_describe_planned (const PlgPath *path);

G_END_DECLS
