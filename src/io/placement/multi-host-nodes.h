/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/placement/rank-table.h"

G_BEGIN_DECLS

/* Nodes that consist of several hosts, for example a rack of trays (cluster.h). */

/* Sets KEY to VALUE and adds a note that VALUE was inferred from the hosts on line LINE. These
 * hosts are combined into nodes. */
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
 * Returns: %FALSE if the hosts do not fill nodes or if a host name is invalid; @error then has
 *   the line */
gboolean plg_multi_host_set_hosts (PlgImportContext *context,
                                   const GPtrArray *hosts,
                                   const int *lines,
                                   GError **error);

/* The comment with the number of hosts per node, for files that contain only the numbers of
 * hosts and GPUs. */
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

/* The comment with the number of hosts per node, for files that contain the host of each rank. */
#define PLG_MULTI_HOST_NAMES_PREFIX "# A node is "
#define PLG_MULTI_HOST_NAMES_SUFFIX " hosts, which are called "
/* Returns the number of hosts per node from the file's comment PLG_MULTI_HOST_NAMES_PREFIX. If
 * the file lacks this comment, returns the open plan's number. */
int plg_multi_host_hosts_per_node (const PlgImportContext *context);

/* plg_multi_host_join:
 * @table: rows whose node numbers identify hosts, or nodes if by_node is set
 * @gpus: GPUs per host, or per node if by_node is set
 *
 * Combines hosts into nodes if the file states the hosts per node or if the hosts fill the
 * multi-host nodes of the open plan. If by_node is set, the nodes exist already and get the
 * hosts that the rows name. */
gboolean
plg_multi_host_join (PlgRankTable *table, PlgImportContext *context, int gpus, GError **error);

G_END_DECLS
