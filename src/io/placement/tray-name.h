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

/* Returns the number of trays per node if the N HOSTS are the trays of one node after another,
 * else 1. */
int plg_tray_count (const char *const *hosts, int n);

/* Returns the name of the node whose trays are HOSTS (TRAYS of them, in order). If the hosts
 * have tray names, it is the node name that they share. Otherwise it is the host list
 * (node-names.h), which for a single host is just the host's name. Free with g_free(). */
char *plg_tray_common_name (const char *const *hosts, int trays);

G_END_DECLS
