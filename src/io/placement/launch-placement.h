/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

G_BEGIN_DECLS

/* The assignment of ranks to hosts. A host has its own operating system: a node, or one of the
 * hosts that make up a node (cluster.h). */

/* The number in a default name: 3 for "node3", -1 for any other name ("node03" too). */
int plg_launch_default_name_index (const char *host);
/* Whether PLAN names HOST. A single name of a multi-host node names none of its hosts. */
gboolean plg_launch_is_named (const PlgPlan *plan, int host);
/* The number of hosts of PLAN without a name. */
int plg_launch_count_unnamed_hosts (const PlgPlan *plan);
/* "8 nodes of 8 GPUs" with the hosts of a node, in English for comments. g_free(). */
char *plg_launch_describe_cluster (const PlgPlan *plan);

/* The first line of DATA that is neither empty nor a comment (# or //), else "". g_free(). */
char *plg_launch_first_line (const char *data, gsize size);

/* Appends an English comment ("# …") with the placement_formats of EXPORT, if any: the file does not
 * store the placement, and these formats do. */
void plg_launch_comment_placement (GString *out, const PlgExportContext *export);

/* Whether each rank runs on the GPU that the order gives it. */
gboolean plg_launch_is_default_placement (const PlgPlan *plan);
/* Whether the ranks of each host use the host's GPUs in order. Otherwise ERROR
 * (PLG_FORMAT_ERROR_PLACEMENT) names the ranks; FORMAT (translated) begins the error's sentence. */
gboolean plg_launch_check_gpu_order (const PlgPlan *plan, const char *format, GError **error);
/* Whether each host runs a block of consecutive ranks, one per GPU. Otherwise ERROR
 * (PLG_FORMAT_ERROR_PLACEMENT) names the ranks; FORMAT (translated) begins the error's sentence. */
gboolean plg_launch_check_blocks (const PlgPlan *plan, const char *format, GError **error);
/* The host of each block, for a plan that passes plg_launch_check_blocks(). g_free(). */
int *plg_launch_host_of_blocks (const PlgPlan *plan);
/* "0,2,1,3": the GPUs of HOST in the order of their ranks, or NULL if that is the order of the
 * GPUs. HOST must run one block of ranks; g_free(). */
char *plg_launch_visible_devices (const PlgPlan *plan, int host);
/* plg_launch_read_devices:
 * @text: (nullable): a command with or without CUDA_VISIBLE_DEVICES
 * @n: number of processes
 * @limit: number of GPUs, above all listed numbers
 * @gpus: (out): array of @n entries
 *
 * Fills @gpus with the GPU of each local rank; in order if @text lists none.
 */
gboolean plg_launch_read_devices (const PlgImportContext *context,
                                  int line,
                                  const char *text,
                                  int n,
                                  int limit,
                                  int *gpus,
                                  GError **error);
int plg_launch_host_of_rank (const PlgPlan *plan, int rank);

G_END_DECLS
