/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/xgmi.h"

#include "formats/format.h"
#include "formats/node-kind.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A hop over xGMI weighs 15; more is a way through another GPU (Linux, drivers/gpu/drm/amd/amdkfd,
 * KFD_CRAT_XGMI_WEIGHT). Virtual machines show 0. */
#define HOP_WEIGHT 15
/* Two GPUs of AMD have no more links to each other (MI250X, the two dies of a package). */
#define MAX_LINKS 16
#define SHOWN_CHARACTERS 20

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

static gboolean
is_name (const PlgXgmi *xgmi, const char *word)
{
  int gpu;

  return word != NULL && xgmi->program->is_name (word, &gpu);
}

/* The column of the GPU called NAME, or -1. */
static int
column_of (const PlgXgmi *xgmi, const char *name)
{
  for (int i = 0; i < xgmi->gpus; i++)
    if (g_str_equal (xgmi->names[i], name))
      return i;
  return -1;
}

/* WORD as the name of the GPU in COLUMN of the first head. */
static gboolean
fits_column (const PlgXgmi *xgmi, char **words, int column)
{
  int gpu;

  if (!xgmi->program->is_name (words[column], &gpu) || (gpu >= 0 && gpu != column))
    return FALSE;
  for (int i = 0; i < column; i++)
    if (g_str_equal (words[i], words[column]))
      return FALSE;
  return xgmi->gpus == 0 || g_str_equal (xgmi->names[column], words[column]);
}

static gboolean
read_head (PlgXgmi *xgmi, int line, char **words, GError **error)
{
  int n = (int) g_strv_length (words);

  if (xgmi->gpus > 0 && n != xgmi->gpus)
    return plg_reading_fail (xgmi->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("This table has %d GPUs, and the first one %d."), n, xgmi->gpus);
  if (n > PLG_MAX_GPUS_PER_NODE)
    return plg_reading_fail (xgmi->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The table has %d GPUs; a node has at most %d."), n,
                             PLG_MAX_GPUS_PER_NODE);
  for (int i = 0; i < n; i++)
    if (!fits_column (xgmi, words, i))
      return plg_reading_fail (xgmi->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                               _ ("The columns must be %s, …, each once and the same in all "
                                  "tables."),
                               xgmi->program->first_names);
  if (xgmi->gpus > 0)
    return TRUE;
  xgmi->gpus = n;
  xgmi->head = line;
  xgmi->names = g_strdupv (words);
  return TRUE;
}

/* "50000-100000" */
static gboolean
is_rate (const char *cell)
{
  gsize n = strspn (cell, "0123456789");

  return n > 0 && cell[n] == '-' && cell[n + 1] != '\0' &&
         cell[n + 1 + strspn (cell + n + 1, "0123456789")] == '\0';
}

static gboolean
is_cell (PlgXgmiTable table, const char *cell)
{
  static const char *const kinds[] = { "XGMI", "PCIE", "SELF", "UNKNOWN", NULL };
  guint64 number;

  return g_ascii_string_to_unsigned (cell, 10, 0, G_MAXINT, &number, NULL) ||
         (table == PLG_XGMI_KIND && g_strv_contains (kinds, cell)) ||
         (table == PLG_XGMI_RATE && is_rate (cell)) || g_str_equal (cell, "N/A");
}

static gboolean
refuse_cell (const PlgXgmi *xgmi, int line, const char *name, const char *cell, GError **error)
{
  g_autofree char *shown = plg_format_excerpt (cell, SHOWN_CHARACTERS);

  return plg_reading_fail (xgmi->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                           _ ("“%s” in the row of %s is neither a number nor XGMI or PCIE."), shown,
                           name);
}

static gboolean
read_row (PlgXgmi *xgmi, int line, char **words, GError **error)
{
  int gpu = column_of (xgmi, words[0]), n = (int) g_strv_length (words) - 1;
  char ***row;

  if (gpu < 0 || n != xgmi->gpus)
    return plg_reading_fail (xgmi->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The row of %s has %d values, and the table %d columns; the output "
                                "is cut off."),
                             words[0], n, xgmi->gpus);
  for (int i = 0; i < n; i++)
    if (!is_cell (xgmi->table, words[i + 1]))
      return refuse_cell (xgmi, line, words[0], words[i + 1], error);
  row = &xgmi->row[xgmi->table][gpu];
  if (*row == NULL)
    {
      *row = g_strdupv (words + 1);
      xgmi->line[xgmi->table][gpu] = line;
    }
  return TRUE;
}

PlgXgmiTable
plg_xgmi_title (const PlgXgmiProgram *program, const char *text)
{
  for (int i = 0; i < PLG_N_XGMI_TABLES; i++)
    if (program->titles[i] != NULL && strstr (text, program->titles[i]) != NULL)
      return i;
  return PLG_XGMI_NONE;
}

gboolean
plg_xgmi_read_line (PlgXgmi *xgmi, int line, const char *text, GError **error)
{
  g_auto (GStrv) words = NULL;

  if (xgmi->table == PLG_XGMI_NONE)
    return TRUE;
  words = split (text);
  if (!is_name (xgmi, words[0]))
    return TRUE;
  if (words[1] == NULL || is_name (xgmi, words[1]))
    return read_head (xgmi, line, words, error);
  return read_row (xgmi, line, words, error);
}

/* The map */

/* What a table says of a pair; NULL: there is no such table. */
static const char *
cell_of (const PlgXgmi *xgmi, PlgXgmiTable table, int a, int b)
{
  char **row = xgmi->row[table][a];

  return row != NULL ? row[b] : NULL;
}

static guint64
number_of (const PlgXgmi *xgmi, PlgXgmiTable table, int a, int b)
{
  const char *cell = cell_of (xgmi, table, a, b);

  return cell != NULL ? g_ascii_strtoull (cell, NULL, 10) : 0;
}

/* How many links two GPUs have: what all of them carry over what one does. */
static int
links_of (const PlgXgmi *xgmi, int a, int b)
{
  const char *cell = cell_of (xgmi, PLG_XGMI_RATE, a, b),
             *all = cell != NULL ? strchr (cell, '-') : NULL;
  guint64 one = all != NULL ? g_ascii_strtoull (cell, NULL, 10) : 0;

  return one > 0 ? (int) CLAMP (g_ascii_strtoull (all + 1, NULL, 10) / one, 1, MAX_LINKS) : 1;
}

/* Over xGMI directly or through another GPU; over PCIe below a CPU, or from one CPU to another,
 * which count as three hops. */
static PlgPath
path_of (const PlgXgmi *xgmi, int a, int b)
{
  const char *type = cell_of (xgmi, PLG_XGMI_KIND, a, b);

  if (g_str_equal (type, "XGMI") && number_of (xgmi, PLG_XGMI_WEIGHT, a, b) > HOP_WEIGHT)
    return (PlgPath) { .type = PLG_PATH_NVB };
  if (g_str_equal (type, "XGMI"))
    return (PlgPath) { .type = PLG_PATH_NVLINK, .links = links_of (xgmi, a, b) };
  if (!g_str_equal (type, "PCIE"))
    return (PlgPath) { .type = PLG_PATH_UNKNOWN };
  if (xgmi->numa[a] >= 0 && xgmi->numa[b] >= 0)
    return (PlgPath) { .type = xgmi->numa[a] == xgmi->numa[b] ? PLG_PATH_PHB : PLG_PATH_SYS };
  return (PlgPath) { .type = number_of (xgmi, PLG_XGMI_HOPS, a, b) > 2 ? PLG_PATH_SYS
                                                                       : PLG_PATH_PHB };
}

static gboolean
fill_map (const PlgXgmi *xgmi, PlgNodeMap *map, GError **error)
{
  for (int a = 0; a < xgmi->gpus; a++)
    {
      map->numa[a] = xgmi->numa[a];
      for (int b = 0; b < xgmi->gpus; b++)
        if (a != b)
          *plg_node_map_to_gpu (map, a, b) = path_of (xgmi, a, b);
      for (int b = 0; b < a; b++)
        if (plg_node_map_to_gpu (map, a, b)->type != plg_node_map_to_gpu (map, b, a)->type)
          return plg_reading_fail (xgmi->reading, xgmi->line[PLG_XGMI_KIND][a],
                                   PLG_FORMAT_ERROR_CONTENT, error,
                                   _ ("%s to %s is another path than back; both must be the same."),
                                   xgmi->names[a], xgmi->names[b]);
    }
  return TRUE;
}

static gboolean
say (PlgXgmi *xgmi, GError **error)
{
  PlgNodeMap map;
  gboolean made;

  if (xgmi->gpus == 0)
    return plg_reading_fail (xgmi->reading, 0, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("There is no table of GPUs; it is a part of the output."));
  for (int gpu = 0; gpu < xgmi->gpus; gpu++)
    if (xgmi->row[PLG_XGMI_KIND][gpu] == NULL)
      return plg_reading_fail (xgmi->reading, xgmi->head, PLG_FORMAT_ERROR_CONTENT, error,
                               _ ("%s has no row in “%s”; it tells xGMI from PCIe."),
                               xgmi->names[gpu], xgmi->program->titles[PLG_XGMI_KIND]);
  plg_node_map_init (&map, xgmi->gpus, 0);
  made = fill_map (xgmi, &map, error) &&
         plg_reading_set_map (xgmi->reading, xgmi->head, &map, TRUE, error);
  plg_node_map_clear (&map);
  return made;
}

static void
clear (PlgXgmi *xgmi)
{
  for (int i = 0; i < PLG_N_XGMI_TABLES; i++)
    for (int gpu = 0; gpu < xgmi->gpus; gpu++)
      g_strfreev (xgmi->row[i][gpu]);
  g_strfreev (xgmi->names);
}

gboolean
plg_xgmi_read (const PlgXgmiProgram *program,
               PlgReading *reading,
               PlgXgmiLine read_line,
               GError **error)
{
  g_autofree char **lines = plg_reading_lines (reading, error);
  PlgXgmi xgmi = { .program = program, .reading = reading, .table = PLG_XGMI_NONE };
  gboolean read = lines != NULL;

  for (int i = 0; i < PLG_MAX_GPUS_PER_NODE; i++)
    xgmi.numa[i] = -1;
  for (int i = 0; read && lines[i] != NULL; i++)
    read = read_line (&xgmi, i + 1, g_strchomp (lines[i]), error);
  read = read && say (&xgmi, error);
  clear (&xgmi);
  return read;
}
