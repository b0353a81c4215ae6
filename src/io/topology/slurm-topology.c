/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/topology/switch-tree.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads Slurm's topology.conf (man 5 topology.conf), with switches and the nodes or switches below
 * them, or blocks of nodes; also the output of `scontrol show topology`. */

#define SHOWN_CHARACTERS 40
/* The number of unknown keys that get a note. */
#define MAX_UNKNOWN 8

typedef struct
{
  PlgImportContext *context;
  PlgSwitchTree tree;
  int speed;           /* the first line with LinkSpeed; 0 if there is none */
  GHashTable *unknown; /* the unknown keys */
} Topology;

/* The values of a line (borrowed). */
typedef struct
{
  const char *name;
  const char *nodes;
  const char *switches;
  gboolean is_upper; /* an upper switch; `scontrol show topology` lists all nodes below it, too */
} Words;

/* Reads one KEY=VALUE, and cuts the word in two. */
static gboolean
read_word (Topology *topology, int line, char *word, Words *words, GError **error)
{
  g_autofree char *shown = plg_text_excerpt (word, SHOWN_CHARACTERS);
  char *value = strchr (word, '=');

  if (value == NULL || value[1] == '\0')
    return plg_format_fail (line, PLG_FORMAT_ERROR_SYNTAX, error,
                            _ ("“%s” is not KEY=VALUE, such as Nodes=node[0-7]."), shown);
  *value++ = '\0';
  topology->tree.blocks |= g_ascii_strcasecmp (word, "BlockName") == 0;
  if (g_ascii_strcasecmp (word, "SwitchName") == 0 || g_ascii_strcasecmp (word, "BlockName") == 0)
    words->name = value;
  else if (g_ascii_strcasecmp (word, "Nodes") == 0)
    words->nodes = value;
  else if (g_ascii_strcasecmp (word, "Switches") == 0)
    words->switches = value;
  else if (g_ascii_strcasecmp (word, "Level") == 0)
    words->is_upper = !g_str_equal (value, "0");
  else if (g_ascii_strcasecmp (word, "LinkSpeed") == 0)
    topology->speed = topology->speed == 0 ? line : topology->speed;
  else if (g_hash_table_size (topology->unknown) < MAX_UNKNOWN &&
           g_hash_table_add (topology->unknown, g_ascii_strdown (word, -1)))
    plg_import_note (topology->context, PLG_NOTE_IGNORED, line,
                     _ ("%s: a plan has no place for this."), shown);
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
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” has nothing below it; add Nodes= or Switches=."), words.name);
  if (words.name != NULL && words.is_upper && words.nodes != NULL && words.switches != NULL)
    return plg_switch_tree_add (&topology->tree, line, words.name, NULL, words.switches, error) &&
           plg_switch_tree_expect_nodes (&topology->tree, words.nodes, error);
  if (words.name != NULL)
    return plg_switch_tree_add (&topology->tree, line, words.name, words.nodes, words.switches,
                                error);
  if (words.nodes == NULL && words.switches == NULL)
    return TRUE;
  return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("These nodes have no switch; begin the line with SwitchName= or "
                             "BlockName=."));
}

static gboolean
read_lines (Topology *topology, GError **error)
{
  g_autofree char **lines = plg_text_lines (topology->context->data, topology->context->size, error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (lines == NULL)
    return FALSE;
  for (int i = 0, first = 0; lines[i] != NULL; i++)
    {
      char *comment = strchr (lines[i], '#');
      gsize n;

      if (comment != NULL)
        *comment = '\0';
      g_string_append (text, g_strchomp (lines[i]));
      n = strlen (lines[i]);
      if (n > 0 && lines[i][n - 1] == '\\')
        g_string_truncate (text, text->len - 1);
      if (n > 0 && lines[i][n - 1] == '\\' && lines[i + 1] != NULL)
        continue;
      if (!read_line (topology, first + 1, text->str, error))
        return FALSE;
      g_string_truncate (text, 0);
      first = i + 1;
    }
  if (topology->speed > 0)
    plg_import_note (topology->context, PLG_NOTE_IGNORED, topology->speed,
                     _ ("LinkSpeed is ignored: Slurm does not use it, and it has no unit."));
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

/* Accepts a file whose first line after comments has one of these keys. */
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
