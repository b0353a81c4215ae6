/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

G_BEGIN_DECLS

/* The assignment of ranks to hosts. A host is a machine with its own operating system: either a
 * node or one of the hosts that form a node (cluster.h). */

/* Returns the number in a default name: 3 for "node3". Returns -1 for any other name, including
 * "node03". */
int plg_launch_default_name_index (const char *host);
/* Returns whether PLAN names HOST. If a multi-host node has a single name, none of its hosts has
 * a name. */
gboolean plg_launch_is_named (const PlgPlan *plan, int host);
/* Returns the number of hosts of PLAN that have no name. */
int plg_launch_count_unnamed_hosts (const PlgPlan *plan);
/* Returns an English description of the cluster for comments, such as "8 nodes of 8 GPUs". If
 * the nodes have several hosts, also states the hosts per node. Free with g_free(). */
char *plg_launch_describe_cluster (const PlgPlan *plan);

/* Returns the first line of DATA that is neither empty nor a comment (# or //), or ""; free with
 * g_free(). */
char *plg_launch_first_line (const char *data, gsize size);

/* Appends an English comment ("# …"). It states that the file does not store the placement, and
 * lists the formats that do, which are the placement_formats of EXPORT. Appends nothing if
 * EXPORT has no placement_formats. */
void plg_launch_comment_placement (GString *out, const PlgExportContext *export);

/* Returns whether each rank runs on its default GPU, which is the case if no rank was moved by
 * hand. */
gboolean plg_launch_is_default_placement (const PlgPlan *plan);
/* Returns whether the ranks of each host use the host's GPUs in order. If not, ERROR
 * (PLG_FORMAT_ERROR_PLACEMENT) names two ranks that do not. Its message begins with FORMAT, the
 * translated name of the file format. */
gboolean plg_launch_check_gpu_order (const PlgPlan *plan, const char *format, GError **error);
/* Returns whether each host runs a block of consecutive ranks, one per GPU. If not, ERROR
 * (PLG_FORMAT_ERROR_PLACEMENT) names two ranks that are not in the same block. Its message
 * begins with FORMAT, the translated name of the file format. */
gboolean plg_launch_check_blocks (const PlgPlan *plan, const char *format, GError **error);
/* Returns the host that runs each block of consecutive ranks, as an array indexed by block. PLAN
 * must pass plg_launch_check_blocks(). Free with g_free(). */
int *plg_launch_host_of_blocks (const PlgPlan *plan);
/* Returns the GPUs of HOST in the order of their ranks, such as "0,2,1,3", or NULL if the ranks
 * follow the order of the GPUs. HOST must run one block of ranks. Free with g_free(). */
char *plg_launch_visible_devices (const PlgPlan *plan, int host);
/* plg_launch_read_devices:
 * @text: (nullable): a command with or without CUDA_VISIBLE_DEVICES
 * @n: number of processes
 * @limit: number of GPUs; all listed numbers must be lower
 * @gpus: (out): array of @n entries
 *
 * Fills @gpus with the GPU of each local rank. If @text lists no GPUs, the local ranks use the
 * GPUs in order. */
gboolean plg_launch_read_devices (const PlgImportContext *context,
                                  int line,
                                  const char *text,
                                  int n,
                                  int limit,
                                  int *gpus,
                                  GError **error);
int plg_launch_host_of_rank (const PlgPlan *plan, int rank);

G_END_DECLS
