/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* The switches of a network with the nodes or switches below each, or its blocks of nodes, as files
 * of Slurm list them in any order. */
typedef struct
{
  PlgImportContext *context;
  gboolean blocks; /* they are no switches */
  GArray *switches;
  GHashTable *numbers; /* of the switches, by name */
  GPtrArray *hosts;    /* of all leaves, in the order of the file */
  GPtrArray *below;    /* names of the switches below all others */
  GPtrArray *expected; /* hosts that are said to be below switches that are above others */
  /* From the top down */
  GPtrArray *order; /* of the hosts, borrowed */
  GArray *lines;    /* where each of them stands */
  GArray *leaves;   /* numbers of the switches with nodes below them */
  int levels;
} PlgSwitchTree;

void plg_switch_tree_init (PlgSwitchTree *tree, PlgImportContext *context);
void plg_switch_tree_clear (PlgSwitchTree *tree);

/* The switch NAME of LINE, with NODES or SWITCHES (lists of hosts.h) below it; both NULL: nothing
 * is. FALSE with ERROR for names that no switch has, and for what cannot be below one. */
gboolean plg_switch_tree_add (PlgSwitchTree *tree,
                              int line,
                              const char *name,
                              const char *nodes,
                              const char *switches,
                              GError **error);

/* NODES, a list of hosts.h, are all that is below the switches of the switch that was added last;
 * where they are not is told by plg_switch_tree_apply(). FALSE with ERROR for what no host is. */
gboolean plg_switch_tree_expect_nodes (PlgSwitchTree *tree, const char *nodes, GError **error);

/* Says the nodes, their names and the network that follow. FALSE with ERROR for what is no tree. */
gboolean plg_switch_tree_apply (PlgSwitchTree *tree, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgSwitchTree, plg_switch_tree_clear)

G_END_DECLS
