/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/plan/plan-xml.h"
#include "io/plan/plan-xml-private.h"
#include "syntax/xml-text.h"

#include <glib/gi18n-lib.h>

static GBytes *
write_new (const PlgPlan *plan)
{
  GString *out = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<!-- A plan of Parallelogram. Bandwidths are in GB/s per GPU "
                               "and direction, memory in GiB,\n"
                               "     the peak in dense TFLOP/s. The order is innermost first. "
                               "-->\n");

  g_string_append_printf (out, "<plan version=\"%d\">\n", PLG_PLAN_XML_VERSION);
  for (int i = 0; i < PLG_PLAN_N_ELEMENTS; i++)
    plg_plan_xml_append_element (out, i, plan);
  g_string_append (out, "</plan>\n");
  return g_string_free_to_bytes (out);
}

static gboolean
reads_as (GBytes *bytes, const PlgPlan *plan, const PlgCatalogue *catalogue)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autoptr (PlgPlan) read = plg_plan_xml_read (data, size, catalogue, NULL, NULL);

  return read != NULL && plg_plan_equal (read, plan);
}

GBytes *
plg_plan_xml_write (const PlgPlan *plan, PlgPlanSource *source)
{
  g_autoptr (PlgPlan) writable = plg_plan_copy (plan);
  g_autofree char *title = plg_xml_replace_controls (plan->title);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) fresh = NULL;

  /* The title in a file cannot contain control characters or line breaks. */
  g_free (writable->title);
  writable->title = plg_plan_xml_one_line (title);
  g_free (writable->notes);
  writable->notes = plg_xml_replace_controls (plan->notes);
  if (source == NULL)
    return write_new (writable);
  if (plg_plan_equal (writable, source->plan))
    return g_bytes_ref (source->bytes);

  /* A changed value may also change a catalogue value that the file omits. Therefore write all
   * values if reading the text gives a different plan. */
  bytes = plg_plan_xml_write_changes (writable, source, FALSE);
  if (bytes == NULL || !reads_as (bytes, writable, source->catalogue))
    {
      g_clear_pointer (&bytes, g_bytes_unref);
      bytes = plg_plan_xml_write_changes (writable, source, TRUE);
    }
  if (bytes != NULL && reads_as (bytes, writable, source->catalogue))
    return g_steal_pointer (&bytes);
  /* If neither text reads back as the plan, write a new file. The new file has the whole plan,
   * but loses the source's comments and unknown content. */
  fresh = write_new (writable);
  if (bytes != NULL && !reads_as (fresh, writable, source->catalogue))
    return g_steal_pointer (&bytes);
  return g_steal_pointer (&fresh);
}

/* Format */

static gboolean
is_plan_xml (const char *data, gsize size)
{
  return plg_xml_begins (data, size, "plan");
}

static gboolean
read_plan_xml (PlgImportContext *context, GError **error)
{
  PlgPlan *plan = plg_plan_xml_read (context->data, context->size, context->catalogue,
                                     &context->source, error);

  if (plan == NULL)
    return FALSE;
  plg_plan_free (context->plan);
  context->plan = plan;
  return TRUE;
}

static GBytes *
write_plan_xml (const PlgExportContext *export, GError **error)
{
  return plg_plan_xml_write (export->plan, export->source);
}

const PlgFormat plg_plan_xml_format = {
  .name = "xml",
  .suffix = ".plan.xml",
  .title = N_ ("Parallelogram plan (XML)"),
  .subject = PLG_SUBJECT_PLAN,
  .syntax = PLG_SYNTAX_XML,
  .sign = "<plan>",
  .is = is_plan_xml,
  .read = read_plan_xml,
  .write = write_plan_xml,
};
