/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What people call their nodes, as the setting cluster.node-names says it: "0=dgx-a,3=dgx-b". A
 * name belongs to the machine: it stays where ranks exchange places, and moves where machines do
 * (plg_edit_swap_machines()).
 *
 * A node of several hosts (cluster.h) has one name, or as a list those of all its hosts in their
 * order: "0=gb[001-018],1=gb[019-036]" (host-list.h). */
typedef struct
{
  int size;    /* one more than the highest node with a name */
  char **name; /* owned, SIZE entries, NULL where a node has none; or NULL */
} PlgNodeNames;

/* A name is 1 to 253 bytes of letters, digits, “-”, “.” and “_”, the first a letter or digit, at
 * most 63 between dots: what hosts are called (RFC 1035, 2.3.4), and what lists and files can hold
 * without quotes. */
#define PLG_NODE_NAME_SIZE 254
#define PLG_NODE_LABEL_SIZE 64
gboolean plg_node_name_check (const char *name, GError **error);
/* The *N hosts that NAME lists; NULL and 0 where it is one name, or none. g_strfreev(). */
char **plg_node_name_hosts (const char *name, int *n);
/* How many hosts NAME lists; 0 where it is one name, or none. */
int plg_node_name_n_hosts (const char *name);
/* Whether NODE, which is HOSTS hosts, can have NAME, which is no list or one of as many; else ERROR
 * says how many there are. */
gboolean plg_node_name_fits (const char *name, int node, int hosts, GError **error);

void plg_node_names_clear (PlgNodeNames *names);
void plg_node_names_copy (PlgNodeNames *to, const PlgNodeNames *from);
gboolean plg_node_names_equal (const PlgNodeNames *a, const PlgNodeNames *b);

/* NULL where NODE has none. Borrowed. */
const char *plg_node_names_get (const PlgNodeNames *names, int node);
/* NODE is 0 or more; empty or NULL: it has none any more. Lists are kept as short as they can be
 * said, of one host as its name. FALSE with ERROR, nothing changed, for what is no name and for one
 * that another node or host has. */
gboolean plg_node_names_set (PlgNodeNames *names, int node, const char *name, GError **error);
/* Two nodes exchange their names. */
void plg_node_names_swap (PlgNodeNames *names, int node_a, int node_b);
/* Drops those from node NODES on, and lists of other than HOSTS hosts. */
void plg_node_names_prune (PlgNodeNames *names, int nodes, int hosts);

/* FALSE and an error that names what may be written, NAMES left alone, where TEXT is none. */
gboolean plg_node_names_from_string (PlgNodeNames *names, const char *text, GError **error);
/* In the order of the nodes, without spaces; empty where none has a name. g_free(). */
char *plg_node_names_to_string (const PlgNodeNames *names);

G_END_DECLS
