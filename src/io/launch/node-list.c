/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/format-private.h"
#include "io/placement/host-names.h"
#include "io/placement/multi-host-nodes.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A plain list of hosts: one a line, or with commas and brackets, as "scontrol show hostnames" and
 * $SLURM_JOB_NODELIST have it; or the table that Slurm's sinfo prints. A host that stands there
 * twice makes it a list of ranks, which is another format. */

/* A table repeats a node for each partition; so often, a few bytes would be much work. */
#define MAX_NAMED (16 * PLG_MAX_NODES)

typedef struct
{
  GPtrArray *hosts;
  GArray *lines;
  GHashTable *seen; /* in a table, which names a node once for each of its partitions */
  int column;       /* of the table, where the hosts stand; -1: it is no table */
  int state;        /* the same of their states */
  guint named;      /* nodes of the table, with those that it repeats */
  int lost;         /* nodes that the table says are not up, */
  int first_lost;   /* first in this line */
} List;

static const char *const hosts_titles[] = { "NODELIST", "HOSTNAMES", NULL };
static const char *const state_titles[] = { "STATE", NULL };

/* Where in LINE one of the TITLES stands as a word, counted in words; -1: nowhere. */
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

/* The word of LINE in COLUMN; NULL: it has none. g_free(). */
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

/* States of Slurm in which a node takes no jobs (man 1 sinfo, “NODE STATE CODES”). */
static gboolean
is_unavailable_row (const List *list, const char *line)
{
  static const char *const states[] = { "down", "drain", "drng", "fail", "maint", "unk", NULL };
  g_autofree char *state = list->state >= 0 ? word_at (line, list->state) : NULL;

  for (int i = 0; state != NULL && states[i] != NULL; i++)
    if (g_str_has_prefix (state, states[i]))
      return TRUE;
  return FALSE;
}

static gboolean
read_row (List *list, int line, const char *text, GError **error)
{
  g_autofree char *hosts = word_at (text, list->column);
  guint before = list->hosts->len;

  /* A partition without nodes; the head again, for the next time it was printed. */
  if (hosts == NULL || g_str_equal (hosts, "n/a") || g_strv_contains (hosts_titles, hosts))
    return TRUE;
  if (!plg_host_names_expand (list->hosts, hosts, (int) before + PLG_MAX_NODES, line, error))
    return FALSE;
  list->named += list->hosts->len - before;
  if (list->named > MAX_NAMED)
    return plg_import_fail (NULL, line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The table lists more than the limit of %d nodes, counting "
                               "repeated ones."),
                            MAX_NAMED);

  /* Keeps what was added from BEFORE on, if it is new. */
  guint kept = before;

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
    return plg_import_fail (NULL, line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("There are more hosts than the limit of %d."),
                            PLG_MAX_NODES);
  if (is_unavailable_row (list, text) && list->hosts->len > before)
    {
      list->first_lost = list->lost == 0 ? line : list->first_lost;
      list->lost += (int) (list->hosts->len - before);
    }
  return TRUE;
}

/* Where the comment of the line from P to END begins, which stands behind a space or alone; END:
 * nowhere. */
static const char *
find_comment (const char *p, const char *end)
{
  for (const char *q = p; q < end; q++)
    if (*q == '#' && (q == p || g_ascii_isspace (q[-1])))
      return q;
  return end;
}

static gboolean
read_lines (PlgImportContext *context, List *list, GError **error)
{
  g_autofree char **lines = plg_import_lines (context, error);

  if (lines == NULL)
    return FALSE;
  for (int i = 0; lines[i] != NULL; i++)
    {
      int line = i + 1;
      char *text = lines[i];

      text[find_comment (text, text + strlen (text)) - text] = '\0';
      g_strstrip (text);
      if (*text != '\0')
        {
          if (list->column < 0 && list->hosts->len == 0)
            {
              list->column = column_of (text, hosts_titles);
              list->state = column_of (text, state_titles);
            }
          if (list->column >= 0)
            {
              if (!read_row (list, line, text, error))
                return FALSE;
            }
          else if (!plg_host_names_expand (list->hosts, text, PLG_MAX_NODES, line, error))
            return FALSE;
        }

      while (list->lines->len < list->hosts->len)
        g_array_append_val (list->lines, line);
    }
  if (list->hosts->len > 0)
    return TRUE;
  return plg_import_fail (context, 0, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("No host is listed; write one host per line, or node[0-7]."));
}

static gboolean
make_nodes (PlgImportContext *context, List *list, GError **error)
{
  const int *lines = (const int *) list->lines->data;

  if (!plg_multi_host_set_hosts (context, list->hosts, lines, error))
    return FALSE;
  if (list->lost > 0)
    plg_import_note (context, PLG_NOTE_INFERRED, list->first_lost,
                     _ ("Nodes that are down or drained: %d. They are counted too."),
                     list->lost);
  return TRUE;
}

static gboolean
read_list (PlgImportContext *context, GError **error)
{
  List list = { .hosts = g_ptr_array_new_with_free_func (g_free),
                .lines = g_array_new (FALSE, TRUE, sizeof (int)),
                .seen = g_hash_table_new (g_str_hash, g_str_equal),
                .column = -1,
                .state = -1 };
  gboolean read = read_lines (context, &list, error) && make_nodes (context, &list, error);

  g_hash_table_unref (list.seen);
  g_array_unref (list.lines);
  g_ptr_array_unref (list.hosts);
  return read;
}

/* Telling it from others: many texts have one word a line. */

/* Whether the word from P to END can be hosts. A number alone is none. */
static gboolean
is_word_of_hosts (const char *p, const char *end)
{
  int letters = 0, dots = 0;

  for (const char *q = p; q < end; q++)
    {
      if (!g_ascii_isalnum (*q) && strchr ("-._[],", *q) == NULL && (guchar) *q < 0x80)
        return FALSE;
      letters += g_ascii_isalpha (*q) || (guchar) *q >= 0x80;
      dots += *q == '.';
    }
  return p < end && (letters > 0 || dots == 3);
}

/* Whether the words between the commas all begin with a letter and have a number, as the names of
 * nodes do that Slurm lists, a line for each partition: a table of values has others. */
static gboolean
has_numbered_words (const char *p, const char *end)
{
  gboolean numbered = FALSE, begins = TRUE;

  for (int depth = 0; p < end; p++)
    {
      depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
      if (begins && !g_ascii_isalpha (*p))
        return FALSE;
      begins = *p == ',' && depth == 0;
      if (begins && !numbered)
        return FALSE;
      numbered = !begins && (numbered || g_ascii_isdigit (*p));
    }
  return numbered;
}

/* Whether all lines are hosts, with commas in one line only or between numbered names, else it is a
 * table of values; and no line is there twice. Of the lines up to half may be what no host is
 * called: that is said of them when they are read. */
static gboolean
has_lines_of_hosts (const char *data, const char *end)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int lines = 0, lists = 0, values = 0, single = 0, odd = 0;

  while (data < end)
    {
      const char *newline = memchr (data, '\n', end - data);
      const char *stop = newline != NULL ? newline : end, *next = newline != NULL ? stop + 1 : end;

      stop = find_comment (data, stop);
      while (stop > data && g_ascii_isspace (stop[-1]))
        stop--;
      while (data < stop && g_ascii_isspace (*data))
        data++;
      if (data < stop)
        {
          /* Commas outside brackets. */
          const char *p = data;
          int commas = 0;

          for (int depth = 0; p < stop; p++)
            {
              depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
              commas += *p == ',' && depth == 0;
            }

          gboolean good = is_word_of_hosts (data, stop);

          if ((!good && !plg_host_names_is_candidate (data, stop)) ||
              !g_hash_table_add (seen, g_strndup (data, stop - data)))
            return FALSE;
          lines++;
          odd += !good;
          lists += commas > 0;
          values += commas > 0 && !has_numbered_words (data, stop);
          single += commas == 0 && memchr (data, '[', stop - data) == NULL;
        }
      data = next;
    }
  return lines > 0 && odd * 2 <= lines && (values == 0 || lines == 1) &&
         (lines > 1 || lists > 0 || single == 0);
}

static gboolean
is_list (const char *data, gsize size)
{
  const char *newline = memchr (data, '\n', size);
  g_autofree char *head = g_strndup (data, newline != NULL ? newline - data : MIN (size, 1024));

  return (newline != NULL && newline - data < 1024 && column_of (head, hosts_titles) >= 0) ||
         has_lines_of_hosts (data, data + size);
}

const PlgFormat plg_node_list_format = {
  .name = "node-list",
  .suffix = ".txt",
  .title = N_ ("Nodes of a cluster (list of hosts)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .is = is_list,
  .read = read_list,
};
