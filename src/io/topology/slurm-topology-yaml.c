/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/format-private.h"
#include "io/topology/switch-tree.h"
#include "syntax/yaml-tree.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Slurm's topology.yaml, since 25.05 (man 5 topology.yaml): a list of topologies, of which each is
 * a tree of switches, blocks of nodes or flat, and partitions have the one or the other. A plan is
 * one cluster, and so has the one that Slurm takes where a partition names none. */

#define SHOWN_CHARACTERS 40

typedef struct
{
  PlgImportContext *context;
  PlgSwitchTree tree;
} Topology;

/* What the keys are called in a tree and in blocks. */
typedef struct
{
  const char *kind;
  const char *list;
  const char *name;
} Words;

static const Words tree_words = { "tree", "switches", "switch" };
static const Words block_words = { "block", "blocks", "block" };

static gboolean
fail (const Topology *topology, int line, GError **error, const char *message)
{
  return plg_import_fail (topology->context, line, PLG_FORMAT_ERROR_CONTENT, error, "%s", message);
}

/* The single value of KEY below VALUE, or NULL. Notes that it was seen. */
static const char *
text_of (const PlgYaml *value, const char *key)
{
  PlgYaml *item = plg_yaml_find (value, key);

  if (item == NULL || item->text == NULL || *item->text == '\0')
    return NULL;
  item->seen = TRUE;
  return item->text;
}

/* Keys below VALUE that nobody asked for. */
static void
note_unknown_members (const Topology *topology, const PlgYaml *value)
{
  for (guint i = 0; value->below != NULL && i < value->below->len; i++)
    {
      const PlgYaml *item = value->below->pdata[i];
      g_autofree char *shown = NULL;

      if (item->seen || item->key == NULL)
        continue;
      shown = plg_text_excerpt (item->key, SHOWN_CHARACTERS);
      plg_import_note (topology->context, PLG_NOTE_IGNORED, item->line,
                       _ ("%s: a plan does not have it."), shown);
    }
}

/* Switches get their nodes later where these register themselves, and a generator pads blocks. */
static gboolean
read_switch (Topology *topology, const Words *words, const PlgYaml *value, GError **error)
{
  const char *name = text_of (value, words->name);
  const char *nodes = text_of (value, "nodes"), *children = NULL;

  if (name == NULL)
    return plg_import_fail (topology->context, value->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("This entry of “%s” has no name; it begins with “- %s: NAME”."),
                            words->list, words->name);
  if (words == &tree_words)
    children = text_of (value, "children");
  if (nodes == NULL && children == NULL)
    plg_import_note (topology->context, PLG_NOTE_IGNORED, value->line,
                     _ ("Nothing is below “%s”: it is left out."), name);
  note_unknown_members (topology, value);
  return plg_switch_tree_add (&topology->tree, value->line, name, nodes, children, error);
}

static gboolean
read_switches (Topology *topology, const Words *words, const PlgYaml *value, GError **error)
{
  PlgYaml *list = plg_yaml_find (value, words->list);

  if (list == NULL || list->below == NULL || list->mapping)
    return plg_import_fail (topology->context, value->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” needs “%s:” below it, a list of “- %s: NAME”."), words->kind,
                            words->list, words->name);
  list->seen = TRUE;
  note_unknown_members (topology, value);
  topology->tree.blocks = words == &block_words;
  for (guint i = 0; i < list->below->len; i++)
    if (!read_switch (topology, words, list->below->pdata[i], error))
      return FALSE;
  return plg_switch_tree_apply (&topology->tree, error);
}

/* Which topology */

static gboolean
has_switches (const PlgYaml *value)
{
  return plg_yaml_find (value, tree_words.kind) != NULL ||
         plg_yaml_find (value, block_words.kind) != NULL;
}

static gboolean
is_default (const PlgYaml *value)
{
  const char *text = text_of (value, "cluster_default");

  return text != NULL && g_ascii_strcasecmp (text, "true") == 0;
}

/* The default one, or else the first one, that says where the nodes are; NULL: none does. */
static PlgYaml *
choose_topology (const PlgYaml *root)
{
  PlgYaml *chosen = NULL;

  for (guint i = root->below->len; i > 0; i--)
    {
      PlgYaml *value = root->below->pdata[i - 1];

      if (has_switches (value) && (chosen == NULL || is_default (value) || !is_default (chosen)))
        chosen = value;
    }
  return chosen;
}

static void
note_other_topologies (const Topology *topology, const PlgYaml *root, const PlgYaml *chosen)
{
  for (guint i = 0; i < root->below->len; i++)
    {
      const PlgYaml *value = root->below->pdata[i];
      const char *name = text_of (value, "topology");
      g_autofree char *shown = plg_text_excerpt (name != NULL ? name : "", SHOWN_CHARACTERS);

      if (value != chosen)
        plg_import_note (topology->context, PLG_NOTE_IGNORED, value->line,
                         _ ("Topology “%s”: a plan has one, and “%s” is taken."), shown,
                         text_of (chosen, "topology"));
    }
}

static gboolean
read_topologies (Topology *topology, const PlgYaml *root, GError **error)
{
  PlgYaml *chosen = root->below != NULL && !root->mapping ? choose_topology (root) : NULL;
  const Words *words = &tree_words;
  PlgYaml *value;

  if (chosen == NULL)
    return fail (topology, root->line, error,
                 _ ("No topology has “tree:” or “block:”, so the file does not say which nodes "
                    "there are."));
  if (text_of (chosen, "topology") == NULL)
    return fail (topology, chosen->line, error,
                 _ ("This topology has no name; it begins with “- topology: NAME”."));
  note_other_topologies (topology, root, chosen);
  if (plg_yaml_find (chosen, tree_words.kind) == NULL)
    words = &block_words;
  else if (plg_yaml_find (chosen, block_words.kind) != NULL)
    return fail (topology, chosen->line, error,
                 _ ("This topology has both “tree:” and “block:”; keep one."));
  value = plg_yaml_find (chosen, words->kind);
  value->seen = TRUE;
  is_default (chosen);
  note_unknown_members (topology, chosen);
  return read_switches (topology, words, value, error);
}

static gboolean
read_topology (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgYaml) root = plg_yaml_read (context, error);
  Topology topology = { .context = context };
  gboolean read;

  if (root == NULL)
    return FALSE;
  plg_switch_tree_init (&topology.tree, context);
  read = read_topologies (&topology, root, error);
  plg_switch_tree_clear (&topology.tree);
  return read;
}

/* "- topology:" comes first, behind comments and a mark of the document's beginning. */
static gboolean
is_topology (const char *data, gsize size)
{
  const char *end = data + size;

  while (data < end && (*data == '#' || g_ascii_isspace (*data) || g_str_has_prefix (data, "---")))
    {
      const char *next = g_ascii_isspace (*data) ? data + 1 : memchr (data, '\n', end - data);

      data = next != NULL ? next : end;
    }
  if (data == end || *data != '-')
    return FALSE;
  data += 1 + strspn (data + 1, " ");
  return g_str_has_prefix (data, "topology:");
}

const PlgFormat plg_slurm_topology_yaml_format = {
  .name = "slurm-topology-yaml",
  .suffix = ".yaml",
  .title = N_ ("Switches of a cluster (Slurm topology.yaml)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .syntax = PLG_SYNTAX_YAML,
  .sign = "- topology",
  .is = is_topology,
  .read = read_topology,
};
