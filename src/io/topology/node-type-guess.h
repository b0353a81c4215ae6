/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* Guesses the type of a node from the links between its GPUs, because some programs print the
 * links but not the GPU model. */

/* The assumed rate of one NVLink of an unknown GPU [bytes/s per direction]. NVLink 2, 3 and 4
 * all have this rate (NVIDIA's data sheets for V100, A100 and H100). */
#define PLG_NVLINK_BANDWIDTH 25e9

/* Returns whether NVLink or xGMI connects all GPUs, directly or through other GPUs. Returns
 * FALSE for a single GPU. */
gboolean plg_node_topology_is_connected (const PlgNodeTopology *map);

/* plg_node_topology_guess_intra:
 * @map: the map of the node
 * @xgmi: whether the GPUs are from AMD, which has no switch for xGMI
 *
 * Returns: NVSwitch if every pair has more links than a mesh of this size could have; a mesh if
 *   the links connect all GPUs; otherwise PCIe */
PlgIntra plg_node_topology_guess_intra (const PlgNodeTopology *map, gboolean xgmi);

/* Returns the largest number of links that any GPU has; 0 without links. */
int plg_node_topology_max_links (const PlgNodeTopology *map);

/* Sets the number of GPUs per host of a node; 0 means that the node is one host. */
gboolean plg_import_set_host_gpus (PlgImportContext *context, int line, int gpus, GError **error);

/* plg_import_set_node_int:
 * @context: the import
 * @line: the line that has the value
 * @key: the setting
 * @value: its value
 * @host_gpus: the number of GPUs per host; 0 if the node is one host
 *
 * Sets an integer setting of the node, such as the number of its GPUs. If the node has several
 * hosts, the value is marked as inferred, because the file gives only the number for one host. */
gboolean plg_import_set_node_int (PlgImportContext *context,
                                  int line,
                                  const char *key,
                                  int value,
                                  int host_gpus,
                                  GError **error);

/* Turns the map of one host into the map of a node that consists of TRAYS identical hosts
 * connected by switches. The host must have at least 2 GPUs. */
void plg_node_topology_repeat_host (PlgNodeTopology *map, int trays);

/* plg_import_set_node_topology:
 * @context: the import
 * @line: the line of the map in the file
 * @map: (transfer full): the map
 * @xgmi: whether the GPUs are from AMD
 *
 * Sets the numbers of GPUs and NICs and the links of a node. Removes NICs that no GPU uses from
 * the map. Infers the type of the node from the catalogue, unless the open plan's node matches. */
gboolean plg_import_set_node_topology (PlgImportContext *context,
                                       int line,
                                       PlgNodeTopology *map,
                                       gboolean xgmi,
                                       GError **error);

/* plg_import_infer_gpu:
 * @context: the import
 * @line: the line of the GPU
 * @name: the catalogue's name of the GPU
 * @gpus: the GPUs per node
 * @why: the reason, for the note
 *
 * Infers the GPU. Keeps the open plan's node if it has this GPU. Otherwise the node becomes the
 * first one in the catalogue with @gpus of these GPUs, or else a custom node. */
gboolean plg_import_infer_gpu (PlgImportContext *context,
                               int line,
                               const char *name,
                               int gpus,
                               const char *why,
                               GError **error);

G_END_DECLS
