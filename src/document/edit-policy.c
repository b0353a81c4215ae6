/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/edit-policy.h"

#include "engine/report/redaction.h"
#include "plan/placement.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>

static gboolean
is_hidden (const PlgEditPolicy *policy, const char *key)
{
  return (policy->redaction & PLG_REDACT_FAULTS) != 0 && g_str_equal (key, "cluster.faults");
}

/* Returns whether the lesson step lets the user change KEY, now or after the step's question has
 * been answered. */
static gboolean
is_unlocked (const PlgEditPolicy *policy, const char *key)
{
  return policy->keys == NULL || plg_setting_is_among (key, policy->keys);
}

const char *
plg_edit_policy_lock_reason (const PlgEditPolicy *policy, const char *key)
{
  /* A hidden value is also locked. */
  if (is_hidden (policy, key))
    return plg_redaction_placeholder (policy->redaction, PLG_REDACT_FAULTS);
  if (g_str_has_prefix (key, "view."))
    return NULL;
  if (!is_unlocked (policy, key))
    return _ ("The lesson does not let you change this.");
  return policy->awaits_answer ? _ ("You can change this after you answer the question.") : NULL;
}

gboolean
plg_edit_policy_lists_key (const PlgEditPolicy *policy, const char *key)
{
  return policy->keys != NULL && plg_edit_policy_lock_reason (policy, key) == NULL &&
         g_strv_contains (policy->keys, key);
}

gboolean
plg_edit_policy_check (const PlgEditPolicy *policy,
                       const PlgPlan *current,
                       const PlgPlan *plan,
                       GError **error)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);

  if (policy->keys == NULL && policy->redaction == 0 && !policy->awaits_answer)
    return TRUE;
  for (int i = 0; i < n; i++)
    {
      const PlgSetting *setting = &settings[i];
      g_autofree char *before = plg_setting_get (setting, current);
      g_autofree char *after = plg_setting_get (setting, plan);

      if (g_str_equal (before, after) || plg_edit_policy_lock_reason (policy, setting->key) == NULL)
        continue;

      if (is_hidden (policy, setting->key))
        g_set_error_literal (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                             _ ("Faults can be changed after the lesson shows them."));
      else if (is_unlocked (policy, setting->key))
        g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                     _ ("“%s” can be changed after the question is answered."), _ (setting->title));
      else
        g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                     _ ("This step of the lesson keeps “%s” at %s."), _ (setting->title), before);

      return FALSE;
    }
  if (plg_edit_policy_lock_reason (policy, "placement") == NULL ||
      plg_placement_equal (&current->placement, &plan->placement))
    return TRUE;
  g_set_error_literal (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                       is_unlocked (policy, "placement")
                           ? _ ("Ranks can be moved after the question is answered.")
                           : _ ("This step of the lesson keeps every rank where it is."));
  return FALSE;
}
