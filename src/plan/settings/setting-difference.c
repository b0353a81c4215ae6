/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/settings/setting-difference.h"

#include <string.h>

/* Collects an assignment for each key that differs, in table order. Catalogue names such as
 * cluster.gpu come before the keys whose values they set, so a key needs no assignment if the
 * catalogue name already sets it to the correct value. */
static GPtrArray *
collect (const PlgPlan *from, const PlgPlan *to, const PlgCatalogue *catalogue)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (from);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  const PlgSetting *settings;
  int n;

  settings = plg_settings (&n);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *has = plg_setting_get (&settings[i], plan);
      g_autofree char *wanted = plg_setting_get (&settings[i], to);

      if (g_str_has_prefix (settings[i].key, "view.") || strcmp (has, wanted) == 0)
        continue;
      if (!plg_setting_set (plan, catalogue, settings[i].key, wanted, NULL))
        return NULL;
      g_ptr_array_add (words, g_strconcat (settings[i].key, "=", wanted, NULL));
    }
  return g_steal_pointer (&words);
}

char **
plg_settings_difference (const PlgPlan *from, const PlgPlan *to, const PlgCatalogue *catalogue)
{
  g_autoptr (GPtrArray) words = collect (from, to, catalogue);
  g_autoptr (PlgPlan) plan = plg_plan_copy (from);

  if (words == NULL)
    return NULL;
  g_ptr_array_add (words, NULL);
  if (words->len > 1 &&
      !plg_settings_apply (plan, catalogue, (const char *const *) words->pdata, NULL))
    return NULL;
  if (!plg_plan_same_design (plan, to) || strcmp (plan->title, to->title) != 0 ||
      strcmp (plan->notes, to->notes) != 0)
    return NULL;
  return (char **) g_ptr_array_steal (words, NULL);
}
