/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/topology/amd-link-tables.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads the output of `rocm-smi --showtopo`: tables of weights, hops and types of links between
 * GPUs, and the NUMA nodes of the GPUs (github.com/ROCm/rocm_smi_lib,
 * python_smi_tools/rocm_smi.py). */

/* Accepts a name such as "GPU3". */
static gboolean
is_name (const char *word, int *gpu)
{
  guint64 number;

  if (!g_str_has_prefix (word, "GPU") ||
      !g_ascii_string_to_unsigned (word + 3, 10, 0, G_MAXINT, &number, NULL))
    return FALSE;
  *gpu = (int) number;
  return TRUE;
}

static const PlgAmdLinkProgram rocm_smi = {
  .titles = { "Weight between two GPUs", "Hops between two GPUs", "Link Type between two GPUs" },
  .is_name = is_name,
  .first_names = "GPU0, GPU1",
};

static gboolean
read_line (PlgAmdLinkTables *tables, int line, const char *text, GError **error)
{
  PlgAmdLinkTable table = plg_amd_link_tables_find_title (&rocm_smi, text);
  /* A line of NUMA nodes reads "GPU[0] : (Topology) Numa Node: 0". */
  const char *gpu = strstr (text, "GPU["), *node = strstr (text, "Numa Node:");
  guint64 number = gpu != NULL ? g_ascii_strtoull (gpu + 4, NULL, 10) : 0;

  if (table != PLG_AMD_LINK_NONE || strstr (text, "====") != NULL)
    {
      tables->table = table;
      return TRUE;
    }
  if (gpu != NULL && node != NULL && number < (guint64) tables->gpus)
    {
      node += strlen ("Numa Node:");
      node += strspn (node, " \t");
      if (g_ascii_isdigit (*node))
        tables->numa[number] = (int) MIN (g_ascii_strtoull (node, NULL, 10), 1023);
    }
  return plg_amd_link_tables_read_line (tables, line, text, error);
}

static gboolean
read_output (PlgImportContext *context, GError **error)
{
  return plg_amd_link_tables_read (&rocm_smi, context, read_line, error);
}

static gboolean
is_output (const char *data, gsize size)
{
  return plg_amd_link_tables_find_title (&rocm_smi, data) != PLG_AMD_LINK_NONE;
}

const PlgFormat plg_rocm_smi_format = {
  .name = "rocm-smi",
  .suffix = ".txt",
  .title = N_ ("Links inside a node (rocm-smi --showtopo)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .sign = "XGMI",
  .is = is_output,
  .read = read_output,
};
