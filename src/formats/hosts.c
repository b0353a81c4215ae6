/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/hosts.h"

#include "formats/format.h"
#include "formats/trays.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Numbers of more digits are no range: what they would count does not fit in an int. */
#define MAX_DIGITS 9
#define SHOWN_CHARACTERS 40
#define SHOWN_NAMES 80

typedef struct
{
  GPtrArray *hosts;
  int maximum;
  int line;
  const char *text; /* of one name with its brackets, for messages */
} Expansion;

static gboolean fail (const Expansion *expansion, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fail (const Expansion *expansion, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  plg_reading_fail_list (NULL, expansion->line, PLG_FORMAT_ERROR_CONTENT, error, format, args);
  va_end (args);
  return FALSE;
}

static gboolean
refuse_brackets (const Expansion *expansion, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (expansion->text, -1);
  g_autofree char *shown = plg_format_excerpt (valid, SHOWN_CHARACTERS);

  return fail (expansion, error,
               _ ("“%s” is no list of hosts; write numbers and ranges in one pair of brackets, as "
                  "in node[00-07,9]."),
               shown);
}

static gboolean
refuse_range (const Expansion *expansion, const char *low, int width, int high, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (expansion->text, -1);
  g_autofree char *shown = plg_format_excerpt (valid, SHOWN_CHARACTERS);

  return fail (expansion, error,
               _ ("“%s” has a range that goes down, from %.*s to %d; write the lower number "
                  "first."),
               shown, width, low, high);
}

static gboolean
add_host (const Expansion *expansion, const char *host, GError **error)
{
  if (!plg_node_name_check (host, error))
    {
      if (expansion->line > 0)
        g_prefix_error (error, "%d: ", expansion->line);
      return FALSE;
    }
  if (expansion->hosts->len >= (guint) expansion->maximum)
    return fail (expansion, error, _ ("There are more than %d hosts; no more can be read."),
                 expansion->maximum);
  g_ptr_array_add (expansion->hosts, g_strdup (host));
  return TRUE;
}

/* The number at P, behind it END; -1 where none stands. */
static int
read_number (const char *p, const char **end)
{
  int value = 0;

  for (*end = p; g_ascii_isdigit (**end); (*end)++)
    {
      if (*end - p >= MAX_DIGITS)
        return -1;
      value = 10 * value + g_ascii_digit_value (**end);
    }
  return *end > p ? value : -1;
}

static gboolean
expand_name (const Expansion *expansion, const char *before, const char *rest, GError **error);

/* "00-07" or "9" at P up to END, or "7-0", which is none. */
static gboolean
read_range (const char *p, const char **end, int *low, int *high, int *width)
{
  *low = *high = read_number (p, end);
  *width = (int) (*end - p);
  if (*low >= 0 && **end == '-')
    *high = read_number (*end + 1, end);
  return *low >= 0 && *high >= 0 && (**end == ',' || **end == ']');
}

/* RANGES is behind the opening bracket, REST behind the closing one. */
static gboolean
expand_ranges (const Expansion *expansion,
               const char *before,
               const char *ranges,
               const char *rest,
               GError **error)
{
  for (const char *p = ranges; p < rest; p++)
    {
      const char *start = p;
      int low, high, width;

      if (!read_range (start, &p, &low, &high, &width))
        return refuse_brackets (expansion, error);
      if (high < low)
        return refuse_range (expansion, start, width, high, error);
      for (int number = low; number <= high; number++)
        {
          g_autofree char *name = g_strdup_printf ("%s%0*d", before, width, number);

          if (!expand_name (expansion, name, rest, error))
            return FALSE;
        }
    }
  return TRUE;
}

/* The names that begin with BEFORE and go on as REST says. BEFORE grows with each bracket, and is
 * soon longer than a name can be, so this does not go deep. */
static gboolean
expand_name (const Expansion *expansion, const char *before, const char *rest, GError **error)
{
  gsize plain = strcspn (rest, "[]");
  g_autofree char *start = g_strdup_printf ("%s%.*s", before, (int) plain, rest);
  const char *ranges = rest + plain, *close;

  if (*ranges == '\0' || strlen (start) >= PLG_NODE_NAME_SIZE)
    return add_host (expansion, start, error);
  close = strchr (ranges, ']');
  if (*ranges == ']' || close == NULL)
    return refuse_brackets (expansion, error);
  return expand_ranges (expansion, start, ranges + 1, close + 1, error);
}

/* Behind the name that begins at P: the next comma outside brackets, or the end. */
static const char *
end_of_name (const char *p)
{
  for (int depth = 0; *p != '\0' && (depth > 0 || *p != ','); p++)
    depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
  return p;
}

gboolean
plg_hosts_expand (GPtrArray *hosts, const char *text, int maximum, int line, GError **error)
{
  for (const char *p = text; *p != '\0';)
    {
      const char *end = end_of_name (p);
      g_autofree char *name = g_strstrip (g_strndup (p, end - p));
      Expansion expansion = { hosts, maximum, line, name };

      if (!expand_name (&expansion, "", name, error))
        return FALSE;
      p = *end == ',' ? end + 1 : end;
    }
  return TRUE;
}

/* Contracting */

/* Where the digits at the end of HOST begin that can be counted up. */
static gsize
length_of_stem (const char *host)
{
  gsize n = strlen (host), stem = n;

  while (stem > 0 && n - stem < MAX_DIGITS && g_ascii_isdigit (host[stem - 1]))
    stem--;
  return stem;
}

static gboolean
has_stem (const char *host, const char *other, gsize stem)
{
  return length_of_stem (host) == stem && strncmp (host, other, stem) == 0 && host[stem] != '\0';
}

/* How many of the HOSTS from the first on count up by one, as a range with the first one's digits
 * does. */
static int
length_of_run (const char *const *hosts, int n)
{
  gsize stem = length_of_stem (hosts[0]);
  int first = atoi (hosts[0] + stem), width = (int) strlen (hosts[0] + stem), run = 1;

  for (; run < n; run++)
    {
      g_autofree char *next = g_strdup_printf ("%0*d", width, first + run);

      if (strncmp (hosts[run], hosts[0], stem) != 0 || !g_str_equal (hosts[run] + stem, next))
        break;
    }
  return run;
}

/* The HOSTS that share the first one's stem, N in all. */
static void
append_stem (GString *list, const char *const *hosts, int n)
{
  gsize stem = length_of_stem (hosts[0]);

  g_string_append_len (list, hosts[0], stem);
  g_string_append_c (list, '[');
  for (int i = 0, run; i < n; i += run)
    {
      run = length_of_run (hosts + i, n - i);
      g_string_append_printf (list, "%s%s", i > 0 ? "," : "", hosts[i] + stem);
      if (run > 1)
        g_string_append_printf (list, "-%s", hosts[i + run - 1] + stem);
    }
  g_string_append_c (list, ']');
}

char *
plg_hosts_contract (const char *const *hosts, int n)
{
  GString *list = g_string_new (NULL);

  for (int i = 0, alike; i < n; i += alike)
    {
      gsize stem = length_of_stem (hosts[i]);

      for (alike = 1; i + alike < n && hosts[i][stem] != '\0'; alike++)
        if (!has_stem (hosts[i + alike], hosts[i], stem))
          break;
      g_string_append (list, i > 0 ? "," : "");
      if (alike > 1)
        append_stem (list, hosts + i, alike);
      else
        g_string_append (list, hosts[i]);
    }
  return g_string_free (list, FALSE);
}

/* The nodes of a plan */

gboolean
plg_hosts_is_attempt (const char *p, const char *end)
{
  for (const char *q = p; q < end; q++)
    if (!g_ascii_isgraph (*q) || strchr (",:;=<>{}\"'", *q) != NULL)
      return FALSE;
  return p < end;
}

/* What NODE is called the ATTEMPT-th time, when somebody called other nodes so before. g_free(). */
static char *
default_name (int node, int attempt)
{
  return attempt == 0 ? g_strdup_printf ("node%d", node)
                      : g_strdup_printf ("node%d-%d", node, attempt);
}

/* The name of NODE, where its trays can be called after it. */
static const char *
name_of_node (const PlgPlan *plan, int node)
{
  const char *name = plg_node_names_get (&plan->node_names, node);
  int trays = plg_cluster_hosts_per_node (&plan->cluster);
  g_autofree char *longest = name != NULL && trays > 1 ? plg_tray_name (name, trays - 1) : NULL;

  return longest == NULL || plg_node_name_check (longest, NULL) ? name : NULL;
}

char **
plg_hosts_of_nodes (const PlgPlan *plan)
{
  int n = plan->cluster.nodes;
  char **hosts = g_new0 (char *, n + 1);
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);

  for (int i = 0; i < n; i++)
    if ((hosts[i] = g_strdup (name_of_node (plan, i))) != NULL)
      g_hash_table_add (taken, hosts[i]);
  for (int i = 0; i < n; i++)
    {
      if (hosts[i] != NULL)
        continue;
      hosts[i] = default_name (i, 0);
      for (int attempt = 1; g_hash_table_contains (taken, hosts[i]); attempt++)
        {
          g_free (hosts[i]);
          hosts[i] = default_name (i, attempt);
        }
      g_hash_table_add (taken, hosts[i]);
    }
  return hosts;
}

char **
plg_hosts_of_plan (const PlgPlan *plan)
{
  int trays = plg_cluster_hosts_per_node (&plan->cluster), n = plan->cluster.nodes * trays;
  g_auto (GStrv) nodes = plg_hosts_of_nodes (plan);
  char **hosts;

  if (trays == 1)
    return g_steal_pointer (&nodes);
  hosts = g_new0 (char *, n + 1);
  for (int i = 0; i < n; i++)
    hosts[i] = plg_tray_name (nodes[i / trays], i % trays);
  return hosts;
}

gboolean
plg_hosts_is_default (const char *host, int node, GHashTable *hosts)
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
plg_hosts_doubt (const char *const *hosts, int n)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (int i = 0; i < n; i++)
    {
      char *small = g_utf8_casefold (hosts[i], -1);
      const char *twin = g_hash_table_lookup (seen, small);

      if (!g_str_is_ascii (hosts[i]))
        {
          g_free (small);
          return g_strdup_printf (_ ("“%s” is a name for people: those of hosts have a to z, "
                                     "digits "
                                     "and “-” alone, and launchers refuse others."),
                                  hosts[i]);
        }
      g_hash_table_insert (seen, small, (gpointer) hosts[i]);
      if (twin != NULL)
        return g_strdup_printf (_ ("“%s” and “%s” are two nodes here; networks that do not tell "
                                   "capitals from small letters take them for one host."),
                                twin, hosts[i]);
    }
  return NULL;
}

static gboolean
check_names (const GPtrArray *hosts, const int *lines, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < hosts->len; i++)
    {
      int line = lines != NULL ? lines[i] : 0;

      if (!plg_node_name_check (hosts->pdata[i], error))
        {
          if (line > 0)
            g_prefix_error (error, "%d: ", line);
          return FALSE;
        }
      if (!g_hash_table_add (seen, hosts->pdata[i]))
        return plg_reading_fail (NULL, line, PLG_FORMAT_ERROR_CONTENT, error,
                                 _ ("“%s” stands twice; each node is listed once."),
                                 (const char *) hosts->pdata[i]);
    }
  return TRUE;
}

/* What the nodes are called, as short as it can be said. */
static void
tell_names (PlgReading *reading, const GPtrArray *hosts, int line)
{
  g_autofree char *list = plg_hosts_contract ((const char *const *) hosts->pdata, (int) hosts->len);
  g_autofree char *shown = plg_format_excerpt (list, SHOWN_NAMES);
  g_autofree char *doubt = plg_hosts_doubt ((const char *const *) hosts->pdata, (int) hosts->len);

  plg_reading_note (reading, PLG_NOTE_UNDERSTOOD, line, _ ("Names of nodes: %s"), shown);
  if (doubt != NULL)
    plg_reading_note (reading, PLG_NOTE_INFERRED, line, "%s", doubt);
}

gboolean
plg_hosts_name_nodes (PlgReading *reading, const GPtrArray *hosts, const int *lines, GError **error)
{
  g_autoptr (GHashTable) all = g_hash_table_new (g_str_hash, g_str_equal);
  GString *list;
  gboolean named;

  if (!check_names (hosts, lines, error))
    return FALSE;
  /* As a list, since names set one by one are each compared with all before. */
  list = g_string_new (NULL);
  for (guint i = 0; i < hosts->len; i++)
    g_hash_table_add (all, hosts->pdata[i]);
  for (guint i = 0; i < hosts->len; i++)
    if (!plg_hosts_is_default (hosts->pdata[i], (int) i, all))
      g_string_append_printf (list, "%s%u=%s", list->len > 0 ? "," : "", i,
                              (const char *) hosts->pdata[i]);
  named = plg_node_names_from_string (&reading->plan->node_names, list->str, error);
  if (named && hosts->len > 0)
    tell_names (reading, hosts, lines != NULL ? lines[0] : 0);
  g_string_free (list, TRUE);
  return named;
}
