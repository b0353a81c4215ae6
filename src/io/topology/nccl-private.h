/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"
#include "io/topology/nccl-topology.h"

G_BEGIN_DECLS

/* The state of the builder that turns NCCL's file into a topology. */
typedef struct
{
  PlgImportContext *context;
  PlgXml *xml;
  PlgNcclTopology *nccl;
  GHashTable *gpu_at;  /* maps a host and a bus id to the GPU's index in gpus plus 1 */
  GArray *hashes;      /* guint64: the value of host_hash for each host; 0 if the attribute is
                          missing */
  GArray *cards;       /* PlgNcclNet: NICs without a <nic> element */
  GArray *cpus;        /* PlgNcclCpu */
  gboolean has_ranks;  /* whether at least one <gpu> has a rank */
  int nvswitch_vertex; /* the vertex that represents all NVSwitches; -1 before the first NVSwitch */
  int tray;            /* the index of the current copy of the file's only host, which is copied
                          once per tray */
} PlgNcclGraphBuilder;

typedef struct
{
  int vertex;
  int host;
  double bandwidth; /* the rate to another CPU [bytes/s]; 0 if unknown */
} PlgNcclCpu;

/* Functions that read attributes (nccl-attributes.c) */

gboolean plg_nccl_fail (const PlgNcclGraphBuilder *builder,
                        const xmlNode *node,
                        const char *attribute,
                        GError **error,
                        const char *why);

/* Reads a whole number. Sets *VALUE to OTHERWISE if the attribute is missing or empty. */
gboolean plg_nccl_read_int (const PlgNcclGraphBuilder *builder,
                            const xmlNode *node,
                            const char *attribute,
                            int otherwise,
                            int *value,
                            GError **error);

/* Reads a hexadecimal number with or without 0x, and ignores any text after it. Returns 0 if the
 * attribute is missing or has no such number. */
guint plg_nccl_read_hex (const xmlNode *node, const char *attribute);

/* Parses a bus id such as "0000:83:00.0" into the number that its hexadecimal digits form, here
 * 0x83000. */
gboolean plg_nccl_parse_bus_id (const char *text, guint64 *id);
gboolean plg_nccl_read_bus_id (const PlgNcclGraphBuilder *builder,
                               const xmlNode *node,
                               guint64 *id,
                               GError **error);

/* Reads the rate of a device's PCIe link: the stated rate and the rate that NCCL assumes. */
gboolean plg_nccl_read_rate (const PlgNcclGraphBuilder *builder,
                             const xmlNode *node,
                             PlgTopologyBandwidth *rate,
                             GError **error);

/* Returns the first child element with this name, or NULL. */
xmlNode *plg_nccl_find_child (const xmlNode *node, const char *name);
/* Returns the key of a GPU in PlgNcclGraphBuilder.gpu_at. */
gpointer plg_nccl_gpu_key (int host, guint64 busid);
PlgNcclGpu *plg_nccl_find_gpu (const PlgNcclGraphBuilder *builder, int host, guint64 busid);

/* Finds the number of a <cpu> element's host, and adds the host if it is new. */
gboolean
plg_nccl_find_host (PlgNcclGraphBuilder *builder, const xmlNode *node, int *host, GError **error);

/* Functions that add the links outside the PCIe tree (nccl-links.c) */

/* Adds NVLinks and xGMI links or, if C2C is set, the links from GPUs to CPUs. The call without
 * C2C must come first. */
gboolean plg_nccl_add_links (PlgNcclGraphBuilder *builder, gboolean c2c, GError **error);
void plg_nccl_connect_cpus (PlgNcclGraphBuilder *builder);

G_END_DECLS
