/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/node-names.h"

#include "plan/check.h"
#include "plan/cluster.h"
#include "plan/printable.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SHOWN_CHARACTERS 40

/* The start of TEXT on one line, whatever is in it. */
static char *
excerpt (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, MIN (strlen (text), 400));
  g_autofree char *start = g_utf8_substring (valid, 0,
                                             MIN (SHOWN_CHARACTERS, g_utf8_strlen (valid, -1)));

  for (char *p = start; *p != '\0'; p++)
    if (*p == '\n' || *p == '\t')
      *p = ' ';
  return plg_printable (start);
}

static gboolean
has_short_labels (const char *name)
{
  for (gsize size; *name != '\0'; name += size + (name[size] == '.'))
    {
      size = strcspn (name, ".");
      if (size >= PLG_NODE_LABEL_SIZE)
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_name (const char *name)
{
  if (!g_utf8_validate (name, -1, NULL) || strlen (name) >= PLG_NODE_NAME_SIZE ||
      !has_short_labels (name) || !g_unichar_isalnum (g_utf8_get_char (name)))
    return FALSE;
  for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p))
    if (!g_unichar_isalnum (g_utf8_get_char (p)) && strchr ("-._", *p) == NULL)
      return FALSE;
  return TRUE;
}

gboolean
plg_node_name_check (const char *name, GError **error)
{
  g_autofree char *shown = NULL;

  if (is_name (name))
    return TRUE;
  shown = excerpt (name);
  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
               _ ("“%s” is no name of a node; use up to %d letters, digits, “-”, “.” and “_”, a "
                  "letter or digit first, and no more than %d between dots"),
               shown, PLG_NODE_NAME_SIZE - 1, PLG_NODE_LABEL_SIZE - 1);
  return FALSE;
}

void
plg_node_names_clear (PlgNodeNames *names)
{
  for (int i = 0; i < names->size; i++)
    g_free (names->name[i]);
  g_clear_pointer (&names->name, g_free);
  names->size = 0;
}

void
plg_node_names_copy (PlgNodeNames *to, const PlgNodeNames *from)
{
  /* A drag copies a plan every frame, and names do not change then. */
  if (plg_node_names_equal (to, from))
    return;
  plg_node_names_clear (to);
  to->size = from->size;
  to->name = g_new0 (char *, from->size);
  for (int i = 0; i < from->size; i++)
    to->name[i] = g_strdup (from->name[i]);
}

gboolean
plg_node_names_equal (const PlgNodeNames *a, const PlgNodeNames *b)
{
  if (a->size != b->size)
    return FALSE;
  for (int i = 0; i < a->size; i++)
    if (g_strcmp0 (a->name[i], b->name[i]) != 0)
      return FALSE;
  return TRUE;
}

const char *
plg_node_names_get (const PlgNodeNames *names, int node)
{
  return node >= 0 && node < names->size ? names->name[node] : NULL;
}

static int
node_called (const PlgNodeNames *names, const char *name)
{
  for (int i = 0; i < names->size; i++)
    if (g_strcmp0 (names->name[i], name) == 0)
      return i;
  return -1;
}

/* SIZE ends with a node that has a name. */
static void
trim (PlgNodeNames *names)
{
  while (names->size > 0 && names->name[names->size - 1] == NULL)
    names->size--;
  if (names->size == 0)
    g_clear_pointer (&names->name, g_free);
}

static void
grow (PlgNodeNames *names, int size)
{
  if (size <= names->size)
    return;
  names->name = g_renew (char *, names->name, size);
  while (names->size < size)
    names->name[names->size++] = NULL;
}

static void
put (PlgNodeNames *names, int node, const char *name)
{
  grow (names, node + 1);
  g_free (names->name[node]);
  names->name[node] = g_strdup (name);
  trim (names);
}

gboolean
plg_node_names_set (PlgNodeNames *names, int node, const char *name, GError **error)
{
  int other;

  if (name == NULL || *name == '\0')
    {
      put (names, node, NULL);
      return TRUE;
    }
  if (!plg_node_name_check (name, error))
    return FALSE;
  other = node_called (names, name);
  if (other >= 0 && other != node)
    {
      g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                   _ ("Node %d is called “%s” already; each needs a name of its own"), other, name);
      return FALSE;
    }
  put (names, node, name);
  return TRUE;
}

void
plg_node_names_swap (PlgNodeNames *names, int node_a, int node_b)
{
  char *name;

  grow (names, MAX (node_a, node_b) + 1);
  name = names->name[node_a];
  names->name[node_a] = names->name[node_b];
  names->name[node_b] = name;
  trim (names);
}

void
plg_node_names_prune (PlgNodeNames *names, int nodes)
{
  for (int i = MAX (nodes, 0); i < names->size; i++)
    g_clear_pointer (&names->name[i], g_free);
  trim (names);
}

static gboolean
refuse_text (const char *text, GError **error)
{
  g_autofree char *shown = excerpt (text);

  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
               _ ("cluster.node-names: “%s” names no node; write NUMBER=NAME with commas between "
                  "them, each node and each name once, as in 0=dgx-a,3=dgx-b"),
               shown);
  return FALSE;
}

/* One of the list, into NAMES with room for all nodes; SEEN are the names so far. Quick also for
 * thousands. */
static gboolean
read_name (PlgNodeNames *names, GHashTable *seen, char *text, GError **error)
{
  char *name = strchr (text, '=');
  g_autofree char *whole = g_strdup (text);
  guint64 node;

  if (name == NULL)
    return refuse_text (whole, error);
  *name++ = '\0';
  g_strchomp (text);
  g_strchug (name);
  if (!g_ascii_string_to_unsigned (text, 10, 0, PLG_MAX_NODES - 1, &node, NULL))
    return refuse_text (whole, error);
  if (!plg_node_name_check (name, error))
    {
      g_prefix_error (error, "cluster.node-names: ");
      return FALSE;
    }
  if (plg_node_names_get (names, (int) node) != NULL || !g_hash_table_add (seen, name))
    return refuse_text (whole, error);
  names->name[node] = g_strdup (name);
  return TRUE;
}

gboolean
plg_node_names_from_string (PlgNodeNames *names, const char *text, GError **error)
{
  /* Not by g_strsplit(), whose searches sanitizers make take as long as all of the text. */
  g_auto (GStrv) parts = g_strsplit_set (text, ",", PLG_MAX_NODES + 1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  PlgNodeNames read = { 0 };

  if (text[strspn (text, " \t\n\r")] == '\0')
    {
      plg_node_names_clear (names);
      return TRUE;
    }
  grow (&read, PLG_MAX_NODES);
  for (int i = 0; parts[i] != NULL; i++)
    if (!read_name (&read, seen, g_strstrip (parts[i]), error))
      {
        plg_node_names_clear (&read);
        return FALSE;
      }
  trim (&read);
  read.name = g_renew (char *, read.name, read.size);
  plg_node_names_clear (names);
  *names = read;
  return TRUE;
}

char *
plg_node_names_to_string (const PlgNodeNames *names)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < names->size; i++)
    if (names->name[i] != NULL)
      g_string_append_printf (text, "%s%d=%s", text->len > 0 ? "," : "", i, names->name[i]);
  return g_string_free (text, FALSE);
}
