/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/plan/plan-xml.h"
#include "io/plan/plan-xml-private.h"
#include "syntax/xml-text.h"

#include <glib/gi18n-lib.h>

char *
plg_plan_xml_ranks_text (const int *rank_of_gpu, int node, int gpus_per_node)
{
  GString *out = g_string_new (NULL);

  for (int local = 0; local < gpus_per_node; local++)
    g_string_append_printf (out, "%s%d", local > 0 ? " " : "",
                            rank_of_gpu[node * gpus_per_node + local]);
  return g_string_free (out, FALSE);
}

static void
append_text_element (GString *out, PlgPlanElement element, const char *text)
{
  const char *name = plg_plan_element_name (element);

  if (*text == '\0')
    return;
  g_string_append_printf (out, "  <%s>", name);
  plg_xml_append_text (out, text, FALSE);
  g_string_append_printf (out, "</%s>\n", name);
}

void
plg_plan_xml_append_element (GString *out, PlgPlanElement element, const PlgPlan *plan)
{
  if (element == PLG_PLAN_TITLE)
    append_text_element (out, element, plan->title);
  else if (element == PLG_PLAN_NOTES)
    append_text_element (out, element, plan->notes);
  else if (element == PLG_PLAN_PLACEMENT)
    {
      g_autofree int *rank_of_gpu = NULL;

      if (plan->placement.size == 0)
        return;
      rank_of_gpu = plg_plan_rank_of_gpus (plan);
      g_string_append (out, "  <placement>\n");
      for (int node = 0; node < plan->cluster.nodes; node++)
        {
          g_autofree char *ranks = plg_plan_xml_ranks_text (rank_of_gpu, node,
                                                            plan->cluster.gpus_per_node);
          g_string_append_printf (out, "    <node ranks=\"%s\"/>\n", ranks);
        }
      g_string_append (out, "  </placement>\n");
    }
  else if (element == PLG_PLAN_NODE_MAP)
    {
      const PlgNodeTopology *map = &plan->node_topology;

      if (plg_node_topology_is_empty (map))
        return;
      g_string_append (out, "  <node-map>\n");
      plg_plan_xml_append_map (out, map);
      g_string_append (out, "  </node-map>\n");
    }
  else
    {
      /* One attribute per line, so that one changed value is one changed line; small groups take
       * one line. */
      int n;
      const PlgSetting *settings = plg_settings (&n);
      gboolean is_small = element == PLG_PLAN_ENGINE || element == PLG_PLAN_VIEW;

      g_string_append_printf (out, "  <%s", plg_plan_element_name (element));
      for (int i = 0; i < n; i++)
        {
          const char *attribute = plg_plan_element_attribute (element, &settings[i]);
          g_autofree char *value = NULL;

          if (attribute == NULL)
            continue;
          value = plg_setting_get (&settings[i], plan);
          if (*value == '\0' && (settings[i].kind == PLG_SETTING_FAULTS ||
                                 settings[i].kind == PLG_SETTING_NODE_NAMES))
            continue;
          g_string_append_printf (out, "%s%s=\"", is_small ? " " : "\n    ", attribute);
          plg_xml_append_text (out, value, TRUE);
          g_string_append_c (out, '"');
        }
      g_string_append (out, "/>\n");
    }
}

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

  /* A file cannot contain control characters and line breaks in the title. */
  g_free (writable->title);
  writable->title = plg_plan_xml_one_line (title);
  g_free (writable->notes);
  writable->notes = plg_xml_replace_controls (plan->notes);
  if (source == NULL)
    return write_new (writable);
  if (plg_plan_equal (writable, source->plan))
    return g_bytes_ref (source->bytes);

  /* A catalogue value that the file omits may change together with a changed value. If the text
   * does not read back as the plan, all values are written. */
  bytes = plg_plan_xml_write_changes (writable, source, FALSE);
  if (bytes == NULL || !reads_as (bytes, writable, source->catalogue))
    {
      g_clear_pointer (&bytes, g_bytes_unref);
      bytes = plg_plan_xml_write_changes (writable, source, TRUE);
    }
  if (bytes != NULL && reads_as (bytes, writable, source->catalogue))
    return g_steal_pointer (&bytes);
  /* A new file loses the text around the plan, but keeps the plan. */
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
  .title = N_ ("Plan of Parallelogram (XML)"),
  .subject = PLG_SUBJECT_PLAN,
  .syntax = PLG_SYNTAX_XML,
  .sign = "<plan>",
  .is = is_plan_xml,
  .read = read_plan_xml,
  .write = write_plan_xml,
};
