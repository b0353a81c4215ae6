/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/node-names.h"

#include "plan/plan-problem.h"
#include "plan/cluster.h"
#include "plan/host-list.h"
#include "plan/text/text-sanitize.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SHOWN_CHARACTERS 40

/* Names that are lists of hosts */

static gboolean
is_list (const char *name)
{
  return strpbrk (name, "[,") != NULL;
}

char **
plg_node_name_hosts (const char *name, int *n)
{
  g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);

  *n = 0;
  if (name == NULL || !is_list (name) ||
      !plg_host_list_expand (hosts, name, PLG_MAX_GPUS_PER_NODE, NULL))
    return NULL;
  *n = (int) hosts->len;
  g_ptr_array_add (hosts, NULL);
  return (char **) g_ptr_array_steal (hosts, NULL);
}

int
plg_node_name_n_hosts (const char *name)
{
  int n;

  g_strfreev (plg_node_name_hosts (name, &n));
  return n;
}

gboolean
plg_node_name_fits (const char *name, int node, int hosts, GError **error)
{
  int listed = plg_node_name_n_hosts (name);
  g_autofree char *shown = NULL;

  if (listed == 0 || listed == hosts)
    return TRUE;
  shown = plg_text_sanitize_excerpt (name, SHOWN_CHARACTERS);
  if (hosts == 1)
    plg_plan_problem_set (error, PLG_PLAN_ERROR_RANGE, NULL,
                          _ ("“%s” names %d hosts, but node %d is one host; write one name"), shown,
                          listed, node);
  else
    plg_plan_problem_set (
        error, PLG_PLAN_ERROR_RANGE, NULL,
        _ ("“%s” names %d hosts, but node %d consists of %d hosts; list all hosts, as "
           "in host[1-%d], or write one name for the node"),
        shown, listed, node, hosts, hosts);
  return FALSE;
}

/* Returns NAME in its stored form, and adds each host that it names to HOSTS (owned), so that
 * the caller can find duplicates. Returns NULL with ERROR for an invalid name. Free with
 * g_free(). */
static char *
normalize_name (const char *name, GPtrArray *hosts, GError **error)
{
  if (!is_list (name))
    {
      if (!plg_node_name_check (name, error))
        return NULL;
      g_ptr_array_add (hosts, g_strdup (name));
      return g_strdup (name);
    }
  if (g_str_has_suffix (name, ","))
    {
      plg_node_name_check ("", error);
      return NULL;
    }
  if (!plg_host_list_expand (hosts, name, PLG_MAX_GPUS_PER_NODE, error))
    return NULL;
  return plg_host_list_contract_shortest ((const char *const *) hosts->pdata, (int) hosts->len);
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
  /* A drag copies the plan in each frame, so do not copy unchanged names. */
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

/* Returns TRUE if HOSTS has no duplicates and no host that belongs to a node other than NODE. */
static gboolean
are_free (const PlgNodeNames *names, int node, const GPtrArray *hosts, GError **error)
{
  g_autoptr (GHashTable) set = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < hosts->len; i++)
    if (!g_hash_table_add (set, hosts->pdata[i]))
      {
        plg_plan_problem_set (error, PLG_PLAN_ERROR_RANGE, NULL,
                              _ ("“%s” appears twice in the list; each host needs its own name"),
                              (char *) hosts->pdata[i]);
        return FALSE;
      }
  for (int other = 0; other < names->size; other++)
    {
      const char *name = names->name[other], *shared = NULL;
      int n = 0;
      g_auto (GStrv) listed = NULL;

      if (other == node || name == NULL)
        continue;
      listed = plg_node_name_hosts (name, &n);
      for (int i = 0; i < n && shared == NULL; i++)
        shared = g_hash_table_contains (set, listed[i]) ? listed[i] : NULL;
      if (n == 0 && g_hash_table_contains (set, name))
        shared = name;
      if (shared != NULL)
        {
          plg_plan_problem_set (
              error, PLG_PLAN_ERROR_RANGE, NULL,
              _ ("Node %d already has the name “%s”; each node needs its own name"), other, shared);
          return FALSE;
        }
    }
  return TRUE;
}

/* Reduces SIZE until the last node has a name. */
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
  g_assert (node >= 0);
  grow (names, node + 1);
  g_free (names->name[node]);
  names->name[node] = g_strdup (name);
  trim (names);
}

gboolean
plg_node_names_set (PlgNodeNames *names, int node, const char *name, GError **error)
{
  g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *kept = NULL;

  if (name == NULL || *name == '\0')
    {
      put (names, node, NULL);
      return TRUE;
    }
  kept = normalize_name (name, hosts, error);
  if (kept == NULL || !are_free (names, node, hosts, error))
    return FALSE;
  put (names, node, kept);
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
plg_node_names_prune (PlgNodeNames *names, int nodes, int hosts)
{
  for (int i = 0; i < names->size; i++)
    if (i >= nodes || !plg_node_name_fits (names->name[i], i, hosts, NULL))
      g_clear_pointer (&names->name[i], g_free);
  trim (names);
}

static gboolean
refuse_text (const char *text, GError **error)
{
  g_autofree char *shown = plg_text_sanitize_excerpt (text, SHOWN_CHARACTERS);

  return plg_plan_problem_set_for_key (
      error, PLG_PLAN_ERROR_RANGE, "cluster.node-names",
      _ ("“%s” does not name a node; write NUMBER=NAME pairs separated by commas, with each node "
         "and each name only once, as in 0=dgx-a,3=dgx-b"),
      shown);
}

/* Reads TEXT, one NUMBER=NAME pair, into NAMES, which has room for all nodes. SEEN contains the
 * hosts read so far, so that duplicates are found quickly among thousands of nodes. */
static gboolean
read_name (PlgNodeNames *names, GHashTable *seen, char *text, GError **error)
{
  char *name = strchr (text, '=');
  g_autofree char *whole = g_strdup (text), *kept = NULL;
  g_autoptr (GPtrArray) hosts = g_ptr_array_new ();
  guint64 node;
  gboolean fresh = TRUE;

  if (name == NULL)
    return refuse_text (whole, error);
  *name++ = '\0';
  g_strchomp (text);
  g_strchug (name);
  if (!g_ascii_string_to_unsigned (text, 10, 0, PLG_MAX_NODES - 1, &node, NULL))
    return refuse_text (whole, error);
  kept = normalize_name (name, hosts, error);
  for (guint i = 0; i < hosts->len; i++)
    fresh = g_hash_table_add (seen, hosts->pdata[i]) && fresh;
  if (kept == NULL)
    return plg_plan_problem_add_key (error, "cluster.node-names");
  if (plg_node_names_get (names, (int) node) != NULL || !fresh)
    return refuse_text (whole, error);
  names->name[node] = g_steal_pointer (&kept);
  return TRUE;
}

/* Returns the end of the "NUMBER=NAME" pair that starts at P, such as "0=a1,b[7-9]". A comma
 * continues the list of hosts in NAME, unless another pair follows the comma. */
static const char *
end_of_name (const char *p)
{
  const char *end = plg_host_list_item_end (p);

  while (*end == ',')
    {
      const char *next = plg_host_list_item_end (end + 1);

      if (memchr (end + 1, '=', next - end - 1) != NULL)
        break;
      end = next;
    }
  return end;
}

gboolean
plg_node_names_from_string (PlgNodeNames *names, const char *text, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  PlgNodeNames read = { 0 };
  const char *end = NULL;

  if (text[strspn (text, " \t\n\r")] == '\0')
    {
      plg_node_names_clear (names);
      return TRUE;
    }
  grow (&read, PLG_MAX_NODES);
  for (const char *p = text; end == NULL || *end != '\0'; p = end + 1)
    {
      g_autofree char *name = NULL;

      end = end_of_name (p);
      name = g_strstrip (g_strndup (p, end - p));
      if (!read_name (&read, seen, name, error))
        {
          plg_node_names_clear (&read);
          return FALSE;
        }
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
