/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/placement/rank-table.h"

G_BEGIN_DECLS

/* Nodes that consist of several hosts, for example a rack of trays (cluster.h). */

/* Infers KEY = VALUE because the hosts on line LINE are combined into nodes. */
gboolean plg_multi_host_infer (PlgImportContext *context,
                               int line,
                               const char *key,
                               gint64 value,
                               GError **error);

/* plg_multi_host_set_hosts:
 * @hosts: all host names of the imported cluster
 * @lines: the line of each host
 *
 * Sets the number of nodes and their names. Each node has the same number of hosts as in the
 * open plan.
 *
 * Returns: %FALSE with @error, which has the line, if the hosts do not fill nodes or a host name
 *   is invalid */
gboolean plg_multi_host_set_hosts (PlgImportContext *context,
                                   const GPtrArray *hosts,
                                   const int *lines,
                                   GError **error);

/* The comment that gives the number of hosts per node in files that state only hosts and GPUs. */
#define PLG_MULTI_HOST_COUNT_PREFIX "# A node of the plan is "
#define PLG_MULTI_HOST_COUNT_SUFFIX " hosts, and these are counted here.\n"

/* plg_multi_host_set_counts:
 * @line: the line that states @hosts
 * @gpus_line: the line that states @gpus
 * @gpus: GPUs per host; 0 if the file does not state them
 *
 * Sets cluster.nodes and cluster.gpus-per-node from a file that states only the number of hosts
 * and their GPUs. A comment in the file, or else the open plan, determines how many hosts form a
 * node. */
gboolean plg_multi_host_set_counts (PlgImportContext *context,
                                    int line,
                                    gint64 hosts,
                                    int gpus_line,
                                    gint64 gpus,
                                    GError **error);

/* The comment that gives the number of hosts per node in files that state each rank's host. */
#define PLG_MULTI_HOST_NAMES_PREFIX "# A node is "
#define PLG_MULTI_HOST_NAMES_SUFFIX " hosts, which are called "
/* Returns the number of hosts per node from the comment PLG_MULTI_HOST_NAMES_PREFIX in the file,
 * or else from the open plan. */
int plg_multi_host_hosts_per_node (const PlgImportContext *context);

/* plg_multi_host_join:
 * @table: rows with hosts, numbered as nodes, and their GPUs
 * @gpus: GPUs per host, or per node if the rows number nodes
 *
 * Combines hosts into nodes if the file states the hosts per node or if the open plan's nodes
 * consist of such hosts. If the rows number nodes, the hosts that the rows name become the hosts
 * of these nodes. */
gboolean
plg_multi_host_join (PlgRankTable *table, PlgImportContext *context, int gpus, GError **error);

G_END_DECLS
