/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/topology/node-type-guess.h"
#include "io/topology/nvidia-smi-row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads the output of `nvidia-smi topo -m`: a table of the paths between GPUs and NICs. Tabs or
 * spaces separate the cells. A terminal may have broken lines anywhere, so the reader ignores
 * line breaks and takes a row's name and then one word per column. Any text can surround the
 * table. */

#define MAX_COLUMNS (PLG_MAX_GPUS_PER_NODE + PLG_MAX_NODE_NICS)
#define SHOWN_CHARACTERS 20

/* The cells after the paths in a row: the CPUs, the NUMA node, and the NUMA node of the GPU's
 * memory. Each of them can be empty. */
typedef struct
{
  int words;
  gboolean has_all_tabs; /* whether the row has tabs up to the last column */
  gboolean has_cpus;     /* whether the cells begin with a list of CPUs */
  gboolean ends_with_na; /* whether the cells end with "N/A" */
  char *last;            /* the last word of the row; owned */
} TrailingCells;

typedef struct
{
  PlgImportContext *context;
  char **lines;
  int at;               /* the index of the next line */
  PlgNvidiaSmiRow head; /* the names of the columns with paths; GPUs first */
  int gpus;             /* the number of GPU columns */
  /* the number of columns after the paths: CPUs, NUMA nodes, NUMA nodes of GPU memory */
  int titles;
  gboolean numa;           /* whether a column has the NUMA nodes of the GPUs */
  gboolean gpu_memory;     /* whether a column has the NUMA nodes of GPU memory */
  PlgPath *path;           /* the path from each GPU to the GPU or NIC of each column */
  int *line;               /* the line of each GPU's row */
  TrailingCells *trailing; /* for each GPU, the cells that follow the paths in its row */
  int truncated_nic;       /* the column of the first NIC without a complete row; 0 if there is
                              none */
  int truncated_line;      /* line number of the truncated NIC's row; 0 if the row is missing */
  PlgNodeTopology map;
} Table;


/* Finds the header of the table and reads the column names. Stops at the first row. */
static gboolean
find_head (Table *table)
{
  const char *before = NULL;

  for (; table->lines[table->at] != NULL; table->at++)
    {
      g_autoptr (GPtrArray) words = plg_nvidia_smi_split (table->lines[table->at]);

      if (before == NULL && plg_nvidia_smi_begins_head (words))
        {
          table->head.line = table->at + 1;
          plg_nvidia_smi_row_append (&table->head, NULL, table->lines[table->at],
                                     plg_nvidia_smi_is_title);
          before = table->lines[table->at];
        }
      else if (before != NULL && plg_nvidia_smi_begins_row (words))
        return TRUE;
      else if (before != NULL && words->len > 0)
        {
          plg_nvidia_smi_row_append (&table->head, before, table->lines[table->at],
                                     plg_nvidia_smi_is_title);
          before = table->lines[table->at];
        }
      if (table->head.words->len > 2 * MAX_COLUMNS)
        return TRUE;
    }
  return before != NULL;
}

/* Reports that the table was cut off at the word AT, for example by a narrow terminal. */
static gboolean
fail_truncated (const Table *table, int line, const char *at, GError **error)
{
  return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("The output is cut off on the right, at “%s”; paste whole lines."),
                          at);
}

/* Reports an unknown column. If the word can be the beginning of a title, such as "mlx5_" for
 * "mlx5_0", reports that the line was cut off. */
static gboolean
refuse_column (const Table *table, const char *word, GError **error)
{
  g_autofree char *shown = plg_text_excerpt (word, SHOWN_CHARACTERS);
  const GPtrArray *words = table->head.words;
  gboolean last = word == g_ptr_array_index (words, words->len - 1);

  if (plg_nvidia_smi_is_truncated (word) ||
      (last && !plg_nvidia_smi_is_title (word) && plg_nic_name_check (word)))
    return fail_truncated (table, table->head.line, shown, error);
  return plg_format_fail (table->head.line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("“%s” is not a column of the table; the columns are GPU0, GPU1, …, "
                             "then NICs, each once."),
                          shown);
}

/* Reads the column titles, counts the GPUs, and removes the columns without paths from the
 * header. */
static gboolean
read_head (Table *table, GError **error)
{
  GPtrArray *words = table->head.words;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  int n = 0, affinities = 0;

  for (; n < (int) words->len &&
         (plg_nvidia_smi_is_gpu (words->pdata[n]) || plg_nvidia_smi_is_nic (words->pdata[n]));
       n++)
    {
      gboolean gpu = plg_nvidia_smi_is_gpu (words->pdata[n]);

      if (!g_hash_table_add (seen, words->pdata[n]) || (gpu && table->gpus < n))
        return refuse_column (table, words->pdata[n], error);
      table->gpus += gpu;
    }
  for (int i = n; i < (int) words->len; i++)
    {
      if (!plg_nvidia_smi_is_title (words->pdata[i]))
        return refuse_column (table, words->pdata[i], error);
      affinities += g_str_has_prefix (words->pdata[i], "NUMA");
      table->titles += plg_nvidia_smi_ends_title (words->pdata[i]);
    }
  if (n < (int) words->len && !plg_nvidia_smi_ends_title (words->pdata[words->len - 1]))
    return fail_truncated (table, table->head.line, words->pdata[words->len - 1], error);
  if (table->gpus > PLG_MAX_GPUS_PER_NODE || n - table->gpus > PLG_MAX_NODE_NICS)
    return plg_format_fail (table->head.line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The table has %d GPUs and %d NICs; a node has at most %d GPUs "
                               "and %d NICs."),
                            table->gpus, n - table->gpus, PLG_MAX_GPUS_PER_NODE, PLG_MAX_NODE_NICS);
  table->numa = affinities > 0;
  table->gpu_memory = affinities > 1;
  g_ptr_array_set_size (words, n);
  return TRUE;
}


/* Reads the words of column I's row into ROW, and stops at the next row. */
static gboolean
next_row (Table *table, int i, PlgNvidiaSmiRow *row)
{
  const char *name = table->head.words->pdata[i];
  const char *next = i + 1 < (int) table->head.words->len ? table->head.words->pdata[i + 1] : "";
  const char *before = NULL;

  for (; table->lines[table->at] != NULL; table->at++)
    {
      const char *text = table->lines[table->at];
      g_autoptr (GPtrArray) words = plg_nvidia_smi_split (text);
      const char *first = words->len > 0 ? words->pdata[0] : "";

      if (before == NULL && *first != '\0' && !g_str_equal (first, name))
        return FALSE;
      if (before != NULL &&
          (*first == '\0' || g_str_equal (first, next) || plg_nvidia_smi_begins_row (words) ||
           g_str_has_prefix (first, "Legend")))
        return TRUE;
      if (*first == '\0')
        continue;
      row->line = before == NULL ? table->at + 1 : row->line;
      plg_nvidia_smi_row_append (row, before, text, plg_nvidia_smi_is_path);
      before = text;
      if (row->words->len > 2 * MAX_COLUMNS)
        return TRUE;
    }
  return before != NULL;
}

/* Counts the paths in a row. If the X in the row's own column is missing because a web page has
 * lost it, inserts the X. */
static int
count_paths (const Table *table, int i, PlgNvidiaSmiRow *row)
{
  int columns = (int) table->head.words->len, n = 0;
  gboolean has_self = FALSE;

  while (n < columns && n + 1 < (int) row->words->len &&
         plg_nvidia_smi_is_path (row->words->pdata[n + 1]))
    has_self |= g_str_equal (row->words->pdata[++n], "X");
  if (n == columns - 1 && !has_self)
    {
      g_ptr_array_insert (row->words, i + 1, g_strdup ("X"));
      n++;
    }
  return n;
}

static gboolean
read_gpu_row (Table *table, int i, PlgNvidiaSmiRow *row, GError **error)
{
  int columns = (int) table->head.words->len, n = count_paths (table, i, row);
  int words = (int) row->words->len - 1 - n, left = MIN (words, table->titles);
  char **names = (char **) table->head.words->pdata, **cells = (char **) row->words->pdata;
  /* A comma or hyphen distinguishes a list of CPUs from the number of a NUMA node. */
  gboolean has_cpus = words > 0 && g_ascii_isdigit (*cells[n + 1]) &&
                      strpbrk (cells[n + 1], ",-") != NULL;
  guint64 numa;

  if (n < columns && words > 0)
    {
      g_autofree char *shown = plg_text_excerpt (cells[n + 1], SHOWN_CHARACTERS);

      if (words == 1 && plg_nvidia_smi_is_truncated (shown))
        return fail_truncated (table, row->line, shown, error);
      return plg_format_fail (
          row->line, PLG_FORMAT_ERROR_CONTENT, error,
          _ ("“%s” in the row of %s is not a path; a path is X, NV followed by a number, PIX, "
             "PXB, PHB, NODE or SYS."),
          shown, names[i]);
    }
  if (n < columns)
    return plg_format_fail (
        row->line, PLG_FORMAT_ERROR_CONTENT, error,
        _ ("The row of %s has %d paths, but the table has %d columns; the output is cut off."),
        names[i], n, columns);
  for (int j = 0; j < columns; j++)
    {
      PlgPath *path = &table->path[i * columns + j];

      plg_nvidia_smi_read_path (cells[j + 1], path);
      if ((path->type == PLG_PATH_SELF) != (i == j))
        return plg_format_fail (row->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("The row of %s has %s in the column of %s; X marks the cell "
                                   "where row and column are the same."),
                                names[i], cells[j + 1], names[j]);
      if (j < table->gpus)
        *plg_node_topology_to_gpu (&table->map, i, j) = *path;
      else
        *plg_node_topology_to_nic (&table->map, i, j - table->gpus) = *path;
    }
  table->line[i] = row->line;

  /* A row can have up to three cells after its paths: CPUs, a NUMA node and the NUMA node of GPU
   * memory. The CPUs can be missing. */
  if (has_cpus)
    left = MIN (left, 2);
  else if (table->gpu_memory && left > 1)
    left--;
  table->map.numa[i] = -1;
  if (table->numa && left >= 1 && left <= 2 &&
      g_ascii_string_to_unsigned (cells[n + left], 10, 0, 1023, &numa, NULL))
    table->map.numa[i] = (int) numa;
  table->trailing[i] = (TrailingCells) {
    .words = words,
    .has_all_tabs = row->tabs >= columns + table->titles,
    .has_cpus = has_cpus,
    .ends_with_na = g_str_equal (cells[n + words], "N/A"),
    .last = g_strdup (cells[n + words]),
  };
  return TRUE;
}

/* Checks that the table has the same path from I to J as from J to I. */
static gboolean
check_pair (const Table *table, int line, int i, int j, const PlgPath *reverse, GError **error)
{
  const PlgPath *path = &table->path[j * (int) table->head.words->len + i];
  g_autofree char *here = plg_path_to_string (reverse);
  g_autofree char *there = plg_path_to_string (path);

  if (path->type == reverse->type && path->links == reverse->links)
    return TRUE;
  return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("%s to %s is %s here but %s on line %d; the two paths must be the "
                             "same."),
                          (char *) table->head.words->pdata[i],
                          (char *) table->head.words->pdata[j], here, there, table->line[j]);
}

static void
name_nic (Table *table, const char *name, const char *card)
{
  for (int i = table->gpus; i < (int) table->head.words->len; i++)
    if (g_str_equal (table->head.words->pdata[i], name) && strlen (card) < PLG_NAME_SIZE &&
        plg_nic_name_check (card))
      g_strlcpy (table->map.card[i - table->gpus].name, card, PLG_NAME_SIZE);
}

/* Fails if a row lacks its last cells, which a narrow terminal cuts off first. A truncated row
 * has fewer cells than other rows, or has CPUs but no NUMA node. A row with empty cells is
 * complete, because it still has all tabs or the "N/A" of the last column. */
static gboolean
check_trailing_cells (const Table *table, GError **error)
{
  const char *last = g_ptr_array_index (table->head.words, table->head.words->len - 1);
  const char *line = table->lines[table->at] != NULL ? table->lines[table->at] : "";
  g_autoptr (GPtrArray) words = plg_nvidia_smi_split (line);
  int least = G_MAXINT, most = 0;

  /* If another row follows, the header is truncated, because it has no column for that row. */
  if (plg_nvidia_smi_begins_row (words))
    return fail_truncated (table, table->head.line, last, error);
  for (int i = 0; i < table->gpus; i++)
    {
      least = MIN (least, table->trailing[i].words);
      most = MAX (most, table->trailing[i].words);
    }
  if (!table->numa && least > table->titles)
    return fail_truncated (table, table->head.line, last, error);
  for (int i = 0; i < table->gpus; i++)
    {
      const TrailingCells *trailing = &table->trailing[i];

      if (trailing->words < MIN (most, table->titles) && !trailing->has_all_tabs &&
          (trailing->has_cpus || !trailing->ends_with_na))
        return fail_truncated (table, table->line[i], trailing->last, error);
    }
  return TRUE;
}

/* Reads the legend, with lines such as "NIC0: mlx5_0". If the legend, rows of NICs or NUMA nodes
 * are missing, only adds import notes, because the rows of the GPUs contain all that a plan
 * needs. */
static void
read_legend (Table *table)
{
  gboolean lacks_legend = FALSE, lacks_numa = TRUE;
  int other = 0;

  for (; table->lines[table->at] != NULL; table->at++)
    {
      g_autoptr (GPtrArray) words = plg_nvidia_smi_split (table->lines[table->at]);
      char *name = words->len > 0 ? words->pdata[0] : NULL;
      gsize n = name != NULL ? strlen (name) : 0;

      if (other == 0 && plg_nvidia_smi_begins_head (words))
        other = table->at + 1;
      if (other > 0 || words->len != 2 || name[n - 1] != ':')
        continue;
      name[n - 1] = '\0';
      name_nic (table, name, words->pdata[1]);
    }
  if (other > 0)
    plg_import_note (table->context, PLG_NOTE_IGNORED, other,
                     _ ("The second table is ignored, because all nodes in a plan are like the "
                        "first."));

  for (int i = 0; i < table->map.nics; i++)
    lacks_legend = lacks_legend || *table->map.card[i].name == '\0';
  for (int i = 0; table->numa && i < table->gpus; i++)
    lacks_numa = lacks_numa && table->trailing[i].has_cpus && table->trailing[i].words <= 1;
  if (table->truncated_nic > 0)
    plg_import_note (table->context, PLG_NOTE_INFERRED, table->truncated_line,
                     _ ("The output is cut off: %s has no complete row. Its paths are taken from "
                        "the rows of the GPUs."),
                     (char *) table->head.words->pdata[table->truncated_nic]);
  else if (lacks_legend)
    plg_import_note (table->context, PLG_NOTE_INFERRED, 0,
                     _ ("The output is cut off, so no legend names the NICs. The NICs are "
                        "identified by their numbers."));
  if (lacks_numa)
    plg_import_note (table->context, PLG_NOTE_INFERRED, table->head.line,
                     _ ("The table does not list the NUMA nodes of the GPUs, so they remain "
                        "unknown."));
}

static gboolean
read_table (Table *table, GError **error)
{
  int columns;

  if (!find_head (table))
    return plg_format_fail (0, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("No line with GPU0, GPU1, … precedes the table; the output is "
                               "incomplete."));
  if (!read_head (table, error))
    return FALSE;
  columns = (int) table->head.words->len;
  plg_node_topology_init (&table->map, table->gpus, columns - table->gpus);
  table->path = g_new0 (PlgPath, table->gpus * columns);
  table->line = g_new0 (int, table->gpus);
  table->trailing = g_new0 (TrailingCells, table->gpus);
  for (int i = 0; i < columns; i++)
    {
      g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
      PlgNvidiaSmiRow row = { .words = words };
      gboolean is_gpu = i < table->gpus, is_found = next_row (table, i, &row);
      int last_line = is_gpu && i > 0 ? table->line[i - 1] : table->head.line, n;

      if (!is_found && is_gpu)
        return plg_format_fail (
            table->lines[table->at] != NULL ? table->at + 1 : last_line, PLG_FORMAT_ERROR_CONTENT,
            error,
            _ ("The row of %s is missing; each GPU in the first line needs a row, in the same "
               "order."),
            (char *) table->head.words->pdata[i]);
      if (is_gpu && !read_gpu_row (table, i, &row, error))
        return FALSE;
      n = is_gpu ? i : is_found ? count_paths (table, i, &row) : 0;
      /* Record the first truncated NIC row for an import note. It is not an error, because the
       * rows of NICs only repeat paths from the rows of GPUs. */
      if (!is_gpu && n < columns && table->truncated_nic == 0)
        {
          table->truncated_nic = i;
          table->truncated_line = row.line;
        }
      for (int j = 0; j < MIN (n, table->gpus); j++)
        {
          PlgPath path;

          plg_nvidia_smi_read_path (words->pdata[j + 1], &path);
          if (!check_pair (table, row.line, i, j, &path, error))
            return FALSE;
        }
    }
  if (!check_trailing_cells (table, error))
    return FALSE;
  for (int i = table->gpus; i < columns; i++)
    if (!g_str_has_prefix (table->head.words->pdata[i], "NIC"))
      name_nic (table, table->head.words->pdata[i], table->head.words->pdata[i]);
  read_legend (table);
  return plg_import_set_node_topology (table->context, table->head.line, &table->map, FALSE, error);
}

static gboolean
read_topology (PlgImportContext *context, GError **error)
{
  g_autofree char **lines = plg_text_lines (context->data, context->size, error);
  Table table = { .context = context, .lines = lines };
  gboolean read;

  if (lines == NULL)
    return FALSE;
  /* Remove the "> " that e-mail programs put before each quoted line. */
  for (int i = 0; lines[i] != NULL; i++)
    if (*lines[i] == '>')
      lines[i] += lines[i][1] == ' ' ? 2 : 1;

  table.head.words = g_ptr_array_new_with_free_func (g_free);
  read = read_table (&table, error);
  g_ptr_array_unref (table.head.words);
  g_free (table.path);
  g_free (table.line);
  for (int i = 0; table.trailing != NULL && i < table.gpus; i++)
    g_free (table.trailing[i].last);
  g_free (table.trailing);
  plg_node_topology_clear (&table.map);
  return read;
}

/* Accepts text with a line that begins with GPU0 and a path. */
static gboolean
is_topology (const char *data, gsize size)
{
  const char *end = data + size, *p = data;

  while ((p = g_strstr_len (p, end - p, "GPU0")) != NULL)
    {
      const char *start = p, *word = p + strlen ("GPU0");
      gsize n;

      while (start > data && strchr (" \t>", start[-1]) != NULL)
        start--;
      /* Skip the spaces in a loop, because under sanitizers every call of strcspn() reads the
       * whole text, which is slow. */
      while (word < end && (*word == ' ' || *word == '\t'))
        word++;
      for (n = 0; n < 8 && word + n < end && !g_ascii_isspace (word[n]);)
        n++;
      if ((start == data || start[-1] == '\n') && word > p + strlen ("GPU0") && n > 0 && n < 8)
        {
          g_autofree char *code = g_strndup (word, n);

          if (plg_nvidia_smi_is_path (code))
            return TRUE;
        }
      p += strlen ("GPU0");
    }
  return FALSE;
}

const PlgFormat plg_nvidia_smi_format = {
  .name = "nvidia-smi",
  .suffix = ".txt",
  .title = N_ ("Links inside a node (nvidia-smi topo -m)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .sign = "GPU0",
  .is = is_topology,
  .read = read_topology,
};
