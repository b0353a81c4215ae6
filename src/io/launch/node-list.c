/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/host-names.h"
#include "io/placement/multi-host-nodes.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads a list of hosts, one per line or with commas and brackets ("scontrol show hostnames",
 * $SLURM_JOB_NODELIST), or the table that Slurm's sinfo prints. A list that repeats a host is
 * not detected as this format, because such a list assigns ranks to hosts. */

/* The maximum number of nodes in a table, which lists a node once for each of its partitions. */
#define MAX_NAMED (16 * PLG_MAX_NODES)

typedef struct
{
  GPtrArray *hosts;
  GHashTable *seen;      /* set of the hosts seen so far in a table, which may repeat hosts */
  int column;            /* column of the hosts in a table; -1 for a plain list */
  int state;             /* column of the node states in a table; -1 if the table has no such
                            column */
  guint named;           /* number of nodes in the table, counting repeated ones */
  int unavailable;       /* number of nodes that the table lists as unavailable */
  int first_unavailable; /* line of the first unavailable node */
} List;

static const char *const hosts_titles[] = { "NODELIST", "HOSTNAMES", NULL };
static const char *const state_titles[] = { "STATE", NULL };

/* Returns the index of the first word of LINE that is in TITLES, or -1. */
static int
column_of (const char *line, const char *const *titles)
{
  g_auto (GStrv) words = g_strsplit_set (line, " \t", -1);
  int column = 0;

  for (int i = 0; words[i] != NULL; i++)
    {
      if (g_strv_contains (titles, words[i]))
        return column;
      column += *words[i] != '\0';
    }
  return -1;
}

/* Returns the word of LINE with index COLUMN, or NULL; free with g_free(). */
static char *
word_at (const char *line, int column)
{
  for (int i = 0;; i++)
    {
      gsize n;

      line += strspn (line, " \t");
      n = strcspn (line, " \t");
      if (n == 0)
        return NULL;
      if (i == column)
        return g_strndup (line, n);
      line += n;
    }
}

/* Prefixes of the states in which a node accepts no jobs (sinfo(1), “NODE STATE CODES”). */
static const char *const unavailable_states[] = { "down", "drain", "drng", "fail", "maint", "unk" };

static gboolean
read_row (List *list, int line, const char *text, GError **error)
{
  g_autofree char *hosts = word_at (text, list->column);
  g_autofree char *state = list->state >= 0 ? word_at (text, list->state) : NULL;
  gboolean is_unavailable = FALSE;
  guint before = list->hosts->len, kept = before;

  /* Skip partitions without nodes and repeated headings. */
  if (hosts == NULL || g_str_equal (hosts, "n/a") || g_strv_contains (hosts_titles, hosts))
    return TRUE;
  if (!plg_host_names_expand (list->hosts, hosts, (int) before + PLG_MAX_NODES, line, error))
    return FALSE;
  list->named += list->hosts->len - before;
  if (list->named > MAX_NAMED)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The table lists more than the limit of %d nodes, counting "
                               "repeated ones."),
                            MAX_NAMED);
  /* Keep only the hosts that no earlier row of the table lists. */
  for (guint i = before; i < list->hosts->len; i++)
    if (!g_hash_table_contains (list->seen, list->hosts->pdata[i]))
      {
        gpointer host = list->hosts->pdata[i];

        g_hash_table_add (list->seen, host);
        list->hosts->pdata[i] = list->hosts->pdata[kept];
        list->hosts->pdata[kept++] = host;
      }
  g_ptr_array_set_size (list->hosts, (int) kept);
  if (list->hosts->len > PLG_MAX_NODES)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("There are more hosts than the limit of %d."), PLG_MAX_NODES);
  for (guint i = 0; state != NULL && i < G_N_ELEMENTS (unavailable_states); i++)
    is_unavailable |= g_str_has_prefix (state, unavailable_states[i]);
  if (is_unavailable && list->hosts->len > before)
    {
      list->first_unavailable = list->unavailable == 0 ? line : list->first_unavailable;
      list->unavailable += (int) (list->hosts->len - before);
    }
  return TRUE;
}

/* Returns the start of the comment in the line from P to END: a # at the start of the line or
 * after a space. Returns END if there is no comment. */
static const char *
find_comment (const char *p, const char *end)
{
  for (const char *q = p; q < end; q++)
    if (*q == '#' && (q == p || g_ascii_isspace (q[-1])))
      return q;
  return end;
}

static gboolean
read_list (PlgImportContext *context, GError **error)
{
  g_autofree char **lines = plg_text_lines (context->data, context->size, error);
  g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) host_lines = g_array_new (FALSE, TRUE, sizeof (int));
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  List list = { .hosts = hosts, .seen = seen, .column = -1, .state = -1 };

  if (lines == NULL)
    return FALSE;
  for (int i = 0; lines[i] != NULL; i++)
    {
      int line = i + 1;
      char *text = lines[i];

      text[find_comment (text, text + strlen (text)) - text] = '\0';
      g_strstrip (text);
      if (*text == '\0')
        continue;
      if (list.column < 0 && hosts->len == 0)
        {
          list.column = column_of (text, hosts_titles);
          list.state = column_of (text, state_titles);
        }
      if (list.column >= 0 ? !read_row (&list, line, text, error)
                           : !plg_host_names_expand (hosts, text, PLG_MAX_NODES, line, error))
        return FALSE;
      while (host_lines->len < hosts->len)
        g_array_append_val (host_lines, line);
    }
  if (hosts->len == 0)
    return plg_format_fail (0, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("No host is listed; write one host per line, or node[0-7]."));
  if (!plg_multi_host_set_hosts (context, hosts, (const int *) host_lines->data, error))
    return FALSE;
  if (list.unavailable > 0)
    plg_import_note (context, PLG_NOTE_INFERRED, list.first_unavailable,
                     _ ("Nodes that are down or drained: %d. They are counted too."),
                     list.unavailable);
  return TRUE;
}

/* Detection. Many other kinds of text also have one word per line, so the checks are strict. */

/* Returns whether each comma-separated word begins with a letter and contains a digit. Slurm's
 * node names have this form, but the words in a table of values do not. */
static gboolean
has_numbered_words (const char *p, const char *end)
{
  gboolean has_digit = FALSE, is_start = TRUE;

  for (int depth = 0; p < end; p++)
    {
      depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
      if (is_start && !g_ascii_isalpha (*p))
        return FALSE;
      is_start = *p == ',' && depth == 0;
      if (is_start && !has_digit)
        return FALSE;
      has_digit = !is_start && (has_digit || g_ascii_isdigit (*p));
    }
  return has_digit;
}

/* Returns whether DATA is a table from sinfo or a list of hosts without duplicates. If the list has
 * several lines, one line may have several hosts only if their names contain numbers, such as
 * "node1,node2". Up to half of the lines may be invalid host names; the reader reports them. */
static gboolean
is_list (const char *data, gsize size)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int lines = 0, lists = 0, values = 0, single = 0, invalid = 0;
  const char *end = data + size, *newline = memchr (data, '\n', size);
  g_autofree char *head = g_strndup (data, newline != NULL ? newline - data : MIN (size, 1024));

  if (newline != NULL && newline - data < 1024 && column_of (head, hosts_titles) >= 0)
    return TRUE;
  for (const char *next; data < end; data = next)
    {
      const char *stop;
      gboolean is_valid;
      int commas = 0; /* number of commas outside brackets */

      newline = memchr (data, '\n', end - data);
      next = newline != NULL ? newline + 1 : end;
      stop = find_comment (data, newline != NULL ? newline : end);
      while (stop > data && g_ascii_isspace (stop[-1]))
        stop--;
      while (data < stop && g_ascii_isspace (*data))
        data++;
      if (data == stop)
        continue;
      is_valid = plg_host_names_is_word (data, stop, "-._[],");
      if ((!is_valid && !plg_host_names_is_candidate (data, stop)) ||
          !g_hash_table_add (seen, g_strndup (data, stop - data)))
        return FALSE;
      for (int i = 0, depth = 0; data + i < stop; i++)
        {
          depth += data[i] == '[' ? 1 : data[i] == ']' ? -1 : 0;
          commas += data[i] == ',' && depth == 0;
        }
      lines++;
      invalid += !is_valid;
      lists += commas > 0;
      values += commas > 0 && !has_numbered_words (data, stop);
      single += commas == 0 && memchr (data, '[', stop - data) == NULL;
    }
  return lines > 0 && invalid * 2 <= lines && (values == 0 || lines == 1) &&
         (lines > 1 || lists > 0 || single == 0);
}

const PlgFormat plg_node_list_format = {
  .name = "node-list",
  .suffix = ".txt",
  .title = N_ ("Nodes of a cluster (list of hosts)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .is = is_list,
  .read = read_list,
};
