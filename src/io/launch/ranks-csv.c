/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/host-names.h"
#include "io/placement/rank-table.h"
#include "plan/text/csv-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_COLUMNS 64
#define SHOWN_CHARACTERS 40

typedef enum
{
  COLUMN_RANK,
  COLUMN_NODE,
  COLUMN_GPU,
  COLUMN_HOST,
  COLUMN_TP,
  COLUMN_CP,
  COLUMN_EP,
  COLUMN_PP,
  COLUMN_DP,
  COLUMN_OTHER,
} Column;

/* The accepted names of the columns. The writer uses the first name of each column. */
static const struct
{
  const char *name;
  Column column;
} names[] = {
  { "rank", COLUMN_RANK },     { "node", COLUMN_NODE },     { "local_gpu", COLUMN_GPU },
  { "tp", COLUMN_TP },         { "pp", COLUMN_PP },         { "dp", COLUMN_DP },
  { "cp", COLUMN_CP },         { "ep", COLUMN_EP },         { "host", COLUMN_HOST },
  { "gpu", COLUMN_GPU },       { "gpu_index", COLUMN_GPU }, { "local_rank", COLUMN_GPU },
  { "hostname", COLUMN_HOST },
};

typedef struct
{
  PlgImportContext *context;
  PlgRankTable *table;
  char separator;
  int n;
  Column columns[MAX_COLUMNS];
  gboolean has[COLUMN_OTHER + 1];
  gboolean has_node_names; /* whether the column "node" contains names instead of numbers */
} Csv;

/* Reading */

/* Returns the cells of TEXT without quotes and without leading and trailing spaces. Returns at
 * most MAX_COLUMNS + 1 cells, or NULL with ERROR. */
static GPtrArray *
split_cells (const Csv *csv, int line, const char *text, GError **error)
{
  GPtrArray *cells = plg_csv_split (text, csv->separator, MAX_COLUMNS + 1);

  if (cells == NULL)
    plg_format_fail (line, PLG_FORMAT_ERROR_SYNTAX, error,
                     _ ("A quotation mark (\") is not closed."));
  for (guint i = 0; cells != NULL && i < cells->len; i++)
    g_strstrip (cells->pdata[i]);
  return cells;
}

static gboolean
read_header (Csv *csv, int line, const char *text, GError **error)
{
  g_autoptr (GPtrArray) cells = NULL;
  const char *separator = strpbrk (text, ",;\t");

  csv->separator = separator != NULL ? *separator : ',';
  cells = split_cells (csv, line, text, error);
  if (cells == NULL)
    return FALSE;
  if (cells->len > MAX_COLUMNS)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("There are more than %d columns."), MAX_COLUMNS);
  for (guint i = 0; i < cells->len; i++)
    {
      Column column = COLUMN_OTHER;
      g_autofree char *shown = plg_text_excerpt (cells->pdata[i], SHOWN_CHARACTERS);

      for (guint j = 0; j < G_N_ELEMENTS (names) && column == COLUMN_OTHER; j++)
        if (g_ascii_strcasecmp (cells->pdata[i], names[j].name) == 0)
          column = names[j].column;
      if (column == COLUMN_OTHER)
        plg_import_note (csv->context, PLG_NOTE_IGNORED, line,
                         _ ("The column “%s” is not needed here"), shown);
      else if (csv->has[column])
        return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("The column “%s” occurs twice; remove one."), shown);
      csv->has[column] = TRUE;
      csv->columns[csv->n++] = column;
    }
  if (csv->has[COLUMN_RANK] && (csv->has[COLUMN_NODE] || csv->has[COLUMN_HOST]))
    return TRUE;
  return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("A table of ranks needs the columns rank and node; for example, it "
                             "can begin with rank,node,local_gpu,tp,pp,dp."));
}

static gboolean
read_row (Csv *csv, int line, const char *text, GError **error)
{
  static const int limits[COLUMN_OTHER] = {
    [COLUMN_RANK] = PLG_MAX_GPUS,         [COLUMN_NODE] = PLG_MAX_NODES,
    [COLUMN_GPU] = PLG_MAX_GPUS_PER_NODE, [COLUMN_TP] = PLG_MAX_GPUS,
    [COLUMN_CP] = PLG_MAX_GPUS,           [COLUMN_EP] = PLG_MAX_GPUS,
    [COLUMN_PP] = PLG_MAX_GPUS,           [COLUMN_DP] = PLG_MAX_GPUS,
  };
  PlgRankRow row = plg_rank_row (line);
  int *const values[COLUMN_OTHER] = {
    [COLUMN_RANK] = &row.rank,
    [COLUMN_NODE] = &row.node,
    [COLUMN_GPU] = &row.gpu,
    [COLUMN_TP] = &row.index[PLG_AXIS_TP],
    [COLUMN_CP] = &row.index[PLG_AXIS_CP],
    [COLUMN_EP] = &row.index[PLG_AXIS_EP],
    [COLUMN_PP] = &row.index[PLG_AXIS_PP],
    [COLUMN_DP] = &row.index[PLG_AXIS_DP],
  };
  g_autoptr (GPtrArray) cells = split_cells (csv, line, text, error);

  if (cells == NULL)
    return FALSE;
  if ((int) cells->len != csv->n)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("This line has %d columns, but the first line has %d."),
                            (int) cells->len, csv->n);
  for (int i = 0; i < csv->n; i++)
    {
      Column column = csv->columns[i];
      const char *cell = cells->pdata[i];
      g_autofree char *shown = plg_text_excerpt (cell, SHOWN_CHARACTERS);
      gint64 value;

      if (column == COLUMN_OTHER)
        continue;
      /* The first row determines whether the column "node" contains names or numbers. */
      if (column == COLUMN_NODE && !csv->has[COLUMN_HOST] && csv->table->rows->len == 0)
        csv->has_node_names = *cell == '\0' || strspn (cell, "0123456789") != strlen (cell);
      if (column == COLUMN_HOST || (column == COLUMN_NODE && csv->has_node_names))
        {
          if (!plg_rank_table_host (csv->table, csv->context, line, cell, &row.host, error))
            return FALSE;
          continue;
        }
      if (!g_ascii_string_to_signed (cell, 10, 0, limits[column] - 1, &value, NULL))
        return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("Column %d is “%s”; it must be a whole number from 0 to %d."),
                                i + 1, shown, limits[column] - 1);
      *values[column] = (int) value;
    }
  return plg_rank_table_add (csv->table, csv->context, &row, error);
}

static gboolean
read_ranks (PlgImportContext *context, GError **error)
{
  g_autofree char **lines = plg_text_lines (context->data, context->size, error);
  g_auto (PlgRankTable) table = { 0 };
  Csv csv = { .context = context, .table = &table };

  if (lines == NULL)
    return FALSE;
  plg_rank_table_init (&table);
  table.guess = _ ("The table has no GPU column, so the ranks of each node use its GPUs in order.");
  for (int i = 0; lines[i] != NULL; i++)
    {
      char *text = i == 0 && g_str_has_prefix (lines[i], "\xEF\xBB\xBF") ? lines[i] + 3 : lines[i];

      if (*text == '\0' || *text == '#' || strspn (text, " \t") == strlen (text))
        continue;
      if (csv.n == 0 ? !read_header (&csv, i + 1, text, error)
                     : !read_row (&csv, i + 1, text, error))
        return FALSE;
    }
  csv.table->by_node = csv.has[COLUMN_NODE] && !csv.has_node_names;
  return plg_rank_table_import (csv.table, csv.context, error);
}

/* Returns whether the first line after the comments begins with the column "rank". */
static gboolean
is_ranks (const char *data, gsize size)
{
  const char *limit = data + size;

  while (data < limit && (*data == '#' || g_ascii_isspace (*data)))
    {
      const char *end = *data == '#' ? memchr (data, '\n', limit - data) : data;

      data = end != NULL ? end + 1 : limit;
    }
  if (limit - data > 7 && g_ascii_strncasecmp (data, "\"rank\"", 6) == 0)
    return strchr (",;\t", data[6]) != NULL;
  return limit - data > 5 && g_ascii_strncasecmp (data, "rank", 4) == 0 &&
         strchr (",;\t", data[4]) != NULL;
}

/* Writing */

static GBytes *
write_ranks (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  gboolean has_cp = plan->parallelism.degree[PLG_AXIS_CP] > 1;
  gboolean has_ep = plg_transformer_is_moe (&plan->model);
  gboolean has_host = plan->node_names.size > 0 || plg_cluster_hosts_per_node (&plan->cluster) > 1;
  GString *csv = g_string_new ("rank,node,local_gpu,tp,pp,dp");

  g_string_append_printf (csv, "%s%s%s\n", has_cp ? ",cp" : "", has_ep ? ",ep" : "",
                          has_host ? ",host" : "");
  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    {
      PlgCoordinate at = plg_rank_coordinate (&plan->parallelism, rank);
      int gpu = plg_placement_gpu (&plan->placement, rank);
      int node = gpu / plan->cluster.gpus_per_node;

      g_string_append_printf (csv, "%d,%d,%d,%d,%d,%d", rank, node,
                              gpu % plan->cluster.gpus_per_node, at.index[PLG_AXIS_TP],
                              at.index[PLG_AXIS_PP], at.index[PLG_AXIS_DP]);
      if (has_cp)
        g_string_append_printf (csv, ",%d", at.index[PLG_AXIS_CP]);
      if (has_ep)
        g_string_append_printf (csv, ",%d", at.index[PLG_AXIS_EP]);
      if (has_host)
        g_string_append_printf (csv, ",%s", hosts[gpu / plg_cluster_host_gpus (&plan->cluster)]);
      g_string_append_c (csv, '\n');
    }
  return plg_take_text (g_string_free (csv, FALSE));
}

const PlgFormat plg_ranks_csv_format = {
  .name = "ranks",
  .suffix = ".ranks.csv",
  .title = N_ ("Table of ranks (CSV)"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .sign = "rank,node",
  .is = is_ranks,
  .read = read_ranks,
  .write = write_ranks,
};
