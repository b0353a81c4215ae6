/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* The switches of a network, or its blocks of nodes. Slurm's files list them in any order. */
typedef struct
{
  PlgImportContext *context;
  gboolean blocks; /* whether the file lists blocks of nodes instead of switches */
  GArray *switches;
  GHashTable *numbers; /* maps the name of a switch to its index in switches */
  GPtrArray *hosts;    /* the hosts of all leaves in the order of the file */
  GPtrArray *below;    /* the names of all switches that are below another switch */
  GPtrArray *expected; /* the hosts that the file lists for upper switches */
  /* The hosts and leaves in the order in which a search from the top switch finds them; filled
   * by plg_switch_tree_apply() */
  GPtrArray *order; /* the hosts, borrowed */
  GArray *lines;    /* the line number of each host in ORDER */
  GArray *leaves;   /* for each leaf that has nodes, its index in switches */
  int levels;
} PlgSwitchTree;

void plg_switch_tree_init (PlgSwitchTree *tree, PlgImportContext *context);
void plg_switch_tree_clear (PlgSwitchTree *tree);

/* plg_switch_tree_add:
 * @tree: the tree
 * @line: the line of the switch
 * @name: the name of the switch
 * @nodes: (nullable): the host list of the nodes below the switch
 * @switches: (nullable): the list of the switches below the switch
 *
 * Adds a switch. Fails if the name is invalid or already exists, if the switch has both nodes
 * and switches, or if a list is invalid. */
gboolean plg_switch_tree_add (PlgSwitchTree *tree,
                              int line,
                              const char *name,
                              const char *nodes,
                              const char *switches,
                              GError **error);

/* Records the list of all nodes below the switch that was added last, including the nodes of
 * lower switches. plg_switch_tree_apply() compares the list with the tree. */
gboolean plg_switch_tree_expect_nodes (PlgSwitchTree *tree, const char *nodes, GError **error);

/* Sets the number of nodes and the node names of the plan. Also sets the network, unless the
 * file lists blocks or a node is split between leaves. Fails if a switch is below itself or
 * below two switches, or if no switch has nodes. */
gboolean plg_switch_tree_apply (PlgSwitchTree *tree, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgSwitchTree, plg_switch_tree_clear)

G_END_DECLS
