/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/format-private.h"
#include "io/placement/host-names.h"
#include "io/placement/launch-placement.h"
#include "io/registry/detect-error.h"
#include "plan/text-sanitize.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

G_DEFINE_QUARK (plg_format_error_quark, plg_format_error)

char *
plg_text_excerpt (const char *text, int maximum)
{
  g_autofree char *start = NULL;

  if (g_utf8_strlen (text, -1) <= maximum)
    return g_strdup (text);
  start = g_utf8_substring (text, 0, maximum - 1);
  return g_strconcat (start, "…", NULL);
}

/* The order decides between formats that match the same content: formats with weaker checks come
 * last. Lists show the formats in this order too, launchers before lists of ranks. */
static const PlgFormat *const formats[] = {
  &plg_plan_xml_format,
  &plg_plan_yaml_format,
  &plg_plan_svg_format,
  &plg_report_json_format,
  &plg_report_text_format,
  &plg_links_format,
  &plg_ledger_format,
  &plg_slurm_format,
  &plg_openmpi4_format,
  &plg_openmpi5_format,
  &plg_ssh_format,
  &plg_pbs_format,
  &plg_ranks_csv_format,
  &plg_ranks_json_format,
  &plg_launch_script_format,
  &plg_slurm_hostfile_format,
  &plg_rankfile_format,
  &plg_hostfile_format,
  &plg_kubernetes_format,
  &plg_torchrun_format,
  &plg_device_mesh_format,
  &plg_slurm_topology_format,
  &plg_slurm_topology_yaml_format,
  &plg_megatron_format,
  &plg_torchtitan_format,
  &plg_deepspeed_format,
  &plg_picotron_format,
  &plg_nemo_format,
  &plg_node_list_format,
  &plg_hf_format,
  &plg_nvidia_smi_format,
  &plg_calculon_format,
  &plg_calculon_model_format,
  &plg_astra_sim_format,
  &plg_astra_sim_system_format,
  &plg_simai_format,
  &plg_simai_busbw_format,
  &plg_worksheet_format,
  &plg_topology_notes_format,
  &plg_mermaid_format,
  &plg_html_format,
  &plg_nccl_tests_format,
  &plg_rocm_smi_format,
  &plg_amd_smi_format,
  &plg_nccl_topology_format,
  &plg_nccl_graph_format,
  &plg_hwloc_format,
};

const PlgFormat *const *
plg_formats (int *n)
{
  *n = G_N_ELEMENTS (formats);
  return formats;
}

const PlgFormat *
plg_format_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (formats[i]->name, name) == 0)
      return formats[i];
  return NULL;
}

GBytes *
plg_take_text (char *text)
{
  return g_bytes_new_take (text, strlen (text));
}

gboolean
plg_need_report (const PlgExportContext *export, GError **error)
{
  if (export->report == NULL)
    g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                         _ ("This format contains results; evaluate the plan first."));
  return export->report != NULL;
}

/* The text after the next END in DATA, or NULL. */
static const char *
skip_past (const char *data, const char *limit, const char *end)
{
  const char *found = g_strstr_len (data, limit - data, end);

  return found != NULL ? found + strlen (end) : NULL;
}

static gboolean
begins_with (const char *data, const char *limit, const char *text)
{
  return (gsize) (limit - data) >= strlen (text) && strncmp (data, text, strlen (text)) == 0;
}

/* The name of the first element of the XML text DATA, or NULL. */
static const char *
find_root (const char *data, const char *limit)
{
  while (data != NULL)
    {
      while (data < limit && g_ascii_isspace (*data))
        data++;
      if (begins_with (data, limit, "<?"))
        data = skip_past (data, limit, "?>");
      else if (begins_with (data, limit, "<!--"))
        data = skip_past (data, limit, "-->");
      else if (begins_with (data, limit, "<!"))
        data = skip_past (data, limit, ">");
      else
        return begins_with (data, limit, "<") ? data + 1 : NULL;
    }
  return NULL;
}

gboolean
plg_xml_begins (const char *data, gsize size, const char *name)
{
  const char *root = find_root (data, data + size);
  gsize n = strlen (name);

  return root != NULL && begins_with (root, data + size, name) &&
         (root + n == data + size || !(g_ascii_isalnum (root[n]) || strchr ("-_.:", root[n])));
}

/* The first character of DATA after a byte order mark and white space. */
static const char *
first_character (const char *data, gsize size)
{
  const char *p = data;

  if (size >= strlen (BYTE_ORDER_MARK) && g_str_has_prefix (p, BYTE_ORDER_MARK))
    p += strlen (BYTE_ORDER_MARK);
  while (p < data + size && g_ascii_isspace (*p))
    p++;
  return p;
}

/* Prefixes the message of ERROR: "NAME:LINE: message", or "NAME: message" without a line. Removes
 * control characters, since messages may quote the file. */
static void
prefix_name (const char *name, GError **error)
{
  g_autofree char *message = NULL;

  if (error == NULL || *error == NULL)
    return;
  g_prefix_error (error, g_ascii_isdigit ((*error)->message[0]) ? "%s:" : "%s: ", name);
  message = g_steal_pointer (&(*error)->message);
  (*error)->message = plg_text_sanitize (message);
}

static const PlgFormat *
detect_exactly (const char *data, gsize size)
{
  const char *start = first_character (data, size);
  gsize left = data + size - start;

  for (guint i = 0; left > 0 && i < G_N_ELEMENTS (formats); i++)
    if (formats[i]->is != NULL && formats[i]->is (start, left))
      return formats[i];
  return NULL;
}

/* A copy of DATA with spaces of the same length for no-break spaces, or NULL if DATA has none.
 * g_free(). */
static char *
replace_no_break_spaces (const char *data, gsize size)
{
  gsize n = strlen (PLG_NO_BREAK_SPACE);
  char *copy = NULL;

  for (const char *p = data; (p = g_strstr_len (p, data + size - p, PLG_NO_BREAK_SPACE)) != NULL;
       p += n)
    {
      if (copy == NULL)
        copy = g_strndup (data, size);
      memset (copy + (p - data), ' ', n);
    }
  return copy;
}

/* The format of DATA, or NULL. Only text formats, often copied from web pages, may have no-break
 * spaces. */
static const PlgFormat *
detect (const char *data, gsize size)
{
  const PlgFormat *format = detect_exactly (data, size);
  g_autofree char *replaced = format == NULL ? replace_no_break_spaces (data, size) : NULL;

  if (replaced != NULL)
    format = detect_exactly (replaced, size);
  return format != NULL && (replaced == NULL || format->syntax == PLG_SYNTAX_TEXT) ? format : NULL;
}

void
plg_import_result_free (PlgImportResult *import)
{
  g_clear_pointer (&import->plan, plg_plan_free);
  g_clear_pointer (&import->source, plg_plan_source_unref);
  g_clear_pointer (&import->notes, g_ptr_array_unref);
  g_free (import->name);
  g_free (import);
}

/* Appends the lines of TEXT, each prefixed with NAME. */
static void
append_named (GString *out, const char *name, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++)
    g_string_append_printf (out, "%s%s:%s%s", out->len > 0 ? "\n" : "", name,
                            g_ascii_isdigit (*lines[i]) ? "" : " ", lines[i]);
}

char *
plg_import_result_text (const PlgImportResult *import, guint kinds)
{
  g_autofree char *notes = plg_notes_text (import->notes, kinds);
  const char *notice = import->source != NULL ? plg_plan_source_notice (import->source) : NULL;
  GString *text = g_string_new (NULL);

  if (notes != NULL)
    append_named (text, import->name, notes);
  if (kinds & (1u << PLG_NOTE_INFERRED))
    {
      g_autofree char *note = NULL;

      if (import->is_one_node && import->plan->cluster.nodes != 1)
        {
          if (import->is_one_host)
            note = g_strdup_printf (
                _ ("The file describes one host; the plan has %d nodes of %d hosts."),
                import->plan->cluster.nodes, plg_cluster_hosts_per_node (&import->plan->cluster));
          else
            note = g_strdup_printf (_ ("The file describes one node; the plan has %d nodes."),
                                    import->plan->cluster.nodes);
          append_named (text, import->name, note);
        }
    }
  if (notice != NULL)
    append_named (text, import->name, notice);
  return g_string_free (text, text->len == 0);
}

/* A NUL-terminated copy of BYTES. g_free(). */
static char *
copy_terminated (GBytes *bytes, gsize *size)
{
  const char *data = g_bytes_get_data (bytes, size);
  char *copy = g_malloc (*size + 1);

  if (*size > 0)
    memcpy (copy, data, *size);
  copy[*size] = '\0';
  return copy;
}

PlgImportResult *
plg_format_read_as (const PlgFormat *format,
                    GBytes *bytes,
                    const char *name,
                    const PlgPlan *base,
                    const PlgCatalogue *catalogue,
                    GError **error)
{
  gsize size;
  g_autofree char *data = copy_terminated (bytes, &size);
  gsize mark = format->syntax != PLG_SYNTAX_XML && g_str_has_prefix (data, BYTE_ORDER_MARK)
                   ? strlen (BYTE_ORDER_MARK)
                   : 0;
  g_auto (PlgImportContext) context = { 0 };
  PlgImportResult *import;

  plg_import_init (&context, data + mark, size - mark, base, catalogue);
  if (!format->read (&context, error) ||
      (format->subject != PLG_SUBJECT_PLAN && !plg_import_finish (&context, error)))
    {
      prefix_name (name, error);
      return NULL;
    }
  import = g_new (PlgImportResult, 1);
  *import = (PlgImportResult) {
    .format = format,
    .plan = g_steal_pointer (&context.plan),
    .source = g_steal_pointer (&context.source),
    .notes = g_steal_pointer (&context.notes),
    .is_one_node = format->subject == PLG_SUBJECT_CLUSTER &&
                   !plg_node_topology_is_empty (&context.node_topology) &&
                   plg_import_get (&context, "cluster.nodes") == NULL,
    .is_one_host = context.is_one_host,
    .name = g_strdup (name),
  };
  return import;
}

const PlgFormat *
plg_format_detect (GBytes *bytes)
{
  gsize size;
  g_autofree char *data = copy_terminated (bytes, &size);

  return detect (data, size);
}

PlgImportResult *
plg_format_read (GBytes *bytes,
                 const char *name,
                 const PlgPlan *base,
                 const PlgCatalogue *catalogue,
                 GError **error)
{
  gsize size;
  g_autofree char *data = copy_terminated (bytes, &size);
  const PlgFormat *format = detect (data, size);

  if (format != NULL)
    return plg_format_read_as (format, bytes, name, base, catalogue, error);
  if (first_character (data, size) < data + size)
    plg_detect_error_set (data, size, name, error);
  else
    g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNKNOWN,
                         _ ("The file is empty."));
  prefix_name (name, error);
  return NULL;
}

GBytes *
plg_format_write (const PlgFormat *format, const PlgExportContext *export, GError **error)
{
  g_return_val_if_fail (format->write != NULL, NULL);
  if (format->can_place != NULL && !format->can_place (export->plan, error))
    return NULL;
  return format->write (export, error);
}

gboolean
plg_format_keeps_placement (const PlgFormat *format, const PlgPlan *plan)
{
  return format->subject == PLG_SUBJECT_PLACEMENT && format->write != NULL &&
         (format->can_place == NULL || format->can_place (plan, NULL));
}

gboolean
plg_format_omits_placement (const PlgFormat *format, const PlgPlan *plan)
{
  return format->subject == PLG_SUBJECT_TRAINING && !plg_launch_is_default_placement (plan);
}

char *
plg_format_write_note (const PlgFormat *format, const PlgPlan *plan)
{
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  int n = plg_cluster_hosts (&plan->cluster), unnamed = plg_launch_count_unnamed_hosts (plan);
  int trays = plg_cluster_hosts_per_node (&plan->cluster);

  if (plg_format_omits_placement (format, plan))
    return g_strdup (_ ("Ranks were moved by hand, but this file does not store the placement; the "
                        "program's launcher decides it."));
  if (format->subject != PLG_SUBJECT_PLACEMENT)
    return NULL;
  if (format->needs_names && trays > 1 && unnamed > 0 && (!format->has_host_numbers || unnamed < n))
    {
      int first = 0;

      while (plg_launch_is_named (plan, first))
        first += trays;
      return g_strdup_printf (_ ("A node has %d hosts, which are called %s to %s and so on here. "
                                 "Name the hosts, as in host[1-%d] for one node (%s), or replace "
                                 "these names before you start this."),
                              trays, hosts[first], hosts[first + trays - 1], trays,
                              plg_setting_name ("cluster.node-names"));
    }
  if (!format->needs_names || unnamed == 0 || unnamed == n)
    return plg_host_names_warning ((const char *const *) hosts, n);
  return g_strdup_printf (_ ("%d of %d nodes have no name and are called node0, node1 and so on "
                             "here, by their numbers. Name them (%s) before you start this."),
                          unnamed, plan->cluster.nodes, plg_setting_name ("cluster.node-names"));
}
