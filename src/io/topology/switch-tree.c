/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/switch-tree.h"

#include "io/placement/host-names.h"
#include "io/placement/multi-host-nodes.h"

#include <glib/gi18n-lib.h>

/* Far more than any network has; a file with more has a mistake. */
#define MAX_LEVELS 16

typedef struct
{
  char *name;
  int line;
  gboolean leaf;
  guint first; /* in the hosts of all leaves, or in what is below all other switches */
  guint n;
  gboolean below;       /* of another switch */
  gboolean is_visited;  /* on the way down from the top */
  guint first_expected; /* in the hosts that are claimed */
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
      g_prefix_error (error, "%d: ", line);
      return FALSE;
    }
  if (!g_hash_table_insert (tree->numbers, new.name, GUINT_TO_POINTER (tree->switches->len - 1)))
    return plg_import_fail (tree->context, line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The switch “%s” is there already; each has one line."), name);
  if (nodes == NULL && switches == NULL)
    return TRUE;
  if (nodes != NULL && switches != NULL)
    return plg_import_fail (tree->context, line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” has both nodes and switches below it; a leaf has nodes, a "
                               "spine has switches."),
                            name);
  if (!plg_host_names_expand (list, nodes != NULL ? nodes : switches, PLG_MAX_NODES, line, error))
    return FALSE;
  switch_at (tree, tree->switches->len - 1)->n = list->len - new.first;
  return TRUE;
}

gboolean
plg_switch_tree_expect_nodes (PlgSwitchTree *tree, const char *nodes, GError **error)
{
  Switch *last = switch_at (tree, tree->switches->len - 1);

  last->first_expected = tree->expected->len;
  if (!plg_host_names_expand (tree->expected, nodes, MAX_LEVELS * PLG_MAX_NODES, last->line, error))
    return FALSE;
  last->n_expected = tree->expected->len - last->first_expected;
  return TRUE;
}

/* From the top down */

static gboolean
join_switches (PlgSwitchTree *tree, GError **error)
{
  for (guint i = 0; i < tree->switches->len; i++)
    for (guint j = 0; !switch_at (tree, i)->leaf && j < switch_at (tree, i)->n; j++)
      {
        const Switch *above = switch_at (tree, i);
        const char *name = tree->below->pdata[above->first + j];
        gpointer number;
        Switch *lower;

        if (!g_hash_table_lookup_extended (tree->numbers, name, NULL, &number))
          return plg_import_fail (tree->context, above->line, PLG_FORMAT_ERROR_CONTENT, error,
                                  _ ("There is no switch “%s”; it needs a line of its own."), name);
        lower = switch_at (tree, GPOINTER_TO_UINT (number));
        if (lower->below)
          return plg_import_fail (tree->context, above->line, PLG_FORMAT_ERROR_CONTENT, error,
                                  _ ("“%s” is below two switches; it can be below one."), name);
        lower->below = TRUE;
      }
  return TRUE;
}

static void
visit_leaf (PlgSwitchTree *tree, guint number)
{
  const Switch *leaf = switch_at (tree, number);

  for (guint i = 0; i < leaf->n; i++)
    {
      g_ptr_array_add (tree->order, tree->hosts->pdata[leaf->first + i]);
      g_array_append_val (tree->lines, leaf->line);
    }
  if (leaf->n > 0)
    g_array_append_val (tree->leaves, number);
}

/* A run of hosts in a list of them. */
typedef struct
{
  const GPtrArray *hosts;
  guint first;
  guint n;
} HostRange;

/* The first host of RUN that OTHER does not have, or NULL. */
static const char *
first_missing (HostRange run, HostRange other)
{
  g_autoptr (GHashTable) others = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < other.n; i++)
    g_hash_table_add (others, other.hosts->pdata[other.first + i]);
  for (guint i = 0; i < run.n; i++)
    if (!g_hash_table_contains (others, run.hosts->pdata[run.first + i]))
      return run.hosts->pdata[run.first + i];
  return NULL;
}

/* The hosts from FIRST on in their order are those below HERE, and all that it may claim. */
static gboolean
check_expected_nodes (const PlgSwitchTree *tree, const Switch *here, guint first, GError **error)
{
  HostRange expected = { tree->expected, here->first_expected, here->n_expected };
  HostRange below = { tree->order, first, tree->order->len - first };
  const char *more = first_missing (expected, below), *fewer = first_missing (below, expected);

  if (more == NULL && fewer == NULL)
    return TRUE;
  if (more != NULL)
    return plg_import_fail (tree->context, here->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” has the node “%s”, but none of the switches below it has; "
                               "give it to one of them."),
                            here->name, more);
  return plg_import_fail (tree->context, here->line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("“%s” leaves out the node “%s”, which is below one of its switches; "
                             "its nodes must be all of theirs."),
                          here->name, fewer);
}

static gboolean
visit_switch (PlgSwitchTree *tree, guint i, int level, GError **error)
{
  Switch *here = switch_at (tree, i);
  guint first = tree->order->len;

  if (level > MAX_LEVELS)
    return plg_import_fail (tree->context, here->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” is more than %d switches below the top; a network has two "
                               "or three levels."),
                            here->name, MAX_LEVELS);
  here->is_visited = TRUE;
  tree->levels = MAX (tree->levels, level);
  if (here->leaf)
    visit_leaf (tree, i);
  for (guint j = 0; !here->leaf && j < here->n; j++)
    {
      gpointer lower = g_hash_table_lookup (tree->numbers, tree->below->pdata[here->first + j]);

      if (!visit_switch (tree, GPOINTER_TO_UINT (lower), level + 1, error))
        return FALSE;
    }
  return here->n_expected == 0 || check_expected_nodes (tree, here, first, error);
}

static gboolean
visit_switches (PlgSwitchTree *tree, GError **error)
{
  if (!join_switches (tree, error))
    return FALSE;
  for (guint i = 0; i < tree->switches->len; i++)
    if (!switch_at (tree, i)->below && !visit_switch (tree, i, 1, error))
      return FALSE;
  for (guint i = 0; i < tree->switches->len; i++)
    if (!switch_at (tree, i)->is_visited)
      return plg_import_fail (tree->context, switch_at (tree, i)->line, PLG_FORMAT_ERROR_CONTENT,
                              error, _ ("“%s” is below itself; the switches must make a tree."),
                              switch_at (tree, i)->name);
  if (tree->order->len == 0)
    return plg_import_fail (tree->context, 0, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("No switch has nodes below it; say which."));
  return TRUE;
}

/* What it says of the plan */

static const Switch *
leaf_at (const PlgSwitchTree *tree, guint i)
{
  return switch_at (tree, g_array_index (tree->leaves, guint, i));
}

/* The first leaf with another number of nodes than the first one has; the last may have fewer.
 * NULL: there is none. */
static const Switch *
find_uneven_leaf (const PlgSwitchTree *tree)
{
  guint n = tree->leaves->len, size = leaf_at (tree, 0)->n;

  for (guint i = 1; i < n; i++)
    if (leaf_at (tree, i)->n != size && (i + 1 < n || leaf_at (tree, i)->n > size))
      return leaf_at (tree, i);
  return NULL;
}

/* How many nodes all leaves have; 0: some have others. */
static int
uniform_leaf_size (const PlgSwitchTree *tree)
{
  return find_uneven_leaf (tree) == NULL ? (int) leaf_at (tree, 0)->n : 0;
}

/* The number of its ports tells a leaf from a unit of rails: a switch of 64 ports has no more than
 * that below it. */
static gboolean
infer_network (PlgSwitchTree *tree, int line, int size, GError **error)
{
  PlgImportContext *context = tree->context;
  int nics = context->plan->cluster.nics_per_node;

  if (tree->leaves->len == 1)
    return plg_import_infer (context, line, "cluster.network", "flat",
                             _ ("One switch has all nodes below it."), error);
  if (size > 0 && (gint64) size * nics > 64)
    return plg_import_infer (context, line, "cluster.network", "rail",
                             _ ("No switch has ports for that many nodes and NICs, so a leaf of "
                                "the file stands for a leaf for each rail."),
                             error);
  return plg_import_infer (context, line, "cluster.network", "tree",
                           _ ("Its leaves have nodes of their own. The file would look the same "
                              "with a leaf for each rail; choose “rail” then."),
                           error);
}

/* How many of the hosts in the file a node of the open plan is. */
static int
hosts_per_node (const PlgSwitchTree *tree)
{
  return plg_cluster_hosts_per_node (&tree->context->plan->cluster);
}

/* Whether a leaf has some hosts of a node below it, and not the others; which is told of the first.
 */
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
                       _ ("The leaves: “%s” ends within node %d, of whose %d hosts “%s” is the "
                          "first below “%s”. Those of a plan have whole nodes below them, so the "
                          "network stays as it is."),
                       leaf->name, before / hosts, hosts, (const char *) tree->order->pdata[before],
                       leaf_at (tree, i + 1)->name);
      return TRUE;
    }
  return FALSE;
}

/* The first node that a plan with SIZE nodes a leaf has below another leaf than the file. */
static int
first_differing_node (const PlgSwitchTree *tree, int size)
{
  int node = 0, hosts = hosts_per_node (tree);

  for (guint i = 0; i < tree->leaves->len; i++)
    for (guint j = 0; j < leaf_at (tree, i)->n / hosts; j++, node++)
      if (node / size != (int) i)
        return node;
  return node;
}

static void
note_uneven_leaf (PlgSwitchTree *tree, const Switch *odd, int size)
{
  int node = first_differing_node (tree, size), hosts = hosts_per_node (tree);

  plg_import_note (tree->context, PLG_NOTE_IGNORED, odd->line,
                   ngettext ("Leaves of different sizes: %d below “%s”, %d below “%s”. All leaves "
                             "of a plan have %d node, as its NICs need, so from node %d (“%s”) on "
                             "others share a leaf than in the file, and what crosses spines is "
                             "counted for those.",
                             "Leaves of different sizes: %d below “%s”, %d below “%s”. All leaves "
                             "of a plan have %d nodes, as its NICs need, so from node %d (“%s”) "
                             "on others share a leaf than in the file, and what crosses spines is "
                             "counted for those.",
                             size),
                   odd->n / hosts, odd->name, leaf_at (tree, 0)->n / hosts, leaf_at (tree, 0)->name,
                   size, node, (const char *) tree->order->pdata[node * hosts]);
}

/* The leaves of a plan follow from its NICs; those of the file may be others. */
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
    note_uneven_leaf (tree, find_uneven_leaf (tree), switches.nodes_per_leaf);
  else if (size != switches.nodes_per_leaf)
    plg_import_note (context, PLG_NOTE_IGNORED, line,
                     ngettext ("Nodes a leaf: %d. With %d NIC a node, those of a plan have %d.",
                               "Nodes a leaf: %d. With %d NICs a node, those of a plan have %d.",
                               plan->cluster.nics_per_node),
                     size, plan->cluster.nics_per_node, switches.nodes_per_leaf);
}

static void
note_rest (PlgSwitchTree *tree, int line)
{
  PlgImportContext *context = tree->context;

  if (tree->levels > 2)
    plg_import_note (context, PLG_NOTE_IGNORED, line,
                     _ ("%d levels of switches: a plan has leaves and spines."), tree->levels);
  if (tree->leaves->len > 1 && !tree->blocks)
    plg_import_note (context, PLG_NOTE_INFERRED, line,
                     _ ("Oversubscription stays as it is: the file does not say how many links go "
                        "up."));
}

static gboolean
set_cluster (PlgSwitchTree *tree, GError **error)
{
  PlgImportContext *context = tree->context;
  int line = g_array_index (tree->lines, int, 0), size = uniform_leaf_size (tree);
  int trays = hosts_per_node (tree);

  if (!plg_multi_host_set_hosts (context, tree->order, &g_array_index (tree->lines, int, 0), error))
    return FALSE;
  if (tree->blocks)
    plg_import_note (context, PLG_NOTE_INFERRED, line,
                     _ ("%d blocks: their nodes come one block after the other. The network "
                        "stays as it is, since blocks do not tell it."),
                     tree->leaves->len);
  else if (!splits_nodes (tree))
    {
      if (!infer_network (tree, line, size / trays, error))
        return FALSE;
      note_leaves (tree, line, size / trays);
    }
  note_rest (tree, line);
  return TRUE;
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
  return visit_switches (tree, error) && set_cluster (tree, error);
}
