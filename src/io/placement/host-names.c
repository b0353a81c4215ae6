/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/placement/host-names.h"
#include "io/import/error-position.h"

#include "io/import/format.h"
#include "io/placement/tray-name.h"
#include "plan/host-list.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SHOWN_CHARACTERS 80

gboolean
plg_host_names_expand (GPtrArray *hosts, const char *text, int maximum, int line, GError **error)
{
  g_autoptr (GError) wrong = NULL;

  return plg_host_list_expand (hosts, text, maximum, &wrong) ||
         plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error, "%s", wrong->message);
}

gboolean
plg_host_names_is_word (const char *p, const char *end, const char *punctuation)
{
  int letters = 0, dots = 0;

  for (; p < end; p++)
    {
      if (!g_ascii_isalnum (*p) && strchr (punctuation, *p) == NULL && (guchar) *p < 0x80)
        return FALSE;
      letters += g_ascii_isalpha (*p) || (guchar) *p >= 0x80;
      dots += *p == '.';
    }
  return letters > 0 || dots == 3;
}

gboolean
plg_host_names_is_candidate (const char *p, const char *end)
{
  for (const char *q = p; q < end; q++)
    if (!g_ascii_isgraph (*q) || strchr (",:;=<>{}\"'", *q) != NULL)
      return FALSE;
  return p < end;
}

/* Returns the default name of NODE. ATTEMPT is 0 for the first name; each further attempt gives
 * a different name, in case another node already has the previous one. Free with g_free(). */
static char *
default_name (int node, int attempt)
{
  return attempt == 0 ? g_strdup_printf ("node%d", node)
                      : g_strdup_printf ("node%d-%d", node, attempt);
}

/* Returns the host names of the node NAME. NAME is a host list or a single name. Free with
 * g_strfreev(). */
static char **
hosts_of_node_name (const char *name, int trays)
{
  int listed;
  char **hosts = plg_node_name_hosts (name, &listed);

  if (listed == trays)
    return hosts;
  g_strfreev (hosts);
  hosts = g_new0 (char *, trays + 1);
  for (int i = 0; i < trays; i++)
    hosts[i] = trays == 1 ? g_strdup (name) : plg_tray_name (name, i);
  return hosts;
}

/* Adds NAME and its hosts to TAKEN and returns TRUE. If one of them is already in TAKEN or is an
 * invalid host name, adds nothing and returns FALSE. */
static gboolean
reserve_name (GHashTable *taken, const char *name, int trays)
{
  g_auto (GStrv) hosts = hosts_of_node_name (name, trays);

  for (int i = 0; i < trays; i++)
    if (!plg_node_name_check (hosts[i], NULL) || g_hash_table_contains (taken, hosts[i]))
      return FALSE;
  if (g_hash_table_contains (taken, name))
    return FALSE;
  for (int i = 0; i < trays; i++)
    g_hash_table_add (taken, g_strdup (hosts[i]));
  g_hash_table_add (taken, g_strdup (name));
  return TRUE;
}

/* Reserves the node names that the user gave: the host lists if LISTS is TRUE, else the single
 * names. */
static void
reserve_given_names (const PlgPlan *plan, GHashTable *taken, gboolean lists, char **names)
{
  int trays = plg_cluster_hosts_per_node (&plan->cluster);

  for (int i = 0; i < plan->cluster.nodes; i++)
    {
      const char *name = plg_node_names_get (&plan->node_names, i);

      if (name != NULL && (plg_node_name_n_hosts (name) > 0) == lists &&
          reserve_name (taken, name, trays))
        names[i] = g_strdup (name);
    }
}

char **
plg_host_names_of_nodes (const PlgPlan *plan)
{
  int n = plan->cluster.nodes, trays = plg_cluster_hosts_per_node (&plan->cluster);
  char **names = g_new0 (char *, n + 1);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  reserve_given_names (plan, taken, TRUE, names);
  reserve_given_names (plan, taken, FALSE, names);
  for (int i = 0; i < n; i++)
    for (int attempt = 0; names[i] == NULL; attempt++)
      {
        g_autofree char *name = default_name (i, attempt);

        if (reserve_name (taken, name, trays))
          names[i] = g_steal_pointer (&name);
      }
  return names;
}

char **
plg_host_names_of_plan (const PlgPlan *plan)
{
  int trays = plg_cluster_hosts_per_node (&plan->cluster), n = plan->cluster.nodes;
  g_auto (GStrv) nodes = plg_host_names_of_nodes (plan);
  char **hosts;

  if (trays == 1)
    return g_steal_pointer (&nodes);
  hosts = g_new0 (char *, n *trays + 1);
  for (int i = 0; i < n; i++)
    {
      g_autofree char **of_node = hosts_of_node_name (nodes[i], trays);

      memcpy (hosts + i * trays, of_node, trays * sizeof *hosts);
    }
  return hosts;
}

gboolean
plg_host_names_is_default (const char *host, int node, GHashTable *hosts)
{
  for (int attempt = 0;; attempt++)
    {
      g_autofree char *name = default_name (node, attempt);

      if (g_str_equal (name, host))
        return TRUE;
      if (!g_hash_table_contains (hosts, name))
        return FALSE;
    }
}

char *
plg_host_names_warning (const char *const *hosts, int n)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (int i = 0; i < n; i++)
    {
      char *small = g_utf8_casefold (hosts[i], -1);
      const char *twin = g_hash_table_lookup (seen, small);

      if (!g_str_is_ascii (hosts[i]))
        {
          g_free (small);
          return g_strdup_printf (_ ("“%s” is not a host name: host names contain only a to z, "
                                     "digits and “-”, and launchers reject other names."),
                                  hosts[i]);
        }
      g_hash_table_insert (seen, small, (gpointer) hosts[i]);
      if (twin != NULL)
        return g_strdup_printf (_ ("“%s” and “%s” are different nodes, but networks that ignore "
                                   "case treat them as one host."),
                                twin, hosts[i]);
    }
  return NULL;
}

gboolean
plg_host_names_set_nodes (PlgImportContext *context,
                          const GPtrArray *hosts,
                          const int *lines,
                          int trays,
                          GError **error)
{
  const char *const *names = (const char *const *) hosts->pdata;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) all = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < hosts->len; i++)
    {
      if (!plg_node_name_check (names[i], error))
        {
          plg_error_add_position (error, (PlgFilePosition) { lines[i], 0 });
          return FALSE;
        }
      if (!g_hash_table_add (seen, hosts->pdata[i]))
        return plg_format_fail (lines[i], PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("“%s” is listed twice; list each node once."), names[i]);
    }
  for (guint i = 0; i < hosts->len; i += trays)
    g_ptr_array_add (nodes, plg_tray_common_name (names + i, trays));
  for (guint i = 0; i < nodes->len; i++)
    g_hash_table_add (all, nodes->pdata[i]);
  /* Set all names in one call, because setting them one by one would compare each name with all
   * others. */
  for (guint i = 0; i < nodes->len; i++)
    if (!plg_host_names_is_default (nodes->pdata[i], (int) i, all))
      g_string_append_printf (list, "%s%u=%s", list->len > 0 ? "," : "", i,
                              (const char *) nodes->pdata[i]);
  if (!plg_node_names_from_string (&context->plan->node_names, list->str, error))
    return FALSE;
  if (hosts->len > 0)
    {
      g_autofree char *contracted = plg_host_list_contract (names, (int) hosts->len);
      g_autofree char *shown = plg_text_excerpt (contracted, SHOWN_CHARACTERS);
      g_autofree char *warning = plg_host_names_warning (names, (int) hosts->len);

      plg_import_note (context, PLG_NOTE_UNDERSTOOD, lines[0],
                       trays > 1 ? _ ("Host names: %s") : _ ("Node names: %s"), shown);
      if (warning != NULL)
        plg_import_note (context, PLG_NOTE_INFERRED, lines[0], "%s", warning);
    }
  return TRUE;
}
