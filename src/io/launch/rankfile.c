/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/host-names.h"
#include "io/launch/launch-script.h"
#include "io/placement/launch-placement.h"
#include "io/placement/rank-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Open MPI's rankfile, with lines such as "rank 0=node0 slot=0:0-5" (mpirun(1), "Rankfiles").
 * Slots are cores. The reader uses them only to assign the GPUs of a node to ranks in the order
 * of their slots. */

#define MAX_CORE 100000
#define MAX_ITEMS 1000 /* maximum number of items in a list of slots */
#define SHOWN_CHARACTERS 60

/* Overlaps */

/* A range of cores to which a rank is bound. */
typedef struct
{
  int host;    /* number of the host in the rank table, or -2 - N if the file writes the host as
                  "+nN" (node number N) */
  int package; /* -1 if the cores are numbered across all packages */
  int first, last;
  int rank, line;
} Binding;

static int
read_core (const char *p, char **end)
{
  guint64 core = g_ascii_strtoull (p, end, 10);

  return (int) MIN (core, MAX_CORE - 1);
}

static int
compare_bindings_cb (gconstpointer a, gconstpointer b)
{
  const Binding *one = a, *other = b;

  if (one->host != other->host)
    return one->host - other->host;
  if (one->package != other->package)
    return one->package - other->package;
  return one->first != other->first ? one->first - other->first : one->line - other->line;
}

/* Adds a note about the first two ranks that share a core. */
static void
note_overlap (GArray *bindings, PlgImportContext *context)
{
  const Binding *widest = NULL;

  g_array_sort (bindings, compare_bindings_cb);
  for (guint i = 0; i < bindings->len; i++)
    {
      const Binding *next = &g_array_index (bindings, Binding, i);
      gboolean is_same_package = widest != NULL && widest->host == next->host &&
                                 widest->package == next->package;

      if (is_same_package && next->first <= widest->last && next->rank != widest->rank)
        {
          plg_import_note (context, PLG_NOTE_INFERRED, next->line,
                           _ ("The slots of rank %d and rank %d (line %d) overlap: Open MPI 4 "
                              "binds both ranks to the same cores, but Open MPI 5 rejects this. "
                              "Their GPUs are assigned in the order of their first cores."),
                           next->rank, widest->rank, widest->line);
          return;
        }
      if (!is_same_package || next->last > widest->last)
        widest = next;
    }
}

/* Lines */

/* Reads the line that MATCH matched. Its slots have the syntax "0:0-5,8;1:0"; items with any
 * other syntax do not bind the rank to a core. */
static gboolean
read_rank (const PlgImportContext *context,
           PlgRankTable *table,
           GArray *bindings,
           int line,
           const GMatchInfo *match,
           GError **error)
{
  g_autofree char *number = g_match_info_fetch (match, 1);
  g_autofree char *host = g_match_info_fetch (match, 2);
  g_autofree char *slots = g_match_info_fetch (match, 3);
  g_auto (GStrv) items = g_strsplit_set (slots != NULL ? slots : "", ",;", MAX_ITEMS);
  PlgRankRow row = plg_rank_row (line);
  Binding binding = { .package = -1, .line = line };
  gint64 rank, node;

  if (!g_ascii_string_to_signed (number, 10, 0, PLG_MAX_GPUS - 1, &rank, NULL))
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("Rank %s is too high for a plan; ranks must be from 0 to %d."),
                            number, PLG_MAX_GPUS - 1);
  row.rank = binding.rank = (int) rank;
  if (host[0] != '+')
    {
      if (!plg_rank_table_host (table, context, line, host, &row.host, error))
        return FALSE;
    }
  else if (!g_ascii_string_to_signed (host + 2, 10, 0, PLG_MAX_NODES - 1, &node, NULL))
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” is not a node; nodes must be from +n0 to +n%d."), host,
                            PLG_MAX_NODES - 1);
  else
    row.node = (int) node;

  binding.host = row.host >= 0 ? row.host : -2 - row.node;
  for (int i = 0; items[i] != NULL; i++)
    {
      char *item = g_ascii_isalpha (*items[i]) ? items[i] + 1 : items[i], *end;
      char *colon = strchr (item, ':'), *cores = colon != NULL ? colon + 1 : item;
      int first = read_core (item, &end);

      if (colon != NULL)
        binding.package = MIN (first, 1000);
      /* Compute the sort key of the slots: package × MAX_CORE + first core. Text that is not a
       * number is read as 0. */
      if (i == 0)
        row.slot = *end == ':' ? binding.package * MAX_CORE + read_core (cores, NULL) : first;
      binding.first = binding.last = read_core (cores, &end);
      if (*cores == '*')
        {
          binding.last = MAX_CORE - 1;
          end = cores + 1;
        }
      else if (end > cores && *end == '-')
        binding.last = read_core (end + 1, &end);
      if (end > cores && *end == '\0')
        g_array_append_val (bindings, binding);
    }
  return plg_rank_table_add (table, context, &row, error);
}

static gboolean
read_rankfile (PlgImportContext *context, GError **error)
{
  g_autofree char **lines = plg_text_lines (context->data, context->size, error);
  g_autoptr (GRegex) pattern = g_regex_new ("^rank[ \\t]+(\\d+)[ \\t]*=[ "
                                            "\\t]*(\\+[nN]\\d+|[^\\s=#]+)"
                                            "(?:[ \\t]+slots?[ \\t]*=[ \\t]*([^\\s#]+))?"
                                            "[ \\t]*(?:#.*|//.*)?$",
                                            0, 0, NULL);
  g_autoptr (GArray) bindings = g_array_new (FALSE, FALSE, sizeof (Binding));
  g_auto (PlgRankTable) table = { 0 };

  if (lines == NULL)
    return FALSE;
  plg_rank_table_init (&table);
  table.guess =
      _ ("The slots are assumed to be CPU cores: on each node, the rank with the lowest core "
         "uses the first GPU, and so on.");
  for (int i = 0; lines[i] != NULL; i++)
    {
      const char *text = lines[i] + strspn (lines[i], " \t\n\f\r");
      g_autofree char *shown = plg_text_excerpt (text, SHOWN_CHARACTERS);
      g_autoptr (GMatchInfo) match = NULL;

      if (*text == '#')
        plg_rank_table_comment (&table, i + 1, text);
      if (*text == '\0' || *text == '#' || g_str_has_prefix (text, "//"))
        continue;
      if (!g_regex_match (pattern, text, 0, &match))
        return plg_format_fail (i + 1, PLG_FORMAT_ERROR_SYNTAX, error,
                                _ ("“%s” is not a line of a rankfile; it must look like rank "
                                   "0=node0 slot=0:0-5."),
                                shown);
      if (!read_rank (context, &table, bindings, i + 1, match, error))
        return FALSE;
    }
  note_overlap (bindings, context);
  for (guint i = 1; i < table.rows->len; i++)
    {
      const PlgRankRow *row = &g_array_index (table.rows, PlgRankRow, i);

      if ((row->host < 0) != (row[-1].host < 0))
        return plg_format_fail (row->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("Some hosts are names and others are numbers (+n0); use one or "
                                   "the other for all."));
    }
  return plg_rank_table_import (&table, context, error);
}

static gboolean
is_rankfile (const char *data, gsize size)
{
  g_autofree char *line = plg_launch_first_line (data, size);

  return g_regex_match_simple ("^rank[ \\t]+\\d+[ \\t]*=", line, G_REGEX_RAW, 0);
}

static GBytes *
write_rankfile (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  int gpus = plg_cluster_host_gpus (&plan->cluster);
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  GString
      *text = g_string_new ("# Slots are cores, here the core with the number of the GPU. Change "
                            "them to ranges such as 0-5.\n");

  plg_launch_script_nodes (text, plan);
  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    {
      int gpu = plg_placement_gpu (&plan->placement, rank);

      g_string_append_printf (text, "rank %d=%s slot=%d\n", rank, hosts[gpu / gpus], gpu % gpus);
    }
  return plg_take_text (g_string_free (text, FALSE));
}

const PlgFormat plg_rankfile_format = {
  .name = "rankfile",
  .suffix = ".rankfile",
  .title = N_ ("Rankfile for Open MPI"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .needs_names = TRUE,
  .sign = "slot=",
  .is = is_rankfile,
  .read = read_rankfile,
  .write = write_rankfile,
};
