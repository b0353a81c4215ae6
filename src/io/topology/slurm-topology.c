/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/topology/switch-tree.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads Slurm's topology.conf (man 5 topology.conf) and the output of `scontrol show topology`.
 * Both list either switches, each with the nodes or switches below it, or blocks of nodes. */

#define SHOWN_CHARACTERS 40
/* The maximum number of unknown keys that get an import note. */
#define MAX_UNKNOWN 8

typedef struct
{
  PlgImportContext *context;
  PlgSwitchTree *tree;
  int speed;           /* the line of the first LinkSpeed; 0 if the file has none */
  GHashTable *unknown; /* set of the unknown keys that have an import note */
} Topology;

static gboolean
read_line (Topology *topology, int line, const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  PlgSwitchTree *tree = topology->tree;
  const char *name = NULL, *nodes = NULL, *switches = NULL;
  gboolean is_upper = FALSE; /* whether Level is not 0; for such an upper switch, `scontrol show
                                topology` lists all nodes below it */

  for (int i = 0; words[i] != NULL; i++)
    {
      char *key = words[i], *value = strchr (key, '=');
      g_autofree char *shown = plg_text_excerpt (key, SHOWN_CHARACTERS);

      if (*key == '\0')
        continue;
      if (value == NULL || value[1] == '\0')
        return plg_format_fail (line, PLG_FORMAT_ERROR_SYNTAX, error,
                                _ ("“%s” must have the form KEY=VALUE, such as Nodes=node[0-7]."),
                                shown);
      *value++ = '\0';
      tree->blocks |= g_ascii_strcasecmp (key, "BlockName") == 0;
      if (g_ascii_strcasecmp (key, "SwitchName") == 0 || g_ascii_strcasecmp (key, "BlockName") == 0)
        name = value;
      else if (g_ascii_strcasecmp (key, "Nodes") == 0)
        nodes = value;
      else if (g_ascii_strcasecmp (key, "Switches") == 0)
        switches = value;
      else if (g_ascii_strcasecmp (key, "Level") == 0)
        is_upper = !g_str_equal (value, "0");
      else if (g_ascii_strcasecmp (key, "LinkSpeed") == 0)
        topology->speed = topology->speed == 0 ? line : topology->speed;
      else if (g_hash_table_size (topology->unknown) < MAX_UNKNOWN &&
               g_hash_table_add (topology->unknown, g_ascii_strdown (key, -1)))
        plg_import_note (topology->context, PLG_NOTE_IGNORED, line, _ ("%s is not part of a plan."),
                         shown);
    }
  if (name == NULL && nodes == NULL && switches == NULL)
    return TRUE;
  if (name == NULL)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("These nodes have no switch; begin the line with SwitchName= or "
                               "BlockName=."));
  if (nodes == NULL && switches == NULL)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” has nothing below it; add Nodes= or Switches=."), name);
  if (is_upper && nodes != NULL && switches != NULL)
    return plg_switch_tree_add (tree, line, name, NULL, switches, error) &&
           plg_switch_tree_expect_nodes (tree, nodes, error);
  return plg_switch_tree_add (tree, line, name, nodes, switches, error);
}

static gboolean
read_topology (PlgImportContext *context, GError **error)
{
  g_autofree char **lines = plg_text_lines (context->data, context->size, error);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GHashTable) unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (PlgSwitchTree) tree = { 0 };
  Topology topology = { .context = context, .tree = &tree, .unknown = unknown };

  plg_switch_tree_init (&tree, context);
  if (lines == NULL)
    return FALSE;
  for (int i = 0, first = 0; lines[i] != NULL; i++)
    {
      char *comment = strchr (lines[i], '#');
      gboolean continues;

      if (comment != NULL)
        *comment = '\0';
      g_string_append (text, g_strchomp (lines[i]));
      continues = g_str_has_suffix (lines[i], "\\");
      if (continues)
        g_string_truncate (text, text->len - 1);
      if (continues && lines[i + 1] != NULL)
        continue;
      if (!read_line (&topology, first + 1, text->str, error))
        return FALSE;
      g_string_truncate (text, 0);
      first = i + 1;
    }
  if (topology.speed > 0)
    plg_import_note (context, PLG_NOTE_IGNORED, topology.speed,
                     _ ("LinkSpeed is ignored: Slurm does not use it, and it has no unit."));
  return plg_switch_tree_apply (&tree, error);
}

/* Accepts a file whose first line, after any comments, begins with a key of topology.conf. */
static gboolean
is_topology (const char *data, gsize size)
{
  static const char *const keys[] = { "SwitchName=", "BlockName=", "BlockSizes=", "LinkSpeed=" };
  const char *end = data + size;

  while (data < end && (*data == '#' || g_ascii_isspace (*data)))
    {
      const char *next = *data == '#' ? memchr (data, '\n', end - data) : data + 1;

      data = next != NULL ? next : end;
    }
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (g_ascii_strncasecmp (data, keys[i], MIN (strlen (keys[i]), (gsize) (end - data))) == 0 &&
        (gsize) (end - data) > strlen (keys[i]))
      return TRUE;
  return FALSE;
}

const PlgFormat plg_slurm_topology_format = {
  .name = "slurm-topology",
  .suffix = ".conf",
  .title = N_ ("Switches of a cluster (Slurm topology.conf)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .sign = "SwitchName=, BlockName=",
  .is = is_topology,
  .read = read_topology,
};
