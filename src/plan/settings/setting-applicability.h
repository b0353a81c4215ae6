/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* Why SETTING changes nothing in PLAN, in a few words to be shown beside it, or NULL when it does.
 * *ACTS (may be NULL): it is as if it were on, whatever its value. */
const char *
plg_setting_why_not_applicable (const PlgSetting *setting, const PlgPlan *plan, gboolean *acts);

G_END_DECLS
