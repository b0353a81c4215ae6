/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/host-names.h"
#include "io/launch/launch-script.h"
#include "io/placement/launch-placement.h"
#include "io/placement/rank-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads and writes two kinds of host lists that place ranks. Slurm's list ("SLURM_HOSTFILE" in
 * srun(1)) has one host per task, separated by newlines or commas; "host*4" places four tasks on
 * a host. The reader also accepts brackets such as "node[0-3]", although srun 22.05 rejects them
 * in this file. The list for MPI and DeepSpeed has one host per line, "node0 slots=8" or
 * "node0:8", and ranks fill one host after another. If a host is repeated, Open MPI counts each
 * line as a slot but rejects "slots=", MPICH adds up the numbers after the colons, and DeepSpeed
 * rejects the list. */

#define SHOWN_CHARACTERS 40
/* The first line of a Slurm host list that this program writes. It distinguishes the file from a
 * plain list of nodes. */
#define SLURM_SIGN "# SLURM_HOSTFILE"

/* How a line states the number of slots of its host. */
typedef enum
{
  SLOTS_DEFAULT, /* no number of slots, which means one slot */
  SLOTS_COLON,   /* written "node0:8" */
  SLOTS_WORD,    /* written "node0 slots=8" */
} SlotsForm;

/* The first line that lists a host. */
typedef struct
{
  int line; /* line number; 0 if the host has no line yet */
  gint64 slots;
  SlotsForm form;
} HostEntry;

typedef struct
{
  PlgRankTable table;
  GArray *entries; /* HostEntry, indexed by host number; only for lists with slots */
} HostFile;

/* Places the next N ranks on HOST. */
static gboolean
add_ranks (PlgRankTable *table,
           const PlgImportContext *context,
           int line,
           const char *host,
           gint64 n,
           GError **error)
{
  PlgRankRow row = plg_rank_row (line);

  if (!plg_rank_table_host (table, context, line, host, &row.host, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      row.rank = (int) table->rows->len;
      if (!plg_rank_table_add (table, context, &row, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_count (const PlgImportContext *context,
            int line,
            const char *text,
            gint64 *count,
            GError **error)
{
  g_autofree char *shown = plg_text_excerpt (text, SHOWN_CHARACTERS);

  return g_ascii_string_to_signed (text, 10, 1, PLG_MAX_GPUS, count, NULL) ||
         plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("“%s” is not a number of ranks; it must be from 1 to %d."), shown,
                          PLG_MAX_GPUS);
}

/* Removes the comment and the leading and trailing spaces from LINE, in place. */
static char *
strip_line (char *line)
{
  char *comment = strchr (line, '#');

  if (comment != NULL)
    *comment = '\0';
  return g_strstrip (line);
}

typedef gboolean (*ReadLine) (HostFile *file,
                              PlgImportContext *context,
                              int line,
                              const char *text,
                              GError **error);

static gboolean
read_lines (PlgImportContext *context, ReadLine read_line, const char *guess, GError **error)
{
  g_autofree char **lines = plg_text_lines (context->data, context->size, error);
  HostFile file = { .entries = g_array_new (FALSE, TRUE, sizeof (HostEntry)) };
  gboolean read = lines != NULL;

  plg_rank_table_init (&file.table);
  file.table.guess = guess;
  for (int i = 0; read && lines[i] != NULL; i++)
    {
      const char *text;

      plg_rank_table_comment (&file.table, i + 1, lines[i]);
      text = strip_line (lines[i]);
      read = *text == '\0' || read_line (&file, context, i + 1, text, error);
    }
  read = read && plg_rank_table_import (&file.table, context, error);
  plg_rank_table_clear (&file.table);
  g_array_unref (file.entries);
  return read;
}

/* Slurm */

/* Returns the end of the item at P: the next comma outside brackets or the end of the string. */
static const char *
item_end (const char *p)
{
  for (int depth = 0; *p != '\0' && (*p != ',' || depth > 0); p++)
    depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
  return p;
}

/* Reads the comma-separated items of a line, such as "node0", "node[0-3]" or "node0*4" for four
 * tasks. */
static gboolean
read_tasks (HostFile *file, PlgImportContext *context, int line, const char *text, GError **error)
{
  while (*text != '\0')
    {
      const char *end = item_end (text);
      g_autofree char *item = g_strstrip (g_strndup (text, end - text));
      g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);
      char *times = strchr (item, '*');
      gint64 n = 1;

      if (times != NULL)
        *times = '\0';
      if (times != NULL && !read_count (context, line, times + 1, &n, error))
        return FALSE;
      if ((times != NULL || *item != '\0') &&
          !plg_host_names_expand (hosts, item, PLG_MAX_GPUS, line, error))
        return FALSE;
      for (guint i = 0; i < hosts->len; i++)
        if (!add_ranks (&file->table, context, line, hosts->pdata[i], n, error))
          return FALSE;
      text = *end == ',' ? end + 1 : end;
    }
  return TRUE;
}

static gboolean
read_slurm (PlgImportContext *context, GError **error)
{
  return read_lines (context, read_tasks,
                     _ ("The file gives the node of each rank, but not its GPU; the ranks of a "
                        "node use its GPUs in order."),
                     error);
}

/* Returns whether DATA is Slurm's host list rather than a list of nodes. A host list repeats a
 * host, possibly in the form "host*4", or contains the comment that the writer adds. Up to half
 * of the lines may be invalid host names, or all lines if the file has the writer's comment; the
 * reader reports them. */
static gboolean
is_slurm (const char *data, gsize size)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean is_repeated = FALSE, has_sign = FALSE;
  int lines = 0, odd = 0;

  for (const char *p = data, *limit = data + size; p < limit;)
    {
      const char *newline = memchr (p, '\n', limit - p);
      g_autofree char *line = g_strndup (p, (newline != NULL ? newline : limit) - p);
      const char *text, *item, *end;

      p = newline != NULL ? newline + 1 : limit;
      has_sign = has_sign || g_str_has_prefix (line, SLURM_SIGN);
      text = strip_line (line);
      lines += *text != '\0';
      for (item = text; *item != '\0'; item = *end == ',' ? end + 1 : end)
        {
          end = item_end (item);
          while (g_ascii_isspace (*item))
            item++;
          if (end <= item)
            continue;
          if (!plg_host_names_is_word (item, end, "-._[]*,"))
            break;
          if (memchr (item, '*', end - item) != NULL ||
              !g_hash_table_add (seen, g_strndup (item, end - item)))
            is_repeated = TRUE;
        }
      if (*item != '\0' && !plg_host_names_is_candidate (text, text + strlen (text)))
        return FALSE;
      odd += *item != '\0';
    }
  return has_sign || (is_repeated && odd * 2 <= lines);
}

static gboolean
can_place_by_slurm (const PlgPlan *plan, GError **error)
{
  return plg_launch_check_gpu_order (plan, _ ("Host file for Slurm"), error);
}

static GBytes *
write_slurm (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  GString *text = g_string_new (SLURM_SIGN ": the hosts of all ranks in their order\n");

  plg_launch_script_nodes (text, plan);
  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    g_string_append_printf (text, "%s\n", hosts[plg_launch_host_of_rank (plan, rank)]);
  return plg_take_text (g_string_free (text, FALSE));
}

const PlgFormat plg_slurm_hostfile_format = {
  .name = "slurm-hostfile",
  .suffix = ".hosts",
  .title = N_ ("Hosts of all ranks, for SLURM_HOSTFILE"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .needs_names = TRUE,
  .is = is_slurm,
  .read = read_slurm,
  .can_place = can_place_by_slurm,
  .write = write_slurm,
};

/* MPI and DeepSpeed */

/* Reads a host and its options. If an earlier line lists the same host, adds up the slots. Fails
 * if these lines use "slots=" or differ in how they state the slots. Splits words one by one,
 * because a line may have millions of words. */
static gboolean
read_words (HostFile *file, PlgImportContext *context, int line, const char *text, GError **error)
{
  g_autofree char *words = g_strdup (text);
  char *rest = words, *host = strsep (&rest, " \t"), *colon = strrchr (host, ':');
  const char *word;
  HostEntry entry = { line, 1, SLOTS_DEFAULT }, *first;
  int number;

  if (colon != NULL)
    {
      *colon = '\0';
      entry.form = SLOTS_COLON;
      if (!read_count (context, line, colon + 1, &entry.slots, error))
        return FALSE;
    }
  while ((word = strsep (&rest, " \t")) != NULL)
    {
      g_autofree char *shown = plg_text_excerpt (word, SHOWN_CHARACTERS);

      if (g_str_has_prefix (word, "slots="))
        {
          entry.form = SLOTS_WORD;
          if (!read_count (context, line, word + strlen ("slots="), &entry.slots, error))
            return FALSE;
        }
      else if (*word != '\0')
        plg_import_note (context, PLG_NOTE_IGNORED, line, _ ("“%s” is not needed here"), shown);
    }

  if (!plg_rank_table_host (&file->table, context, line, host, &number, error))
    return FALSE;
  if (file->entries->len <= (guint) number)
    g_array_set_size (file->entries, number + 1);
  first = &g_array_index (file->entries, HostEntry, number);
  if (first->line == 0)
    *first = entry;
  else if (first->form != entry.form || entry.form == SLOTS_WORD)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” is already on line %d; Open MPI and DeepSpeed reject "
                               "repeated hosts. Write one line with all of its slots."),
                            host, first->line);
  else if (entry.form == SLOTS_COLON)
    plg_import_note (context, PLG_NOTE_INFERRED, line,
                     _ ("“%s” is on line %d with %d slots and here with %d; the slots were added "
                        "up, as in MPICH."),
                     host, first->line, (int) first->slots, (int) entry.slots);
  return add_ranks (&file->table, context, line, host, entry.slots, error);
}

static gboolean
read_slots (PlgImportContext *context, GError **error)
{
  return read_lines (context, read_words,
                     _ ("The file gives only nodes and slots; the ranks fill the nodes one "
                        "after another and use the GPUs of a node in order."),
                     error);
}

/* Returns whether the first line is "NAME slots=N" or "NAME:N"; the reader checks NAME. The
 * quantifiers are possessive, so that PCRE does not backtrack over the millions of words that a
 * line may have. */
static gboolean
is_slots (const char *data, gsize size)
{
  g_autofree char *line = plg_launch_first_line (data, size);

  return g_regex_match_simple ("^(?:(?:-[^\\s:]++|[^\\s:=]++):\\d+[ \\t]*(?:#.*)?$|[^\\s:]++[ "
                               "\\t]++"
                               "(?:(?!slots=)[\\w-]++=\\w++[ \\t]++)*+slots=)",
                               line, G_REGEX_RAW, 0);
}

static gboolean
can_place_by_slots (const PlgPlan *plan, GError **error)
{
  const char *format = _ ("A file of hosts and slots");

  return plg_launch_check_blocks (plan, format, error) &&
         plg_launch_check_gpu_order (plan, format, error);
}

static GBytes *
write_slots (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  g_autofree int *host_of_block = plg_launch_host_of_blocks (plan);
  GString *text = g_string_new (NULL);

  plg_launch_script_nodes (text, plan);
  for (int i = 0; i < plg_cluster_hosts (&plan->cluster); i++)
    g_string_append_printf (text, "%s slots=%d\n", hosts[host_of_block[i]],
                            plg_cluster_host_gpus (&plan->cluster));
  return plg_take_text (g_string_free (text, FALSE));
}

const PlgFormat plg_hostfile_format = {
  .name = "hostfile",
  .suffix = ".hostfile",
  .title = N_ ("Hosts and slots, for MPI and DeepSpeed"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .needs_names = TRUE,
  .sign = "slots=",
  .is = is_slots,
  .read = read_slots,
  .can_place = can_place_by_slots,
  .write = write_slots,
};
