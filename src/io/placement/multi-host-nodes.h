/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/placement/rank-table.h"

G_BEGIN_DECLS

/* Nodes of several hosts, as racks of trays are (cluster.h). A plan names nodes, files name hosts:
 * where the name of a node does not list them (node-names.h), the trays of "rack-a.example.org" are
 * called "rack-a-tray0.example.org" and so on. */

/* g_free(). */
char *plg_tray_name (const char *node, int tray);
/* Which tray HOST is; -1 where it is called after none. */
int plg_tray_index (const char *host);
/* The name of the node that HOST, a tray, is of. g_free(). */
char *plg_tray_node_name (const char *host);

/* How many trays each node has, where the N HOSTS are the trays of one node after the other; else
 * 1. */
int plg_tray_count (const char *const *hosts, int n);

/* What a node is called whose TRAYS are HOSTS, in their order: the node that they are called trays
 * of, or the list of them (node-names.h); of one host its name. g_free(). */
char *plg_tray_common_name (const char *const *hosts, int trays);

/* KEY is VALUE, which hosts of LINE make that are joined to nodes. */
gboolean plg_multi_host_infer (PlgImportContext *context,
                               int line,
                               const char *key,
                               gint64 value,
                               GError **error);

/* The cluster that is read has HOSTS, and LINES says where each stands: the number of nodes, which
 * are of as many hosts as those of the open plan, and their names. FALSE with ERROR, which has the
 * line, where they do not fill nodes, and for what no host can be called. */
gboolean plg_multi_host_set_hosts (PlgImportContext *context,
                                   const GPtrArray *hosts,
                                   const int *lines,
                                   GError **error);

/* In the comments of files that say hosts and GPUs alone: how many hosts a node is. Nobody else
 * writes the like. */
#define PLG_MULTI_HOST_COUNT_PREFIX "# A node of the plan is "
#define PLG_MULTI_HOST_COUNT_SUFFIX " hosts, and these are counted here.\n"

/* "HOSTS hosts of GPUS" in a file that says no more: KEY cluster.nodes and cluster.gpus-per-node,
 * where a remark or the open plan says so, made of such hosts whole nodes. GPUS 0: not said. LINE
 * is that of the hosts, GPUS_LINE of the GPUs. FALSE with ERROR. */
gboolean plg_multi_host_set_counts (PlgImportContext *context,
                                    int line,
                                    gint64 hosts,
                                    int gpus_line,
                                    gint64 gpus,
                                    GError **error);

/* In the comments of files that say each rank's host: how many hosts a node is. */
#define PLG_MULTI_HOST_NAMES_PREFIX "# A node is "
#define PLG_MULTI_HOST_NAMES_SUFFIX " hosts, which are called "
/* How many hosts a node is by that, or else in the open plan. */
int plg_multi_host_hosts_per_node (const PlgImportContext *context);

/* Of a table whose rows say hosts, numbered as nodes, and their GPUs: makes them nodes where the
 * file says so, or where the open plan's nodes are made of such hosts. Where rows number nodes, the
 * hosts that they name are those of one node. GPUS are those of a host, or node. FALSE with ERROR.
 */
gboolean
plg_multi_host_join (PlgRankTable *table, PlgImportContext *context, int gpus, GError **error);

G_END_DECLS
