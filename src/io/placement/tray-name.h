/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The names of the hosts of a multi-host node, for example the trays of a rack (cluster.h). A plan
 * names nodes, files name hosts: unless the node's name lists its hosts (node-names.h), the trays of
 * "rack-a.example.org" are called "rack-a-tray0.example.org" and so on. */

/* The name of tray TRAY of NODE. g_free(). */
char *plg_tray_name (const char *node, int tray);
/* The tray number in the name HOST, or -1. */
int plg_tray_index (const char *host);
/* The node's name in the tray name HOST, or HOST itself. g_free(). */
char *plg_tray_node_name (const char *host);

/* The number of trays per node if the N HOSTS are the trays of one node after another; else 1. */
int plg_tray_count (const char *const *hosts, int n);

/* The name of the node whose TRAYS trays are HOSTS, in order: the common node name of tray names,
 * else the host list (node-names.h), which for one host is the host's name. g_free(). */
char *plg_tray_common_name (const char *const *hosts, int trays);

G_END_DECLS
