/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"

G_BEGIN_DECLS

/* What is inside a node as its files tell it: NCCL's topology, `nvidia-smi topo -m`, hwloc. All
 * nodes of a cluster are alike. A plan has a map or none; without one, its kind of node says how
 * GPUs and NICs are joined. */

/* The worst part of the way between two things of a node, nearest first. The order is NCCL's
 * (src/graph/graph.h: PATH_LOC … PATH_SYS) with NODE, which only nvidia-smi tells from PHB. */
typedef enum
{
  PLG_PATH_SELF,
  PLG_PATH_NVLINK, /* direct links, or links over a switch; xGMI too */
  PLG_PATH_NVB,    /* the same, through another GPU */
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

/* What NCCL makes of a file by itself, without what it finds in the machine besides. */
typedef struct
{
  PlgPathType type;
  double bandwidth; /* that it plans with, bytes/s and direction; 0: the file is none of NCCL's */
} PlgPlannedPath;

typedef struct
{
  PlgPathType type;
  int links;        /* bonded, of NVLink; 0: not known */
  double bandwidth; /* stated, bytes/s and direction; 0: not known */
  PlgPlannedPath planned;
} PlgPath;

#define PLG_MAX_NODE_NICS 512
#define PLG_MAX_RINGS 64

typedef struct
{
  char name[PLG_NAME_SIZE]; /* such as "mlx5_0"; empty: not known */
  double bandwidth;         /* stated, bytes/s and direction; 0: not known */
} PlgNic;

/* All zero: no map. The arrays are owned. */
typedef struct
{
  int gpus;
  int nics;     /* those that collectives use; 0: the map tells of none */
  int rings;    /* that NCCL made inside the node; 0: not known */
  PlgPath *gpu; /* gpus x gpus; see plg_node_topology_to_gpu() */
  PlgPath *nic; /* gpus x nics */
  PlgNic *card; /* nics */
  int *numa;    /* the NUMA node of each GPU, -1: not known */
  int *ring;    /* rings x gpus: GPUs in the order of each ring */
} PlgNodeTopology;

/* A map of which nothing is known but its numbers: 1 .. PLG_MAX_GPUS_PER_NODE GPUs and 0 ..
 * PLG_MAX_NODE_NICS NICs. What MAP held is lost without being freed. */
void plg_node_topology_init (PlgNodeTopology *topology, int gpus, int nics);
void plg_node_topology_clear (PlgNodeTopology *topology);
void plg_node_topology_copy (PlgNodeTopology *to, const PlgNodeTopology *from);
gboolean plg_node_topology_equal (const PlgNodeTopology *a, const PlgNodeTopology *b);
gboolean plg_node_topology_is_empty (const PlgNodeTopology *topology);

/* The path from GPU A to GPU B, or to a NIC; to be read and written. */
PlgPath *plg_node_topology_to_gpu (const PlgNodeTopology *topology, int gpu_a, int gpu_b);
PlgPath *plg_node_topology_to_nic (const PlgNodeTopology *topology, int gpu, int nic);
/* Both directions at once. */
void plg_node_topology_set_pair (PlgNodeTopology *topology, int gpu_a, int gpu_b, PlgPath path);
/* The GPUS of one more ring, as many as the node has, in its order. */
void plg_node_topology_add_ring (PlgNodeTopology *topology, const int *gpus);
const int *plg_node_topology_ring (const PlgNodeTopology *topology, int ring);

/* Which is nearer, as NCCL has it: the better type, then the higher bandwidth, of those that it
 * plans with where both are known. Below 0: A; above: B. */
int plg_path_compare (const PlgPath *a, const PlgPath *b);
/* Whether NCCL plans with the same type and bandwidth of both. */
gboolean plg_path_plans_same (const PlgPath *a, const PlgPath *b);
/* The NICs that GPU uses: of those nearest to it, as many as make equal shares for the GPUs that
 * are near to the first of them, beginning with one that its number chooses (NCCL,
 * src/graph/topo.cc, ncclTopoGetLocalNet). Fills NICS up to SIZE and returns how many; 0: the map
 * does not tell. */
int plg_node_topology_nics_of (const PlgNodeTopology *topology, int gpu, int *nics, int size);
/* Leaves out the NICs that no GPU uses, such as those for storage. Returns how many. */
int plg_node_topology_drop_far_nics (PlgNodeTopology *topology);
/* Whether any two GPUs are joined by direct links, or links over a switch. */
gboolean plg_node_topology_has_links (const PlgNodeTopology *topology);

/* What is wrong with a map that came from elsewhere. */
gboolean plg_node_topology_check (const PlgNodeTopology *topology, GError **error);

/* "NV18", "PIX", "NODE", as nvidia-smi and NCCL write it; "?" for what is not known. */
const char *plg_path_code (PlgPathType type);
/* The code, the number of links and, behind a colon, GB/s where they are known: "NV18:450",
 * "PIX:63", "SYS"; then, behind a slash, what NCCL plans with: "PIX:63/PIX:48". g_free(). */
char *plg_path_to_string (const PlgPath *path);
gboolean plg_path_from_string (PlgPath *path, const char *text);
/* GB/s as a file has them, without a sign or an exponent. */
gboolean plg_gbps_from_string (double *bandwidth, const char *text);
/* Whether a NIC can be called NAME: up to 63 letters, digits and "-._:+/"; or empty. */
gboolean plg_nic_name_check (const char *name);
/* For people: "PIX, 63 GB/s", "NV18, 450 GB/s"; links that are not NVLink under their own TITLE.
 * g_free(). */
char *plg_path_describe (const PlgPath *path, const char *link_title);
/* For people, what NCCL plans with: "PIX 48 GB/s"; NULL: not known. g_free(). */
char *plg_path_describe_planned (const PlgPath *path);

G_END_DECLS
