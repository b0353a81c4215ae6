/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* plg_setting_why_not_applicable:
 * @setting: a setting
 * @plan: a plan that passes plg_plan_check()
 * @acts: (out) (optional): TRUE if the plan is evaluated as if the setting were on, whatever its
 *   value is
 *
 * Returns: (nullable): the reason why the value of @setting has no effect in @plan, in a few
 *   translated words to show next to the setting, or %NULL if the value has an effect */
const char *
plg_setting_why_not_applicable (const PlgSetting *setting, const PlgPlan *plan, gboolean *acts);

G_END_DECLS
