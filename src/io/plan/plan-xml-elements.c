/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/plan/plan-xml.h"
#include "io/plan/plan-xml-private.h"
#include "syntax/xml-text.h"

#include <string.h>

static const char *const element_names[PLG_PLAN_N_ELEMENTS] = {
  [PLG_PLAN_TITLE] = "title",
  [PLG_PLAN_NOTES] = "notes",
  [PLG_PLAN_CLUSTER] = "cluster",
  [PLG_PLAN_NODE_MAP] = "node-map",
  [PLG_PLAN_MODEL] = "model",
  [PLG_PLAN_TRAINING] = "training",
  [PLG_PLAN_PARALLELISM] = "parallelism",
  [PLG_PLAN_PLACEMENT] = "placement",
  [PLG_PLAN_COST] = "cost",
  [PLG_PLAN_RELIABILITY] = "reliability",
  [PLG_PLAN_ENGINE] = "engine",
  [PLG_PLAN_VIEW] = "view",
  [PLG_PLAN_VARIANTS] = "variants",
};
G_STATIC_ASSERT (PLG_PLAN_VARIANTS + 1 == PLG_PLAN_N_ELEMENTS);

const char *
plg_plan_element_name (PlgPlanElement element)
{
  return element_names[element];
}

gboolean
plg_plan_element_is_in_variant (PlgPlanElement element)
{
  return element != PLG_PLAN_TITLE && element != PLG_PLAN_NOTES && element != PLG_PLAN_VIEW &&
         element != PLG_PLAN_VARIANTS;
}

const char *
plg_plan_element_attribute (PlgPlanElement element, const PlgSetting *setting)
{
  gsize length = strlen (element_names[element]);

  if (strncmp (setting->key, element_names[element], length) != 0 || setting->key[length] != '.')
    return NULL;
  return setting->key + length + 1;
}

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

/* Settings that a file has only if they differ from their defaults, because older files do not
 * have them. */
static const char *const newer_keys[] = {
  "cluster.host-bandwidth",
  "cluster.host-memory",
  "cluster.host-memory-bandwidth",
  "training.fp8-recipe",
  "training.bf16-first-layers",
  "training.bf16-last-layers",
  "training.reduce-precision",
  "training.optimizer",
  "training.dropout",
  "training.muon-steps",
  "training.muon-tp",
  "training.offload-optimizer",
  "training.offload-layers",
  "training.offload-weights",
  "training.recompute-method",
  "training.recompute-layers",
  "training.cuda-graphs",
  "parallelism.replicate",
  "training.expert-load",
  "model.window",
  "model.window-chunked",
  "model.full-attention-every",
  "model.index-heads",
  "model.index-dim",
  "model.index-top-k",
  "model.attention-gate",
  "model.mixer",
  "model.attention-layers",
  "model.mlp-layers",
  "model.mixer-heads",
  "model.mixer-head-dim",
  "model.mixer-groups",
  "model.mixer-state",
  "model.mixer-conv",
  "model.moe-every",
  "model.expert-groups",
  "model.top-groups",
  "parallelism.dispatcher",
  NULL,
};

gboolean
plg_plan_xml_is_newer (const PlgSetting *setting)
{
  return g_strv_contains (newer_keys, setting->key);
}

char *
plg_plan_xml_default (const PlgSetting *setting)
{
  g_autoptr (PlgPlan) defaults = plg_plan_new ();

  return plg_setting_get (setting, defaults);
}

gboolean
plg_plan_xml_omits (PlgPlanElement element, const PlgSetting *setting, const PlgPlan *plan)
{
  g_autofree char *value = plg_setting_get (setting, plan);
  g_autofree char *usual = NULL;

  if (setting->kind == PLG_SETTING_FAULTS || setting->kind == PLG_SETTING_NODE_NAMES ||
      setting->kind == PLG_SETTING_LAYOUT || setting->kind == PLG_SETTING_MODULES)
    return *value == '\0';
  if (element != PLG_PLAN_COST && element != PLG_PLAN_RELIABILITY &&
      !plg_plan_xml_is_newer (setting))
    return FALSE;
  usual = plg_plan_xml_default (setting);
  return g_str_equal (value, usual);
}

void
plg_plan_xml_append_variant (GString *out, const PlgVariant *variant)
{
  g_autoptr (GString) elements = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;

  g_string_append (out, "    <variant name=\"");
  plg_xml_append_text (out, variant->name, TRUE);
  g_string_append_printf (out, "\">\n      <plan version=\"%d\">\n", PLG_PLAN_XML_VERSION);
  for (int i = 0; i < PLG_PLAN_N_ELEMENTS; i++)
    if (plg_plan_element_is_in_variant (i))
      plg_plan_xml_append_element (elements, i, variant->plan);
  lines = g_strsplit (elements->str, "\n", -1);
  for (int i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_string_append_printf (out, "      %s\n", lines[i]);
  g_string_append (out, "      </plan>\n    </variant>\n");
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
  else if (element == PLG_PLAN_VARIANTS)
    {
      int n = plg_variants_count (plan->variants);

      if (n == 0)
        return;
      g_string_append (out, "  <variants>\n");
      for (int i = 0; i < n; i++)
        plg_plan_xml_append_variant (out, plg_variants_nth (plan->variants, i));
      g_string_append (out, "  </variants>\n");
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
      /* Write one attribute per line, so that a changed value changes only one line of the file.
       * Write elements that have only a few attributes on one line. */
      int n;
      const PlgSetting *settings = plg_settings (&n);
      gboolean is_small = element == PLG_PLAN_ENGINE || element == PLG_PLAN_VIEW;
      g_autoptr (GString) attributes = g_string_new (NULL);

      for (int i = 0; i < n; i++)
        {
          const char *attribute = plg_plan_element_attribute (element, &settings[i]);
          g_autofree char *value = NULL;

          if (attribute == NULL || plg_plan_xml_omits (element, &settings[i], plan))
            continue;
          value = plg_setting_get (&settings[i], plan);
          g_string_append_printf (attributes, "%s%s=\"", is_small ? " " : "\n    ", attribute);
          plg_xml_append_text (attributes, value, TRUE);
          g_string_append_c (attributes, '"');
        }
      if (attributes->len > 0)
        g_string_append_printf (out, "  <%s%s/>\n", plg_plan_element_name (element),
                                attributes->str);
    }
}
