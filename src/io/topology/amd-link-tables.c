/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/amd-link-tables.h"

#include "io/import/format.h"
#include "io/topology/node-type-guess.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The weight of one hop over xGMI (Linux, drivers/gpu/drm/amd/amdkfd, KFD_CRAT_XGMI_WEIGHT). A
 * larger weight means a path through another GPU; virtual machines show 0. */
#define HOP_WEIGHT 15
/* The maximum number of links between two GPUs; a larger number computed from a file is reduced
 * to it. Real pairs have fewer links, even the two dies of an MI250X, which have the most. */
#define MAX_LINKS 16
#define SHOWN_CHARACTERS 20

static gboolean
is_name (const PlgAmdLinkTables *tables, const char *word)
{
  int gpu;

  return word != NULL && tables->program->is_name (word, &gpu);
}

static gboolean
read_head (PlgAmdLinkTables *tables, int line, char **words, GError **error)
{
  int n = (int) g_strv_length (words);

  if (tables->gpus > 0 && n != tables->gpus)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("This table has %d GPUs, but the first table has %d."), n,
                            tables->gpus);
  if (n > PLG_MAX_GPUS_PER_NODE)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The table has %d GPUs; a node has at most %d."), n,
                            PLG_MAX_GPUS_PER_NODE);
  for (int i = 0; i < n; i++)
    {
      int gpu;
      gboolean is_valid = tables->program->is_name (words[i], &gpu) && (gpu < 0 || gpu == i);

      for (int j = 0; j < i; j++)
        is_valid = is_valid && !g_str_equal (words[j], words[i]);
      if (!is_valid || (tables->gpus != 0 && !g_str_equal (tables->names[i], words[i])))
        return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("The columns must be %s, …, each appearing once, and must be "
                                   "the same in all tables."),
                                tables->program->first_names);
    }
  if (tables->gpus > 0)
    return TRUE;
  tables->gpus = n;
  tables->head_line = line;
  tables->names = g_strdupv (words);
  return TRUE;
}

PlgAmdLinkTable
plg_amd_link_tables_find_title (const PlgAmdLinkProgram *program, const char *text)
{
  for (int i = 0; i < PLG_N_AMD_LINK_TABLES; i++)
    if (program->titles[i] != NULL && strstr (text, program->titles[i]) != NULL)
      return i;
  return PLG_AMD_LINK_NONE;
}

gboolean
plg_amd_link_tables_read_line (PlgAmdLinkTables *tables, int line, const char *text, GError **error)
{
  static const char *const kinds[] = { "XGMI", "PCIE", "SELF", "UNKNOWN", NULL };
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  PlgAmdLinkTable table = tables->table;
  int gpu = 0, n = 0;
  char ***row;

  for (int i = 0; words[i] != NULL; i++)
    if (*words[i] == '\0')
      g_free (words[i]);
    else
      words[n++] = words[i];
  words[n] = NULL;
  if (table == PLG_AMD_LINK_NONE || !is_name (tables, words[0]))
    return TRUE;
  if (words[1] == NULL || is_name (tables, words[1]))
    return read_head (tables, line, words, error);

  n--;
  while (gpu < tables->gpus && !g_str_equal (tables->names[gpu], words[0]))
    gpu++;
  if (gpu == tables->gpus || n != tables->gpus)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The row of %s has %d values, but the table has %d columns; the "
                               "output is cut off."),
                            words[0], n, tables->gpus);
  for (int i = 1; i <= n; i++)
    {
      g_autofree char *shown = plg_text_excerpt (words[i], SHOWN_CHARACTERS);
      guint64 number;

      if (!g_ascii_string_to_unsigned (words[i], 10, 0, G_MAXINT, &number, NULL) &&
          (table != PLG_AMD_LINK_TYPE || !g_strv_contains (kinds, words[i])) &&
          (table != PLG_AMD_LINK_BANDWIDTH ||
           !g_regex_match_simple ("^[0-9]+-[0-9]+$", words[i], 0, 0)) &&
          !g_str_equal (words[i], "N/A"))
        return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("“%s” in the row of %s is neither a number nor XGMI or PCIE."),
                                shown, words[0]);
    }
  row = &tables->row[table][gpu];
  if (*row == NULL)
    {
      *row = g_strdupv (words + 1);
      tables->line[table][gpu] = line;
    }
  return TRUE;
}

/* Returns the cell of TABLE for the GPUs A and B; NULL if the file lacks the row. */
static const char *
find_cell (const PlgAmdLinkTables *tables, PlgAmdLinkTable table, int a, int b)
{
  char **row = tables->row[table][a];

  return row != NULL ? row[b] : NULL;
}

static guint64
parse_cell (const PlgAmdLinkTables *tables, PlgAmdLinkTable table, int a, int b)
{
  const char *cell = find_cell (tables, table, a, b);

  return cell != NULL ? g_ascii_strtoull (cell, NULL, 10) : 0;
}

/* Returns the path between two GPUs. A path over PCIe connects GPUs of the same CPU (PHB) or of
 * two CPUs (SYS). If the NUMA nodes are unknown, a path of three or more hops has the type SYS,
 * because AMD's programs count a path between CPUs as three hops. */
static PlgPath
make_path (const PlgAmdLinkTables *tables, int a, int b)
{
  const char *type = find_cell (tables, PLG_AMD_LINK_TYPE, a, b);

  if (g_str_equal (type, "XGMI") && parse_cell (tables, PLG_AMD_LINK_WEIGHT, a, b) > HOP_WEIGHT)
    return (PlgPath) { .type = PLG_PATH_NVB };
  if (g_str_equal (type, "XGMI"))
    {
      /* Divide the rate of all links by the rate of one link to get the number of links. */
      const char *rates = find_cell (tables, PLG_AMD_LINK_BANDWIDTH, a, b);
      const char *all = rates != NULL ? strchr (rates, '-') : NULL;
      guint64 one = all != NULL ? g_ascii_strtoull (rates, NULL, 10) : 0;
      guint64 links = one > 0 ? g_ascii_strtoull (all + 1, NULL, 10) / one : 1;

      return (PlgPath) { .type = PLG_PATH_NVLINK, .links = (int) CLAMP (links, 1, MAX_LINKS) };
    }
  if (!g_str_equal (type, "PCIE"))
    return (PlgPath) { .type = PLG_PATH_UNKNOWN };
  if (tables->numa[a] >= 0 && tables->numa[b] >= 0)
    return (PlgPath) { .type = tables->numa[a] == tables->numa[b] ? PLG_PATH_PHB : PLG_PATH_SYS };
  return (PlgPath) { .type = parse_cell (tables, PLG_AMD_LINK_HOPS, a, b) > 2 ? PLG_PATH_SYS
                                                                              : PLG_PATH_PHB };
}

static gboolean
set_node (PlgAmdLinkTables *tables, GError **error)
{
  PlgNodeTopology map;
  gboolean is_set = TRUE;

  if (tables->gpus == 0)
    return plg_format_fail (0, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The output has no table of GPUs."));
  for (int gpu = 0; gpu < tables->gpus; gpu++)
    if (tables->row[PLG_AMD_LINK_TYPE][gpu] == NULL)
      return plg_format_fail (tables->head_line, PLG_FORMAT_ERROR_CONTENT, error,
                              _ ("%s has no row in “%s”, the table that distinguishes xGMI from "
                                 "PCIe."),
                              tables->names[gpu], tables->program->titles[PLG_AMD_LINK_TYPE]);
  plg_node_topology_init (&map, tables->gpus, 0);
  for (int a = 0; a < tables->gpus; a++)
    {
      map.numa[a] = tables->numa[a];
      for (int b = 0; b < tables->gpus; b++)
        if (a != b)
          *plg_node_topology_to_gpu (&map, a, b) = make_path (tables, a, b);
      for (int b = 0; b < a && is_set; b++)
        if (plg_node_topology_to_gpu (&map, a, b)->type !=
            plg_node_topology_to_gpu (&map, b, a)->type)
          is_set = plg_format_fail (tables->line[PLG_AMD_LINK_TYPE][a], PLG_FORMAT_ERROR_CONTENT,
                                    error,
                                    _ ("The path from %s to %s differs from the path back; both "
                                       "must be the same."),
                                    tables->names[a], tables->names[b]);
    }
  is_set = is_set &&
           plg_import_set_node_topology (tables->context, tables->head_line, &map, TRUE, error);
  plg_node_topology_clear (&map);
  return is_set;
}

gboolean
plg_amd_link_tables_read (const PlgAmdLinkProgram *program,
                          PlgImportContext *context,
                          PlgAmdLinkLineFunc read_line,
                          GError **error)
{
  g_autofree char **lines = plg_text_lines (context->data, context->size, error);
  PlgAmdLinkTables tables = { .program = program, .context = context, .table = PLG_AMD_LINK_NONE };
  gboolean read = lines != NULL;

  for (int i = 0; i < PLG_MAX_GPUS_PER_NODE; i++)
    tables.numa[i] = -1;
  for (int i = 0; read && lines[i] != NULL; i++)
    read = read_line (&tables, i + 1, g_strchomp (lines[i]), error);
  read = read && set_node (&tables, error);
  for (int i = 0; i < PLG_N_AMD_LINK_TABLES; i++)
    for (int gpu = 0; gpu < tables.gpus; gpu++)
      g_strfreev (tables.row[i][gpu]);
  g_strfreev (tables.names);
  return read;
}
