/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format-private.h"
#include "formats/hosts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Slurm's topology.conf (man 5 topology.conf): switches with the nodes or switches below them, or
 * blocks of nodes. */

/* Far more than any network has; a file with more has a mistake. */
#define MAX_LEVELS 16
#define SHOWN_CHARACTERS 40
/* Kinds of keys of its own that are told. */
#define MAX_UNKNOWN 8

typedef struct
{
  char *name;
  int line;
  gboolean leaf;
  guint first; /* in the hosts of all leaves, or in what is below all other switches */
  guint n;
  gboolean below;   /* of another switch */
  gboolean reached; /* on the way down from the top */
} Switch;

typedef struct
{
  PlgReading *reading;
  GArray *switches;
  GHashTable *numbers; /* of the switches, by name */
  GPtrArray *hosts;    /* of all leaves, in the order of the file */
  GPtrArray *below;    /* names of the switches below all others */
  gboolean blocks;
  int speed;           /* the line that says LinkSpeed first */
  GHashTable *unknown; /* keys that a plan does not have */
  /* From the top down */
  GPtrArray *order; /* of the hosts, borrowed */
  GArray *lines;
  GArray *leaves; /* how many nodes each has */
  int levels;
} Topology;

static void
switch_clear (gpointer data)
{
  g_free (((Switch *) data)->name);
}

static Switch *
switch_at (const Topology *topology, guint i)
{
  return &g_array_index (topology->switches, Switch, i);
}

/* One line */

/* Adds one to the topology, with what is said below it. */
static gboolean
add_switch (Topology *topology,
            int line,
            const char *name,
            const char *nodes,
            const char *switches,
            GError **error)
{
  GPtrArray *list = nodes != NULL ? topology->hosts : topology->below;
  Switch new = { g_strdup (name), line, nodes != NULL, list->len, 0, FALSE, FALSE };

  g_array_append_val (topology->switches, new);
  if (!plg_node_name_check (name, error))
    {
      g_prefix_error (error, "%d: ", line);
      return FALSE;
    }
  if (!g_hash_table_insert (topology->numbers, new.name,
                            GUINT_TO_POINTER (topology->switches->len - 1)))
    return plg_reading_fail (topology->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The switch “%s” is there already; each has one line."), name);
  if (nodes == NULL && switches == NULL)
    return plg_reading_fail (topology->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("Nothing is below “%s”; say Nodes= or Switches=."), name);
  if (nodes != NULL && switches != NULL)
    return plg_reading_fail (topology->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("“%s” has both nodes and switches below it; a leaf has nodes, a "
                                "spine has switches."),
                             name);
  if (!plg_hosts_expand (list, nodes != NULL ? nodes : switches, PLG_MAX_NODES, line, error))
    return FALSE;
  switch_at (topology, topology->switches->len - 1)->n = list->len - new.first;
  return TRUE;
}

/* What a line says. Borrowed. */
typedef struct
{
  const char *name;
  const char *nodes;
  const char *switches;
} Words;

/* One KEY=VALUE; WORD is cut in two. */
static gboolean
read_word (Topology *topology, int line, char *word, Words *words, GError **error)
{
  g_autofree char *shown = plg_format_excerpt (word, SHOWN_CHARACTERS);
  char *value = strchr (word, '=');

  if (value == NULL || value[1] == '\0')
    return plg_reading_fail (topology->reading, line, PLG_FORMAT_ERROR_SYNTAX, error,
                             _ ("“%s” is no KEY=VALUE, such as Nodes=node[0-7]."), shown);
  *value++ = '\0';
  topology->blocks |= g_ascii_strcasecmp (word, "BlockName") == 0;
  if (g_ascii_strcasecmp (word, "SwitchName") == 0 || g_ascii_strcasecmp (word, "BlockName") == 0)
    words->name = value;
  else if (g_ascii_strcasecmp (word, "Nodes") == 0)
    words->nodes = value;
  else if (g_ascii_strcasecmp (word, "Switches") == 0)
    words->switches = value;
  else if (g_ascii_strcasecmp (word, "LinkSpeed") == 0)
    topology->speed = topology->speed == 0 ? line : topology->speed;
  else if (g_hash_table_size (topology->unknown) < MAX_UNKNOWN &&
           g_hash_table_add (topology->unknown, g_ascii_strdown (word, -1)))
    plg_reading_note (topology->reading, PLG_NOTE_IGNORED, line, _ ("%s: a plan does not have it."),
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
  if (words.name != NULL)
    return add_switch (topology, line, words.name, words.nodes, words.switches, error);
  if (words.nodes == NULL && words.switches == NULL)
    return TRUE;
  return plg_reading_fail (topology->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
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
  g_autofree char **lines = plg_reading_lines (topology->reading, error);
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
  return TRUE;
}

/* From the top down */

static gboolean
join_switches (Topology *topology, GError **error)
{
  for (guint i = 0; i < topology->switches->len; i++)
    for (guint j = 0; !switch_at (topology, i)->leaf && j < switch_at (topology, i)->n; j++)
      {
        const Switch *above = switch_at (topology, i);
        const char *name = topology->below->pdata[above->first + j];
        gpointer number;
        Switch *lower;

        if (!g_hash_table_lookup_extended (topology->numbers, name, NULL, &number))
          return plg_reading_fail (topology->reading, above->line, PLG_FORMAT_ERROR_CONTENT, error,
                                   _ ("There is no switch “%s”; it needs a line of its own."),
                                   name);
        lower = switch_at (topology, GPOINTER_TO_UINT (number));
        if (lower->below)
          return plg_reading_fail (topology->reading, above->line, PLG_FORMAT_ERROR_CONTENT, error,
                                   _ ("“%s” is below two switches; it can be below one."), name);
        lower->below = TRUE;
      }
  return TRUE;
}

static void
walk_leaf (Topology *topology, const Switch *leaf)
{
  for (guint i = 0; i < leaf->n; i++)
    {
      g_ptr_array_add (topology->order, topology->hosts->pdata[leaf->first + i]);
      g_array_append_val (topology->lines, leaf->line);
    }
  g_array_append_val (topology->leaves, leaf->n);
}

static gboolean
walk (Topology *topology, guint i, int level, GError **error)
{
  Switch *here = switch_at (topology, i);

  if (level > MAX_LEVELS)
    return plg_reading_fail (topology->reading, here->line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("“%s” is more than %d switches below the top; a network has two "
                                "or three levels."),
                             here->name, MAX_LEVELS);
  here->reached = TRUE;
  topology->levels = MAX (topology->levels, level);
  if (here->leaf)
    walk_leaf (topology, here);
  for (guint j = 0; !here->leaf && j < here->n; j++)
    {
      gpointer lower = g_hash_table_lookup (topology->numbers,
                                            topology->below->pdata[here->first + j]);

      if (!walk (topology, GPOINTER_TO_UINT (lower), level + 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
walk_down (Topology *topology, GError **error)
{
  if (!join_switches (topology, error))
    return FALSE;
  for (guint i = 0; i < topology->switches->len; i++)
    if (!switch_at (topology, i)->below && !walk (topology, i, 1, error))
      return FALSE;
  for (guint i = 0; i < topology->switches->len; i++)
    if (!switch_at (topology, i)->reached)
      return plg_reading_fail (topology->reading, switch_at (topology, i)->line,
                               PLG_FORMAT_ERROR_CONTENT, error,
                               _ ("“%s” is below itself; the switches must make a tree."),
                               switch_at (topology, i)->name);
  if (topology->order->len == 0)
    return plg_reading_fail (topology->reading, 0, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("No switch has nodes; say which with Nodes=."));
  return TRUE;
}

/* What it says of the plan */

/* All leaves have as many nodes, the last perhaps fewer: how many; else 0. */
static int
nodes_a_leaf (const Topology *topology)
{
  guint n = topology->leaves->len;
  guint size = g_array_index (topology->leaves, guint, 0);

  for (guint i = 1; i < n; i++)
    {
      guint other = g_array_index (topology->leaves, guint, i);

      if (other != size && (i + 1 < n || other > size))
        return 0;
    }
  return (int) size;
}

/* The number of its ports tells a leaf from a unit of rails: a switch of 64 ports has no more than
 * that below it. */
static gboolean
infer_network (Topology *topology, int line, int size, GError **error)
{
  PlgReading *reading = topology->reading;
  int nics = reading->plan->cluster.nics_per_node;

  if (topology->leaves->len == 1)
    return plg_reading_infer (reading, line, "cluster.network", "flat",
                              _ ("One switch has all nodes below it."), error);
  if (size > 0 && (gint64) size * nics > 64)
    return plg_reading_infer (reading, line, "cluster.network", "rail",
                              _ ("No switch has ports for that many nodes and NICs, so a leaf of "
                                 "the file stands for a leaf for each rail."),
                              error);
  return plg_reading_infer (reading, line, "cluster.network", "tree",
                            _ ("Its leaves have nodes of their own. The file would look the same "
                               "with a leaf for each rail; choose “rail” then."),
                            error);
}

/* The leaves of a plan follow from its NICs; those of the file may be others. */
static void
tell_leaves (Topology *topology, int line, int size)
{
  PlgReading *reading = topology->reading;
  g_autoptr (PlgPlan) plan = plg_plan_copy (reading->plan);
  PlgSwitches switches;

  if (topology->leaves->len < 2)
    return;
  plan->cluster.nodes = (int) topology->order->len;
  plan->cluster.network = g_str_equal (plg_reading_get (reading, "cluster.network"), "rail")
                              ? PLG_NETWORK_RAIL
                              : PLG_NETWORK_TREE;
  switches = plg_cluster_switches (&plan->cluster);
  if (size == 0)
    plg_reading_note (reading, PLG_NOTE_IGNORED, line,
                      _ ("Leaves of different sizes: those of a plan have %d nodes each."),
                      switches.nodes_per_leaf);
  else if (size != switches.nodes_per_leaf)
    plg_reading_note (reading, PLG_NOTE_IGNORED, line,
                      _ ("%d nodes a leaf: with %d NICs a node, those of a plan have %d."), size,
                      plan->cluster.nics_per_node, switches.nodes_per_leaf);
}

static void
tell_rest (Topology *topology, int line)
{
  PlgReading *reading = topology->reading;

  if (topology->speed > 0)
    plg_reading_note (reading, PLG_NOTE_IGNORED, topology->speed,
                      _ ("LinkSpeed: Slurm does not use it, and it has no unit."));
  if (topology->levels > 2)
    plg_reading_note (reading, PLG_NOTE_IGNORED, line,
                      _ ("%d levels of switches: a plan has leaves and spines."), topology->levels);
  if (topology->leaves->len > 1 && !topology->blocks)
    plg_reading_note (reading, PLG_NOTE_INFERRED, line,
                      _ ("Oversubscription stays as it is: the file does not say how many links go "
                         "up."));
}

static gboolean
make_cluster (Topology *topology, GError **error)
{
  PlgReading *reading = topology->reading;
  int line = g_array_index (topology->lines, int, 0), size = nodes_a_leaf (topology);

  if (!plg_reading_set_int (reading, line, "cluster.nodes", topology->order->len, error) ||
      !plg_hosts_name_nodes (reading, topology->order, (const int *) topology->lines->data, error))
    return FALSE;
  if (topology->blocks)
    plg_reading_note (reading, PLG_NOTE_INFERRED, line,
                      _ ("%d blocks: their nodes come one block after the other. The network "
                         "stays as it is, since blocks do not tell it."),
                      topology->leaves->len);
  else if (!infer_network (topology, line, size, error))
    return FALSE;
  else
    tell_leaves (topology, line, size);
  tell_rest (topology, line);
  return TRUE;
}

static void
topology_init (Topology *topology, PlgReading *reading)
{
  *topology = (Topology) {
    .reading = reading,
    .switches = g_array_new (FALSE, FALSE, sizeof (Switch)),
    .numbers = g_hash_table_new (g_str_hash, g_str_equal),
    .hosts = g_ptr_array_new_with_free_func (g_free),
    .below = g_ptr_array_new_with_free_func (g_free),
    .unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .order = g_ptr_array_new (),
    .lines = g_array_new (FALSE, FALSE, sizeof (int)),
    .leaves = g_array_new (FALSE, FALSE, sizeof (guint)),
  };
  g_array_set_clear_func (topology->switches, switch_clear);
}

static void
topology_clear (Topology *topology)
{
  g_array_unref (topology->leaves);
  g_array_unref (topology->lines);
  g_ptr_array_unref (topology->order);
  g_ptr_array_unref (topology->below);
  g_ptr_array_unref (topology->hosts);
  g_hash_table_unref (topology->unknown);
  g_hash_table_unref (topology->numbers);
  g_array_unref (topology->switches);
}

static gboolean
read_topology (PlgReading *reading, GError **error)
{
  Topology topology;
  gboolean read;

  topology_init (&topology, reading);
  read = read_lines (&topology, error) && walk_down (&topology, error) &&
         make_cluster (&topology, error);
  topology_clear (&topology);
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
  .is = is_topology,
  .read = read_topology,
};
