/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/detect-error.h"
#include "io/import/error-position.h"
#include "io/registry/registry.h"
#include "plan/text/text-sanitize.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

/* Returns the first character of DATA that is not a byte order mark or white space. */
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

/* Puts NAME before the message of ERROR: "NAME:LINE: message", or "NAME: message" without a
 * line. Removes control characters, because messages may quote the file. */
static void
prefix_name (const char *name, GError **error)
{
  g_autofree char *message = NULL;

  if (error == NULL || *error == NULL)
    return;
  g_prefix_error (error, plg_error_position (*error).line > 0 ? "%s:" : "%s: ", name);
  message = g_steal_pointer (&(*error)->message);
  (*error)->message = plg_text_sanitize (message);
}

static const PlgFormat *
detect_exactly (const char *data, gsize size)
{
  const char *start = first_character (data, size);
  gsize left = data + size - start;
  int n;
  const PlgFormat *const *formats = plg_formats (&n);

  for (int i = 0; left > 0 && i < n; i++)
    if (formats[i]->is != NULL && formats[i]->is (start, left))
      return formats[i];
  return NULL;
}

/* Returns a copy of DATA with spaces instead of no-break spaces, or NULL if DATA has no no-break
 * space. The copy has the same size as DATA, because each no-break space becomes as many spaces
 * as it has bytes. Free with g_free(). */
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

/* Returns the format of DATA, or NULL. Accepts no-break spaces only in formats with a syntax of
 * their own (PLG_SYNTAX_TEXT), because such text is often copied from web pages. */
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

/* Appends the line "NAME: TEXT". */
static void
append_named (GString *out, const char *name, const char *text)
{
  g_string_append_printf (out, "%s%s: %s", out->len > 0 ? "\n" : "", name, text);
}

char *
plg_import_result_text (const PlgImportResult *import, guint kinds)
{
  g_autofree char *notes = plg_notes_text (import->notes, kinds, import->name);
  const char *notice = import->source != NULL ? plg_plan_source_notice (import->source) : NULL;
  GString *text = g_string_new (notes);

  if (kinds & (1u << PLG_NOTE_INFERRED))
    {
      g_autofree char *note = NULL;

      if (import->is_one_node && import->plan->cluster.nodes != 1)
        {
          if (import->is_one_host)
            note = g_strdup_printf (
                _ ("The file describes one host, but the plan has %d nodes of %d hosts."),
                import->plan->cluster.nodes, plg_cluster_hosts_per_node (&import->plan->cluster));
          else
            note = g_strdup_printf (_ ("The file describes one node, but the plan has %d nodes."),
                                    import->plan->cluster.nodes);
          append_named (text, import->name, note);
        }
    }
  if (notice != NULL)
    append_named (text, import->name, notice);
  return g_string_free (text, text->len == 0);
}

/* Returns a NUL-terminated copy of BYTES; free with g_free(). */
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
