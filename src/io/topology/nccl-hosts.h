/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/topology/nccl-topology.h"

G_BEGIN_DECLS

/* A file from NCCL can describe hosts that differ, but all nodes in a plan are alike. Every node
 * is therefore modelled on the most common host. If another host lacks a NIC, or has a slower
 * NIC or a GPU with slower links, this becomes a fault of that host's node. */

/* plg_nccl_find_majority_host:
 * @context: the import
 * @nccl: the topology of the file
 * @reference: (out): the number of the most common host
 *
 * Finds the most common host. Among equally common hosts, the one with the most GPUs, then the
 * most NICs, then the highest NIC bandwidth wins.
 *
 * Returns: %FALSE with an error if a host exceeds the limits of a node, has more GPUs than the
 *   reference host, or has no GPU */
gboolean plg_nccl_find_majority_host (PlgImportContext *context,
                                      const PlgNcclTopology *nccl,
                                      int *reference,
                                      GError **error);

/* plg_nccl_find_faults:
 * @context: the import, which gets a note for each difference
 * @nccl: the topology of the file
 * @reference: the number of the most common host
 * @line: (out): the line of the only fault; 0 if there is no fault or more than one
 *
 * Compares all hosts with the reference host. Differences that no fault can express, such as a
 * missing GPU, get only a note.
 *
 * Returns: (transfer full) (nullable): the value of cluster.faults; %NULL if no host has a fault */
char *plg_nccl_find_faults (PlgImportContext *context,
                            const PlgNcclTopology *nccl,
                            int reference,
                            int *line);

G_END_DECLS
