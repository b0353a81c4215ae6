/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "formats/reading.h"

G_BEGIN_DECLS

/* What of a node follows from how its GPUs are joined, for programs that print the joints but not
 * what the GPUs are. */

/* The rate of one NVLink, bytes/s and direction, where the GPU is not known: NVLink 2 to 4
 * (NVIDIA's data sheets of V100, A100 and H100). */
#define PLG_NVLINK_BANDWIDTH 25e9

/* Whether NVLink or xGMI joins all GPUs, over others where they must; one alone is not joined. */
gboolean plg_map_is_joined (const PlgNodeMap *map);
/* NVSwitch where every pair has as many links as no mesh of this size could; a mesh where the links
 * join all GPUs; else PCIe. XGMI: the GPUs are AMD's, whose links have no switch. */
PlgIntra plg_map_intra (const PlgNodeMap *map, gboolean xgmi);
/* The links of the GPU that has most; 0: none. */
int plg_map_links (const PlgNodeMap *map);

/* Each host of the node has GPUS GPUs; 0: the node is one host. FALSE with ERROR. */
gboolean plg_reading_set_host (PlgReading *reading, int line, int gpus, GError **error);

/* KEY is VALUE of a node: LINE says so, unless the node is several hosts of HOST_GPUS. */
gboolean plg_reading_set_all (PlgReading *reading,
                              int line,
                              const char *key,
                              int value,
                              int host_gpus,
                              GError **error);
/* Makes of MAP, of one host of 2 GPUs or more, that of a node of TRAYS like it, which switches
 * join. */
void plg_map_repeat (PlgNodeMap *map, int trays);

/* LINE says MAP (taken): numbers of GPUs and NICs, links inside the node. What kind of node it is
 * is inferred from the catalogue, unless the node of the open plan can be it. NICs that no GPU uses
 * are left out of the map. */
gboolean
plg_reading_set_map (PlgReading *reading, int line, PlgNodeMap *map, gboolean xgmi, GError **error);

/* The GPU of LINE is NAME of the catalogue, GPUS in each node: the open plan's node stays where it
 * has these, else the first one of the catalogue that has, or a node of its own. WHY is for the
 * note. */
gboolean plg_reading_infer_gpu (PlgReading *reading,
                                int line,
                                const char *name,
                                int gpus,
                                const char *why,
                                GError **error);

G_END_DECLS
