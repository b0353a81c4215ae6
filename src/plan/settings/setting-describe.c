/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/settings/setting-describe.h"

#include "plan/quantity.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
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

      return setting->unit != NULL ? g_strdup_printf ("%s %s", text, _ (setting->unit))
                                   : g_steal_pointer (&text);
    }
  if (setting->kind == PLG_SETTING_NAME && catalogue != NULL)
    return g_strdup (catalogue_title (setting->key, value, catalogue));
  return g_strdup (title != NULL ? title : value);
}
