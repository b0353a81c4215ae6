/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format-private.h"
#include "formats/node-kind.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What `rocm-smi --showtopo` prints: tables of weights, hops and kinds of links between GPUs, and
 * the NUMA nodes of the GPUs (github.com/ROCm/rocm_smi_lib, python_smi_tools/rocm_smi.py). */

/* A hop over xGMI weighs 15; more is a way through another GPU. */
#define HOP_WEIGHT 15
#define SHOWN_CHARACTERS 20

typedef enum
{
  TABLE_WEIGHT,
  TABLE_HOPS,
  TABLE_TYPE,
  TABLE_NONE,
} TableKind;
#define N_TABLES 3

static const char *const titles[N_TABLES] = { "Weight between two GPUs", "Hops between two GPUs",
                                              "Link Type between two GPUs" };

typedef struct
{
  PlgReading *reading;
  int gpus;        /* 0: no head was there yet */
  int head;        /* the line of the first one */
  TableKind table; /* that the lines are of */
  /* Of each GPU, its cells behind its name; NULL: not there. */
  char **row[N_TABLES][PLG_MAX_GPUS_PER_NODE];
  int line[N_TABLES][PLG_MAX_GPUS_PER_NODE];
  int numa[PLG_MAX_GPUS_PER_NODE];
} Output;

/* Lines */

static char **
split (const char *line)
{
  g_auto (GStrv) all = g_strsplit_set (line, " \t", -1);
  GPtrArray *words = g_ptr_array_new ();

  for (int i = 0; all[i] != NULL; i++)
    if (*all[i] != '\0')
      g_ptr_array_add (words, g_strdup (all[i]));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

/* 3 for "GPU3", else -1. */
static int
gpu_number (const char *word)
{
  guint64 number;

  if (word == NULL || !g_str_has_prefix (word, "GPU") ||
      !g_ascii_string_to_unsigned (word + 3, 10, 0, G_MAXINT, &number, NULL))
    return -1;
  return (int) number;
}

static gboolean
read_head (Output *output, int line, char **words, GError **error)
{
  int n = (int) g_strv_length (words);

  if (output->gpus > 0 && n != output->gpus)
    return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("This table has %d GPUs, and the first one %d."), n, output->gpus);
  if (n > PLG_MAX_GPUS_PER_NODE)
    return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The table has %d GPUs; a node has at most %d."), n,
                             PLG_MAX_GPUS_PER_NODE);
  for (int i = 0; i < n; i++)
    if (gpu_number (words[i]) != i)
      return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                               _ ("The columns must be GPU0, GPU1, …, each once."));
  if (output->gpus > 0)
    return TRUE;
  output->gpus = n;
  output->head = line;
  for (int i = 0; i < n; i++)
    output->numa[i] = -1;
  return TRUE;
}

static gboolean
is_cell (TableKind table, const char *cell)
{
  guint64 number;

  return g_ascii_string_to_unsigned (cell, 10, 0, G_MAXINT, &number, NULL) ||
         (table == TABLE_TYPE && (g_str_equal (cell, "XGMI") || g_str_equal (cell, "PCIE"))) ||
         g_str_equal (cell, "N/A");
}

static gboolean
read_row (Output *output, int line, char **words, GError **error)
{
  int gpu = gpu_number (words[0]), n = (int) g_strv_length (words) - 1;
  char ***row;

  if (output->gpus == 0 || gpu >= output->gpus || n != output->gpus)
    return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The row of %s has %d values, and the table %d columns; the output "
                                "is cut off."),
                             words[0], n, output->gpus);
  for (int i = 0; i < n; i++)
    if (!is_cell (output->table, words[i + 1]))
      {
        g_autofree char *shown = plg_format_excerpt (words[i + 1], SHOWN_CHARACTERS);

        return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                                 _ ("“%s” in the row of %s is neither a number nor XGMI or PCIE."),
                                 shown, words[0]);
      }
  row = &output->row[output->table][gpu];
  if (*row == NULL)
    {
      *row = g_strdupv (words + 1);
      output->line[output->table][gpu] = line;
    }
  return TRUE;
}

/* "GPU[0] : (Topology) Numa Node: 0" */
static void
read_numa (Output *output, const char *line)
{
  const char *gpu = strstr (line, "GPU["), *node = strstr (line, "Numa Node:");
  guint64 number = gpu != NULL ? g_ascii_strtoull (gpu + 4, NULL, 10) : 0;

  if (gpu == NULL || node == NULL || number >= (guint64) output->gpus)
    return;
  node += strlen ("Numa Node:");
  node += strspn (node, " \t");
  if (g_ascii_isdigit (*node))
    output->numa[number] = (int) MIN (g_ascii_strtoull (node, NULL, 10), 1023);
}

static gboolean
read_line (Output *output, int line, const char *text, GError **error)
{
  g_auto (GStrv) words = NULL;

  for (int i = 0; i < N_TABLES; i++)
    if (strstr (text, titles[i]) != NULL)
      {
        output->table = i;
        return TRUE;
      }
  if (strstr (text, "====") != NULL)
    output->table = TABLE_NONE;
  read_numa (output, text);
  if (output->table == TABLE_NONE || strstr (text, "GPU") == NULL)
    return TRUE;
  words = split (text);
  if (gpu_number (words[0]) < 0)
    return TRUE;
  if (words[1] == NULL || gpu_number (words[1]) >= 0)
    return read_head (output, line, words, error);
  return read_row (output, line, words, error);
}

/* The map */

/* What a table says of a pair; NULL: there is no such table. */
static const char *
cell_of (const Output *output, TableKind table, int a, int b)
{
  char **row = output->row[table][a];

  return row != NULL ? row[b] : NULL;
}

static guint64
number_of (const Output *output, TableKind table, int a, int b)
{
  const char *cell = cell_of (output, table, a, b);

  return cell != NULL ? g_ascii_strtoull (cell, NULL, 10) : 0;
}

/* Over xGMI directly or through another GPU; over PCIe below a CPU, or from one CPU to another,
 * which count as three hops. */
static PlgPath
path_of (const Output *output, int a, int b)
{
  const char *type = cell_of (output, TABLE_TYPE, a, b);

  if (g_str_equal (type, "XGMI") && number_of (output, TABLE_WEIGHT, a, b) > HOP_WEIGHT)
    return (PlgPath) { .type = PLG_PATH_NVB };
  if (g_str_equal (type, "XGMI"))
    return (PlgPath) { .type = PLG_PATH_NVLINK, .links = 1 };
  if (!g_str_equal (type, "PCIE"))
    return (PlgPath) { .type = PLG_PATH_UNKNOWN };
  if (output->numa[a] >= 0 && output->numa[b] >= 0)
    return (PlgPath) { .type = output->numa[a] == output->numa[b] ? PLG_PATH_PHB : PLG_PATH_SYS };
  return (PlgPath) { .type = number_of (output, TABLE_HOPS, a, b) > 2 ? PLG_PATH_SYS
                                                                      : PLG_PATH_PHB };
}

static gboolean
fill_map (const Output *output, PlgNodeMap *map, GError **error)
{
  for (int a = 0; a < output->gpus; a++)
    {
      map->numa[a] = output->numa[a];
      for (int b = 0; b < output->gpus; b++)
        if (a != b)
          *plg_node_map_to_gpu (map, a, b) = path_of (output, a, b);
      for (int b = 0; b < a; b++)
        if (plg_node_map_to_gpu (map, a, b)->type != plg_node_map_to_gpu (map, b, a)->type)
          return plg_reading_fail (output->reading, output->line[TABLE_TYPE][a],
                                   PLG_FORMAT_ERROR_CONTENT, error,
                                   _ ("GPU%d to GPU%d is another path than back; both must be the "
                                      "same."),
                                   a, b);
    }
  return TRUE;
}

static gboolean
make_map (Output *output, GError **error)
{
  PlgNodeMap map;
  gboolean made;

  if (output->gpus == 0)
    return plg_reading_fail (output->reading, 0, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("There is no table of GPUs; it is a part of the output."));
  for (int gpu = 0; gpu < output->gpus; gpu++)
    if (output->row[TABLE_TYPE][gpu] == NULL)
      return plg_reading_fail (output->reading, output->head, PLG_FORMAT_ERROR_CONTENT, error,
                               _ ("GPU%d has no row in “%s”; it tells xGMI from PCIe."), gpu,
                               titles[TABLE_TYPE]);
  plg_node_map_init (&map, output->gpus, 0);
  made = fill_map (output, &map, error) &&
         plg_reading_set_map (output->reading, output->head, &map, plg_node_map_has_links (&map),
                              error);
  plg_node_map_clear (&map);
  return made;
}

static void
output_clear (Output *output)
{
  for (int i = 0; i < N_TABLES; i++)
    for (int gpu = 0; gpu < output->gpus; gpu++)
      g_strfreev (output->row[i][gpu]);
}

static gboolean
read_output (PlgReading *reading, GError **error)
{
  g_autofree char **lines = plg_reading_lines (reading, error);
  Output output = { .reading = reading, .table = TABLE_NONE };
  gboolean read = lines != NULL;

  for (int i = 0; read && lines[i] != NULL; i++)
    read = read_line (&output, i + 1, lines[i], error);
  read = read && make_map (&output, error);
  output_clear (&output);
  return read;
}

static gboolean
is_output (const char *data, gsize size)
{
  for (int i = 0; i < N_TABLES; i++)
    if (g_strstr_len (data, size, titles[i]) != NULL)
      return TRUE;
  return FALSE;
}

const PlgFormat plg_rocm_smi_format = {
  .name = "rocm-smi",
  .suffix = ".txt",
  .title = N_ ("Links inside a node (rocm-smi --showtopo)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .is = is_output,
  .read = read_output,
};
