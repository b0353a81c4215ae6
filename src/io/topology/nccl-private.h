/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format.h"
#include "io/topology/nccl-topology.h"

G_BEGIN_DECLS

/* A file of NCCL on its way to a topology. */

typedef struct
{
  PlgImportContext *context;
  PlgXml *xml;
  PlgNcclTopology *nccl;
  GHashTable *gpu_at;  /* host and bus id: index in gpus, plus 1 */
  GArray *hashes;      /* guint64, one a host */
  GArray *cards;       /* of PlgNcclNet: devices without a <net> */
  GArray *cpus;        /* of PlgNcclCpu */
  gboolean has_ranks;  /* any <gpu> says its rank */
  int nvswitch_vertex; /* -1: none yet */
  int tray;            /* the file's only host is this one here */
} PlgNcclGraphBuilder;

typedef struct
{
  int vertex;
  int host;
  double bandwidth; /* to another CPU; 0: not known */
} PlgNcclCpu;

/* Attributes (nccl-attributes.c) */

gboolean plg_nccl_fail (const PlgNcclGraphBuilder *builder,
                        const xmlNode *node,
                        const char *attribute,
                        GError **error,
                        const char *why);
/* A whole number; OTHERWISE where there is none. */
gboolean plg_nccl_read_int (const PlgNcclGraphBuilder *builder,
                            const xmlNode *node,
                            const char *attribute,
                            int otherwise,
                            int *value,
                            GError **error);
/* Hexadecimal numbers with or without 0x; 0 where there is none or another thing. */
guint plg_nccl_read_hex (const xmlNode *node, const char *attribute);
/* "0000:83:00.0" as the number of its digits. */
gboolean plg_nccl_parse_bus_id (const char *text, guint64 *id);
gboolean plg_nccl_read_bus_id (const PlgNcclGraphBuilder *builder,
                               const xmlNode *node,
                               guint64 *id,
                               GError **error);
/* Of a device's PCIe link. */
gboolean plg_nccl_read_rate (const PlgNcclGraphBuilder *builder,
                             const xmlNode *node,
                             PlgTopologyBandwidth *rate,
                             GError **error);

/* The tree (nccl-load.c) */

/* The first NAME inside NODE, or NULL. */
xmlNode *plg_nccl_find_child (const xmlNode *node, const char *name);
PlgNcclGpu *plg_nccl_find_gpu (const PlgNcclGraphBuilder *builder, int host, guint64 busid);
/* The number of the host that a <cpu> is of. */
gboolean
plg_nccl_find_host (PlgNcclGraphBuilder *builder, const xmlNode *node, int *host, GError **error);

/* Links beside the tree (nccl-links.c) */

/* Those of GPUs to GPUs and switches, or with C2C those to CPUs, which need the others. */
gboolean plg_nccl_add_links (PlgNcclGraphBuilder *builder, gboolean c2c, GError **error);
void plg_nccl_connect_cpus (PlgNcclGraphBuilder *builder);

G_END_DECLS
