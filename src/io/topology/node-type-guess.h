/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* What of a node follows from how its GPUs are joined, for programs that print the joints but not
 * what the GPUs are. */

/* The rate of one NVLink, bytes/s and direction, where the GPU is not known: NVLink 2 to 4
 * (NVIDIA's data sheets of V100, A100 and H100). */
#define PLG_NVLINK_BANDWIDTH 25e9

/* Whether NVLink or xGMI joins all GPUs, over others where they must; one alone is not joined. */
gboolean plg_node_topology_is_connected (const PlgNodeTopology *map);
/* NVSwitch where every pair has as many links as no mesh of this size could; a mesh where the links
 * join all GPUs; else PCIe. XGMI: the GPUs are AMD's, whose links have no switch. */
PlgIntra plg_node_topology_guess_intra (const PlgNodeTopology *map, gboolean xgmi);
/* The links of the GPU that has most; 0: none. */
int plg_node_topology_max_links (const PlgNodeTopology *map);

/* Each host of the node has GPUS GPUs; 0: the node is one host. FALSE with ERROR. */
gboolean plg_import_set_host_gpus (PlgImportContext *context, int line, int gpus, GError **error);

/* KEY is VALUE of a node: LINE says so, unless the node is several hosts of HOST_GPUS. */
gboolean plg_import_set_node_int (PlgImportContext *context,
                                  int line,
                                  const char *key,
                                  int value,
                                  int host_gpus,
                                  GError **error);
/* Makes of MAP, of one host of 2 GPUs or more, that of a node of TRAYS like it, which switches
 * join. */
void plg_node_topology_repeat_host (PlgNodeTopology *map, int trays);

/* LINE says MAP (taken): numbers of GPUs and NICs, links inside the node. What kind of node it is
 * is inferred from the catalogue, unless the node of the open plan can be it. NICs that no GPU uses
 * are left out of the map. */
gboolean plg_import_set_node_topology (PlgImportContext *context,
                                       int line,
                                       PlgNodeTopology *map,
                                       gboolean xgmi,
                                       GError **error);

/* The GPU of LINE is NAME of the catalogue, GPUS in each node: the open plan's node stays where it
 * has these, else the first one of the catalogue that has, or a node of its own. WHY is for the
 * note. */
gboolean plg_import_infer_gpu (PlgImportContext *context,
                               int line,
                               const char *name,
                               int gpus,
                               const char *why,
                               GError **error);

G_END_DECLS
