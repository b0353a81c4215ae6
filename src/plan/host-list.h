/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Host names in the syntax of schedulers: "node[00-07,9],gpu-a" is node00 to node07, node9 and
 * gpu-a. If a name has several brackets, the last bracket varies fastest. */

/* Returns FALSE with ERROR if NAME cannot be the name of a node or host; see node-names.h. */
gboolean plg_node_name_check (const char *name, GError **error);

/* Adds the hosts in TEXT, a comma-separated list, to HOSTS (char *, owned), up to a total of
 * MAXIMUM. Keeps leading zeros and duplicates. Returns FALSE with ERROR for unmatched brackets,
 * ranges that run backwards, too many hosts and invalid names; HOSTS may then already contain
 * some of the new hosts. */
gboolean plg_host_list_expand (GPtrArray *hosts, const char *text, int maximum, GError **error);
/* Returns the end of the host or bracket expression that starts at P: the next comma outside
 * brackets, or the end of the text. */
const char *plg_host_list_item_end (const char *p);

/* Returns a list that plg_host_list_expand() expands to the N HOSTS in their order. Brackets
 * replace only consecutive numbers at the end of names, because Slurm does not allow brackets
 * inside a name. Free with g_free(). */
char *plg_host_list_contract (const char *const *hosts, int n);
/* Like plg_host_list_contract(), but brackets may also come before a domain that all hosts share
 * ("n[1-2].site.org"), which makes the list shorter. Free with g_free(). */
char *plg_host_list_contract_shortest (const char *const *hosts, int n);

G_END_DECLS
