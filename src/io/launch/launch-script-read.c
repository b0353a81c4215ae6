/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/rank-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads the table "RANK<TAB>HOST<TAB>GPU" from the scripts that this program writes for Slurm,
 * Open MPI, PBS and ssh (launch-script.h). */

#define BEGIN "<<':PLACEMENT:'"
#define END ":PLACEMENT:"
#define SHOWN_CHARACTERS 60

static gboolean
read_script (PlgImportContext *context, GError **error)
{
  g_autofree char **lines = plg_text_lines (context->data, context->size, error);
  g_auto (PlgRankTable) table = { 0 };
  int table_line = 0; /* line number of the start of the table; 0 before the table */

  if (lines == NULL)
    return FALSE;
  plg_rank_table_init (&table);
  for (int i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], "\t", 4);
      g_autofree char *shown = plg_text_excerpt (lines[i], SHOWN_CHARACTERS);
      PlgRankRow row = plg_rank_row (i + 1);
      gint64 rank, gpu;

      if (table_line == 0)
        {
          plg_rank_table_comment (&table, i + 1, lines[i]);
          if (strstr (lines[i], BEGIN) != NULL)
            table_line = i + 1;
          continue;
        }
      if (g_str_equal (lines[i], END))
        return plg_rank_table_import (&table, context, error);
      if (g_strv_length (cells) != 3 ||
          !g_ascii_string_to_signed (cells[0], 10, 0, PLG_MAX_GPUS - 1, &rank, NULL) ||
          !g_ascii_string_to_signed (cells[2], 10, 0, PLG_MAX_GPUS_PER_NODE - 1, &gpu, NULL))
        return plg_format_fail (i + 1, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("“%s” must be a rank, a host and a GPU, separated by tabs."),
                                shown);
      row.rank = (int) rank;
      row.gpu = (int) gpu;
      if (!plg_rank_table_host (&table, context, i + 1, cells[1], &row.host, error) ||
          !plg_rank_table_add (&table, context, &row, error))
        return FALSE;
    }
  return plg_format_fail (table_line, PLG_FORMAT_ERROR_SYNTAX, error,
                          _ ("The table of ranks is not closed; the line “%s” is missing."), END);
}

static gboolean
is_script (const char *data, gsize size)
{
  return size > 2 && data[0] == '#' && data[1] == '!' &&
         g_strstr_len (data, (gssize) size, BEGIN) != NULL;
}

const PlgFormat plg_launch_script_format = {
  .name = "launch-script",
  .suffix = ".sh",
  .title = N_ ("Script written for slurm, openmpi4, openmpi5, pbs or ssh"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .is = is_script,
  .read = read_script,
};
