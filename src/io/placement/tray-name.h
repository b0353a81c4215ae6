/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The names of the hosts of a multi-host node, for example the trays of a rack (cluster.h). A
 * plan names nodes, but files name hosts. Unless the node's name lists its hosts (node-names.h),
 * the trays of "rack-a.example.org" are called "rack-a-tray0.example.org" and so on. */

/* Returns the name of tray number TRAY of NODE; free with g_free(). */
char *plg_tray_name (const char *node, int tray);
/* Returns the tray number in the name HOST, or -1. */
int plg_tray_index (const char *host);
/* Returns the node's name in the tray name HOST, or HOST itself if it is not a tray name; free
 * with g_free(). */
char *plg_tray_node_name (const char *host);

/* Returns the number of trays per node if the N HOSTS list all trays of one node, then all trays
 * of the next node, and so on. Returns 1 for any other list. */
int plg_tray_count (const char *const *hosts, int n);

/* Returns the name of the node that consists of the TRAYS hosts in HOSTS. If the hosts are trays
 * of the same node in order, returns the name of this node. Otherwise, returns their host list
 * (node-names.h), which for a single host is the host's name. Free with g_free(). */
char *plg_tray_common_name (const char *const *hosts, int trays);

G_END_DECLS
