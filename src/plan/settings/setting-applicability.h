/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* plg_setting_why_not_applicable:
 * @setting: a setting
 * @plan: a plan that passes plg_plan_check()
 * @acts: (out) (optional): TRUE if the plan is evaluated with the setting on, whatever its value is
 *
 * Returns: (nullable): why the value of @setting has no effect in @plan, in a few translated words
 *   to show beside the setting, or %NULL if the value has an effect
 */
const char *
plg_setting_why_not_applicable (const PlgSetting *setting, const PlgPlan *plan, gboolean *acts);

G_END_DECLS
