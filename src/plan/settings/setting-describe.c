/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/settings/setting-describe.h"

#include "plan/quantity.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define SHOWN_DIGITS 4

static const char *
catalogue_title (const char *key, const char *name, const PlgCatalogue *catalogue)
{
  const PlgGpu *gpu = plg_catalogue_gpu (catalogue, name);
  const PlgNode *node = plg_catalogue_node (catalogue, name);
  const PlgTransformer *model = plg_catalogue_model (catalogue, name);

  if (g_str_equal (key, "cluster.gpu") && gpu != NULL)
    return gpu->title;
  if (g_str_equal (key, "cluster.node") && node != NULL)
    return node->title;
  if (g_str_equal (key, "model.name") && model != NULL)
    return model->title;
  return name;
}

const char *
plg_setting_unit (const PlgSetting *setting, const char *number)
{
  if (setting->unit != NULL && g_str_equal (setting->unit, "tokens") && g_str_equal (number, "1"))
    return _ ("token");
  return setting->unit != NULL ? _ (setting->unit) : NULL;
}

char *
plg_setting_describe_value (const PlgSetting *setting,
                            const char *value,
                            const char *other,
                            const PlgCatalogue *catalogue)
{
  const char *title = plg_setting_value_title (setting, value);

  if (setting->kind == PLG_SETTING_INTEGER || setting->kind == PLG_SETTING_NUMBER)
    {
      double number = g_ascii_strtod (value, NULL);
      double beside = other != NULL ? g_ascii_strtod (other, NULL) : number;
      g_autofree char *text = setting->kind == PLG_SETTING_INTEGER
                                  ? g_strdup (value)
                                  : plg_format_number_distinct (number, beside, SHOWN_DIGITS);

      return g_strjoin (" ", text, plg_setting_unit (setting, text), NULL);
    }
  if (setting->kind == PLG_SETTING_NAME && catalogue != NULL)
    return g_strdup (catalogue_title (setting->key, value, catalogue));
  return g_strdup (title != NULL ? title : value);
}

double
plg_setting_inherited_number (const PlgSetting *setting, const PlgPlan *plan)
{
  const PlgGpu *gpu = &plan->cluster.gpu;
  const struct
  {
    gsize offset;
    double value;
  } values[] = {
    { G_STRUCT_OFFSET (PlgPlan, cluster.peak),
      plg_cluster_peak (&plan->cluster, plan->training.precision) },
    { G_STRUCT_OFFSET (PlgPlan, cluster.host_bandwidth),
      plg_cluster_host_bandwidth (&plan->cluster) },
    { G_STRUCT_OFFSET (PlgPlan, cluster.host_memory), plg_cluster_host_memory (&plan->cluster) },
    { G_STRUCT_OFFSET (PlgPlan, cluster.host_memory_bandwidth),
      plg_cluster_host_memory_bandwidth (&plan->cluster) },
    { G_STRUCT_OFFSET (PlgPlan, cost.gpu_hour), gpu->gpu_hour },
    { G_STRUCT_OFFSET (PlgPlan, cost.power_busy), gpu->power_busy },
    { G_STRUCT_OFFSET (PlgPlan, cost.power_idle), gpu->power_idle },
    { G_STRUCT_OFFSET (PlgPlan, cost.power_server), gpu->power_server },
  };

  if (setting->kind != PLG_SETTING_NUMBER || plg_setting_get_number (setting, plan) > 0)
    return 0;
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    if (values[i].offset == setting->offset)
      return values[i].value > 0 ? values[i].value / setting->scale : NAN;
  return 0;
}

/* Returns the value of SETTING in PLAN, its own or that of the GPU, as text for --set. */
static char *
used_value (const PlgSetting *setting, const PlgPlan *plan)
{
  double inherited = plg_setting_inherited_number (setting, plan);

  return inherited > 0 ? plg_format_exact (inherited) : plg_setting_get (setting, plan);
}

char *
plg_setting_describe (const PlgSetting *setting,
                      const PlgPlan *plan,
                      const PlgPlan *other,
                      const PlgCatalogue *catalogue)
{
  double inherited = plg_setting_inherited_number (setting, plan);
  g_autofree char *value = used_value (setting, plan);
  g_autofree char *beside = other != NULL ? used_value (setting, other) : NULL;
  g_autofree char *text = plg_setting_describe_value (setting, value, beside, catalogue);

  if (isnan (inherited))
    return g_strdup (_ ("unknown"));
  if (inherited > 0)
    return g_strdup_printf (_ ("%s (catalogue)"), text);
  return g_steal_pointer (&text);
}
