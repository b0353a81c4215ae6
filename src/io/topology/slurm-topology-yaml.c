/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/topology/switch-tree.h"
#include "syntax/yaml-tree.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads topology.yaml of Slurm 25.05 and later (man 5 topology.yaml). The file lists topologies:
 * each is a tree of switches, a set of blocks of nodes, or flat. A plan is one cluster, so the
 * importer uses the default topology. */

#define SHOWN_CHARACTERS 40

/* The YAML keys of a topology that is a tree of switches or a set of blocks. */
typedef struct
{
  const char *kind;
  const char *list;
  const char *name;
} Keys;

static const Keys tree_keys = { "tree", "switches", "switch" };
static const Keys block_keys = { "block", "blocks", "block" };

static gboolean
fail (const PlgImportContext *context, int line, GError **error, const char *message)
{
  return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error, "%s", message);
}

/* Returns the value of a key, or NULL, and marks the key as seen. */
static const char *
read_text (const PlgYaml *value, const char *key)
{
  PlgYaml *item = plg_yaml_find (value, key);

  if (item == NULL || item->text == NULL || *item->text == '\0')
    return NULL;
  item->seen = TRUE;
  return item->text;
}

/* Adds a note for each key that was not read. */
static void
note_unknown_members (PlgImportContext *context, const PlgYaml *value)
{
  for (guint i = 0; value->below != NULL && i < value->below->len; i++)
    {
      const PlgYaml *item = value->below->pdata[i];
      g_autofree char *shown = NULL;

      if (item->seen || item->key == NULL)
        continue;
      shown = plg_text_excerpt (item->key, SHOWN_CHARACTERS);
      plg_import_note (context, PLG_NOTE_IGNORED, item->line, _ ("%s is not part of a plan."),
                       shown);
    }
}

static gboolean
is_default (const PlgYaml *value)
{
  const char *text = read_text (value, "cluster_default");

  return text != NULL && g_ascii_strcasecmp (text, "true") == 0;
}

/* Returns the first default topology that lists nodes. If there is none, returns the first
 * topology that lists nodes, or NULL. */
static PlgYaml *
choose_topology (const PlgYaml *root)
{
  PlgYaml *chosen = NULL;

  for (guint i = root->below->len; i > 0; i--)
    {
      PlgYaml *value = root->below->pdata[i - 1];

      if ((plg_yaml_find (value, tree_keys.kind) != NULL ||
           plg_yaml_find (value, block_keys.kind) != NULL) &&
          (chosen == NULL || is_default (value) || !is_default (chosen)))
        chosen = value;
    }
  return chosen;
}

static gboolean
read_topology (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgYaml) root = plg_yaml_read (context->data, context->size, error);
  g_auto (PlgSwitchTree) tree = { 0 };
  const Keys *keys = &tree_keys;
  PlgYaml *chosen, *value, *list;

  plg_switch_tree_init (&tree, context);
  if (root == NULL)
    return FALSE;
  chosen = root->below != NULL && !root->mapping ? choose_topology (root) : NULL;
  if (chosen == NULL)
    return fail (context, root->line, error,
                 _ ("No topology has “tree:” or “block:”, so the file lists no nodes."));
  if (read_text (chosen, "topology") == NULL)
    return fail (context, chosen->line, error,
                 _ ("This topology has no name; it must begin with “- topology: NAME”."));
  for (guint i = 0; i < root->below->len; i++)
    {
      const PlgYaml *item = root->below->pdata[i];
      const char *name = read_text (item, "topology");
      g_autofree char *shown = plg_text_excerpt (name != NULL ? name : "", SHOWN_CHARACTERS);

      if (item != chosen)
        plg_import_note (context, PLG_NOTE_IGNORED, item->line,
                         _ ("Topology “%s” is ignored: a plan has only one topology, and “%s” is "
                            "used."),
                         shown, read_text (chosen, "topology"));
    }
  if (plg_yaml_find (chosen, tree_keys.kind) == NULL)
    keys = &block_keys;
  else if (plg_yaml_find (chosen, block_keys.kind) != NULL)
    return fail (context, chosen->line, error,
                 _ ("This topology has both “tree:” and “block:”; keep one."));
  value = plg_yaml_find (chosen, keys->kind);
  value->seen = TRUE;
  is_default (chosen);
  note_unknown_members (context, chosen);

  list = plg_yaml_find (value, keys->list);
  if (list == NULL || list->below == NULL || list->mapping)
    return plg_format_fail (value->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” needs “%s:” below it, with a list of entries “- %s: NAME”."),
                            keys->kind, keys->list, keys->name);
  list->seen = TRUE;
  note_unknown_members (context, value);
  tree.blocks = keys == &block_keys;
  for (guint i = 0; i < list->below->len; i++)
    {
      const PlgYaml *item = list->below->pdata[i];
      const char *name = read_text (item, keys->name);
      const char *nodes = read_text (item, "nodes");
      const char *children = keys == &tree_keys ? read_text (item, "children") : NULL;

      if (name == NULL)
        return plg_format_fail (item->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("This entry of “%s” has no name; it must begin with “- %s: "
                                   "NAME”."),
                                keys->list, keys->name);
      /* A switch or block without nodes is valid, because nodes can register themselves later
       * and because generated files contain empty blocks as padding. */
      if (nodes == NULL && children == NULL)
        plg_import_note (context, PLG_NOTE_IGNORED, item->line,
                         _ ("“%s” has nothing below it and is ignored."), name);
      note_unknown_members (context, item);
      if (!plg_switch_tree_add (&tree, item->line, name, nodes, children, error))
        return FALSE;
    }
  return plg_switch_tree_apply (&tree, error);
}

/* Accepts a file that begins with "- topology:", after any comments and a "---" line. */
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
