/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The names of nodes, in the syntax of cluster.node-names: "0=dgx-a,3=dgx-b". A name belongs to
 * the machine: it does not move when ranks swap places, but it moves when machines swap places
 * (plg_edit_swap_machines()).
 *
 * A node with several hosts (cluster.h) has one name, or a list with the names of all its hosts
 * in order: "0=gb[001-018],1=gb[019-036]" (host-list.h). */
typedef struct
{
  int size;    /* one more than the highest node number that has a name */
  char **name; /* owned; SIZE entries, NULL for a node without a name; NULL if SIZE is 0 */
} PlgNodeNames;

/* A name has 1 to 253 bytes: letters, digits, “-”, “.” and “_”. It begins with a letter or digit
 * and has at most 63 characters between dots. Host names (RFC 1035, 2.3.4) have this form, and
 * such names need no quotes in lists and files. */
#define PLG_NODE_NAME_SIZE 254
#define PLG_NODE_LABEL_SIZE 64
/* Returns the *N hosts that NAME lists; NULL and 0 if NAME is a single name or empty. Free with
 * g_strfreev(). */
char **plg_node_name_hosts (const char *name, int *n);
/* Returns the number of hosts that NAME lists; 0 if NAME is a single name or empty. */
int plg_node_name_n_hosts (const char *name);
/* Returns TRUE if NODE, which has HOSTS hosts, can have NAME: a single name or a list of HOSTS
 * hosts. Otherwise returns FALSE with an ERROR that states how many hosts NAME lists and how
 * many NODE has. */
gboolean plg_node_name_fits (const char *name, int node, int hosts, GError **error);

void plg_node_names_clear (PlgNodeNames *names);
void plg_node_names_copy (PlgNodeNames *to, const PlgNodeNames *from);
gboolean plg_node_names_equal (const PlgNodeNames *a, const PlgNodeNames *b);

/* Returns the name of NODE, or NULL if it has no name. Borrowed. */
const char *plg_node_names_get (const PlgNodeNames *names, int node);
/* Sets the name of NODE (0 or more). An empty NAME or NULL removes the name, and lists are
 * stored in their shortest form. Returns FALSE with ERROR, and changes nothing, if the name is
 * invalid or if another node or host has it. */
gboolean plg_node_names_set (PlgNodeNames *names, int node, const char *name, GError **error);
/* Swaps the names of two nodes. */
void plg_node_names_swap (PlgNodeNames *names, int node_a, int node_b);
/* Removes the names of nodes whose number is NODES or higher, and each list whose number of
 * hosts is not HOSTS. */
void plg_node_names_prune (PlgNodeNames *names, int nodes, int hosts);

/* Reads NAMES from TEXT. If TEXT is invalid, returns FALSE with an error that states the syntax,
 * and leaves NAMES unchanged. */
gboolean plg_node_names_from_string (PlgNodeNames *names, const char *text, GError **error);
/* Returns the names in node order, for example "0=dgx-a,3=dgx-b", or an empty string if no node
 * has a name. Free with g_free(). */
char *plg_node_names_to_string (const PlgNodeNames *names);

G_END_DECLS
