/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/topology/amd-link-tables.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads the output of `amd-smi topology` from ROCm 6.0 or later: tables of the access, weights,
 * hops, types and rates of links (github.com/ROCm/amdsmi, amdsmi_cli/amdsmi_commands.py). The
 * GPUs are named by their PCI addresses. The output has no NUMA nodes. */

/* Accepts a PCI address such as "0000:0c:00.0". */
static gboolean
is_name (const char *word, int *gpu)
{
  static const char form[] = "xxxx:xx:xx.x";

  *gpu = -1;
  if (strlen (word) != strlen (form))
    return FALSE;
  for (int i = 0; form[i] != '\0'; i++)
    if (form[i] == 'x' ? !g_ascii_isxdigit (word[i]) : word[i] != form[i])
      return FALSE;
  return TRUE;
}

static const PlgAmdLinkProgram amd_smi = {
  .titles = { "WEIGHT TABLE:", "HOPS TABLE:", "LINK TYPE TABLE:", "NUMA BW TABLE:" },
  .is_name = is_name,
  .first_names = "0000:0c:00.0, 0000:22:00.0",
};

/* Reads one line. A title starts a table. The tables of access, coherence, atomics and DMA get
 * only an import note, because a plan does not use them. */
static gboolean
read_line (PlgAmdLinkTables *tables, int line, const char *text, GError **error)
{
  if (!g_str_has_suffix (text, "TABLE:"))
    return plg_amd_link_tables_read_line (tables, line, text, error);
  tables->table = plg_amd_link_tables_find_title (&amd_smi, text);
  if (tables->table == PLG_AMD_LINK_NONE)
    plg_import_note (tables->context, PLG_NOTE_IGNORED, line,
                     _ ("%s A plan does not use this table."), text);
  else if (tables->table == PLG_AMD_LINK_BANDWIDTH)
    plg_import_note (tables->context, PLG_NOTE_INFERRED, line,
                     _ ("NUMA BW gives the number of links between two GPUs. The driver reports "
                        "the same rate for all links, so the GPU's own rate is used."));
  return TRUE;
}

static gboolean
read_output (PlgImportContext *context, GError **error)
{
  return plg_amd_link_tables_read (&amd_smi, context, read_line, error);
}

static gboolean
is_output (const char *data, gsize size)
{
  return plg_amd_link_tables_find_title (&amd_smi, data) != PLG_AMD_LINK_NONE;
}

const PlgFormat plg_amd_smi_format = {
  .name = "amd-smi",
  .suffix = ".txt",
  .title = N_ ("Links inside a node (amd-smi topology)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .sign = "XGMI",
  .is = is_output,
  .read = read_output,
};
