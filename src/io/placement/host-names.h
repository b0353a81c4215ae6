/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* In exported files, nodes without names are called "node0", "node1" and so on. Readers do not
 * store these default names in the plan. */

/* Appends the names of the host list TEXT (plg_host_list_expand()) to HOSTS. Returns FALSE with a
 * PLG_FORMAT_ERROR, prefixed with "LINE: " unless LINE is 0. */
gboolean
plg_host_names_expand (GPtrArray *hosts, const char *text, int maximum, int line, GError **error);

/* Returns whether the word from P to END consists of letters, digits and the characters of
 * PUNCTUATION, and may be a host name or an IP address, but is not a number. */
gboolean plg_host_names_is_word (const char *p, const char *end, const char *punctuation);
/* Returns whether the word from P to END, an invalid host name, was probably meant as a host
 * name. Such a word has no spaces and none of the characters that are common in settings or
 * markup, such as "=" and "<". */
gboolean plg_host_names_is_candidate (const char *p, const char *end);

/* Returns the unique names that the nodes of PLAN have in exported files; free with
 * g_strfreev(). */
char **plg_host_names_of_nodes (const PlgPlan *plan);
/* Returns the unique names that the hosts of PLAN (cluster.h) have in exported files, in the
 * order of the GPUs. A host of a multi-host node takes its name from the node's host list. If
 * the node "rack" has no host list, its hosts are called "rack-tray0", "rack-tray1", … Free with
 * g_strfreev(). */
char **plg_host_names_of_plan (const PlgPlan *plan);

/* Returns whether HOST is the default name of NODE in a file. HOSTS is the set of all host names
 * in the file. */
gboolean plg_host_names_is_default (const char *host, int node, GHashTable *hosts);

/* Returns a translated warning about names among the N HOSTS that networks do not accept: names
 * with non-ASCII characters (RFC 1123), and pairs of names that differ only in case and are
 * therefore one name in DNS (RFC 4343). Returns NULL if there are none. Free with g_free(). */
char *plg_host_names_warning (const char *const *hosts, int n);

/* plg_host_names_set_nodes:
 * @hosts: host names, at most PLG_MAX_NODES
 * @lines: the line of each host
 * @trays: number of hosts per node
 *
 * Gives the nodes of the imported plan the names in @hosts, removes all other node names and
 * adds a note.
 *
 * Returns: %FALSE if a host name is invalid or repeated; @error then has its line */
gboolean plg_host_names_set_nodes (PlgImportContext *context,
                                   const GPtrArray *hosts,
                                   const int *lines,
                                   int trays,
                                   GError **error);

G_END_DECLS
