/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/format-private.h"
#include "io/topology/switch-tree.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Slurm's topology.conf (man 5 topology.conf): switches with the nodes or switches below them, or
 * blocks of nodes; and what `scontrol show topology` prints of it. */

#define SHOWN_CHARACTERS 40
/* Kinds of keys of its own that are told. */
#define MAX_UNKNOWN 8

typedef struct
{
  PlgImportContext *context;
  PlgSwitchTree tree;
  int speed;           /* the line that says LinkSpeed first */
  GHashTable *unknown; /* keys that a plan does not have */
} Topology;

/* What a line says. Borrowed. */
typedef struct
{
  const char *name;
  const char *nodes;
  const char *switches;
  gboolean above; /* of other switches: `scontrol show topology` has all nodes below them, too */
} Words;

/* One KEY=VALUE; WORD is cut in two. */
static gboolean
read_word (Topology *topology, int line, char *word, Words *words, GError **error)
{
  g_autofree char *shown = plg_text_excerpt (word, SHOWN_CHARACTERS);
  char *value = strchr (word, '=');

  if (value == NULL || value[1] == '\0')
    return plg_import_fail (topology->context, line, PLG_FORMAT_ERROR_SYNTAX, error,
                            _ ("“%s” is no KEY=VALUE, such as Nodes=node[0-7]."), shown);
  *value++ = '\0';
  topology->tree.blocks |= g_ascii_strcasecmp (word, "BlockName") == 0;
  if (g_ascii_strcasecmp (word, "SwitchName") == 0 || g_ascii_strcasecmp (word, "BlockName") == 0)
    words->name = value;
  else if (g_ascii_strcasecmp (word, "Nodes") == 0)
    words->nodes = value;
  else if (g_ascii_strcasecmp (word, "Switches") == 0)
    words->switches = value;
  else if (g_ascii_strcasecmp (word, "Level") == 0)
    words->above = !g_str_equal (value, "0");
  else if (g_ascii_strcasecmp (word, "LinkSpeed") == 0)
    topology->speed = topology->speed == 0 ? line : topology->speed;
  else if (g_hash_table_size (topology->unknown) < MAX_UNKNOWN &&
           g_hash_table_add (topology->unknown, g_ascii_strdown (word, -1)))
    plg_import_note (topology->context, PLG_NOTE_IGNORED, line, _ ("%s: a plan does not have it."),
                     shown);
  return TRUE;
}

static gboolean
read_line (Topology *topology, int line, const char *text, GError **error)
{
  g_auto (GStrv) all = g_strsplit_set (text, " \t", -1);
  Words words = { NULL };

  for (int i = 0; all[i] != NULL; i++)
    if (*all[i] != '\0' && !read_word (topology, line, all[i], &words, error))
      return FALSE;
  if (words.name != NULL && words.nodes == NULL && words.switches == NULL)
    return plg_import_fail (topology->context, line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("Nothing is below “%s”; say Nodes= or Switches=."), words.name);
  if (words.name != NULL && words.above && words.nodes != NULL && words.switches != NULL)
    return plg_switch_tree_add (&topology->tree, line, words.name, NULL, words.switches, error) &&
           plg_switch_tree_expect_nodes (&topology->tree, words.nodes, error);
  if (words.name != NULL)
    return plg_switch_tree_add (&topology->tree, line, words.name, words.nodes, words.switches,
                                error);
  if (words.nodes == NULL && words.switches == NULL)
    return TRUE;
  return plg_import_fail (topology->context, line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("These nodes have no switch; the line begins with SwitchName= or "
                             "BlockName=."));
}

/* Without its comment; whether it goes on in the next line. */
static gboolean
trim_line (char *line)
{
  char *comment = strchr (line, '#');
  gsize n;

  if (comment != NULL)
    *comment = '\0';
  g_strchomp (line);
  n = strlen (line);
  if (n == 0 || line[n - 1] != '\\')
    return FALSE;
  line[n - 1] = '\0';
  return TRUE;
}

static gboolean
read_lines (Topology *topology, GError **error)
{
  g_autofree char **lines = plg_import_lines (topology->context, error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (lines == NULL)
    return FALSE;
  for (int i = 0, first = 0; lines[i] != NULL; i++)
    {
      gboolean more = trim_line (lines[i]) && lines[i + 1] != NULL;

      g_string_append (text, lines[i]);
      if (more)
        continue;
      if (!read_line (topology, first + 1, text->str, error))
        return FALSE;
      g_string_truncate (text, 0);
      first = i + 1;
    }
  if (topology->speed > 0)
    plg_import_note (topology->context, PLG_NOTE_IGNORED, topology->speed,
                     _ ("LinkSpeed: Slurm does not use it, and it has no unit."));
  return TRUE;
}

static gboolean
read_topology (PlgImportContext *context, GError **error)
{
  Topology topology = {
    .context = context,
    .unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
  };
  gboolean read;

  plg_switch_tree_init (&topology.tree, context);
  read = read_lines (&topology, error) && plg_switch_tree_apply (&topology.tree, error);
  plg_switch_tree_clear (&topology.tree);
  g_hash_table_unref (topology.unknown);
  return read;
}

/* The first line that is no comment says so. */
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
