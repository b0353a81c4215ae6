/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/switch-tree.h"
#include "io/import/error-position.h"

#include "io/placement/host-names.h"
#include "io/placement/multi-host-nodes.h"
#include "plan/host-list.h"

#include <glib/gi18n-lib.h>

/* The maximum number of levels in a file, far more than any real network has. */
#define MAX_LEVELS 16
#define MAX_SWITCH_PORTS 64

typedef struct
{
  char *name;
  int line;
  gboolean leaf;
  guint first; /* for a leaf, the index of its first host in tree->hosts; otherwise the index of
                  its first lower switch in tree->below */
  guint n;
  gboolean below;       /* whether the switch is below another switch */
  gboolean is_visited;  /* whether the search from the top switch has visited the switch */
  guint first_expected; /* the index of the switch's first host in tree->expected */
  guint n_expected;
} Switch;

static void
switch_clear (gpointer data)
{
  g_free (((Switch *) data)->name);
}

static Switch *
switch_at (const PlgSwitchTree *tree, guint i)
{
  return &g_array_index (tree->switches, Switch, i);
}

gboolean
plg_switch_tree_add (PlgSwitchTree *tree,
                     int line,
                     const char *name,
                     const char *nodes,
                     const char *switches,
                     GError **error)
{
  GPtrArray *list = nodes != NULL ? tree->hosts : tree->below;
  Switch new = { .name = g_strdup (name),
                 .line = line,
                 .leaf = switches == NULL,
                 .first = list->len };

  g_array_append_val (tree->switches, new);
  if (!plg_node_name_check (name, error))
    {
      plg_error_add_position (error, (PlgFilePosition) { line, 0 });
      return FALSE;
    }
  if (!g_hash_table_insert (tree->numbers, new.name, GUINT_TO_POINTER (tree->switches->len - 1)))
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The switch “%s” already exists; each switch can have only one "
                               "line."),
                            name);
  if (nodes == NULL && switches == NULL)
    return TRUE;
  if (nodes != NULL && switches != NULL)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” has both nodes and switches below it; a leaf has only "
                               "nodes, and a spine has only switches."),
                            name);
  if (!plg_host_names_expand (list, nodes != NULL ? nodes : switches, PLG_MAX_NODES, line, error))
    return FALSE;
  switch_at (tree, tree->switches->len - 1)->n = list->len - new.first;
  return TRUE;
}

gboolean
plg_switch_tree_expect_nodes (PlgSwitchTree *tree, const char *nodes, GError **error)
{
  Switch *last;

  g_assert (tree->switches->len > 0);
  last = switch_at (tree, tree->switches->len - 1);

  last->first_expected = tree->expected->len;
  if (!plg_host_names_expand (tree->expected, nodes, MAX_LEVELS * PLG_MAX_NODES, last->line, error))
    return FALSE;
  last->n_expected = tree->expected->len - last->first_expected;
  return TRUE;
}

typedef struct
{
  const GPtrArray *hosts;
  guint first;
  guint n;
} HostRange;

/* Returns the first host in RANGE that OTHER lacks, or NULL. */
static const char *
first_missing (HostRange range, HostRange other)
{
  g_autoptr (GHashTable) others = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < other.n; i++)
    g_hash_table_add (others, other.hosts->pdata[other.first + i]);
  for (guint i = 0; i < range.n; i++)
    if (!g_hash_table_contains (others, range.hosts->pdata[range.first + i]))
      return range.hosts->pdata[range.first + i];
  return NULL;
}

static gboolean
visit_switch (PlgSwitchTree *tree, guint i, int level, GError **error)
{
  Switch *here = switch_at (tree, i);
  HostRange expected = { tree->expected, here->first_expected, here->n_expected };
  HostRange below = { tree->order, tree->order->len, 0 };
  const char *more, *fewer;

  if (level > MAX_LEVELS)
    return plg_format_fail (here->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” is more than %d levels below the top; a network has two or "
                               "three levels."),
                            here->name, MAX_LEVELS);
  here->is_visited = TRUE;
  tree->levels = MAX (tree->levels, level);
  for (guint j = 0; here->leaf && j < here->n; j++)
    {
      g_ptr_array_add (tree->order, tree->hosts->pdata[here->first + j]);
      g_array_append_val (tree->lines, here->line);
    }
  if (here->leaf && here->n > 0)
    g_array_append_val (tree->leaves, i);
  for (guint j = 0; !here->leaf && j < here->n; j++)
    {
      gpointer lower = g_hash_table_lookup (tree->numbers, tree->below->pdata[here->first + j]);

      if (!visit_switch (tree, GPOINTER_TO_UINT (lower), level + 1, error))
        return FALSE;
    }
  if (here->n_expected == 0)
    return TRUE;

  /* Check that the line of the switch lists exactly the hosts below it. */
  below.n = tree->order->len - below.first;
  more = first_missing (expected, below);
  fewer = first_missing (below, expected);
  if (more != NULL)
    return plg_format_fail (here->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” has the node “%s”, but no switch below it has that node; "
                               "give the node to one of these switches."),
                            here->name, more);
  if (fewer != NULL)
    return plg_format_fail (here->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” does not list the node “%s”, which is below one of its "
                               "switches; it must list all nodes below it."),
                            here->name, fewer);
  return TRUE;
}

static gboolean
visit_switches (PlgSwitchTree *tree, GError **error)
{
  guint n = tree->switches->len;

  for (guint i = 0; i < n; i++)
    {
      const Switch *above = switch_at (tree, i);

      for (guint j = 0; !above->leaf && j < above->n; j++)
        {
          const char *name = tree->below->pdata[above->first + j];
          gpointer number;

          if (!g_hash_table_lookup_extended (tree->numbers, name, NULL, &number))
            return plg_format_fail (above->line, PLG_FORMAT_ERROR_CONTENT, error,
                                    _ ("Switch “%s” does not exist; add a line for it."), name);
          if (switch_at (tree, GPOINTER_TO_UINT (number))->below)
            return plg_format_fail (above->line, PLG_FORMAT_ERROR_CONTENT, error,
                                    _ ("“%s” is below two switches; it can be below only one."),
                                    name);
          switch_at (tree, GPOINTER_TO_UINT (number))->below = TRUE;
        }
    }
  for (guint i = 0; i < n; i++)
    if (!switch_at (tree, i)->below && !visit_switch (tree, i, 1, error))
      return FALSE;
  for (guint i = 0; i < n; i++)
    if (!switch_at (tree, i)->is_visited)
      return plg_format_fail (switch_at (tree, i)->line, PLG_FORMAT_ERROR_CONTENT, error,
                              _ ("“%s” is below itself; the switches must form a tree."),
                              switch_at (tree, i)->name);
  if (tree->order->len == 0)
    return plg_format_fail (0, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("No switch has nodes below it; add the nodes."));
  return TRUE;
}

static const Switch *
leaf_at (const PlgSwitchTree *tree, guint i)
{
  return switch_at (tree, g_array_index (tree->leaves, guint, i));
}

/* Returns the first leaf whose size differs from that of the first leaf, or NULL. Ignores the
 * last leaf if it is smaller. */
static const Switch *
find_uneven_leaf (const PlgSwitchTree *tree)
{
  guint n = tree->leaves->len, size = leaf_at (tree, 0)->n;

  for (guint i = 1; i < n; i++)
    if (leaf_at (tree, i)->n != size && (i + 1 < n || leaf_at (tree, i)->n > size))
      return leaf_at (tree, i);
  return NULL;
}

/* Returns how many hosts in the file form one node of the open plan. */
static int
hosts_per_node (const PlgSwitchTree *tree)
{
  return plg_cluster_hosts_per_node (&tree->context->plan->cluster);
}

/* Returns whether the hosts of any node are split between two leaves, and adds a note about the
 * first such node. */
static gboolean
splits_nodes (PlgSwitchTree *tree)
{
  int hosts = hosts_per_node (tree), before = 0;

  for (guint i = 0; i + 1 < tree->leaves->len; i++)
    {
      const Switch *leaf = leaf_at (tree, i);

      before += leaf->n;
      if (before % hosts == 0)
        continue;
      plg_import_note (tree->context, PLG_NOTE_IGNORED, leaf->line,
                       _ ("Node %d, which has %d hosts, is split between the leaves “%s” and “%s” "
                          "at the host “%s”. In a plan, all hosts of a node have the same leaf, so "
                          "the network is left unchanged."),
                       before / hosts, hosts, leaf->name, leaf_at (tree, i + 1)->name,
                       (const char *) tree->order->pdata[before]);
      return TRUE;
    }
  return FALSE;
}

/* Adds a note if the plan's leaves differ from those in the file. They can differ, because a
 * plan derives the nodes per leaf from its network and its NICs. */
static void
note_leaves (PlgSwitchTree *tree, int line, int size)
{
  PlgImportContext *context = tree->context;
  g_autoptr (PlgPlan) plan = plg_plan_copy (context->plan);
  PlgSwitches switches;

  if (tree->leaves->len < 2)
    return;
  plan->cluster.nodes = (int) tree->order->len / hosts_per_node (tree);
  plan->cluster.network = g_str_equal (plg_import_get (context, "cluster.network"), "rail")
                              ? PLG_NETWORK_RAIL
                              : PLG_NETWORK_TREE;
  switches = plg_cluster_switches (&plan->cluster);
  if (size == 0)
    {
      const Switch *odd = find_uneven_leaf (tree);
      int node = 0, hosts = hosts_per_node (tree);

      /* Find the first node whose leaf in the plan differs from its leaf in the file. */
      for (guint i = 0; i < tree->leaves->len && node / switches.nodes_per_leaf == (int) i; i++)
        for (guint j = 0;
             j < leaf_at (tree, i)->n / hosts && node / switches.nodes_per_leaf == (int) i; j++)
          node++;

      plg_import_note (
          tree->context, PLG_NOTE_IGNORED, odd->line,
          ngettext ("The leaves have different numbers of nodes: %d below “%s”, but %d below "
                    "“%s”. With the NICs of the plan, each leaf has %d node. From node %d (“%s”) "
                    "on, the leaves of the plan can therefore have different nodes from those in "
                    "the file. The traffic over spines is computed for the plan's leaves.",
                    "The leaves have different numbers of nodes: %d below “%s”, but %d below "
                    "“%s”. With the NICs of the plan, each leaf has %d nodes. From node %d "
                    "(“%s”) on, the leaves of the plan can therefore have different nodes from "
                    "those in the file. The traffic over spines is computed for the plan's "
                    "leaves.",
                    switches.nodes_per_leaf),
          odd->n / hosts, odd->name, leaf_at (tree, 0)->n / hosts, leaf_at (tree, 0)->name,
          switches.nodes_per_leaf, node, (const char *) tree->order->pdata[node * hosts]);
    }
  else if (size != switches.nodes_per_leaf)
    plg_import_note (context, PLG_NOTE_IGNORED, line,
                     ngettext ("Nodes per leaf in the file: %d. With %d NIC per node, the plan "
                               "has %d per leaf.",
                               "Nodes per leaf in the file: %d. With %d NICs per node, the plan "
                               "has %d per leaf.",
                               plan->cluster.nics_per_node),
                     size, plan->cluster.nics_per_node, switches.nodes_per_leaf);
}

void
plg_switch_tree_init (PlgSwitchTree *tree, PlgImportContext *context)
{
  *tree = (PlgSwitchTree) {
    .context = context,
    .switches = g_array_new (FALSE, FALSE, sizeof (Switch)),
    .numbers = g_hash_table_new (g_str_hash, g_str_equal),
    .hosts = g_ptr_array_new_with_free_func (g_free),
    .below = g_ptr_array_new_with_free_func (g_free),
    .expected = g_ptr_array_new_with_free_func (g_free),
    .order = g_ptr_array_new (),
    .lines = g_array_new (FALSE, FALSE, sizeof (int)),
    .leaves = g_array_new (FALSE, FALSE, sizeof (guint)),
  };
  g_array_set_clear_func (tree->switches, switch_clear);
}

void
plg_switch_tree_clear (PlgSwitchTree *tree)
{
  g_array_unref (tree->leaves);
  g_array_unref (tree->lines);
  g_ptr_array_unref (tree->order);
  g_ptr_array_unref (tree->expected);
  g_ptr_array_unref (tree->below);
  g_ptr_array_unref (tree->hosts);
  g_hash_table_unref (tree->numbers);
  g_array_unref (tree->switches);
}

gboolean
plg_switch_tree_apply (PlgSwitchTree *tree, GError **error)
{
  PlgImportContext *context = tree->context;
  const int *lines;
  int line, nodes;

  if (!visit_switches (tree, error))
    return FALSE;
  lines = (const int *) tree->lines->data;
  line = lines[0];
  /* Compute the number of nodes per leaf; 0 if the leaves have different sizes. */
  nodes = find_uneven_leaf (tree) == NULL ? (int) leaf_at (tree, 0)->n / hosts_per_node (tree) : 0;
  if (!plg_multi_host_set_hosts (context, tree->order, lines, error))
    return FALSE;
  if (tree->blocks)
    plg_import_note (context, PLG_NOTE_INFERRED, line,
                     _ ("%d blocks: the nodes are taken in order, block by block. Blocks do not "
                        "describe the network, so the network is left unchanged."),
                     tree->leaves->len);
  else if (!splits_nodes (tree))
    {
      const char *network = "tree";
      const char *why = _ ("Each leaf has its own nodes. A network with one leaf per rail would "
                           "look the same in the file; choose “rail” if the network has rails.");

      if (tree->leaves->len == 1)
        {
          network = "flat";
          why = _ ("All nodes are below one switch.");
        }
      else if ((gint64) nodes * context->plan->cluster.nics_per_node > MAX_SWITCH_PORTS)
        {
          /* If a leaf in the file has more NICs than a switch has ports, it cannot be one
           * switch. Assume a rail network with one leaf per rail. */
          network = "rail";
          why = _ ("No switch has enough ports for these nodes and NICs, so each leaf in the "
                   "file stands for one leaf per rail.");
        }
      if (!plg_import_infer (context, line, "cluster.network", network, why, error))
        return FALSE;
      note_leaves (tree, line, nodes);
    }
  if (tree->levels > 2)
    plg_import_note (context, PLG_NOTE_IGNORED, line,
                     _ ("The file has %d levels of switches, but a plan has only leaves and "
                        "spines."),
                     tree->levels);
  if (tree->leaves->len > 1 && !tree->blocks)
    plg_import_note (context, PLG_NOTE_INFERRED, line,
                     _ ("The oversubscription is left unchanged, because the file does not give "
                        "the number of uplinks."));
  return TRUE;
}
